"""The evidence map: passages that a model may point at, so that it never has to copy a quote.

Each passage has two names. Its pointer id (`E1`, `E2`, …) is its place in this map, short enough that an invented
one shows; a model writes that. Its evidence id hashes the passage and its offsets, the same in every run; records
keep that. A quote that nobody types cannot lose its middle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from schemacast.claims.words import content_words, language_of
from schemacast.ground.characters import fold
from schemacast.language.tokens import inside_token
from schemacast.qa.keys import sha256_text
from schemacast.qa.merkle import merkle_root

SOURCE_ROLES = ("primary_answer_source", "secondary_context_source", "background_source", "unclassified")
"""What a passage may be to a question; verification allows all of them unless told otherwise."""

_EVIDENCE_ID_DIGITS = 8
_NEEDED = ("source_root", "document_uri", "chunk_idx", "chunk_root", "span")


@dataclass(frozen=True, slots=True)
class EvidenceObject:
    """A passage that a model may point at. Offsets count characters within the chunk, end exclusive."""

    pointer_id: str
    evidence_id: str
    source_root: str
    document_uri: str
    title: str | None
    chunk_idx: int
    chunk_root: str
    offset_start: int
    offset_end: int
    source_role: str
    text_hash: str
    span: str

    def to_dict(self) -> dict[str, object]:
        """The fields as a plain dict, ready for JSON."""
        return asdict(self)


def build_evidence_map(chunks: Sequence[Mapping[str, object]]) -> list[EvidenceObject]:
    """One evidence object a chunk, in the order given.

    A chunk has `source_root`, `document_uri`, `chunk_idx`, `chunk_root` and `span`, and may have `title` and
    `source_role` (`unclassified` when absent). Raises ValueError for a chunk that lacks one of the first.
    """
    return [_evidence(position, chunk) for position, chunk in enumerate(chunks, start=1)]


def _evidence(position: int, chunk: Mapping[str, object]) -> EvidenceObject:
    missing = [name for name in _NEEDED if name not in chunk]
    if missing:
        raise ValueError(f"chunk {position} has no {', '.join(missing)}; a chunk needs {', '.join(_NEEDED)}")
    span, root = str(chunk["span"]), str(chunk["chunk_root"])
    title, role = chunk.get("title"), chunk.get("source_role")
    return EvidenceObject(
        pointer_id=f"E{position}",
        evidence_id=evidence_id(root, 0, len(span)),
        source_root=str(chunk["source_root"]),
        document_uri=str(chunk["document_uri"]),
        title=None if title is None else str(title),
        chunk_idx=int(str(chunk["chunk_idx"])),
        chunk_root=root,
        offset_start=0,
        offset_end=len(span),
        source_role="unclassified" if role is None else str(role),
        text_hash=sha256_text(span),
        span=span,
    )


def evidence_id(chunk_root: str, start: int, end: int) -> str:
    """The name of a stretch of a chunk that is the same in every run."""
    return "E" + sha256_text(f"{chunk_root}:{start}:{end}")[:_EVIDENCE_ID_DIGITS]


def evidence_map_root(evidence: Sequence[EvidenceObject]) -> str:
    """The Merkle root over the evidence ids, sorted: the order of retrieval does not count."""
    return merkle_root(sorted(each.evidence_id for each in evidence))


def render_evidence_block(e: EvidenceObject) -> str:
    """One evidence object as a prompt shows it: a header with its pointer id, title and role, then its text."""
    title = " ".join((e.title or e.document_uri.rstrip("/").rpartition("/")[2] or e.document_uri).split())
    return f"=== {e.pointer_id} ({title} | {e.source_role}) ===\n{e.span}\n"


def render_evidence_map(evidence: Sequence[EvidenceObject]) -> str:
    """All blocks, an empty line between them."""
    return "\n".join(map(render_evidence_block, evidence))


def render_evidence_block_for_json(e: EvidenceObject) -> str:
    """One evidence object for the JSON answer mode; it shows the pointer id as well."""
    return render_evidence_block(e)


def render_evidence_map_for_json(evidence: Sequence[EvidenceObject]) -> str:
    """All blocks for the JSON answer mode."""
    return "\n".join(map(render_evidence_block_for_json, evidence))


def evidence_map_by_pointer_id(evidence: Sequence[EvidenceObject]) -> dict[str, EvidenceObject]:
    """The evidence by pointer id (`E1`)."""
    return {each.pointer_id: each for each in evidence}


def evidence_map_by_evidence_id(evidence: Sequence[EvidenceObject]) -> dict[str, EvidenceObject]:
    """The evidence by evidence id (`E1f8e4c2a`)."""
    return {each.evidence_id: each for each in evidence}


def render_claim_lattice(
    claims: Sequence[Mapping[str, object]], by_id: Mapping[str, EvidenceObject], *, window: int = 200
) -> str:
    """Claims as prose for people: a bullet with the claim's text, then an excerpt of each passage it points at.

    A claim has `text` and `pointer_ids` (or `evidence_ids`). An excerpt is at most `window` characters of the
    passage around the first content word of the claim that it holds, else its beginning; `…` shows a cut. An unknown
    id is shown as `[E9: ?]`.
    """
    lines = []
    for claim in claims:
        text = " ".join(str(claim.get("text", "")).split())
        lines.append(f"- {text}")
        pointers = claim.get("pointer_ids") or claim.get("evidence_ids") or ()
        for pointer in pointers if isinstance(pointers, Sequence) else ():
            found = by_id.get(str(pointer))
            lines.append(
                f"  [{pointer}: ?]" if found is None else f"  [{pointer}: {_excerpt(text, found.span, window)}]"
            )
    return "\n".join(lines)


def _excerpt(claim: str, span: str, window: int) -> str:
    """The stretch of a passage that the claim is about, whitespace as single spaces."""
    if len(span) <= window:
        return " ".join(span.split())
    center = _first_mention(claim, span)
    start = 0 if center is None else max(0, min(center - window // 2, len(span) - window))
    end = start + window
    shown = " ".join(span[start:end].split())
    return f"{'…' if start else ''}{shown}{'…' if end < len(span) else ''}"


def _first_mention(claim: str, span: str) -> int | None:
    """Where the first content word of the claim that the passage holds stands in it."""
    lowered = span.casefold()
    same_length = len(lowered) == len(span)
    for word in content_words(claim, language_of(claim)):
        needle = fold(claim[word.start : word.end])
        at = lowered.find(needle) if same_length else span.find(claim[word.start : word.end])
        while at >= 0:
            if not inside_token(span, at) and not inside_token(span, at + len(needle)):
                return at + len(needle) // 2
            at = lowered.find(needle, at + 1) if same_length else -1
    return None
