"""A Caster called as people call it: from threads, inside a loop, given up half-way, ended by an error."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from cli_desk import SCHEMA, prop, vertex
from loopback_model import Answer, Loopback, Seen, error

from schemacast import Caster, Episode, Outcome, Schema
from schemacast.errors import InputError, ModelAccessError, UsageError
from schemacast.llm.protocol import Completion
from schemacast.schema.load import parse_schema

NOTHING = '{"vertices": [], "edges": []}'


@pytest.fixture
def schema() -> Schema:
    return parse_schema(SCHEMA)


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def episodes(count: int, name: str = "e") -> list[Episode]:
    return [Episode(source_id=f"{name}{number}", text=f"HD-{number} of {name} is new.") for number in range(count)]


def caster(schema: Schema, loopback: Loopback, **options: object) -> Caster:
    return Caster(schema, model="openai/x", base_url=loopback.v1, **options)  # type: ignore[arg-type]


def ids(outcomes: list[Outcome]) -> list[str]:
    return [outcome.source_id for outcome in outcomes]


def test_one_caster_serves_several_threads_at_once(schema: Schema, loopback: Loopback) -> None:
    loopback.respond = lambda _: Answer(reply=NOTHING, delay=0.01)
    shared = caster(schema, loopback)
    done: dict[str, list[str]] = {}

    def cast(name: str) -> None:
        done[name] = [f"{one.status} {one.requests}" for one in shared.cast(episodes(15, name)).outcomes]

    threads = [threading.Thread(target=cast, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == {name: ["empty 1"] * 15 for name in "abc"}
    assert len(loopback.requests) == 45


def test_two_casts_of_one_loop_do_not_close_each_other(schema: Schema, loopback: Loopback) -> None:
    loopback.respond = lambda _: Answer(reply=NOTHING, delay=0.02)
    shared = caster(schema, loopback)

    async def both() -> list[int]:
        results = await asyncio.gather(shared.acast(episodes(2, "a")), shared.acast(episodes(20, "b")))
        return [sum(one.requests for one in result.outcomes) for result in results]

    assert asyncio.run(both()) == [2, 20]


def test_a_caster_goes_on_after_a_cast_that_was_refused(schema: Schema, loopback: Loopback) -> None:
    loopback.answer(error(401, "wrong key"), Answer(reply=NOTHING))
    shared = caster(schema, loopback)

    async def twice() -> str:
        with pytest.raises(ModelAccessError):
            await shared.acast(episodes(1))
        return (await shared.acast(episodes(1))).outcomes[0].status

    assert asyncio.run(twice()) == "empty"


@pytest.mark.parametrize("kind", ["iterator", "iterable"])
def test_episodes_may_come_asynchronously(schema: Schema, loopback: Loopback, kind: str) -> None:
    async def given() -> AsyncIterator[Episode]:
        for episode in episodes(3):
            yield episode

    class Given:
        def __aiter__(self) -> AsyncIterator[Episode]:
            return given()

    source = given() if kind == "iterator" else Given()
    outcomes = asyncio.run(caster(schema, loopback).acast(source)).outcomes  # type: ignore[arg-type]
    assert ids(list(outcomes)) == ["e0", "e1", "e2"]


@pytest.mark.parametrize("given", [episodes(1)[0], [{"source_id": "a", "text": "b"}], "text", 5])
def test_what_is_no_episode_is_told_so(schema: Schema, loopback: Loopback, given: object) -> None:
    with pytest.raises(InputError, match="Episode"):
        caster(schema, loopback).cast(given)  # type: ignore[arg-type]
    assert loopback.requests == []


def test_an_input_that_raises_does_not_cost_what_was_taken_before(schema: Schema, loopback: Loopback) -> None:
    def given() -> Iterator[Episode]:
        yield from episodes(5)
        raise LookupError("the database is gone")

    got: list[str] = []
    with pytest.raises(LookupError, match="the database is gone"):
        got.extend(outcome.source_id for outcome in caster(schema, loopback).stream(given()))
    assert got == ["e0", "e1", "e2", "e3", "e4"]


def test_what_was_paid_for_when_the_quota_ran_out_comes_out_and_every_request_is_counted(
    schema: Schema, loopback: Loopback
) -> None:
    seen: list[Seen] = []

    def respond(request: Seen) -> Answer:
        seen.append(request)
        if len(seen) == 6:
            return error(429, "no quota", "insufficient_quota")
        return Answer(reply=NOTHING, delay=0.1)

    loopback.respond = respond
    got: list[Outcome] = []
    with pytest.raises(ModelAccessError) as caught:
        got.extend(caster(schema, loopback).stream(episodes(40)))
    assert ids(got) == sorted(ids(got), key=lambda name: int(name[1:]))
    assert len(got) == len(loopback.requests) - 1
    assert sum(one.requests for one in got) + caught.value.requests == len(loopback.requests) < 16


def test_a_repair_that_meets_the_end_of_the_quota_keeps_the_first_reply(schema: Schema, loopback: Loopback) -> None:
    reply = {
        "vertices": [
            vertex("t", "Ticket", "HD-0", prop("number", "HD-0")),
            vertex("u", "Ticket", "HD-9", prop("number", "HD-9")),
        ]
    }
    loopback.answer(Answer(reply=reply), error(429, "no quota", "insufficient_quota"))
    got: list[Outcome] = []
    with pytest.raises(ModelAccessError, match="no quota") as caught:
        got.extend(caster(schema, loopback, concurrency=1).stream(episodes(3)))
    assert [(one.status, one.kept.vertices, one.requests) for one in got] == [("partial", 1, 2)]
    assert (len(loopback.requests), caught.value.requests) == (2, 0)


def test_a_model_of_ones_own_is_not_asked_again_once_it_refuses_every_call(schema: Schema) -> None:
    class Refusing:  # what it is called with does not matter here
        name = "own"
        asked = 0

        def request_key(self, *_: object) -> str:
            return ""

        def holds(self, *_: object) -> bool:
            return False

        async def complete(self, *_: object) -> Completion:
            self.asked += 1
            await asyncio.sleep(0)
            raise ModelAccessError("no")

        async def aclose(self) -> None:
            raise AssertionError("it is not ours to close")

    model = Refusing()
    with pytest.raises(ModelAccessError):
        Caster(schema, model=model, concurrency=2).cast(episodes(20))  # type: ignore[arg-type]
    assert model.asked <= 2


def test_a_template_that_fails_on_one_text_ends_the_cast_after_what_was_cast(
    schema: Schema, loopback: Loopback, tmp_path: Path
) -> None:
    (tmp_path / "user.j2").write_text("{{ 1 // (0 if 'another' in text else 1) }}{{ text }}", encoding="utf-8")
    texts = ["one text here", "another text", "a third text that is never sent"]
    given = [Episode(source_id=f"e{number}", text=text) for number, text in enumerate(texts)]
    got: list[str] = []
    with pytest.raises(InputError, match=r"user\.j2"):
        got.extend(one.source_id for one in caster(schema, loopback, template=tmp_path, concurrency=1).stream(given))
    assert (got, len(loopback.requests)) == (["e0"], 1)


@pytest.mark.parametrize("locale", ["german", "de_DE.UTF-8", "C", "1"])
def test_a_locale_that_nothing_understands_is_refused(schema: Schema, loopback: Loopback, locale: str) -> None:
    with pytest.raises(UsageError, match="no locale"):
        caster(schema, loopback, locale=locale)


@pytest.mark.parametrize("locale", ["de", "en-GB", "de_DE", "zh-Hant-TW", ""])
def test_a_locale_as_people_write_it_is_taken(schema: Schema, loopback: Loopback, locale: str) -> None:
    assert caster(schema, loopback, locale=locale)


@pytest.mark.parametrize("provider", ["openai", "anthropic", "ollama"])
def test_no_log_at_any_level_has_the_key_or_a_text(
    schema: Schema, loopback: Loopback, provider: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-topsecret-0123456789"
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_API_KEY"):
        monkeypatch.setenv(name, key)
    url = loopback.url if provider == "anthropic" else loopback.v1
    loopback.answer(Answer(reply=NOTHING), error(400, f"not this one, {key}"), Answer(reply=NOTHING, finish="length"))
    given = [Episode(source_id=f"mail-{number}", text=f"Confidential words {number}.") for number in range(3)]
    with caplog.at_level(1):
        Caster(schema, model=f"{provider}/x", base_url=url, concurrency=1).cast(given)
    assert "Confidential" not in caplog.text
    assert "topsecret" not in caplog.text
    assert "mail-1: request_failed: " in caplog.text
    assert "not this one, ***" in caplog.text


def test_a_client_of_ones_own_still_logs_what_it_did(caplog: pytest.LogCaptureFixture, loopback: Loopback) -> None:
    import openai

    Caster(parse_schema(SCHEMA), model="openai/x", base_url=loopback.v1).cast(episodes(1))
    with caplog.at_level(10):
        openai.OpenAI(api_key="k", base_url=loopback.v1).chat.completions.create(
            model="x", messages=[{"role": "user", "content": "mine"}]
        )
    assert "mine" in caplog.text
