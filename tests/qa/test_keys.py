"""The dimensions of the cache key: what collapses, what keeps apart, and that each dimension counts."""

from __future__ import annotations

import hashlib
import inspect

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.qa import keys

DIMENSIONS = ("root", "question", "model", "conversation", "policy", "schema", "canonical", "chunking")


@pytest.mark.parametrize(
    "question", ["who is X", "who is X?", "Who Is X.", "who is the X", "who is a X", "who is an X？", " who  is\tx … "]
)
def test_variants_of_a_question_are_one_in_the_default_mode(question: str) -> None:
    assert keys.canonical_question(question) == "who is x"
    assert keys.question_hash(question) == keys.question_hash("who is X")


def test_strict_mode_tells_all_variants_apart() -> None:
    variants = ["who is X", "who is X?", "Who Is X.", "who is the X", "who is a X", "who is an X？"]
    assert len({keys.question_hash(variant, mode="strict") for variant in variants}) == len(variants)
    assert keys.canonical_question("  Who\u00a0is \n X?", mode="strict") == "Who is X?"


@pytest.mark.parametrize("mode", keys.DEDUP_MODES)
def test_canonically_equivalent_questions_are_one_in_both_modes(mode: str) -> None:
    assert keys.question_hash("Wer ist Müller", mode=mode) == keys.question_hash("Wer ist Mu\u0308ller", mode=mode)


def test_what_brackets_or_owns_is_no_trailing_punctuation() -> None:
    assert keys.canonical_question("what is X's") != keys.canonical_question("what is X")
    assert keys.canonical_question('who said "stop"') == 'who said "stop"'
    assert keys.canonical_question("who (is) it)") == "who (is) it)"


def test_an_article_inside_a_word_stays() -> None:
    assert keys.canonical_question("Theatre and anatomy") == "theatre and anatomy"


def test_an_unknown_mode_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="'loose' is no dedup mode; known: equivalence_class, strict"):
        keys.canonical_question("x", mode="loose")


@settings(max_examples=100)
@given(st.text(max_size=60), st.sampled_from(keys.DEDUP_MODES))
def test_a_canonical_question_is_canonical(question: str, mode: str) -> None:
    once = keys.canonical_question(question, mode=mode)
    assert keys.canonical_question(once, mode=mode) == once
    assert len(keys.question_hash(question, mode=mode)) == 64


def test_the_question_hash_is_the_sha256_of_the_canonical_form() -> None:
    assert keys.question_hash("Who is THE Batman?") == hashlib.sha256(b"who is batman").hexdigest()
    assert keys.question_hash("") == hashlib.sha256(b"").hexdigest()
    assert len(keys.question_hash("\udcff")) == 64


def test_every_field_of_a_model_counts_and_none_runs_into_the_next() -> None:
    hashes = {
        keys.model_profile_hash("m"),
        keys.model_profile_hash("m", "r"),
        keys.model_profile_hash("m", "", "r"),
        keys.model_profile_hash("m|r"),
    }
    assert len(hashes) == 4


def test_a_conversation_is_told_by_its_order_and_its_turns() -> None:
    first, second = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
    hashes = {keys.conversation_hash(each) for each in ([first], [first, second], [second, first])}
    assert len(hashes) == 3
    assert keys.conversation_hash([{"content": "a", "role": "user"}]) == keys.conversation_hash([first])


def test_a_verifier_rule_changes_both_policy_hashes_and_the_temperature_only_one() -> None:
    policy = {"temperature": 0.1, "min_citation_coverage": 0.3}
    warmer, looser = {**policy, "temperature": 0.2}, {**policy, "min_citation_coverage": 0.2}
    assert keys.governance_policy_hash(policy) != keys.governance_policy_hash(warmer)
    assert keys.governance_policy_hash(policy) != keys.governance_policy_hash(looser)
    assert keys.verifier_policy_hash(policy) == keys.verifier_policy_hash(warmer)
    assert keys.verifier_policy_hash(policy) != keys.verifier_policy_hash(looser)


def test_the_verifier_hash_of_no_policy_is_that_of_an_empty_object() -> None:
    assert keys.verifier_policy_hash({}) == hashlib.sha256(b"{}").hexdigest()
    assert keys.verifier_policy_hash({"top_p": 1}) == keys.verifier_policy_hash({})


def test_every_parameter_of_the_verifiers_is_part_of_the_verifier_policy() -> None:
    from schemacast.qa.verify import verify_claim_lattice, verify_claim_lattice_json, verify_quotes

    for function in (verify_quotes, verify_claim_lattice, verify_claim_lattice_json):
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY and name != "question":
                assert keys.verifier_policy_hash({name: 1}) != keys.verifier_policy_hash({}), name


def test_the_cache_key_is_the_hash_of_eight_dimensions_joined() -> None:
    assert keys.cache_key(*DIMENSIONS) == hashlib.sha256("|".join(DIMENSIONS).encode()).hexdigest()
    assert keys.cache_key(*DIMENSIONS, None) == keys.cache_key(*DIMENSIONS)
    assert keys.cache_key(*DIMENSIONS, "v") == hashlib.sha256("|".join([*DIMENSIONS, "v"]).encode()).hexdigest()


@pytest.mark.parametrize("position", range(9))
def test_another_value_in_any_dimension_is_another_key(position: int) -> None:
    nine = [*DIMENSIONS, "verifier"]
    changed = [*nine]
    changed[position] += "2"
    assert keys.cache_key(*nine) != keys.cache_key(*changed)
