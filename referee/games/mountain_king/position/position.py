"""Positions written by hand: a readable YAML file to a state, and back.

Most entries follow from the declaration of the state; ``board`` is ``practice`` or a captured board's data.
What a file leaves out of a wave's course has usual values: the fray of wave I, ancestries of start cards,
lairs that nobody has.  :func:`read_position` names the line of everything that is wrong.
"""

from __future__ import annotations

from typing import Any, ClassVar

from referee.games.kit.copying import copy_json
from referee.games.kit.places import places_in
from referee.games.kit.positions import FileForm, Position, PositionReader, read_file, written
from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.box import PRACTICE, box_of
from referee.games.mountain_king.box.components import CHAMPIONS, GATE_CARDS, SEATS
from referee.games.mountain_king.box.house import house_rules
from referee.games.mountain_king.rules.caverns import occupied
from referee.games.mountain_king.rules.turn import STEPS
from referee.games.mountain_king.state.audit import audit
from referee.games.mountain_king.state.grid import new_grid
from referee.games.mountain_king.state.state import FRAY, REFRESH, SCHEMA, SETUP, State, new_state, reckon
from referee.kernel.errors import InvalidAnswer
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text


def read_position(text: str) -> Position[State]:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    return read_file(text, _Reader)


def write_position(state: State, title: str = "") -> str:
    """The position file of a state.  Reading it gives the same state."""
    position: dict[str, Any] = {"phase": state.phase}
    usual = house_rules({})
    chosen = {rule: way for rule, way in state.house.items() if way != usual[rule]}
    if chosen:
        position["house_rules"] = chosen
    position |= SCHEMA.say(state)
    if state.box.name != PRACTICE:
        position["board"] = copy_json(dict(state.box.data))
    return written(state, title, position, _Reader.FORM, read_position)


class _Reader(PositionReader[State]):
    """Reads one file."""

    FORM: ClassVar[FileForm[State]] = FileForm("mountain_king", SEATS, SCHEMA, house_rules)

    def __init__(self, whole: LocatedValue) -> None:
        super().__init__(whole, self.FORM, new_state())

    def begin(self, body: LocatedValue) -> None:
        """The board comes first: start cards and champions are its own."""
        self.seats_told = body.get("seats")
        told = body.get("board")
        if told is not None:
            try:
                self.state.box = box_of(told.plain())
            except InvalidAnswer as error:
                told.wrong(error.text)
        self.state.pawn = self.state.box.star

    def on_phase(self, spot: LocatedValue) -> None:
        """The number of the phase, 0 while setting up."""
        self.state.phase = spot.number(0, REFRESH)

    def on_champions(self, spot: LocatedValue) -> None:
        """For each seat the champions that it has won."""
        for seat, entry in self.by_seat(spot):
            words = [item.word(CHAMPIONS) for item in entry.items()]
            self.state.won[seat] = [box.CHAMPION[word] for word in words if word is not None]

    def finish(self, body: LocatedValue) -> None:
        """Fill in what is not told, and check the whole."""
        state = self.state
        if "wave" not in self.told:
            state.turn = 1
        if "phase" not in self.told:
            state.phase = FRAY
        for seat in places_in(state.seats):
            if not any(state.grids[seat]):
                state.grids[seat] = new_grid(state.box.start)
        if not state.gate_row:
            number = GATE_CARDS[max(2, state.seats.bit_count())]
            state.gate_row, state.gate_looks = [-1] * number, [0] * number
        if state.swarm < 0:
            state.swarm = state.box.ring[0]
        held = [*state.display, *(champion for won in state.won for champion in won)]
        state.gone |= sum(1 << champion for champion in set(held))
        state.influence += [[] for _ in range(len(state.display) - len(state.influence))]
        reckon(state)
        state.occupied = occupied(state)
        if body.get("details") is None:
            self._check(body)

    def on_details(self, spot: LocatedValue) -> None:
        """Parts of the state as its JSON has them; then all is told, and checked."""
        super().on_details(spot)
        self._check(spot)

    def _check(self, body: LocatedValue) -> None:
        state = self.state
        players = state.seats.bit_count()
        if players not in state.box.players:
            (self.seats_told or body).wrong(Text("mountain_king.other_side", players=players))
            return
        if state.phase != SETUP and (state.phase, state.step) not in STEPS:
            body.wrong(Text("mountain_king.no_such_step"))
            return
        unknown = [one for one in places_in(self.state.gone) if one not in self.state.box.champions]
        if unknown:
            body.wrong(Text("mountain_king.no_champion", champion=CHAMPIONS[unknown[0]]))
            return
        problems = audit(self.state)
        if problems:
            body.wrong(Text("mountain_king.impossible", what=problems[0]))
