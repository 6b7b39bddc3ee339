"""The Merkle tree that roots of sources, evidence and runs are computed with.

A leaf is the hash of the byte 0x00 and its text, a node that of the byte 0x03 and its two children in order, so
that neither passes for the other and swapped children give another root. An odd one at the end of a level is
combined with itself. No leaf at all is the root of one empty leaf.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_LEAF = b"\x00"
_NODE = b"\x03"


def merkle_root(leaves: Iterable[str]) -> str:
    """The root, in hexadecimal, over leaves in the order given."""
    level = [leaf_hash(leaf) for leaf in leaves] or [leaf_hash("")]
    while len(level) > 1:
        level = [combine(level[at], level[min(at + 1, len(level) - 1)]) for at in range(0, len(level), 2)]
    return level[0].hex()


def leaf_hash(leaf: str) -> bytes:
    """The hash of one leaf."""
    return hashlib.sha256(_LEAF + leaf.encode("utf-8", errors="surrogatepass")).digest()


def combine(left: bytes, right: bytes) -> bytes:
    """The hash of a node from those of its children."""
    return hashlib.sha256(_NODE + left + right).digest()
