"""Whether a quote has to do with what it proves: they must share a sentence.

A located quote alone proves nothing: any words of the text can be put beside any value. So the quote of
a vertex must share a sentence with a value that identifies it, and the quote of an edge with an
occurrence of one of its ends. Where nothing in the text could be shared (mentions, minted vertices,
keys that only the context states, known ends) there is nothing to ask.
"""

from __future__ import annotations

from schemacast.cast.drafts import Draft, Found
from schemacast.cast.ledger import shown
from schemacast.cast.place import Place, Source


def vertex_unrelated(draft: Draft, source: Source) -> str | None:
    """Why a vertex's quote does not prove the vertex, or None when it does or nothing can be asked."""
    place = draft.place
    if place is None or draft.mention or draft.facts.minted:
        return None
    identifying = [found for name in draft.facts.identifying for found in draft.props.get(name, ())]
    if not identifying or any(found.place is None or found.place.context is not None for found in identifying):
        return None
    span = place.start, place.end
    if any(source.share_sentence(span, found.span) for found in identifying):
        return None
    if any(source.stands_beside(words, place) for found in identifying for words in _words(found, source)):
        return None
    values = ", ".join(shown(source.text[found.span[0] : found.span[1]]) for found in identifying)
    return f"the quote {shown(source.quote(place))} shares no sentence with {values}"


def edge_unrelated(place: Place, ends: tuple[Draft, Draft], source: Source) -> str | None:
    """Why an edge's quote proves neither end, or None when it shares a sentence with one of them."""
    if any(end.place is None for end in ends):
        return None  # a known end need not be spoken of
    span = place.start, place.end
    for end in ends:
        if any(source.share_sentence(span, occurrence) for occurrence in occurrences(end)):
            return None
    if any(source.stands_beside(words, place) for end in ends for words in _names(end, source)):
        return None
    return f"the quote {shown(source.quote(place))} shares no sentence with {ends[0].ref} or {ends[1].ref}"


def occurrences(end: Draft) -> list[tuple[int, int]]:
    """The spans of the text at which a vertex and its values were read."""
    values = [
        found.span
        for founds in end.props.values()
        for found in founds
        if found.place is not None and found.place.context is None
    ]
    return values if end.place is None else [(end.place.start, end.place.end), *values]


def _names(end: Draft, source: Source) -> list[str]:
    """The words by which a text may name the end elsewhere: its texts, what identifies it, its quote."""
    assert end.place is not None
    words = [source.quote(end.place)]
    for name, founds in end.props.items():
        facts = end.facts.property(name)
        named = name in end.facts.identifying or (
            facts is not None and facts.prop.type == "string" and not facts.listed
        )
        if named:
            words += [each for found in founds for each in _words(found, source)]
    return list(dict.fromkeys(words))


def _words(found: Found, source: Source) -> list[str]:
    """A value as its text writes it; a judged value stands nowhere."""
    if found.place is None or found.support == "judged":
        return []
    return [source.text_of(found.place)[found.span[0] : found.span[1]]]
