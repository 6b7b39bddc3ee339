"""Verified question answering: answers whose every claim points at the characters that say so."""
