"""Facts of a cast for a person: edges of the graph with their quote marked in the text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from schemacast.cli.show import marked

if TYPE_CHECKING:
    from rich.console import Console

    from schemacast.episode import Episode


def print_quarantine(out: Path, console: Console) -> None:
    """What was removed, one line each, with why."""
    rows = list(_rows(out / "quarantine.jsonl"))
    if rows:
        console.print("\n[bold]quarantined[/bold]")
    for row in rows:
        line = Text.assemble("  ", (row["source_id"], "bold"), " ", (row["finding"], "red"), "  ", row["message"])
        console.print(line, soft_wrap=True)


def print_facts(out: Path, episodes: Mapping[str, Episode], console: Console, *, count: int) -> None:
    """The first `count` edges of different relations, each with its quote marked in its text."""
    console.print("\n[bold]facts, and where each was read[/bold]")
    names = {}
    for record_graph in _rows(out / "records.jsonl"):
        for record in record_graph["records"]:
            names[record_graph["source_id"], record["ref"]] = _name(record)
    shown: set[str] = set()
    for row in _rows(out / "groundings.jsonl"):
        if row["kind"] != "edge" or row["edge"][2] in shown or len(shown) == count:
            continue
        shown.add(row["edge"][2])
        source = names[row["source_id"], row["source_ref"]]
        target = names[row["source_id"], row["target_ref"]]
        console.print(Text.assemble("  ", source, (f" {row['edge'][2]} ", "bold"), target))
        where = f"     {row['source_id']}, characters {row['char_start']} to {row['char_end']}: "
        text = episodes[row["source_id"]].text
        console.print(Text(where, style="dim").append_text(marked(text, row["char_start"], row["char_end"])))


def _name(record: Mapping[str, Any]) -> str:
    """A record's type and its first value, which in a schema file is most often what names it."""
    for stated in record["props"].values():
        one = stated[0] if isinstance(stated, list) else stated
        return f"{record['type']} {one['value']}"
    return str(record["type"])


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
