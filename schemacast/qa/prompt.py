"""The messages that ask a question over sources.

As in casting, everything that comes from outside (sources, titles, facts, the question) stands between tags with a
code that is computed from these texts and occurs in none of them, so that no text can close its block. The rules
come first and depend on the answer mode alone. The question is in the messages as it was asked; for the hash of
the conversation they are built with its canonical form instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from schemacast.cast.prompt import block, code
from schemacast.qa.evidence import EvidenceObject, render_evidence_block, render_evidence_block_for_json
from schemacast.qa.retrieval import Source

if TYPE_CHECKING:
    from jinja2 import Template

SYSTEM, USER = "ask_system.j2", "ask_user.j2"


@dataclass(frozen=True, slots=True)
class _Templates:
    system: Template
    user: Template
    digest: str


def messages(
    question: str,
    sources: Sequence[Source],
    *,
    answer_mode: str,
    evidence: Sequence[EvidenceObject],
    most_claims: int,
    absent: str,
) -> list[dict[str, str]]:
    """The system and the user message; the same bytes for the same input.

    In quote mode sources are numbered from 1; in the lattice modes they are the blocks of `evidence`, one for each.
    """
    templates = _templates()
    texts = [_shown(n, source, answer_mode, evidence) for n, source in enumerate(sources, 1)]
    facts = "\n".join(
        f"{_one_line(fact)} [{'' if answer_mode == 'quote' else 'E'}{n}]"
        for n, source in enumerate(sources, 1)
        for fact in source.facts
    )
    tag = code([question, facts, *texts])
    name = "source" if answer_mode == "quote" else "E"
    user = templates.user.render(
        sources=[block(f"{name}{n}", tag, text) for n, text in enumerate(texts, 1)],
        facts=block("facts", tag, facts) if facts else "",
        question=block("question", tag, question),
    )
    system = templates.system.render(mode=answer_mode, absent=absent, most_claims=most_claims)
    return [{"role": "system", "content": system.strip()}, {"role": "user", "content": user.strip()}]


def prompt_digest() -> str:
    """The hash of the templates' sources: part of the policy that an answer is governed by."""
    return _templates().digest


def _shown(n: int, source: Source, answer_mode: str, evidence: Sequence[EvidenceObject]) -> str:
    """A source as it stands between its tags, under its id: metadata, a title in it too, is never shown to a model."""
    if answer_mode == "quote":
        return f"[{n}] {_one_line(source.source_id)}\n{source.text}"
    render = render_evidence_block if answer_mode == "claim_lattice_pointer" else render_evidence_block_for_json
    return render(replace(evidence[n - 1], title=source.source_id)).rstrip("\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=1)
def _templates() -> _Templates:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False, cache_size=0)
    system, user = (files("schemacast").joinpath("prompts", name).read_text("utf-8") for name in (SYSTEM, USER))
    digest = hashlib.sha256(f"{system}\0{user}".encode()).hexdigest()
    return _Templates(environment.from_string(system), environment.from_string(user), digest)
