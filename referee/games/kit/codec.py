"""What every sort of thing that a field of a state may hold knows; see :mod:`referee.games.kit.codecs`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from referee.kernel.errors import RefereeError
from referee.kernel.located import LocatedValue, shortened
from referee.kernel.messages import Text

Names = dict[str, Any]
"""What generated code refers to, by name."""
Aliases = Mapping[str, str]
"""Other words that a position file may use."""


class Codec:
    """How values of one sort are kept, copied and written.

    This one shares them between copies, and JSON and position files have them as they stand.
    """

    def empty(self) -> Any:
        """A value where nothing is."""
        return 0

    # --- JSON and copies ---------------------------------------------------------------------------------

    def write(self, value: Any) -> Any:
        """The value as JSON, fresh in every part."""
        return value

    def read(self, data: Any) -> Any:
        """The value that :meth:`write` wrote.  Raises KeyError or ValueError for what is none."""
        return data

    def fits(self, data: Any) -> bool:
        """Whether JSON, perhaps written by a person, is what :meth:`write` could have written."""
        try:
            return bool(self.write(self.read(data)) == data)
        except (LookupError, ValueError, TypeError, AttributeError, RefereeError):
            return False  # what is read by other names or in another shape

    def copied(self, value: str, names: Names) -> str:
        """The source code of an independent copy of what the source code ``value`` stands for."""
        return value

    def written(self, value: str, names: Names) -> str:
        """The source code of :meth:`write`."""
        return value if type(self).write is Codec.write else f"{named(names, self.write)}({value})"

    @property
    def is_changed(self) -> bool:
        """Whether a value is changed in place, so that each state needs its own."""
        return self.copied("value", {}) != "value"

    # --- position files ----------------------------------------------------------------------------------

    def say(self, value: Any) -> Any:
        """The value as a position file has it."""
        return self.write(value)

    def hear(self, spot: LocatedValue, now: Any) -> Any:
        """The value that a position file tells; problems are noted at the spot.  ``now`` is what stands."""
        value = spot.plain()
        if self.fits(value):
            return self.read(value)
        shown = shortened(self.say(now))
        spot.wrong(Text("kit.other_shape", path=spot.path, shown=shown))
        return now

    # --- bounds ------------------------------------------------------------------------------------------

    def outside(self, value: str, names: Names) -> str:
        """The source code of a test whether a value is out of bounds, "" where there are none."""
        return ""


def named(names: Names, thing: Any) -> str:
    """A name for ``thing`` that generated code may use."""
    name = f"_{len(names)}"
    names[name] = thing
    return name


class Sliced(Codec):
    """A list of what is never changed in place."""

    def copied(self, value: str, names: Names) -> str:
        """A slice."""
        return f"{value}[:]"


def is_number(data: Any, least: int = 0, most: int = 9999) -> bool:
    """Whether JSON is a whole number in a range (true and false are none)."""
    return type(data) is int and least <= data <= most


def is_counts(data: Any, known: Iterable[str], least: int = 0) -> bool:
    """Whether JSON is a mapping from known ids to numbers."""
    return (
        isinstance(data, dict)
        and data.keys() <= set(known)
        and all(is_number(number, least) for number in data.values())
    )


# --- reading lists and counts of ids -----------------------------------------------------------------


def words_of(spot: LocatedValue, known: Iterable[str], aliases: Aliases | None = None) -> Iterator[str]:
    """The known words of a list."""
    for item in spot.items():
        name = item.word(known, aliases)
        if name is not None:
            yield name


def counted(
    spot: LocatedValue, known: Sequence[str], most: Sequence[int], aliases: Aliases | None = None
) -> Iterator[tuple[str, int]]:
    """The known words of a mapping with their counts, each up to its most."""
    for key, entry in spot.entries():
        name = key.word(known, aliases)
        if name is not None:
            yield name, entry.number(0, most[known.index(name)])
