"""The words that change what a sentence states although they name nothing in it, in five languages, folded.

A claim that leaves one of these out says more than its source: `may have sold` is not `sold`, `the former director`
is not `the director`, `some ships` are not `ships`. `TENSES` are the auxiliaries that say when something holds.
"""

from __future__ import annotations

from schemacast.claims.function_words import listed

QUALIFYING: dict[str, frozenset[str]] = {
    "en": listed("""
        may might could would should must can cannot ought will shall plan plans planned planning intend intends
        intended expect expects expected hope hopes hoped aim aims aimed consider considers considered
        considering propose proposes proposed seek seeks sought want wants wanted try tries tried attempt
        attempts attempted agreed offered promise promised threatened likely unlikely probably possibly perhaps
        maybe allegedly reportedly apparently seemingly supposedly purportedly rumored rumoured purported
        alleged claims claimed claim said says say saying believe believes believed think thinks thought suggest
        suggests suggested suspected estimated according if unless whether provided assuming otherwise almost
        nearly partly partially some most many few several half either sometimes often usually rarely seldom
        occasionally former formerly ex deputy vice acting interim assistant future prospective potential
        planned so-called fake false hypothetical would-be would except nearly barely until once temporarily
        briefly conditionally supposedly rather instead unless scheduled due set about
    """),
    "de": listed("""
        konnte konnten kann konnen konnt mag mogen durfte durften sollte sollten soll sollen musste mussten muss
        mussen wurde-wohl plant planen plante planten will wollen wollte wollten erwartet erwarten erwartete
        hofft hoffen hoffte beabsichtigt erwagt vorgeschlagen versucht versuchte versuchten angeblich vermutlich
        moglicherweise vielleicht wahrscheinlich wohl offenbar anscheinend mutmasslich mutmassliche behauptet
        behauptete sagt sagte glaubt laut falls wenn ob sofern fast beinahe nahezu teilweise einige manche
        meisten viele wenige mehrere halb manchmal oft meist selten ehemalig ehemalige ehemaliger ehemaligen
        fruhere fruherer fruheren ex stellvertretend stellvertretende stellvertretender stellvertretenden vize
        amtierende kommissarisch kommissarische kunftige kunftiger geplante geplanter potenzielle sogenannte
        ausser wurden-ware ware waren-wohl bis vorubergehend
    """),
    "fr": listed("""
        peut peuvent pourrait pourraient pouvait doit doivent devrait devraient devait va vont prevoit prevoient
        prevu envisage envisagent compte esperait espere veut veulent voulait tente tenta essaie essaya propose
        probablement peut-etre possiblement apparemment pretendument presume presumee suppose supposee pretend
        pretendent pretendu dit affirme affirma croit pense selon si sauf presque quasiment partiellement
        certains certaines quelques plupart plusieurs moitie parfois souvent rarement ancien ancienne anciens ex
        adjoint adjointe vice interimaire futur future eventuel eventuelle potentiel potentielle soi-disant faux
        fausse hormis jusqu temporairement serait seraient aurait auraient
    """),
    "es": listed("""
        puede pueden podria podrian podia debe deben deberia deberian va van planea planean planeaba preve
        preven piensa pretende pretenden espera esperan quiere quieren queria intenta intento propone
        probablemente posiblemente quiza quizas acaso aparentemente supuestamente presunto presunta supuesto
        supuesta dice dijo afirma afirmo cree segun si salvo excepto casi parcialmente algunos algunas mayoria
        muchos muchas pocos pocas varios varias mitad veces frecuentemente raramente antiguo antigua ex adjunto
        adjunta vice subdirector interino interina futuro futura eventual potencial llamado falso falsa hasta
        temporalmente seria serian habria habrian
    """),
    "ja": frozenset(),
}

JAPANESE_QUALIFYING = (
    r"かもしれ|だろう|でしょう|らしい|ようだ|そうだ|とみられ|とされ|という|といわれ|と言われ|はず|予定|計画|可能性|つもり|たい(?=[。、]|$)"
    r"|もし|れば|たら|なら|ほとんど|一部|多く|元(?=[^\W\d_])|前(?=社長|首相|大統領|市長)|副|代理|暫定|将来|見込み|見通し|よう(?=と)|推定|疑い"
)

CHINESE_QUALIFYING = (
    r"可能|也许|或许|大概|大约|估计|预计|预期|计划|打算|拟|将(?!军)|应该|应当|希望|声称|自称|宣称|据说|据称|据报|据悉|据传|传闻"
    r"|认为|相信|怀疑|似乎|好像|看来|涉嫌|如果|假如|假设|倘若|若|除非|要是|只要|几乎|大部分|多数|少数|部分|一些|有些|某些|一半"
    r"|前任|副|代理|临时|名誉|未来|说|称(?!为|作|号)|表示|否认|是否|尽管"
)

REPORTING: frozenset[str] = listed("""
    if unless whether provided assuming according said says say saying claims claimed claim alleged allegedly
    reportedly supposedly purportedly apparently rumored rumoured believe believes believed suspected denied
    hypothetical would wenn falls ob sofern laut angeblich vermutlich behauptet behauptete sagt sagte
    mutmasslich mutmassliche glaubt si selon dit affirme affirma pretend pretendument apparemment presume
    suppose croit segun dice dijo afirma afirmo supuestamente presunto presunta aparentemente cree
""")
"""Of the qualifying words those that qualify a sentence from wherever they stand in it: conditions and reports."""

TENSES: dict[str, str] = {
    word: tense
    for tense, line in {
        "past": "was were had did war waren wurde wurden hatte hatten etait etaient fut furent avait avaient eut"
        " era eran fue fueron estaba estaban habia habian",
        "present": "is are am has have do does ist sind wird werden hat haben est sont a ont es son esta estan"
        " ha han hay",
        "future": "will shall 'll sera seront aura auront sera seran",
    }.items()
    for word in line.split()
}
"""Auxiliaries and the time they speak of."""

RELATING: dict[str, frozenset[str]] = {
    "en": listed("""
        to from before after until since than or against into under over between within through by for with
        during because although while about without above below and but then who whom whose which of
    """),
    "de": listed("""
        zu zum zur von vom vor nach bis seit als oder gegen unter uber zwischen durch fur mit wahrend weil
        obwohl aus und aber an
    """),
    "fr": listed(
        "de du des d a au aux avant apres depuis jusqu ou contre sous sur entre par pour avec pendant et mais"
    ),
    "es": listed("de del a al antes despues desde hasta o contra bajo sobre entre por para con durante y e pero"),
    "ja": frozenset(),
}
"""Function words that say who did what to whom; a claim may not add them or move them."""

ADDED: frozenset[str] = listed("""
    if so both same just own such very too also because since therefore thus although though when while before
    after until than during without against even still yet only his her their our my your wenn falls ob beide
    beiden obwohl weil als auch nur sein seine seinen seiner ihr ihre ihren ihrer unser si quand lorsque bien
    aussi meme son sa ses leur leurs notre cuando aunque tambien su sus nuestro
""")
"""Function words that a claim may not have on its own: they tie what is said to something, or say whose it is."""

LOOSE: frozenset[str] = listed("of de du des d del von vom an a and und et y e who which")
"""Of these, those whose absence from a source changes nothing."""

NAME_SUFFIXES: frozenset[str] = listed("""
    as asa inc ltd limited gmbh ag sa sarl sas llc corp corporation co company plc kg oy ab nv bv spa sl kk se
    ev
""")
"""What follows a company's name and may be left out."""
