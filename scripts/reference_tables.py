"""Write the tables of docs/reference.md that the code itself knows: commands, providers, examples, locales, words.

    python scripts/reference_tables.py           write them
    python scripts/reference_tables.py --check   fail when they are not up to date

Each stands between `<!-- NAME -->` and `<!-- /NAME -->`; the rest of the page is written by hand. The examples of
findings are rows of the tables that the tests read, so that none is on the page that does not do what it says.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any, get_args

sys.path.insert(0, str(Path(__file__).resolve().parent))

import rules_page

from schemacast.cast.outcome import FindingName
from schemacast.cli.main import parser
from schemacast.language.calendar_words import calendar_data
from schemacast.language.number_lexicon import LEXICONS
from schemacast.language.number_style import number_style
from schemacast.language.qualifier_words import (
    DASHES,
    QUALIFIERS,
    SIGNS_AFTER,
    SIGNS_BEFORE,
    UNSPACED_AFTER,
    UNSPACED_BEFORE,
    UNSPACED_RANGES,
    QualifierWords,
)
from schemacast.language.relative_words import LANGUAGES as RELATIVE
from schemacast.llm.providers import PROVIDERS

PAGE = rules_page.ROOT / "docs" / "reference.md"

EXAMPLES: Mapping[FindingName, tuple[str, str, str, str]] = {
    "malformed": ("shape", "an edge without a target", "shape", "an integer ref"),
    "duplicate_ref": ("shape", "two vertices with one ref", "ends", "both ends stand"),
    "unknown_type": ("shape", "a type that the schema lacks", "names", "a synonym of a type"),
    "undeclared_property": (
        "shape",
        "a property that the type lacks",
        "names",
        "a property by synonym, case and separators",
    ),
    "duplicate_property": (
        "lists",
        "different values of a single property",
        "lists",
        "a list given as several properties",
    ),
    "dangling_ref": ("ends", "a ref that names nothing", "ends", "both ends stand"),
    "undeclared_edge": ("names", "a relation between types it does not join", "names", "an edge the other way round"),
    "endpoint_removed": ("ends", "a vertex of an unknown type", "ends", "a self-loop"),
    "quote_not_found": (
        "context",
        "a vertex whose quote only the context states",
        "place",
        "a quote in another case and spacing",
    ),
    "quote_cuts_token": ("value_tokens", "a part of a name", "value_tokens", "a whole name beside a longer one"),
    "quote_unrelated": ("unrelated_edge", "neither end", "unrelated_edge", "one end is enough"),
    "value_not_in_quote": ("numbers", "a number computed by the model", "numbers", "a number word"),
    "value_type": ("units", "another kind of unit", "units", "converted"),
    "value_constraint": ("constraints", "only a part matches", "constraints", "it matches"),
    "value_ambiguous": ("ambiguous", "day or month", "ambiguous", "only one order is a date"),
    "value_qualified": ("qualified", "a hedge", "qualified", "a bound is what is wanted"),
    "not_asserted": ("stance", "an edge that the text denies", "stance", "an edge that is planned, and may be"),
    "key_insufficient": ("identity", "nothing", "identity", "an alternate"),
}
"""Of each finding the table and row of a refused example, and of one that is accepted. A cut reply is no item's."""

PARTS = {
    "before": "directly before the number, or its currency",
    "after": "directly behind it, or its unit",
    "aside": "behind it in brackets, or after a comma",
    "between": "before the first of two numbers",
    "between_join": "between those two",
    "ranges": "between two numbers, as a range",
    "alternatives": "between two numbers, as a choice",
    "changes": "words (or their beginnings) after which two numbers are a change, not a range",
    "harmless": "phrases with such a word that say nothing about the number",
    "topics": "words that the words in the next row may follow harmlessly",
    "topical": "after those they tell what something is about",
    "itself": "numbers that are vague themselves",
    "told_only": "of all these, those that count only where the locale says the language",
    "own_only": "of all these, those that count in this language only",
}


def cells(*columns: str) -> str:
    return "| " + " | ".join(columns) + " |"


def code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


def commands() -> Iterator[str]:
    yield from below("schemacast", parser())


def below(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    """The commands of a command, each with its arguments and then its own commands."""
    for group in (action for action in command._actions if isinstance(action, argparse._SubParsersAction)):
        for part, inner in group.choices.items():
            yield f"### {name} {part}\n"
            yield f"{inner.description}\n"
            yield from arguments_of(inner)
            yield from below(f"{name} {part}", inner)


def arguments_of(command: argparse.ArgumentParser) -> Iterator[str]:
    ours = [
        action
        for action in command._actions
        if not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)
    ]
    if not ours:
        return
    yield cells("argument", "what", "")
    yield "|---|---|---|"
    for action in ours:
        value = "" if action.nargs == 0 else f" {value_of(action)}"
        shown = code(action.option_strings[-1] + value if action.option_strings else str(action.metavar))
        needed = "required" if action.required else ""
        several = "may be repeated" if isinstance(action, argparse._AppendAction) or action.nargs == "+" else ""
        note = ", ".join(filter(None, (needed, several)))
        yield cells(shown, (action.help or "").replace("%%", "%").replace("|", "\\|"), note)
    yield ""


def value_of(action: argparse.Action) -> str:
    """What stands for the value of an option: its name, the names of several, or what may be chosen."""
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    return action.metavar or "|".join(map(str, action.choices or ()))


def providers() -> Iterator[str]:
    yield cells("provider", "key", "package to install", "reached by")
    yield "|---|---|---|---|"
    for name, provider in sorted(PROVIDERS.items()):
        keys = " or ".join(map(code, provider.keys)) or "none"
        keys += ", may be missing" if provider.keyless and provider.keys else ""
        if provider.protocol == "foreign":
            reach = "its own protocol" + (", `--base-url`" if name == "azure_openai" else "")
        else:
            reach = code(provider.base_url) if provider.base_url else "`--base-url`"
        package = "comes with SchemaCast" if provider.install == "openai" else code(provider.install)
        yield cells(code(f"{name}/…"), keys, package, reach)
    yield ""


def examples() -> Iterator[str]:
    if set(EXAMPLES) != set(get_args(FindingName)) - {"cut_reply"}:
        raise SystemExit("scripts/reference_tables.py: EXAMPLES does not have every finding")
    yield cells("finding", "removed", "kept")
    yield "|---|---|---|"
    for finding, (table, name, other_table, other) in EXAMPLES.items():
        refused, accepted = row(table, name), row(other_table, other)
        if finding not in found_in(refused) or found_in(accepted):
            raise SystemExit(f"scripts/reference_tables.py: {table}: {name!r} or {other!r} is no example of {finding}")
        yield cells(code(finding), in_words(refused), in_words(accepted))
    yield cells(code("cut_reply"), "the reply breaks off in its third vertex: the third is lost", "the two before it")
    yield ""


def row(table: str, name: str) -> Mapping[str, Any]:
    read = rules_page.load(rules_page.CAST / f"{table}.yaml")
    found = next(one for one in read["rows"] if one["lang"] == "en" and one["name"] == name)
    return {**({"property": read["property"]} if "property" in read else {}), **found}


def found_in(example: Mapping[str, Any]) -> list[str]:
    return [example["finding"]] if "finding" in example else example.get("findings", [])


def in_words(example: Mapping[str, Any]) -> str:
    """An example in one cell: the text, what the model gave, and for a value what is kept."""
    text = f"“{rules_page.text_cell(example)}”"
    if "reply" in example:
        return f"{text}<br>{rules_page.reply_cell(example)}"
    given = f"{code(rules_page.compact(example['property']))}: {rules_page.cell(example['value'])}"
    kept = "" if "finding" in example else f" is {rules_page.cell(example['is'])}"
    return f"{text}<br>{given}{kept}"


def separators() -> Iterator[str]:
    """Of every language with dates its separators, grouped by what they are."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for locale in sorted({*calendar_data()["months"], "de-CH", "de-AT", "en-ZA", "es-MX", "fr-CH", "pt-PT", "it-CH"}):
        style = number_style(locale)
        assert style is not None
        groups[style.decimal, style.group].append(locale)
    yield cells("decimals", "thousands", "for example")
    yield "|---|---|---|"
    for (decimal, group), locales in groups.items():
        yield cells(code(decimal), "a space" if group == " " else code(group), " ".join(map(code, locales)))
    yield ""


def orders() -> Iterator[str]:
    groups: dict[str, list[str]] = defaultdict(list)
    for locale, order in sorted(calendar_data()["orders"].items()):
        if locale != "en":  # a bare `en` decides nothing: see `locale_setting`
            groups[order].append(locale)
    names = {"dmy": "day, month, year", "mdy": "month, day, year", "ymd": "year, month, day"}
    yield cells("order", "locales")
    yield "|---|---|"
    for order, locales in groups.items():
        yield cells(names[order], " ".join(map(code, locales)))
    yield ""


def languages() -> Iterator[str]:
    calendar = calendar_data()
    yield cells("what", "languages")
    yield "|---|---|"
    yield cells("number words", ", ".join(map(code, LEXICONS)) + ", and Han numerals")
    yield cells("relative dates", ", ".join(map(code, RELATIVE)) + ", and the commonest of `ja`, `zh`, `ko`")
    yield cells(
        "names of months and days", ", ".join(map(code, calendar["months"])) + ", and the dates of `ja`, `zh`, `ko`"
    )
    yield cells("qualifiers", ", ".join(map(code, QUALIFIERS)) + ", and those of scripts without spaces")
    yield ""


def qualifiers() -> Iterator[str]:
    for language, words in QUALIFIERS.items():
        yield f"**{language}**\n"
        yield cells("where", "words")
        yield "|---|---|"
        for field in fields_of(QualifierWords):
            listed: str = getattr(words, field.name)
            if listed:
                yield cells(PARTS[field.name], ", ".join(listed.split("|")))
        yield ""
    yield "**Signs, and scripts without spaces**\n"
    yield cells("where", "signs or words")
    yield "|---|---|"
    for where, signs in (
        ("before the number", SIGNS_BEFORE),
        ("behind it", SIGNS_AFTER),
        ("between two numbers", DASHES),
        ("touching it, before", UNSPACED_BEFORE),
        ("touching it, its unit or its counter, behind", UNSPACED_AFTER),
        ("touching two numbers, between", UNSPACED_RANGES),
    ):
        yield cells(where, " ".join(map(code, signs)))
    yield ""


SECTIONS: Mapping[str, Callable[[], Iterator[str]]] = {
    "commands": commands,
    "providers": providers,
    "examples of findings": examples,
    "separators": separators,
    "date orders": orders,
    "languages": languages,
    "qualifiers": qualifiers,
}


def page(written: str) -> str:
    """The page with each table as the code has it now."""
    for name, section in SECTIONS.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if len(pattern.findall(written)) != 1:
            raise SystemExit(f"docs/reference.md has no place for {name!r}")
        table = "\n".join(section())
        written = pattern.sub(lambda found, table=table: f"{found[1]}\n{table}\n{found[2]}", written)
    return written


def main() -> int:
    before = PAGE.read_text(encoding="utf-8")
    after = page(before)
    if "--check" in sys.argv[1:]:
        if before != after:
            print("docs/reference.md is not up to date: run python scripts/reference_tables.py")
        return int(before != after)
    PAGE.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
