"""The board in a position file: regions, sieges, characters and who travels with the Ring-bearers."""

from __future__ import annotations

from typing import Any, ClassVar

from referee.games.kit.positions import FileForm, PositionReader
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.house import house_rules
from referee.games.war_of_the_ring.box.map import places_in, region_of
from referee.games.war_of_the_ring.rules.company import fit_to_guide
from referee.games.war_of_the_ring.rules.pieces import lift, put_character, seat_at, set_down
from referee.games.war_of_the_ring.rules.victory import check_at_once
from referee.games.war_of_the_ring.state.armies import GROUP, LEADER_BITS, UNIT_BITS, count
from referee.games.war_of_the_ring.state.state import (
    ELIMINATED,
    FIGURES_THERE,
    IN_FELLOWSHIP,
    SCHEMA,
    STARTING_COMPANIONS,
    State,
)
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text

_STANDING = ("units", "characters")
_COMPANIONS = tuple(box.CHARACTERS[c] for c in STARTING_COMPANIONS)

# --- writing -----------------------------------------------------------------------------------------


def regions_data(state: State) -> dict[str, Any]:
    """The ``regions`` of a position file: those where something is."""
    regions = {name: _region(state, place) for place, name in enumerate(board.REGIONS)}
    return {name: there for name, there in regions.items() if there}


def _region(state: State, place: int) -> dict[str, Any]:
    there = _standing(state, place)
    besieged = _standing(state, board.SIEGE_BOX[place]) if place in board.SIEGE_BOX else {}
    if besieged:
        there["besieged"] = besieged
    if state.captured >> place & 1:
        there["control"] = box.SEATS[box.SHADOW if board.OF_SEAT[box.FREE] >> place & 1 else box.FREE]
    return there


def _standing(state: State, place: int) -> dict[str, Any]:
    characters = [box.CHARACTERS[c] for c in places_in(state.chars[place])]
    there = {"units": dict(GROUP[state.figures[place]].counts), "characters": characters}
    return {key: value for key, value in there.items() if value}


# --- reading -----------------------------------------------------------------------------------------


class BoardReader(PositionReader[State]):
    """Methods ``on_<key>`` take that key's value."""

    FORM: ClassVar[FileForm[State]] = FileForm(
        "war_of_the_ring", box.SEATS, SCHEMA, house_rules, (), check_at_once, "battle", 5
    )

    def __init__(self, whole: LocatedValue) -> None:
        super().__init__(whole, self.FORM, State())
        self.standing: dict[int, LocatedValue] = {}
        self.placed: set[int] = set()

    def on_regions(self, spot: LocatedValue) -> None:
        """Region to what stands there."""
        for key, there in spot.entries():
            name = key.word(board.REGIONS)
            if name is not None:
                self._region(board.PLACE[name], there)

    def _region(self, place: int, spot: LocatedValue) -> None:
        besieged = ("besieged",) if place in board.SIEGE_BOX else ()
        self._stand(place, spot, (*_STANDING, "control", *besieged))

    def _stand(self, place: int, spot: LocatedValue, known: tuple[str, ...]) -> None:
        lift(self.state, place, self.state.figures[place])
        self.standing[place] = spot
        for key, entry in spot.entries():
            what = key.word(known)
            if what == "units":
                set_down(self.state, place, FIGURES_THERE.hear(entry, 0))
            elif what == "characters":
                self._put(entry, place)
            elif what == "control":
                self._control(entry, place)
            elif what == "besieged":
                self._stand(board.SIEGE_BOX[place], entry, _STANDING)

    def _put(self, spot: LocatedValue, place: int, known: tuple[str, ...] = box.CHARACTERS) -> None:
        for item in spot.items():
            name = item.word(known)
            if name is None:
                continue
            character = box.CHARACTERS.index(name)
            if character in self.placed:
                item.wrong(Text("war_of_the_ring.stands_two_places", name=name))
            self.placed.add(character)
            put_character(self.state, character, place)

    def _control(self, spot: LocatedValue, place: int) -> None:
        seat = spot.word(box.SEATS)
        if not board.SETTLEMENTS >> place & 1:
            spot.wrong(Text("war_of_the_ring.no_settlement", place=board.PLACES[place]))
        elif seat is not None and not board.OF_SEAT[box.SEATS.index(seat)] >> place & 1:
            self.state.captured |= 1 << place

    def on_eliminated(self, spot: LocatedValue) -> None:
        """Characters out of the game."""
        self._put(spot, ELIMINATED)

    def on_fellowship__companions(self, spot: LocatedValue) -> None:
        """Who travels with the Ring-bearers."""
        self._put(spot, IN_FELLOWSHIP, _COMPANIONS)

    # --- the whole board -----------------------------------------------------------------------------

    def finish_board(self, body: LocatedValue) -> None:
        """What must hold for the board as a whole; counts the reinforcements."""
        state = self.state
        self._finish_company(body)
        embattled = _embattled(body.get("battle"))
        for place, spot in self.standing.items():
            for problem in _problems_at(state, place, embattled):
                spot.wrong(Text("war_of_the_ring.at_place", place=board.PLACES[place], problem=problem))
        standing = sum(state.figures)
        for figure, number in enumerate(box.FIGURES_IN_BOX):
            name, there = box.FIGURES[figure], count(standing, figure) + state.fallen[figure]
            if there > number:
                body.wrong(
                    Text("war_of_the_ring.figures_stand_fallen", number=number, name=name, there=there)
                )
            if state.fallen[figure] and box.SEAT_OF[figure] == box.SHADOW:
                self.told["fallen"].wrong(
                    Text("war_of_the_ring.shadow_loses_returns_reinforcements", name=name)
                )
            state.supply[figure] = max(number - there, 0)
        if state.mordor >= 0:
            state.progress = 0

    def _finish_company(self, body: LocatedValue) -> None:
        """Whoever is not named travels along; with a named company he is out of the game."""
        state = self.state
        named = "fellowship.companions" in self.told
        for character in STARTING_COMPANIONS:
            if character not in self.placed:
                put_character(state, character, ELIMINATED if named else IN_FELLOWSHIP)
        fit = fit_to_guide(state)
        if not fit:
            state.guide = box.GOLLUM
            put_character(state, box.GOLLUM, IN_FELLOWSHIP)
        elif "fellowship.guide" not in self.told:
            state.guide = places_in(fit)[0]
        elif not fit >> state.guide & 1:
            name = box.CHARACTERS[state.guide]
            body.wrong(Text("war_of_the_ring.not_companion_highest_level", name=name))


def _problems_at(state: State, place: int, embattled: set[int]) -> list[Text]:
    """What cannot stand so in a place."""
    found: list[Text] = []
    if state.armies[box.FREE] & state.armies[box.SHADOW] & 1 << place:
        found.append(Text("war_of_the_ring.both_sides_together"))
    units = GROUP[state.figures[place] & UNIT_BITS].units
    limit = box.ARMY_LIMIT if place < board.REGION_COUNT else box.SIEGE_LIMIT
    if units > limit and not embattled:  # within an action, to which a battle belongs, more may stand (p. 26)
        found.append(Text("war_of_the_ring.too_many_units", limit=limit, units=units))
    if state.figures[place] & LEADER_BITS and not state.armies[box.FREE] >> place & 1:
        found.append(Text("war_of_the_ring.leaders_need_army"))
    region, seat = region_of(place), seat_at(state, place)
    besieged = seat >= 0 and seat_at(state, region) == 1 - seat
    if place in board.REGION_OF_BOX and region not in embattled and not besieged:
        found.append(Text("war_of_the_ring.no_siege"))
    return found


def _embattled(spot: LocatedValue | None) -> set[int]:
    """The regions that a ``battle`` entry names: there an army may be gone already."""
    named = () if spot is None else (spot.get("from"), spot.get("target"))
    names = [entry.value for entry in named if entry is not None]
    return {region_of(board.PLACE[name]) for name in names if isinstance(name, str) and name in board.PLACE}
