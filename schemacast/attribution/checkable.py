"""Whether a sentence could be checked at all: it asks nothing, and it has a number or a proper noun.

This is a necessary condition, told from spelling alone, so that no model decides it. A number is what our
reader of numbers reads, words included. A proper noun is a word with a capital where a sentence does not ask for one;
the first word counts unless it is a common one, or a plural that a verb in the plural follows. Where a
script has no capitals a proper noun looks like any other word, so there only questions are told apart.
"""

from __future__ import annotations

import re

from schemacast.language.numbers import read_numbers
from schemacast.language.sentences import sentences

__all__ = ["checkability", "is_question", "is_verifiable_claim", "only_asks"]

_CLOSERS = "\"'”’»›)]}」』）】〉》*_ \t\r\n\u00a0"
_QUESTION_MARKS = "?？؟;⁇⁈՞፧"
_JAPANESE_QUESTION = re.compile("(?:です|ます|ました|でした|でしょう|ません|だろう|の)か[。．]?$")
_ASKING = re.compile(r"(?:Do|Does|Did|Is|Are|Was|Were|Has|Had|Isn['’]t|Aren['’]t|Wasn['’]t|Doesn['’]t|Didn['’]t)\s")
_WORD = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?")
_CASED = re.compile(r"[^\W\d_]")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_COMMON_FIRST = _listed(
    # what opens a sentence without naming anything: English, German, French, Spanish
    "a an the this that these those it its he she they we you i his her their our your my some any all most many few "
    "each every no not nobody nothing one both other another such what which who when while where how why if as at by "
    "for from in into of on over under to with without after before since until because although though but and or so "
    "then there here yes perhaps maybe today yesterday tomorrow now please let people everyone everybody somebody "
    "der die das den dem des ein eine einen einem einer es er sie wir ihr ich man alle viele einige keine kein nicht "
    "und oder aber denn wenn weil dass als im in am an auf aus bei mit nach von vor zu zum zur seit über unter für "
    "dies diese dieser dieses heute gestern morgen hier dort jeder jede jedes "
    "le la les l un une des du de d ce cet cette ces il elle ils elles on nous vous je tu tout tous toute toutes et ou "
    "mais car si comme quand dans sur sous par pour avec sans chez après avant depuis aujourd hier demain ici aucun "
    "el los las unos unas del al lo este esta estos estas ese esa él ella ellos ellas nosotros yo tú todo todos toda "
    "todas y o pero porque como cuando en con por para sin sobre desde hasta tras antes después hoy ayer mañana aquí "
    "ningún ninguna muchos muchas"
)
_COMMON_THINGS = _listed(
    # what a sentence about no one in particular opens with, in English, where such a word is no name
    "access age air alcohol anger animal art beauty beer blood body bread breakfast business cancer cash chance "
    "change child chocolate city climate clothing coffee cold common company competition computer cooking country "
    "crime culture dark data death democracy diet dinner doing eating education electricity energy everything "
    "evidence exercise experience family fashion fear film fire fish flying food football freedom friendship fruit "
    "fuel fun furniture garlic gas getting going gold good government great growth happiness happy hard hate having "
    "health healthy heat history home honesty human humanity hunger ice immigration income industry inflation "
    "information insurance internet justice kindness knowledge labour language laughter law lead learning life "
    "light literature living local love luck lunch making man marriage meat medicine milk modern money music nature "
    "new news noise nothing oil old oxygen pain paper parenting peace plastic poetry politics pollution poor "
    "poverty power practice pride progress public rain real regular religion rent research rice running science "
    "shopping silence sleep small smoking snow social society solar something space sport spring success sugar "
    "summer swimming tax tea technology television time tobacco traffic training travel travelling true trust truth "
    "unemployment using violence waste water wealth weather wheat wine winter wisdom woman wood work working "
    "writing wrong youth"
)
_ABSTRACT = ("tion", "ness", "ism", "hood")
_PLURAL_VERBS = _listed("are were have do don't aren't weren't haven't cause make need want tend love like hate")


def is_verifiable_claim(claim: str) -> bool:
    """Whether `claim` is no question and has a number or a proper noun."""
    text = claim.strip()
    return bool(text) and not is_question(text) and checkability(text) > 0


def checkability(claim: str) -> int:
    """How much of a claim could be checked: 2 for a number and a proper noun, 1 for one of them, 0 for none."""
    number = any(char.isdigit() for char in claim) or bool(read_numbers(claim, locale=None))
    return number + _has_proper_noun(claim)


def is_question(sentence: str) -> bool:
    """Whether a sentence asks."""
    text = sentence.rstrip(_CLOSERS)
    if text.endswith(tuple(_QUESTION_MARKS)) or sentence.lstrip().startswith("¿"):
        return True
    return _JAPANESE_QUESTION.search(text) is not None or _ASKING.match(text) is not None


def only_asks(text: str) -> bool:
    """Whether every sentence of a text is a question."""
    spans = sentences(text)
    return bool(spans) and all(is_question(text[start:end]) for start, end in spans)


def _has_proper_noun(text: str) -> bool:
    letters = _CASED.findall(text)
    if not any(letter.lower() != letter.upper() for letter in letters):
        return bool(letters)
    for start, end in sentences(text):
        words = [match.group() for match in _WORD.finditer(text, start, end)]
        if any(_is_capital(word) for word in words[1:]) or (words and _opens_with_name(words)):
            return True
    # words of a script without capitals among others: any of them may be a name
    return any(letter.lower() == letter.upper() for letter in letters)


def _is_capital(word: str) -> bool:
    """Whether a word inside a sentence is written as names are. The pronoun `I` is not."""
    return word[0].isupper() and re.split("['’]", word)[0] != "I"


def _opens_with_name(words: list[str]) -> bool:
    first = words[0]
    if not first[0].isupper():
        return any(char.isupper() for char in first[1:])
    if len(first) > 1 and first.isupper():
        return True
    plain = re.split("['’]", first.casefold())[0]
    if plain in _COMMON_FIRST or plain in _COMMON_THINGS or (len(plain) > 6 and plain.endswith(_ABSTRACT)):
        return False
    if plain.endswith("s") and not plain.endswith(("ss", "us", "is")) and len(words) > 1:
        return words[1].casefold() not in _PLURAL_VERBS
    return True
