"""Many texts at once: in order, whole, and going on after whatever ended the run."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking_desk import fill
from cli_desk import lines
from loopback_model import Answer, Loopback, Seen, error
from tracing_desk import Oracle, Shelf, asker, claims, compared, relevant, source

from schemacast.attribution.claims_file import ClaimLine, read_claims
from schemacast.attribution.journal import Journal
from schemacast.attribution.many import ManyReport, trace_many
from schemacast.errors import InputError, ModelAccessError, ModelUnavailable, SearchError, WorkspaceLocked
from schemacast.llm.open import open_model
from schemacast.llm.throttle import Patience

COUNT = 12
FILES = {"attributions.jsonl", "sources.jsonl", "manifest.json"}


def text(number: int) -> str:
    return f"It is said that ship {number} carries {number} tons."


def number_in(asked: str) -> int:
    """Which ship a request is about: the text or the claim stands first in it."""
    found = re.search(r"ship (\d+) ", asked, re.IGNORECASE)
    assert found is not None
    return int(found[1])


def number_of(seen: Seen) -> int:
    return number_in(seen.body["messages"][1]["content"])


class Ships(Oracle):
    """Answers about any of the numbered texts; ship 3 is stated nowhere."""

    def __call__(self, seen: Seen) -> Answer:
        user = seen.body["messages"][1]["content"]
        number = number_in(user)
        said = f"ship {number} carries {number} tons"
        self.claim = claims((f"{said.capitalize()}.", said))
        self.otherwise = (
            relevant(f"Ship {number} carries {number} tons, the list says.") if number != 3 else relevant(None, 0)
        )
        self.quotes = {"the list says": compared("direct")}
        return super().__call__(seen)


class Fleet(Shelf):
    """Finds the list, which names every ship."""

    def search(self, query: str, *, limit: int) -> Any:
        super().search(query, limit=limit)
        whole = " ".join(f"Ship {n} carries {n} tons, the list says." for n in range(COUNT) if n != 3)
        return [source("The list", whole)]


def texts(count: int = COUNT) -> list[ClaimLine]:
    return [ClaimLine(n + 1, text(n), id=f"t{n}") for n in range(count)]


def trace(
    server: Loopback, out: Path, given: list[ClaimLine], *, shelf: Any = None, oracle: Any = None, **options: Any
) -> ManyReport:
    return trace_many(
        given,
        out=out,
        searcher=shelf or Fleet(),
        make_asker=lambda replies: asker(server, oracle or Ships(), cache=replies, **options),
        at_once=4,
    )


def test_the_lines_stand_in_the_order_of_the_texts_and_the_sources_once(loopback: Loopback, tmp_path: Path) -> None:
    def respond(seen: Seen) -> Answer:
        answer = Ships()(seen)
        return Answer(answer.reply, delay=0.05 if number_of(seen) == 0 else 0)

    report = trace(loopback, tmp_path, texts(), oracle=respond)
    rows = lines(tmp_path / "attributions.jsonl")
    assert [row["id"] for row in rows] == [f"t{n}" for n in range(COUNT)]
    assert [row["attribution"]["attribution"] for row in rows] == [
        "not_found" if n == 3 else "direct" for n in range(COUNT)
    ]
    (listed,) = lines(tmp_path / "sources.jsonl")
    for row in rows:
        for one in row["attribution"]["evidence_list"]:
            span = one["evidence"]["span"]
            assert listed["text"][span["start"] : span["end"]] == one["evidence"]["verbatim_quote"]
            assert listed["source_id"] == one["evidence"]["source_id"]
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["texts"] == {"read": COUNT, "known": 0, "ok": COUNT}
    assert manifest["attributions"] == {"direct": COUNT - 1, "not_found": 1}
    assert manifest["usage"]["requests"] == report.requests == 3 * COUNT - 1


def test_a_source_that_says_another_text_later_is_listed_with_each(loopback: Loopback, tmp_path: Path) -> None:
    class Changing(Shelf):
        """One page, which begins otherwise each time."""

        def search(self, query: str, *, limit: int) -> Any:
            super().search(query, limit=limit)
            number = number_in(query)
            return [source("The list", f"{'News! ' * number}Ship {number} carries {number} tons, the list says.")]

    trace(loopback, tmp_path, texts(3), shelf=Changing())
    listed = {(one["source_id"], one["sha256"]): one["text"] for one in lines(tmp_path / "sources.jsonl")}
    assert len(listed) == 3
    for row in lines(tmp_path / "attributions.jsonl"):
        digests = {one["source_id"]: one["sha256"] for one in row["sources"]}
        (assessed,) = row["attribution"]["evidence_list"]
        span, name = assessed["evidence"]["span"], assessed["evidence"]["source_id"]
        text_then = listed[name, digests[name]]
        assert text_then[span["start"] : span["end"]] == assessed["evidence"]["verbatim_quote"]


def test_running_it_again_asks_nothing_and_writes_the_same(loopback: Loopback, tmp_path: Path) -> None:
    trace(loopback, tmp_path, texts())
    before = {name: (tmp_path / name).read_bytes() for name in FILES - {"manifest.json"}}
    asked = len(loopback.requests)
    report = trace(loopback, tmp_path, texts())
    assert (report.known, len(loopback.requests)) == (COUNT, asked)
    assert {name: (tmp_path / name).read_bytes() for name in before} == before
    more = [*texts()[:5], ClaimLine(9, text(5), id="new"), ClaimLine(10, text(0), id="again")]
    report = trace(loopback, tmp_path, more)
    assert (report.known, len(loopback.requests)) == (7, asked)
    assert [row["id"] for row in lines(tmp_path / "attributions.jsonl")] == [
        "t0",
        "t1",
        "t2",
        "t3",
        "t4",
        "new",
        "again",
    ]


def test_the_same_text_twice_is_traced_once_and_stands_twice(loopback: Loopback, tmp_path: Path) -> None:
    twice = [ClaimLine(1, text(1), id="a"), ClaimLine(2, text(1), id="b", source_url=None)]
    ended: list[Any] = []
    trace_many(
        twice,
        out=tmp_path,
        searcher=Fleet(),
        make_asker=lambda replies: asker(loopback, Ships(), cache=replies),
        ended=lambda row: ended.append(row["id"]),
    )
    assert len(loopback.requests) == 3
    assert [row["id"] for row in lines(tmp_path / "attributions.jsonl")] == ["a", "b"]
    assert ended == ["a", "b"]


@pytest.mark.parametrize("change", ["model", "searcher", "prompt"])
def test_what_decides_an_attribution_has_it_traced_again(loopback: Loopback, tmp_path: Path, change: str) -> None:
    out, given = tmp_path / "out", texts(2)
    trace(loopback, out, given)
    options: dict[str, Any] = {}
    if change == "model":
        options["model_options"] = {"temperature": 0}
    if change == "searcher":
        options["shelf"] = Fleet(state="changed")
    if change == "prompt":
        folder = tmp_path / "own"
        folder.mkdir()
        (folder / "claim_user.j2").write_text("Now: {{ text }}", encoding="utf-8")
        options["template"] = folder
    assert trace(loopback, out, given, **options).known == 0


def test_a_text_that_fails_fails_alone_and_is_tried_again(loopback: Loopback, tmp_path: Path) -> None:
    class Odd(Ships):
        def __call__(self, seen: Seen) -> Answer:
            answer = super().__call__(seen)
            return error(400, "odd") if number_of(seen) == 2 else answer

    given = [*texts(4), ClaimLine(5, "tiny"), ClaimLine(6, "x" * 5_001)]
    report = trace(loopback, tmp_path, given, oracle=Odd())
    rows = lines(tmp_path / "attributions.jsonl")
    assert [(row["status"], row["reason"]) for row in rows] == [
        ("ok", None),
        ("ok", None),
        ("failed", "request_failed"),
        ("ok", None),
        ("failed", "bad_input"),
        ("failed", "bad_input"),
    ]
    assert rows[2]["attribution"] is None
    assert "5,001 characters" in rows[5]["message"]
    assert report.failures[0][0] == "t2"
    assert report.failures[1] == ("line 5", "bad_input: the text has 4 characters; 10 to 5,000 can be traced")
    report = trace(loopback, tmp_path, given)
    assert (report.known, report.failed) == (3, 2)
    assert [row["status"] for row in lines(tmp_path / "attributions.jsonl")][:4] == ["ok"] * 4


def test_a_wrong_key_ends_the_run_and_writes_nothing(loopback: Loopback, tmp_path: Path) -> None:
    with pytest.raises(ModelAccessError):
        trace(loopback, tmp_path, texts(), oracle=lambda _: error(401, "bad key"))
    assert len(loopback.requests) == 1
    assert FILES.isdisjoint(path.name for path in tmp_path.iterdir())


def test_an_error_in_the_middle_leaves_the_files_of_before_and_the_next_run_goes_on(
    loopback: Loopback, tmp_path: Path
) -> None:
    trace(loopback, tmp_path, texts(3))
    before = {name: (tmp_path / name).read_bytes() for name in FILES}
    asked = len(loopback.requests)

    def respond(seen: Seen) -> Answer:
        return error(401, "the key expired") if number_of(seen) == 9 else Ships()(seen)

    with pytest.raises(ModelAccessError):
        trace(loopback, tmp_path, texts(), oracle=respond)
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == before
    report = trace(loopback, tmp_path, texts())
    assert report.known >= 3
    assert [row["id"] for row in lines(tmp_path / "attributions.jsonl")] == [f"t{n}" for n in range(COUNT)]
    done = [seen for seen in loopback.requests[asked:] if number_of(seen) != 9]
    assert len({seen.raw for seen in done}) == len(done)  # nothing was asked twice but what was refused


def test_an_endpoint_that_is_away_ends_the_run_at_once_if_it_never_answered(loopback: Loopback, tmp_path: Path) -> None:
    loopback.answer(Answer(drop=True))

    def make(_: Path) -> Any:
        from schemacast.attribution import Asker

        patience = Patience(attempts=2, first_wait=0.01)
        return Asker(open_model("openai/test", base_url=loopback.v1, patience=patience))

    with pytest.raises(ModelUnavailable):
        trace_many(texts(), out=tmp_path, searcher=Fleet(), make_asker=make)
    assert len(loopback.requests) <= 4


def test_a_searcher_that_is_down_ends_the_run_if_it_never_worked_or_refuses_the_key(
    loopback: Loopback, tmp_path: Path
) -> None:
    for failure in (SearchError("away"), SearchError("no key", exit_code=4)):
        shelf = Shelf(failure=failure)
        with pytest.raises(SearchError):
            trace(loopback, tmp_path, texts(), shelf=shelf)
        assert len(shelf.queries) <= 4


def test_a_search_that_fails_now_and_then_fails_its_text_alone(loopback: Loopback, tmp_path: Path) -> None:
    class Flaky(Fleet):
        def search(self, query: str, *, limit: int) -> Any:
            if "ship 5 " in query.lower():
                raise SearchError("away for a moment")
            return super().search(query, limit=limit)

    report = trace(loopback, tmp_path, texts(), shelf=Flaky())
    assert report.failures == [("t5", "search_failed: away for a moment")]


def test_two_runs_never_write_to_one_folder_at_once(loopback: Loopback, tmp_path: Path) -> None:
    with Journal(tmp_path), pytest.raises(WorkspaceLocked, match="another run"):
        trace(loopback, tmp_path, texts(1))


def test_a_line_that_was_cut_when_the_process_died_is_not_read(loopback: Loopback, tmp_path: Path) -> None:
    trace(loopback, tmp_path, texts(3))
    journal = tmp_path / ".attribute" / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 40])
    (tmp_path / ".attribute" / "write-x").mkdir()
    report = trace(loopback, tmp_path, texts(3))
    assert report.known == 2
    assert [row["id"] for row in lines(tmp_path / "attributions.jsonl")] == ["t0", "t1", "t2"]
    assert journal.read_bytes().count(b"\n") == 3
    assert not (tmp_path / ".attribute" / "write-x").exists()


def test_a_journal_with_odd_lines_is_read_as_far_as_they_are_ours(loopback: Loopback, tmp_path: Path) -> None:
    (tmp_path / ".attribute").mkdir()
    (tmp_path / ".attribute" / "journal.jsonl").write_bytes(b'{}\n[]\n\xff\n{"key": "a"}\n"x"\n')
    assert trace(loopback, tmp_path, texts(2)).known == 0
    assert len(lines(tmp_path / "attributions.jsonl")) == 2


def test_it_works_inside_a_running_loop(loopback: Loopback, tmp_path: Path) -> None:
    async def inside() -> ManyReport:
        return trace(loopback, tmp_path, texts(2))

    assert asyncio.run(inside()).statuses == {"ok": 2}


@pytest.fixture
def command(tmp_path: Path, loopback: Loopback) -> Callable[..., list[str]]:
    """The command over a real workspace, for a process of its own."""
    whole = " ".join(f"Ship {n} carries {n} tons, the list says." for n in range(COUNT) if n != 3)
    workspace = fill(tmp_path, {"list": whole})
    path = tmp_path / "claims.jsonl"
    path.write_text(
        "".join(json.dumps({"text": line.text, "id": line.id}) + "\n" for line in texts()), encoding="utf-8"
    )

    def make(*more: object) -> list[str]:
        start = [sys.executable, "-m", "schemacast.cli.main", "attribute", "--file", path, "--out", tmp_path / "out"]
        model = ["--workspace", workspace, "--model", "openai/test", "--base-url", loopback.v1]
        return [str(part) for part in [*start, *model, *more]]

    return make


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_killed_goes_on_and_asks_nothing_twice(
    loopback: Loopback, tmp_path: Path, command: Callable[..., list[str]], how: signal.Signals
) -> None:
    ships = Ships()
    loopback.respond = lambda seen: Answer(ships(seen).reply, delay=0.05)
    process = subprocess.Popen(command("--concurrency", 2), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 30
    while len(loopback.answered) < 12 and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(how)
    _, err = process.communicate(timeout=30)
    assert process.returncode == (-9 if how is signal.SIGKILL else 130), err
    assert not (tmp_path / "out" / "attributions.jsonl").exists()
    if how is signal.SIGINT:
        assert err.strip() == "schemacast: interrupted"
    loopback.respond = ships
    done = subprocess.run(command(), capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    rows = lines(tmp_path / "out" / "attributions.jsonl")
    assert [row["id"] for row in rows] == [f"t{n}" for n in range(COUNT)]
    assert "before" in done.stdout
    asked = [seen.raw for seen in loopback.requests]
    assert len(asked) - len(set(asked)) <= 2  # what was in flight when it died


def test_the_replies_are_in_the_workspace_and_enough_to_do_it_again(
    loopback: Loopback, tmp_path: Path, command: Callable[..., list[str]]
) -> None:
    loopback.respond = Ships()
    first = subprocess.run(command("--quiet"), capture_output=True, text=True, check=False, timeout=60)
    assert (first.returncode, first.stdout, first.stderr) == (0, "", "")
    asked, before = len(loopback.requests), (tmp_path / "out" / "attributions.jsonl").read_bytes()
    environment = {**os.environ, "OPENAI_API_KEY": ""}
    again = subprocess.run(
        command("--replay-only", "--out", tmp_path / "again"),
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again" / "attributions.jsonl").read_bytes() == before
    assert len(loopback.requests) == asked


BAD_LINES = [
    ("", "holds no text"),
    ("\n \n", "holds no text"),
    ("[]", "1: is no object"),
    ("{", "1: is not JSON"),
    ('{"text": 3}', "1: text is no string"),
    ('{"id": "a"}', "1: text is missing"),
    ('{"text": "x", "sourceurl": "y"}', "did you mean 'source_url'"),
    ('{"text": "x", "source_url": "here"}', "is no URL"),
    ('{"text": "x", "id": ""}', "id is no text"),
    ('{"text": "x", "id": "a"}\n{"text": "y", "id": "a"}', "2: the id 'a' stands on line 1 already"),
    ("[" * 100_000, "1: is nested too deeply"),
]


@pytest.mark.parametrize(("content", "said"), BAD_LINES, ids=[said for _, said in BAD_LINES])
def test_a_file_of_texts_that_is_wrong_is_told_by_line(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(said)):
        read_claims(path)


def test_every_bad_line_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_bytes(b"\xef\xbb\xbf[]\n" + b'{"text": "fine enough"}\n' + b"{}\n\xff\n" + b"7\n" * 30)
    with pytest.raises(InputError) as caught:
        read_claims(path)
    assert len(caught.value.problems) == 33
    assert str(caught.value).splitlines()[-1] == "and 13 more"
    assert f"{path}:4: is not UTF-8" in str(caught.value)


def test_a_file_of_texts_is_read_with_its_ids_and_urls(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_bytes(b'{"text": "one \\ud800"}\r\n\r\n{"text": "two", "source_url": "https://a.example", "id": "b"}')
    assert read_claims(path) == [
        ClaimLine(1, "one \ufffd"),
        ClaimLine(3, "two", "https://a.example", "b"),
    ]
    for other in (tmp_path, tmp_path / "none.jsonl"):
        with pytest.raises(InputError):
            read_claims(other)
