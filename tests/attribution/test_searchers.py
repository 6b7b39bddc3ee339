"""The searchers of a workspace, and how a searcher is found by its name."""

from __future__ import annotations

import threading
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from asking_desk import edge, fill, store, vertex
from tracing_desk import Shelf

from schemacast import plugins
from schemacast.attribution import Searcher, open_searcher
from schemacast.errors import InputError, MissingPackageError, UnknownNameError, UsageError
from schemacast.jobs.retraction import retract

TEXTS = {
    "m-1": "Orvik AS has 6 ships. Ada Lind leads Orvik AS.",
    "m-2": "The harbour of Hald is deep. Six ships of Orvik AS lie there, and two of Brevik AS.",
    "m-3": "Fish of the day.",
    "m-4": "Her brother sails for the same house since 1998.",
}
REPLIES: dict[str, Any] = {
    "m-1": {
        "vertices": [vertex("a", "Person", "Ada Lind"), vertex("o", "Company", "Orvik AS")],
        "edges": [edge("a", "LEADS", "o", "Ada Lind leads Orvik AS")],
    },
    "m-2": {"vertices": [vertex("o", "Company", "Orvik AS"), vertex("b", "Company", "Brevik AS")], "edges": []},
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    metadata = {
        "m-1": {"url": "https://orvik.example/letter", "title": "A letter"},
        "m-2": {"url": "not a url"},
    }
    return fill(tmp_path, TEXTS, REPLIES, metadata=metadata)


def test_the_corpus_is_searched_by_words_and_brings_whole_episodes(workspace: Path) -> None:
    found = open_searcher("corpus", workspace=workspace).search("Orvik AS has six ships.", limit=10)
    assert {one.source_id for one in found} == {"m-1", "m-2"}
    assert all(one.text == TEXTS[str(one.source_id)] and one.content in one.text for one in found)
    assert max(one.score for one in found) == 1.0
    by_id = {one.source_id: one for one in found}
    assert (str(by_id["m-1"].url), by_id["m-1"].title) == ("https://orvik.example/letter", "A letter")
    assert (str(by_id["m-2"].url), by_id["m-2"].title) == ("https://episode.invalid/m-2", "m-2")
    assert by_id["m-1"].published_date is None


def test_an_episode_is_one_result_however_many_of_its_passages_fit(tmp_path: Path) -> None:
    paragraphs = "\n\n".join(
        f"Orvik AS has {n} ships. " + "More is told of Hald and its market. " * 12 for n in range(9)
    )
    workspace = fill(tmp_path, {"long": paragraphs, "short": "Orvik AS has ships."})
    found = open_searcher("corpus", workspace=workspace).search("Orvik AS has 6 ships", limit=5)
    assert sorted(str(one.source_id) for one in found) == ["long", "short"]
    assert len(open_searcher("corpus", workspace=workspace).search("Orvik AS has 6 ships", limit=1)) == 1


def test_the_graph_finds_where_its_facts_about_the_entities_of_a_claim_were_read(workspace: Path) -> None:
    searcher = open_searcher("graph", workspace=workspace)
    found = searcher.search("Orvik AS is led by Ada Lind.", limit=10)
    assert [one.source_id for one in found] == ["m-1", "m-2"]
    assert "Ada Lind leads Orvik AS" in found[0].content
    assert found[0].text == TEXTS["m-1"]
    assert searcher.search("Nobody knows what this names.", limit=10) == []


def test_a_retracted_source_is_not_found_and_the_state_says_that_something_changed(workspace: Path) -> None:
    for name in ("corpus", "graph"):
        searcher = open_searcher(name, workspace=workspace)
        before = searcher.state
        assert searcher.state == before
        assert "m-1" in {one.source_id for one in searcher.search("Orvik AS", limit=9)}
        if name == "graph":
            retract(workspace, ["m-1"], to=store(workspace.parent))
            assert searcher.state != before
            for other in ("corpus", "graph"):
                again = open_searcher(other, workspace=workspace).search("Orvik AS", limit=9)
                assert "m-1" not in {one.source_id for one in again}


@pytest.mark.parametrize("query", ["", "?!", "\x00", '" OR *', "NEAR(Orvik", "x" * 5_000, "的"])
def test_no_query_breaks_a_search(workspace: Path, query: str) -> None:
    for name in ("corpus", "graph"):
        assert isinstance(open_searcher(name, workspace=workspace).search(query, limit=5), list)


def test_searches_may_run_in_several_threads_at_once(workspace: Path) -> None:
    searcher = open_searcher("corpus", workspace=workspace)
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda: counts.append(len(searcher.search("Orvik AS ships", limit=9))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [2] * 8


def test_a_searcher_of_a_workspace_needs_one(tmp_path: Path) -> None:
    for name in ("corpus", "graph"):
        with pytest.raises(UsageError, match="give one"):
            open_searcher(name)
        with pytest.raises(InputError, match="no such workspace"):
            open_searcher(name, workspace=tmp_path / "none.db")
        with pytest.raises(UsageError, match=f"'{name}' has no option 'colour'"):
            open_searcher(name, workspace=tmp_path / "none.db", options={"colour": "red"})


def test_a_name_that_nobody_has_says_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'tavily'"):
        open_searcher("tavilly")
    with pytest.raises(UnknownNameError, match="known: corpus, graph, tavily"):
        open_searcher("zzz")


class Mine(Shelf):
    """A searcher of another package."""

    def __init__(self, *, workspace: Path | None = None, colour: str = "red") -> None:
        super().__init__(state=f"{colour} {workspace}")


class Deaf:
    """None that can be asked."""

    def __init__(self, *, workspace: Path | None = None) -> None:
        self.state = str(workspace)


def entry(value: str) -> Any:
    return lambda group: (EntryPoint("mine", value, group),)


def test_another_searcher_is_an_entry_point_away(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "mine", sys.modules[__name__])
    monkeypatch.setattr(plugins, "claims", entry("mine:Mine"))
    searcher = open_searcher("mine", options={"colour": "blue"})
    assert isinstance(searcher, Searcher)
    assert searcher.state == "blue None"
    monkeypatch.setattr(plugins, "claims", entry("mine:Nobody"))
    with pytest.raises(UsageError, match="cannot be loaded"):
        open_searcher("mine")
    monkeypatch.setattr(plugins, "claims", entry("mine:Deaf"))
    with pytest.raises(UsageError, match="lacks `search` or `state`"):
        open_searcher("mine")
    monkeypatch.setattr(plugins, "claims", entry("package_that_is_not_there:Mine"))
    with pytest.raises(MissingPackageError, match="package_that_is_not_there"):
        open_searcher("mine")
