"""The words that deny, in five languages, and the phrases in which the same words deny nothing.

`plain` deny what stands beside them; `concord` do so too, but beside a plain one only repeat it (`no vendió nada`).
`needing` count only where one of `markers` stands in the clause (`ne … plus`). `verbs` deny what depends on them
(`failed to sail`, `denied`), as stems. `weak` words set against a denial (`rejected` for `did not grant`) and deny
nothing of their own. `harmless` are phrases without a denial. All are folded.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemacast.claims.function_words import listed


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


@dataclass(frozen=True, slots=True)
class NegationWords:
    """The words of one language; phrases are separated by `|`."""

    plain: frozenset[str]
    concord: frozenset[str]
    verbs: frozenset[str]
    weak: frozenset[str]
    harmless: frozenset[str]
    clauses: frozenset[str]
    that: frozenset[str]
    falsehoods: frozenset[str]
    markers: frozenset[str] = frozenset()
    needing: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    both_sides: bool = False
    """Whether a denial may stand behind what it denies (`verkaufte die Schiffe nicht`)."""


NEGATIONS: dict[str, NegationWords] = {
    "en": NegationWords(
        plain=listed("""
            not n't never no none nobody nothing nowhere neither without cannot hardly barely scarcely rarely seldom nor
            aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt shouldnt wasnt werent wouldnt
        """),
        concord=listed("any"),
        verbs=listed("""
            fails failed failing fail denies denied denying deny lacks lacked lacking lack unable refuses
            refused refusing refuse declines declined declining decline forgot neglected disproved refuted
            disputed disputes
        """),
        weak=listed("""
            rejected reject rejects rejecting dismissed dismiss avoided avoid prevented prevent cancelled
            canceled cancel halted stopped ceased banned forbade forbidden excluded excludes except absent
            absence impossible withheld blocked empty zero missed missing free abandoned scrapped overturned
            only few little
        """),
        harmless=_phrases(
            "n't only|n't just|n't merely|n't simply"
            "|not only|not just|not merely|not simply|not solely|not least|not exclusively|no fewer|no less"
            "|no later|no earlier|no more than|not more than|not less than|not fewer than|not later than"
            "|not earlier than|no doubt|without doubt|without a doubt|without question|not surprisingly"
            "|nothing but|none other|whether or not|or not|if not|not to mention|no sooner|no matter"
            "|nothing short|cannot but|can not but|nothing less than|last but not least|no wonder"
            "|neither more nor less|no thanks to|no greater than|no larger than|no smaller than"
            "|no higher than|no lower than|no longer than|not above|not below|not over|not under"
            "|not exceeding|not hesitate|n't hesitate|never hesitated|not hesitated"
        ),
        clauses=listed("""
            but while whereas although though because which who whose that if unless where when however so nor
            yet since
        """),
        that=listed("that"),
        falsehoods=listed("false untrue incorrect wrong myth hoax lie rumour rumor baseless unfounded mistaken"),
        prefixes=("un", "non", "dis", "in", "im", "il", "ir"),
        suffixes=("less",),
    ),
    "de": NegationWords(
        plain=listed("""
            nicht kein keine keinen keinem keiner keines keinerlei nie niemals niemand niemanden niemandem
            nichts nirgends nirgendwo ohne weder kaum keineswegs keinesfalls nein noch-nie mitnichten
        """),
        concord=frozenset(),
        verbs=listed("""
            bestritt bestreitet bestreiten bestritten leugnet leugnete leugneten dementiert dementierte
            dementierten verweigert verweigerte verweigerten scheiterte scheitert scheiterten versaumte
            versaumten unterliess fehlt fehlte fehlten mangelt unfahig widerlegt widerlegte
        """),
        weak=listed("""
            lehnte lehnt abgelehnt abgelehnte verhinderte verhindert vermied gestoppt ausser unmoglich nur
            verbot verboten ausgeschlossen frei leer wenig wenige
        """),
        harmless=_phrases(
            "nicht nur|nicht bloss|nicht allein|nicht zuletzt|nicht weniger als|nicht mehr als|nicht minder"
            "|ohne zweifel|ohne frage|nichts anderes als|nicht zu vergessen|ob oder nicht|oder nicht"
            "|wenn nicht|nicht unter|nicht uber|kein geringerer|keine geringere|nicht spater als"
            "|nicht fruher als|kein zweifel|zogerte nicht|zogerten nicht|nicht gezogert|nicht zogern"
        ),
        clauses=listed("aber sondern wahrend obwohl weil dass wenn falls doch jedoch wobei wohingegen da"),
        that=listed("dass"),
        falsehoods=listed("falsch unwahr unrichtig gerucht irrtum luge"),
        prefixes=("un", "nicht", "in"),
        suffixes=("los", "frei"),
        both_sides=True,
    ),
    "fr": NegationWords(
        plain=listed("pas jamais aucun aucune guere sans nullement non"),
        concord=listed("rien personne nul nulle ni aucunement"),
        verbs=listed("""
            nie nia nient niait dementi dement dementit refuse refusa refusent refusait echoue echoua echouent
            manque manquait depourvu depourvue incapable conteste contesta
        """),
        weak=listed("""
            rejete rejeta evite empeche annule arrete interdit exclu sauf impossible absent seulement peu vide
        """),
        harmless=_phrases(
            "pas seulement|pas uniquement|pas simplement|non seulement|pas moins de|pas plus de|pas moins d"
            "|pas plus d|sans doute|sans aucun doute|sans conteste|rien que|pas plus tard|si ce n est pas"
            "|ou pas|ou non|sinon|rien de moins|pas avant|pas hesite|hesita pas|hesite pas|hesiterent pas"
        ),
        clauses=listed("mais tandis alors que qui dont lorsque lorsqu parce puisque bien quoique si ou"),
        that=listed("que qu"),
        falsehoods=listed("faux fausse fausses inexact inexacte mensonge rumeur errone"),
        markers=listed("ne n"),
        needing=listed("plus rien personne nul nulle"),
        prefixes=("in", "im", "ir", "il", "non", "mal", "de"),
        both_sides=True,
    ),
    "es": NegationWords(
        plain=listed("no nunca jamas sin apenas tampoco"),
        concord=listed("nadie nada ningun ninguna ninguno ningunos ningunas ni"),
        verbs=listed("""
            niega nego niegan negaron negaba desmiente desmintio desmintieron rechazo fracaso fracasa carece
            carecia carecen incapaz falta faltan refuto
        """),
        weak=listed("""
            rechaza rechazaron evito impidio cancelo detuvo prohibio prohibido excluido excepto salvo imposible
            ausente solo solamente pocos pocas vacio
        """),
        harmless=_phrases(
            "no solo|no solamente|no unicamente|no menos de|no mas de|no mas que|sin embargo|sin duda"
            "|sin dudas|no dudo en|no dudaron en|no vacilo en"
            "|no obstante|nada menos|no mas tarde|o no|si no|nada mas|no hay duda|no cabe duda"
        ),
        clauses=listed("pero sino mientras aunque porque que quien cuando si donde"),
        that=listed("que"),
        falsehoods=listed("falso falsa falsos incorrecto incorrecta mentira rumor bulo erroneo"),
        prefixes=("in", "im", "ir", "des", "no"),
        both_sides=True,
    ),
}  # fmt: skip

IN_ENDINGS = (
    "able", "ible", "al", "ent", "ant", "ive", "ete", "ect", "ous", "ular", "ate", "lid", "cure", "ite", "if", "el",
)  # fmt: skip
"""How what a Latin prefix denies ends: `incorrect`, `illegal`; but `inform` denies nothing."""

JAPANESE = (
    r"(?:ではな|じゃな|でな|はな|がな|もな|くな|らな|かな|さな|たな|なな|ばな|まな|わな|きな|えな|けな|せな|てな|ねな|べな|め?な|れな|げな|い?な)"
    r"(?:い|かっ|くて)|(?:ませ|せ)ん|ずに|(?<=[らかさたなばまわべえけせてねめれ])ず(?=[、。]|$)|無い|皆無|未(?=[^\W\d_])|否定|拒否|拒ん|失敗|なし"
)
JAPANESE_HARMLESS = (
    r"だけでな[いく]|のみならず|ばかりでな[いく]|少なくない|なければならない|なくてはならない|かもしれない|かもしれません"
    r"|に違いない|違いない|しか[^、。]{0,12}な(?:い|かっ)|とは限らない|間違いない|間違いなく|ざるを得ない|未満|未来|まもな|少なくとも|危な"
    r"|なければなりません"
)

CHINESE = r"不|没|沒|未|无|無|非|失败|失敗|禁止|否认|否認|拒绝|拒絕|别(?=[去做说])"
CHINESE_HARMLESS = (
    r"不[仅僅但过過久断斷只单單止锈鏽论論管妨禁免愧由足到少]|不[超低高小大多少迟]于|不超过|不超過|不低於|不少於|不得不|不同(?!意)|不动产|不動產"
    r"|[是能会要可]不[是能会要可]|[没沒][错收]|[没沒]有?问题|[没沒]关系|沒關係|未[来來知婚]|[无無][论論锡疑线限不关关數数]|无人机|莫不"
    r"|非[常洲]|[南北西东]非|否[则則]|[沉淹][没沒]"
)
