"""What an arbiter may correct in a position, and the forms for it; see :mod:`referee.games.kit.corrections`.

Stocks follow by themselves, so that trolls and gnomes stay what the box holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.games.kit.corrections import (
    EACH,
    VALUE,
    Amount,
    Amounts,
    Choice,
    Correction,
    Corrections,
    Primitive,
    Whereabouts,
)
from referee.games.kit.places import places_in
from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.components import (
    CHAMPIONS,
    CLANS,
    OPTIONS,
    PLACE,
    PLACES,
    SEATS,
    STRENGTHS,
)
from referee.games.mountain_king.state.state import OFF_BOARD, State, reckon
from referee.games.mountain_king.state.tokens import COUNT, HIDDEN, KNOWN, code_of
from referee.games.mountain_king.state.tracks import Track, advance, value_of
from referee.kernel.corrections import Item, number_of, one_of

OFF = "off_board"
MOST_HONOUR, MOST_VALUE, MOST_TOKENS = 500, 60, 12


def _after(state: State, index: int) -> None:
    reckon(state)


def _of_seat(do: str, path: str, most: int) -> Amounts[State]:
    """A number of each seat."""
    parts = {VALUE: Amount((path, EACH), most)}
    return Amounts(do, parts, f"counter.{do}", arg="seat", ids=SEATS, of=("seat.{id}",), after=_after)


def _trolls(seat: int, name: str) -> Amounts[State]:
    """Trolls of a seat at each place; the others are in its stock."""
    parts = {VALUE: Amount(("trolls", seat, EACH), rest=("stock", seat))}
    label = f"correction.label.trolls_{name}"
    return Amounts(f"trolls_{name}", parts, label, arg="place", ids=PLACES, places=PLACES, after=_after)


class _Gnomes(Correction[State]):
    """How many gnomes stand in a cavern; those that come are hidden."""

    do = "gnomes"

    def apply(self, state: State, primitive: Primitive) -> None:
        """Lay so many."""
        place = one_of(primitive, "place", box.CAVERNS)
        number = number_of(primitive, VALUE, box.MOST_GNOMES)
        known = KNOWN[state.gnomes[place]][:number]
        state.gnomes[place] = code_of(*known, *[HIDDEN] * (number - len(known)))
        if not number:
            state.looked[place] = 0
        reckon(state)

    def rows_at(self, state: State, place: int) -> Iterator[Item]:
        """One row."""
        if state.box.caverns >> place & 1:
            yield Item(self.do, "marker.gnome", COUNT[state.gnomes[place]], box.MOST_GNOMES)

    def primitives(
        self, state: State, place: str, counts: Mapping[str, int], changed: Sequence[str]
    ) -> Iterator[Primitive]:
        """Their number."""
        if self.do in changed:
            yield {"do": self.do, "place": place, VALUE: counts[self.do]}


@dataclass(frozen=True)
class _OnTracks(Correction[State]):
    """Values of the seats on tracks: ``{"do", <arg>: id, "seat", "value"}``; a changed disc arrives last."""

    do: str
    arg: str
    ids: Sequence[str]
    shown: Callable[[State], Sequence[int]]
    track: Callable[[State, int], Track]

    def apply(self, state: State, primitive: Primitive) -> None:
        """Set a value."""
        index, seat = one_of(primitive, self.arg, self.ids), one_of(primitive, "seat", SEATS)
        number = number_of(primitive, VALUE, MOST_VALUE)
        if index in self.shown(state):
            track = self.track(state, index)
            track[:] = [row for row in track if row[0] != seat]
            if number:
                advance(track, seat, number)

    def _keys(self, state: State) -> Iterator[tuple[str, int, int]]:
        for index in self.shown(state):
            for seat in places_in(state.seats):
                yield f"{self.do}.{self.ids[index]}.{SEATS[seat]}", index, seat

    def rows(self, state: State) -> Iterator[Item]:
        """A row for each seat on each track."""
        for key, index, seat in self._keys(state):
            of = (f"correction.{self.arg}.{self.ids[index]}",)
            value = value_of(self.track(state, index), seat)
            yield Item(key, f"seat.{SEATS[seat]}", value, MOST_VALUE, of=of)

    def primitives(
        self, state: State, place: str, counts: Mapping[str, int], changed: Sequence[str]
    ) -> Iterator[Primitive]:
        """Each value that changed."""
        for key, index, seat in self._keys(state):
            if key in changed:
                yield {"do": self.do, self.arg: self.ids[index], "seat": SEATS[seat], VALUE: counts[key]}


class _Figures(Whereabouts[State]):
    """Where the figures of won champions stand."""

    def rows(self, state: State) -> Iterator[Item]:
        """Only figures that are in play, and only places of the board."""
        options = self._places(state)
        numbers = [self.names[name] for name in options]
        for champion in self._figures(state):
            key, now = f"{self.do}.{CHAMPIONS[champion]}", numbers.index(state.figure_at[champion])
            yield Item(key, key, now, len(options) - 1, options=options, domain="correction.where")

    def rows_at(self, state: State, place: int) -> Iterator[Item]:
        """Only figures that are in play."""
        for champion in self._figures(state):
            key, here = f"{self.do}.{CHAMPIONS[champion]}", int(state.figure_at[champion] == place)
            yield Item(key, key, here, 1, here)

    def primitives(
        self, state: State, place: str, counts: Mapping[str, int], changed: Sequence[str]
    ) -> Iterator[Primitive]:
        """The place of each figure that moved."""
        options = self._places(state)
        for champion in self._figures(state):
            key = f"{self.do}.{CHAMPIONS[champion]}"
            if key in changed:
                yield {"do": self.do, self.do: CHAMPIONS[champion], "place": place or options[counts[key]]}

    def _places(self, state: State) -> tuple[str, ...]:
        return (OFF, *OPTIONS[state.box.caverns | state.box.lairs])

    def _figures(self, state: State) -> list[int]:
        every = (champion for won in state.won for champion in won)
        return [champion for champion in every if state.box.champions[champion].is_figure]


def _put(state: State, champion: int, place: int) -> None:
    state.figure_at[champion] = place
    reckon(state)


def _champion_track(state: State, champion: int) -> Track:
    return state.influence[state.display.index(champion)]


CORRECTIONS: Corrections[State] = Corrections(
    PLACES,
    Choice("to_act", "seat", "active", SEATS, "correction.label.to_act", "seat"),
    Choice("swarm", "clan", "swarm", CLANS, "marker.swarm", "clan"),
    _of_seat("honour", "honour", MOST_HONOUR),
    _of_seat("supply", "supply", box.MOST_SUPPLY),
    _of_seat("desperation", "desperation", MOST_TOKENS),
    Amounts(
        "beside",
        {VALUE: Amount(("beside", EACH), box.GNOMES_EACH)},
        "correction.label.beside_{id}",
        arg="strength",
        ids=STRENGTHS,
        after=_after,
    ),
    _OnTracks("votes", "clan", CLANS, lambda state: range(len(CLANS)), lambda state, clan: state.votes[clan]),
    _OnTracks("influence", "champion", CHAMPIONS, lambda state: state.display, _champion_track),
    _Figures("champion", CHAMPIONS, "figure_at", {OFF: OFF_BOARD, **PLACE}, _put),
    *(_trolls(seat, name) for seat, name in enumerate(SEATS)),
    _Gnomes(),
)
