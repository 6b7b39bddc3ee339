"""`schemacast ask`: answer a question from the texts of a workspace, each claim with its quote."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from schemacast.cli.options import Commands, add_model, given, positive, price

if TYPE_CHECKING:
    from schemacast.jobs.options import Price


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "ask",
        help="answer a question from the texts, with citations",
        description="Answer a question from the texts of a workspace and nothing else. Each claim is checked against "
        "the characters that it cites; what is not borne out is marked. 'Not in the sources' is an answer.",
    )
    command.add_argument("question", metavar="QUESTION", help="the question")
    command.add_argument("--workspace", required=True, type=given, metavar="FILE", help="the workspace")
    command.add_argument(
        "--answer-mode",
        choices=("quote", "claim_lattice_pointer", "claim_lattice"),
        default="quote",
        metavar="MODE",
        help="how the model cites: quote (default), claim_lattice_pointer (it points at sources), or claim_lattice "
        "(it does so in JSON)",
    )
    command.add_argument(
        "--keywords", type=given, metavar="WORDS", help="look for these too; the model does not see them"
    )
    command.add_argument(
        "--top-k", type=positive, default=8, metavar="N", help="texts whose passages are shown (default 8)"
    )
    command.add_argument(
        "--max-context", type=positive, metavar="N", help="characters of sources that are shown (default 16000)"
    )
    command.add_argument(
        "--dedup",
        choices=("equivalence_class", "strict"),
        default="equivalence_class",
        metavar="MODE",
        help="which questions are one: those that differ in case, articles and end marks only (equivalence_class, "
        "default), or only equal ones (strict)",
    )
    command.add_argument(
        "--fidelity",
        choices=("equivalence_class", "strict"),
        default="equivalence_class",
        metavar="MODE",
        help="whether an answer that is kept under the other --dedup is taken too (equivalence_class, default), or "
        "not (strict)",
    )
    command.add_argument("--burn", action="store_true", help="forget the answer that is kept, and ask anew")
    command.add_argument("--strict", action="store_true", help="exit 1 unless every claim is verified (STRICT)")
    command.add_argument("--json", action="store_true", help="print the answer and its record as JSON")
    command.add_argument(
        "--price", type=price, metavar="IN,OUT", help="US dollars for a million tokens, to tell what asking cost"
    )
    command.add_argument(
        "--template", type=given, metavar="DIR", help="a folder whose templates replace the prompt's own"
    )
    add_model(command, once=True)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask, print the answer, and say by the exit code whether it is as strict as wanted."""
    from schemacast.cli.answer import print_answer
    from schemacast.qa.entry import ask

    answer = ask(
        arguments.question,
        workspace=arguments.workspace,
        model=arguments.model,
        base_url=arguments.base_url,
        cache=arguments.cache,
        replay_only=arguments.replay_only,
        model_options=dict(arguments.model_option) or None,
        answer_mode=arguments.answer_mode,
        keywords=arguments.keywords,
        top_k=arguments.top_k,
        max_context=arguments.max_context,
        dedup=arguments.dedup,
        fidelity=arguments.fidelity,
        burn=arguments.burn,
        price=(arguments.price.input, arguments.price.output) if arguments.price else None,
        template=arguments.template,
    )
    for note in answer.record["notes"]:
        print(f"note: {note}", file=sys.stderr)
    if arguments.json:
        print(json.dumps(answer.to_json(), ensure_ascii=False, sort_keys=True, indent=2))
    elif not arguments.quiet:
        print_answer(answer)
        if answer.spent["requests"]:
            print(_spent(answer.spent, arguments.price))
    return 1 if arguments.strict and answer.audit_mode != "STRICT" else 0


def _spent(spent: Mapping[str, int], rate: Price | None) -> str:
    """What the answer took, in a line."""
    tokens_in, tokens_out = spent["input_tokens"], spent["output_tokens"]
    cost = "" if rate is None else f", ${rate.cost(tokens_in, tokens_out):,.4f}"
    return f"spent {spent['requests']:,} requests, {tokens_in:,} tokens in, {tokens_out:,} out{cost}"
