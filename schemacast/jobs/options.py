"""What a job may be told, as one frozen object, and the forms in which people write it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from schemacast.errors import UsageError
from schemacast.schema.values import Json

Recast = Literal["none", "changed", "all"]
PER_MILLION = 1_000_000
_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,6})?", re.ASCII)
_DURATION = re.compile(r"(?:(\d{1,6})d)?(?:(\d{1,8})h)?(?:(\d{1,8})m)?(?:(\d{1,9}(?:\.\d{1,6})?)s)?", re.ASCII)
_SIZES = (86400.0, 3600.0, 60.0, 1.0)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, in and out."""

    input: float
    output: float

    def cost(self, input_tokens: float, output_tokens: float) -> float:
        """US dollars for so many tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / PER_MILLION


@dataclass(frozen=True, slots=True)
class JobOptions:
    """The options of an ingest. Money in US dollars, times in seconds.

    `wait`: how long a store or an endpoint may be away. `retry`: `failed`, `partial`, or source ids, to be
    asked again. `recast`: which sources are asked again though their text is the same: those whose request has
    `changed`, or `all`. `prune` retracts sources that the episodes no longer hold, unless these are more than
    `prune_limit` of all (a share). `existing`: what to do with nodes that someone else loaded.
    """

    base_url: str | None = None
    cache: Path | None = None
    replay_only: bool = False
    concurrency: int = 8
    template: Path | None = None
    locale: str | None = None
    max_text: int | None = None
    model_options: Mapping[str, Json] = field(default_factory=dict)
    max_cost: float | None = None
    price: Price | None = None
    max_time: float | None = None
    wait: float = 300.0
    retry: tuple[str, ...] = ()
    recast: Recast = "none"
    prune: bool = False
    prune_limit: float = 0.1
    existing: Literal["adopt", "refuse"] = "adopt"

    def __post_init__(self) -> None:
        if self.max_cost is not None and self.price is None:
            raise UsageError("a limit in dollars needs the price: --price IN,OUT, in dollars for a million tokens")
        for name in ("max_cost", "max_time", "wait", "prune_limit"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < float("inf"):
                raise UsageError(f"{name} is {value}; it cannot be below 0")


def parse_duration(text: str) -> float:
    """Seconds of `2h30m`, `45m`, `90s`, `1d`, or a plain number of seconds. Raises ValueError."""
    if _SECONDS.fullmatch(text.strip()):
        return float(text)
    found = _DURATION.fullmatch(text.strip())
    if found is None or not any(found.groups()):
        raise ValueError(f"{text!r} is no duration such as 2h30m, 45m or 90s")
    return sum(size * float(part or 0) for size, part in zip(_SIZES, found.groups(), strict=True))


def parse_price(text: str) -> Price:
    """`IN,OUT`. Raises ValueError."""
    try:
        price = Price(*(float(part) for part in text.split(",")))
    except (ValueError, TypeError):
        raise ValueError(f"{text!r} is no price such as 0.15,0.60 (dollars for a million tokens in and out)") from None
    if not (0 <= price.input < float("inf") and 0 <= price.output < float("inf")):
        raise ValueError(f"{text!r} is no price: neither part can be below 0")
    return price
