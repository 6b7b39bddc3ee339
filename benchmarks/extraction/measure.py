"""How right a cast of the public sets is, and what validation takes from it that was right.

The sets (texts, gold, scorer) and the replies that quote them are not part of this project; they are read where
they lie. For each set the replies are cast, scored as they were returned and scored as they were kept. The loss
is the share of the gold items hit by the raw replies that the kept record graphs no longer have.

    python benchmarks/extraction/measure.py DATA --replies REPLIES [SET …]

DATA holds `score.py` and a folder for each set with `schema.yaml`, `episodes.jsonl` and `gold.jsonl`; REPLIES holds
`SET.jsonl`, a replay file for each set.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import tempfile
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

from schemacast import Caster, Episode, load_schema, locate, read_episodes
from schemacast.cast.reply import Reply, read_reply

LINES = ("entities", "relations", "properties")


def scorer(data: Path) -> ModuleType:
    """The scorer that comes with the sets."""
    spec = importlib.util.spec_from_file_location("score", data / "score.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{data}: has no score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def evidence(quote: object, text: str) -> tuple[list[list[int]], list[tuple[str, list[int] | None]]]:
    """A raw quote in the scorer's form: its span where it can be found, and the quote with it."""
    if not isinstance(quote, str):
        return [], []
    span = locate(quote, text)
    place = [span.start, span.end] if span else None
    return ([place] if place else []), [(quote, place)]


def raw_records(reply: Reply, episode: Episode) -> dict[str, list[dict[str, Any]]]:
    """A reply as it was returned, in the scorer's form: nothing checked, nothing removed."""
    rows: dict[str, list[dict[str, Any]]] = {"records": [], "relations": []}
    for item in reply.vertices:
        assert isinstance(item, dict)
        spans, quotes = evidence(item.get("quote"), episode.text)
        rows["records"].append({**_item(item, episode), "ref": item.get("ref"), "spans": spans, "quotes": quotes})
    for item in reply.edges:
        assert isinstance(item, dict)
        spans, quotes = evidence(item.get("quote"), episode.text)
        ends = {"head": item.get("from"), "tail": item.get("to")}
        rows["relations"].append({**_item(item, episode), **ends, "spans": spans, "quotes": quotes})
    return rows


def _item(item: dict[str, Any], episode: Episode) -> dict[str, Any]:
    props = [
        {
            "name": prop["name"],
            "value": prop["value"],
            "spans": evidence(prop.get("quote") or item.get("quote"), episode.text)[0],
        }
        for prop in item.get("props") or ()
    ]
    return {"type": item.get("type") or item.get("relation"), "props": props}


def measure(name: str, data: Path, replies: Path, score: ModuleType) -> tuple[Counter[str], Counter[str]]:
    """Print one set's figures; returns the gold items that the raw replies hit, and those of them lost."""
    schema = load_schema(data / name / "schema.yaml")
    episodes = list(read_episodes(data / name / "episodes.jsonl"))
    recorded = {}
    for row in map(json.loads, replies.read_text("utf-8").splitlines()):
        recorded.setdefault(row["source_id"], row["reply"])
    raw = {
        episode.source_id: raw_records(
            read_reply(reply if isinstance(reply := recorded[episode.source_id], str) else json.dumps(reply)),
            episode,
        )
        for episode in episodes
    }
    result = Caster(schema, model=f"replay:{replies}").cast(episodes)
    with tempfile.TemporaryDirectory() as folder:
        kept_file = Path(folder) / "records.jsonl"
        kept_file.write_text("".join(json.dumps(graph.to_json()) + "\n" for graph in result.graphs), "utf-8")
        kept = score.read_records(kept_file)

    _, gold, info = score.load(name)
    hit, lost = Counter[str](), Counter[str]()
    empty: dict[str, list[dict[str, Any]]] = {"records": [], "relations": []}
    for row in gold:
        text = next(episode.text for episode in episodes if episode.source_id == row["source_id"])
        before = score.judge(text, raw[row["source_id"]], row, info).n
        after = score.judge(text, kept.get(row["source_id"], empty), row, info).n
        for line in LINES:
            hit[line] += before[line, "right"]
            missing = max(0, before[line, "right"] - after[line, "right"])
            lost[line] += missing
            if missing:
                print(f"  lost in {row['source_id']}: {missing} {line}")
    for title, records in (("as returned", raw), ("as kept", kept)):
        figures = score.score(records, name)[0]["lines"]
        spelled = [
            f"{line} F1 {figures[line]['f1']:.3f}"
            if figures[line].get("f1") is not None
            else f"{line} recall {figures[line]['recall']:.3f}"
            for line in LINES
        ]
        print(f"{name:<12}{title:<12}{', '.join(spelled)}")
    return hit, lost


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--replies", type=Path, required=True)
    arguments.add_argument("sets", nargs="*", default=["advisories", "maintie"])
    given = arguments.parse_args()
    score = scorer(given.data)
    hit, lost = Counter[str](), Counter[str]()
    for name in given.sets:
        more_hit, more_lost = measure(name, given.data, given.replies / f"{name}.jsonl", score)
        hit += more_hit
        lost += more_lost
    total, gone = hit.total(), lost.total()
    print(f"gold items hit by the raw replies: {total}; lost in validation: {gone} ({100 * gone / total:.2f}%)")


if __name__ == "__main__":
    main()
