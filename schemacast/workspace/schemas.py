"""The versions of the one schema that a workspace is for, each with its full text."""

from __future__ import annotations

from dataclasses import replace

from schemacast.errors import InputError, SchemaError, UsageError
from schemacast.schema.load import parse_schema
from schemacast.schema.model import Schema
from schemacast.workspace.episodes import now
from schemacast.workspace.file import WorkspaceFile


def take_schema(file: WorkspaceFile, schema: Schema, sha: str) -> None:
    """Make a schema the present one. Raises UsageError when the workspace is for one of another name."""
    name = file.meta("schema")
    if name is not None and name != schema.name:
        raise UsageError(
            f"{file.path}: is for the schema {name!r}, not {schema.name!r}; give another --workspace, one for each"
        )
    with file.transaction():
        file.set_meta("schema", schema.name)
        file.execute("INSERT OR IGNORE INTO schemas VALUES (?, ?, ?, ?)", (sha, schema.ref, schema.to_yaml(), now()))
        if file.meta("schema_sha") != sha:
            file.set_meta("schema_sha", sha)
            file.touched()


def earlier_schema(file: WorkspaceFile, sha: str | None) -> Schema | None:
    """The schema with a hash; None when it is not kept, or is none any more by today's rules."""
    text: str | None = file.value("SELECT text FROM schemas WHERE sha = ?", (sha,))
    if text is None:
        return None
    try:
        return parse_schema(text, file=f"{file.path} (schema)")
    except SchemaError:
        return None


def with_every_type(file: WorkspaceFile, schema: Schema) -> Schema:
    """The schema with the types that earlier versions had and it has no longer; itself when there are none.

    What was written as such a type is found, and taken away, by nothing else.
    """
    vertices, edges = dict(schema.vertices), dict(schema.edges)
    shas = [row[0] for row in file.rows("SELECT sha FROM schemas ORDER BY added DESC, sha")]
    for earlier in (earlier_schema(file, sha) for sha in shas):
        if earlier is not None:
            vertices = {**earlier.vertices, **vertices}
            edges = {**earlier.edges, **edges}
    if len(vertices) == len(schema.vertices) and len(edges) == len(schema.edges):
        return schema
    return replace(schema, vertices=vertices, edges=edges)


def present_schema(file: WorkspaceFile) -> tuple[Schema, str]:
    """The schema that the last ingest was done with, and its hash. Raises InputError before the first."""
    sha = file.meta("schema_sha")
    if sha is None:
        raise InputError(f"{file.path}: holds nothing yet; `schemacast ingest` comes first")
    text: str = file.value("SELECT text FROM schemas WHERE sha = ?", (sha,))
    return parse_schema(text, file=f"{file.path} (schema)"), sha
