"""What an arbiter may set: units and their figures, banners, tokens, cards, special places' owners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.games.battlelore.box.components import COUNCIL, HIGHEST_LEVEL, PLACES, SEATS
from referee.games.battlelore.box.scenario import OFF
from referee.games.battlelore.rules.special import dearest
from referee.games.battlelore.state.state import State, derive, put
from referee.games.kit.corrections import (
    EACH,
    VALUE,
    Amount,
    Amounts,
    BoxValue,
    Correction,
    Corrections,
    Counts,
    Primitive,
)
from referee.kernel.corrections import Item, no_correction, number_of, one_of


@dataclass(frozen=True)
class Standing(Correction[State]):
    """Where a unit stands and with how many figures: ``{"do": "unit", "unit": id, "place": hex, "figures":
    n}``;
    no figures: it is gone."""

    do: str = "unit"

    def apply(self, state: State, primitive: Primitive) -> None:
        """Put the unit there."""
        ids = [unit.id for unit in state.field.units]
        unit = one_of(primitive, "unit", ids)
        figures = number_of(primitive, "figures", state.field.units[unit].figures)
        if not figures:
            put(state, unit, OFF)
            state.figures[unit] = 0
            state.fight = None
            return
        place = one_of(primitive, "place", PLACES)
        there = state.unit_at[place]
        if there not in (OFF, unit) or state.ground.closed >> place & 1:
            raise no_correction(
                PLACES[place], [PLACES[at] for at, one in enumerate(state.unit_at) if one == OFF][:6]
            )
        put(state, unit, place)
        state.figures[unit] = figures
        state.fight = None

    def rows_at(self, state: State, place: int) -> Iterator[Item]:
        """The unit that stands there with its figures; in an empty hex every unit that may come."""
        here = state.unit_at[place]
        if here >= 0:
            yield self._row(state, here, state.figures[here])
        elif not state.ground.closed >> place & 1:
            for unit in range(len(state.field.units)):
                yield self._row(state, unit, 0)

    def _row(self, state: State, unit: int, figures: int) -> Item:
        known = state.field.units[unit]
        where = "correction.from_elsewhere" if state.at[unit] < 0 else f"place.{PLACES[state.at[unit]]}"
        of = (f"seat.{SEATS[known.seat]}", where)
        return Item(f"unit.{known.id}", f"unit.{known.name}", figures, known.figures, of=of)

    def primitives(
        self, state: State, place: str, counts: Counts, changed: Sequence[str]
    ) -> Iterator[Primitive]:
        """The units of a hex that changed."""
        for key in changed:
            if place and key.startswith("unit."):
                yield {"do": self.do, "unit": key[5:], "place": place, "figures": counts[key]}


@dataclass(frozen=True)
class Stored(Correction[State]):
    """Lore tokens beside a creature: ``{"do": "stored", "unit": id, "tokens": n}``."""

    do: str = "stored"

    def apply(self, state: State, primitive: Primitive) -> None:
        """Lay so many there."""
        unit = one_of(primitive, "unit", [unit.id for unit in state.field.units])
        state.store[unit] = number_of(primitive, "tokens", dearest(state, unit))

    def rows_at(self, state: State, place: int) -> Iterator[Item]:
        """The tokens of the creature that stands there."""
        unit = state.unit_at[place]
        most = dearest(state, unit) if unit >= 0 else 0
        if most:
            known = state.field.units[unit]
            of = (f"unit.{known.name}", f"place.{PLACES[place]}")
            yield Item(f"stored.{known.id}", "marker.stored", state.store[unit], most, of=of)

    def primitives(
        self, state: State, place: str, counts: Counts, changed: Sequence[str]
    ) -> Iterator[Primitive]:
        """The tokens that changed."""
        for key in changed:
            if key.startswith("stored."):
                yield {"do": self.do, "unit": key[7:], "tokens": counts[key]}


class Council(Amounts[State]):
    """The levels of a seat's council, in a lore battle: whatever a rule of its board did to them."""

    def rows(self, state: State) -> Iterator[Item]:
        """A row for each level of each seat."""
        return super().rows(state) if state.field.lore else iter(())


def by_the_board(state: State, seat: int) -> None:
    """What the council board says beyond the rules is known to its owner alone: he carries it out, and both
    agree to what it changed."""


def _after_box(state: State, key: str, primitive: Primitive) -> None:
    derive(state)


def _numbers(do: str, most: int) -> Amounts[State]:
    return Amounts(
        do, {VALUE: Amount((do, EACH), most)}, f"counter.{do}", arg="seat", ids=SEATS, of=("seat.{id}",)
    )


CORRECTIONS: Corrections[State] = Corrections(
    PLACES,
    Standing(),
    Stored(),
    _numbers("banners", 20),
    _numbers("tokens", 60),
    Amounts(
        "hand",
        {VALUE: Amount(("hand", EACH), rest=("deck",))},
        "counter.hand",
        arg="seat",
        ids=SEATS,
        of=("seat.{id}",),
    ),
    Amounts(
        "lore_hand",
        {VALUE: Amount(("lore_hand", EACH), rest=("lore_deck",))},
        "counter.lore_hand",
        arg="seat",
        ids=SEATS,
        of=("seat.{id}",),
    ),
    Council(
        "council",
        {one: Amount(("council", EACH, number), HIGHEST_LEVEL) for number, one in enumerate(COUNCIL)},
        "council.{part}",
        arg="seat",
        ids=SEATS,
        of=("seat.{id}",),
        after=by_the_board,
    ),
    BoxValue(after=_after_box),
)
