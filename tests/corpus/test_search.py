"""Which passages a question finds, whatever it is made of."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from asking_desk import fill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemacast.corpus.index import require_fts5, update
from schemacast.corpus.search import Hit, search
from schemacast.corpus.terms import MOST_PAIRS, MOST_WORDS, terms
from schemacast.errors import InputError, MissingPackageError
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.reader import Workspace

TEXTS = {
    "fleet": "Ada Lind leads Orvik AS. The company owns six ships and leases two more.",
    "pump": 'The pump tb-7/b runs "hot (C++)" and 5% over. NOT AND OR NEAR are words of the log.',
    "chinese": "奥尔维克公司有六艘船。总部设在哈尔德。",
    "japanese": "オルビク社は東京都に本社を置く。船を六隻持つ。",
    "thai": "บริษัทออร์วิกมีเรือหกลำ สำนักงานใหญ่อยู่ที่กรุงเทพมหานคร",
    "korean": "오르빅은 서울에서 배를 여섯 척 운영한다.",
    "german": "Die Straßenbahn fährt über die MÜHLENBRÜCKE.",
    "hindi": "ओर्विक के पास छह जहाज़ हैं।",
    "wide": "ＯＲＶＩＫ ｓｈｉｐｙａｒｄ",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    metadata = {"fleet": {"title": "The fleet of Orvik", "url": "https://example.org/fleet"}}
    return fill(tmp_path_factory.mktemp("corpus"), TEXTS, metadata=metadata)


def found(corpus: Path, question: str, **options: int) -> list[str]:
    return [hit.source_id for hit in search(corpus, question, **options)]


@pytest.mark.parametrize(
    ("question", "source"),
    [
        ("Who leads Orvik AS?", "fleet"),
        ("How many ships does the company own?", "fleet"),
        ("who is LEADING orvik", "fleet"),
        ('tb-7/b "(C++)"', "pump"),
        ("tb-7/b", "pump"),
        ("c++", "pump"),
        ("总部在哪里？", "chinese"),
        ("奥尔维克有几艘船", "chinese"),
        ("船", "chinese"),
        ("東京の会社は？", "japanese"),
        ("กรุงเทพ", "thai"),
        ("เรือกี่ลำ", "thai"),
        ("서울", "korean"),
        ("배", "korean"),
        ("strassenbahn", "german"),
        ("Muhlenbrucke", "german"),
        ("जहाज़", "hindi"),
        ("orvik shipyard", "wide"),
    ],
)
def test_a_question_finds_its_passage(corpus: Path, question: str, source: str) -> None:
    assert source in found(corpus, question)


@pytest.mark.parametrize("question", ["AND", "NOT", "OR", "NEAR", "NEAR(pump, 3)"])
def test_an_operator_is_a_word_like_any_other(corpus: Path, question: str) -> None:
    # `and`, `not` and `or` alone are looked for, although they are frequent.
    assert "pump" in found(corpus, question)


@pytest.mark.parametrize(
    "question", ["", " ", '"', "'", "(", "*", "^", "?", "++", "\0", "\u200b", "-", "{}", ":", "\ud800"]
)
def test_a_question_without_a_letter_or_digit_finds_nothing(corpus: Path, question: str) -> None:
    assert found(corpus, question) == []


@given(st.text(max_size=80) | st.text(st.sampled_from("ab\"'()*:^{}+-\0 ANDORNT東กे7"), max_size=30))
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_question_is_an_error(corpus: Path, question: str) -> None:
    for hit in search(corpus, question, keywords=question):
        assert TEXTS[hit.source_id][hit.char_start : hit.char_end] == hit.text


def test_a_very_long_question_finds_what_it_asks_for_in_little_time(corpus: Path) -> None:
    question = "Who leads Orvik? " + "Please be so kind as to think about pumps of every kind. " * 170
    assert len(question) > 9_000
    assert "fleet" in found(corpus, question)
    long = terms(" ".join(f"word{number}" for number in range(5_000)) + "東京" * 500)
    assert (len(long.words), len(long.pairs) <= MOST_PAIRS) == (MOST_WORDS, True)
    assert found(corpus, "x.y" * 3_000) == []


def test_a_hit_is_a_span_of_its_source_with_its_metadata(corpus: Path) -> None:
    hit = search(corpus, "fleet")[0]
    assert (hit.source_id, hit.char_start, hit.char_end) == ("fleet", 0, len(TEXTS["fleet"]))
    assert (hit.title, hit.metadata["url"]) == ("The fleet of Orvik", "https://example.org/fleet")
    with Workspace(corpus) as workspace:
        assert search(workspace, "fleet") == search(str(corpus), "fleet") == [hit]


def test_what_the_title_says_counts_for_the_whole_source(tmp_path: Path) -> None:
    texts = {name: f"The harbour of number {name} has a crane and a mill." for name in ("s1", "s2", "s3")}
    corpus = fill(tmp_path, texts, metadata={"s3": {"title": "Harbour"}})
    assert found(corpus, "harbour")[0] == "s3"


def test_keywords_are_looked_for_besides(corpus: Path) -> None:
    assert "pump" not in found(corpus, "Who leads Orvik?")
    hits = search(corpus, "Who leads Orvik?", keywords="hot pump")
    assert {"pump", "fleet"} <= {hit.source_id for hit in hits}
    assert search(corpus, "", keywords="pump")[0].source_id == "pump"


def test_no_more_than_the_limit_is_found_and_the_best_comes_first(corpus: Path) -> None:
    hits = search(corpus, "Orvik ships", limit=2)
    assert len(hits) == 2
    assert hits[0].score >= hits[1].score > 0
    assert search(corpus, "Orvik", limit=0) == []


def test_a_long_source_is_found_by_its_passage(tmp_path: Path) -> None:
    filler = "Nothing of note happened that day. " * 60
    text = f"{filler}\n\nThe keel was laid in Hald.\n\n{filler}"
    hits = search(fill(tmp_path, {"log": text}), "Where was the keel laid?", limit=1)
    assert "The keel was laid in Hald." in hits[0].text
    assert text[hits[0].char_start : hits[0].char_end] == hits[0].text
    assert hits[0].number > 0


def test_an_empty_workspace_finds_nothing(tmp_path: Path) -> None:
    WorkspaceFile(tmp_path / "empty.db", create=True).close()
    assert search(tmp_path / "empty.db", "anything") == []


def test_a_workspace_that_is_none_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such workspace"):
        search(tmp_path / "none.db", "anything")


def test_without_fts5_one_line_says_so(corpus: Path) -> None:
    with WorkspaceFile(corpus) as file:
        require_fts5(file)
        with pytest.raises(MissingPackageError, match="has no FTS9, which searching texts needs") as raised:
            require_fts5(file, module="fts9")
    assert "\n" not in str(raised.value)


def test_an_index_of_another_form_is_made_anew(tmp_path: Path) -> None:
    corpus = fill(tmp_path, TEXTS)
    before = search(corpus, "Orvik")
    with WorkspaceFile(corpus) as file:
        file.set_meta("index", "0:of another time")
        file.execute("UPDATE passages SET text = 'spoiled'")
    assert search(corpus, "Orvik") == before
    assert before


def test_a_workspace_of_the_version_before_is_indexed_too(tmp_path: Path) -> None:
    corpus = fill(tmp_path, TEXTS)
    before: list[Hit] = search(corpus, "Orvik")
    with sqlite3.connect(corpus) as file:
        names = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        for name in names:
            file.execute(f"DROP TRIGGER {name}")
        file.execute("DROP TABLE passage_index")
        later = ("passages", "indexed", "names", "texts_changed", "records_changed", "answers", "audit_events")
        for table in (*later, "revisions", "verdicts", "weights"):
            file.execute(f"DROP TABLE {table}")
        file.execute("ALTER TABLE decisions DROP COLUMN decided")
        file.execute("DELETE FROM meta WHERE name IN ('index', 'names_schema')")
        file.execute("PRAGMA user_version = 1")
    assert search(corpus, "Orvik") == before


def test_an_update_looks_only_at_what_changed(tmp_path: Path) -> None:
    corpus = fill(tmp_path, TEXTS)
    with WorkspaceFile(corpus) as file:
        assert update(file) == len(TEXTS)
        assert update(file) == 0
        body = json.loads(file.value("SELECT body FROM texts WHERE episode = 1"))
        body["text"] = "Nothing is left of the navy."
        file.execute("UPDATE texts SET body = ? WHERE episode = 1", (json.dumps(body),))
        assert update(file) == 1
    assert found(corpus, "navy") == ["fleet"]
    assert "fleet" not in found(corpus, "Ada Lind")
