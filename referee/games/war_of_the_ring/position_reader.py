"""Reads a position file (``docs/position_file.md``) into a state, naming the line of every mistake."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.games.war_of_the_ring.components import (
    FREE,
    SEATS,
    SHADOW,
)
from referee.games.war_of_the_ring.editions import EDITIONS
from referee.games.war_of_the_ring.house import house_rules
from referee.games.war_of_the_ring.position_board import BoardPart
from referee.games.war_of_the_ring.position_counts import CountsPart
from referee.games.war_of_the_ring.setup import place_figures
from referee.games.war_of_the_ring.state import State
from referee.games.war_of_the_ring.state_json import from_json, to_json
from referee.kernel.errors import InvalidAnswer
from referee.kernel.located import Spot, read_yaml
from referee.kernel.play import Play

HEADING = ("game", "title", "position", "options")


@dataclass(slots=True)
class Position:
    """A position as read from a file.  ``given`` keeps remarks that are no part of the state."""

    state: State
    title: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)

    def lead_in(self, play: Play[State]) -> list[Any]:
        """Answers that lead to the moment the file describes: none, it is where the state stands."""
        return []


def read_position(text: str) -> Position:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    whole = read_yaml(text)
    reader = _Reader(whole)
    position = reader.read()
    whole.problems.check()
    return position


class _Reader(BoardPart, CountsPart):
    """Reads one file.  Methods named ``on_<key>`` take the value of that key."""

    def read(self) -> Position:
        body = self.whole
        self.title = ""
        self.given: dict[str, Any] = {}
        inner = self.whole.get("position")
        if inner is not None:
            self._heading()
            body = inner
        if not isinstance(body.value, dict):
            body.wrong("a position is wanted.", "hier gehört eine Stellung hin.")
            return Position(self.state)
        first = body.get("start")
        if first is not None and first.flag():
            place_figures(self.state)
        body.read_by(self, later=("hunt_box", "table_cards", "details"))
        self.told = {str(key) for key in body.value}
        self.finish_board(body)
        self.finish_counts(body)
        self._finish_step()
        details = body.get("details")
        if details is not None:
            self._details(details)
        return Position(self.state, self.title, given=self.given)

    def _heading(self) -> None:
        for key, entry in self.whole.entries():
            if key.value == "title":
                self.title = entry.text()
            elif key.value == "game":
                entry.word(("war_of_the_ring",))
            elif key.value != "position" and key.value != "options":
                key.word(HEADING)
        options = self.whole.get("options")
        if options is not None:
            self.on_house_rules(options)

    # --- where the game stands ---------------------------------------------------------------

    def on_start(self, spot: Spot) -> None:
        """``start: true``: the figures of the set-up stand where a region does not say otherwise."""

    def on_title(self, spot: Spot) -> None:
        self.title = spot.text()

    def on_game(self, spot: Spot) -> None:
        spot.word(("war_of_the_ring",))

    def on_note(self, spot: Spot) -> None:
        self.given["note"] = spot.plain()

    def on_edition(self, spot: Spot) -> None:
        edition = spot.word(EDITIONS)
        if edition is not None:
            self.state.edition = EDITIONS[edition]

    def on_turn(self, spot: Spot) -> None:
        self.state.turn = spot.number(1, 999)

    def on_phase(self, spot: Spot) -> None:
        self.state.phase = spot.number(1, 6)

    def on_to_act(self, spot: Spot) -> None:
        seat = spot.word(SEATS)
        if seat is not None:
            self.state.active = SEATS.index(seat)

    def on_house_rules(self, spot: Spot) -> None:
        chosen = {str(key.value): str(entry.value) for key, entry in spot.entries()}
        try:
            self.state.house = house_rules(chosen)
        except InvalidAnswer as error:
            spot.wrong(error.sentence_en, error.sentence_de)

    def on_values(self, spot: Spot) -> None:
        """What the box book tells."""
        for key, entry in spot.entries():
            self.state.values[str(key.value)] = entry.plain()

    def on_details(self, spot: Spot) -> None:
        """Taken last, see :meth:`_details`."""

    def _details(self, spot: Spot) -> None:
        data = to_json(self.state)
        for key, entry in spot.entries():
            name = key.word(data)
            if name is not None:
                data[name] = entry.plain()
        self.state = from_json(data)

    def _finish_step(self) -> None:
        """Where the flow goes on: with the dice as they lie, or with rolling them."""
        state = self.state
        if "turn" not in self.told:
            state.turn = 1
        if "phase" not in self.told:
            state.phase = 5
        rolled = any(any(dice) for dice in (*state.unused, *state.used))
        if state.phase == 5 and not rolled:
            state.phase = 4
        state.step = "act" if state.phase == 5 else ""
        for seat in (FREE, SHADOW):
            dice = sum(state.unused[seat]) + sum(state.used[seat]) + state.hunt_dice[seat]
            state.pool[seat] = max(state.pool[seat], dice)
