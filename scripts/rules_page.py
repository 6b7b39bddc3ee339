"""Write docs/rules.md: the tables of examples of every rule, as the tests read them.

    python scripts/rules_page.py           write the page
    python scripts/rules_page.py --check   fail when it is not up to date

The tables are YAML files beside the tests that check them; this only lays them out for reading, so that a row on
the page is a row that a test has seen. Long texts are cut in the middle.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "rules.md"
CAST = ROOT / "tests" / "cast" / "tables"
LANGUAGE = ROOT / "tests" / "language" / "tables"
LANGUAGES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "ja": "Japanese",
    "zh": "Chinese",
    "ko": "Korean",
}
LONGEST = 110

RULES = (
    ("Shape", ("shape", "names", "ends", "lists")),
    ("Place", ("place", "context")),
    ("Tokens", ("evidence_tokens", "value_tokens")),
    ("Width", ("width",)),
    ("Relation to what it proves", ("unrelated_vertex", "unrelated_edge")),
    ("Value", ("strings", "enums", "numbers", "units", "dates", "judged", "ambiguous", "constraints")),
    ("Qualified", ("qualified",)),
    ("Stance", ("stance",)),
    ("Identity", ("identity",)),
    ("Known", ("known",)),
)
"""The nine steps and the tables of each, in the order in which an item goes through them."""

INTRODUCTION = """\
# The rules by example

This page is written by `scripts/rules_page.py` from the tables that the tests read: each row is checked. The steps are
explained in [how-a-cast-works.md](how-a-cast-works.md#validation), the names of findings and fixes in
[reference.md](reference.md#findings).

In the tables of validation a row has the text, what the model gave, and what came of it: the value that is kept, or the
**finding** that removed it. *Italics* name what differs from the rest of its table (property, locale, reference time).
"""


class PlainLoader(yaml.SafeLoader):
    """Dates in a table are text."""


PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), PlainLoader)


def cell(text: object) -> str:
    """A text as it can stand in a table: on one line, cut when long, its marks without meaning."""
    shown = " ↵ ".join(str(text).splitlines()) if isinstance(text, str) else compact(text)
    if len(shown) > LONGEST:
        shown = f"{shown[: LONGEST // 2]} … {shown[-LONGEST // 2 :]}"
    shown = "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in shown)
    for mark in "\\`*_|<>[]#~":
        shown = shown.replace(mark, f"\\{mark}" if mark not in "<>" else {"<": "&lt;", ">": "&gt;"}[mark])
    return shown


def compact(value: object) -> str:
    """JSON without the quotation marks that nobody needs to read."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {compact(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(compact, value)) + "]"
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    columns = list(head)
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "---|" * len(columns)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def prop_text(prop: Any) -> str:
    if not isinstance(prop, Mapping) or not prop.get("name"):
        return compact(prop)
    quote = f" from “{prop['quote']}”" if prop.get("quote") else ""
    return f"{prop['name']} = {compact(prop.get('value'))}{quote}"


def item_text(item: Any) -> str:
    """One item of a reply: what it is, its quote, its properties."""
    known = {"ref", "type", "quote", "props", "mention", "stance", "relation", "from", "to"}
    if not isinstance(item, Mapping) or not (known >= set(item)) or not isinstance(item.get("props", []), list):
        return compact(item)
    if "relation" in item:
        what = f"{compact(item.get('from'))} {compact(item['relation'])} {compact(item.get('to'))}"
    else:
        what = f"{compact(item.get('ref'))}: {compact(item.get('type'))}"
    marks = [f"“{item['quote']}”"] if item.get("quote") else []
    marks += ["mention"] if item.get("mention") else []
    marks += [f"stance {compact(item['stance'])}"] if item.get("stance") else []
    props = "; ".join(map(prop_text, item.get("props", [])))
    return " ".join([what, *marks]) + (f" ({props})" if props else "")


def reply_cell(fields: Mapping[str, Any]) -> str:
    reply = fields["reply"]
    known = fields.get("known")
    shown = [f"known: {cell(known)}"] if known else []
    if isinstance(reply, Mapping) and set(reply) <= {"vertices", "edges", "unmapped"}:
        for name in ("vertices", "edges", "unmapped"):
            items = reply.get(name) or []
            shown += [cell(item_text(item)) for item in items] if isinstance(items, list) else [cell({name: items})]
    else:
        shown.append(cell(reply))
    return "<br>".join(shown) or "nothing"


def reply_result(fields: Mapping[str, Any]) -> str:
    kept = [cell(f"{ref} {compact(props)}") for ref, props in fields["kept"].items()]
    kept += [cell(edge) for edge in fields.get("edges", [])]
    kept += [f"**{finding}**" for finding in fields.get("findings", [])]
    kept += [f"fix {fix}" for fix in dict.fromkeys(fields.get("fixes", []))]
    return "<br>".join(kept) or "nothing is kept"


def setting(fields: Mapping[str, Any]) -> str:
    """What differs from the rest of the table, for the first column."""
    parts = [cell(fields["name"])]
    if "property" in fields:
        parts.append(f"*{cell(fields['property'])}*")
    given = {name: fields[name] for name in ("locale", "reference", "timezone") if name in fields}
    parts += [f"*{name} {cell('none' if value is None else value)}*" for name, value in given.items()]
    return "<br>".join(parts)


def text_cell(fields: Mapping[str, Any]) -> str:
    context = [f"earlier: {cell(item['text'])}" for item in fields.get("context", [])]
    return "<br>".join([*context, cell(fields["text"])])


def value_row(fields: Mapping[str, Any]) -> tuple[str, ...]:
    text = text_cell(fields)
    if "quote" in fields:
        text += f"<br>quote: {cell(fields['quote'])}"
    if "finding" in fields:
        result = f"**{fields['finding']}**"
    else:
        result = cell(fields["is"])
        if fields.get("support", "stated") != "stated":
            result += f" ({fields['support']})"
        if "fix" in fields:
            result += f"<br>fix {fields['fix']}"
    return setting(fields), text, cell(fields["value"]), result


def validation() -> Iterator[str]:
    named = {name for _, names in RULES for name in names}
    files = {path.stem for path in CAST.glob("*.yaml")}
    if named != files:
        raise SystemExit(f"scripts/rules_page.py: RULES and {CAST} differ: {sorted(named ^ files)}")
    for heading, names in RULES:
        yield f"\n## {heading}\n"
        for name in names:
            if len(names) > 1:
                yield f"### {name.replace('_', ' ').capitalize()}\n"
            yield from rule(load(CAST / f"{name}.yaml"))


def rule(read: Mapping[str, Any]) -> Iterator[str]:
    yield f"{read['about']} (`{read['rule']}`)\n"
    if "property" in read:
        yield f"The property is `{compact(read['property'])}`, where a row says nothing else.\n"
    for language, spoken in LANGUAGES.items():
        rows = [fields for fields in read["rows"] if fields["lang"] == language]
        whole = [fields for fields in rows if "reply" in fields]
        single = [fields for fields in rows if "reply" not in fields]
        if rows:
            yield f"**{spoken}**\n"
        if single:
            yield from table(("", "text", "the model's value", "kept, or why not"), map(value_row, single))
        if whole:
            yield from table(
                ("", "text", "the model's items", "kept, findings, fixes"),
                ((setting(fields), text_cell(fields), reply_cell(fields), reply_result(fields)) for fields in whole),
            )


def numbers() -> Iterator[str]:
    yield "\n## Numbers that are read\n"
    yield "The number, its value and its unit. Two values: the locale would have to decide.\n"
    for locale, rows in load(LANGUAGE / "numbers.yaml").items():
        yield f"**Locale: {'none' if locale == 'any' else locale}**\n"
        yield from table(("text", "reads"), ((cell(row["text"]), number_reads(row["reads"])) for row in rows))


def number_reads(reads: list[Any]) -> str:
    shown = []
    for number, value, unit in reads:
        values = " or ".join(value) if isinstance(value, list) else value
        shown.append(f"{cell(number)}: {cell(values)}{' ' + cell(unit) if unit else ''}")
    return "<br>".join(shown) or "no number"


def units() -> Iterator[str]:
    yield "\n## Units that are converted\n"
    yield "Exactly, or not at all.\n"
    rows = (
        (cell(value), cell(old), cell(new), cell(result or "none"))
        for value, old, new, result in load(LANGUAGE / "units.yaml")
    )
    yield from table(("value", "from", "to", "is"), rows)


def dates() -> Iterator[str]:
    yield "\n## Dates and times that are read\n"
    yield "The reference time is Thursday, 2026-03-05 10:30, unless a table says otherwise. What is left out stays out:"
    yield "`2026-03` has no day, `--03-02` no year, `T14:02` is a time alone. “or” parts what stays open.\n"
    for group in load(LANGUAGE / "dates.yaml"):
        locale = group.get("locale")
        said = [f"locale {locale}" if locale else "no locale"]
        if "reference" in group:
            said.append(f"reference time {group['reference']}" if group["reference"] else "no reference time")
        yield f"**{group['rule'].capitalize()}** ({', '.join(said)})\n"
        rows = group["rows"]
        yield from table(("text", "reads"), ((cell(row["text"]), moment_reads(row["reads"])) for row in rows))


def moment_reads(reads: Any) -> str:
    found = dict(reads)
    return (
        "<br>".join(f"{cell(words)}: {cell(str(moment) or 'not known')}" for words, moment in found.items())
        or "no date"
    )


def qualifiers() -> Iterator[str]:
    yield "\n## Qualifiers beside a number\n"
    yield "The word that a plain number would lose; none: the number is plain.\n"
    for locale, rows in load(LANGUAGE / "qualifiers.yaml").items():
        yield f"**{LANGUAGES[locale]}**\n"
        shown = ((cell(row["text"]), cell(row["number"]), cell(row["qualifier"] or "none")) for row in rows)
        yield from table(("text", "number", "qualifier"), shown)


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION, *validation(), *numbers(), *units(), *dates(), *qualifiers()]
    return "\n".join(parts).rstrip() + "\n"


def main() -> int:
    written = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != written:
            print("docs/rules.md is not up to date: run python scripts/rules_page.py")
            return 1
        return 0
    PAGE.write_text(written, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
