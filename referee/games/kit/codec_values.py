"""Sorts of single values: numbers, flags, ids, sets of ids, packed figures; see :mod:`codecs`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.games.kit.codec import Aliases, Codec, Names, counted, is_counts, is_number, words_of
from referee.games.kit.places import mask_of, places_in
from referee.kernel.located import LocatedValue


@dataclass(frozen=True)
class Plain(Codec):
    """A text, None, or what else is never changed in place; ``known`` are the words that it may be."""

    start: Any = ""
    known: Sequence[str] | None = None

    def empty(self) -> Any:
        """The value where nothing is."""
        return self.start

    def fits(self, data: Any) -> bool:
        """The start, a known word, or any text."""
        known = isinstance(data, str) if self.known is None else data in self.known
        return known or (data == self.start and type(data) is type(self.start))

    def hear(self, spot: LocatedValue, now: Any) -> Any:
        """A word, or any text."""
        return spot.text() if self.known is None else spot.word(self.known) or self.start


@dataclass(frozen=True)
class Number(Codec):
    """A whole number from ``least`` to ``most``."""

    least: int = 0
    most: int = 999

    def empty(self) -> int:
        """Nought, or the least."""
        return max(0, self.least)

    def fits(self, data: Any) -> bool:
        """A whole number in the range."""
        return is_number(data, self.least, self.most)

    def hear(self, spot: LocatedValue, now: int) -> int:
        """The number."""
        return spot.number(self.least, self.most)

    def outside(self, value: str, names: Names) -> str:
        """Not from the least to the most."""
        return f"not {self.least} <= {value} <= {self.most}"


class Flag(Codec):
    """True or false."""

    least, most = 0, 1

    def empty(self) -> bool:
        """False."""
        return False

    def fits(self, data: Any) -> bool:
        """``true`` or ``false``."""
        return isinstance(data, bool)

    def hear(self, spot: LocatedValue, now: bool) -> bool:
        """``true`` or ``false``."""
        return spot.flag()


@dataclass(frozen=True)
class Index(Codec):
    """One of some ids as its index.  ``others`` are values that are none: number to what JSON has for it.

    ``plain``: JSON holds the number itself.
    """

    ids: Sequence[str]
    others: Mapping[int, Any] = field(default_factory=dict)
    plain: bool = False

    def write(self, value: int) -> Any:
        """The id."""
        return value if self.plain else self.say(value)

    def read(self, data: Any) -> int:
        """The index."""
        if self.plain:
            return int(data)
        back = {other: number for number, other in self.others.items()}
        return back[data] if data in back else self.ids.index(data)

    def fits(self, data: Any) -> bool:
        """An id, or what stands for none; the number itself where it is ``plain``."""
        if self.plain:
            return is_number(data, 0, len(self.ids) - 1) or (type(data) is int and data in self.others)
        return super().fits(data)

    def say(self, value: int) -> Any:
        """The id."""
        return self.others[value] if value in self.others else self.ids[value]

    def hear(self, spot: LocatedValue, now: int) -> int:
        """The index of the word; what stands where there is none like it."""
        name = spot.word(self.ids)
        return now if name is None else self.ids.index(name)


@dataclass(frozen=True)
class Mask(Codec):
    """A set of ids as a bit mask; ``plain``: JSON holds the mask itself."""

    ids: Sequence[str]
    plain: bool = False

    def write(self, value: int) -> Any:
        """The ids in order."""
        return value if self.plain else self.say(value)

    def read(self, data: Any) -> int:
        """The mask."""
        return int(data) if self.plain else mask_of(*(self.ids.index(name) for name in data))

    def fits(self, data: Any) -> bool:
        """A list of ids; the number itself where it is ``plain``."""
        if self.plain:
            return is_number(data, 0, (1 << len(self.ids)) - 1)
        return isinstance(data, list) and all(name in self.ids for name in data)

    def say(self, value: int) -> list[str]:
        """The ids in order."""
        return [self.ids[bit] for bit in places_in(value)]

    def hear(self, spot: LocatedValue, now: int) -> int:
        """A list of ids."""
        return mask_of(*(self.ids.index(name) for name in words_of(spot, self.ids)))


@dataclass(frozen=True)
class Without(Mask):
    """A set of ids as the mask of those of ``all_`` that are not in it: JSON has the ids that are."""

    all_: int = 0

    def write(self, value: int) -> list[str]:
        """The ids whose bits are not set."""
        return [self.ids[bit] for bit in places_in(self.all_ & ~value)]

    def read(self, data: Any) -> int:
        """The mask of the others."""
        return self.all_ & ~super().read(data)


@dataclass(frozen=True)
class Bits(Codec):
    """A bit mask that JSON has as the list of its bits, each below ``number``."""

    number: int = 64

    def fits(self, data: Any) -> bool:
        """A list of bits."""
        return isinstance(data, list) and all(is_number(bit, 0, self.number - 1) for bit in data)

    def write(self, value: int) -> list[int]:
        """The numbers of the bits."""
        return list(places_in(value))

    def read(self, data: Any) -> int:
        """The mask."""
        return mask_of(*data)


@dataclass(frozen=True)
class OneOf(Codec):
    """One of the things of a table, known by its attribute ``key``."""

    table: Mapping[str, Any]
    key: str = "id"

    def write(self, value: Any) -> Any:
        """The thing's id."""
        return getattr(value, self.key)

    def read(self, data: Any) -> Any:
        """The thing."""
        return self.table[data]

    def hear(self, spot: LocatedValue, now: Any) -> Any:
        """The thing of that id."""
        name = spot.word(self.table)
        return now if name is None else self.table[name]


@dataclass(frozen=True)
class Packed(Codec):
    """Figures packed into one integer: ``counts(value)`` gives ``{id: count}``, ``pack`` the way back."""

    ids: Sequence[str]
    counts: Callable[[int], Mapping[str, int]]
    pack: Callable[[Mapping[str, int]], int]
    most: Sequence[int] = ()
    """How many there are of each in the box; no bound where it is not told."""
    aliases: Aliases = field(default_factory=dict)

    def write(self, value: int) -> dict[str, int]:
        """Each figure that is there, with its count."""
        return dict(self.counts(value))

    def read(self, data: Any) -> int:
        """The packed figures."""
        return self.pack(data)

    def fits(self, data: Any) -> bool:
        """``{id: count}``."""
        return is_counts(data, self.ids, 1) and (
            not self.most or all(n <= self.most[self.ids.index(name)] for name, n in data.items())
        )

    def hear(self, spot: LocatedValue, now: int) -> int:
        """``{id: count}``."""
        most = self.most or [99] * len(self.ids)
        return self.pack(dict(counted(spot, self.ids, most, self.aliases)))
