"""One thing of a state that an arbiter may set, and where its number lies; see
:mod:`referee.games.kit.corrections`.

Where a number lies in a state is a path: ``("rings", EACH)`` is
``state.rings[seat]`` for each seat, ``("awake", EACH)`` a bit of a mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from referee.kernel.corrections import Item

S = TypeVar("S")
Primitive = Mapping[str, Any]
Counts = Mapping[str, int]
"""The wanted count of every row, by its key."""
EACH = "*"
"""In a path: the index of the id that is corrected."""
Path = tuple[str | int, ...]
VALUE = "value"


def number_at(state: Any, path: Path, index: int = 0) -> int:
    """The number (flag, bit) at a path."""
    name, *steps = path
    value = getattr(state, str(name))
    for step in steps:
        at = index if step == EACH else int(step)
        value = value >> at & 1 if isinstance(value, int) else value[at]
    return int(value)


def set_number(state: Any, path: Path, number: int, index: int = 0) -> None:
    """Set the number (flag, bit) at a path."""
    name, *steps = path
    whole = getattr(state, str(name))
    if not steps:
        setattr(state, str(name), bool(number) if isinstance(whole, bool) else number)
        return
    places = [index if step == EACH else step for step in steps]
    if isinstance(whole, int):
        setattr(state, str(name), whole & ~(1 << int(places[0])) | number << int(places[0]))
        return
    for step in places[:-1]:
        whole = whole[step]
    whole[places[-1]] = number


class Correction(Generic[S]):
    """One thing that can be corrected; ``do`` names its primitive, and begins the keys of its rows."""

    do: str

    def apply(self, state: S, primitive: Primitive) -> None:
        """Carry the primitive out.  Raises :class:`InvalidAnswer`, which says what is possible."""
        raise NotImplementedError

    def rows(self, state: S) -> Iterator[Item]:
        """Rows beside the board."""
        return iter(())

    def rows_at(self, state: S, place: int) -> Iterator[Item]:
        """Rows at a place."""
        return iter(())

    def primitives(self, state: S, place: str, counts: Counts, changed: Sequence[str]) -> Iterator[Primitive]:
        """The primitives for the changed ones of its rows, at a place or ("") beside the board."""
        raise NotImplementedError


@dataclass(frozen=True)
class Amount:
    """A number of a state: where it is, its least and most, and where the rest of it goes (or comes from).

    ``most`` is one for all ids or one for each; with a ``rest`` it is what is there and what the rest has,
    with a ``bound`` the number at that path.
    """

    path: Path
    most: int | Sequence[int] = 1
    least: int = 0
    rest: Path | None = None
    bound: Path | None = None

    def limit(self, state: Any, index: int) -> int:
        """The most that may be set."""
        if self.bound is not None:
            return number_at(state, self.bound, index)
        if self.rest is not None:
            return number_at(state, self.path, index) + number_at(state, self.rest, index)
        return self.most if isinstance(self.most, int) else self.most[index]

    def set(self, state: Any, number: int, index: int) -> None:
        """Set the number, the rest too."""
        if self.rest is not None:
            moved = number_at(state, self.path, index) - number
            set_number(state, self.rest, number_at(state, self.rest, index) + moved, index)
        set_number(state, self.path, number, index)
