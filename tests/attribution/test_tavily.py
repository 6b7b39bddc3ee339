"""Tavily through its own client, against a server on loopback that speaks its protocol."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from loopback_model import Loopback
from tracing_desk import CLAIM, TEXT, Oracle, asker, compared, relevant

from schemacast.attribution import open_searcher, run
from schemacast.errors import SearchError, UsageError

KEY = "tvly-secret-1"


@dataclass
class Tavily:
    """The server: what it answers, and the requests that came."""

    answer: Any = field(default_factory=lambda: {"query": "", "results": [], "response_time": 0.1})
    status: int = 200
    requests: list[tuple[str, str | None, Any]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def tavily(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tavily]:
    state = Tavily()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.requests.append((self.path, self.headers.get("authorization"), body))
            sent = state.answer if isinstance(state.answer, bytes) else json.dumps(state.answer).encode()
            self.send_response(state.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    for name in ("HTTP_PROXY", "http_proxy", "TAVILY_HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    yield state
    server.shutdown()
    server.server_close()


def page(name: str, **changed: Any) -> dict[str, Any]:
    fields = {
        "url": f"https://{name}.example/page",
        "title": name.title(),
        "content": f"… {name} …",
        "raw_content": f"Orvik AS has 6 ships. So writes {name}.",
        "score": 0.8,
    }
    return {**fields, **changed}


def test_a_query_is_sent_as_tavily_takes_it_and_pages_come_back(tavily: Tavily) -> None:
    tavily.answer = {"results": [page("alpha", published_date="Mon, 02 Mar 2026 08:00:00 GMT"), page("beta")]}
    searcher = open_searcher("tavily", options={"base_url": tavily.url, "topic": "news", "search_depth": "advanced"})
    found = searcher.search("q" * 500, limit=7)
    assert [(str(one.url), one.title, one.score) for one in found] == [
        ("https://alpha.example/page", "Alpha", 0.8),
        ("https://beta.example/page", "Beta", 0.8),
    ]
    assert found[0].text == "Orvik AS has 6 ships. So writes alpha."
    assert found[0].published_date is not None
    assert found[0].published_date.isoformat() == "2026-03-02T08:00:00+00:00"
    assert found[1].published_date is None
    ((path, authorization, body),) = tavily.requests
    assert (path, authorization) == ("/search", f"Bearer {KEY}")
    assert body == {
        "query": "q" * 400,
        "max_results": 7,
        "include_raw_content": "text",
        "topic": "news",
        "search_depth": "advanced",
    }


@pytest.mark.parametrize("date", [None, "", "yesterday", 20260302, "2026-99-99"])
def test_a_result_without_a_date_that_can_be_read_has_none(tavily: Tavily, date: Any) -> None:
    tavily.answer = {"results": [page("alpha", published_date=date)]}
    (one,) = open_searcher("tavily", options={"base_url": tavily.url}).search("q", limit=5)
    assert one.published_date is None


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        ({"raw_content": None}, "… alpha …"),
        ({"raw_content": "  "}, "… alpha …"),
        ({"content": ""}, "Orvik AS has 6 ships. So writes alpha."),
        ({"content": None, "raw_content": None}, None),
        ({"url": "nowhere"}, None),
        ({"url": None}, None),
        ({"score": "high"}, "Orvik AS has 6 ships. So writes alpha."),
        ({"score": 7}, "Orvik AS has 6 ships. So writes alpha."),
        ({"title": None}, "Orvik AS has 6 ships. So writes alpha."),
    ],
)
def test_an_odd_result_is_read_as_far_as_it_goes_or_left_out(
    tavily: Tavily, changed: dict[str, Any], kept: str | None
) -> None:
    tavily.answer = {"results": [page("alpha", **changed), "odd", 7, None]}
    found = open_searcher("tavily", options={"base_url": tavily.url}).search("q", limit=5)
    assert [one.text for one in found] == ([] if kept is None else [kept])


@pytest.mark.parametrize(
    ("status", "answer", "code", "said"),
    [
        (401, {"detail": {"error": f"bad key {KEY}"}}, 4, "refuses the key"),
        (403, {"detail": {"error": "not yours"}}, 4, "refuses the key"),
        (432, {"detail": {"error": "plan"}}, 4, "refuses the key"),
        (429, {"detail": {"error": "slow down"}}, 3, "limit is reached"),
        (500, {"detail": {"error": "oops"}}, 3, "cannot be reached"),
        (502, b"<html>bad gateway</html>", 3, "cannot be reached"),
        (200, b"<html>", 3, "cannot be reached"),
        (200, [], 3, "no list of results"),
        (200, {"results": None}, 3, "no list of results"),
    ],
)
def test_what_goes_wrong_is_told_by_who_can_act_and_never_with_the_key(
    tavily: Tavily, status: int, answer: Any, code: int, said: str
) -> None:
    tavily.status, tavily.answer = status, answer
    with pytest.raises(SearchError, match=said) as caught:
        open_searcher("tavily", options={"base_url": tavily.url}).search("q", limit=5)
    assert (caught.value.exit_code, caught.value.retryable) == (code, code == 3)
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_server_that_is_not_there_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    with pytest.raises(SearchError, match="cannot be reached"):
        open_searcher("tavily", options={"base_url": "http://127.0.0.1:9", "timeout": 2}).search("q", limit=5)


def test_a_request_that_tavily_does_not_take_is_a_mistake_in_its_options(tavily: Tavily) -> None:
    tavily.status, tavily.answer = 400, {"detail": {"error": "no such topic"}}
    with pytest.raises(UsageError, match="no such topic"):
        open_searcher("tavily", options={"base_url": tavily.url, "topic": "odd"}).search("q", limit=5)


@pytest.mark.parametrize(
    "options", [{"query": "x"}, {"max_results": 3}, {"timeout": 0}, {"timeout": "long"}, {"base_url": "here"}]
)
def test_an_option_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    with pytest.raises(UsageError, match=next(iter(options))):
        open_searcher("tavily", options=options)


@pytest.mark.parametrize("key", [None, "", "  "])
def test_without_a_key_a_person_must_act(monkeypatch: pytest.MonkeyPatch, key: str | None) -> None:
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("TAVILY_API_KEY", key)
    with pytest.raises(SearchError, match="set TAVILY_API_KEY") as caught:
        open_searcher("tavily")
    assert caught.value.exit_code == 4


def test_a_claim_is_traced_through_it_with_the_same_story_told_once(tavily: Tavily, loopback: Loopback) -> None:
    told = "Orvik AS has 6 ships and wants more, its chief said on Monday at the harbour of Hald, where timber lies. "
    story = told * 2
    tavily.answer = {
        "results": [
            page("alpha", raw_content=story),
            page("gone", title="404 Not Found", raw_content="Not found", content="Orvik AS has 6 ships."),
            page("beta", raw_content=story, url="https://beta.example/page?utm_source=x"),
        ]
    }
    said = Oracle(
        otherwise=relevant("Orvik AS has 6 ships and wants more"), quotes={"wants more": compared("paraphrase")}
    )
    searcher = open_searcher("tavily", options={"base_url": tavily.url})
    result = run(TEXT, searcher=searcher, model=asker(loopback, said))
    (one,) = result.evidence_list
    assert (result.claim, result.attribution, one.evidence.source_title) == (CLAIM, "paraphrase", "Alpha")
    assert "https://beta.example/page" in one.evidence.relevance_explanation
    assert said.count("relevance") == 1
    assert "gone.example" in result.summary
