"""The board in a position file: regions, characters, and what must hold of the board as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import CHARACTER, CHARACTERS, FREE, SEATS, SHADOW, TOKEN_GROUPS
from referee.games.five_armies.box.house import house_rules
from referee.games.five_armies.box.map import PLACE, PLACES, places_in
from referee.games.five_armies.rules.pieces import open_passes
from referee.games.five_armies.rules.victory import check_position
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import (
    ELIMINATED,
    NOT_IN_PLAY,
    OVER_TERRITORY,
    PASS_OF_SIDE,
    PLACES_TABLE,
    SCHEMA,
    UNITS_THERE,
    WITH_EYRIE,
    State,
    reckon,
)
from referee.games.kit.codec import counted, words_of
from referee.games.kit.positions import FileForm, PositionReader
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text

_REGIONS = PLACES[: board.REGION_COUNT]
_STANDING = ("side", "units", "damage", "leadership", "characters", "control", "tokens", "label")
_HEADING = ("id", "rules", "map_facts", "act", "expect", "why")
FORM = FileForm("five_armies", SEATS, SCHEMA, house_rules, _HEADING, check_position, "combat", 5)


def regions_data(state: State) -> dict[str, Any]:
    """The ``regions`` of a position file: those where something is."""
    found = {
        name: there for name, there in PLACES_TABLE.write(state).items() if PLACE[name] < board.ARMY_PLACES
    }
    for place in range(board.ARMY_PLACES):
        standing = [CHARACTERS[c] for c in places_in(state.chars[place] & ~(1 << box.BEORN))]
        if standing:
            found.setdefault(PLACES[place], {})["characters"] = standing
    return found


class BoardReader(PositionReader[State]):
    """Methods ``on_<key>`` take that key's value."""

    FORM: ClassVar[FileForm[State]] = FORM

    def __init__(self, whole: LocatedValue) -> None:
        super().__init__(whole, FORM, State())
        self.standing: dict[int, LocatedValue] = {}

    # --- regions -----------------------------------------------------------------------------

    def on_regions(self, spot: LocatedValue) -> None:
        """Region or box to what stands there."""
        for key, there in spot.entries():
            name = key.word(PLACES[: board.ARMY_PLACES])
            if name is not None:
                self._place(PLACE[name], there)

    def _place(self, place: int, spot: LocatedValue) -> None:
        state = self.state
        self.standing[place] = spot
        for key, entry in spot.entries():
            what = key.word(_STANDING)
            if what == "units":
                state.units[place] = UNITS_THERE.hear(entry, 0)
            elif what == "damage":
                state.damage[place] = entry.number(0, 99)
            elif what == "leadership":
                state.leaders[place] = entry.number(0, 20)
            elif what == "characters":
                for item in entry.items():
                    self._character(item, item.word(CHARACTERS), place)
            elif what == "control":
                self._control(entry, place, entry.word(SEATS))
            elif what == "tokens":
                self._tokens(entry, place)
            elif what == "label":
                self.position.labels[entry.text()] = PLACES[place]
        self._check_side(place, spot)

    def _check_side(self, place: int, spot: LocatedValue) -> None:
        seats = {SEATS[box.SEAT_OF_UNIT[unit]] for unit in ARMY[self.state.units[place]].types}
        if len(seats) > 1:
            problem = Text("five_armies.both_sides_together")
            spot.wrong(Text("five_armies.at_place", place=PLACES[place], problem=problem))
        side = spot.get("side")
        seat = None if side is None else side.word(SEATS)
        if side is not None and seat is not None and seats and seats != {seat}:
            side.wrong(Text("five_armies.not_of_side", place=PLACES[place], seat=seat))

    def _character(self, spot: LocatedValue, name: str | None, place: int) -> None:
        if name is None:
            return
        if self.state.where[CHARACTER[name]] != NOT_IN_PLAY:
            spot.wrong(Text("five_armies.stands_two_places", name=name))
        self.state.where[CHARACTER[name]] = place

    def _control(self, spot: LocatedValue, place: int, seat: str | None) -> None:
        if not board.STRONGHOLDS >> place & 1:
            spot.wrong(Text("five_armies.no_control_there", place=PLACES[place]))
        elif seat == SEATS[SHADOW]:
            self.state.control |= 1 << place

    def on_control_shadow(self, spot: LocatedValue) -> None:
        """Several places that the Shadow controls."""
        for item in spot.items():
            name = item.word(_REGIONS)
            if name is not None:
                self._control(item, PLACE[name], SEATS[SHADOW])

    def _tokens(self, spot: LocatedValue, place: int) -> None:
        for name, number in counted(spot, TOKEN_GROUPS, box.TOKENS_IN_BOX):
            group = TOKEN_GROUPS.index(name)
            if number:
                self.state.tokens[group][place] = number
                self.state.token_pool[group] -= number

    # --- characters and Eagles -----------------------------------------------------------------

    def on_eyrie__eagles(self, spot: LocatedValue) -> None:
        """Eagles at home."""
        self.state.eagles[-1] = spot.number(0, box.EAGLES_IN_BOX)

    def on_eyrie__lord_of_the_eagles(self, spot: LocatedValue) -> None:
        """Whether the Lord is at home: 1 or 0."""
        if spot.number(0, 1):
            self._character(spot, CHARACTERS[box.LORD], board.EYRIE)

    def on_lord_of_the_eagles(self, spot: LocatedValue) -> None:
        """The Eyrie, or a territory."""
        name = spot.word(WITH_EYRIE)
        over = {"eyrie": board.EYRIE, **{territory: n for n, territory in OVER_TERRITORY.items()}}
        if name is not None:
            self._character(spot, CHARACTERS[box.LORD], over[name])

    def _stands(self, spot: LocatedValue, character: str, known: tuple[str, ...]) -> None:
        name = spot.word(known)
        if name is not None:
            self._character(spot, character, PLACE[name])

    def on_beorn__region(self, spot: LocatedValue) -> None:
        """Where Beorn stands."""
        self._stands(spot, "beorn", _REGIONS)

    def on_bolg__region(self, spot: LocatedValue) -> None:
        """Where Bolg stands."""
        self._stands(spot, "bolg", PLACES[: board.ARMY_PLACES])

    def on_eliminated(self, spot: LocatedValue) -> None:
        """Characters out of the game."""
        for name in words_of(spot, CHARACTERS):
            self.state.where[CHARACTER[name]] = ELIMINATED

    def on_in_play(self, spot: LocatedValue) -> None:
        """Characters who must stand somewhere."""
        self._where(spot, "stands_nowhere", 0)

    def on_in_play_not(self, spot: LocatedValue) -> None:
        """Characters who must not."""
        self._where(spot, "stands_on_board", 1)

    def _where(self, spot: LocatedValue, wrong: str, on_board: int) -> None:
        for item in spot.items():
            name = item.word(CHARACTERS)
            if name is not None and (self.state.where[CHARACTER[name]] >= 0) == on_board:
                item.wrong(Text(f"five_armies.{wrong}", name=name))

    # --- the whole board -----------------------------------------------------------------------

    def finish_board(self, body: LocatedValue) -> None:
        """What must hold for the board as a whole; reckons what follows from it."""
        state = self.state
        for place, spot in self.standing.items():
            for problem in _problems_at(state, place):
                spot.wrong(Text("five_armies.at_place", place=PLACES[place], problem=problem))
        reckon(state)
        for place in places_in(state.armies[SHADOW] & board.STRONGHOLDS):
            state.control |= 1 << place
        for unit, number in enumerate(state.supply):
            if number < 0:
                name, figures = box.UNITS[unit], box.FIGURES[unit]
                there = figures - number
                body.wrong(Text("five_armies.too_many_figures", unit=name, number=figures, there=there))
            state.supply[unit] = max(number, 0)
        for group, number in enumerate(state.token_pool):
            if number < 0:
                body.wrong(Text("five_armies.too_many_tokens", token_group=TOKEN_GROUPS[group]))
        for its_pass in PASS_OF_SIDE.values():
            if state.units[its_pass]:
                state.closed_passes &= ~(1 << its_pass)
        open_passes(state)


def _problems_at(state: State, place: int) -> Iterator[Text]:
    """What cannot stand so in a place."""
    army, damage = ARMY[state.units[place]], state.damage[place]
    if army.size and army.seat == FREE and state.control >> place & 1:
        yield Text("five_armies.free_stand_there")
    limit = 99 if army.seat == SHADOW and board.UNLIMITED >> place & 1 else box.ARMY_LIMIT
    if army.size > limit:
        yield Text("five_armies.too_many_units", limit=limit, units=army.size)
    if damage > army.size:
        yield Text("five_armies.too_much_damage", damage=damage, size=army.size)
    if state.leaders[place] and not army.size:
        yield Text("five_armies.leadership_needs_army")
    for group, places in enumerate(state.tokens):
        if place in places and army.size and army.seat != box.SEAT_OF_GROUP[group]:
            yield Text("five_armies.tokens_under_enemy")
