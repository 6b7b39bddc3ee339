"""A cast with a real, poor model: whatever it replies, what is written is located, valid, and the counts add up."""

from __future__ import annotations

from pathlib import Path

import pytest
from local_model import LocalModel

from schemacast import Caster, Episode, resolve
from schemacast.run import cast_to_files
from schemacast.schema.load import parse_schema

pytestmark = pytest.mark.model

SCHEMA = """
name: small
vertices:
  Customer: {key: account, properties: {account: string}}
  Ticket:
    key: number
    properties: {number: {type: string, pattern: 'HD-[0-9]+'}, severity: {type: integer, maximum: 5}}
edges:
  RAISED: {source: Customer, target: Ticket}
"""
EPISODES = [
    Episode(source_id="a", text="Customer ACC-1 raised ticket HD-2 with severity 3."),
    Episode(source_id="b", text="Thank you, all is well again."),
]


def test_whatever_a_poor_model_replies_only_what_can_be_located_is_written(
    local_model: LocalModel, tmp_path: Path
) -> None:
    schema = parse_schema(SCHEMA)
    options = {"temperature": 0, "max_tokens": 160, "seed": 1}
    caster = Caster(
        schema,
        model=local_model.name,
        base_url=local_model.base_url,
        model_options=options,
        cache=tmp_path / "cache",
        concurrency=1,
    )
    report = cast_to_files(caster, EPISODES, out=tmp_path / "out")
    tally = report.tally
    assert sum(tally.statuses.values()) == len(EPISODES)
    assert tally.requests >= len(EPISODES)
    assert tally.usage.input_tokens > 0

    # A second cast is served from the cache and gives the same; it is looked at item by item.
    again = caster.cast(EPISODES)
    assert sum(outcome.requests for outcome in again.outcomes) == 0
    texts = {episode.source_id: episode.text for episode in EPISODES}
    for outcome in again.outcomes:
        assert (outcome.status == "failed") == (outcome.graph is None)
        for row in outcome.groundings:
            assert texts[outcome.source_id][row["char_start"] : row["char_end"]] == row["quote"]
        if outcome.graph is not None:
            refs = {record.ref: record.type for record in outcome.graph.records}
            assert outcome.kept.vertices == len(outcome.graph.records)
            assert outcome.kept.edges == len(outcome.graph.relations)
            for record in outcome.graph.records:
                assert set(record.props) <= set(schema.vertices[record.type].properties)
            for relation in outcome.graph.relations:
                assert (refs[relation.source], refs[relation.target]) == relation.edge_id[:2]
    assert resolve(schema, again.graphs).entities.keys() == report.graph.entities.keys()
