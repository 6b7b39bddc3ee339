"""The words that only hold a sentence together, in five languages, and the irregular forms of common verbs.

Articles, pronouns, prepositions, conjunctions and auxiliaries, folded (no case, no accents). Quantifiers, negations
and hedges are no function words: they change what a sentence states.
"""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
    return frozenset(text.split())


FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "en": listed(
        "a an the this that these those it its they them their theirs he him his she her hers we us our you your i me"
        " my who whom whose which what there here of in on at by for to from with and or but as than then into onto"
        " upon about after before during since until while when where so such between under over"
        " against above below among across around near also too own same both very just"
        " through via within if because although though however therefore thus 's 're 've 'll 'd 'm"
    ),
    "de": listed(
        "der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem jener jene jenes"
        " er sie es ihn ihm ihr ihre ihren ihrem ihrer ihres sein seine seinen seinem seiner seines wir uns unser ihnen"
        " man wer was welche welcher welches in im an am auf bei beim von vom zu zum zur mit nach vor aus fur um durch"
        " uber unter seit bis wahrend und oder aber denn als wie wenn dass da dort hier so auch sich dann daher doch"
        " sowie etwa weil obwohl jedoch"
    ),
    "fr": listed(
        "le la les l un une des du de d au aux ce cet cette ces il elle on ils elles lui leur leurs se s son sa ses mon"
        " ma mes notre nos votre vos je j tu nous vous qui que qu quoi dont ou y en dans sur sous par pour avec chez a"
        " vers et mais donc or car si comme lorsque lorsqu quand puis aussi tres ainsi pendant depuis apres avant entre"
        " c m t puisque puisqu cependant"
    ),
    "es": listed(
        "el la los las lo un una unos unas de del al a en por para con sobre entre hasta desde hacia segun y e o u pero"
        " que quien quienes cual cuales cuyo cuya este esta estos estas ese esa esos esas aquel aquella el ella ellos"
        " ellas se su sus mi mis tu nos les le como cuando donde si porque mas tambien muy asi ya durante tras ante"
    ),
    "ja": frozenset(),
}

AUXILIARIES: dict[str, frozenset[str]] = {
    "en": listed("is are was were be been being am has have had having do does did done will shall"),
    "de": listed("ist sind war waren sei seien wird werden wurde wurden worden hat haben hatte hatten habe bin wird"),
    "fr": listed("est sont etait etaient fut furent sera seront etre ete a ont avait avaient eut aura auront avoir as"),
    "es": listed(
        "es son era eran fue fueron sera seran ser sido esta estan estaba estuvo ha han habia habian haber hay"
    ),
    "ja": frozenset(),
}

_IRREGULAR_LINES = """
lead led; sell sold; buy bought; make made; build built; hold held; grow grew grown; rise rose risen; fall fell fallen;
win won; lose lost; find found; write wrote written; take took taken; give gave given; run ran; begin began begun;
become became; leave left; keep kept; send sent; spend spent; pay paid; say said; tell told; know knew known;
show shown; see saw seen; meet met; bring brought; think thought; teach taught; catch caught; come came; go went gone;
get got gotten; speak spoke spoken; break broke broken; choose chose chosen; drive drove driven; rise rose risen;
steal stole stolen; throw threw thrown; sink sank sunk; drink drank drunk; swim swam swum; sing sang sung;
fly flew flown; draw drew drawn; feed fed; bear bore born borne; wear wore worn; lay laid; lie lay lain; sit sat;
stand stood; fight fought; shoot shot; ship ships; child children; man men; woman women; person people
"""
IRREGULAR: dict[str, str] = {
    form: group.split()[0] for group in _IRREGULAR_LINES.replace("\n", " ").split(";") for form in group.split()
}
"""Forms of words whose inflection is not at their end."""
