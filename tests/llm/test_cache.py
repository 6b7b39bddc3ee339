"""The cache on disk: a rerun sends nothing, and nothing that goes wrong on disk costs a reply."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from loopback_model import Answer, Loopback, error

from schemacast.errors import InputError, ModelAccessError, OutputError, RequestFailed, UsageError
from schemacast.llm.cache import ReplyCache
from schemacast.llm.open import open_model
from schemacast.llm.protocol import Completion, Tag, Usage

KEY = "ab" + "0" * 62


def test_a_rerun_sends_nothing_and_costs_nothing(loopback: Loopback, ask, said, reply_type, tmp_path) -> None:
    loopback.answer(Answer(reply="é\ud83d", finish="length", usage=(50, 5)))
    first, _ = ask("openai/x", 3, base_url=loopback.v1, cache=tmp_path / "c")
    again, _ = ask("openai/x", 3, base_url=loopback.v1, cache=tmp_path / "c")
    only, model = ask("openai/x", 3, base_url=loopback.v1, cache=tmp_path / "c", replay_only=True)
    assert len(loopback.requests) == 3
    assert [one.requests for one in first] == [1, 1, 1]
    assert again == only
    assert model.holds(said("text 0"), reply_type, Tag())
    assert not model.holds(said("text 3"), reply_type, Tag())
    for before, after in zip(first, again, strict=True):
        assert (after.text, after.finish_reason, after.model) == (before.text, "length", before.model)
        assert (after.requests, after.usage, after.cached) == (0, Usage(), True)


def test_another_parameter_text_or_model_is_another_request(loopback: Loopback, ask, tmp_path) -> None:
    cached = {"base_url": loopback.v1, "cache": tmp_path}
    ask("openai/x", 1, **cached)
    ask("openai/x", 1, **cached, options={"temperature": 0})
    ask("openai/x", ["other"], **cached)
    ask("openai/y", 1, **cached)
    assert len(loopback.requests) == 4
    ask("openai/x", 1, **cached, options={"timeout": 7}, concurrency=1)
    assert len(loopback.requests) == 4


def test_replay_only_fails_what_is_not_there_without_key_package_or_request(ask_one, tmp_path) -> None:
    with pytest.raises(RequestFailed, match=r"e0: no reply in the cache for request [0-9a-f]{12}…; "):
        ask_one("groq/x", cache=tmp_path, replay_only=True)
    with pytest.raises(InputError, match="no directory"):
        ask_one("openai/x", cache=tmp_path / "absent", replay_only=True)
    with pytest.raises(UsageError, match="needs a cache"):
        ask_one("openai/x", replay_only=True)
    assert not (tmp_path / "absent").exists()


def test_with_a_cache_a_key_is_asked_for_when_it_is_needed(ask_one, tmp_path) -> None:
    with pytest.raises(ModelAccessError, match="OPENAI_API_KEY"):
        ask_one("openai/x", cache=tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\x00",
        b'{"request": "' + KEY.encode()[:20],
        b"[]",
        b"{}",
        json.dumps({"request": "f" * 64, "reply": "x", "finish_reason": "stop", "model": None}).encode(),
        json.dumps({"request": KEY, "reply": 5, "finish_reason": "stop", "model": None}).encode(),
        json.dumps({"request": KEY, "reply": "x", "finish_reason": "odd", "model": None}).encode(),
        json.dumps({"request": KEY, "reply": "x", "finish_reason": "stop", "model": 1}).encode(),
        b"[" * 100_000,
    ],
)
def test_a_damaged_entry_is_ignored_and_overwritten(content, tmp_path, caplog) -> None:
    cache = ReplyCache(tmp_path)
    path = cache.path(KEY)
    path.parent.mkdir()
    path.write_bytes(content)
    assert cache.read(KEY) is None
    assert "damaged" in caplog.text
    cache.write(KEY, Completion("x", "refused", Usage(3, 4), "m", 2))
    assert cache.read(KEY) == Completion("x", "refused", Usage(), "m", 0, cached=True)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_folder_in_the_place_of_an_entry_is_ignored(tmp_path, caplog) -> None:
    cache = ReplyCache(tmp_path)
    cache.path(KEY).mkdir(parents=True)
    assert cache.read(KEY) is None
    assert "cannot be read" in caplog.text


def test_a_full_disk_costs_no_reply_and_is_told_once(tmp_path) -> None:
    # a limit on the size of files is the nearest thing to a full disk that a test can set up
    script = f"""
import asyncio, json, resource, signal
from schemacast.llm.cache import CachedModel, ReplyCache
from schemacast.llm.protocol import Completion, ReplyType, Tag
from schemacast.llm.request_key import prompt_key

class Echo:
    name = "echo"
    def request_key(self, messages, reply_type):
        return prompt_key(messages, reply_type)
    async def complete(self, messages, reply_type, tag):
        return Completion(messages[0]["content"], requests=1)
    async def aclose(self):
        pass

async def main():
    model = CachedModel(Echo(), ReplyCache({str(tmp_path)!r}))
    async def ask(text):
        return await model.complete([{{"role": "user", "content": text}}], ReplyType("r", {{}}), Tag("e"))
    await ask("kept")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
    for n in range(3):
        completion = await ask(str(n))
        assert (completion.text, completion.cached) == (str(n), False)
    assert (await ask("kept")).cached
    print(json.dumps(model.notes))
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    (note,) = json.loads(done.stdout)
    assert "cannot be kept" in note
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_processes_may_share_a_cache(tmp_path) -> None:
    script = f"""
from schemacast.llm.cache import ReplyCache
from schemacast.llm.protocol import Completion
cache = ReplyCache({str(tmp_path)!r})
for n in range(300):
    key = f"{{n % 7:064x}}"
    cache.write(key, Completion(key * 50))
    found = cache.read(key)
    assert found is not None and found.text == key * 50
"""
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(3)]
    assert [one.wait(60) for one in running] == [0, 0, 0]
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 7


def test_a_cache_that_cannot_be_made_is_told_before_anything_is_sent(tmp_path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a file"):
        open_model("openai/x", base_url="http://127.0.0.1:9", cache=tmp_path / "file")
    with pytest.raises((OutputError, InputError)):
        open_model("openai/x", base_url="http://127.0.0.1:9", cache=tmp_path / "file" / "below")


def test_of_equal_requests_at_the_same_time_one_is_sent(loopback: Loopback, ask, tmp_path) -> None:
    loopback.answer(Answer(delay=0.1))
    results, _ = ask("openai/x", ["same"] * 6, base_url=loopback.v1, cache=tmp_path)
    assert sorted(one.requests for one in results) == [0, 0, 0, 0, 0, 1]
    assert len({one.text for one in results}) == len(loopback.requests) == 1


def test_when_an_equal_request_fails_the_next_one_tries_itself(loopback: Loopback, ask, tmp_path) -> None:
    loopback.answer(error(400, "not this time"), Answer())
    results, _ = ask("openai/x", ["same"] * 3, base_url=loopback.v1, cache=tmp_path)
    assert [type(one).__name__ for one in results] == ["RequestFailed", "Completion", "Completion"]
    assert [one.requests for one in results] == [1, 1, 0]
    assert len(loopback.requests) == 2
