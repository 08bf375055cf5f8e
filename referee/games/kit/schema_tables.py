"""Parts of a state's JSON that several fields share: a row for each place, seat..., a column a field.

joined={"places": Table(PLACES, {"units": Column("units", UNITS_THERE), "damage": Column("damage")})}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from referee.games.kit.codec import is_counts
from referee.games.kit.codecs import Codec, Each, Number, Row


class Columns(Protocol):
    """What a table has under one key in each row."""

    def write(self, state: Any) -> Iterator[tuple[int, Any]]:
        """Each row that has something under the key, and what, as JSON."""

    def read(self, state: Any, row: int, data: Any) -> None:
        """Set what :meth:`write` wrote."""

    def fits(self, data: Any) -> bool:
        """Whether JSON is what a row may have under the key."""


@dataclass(frozen=True)
class Column:
    """A field with a value for each row, of the sort ``codec``; ``full``: also where it is nothing."""

    name: str
    codec: Codec = Number()  # noqa: RUF009 (it is frozen)
    full: bool = False

    def write(self, state: Any) -> Iterator[tuple[int, Any]]:
        """Each row and its value."""
        for row, value in enumerate(getattr(state, self.name)):
            if value or self.full:
                yield row, self.codec.write(value)

    def read(self, state: Any, row: int, data: Any) -> None:
        """Set a row's value."""
        getattr(state, self.name)[row] = self.codec.read(data)

    def fits(self, data: Any) -> bool:
        """Of the sort."""
        return self.codec.fits(data)


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

    def fits(self, data: Any) -> bool:
        """Counts by kind."""
        return is_counts(data, self.kinds, 1)


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

    def fits(self, data: Any) -> bool:
        """Two numbers for each id."""
        return Each(self.ids, (Row((Number(), Number())),)).fits(data)


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

    def fits(self, data: Any) -> bool:
        """Known ids, each with known keys and what fits them; all ids where a column is ``full``."""
        whole = any(getattr(column, "full", False) for column in self.columns.values())
        return (
            isinstance(data, dict)
            and data.keys() <= set(self.ids)
            and (not whole or len(data) == len(self.ids))
            and all(map(self._row_fits, data.values()))
        )

    def _row_fits(self, there: Any) -> bool:
        known = isinstance(there, dict) and there.keys() <= self.columns.keys()
        return known and all(self.columns[key].fits(one) for key, one in there.items())
