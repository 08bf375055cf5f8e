"""Champions whose ability nobody has described: carried out by hand, step by step.

The owner reads the card out and declares a step, the referee checks it, all others agree, then it is carried
out under the ordinary rules.  Ids in the data: ``instant: {by_hand: 1}``, or another moment; an ability with
claws covers one for each use.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from referee.games.kit import by_hand as common
from referee.games.kit.asking import Ask
from referee.games.kit.by_hand import Declaration, at_once
from referee.games.kit.places import places_in
from referee.games.mountain_king.box.components import (
    CHAMPIONS,
    CLANS,
    MOST_SUPPLY,
    OPTIONS,
    PLACES,
    SEATS,
)
from referee.games.mountain_king.rules.pieces import (
    TROLL,
    add_trolls,
    fall,
    gain_honour,
    gain_votes,
    move,
    take_gnomes,
)
from referee.games.mountain_king.rules.wheel import ways_out
from referee.games.mountain_king.state.state import FRAY, State, playing
from referee.games.mountain_king.state.tokens import COUNT
from referee.kernel.play import SeatLeft
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request

BY_HAND = "by_hand"
RULE = "champion.passive"
MOST_HONOUR, MOST_VOTES, MOST_TROLLS = 12, 4, 6
_OVERRUN = Refusal("wheel.move_no_gnomes", "overrun")
_NOBODY = Refusal("wheel.effect_move", "nobody_to_move")
_NO_GNOMES = Refusal("wheel.scout_gnome", "no_hidden_gnome")


class Hand(common.Hand[State]):
    """Who carries a champion's ability out by hand."""

    SEATS, PLACES, OPTIONS, RULE = SEATS, PLACES, OPTIONS, RULE

    def opponents(self) -> Sequence[str]:
        """All others who still play."""
        return [SEATS[seat] for seat in playing(self.state) if seat != self.seat]

    def honour(self) -> Declaration:
        """Honour for the owner."""
        count = yield from self.number("prompt.by_hand_number", 1, MOST_HONOUR)
        about = {"seat": SEATS[self.seat], "count": count}
        return at_once(about, lambda: gain_honour(self.state, self.seat, count, RULE, self.what))

    def votes(self) -> Declaration:
        """Votes of a clan."""
        clan = yield from self.option("prompt.by_hand_clan", CLANS, "clan")
        count = yield from self.number("prompt.by_hand_number", 1, MOST_VOTES)
        about = {"clan": clan, "count": count}
        return at_once(about, lambda: gain_votes(self.state, self.seat, CLANS.index(clan), count))

    def supply(self) -> Declaration:
        """Supply, up to the end of its track."""
        room = MOST_SUPPLY - self.state.supply[self.seat]
        count = yield from self.number("prompt.by_hand_number", 1, room)

        def add() -> None:
            self.state.supply[self.seat] += count

        return at_once({"count": count}, add)

    def desperation(self) -> Declaration:
        """Desperation tokens."""
        count = yield from self.number("prompt.by_hand_number", 1, MOST_VOTES)

        def add() -> None:
            self.state.desperation[self.seat] += count

        return at_once({"count": count}, add)

    def trolls(self) -> Declaration:
        """Trolls from the own stock to a cavern without gnomes."""
        state = self.state
        place = yield from self.place(state.box.caverns & ~state.overrun, _OVERRUN)
        most = min(MOST_TROLLS, state.stock[self.seat])
        count = yield from self.number("prompt.by_hand_number", 1, most)
        about = {"place": PLACES[place], "count": count}
        return at_once(about, lambda: add_trolls(state, self.seat, place, count))

    def troll_goes(self) -> Declaration:
        """A troll of a cavern, whoever's, goes one place on."""
        state = self.state
        origin = yield from self.place(_movable(state), _NOBODY)
        owner = yield from self._owner(origin, moving=True)
        ways = ways_out(state, owner, origin)
        target = yield from self.place(ways, Refusal("wheel.effect_move", "not_adjacent"))
        about = {"seat": SEATS[owner], "from": PLACES[origin], "place": PLACES[target]}
        return at_once(about, lambda: move(state, owner, TROLL, origin, target))

    def troll_falls(self) -> Declaration:
        """A troll of a cavern, whoever's, goes to its stock."""
        place = yield from self.place(_held(self.state), _NOBODY)
        owner = yield from self._owner(place, moving=False)
        about = {"seat": SEATS[owner], "place": PLACES[place]}
        return at_once(about, lambda: fall(self.state, owner, place, TROLL))

    def gnomes_go(self) -> Declaration:
        """The gnomes of a cavern go back to the stock."""
        state = self.state
        place = yield from self.place(state.overrun, _NO_GNOMES)

        def away() -> None:
            before = state.gnomes[place]
            take_gnomes(state, place)
            state.in_stock += COUNT[before]

        return at_once({"place": PLACES[place]}, away)

    def _owner(self, place: int, *, moving: bool) -> Generator[Request, Any, int]:
        """Whose troll of a cavern is meant."""
        state = self.state
        owners = [
            SEATS[seat]
            for seat in places_in(state.seats)
            if state.trolls[seat][place] and (not moving or ways_out(state, seat, place))
        ]
        name = owners[0]
        if len(owners) > 1:
            name = yield from self.option("prompt.by_hand_seat", owners, "seat")
        return SEATS.index(name)


def _held(state: State) -> int:
    """The mask of the caverns with trolls."""
    return sum(
        1 << place for place in places_in(state.box.caverns) if any(row[place] for row in state.trolls)
    )


def _movable(state: State) -> int:
    """Of these the ones from which a troll may go on."""
    found = 0
    for place in places_in(_held(state)):
        owners = (seat for seat in places_in(state.seats) if state.trolls[seat][place])
        if any(ways_out(state, seat, place) for seat in owners):
            found |= 1 << place
    return found


def steps(state: State, seat: int) -> tuple[str, ...]:
    """The steps that can be declared now."""
    able = {
        "honour": True,
        "votes": True,
        "supply": state.supply[seat] < MOST_SUPPLY,
        "desperation": True,
        "trolls": state.stock[seat] and state.box.caverns & ~state.overrun,
        "troll_goes": _movable(state),
        "troll_falls": _held(state),
        "gnomes_go": state.overrun,
    }
    return tuple(name for name, can in able.items() if can)


def carry_out(state: State, seat: int, champion: int) -> Ask:
    """Declared, checked, agreed to, carried out; who leaves meanwhile has done with it."""
    try:
        yield from common.resolve(Hand(state, seat, CHAMPIONS[champion]), lambda: steps(state, seat))
    except SeatLeft:
        if state.phase == FRAY:
            raise
