"""Which things are one for certain, by labels that they share."""

from __future__ import annotations

from collections.abc import Sequence


class Together:
    """Things by number, in sets that grow together: a union-find that also knows its sets."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))
        self._holder: dict[str, int] = {}
        self._members: dict[int, list[int]] = {}

    def put(self, number: int, label: str) -> None:
        """Things with one label are one."""
        one, other = self._root(number), self._root(self._holder.setdefault(label, number))
        if one != other or one not in self._members:
            least, most = min(one, other), max(one, other)
            held = self._members.setdefault(least, [least])
            if least != most:
                held += self._members.pop(most, [most])
            self._parent[most] = least

    def of(self, number: int) -> Sequence[int]:
        """Everything that is one with a thing, itself included."""
        return self._members.get(self._root(number), (number,))

    def label(self, number: int) -> str | None:
        """What all that is one with a thing has in common; None for one of which nothing is said."""
        root = self._root(number)
        return f"#{root}" if root in self._members else None

    def known(self, ident: str) -> str | None:
        """The label of what is the known entity of an id."""
        holder = self._holder.get(f"known:{ident}")
        return None if holder is None else self.label(holder)

    def _root(self, number: int) -> int:
        while self._parent[number] != number:
            self._parent[number] = self._parent[self._parent[number]]
            number = self._parent[number]
        return number
