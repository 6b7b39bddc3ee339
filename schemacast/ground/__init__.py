"""Find a model's quote in the source, and say where each assertion was read."""

from schemacast.ground.assertions import grounding_rows, groundings
from schemacast.ground.locate import locate, locate_all
from schemacast.ground.model import Grounding, Span, TextSpan, UnmappedText, evidence, quote_of, span_of

__all__ = [
    "Grounding",
    "Span",
    "TextSpan",
    "UnmappedText",
    "evidence",
    "grounding_rows",
    "groundings",
    "locate",
    "locate_all",
    "quote_of",
    "span_of",
]
