"""`schemacast demo`: cast the example that comes with the package, without network, key or database."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from schemacast.cli.options import Commands

if TYPE_CHECKING:
    from pathlib import Path

SHOWN_FACTS = 3
QUESTION = "Why did Orvik Sync stop, and for how long?"


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "demo",
        help="cast the example that comes with the package",
        description="Cast a dozen support tickets with recorded replies, show what came out, and ask a question about "
        "them. Needs no network, no key and no database.",
    )
    command.add_argument("--out", default="out/demo", metavar="DIR", help="where the files go (default ./out/demo)")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Cast, and show the report, what was quarantined, three facts with their quotes, the files, and an answer."""
    from pathlib import Path

    from schemacast.cast.caster import Caster
    from schemacast.cli.console import Output
    from schemacast.cli.facts import print_facts, print_quarantine
    from schemacast.cli.report import print_report
    from schemacast.episode_reader import read_episodes
    from schemacast.resources import example
    from schemacast.run import cast_to_files
    from schemacast.schema.load import load_schema

    folder = example("tickets")
    schema = load_schema(folder / "schema.yaml")
    episodes = read_episodes(folder / "episodes.jsonl")
    caster = Caster(schema, model=f"replay:{folder / 'replies.jsonl'}")
    out = Path(arguments.out)
    report = cast_to_files(caster, episodes, out=out)
    console = Output()
    console.print(f"[bold]Casting the texts in {folder} with their recorded replies[/bold]", soft_wrap=True)
    print_report(report, episodes=len(episodes))
    print_quarantine(out, console)
    print_facts(out, {episode.source_id: episode for episode in episodes}, console, count=SHOWN_FACTS)
    console.print("\n[bold]files[/bold]")
    for path in sorted(out.iterdir()):
        console.print(f"  {path}")
    console.print(f"\n[bold]a question about them:[/bold] {QUESTION}\n")
    _ask(folder, out / "asked")
    return 1 if report.failed else 0


def _ask(example: Path, folder: Path) -> None:
    """Put the texts into a workspace, as a job does, and answer a question from it with a recorded answer."""
    from schemacast.cli.answer import print_answer
    from schemacast.episode_reader import read_episodes
    from schemacast.jobs.entry import ingest
    from schemacast.qa.entry import ask
    from schemacast.schema.load import load_schema

    ingest(
        load_schema(example / "schema.yaml"),
        read_episodes(example / "episodes.jsonl"),
        model=f"replay:{example / 'replies.jsonl'}",
        to=f"networkx:{folder / 'graph.json'}",
        workspace=folder / "tickets.db",
    )
    print_answer(ask(QUESTION, workspace=folder / "tickets.db", model=f"replay:{example / 'answers.jsonl'}"))
