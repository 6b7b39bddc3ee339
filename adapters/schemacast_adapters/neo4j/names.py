"""The names that reach Cypher, and the names of what we keep beside the declared properties.

Labels, relationship types and property names come from the schema and may hold anything a text may: a name
is quoted with backticks, its own backticks doubled, and its backslashes written as the escape that the
server reads first, because it would take `\\u0060` for a backtick. Values never stand in query text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from schemacast.errors import UsageError
from schemacast.schema.comparable import Equality

ID = "schemacast_id"
HASH = "schemacast_hash"
WORKSPACES = "schemacast_workspaces"
ALIASES = "schemacast_aliases"
HAS_ALIASES = "schemacast_has_aliases"  # indexed, which a long list of ids could not be
CLAIMS = "schemacast_claims"  # what each of several workspaces wrote
OURS = "schemacast_ours"  # on an adopted node: the names of the properties that we wrote
BEFORE = "schemacast_before:"  # on an adopted node: what a property was before we wrote it
STANCE = "stance"
RESERVED = "schemacast_"


def quoted(name: str) -> str:
    """A name as it stands in a query. Raises UsageError for what no name in Neo4j can hold."""
    if not name or "\x00" in name:
        raise UsageError(f"{name!r} cannot be a name in Neo4j: it is empty or holds a null character")
    return "`" + name.replace("\\", "\\u005C").replace("`", "``") + "`"


def fold_name(names: Iterable[str], equality: Equality) -> str:
    """The name of the property that keeps the comparable form of these properties' values."""
    return f"schemacast_{equality}:" + ",".join(name.replace(",", ",,") for name in names)


def kind_prefix(schema_name: str, *kind: str) -> str:
    """Eight hex digits that a content hash begins with: which type of which schema the item is of."""
    text = json.dumps([schema_name, *kind], ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
