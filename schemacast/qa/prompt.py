"""The messages that ask a question over sources.

As in casting, everything that comes from outside (sources, titles, facts, the question) stands between tags with a
code that is computed from these texts and occurs in none of them, so that no text can close its block. The rules
come first and depend on the answer mode alone. The question is in the messages as it was asked; for the hash of
the conversation they are built with its canonical form instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from schemacast.cast.prompt import block, code
from schemacast.cast.template import Templates, load_templates
from schemacast.errors import InputError
from schemacast.qa.evidence import EvidenceObject, render_evidence_block, render_evidence_block_for_json
from schemacast.qa.retrieval import Source

SYSTEM, USER = "ask_system.j2", "ask_user.j2"


def templates(folder: Path | None = None) -> Templates:
    """The templates of a question, with those that a folder holds in their place. Raises InputError."""
    return _packaged() if folder is None else load_templates(folder, (SYSTEM, USER))


@lru_cache(maxsize=1)
def _packaged() -> Templates:
    return load_templates(None, (SYSTEM, USER))


def messages(
    question: str,
    sources: Sequence[Source],
    *,
    answer_mode: str,
    evidence: Sequence[EvidenceObject],
    most_claims: int,
    absent: str,
    templates: Templates,
) -> list[dict[str, str]]:
    """The system and the user message; the same bytes for the same input.

    In quote mode sources are numbered from 1; in the lattice modes they are the blocks of `evidence`, one for each.
    Raises InputError when a template of the user's fails, or leaves out or repeats a block.
    """
    texts = [_shown(n, source, answer_mode, evidence) for n, source in enumerate(sources, 1)]
    facts = "\n".join(
        f"{_one_line(fact)} [{'' if answer_mode == 'quote' else 'E'}{n}]"
        for n, source in enumerate(sources, 1)
        for fact in source.facts
    )
    tag = code([question, facts, *texts])
    name = "source" if answer_mode == "quote" else "E"
    blocks = [block(f"{name}{n}", tag, text) for n, text in enumerate(texts, 1)]
    told, asked = block("facts", tag, facts) if facts else "", block("question", tag, question)
    user = templates.render(USER, sources=blocks, facts=told, question=asked)
    for whole in (*blocks, told, asked):
        if whole and user.count(whole) != 1:
            raise InputError(f"{templates.paths[USER]}: every block must stand in the message once")
    system = templates.render(SYSTEM, mode=answer_mode, absent=absent, most_claims=most_claims)
    return [{"role": "system", "content": system.strip()}, {"role": "user", "content": user.strip()}]


def _shown(n: int, source: Source, answer_mode: str, evidence: Sequence[EvidenceObject]) -> str:
    """A source as it stands between its tags, under its id: metadata, a title in it too, is never shown to a model."""
    if answer_mode == "quote":
        return f"[{n}] {_one_line(source.source_id)}\n{source.text}"
    render = render_evidence_block if answer_mode == "claim_lattice_pointer" else render_evidence_block_for_json
    return render(replace(evidence[n - 1], title=source.source_id)).rstrip("\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())
