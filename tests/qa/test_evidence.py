"""The evidence map: two names for a passage, a root without order, blocks for prompts, excerpts for people."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.qa import evidence as module
from schemacast.qa.merkle import merkle_root


def chunk(span: str, number: int = 0, **more: object) -> Mapping[str, object]:
    base = {"source_root": "r", "document_uri": "docs/fleet.txt", "chunk_idx": number, "chunk_root": f"c{number}"}
    return {**base, "span": span, **more}


def test_pointer_ids_count_from_one_and_evidence_ids_hash_the_chunk_and_its_offsets() -> None:
    first, second = module.build_evidence_map([chunk("Orvik has 6 ships."), chunk("Zwölf Ä", 1, title="T")])
    assert (first.pointer_id, second.pointer_id) == ("E1", "E2")
    assert first.evidence_id == "E" + hashlib.sha256(b"c0:0:18").hexdigest()[:8]
    assert (second.offset_start, second.offset_end) == (0, 7)
    assert second.text_hash == hashlib.sha256("Zwölf Ä".encode()).hexdigest()
    assert (first.source_role, first.title, second.title) == ("unclassified", None, "T")


def test_the_same_chunk_has_the_same_evidence_id_at_any_place() -> None:
    one = module.build_evidence_map([chunk("a", 0), chunk("b", 1)])
    other = module.build_evidence_map([chunk("b", 1), chunk("a", 0)])
    assert {each.evidence_id for each in one} == {each.evidence_id for each in other}
    assert one[0].pointer_id == other[0].pointer_id
    assert module.evidence_map_root(one) == module.evidence_map_root(other)
    assert module.evidence_map_root(one) != module.evidence_map_root(one[:1])


def test_a_chunk_without_what_it_needs_is_refused_by_number_and_name() -> None:
    with pytest.raises(ValueError, match="chunk 2 has no chunk_root, span"):
        module.build_evidence_map([chunk("a"), {"source_root": "r", "document_uri": "u", "chunk_idx": 1}])


def test_an_object_becomes_a_plain_dict() -> None:
    [only] = module.build_evidence_map([chunk("a", source_role="background_source")])
    assert only.to_dict()["source_role"] == "background_source"
    assert list(only.to_dict()) == [
        *("pointer_id", "evidence_id", "source_root", "document_uri", "title", "chunk_idx", "chunk_root"),
        *("offset_start", "offset_end", "source_role", "text_hash", "span"),
    ]


def test_a_block_has_a_header_and_the_literal_text() -> None:
    titled, untitled = module.build_evidence_map(
        [chunk("One\n two", title="Jurassic_Park", source_role="primary_answer_source"), chunk("x", 1)]
    )
    assert module.render_evidence_block(titled) == "=== E1 (Jurassic_Park | primary_answer_source) ===\nOne\n two\n"
    assert module.render_evidence_block(untitled).startswith("=== E2 (fleet.txt | unclassified) ===")
    assert module.render_evidence_block_for_json(titled) == module.render_evidence_block(titled)
    whole = module.render_evidence_map([titled, untitled])
    assert whole == module.render_evidence_block(titled) + "\n" + module.render_evidence_block(untitled)
    assert module.render_evidence_map_for_json([titled, untitled]) == whole


def test_the_map_is_indexed_by_both_names() -> None:
    found = module.build_evidence_map([chunk("a", 0), chunk("b", 1)])
    assert module.evidence_map_by_pointer_id(found) == {"E1": found[0], "E2": found[1]}
    assert module.evidence_map_by_evidence_id(found)[found[1].evidence_id] is found[1]


def test_a_claim_is_rendered_with_the_part_of_the_passage_that_it_is_about() -> None:
    span = "Intro. " * 60 + "Brachiosaurus appears in the film. " + "Outro. " * 60
    by_id = module.evidence_map_by_pointer_id(module.build_evidence_map([chunk(span)]))
    claims = [{"text": "A brachiosaurus appears in the film.", "pointer_ids": ["E1", "E9"]}]
    shown = module.render_claim_lattice(claims, by_id, window=80)
    lines = shown.split("\n")
    assert lines[0] == "- A brachiosaurus appears in the film."
    assert lines[1].startswith("  [E1: …")
    assert "Brachiosaurus appears" in lines[1]
    assert len(lines[1]) <= len("  [E1: ……]") + 80
    assert lines[2] == "  [E9: ?]"
    assert module.render_claim_lattice(claims, by_id, window=80) == shown


def test_a_claim_without_a_word_of_the_passage_shows_its_beginning() -> None:
    by_id = module.evidence_map_by_pointer_id(module.build_evidence_map([chunk("Alpha " * 100)]))
    assert "[E1: Alpha Alpha" in module.render_claim_lattice(
        [{"text": "Zeta", "pointer_ids": ["E1"]}], by_id, window=20
    )


def test_the_merkle_root_is_that_of_its_rules() -> None:
    def leaf(text: str) -> bytes:
        return hashlib.sha256(b"\x00" + text.encode()).digest()

    def node(left: bytes, right: bytes) -> bytes:
        return hashlib.sha256(b"\x03" + left + right).digest()

    assert merkle_root([]) == leaf("").hex()
    assert merkle_root(["a"]) == leaf("a").hex()
    assert merkle_root(["a", "b"]) == node(leaf("a"), leaf("b")).hex()
    assert merkle_root(["a", "b", "c"]) == node(node(leaf("a"), leaf("b")), node(leaf("c"), leaf("c"))).hex()


@settings(max_examples=60)
@given(st.lists(st.text(max_size=5), min_size=2, max_size=9, unique=True))
def test_a_root_depends_on_every_leaf_and_on_their_order(leaves: list[str]) -> None:
    assert merkle_root(leaves) != merkle_root(leaves[::-1])
    assert merkle_root(leaves) != merkle_root([*leaves[:-1], leaves[-1] + "x"])
    assert merkle_root(leaves) == merkle_root(list(leaves))
