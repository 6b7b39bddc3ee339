"""One outcome for a person: every item with its quote marked in the text it was read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from schemacast.cli.console import Output
from schemacast.cli.plain import number
from schemacast.ground import span_of
from schemacast.records import EvidenceDict, Props, Stated
from schemacast.schema.values import scalar_to_json

if TYPE_CHECKING:
    from schemacast.cast.outcome import Outcome
    from schemacast.episode import Episode
    from schemacast.schema.model import Schema

MARGIN = 40
MARK = "bold reverse"


def marked(text: str, start: int, end: int, *, margin: int = MARGIN) -> Text:
    """The characters around a span on one line, the span marked: by style, and by « » without colour."""
    before = text[max(0, start - margin) : start]
    after = text[end : end + margin]
    line = Text("…" if start > margin else "")
    line.append(_flat(before))
    line.append("«" + _flat(text[start:end]) + "»", style=MARK)
    line.append(_flat(after) + ("…" if end + margin < len(text) else ""))
    return line


def _flat(text: str) -> str:
    return "".join(
        " " if char.isspace() else char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text
    )


def quote_line(evidence: EvidenceDict, episode: Episode) -> Text:
    """Where something was read, marked in its text."""
    span = span_of(evidence)
    if span is None:
        return Text("stated by the source itself", style="dim")
    text = episode.text
    if span.context is not None:
        text = next(item.text for item in episode.context if item.source_id == span.context)
    line = marked(text, span.start, span.end)
    if span.context is not None:
        line.append(f"   in {span.context}", style="dim")
    return line


def print_outcome(outcome: Outcome, episode: Episode, schema: Schema) -> None:
    """Print what one text gave."""
    console = Output(soft_wrap=True)
    reason = f" ({outcome.reason}: {outcome.message})" if outcome.reason else ""
    kept = outcome.kept
    console.print(
        Text(
            f"{outcome.status}{reason}: {number(kept.vertices, 'vertex')}, {number(kept.edges, 'edge')}, "
            f"{number(kept.properties, 'property')}"
        )
    )
    if outcome.graph is not None:
        types = {record.ref: record.type for record in outcome.graph.records}
        for record in outcome.graph.records:
            stance = f" ({record.stance})" if record.stance else ""
            mention = " (known)" if record.known else "" if record.may_create else " (mention)"
            key = ", ".join(schema.vertices[record.type].identifying)
            _print_item(
                console,
                f"{record.ref} {record.type}{stance}{mention}",
                f"key: {key}",
                record.evidence,
                record.props,
                episode,
            )
        for relation in outcome.graph.relations:
            ends = f"{relation.source} {types[relation.source]} -> {relation.target} {types[relation.target]}"
            stance = f" ({relation.stance})" if relation.stance else ""
            _print_item(
                console, f"{relation.edge_id.relation}{stance}", ends, relation.evidence, relation.props, episode
            )
    for item in outcome.unmapped:
        console.print(Text.assemble(("unmapped ", "bold"), marked(episode.text, item.span.start, item.span.end)))
    for finding in outcome.findings:
        console.print(Text.assemble((f"removed {finding.finding} ", "red"), finding.message))
    for fix in outcome.fixes:
        console.print(Text.assemble((f"mended {fix.fix} ", "yellow"), fix.message))


def _print_item(
    console: Output, title: str, detail: str, evidence: EvidenceDict, props: Props, episode: Episode
) -> None:
    console.print(Text.assemble((title, "bold"), "  ", (detail, "dim")))
    console.print(Text("    ").append_text(quote_line(evidence, episode)))
    for name, stated in props.items():
        for one in stated if isinstance(stated, tuple) else (stated,):
            console.print(_property_line(name, one, episode))


def _property_line(name: str, stated: Stated, episode: Episode) -> Text:
    line = Text(f"    {name} = {scalar_to_json(stated.value)}")
    if stated.support != "stated":
        line.append(f" ({stated.support})", style="dim")
    return line.append("   ").append_text(quote_line(stated.evidence, episode))
