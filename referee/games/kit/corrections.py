"""What an arbiter may set of a position, declared once: its primitive, and its rows in the forms of screens.

A primitive is ``{"do": ..., field: value}``; records keep it.  Each kind of
:class:`Correction` below sets one thing of a state, shows it as rows beside the
board or at a place, and says which primitive makes changed rows true.  What is
impossible together is found by the audit; nothing here asks anybody anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from referee.games.kit.correction import EACH, VALUE, Amount, Correction, Counts, Primitive, S, number_at
from referee.games.kit.correction_pieces import Dice, Figures, PlaceMark, Tokens, Whereabouts
from referee.kernel.corrections import Item, carry_out, no_correction, number_of, one_of

__all__ = [  # games take all kinds from here
    "EACH",
    "VALUE",
    "Amount",
    "Amounts",
    "BoxValue",
    "Choice",
    "Correction",
    "Corrections",
    "Counts",
    "Dice",
    "Figures",
    "PlaceMark",
    "Primitive",
    "Tokens",
    "Whereabouts",
    "refuse_sum",
]


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
