"""What a claim says and what a quote says: contradictions, sentences that claim, words that support."""

from schemacast.claims.contradictions import Contradiction, contradictions
from schemacast.claims.sentences import AnswerSentence, answer_sentences, claim_sentences, fold_claim

__all__ = [
    "AnswerSentence",
    "Contradiction",
    "answer_sentences",
    "claim_sentences",
    "contradictions",
    "fold_claim",
]
