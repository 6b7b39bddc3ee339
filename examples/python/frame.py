"""A frame of tickets in, frames of entities, edges and evidence out.

Run it from the project's folder: python examples/python/frame.py
"""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from schemacast import Caster, episodes_from, load_schema, resolve

TICKETS = Path(__file__).parents[1] / "tickets"


def main() -> None:
    lines = (TICKETS / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
    mails = pd.DataFrame([json.loads(line) for line in lines])[["source_id", "text", "reference_time"]]
    mails = mails[mails["source_id"].isin(["mail-101", "status-105", "desk-107"])]

    schema = load_schema(TICKETS / "schema.yaml")
    episodes = episodes_from(mails, source_id="source_id", text="text", reference_time="reference_time")
    caster = Caster(schema, model=f"replay:{TICKETS / 'replies.jsonl'}")
    result = caster.cast(episodes).raise_for_failures()
    graph = resolve(schema, result.graphs)

    tickets = pd.DataFrame(graph.rows("Ticket"))
    concerns = pd.DataFrame(graph.edge_rows("CONCERNS"))
    evidence = pd.DataFrame(result.rows("groundings"))
    removed = pd.DataFrame(result.rows("quarantine"))
    print(tickets[["number", "severity", "users"]].to_string(index=False))
    print(f"{len(concerns)} edges, {len(evidence)} groundings, {len(removed)} items removed")
    quote = evidence[(evidence["property"] == "users")].iloc[0]
    print(f"users was read at {quote['char_start']} to {quote['char_end']} of {quote['source_id']}: {quote['quote']!r}")


if __name__ == "__main__":
    main()
