"""The state of a battle: one declaration.

Units are numbers of the battlefield's list (:class:`referee.games.battlelore.box.scenario.Field`), hexes
and sets
of hexes are small integers and masks.  A state restarts from every milestone: between phases, between
moves and
fights, and between the steps of a fight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.components import COUNCIL, PLACES, SEATS
from referee.games.battlelore.box.decks import Deck
from referee.games.battlelore.box.house import house_rules
from referee.games.battlelore.box.own_deck import USED, deck_told
from referee.games.battlelore.box.scenario import OFF, Field, field_of, load, shipped
from referee.games.battlelore.state.fight import FIGHT, Fight
from referee.games.battlelore.state.ground import Ground, ground_of
from referee.games.kit import codecs
from referee.games.kit.codec import Codec
from referee.games.kit.codecs import each, flag, number, text
from referee.games.kit.copying import copy_json
from referee.games.kit.schema import Schema, declare

MOST_UNITS = 64
NO_ATTACK, ONE_ATTACK = 0, 1


class FieldCodec(Codec):
    """The battlefield: JSON has its scenario's data."""

    def empty(self) -> Field:
        """The first battle that is shipped."""
        return load(shipped()[0])

    def write(self, value: Field) -> Any:
        """The data of the scenario."""
        return copy_json(dict(value.data))

    def read(self, data: Any) -> Field:
        """The battlefield of such data."""
        return field_of(data)


class Shared(Codec):
    """What follows from other fields and is never changed in place."""

    def empty(self) -> Any:
        """Nothing yet."""
        return None


class Units(Codec):
    """A set of units as a mask; JSON has their numbers."""

    def write(self, value: int) -> list[int]:
        """The numbers."""
        return [number for number in range(value.bit_length()) if value >> number & 1]

    def read(self, data: Any) -> int:
        """The mask."""
        return sum(1 << int(number) for number in data)


def _units() -> Any:
    return declare(Units())


TWO_LINES = codecs.Row((codecs.number(0, 99), codecs.number(0, 99)))
"""The two lines between the sections."""


@dataclass(slots=True, eq=False)
class State:
    """Everything that matters at a milestone."""

    field: Field = declare(FieldCodec(), key="scenario")

    # where the game stands
    turn: int = declare(number(0, 9999))
    """Turns of both sides, counted on."""
    phase: int = declare(number(0, 5))
    """0 while setting up, then 1 to 5."""
    step: str = declare(text())
    active: int = declare(number(0, 1))
    winner: int = declare(number(-1, 1), start=-1)
    winning_rule: str = declare(text())
    banners: list[int] = declare(each(SEATS, number(0, 60)), file="banners", always=True)

    # the board
    at: list[int] = declare(codecs.Derived(), start=[])
    """The hex of each unit, ``OFF`` for those that are not on the board."""
    figures: list[int] = declare(codecs.Derived(), start=[])
    colour: list[int] = declare(codecs.Derived(), start=[])
    store: list[int] = declare(codecs.Derived(), start=[])
    """Lore tokens that lie beside each creature."""
    unit_at: list[int] = declare(codecs.Derived(), start=[])
    """The unit in each hex, ``OFF`` where there is none."""
    stand: list[int] = declare(codecs.Derived(), start=[0, 0])
    """For each seat the mask of the hexes with its units."""
    placed: dict[str, dict[str, Any]] = declare(codecs.Json(), file="placed")
    """Special places and lairs that were set: hex to kind and owner."""
    ground: Ground = declare(Shared(), key="")
    lines: list[int] = declare(
        codecs.Json(list, TWO_LINES), start=list(box.LAYOUTS["inward"]), file="lines_x"
    )
    """The section lines of this board (doubled columns)."""
    sections: tuple[tuple[int, ...], tuple[int, ...]] = declare(Shared(), key="")

    # this turn
    ordered: int = _units()
    paid: int = _units()
    """Creatures ordered from another section, for tokens."""
    moved: int = _units()
    """Units that have had their move, whether they left their hex or not."""
    left: int = _units()
    """Units that left their hex."""
    barred: int = _units()
    """Units that may not fight (any more) this turn, by how they moved."""
    struck: int = _units()
    """Units that have fought once and may again."""
    fought: int = _units()
    """Units whose fighting is over."""
    rush: list[list[int]] = declare(codecs.Json(list))
    """``[unit, target]`` of each rush."""
    marks: list[list[Any]] = declare(codecs.Json(list))
    """``[unit, effect, number]``: what cards do to a unit for the rest of the turn."""
    bonus: int = declare(number(0, 99))
    """Dice that the command card adds."""
    extra: int = declare(number(0, 99))
    """Hexes that it adds."""
    attacks: int = declare(number(0, 9), start=1)
    """Attacks that it gives each unit."""
    still: bool = declare(flag())
    """It allows no moves."""
    far: bool = declare(flag())
    """It allows no attack on a neighbour."""
    fight: Fight | None = declare(codecs.Part(FIGHT))

    # cards: hands are physical, so they are counts; faces are known once a card was played
    hand: list[int] = declare(each(SEATS, number(0, 60)), file="hands", always=True)
    deck: int = declare(number(0, 99), file="deck", always=True)
    discard: int = declare(number(0, 99), file="discard")
    card: str = declare(text(), file="card")
    """The command card of this turn."""
    last: list[str] = declare(codecs.Json(list, codecs.Row((codecs.text(), codecs.text()))), start=["", ""])
    """The card that each seat played last."""
    shown: dict[str, int] = declare(codecs.Flat(of=codecs.number()), file="shown")
    """Command cards that lie in the discard, by front."""

    # lore
    tokens: list[int] = declare(each(SEATS, number(0, 999)), file="tokens")
    council: list[list[int]] = declare(each(SEATS, each(COUNCIL, number(0, 3))), file="council")
    """Levels of each seat's council."""
    lore_hand: list[int] = declare(each(SEATS, number(0, 60)), file="lore_hands")
    lore_deck: int = declare(number(0, 99), file="lore_deck")
    lore_discard: int = declare(number(0, 99), file="lore_discard")
    lore_shown: dict[str, int] = declare(codecs.Flat(of=codecs.number()), file="lore_shown")
    lore_played: list[bool] = declare(each(SEATS, flag()), file="lore_played")
    """Whether each seat has played its lore card of this turn."""

    # what the owner's box tells, and house rules
    values: dict[str, Any] = declare(codecs.Flat())
    house: Mapping[str, str] = declare(codecs.Flat(house_rules))


class _Standing:
    """The units in JSON: ``{"S1": ["c3", 4]}``, with colour and stored tokens where they are not as
    printed."""

    def write(self, state: State) -> dict[str, list[Any]]:
        """Every unit."""
        found = {}
        for n, unit in enumerate(state.field.units):
            at = state.at[n]
            row: list[Any] = [None if at < 0 else PLACES[at], state.figures[n]]
            if state.colour[n] != unit.colour or state.store[n]:
                row += [state.colour[n], state.store[n]]
            found[unit.id] = row
        return found

    def read(self, state: State, data: Any) -> None:
        """Set every unit."""
        begin_units(state)
        for name, (at, figures, *more) in data.items():
            number = state.field.index[name]
            state.at[number] = OFF if at is None else box.PLACE[at]
            state.figures[number] = int(figures)
            if more:
                state.colour[number], state.store[number] = map(int, more)

    def fits(self, data: Any) -> bool:
        """A hex or none and the figures of each unit, perhaps with colour and stored tokens."""
        return isinstance(data, dict) and all(any(row.fits(one) for row in _ROWS) for one in data.values())


_HEX = codecs.index(PLACES, {OFF: None})
_ROWS = [codecs.Row((_HEX, *[codecs.number()] * more)) for more in (1, 3)]


def begin_units(state: State) -> None:
    """All units as the scenario has them."""
    units = state.field.units
    state.at = [unit.start for unit in units]
    state.figures = [unit.figures for unit in units]
    state.colour = [unit.colour for unit in units]
    state.store = [0] * len(units)


def derive(state: State) -> None:
    """What follows from where units are, from the special places and from the lines."""
    state.unit_at = [OFF] * box.PLACE_COUNT
    state.stand = [0, 0]
    for unit, at in enumerate(state.at):
        if at >= 0:
            state.unit_at[at] = unit
            state.stand[state.field.units[unit].seat] |= 1 << at
    lay_ground(state)
    state.sections = _SECTIONS[state.lines[0], state.lines[1]]


def lay_ground(state: State) -> None:
    """The ground anew, after a place was set or taken away."""
    state.ground = ground_of(state.field, state.placed, state.values)


class _Sections(dict[tuple[int, int], tuple[tuple[int, ...], tuple[int, ...]]]):
    """Section lines to the sections of every hex, when first asked for."""

    def __missing__(self, lines: tuple[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        found = self[lines] = box.sections_of(lines)
        return found


_SECTIONS = _Sections()
SCHEMA = Schema(State, derive=derive, joined={"units": _Standing()})


def state_on(field: Field) -> State:
    """A state before set-up on a battlefield."""
    state = State()
    state.field = field
    state.active = field.first
    if field.lines is not None:
        state.lines = list(field.lines)
    begin_units(state)
    derive(state)
    return state


def deck_of(state: State) -> Deck:
    """The cards on the table: the scenario's, or those that the owner typed into his box book."""
    return state.field.deck if USED not in state.values else deck_told(state.values) or state.field.deck


# --- units -------------------------------------------------------------------------------------------


def put(state: State, unit: int, place: int) -> None:
    """Move a unit to a free hex."""
    seat, before = state.field.units[unit].seat, state.at[unit]
    if before >= 0:
        state.unit_at[before] = OFF
        state.stand[seat] &= ~(1 << before)
    state.at[unit] = place
    if place >= 0:
        state.unit_at[place] = unit
        state.stand[seat] |= 1 << place


def mark_of(state: State, unit: int, effect: str) -> int:
    """What cards give a unit for this turn of one effect, added up."""
    return sum(number for of, what, number in state.marks if of == unit and what == effect)
