"""What asking costs, counted where jobs count: one row of the workspace's runs for each ask that asked a model."""

from __future__ import annotations

from schemacast.llm.protocol import Usage
from schemacast.workspace.episodes import now
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.runs import ASK


def count_ask(
    file: WorkspaceFile, model: str, usage: Usage, requests: int, failed: str | None, *, cost: float | None = None
) -> None:
    """Add what one ask took. `failed`: why it gave no answer; `cost` in US dollars."""
    if requests == 0 and failed is None:
        return
    moment = now()
    file.execute(
        "INSERT INTO runs (command, started, ended, stopped, model, store, planned, done, requests, input_tokens,"
        " output_tokens, cost) VALUES (?, ?, ?, ?, ?, NULL, 1, ?, ?, ?, ?, ?)",
        (ASK, moment, moment, failed, model, failed is None, requests, usage.input_tokens, usage.output_tokens, cost),
    )
