"""Search the sources of a workspace, without a network: by their words, or by what the graph says of them.

The corpus searcher asks the full-text index; the graph searcher finds the entities that a claim names and where
the graph's facts about them were read. Both bring whole episodes as results, once each, so that a quote is located in
the text that the workspace keeps, and its offsets are those of the groundings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

from schemacast.attribution.addresses import episode_url
from schemacast.attribution.models import SearchResult
from schemacast.corpus.graph_evidence import graph_evidence
from schemacast.corpus.search import search
from schemacast.errors import UsageError
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.file import WorkspaceFile

__all__ = ["CorpusSearcher", "GraphSearcher"]

PLACES_A_SOURCE = 4
"""So many passages or facts are asked for per source wanted, since several are of one source."""
BETWEEN = "\n"


class _Place:
    """A passage of a source that speaks for it, and how well."""

    __slots__ = ("score", "source_id", "text", "title")

    def __init__(self, source_id: str, text: str, title: str, score: float) -> None:
        self.source_id, self.text, self.title, self.score = source_id, text, title, score


class _WorkspaceSearcher(ABC):
    """What both share: places in sources in, sources out."""

    def __init__(self, *, workspace: Path | None = None) -> None:
        if workspace is None:
            raise UsageError("this searcher looks into a workspace; give one (--workspace FILE)")
        WorkspaceFile(workspace).close()
        self._workspace = workspace

    @property
    def state(self) -> str:
        """The workspace and how often what it holds has changed."""
        with WorkspaceFile(self._workspace) as file:
            episodes, newest = file.row("SELECT count(*), max(id) FROM episodes WHERE withdrawn IS NULL") or (0, 0)
            return f"{type(self).__name__} {file.id} {file.version} {episodes} {newest}"

    def search(self, query: str, *, limit: int) -> list[SearchResult]:
        """The sources that speak of it, best first. Raises InputError, WorkspaceLocked, MissingPackageError."""
        with WorkspaceFile(self._workspace) as file:
            by_source: dict[str, list[_Place]] = {}
            for place in self._places(file, query, limit):
                if place.source_id in by_source or len(by_source) < limit:
                    by_source.setdefault(place.source_id, []).append(place)
            best = max((places[0].score for places in by_source.values()), default=0.0)
            return [made for places in by_source.values() if (made := _result(file, places, best)) is not None]

    @abstractmethod
    def _places(self, file: WorkspaceFile, query: str, limit: int) -> Iterator[_Place]:
        """Places in sources that count, best first."""


class CorpusSearcher(_WorkspaceSearcher):
    """The episodes whose passages share words with the claim."""

    def _places(self, file: WorkspaceFile, query: str, limit: int) -> Iterator[_Place]:
        for hit in search(file, query, limit=limit * PLACES_A_SOURCE):
            yield _Place(hit.source_id, hit.text, hit.title, hit.score)


class GraphSearcher(_WorkspaceSearcher):
    """The episodes that the graph's facts about the claim's entities were read from."""

    def _places(self, file: WorkspaceFile, query: str, limit: int) -> Iterator[_Place]:
        for fact in graph_evidence(file, query, limit=limit * PLACES_A_SOURCE):
            yield _Place(fact.source_id, fact.quote, "", fact.score)


def _result(file: WorkspaceFile, places: list[_Place], best: float) -> SearchResult | None:
    """A source; None when it was withdrawn a moment ago."""
    first = places[0]
    episodes = Episodes(file)
    row = episodes.find(first.source_id)
    if row is None or row.withdrawn is not None or row.purged:
        return None
    episode = episodes.episode(row.id)
    title = episode.metadata.get("title")
    named = title if isinstance(title, str) and title.strip() else first.title or episode.source_id
    return SearchResult(
        url=episode_url(episode.source_id, episode.metadata.get("url")),
        title=named,
        content=BETWEEN.join(place.text for place in places),
        score=min(1.0, max(0.0, first.score / best)) if best > 0 else 0.0,
        published_date=episode.reference_time,
        raw_content=episode.text,
        source_id=episode.source_id,
    )
