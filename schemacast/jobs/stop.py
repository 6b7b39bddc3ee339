"""Why a job stops before its end, said once and seen by all its parts.

Nothing is asked any more once a reason is there; what is in flight may still arrive. The first reason stands,
but that an error counts before a limit. `StopCasting` and `NoReply` end the cast of one episode without an
outcome, repairs included, so that its source is cast later instead of ending with less than it could have;
`OverBudget` ends it as a failure that the next job tries again.
"""

from __future__ import annotations

from typing import Literal

from schemacast.errors import ModelAccessError, ModelUnavailable, SchemaCastError

Why = Literal["interrupted", "max_cost", "max_time", "error"]


class StopCasting(Exception):
    """No further request is made; the episode keeps waiting."""


class NoReply(Exception):
    """The endpoint is away or refuses; the cast of this episode is begun again later, from the replies kept."""

    def __init__(self, error: ModelUnavailable | ModelAccessError) -> None:
        super().__init__(str(error))
        self.error = error


class OverBudget(Exception):
    """A request that alone costs more than the whole job may: its episode fails, and holds up no other."""


class Stop:
    """The reason to stop, when there is one."""

    def __init__(self) -> None:
        self.why: Why | None = None
        self.error: SchemaCastError | None = None

    def __bool__(self) -> bool:
        return self.why is not None

    def set(self, why: Why) -> None:
        """Stop for a reason that leaves work for another run."""
        if self.why is None:
            self.why = why

    def fail(self, error: SchemaCastError) -> None:
        """Stop with an error that every further step would meet; what a person asked for comes first."""
        if self.why != "interrupted" and self.error is None:
            self.why, self.error = "error", error
