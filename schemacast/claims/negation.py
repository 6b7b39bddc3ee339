"""Whether a claim denies what a quote affirms, or affirms what it denies.

Both are cut into clauses, each with its denials; two denials in one clause cancel out. A clause of the claim answers
to that clause of the quote which shares most words with it, and only a denial of shared words counts: `sold two
ships without telling Brevik` does not deny that ships were sold. A denial before a `that` holds for what follows it.
Prefixes count where the other side has the word without them (`unsafe`, `safe`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, zip_longest

from schemacast.claims.function_words import listed as listed_words
from schemacast.claims.more_negation_words import PATTERNS, negating_languages, negation_words, small_words
from schemacast.claims.negation_words import IN_ENDINGS, NEGATIONS, NegationWords
from schemacast.claims.words import Word, is_function_word, words

_MARK = re.compile(r"[;:.!?()\[\]—–。；：！？]|(?<!\d),|,(?!\d)|、")
_FACTIVE = listed_words("know realize realise notice forget wissen savoir saber")
_NUMBER_NAME = re.compile(r"[ \u00a0]?\.?[ \u00a0]?\d")
_NUMBER_COUNTS = re.compile(
    r"no[ \u00a0][\d.,]+ (?!(?:is|are|was|were|has|had|in|on|at|of|to|by|for|and|or|from|will|did|does)\b)[a-z]"
)
_SCOPE = 5
_SCOPES = {
    # what these deny is the thing that they stand before, not what is said of it
    "no": 2,
    **dict.fromkeys(("without", "ohne", "sans", "sin", "zonder", "senza", "sem", "utan", "uten", "uden", "bez"), 1),
    **dict.fromkeys(("без", "χωρισ", "διχωσ", "fara", "ללא", "בלי", "بدون", "دون", "tanpa"), 1),
}
_SHORTEST_ALIKE = 3
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
    """A clause with its content words, its denials, and the stems of words in it that do for one."""

    start: int
    end: int
    stems: frozenset[str]
    cues: tuple[Cue, ...]
    weak: frozenset[str]

    @property
    def denied(self) -> bool:
        return len(self.cues) % 2 == 1


def one_sided(claim: str, quote: str, locale: str | None) -> Iterator[tuple[Place, Place]]:
    """The places, in claim and quote, of each denial that stands in one of them only.

    Where there is no denial the place is the clause that lacks it.
    """
    language, of_quote = negating_languages(claim, quote, locale)
    theirs = clauses(quote, of_quote)
    own = clauses(claim, language)
    yield from _denied_elsewhere(own, theirs)
    for mine in own:
        best = _answering(mine, theirs)
        if best is None:
            continue
        if mine.denied != best.denied:
            yield from _denial(mine, best)
        elif language == of_quote:
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
    denied = frozenset(stem for each in denying.cues for stem in each.scope)
    if affirming.weak - denied and not affirming.cues:
        return  # `did not grant` and `rejected`; but not `did not stop` and `stopped`
    cue = next((each for each in denying.cues if _meet(each.scope, affirming.stems)), None)
    if cue is None:
        return
    places = (cue.start, cue.end), (affirming.start, affirming.end)
    yield places if denying is mine else (places[1], places[0])


def _meet(scope: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether a denial is about a word of a clause; a stem may lack the last letter (`resign`, `resigned`)."""
    return not scope.isdisjoint(stems) or any(
        min(len(one), len(other)) >= _SHORTEST_ALIKE and abs(len(one) - len(other)) == 1
        for one in scope
        for other in stems
        if one.startswith(other) or other.startswith(one)
    )


@lru_cache(maxsize=256)
def clauses(text: str, language: str | None) -> tuple[Clause, ...]:
    """The clauses of a text that have content words, in order."""
    if language in PATTERNS:
        return tuple(_by_pattern(text, *PATTERNS[language]))
    listed = negation_words(language)
    found: list[Clause] = []
    carried: Cue | None = None
    parts = list(_split(text, listed))
    for inside, following in zip_longest(parts, parts[1:]):
        clause = _clause(text, inside, listed, language)
        goes_on = following is not None and following[0].folded in listed.that
        if found and not goes_on and _only_denies(clause, inside, listed):
            found[-1] = _with_cue(found[-1], clause.cues[0])
            carried = None
            continue
        carries = carried is not None and (inside[0].folded in listed.that or not (carried.scope or clause.cues))
        if carried is not None and carries:
            clause = _with_cue(clause, carried)
        carried = clause.cues[0] if clause.denied and not any(word.stem in _FACTIVE for word in inside) else None
        if clause.stems:
            found.append(clause)
    return tuple(found[:_MOST_CLAUSES])


def _with_cue(clause: Clause, cue: Cue) -> Clause:
    """The clause with one more denial, of all that it says."""
    return replace(clause, cues=(*clause.cues, Cue(cue.start, cue.end, clause.stems)))


def _only_denies(clause: Clause, inside: list[Word], listed: NegationWords) -> bool:
    """Whether a clause says nothing but that what stands before it is false (`Dass …, ist falsch`)."""
    return (
        len(clause.cues) == 1 and not clause.cues[0].scope and any(word.folded in listed.falsehoods for word in inside)
    )


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
    weak = {word.stem for at, word in enumerate(inside) if at not in harmless and word.folded in listed.weak}
    marked = any(word.folded in listed.markers for word in inside)
    for at, word in enumerate(inside):
        if at in harmless:
            continue
        if not (_denies(text, word, listed, marked=marked) or _leaves_undone(inside, at)):
            continue
        cue = Cue(word.start, word.end, _scope(inside, at, listed, language))
        if word.folded in listed.concord or word.folded in listed.needing:
            repeated.append(cue)
        elif word.folded in listed.verbs and not _denying_verb(inside, at):
            weak.add(word.stem)
        else:
            cues.append(cue)
    if not cues and repeated and (listed.markers or repeated[0].scope):
        cues = repeated[:1]
    if cues and any(word.folded in ("until", "till", "avant", "hasta") for word in inside):
        cues = [cue for cue in cues if text[cue.start : cue.end].lower() not in ("not", "n't", "no", "pas")]
    stems = frozenset(
        word.stem for at, word in enumerate(inside) if not _is_small(word, language) and not _is_cue(word, listed)
    )
    return Clause(inside[0].start, inside[-1].end, stems, tuple(cues), frozenset(weak))


def _is_small(word: Word, language: str | None) -> bool:
    return word.folded in small_words(language) or is_function_word(word, language)


def _is_cue(word: Word, listed: NegationWords) -> bool:
    return word.folded in listed.plain or word.folded in listed.concord or word.folded in listed.verbs


def _denies(text: str, word: Word, listed: NegationWords, *, marked: bool) -> bool:
    folded = word.folded
    if folded in listed.needing:
        return marked
    if folded in listed.concord:
        return folded != "any"
    if folded == "no" and _NUMBER_NAME.match(text, word.end) and not _NUMBER_COUNTS.match(text, word.start):
        return False  # `No. 5`, but `no 5 ships`
    return folded in listed.plain or folded in listed.verbs or folded in listed.falsehoods


def _leaves_undone(inside: list[Word], at: int) -> bool:
    """`has yet to sell`, `stopped short of selling`."""
    after = [word.folded for word in inside[at + 1 : at + 3]]
    if inside[at].folded == "yet":
        return after[:1] == ["to"]
    return inside[at].folded == "short" and after[:1] == ["of"] and after[-1].endswith("ing")


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
    own = [word for word in inside if not _is_small(word, language) and not _is_cue(word, listed)]
    reach = _SCOPES.get(inside[at].folded, _SCOPE)
    after = [word.stem for word in own if word.start > inside[at].start][:reach]
    if inside[at].folded in listed.falsehoods or not after or (listed.both_sides and reach > 1):
        return frozenset(word.stem for word in own if word is not inside[at])
    return frozenset(after)


def _affixed(
    claim: str, quote: str, mine: Clause, other: Clause, language: str | None
) -> Iterator[tuple[Place, Place]]:
    """A word on one side that is a word of the other with a denying prefix or ending."""
    listed = NEGATIONS.get(language or "en")
    if listed is None:
        return
    own = [word for word in _lone(claim, mine) if word.stem not in other.stems]
    theirs = [word for word in _lone(quote, other) if word.stem not in mine.stems]
    for word in own:
        for counterpart in theirs:
            one, other_one = word.folded, counterpart.folded
            if (one in other_one and _denies_word(other_one, one, listed)) or (
                other_one in one and _denies_word(one, other_one, listed)
            ):
                yield (word.start, word.end), (counterpart.start, counterpart.end)


def _lone(text: str, clause: Clause) -> list[Word]:
    """The first words of a clause that are written with spaces between."""
    inside = (word for word in words(text) if clause.start <= word.start < clause.end and not word.unspaced)
    return list(islice(inside, _MOST_WORDS))


def _denies_word(longer: str, shorter: str, listed: NegationWords) -> bool:
    """Whether the longer word is the shorter one with a denying affix."""
    if len(shorter) < 4 or len(longer) <= len(shorter):
        return False
    for prefix in listed.prefixes:
        if longer == prefix + shorter:
            return prefix not in ("in", "im", "il", "ir", "dis", "de", "des", "mal") or shorter.endswith(IN_ENDINGS)
    return any(longer == shorter + suffix for suffix in listed.suffixes)


def _by_pattern(text: str, denying: re.Pattern[str], harmless_in: re.Pattern[str]) -> Iterator[Clause]:
    """Clauses of a text whose denials are told by patterns: what stands between commas and points."""
    start = 0
    for match in [*_MARK.finditer(text), None]:
        end = match.start() if match else len(text)
        part = text[start:end]
        harmless = [found.span() for found in harmless_in.finditer(part)]
        stems = frozenset(word.stem for word in words(part))
        cues = tuple(
            Cue(start + found.start(), start + found.end(), stems)
            for found in denying.finditer(part)
            if not any(low < found.end() and found.start() < high for low, high in harmless)
        )
        if stems:
            yield Clause(start, end, stems, cues, frozenset())
        start = match.end() if match else end
