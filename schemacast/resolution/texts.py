"""What only an episode as a whole says of its records: surnames alone, and what people said of its records.

Both need to be known before the first record of the episode is identified.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from schemacast.records import Record, RecordGraph
from schemacast.resolution.keys import KeyValues, plain_values
from schemacast.resolution.slots import TypeSlots
from schemacast.resolution.surnames import surnames
from schemacast.resolution.verdicts import Spoken, Verdicts


@dataclass(frozen=True, slots=True)
class Texts:
    """`surnames`: by ref the refs it may be short for; `spoken`: by ref what people said about it."""

    surnames: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spoken: Mapping[str, Spoken] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: RecordGraph, types: Mapping[str, TypeSlots], verdicts: Verdicts) -> Texts:
        """Read an episode, of whose types those with a `match` key are looked at."""
        by_type: dict[str, list[Record]] = {}
        for record in graph.records:
            slots = types.get(record.type)
            if slots is not None and slots.match is not None:
                by_type.setdefault(record.type, []).append(record)
        short: dict[str, tuple[str, ...]] = {}
        for name, records in by_type.items():
            if len(records) > 1:
                short.update(_surnames(types[name], records))
        spoken: dict[str, Spoken] = {}
        if verdicts and by_type:
            keys: dict[str, KeyValues] = {
                record.ref: types[name].keys.key.read(plain_values(record.props))
                for name, records in by_type.items()
                for record in records
            }
            spoken = verdicts.of(graph, keys)
        return cls(short, spoken)


def _surnames(slots: TypeSlots, records: list[Record]) -> dict[str, tuple[str, ...]]:
    """The surnames alone among the records of one type, as far as nothing that they state contradicts."""
    match = slots.match
    property_ = slots.keys.name_property
    if match is None or property_ is None:
        return {}
    values = {record.ref: plain_values(record.props) for record in records}
    names = {ref: name for ref, stated in values.items() if isinstance(name := stated.get(property_), str)}
    found = surnames(names, people=slots.people)
    if not found:
        return found
    rows = {ref: match.row_of(stated, "") for ref, stated in values.items()}
    fitting = {
        ref: tuple(other for other in meant if not match.contradict(rows[ref], rows[other]))
        for ref, meant in found.items()
    }
    return {ref: meant for ref, meant in fitting.items() if meant}
