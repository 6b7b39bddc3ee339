"""Language tags: what says how numbers and dates are to be read.

One check serves schema files, episodes and the command line, so that a tag that nothing understands is
told where it is given instead of being read as no locale at all.
"""

from __future__ import annotations

import re

LOCALE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-[A-Za-z0-9]{1,8}){0,5}")


def is_locale(locale: str) -> bool:
    """Whether it is a language tag; `de_DE`, as operating systems write it, is read as `de-DE`."""
    return LOCALE.fullmatch(locale.replace("_", "-")) is not None


def locale_problem(locale: str) -> str:
    """The end of a message about a text that is no language tag: what to write instead."""
    right = locale.replace("_", "-").split(".")[0]
    advice = f"write {right!r}" if LOCALE.fullmatch(right) else "write a language tag, such as en, de or en-GB"
    return f"{locale[:60]!r} is no locale; {advice}"
