"""Statements that are cut out of a sentence: every character is the source's, and the source does not say it.

Each is asked for as a quote and, where it can stand by itself, as prose.
"""

from __future__ import annotations

import pytest

from schemacast.qa.judge import SourceText, judge

SOMEBODY_ELSES = [
    ("The wife of the mayor resigned on Monday.", "the mayor resigned on Monday"),
    ("Witnesses contend that the driver ran the red light.", "the driver ran the red light"),
    ("Arguing that the brakes failed, the plaintiff asked for damages.", "the brakes failed"),
    ("In the appellant's view, the clause is void.", "the clause is void"),
    ("In the novel, the queen poisons the king.", "the queen poisons the king"),
    ("Lena pretended the certificate was valid.", "the certificate was valid"),
    ("He dreamt that the ship sank.", "the ship sank"),
]
ON_A_CONDITION = [
    ("Had the valve closed, the tank would have held.", "the tank would have held"),
    ("The trial was stopped before the drug reached the market.", "the drug reached the market"),
    ("The committee considered whether the dam was safe.", "the dam was safe"),
    ("如果价格下跌,公司出售船只。", "公司出售船只"),
    ("据说公司出售了船只。", "公司出售了船只"),
]
OF_FEWER = [
    ("Children under 12 pay half price.", "Children pay half price"),
    ("Entry is free for members on weekdays.", "Entry is free"),
    ("The museum is closed on Mondays.", "The museum is closed"),
    ("The dose is 40 mg for adults and 20 mg for children.", "The dose is 40 mg"),
    ("The offer applies to orders above 50 euros.", "The offer applies to orders"),
    ("The drug helps patients who have had a stroke.", "The drug helps patients"),
    ("The tax applies to companies with more than 250 employees.", "The tax applies to companies"),
    (
        "The authors suggest that a booster could help adults over 65.",
        "The authors suggest that a booster could help adults",
    ),
    ("Die Steuer gilt für Firmen, die mehr als 250 Mitarbeiter haben.", "Die Steuer gilt für Firmen"),
    ("La taxe vise les sociétés qui emploient 250 personnes.", "La taxe vise les sociétés"),
]
OF_A_PART = [
    ("Half of the voters backed the merger.", "the voters backed the merger"),
    ("A majority of the voters backed the merger.", "the voters backed the merger"),
    ("Engineers found cracks in 14 of the 22 pillars.", "Engineers found cracks in 22 pillars"),
    ("Three in five voters backed the merger.", "five voters backed the merger"),
    ("Up to 40 voters backed the merger.", "40 voters backed the merger"),
    ("Most of the 40 voters backed the merger.", "40 voters backed the merger"),
    ("Drei der 40 Wähler stimmten dafür.", "40 Wähler stimmten dafür"),
    ("Trois électeurs sur 40 ont voté pour.", "40 ont voté pour"),
    ("Tres de los 40 votantes apoyaron el plan.", "los 40 votantes apoyaron el plan"),
    ("40人中3人が賛成した。", "40人が賛成した"),
]
LOG = (
    "[10:02] Priya: the staging server is down again\n[10:04] Tomas: I restarted it at 09:50\n"
    "[10:09] Priya: Lena thinks the certificate expired\n[10:15] Lena: confirmed, it ran out yesterday"
)


@pytest.mark.parametrize(("source", "cut"), [*SOMEBODY_ELSES, *ON_A_CONDITION, *OF_FEWER, *OF_A_PART])
@pytest.mark.parametrize("written", ['"{}" [1]', "{} [1].", 'The source says "{}" [1].'])
def test_a_statement_cut_out_of_its_sentence_is_not_strict(source: str, cut: str, written: str) -> None:
    verdict = judge(written.format(cut), [SourceText("s", source)])
    assert verdict.audit_mode != "STRICT", verdict.why


@pytest.mark.parametrize(
    ("source", "answer", "question"),
    [
        ("Grace Kimani manages the Nairobi office.", '"the Nairobi office" [1]', "What does Grace Kimani manage?"),
        ("Ada Rao manages the yard and reports to Per Holm.", '"manages the yard and reports to Per Holm" [1]', None),
        ("The board pays a dividend of 40 cents per share each May.", '"a dividend of 40 cents per share" [1]', None),
        ("Engineers found cracks in 14 of the 22 pillars.", '"cracks in 14 of the 22 pillars" [1]', None),
        (
            "The castle was destroyed in 1689 by French troops.",
            'It was "destroyed in 1689 by French troops" [1].',
            None,
        ),
        ("On 3 May 2022 the board closed the plant.", '"the board closed the plant" [1]', None),
        ("Bake at 180 °C for 35 minutes.", '"for 35 minutes" [1]', "How long should it bake?"),
        ("Revenue rose 12%, while operating profit declined.", '"operating profit declined" [1]', None),
        ("In 2019, Kim lent Park 500 dollars.", '"Kim lent Park 500 dollars" [1]', None),
    ],
)
def test_a_phrase_or_a_whole_part_of_a_sentence_stays_strict(source: str, answer: str, question: str | None) -> None:
    verdict = judge(answer, [SourceText("s", source)], question=question)
    assert verdict.audit_mode == "STRICT", verdict.why


@pytest.mark.parametrize(
    ("answer", "strict"),
    [
        ("the staging server is down again [1]", True),
        ("the staging server is down again at 10:04 [1]", False),
        ("At 10:04, the staging server is down again [1]", False),
        ("Lena thinks the certificate expired [1]", True),
        ("Lena thinks the certificate expired at 10:15 [1]", False),
        ("Tomas: I restarted it at 09:50 [1]", True),
        ("Priya restarted it at 09:50 [1]", False),
    ],
)
def test_what_a_line_of_a_log_says_has_nothing_from_the_next_line(answer: str, *, strict: bool) -> None:
    assert (judge(answer, [SourceText("s", LOG)]).audit_mode == "STRICT") is strict
