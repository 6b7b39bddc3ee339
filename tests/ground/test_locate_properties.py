"""What always holds of `locate`, over a dozen scripts and against a slow search that tries every span."""

from __future__ import annotations

import unicodedata

import regex
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from schemacast.ground import TextSpan, locate, locate_all
from schemacast.ground.characters import collapse, fold, is_blank
from schemacast.ground.folded import FoldedText
from schemacast.language.tokens import tokens

SCRIPTS = {
    "Latin": "abcxyzABCéÉüßſœøłﬁ",
    "combining": "ae\u0301o\u0308n\u0303q\u0323\u0307",
    "Greek": "αβγςσΣάΰᾳΆΩ",
    "Cyrillic": "абвйёЙЁіїЩ",
    "Turkish": "ıIiİşŞğĞ",
    "Arabic": "ابتأإؤىلا\u064b\u0651ﻻ",
    "Hebrew": "אבגשׁתּ\u05b8\u05bc",
    "Devanagari": "कखगक़क्षि\u093c\u094d",
    "Thai": "กขค่้ำเ",
    "Hangul": "가각힣\u1100\u1161\u11a8",
    "kana": "かがカガｶﾞー\u3099",
    "Han": "患者张伟東京",
    "Georgian": "აბგᲐᲑᲒ",
    "Armenian": "ԱԲաբևﬓ",
    "emoji": "👩🚀👍🏽❤\u200d\ufe0f🇩🇪🇫",
    "numbers": "0123456789.,-−%",
}
COMMON = " \n\u00a0.,\"“”'’-–…*\u200b\u00ad"


def text_of(alphabet: str, *, min_size: int = 0) -> st.SearchStrategy[str]:
    letter = st.sampled_from(alphabet)
    return st.lists(st.one_of(letter, letter, letter, st.sampled_from(COMMON)), min_size=min_size, max_size=24).map(
        "".join
    )


texts = st.sampled_from(sorted(SCRIPTS.values())).flatmap(lambda alphabet: text_of(alphabet, min_size=1))


@st.composite
def texts_and_cuts(draw: st.DrawFn) -> tuple[str, int, int]:
    text = draw(texts)
    start = draw(st.integers(0, len(text) - 1))
    return text, start, draw(st.integers(start + 1, len(text)))


@st.composite
def texts_and_clusters(draw: st.DrawFn) -> tuple[str, int, int]:
    """A text and a span of whole characters of it, as a reader sees them."""
    text = draw(texts)
    bounds = [0, *(match.end() for match in regex.finditer(r"\X", text))]
    first = draw(st.integers(0, len(bounds) - 2))
    return text, bounds[first], bounds[draw(st.integers(first + 1, len(bounds) - 1))]


def is_cluster_boundary(text: str, index: int) -> bool:
    return index in (0, *(match.end() for match in regex.finditer(r"\X", text)))


@given(texts_and_cuts())
@settings(max_examples=150, deadline=None)
def test_a_verbatim_quote_is_found_and_near_its_place_exactly_there(cut: tuple[str, int, int]) -> None:
    text, start, end = cut
    quote = text[start:end]
    assume(not is_blank(quote))
    span = locate(quote, text)
    assert span is not None
    assert text[span.start : span.end] == quote
    assert span in locate_all(quote, text)
    there = TextSpan(start=start, end=end)
    assert locate(quote, text, near=there) == there


CHANGES = {
    "upper": str.upper,
    "lower": str.lower,
    "NFC": lambda quote: unicodedata.normalize("NFC", quote),
    "NFD": lambda quote: unicodedata.normalize("NFD", quote),
    "spaces": lambda quote: " \n".join(quote.split(" ")),
    "straight": lambda quote: quote.translate(str.maketrans("“”’–−", '""\'--')),
    "shy": lambda quote: "\u00ad".join(regex.findall(r"\X", quote)),
    "wrapped": lambda quote: f"**“{quote}”**…",
}


@given(texts_and_clusters(), st.sampled_from(sorted(CHANGES)))
@settings(max_examples=250, deadline=None)
@example(("x ᾳ", 2, 3), "upper")
@example(("Straße 5", 0, 6), "upper")
def test_a_quote_copied_with_other_case_form_spaces_or_wrapping_is_found(
    cut: tuple[str, int, int], change: str
) -> None:
    text, start, end = cut
    assume(not regex.search(r"[\u200b\u00ad](?=[\p{M}\u1160-\u11ff])", text))
    quote = text[start:end].strip(COMMON)
    assume(fold(quote).strip())  # marks alone are found only as they stand
    assume(is_cluster_boundary(text, text.index(quote)))
    changed = CHANGES[change](quote)
    span = locate(changed, text)
    assert span is not None
    assert 0 <= span.start < span.end <= len(text)
    if change != "wrapped" and changed not in text:
        assert fold(text[span.start : span.end]) == fold(changed).strip()


def every_span(needle: str, text: str) -> list[tuple[int, int]]:
    """The spans of whole characters that fold to `needle`; of those with one end, the shortest."""
    bounds = [0, *(match.end() for match in regex.finditer(r"\X", text))]
    hidden = "\u200b\u00ad"
    return [
        max((start, end) for start in bounds if start < end and fold(text[start:end]) == needle)
        for end in bounds
        if not text[end - 1 : end].isspace()
        and text[end - 1 : end] not in hidden
        and any(start < end and fold(text[start:end]) == needle for start in bounds)
    ]


def slow_choice(spans: list[tuple[int, int]], text: str, near: TextSpan | None) -> tuple[int, int]:
    """The rules of choice, as they are stated."""
    bounds = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    inside = {index for start, end in tokens(text) for index in range(start + 1, end)}
    whole = [span for span in spans if not inside & set(span) and set(span) <= bounds] or spans
    if near is None:
        return whole[0]
    return min(whole, key=lambda span: (max(near.start - span[1], span[0] - near.end, 0), span))


@st.composite
def searches(draw: st.DrawFn) -> tuple[str, str, TextSpan | None]:
    pool = draw(st.lists(st.sampled_from("".join(SCRIPTS.values()) + COMMON), min_size=2, max_size=6))
    text = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=12).map("".join))
    quote = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=3).map("".join))
    quote = draw(st.sampled_from([str, *CHANGES.values()]))(quote)
    if not draw(st.booleans()):
        return quote, text, None
    start = draw(st.integers(0, len(text)))
    return quote, text, TextSpan(start=start, end=draw(st.integers(start, len(text))))


@given(searches())
@settings(max_examples=400, deadline=None)
def test_locate_chooses_what_a_search_of_every_span_chooses(search: tuple[str, str, TextSpan | None]) -> None:
    quote, text, near = search
    assume(not is_blank(quote))
    assume(not regex.search(r"[\u200b\u00ad\u200d][\u200b\u00ad\u200d]*(?=[\p{M}\u1160-\u11ff\uff9e])", text))
    found = locate(quote, text, near=near)
    exact = [(start, start + len(quote)) for start in range(len(text)) if text.startswith(quote, start)]
    if exact:
        there = near is not None and (near.start, near.end) in exact
        wanted = (near.start, near.end) if near is not None and there else slow_choice(exact, text, near)
        assert found == TextSpan(start=wanted[0], end=wanted[1])
        return
    needle = fold(quote).strip()
    assume(not unicodedata.category(needle[:1] or "a").startswith("M"))
    spans = every_span(needle, text) if needle else []
    if spans:
        assert found is not None
        assert found.start == slow_choice(spans, text, near)[0]
    elif found is not None:
        assert fold(text[found.start : found.end]) in needle
    if found is not None:
        assert is_cluster_boundary(text, found.start)
        assert is_cluster_boundary(text, found.end)


@given(st.lists(texts, min_size=1, max_size=3).map(" ".join), st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_the_way_back_from_the_fold_covers_the_text_in_order(text: str, times: int) -> None:
    text = text * times
    folded = FoldedText(text)
    assert folded.folded == fold(text)
    place, end = 0, 0
    while place < len(folded.folded):
        unit = folded.unit(place)
        assert (unit.folded_start, unit.start) >= (place, end)
        assert unit.folded_start == place
        assert unit.start < unit.end <= len(text)
        place, end = unit.folded_end, unit.end


@given(st.text(max_size=12))
@settings(max_examples=300, deadline=None)
def test_any_text_folds_once_and_alike_in_every_canonical_form(text: str) -> None:
    once = fold(text)
    assert fold(once) == once
    assert fold(unicodedata.normalize("NFC", text)) == once
    assert fold(unicodedata.normalize("NFD", text)) == once


@given(st.text("ab é\n\t\r\v\f\x1c\x1f\x85\u00a0\u2003\u2028\u3000\u200b", max_size=12))
def test_collapsing_leaves_one_space_for_every_run_of_whitespace(text: str) -> None:
    assert collapse(text) == regex.sub(r"[\s\x1c-\x1f]+", " ", text)
