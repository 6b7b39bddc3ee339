"""What validation writes down as it goes: findings of what is removed, fixes of what is mended.

Each vertex and edge has a ledger of its own while it is read. When the item stands, its ledger joins
the episode's. When it is removed, only the finding that removed it is written: its properties went
with it, they stand in the finding's item, and what was wrong with them is told in its message. So
every item of a reply is counted once.
"""

from __future__ import annotations

from typing import NamedTuple

from schemacast.cast.outcome import Finding, FindingName, Fix, FixName, ItemKind
from schemacast.schema.values import Json

LONGEST_SHOWN = 120


class Refusal(NamedTuple):
    """Why a value or an item does not stand."""

    finding: FindingName
    reason: str


class Ledger:
    """Findings and fixes in the order they were made."""

    __slots__ = ("findings", "fixes", "known", "round")

    def __init__(self, round: int, *, known: bool = False) -> None:
        self.round = round
        self.known = known
        self.findings: list[Finding] = []
        self.fixes: list[Fix] = []

    def find(
        self,
        finding: FindingName,
        kind: ItemKind,
        message: str,
        item: Json,
        quote: str | None = None,
        *,
        kept: bool = False,
    ) -> None:
        """Note that `item` is removed, or with `kept` what it lacks although it stands."""
        self.findings.append(Finding(finding, kind, message, item, quote, self.round, self.known, kept))

    def fix(self, fix: FixName, message: str) -> None:
        """Note that something was mended."""
        self.fixes.append(Fix(fix, message))

    def join(self, other: Ledger) -> None:
        """Take over the ledger of an item that stands."""
        if other.findings:
            self.findings += other.findings
        if other.fixes:
            self.fixes += other.fixes

    def remove(
        self,
        refusal: Refusal,
        kind: ItemKind,
        where: str,
        item: Json,
        quote: str | None = None,
        own: Ledger | None = None,
    ) -> None:
        """Note that a whole item is removed; `own` is its ledger, whose findings are told in the message."""
        message = f"{where}: {refusal.reason}"
        also = (
            [finding.message for finding in own.findings if finding.quote or finding.finding == "malformed"]
            if own
            else []
        )
        if also:  # a property without a quote of its own has nothing to say beyond its owner
            message += "; also " + "; ".join(also)
        self.find(refusal.finding, kind, message, item, quote)


def shown(text: object) -> str:
    """A quote or value as a message shows it: in quotation marks, cut in the middle when it is long."""
    whole = text if isinstance(text, str) else str(text)
    if len(whole) > LONGEST_SHOWN:
        half = LONGEST_SHOWN // 2
        whole = f"{whole[:half]} … {whole[-half:]}"
    return f"'{whole}'"
