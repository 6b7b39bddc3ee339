"""A model endpoint on loopback: a real HTTP server that answers what a test tells it to.

It speaks OpenAI's chat completions (`openai/…`, `ollama/…` and compatible ones) and Anthropic's messages, by
the path of the request. A test gives either a list of answers, used in order, the last of them for ever, or a
function from request to answer. Every request is kept with its headers, body and times, so that a test counts
what really arrived. Use the fixture `loopback`, or `with Loopback() as server:`.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass(frozen=True)
class Answer:
    """What the server does with one request.

    `reply` is the model's text (or an object, sent as its JSON) in the shape of the protocol that was asked;
    `as_tool` puts it into a tool call's arguments. `body` is sent as it is instead. `drop`: the connection is reset.
    """

    reply: Any = '{"vertices": [], "edges": []}'
    status: int = 200
    finish: str | None = None
    usage: tuple[int, int] = (11, 7)
    model: str = "loopback-1"
    as_tool: bool | None = None
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drop: bool = False


def error(status: int, message: str = "no", code: str | None = None, **headers: str) -> Answer:
    """An answer in the form that providers give errors; `Retry_After="2"` sets a header."""
    body = {"error": {"message": message, "type": "error", "code": code}}
    return Answer(status=status, body=body, headers={k.replace("_", "-"): v for k, v in headers.items()})


@dataclass(frozen=True)
class Seen:
    """One request as it arrived. Times are of `time.monotonic`."""

    path: str
    headers: Mapping[str, str]
    raw: bytes
    arrived: float

    @property
    def body(self) -> Any:
        return json.loads(self.raw)

    @property
    def text(self) -> str:
        """All that was said to the model."""
        body = self.body
        system = body.get("system") or []
        parts = [system] if isinstance(system, str) else [block["text"] for block in system]
        return "\n".join([*parts, *(str(message["content"]) for message in body["messages"])])


class Loopback:
    """The server. `url` for `anthropic/`, `v1` for the OpenAI protocol."""

    def __init__(self, answers: Sequence[Answer] = (), *, respond: Callable[[Seen], Answer] | None = None) -> None:
        self.requests: list[Seen] = []
        self.answered: list[float] = []
        self.most_in_flight = 0
        self._in_flight = 0
        self._lock = threading.Lock()
        self.answer(*answers)
        self.respond = respond
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def v1(self) -> str:
        return f"{self.url}/v1"

    def answer(self, *answers: Answer) -> None:
        """The answers from now on."""
        self._answers = list(answers) or [Answer()]

    def __enter__(self) -> Loopback:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _take(self, seen: Seen) -> Answer:
        with self._lock:
            self.requests.append(seen)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            if self.respond is not None:
                return self.respond(seen)
            return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    def _leave(self) -> None:
        with self._lock:
            self._in_flight -= 1
            self.answered.append(time.monotonic())


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128


def _handler(loopback: Loopback) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            seen = Seen(self.path, headers, raw, time.monotonic())
            answer = loopback._take(seen)
            if answer.delay:
                time.sleep(answer.delay)
            loopback._leave()
            try:
                self._send(seen, answer)
            except OSError:
                self.close_connection = True  # the client went away, as some tests make it do

        def _send(self, seen: Seen, answer: Answer) -> None:
            if answer.drop:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
                return
            body = _body(seen, answer)
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _body(seen: Seen, answer: Answer) -> bytes:
    if answer.body is not None:
        return answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
    text = answer.reply if isinstance(answer.reply, str) else json.dumps(answer.reply, ensure_ascii=False)
    if seen.path.partition("?")[0].endswith("/messages"):
        return json.dumps(_message(text, answer, seen.body)).encode()
    return json.dumps(_chat_completion(text, answer)).encode()


def _chat_completion(text: str, answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if answer.as_tool:
        call = {"id": "c1", "type": "function", "function": {"name": "reply", "arguments": text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    finish = answer.finish or ("tool_calls" if answer.as_tool else "stop")
    tokens = {"prompt_tokens": answer.usage[0], "completion_tokens": answer.usage[1], "total_tokens": sum(answer.usage)}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": answer.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": tokens,
    }


def _message(text: str, answer: Answer, asked: Mapping[str, Any]) -> dict[str, Any]:
    as_tool = answer.as_tool if answer.as_tool is not None else bool(asked.get("tools"))
    block: dict[str, Any] = {"type": "text", "text": text}
    if as_tool:
        block = {"type": "tool_use", "id": "t1", "name": "reply", "input": json.loads(text)}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": [block],
        "stop_reason": answer.finish or ("tool_use" if as_tool else "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": answer.usage[0], "output_tokens": answer.usage[1]},
    }
