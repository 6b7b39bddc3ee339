"""What an unsuccessful answer means: try again, give this request up, or stop the run.

Failures are sorted by who can act. What passes by itself (too many requests, an overloaded or unreachable
endpoint, a time-out) is tried again; what a person must change (key, permission, quota, model name, address)
stops the run at once; anything else concerns this request alone. Providers use one status for several of
these, so their error codes are read too, and their words only where they give no code. Every message carries
the provider's own words, on one line, cut to a readable length, with the key masked wherever it appears.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Literal

from schemacast.llm.protocol import Usage
from schemacast.schema.values import Json

__all__ = ["AttemptFailed", "Failure", "KeyMask", "judge", "one_line", "retry_after", "unreached"]

Kind = Literal["again", "failed", "access", "form", "refused"]

LONGEST_MESSAGE = 400

_COUNTS = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))
_BUSY = frozenset((408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529))
_QUOTA_CODES = frozenset(
    (
        "insufficient_quota",
        "billing_hard_limit_reached",
        "billing_not_active",
        "billing_error",
        "insufficient_credits",
        "insufficient_balance",
        "account_deactivated",
        "access_terminated",
    )
)
_MODEL_CODES = frozenset(("model_not_found", "model_not_exist", "invalid_model", "model_not_available"))
_FILTER_CODES = frozenset(("content_filter", "content_policy_violation", "responsibleaipolicyviolation"))
_TOO_LONG_CODES = frozenset(("context_length_exceeded", "string_above_max_length", "exceed_context_size_error"))
_ACCESS_WORDS = re.compile(
    r"credit balance is too low|insufficient (?:balance|credits|funds|quota)|invalid api key"
    r"|api key not valid|incorrect api key|model\S* .{0,80}does not exist",
    re.IGNORECASE,
)
_FORM_WORDS = re.compile(
    r"response[_ ]?(?:format|schema)|json[_ ]?schema|json[_ ]?object|output_(?:format|config)|structured[_ ]output"
    r"|input_schema|tool[_ ]?choice|\btools?\b|\bgrammar\b|\bschema\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """`again`: may pass by itself; `failed`: this request only; `access`: a person must act;
    `form`: the endpoint does not take the reply's form; `refused`: the provider's filter.

    `usage`: what the provider says this attempt cost nevertheless; `wait`: what it asks for, in seconds;
    `shared`: it concerns all workers; `lasting`: when trying again does not help, the fault is this request's.
    """

    kind: Kind
    message: str
    wait: float | None = None
    shared: bool = False
    lasting: bool = False
    usage: Usage = field(default_factory=Usage)


class AttemptFailed(Exception):
    """One attempt gave no reply."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.message)


class KeyMask:
    """Hides a key in text that comes from elsewhere: whole, in part, or one that merely looks like a key."""

    _LIKE_A_KEY = re.compile(
        r"\b(?:sk|pk|rk|gsk|xai|pplx|hf|csk|fw|tgp|nvapi|AIza)[-_]?[A-Za-z0-9_\-.*…]{6,}|\bBearer\s+[^\s\"',;]+"
    )
    _WORD = re.compile(r"[^\s\"'<>,;:(){}\[\]]{8,}")
    _PART = 8

    def __init__(self, *keys: str) -> None:
        secrets = [key for key in keys if key and key != "none"]
        self._whole = sorted(secrets, key=len, reverse=True)
        self._parts = {
            key[at : at + self._PART].casefold() for key in secrets for at in range(len(key) - self._PART + 1)
        }

    def __call__(self, text: str) -> str:
        for key in self._whole:
            text = text.replace(key, "***")
        text = self._LIKE_A_KEY.sub("***", text)
        if not self._parts:
            return text
        return self._WORD.sub(lambda word: "***" if self._has_part(word.group()) else word.group(), text)

    def _has_part(self, word: str) -> bool:
        folded = word.casefold()
        return any(folded[at : at + self._PART] in self._parts for at in range(len(folded) - self._PART + 1))


def judge(status: int, headers: Mapping[str, str], body: bytes | str, *, mask: KeyMask) -> Failure:
    """The meaning of an answer that is not a reply."""
    words, codes = _provider_words(body)
    if 300 <= status < 400:
        words = f"redirects to {headers.get('location', 'nowhere')}, which is not followed; is the base URL right?"
    said = mask(one_line(f"{_status_name(status)}: {words}" if words else _status_name(status)))
    wait = retry_after(headers)
    kind = _kind(status, words, codes)
    busy = kind == "again" and status != 500
    return Failure(kind, said, wait, shared=busy, lasting=not busy, usage=_usage_in(body))


def unreached(reason: str, *, timed_out: bool, mask: KeyMask) -> Failure:
    """The meaning of no answer at all. A time-out concerns its own request; a dead endpoint all of them."""
    return Failure("again", mask(one_line(reason)), shared=not timed_out)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The wait that `Retry-After` asks for, in seconds, given as seconds or as an HTTP date; None: it does not."""
    milliseconds = headers.get("retry-after-ms")
    if milliseconds is not None:
        try:
            return _not_negative(float(milliseconds) / 1000.0)
        except ValueError:
            pass
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return _not_negative(float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None


def one_line(text: str) -> str:
    """`text` with whitespace and control characters collapsed, cut to a readable length."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * LONGEST_MESSAGE]).split())
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"


def _kind(status: int, words: str, codes: frozenset[str]) -> Kind:
    if codes & _FILTER_CODES:
        return "refused"
    if codes & _TOO_LONG_CODES:
        return "failed"
    if status in (401, 402, 403) or codes & _QUOTA_CODES:
        return "access"
    if 300 <= status < 400 or status in (404, 405, 410):
        return "access"
    if status == 400 or 402 < status < 500:
        if status in _BUSY:
            return "again"
        if codes & _MODEL_CODES or _ACCESS_WORDS.search(words):
            return "access"
        return "form" if status in (400, 422) and _FORM_WORDS.search(words) else "failed"
    if status in (500, 501) and _FORM_WORDS.search(words):
        return "form"
    return "again" if status in _BUSY or status == 500 else "failed"


def _provider_words(body: bytes | str) -> tuple[str, frozenset[str]]:
    """What the provider says, and its error codes in lower case, from any of the shapes in use."""
    text = body if isinstance(body, str) else body.decode("utf-8", "replace")
    try:
        data: Json = json.loads(text)
    except (ValueError, RecursionError):
        return ("" if text.lstrip()[:1] == "<" else text), frozenset()
    if isinstance(data, list) and data:
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else data
    if not isinstance(error, dict):
        return (error if isinstance(error, str) else text), frozenset()
    codes = {error.get(name) for name in ("code", "type", "status", "param")}
    inner = error.get("innererror")
    if isinstance(inner, dict):
        codes.add(inner.get("code"))
    message = next((value for name in ("message", "detail", "msg") if isinstance(value := error.get(name), str)), "")
    names = frozenset(code.lower() for code in codes if isinstance(code, str))
    if not message:
        message = text
    if any(name in ("response_format", "tools", "tool_choice") or name.startswith("text.format") for name in names):
        message = f"{message} (response_format)" if "response_format" not in message else message
    return message, names


def _usage_in(body: bytes | str) -> Usage:
    """The tokens that a failed attempt reports, in either of the two spellings; mostly none."""
    try:
        usage = json.loads(body)["usage"]
        counts = [usage.get(names[0], usage.get(names[1], 0)) for names in _COUNTS]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return Usage()
    return Usage(*(max(0, count) if isinstance(count, int) else 0 for count in counts))


def _status_name(status: int) -> str:
    names = {
        400: "400 bad request",
        401: "401 not authorized",
        402: "402 payment required",
        403: "403 forbidden",
        404: "404 not found",
        408: "408 request time-out",
        413: "413 too large",
        422: "422 not accepted",
        429: "429 too many requests",
        500: "500 server error",
        502: "502 bad gateway",
        503: "503 unavailable",
        504: "504 gateway time-out",
        529: "529 overloaded",
    }
    return names.get(status, str(status))


def _not_negative(seconds: float) -> float | None:
    return max(0.0, seconds) if seconds == seconds else None
