"""What can only be checked with the whole schema in view: names that collide, and `within`.

Names are compared as a reply's names will be (case and separators do not count), so that whatever a
model writes means one thing or nothing. A relation's terms are compared for each pair of types and
direction, because the ends of an edge tell apart what its name alone does not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from schemacast.schema.edges import EdgeDraft
from schemacast.schema.fields import Notes
from schemacast.schema.model import EdgeId
from schemacast.schema.names import fold_name
from schemacast.schema.nodes import ListNode, Node, ScalarNode, shorten
from schemacast.schema.properties import Declared
from schemacast.schema.rules import PARTIAL_SUFFIX
from schemacast.schema.vertices import VertexDraft

Terms = Iterable[tuple[ScalarNode, tuple[ScalarNode, ...]]]


def check_schema(vertices: Mapping[str, VertexDraft], edges: Mapping[EdgeId, EdgeDraft], notes: Notes) -> None:
    """Note every collision of names and every wrong `within`."""
    _check_terms(
        ((draft.name, _scalars(draft.fields.get("synonyms"))) for draft in vertices.values()), "vertex type", notes
    )
    for vertex in vertices.values():
        _check_properties(vertex.properties, notes)
    for edge in edges.values():
        _check_properties(edge.properties, notes)
    _check_relation_names(edges, notes)
    _check_relation_terms(edges, notes)
    joined = _joined(edges)
    relations = {edge_id.relation for edge_id in edges}
    owners = {name: _check_within(draft, joined, relations, notes) for name, draft in vertices.items()}
    _check_cycles(vertices, owners, notes)


def _scalars(node: Node | None) -> tuple[ScalarNode, ...]:
    items = () if node is None else node.items if isinstance(node, ListNode) else (node,)
    return tuple(item for item in items if isinstance(item, ScalarNode))


def _check_properties(properties: Mapping[str, Declared], notes: Notes) -> None:
    _check_terms(
        ((found.name, _scalars(found.fields.get("synonyms"))) for found in properties.values()), "property", notes
    )
    for name, declared in properties.items():
        if name.endswith(PARTIAL_SUFFIX) and name.removesuffix(PARTIAL_SUFFIX) in properties:
            beside = shorten(name.removesuffix(PARTIAL_SUFFIX))
            notes.add(
                declared.name,
                f"property {shorten(name)}: this name is reserved beside {beside}, for dates known only in part",
            )


def _check_terms(terms: Terms, what: str, notes: Notes) -> None:
    """Every name and synonym of one kind in one place means one thing."""
    names: dict[str, ScalarNode] = {}
    every = list(terms)
    for name, _ in every:
        first = names.setdefault(fold_name(name.text), name)
        if first is not name:
            _same_name(name, first, what, notes)
    synonyms: dict[str, ScalarNode] = {}
    for name, own in every:
        for synonym in own:
            folded = fold_name(synonym.text)
            other = names.get(folded) or synonyms.setdefault(folded, name)
            if other.text != name.text:
                notes.add(
                    synonym,
                    f"{what} {shorten(name.text)}: its synonym {shorten(synonym.text)} also means {shorten(other.text)}"
                    f" (line {other.line}); a name has one meaning",
                )


def _same_name(name: ScalarNode, first: ScalarNode, what: str, notes: Notes) -> None:
    notes.add(
        name,
        f"{what} {shorten(name.text)} differs from {shorten(first.text)} (line {first.line})"
        " only by case or separators, which replies do not keep apart",
    )


def _check_relation_names(edges: Mapping[EdgeId, EdgeDraft], notes: Notes) -> None:
    names: dict[str, ScalarNode] = {}
    for draft in edges.values():
        first = names.setdefault(fold_name(draft.name.text), draft.name)
        if first.text != draft.name.text:
            _same_name(draft.name, first, "relation", notes)


def _check_relation_terms(edges: Mapping[EdgeId, EdgeDraft], notes: Notes) -> None:
    """One term, from one type to another, means one edge type in one direction."""
    meant: dict[tuple[str, str, str], tuple[EdgeDraft, bool]] = {}
    terms = [
        *((draft, draft.name, False) for draft in edges.values()),
        *((draft, term, False) for draft in edges.values() for term in _scalars(draft.fields.get("synonyms"))),
        *((draft, term, True) for draft in edges.values() for term in _scalars(draft.fields.get("inverse"))),
    ]
    for draft, term, backwards in terms:
        source, target, relation = draft.type.id
        ends = (target, source) if backwards else (source, target)
        other, direction = meant.setdefault((fold_name(term.text), *ends), (draft, backwards))
        if term is draft.name:
            continue  # names among themselves are compared above
        if other.type.id.relation != relation:
            notes.add(
                term,
                f"relation {shorten(relation)}: {shorten(term.text)} from {shorten(ends[0])} to {shorten(ends[1])}"
                f" also means {shorten(other.type.id.relation)} (line {other.place.line}); a name has one meaning",
            )
        elif direction != backwards and not draft.type.symmetric:
            notes.add(
                term,
                f"relation {shorten(relation)}: {shorten(term.text)} would mean both directions;"
                " an `inverse` reads the other way",
            )


def _check_within(
    draft: VertexDraft, joined: Mapping[tuple[str, str], list[str]], relations: Collection[str], notes: Notes
) -> dict[str, ScalarNode]:
    """The types that own this one, each with the place that says so."""
    owners: dict[str, ScalarNode] = {}
    name = draft.type.name
    seen: set[str] = set()
    for node in _scalars(draft.fields.get("within")):
        what = f"`within` of {shorten(name)} names {shorten(node.text)}"
        if node.text in seen:
            notes.add(node, f"{what} twice")
        seen.add(node.text)
        if node.text not in relations:
            notes.add(node, f"{what}, which is no relation between declared types{notes.near(node.text, relations)}")
        elif (node.text, name) not in joined:
            notes.add(node, f"{what}, but that relation has no end of type {shorten(name)}")
        for owner in joined.get((node.text, name), ()):
            owners[owner] = node
    return owners


def _joined(edges: Iterable[EdgeId]) -> dict[tuple[str, str], list[str]]:
    """By relation and type: the types at the other end."""
    joined: dict[tuple[str, str], list[str]] = {}
    for source, target, relation in edges:
        joined.setdefault((relation, source), []).append(target)
        if source != target:
            joined.setdefault((relation, target), []).append(source)
    return joined


def _check_cycles(
    vertices: Mapping[str, VertexDraft], owners: Mapping[str, Mapping[str, ScalarNode]], notes: Notes
) -> None:
    """Follow every type to what owns it; each cycle is noted once, where it closes."""
    done: set[str] = set()
    for start in vertices:
        path: dict[str, Iterator[tuple[str, ScalarNode]]] = {}
        if start not in done:
            path[start] = iter(owners[start].items())
        while path:
            current, rest = next(reversed(path.items()))
            owner, place = next(rest, (None, None))
            if owner is None or place is None:
                done.add(path.popitem()[0])
            elif owner in path:
                names = list(path)
                shown = " in ".join(shorten(name, 40) for name in [*names[names.index(owner) :], owner][:8])
                notes.add(
                    place,
                    f"`within` of {shorten(current)} goes in a circle: {shown}; none of them could be identified",
                )
            elif owner not in done:
                path[owner] = iter(owners.get(owner, {}).items())
