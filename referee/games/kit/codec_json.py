"""Sorts of JSON that a field of a state may hold as it stands: rows, lists, mappings; see
:mod:`referee.games.kit.codecs`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.games.kit.codec import Codec, Names, is_number, named
from referee.games.kit.copying import copy_json
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text


@dataclass(frozen=True)
class Rows(Codec):
    """A list of short lists of numbers, as dice with what became of them: ``width`` numbers each."""

    width: int
    most: int

    def empty(self) -> list[list[int]]:
        """None."""
        return []

    def write(self, value: list[list[int]]) -> list[list[int]]:
        """A copy."""
        return [row[:] for row in value]

    def read(self, data: Any) -> list[list[int]]:
        """A copy."""
        return self.write(data)

    def fits(self, data: Any) -> bool:
        """Rows of the right number of numbers."""
        return isinstance(data, list) and all(
            isinstance(row, list) and len(row) == self.width and all(is_number(n, 0, self.most) for n in row)
            for row in data
        )

    def copied(self, value: str, names: Names) -> str:
        """A copy of every row."""
        return f"[row[:] for row in {value}]"

    def hear(self, spot: LocatedValue, now: list[list[int]]) -> list[list[int]]:
        """The rows that have the right number of numbers."""
        found = []
        for item in spot.items():
            row = [one.number(0, self.most) for one in item.items()]
            if len(row) == self.width:
                found.append(row)
            else:
                item.wrong(Text("kit.row_wanted", path=item.path, width=self.width))
        return found


@dataclass(frozen=True)
class Json(Codec):
    """JSON, copied in depth; ``make`` is its outermost sort (list or dict), ``shape`` what is in it."""

    make: type = dict
    shape: Codec | None = None

    def fits(self, data: Any) -> bool:
        """Of that outermost sort and of the shape."""
        return isinstance(data, self.make) and (self.shape is None or self.shape.fits(data))

    def empty(self) -> Any:
        """Nothing in it."""
        return self.make()

    def write(self, value: Any) -> Any:
        """A copy."""
        return copy_json(value)

    def read(self, data: Any) -> Any:
        """A copy."""
        return copy_json(data)

    def copied(self, value: str, names: Names) -> str:
        """Empty ones, which are most, are not worth a call."""
        return f"({named(names, copy_json)}({value}) if {value} else {named(names, self.make)}())"


@dataclass(frozen=True)
class Row(Codec):
    """A list with a value of each of some sorts, in that order."""

    of: Sequence[Codec]

    def fits(self, data: Any) -> bool:
        """A list of as many values, each of its sort."""
        return (
            isinstance(data, list)
            and len(data) == len(self.of)
            and all(codec.fits(one) for codec, one in zip(self.of, data, strict=True))
        )


@dataclass(frozen=True)
class Several(Codec):
    """A list of any number of values of a sort."""

    of: Codec

    def fits(self, data: Any) -> bool:
        """A list of such values."""
        return isinstance(data, list) and all(map(self.of.fits, data))


@dataclass(frozen=True)
class Memory(Codec):
    """A mapping from some keys to values of the sort of each, where there are any."""

    of: Mapping[str, Codec]

    def empty(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def fits(self, data: Any) -> bool:
        """Known keys, each with a value of its sort."""
        return isinstance(data, dict) and all(
            key in self.of and self.of[key].fits(one) for key, one in data.items()
        )

    def hear(self, spot: LocatedValue, now: Any) -> dict[str, Any]:
        """Known keys, each with a value of its sort."""
        names = [(key.word(self.of), entry) for key, entry in spot.entries()]
        return {name: self.of[name].hear(entry, self.of[name].empty()) for name, entry in names if name}


@dataclass(frozen=True)
class Flat(Codec):
    """A mapping from text to what is never changed in place; ``make`` reads it, and shares it if frozen.

    ``known`` are the keys that it may have, ``of`` is the sort of its values.
    """

    make: Callable[[Mapping[str, Any]], Any] = dict
    known: Iterable[str] | None = None
    of: Codec | None = None

    def fits(self, data: Any) -> bool:
        """Known keys and values of the sort; what ``make`` takes."""
        return (
            isinstance(data, dict)
            and all(isinstance(key, str) and (self.known is None or key in self.known) for key in data)
            and (self.of is None or all(self.of.fits(one) for one in data.values()))
            and super().fits(data)
        )

    def empty(self) -> Any:
        """Nothing in it."""
        return self.make({})

    def write(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """The mapping, copied in depth."""
        found: dict[str, Any] = copy_json(dict(value))
        return found

    def read(self, data: Any) -> Any:
        """The mapping."""
        return self.make(data)

    def copied(self, value: str, names: Names) -> str:
        """A new dict, or the frozen mapping itself."""
        return f"{value}.copy()" if self.make is dict else value
