"""Whether a cited answer is about what was asked: the names of the question must stand in what it cites.

An answer may be true of its source and still answer another question. Where the answer itself is only a name or a
number, its sentence in the source must be about the question's names, since nothing else ties the two together.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemacast.claims.words import Word, content_words, is_function_word, language_of, words
from schemacast.language.scripts import is_unspaced
from schemacast.qa.lattice_checks import Violation, violation
from schemacast.qa.located import sentence_around
from schemacast.qa.verdict import Citation, SourceText


def beside_the_question(
    question: str, answer: str, citations: Sequence[Citation], sources: Sequence[SourceText]
) -> list[Violation]:
    """A violation when what an answer cites does not name what the question names."""
    asked = question_names(question)
    if not asked or not citations:
        return []
    passages = {stem for cited in citations for stem in _stems(_passage(cited, sources))}
    absent = [word for word in asked if word.stem not in passages]
    if not absent and _is_fragment(answer, citations, question):
        near = {stem for cited in citations for stem in _stems(_sentence(cited, sources))}
        near |= _stems(answer)
        absent = [word for word in asked if word.stem not in near]
    if not absent:
        return []
    shown = ", ".join(question[word.start : word.end] for word in absent)
    return [violation("SUBJECT_TOKENS_ABSENT", f"what the answer cites does not name {shown}")]


def question_names(question: str) -> list[Word]:
    """The words of a question that name something: capitalized inside a sentence, with digits, or in katakana."""
    language = language_of(question)
    inside = words(question)
    german = language == "de"
    return [
        word
        for at, word in enumerate(inside)
        if (word.capital and at > 0 and not german)
        or any(char.isdecimal() for char in word.folded)
        or (word.unspaced and "\u30a0" <= word.folded[0] <= "\u30ff" and len(word.folded) > 1)
        if not is_function_word(word, language) and word.folded not in ("what", "who", "which", "how", "when", "where")
    ]


def _is_fragment(answer: str, citations: Sequence[Citation], question: str) -> bool:
    """Whether the first cited sentence of the answer says no more than a name or a number."""
    sentence = answer[citations[0].sentence_start : citations[0].sentence_end]
    asked = {word.stem for word in words(question)}
    content = content_words(sentence, language_of(sentence))
    return all(
        word.capital or word.numeric or word.stem in asked or any(map(is_unspaced, word.folded)) for word in content
    )


def _passage(cited: Citation, sources: Sequence[SourceText]) -> str:
    source = sources[cited.number - 1]
    return f"{source.title or ''} {source.text}"


def _sentence(cited: Citation, sources: Sequence[SourceText]) -> str:
    source = sources[cited.number - 1]
    place = cited.char_start - source.offset, cited.char_end - source.offset
    return f"{source.title or ''} {source.text[slice(*sentence_around(source.text, place))]}"


def _stems(text: str) -> set[str]:
    return {word.stem for word in words(text)}
