"""Words that stand in most sentences and most questions, so that looking for them finds everything and nothing.

English, German, French, Spanish and Norwegian. A word that means something in another of these (`war`, `die`,
`son`) is not here: looking for a frequent word costs time, leaving out a rare one costs the answer.
"""

from __future__ import annotations

from schemacast.ground.characters import fold

_WORDS = """
a an and any are as at be been but by can could did do does for from had has have he her him his how i if in is it its
me my no not of on or our she so some than that the their them then there these they this to was we were what when where
which who whom whose why will with would you your
aber auch auf aus bei bist dass dem der des doch du ein eine einem einen einer für hat ich ihr im ist ja mit nach nicht
noch nur ob oder sich sie sind über um und uns von vor wann warum welche welchem welchen welcher wen wem wer werden wie
wir wird wo zu zum zur
au aux avec ce ces cette comment dans de du elle en est et il ils je la le les leur mais ne nous où ou par pas pour
pourquoi quand que quel quelle quelles quels qui quoi ses sont sur un une vous
como con cual cuando cuál cuándo cómo del donde dónde el ella era es esta este las lo los más o para pero por porque qué
quien quién se su sus una y
av det er et fra har hun hva hvem hvilke hvilken hvor hvordan hvorfor ikke jeg med når og om på som til var ved vi å
"""

_FOLDED = frozenset(fold(word) for word in _WORDS.split())


def is_frequent(folded_word: str) -> bool:
    """Whether a word, in folded form, is one of them."""
    return folded_word in _FOLDED
