"""When the subject of a relative clause is sure: `Ada Lind leads Orvik AS, which has 6 ships` says that Orvik has.

What `which` refers to is often not the last name: the whole statement (`left Orvik, which surprised all`), or what
the name only belongs to (`the fleet of Orvik, which …`). So only a name right behind a word that is no preposition
counts, and only with verbs of having that no whole statement could be the subject of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemacast.claims.function_words import listed
from schemacast.claims.qualifying_words import NAME_SUFFIXES
from schemacast.claims.words import Word, is_function_word, words

_BEGINS = re.compile(r"\s*,\s*(?:which|who)\s+(?P<counts>(?:has|have|had)\s+)?")
_HAVING = listed("owns owned employs employed operates operated")


def is_sure_relative(sentence: str, name: Sequence[Word], stretch: str, following: Word, *, counted: bool) -> bool:
    """Whether a stretch between a name and a word of a sentence begins a relative clause about the name.

    `stretch` is without its numbers; `counted` says whether it had one, as behind `has` it must.
    """
    match = _BEGINS.fullmatch(stretch)
    if match is None or not all(word.capital for word in name):
        return False
    if not (counted if match["counts"] else following.folded in _HAVING):
        return False
    earlier = [word for word in words(sentence) if word.end <= name[0].start]
    return bool(earlier) and not (
        earlier[-1].capital or earlier[-1].folded == "'s" or is_function_word(earlier[-1], None)
    )


def behind_name(between: str) -> int:
    """Where a stretch goes on behind the last part of a company's name."""
    first = next(iter(words(between)), None)
    suffix = first is not None and first.capital and first.folded in NAME_SUFFIXES
    return first.end if first is not None and suffix and not between[: first.start].strip() else 0
