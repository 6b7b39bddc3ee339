"""The comparators and hedges that take from a number what a plain number would keep, per language.

`before` stand directly before a number (or its currency), `after` directly behind it or its unit;
those that begin with a join (`or more`) may have two words between. `aside` stand behind it in brackets or commas.
`harmless` are phrases that end in one of them and qualify nothing. `between` and `ranges` tie two
numbers; a `from` that follows a word of change (`raised from 3 to 5`) ties none. `topics` are words after which
`about` or `über` tells what something is about. Words that are everyday ones in another
language (`own_only`) count in their own language only, since a text is often in another than its locale; those of
`told_only` only where the locale is theirs. All are folded: no case, no accents.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


@dataclass(frozen=True, slots=True)
class QualifierWords:
    """One language's words, phrases separated by `|`."""

    before: str
    after: str
    aside: str = ""
    harmless: str = ""
    between: str = ""
    between_join: str = ""
    ranges: str = ""
    alternatives: str = ""
    changes: str = ""
    topics: str = ""
    topical: str = ""
    itself: str = ""
    own_only: str = ""
    told_only: str = ""


QUALIFIERS: dict[str, QualifierWords] = {
    "en": QualifierWords(
        before="about|around|approximately|approx|roughly|circa|ca|c|est|estimated|some|nearly"
        "|almost|close to|nigh on"
        "|more than|less than|fewer than|greater than|larger than|bigger than|smaller than|higher than|lower than"
        "|older than|younger than|longer than|shorter than|heavier than|lighter than|less than or equal to"
        "|greater than or equal to|over|under|above|below|beyond|exceeding|exceeds|exceed|exceeded|in excess of"
        "|upwards of|upward of|north of|south of|at least|at most|at the least|at the most|no more than|no less than"
        "|no fewer than|not more than|not less than|up to|upto|as many as|as much as|as few as|as little as"
        "|minimum|minimum of|maximum|maximum of|max|min|max of|min of|maybe|perhaps|possibly|probably|something like"
        "|on the order of|in the order of|of the order of|a good|anywhere from|starting at|starting from"
        "|barely|scarcely|hardly|not even|not quite|likely|in the region of|in the neighbourhood of"
        "|in the neighborhood of|in the vicinity of|getting on for|estimated at|plus or minus|plus minus"
        "|give or take|the best part of|the better part of",
        after="or more|or less|or fewer|or older|or younger|or above|or below|or higher|or lower|or greater|or larger"
        "|or smaller|or over|or under|or so|or thereabouts|or later|or better|or worse"
        "|or longer|or shorter|or heavier"
        "|and up|and above|and over|and older|and below|and under|and more|and younger|plus|at least|at most"
        "|at the most|at the least|minimum|maximum|max|tops|approx|approximately|give or take|ish|odd|something"
        "|upwards|and counting|more or less",
        aside="give or take|approx|approximately|roughly|or so|or more|or less|more or less|estimated|est|ca|circa"
        "|at least|at most|minimum|maximum|max|min|tops",
        harmless="the above|the below|hand over|hands over|handed over|handing over|turn over|turns over|turned over"
        "|turning over|concern over|concerns over|concerned over|worry over|worried over|complaint over|complaints over"
        "|complained over|dispute over|disputes over|question over|questions over|argued over|query over",
        between="between",
        between_join="and",
        ranges="to|through|thru|until|till",
        alternatives="or",
        changes="rose|rise|risen|rising|raise|increas|decreas|chang|went|go|fell|fall|drop|reduc"
        "|upgrad|downgrad|mov|cut|grew|grow"
        "|jump|lower|updat|bump|set|adjust|escalat|shift|switch|climb|lift|shrank|shrunk|improv|promot|demot|migrat"
        "|convert|transfer|renam|renumber|extend|added|add|connect",
        topics="ask|asks|asked|asking|call|calls|called|calling|complain|complains|complained"
        "|complaint|complaints|talk|talks|talked"
        "|talking|inquire|inquires|inquired|inquiry|enquire|enquires|enquired|enquiry|email|emails|mail"
        "|question|questions|info|information|know|concern|concerned|concerns"
        "|worry|worried|chat|speak|spoke|discuss|query|queries|details|data|ticket|tickets|message|messages|forgot",
        topical="about",
        itself="couple",
        own_only="c|est|min|odd|a good|plus|tops|ish|till|likely",
    ),
    "de": QualifierWords(
        before="etwa|in etwa|ungefahr|ungef|circa|zirka|ca|rund|knapp|gut|fast|beinahe|nahezu|annahernd|mindestens"
        "|mind|wenigstens|zumindest|hochstens|maximal|max|min|mehr als|weniger als|uber|unter|oberhalb von"
        "|unterhalb von|bis zu|bis|ab|schatzungsweise|geschatzt|geschatzte|vermutlich"
        "|vielleicht|an die|um die|so um die|kaum|nicht ganz|nicht einmal|nicht mal|plus minus|plus oder minus"
        "|grosser als|kleiner als|hoher als|niedriger als|alter als|junger als|langer als|kurzer als|schwerer als"
        "|grosser gleich|kleiner gleich|nicht mehr als|nicht weniger als|nicht unter|nicht uber|maximum|minimum"
        "|hochstens ca|approx|wohl|gegen",
        after="oder mehr|oder weniger|oder alter|oder junger|oder hoher|oder niedriger|oder daruber|oder darunter"
        "|oder langer|oder so|und mehr|und alter|und daruber|und langer|und hoher|plus|maximal|max|mindestens"
        "|hochstens|aufwarts|circa|ca|ungefahr|etwa|minimum|maximum",
        aside="ca|circa|ungefahr|etwa|mindestens|hochstens|maximal|max|min|geschatzt|oder mehr|oder weniger|oder so",
        between="zwischen",
        between_join="und",
        ranges="bis",
        alternatives="oder",
        topics="rechnung|betrag|scheck|vertrag|summe|quittung|kredit|auftrag|beschwerde|beschwert|beschweren|bericht"
        "|berichtet|information|informiert|spricht|sprach|sprechen|redet|reden|diskutiert|frage|angebot|bestellung",
        topical="uber",
        own_only="gut|fast|ab|bis|min|mind|plus",
    ),
    "fr": QualifierWords(
        before="environ|env|pres de|presque|quelque|quelques|autour de|aux alentours de|a peu pres|approximativement"
        "|plus de|moins de|plus que|moins que|au moins|au plus|au minimum|au maximum|maximum|minimum|jusqu'a"
        "|a partir de|minimum de|maximum de|superieur a|superieure a|superieurs a|inferieur a"
        "|inferieure a|inferieurs a"
        "|superieur ou egal a|inferieur ou egal a|pas plus de|pas moins de|depassant|depasse|plus d'|pres d'|moins d'"
        "|max|min|circa|ca|peut etre|probablement|approx|de l'ordre de|dans les|plus des|moins des|a peine"
        "|plus ou moins|pas tout a fait|quasiment|grosso modo|au dela de|au dessus de|au dessous de|en dessous de"
        "|d'au moins|d'au plus|d'environ|qu'environ",
        after="ou plus|ou moins|et plus|et moins|environ|au moins|au plus|au maximum|au minimum|maximum|minimum|max"
        "|ou davantage|et davantage|a peu pres|voire plus|ou superieur|ou inferieur"
        "|ou plus age|et au dela|plus ou moins",
        aside="environ|approx|au moins|au plus|minimum|maximum|max|min|ou plus|ou moins|plus ou moins",
        between="entre",
        between_join="et",
        ranges="a|jusqu'a",
        alternatives="ou",
        changes="pass|augment|baiss|mont|descend|diminu|chang|reduit|reduir|port|releve|abaiss|tomb|grimp",
        itself="dizaine|quinzaine|vingtaine|trentaine|quarantaine|cinquantaine|soixantaine|centaine|millier|huitaine",
        own_only="min|ca|plus|max|a peine|a",
    ),
    "es": QualifierWords(
        before="unos|unas|aproximadamente|aprox|alrededor de|cerca de|casi|mas de|menos de|mas que|menos que|al menos"
        "|por lo menos|como minimo|como maximo|a lo sumo|hasta|minimo|maximo|minimo de|maximo de|mayor de|mayor que"
        "|mayor a|mayores de|mayores que|menor de|menor que|menor a|menores de|menores que|superior a|superiores a"
        "|inferior a|inferiores a|mayor o igual a|menor o igual a|mayor o igual que|menor o igual que|no mas de"
        "|no menos de|en torno a|circa|ca|a partir de|quizas|quiza|tal vez|posiblemente|probablemente|poco mas de"
        "|max|min|supera|superando|por encima de|por debajo de|mas del|menos del|cerca del|alrededor del|apenas"
        "|mas o menos|poco menos de|cosa de|no llega a|no llegan a|rondando|rozando",
        after="o mas|o menos|o mayor|o mayores|o superior|o inferior|o menor|y mas|aproximadamente|aprox|como minimo"
        "|como maximo|por lo menos|al menos|a lo sumo|maximo|minimo|max|mas o menos|en adelante|y tantos"
        "|y tantas|y pico",
        aside="aproximadamente|aprox|mas o menos|al menos|por lo menos|como minimo|como maximo|o mas|o menos|max|min",
        between="entre",
        between_join="y",
        ranges="a|hasta",
        alternatives="o",
        changes="sub|pas|baj|aument|cambi|reduc|increment|disminu|cay|ascend|descend|elev|mov",
        itself="decena|veintena|quincena|centenar|millar",
        own_only="min|ca|max|a",
    ),
    "it": QualifierWords(
        before="circa|quasi|piu di|meno di|almeno|al massimo|al minimo|fino a|oltre|massimo|minimo"
        "|intorno a|approssimativamente"
        "|piu di un|superiore a|inferiore a|non piu di|non meno di",
        after="o piu|o meno|circa|e oltre|massimo|minimo|almeno",
        between="tra|fra",
        between_join="e",
        ranges="a",
        alternatives="o",
        own_only="tra|fra|oltre|minimo|massimo|a",
    ),
    "pt": QualifierWords(
        before="cerca de|aproximadamente|quase|mais de|menos de|pelo menos|no minimo|no maximo|ate"
        "|acima de|abaixo de|em torno de"
        "|por volta de|uns|umas|maior que|menor que|superior a|inferior a|a partir de",
        after="ou mais|ou menos|aproximadamente|no minimo|no maximo|pelo menos",
        between="entre",
        between_join="e",
        ranges="a|ate",
        alternatives="ou",
        own_only="ate|uns|umas|a",
    ),
    "nl": QualifierWords(
        before="ongeveer|circa|ca|bijna|zo'n|rond|meer dan|minder dan|minstens|ten minste|tenminste"
        "|hoogstens|maximaal"
        "|minimaal|tot|ruim|groter dan|kleiner dan|ouder dan|vanaf",
        after="of meer|of minder|of ouder|en meer|en ouder|maximaal|minimaal|ongeveer",
        between="tussen",
        between_join="en",
        ranges="tot",
        alternatives="of",
        own_only="tot|of|rond|ruim|en|ca",
        told_only="of",
    ),
}

ABBREVIATIONS = frozenset(_listed("ca c approx aprox env est max min mind ungef zw"))
"""Words that keep their dot: before a number it ends no sentence."""

FILLERS = frozenset(
    _listed("a an another just only even ein eine einen einem einer weitere noch un une autres otros otras uno una")
)
"""Words that may stand between a qualifier and its number."""

SIGNS_BEFORE = _listed("<= >= =< +/- < > ≤ ≥ ≦ ≧ ⩽ ⩾ ≲ ≳ ~ ≈ ≃ ≅ ∼ ± ＜ ＞ ～ 〜")
SIGNS_AFTER = ("+", "＋", "≤", "≥", "≦", "≧")
DASHES = _listed("- – ‐ ‑ ‒ — − ~ ～ 〜 ∼ ... … .. ÷")
"""Signs between two numbers that make them a range."""

UNSPACED_BEFORE: dict[str, str] = {
    "約": "契予条規公盟婚節要集制解先特誓", "约": "契预条公盟婚节制合", "약": "계예조공", "近": "最附靠邻鄰亲親浅",
    **dict.fromkeys(
        _listed(
            "大约 およそ おおよそ 大体 だいたい ほぼ 最大 最低 最小 最高 最多 最少 少なくとも 多くとも せいぜい"
            " 概ね おおむね 推定 ざっと 至少 不到 超过 超過 将近 將近 几乎 差不多 大概 高达 多达"
            " 接近 逾 多于 少于 大于 小于 高于 低于 たかだか"
            " 대략 거의 최소 최대 적어도"
        ),
        "",
    ),
}  # fmt: skip
"""Words that touch the number, in scripts without spaces, and what before them makes them part of another word."""

UNSPACED_AFTER = _listed(
    "以上 以下 未満 未满 超 を超え を上回 を下回 を切 ほど 程度 くらい ぐらい 前後 あまり 余り 余 内外 左右"
    " 上下 以内 之内 まで 近く 足らず そこそこ 強 弱 多 이상 이하 미만 초과 정도 쯤 이내 내외 안팎 남짓 가량 넘게 넘는"
)
"""Words behind the number, its unit and its counter."""

UNSPACED_RANGES = (
    "から",
    "至",
    "到",
    "부터",
    "ないし",
    "乃至",
    "もしくは",
    "若しくは",
    "あるいは",
    "或いは",
    "か",
    "または",
    "又は",
    "或",
    "或者",
)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language and the harmless ones of all others."""

    before: frozenset[str]
    after: frozenset[str]
    between: frozenset[str]
    between_join: frozenset[str]
    ranges: frozenset[str]
    alternatives: frozenset[str]
    changes: tuple[str, ...]
    topics: frozenset[str]
    topical: frozenset[str]
    itself: frozenset[str]
    aside: frozenset[str]
    harmless: frozenset[str]
    joins: frozenset[str]


_FIELDS = (
    *("before", "after", "itself", "aside", "harmless", "changes", "topics", "topical"),
    *("between", "between_join", "ranges", "alternatives"),
)
_TIES = ("ranges", "alternatives", "between_join")
"""Between two numbers a word says what it says in its language, whatever it means elsewhere; but not an English `a`."""


@cache
def words_of(language: str | None) -> Words:
    """The words that apply in a language; of None: all, of one that is not listed: those that are safe in any."""
    chosen: dict[str, set[str]] = {field: set() for field in _FIELDS}
    joins: set[str] = set()
    for name, listed in QUALIFIERS.items():
        told = set() if language == name else set(listed.told_only.split("|"))
        hidden = set() if language in (None, name) else set(listed.own_only.split("|"))
        for field in _FIELDS:
            chosen[field] |= (
                set(getattr(listed, field).split("|")) - told - (hidden & {"a"} if field in _TIES else hidden) - {""}
            )
        joins |= {*listed.between_join.split("|"), *listed.alternatives.split("|")}
    changes = tuple(sorted(chosen.pop("changes")))
    return Words(
        changes=changes, joins=frozenset(joins), **{field: frozenset(found) for field, found in chosen.items()}
    )
