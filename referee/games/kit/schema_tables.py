"""Parts of a state's JSON that several fields share: a row for each place, seat..., a column a field.

joined={"places": Table(PLACES, {"units": Column("units", UNITS_THERE), "damage": Column("damage")})}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from referee.games.kit.codecs import Codec


class Columns(Protocol):
    """What a table has under one key in each row."""

    def write(self, state: Any) -> Iterator[tuple[int, Any]]:
        """Each row that has something under the key, and what, as JSON."""

    def read(self, state: Any, row: int, data: Any) -> None:
        """Set what :meth:`write` wrote."""


@dataclass(frozen=True)
class Column:
    """A field with a value for each row, of the sort ``codec``; ``full``: also where it is nothing."""

    name: str
    codec: Codec = Codec()  # noqa: RUF009 (it has no state)
    full: bool = False

    def write(self, state: Any) -> Iterator[tuple[int, Any]]:
        """Each row and its value."""
        for row, value in enumerate(getattr(state, self.name)):
            if value or self.full:
                yield row, self.codec.write(value)

    def read(self, state: Any, row: int, data: Any) -> None:
        """Set a row's value."""
        getattr(state, self.name)[row] = self.codec.read(data)


@dataclass(frozen=True)
class Lying:
    """A field that holds for each of some ``kinds`` a dict from row to count: the counts by kind."""

    name: str
    kinds: Sequence[str]

    def write(self, state: Any) -> Iterator[tuple[int, dict[str, int]]]:
        """Each row where some lie."""
        rows: dict[int, dict[str, int]] = {}
        for kind, lying in zip(self.kinds, getattr(state, self.name), strict=True):
            for row, number in lying.items():
                rows.setdefault(row, {})[kind] = number
        yield from rows.items()

    def read(self, state: Any, row: int, data: Mapping[str, int]) -> None:
        """Lay a row's counts."""
        for kind, number in data.items():
            getattr(state, self.name)[self.kinds.index(kind)][row] = number


@dataclass(frozen=True)
class Pairs:
    """A mapping from id to ``[number, number]``, of a list that is changed and a tuple that is not."""

    ids: Sequence[str]
    changed: str
    fixed: str

    def write(self, state: Any) -> dict[str, list[int]]:
        """Both numbers of each id."""
        columns = getattr(state, self.changed), getattr(state, self.fixed)
        return {name: list(pair) for name, *pair in zip(self.ids, *columns, strict=True)}

    def read(self, state: Any, data: Mapping[str, Sequence[int]]) -> None:
        """Set both."""
        setattr(state, self.changed, [data[name][0] for name in self.ids])
        setattr(state, self.fixed, tuple(data[name][1] for name in self.ids))


@dataclass(frozen=True)
class SparseTable:
    """A mapping from id to what the columns have there, without the ids that have nothing."""

    ids: Sequence[str]
    columns: Mapping[str, Columns]

    def write(self, state: Any) -> dict[str, dict[str, Any]]:
        """The rows."""
        rows: dict[int, dict[str, Any]] = {}
        for key, column in self.columns.items():
            for row, data in column.write(state):
                rows.setdefault(row, {})[key] = data
        return {self.ids[row]: rows[row] for row in sorted(rows)}

    def read(self, state: Any, data: Mapping[str, Mapping[str, Any]]) -> None:
        """Set what the rows tell; the rest is as in a new state."""
        for name, there in data.items():
            row = self.ids.index(name)
            for key, one in there.items():
                self.columns[key].read(state, row, one)
