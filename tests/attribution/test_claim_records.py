"""An attribution as a record graph: grounded like any other, resolved, and written to real stores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from neo4j_server import Database, database, neo4j_server  # noqa: F401 - fixtures
from probe_labels import under_labels_of_tests

from schemacast.adapters import open_adapter
from schemacast.attribution import (
    AttributionAssembler,
    Evidence,
    EvidenceAssessment,
    SourceAttribution,
    claim_episode,
    claim_graph,
    keep_attributions,
)
from schemacast.attribution.addresses import episode_url
from schemacast.attribution.claim_records import claims_schema
from schemacast.errors import UsageError
from schemacast.ground import groundings, locate
from schemacast.jobs.retraction import retract
from schemacast.records import RecordGraph
from schemacast.resolution.resolve import resolve
from schemacast.workspace.reader import Workspace

CLAIM = "Orvik AS has 6 ships."
TEXTS = {
    "m-1": f"News. {CLAIM} More.",
    "https://register.example/orvik": "The register of Hald counts six ships of Orvik AS.",
    "m-3": "Ada Lind denied that Orvik AS has 6 ships.",
}
EXTRACTOR = "schemacast/test"


def assessed(source_id: str, quote: str, attribution: str, kind: str = "primary") -> EvidenceAssessment:
    span = locate(quote, TEXTS[source_id])
    url = source_id if source_id.startswith("https") else episode_url(source_id)
    evidence = Evidence(
        source_url=url,  # type: ignore[arg-type]
        source_title=f"Title of {source_id}",
        source_type=kind,  # type: ignore[arg-type]
        verbatim_quote=quote,
        relevance_score=0.9,
        relevance_explanation="",
        source_id=source_id,
        span=span,
    )
    return EvidenceAssessment(evidence=evidence, attribution=attribution, reasoning="Because.")  # type: ignore[arg-type]


def attribution(claim: str = CLAIM) -> SourceAttribution:
    return SourceAttribution(
        claim=claim,
        attribution="direct",  # type: ignore[arg-type]
        summary="s",
        evidence_list=[
            assessed("m-1", CLAIM, "direct"),
            assessed("https://register.example/orvik", TEXTS["https://register.example/orvik"], "paraphrase"),
            assessed("m-3", TEXTS["m-3"], "contradiction", "original_reporting"),
        ],
    )


def test_the_claim_is_a_vertex_with_an_edge_from_each_source() -> None:
    graph = claim_graph(attribution())
    assert [(record.ref, record.type, record.known) for record in graph.records] == [
        ("claim", "Claim", False),
        ("source1", "Source", True),
        ("source2", "Source", True),
        ("source3", "Source", True),
    ]
    assert [(each.source, each.edge_id.relation, each.target) for each in graph.relations] == [
        ("source1", "STATES", "claim"),
        ("source2", "PARAPHRASES", "claim"),
        ("source3", "CONTRADICTS", "claim"),
    ]
    assert "url" not in graph.records[1].props  # an episode's stand-in for a URL is no address
    assert graph.records[2].props["url"].value == "https://register.example/orvik"  # type: ignore[union-attr]
    assert RecordGraph.from_json(graph.to_json(), claims_schema()) == graph


def test_every_quote_of_its_groundings_stands_where_it_says() -> None:
    made = attribution()
    episode = claim_episode(made, TEXTS)
    found = groundings(claim_graph(made), episode, extractor=EXTRACTOR)
    for one in found:
        text = CLAIM if one.in_context is None else TEXTS[one.in_context]
        assert text[one.char_start : one.char_end] == one.quote
    told = [(one.kind, one.edge.relation if one.edge else one.vertex, one.property, one.in_context) for one in found]
    assert told == [
        ("vertex", "Claim", None, None),
        ("property", "Claim", "text", None),
        *(
            (kind, relation, prop, source)
            for relation, source in zip(("STATES", "PARAPHRASES", "CONTRADICTS"), TEXTS, strict=True)
            for kind, prop in (("edge", None), ("property", "quote"), ("property", "reasoning"))
        ),
    ]


def test_evidence_that_was_not_located_cannot_be_written() -> None:
    made = attribution()
    lost = made.evidence_list[0].evidence.model_copy(update={"span": None})
    first = made.evidence_list[0].model_copy(update={"evidence": lost})
    without = made.model_copy(update={"evidence_list": [first]})
    with pytest.raises(UsageError, match="has no span"):
        claim_graph(without)
    with pytest.raises(UsageError, match="does not have the quote"):
        claim_episode(made, {**TEXTS, "m-1": f"{CLAIM} News."})
    with pytest.raises(UsageError, match="the text of the source 'm-3' is missing"):
        claim_episode(made, {name: text for name, text in TEXTS.items() if name != "m-3"})


def test_a_claim_that_nobody_states_is_a_vertex_alone_and_a_text_without_one_is_nothing() -> None:
    nobody = SourceAttribution(claim=CLAIM, attribution="not_found", summary="")  # type: ignore[arg-type]
    assert [record.type for record in claim_graph(nobody).records] == ["Claim"]
    assembled = AttributionAssembler()(
        {"input_text": "The bridge of Hald is a fine thing.", "extraction_failed": True, "extraction_error": "opinion"}
    )["result"]
    assert assembled is not None
    huge = SourceAttribution(claim="x" * 4_000, attribution="not_found", summary="")  # type: ignore[arg-type]
    for no_claim in (assembled, huge):
        assert claim_graph(no_claim).records == ()


def test_two_attributions_of_one_claim_and_one_of_another_resolve_to_shared_vertices() -> None:
    other = attribution("Orvik AS has a fleet of 6.")
    graphs = [claim_graph(attribution()), claim_graph(attribution(), source_id="again"), claim_graph(other)]
    graph = resolve(claims_schema(), graphs)
    kinds = sorted(entity.type for entity in graph.entities.values())
    assert kinds == ["Claim", "Claim", "Source", "Source", "Source"]
    assert len(graph.edges) == 6
    assert graph.staged == ()


def write_and_read(address: str, graph: RecordGraph, schema: Any) -> None:
    resolved = resolve(schema, [graph])
    for created in (len(resolved.entities), 0):
        with open_adapter(address, schema) as adapter:
            adapter.prepare()
            report = adapter.write(resolved)
            assert report.refused == ()
            assert report.vertices.created == created
            read = adapter.read()
    assert {one.id: (one.type, dict(one.props)) for one in read.entities.values()} == {
        one.id: (one.type, dict(one.props)) for one in resolved.entities.values()
    }
    assert {one.id: (one.edge_id, dict(one.props)) for one in read.edges.values()} == {
        one.id: (one.edge_id, dict(one.props)) for one in resolved.edges.values()
    }


def test_it_is_written_to_networkx_and_read_back(tmp_path: Path) -> None:
    write_and_read(f"networkx:{tmp_path / 'graph.json'}", claim_graph(attribution()), claims_schema())


def test_it_is_kept_in_a_workspace_shown_synced_replaced_and_retracted(tmp_path: Path) -> None:
    workspace, store = tmp_path / "claims.db", f"networkx:{tmp_path / 'graph.json'}"
    schema = claims_schema()
    (name,) = keep_attributions([(attribution(), TEXTS)], workspace=workspace, to=store, model="test")
    with Workspace(workspace) as reader:
        rows = list(reader.groundings(entity=("Claim", CLAIM)))
        assert {(row["edge"][2], row["in_context"]) for row in rows if row["kind"] == "edge"} == {
            ("STATES", "m-1"),
            ("PARAPHRASES", "https://register.example/orvik"),
            ("CONTRADICTS", "m-3"),
        }
        assert all(row["model"] == "test" for row in rows)
        assert reader.status().states == {"ok": 1}
    fewer = SourceAttribution(
        claim=CLAIM,
        attribution="direct",  # type: ignore[arg-type]
        summary="",
        evidence_list=attribution().evidence_list[:1],
    )
    assert keep_attributions([(fewer, TEXTS)], workspace=workspace, to=store) == [name]
    with open_adapter(store, schema) as adapter:
        assert len(adapter.read().edges) == 1
    retract(workspace, [name], to=store)
    with open_adapter(store, schema) as adapter:
        assert not adapter.read().entities


@pytest.mark.neo4j
def test_it_is_written_to_neo4j_and_read_back(database: Database) -> None:  # noqa: F811
    graph = resolve(claims_schema(), [claim_graph(attribution())])
    schema, graph = under_labels_of_tests(claims_schema(), graph)
    for created in (len(graph.entities), 0):
        with open_adapter(database.address, schema) as adapter:
            adapter.prepare()
            report = adapter.write(graph)
            assert report.refused == ()
            assert report.vertices.created == created
            read = adapter.read()
    assert {one.id: dict(one.props) for one in read.entities.values()} == {
        one.id: dict(one.props) for one in graph.entities.values()
    }
    rows = database.run(
        "MATCH (s:ProbeSource)-[r]->(c:ProbeClaim) RETURN type(r) AS relation, r.quote AS quote ORDER BY relation"
    )
    assert [row["relation"] for row in rows] == ["CONTRADICTS", "PARAPHRASES", "STATES"]
    assert rows[2]["quote"] == CLAIM
