"""Sorts of values that only this game's state holds: the box, an ancestry, lists of ids, the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.games.kit.codec import Codec, Names, Sliced, is_number, words_of
from referee.games.kit.codecs import Derived, Index, Locations
from referee.games.mountain_king.box import symbols
from referee.games.mountain_king.box.box import PRACTICE, Box, box_of
from referee.games.mountain_king.state import grid
from referee.kernel.errors import InvalidAnswer
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text


class BoardSide(Codec):
    """The box that is played with: ``practice``, or all the data of a captured one."""

    def empty(self) -> Box:
        """The practice set."""
        return box_of()

    def write(self, value: Box) -> Any:
        """Its name, or its data."""
        return PRACTICE if value.name == PRACTICE else value.data

    def read(self, data: Any) -> Box:
        """The box."""
        return box_of(data)

    def hear(self, spot: LocatedValue, now: Box) -> Box:
        """The box; what is wrong with one is noted."""
        try:
            return box_of(spot.plain())
        except InvalidAnswer as error:
            spot.wrong(error.text)
            return now


class Ancestry(Codec):
    """The cells of an ancestry: rows of words, ``- - A B2``.

    Each cell stands at its place in ten rows of ten; a last row has the symbols of champions.
    """

    def empty(self) -> bytes:
        """No card."""
        return bytes(grid.LENGTH)

    def write(self, value: bytes) -> list[str]:
        """The rows, each up to its last card; the last has the symbols of champions."""
        if not any(value):
            return []
        bounds = [(grid.STRIDE * row, grid.STRIDE * row + grid.COLUMNS) for row in range(grid.ROWS)]
        rows = (value[first:last].rstrip(b"\0") for first, last in (*bounds, (grid.SIZE, grid.LENGTH)))
        return [" ".join([symbols.word(one) for one in row]) for row in rows]

    def read(self, data: Any) -> bytes:
        """The cells."""
        found = bytearray(grid.LENGTH)
        for row, text in enumerate(data):
            at = grid.STRIDE * row if row < grid.ROWS else grid.SIZE
            words = symbols.codes(str(text).split())
            if len(words) > (grid.COLUMNS if row < grid.ROWS else grid.FROM_CHAMPIONS):
                raise ValueError(f"too many cells: {text}")
            found[at : at + len(words)] = words
        return bytes(found)

    def hear(self, spot: LocatedValue, now: bytes) -> bytes:
        """Rows of words."""
        rows = [item.text() for item in spot.items()]
        try:
            return self.read(rows)
        except (ValueError, IndexError):
            spot.wrong(Text("mountain_king.no_ancestry", path=spot.path))
            return now


@dataclass(frozen=True)
class InOrder(Sliced):
    """A list of indices in order; JSON lists their ids, None for -1."""

    ids: Sequence[str]

    def empty(self) -> list[int]:
        """Nothing."""
        return []

    def write(self, value: list[int]) -> list[str | None]:
        """The ids."""
        return [None if one < 0 else self.ids[one] for one in value]

    def read(self, data: Any) -> list[int]:
        """The indices."""
        return [-1 if one is None else self.ids.index(one) for one in data]

    def hear(self, spot: LocatedValue, now: list[int]) -> list[int]:
        """A list of ids."""
        return [self.ids.index(word) for word in words_of(spot, self.ids)]


@dataclass(frozen=True)
class ListOf(Codec):
    """A list of as many values of one sort as there are."""

    inner: Codec

    def empty(self) -> list[Any]:
        """None."""
        return []

    def write(self, value: list[Any]) -> list[Any]:
        """Each value."""
        return [*map(self.inner.write, value)]

    def read(self, data: Any) -> list[Any]:
        """Each value."""
        return [*map(self.inner.read, data)]

    def copied(self, value: str, names: Names) -> str:
        """A list of copies."""
        return f"[{self.inner.copied('part', names)} for part in {value}]"

    def say(self, value: list[Any]) -> list[Any]:
        """Each value."""
        return [*map(self.inner.say, value)]

    def hear(self, spot: LocatedValue, now: list[Any]) -> list[Any]:
        """A list of values."""
        return [self.inner.hear(item, self.inner.empty()) for item in spot.items()]


class FigurePlaces(Locations):
    """Where figures stand; position files have ``champion: place``."""

    def hear(self, spot: LocatedValue, now: list[int]) -> list[int]:
        """The places of the champions that are named."""
        found = self.empty()
        for key, entry in spot.entries():
            champion, place = key.word(self.pieces), entry.word(self.places)
            if champion is not None and place is not None:
                found[self.pieces.index(champion)] = self.places.index(place)
        return found


class DerivedRows(Derived):
    """Lists of numbers that follow from other fields; each copy has its own."""

    def copied(self, value: str, names: Names) -> str:
        """A copy of every row."""
        return f"[row[:] for row in {value}]"


class MaybePair(Index):
    """A pair of lairs, or -1; position files leave out who has none."""

    def write(self, value: int) -> Any:
        """The pair, or None."""
        return None if value < 0 else self.ids[value]

    def say(self, value: int) -> Any:
        """The pair, or nothing."""
        return {} if value < 0 else self.ids[value]


@dataclass(frozen=True)
class Numbers(Sliced):
    """A list of numbers, as many as there are."""

    def empty(self) -> list[int]:
        """None."""
        return []

    def write(self, value: list[int]) -> list[int]:
        """A copy."""
        return value[:]

    def read(self, data: Any) -> list[int]:
        """A copy."""
        return list(data)

    def fits(self, data: Any) -> bool:
        """A list of whole numbers, -1 among them."""
        return isinstance(data, list) and all(is_number(one, -1) for one in data)


Way = tuple[int, int, int, int, int]
"""A gnome's way: the cavern, trolls there, caverns passed, how many were equally easy, who decided (-1)."""


@dataclass(frozen=True)
class Ways(Sliced):
    """The ways of gnomes, each as a tuple that is never changed."""

    places: Sequence[str]
    seats: Sequence[str]

    def empty(self) -> list[Way]:
        """None."""
        return []

    def write(self, value: list[Way]) -> list[list[Any]]:
        """Lists."""
        return [[self.places[way[0]], *way[1:4], None if way[4] < 0 else self.seats[way[4]]] for way in value]

    def read(self, data: Any) -> list[Way]:
        """Tuples."""
        return [
            (self.places.index(place), trolls, passed, equal, -1 if seat is None else self.seats.index(seat))
            for place, trolls, passed, equal, seat in data
        ]


Entry = tuple[int, str, str, int, int]
"""Honour: the wave, its rule, what it was for, whose, how much."""


@dataclass(frozen=True)
class Ledger(Sliced):
    """All honour in order, each as a tuple that is never changed."""

    seats: Sequence[str]

    def empty(self) -> list[Entry]:
        """None."""
        return []

    def write(self, value: list[Entry]) -> list[list[Any]]:
        """Lists."""
        return [[wave, rule, what, self.seats[seat], number] for wave, rule, what, seat, number in value]

    def read(self, data: Any) -> list[Entry]:
        """Tuples.  Raises TypeError for one of another shape."""
        return [self._entry(*one) for one in data]

    def _entry(self, wave: int, rule: str, what: str, seat: str, number: int) -> Entry:
        if not all(isinstance(one, str) for one in (rule, what)) or not type(wave) is type(number) is int:
            raise TypeError("an entry is wave, rule, what it was for, seat, honour")
        return wave, rule, what, self.seats.index(seat), number
