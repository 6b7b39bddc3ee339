"""Which names a schema may use, and what its own name and version look like.

A name is any text a person would write in one line; case, script and inner blanks are free. What is
refused is what would break elsewhere: control characters, a trailing `?` (the mark of an optional key
part), an empty or purely separating name, and the names of properties that we write ourselves or that
rows use for what is no property (`_id`, `_type`).
"""

from __future__ import annotations

import re
import unicodedata

from schemacast.schema.names import fold_name
from schemacast.schema.nodes import ScalarNode

NAME = re.compile(r"\w[\w.-]{0,99}")
VERSION = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,3}([-+][0-9A-Za-z.-]{1,50})?")
MAX_NAME = 200
RESERVED_PROPERTIES = frozenset(("stance", "schemacast_id", "schemacast_hash", "schemacast_workspaces"))
RESERVED_FOLDED = frozenset(fold_name(name) for name in RESERVED_PROPERTIES)
OURS = re.compile(r"schemacast[_\s-]", re.IGNORECASE)
PARTIAL_SUFFIX = "_partial"
CONTROL = frozenset(("Cc", "Cs", "Zl", "Zp"))


def name_problem(node: ScalarNode) -> str | None:
    """What is wrong with a name of a type, relation or property, as the end of a message."""
    name = node.text
    if node.absent:
        return f"no name; if the name {name!r} is meant, quote it" if name else "a name is missing"
    if name != name.strip() or not name:
        return "a name has no blanks around it, and is not empty"
    if len(name) > MAX_NAME:
        return f"a name has {MAX_NAME} characters at most"
    if not name.isascii() or not name.isprintable():
        for char in name:
            if unicodedata.category(char) in CONTROL:
                return f"a name may not hold the character U+{ord(char):04X}"
    if name.endswith("?"):
        return "a name may not end in `?`, which marks an optional part of a key"
    if not fold_name(name):
        return "a name needs a letter, a digit or a sign besides `-` and `_`"
    return None


def property_name_problem(name: str) -> str | None:
    """What is wrong with the name of a property in particular."""
    if name.startswith("_"):
        return "names that begin with `_` are ours (rows use `_id`, `_type`, `_source`, `_target`)"
    if fold_name(name) in RESERVED_FOLDED or OURS.match(name):
        return "this name is reserved; SchemaCast writes it itself"
    return None
