"""Whether a claim denies what a quote affirms, or affirms what it denies.

Both are cut into clauses, each with its denials; two denials in one clause cancel out. A clause of the claim answers
to that clause of the quote which shares most words with it, and only a denial of shared words counts: `sold two
ships without telling Brevik` does not deny that ships were sold. A denial before a `that` holds for what follows it.
Prefixes count where the other side has the word without them (`unsafe`, `safe`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from schemacast.claims.function_words import listed as listed_words
from schemacast.claims.negation_words import (
    CHINESE,
    CHINESE_HARMLESS,
    IN_ENDINGS,
    JAPANESE,
    JAPANESE_HARMLESS,
    NEGATIONS,
    NegationWords,
)
from schemacast.claims.words import Word, is_function_word, language_of, words

_MARK = re.compile(r"[;:.!?()\[\]—–。；：！？]|(?<!\d),|,(?!\d)|、")
_UNSPACED = {
    "ja": (re.compile(JAPANESE), re.compile(JAPANESE_HARMLESS)),
    "zh": (re.compile(CHINESE), re.compile(CHINESE_HARMLESS)),
}
"""What denies in languages without spaces, and what only looks so."""
_FACTIVE = listed_words("know realize realise notice forget wissen savoir saber")
_NUMBER_NAME = re.compile(r"[ \u00a0]?\.?[ \u00a0]?\d")
_SCOPE = 5
_MOST_CLAUSES = 400
_MOST_WORDS = 60
_LONGEST_PHRASE = 5

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cue:
    """A denial, and the stems of what it denies."""

    start: int
    end: int
    scope: frozenset[str]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause with its content words, its denials, and whether a word in it does for one."""

    start: int
    end: int
    stems: frozenset[str]
    cues: tuple[Cue, ...]
    weak: bool

    @property
    def denied(self) -> bool:
        return len(self.cues) % 2 == 1


def one_sided(claim: str, quote: str, locale: str | None) -> Iterator[tuple[Place, Place]]:
    """The places, in claim and quote, of each denial that stands in one of them only.

    Where there is no denial the place is the clause that lacks it.
    """
    language = language_of(claim + " " + quote, locale)
    theirs = clauses(quote, language)
    own = clauses(claim, language)
    yield from _denied_elsewhere(own, theirs)
    for mine in own:
        best = _answering(mine, theirs)
        if best is None:
            continue
        if mine.denied != best.denied:
            yield from _denial(mine, best)
        else:
            yield from _affixed(claim, quote, mine, best, language)


def _denied_elsewhere(own: tuple[Clause, ...], theirs: tuple[Clause, ...]) -> Iterator[tuple[Place, Place]]:
    """What the quote denies in a clause of its own and the claim affirms: `the workshop but not the office`."""
    for denying in theirs:
        if not denying.denied or not denying.cues[0].scope or denying.weak:
            continue
        scope = denying.cues[0].scope
        if any(scope & each.stems for each in theirs if not each.denied) or any(each.denied for each in own):
            continue
        affirming = next((each for each in own if scope <= each.stems), None)
        if affirming is not None and _answering(affirming, theirs) is not denying:
            yield (affirming.start, affirming.end), (denying.cues[0].start, denying.cues[0].end)


def _answering(mine: Clause, theirs: tuple[Clause, ...]) -> Clause | None:
    """The clause that shares most with one of the claim; of equals the one that says the same of it."""
    best = max(
        theirs, key=lambda each: (len(each.stems & mine.stems), each.denied == mine.denied, -each.start), default=None
    )
    return best if best is not None and best.stems & mine.stems else None


def _denial(mine: Clause, other: Clause) -> Iterator[tuple[Place, Place]]:
    denying, affirming = (mine, other) if mine.denied else (other, mine)
    if affirming.weak and not affirming.cues:
        return
    cue = next((each for each in denying.cues if each.scope & affirming.stems), None)
    if cue is None:
        return
    places = (cue.start, cue.end), (affirming.start, affirming.end)
    yield places if denying is mine else (places[1], places[0])


@lru_cache(maxsize=256)
def clauses(text: str, language: str | None) -> tuple[Clause, ...]:
    """The clauses of a text that have content words, in order."""
    if language in _UNSPACED:
        return tuple(_unspaced(text, *_UNSPACED[language]))
    listed = NEGATIONS.get(language or "en", NEGATIONS["en"])
    found: list[Clause] = []
    carried: Cue | None = None
    for inside in _split(text, listed):
        clause = _clause(text, inside, listed, language)
        first = inside[0].folded
        if carried is not None and (first in listed.that or not carried.scope):
            clause = Clause(
                clause.start, clause.end, clause.stems,
                (*clause.cues, Cue(carried.start, carried.end, clause.stems)), clause.weak,
            )  # fmt: skip
        carried = clause.cues[0] if clause.denied and not any(word.stem in _FACTIVE for word in inside) else None
        if clause.stems:
            found.append(clause)
    return tuple(found[:_MOST_CLAUSES])


def _split(text: str, listed: NegationWords) -> Iterator[list[Word]]:
    """The words of each clause; a word that begins a clause stands in it."""
    inside: list[Word] = []
    end = 0
    for word in words(text):
        gap = text[end : word.start]
        breaks = _MARK.search(gap) is not None
        if inside and (breaks or word.folded in listed.clauses or len(inside) == _MOST_WORDS):
            yield inside
            inside = []
        inside.append(word)
        end = word.end
    if inside:
        yield inside


def _clause(text: str, inside: list[Word], listed: NegationWords, language: str | None) -> Clause:
    harmless = _harmless(inside, listed)
    cues: list[Cue] = []
    repeated: list[Cue] = []
    weak = False
    marked = any(word.folded in listed.markers for word in inside)
    for at, word in enumerate(inside):
        if at in harmless:
            continue
        weak = weak or word.folded in listed.weak
        if not _denies(text, word, listed, marked=marked):
            continue
        cue = Cue(word.start, word.end, _scope(inside, at, listed, language))
        if word.folded in listed.concord or word.folded in listed.needing:
            repeated.append(cue)
        elif word.folded in listed.verbs and not _denying_verb(inside, at):
            weak = True
        else:
            cues.append(cue)
    if not cues and repeated and (listed.markers or repeated[0].scope):
        cues = repeated[:1]
    if cues and any(word.folded in ("until", "till", "avant", "hasta") for word in inside):
        cues = [cue for cue in cues if text[cue.start : cue.end].lower() not in ("not", "n't", "no", "pas")]
    stems = frozenset(
        word.stem
        for at, word in enumerate(inside)
        if not is_function_word(word, language) and not _is_cue(word, listed)
    )
    return Clause(inside[0].start, inside[-1].end, stems, tuple(cues), weak)


def _is_cue(word: Word, listed: NegationWords) -> bool:
    return word.folded in listed.plain or word.folded in listed.concord or word.folded in listed.verbs


def _denies(text: str, word: Word, listed: NegationWords, *, marked: bool) -> bool:
    folded = word.folded
    if folded in listed.needing:
        return marked
    if folded in listed.concord:
        return folded != "any"
    if folded == "no" and _NUMBER_NAME.match(text, word.end):
        return False  # `No. 5`
    return folded in listed.plain or folded in listed.verbs or folded in listed.falsehoods


def _denying_verb(inside: list[Word], at: int) -> bool:
    """`failed to sail` denies the sailing; `the pump failed` denies nothing."""
    if not inside[at].stem.startswith(("fail", "refus", "declin")):
        return True
    return at + 1 < len(inside) and inside[at + 1].folded in ("to", "de", "a", "in")


def _harmless(inside: list[Word], listed: NegationWords) -> set[int]:
    """The positions of words in phrases that deny nothing."""
    found: set[int] = set()
    for at in range(len(inside)):
        for length in range(2, min(_LONGEST_PHRASE, len(inside) - at) + 1):
            if " ".join(word.folded for word in inside[at : at + length]) in listed.harmless:
                found.update(range(at, at + length))
    return found


def _scope(inside: list[Word], at: int, listed: NegationWords, language: str | None) -> frozenset[str]:
    """What a denial denies: the next content words, or those before it where none follow or it may stand last."""
    own = [word for word in inside if not is_function_word(word, language) and not _is_cue(word, listed)]
    after = [word.stem for word in own if word.start > inside[at].start][:_SCOPE]
    if inside[at].folded in listed.falsehoods or not after or listed.both_sides:
        return frozenset(word.stem for word in own if word is not inside[at])
    return frozenset(after)


def _affixed(
    claim: str, quote: str, mine: Clause, other: Clause, language: str | None
) -> Iterator[tuple[Place, Place]]:
    """A word on one side that is a word of the other with a denying prefix or ending."""
    listed = NEGATIONS.get(language or "en")
    if listed is None:
        return
    own = [word for word in words(claim) if mine.start <= word.start < mine.end and not word.unspaced][:_MOST_WORDS]
    theirs = [word for word in words(quote) if other.start <= word.start < other.end and not word.unspaced][
        :_MOST_WORDS
    ]
    for word in own:
        for counterpart in theirs:
            if word.stem in other.stems or counterpart.stem in mine.stems:
                continue
            if _denies_word(word.folded, counterpart.folded, listed) or _denies_word(
                counterpart.folded, word.folded, listed
            ):
                yield (word.start, word.end), (counterpart.start, counterpart.end)


def _denies_word(longer: str, shorter: str, listed: NegationWords) -> bool:
    """Whether the longer word is the shorter one with a denying affix."""
    if len(shorter) < 4 or len(longer) <= len(shorter):
        return False
    for prefix in listed.prefixes:
        if longer == prefix + shorter:
            return prefix not in ("in", "im", "il", "ir", "dis", "de", "des", "mal") or shorter.endswith(IN_ENDINGS)
    return any(longer == shorter + suffix for suffix in listed.suffixes)


def _unspaced(text: str, denials: re.Pattern[str], harmless_ones: re.Pattern[str]) -> Iterator[Clause]:
    """Clauses of a Japanese or Chinese text: what stands between commas and points; a denial holds for all of it."""
    start = 0
    for match in [*_MARK.finditer(text), None]:
        end = match.start() if match else len(text)
        part = text[start:end]
        harmless = [found.span() for found in harmless_ones.finditer(part)]
        stems = frozenset(word.stem for word in words(part))
        cues = tuple(
            Cue(start + found.start(), start + found.end(), stems)
            for found in denials.finditer(part)
            if not any(low < found.end() and found.start() < high for low, high in harmless)
        )
        if stems:
            yield Clause(start, end, stems, cues, weak=False)
        start = match.end() if match else end
