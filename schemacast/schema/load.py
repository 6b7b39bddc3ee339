"""Schema files to schemas: the one place that knows the whole file.

A file is read into nodes, every part is read and checked on its own, then what needs the whole schema
in view is checked, and only when nothing at all is wrong is a Schema built. So a Schema in memory is
always valid, and whoever mends a file sees all of it at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from pathlib import Path
from types import MappingProxyType

from schemacast.errors import SchemaError
from schemacast.language.tags import LOCALE, locale_problem
from schemacast.schema.checks import check_schema
from schemacast.schema.edges import EdgeDraft, read_edges
from schemacast.schema.fields import Fields, Notes, is_absent, kind, shown
from schemacast.schema.json_reader import read_json
from schemacast.schema.library import resolve_schema
from schemacast.schema.model import Defaults, EdgeId, Example, Schema, VertexType
from schemacast.schema.nodes import ListNode, MapNode, Node, shorten
from schemacast.schema.rules import NAME, VERSION
from schemacast.schema.source import check_text, read_source
from schemacast.schema.vertices import VertexDraft, read_vertices
from schemacast.schema.yaml_reader import read_yaml

SCHEMA_FIELDS = ("name", "version", "description", "defaults", "instructions", "examples", "vertices", "edges")
REPLY_FIELDS = ("vertices", "edges", "unmapped")


def load_schema(path: str | Path) -> Schema:
    """The schema in a YAML or JSON file, or a ready-made one as `lib:NAME`.

    Raises SchemaError with every mistake in the file, each with its line and column; UnknownNameError
    for a ready-made schema that does not exist.
    """
    found = resolve_schema(path)
    return parse_schema(read_source(found), file=str(found))


def parse_schema(text: str, *, file: str = "<text>") -> Schema:
    """The schema in a YAML or JSON text. `file` is what problems are reported under, and a default name.

    Raises SchemaError with every mistake.
    """
    return read_draft(text, file=file).schema


@dataclass(frozen=True, slots=True)
class Draft:
    """A schema together with the places in its file that it was read from."""

    schema: Schema
    vertices: Mapping[str, VertexDraft]
    edges: Mapping[EdgeId, EdgeDraft]


def read_draft(text: str, *, file: str) -> Draft:
    """As `parse_schema`, with the places kept."""
    root, notes = _read(text, file)
    draft = _Loader(notes).load(root)
    if notes.problems:
        raise SchemaError(notes.problems)
    return draft


def _read(text: str, file: str) -> tuple[Node, Notes]:
    text = text.removeprefix("\ufeff")
    check_text(text, file=file)
    if file.endswith(".json"):
        root, problems = read_json(text, file=file)
        return root, Notes(file, problems)
    if text.lstrip(" \t\r\n").startswith("{"):
        try:
            root, problems = read_json(text, file=file)
        except SchemaError:
            root, problems = read_yaml(text, file=file)  # a flow mapping of YAML also begins so
        return root, Notes(file, problems)
    root, problems = read_yaml(text, file=file)
    return root, Notes(file, problems)


@dataclass(frozen=True, slots=True)
class _Loader:
    """Reads a whole file."""

    notes: Notes

    def load(self, root: Node) -> Draft:
        notes = self.notes
        fields = notes.fields(root, "the schema", SCHEMA_FIELDS)
        if fields is None:
            raise SchemaError(notes.problems)
        defaults, zone = self._defaults(fields.get("defaults"))
        vertices: dict[str, VertexDraft] = {}
        if "vertices" in fields:
            vertices = read_vertices(fields["vertices"], notes, zone)
        else:
            notes.add(root, "the schema has no `vertices`; it needs at least one vertex type")
        edges = read_edges(fields.get("edges"), vertices, notes, zone)
        check_schema(vertices, edges, notes)
        schema = Schema(
            name=self._name(fields),
            version=self._version(fields),
            description=notes.text(fields.get("description"), "`description`") or "",
            instructions=notes.text(fields.get("instructions"), "`instructions`") or "",
            defaults=defaults,
            examples=self._examples(fields.get("examples")),
            vertices=_types(vertices),
            edges=MappingProxyType({edge_id: draft.type for edge_id, draft in edges.items()}),
        )
        return Draft(schema, vertices, edges)

    def _name(self, fields: Fields) -> str:
        if "name" not in fields:
            return default_name(self.notes.file)
        name = self.notes.text(fields["name"], "`name`") or ""
        if name and not NAME.fullmatch(name):
            self.notes.add(
                fields["name"], f"`name` is {shorten(name)}; use letters, digits, `_`, `-` and `.`, at most 100"
            )
        return name

    def _version(self, fields: Fields) -> str:
        version = self.notes.text(fields.get("version"), "`version`")
        if version is not None and not VERSION.fullmatch(version):
            self.notes.add(
                fields["version"], f"`version` is {shorten(version)}; write numbers with dots, such as 1.0.0"
            )
        return version or "1.0.0"

    def _defaults(self, node: Node | None) -> tuple[Defaults, tzinfo]:
        fields = {} if node is None else self.notes.fields(node, "`defaults`", ("locale", "timezone")) or {}
        locale = self.notes.text(fields.get("locale"), "`locale`")
        if locale is not None and not LOCALE.fullmatch(locale):
            self.notes.add(fields["locale"], f"`locale`: {locale_problem(locale)}")
        timezone = self.notes.text(fields.get("timezone"), "`timezone`")
        if timezone is None or timezone == "UTC":
            return Defaults(locale), UTC
        return Defaults(locale, timezone), self._zone(timezone, fields["timezone"])

    def _zone(self, name: str, node: Node) -> tzinfo:
        from zoneinfo import ZoneInfo, available_timezones

        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):  # unknown; no relative path; a directory of zones
            near = self.notes.near(name, available_timezones())
            advice = near if "did you mean" in near else "; write a name such as Europe/Oslo or UTC"
            self.notes.add(node, f"`timezone` is {shorten(name)}, which is no time zone{advice}")
            return UTC

    def _examples(self, node: Node | None) -> tuple[Example, ...]:
        if node is None:
            return ()
        if not isinstance(node, ListNode):
            self.notes.add(node, f"`examples` is {kind(node)}; write a list of {{text: …, reply: …}}")
            return ()
        found = [self._example(item) for item in node.items]
        return tuple(example for example in found if example is not None)

    def _example(self, node: Node) -> Example | None:
        if not isinstance(node, MapNode):
            self.notes.add(node, f"an example is {kind(node)}; write {{text: …, reply: …}}")
            return None
        fields = self.notes.fields(node, "an example", ("text", "reply")) or {}
        for missing in ("text", "reply"):
            if missing not in fields:
                self.notes.add(node, f"an example has no `{missing}`")
        text = self.notes.text(fields.get("text"), "`text` of an example")
        if text is not None and not text.strip():
            self.notes.add(fields["text"], "`text` of an example is blank")
        reply = self._reply(fields["reply"]) if "reply" in fields else None
        return None if text is None or reply is None else Example(text, reply, node.line)

    def _reply(self, node: Node) -> Mapping[str, object] | None:
        """The reply object: its lists are checked here, their items by the validator."""
        fields = self.notes.fields(node, "`reply` of an example", REPLY_FIELDS)
        if fields is None:
            return None
        for field, value in fields.items():
            if not isinstance(value, ListNode):
                self.notes.add(value, f"`{field}` in an example's `reply` is {shown(value)}; a list is needed")
        return {field: as_json(value) for field, value in fields.items()}


def _types(vertices: Mapping[str, VertexDraft]) -> Mapping[str, VertexType]:
    return MappingProxyType({name: draft.type for name, draft in vertices.items()})


def default_name(file: str) -> str:
    """The name of a schema that states none: its file's, with what a name may not hold as `-`."""
    stem = Path(file).stem if not file.startswith("<") else ""
    return re.sub(r"^[^\w]+|[^\w.-]+", "-", stem).strip("-.")[:100] or "schema"


def as_json(node: Node) -> object:
    """A node as the JSON of a reply: plain true, false and null are that, all else is text as written.

    Numbers stay text, because a reply's values are text and `1.10` is not 1.1.
    """
    if isinstance(node, ListNode):
        return [as_json(item) for item in node.items]
    if isinstance(node, MapNode):
        return {key.text: as_json(value) for key, value in node.pairs}
    if is_absent(node):
        return None
    if not node.quoted and node.text in ("true", "false"):
        return node.text == "true"
    return node.text
