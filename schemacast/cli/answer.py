"""An answer for a person: its text with what is not verified marked, its citations, and how it was judged."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from schemacast.cli.console import Output
from schemacast.cli.plain import shown
from schemacast.cli.show import MARK, marked
from schemacast.qa.entry import Answer, Cited
from schemacast.qa.verdict import reasons_of

MARGIN = 120
"""Characters of the sentence around a quote that are shown at most, on each side."""
DOUBT = "bold red"


def print_answer(answer: Answer) -> None:
    """Print it."""
    console = Output(soft_wrap=True)
    console.print(answer_text(answer))
    if answer.citations:
        console.print()
    letter = "" if answer.record["answer_mode"] == "quote" else "E"
    for cited in _each_once(answer.citations):
        console.print(citation_line(cited, letter=letter))
    if answer.unverified:
        console.print("\n[bold]not verified[/bold]")
    reasons = reasons_of(answer.unverified, answer.record["violations"])
    for span, why in zip(answer.unverified, reasons, strict=True):
        also = f"; unsupported: {shown(span.unsupported_part)}" if span.unsupported_part else ""
        other = f"; [{letter}{span.suggest}] has it" if span.suggest is not None else ""
        said = (f"⟨{shown(span.text)}⟩  ", DOUBT) if span.text else ""
        console.print(Text.assemble("  ", said, f"{shown(why)}{also}{other}"))
    console.print()
    console.print(Text.assemble((answer.audit_mode, "bold"), f": {shown(answer.why)}"))


def answer_text(answer: Answer) -> Text:
    """The answer with ⟨ ⟩ around what no citation bears out."""
    text = Text()
    position = 0
    for start, end in sorted(_places(answer)):
        if start < position:
            continue
        text.append(_lines(answer.text[position:start]))
        text.append(f"⟨{_lines(answer.text[start:end])}⟩", style=DOUBT)
        position = end
    text.append(_lines(answer.text[position:]))
    return text


def _places(answer: Answer) -> Iterator[tuple[int, int]]:
    """Where what is not verified stands in the shown text; claims of a JSON answer are lines of it."""
    for span in answer.unverified:
        start = span.start if answer.text[span.start : span.end] == span.text else answer.text.find(span.text)
        if span.text and start >= 0:
            yield start, start + len(span.text)


def citation_line(cited: Cited, *, letter: str = "") -> Text:
    """Number (with the letter of its answer mode), source, characters, and the quote marked in its sentence."""
    title = f" ({shown(cited.title)})" if cited.title not in ("", cited.source_id) else ""
    line = Text.assemble((f"[{letter}{cited.number}] ", "bold"), shown(cited.source_id), title)
    line.append(f", characters {cited.char_start} to {cited.char_end}: ", style="dim")
    if not cited.sentence:
        return line.append(f"«{shown(cited.quote)}»", style=MARK)
    start = cited.char_start - cited.sentence_start
    return line.append_text(marked(cited.sentence, start, start + len(cited.quote), margin=MARGIN))


def _each_once(citations: tuple[Cited, ...]) -> list[Cited]:
    """The citations by their numbers, the same span of one number once."""
    places = {(each.number, each.source_id, each.char_start, each.char_end): each for each in citations}
    return [places[place] for place in sorted(places)]


def _lines(text: str) -> str:
    """The text of others with its line ends, and without control characters."""
    return "\n".join(shown(line) for line in text.splitlines()) + ("\n" if text.endswith("\n") else "")
