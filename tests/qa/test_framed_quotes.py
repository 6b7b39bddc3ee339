"""What an answer says around its quotes, ahead of them and between them, and what dates and numbers belong to."""

from __future__ import annotations

import pytest

from schemacast.qa.judge import SourceText, Verdict, judge

LEADS = "Ada Lind leads Orvik AS."
SHIPS = "Orvik has 6 ships."
OWNED = "Ada Lind leads Orvik AS, which has 6 ships."
SOLD = "Orvik AS, founded in 1998 by Ada Lind, sold two ships to Brevik AS for 3.5 million euros."
PLANT = "The plant closed in March 2021 and reopened in June 2022."
EARNED = "Orvik earned 5 million euros in 2019 and 7 million euros in 2020."
TWO = "Ada Lind leads Orvik AS. Per leads Brevik AS."


def judged(answer: str, source: str, question: str | None = None, mode: str = "quote") -> Verdict:
    return judge(answer, [SourceText("s", source)], question=question, answer_mode=mode)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ('It is Ada Lind: "Ada Lind leads Orvik AS" [1].', LEADS),
        ('Ada Lind leads Orvik AS: "Ada Lind leads Orvik AS" [1].', LEADS),
        ('Ada Lind leads Orvik AS ("Ada Lind leads Orvik AS") [1].', LEADS),
        ('Ada Lind leads Orvik AS, as the source says: "Ada Lind leads Orvik AS" [1].', LEADS),
        ('Es ist Ada Lind: "Ada Lind leitet Orvik AS" [1].', "Ada Lind leitet Orvik AS."),
        ("C'est Ada Lind : « Ada Lind dirige Orvik AS » [1].", "Ada Lind dirige Orvik AS."),
        ('Six ships: "Orvik has 6 ships" [1].', SHIPS),
        ('The answer is 6: "Orvik has 6 ships" [1].', SHIPS),
        ('The plant closed in March 2021: "The plant closed in March 2021" [1].', PLANT),
        ('Orvik AS "has 6 ships" [1].', OWNED),
        ('Orvik AS sold "two ships to Brevik AS" [1].', SOLD),
        ("Orvik AS sold two ships to Brevik AS for 3.5 million euros [1].", SOLD),
        ('More than "14 workers were injured" [1].', "More than 14 workers were injured."),
        ('The source also says: "Orvik has 6 ships." [1]', SHIPS),
        ('The text above states that "Orvik has 6 ships" [1].', SHIPS),
        ("The plant reopened in June 2022 [1].", PLANT),
        ("Orvik earned 5 million euros in 2019 [1].", EARNED),
        ("Orvik earned 7 million euros in 2020 [1].", EARNED),
        ("Sales rose to 12% in May [1].", "Sales rose to 10% in April and 12% in May."),
        ("Orvik sold two ships in 2019 [1].", "In 2019, Orvik sold two ships."),
        ("Orvik sold two ships in 2019 [1].", "Orvik, in 2019, sold two ships."),
        ("In 2019 Orvik sold two ships [1].", "Orvik sold two ships in 2019."),
        ("The tower weighs 30 tonnes [1].", "The tower, which holds 20 tonnes of water, weighs 30 tonnes."),
        ('"Ada Lind leads Orvik AS" and "Per leads Brevik AS" [1].', TWO),
        ('"Ada Lind", "Per" [1].', TWO),
    ],
)
def test_a_true_statement_in_a_harmless_frame_is_strict(answer: str, source: str) -> None:
    found = judged(answer, source)
    assert found.audit_mode == "STRICT", found.why


@pytest.mark.parametrize(
    ("answer", "source", "question"),
    [
        ('More than "14 workers were injured" [1].', "14 workers were injured.", None),
        ('Over "6 ships" [1].', SHIPS, None),
        ('Under "6 ships" [1].', SHIPS, None),
        ('Above "6 ships" [1].', SHIPS, None),
        ('About "Orvik has 6 ships" [1].', SHIPS, None),
        ('Both "Orvik has 6 ships" [1].', SHIPS, None),
        ('"Orvik has 6 ships" each [1].', SHIPS, None),
        ('Über "6 Schiffe" [1].', "Orvik hat 6 Schiffe.", None),
        ('Sous "6 navires" [1].', "Orvik a 6 navires.", None),
        ('Más de "6 barcos" [1].', "Orvik tiene 6 barcos.", None),
        ('The text would say "Orvik has 6 ships" [1].', SHIPS, None),
        ('It is Per Lind: "Ada Lind leads Orvik AS" [1].', LEADS, None),
        ('It is Orvik AS: "Ada Lind leads Orvik AS" [1].', LEADS, "Who leads Orvik AS?"),
        ('It is not Ada Lind: "Ada Lind leads Orvik AS" [1].', LEADS, "Who leads Orvik AS?"),
        ('It is Ada Lind: "Ada Lind does not lead Orvik" [1].', "Ada Lind does not lead Orvik.", "Who leads Orvik?"),
        ('It is Ada Lind: "Ada Lind may lead Orvik" [1].', "Ada Lind may lead Orvik.", "Who leads Orvik?"),
        ('It is Karl: "Ada Lind succeeded Karl as head" [1].', "Ada Lind succeeded Karl as head.", "Who is the head?"),
        ('14: "14 workers were injured and 2 died" [1].', "14 workers were injured and 2 died.", "How many died?"),
        ('June 2022: "The plant closed in March 2021 and reopened in June 2022" [1].', PLANT, "When did it close?"),
        ('Over 6: "Orvik has 6 ships" [1].', SHIPS, None),
        ('Six trucks: "Orvik has 6 ships" [1].', SHIPS, None),
        ('Ada Lind founded Orvik AS ("Ada Lind leads Orvik AS") [1].', LEADS, None),
        ('Orvik sold ships: "Orvik planned to sell ships" [1].', "Orvik planned to sell ships.", None),
        (
            'The plant reopened in March 2021: "The plant closed in March 2021 and reopened in June 2022" [1].',
            PLANT,
            None,
        ),
    ],
)
def test_a_frame_that_says_something_else_is_not_strict(answer: str, source: str, question: str | None) -> None:
    assert judged(answer, source, question).audit_mode != "STRICT"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The plant reopened in March 2021", PLANT),
        ("In March 2021, the plant reopened", PLANT),
        ("The plant closed in June 2022", PLANT),
        ("The plant reopened in March 2021", "The plant closed in March 2021 and reopened later."),
        ("The plant reopened in March 2021", "In March 2021 the plant closed, and in June 2022 it reopened."),
        ("Orvik earned 5 million euros in 2020", EARNED),
        ("Orvik earned 7 million euros in 2019", EARNED),
        ("In 2020 Orvik earned 5 million euros", EARNED),
        ("Orvik earned 7 million euros in 2020", f"{EARNED[:36]} and Brevik 7 million euros in 2020."),
        ("Orvik earned 7 million euros in 2020", f"{EARNED[:36]} and lost 7 million euros in 2020."),
        ("Sales rose to 12% in May", "Sales rose to 10% in April and fell to 12% in May."),
        (
            "Brevik paid 3 million euros",
            "Orvik paid 3 million euros to Brevik, and Brevik paid 2 million euros to Hald.",
        ),
        ("Orvik sold 6 ships", "Orvik bought 6 ships and sold 3."),
        ("Ada Lind has 6 ships", OWNED),
        ("Orvik AS surprised Per", "Ada Lind left Orvik AS, which surprised Per."),
        ("Orvik AS has 6 ships", "Ada Lind runs the fleet of Orvik AS, which has 6 ships."),
        ("Orvik AS has 6 ships", "Ada Lind left Orvik AS, which had 6 ships."),
        ("Orvik sold ships", "Orvik sold ships?"),
    ],
)
@pytest.mark.parametrize("mode", ["quote", "claim_lattice_pointer"])
def test_what_belongs_to_other_words_is_not_strict(claim: str, source: str, mode: str) -> None:
    cited = f"{claim} [1]." if mode == "quote" else f"{claim}. [E1]"
    assert judged(cited, source, mode=mode).audit_mode != "STRICT"


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ('"Ada Lind leads" "Brevik AS" [1].', TWO),
        ('"Ada Lind" leads "Brevik AS" [1].', TWO),
        ('"Ada Lind" "leads" "Brevik AS" [1].', TWO),
        ('"Orvik bought Brevik" and "sold Hald" [1].', "Orvik bought Brevik. Per sold Hald."),
        ('"Orvik bought Brevik" [1].', "Orvik bought Brevik Shipping's debt."),
        ('"Orvik bought Brevik" [1].', "Orvik bought Brevik's debt."),
        ('"ships are old" [1].', "Few ships are old."),
        ('"workers were injured" [1].', "No workers were injured."),
        ('"Orvik sold ships" [1].', "Orvik sold ships? No."),
    ],
)
def test_pieces_of_what_is_stated_are_not_strict(answer: str, source: str) -> None:
    assert judged(answer, source).audit_mode != "STRICT"
