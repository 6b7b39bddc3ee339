"""What holds for every reply and every text: nothing raises, counts add up, evidence is in the source."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.cast.outcome import ItemKind
from schemacast.cast.reply import Reply
from schemacast.cast.validate import Validated, validate
from schemacast.episode import Episode
from schemacast.ground import locate
from schemacast.records import RecordGraph
from schemacast.schema.load import load_schema

SCHEMA = load_schema(Path(__file__).parent / "schemas" / "helpdesk.yaml")
TEXT = (
    "Customer ACC-1 (dana@acme.io) raised ticket HD-2 on 2 March 2026; severity 3, wait about 2.5 hours. "
    "kari handles HD-2 since yesterday. 田中さんがHD-21を解決。 Ação não é «Zürich» Ⅻ ½ 1.250,00 € ​HD‑2\n\nAcme’s HD-2"
)
KNOWN = {
    "vertices": [
        {"ref": "me", "type": "Customer", "properties": {"account": "ACC-9"}},
        {"ref": "v1", "type": "Ticket", "properties": {"number": "HD-2", "severity": "high"}},
    ],
    "edges": [{"relation": "raised", "from": "me", "to": "v1"}],
}
FIELDS = ("ref", "quote", "mention", "stance")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def passages(draw: st.DrawFn, text: str = TEXT) -> str:
    start = draw(st.integers(0, len(text) - 1))
    return text[start : start + draw(st.integers(1, 40))]


quotes = passages() | st.sampled_from(["ticket HD-2", "HD-2", "ACC-1", "severity 3", "2.5 hours", "kari", "nowhere"])
names = st.sampled_from([*SCHEMA.vertices["Ticket"].properties, "account", "handle", "since", "Ticket number", "nope"])
words = quotes | st.integers(-5, 5000) | st.floats(allow_nan=False) | st.booleans()
props = st.fixed_dictionaries({"name": names, "value": words}, optional={"quote": quotes | st.none()})
texts = st.text(min_size=1).filter(str.strip)  # an episode's text is never blank
refs = st.sampled_from(["v1", "v2", "v3", "v4", "me"])
stances = st.sampled_from([None, "asserted", "negated", "planned", "hedged"])
vertices = st.fixed_dictionaries(
    {
        "ref": refs,
        "type": st.sampled_from(["Ticket", "Customer", "agent", "Company", "Shift", "Escalation", "Ghost"]),
        "quote": quotes,
        "props": st.lists(props, max_size=4),
    },
    optional={"mention": st.booleans(), "stance": stances},
)
edges = st.fixed_dictionaries(
    {
        "relation": st.sampled_from(["RAISED", "raised by", "HANDLES", "WORKS_AT", "FLEW"]),
        "from": refs,
        "to": refs,
        "quote": quotes,
        "props": st.lists(props, max_size=2),
    },
    optional={"stance": stances},
)
unmapped = st.fixed_dictionaries({"quote": quotes, "note": st.text(max_size=5)})


def read(reply: Reply, text: str = TEXT, known: dict[str, Any] | None = None) -> Validated:
    context = [{"source_id": "mail-1", "text": "About ticket HD-7, severity 5."}]
    episode = Episode.model_validate({"source_id": "e", "text": text, "context": context, "known": known or {}})
    return validate(reply, SCHEMA, episode, locale="en", timezone="Europe/Oslo")


def removed(result: Validated, kind: ItemKind) -> list[Any]:
    return [
        finding.item
        for finding in result.findings
        if finding.kind == kind and not finding.kept and not finding.message.startswith("known ")
    ]


def check_evidence(graph: RecordGraph, text: str, contexts: dict[str, str]) -> None:
    """Every evidence is the source's own text at its span, and `locate` finds it exactly there."""
    for item in (*graph.records, *graph.relations):
        found = [item.evidence]
        for stated in item.props.values():
            found += [one.evidence for one in (stated if isinstance(stated, tuple) else (stated,))]
        for evidence in found:
            if evidence == {"known": True}:
                continue
            span = evidence["span"]
            source = text if "context" not in span else contexts[span["context"]]
            assert 0 <= span["start"] < span["end"] <= len(source)
            assert source[span["start"] : span["end"]] == evidence["quote"]
            assert locate(evidence["quote"], source) is not None


@settings(max_examples=80, deadline=None)
@given(st.lists(json_values, max_size=3), st.lists(json_values, max_size=3), st.lists(json_values, max_size=2), texts)
def test_nothing_in_a_reply_or_a_text_raises(vertices: list[Any], edges: list[Any], rest: list[Any], text: str) -> None:
    result = read(Reply(vertices=vertices, edges=edges, unmapped=rest, malformed=rest), text)
    assert result.kept.vertices + len(removed(result, "vertex")) == len(vertices)
    assert result.kept.edges + len(removed(result, "edge")) == len(edges)
    assert len(result.unmapped) + len(removed(result, "unmapped")) == len(rest)
    assert len(removed(result, "reply")) == len(rest)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, json_values)), max_size=2),
    st.lists(json_values, max_size=3),
)
def test_a_bad_field_costs_its_item_at_most(parts: list[dict[str, Any]], values: list[Any]) -> None:
    good = {"ref": "good", "type": "Agent", "quote": "kari", "props": [{"name": "handle", "value": "kari"}]}
    bad = [{"type": "Agent", "props": values, **part} for part in parts]
    result = read(Reply(vertices=[*bad, good]))
    assert [record.props["handle"] for record in result.graph.records if record.ref == "good"]
    assert result.kept.vertices + len(removed(result, "vertex")) == len(bad) + 1


@settings(max_examples=100, deadline=None)
@given(
    st.lists(vertices, max_size=5),
    st.lists(edges, max_size=4),
    st.lists(unmapped, max_size=2),
    st.sampled_from([None, KNOWN]),
)
def test_counts_add_up_and_all_that_is_kept_is_in_the_source(
    vertices: list[Any], edges: list[Any], rest: list[Any], known: dict[str, Any] | None
) -> None:
    result = read(Reply(vertices=vertices, edges=edges, unmapped=rest), known=known)
    graph, kept = result.graph, result.kept
    fixes = Counter(fix.fix for fix in result.fixes)
    reused = sum(fix.fix == "known_stands" and fix.message.endswith("the source states it") for fix in result.fixes)
    assert kept.vertices + len(removed(result, "vertex")) + reused == len(vertices)
    assert kept.edges + len(removed(result, "edge")) == len(edges)
    assert len(result.unmapped) + len(removed(result, "unmapped")) == len(rest)
    gone = sum(len(item["props"]) for kind in ("vertex", "edge") for item in removed(result, kind))
    mended = fixes["properties_folded"] + fixes["known_stands"] - reused
    total = sum(len(item["props"]) for item in (*vertices, *edges))
    assert kept.properties + len(removed(result, "property")) + gone + mended == total
    assert kept.vertices == sum(not record.known for record in graph.records)
    assert kept.edges == sum("known" not in edge.evidence for edge in graph.relations)
    check_evidence(graph, TEXT, {"mail-1": "About ticket HD-7, severity 5."})
    refs = {record.ref for record in graph.records}
    assert all({edge.source, edge.target} <= refs for edge in graph.relations)
    assert all(edge.edge_id in SCHEMA.edges for edge in graph.relations)
    assert RecordGraph.from_json(json.loads(json.dumps(graph.to_json())), SCHEMA) == graph
    for finding in result.findings:
        json.dumps(finding.to_json("e"))


@settings(max_examples=60, deadline=None)
@given(st.lists(vertices, min_size=1, max_size=4, unique_by=lambda item: item["ref"]), st.lists(edges, max_size=3))
def test_the_same_reply_gives_the_same_result(vertices: list[Any], edges: list[Any]) -> None:
    reply = Reply(vertices=vertices, edges=edges)
    assert read(reply) == read(Reply(vertices=json.loads(json.dumps(vertices)), edges=json.loads(json.dumps(edges))))


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=60).filter(str.strip), st.data())
def test_a_name_cut_from_any_text_is_kept_as_its_token_has_it(text: str, data: st.DataObject) -> None:
    cut = data.draw(passages(text))
    vertex = {"ref": "a", "type": "Company", "quote": cut, "props": [{"name": "name", "value": cut}]}
    result = read(Reply(vertices=[vertex]), text)
    check_evidence(result.graph, text, {})
    if locate(cut, text) is not None:
        assert result.kept.vertices == 1
