"""The second node: which of the results a searcher brings are sources for the claim."""

from __future__ import annotations

from typing import Any

import pytest
from tracing_desk import CLAIM, CONTEXT, STORY, Shelf, source

from schemacast.attribution import ExtractedClaim, GraphState, SearchResult, SourceRetriever
from schemacast.attribution.pages import is_error_page
from schemacast.errors import SearchError, UsageError, WorkspaceLocked


def retrieved(shelf: Any, **options: Any) -> GraphState:
    claim = ExtractedClaim(claim=CLAIM, original_context=CONTEXT, extraction_confidence="high")
    return SourceRetriever(shelf, **options)({"input_text": CLAIM, "extracted_claim": claim})


def titles(state: GraphState) -> list[str]:
    return [result.title for result in state["search_results"]]


def test_results_are_kept_in_order_and_the_query_is_the_claim() -> None:
    shelf = Shelf([source("A", "Orvik."), source("B", "Brevik.")])
    state = retrieved(shelf)
    assert titles(state) == ["A", "B"]
    assert state["search_query"] == CLAIM
    assert shelf.queries == [CLAIM]
    assert "errors" not in state


def test_every_result_has_a_source_id_afterwards() -> None:
    own = source("B", "Brevik.").model_copy(update={"source_id": "b-1"})
    state = retrieved(Shelf([source("A", "Orvik."), own]))
    assert [result.source_id for result in state["search_results"]] == ["https://a.example/page", "b-1"]


def test_a_url_is_used_once() -> None:
    found = [
        source("A", "Orvik.", url="https://a.example/x?utm_source=mail"),
        source("B", "Orvik again.", url="http://www.a.example/x/#top"),
        source("C", "Orvik too.", url="https://a.example/y"),
    ]
    assert titles(retrieved(Shelf(found))) == ["A", "C"]


def test_the_source_of_the_input_is_no_source_for_it_nor_is_a_copy_of_it() -> None:
    found = [
        source("Own", STORY, url="https://own.example/x"),
        source("Copy", STORY + " More news.", url="https://copy.example/x"),
        source("Other", "Orvik AS has 6 ships."),
    ]
    assert titles(retrieved(Shelf(found), source_url="http://own.example/x/#a")) == ["Other"]
    assert titles(retrieved(Shelf(found))) == ["Own", "Copy", "Other"]


def test_a_source_url_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="is no URL"):
        SourceRetriever(Shelf(), source_url="nowhere")
    with pytest.raises(UsageError, match="1 or more"):
        SourceRetriever(Shelf(), limit=0)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("404 Not Found", "nginx"),
        ("Error 503", "Service Unavailable"),
        ("HTTP 403: Forbidden", ""),
        ("Example", "404 | Page not found. Orvik AS has 6 ships."),
        ("Example", "Sorry, the page you requested could not be found. Search for: Orvik AS has 6 ships."),
        ("Just a moment...", "Checking your browser before you go on."),
        ("Access to this page has been denied", "Please verify you are a human."),
        ("Example", "Please enable JavaScript and cookies to continue"),
        ("Seite nicht gefunden", "Leider."),
        ("Page introuvable", "Désolé."),
    ],
)
def test_an_error_page_is_no_source_and_said_so(title: str, text: str) -> None:
    page = source("X", text or " ").model_copy(update={"title": title})
    state = retrieved(Shelf([page, source("B", "Orvik AS has 6 ships.")]))
    assert titles(state) == ["B"]
    assert len(state["errors"]) == 1
    assert state["errors"][0].startswith("https://x.example/page: ")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Orvik", "Orvik AS has 6 ships."),
        ("404 ships seized", "The navy has seized 404 ships, Orvik said."),
        ("500 years of Hald", "The town is 500 years old."),
        ("Orvik", "The service between Hald and Orvik is available on Mondays."),
        ("How to fix a 404", "A guide. " + STORY * 10 + " Page not found is what visitors see."),
    ],
)
def test_a_page_that_only_has_such_a_number_is_none(title: str, text: str) -> None:
    assert not is_error_page(title, text)


def test_a_result_without_text_is_no_source() -> None:
    state = retrieved(Shelf([source("A", " \n"), source("B", "", raw=" "), source("C", "", raw="Orvik.")]))
    assert titles(state) == ["C"]
    assert [line.rpartition(": ")[2] for line in state["errors"]] == ["has no text", "has no text"]


@pytest.mark.parametrize(
    "failure",
    [SearchError("the index is away"), WorkspaceLocked("w.db: is locked"), RuntimeError("boom"), KeyError("results")],
)
def test_a_searcher_that_is_down_gives_no_results_and_an_error(failure: Exception) -> None:
    retriever = SourceRetriever(Shelf(failure=failure))
    claim = ExtractedClaim(claim=CLAIM, original_context=CONTEXT, extraction_confidence="high")
    state = retriever({"input_text": CLAIM, "extracted_claim": claim})
    assert state["search_results"] == []
    assert state["search_query"] == CLAIM
    assert state["errors"][0].startswith("the search failed: ")
    assert retriever.failure is not None


@pytest.mark.parametrize("given", [None, 7, ["page"], [{"url": "https://a.example"}]])
def test_what_is_no_result_is_an_error_of_the_search(given: Any) -> None:
    class Odd(Shelf):
        def search(self, query: str, *, limit: int) -> Any:  # noqa: ARG002
            return given

    assert "something else than search results" in retrieved(Odd())["errors"][0]


def test_more_results_than_asked_for_are_cut() -> None:
    class Generous(Shelf):
        def search(self, query: str, *, limit: int) -> list[SearchResult]:  # noqa: ARG002
            return [source(f"S{number}", f"Text {number} of many.") for number in range(limit * 3)]

    assert len(retrieved(Generous(), limit=4)["search_results"]) == 4


def test_a_long_claim_is_searched_by_its_beginning() -> None:
    shelf = Shelf()
    claim = ExtractedClaim(claim="Orvik " * 160, original_context="x", extraction_confidence="low")
    SourceRetriever(shelf)({"input_text": "x" * 10, "extracted_claim": claim})
    assert len(shelf.queries[0]) <= 400


def test_without_a_claim_nothing_is_searched() -> None:
    shelf = Shelf()
    assert SourceRetriever(shelf)({"input_text": CLAIM, "extracted_claim": None}) == {
        "search_results": [],
        "search_query": None,
    }
    assert shelf.queries == []


def test_two_sources_never_go_by_one_name() -> None:
    found = [
        source(name, f"{name} says so.").model_copy(
            update={"source_id": "same" if name != "D" else "https://b.example/page"}
        )
        for name in "ABCD"
    ]
    state = retrieved(Shelf(found))
    names = [str(result.source_id) for result in state["search_results"]]
    assert names == ["same", "https://b.example/page", "https://c.example/page", "https://d.example/page"]
    again = [one.model_copy(update={"source_id": "https://b.example/page"}) for one in (found[0], found[1])]
    names = [str(result.source_id) for result in retrieved(Shelf(again))["search_results"]]
    assert names == ["https://b.example/page", "https://b.example/page (2)"]
