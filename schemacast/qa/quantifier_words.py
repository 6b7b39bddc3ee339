"""The words of each rung of the quantifier ladder, in five languages, folded (no case, no accents)."""

from __future__ import annotations


def _phrases(*lines: str) -> tuple[str, ...]:
    return tuple(phrase for line in lines for phrase in line.split("|"))


RUNG_WORDS: dict[str, tuple[str, ...]] = {
    "ABSENT": _phrases(
        "no|none|no one|nobody|nothing|neither|never|without any|not any|not a single|zero",
        "kein|keine|keinen|keinem|keiner|niemand|nichts|nie|niemals",
        "aucun|aucune|personne|jamais|nul|nulle|rien",
        "ningun|ninguna|ninguno|nadie|nunca|jamas|nada",
        "一つもない|誰もいない|何もない|全くない",
    ),
    "SINGULAR": _phrases(
        "who|what|when|where|which|whose|whom|why|how|is|are|was|were|does|did|do",
        "wer|was|wann|wo|welche|welcher|welches|wessen|warum|wie|wieviel|wie viele",
        "qui|quel|quelle|quels|quelles|quand|ou|pourquoi|comment|combien",
        "quien|quienes|que|cual|cuales|cuando|donde|por que|como|cuanto|cuantos|cuantas",
        "誰|何|いつ|どこ|どの|なぜ|どうやって|いくつ|いくら",
    ),
    "PROPORTIONAL": _phrases(
        "most|most of|half|half of|a third of|a quarter of|the majority|majority of|a minority|minority of|percentage"
        "|proportion|fraction|share of|what percent",
        "die meisten|meisten|halfte|halb|mehrheit|anteil|prozent|drittel|viertel",
        "la plupart|moitie|majorite|pourcentage|proportion|tiers",
        "la mayoria|mayoria|mitad|porcentaje|proporcion|tercio",
        "ほとんど|大半|半分|過半数|割合|大部分",
    ),
    "FEW": _phrases(
        "some|a few|few|several|a couple|couple of|handful|a handful of|any examples|an example|examples",
        "einige|ein paar|wenige|manche|mehrere|etliche|beispiele",
        "quelques|quelques uns|quelques unes|certains|certaines|plusieurs|exemples",
        "algunos|algunas|unos|unas|unos pocos|pocos|pocas|varios|varias|ejemplos",
        "いくつか|数個|何人か|少し|例を",
    ),
    "MANY": _phrases(
        "many|numerous|a lot of|lots of|plenty of|various|multiple|dozens of|hundreds of|countless|a number of"
        "|a range of",
        "viele|vielen|zahlreiche|zahlreichen|eine menge|jede menge|diverse|dutzende",
        "beaucoup|nombreux|nombreuses|de nombreux|une multitude|divers|diverses|des dizaines",
        "muchos|muchas|numerosos|numerosas|un monton|diversos|diversas|multiples",
        "多くの|たくさん|多数|数多く|様々な",
    ),
    "ALL": _phrases(
        "all|all of|every|each|everyone|everybody|any and all|the whole|list the|list of|name the|which ones",
        "alle|allen|aller|alles|jede|jeder|jedes|jeden|samtliche|samtlichen|jedermann",
        "tous|toutes|tout|toute|chaque|chacun|chacune|l'ensemble",
        "todos|todas|todo|toda|cada|cualquier",
        "すべて|全て|全部|あらゆる|各|全員|毎",
    ),
    "COMPREHENSIVE": _phrases(
        "tell me everything|complete list|full list|entire list|exhaustive|comprehensive|everything"
        "|complete account|full account|in full"
        "|full history|complete history|every single|all there is|enumerate|list all|list every|name all|name every"
        "|complete overview|whole story",
        "vollstandige liste|komplette liste|vollstandig|vollstandige|umfassend|umfassende|erschopfend|luckenlos"
        "|alles uber|alle auflisten|zahle alle|liste alle",
        "liste complete|exhaustif|exhaustive|exhaustivement|tout ce que|en entier|integralement|enumere|enumerer"
        "|tout savoir",
        "lista completa|exhaustivo|exhaustiva|exhaustivamente|todo lo que|todo sobre|enumera|enumerar|por completo",
        "完全なリスト|網羅|全リスト|一覧|余すところなく",
    ),
    "OPEN_REQUEST": _phrases(
        "tell me about|tell us about|tell me more|describe|explain|discuss|elaborate|summarize"
        "|summarise|outline|give an overview|give me an overview|overview of|talk about|write about|introduce"
        "|what do you know about|what can you tell me|walk me through|compare and contrast",
        "erzahl|erzahle|erzahlen sie|beschreibe|beschreiben sie|beschreib|erklare|erklaren sie|erlautere|uberblick"
        "|fasse zusammen|was weisst du uber|schildere",
        "parle moi|parlez moi|decris|decrivez|explique|expliquez|resume|resumez|raconte|racontez|presente moi"
        "|donne moi un apercu|que sais tu",
        "hablame|hableme|cuentame|cuenteme|describe|describa|explica|explique|explicame|resume|resuma|que sabes"
        "|dame un resumen",
        "教えて|説明|について述べ|紹介して|概要|解説|要約",
    ),
}
NOT_QUANTIFIERS: tuple[str, ...] = _phrases(
    "how many|how much|at all|after all|all right|above all|the most|most recent|most recently|most likely|no longer"
    "|no later than|no more than|no fewer than|no less than|not more than|whether or not|yes or no|each other"
    "|all of a sudden|once and for all|no doubt|all time|tell me how many|some time|few years ago|a few years ago"
    "|a few days ago|some years ago",
    "wie viele|wie viel|vor allem|am meisten|nicht mehr als|nicht weniger als|nicht nur|alles in allem",
    "combien de|pas du tout|surtout|tout de suite|tout a fait|tout le temps|malgre tout|le plus|la plus",
    "cuantos|cuantas|sobre todo|ante todo|del todo|el mas|la mas|los mas",
)
"""Phrases in which these words ask for nothing of the kind."""

UNBOUNDED: tuple[str, ...] = _phrases(
    "in the world|on earth|ever|of all time|everything|anything|in history|in existence|in the universe|worldwide"
    "|everywhere|of all kinds",
    "auf der welt|weltweit|aller zeiten|je|jemals|alles|uberall",
    "au monde|dans le monde|de tous les temps|n'importe quoi|partout",
    "en el mundo|del mundo|de todos los tiempos|en la historia|en todas partes",
    "世界中|史上|歴史上",
)
"""Words that say that nothing bounds the set."""

ANCHORED: tuple[str, ...] = _phrases(
    "in the text|in the texts|in the report|in the document|in the documents|in the passage|in the sources|in this"
    "|of this|of these|of the company|mentioned|listed|named here|above|following",
    "im text|in den texten|im bericht|im dokument|in diesem|in dieser|dieser|genannt|erwahnt",
    "dans le texte|dans les textes|dans le rapport|dans ce|dans cette|de ce|de cette|mentionnes|cites",
    "en el texto|en los textos|en el informe|en este|en esta|de este|de esta|mencionados|citados",
    "この|本文|報告書",
)
"""Words that bound a set by a text or by something at hand."""
