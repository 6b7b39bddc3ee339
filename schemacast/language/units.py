"""What a unit is worth in another: exact conversion, by names in five languages.

A unit is a factor, an offset (temperatures) and powers of base dimensions; names are resolved from
the table by symbol, prefix, word, and products and quotients of these (`m³/h`, `kg per hour`). A name
may stand for several units: a conversion is given only when every reading that fits the other side
agrees, so `gal` to litres is refused and `m` to hours is minutes. All arithmetic is in fractions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from schemacast.language.unit_table import BINARY_PREFIXES, CURRENCIES, PREFIXES, SLOPPY, unit_lines

Dimension = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """One meaning of a unit's name: `value * factor + offset` is the value in base dimensions."""

    factor: Fraction
    offset: Fraction
    dimension: Dimension


LONGEST_NAME = 40
_POWER = re.compile(r"(?:\^([+-]?[1-9])|([1-9])|([⁺⁻]?[¹²³⁴⁵⁶]))$")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁺⁻", "0123456+-")
_TIMES = re.compile(r"[·⋅*×]")
_PER = re.compile(r"/| per | pro | par | por ")


def convert(value: Fraction, from_unit: str, to_unit: str) -> Fraction | None:
    """The value in another unit, exactly; None when a unit is unknown or the two do not convert.

    Equal spellings convert without being known. Where names have several meanings that give
    different results, the answer is None: nothing is guessed.
    """
    if from_unit == to_unit:
        return value
    results = {
        (value * source.factor + source.offset - target.offset) / target.factor
        for source, target in _pairs(from_unit, to_unit)
    }
    return results.pop() if len(results) == 1 else None


def is_unit(name: str) -> bool:
    """Whether the name is a unit or currency that is known."""
    return bool(meanings(name))


@lru_cache(maxsize=512)
def _pairs(from_unit: str, to_unit: str) -> tuple[tuple[Unit, Unit], ...]:
    sources, targets = meanings(from_unit), meanings(to_unit)
    if sources == targets:
        # Two names of the same thing: a gallon is a gallon, whichever it is.
        return tuple((unit, unit) for unit in sources)
    return tuple((one, other) for one in sources for other in targets if one.dimension == other.dimension)


@lru_cache(maxsize=2048)
def meanings(name: str) -> tuple[Unit, ...]:
    """Every unit the name may stand for; none when it is not known."""
    name = " ".join(unicodedata.normalize("NFC", name[: LONGEST_NAME + 1]).split())
    if not name or len(name) > LONGEST_NAME:
        return ()
    return _single(name) or _quotient(name)


def _single(name: str) -> tuple[Unit, ...]:
    by_symbol, by_word = _names()
    name = name.replace(" ", "_").replace("μ", "µ")
    found = by_symbol.get(name) or by_symbol.get(SLOPPY.get(name, ""))
    if not found and len(name) > 2:
        found = by_word.get(fold_word(name))
    return found or _powered(name)


def _powered(name: str) -> tuple[Unit, ...]:
    """A unit with a power: `m²`, `m2`, `s^-1`."""
    match = _POWER.search(name)
    if match is None or match.start() == 0:
        return ()
    power = int((match[1] or match[2] or match[3]).translate(_SUPERSCRIPTS))
    units = [unit for unit in _names()[0].get(name[: match.start()], ()) if not unit.offset]
    if match.group().isdecimal():
        # A bare digit is a power after a length only: `m2`, but `V2` is the name of something.
        units = [unit for unit in units if unit.dimension == (("m", 1),) and power in (2, 3)]
    return tuple(_raise(unit, power) for unit in units)


def _quotient(name: str) -> tuple[Unit, ...]:
    """Products and quotients, where every part has one meaning or all meanings are kept."""
    over, *under = _PER.split(name)
    if len(under) > 1 or not (under or _TIMES.search(name)):
        return ()
    combined: list[Unit] = [Unit(Fraction(1), Fraction(0), ())]
    for part, sign in _parts(over, under):
        units = [unit for unit in _single(part.strip()) if not unit.offset]
        combined = [_multiply(one, _raise(unit, sign)) for one in combined for unit in units]
        if len(combined) > 16:
            return ()
    return tuple(combined)


def _parts(over: str, under: list[str]) -> Iterator[tuple[str, int]]:
    for part in _TIMES.split(over):
        yield part, 1
    for group in under:
        for part in _TIMES.split(group.strip().removeprefix("(").removesuffix(")")):
            yield part, -1


def _multiply(one: Unit, other: Unit) -> Unit:
    powers = dict(one.dimension)
    for base, power in other.dimension:
        powers[base] = powers.get(base, 0) + power
    dimension = tuple(sorted((base, power) for base, power in powers.items() if power))
    return Unit(one.factor * other.factor, Fraction(0), dimension)


def _raise(unit: Unit, power: int) -> Unit:
    return Unit(unit.factor**power, Fraction(0), tuple((base, exponent * power) for base, exponent in unit.dimension))


@cache
def _names() -> tuple[dict[str, tuple[Unit, ...]], dict[str, tuple[Unit, ...]]]:
    """Symbols and folded words to their meanings, prefixes multiplied out."""
    symbols: dict[str, dict[Unit, None]] = {}
    words: dict[str, dict[Unit, None]] = {}
    for line in unit_lines():
        unit = Unit(_fraction(line.factor), _fraction(line.offset or "0"), _dimension(line.dimension))
        for size, before, spelled in _sizes(line.prefixes):
            sized = Unit(unit.factor * size, unit.offset, unit.dimension)
            for symbol in line.symbols.split():
                symbols.setdefault(before + symbol, {})[sized] = None
            for word in line.words.split():
                for prefix in spelled:
                    _name(prefix + word, sized, symbols, words)
    for code, names in CURRENCIES.items():
        unit = Unit(Fraction(1), Fraction(0), ((code, 1),))
        symbols.setdefault(code, {})[unit] = None
        for name in names.split():
            _name(name, unit, symbols, words)
    return {name: tuple(units) for name, units in symbols.items()}, {
        name: tuple(units) for name, units in words.items()
    }


def _name(name: str, unit: Unit, symbols: dict[str, dict[Unit, None]], words: dict[str, dict[Unit, None]]) -> None:
    """Enter a name as a word, or as a symbol when it is too short for its case not to matter."""
    if len(name) > 2 and name.replace("_", "").replace("-", "").isalpha():
        words.setdefault(fold_word(name), {})[unit] = None
    else:
        symbols.setdefault(name, {})[unit] = None


def _sizes(prefixes: str) -> Iterator[tuple[Fraction, str, tuple[str, ...]]]:
    """The factors a unit is met with: its own, its SI prefixes, and with `P` (data) the binary ones."""
    yield Fraction(1), "", ("",)
    for symbol in prefixes.split():
        spelled, power = PREFIXES[symbol]
        size = Fraction(10) ** power
        yield size, symbol, tuple(spelled.split())
        if symbol == "µ":
            yield size, "u", ()
    if "P" in prefixes:
        for index, (symbol, spelled) in enumerate(BINARY_PREFIXES.items(), start=1):
            yield Fraction(1024**index), symbol, (spelled,)


def _fraction(text: str) -> Fraction:
    over, _, under = text.partition("/")
    return Fraction(over) / Fraction(under or 1)


def _dimension(text: str) -> Dimension:
    return tuple(sorted((match[1], int(match[2] or 1)) for match in re.finditer(r"([^\s\d-]+)(-?\d+)?", text)))


def fold_word(word: str) -> str:
    """A word without case and accents; marks of other scripts stay (`ガ` is not `カ`)."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    bare = "".join(char for char in unicodedata.normalize("NFD", folded) if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", bare)
