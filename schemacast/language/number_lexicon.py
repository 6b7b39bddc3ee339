"""The words around cardinals that a conversion library does not know, per language.

Dozens, halves and fractions, articles that stand for one, words that join numbers, and
words that only hint at a number (`hundreds`, `several`). `stems` are the beginnings of words that may
be numbers: a text without them never loads the library. Spelling variants are mapped to the form the
library reads; `scales` are number words that it reads only behind another.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Number words of one language; all of them folded (no case, no accents)."""

    stems: tuple[str, ...]
    joins: frozenset[str]
    articles: frozenset[str] = frozenset()
    halves: frozenset[str] = frozenset()
    groups: dict[str, int] = field(default_factory=dict)
    fractions: dict[str, int] = field(default_factory=dict)
    points: frozenset[str] = frozenset()
    times: dict[str, int] = field(default_factory=dict)
    vague: frozenset[str] = frozenset()
    spellings: dict[str, str] = field(default_factory=dict)
    half_after: str = ""
    everyday: frozenset[str] = frozenset()
    scales: frozenset[str] = frozenset()


def _stems(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


LEXICONS: dict[str, Lexicon] = {
    "en": Lexicon(
        stems=_stems(
            "zero nought one two three four fiv six sev eig nin ten ele twe thi fif for hundr thou mil bil tri doz"
            " hal quart sec fir onc twi coup pai"
        ),
        joins=_set("and"),
        articles=_set("a an"),
        halves=_set("half"),
        groups={"dozen": 12, "couple": 2, "pair": 2},
        fractions={
            "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5,
            "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9, "ninths": 9,
            "tenth": 10, "tenths": 10, "sixteenth": 16, "sixteenths": 16, "hundredth": 100, "hundredths": 100,
            "halves": 2,
        },
        points=_set("point"),
        times={"once": 1, "twice": 2, "thrice": 3},
        vague=_set(
            "hundreds thousands millions billions trillions tens dozens several few many some past half-past seconds"
        ),
        spellings={"fourty": "forty", "nought": "zero"},
        half_after=r",? and (?:a|one) half",
        everyday=_set("one second once ten pair couple"),
    ),
    "de": Lexicon(
        stems=_stems(
            "null ein zwei zwo drei vier funf fuenf sechs sech sieb acht neun zehn elf zwolf zwoelf zwanzig hund taus"
            " million milliard billion dutz halb anderth viert erst zweit dritt vierzi"
        ),
        joins=_set("und"),
        halves=_set("halb halbe halber halben halbes halbem"),
        groups={"dutzend": 12},
        fractions={
            "drittel": 3, "viertel": 4, "funftel": 5, "sechstel": 6, "siebtel": 7, "achtel": 8, "neuntel": 9,
            "zehntel": 10, "hundertstel": 100, "tausendstel": 1000,
        },
        points=_set("komma"),
        vague=_set("hunderte hunderten tausende tausenden dutzende dutzenden mehrere mehreren einige einigen paar"),
        spellings={
            "zwo": "zwei", "fuenf": "fünf", "zwoelf": "zwölf", "funf": "fünf", "zwolf": "zwölf",
            "eine": "ein", "einen": "ein", "einem": "ein", "einer": "ein", "eines": "ein",
        },
        half_after=r" und ein(?:e|en)? halbe[nsr]?",
        everyday=_set("ein eine einen einem einer eines acht elf million milliarde billion erst viert"),
    ),
    "fr": Lexicon(
        stems=_stems(
            "zero un deux trois quatre cinq six sept huit neuf dix onze douz treiz quator quinz seiz vingt trent"
            " quarant cinquant soixant septant octant huitant nonant cent mil million milliard demi quart tiers premi"
            " second troisi dizain"
        ),
        joins=_set("et"),
        halves=_set("demi demie"),
        groups={
            "douzaine": 12, "demi-douzaine": 6, "dizaine": 10, "quinzaine": 15, "vingtaine": 20, "trentaine": 30,
            "quarantaine": 40, "cinquantaine": 50, "soixantaine": 60, "centaine": 100, "millier": 1000, "huitaine": 8,
        },
        fractions={"tiers": 3, "quart": 4, "quarts": 4, "cinquieme": 5, "cinquiemes": 5, "sixiemes": 6, "huitiemes": 8,
                   "dixieme": 10, "dixiemes": 10, "centieme": 100, "centiemes": 100, "demis": 2},
        points=_set("virgule"),
        vague=_set("centaines milliers dizaines douzaines millions milliards quelques plusieurs secondes"),
        half_after=r" et demie?",
        everyday=_set("un une six sept second seconde cent cents mille million dix onze demi quart quarts billion"),
    ),
    "es": Lexicon(
        stems=_stems(
            "cero un dos tres cuatr cinc seis siet och nuev diez once doce trece catorc quinc dieci veint trein"
            " cuaren cincuen sesent setent ochent novent cien dosci tresci cuatroc quini seisci setec ochoc novec mil"
            " billon media medio terci cuart quint segund prim decen"
        ),
        joins=_set("y"),
        halves=_set("medio media"),
        groups={"docena": 12, "decena": 10, "veintena": 20, "quincena": 15, "centenar": 100, "millar": 1000, "par": 2},
        fractions={"tercio": 3, "tercios": 3, "cuarto": 4, "cuartos": 4, "quinto": 5, "quintos": 5, "decimo": 10,
                   "decimos": 10, "octavos": 8, "sextos": 6},
        points=_set("coma punto"),
        vague=_set("cientos miles millones centenares decenas docenas millares varios varias algunos algunas segundos"),
        spellings={
            "veintitres": "veintitrés", "veintidos": "veintidós", "veintiseis": "veintiséis", "dieciseis": "dieciséis",
            "veintiun": "veintiuno", "un": "uno", "millon": "millón", "billon": "billón",
            "treintaiuno": "treinta y uno",
        },
        half_after=r" y medi[ao]",
        everyday=_set("un una uno once dos tres seis mil segundo segunda media medio primero par primer cuarto mil"),
    ),
    "pt": Lexicon(
        stems=_stems(
            "zero um uma dois duas tres quatro cinco seis sete oito nove dez onze doze treze quatorz catorz quinz"
            " dezess dezass dezoit dezen vint trint quarent cinquent sessent setent oitent novent cem cent duzent"
            " trezent quatroc quinhent seiscent setecent oitocent novecent mil duzia meio meia"
        ),
        joins=_set("e"),
        halves=_set("meio meia"),
        groups={"duzia": 12},
        points=_set("virgula"),
        spellings={"tres": "três", "duzia": "dúzia"},
        half_after=r" e mei[oa]",
    ),
    "nl": Lexicon(
        stems=_stems(
            "nul een twee drie vier vijf zes zeven acht negen tien tach elf twaalf derti veer twin hond duiz milj"
            " dozijn"
        ),
        joins=_set("en"),
        halves=_set("half halve"),
        groups={"dozijn": 12},
        points=_set("komma"),
        spellings={"een": "één"},
        half_after=r" en een half",
    ),
}  # fmt: skip
