"""An OpenAI-compatible endpoint that gives every request the same answer at once. Prints its port."""

from __future__ import annotations

import asyncio
import json

REPLY = {
    "vertices": [
        {"ref": f"v{n}", "type": "Ticket", "quote": "ticket HD-2", "props": [{"name": "number", "value": "HD-2"}]}
        for n in range(5)
    ],
    "edges": [],
}
ANSWER = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "instant",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(REPLY)}},
    ],
    "usage": {"prompt_tokens": 500, "completion_tokens": 200, "total_tokens": 700},
}
BODY = json.dumps(ANSWER).encode()
SENT = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(BODY) + BODY


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = next(line for line in head.split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            writer.write(SENT)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
