"""Builds answers with a known right verdict from texts: true controls, and one kind of error at a time.

Each case is an answer in one of the three answer modes, the texts it may cite, and whether STRICT would be right. The
errors are made by rule from a true sentence, so that no rule of the verifier can be fitted to a wording: a number, a
unit or a date changed, a denial put in or taken out, names exchanged, a tail added, a middle left out, the citation of
another text, pieces of two sentences joined. A sentence that a rule does not apply to gives no case.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from schemacast.ground import locate
from schemacast.language.sentences import sentences
from schemacast.qa.judge import SourceText

OWN = Path(__file__).with_name("texts.jsonl")
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w'’-]+(?: (?:[a-z]{1,3} )?[A-Z][\w'’-]+)*")
_FIGURE = re.compile(r"(?<![\w.,-])\d[\d.,]*(?<![.,])(?![\w-])")
_UNIT = re.compile(
    r"(?<=\d )(kilometres|metres|kW|bar|kg|tonnes|kilograms|litres|percent|million|Meter|mètres|metros)\b"
)
_OTHER_UNIT = {
    "kilometres": "miles", "metres": "kilometres", "kW": "MW", "bar": "mbar", "kg": "g", "tonnes": "kilograms",
    "kilograms": "tonnes", "litres": "millilitres", "percent": "percentage points", "million": "billion",
    "Meter": "Kilometer", "mètres": "kilomètres", "metros": "kilómetros",
}  # fmt: skip
_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
_DENIALS = (
    (" did not ", " did "), (" does not ", " does "), (" was not ", " was "), (" never ", " "), (" no ", " "),
    (" nicht ", " "), (" keine ", " "), (" must not ", " must "), ("No ", "Some "), ("Neither pump", "Each pump"),
    ("ではない", "である"), ("No se ", "Se "), (" no fue ", " fue "),
)  # fmt: skip
_AUXILIARIES = re.compile(r" (was|were|is|are|has|had|wurde|war|a|est|fue) ")
_COMPARED = (
    ("Less than", "More than"), ("more than", "less than"), ("at least", "at most"), ("fewer than", "more than"),
    ("no more than", "at least"), ("about ", "more than "), ("nearly", "more than"), ("rund", "mehr als"),
)  # fmt: skip
_OPENERS = ("The", "It", "In", "She", "A", "An", "No", "Das", "Le", "El", "La", "This", "If", "Python")
_QUANTIFIED = (("Most of", "All of"), ("Some of", "All of"), ("Some of", "None of"), ("hundreds", "dozens"))
_ORDERED = (("before", "after"), ("until", "since"), ("since", "until"), ("below", "above"), ("last", "first"))
_WORDS = (
    ("elected", "appointed"), ("rejected", "accepted"), ("born", "buried"), ("launched", "scrapped"),
    ("densest", "lightest"),
    ("closed", "sold"), ("first", "second"), ("destroyed", "damaged"), ("elder", "younger"), ("boils", "freezes"),
    ("ended", "began"), ("leitete", "plante"), ("relie", "sépare"), ("une ", "separa "), ("結んで", "隔てて"),
    ("opened", "closed"), ("lowers", "raises"), ("net profit", "gross profit"), ("won", "refused"), ("rises", "ends"),
)  # fmt: skip
_TAILS = (
    ", the largest of its kind", " because of the war", " for the first time in history", ", which surprised everyone",
    " and was later sold", " despite heavy protests", ", mostly at night", " without any help",
)  # fmt: skip
_HEDGES = (
    (" may ", " will "),
    (" could ", " will "),
    (" expects ", " sees "),
    (" should ", " must "),
    (" Analysts believe that the ", "The "),
)


@dataclass(frozen=True)
class Case:
    """An answer, the texts it may cite, and whether STRICT is the right verdict."""

    kind: str
    answer: str
    mode: str
    sources: tuple[SourceText, ...]
    strict: bool


@dataclass(frozen=True)
class Stated:
    """A sentence of the texts: its text, the number of its source, and its neighbours."""

    text: str
    number: int
    others: tuple[str, ...]


Change = Callable[[Stated, random.Random], Iterator[str]]


def read_texts(paths: list[Path]) -> list[SourceText]:
    """The texts of JSON Lines files with `source_id`, `text` and perhaps `locale`."""
    found = []
    for path in [OWN, *paths]:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found.append(SourceText(row["source_id"], row["text"], locale=row.get("locale")))
    return found


def build(texts: list[SourceText], *, group: int = 4, seed: int = 11) -> list[Case]:
    """Every case the texts give, each over `group` texts of which it cites one."""
    rng = random.Random(seed)
    cases: list[Case] = []
    for first in range(0, len(texts), group):
        sources = tuple(texts[first : first + group])
        for number, source in enumerate(sources, start=1):
            own = tuple(source.text[start:end] for start, end in sentences(source.text))
            for text in own:
                stated = Stated(text, number, tuple(other for other in own if other != text))
                cases += _controls(stated, sources, rng)
                for kind, change in CHANGES.items():
                    for changed in change(stated, rng):
                        if changed and changed not in source.text:
                            cases += _in_modes(kind, changed, number, sources, strict=False)
                cases += _uncited(stated, sources)
                cases += _elided(stated, sources)
                cases += _around_quotes(stated, sources, rng)
                cases += _swapped(stated, sources)
                cases += _listed(stated, sources)
    return cases


def _claim(text: str) -> str:
    return text.rstrip(".。")


def _in_modes(kind: str, text: str, number: int, sources: tuple[SourceText, ...], *, strict: bool) -> Iterator[Case]:
    """The claim in prose with a citation, in a pointer line and in JSON."""
    claim = _claim(text)
    yield Case(kind, f"{claim} [{number}].", "quote", sources, strict)
    yield Case(kind, f"- {claim}. [E{number}]", "claim_lattice_pointer", sources, strict)
    if '"' not in claim:
        item = {"text": claim, "evidence_ids": [f"E{number}"]}
        yield Case(kind, json.dumps({"claims": [item]}, ensure_ascii=False), "claim_lattice", sources, strict)


def _controls(stated: Stated, sources: tuple[SourceText, ...], rng: random.Random) -> Iterator[Case]:
    """True answers: verbatim, quoted whole, quoted in part behind their own subject, with a lead-in."""
    claim, number = _claim(stated.text), stated.number
    yield from _in_modes("true: verbatim", stated.text, number, sources, strict=True)
    if '"' in claim or "„" in claim:
        return
    lead = rng.choice(("The source says: ", "According to the text, ", "The document states that ", ""))
    yield Case("true: quoted", f'{lead}"{claim}" [{number}].', "quote", sources, strict=True)
    words = claim.split(" ")
    if len(words) > 7:
        cut = 3 if words[2][:1].islower() else 4
        yield Case(
            "true: quoted in part", f'{" ".join(words[:cut])} "{" ".join(words[cut:])}" [{number}].', "quote", sources,
            strict=True,
        )  # fmt: skip
    for kind, changed in _true_variants(claim):
        yield from _in_modes(kind, changed, number, sources, strict=True)


def _true_variants(claim: str) -> Iterator[tuple[str, str]]:
    """The same statement with a date, a number or a unit written otherwise, or an adverbial moved."""
    dated = re.search(r"on (\d{1,2}) ([A-Z][a-z]+) (\d{4})", claim)
    if dated and dated[2] in _MONTHS:
        yield "true: date rewritten", claim.replace(dated[0], f"on {dated[2]} {dated[1]}, {dated[3]}")
        yield (
            "true: date rewritten",
            claim.replace(dated[0], f"on {dated[3]}-{_MONTHS.index(dated[2]) + 1:02}-{int(dated[1]):02}"),
        )
    for word, digits in (("three", "3"), ("two", "2"), ("four", "4"), ("seis", "6"), ("sept", "7")):
        if re.search(rf"\b{word}\b", claim):
            yield "true: number rewritten", re.sub(rf"\b{word}\b", digits, claim)
    for unit, short in (("metres", "m"), ("kilometres", "km"), ("percent", "%"), ("kilograms", "kg")):
        if re.search(rf"\d {unit}\b", claim):
            yield "true: unit rewritten", re.sub(rf"(?<=\d) {unit}\b", f" {short}", claim)


def _changed_number(stated: Stated, rng: random.Random) -> Iterator[str]:
    for match in _FIGURE.finditer(stated.text):
        digits = match.group()
        at = rng.choice([index for index, char in enumerate(digits) if char.isdigit()])
        other = (
            str((int(digits[at]) + rng.randint(1, 8)) % 10) if at or len(digits) == 1 else str(int(digits[at]) % 9 + 1)
        )
        yield stated.text[: match.start()] + digits[:at] + other + digits[at + 1 :] + stated.text[match.end() :]


def _changed_unit(stated: Stated, rng: random.Random) -> Iterator[str]:  # noqa: ARG001
    for match in _UNIT.finditer(stated.text):
        yield stated.text[: match.start()] + _OTHER_UNIT[match[1]] + stated.text[match.end() :]


def _changed_month(stated: Stated, rng: random.Random) -> Iterator[str]:
    for month in _MONTHS:
        if re.search(rf"\b{month}\b", stated.text):
            yield stated.text.replace(month, rng.choice([other for other in _MONTHS if other != month]))


def _negated(stated: Stated, rng: random.Random) -> Iterator[str]:
    denied = any(old in stated.text for old, _ in _DENIALS)
    match = _AUXILIARIES.search(stated.text)
    if match and not denied:
        word = {"wurde": "nicht", "war": "nicht"}.get(match[1], rng.choice(("not", "never")))
        if match[1] in ("a", "est"):
            if stated.text.startswith(("Le ", "Il ", "Pierre", "Riquet")):
                yield stated.text.replace(match.group(), f" n'{match[1]} pas ", 1)
        elif match[1] == "fue":
            yield stated.text.replace(" fue ", " no fue ", 1)
        else:
            yield stated.text[: match.end()] + word + " " + stated.text[match.end() :]
        if match[1] in ("was", "were", "is", "are"):
            yield f"It is not true that {stated.text[0].lower()}{stated.text[1:]}"
            yield f"It was denied that {stated.text}"


def _denial_dropped(stated: Stated, rng: random.Random) -> Iterator[str]:  # noqa: ARG001
    for old, new in _DENIALS:
        if old in stated.text:
            yield stated.text.replace(old, new, 1)


def _replaced(pairs: tuple[tuple[str, str], ...]) -> Change:
    def change(stated: Stated, rng: random.Random) -> Iterator[str]:  # noqa: ARG001
        for old, new in pairs:
            if re.search(rf"(?<!\w){re.escape(old)}" if old.isascii() else re.escape(old), stated.text):
                yield stated.text.replace(old, new, 1)

    return change


def _names_exchanged(stated: Stated, rng: random.Random) -> Iterator[str]:  # noqa: ARG001
    names = [
        match
        for match in re.finditer(r"\b[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*", stated.text)
        if match.group() not in _MONTHS
    ]
    names = [name for name in names if name.group().split()[0] not in _OPENERS]
    for one, other in pairwise(names):
        between = stated.text[one.end() : other.start()].strip()
        if between in ("and", "und", "y", "et", "", ",") or one.group() == other.group():
            continue
        text = stated.text
        yield text[: one.start()] + other.group() + text[one.end() : other.start()] + one.group() + text[other.end() :]


def _another_name(stated: Stated, rng: random.Random) -> Iterator[str]:
    names = {match.group() for other in stated.others for match in _NAME.finditer(other)} - set(_MONTHS)
    names = {name for name in names if name not in stated.text and stated.text.split()[0] not in name}
    own = [match for match in _NAME.finditer(stated.text) if match.group() not in _MONTHS]
    if names and own:
        match = rng.choice(own)
        yield stated.text[: match.start()] + rng.choice(sorted(names)) + stated.text[match.end() :]


def _tail(stated: Stated, rng: random.Random) -> Iterator[str]:
    yield _claim(stated.text) + rng.choice(_TAILS)


def _joined(stated: Stated, rng: random.Random) -> Iterator[str]:
    """The subject of this sentence with what another one says of its own."""
    verb = r" (?:was|were|is|are|has|had|did|built|became|weighs|wurde|war|mesure|mide) "
    mine = re.search(verb, stated.text)
    others = [match for other in stated.others if (match := re.search(verb, other))]
    if mine and others:
        other = rng.choice(others)
        subject, theirs = stated.text[: mine.start()], other.string[: other.start()]
        if subject.lower() not in ("it", "she", "es", "il") and theirs.lower() not in ("it", "she", "es", "il"):
            yield subject + other.string[other.start() :]


CHANGES: dict[str, Change] = {
    "changed number": _changed_number,
    "changed unit": _changed_unit,
    "changed month": _changed_month,
    "negated": _negated,
    "denial dropped": _denial_dropped,
    "changed comparator": _replaced(_COMPARED),
    "changed quantifier": _replaced(_QUANTIFIED),
    "changed relation": _replaced(_ORDERED),
    "changed word": _replaced(_WORDS),
    "hedge dropped": _replaced(_HEDGES),
    "names exchanged": _names_exchanged,
    "another name": _another_name,
    "added tail": _tail,
    "pieces of two sentences": _joined,
}


def _uncited(stated: Stated, sources: tuple[SourceText, ...]) -> Iterator[Case]:
    """A cited claim and a true one without a citation; a tail behind a cited quote."""
    claim, number = _claim(stated.text), stated.number
    if stated.others and not any(mark in claim + stated.others[0] for mark in '"„'):
        other = _claim(stated.others[0])
        yield Case("true but uncited", f'"{claim}" [{number}]. {other}.', "quote", sources, strict=False)
        yield Case(
            "true but uncited", f"{claim}. [E{number}]\n{other}.", "claim_lattice_pointer", sources, strict=False
        )
        yield Case(
            "tail behind a quote", f'"{claim}" [{number}], which made it famous.', "quote", sources, strict=False
        )
        yield Case(
            "tail behind a quote", f'"{claim}" [{number}]. This was widely praised.', "quote", sources, strict=False
        )


def _elided(stated: Stated, sources: tuple[SourceText, ...]) -> Iterator[Case]:
    words = _claim(stated.text).split(" ")
    if len(words) < 8 or '"' in stated.text:
        return
    for mark in (" ... ", " … ", " [...] ", " "):
        quote = " ".join(words[:3]) + mark + " ".join(words[6:])
        yield Case("elided middle", f'The text says "{quote}" [{stated.number}].', "quote", sources, strict=False)


def _around_quotes(stated: Stated, sources: tuple[SourceText, ...], rng: random.Random) -> Iterator[Case]:
    """A true quote in a sentence that says something else with it."""
    words, number = _claim(stated.text).split(" "), stated.number
    if len(words) < 8 or any(mark in stated.text for mark in '"„') or not stated.text.isascii():
        return
    first = rng.randint(2, 4)
    last = rng.randint(first + 3, len(words))
    before, quote, behind = " ".join(words[:first]), " ".join(words[first:last]), " ".join(words[last:])
    for kind, answer in (
        ("another subject of a quote", f'The Danish navy "{quote}" {behind}'),
        ("denial before a quote", f'{before} never "{quote}" {behind}'),
        ("denial before a quote", f'Critics deny that {before} "{quote}" {behind}'),
        ("hedge before a quote", f'It is unlikely that {before} "{quote}" {behind}'),
        ("hedge before a quote", f'{before} reportedly "{quote}" {behind}'),
        ("condition before a quote", f'If so, {before} "{quote}" {behind}'),
        ("number beside a quote", f'{before} "{quote}" {behind} {rng.randint(13, 19)} times'),
        ("tail behind a quote", f'{before} "{quote}" {behind}, unlike most others'),
    ):
        if kind != "denial before a quote" or " never " not in stated.text:
            yield Case(kind, f"{answer} [{number}].", "quote", sources, strict=False)


def _swapped(stated: Stated, sources: tuple[SourceText, ...]) -> Iterator[Case]:
    claim = _claim(stated.text)
    other = stated.number % len(sources) + 1
    if other != stated.number and locate(claim, sources[other - 1].text) is None:
        yield from _in_modes("swapped citation", stated.text, other, sources, strict=False)
        if '"' not in claim and "„" not in claim:
            yield Case("swapped citation", f'"{claim}" [{other}].', "quote", sources, strict=False)


def _listed(stated: Stated, sources: tuple[SourceText, ...]) -> Iterator[Case]:
    text = sources[stated.number - 1].text
    names = list(dict.fromkeys(match.group() for match in _NAME.finditer(text) if " " in match.group()))
    if len(names) > 1 and text.startswith(stated.text):
        yield Case("list of names", f"The main figures were {names[0]} and {names[1]}.", "quote", sources, strict=False)
        yield Case(
            "list of names", f"{names[0]} and {names[1]} worked together for years.", "quote", sources, strict=False
        )
