"""Every error a caller can act on, as one tree.

    SchemaCastError
    ├── UsageError              a call or command that cannot be carried out as given     exit 2
    │   ├── SchemaError         a schema file is wrong; `.problems` has every mistake
    │   ├── InputError          an episode, replay or other input file is wrong
    │   ├── UnknownNameError    a type, relation, property or scheme that does not exist
    │   └── MissingPackageError an optional package has to be installed
    ├── ModelError              a model call did not give a reply
    │   ├── RequestFailed       this request failed for good; other episodes go on        exit 1
    │   ├── ModelUnavailable    the endpoint cannot be reached now; retryable             exit 3
    │   └── ModelAccessError    key, quota, permission or model name: a person must act   exit 4
    ├── StoreError              a store did not take what it was given
    │   ├── StoreUnavailable    unreachable or locked now; retryable                      exit 3
    │   └── StoreConflict       a constraint, login or permission: a person must act      exit 4
    ├── SearchError             a searcher did not give results                       exit 3 or 4
    ├── WorkspaceLocked         another process uses the workspace now; retryable         exit 3
    └── OutputError             an output file cannot be written                          exit 3 or 4

A message is one line: what, where, what to do. `retryable` says whether the same call may succeed
later without anyone changing anything; `exit_code` is what the command line ends with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = [
    "InputError",
    "MissingPackageError",
    "ModelAccessError",
    "ModelError",
    "ModelUnavailable",
    "OutputError",
    "Problem",
    "RequestFailed",
    "SchemaCastError",
    "SchemaError",
    "SearchError",
    "StoreConflict",
    "StoreError",
    "StoreUnavailable",
    "UnknownNameError",
    "UsageError",
    "WorkspaceLocked",
    "nearest",
]


class SchemaCastError(Exception):
    """The base of every error raised on purpose by this package."""

    retryable: bool = False
    exit_code: int = 2


class UsageError(SchemaCastError):
    """A call or command cannot be carried out as it was given."""


class Problem(NamedTuple):
    """One mistake in an input file; `line` and `column` count from 1, 0 when unknown.

    A `hint` is about something that is allowed, but may not be what was meant.
    """

    file: str
    line: int
    column: int
    message: str
    hint: bool = False

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        message = f"hint: {self.message}" if self.hint else self.message
        return f"{where}: {message}" if where else message


class SchemaError(UsageError):
    """A schema file is wrong. `problems` lists every mistake, in file order."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class InputError(UsageError):
    """An episode, replay or other input file is unreadable or wrong."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        self.problems = tuple(problems)
        super().__init__(message)


class UnknownNameError(UsageError):
    """A name that does not exist; the message lists what does."""


class MissingPackageError(UsageError):
    """An optional package is needed; the message names what to install."""


class ModelError(SchemaCastError):
    """A model call did not give a reply. `requests` counts the HTTP attempts that were made for it, and the
    tokens are what the provider says these cost."""

    exit_code = 1
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class RequestFailed(ModelError):
    """One request failed for good; the others are not affected."""


class ModelUnavailable(ModelError):
    """The model's endpoint cannot be reached, or keeps refusing for now."""

    retryable = True
    exit_code = 3


class ModelAccessError(ModelError):
    """The provider refuses every call: key, quota, permission or model name."""

    exit_code = 4


class StoreError(SchemaCastError):
    """A store did not take, or give, what was asked. `report`: the WriteReport of what it took before."""

    exit_code = 1
    report: object = None


class StoreUnavailable(StoreError):
    """The store is unreachable or locked for now."""

    retryable = True
    exit_code = 3


class StoreConflict(StoreError):
    """The store refuses until a person changes something: a constraint, a login, a permission."""

    exit_code = 4


class SearchError(SchemaCastError):
    """A searcher gave no results: it is away (exits 3, retryable), or a person must act first (exits 4)."""

    exit_code = 3

    def __init__(self, message: str, *, exit_code: int = 3) -> None:
        self.exit_code = exit_code
        self.retryable = exit_code == 3
        super().__init__(message)


class WorkspaceLocked(SchemaCastError):
    """Another job, or another process, uses the workspace now."""

    retryable = True
    exit_code = 3


class OutputError(SchemaCastError):
    """An output file cannot be written; a full disk exits 3, a refused permission 4."""

    def __init__(self, message: str, *, exit_code: int = 3) -> None:
        self.exit_code = exit_code
        self.retryable = exit_code == 3
        super().__init__(message)


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of an error message about an unknown name: the nearest right one, else what exists.

    Returns `"; did you mean 'x'?"`, or `"; known: a, b, c"`, or `""` when nothing exists.
    """
    import difflib  # here, since an error is rare and every command imports this module

    names = sorted(known)
    by_fold = {candidate.casefold(): candidate for candidate in names}
    folded = name.casefold()
    for close in difflib.get_close_matches(folded, list(by_fold), n=3, cutoff=0.6):
        # People seldom mistype the first letter; what differs there has to be much alike to be meant.
        if close[:1] == folded[:1] or difflib.SequenceMatcher(None, close, folded).ratio() >= 0.75:
            return f"; did you mean {by_fold[close]!r}?"
    if not names:
        return ""
    shown = ", ".join(names[:8])
    return f"; known: {shown}" + (f" and {len(names) - 8} more" if len(names) > 8 else "")
