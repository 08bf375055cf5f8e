"""What an arbiter may set of a position, declared once: its primitive, and its rows in the forms of screens.

A primitive is ``{"do": ..., field: value}``; records keep it.  Each kind of
:class:`Correction` below sets one thing of a state, shows it as rows beside the
board or at a place, and says which primitive makes changed rows true.  What is
impossible together is found by the audit; nothing here asks anybody anything.

Where a number lies in a state is a path: ``("rings", EACH)`` is
``state.rings[seat]`` for each seat, ``("awake", EACH)`` a bit of a mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from referee.kernel.corrections import Item, carry_out, counts_of, no_correction, number_of, one_of
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text

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


@dataclass(frozen=True)
class Amounts(Correction[S]):
    """Numbers of a state, one or one for each of some ids: ``{"do", <arg>: id, "value"}``.

    ``parts`` are the fields of the primitive; with several of them they are set
    together.  ``of`` and ``label`` may hold ``{id}`` and ``{part}``.  ``among``
    are the ids that the paths count by, where not all of them can be corrected.
    ``options`` name the numbers from the least on.  ``places`` are told where the ids
    are places: all of the board, and each of the ids has its row there.
    ``check(state, index, numbers)`` refuses what cannot be set; ``after(state,
    index)`` sets what follows.
    """

    do: str
    parts: Mapping[str, Amount]
    label: str
    arg: str = ""
    ids: Sequence[str] = ("",)
    among: Sequence[str] = ()
    of: Sequence[str] = ()
    options: tuple[str, ...] = ()
    domain: str = ""
    places: Sequence[str] = ()
    check: Callable[[S, int, list[int]], None] | None = None
    after: Callable[[S, int], None] | None = None

    def apply(self, state: S, primitive: Primitive) -> None:
        """Set all parts."""
        index = self._index(self.ids[one_of(primitive, self.arg, self.ids)]) if self.arg else 0
        numbers = [
            number_of(primitive, name, part.limit(state, index), part.least)
            for name, part in self.parts.items()
        ]
        if self.check is not None:
            self.check(state, index, numbers)
        for part, number in zip(self.parts.values(), numbers, strict=True):
            part.set(state, number, index)
        if self.after is not None:
            self.after(state, index)

    def _index(self, name: str) -> int:
        return (self.among or self.ids).index(name)

    def _key(self, name: str, part: str) -> str:
        ends = (name if self.arg and not self.places else "", "" if part == VALUE else part)
        return ".".join((self.do, *filter(None, ends)))

    def _rows(self, state: S, name: str) -> Iterator[Item]:
        index = self._index(name) if self.arg else 0
        for part, amount in self.parts.items():
            most = amount.limit(state, index) - amount.least
            here = min(number_at(state, amount.path, index) - amount.least, most)
            if most or amount.rest is None:
                label, *of = (text.format(id=name, part=part) for text in (self.label, *self.of))
                yield Item(
                    self._key(name, part),
                    label,
                    here,
                    most,
                    of=tuple(of),
                    options=self.options,
                    domain=self.domain,
                )

    def rows(self, state: S) -> Iterator[Item]:
        """A row for each id and part."""
        if not self.places:
            for name in self.ids:
                yield from self._rows(state, name)

    def rows_at(self, state: S, place: int) -> Iterator[Item]:
        """A row for each part, where the place is one of the ids."""
        if self.places and self.places[place] in self.ids:
            yield from self._rows(state, self.places[place])

    def primitives(self, state: S, place: str, counts: Counts, changed: Sequence[str]) -> Iterator[Primitive]:
        """One for each id of which a part is changed."""
        for name in (place,) if self.places else self.ids:
            keys = {part: self._key(name, part) for part in self.parts}
            if any(key in changed for key in keys.values()):
                which = {self.arg: name} if self.arg else {}
                numbers = {part: counts.get(keys[part], 0) + self.parts[part].least for part in self.parts}
                yield {"do": self.do, **which, **numbers}


@dataclass(frozen=True)
class Choice(Correction[S]):
    """One of some ids, kept as its index: ``{"do", <arg>: id}``; ``shown`` are those that a form offers."""

    do: str
    arg: str
    name: str
    ids: tuple[str, ...]
    label: str
    domain: str
    shown: tuple[str, ...] = ()

    def apply(self, state: S, primitive: Primitive) -> None:
        """Set the index."""
        setattr(state, self.name, one_of(primitive, self.arg, self.ids))

    def rows(self, state: S) -> Iterator[Item]:
        """One row with the ids as options."""
        shown = self.shown or self.ids
        now = max(getattr(state, self.name), 0)
        yield Item(self.do, self.label, now, len(shown) - 1, options=shown, domain=self.domain)

    def primitives(self, state: S, place: str, counts: Counts, changed: Sequence[str]) -> Iterator[Primitive]:
        """The id chosen."""
        if self.do in changed:
            yield {"do": self.do, self.arg: self.ids[counts[self.do]]}


@dataclass(frozen=True)
class Mark(Correction[S]):
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


@dataclass(frozen=True)
class BoxValue(Correction[S]):
    """What a component tells (the box book): ``{"do", "key", "value"}``; it has no row.

    ``after(state, key, primitive)`` sets what follows.
    """

    after: Callable[[S, str, Primitive], None] | None = None
    do: str = "box"

    def apply(self, state: S, primitive: Primitive) -> None:
        """Note the value."""
        whole: Any = state
        key = str(primitive.get("key", ""))
        whole.values[key] = primitive.get("value")
        if self.after is not None:
            self.after(state, key, primitive)

    def primitives(self, state: S, place: str, counts: Counts, changed: Sequence[str]) -> Iterator[Primitive]:
        """None: it has no rows."""
        return iter(())


class Corrections(Generic[S]):
    """All corrections of a game whose board has ``places``, in the order of their rows."""

    def __init__(self, places: Sequence[str], *all_: Correction[S]) -> None:
        self.places = places
        self.all = all_
        self.by_name: Mapping[str, Callable[[S, Primitive], None]] = {one.do: one.apply for one in all_}

    def correct(self, state: S, primitive: Primitive) -> None:
        """Carry out one primitive.  Raises :class:`InvalidAnswer`, which says what is possible."""
        carry_out(self.by_name, state, primitive)

    def form(self, state: S, place: str) -> Sequence[Item]:
        """All that may stand at ``place``, or ("") be said of what is beside the board; () if unknown."""
        if not place:
            return tuple(row for one in self.all for row in one.rows(state))
        if place not in self.places:
            return ()
        index = self.places.index(place)
        return tuple(row for one in self.all for row in one.rows_at(state, index))

    def wanted(self, state: S, place: str, wanted: Mapping[str, int]) -> list[dict[str, Any]]:
        """The primitives that make ``wanted`` (by the form's keys) true."""
        form = self.form(state, place)
        counts = {item.key: wanted.get(item.key, item.count) for item in form}
        changed = [item.key for item in form if counts[item.key] != item.count]
        return [dict(done) for one in self.all for done in one.primitives(state, place, counts, changed)]


def refuse_sum(name: str, numbers: Sequence[int], least: int, most: int) -> None:
    """Raises :class:`InvalidAnswer` where numbers that belong together do not add up."""
    if not least <= sum(numbers) <= most:
        raise no_correction(f"{name}: {sum(numbers)}", [f"{least} - {most}"])
