"""The words of sentences that only frame an answer, and the sentences that say that there is none.

A framing sentence holds no other word than these and function words. The absences are whole sentences, folded and
without their end mark.
"""

from __future__ import annotations

from schemacast.claims.function_words import listed

FRAMING: frozenset[str] = listed(
    # English
    "here follow follows is are was were found find following answer answers answered question questions asked ask"
    " based according"
    " provided given source sources document documents text texts passage passages context excerpt"
    " excerpts evidence"
    " information summary summarize summarise summarised conclusion conclude overall note please hope helps help"
    " helpful sure certainly course let know further details detail need anything else below above listed list"
    " relevant quote quotes quoted quotation quotations citation citations cited state states stated say"
    " says said"
    " mention mentions mentioned report reports reported describe describes described read reads tell tells told"
    " show shows shown can could would will do does did have has had looking look search searched"
    " searching result"
    " results references reference thank thanks welcome happy i'm we've key points point facts fact statement"
    " statements short brief briefly response more material available quick"
    # German
    " hier ist sind war waren gefunden folgende folgendes folgenden antwort frage gemass laut zufolge quelle"
    " quellen dokument"
    " dokumente text texte kontext information informationen zusammenfassung zusammenfassend angegeben genannt"
    " steht stehen sagt sagen besagt besagen heisst zitat zitate gerne gern hoffe hilft helfen habe basierend"
    " grundlage bereitgestellten vorliegenden nennt nennen berichtet unten"
    # French
    " voici est sont etait etaient ce que trouve trouver reponse question selon d'apres apres fourni fournis"
    " source sources document documents texte textes contexte information informations resume bref indique"
    " indiquent dit disent mentionne mentionnent cite citation citations suivant suivante suivants espere aide"
    " bien sur conclusion passage passages"
    # Spanish
    " aqui esta es son era lo encontre encontrado encontrada respuesta pregunta segun basado fuente fuentes"
    " documento documentos"
    " texto textos contexto informacion resumen siguiente siguientes dice dicen indica indican menciona mencionan"
    " cita citas espero ayude claro conclusion pasaje pasajes"
    # Japanese (what is no hiragana)
    " 以下 回答 質問 資料 文書 情報 参照 引用 要約 次 結果 出典 提供"
)

CONNECTING: frozenset[str] = listed("""
    because since so therefore thus hence consequently although though unless if when while before after until than
    during without against despite weil deshalb daher somit obwohl nachdem bevor wenn wahrend falls parce donc ainsi
    avant apres si quand lorsque porque aunque antes despues cuando mientras
    would could than or but so such both each same own too just only even very up over under
    about around against across among between within through upon into onto
    oder aber doch uber unter gegen zwischen durch bis seit etwa sowie als um jener jene jenes
    ou mais contre entre sous depuis pendant tres plus moins vers or
    pero hasta entre contra bajo mas muy ya durante tras ante o u
""")
"""Function words that claim how two statements hang together, or change what a number or statement says (`over "6
ships"`), so that beside a quote they are no framing."""

OFFERS: tuple[str, ...] = (
    r"(?:would you like|do you want|shall i|should i|can i|may i|mochten sie|soll ich|souhaitez vous|voulez vous|desea"
    r"|quiere)\b[^\d]{0,80}",
)
"""Questions that offer something and claim nothing, as patterns over a folded sentence."""

_SOURCES_EN = (
    r"(?:(?:the|these|any|any of the|those|my) )?(?:provided |given |available |retrieved |cited |supplied )?"
    r"(?:sources?|documents?|texts?|context|passages?|evidence|material|materials|excerpts?|information)"
    r"(?: provided| given| available)?"
)
ABSENCES: tuple[str, ...] = (
    rf"(?:(?:the answer|this|that|it|this information|the information|an answer|no answer) (?:is |was )?)?"
    rf"(?:not|n't|never) (?:stated |found |mentioned |contained |given |available |present |answered |covered )?"
    rf"(?:in|by|within|from) {_SOURCES_EN}",
    rf"(?:i )?(?:could not|couldn't|cannot|can't|can not|did not|didn't) find (?:it|this|that|an answer|the answer"
    rf"|any information|anything|that information|this information)(?: (?:in|within|from) {_SOURCES_EN})?",
    rf"{_SOURCES_EN} (?:do|does|did) not (?:say|state|mention|contain|answer|hold|include|provide|give|tell)"
    rf"(?: (?:it|this|that|so|an answer|the answer|the question|this question|any information|this information"
    rf"|that information|an answer to (?:this|the|that|your) question))?",
    rf"{_SOURCES_EN} (?:don't|doesn't|didn't) (?:say|state|mention|contain|answer|hold|include|provide|give|tell)"
    rf"(?: (?:it|this|that|so|an answer|the answer|the question|this question|any information))?",
    rf"(?:there is )?(?:no|not enough|insufficient) (?:answer|information|evidence|such information)"
    rf"(?: (?:in|within|from) {_SOURCES_EN})?(?: to answer (?:this|the|that|your) question)?",
    r"i (?:do not|don't) know",
    r"(?:the answer is )?unknown|n/?a|not (?:stated|found|mentioned|available|answerable|enough information)",
    r"(?:das )?(?:steht |ist )?(?:nicht|leider nicht) in den (?:quellen|dokumenten"
    r"|texten)(?: (?:enthalten|angegeben|zu finden))?",
    r"(?:in )?(?:die|den) (?:quellen|dokumenten?|texten?) (?:enthalten|nennen|sagen|steht|geben) (?:dazu "
    r"|daruber |es )?"
    r"(?:das |dies |keine antwort|keine information(?:en)?|nichts)?(?: ?nicht)?(?: dazu| daruber)?",
    r"(?:ce n'est |cela n'est |ce n est )?(?:pas|absent) (?:dans|indique dans|mentionne dans"
    r"|des) les (?:sources|documents|textes)",
    r"les (?:sources|documents|textes) ne (?:le |la )?(?:disent|mentionnent|precisent|contiennent|donnent"
    r"|repondent) pas"
    r"(?: (?:la |de )?reponse)?",
    r"(?:no (?:esta|figura|aparece|consta|se encuentra|se menciona) )?(?:no )?en (?:las|los) (?:fuentes"
    r"|documentos|textos)",
    r"(?:las|los) (?:fuentes|documentos|textos) no (?:lo )?(?:dicen|mencionan|contienen"
    r"|indican)(?: (?:la |una )?respuesta)?",
    r"(?:その)?(?:情報|回答|答え)?(?:は|が)?(?:資料|出典|文書|情報源|ソース)(?:に|の中に)(?:は)?(?:記載|書かれて|含まれて|載って)?"
    r"(?:が|は)?(?:あり|い|され)?(?:て)?(?:ませ[んん]|ない|いません|いない|ありません)",
)
"""What stands for `not in the sources`, as patterns over a folded sentence."""
