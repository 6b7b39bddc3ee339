"""An OpenAI-compatible endpoint that answers every request at once. Prints its port.

Without arguments it gives every request the same reply. With a folder of `episodes.jsonl` and `scripted.jsonl`
it gives the reply of the episode whose text the request holds.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

REPLY = {
    "vertices": [
        {"ref": f"v{n}", "type": "Ticket", "quote": "ticket HD-2", "props": [{"name": "number", "value": "HD-2"}]}
        for n in range(5)
    ],
    "edges": [],
}


def sent(reply: object) -> bytes:
    """A whole HTTP answer with this reply."""
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "instant",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(reply)}},
        ],
        "usage": {"prompt_tokens": 500, "completion_tokens": 200, "total_tokens": 700},
    }
    body = json.dumps(answer).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body


def scripted(folder: Path) -> dict[bytes, bytes]:
    """The answer for each episode, by the beginning of its text as it stands in a request."""
    texts = {line["source_id"]: line["text"] for line in lines(folder / "episodes.jsonl")}
    replies = {line["source_id"]: line["reply"] for line in lines(folder / "scripted.jsonl")}
    return {
        json.dumps(text[:60], ensure_ascii=False)[1:-1].encode(): sent(
            json.loads(reply) if isinstance(reply := replies[source_id], str) else reply
        )
        for source_id, text in texts.items()
    }


def lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


ANSWERS = scripted(Path(sys.argv[1])) if len(sys.argv) > 1 else {b"": sent(REPLY)}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = next(line for line in head.split(b"\r\n") if line.startswith(b"content-length:"))
            body = await reader.readexactly(int(length.partition(b":")[2]))
            writer.write(next(answer for text, answer in ANSWERS.items() if text in body))
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
