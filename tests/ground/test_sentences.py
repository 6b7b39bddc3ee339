"""Where sentences end, in several languages, and what always holds of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.language.sentences import goes_on, sentence_range, sentences

TABLE = [
    'Dr. Lind met Mr. J. R. Smith at 3.5 km.|He left, e.g. by car.|OK?|Yes!|"Go."|They went.',
    "See Fig. 3 and No. 5.|The U.S. army came.|Acme Inc. announced it.|Acme Ltd.|The firm grew.",
    "Is it?|No.|It failed.|Wait... what?|Really…|Yes.",
    '"Stop!" he said.|(It did.)|Then it ran, i.e. fast, etc. and so on.',
    "He is 40.|She is 41.|Version 3.1 is out.|Use v3.1.|Done.",
    "1. First item.|2. Second item.",
    "Am 3. März kam Hr. Müller, z. B. mit Nr. 5 usw.|Die Pumpe läuft.|Abb. 3 zeigt es.|Version 3.|Danach Schluss.",
    "Der 2. Weltkrieg, d.h. bis 1945.|Im Jahr 1990.|Es war am 12. Tag.",
    "Die Pumpe der Fa. Orvik fiel am 3. 4. 2026 aus.|Danach lief sie.",
    "Viven en EE. UU. desde 2020.|Son dos.",
    "M. Dupont a vu Mme Roy.|C'est l'art. 5 de la loi.|« Oui. »|Il est parti.|Etc.",
    "El Sr. López vive en la Av. 5.|Después salió.|¿Qué?|¡No!",
    "pump failed.|seal replaced by kari approx. two hours before.|checked again.",
    "He saw Plan B.|The rest went on.|J. Lind agreed.",
    "هل هذا؟|نعم.|لا",
    "यह है।|वह था॥|अंत",
    "Це кінець.|Потім далі.",
]
UNSPACED = [
    "患者张伟于周三服用。|阿司匹林！|好？|完",
    "ポンプは停止した。|「はい。」と言った。|「以上。」|価格は１．５倍．|終わり",
]


@pytest.mark.parametrize("marked", TABLE)
def test_sentences_end_where_a_reader_ends_them(marked: str) -> None:
    text = marked.replace("|", " ")
    assert "|".join(text[start:end] for start, end in sentences(text)) == marked


@pytest.mark.parametrize("marked", UNSPACED)
def test_full_width_marks_end_a_sentence_without_a_space(marked: str) -> None:
    text = marked.replace("|", "")
    assert "|".join(text[start:end] for start, end in sentences(text)) == marked


@pytest.mark.parametrize("empty", ["\n\n", "\r\n\r\n", "\n \t\n", "\n\n\n  \n", "\u2029", "\r\r"])
def test_lines_without_end_marks_are_one_block_up_to_an_empty_line(empty: str) -> None:
    text = f"Pump P7\nno flow\n- seal worn{empty}Pump P8\nfine"
    assert [text[start:end] for start, end in sentences(text)] == ["Pump P7\nno flow\n- seal worn", "Pump P8\nfine"]


@pytest.mark.parametrize("text", ["", " ", "\n\n \u3000"])
def test_a_text_of_whitespace_has_no_sentence(text: str) -> None:
    assert sentences(text) == []
    assert sentence_range(text, 0, len(text)) == (0, -1)


def test_the_sentences_a_span_touches() -> None:
    text = "Ann met Bob.  Cy left. Di stayed."
    assert sentence_range(text, 0, 12) == (0, 0)
    assert sentence_range(text, 2, 15) == (0, 1)
    assert sentence_range(text, 14, 22) == (1, 1)
    assert sentence_range(text, 11, len(text)) == (0, 2)
    assert sentence_range(text, 12, 14) == (0, 0)
    assert sentence_range(text, 23, 24) == (2, 2)


@pytest.mark.parametrize(
    "text",
    [
        "a. " * 50_000,
        "." * 100_000,
        "\n \n" * 50_000,
        "」" * 100_000,
        " " * 100_000,
        "x" * 100_000 + ".",
        "a" + ". " * 50_000,
    ],
)
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    assert len(sentences(text)) <= len(text)


PIECES = st.sampled_from(
    [*"aBz1.!?…。」\"') \n\r\u2029\u00a0\u200b", "Dr.", " z. B. ", "3. März", "\n\n", ". ", "e.g."]
)


@given(st.lists(PIECES, max_size=30).map("".join))
@settings(max_examples=200, deadline=None)
def test_sentences_cover_the_text_in_order_without_overlap(text: str) -> None:
    spans = sentences(text)
    end = 0
    for start, stop in spans:
        assert end <= start < stop
        assert not text[end:start].strip()
        assert not text[start].isspace()
        assert not text[stop - 1].isspace()
        end = stop
    assert not text[end:].strip()
    for index, (start, stop) in enumerate(spans):
        assert sentence_range(text, start, stop) == (index, index)


@given(st.lists(PIECES, min_size=1, max_size=30).map("".join))
@settings(max_examples=100, deadline=None)
def test_where_a_sentence_plainly_goes_on_both_places_are_in_it(text: str) -> None:
    for start in range(len(text)):
        for end in range(start + 1, len(text)):
            if goes_on(text, start, end):
                assert sentence_range(text, start, start + 1) == sentence_range(text, end, end + 1)


def test_a_sentence_plainly_goes_on_over_a_line_break_but_over_no_end_mark() -> None:
    assert goes_on("pump P-7\nis down", 3, 14)
    assert not goes_on("It failed. Yes", 8, 11)
    assert not goes_on("first\n\nsecond", 4, 7)
    assert not goes_on("first\n\nsecond", 4, 6)
