"""How many tokens an episode costs: the messages, the reply, and the reply type besides.

Twelve short support tickets, a schema with seven vertex types, and a reply written by hand for each
in the full form that the reply type demands. A token is counted as four characters. Run it as
`python benchmarks/prompt_size/measure.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean

from schemacast.cast.prompt import Prompter
from schemacast.cast.reply_type import reply_type
from schemacast.cast.select import Slice
from schemacast.episode import Episode
from schemacast.schema.load import load_schema

HERE = Path(__file__).parent
CHARACTERS_PER_TOKEN = 4


def measure() -> dict[str, float]:
    """Mean tokens an episode: `system`, `user`, `reply`, their sum `together`, and the `reply_type`."""
    schema = load_schema(HERE / "schema.yaml")
    prompter = Prompter(schema)
    replies = {line["source_id"]: line["reply"] for line in _lines("scripted.jsonl")}
    counts: dict[str, list[int]] = {"system": [], "user": [], "reply": []}
    for line in _lines("episodes.jsonl"):
        episode = Episode.model_validate(line)
        messages = prompter.messages(Slice(schema), episode)
        counts["system"].append(len(messages[0]["content"]))
        counts["user"].append(len(messages[1]["content"]))
        counts["reply"].append(len(replies[episode.source_id]))
    tokens = {name: mean(values) / CHARACTERS_PER_TOKEN for name, values in counts.items()}
    tokens["together"] = sum(tokens.values())
    tokens["reply_type"] = len(reply_type(schema).text) / CHARACTERS_PER_TOKEN
    return tokens


def _lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]


if __name__ == "__main__":
    for name, tokens in measure().items():
        print(f"{name:<12}{tokens:8.1f}")
