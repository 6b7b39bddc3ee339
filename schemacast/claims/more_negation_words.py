"""Words that deny in languages that have no word lists of their own, and how such a language is told.

A denial that is overlooked makes a source say its opposite, so denials are known in more languages than anything else
is. Only what a comparison of denials needs stands here: the words that deny, the phrases in which they deny nothing,
and the small words that tell the language and say nothing themselves. Scripts tell some languages, small words the
others, and only where these are more than those of the languages with lists. Languages that write a denial into the
verb or without spaces have patterns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from schemacast.claims.negation_words import (
    CHINESE,
    CHINESE_HARMLESS,
    JAPANESE,
    JAPANESE_HARMLESS,
    NEGATIONS,
    NegationWords,
)
from schemacast.claims.words import language_of, telling_words, words
from schemacast.language.units import fold_word

__all__ = ["PATTERNS", "negating_language", "negating_languages", "negation_words", "small_words"]


@dataclass(frozen=True, slots=True)
class _Words:
    """As in `NegationWords`, and `small` words, which tell the language."""

    plain: str
    small: str
    concord: str = ""
    harmless: str = ""
    verbs: str = ""
    clauses: str = ""
    that: str = ""
    falsehoods: str = ""


_WORDS: dict[str, _Words] = {
    "nl": _Words(
        plain="niet geen nooit zonder niemand niets nergens noch nimmer geenszins",
        small="de het een van en is heeft hebben zijn was waren werd worden dat die op voor met aan ook naar bij door"
        " uit maar om er nog had wordt zal niet geen",
        harmless="niet alleen|niet enkel|niet minder dan|niet meer dan|zonder twijfel"
        "|niet in de laatste plaats|of niet",
        verbs="ontkent ontkende ontkennen ontkenden weigert weigerde weigerden",
        clauses="maar terwijl hoewel omdat dat wanneer als die",
        that="dat",
        falsehoods="onwaar onjuist vals",
    ),
    "it": _Words(
        plain="non senza",
        concord="mai nessun nessuno nessuna neanche nemmeno neppure né niente nulla",
        small="il lo la gli le un una di del della dei delle che non è ha hanno sono era per con nel nella alla al dal"
        " si più anche stato stata i e",
        harmless="non solo|non soltanto|non meno di|non più di|senza dubbio|o no|se non|non oltre",
        verbs="nega negò negano negato smentisce smentì smentito rifiuta rifiutò",
        clauses="ma mentre perché che quando se dove benché",
        that="che",
        falsehoods="falso falsa falsi inesatto",
    ),
    "pt": _Words(
        plain="não sem",
        concord="nunca jamais nenhum nenhuma ninguém nem tampouco nada",
        small="o a os as um uma de do da dos das em no na nos nas que não é foi foram por para com ao se mais como tem"
        " e pelo pela seu sua são está",
        harmless="não só|não apenas|não somente|não menos de|não mais de|sem dúvida|ou não|não obstante",
        verbs="nega negou negaram negado desmentiu recusa recusou",
        clauses="mas enquanto porque que quando se onde embora",
        that="que",
        falsehoods="falso falsa falsos",
    ),
    "sv": _Words(
        plain="inte ej icke ingen inga inget aldrig utan varken knappast",
        small="och att det en ett som är av för på med har inte till den i om hade var de från eller ha blev",
        harmless="inte bara|inte endast|inte enbart|inte minst|inte mindre än|inte mer än|utan tvekan|utan tvivel",
        verbs="förnekar förnekade nekar nekade vägrar vägrade",
        clauses="men medan eftersom att när om som fast",
        that="att",
        falsehoods="falskt osant felaktigt",
    ),
    "no": _Words(
        plain="ikke ikkje ei ingen intet ingenting aldri aldrig uten uden hverken verken ej",
        small="og at det en et som er av af for på med har ikke til den i om hadde havde var de fra eller ble blev sig",
        harmless="ikke bare|ikke kun|ikke minst|ikke mindre enn|ikke mer enn|ikke mindre end|ikke mere end|uten tvil"
        "|uden tvivl",
        verbs="nekter nektet nægter nægtede benekter benektet benægter avviser avviste",
        clauses="men mens fordi at når hvis som selv",
        that="at",
        falsehoods="usant falsk feil",
    ),
    "fi": _Words(
        plain="ei en et emme ette eivät eikä ilman älä koskaan",
        small="ja on ei että se ovat mutta oli myös kun hän joka tai eivät olivat",
        harmless="ei vain|ei ainoastaan|ei pelkästään",
        clauses="mutta vaan koska että kun jos",
        that="että",
    ),
    "pl": _Words(
        plain="nie bez",
        concord="nigdy żaden żadna żadne żadnych żadnego nikt nic ani",
        small="i w z na nie się jest do że to przez od po za oraz ma był była było są o",
        harmless="nie tylko|nie mniej niż|nie więcej niż|bez wątpienia",
        clauses="ale lecz ponieważ że gdy jeśli który która",
        that="że",
        falsehoods="nieprawda fałszywe",
    ),
    "cs": _Words(
        plain="ne není nejsou nebyl nebyla nebylo nebyli bez nemá nemají neměl neměla",
        concord="nikdy žádný žádná žádné nikdo nic ani",
        small="a v na se je že do s z i by byl byla bylo má o k jsou podle není",
        harmless="ne jen|ne pouze|bez pochyby",
        clauses="ale protože že když pokud který která",
        that="že",
    ),
    "hu": _Words(
        plain="nem ne nincs nincsenek nélkül",
        concord="soha sem sincs senki semmi",
        small="a az és nem hogy egy volt van is meg nincs",
        harmless="nem csak|nem csupán|nem kevesebb",
        clauses="de mert hogy ha amikor",
        that="hogy",
    ),
    "ro": _Words(
        plain="nu fără",
        concord="niciodată niciun nicio nimeni nimic nici",
        small="și în la cu de pe un o este sunt a au fost nu că din pentru care al",
        harmless="nu numai|nu doar|fără îndoială",
        clauses="dar deoarece că când dacă care",
        that="că",
    ),
    "id": _Words(
        plain="tidak bukan tanpa belum tak jangan tiada",
        small="yang dan di tidak dengan untuk dari ini itu pada ke adalah telah akan oleh bukan",
        harmless="tidak hanya|bukan hanya|tidak kurang dari|tidak lebih dari",
        clauses="tetapi namun karena bahwa ketika jika",
        that="bahwa",
    ),
    "vi": _Words(
        plain="không chưa chẳng",
        small="là của và có được trong cho các một những đã không này với",
        harmless="không chỉ|không những",
        clauses="nhưng vì rằng khi nếu",
        that="rằng",
    ),
    "ru": _Words(
        plain="не нет без нельзя нету отнюдь",
        concord="ни никогда никто ничего ничто никакой никаких никому",
        small="и в на с по за о об от до из у а что как это был была было были для к его её их он она они же бы",
        harmless="не только|не менее|не более|не просто|без сомнения|не позднее|не позже|не раньше",
        verbs="отрицает отрицал отрицала отрицали опроверг опровергла опровергли отказался отказалась отказались",
        clauses="но однако потому что когда если который которая которые",
        that="что",
        falsehoods="неверно неправда ложь ложно",
    ),
    "uk": _Words(
        plain="не немає без нема",
        concord="ні ніколи ніхто нічого жоден жодна жодного",
        small="і й в у на з із за о від до та а що як це був була було були для його її їх він вона вони ж є",
        harmless="не тільки|не лише|не менше|не більше",
        verbs="заперечує заперечив заперечила спростував відмовився відмовилася",
        clauses="але проте тому що коли якщо який яка які",
        that="що",
    ),
    "el": _Words(
        plain="δεν δε μην μη χωρίς όχι δίχως",
        concord="ποτέ κανείς κανένας καμία κανένα ούτε",
        small="ο η το οι τα και του της των να με για σε από που είναι στο στη στην στον θα ένα μια",
        harmless="όχι μόνο|χωρίς αμφιβολία",
        clauses="αλλά ενώ επειδή ότι όταν αν που",
        that="ότι",
    ),
    "ar": _Words(
        plain="لا لم لن ليس ليست ليسوا غير دون بدون كلا ولا ولم ولن وليس فلم فلا عدم",
        small="في من على إلى عن أن التي الذي هذا هذه مع قد كان كانت و",
        harmless="ليس فقط|لا سيما|لا يقل عن|لا يزيد عن|لا شك",
        verbs="نفى نفت ينفي تنفي رفض رفضت",
        clauses="لكن بينما لأن أن عندما إذا",
        that="أن",
    ),
    "fa": _Words(
        plain="نه نیست نیستند بدون نبود نشد نکرد نکرده ندارد نداشت نخواهد",
        concord="هرگز هیچ",
        small="در از به که را این آن با برای است و شد کرد می",
        harmless="نه تنها",
        clauses="اما ولی زیرا که وقتی اگر",
        that="که",
    ),
    "he": _Words(
        plain="לא אין אינו אינה אינם אינן ללא בלי אל ולא שלא ואין שאין",
        small="את של על עם הוא היא הם זה זו כי או גם כל",
        harmless="לא רק|ללא ספק|לא פחות|לא יותר",
        verbs="הכחיש הכחישה הכחישו סירב סירבה סירבו",
        clauses="אבל כי כאשר אם",
        that="כי",
    ),
}

PATTERNS: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    name: (re.compile(cues), re.compile(harmless))
    for name, cues, harmless in (
        ("ja", JAPANESE, JAPANESE_HARMLESS),
        ("zh", CHINESE, CHINESE_HARMLESS),
        (
            "ko",
            r"않|못(?=\s|하|한|했|합|해)|(?<![가-힣])안(?= [가-힣])|없|아니|아닌|거부"
            r"|부인(?=하|했|한|해)|미(?=발표|승인|확인|완료|지급)",
            r"뿐(?:만|이) 아니|지 않을 수 없|틀림없|상관없|수밖에 없|아니라도|못지않|끊임없"
            "|변함없",
        ),
        (
            "hi",
            r"नहीं|नही(?![\u0900-\u0963])|बिना|(?<![\u0900-\u097f])न(?= )|इनकार|इंकार",
            r"न केवल|न सिर्फ|ही नहीं",
        ),
        ("th", r"ไม่|มิได้|ปฏิเสธ", r"ไม่เพียง|ไม่น้อยกว่า|ไม่เกิน|ไม่นาน|ไม่ต่ำกว่า"),
        (
            "tr",
            r"\w{2}(?:m[ae]d[ıi](?:m|n|k|lar|ler|nız|niz)?|m[ae]m[ıi]ş\w*|m[ae]yaca\w+|m[ae]yece\w+|m[ae]z(?:lar|ler|dı|di)?"
            r"|m[ıiuü]yor\w*|m[ae]makta\w*)\b|\bdeğil\w*|\byok(?:tu|tur)?\b|\basla\b|\bhiçbir\b|\breddetti\w*|\byalanladı\w*",
            r"değil mi|\b[Tt]emmuz\w*|\bdomuz\w*|\bomuz\w*|\btemiz\w*|\bdeniz\w*",
        ),
    )
}
"""For languages that no list of words serves: what denies, and in which phrases it does not."""

_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("ko", "\uac00-\ud7af\u1100-\u11ff"),
    ("zh", "\u3400-\u9fff\uf900-\ufaff"),
    ("hi", "\u0900-\u097f"),
    ("th", "\u0e00-\u0e7f"),
    ("el", "\u0370-\u03ff"),
    ("he", "\u0590-\u05ff"),
    ("ar", "\u0600-\u06ff"),
    ("ru", "\u0400-\u04ff"),
)
_OF_SCRIPT = tuple((name, re.compile(f"[{body}]")) for name, body in _SCRIPTS)
_LETTER = re.compile(r"[^\W\d_]")
_SIBLINGS = {"ru": ("uk", re.compile("[іїєґ]", re.IGNORECASE)), "ar": ("fa", re.compile("[پچژگیک]"))}
"""The other language of a script, and the letters that only it has; a name alone does not make a text its."""
_OFTEN = 0.03
_TURKISH = re.compile("[ığİ]|ş")


@cache
def negation_words(language: str | None) -> NegationWords:
    """The words that deny in a language; those of English where none are known."""
    if language in _WORDS:
        return _made(_WORDS[language])
    return NEGATIONS.get(language or "en", NEGATIONS["en"])


@cache
def small_words(language: str | None) -> frozenset[str]:
    """The words of a language of this module that say nothing themselves; empty for any other."""
    return _folded(_WORDS[language].small) - _folded(_WORDS[language].plain) if language in _WORDS else frozenset()


def negating_languages(one: str, other: str, locale: str | None) -> tuple[str | None, str | None]:
    """The languages whose denials are looked for in two texts: one for both, but where each surely has its own."""
    both = negating_language(f"{one} {other}", locale)
    mine, theirs = negating_language(one, locale), negating_language(other, locale)
    if mine == theirs or mine is None or theirs is None:
        return both, both
    surely = _is_rather(one, mine, theirs) and _is_rather(other, theirs, mine)
    return (mine, theirs) if surely else (both, both)


def _is_rather(text: str, language: str, another: str) -> bool:
    """Whether a text has more words that tell the one language than the other; a script or an ending tells too."""
    lists = {**telling_words(), **_telling()}
    if language in PATTERNS:
        return True
    present = [word.folded for word in words(text)]
    counts = [sum(word in lists.get(name, ()) for word in present) for name in (language, another)]
    return counts[0] > counts[1]


@lru_cache(maxsize=512)
def negating_language(text: str, locale: str | None) -> str | None:
    """The language whose denials are looked for in a text: the locale's, that of its script, else that of most of its
    small words.
    """
    if locale:
        named = re.split("[-_]", locale)[0].lower()
        named = {"nb": "no", "nn": "no", "da": "no"}.get(named, named)
        if named in _WORDS or named in PATTERNS:
            return named
    known = language_of(text, locale)
    if known == "ja":
        return known
    script = None if text.isascii() else _of_script(text)
    if script is not None:
        return script
    if _is_turkish(text):
        return "tr"
    return _of_small_words(text) or known


def _of_script(text: str) -> str | None:
    letters = len(_LETTER.findall(text))
    for name, pattern in _OF_SCRIPT:
        if 2 * len(_LETTER.findall("".join(pattern.findall(text)))) > letters:
            sibling, telling = _SIBLINGS.get(name, (name, pattern))
            return sibling if len(telling.findall(text)) >= _OFTEN * letters else name
    return None


def _is_turkish(text: str) -> bool:
    """Whether more words have letters of Turkish than there are small words of a language with lists."""
    if text.isascii():
        return False
    present = words(text)
    turkish = sum(_TURKISH.search(text, word.start, word.end) is not None for word in present)
    return turkish > max(sum(word.folded in listed for word in present) for listed in telling_words().values())


def _of_small_words(text: str) -> str | None:
    """A language that has more small words in a text than any with lists of its own has."""
    present = [word.folded for word in words(text)]
    most = max(sum(word in listed for word in present) for listed in telling_words().values())
    best = None
    for name, listed in _telling().items():
        count = sum(word in listed for word in present)
        if count > most:
            best, most = name, count
    return best


@cache
def _telling() -> dict[str, frozenset[str]]:
    return {name: _folded(f"{entry.small} {entry.plain} {entry.concord}") for name, entry in _WORDS.items()}


@cache
def _folded(text: str) -> frozenset[str]:
    return frozenset(fold_word(word) for word in text.split())


def _made(entry: _Words) -> NegationWords:
    return NegationWords(
        plain=_folded(entry.plain),
        concord=_folded(entry.concord),
        verbs=_folded(entry.verbs),
        weak=frozenset(),
        harmless=frozenset(fold_word(phrase) for phrase in entry.harmless.split("|") if phrase),
        clauses=_folded(entry.clauses),
        that=_folded(entry.that),
        falsehoods=_folded(entry.falsehoods),
        both_sides=True,
    )
