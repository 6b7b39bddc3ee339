"""Denials in languages that have no other word lists: overlooking one makes a source say its opposite."""

from __future__ import annotations

import pytest

from schemacast.claims import contradictions
from schemacast.claims.more_negation_words import negating_language

DENIED = [
    ("nl", "De raad heeft de brug goedgekeurd.", "De raad heeft de brug niet goedgekeurd."),
    ("nl", "De raad heeft een brug gebouwd.", "De raad heeft geen brug gebouwd."),
    ("it", "Il consiglio ha approvato il ponte.", "Il consiglio non ha approvato il ponte."),
    ("it", "La nave è partita da Hald.", "La nave non è mai partita da Hald."),
    ("pt", "O conselho aprovou a ponte.", "O conselho não aprovou a ponte."),
    ("pt", "A empresa vendeu os navios.", "A empresa nunca vendeu os navios."),
    ("sv", "Rådet har godkänt bron.", "Rådet har inte godkänt bron."),
    ("no", "Rådet har godkjent broen.", "Rådet har ikke godkjent broen."),
    ("no", "Rådet har godkendt broen.", "Rådet har aldrig godkendt broen."),
    ("fi", "Neuvosto on hyväksynyt sillan.", "Neuvosto ei ole hyväksynyt siltaa, se sanoi."),
    ("pl", "Rada miasta zatwierdziła most.", "Rada miasta nie zatwierdziła mostu."),
    ("cs", "Rada je podle zprávy pro most.", "Rada není podle zprávy pro most."),
    ("hu", "A tanács jóváhagyta a hidat.", "A tanács nem hagyta jóvá a hidat."),
    ("ro", "Consiliul a aprobat podul din Hald.", "Consiliul nu a aprobat podul din Hald."),
    ("id", "Dewan telah menyetujui jembatan itu.", "Dewan tidak menyetujui jembatan itu."),
    ("vi", "Hội đồng đã phê duyệt cây cầu.", "Hội đồng không phê duyệt cây cầu."),
    ("ru", "Совет утвердил мост в Халде.", "Совет не утвердил мост в Халде."),
    ("uk", "Рада затвердила міст у Гальді.", "Рада не затвердила міст у Гальді."),
    ("el", "Το συμβούλιο ενέκρινε τη γέφυρα.", "Το συμβούλιο δεν ενέκρινε τη γέφυρα."),
    ("ar", "وافق المجلس على الجسر.", "لم يوافق المجلس على الجسر."),
    ("fa", "شورا پل را تصویب کرد.", "شورا پل را تصویب نکرد."),
    ("he", "המועצה אישרה את הגשר.", "המועצה לא אישרה את הגשר."),
    ("zh", "委员会批准了这座桥。", "委员会没有批准这座桥。"),
    ("zh", "委員會批准了這座橋。", "委員會從未批准這座橋。"),
    ("ko", "의회는 다리를 승인했다.", "의회는 다리를 승인하지 않았다."),
    ("hi", "परिषद ने पुल को मंजूरी दी।", "परिषद ने पुल को मंजूरी नहीं दी।"),
    ("th", "สภาอนุมัติสะพาน", "สภาไม่อนุมัติสะพาน"),
    ("tr", "Konsey köprüyü onayladı.", "Konsey köprüyü onaylamadı."),
]
MORE = {
    "no": "Det sto at skipet ikke ble solgt til en havn av de som eier det.",
    "pl": "Statek się nie zepsuł i jest w porcie od maja, a to było na wyspie.",
    "hu": "Ez az hajó is megérkezett, és nem volt baj, hogy egy hete van itt.",
}
AGREEING = [
    ("De raad heeft niet alleen de brug maar ook de weg goedgekeurd.", "De raad heeft de brug en de weg goedgekeurd."),
    ("Il consiglio non ha approvato il ponte.", "Il ponte non è stato approvato dal consiglio."),
    ("O conselho não aprovou a ponte.", "A ponte não foi aprovada pelo conselho."),
    ("Rådet har inte bara godkänt bron.", "Rådet har godkänt bron."),
    ("Rådet har ikke godkjent broen.", "Broen er ikke godkjent av rådet."),
    ("Rada nie tylko zatwierdziła most w Hald.", "Rada zatwierdziła most w Hald."),
    ("Совет не утвердил мост.", "Мост не утвержден, никогда не утвердил его Совет."),
    ("Совет утвердил не только мост.", "Совет утвердил мост и дорогу."),
    ("وافق المجلس على الجسر.", "وافق المجلس ليس فقط على الجسر."),
    ("委员会不仅批准了这座桥。", "委员会批准了这座桥。"),
    ("委员会在非洲批准了无线网。", "委员会批准了非洲的无线网，这非常重要。"),
    ("남쪽 의회는 다리를 승인하지 않았다.", "의회는 남쪽 다리를 승인하지 않았다."),
    ("Konsey Temmuz ayında denizde köprüyü onayladı.", "Konsey köprüyü Temmuz ayında onayladı."),
    ("De raad heeft de brug goedgekeurd.", "De raad heeft de brug goedgekeurd. Niemand was in de zaal."),
]


@pytest.mark.parametrize(("claim", "quote"), [pair[1:] for pair in DENIED], ids=[pair[0] for pair in DENIED])
def test_a_denial_on_one_side_only_is_a_contradiction_in_many_languages(claim: str, quote: str) -> None:
    for one, other in ((claim, quote), (quote, claim)):
        [found] = contradictions(one, other)
        assert found.reason == "negation_differs"
        assert one[slice(*found.in_claim)].strip()
        assert other[slice(*found.in_quote)].strip()


@pytest.mark.parametrize(("claim", "quote"), AGREEING)
def test_a_denial_on_both_sides_or_of_something_else_is_none(claim: str, quote: str) -> None:
    assert contradictions(claim, quote) == ()
    assert contradictions(quote, claim) == ()


@pytest.mark.parametrize("language", sorted({pair[0] for pair in DENIED}))
def test_a_language_is_told_by_its_script_or_its_small_words(language: str) -> None:
    whole = " ".join(f"{claim} {quote}" for name, claim, quote in DENIED if name == language)
    told = negating_language(f"{whole} {MORE.get(language, '')}", None)
    assert told == language


@pytest.mark.parametrize(
    ("claim", "quote", "differs"),
    [
        ("Orvik did not sell the ship Mona.", "Orvik hat das Schiff Mona nicht verkauft.", False),
        ("Orvik sold the ship Mona.", "Orvik hat das Schiff Mona nicht verkauft.", True),
        ("Orvik did not sell the ship Mona.", "Orvik hat das Schiff Mona verkauft.", True),
        ("Orvik sold the ship Mona.", "Orvik n'a pas vendu le navire Mona.", True),
        ("The ship Mona was sold.", "Судно Mona не было продано.", True),
        ("The ship Mona was not sold.", "Судно Mona не было продано.", False),
        ("Orvik has not sold the Mona.", "Orvik社はMonaを売らなかった。", False),
        ("Orvik has sold the Mona.", "Orvik社は Mona を売らなかった。", True),
    ],
)
def test_denials_are_told_in_two_languages_at_once(claim: str, quote: str, differs: bool) -> None:
    assert bool(contradictions(claim, quote)) is differs
    assert bool(contradictions(quote, claim)) is differs


def test_a_locale_says_the_language_of_denials() -> None:
    assert negating_language("Orvik", "nb-NO") == "no"
    assert negating_language("Orvik", "pt_BR") == "pt"
    assert negating_language("Orvik", "de-AT") == "de"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The ship sailed to Hald.", "en"),
        ("Das Schiff fuhr nach Hald.", "de"),
        ("Le navire est parti de Hald.", "fr"),
        ("El barco no salió de Hald.", "es"),
        ("船は出港した。", "ja"),
        ("The firm 東京 sold it", "en"),
        ("The mayor of Şişli has not resigned, said Işık.", "en"),
        ("Мэр Київа не ушёл в отставку, говорит совет города.", "ru"),
        ("قال المجلس إنه لم يوافق على الجسر في مدينة چابهار", "ar"),
        ("Orvik", None),
        ("", None),
    ],
)
def test_a_language_is_not_taken_for_another_by_a_name(text: str, language: str | None) -> None:
    assert negating_language(text, None) == language


@pytest.mark.parametrize("word", ["hasnt", "hasn't", "hasn’t", "hasnʼt", "hasn＇t", "hasn`t", "hasn´t"])
def test_a_denial_counts_however_its_apostrophe_is_written(word: str) -> None:
    [found] = contradictions("The council has approved the bridge.", f"The council {word} approved the bridge.")
    assert found.reason == "negation_differs"


@pytest.mark.parametrize(
    ("claim", "quote", "differs"),
    [
        ("Orvik AS has 6 ships.", "Orvik AS has no 6 ships.", True),
        ("Orvik AS has 6 ships.", "Orvik AS has No. 6 ships.", False),
        ("Pier no 5 was closed.", "Pier 5 was closed.", False),
    ],
)
def test_no_before_a_number_that_counts_denies(claim: str, quote: str, differs: bool) -> None:
    assert bool(contradictions(claim, quote)) is differs
