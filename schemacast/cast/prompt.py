"""The messages that ask a model to read one episode.

The system message depends on the slice alone and comes first, so that providers' prefix caches hit;
the user message holds what differs. Everything that comes from a source stands in a block between two
tags that carry a code. The code is computed from the texts so that it occurs in none of them, however
folded: no text can close its block, or open one, and the same episode always gives the same bytes.
Templates get whole blocks, never bare texts, and what they render is checked to hold each block once.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime, tzinfo
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from schemacast.cast.per_schema import PerSchema
from schemacast.cast.select import Slice
from schemacast.cast.template import Templates, load_templates
from schemacast.episode import Episode, Known
from schemacast.errors import InputError
from schemacast.llm.protocol import Message
from schemacast.schema.model import Schema
from schemacast.schema.sheet import sheet

CODE_DIGITS = 6
_LOCALE = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}")
"""What a language tag looks like; anything else comes from a source and is not shown outside a block."""
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Prompter:
    """Builds the messages of a schema's episodes. Templates are read and compiled here, once.

    `template` is a folder whose templates stand in for the packaged ones; InputError when it is
    missing or a template in it is broken.
    """

    def __init__(self, schema: Schema, *, template: Path | None = None) -> None:
        self.schema = schema
        self.templates: Templates = packaged() if template is None else load_templates(template)
        self._system = PerSchema(self._build_system)

    @property
    def digest(self) -> str:
        """The hash of the templates' sources."""
        return self.templates.digest

    def messages(
        self, slice_: Slice | Schema, episode: Episode, zone: tzinfo | None = None, *, locale: str | None = None
    ) -> list[Message]:
        """The system and the user message for an episode.

        `zone` is that of a reference time without one, the schema's by default. `locale` stands when
        the episode has none.
        Raises InputError when a user's template fails or leaves out or repeats a block.
        """
        return [
            {"role": "system", "content": self.system(slice_.schema if isinstance(slice_, Slice) else slice_)},
            {"role": "user", "content": self.user(episode, zone, locale=locale)},
        ]

    def system(self, schema: Schema) -> str:
        """The system message for a slice; rendered once for each."""
        return self._system(schema)

    def _build_system(self, schema: Schema) -> str:
        examples = [{"text": example.text.strip(), "reply": compact(example.reply)} for example in schema.examples]
        return self.templates.render(
            "system.j2",
            sheet=sheet(schema),
            instructions=schema.instructions.strip(),
            examples=examples,
            name=schema.name,
            description=schema.description.strip(),
        )

    def user(self, episode: Episode, zone: tzinfo | None = None, *, locale: str | None = None) -> str:
        """The user message: known vertices, earlier texts, date and locale, and the text last."""
        known = known_lines(episode.known)
        if zone is None and episode.reference_time is not None and episode.reference_time.tzinfo is None:
            zone = ZoneInfo(self.schema.defaults.timezone)
        texts = [item.text for item in episode.context]
        tag = code([episode.text, known, *texts])
        blocks = {
            "text": block("text", tag, episode.text),
            "known": block("known", tag, known) if known else "",
            "context": [block(f"context{n}", tag, text) for n, text in enumerate(texts, 1)],
        }
        shown = episode.locale or locale or ""
        content = self.templates.render(
            "user.j2",
            time=shown_time(episode.reference_time, zone),
            locale=shown if _LOCALE.fullmatch(shown) else "",
            **blocks,
        )
        for whole in (blocks["text"], blocks["known"], *blocks["context"]):
            if whole and content.count(str(whole)) != 1:
                raise InputError(f"{self.templates.paths['user.j2']}: every block must stand in the message once")
        return content


@lru_cache(maxsize=1)
def packaged() -> Templates:
    """The templates of the package."""
    return load_templates()


def block(name: str, tag: str, text: str) -> str:
    """A text as data: unaltered between the line of its opening tag and that of its closing tag."""
    return f"<{name} {tag}>\n{text}\n</{name} {tag}>"


def code(texts: Sequence[str]) -> str:
    """A short code that occurs in none of the texts, the same for the same texts.

    Look-alikes count as occurring: the texts are searched as they are and folded (NFKC, case).
    """
    joined = "\0".join(texts)
    folded = joined.casefold() if joined.isascii() else unicodedata.normalize("NFKC", joined).casefold()
    seed = joined.encode("utf-8", "surrogatepass")
    attempt = 0
    while True:
        found = hashlib.sha256(seed + attempt.to_bytes(4, "big")).hexdigest()[: CODE_DIGITS + attempt // 8]
        if found not in joined and found not in folded:
            return found
        attempt += 1


def known_lines(known: Known) -> str:
    """Known vertices and edges as one JSON object a line; empty when nothing is known."""
    lines = []
    for vertex in known.vertices:
        said: dict[str, object] = {"ref": vertex.ref, "type": vertex.type}
        if vertex.label is not None:
            said["label"] = vertex.label
        if vertex.properties:
            said["properties"] = {name: vertex.properties[name] for name in sorted(vertex.properties)}
        lines.append(compact(said))
    for edge in known.edges:
        said = {"relation": edge.relation, "from": edge.source, "to": edge.target}
        if edge.properties:
            said["properties"] = {name: edge.properties[name] for name in sorted(edge.properties)}
        lines.append(compact(said))
    return "\n".join(lines)


def shown_time(moment: datetime | None, zone: tzinfo | None) -> str:
    """A reference time as the model is shown it, with its weekday: `Monday 2026-03-02 09:30 +01:00`."""
    if moment is None:
        return ""
    if moment.tzinfo is None and zone is not None:
        moment = moment.replace(tzinfo=zone)
    offset = moment.strftime("%z")
    shown = f"{_DAYS[moment.weekday()]} {moment.date().isoformat()} {moment.strftime('%H:%M')}"
    return f"{shown} {offset[:3]}:{offset[3:5]}" if offset else shown


def compact(value: object) -> str:
    """JSON on one line without spaces, characters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
