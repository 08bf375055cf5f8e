"""Corrections of what lies and stands on the table: marks, tokens, pieces, figures, action dice; see
:mod:`referee.games.kit.corrections`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.games.kit.correction import EACH, Amount, Correction, Counts, Primitive, S, number_at, set_number
from referee.kernel.corrections import Item, counts_of, no_correction, number_of, one_of
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text


@dataclass(frozen=True)
class PlaceMark(Correction[S]):
    """A mark that lies at some places of the board: ``{"do", "place": one of them, <arg>: told[bit]}``.

    The state keeps it as a bit of the mask ``name``; ``told`` is what the primitive
    says without and with it.
    """

    do: str
    key: str
    arg: str
    told: Sequence[Any]
    name: str
    ids: Sequence[str]
    places: Sequence[str]
    label: str

    def apply(self, state: S, primitive: Primitive) -> None:
        """Lay the mark, or take it away."""
        place = self.ids[one_of(primitive, "place", self.ids)]
        value = primitive.get(self.arg)
        if value not in self.told:
            raise no_correction(f"{self.arg}: {value!r}", [str(one) for one in self.told])
        set_number(state, (self.name, EACH), self.told.index(value), self.places.index(place))

    def rows_at(self, state: S, place: int) -> Iterator[Item]:
        """Whether it lies there."""
        if self.places[place] in self.ids:
            yield Item(self.key, self.label, number_at(state, (self.name, EACH), place), 1)

    def primitives(self, state: S, place: str, counts: Counts, changed: Sequence[str]) -> Iterator[Primitive]:
        """What it is to be."""
        if self.key in changed:
            yield {"do": self.do, "place": place, self.arg: self.told[counts[self.key]]}


@dataclass(frozen=True)
class Tokens(Correction[S]):
    """Tokens of some kinds at a place: ``{"do", "place", <arg>: kind, "value"}``; the others are in the pool.

    The state keeps in ``name`` for each kind a dict from place to count, in ``pool`` what is left.
    """

    do: str
    key: str
    arg: str
    kinds: Sequence[str]
    places: Sequence[str]
    name: str
    pool: str
    label: str
    of: tuple[str, ...] = ()

    def apply(self, state: S, primitive: Primitive) -> None:
        """Lay so many there."""
        place, kind = one_of(primitive, "place", self.places), one_of(primitive, self.arg, self.kinds)
        lying, pool = getattr(state, self.name)[kind], getattr(state, self.pool)
        there = lying.get(place, 0)
        number = number_of(primitive, "value", there + pool[kind])
        pool[kind] += there - number
        lying[place] = number
        if not number:
            del lying[place]

    def rows_at(self, state: S, place: int) -> Iterator[Item]:
        """A row for each kind that lies there or may come out of the pool."""
        for kind, name in enumerate(self.kinds):
            here = getattr(state, self.name)[kind].get(place, 0)
            most = here + getattr(state, self.pool)[kind]
            if most:
                yield Item(f"{self.key}.{name}", self.label.format(id=name), here, most, of=self.of)

    def primitives(self, state: S, place: str, counts: Counts, changed: Sequence[str]) -> Iterator[Primitive]:
        """The number of each kind that changed."""
        for kind in self.kinds:
            key = f"{self.key}.{kind}"
            if key in changed:
                yield {"do": self.do, "place": place, self.arg: kind, "value": counts[key]}


@dataclass(frozen=True)
class Whereabouts(Correction[S]):
    """Where each of some pieces is: ``{"do", <do>: piece, "place": name}``.

    ``where`` is the state's list of their places, ``names`` what may be said,
    with the number in that list; ``put(state, piece, number)`` sets it.  At a
    place a piece has no row to go away with: it leaves by being put elsewhere.
    """

    do: str
    pieces: Sequence[str]
    where: str
    names: Mapping[str, int]
    put: Callable[[S, int, int], None]

    def apply(self, state: S, primitive: Primitive) -> None:
        """Put the piece there."""
        piece, names = one_of(primitive, self.do, self.pieces), tuple(self.names)
        self.put(state, piece, self.names[names[one_of(primitive, "place", names)]])

    def rows(self, state: S) -> Iterator[Item]:
        """A row for each piece, with all that may be said as options."""
        options, numbers = tuple(self.names), list(self.names.values())
        for piece, at in zip(self.pieces, getattr(state, self.where), strict=True):
            key = f"{self.do}.{piece}"
            now = numbers.index(at)
            yield Item(key, key, now, len(options) - 1, options=options, domain="correction.where")

    def rows_at(self, state: S, place: int) -> Iterator[Item]:
        """A row for each piece: it is there, or may come."""
        for piece, at in zip(self.pieces, getattr(state, self.where), strict=True):
            key, here = f"{self.do}.{piece}", int(at == place)
            yield Item(key, key, here, 1, here)

    def primitives(self, state: S, place: str, counts: Counts, changed: Sequence[str]) -> Iterator[Primitive]:
        """The place of each piece that moved."""
        options = tuple(self.names)
        for piece in self.pieces:
            key = f"{self.do}.{piece}"
            if key in changed:
                yield {"do": self.do, self.do: piece, "place": place or options[counts[key]]}


@dataclass(frozen=True)
class Figures(Correction[S]):
    """All figures that stand in a place: ``{"do", "place", <arg>: {figure: count}}``, the rest in the supply.

    ``there(state, place)`` gives their counts by id, ``put(state, place, counts)``
    makes others stand there.  ``sides`` is the seat of each figure that may not
    stand with one of another seat; what else may is -1.
    """

    do: str
    arg: str
    places: Sequence[str]
    ids: Sequence[str]
    sides: Sequence[int]
    supply: str
    there: Callable[[S, int], Mapping[str, int]]
    put: Callable[[S, int, Mapping[str, int]], None]

    def apply(self, state: S, primitive: Primitive) -> None:
        """Take away what stood there, and set the others down."""
        place = one_of(primitive, "place", self.places)
        counts, before = counts_of(primitive, self.arg, self.ids), self.there(state, place)
        supply = getattr(state, self.supply)
        for figure, name in enumerate(self.ids):
            supply[figure] += before.get(name, 0) - counts.get(name, 0)
        self.put(state, place, counts)

    def rows_at(self, state: S, place: int) -> Iterator[Item]:
        """A row for each figure that stands there or may come out of the supply."""
        there, supply = self.there(state, place), getattr(state, self.supply)
        for figure, name in enumerate(self.ids):
            here = there.get(name, 0)
            if here + supply[figure]:
                yield Item(f"unit.{name}", f"unit.{name}", here, here + supply[figure])

    def primitives(self, state: S, place: str, counts: Counts, changed: Sequence[str]) -> Iterator[Primitive]:
        """All figures of the place, where one of them changed."""
        if place and any(key.startswith("unit.") for key in changed):
            figures = {name: counts[f"unit.{name}"] for name in self.ids if counts.get(f"unit.{name}")}
            if len({self.sides[self.ids.index(name)] for name in figures} - {-1}) > 1:
                raise InvalidAnswer(
                    Text("kit.units_both_sides_cannot"),
                )
            yield {"do": self.do, "place": place, self.arg: figures}


@dataclass(frozen=True)
class Dice(Correction[S]):
    """Action dice of a seat: ``{"do", "seat", "unused": {face: count}, "used": ..., ...}``; the pool follows.

    ``dice`` are the seats' kinds of die and ``faces`` what each of them shows;
    ``more`` are numbers of dice that lie elsewhere, by field, with their labels.
    """

    seats: Sequence[str]
    all_faces: Sequence[str]
    dice: Sequence[str]
    faces: Sequence[Sequence[str]]
    most: int
    more: Mapping[str, tuple[Amount, str]] = field(default_factory=dict)
    do: str = "dice"

    def apply(self, state: S, primitive: Primitive) -> None:
        """Lay the dice out."""
        seat = one_of(primitive, "seat", self.seats)
        lying: Any = state
        for kind in ("unused", "used"):
            counts = counts_of(primitive, kind, self.all_faces)
            getattr(state, kind)[seat] = [counts.get(face, 0) for face in self.all_faces]
        elsewhere = 0
        for name, (amount, _) in self.more.items():
            number = number_of(primitive, name, self.most)
            amount.set(state, number, seat)
            elsewhere += number
        lying.pool[seat] = sum(lying.unused[seat]) + sum(lying.used[seat]) + elsewhere

    def rows(self, state: S) -> Iterator[Item]:
        """A row for each face of unused and used dice, and for the dice elsewhere."""
        for number, seat in enumerate(self.seats):
            for kind in ("unused", "used"):
                for face in self.faces[number]:
                    lie = getattr(state, kind)[number][self.all_faces.index(face)]
                    of = (f"die.{self.dice[number]}", f"correction.label.{kind}")
                    yield Item(f"dice.{seat}.{kind}.{face}", f"face.{face}", lie, self.most, of=of)
            for name, (amount, label) in self.more.items():
                here = number_at(state, amount.path, number)
                yield Item(f"dice.{seat}.{name}", label, here, self.most, of=(f"seat.{seat}",))

    def primitives(self, state: S, place: str, counts: Counts, changed: Sequence[str]) -> Iterator[Primitive]:
        """All dice of a seat of which one changed."""
        for number, seat in enumerate(self.seats):
            if any(key.startswith(f"dice.{seat}.") for key in changed):
                lie = {
                    kind: {
                        face: n for face in self.faces[number] if (n := counts[f"dice.{seat}.{kind}.{face}"])
                    }
                    for kind in ("unused", "used")
                }
                more = {name: counts[f"dice.{seat}.{name}"] for name in self.more}
                yield {"do": self.do, "seat": seat, **lie, **more}
