"""Find a model's quote in the source, and say where each assertion was read."""

from schemacast.ground.model import Grounding, Span, TextSpan, UnmappedText, evidence, groundings, quote_of, span_of

__all__ = [
    "Grounding",
    "Span",
    "TextSpan",
    "UnmappedText",
    "evidence",
    "groundings",
    "quote_of",
    "span_of",
]
