"""What a quote that stands alone leaves out of its sentence so that it says something else than the sentence.

`the mayor resigned` is in `The wife of the mayor resigned`, `the drug works` in `whether the drug works`: every
character is the source's, and the statement is not. So a quote that is a statement must begin and end where a part
of its sentence does. A mere phrase (`the Nairobi office`) states nothing that could be cut, and a name or a number
says nothing by itself. Only English has its verbs told by their form; in doubt a quote is a statement.
"""

from __future__ import annotations

import re
from itertools import pairwise

from schemacast.claims.function_words import AUXILIARIES, listed
from schemacast.claims.support import support
from schemacast.claims.verbs import form
from schemacast.claims.words import Word, is_function_word, language_of, words
from schemacast.qa.located import find_unit
from schemacast.qa.verdict import SourceText

_CUT_NAME = re.compile(r"['’]s\b|[ \u00a0](?!(?:AS|ASA|Inc|Ltd|GmbH|AG)\b)[A-ZÀ-ÖØ-Þ]\w")
"""What goes on with a name: a quote that ends before it speaks of another one."""
_ARTICLES = listed("the a an his her its their our your this that these those")
_SUBORDINATING = listed("""
    that whether if unless because before after until when while although though lest than dass ob wenn falls bevor
    nachdem weil obwohl bis que qu si quand avant lorsque cuando antes aunque porque
""")
"""Words that make what follows them depend on what stands before."""


def boundary_faults(quote: str, stated: str, source: SourceText) -> tuple[str, ...]:
    """The faults of a quote, found in the sentence `stated` of a source, that come of where it begins and ends."""
    language = language_of(stated)
    content = [word for word in words(quote) if not is_function_word(word, language)]
    stating = _states(quote, content, language)
    if all(word.capital or word.numeric for word in content) or (len(content) == 1 and not stating):
        return ()
    held = support(quote, stated, locale=source.locale, reference=source.reference)
    counted = {"qualifier_dropped", "negation", "weaker"}
    place = find_unit(quote, stated) or (0, len(stated))
    if stating or (content[0].capital and len(content) > 2) or _is_subordinate(stated, place[0]):
        counted |= {"begins_inside", "ends_inside"}
    elif "begins_inside" not in held.faults or (content[-1].capital and _CUT_NAME.match(stated, place[1])):
        counted.add("ends_inside")  # a subject with what is said of it, but not with all of that; or a part of a name
    return tuple(fault for fault in held.faults if fault in counted)


def _states(quote: str, content: list[Word], language: str | None) -> bool:
    """Whether a quote has a verb: an auxiliary, or behind its first content word, which may be the subject, a past
    form or a word right before an article (`the mayor knew the code`)."""
    inside = words(quote)
    if any(word.folded in AUXILIARIES.get(language or "en", ()) for word in inside):
        return True
    if language not in (None, "en"):
        return len(content) > 2
    later = {word.start for word in content[1:] if not (word.capital or word.numeric)}
    followed = {word.start for word, other in pairwise(inside) if other.folded in _ARTICLES}
    return any(form(word.folded) == "past" or word.start in followed for word in inside if word.start in later)


def _is_subordinate(stated: str, start: int) -> bool:
    """Whether what begins at a place depends on the word before it."""
    before = words(stated[:start])
    return bool(before) and before[-1].folded in _SUBORDINATING
