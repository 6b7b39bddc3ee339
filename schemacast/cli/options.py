"""Arguments that several commands share, and their values as types."""

from __future__ import annotations

import argparse
import json
from typing import Any, NamedTuple

Commands = Any  # argparse's sub-parser collection has no public type


class Limit(NamedTuple):
    """A number of failures, or a share of all episodes in percent."""

    most: float
    percent: bool = False

    def allows(self, failed: int, of: int) -> bool:
        """Whether so many failures are within the limit."""
        return failed <= (of * self.most / 100 if self.percent else self.most)


def limit(text: str) -> Limit:
    """`N` or `P%`."""
    try:
        if text.endswith("%"):
            share = float(text[:-1])
            if not 0 <= share <= 100:
                raise ValueError
            return Limit(share, percent=True)
        if int(text) < 0:
            raise ValueError
        return Limit(int(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor a percentage such as 5%") from None


def positive(text: str) -> int:
    """A whole number of 1 or more."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return number


def price(text: str) -> Any:
    """`IN,OUT`, US dollars for a million tokens."""
    from schemacast.jobs.options import parse_price

    try:
        return parse_price(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def option(text: str) -> tuple[str, Any]:
    """`K=V`; V is JSON when it reads as JSON, else text."""
    name, found, value = text.partition("=")
    if not found or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def given(text: str) -> str:
    """A text that is not empty: an empty one is most often a variable of a script that is not set."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty")
    return text


def add_model(command: argparse.ArgumentParser, *, once: bool = False) -> None:
    """The arguments of every command that calls a model. `once`: it makes one request."""
    group = command.add_argument_group("model")
    group.add_argument(
        "--model",
        required=True,
        type=given,
        metavar="MODEL",
        help="provider/name (openai/…, anthropic/…, ollama/…), or replay:FILE for recorded replies",
    )
    group.add_argument("--base-url", type=given, metavar="URL", help="an OpenAI-compatible endpoint")
    group.add_argument("--cache", type=given, metavar="DIR", help="keep replies here; what is here is not asked again")
    group.add_argument(
        "--replay-only", action="store_true", help="make no request: what is not in the cache fails its item"
    )
    group.add_argument(
        "--model-option",
        action="append",
        default=[],
        type=option,
        metavar="K=V",
        help="a parameter of the request, such as temperature=0; V is JSON, else text",
    )
    if not once:
        group.add_argument(
            "--concurrency", type=positive, default=8, metavar="N", help="requests in flight at once (default 8)"
        )
    command.add_argument("--quiet", action="store_true", help="print nothing but errors")


def add_casting(command: argparse.ArgumentParser) -> None:
    """The arguments of every command that casts."""
    command.add_argument(
        "--template", type=given, metavar="DIR", help="a folder whose templates replace the prompt's own"
    )
    command.add_argument("--locale", type=given, metavar="L", help="for episodes that name none, such as de or en-GB")
    command.add_argument(
        "--max-text", type=positive, metavar="N", help="characters above which an episode fails (default 100000)"
    )


def caster_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments of `Caster` that a command line gives."""
    options = {
        "model": arguments.model,
        "base_url": arguments.base_url,
        "cache": arguments.cache,
        "replay_only": arguments.replay_only,
        "concurrency": arguments.concurrency,
        "template": arguments.template,
        "locale": arguments.locale,
        "model_options": dict(arguments.model_option) or None,
    }
    if arguments.max_text is not None:
        options["max_text"] = arguments.max_text
    return options
