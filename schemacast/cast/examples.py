"""The check of a schema's worked examples with the validator that real replies go through.

An example is shown to the model as a right reply; one that our own rules would mend or refuse teaches it
the wrong thing, so each finding becomes a problem at the example's line.
"""

from __future__ import annotations

import json
from pathlib import Path

from schemacast.cast.reply import SchemaEcho, UnreadableReply, read_reply
from schemacast.cast.validate import validate
from schemacast.episode import Episode
from schemacast.errors import Problem
from schemacast.schema.library import resolve_schema
from schemacast.schema.lint import lint
from schemacast.schema.load import load_schema
from schemacast.schema.model import Schema


def lint_schema(path: str | Path) -> list[Problem]:
    """Every mistake of a schema file (a path, or `lib:NAME`), those of its examples included, and hints.

    A problem that is only a hint says so (`hint`).
    """
    problems = lint(path)
    if any(not problem.hint for problem in problems):
        return problems
    return [*problems, *check_examples(load_schema(path), file=str(resolve_schema(path)))]


def check_examples(schema: Schema, *, file: str) -> list[Problem]:
    """A problem for each finding that an example's reply has."""
    problems = []
    for number, example in enumerate(schema.examples, 1):
        where = f"example {number}"
        if not example.text.strip():
            problems.append(Problem(file, example.line, 0, f"{where}: its text is blank"))
            continue
        episode = Episode(source_id=where, text=example.text)
        try:
            reply = read_reply(json.dumps(example.reply), finish_reason="stop")
        except (UnreadableReply, SchemaEcho):
            message = f"{where}: its reply is not of the form {{vertices: […], edges: […]}}"
            problems.append(Problem(file, example.line, 0, message))
            continue
        validated = validate(reply, schema, episode, locale=schema.defaults.locale, timezone=schema.defaults.timezone)
        problems.extend(
            Problem(file, example.line, 0, f"{where}: {finding.finding}: {finding.message}")
            for finding in validated.findings
        )
    return problems
