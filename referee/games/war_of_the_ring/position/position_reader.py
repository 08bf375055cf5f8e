"""Reads a position file (``docs/position_file.md``) into a state, naming the line of every mistake."""

from __future__ import annotations

from referee.games.kit.positions import Position, read_file
from referee.games.war_of_the_ring.box.components import FREE, SHADOW
from referee.games.war_of_the_ring.box.editions import EDITIONS
from referee.games.war_of_the_ring.position.position_battle import BattleReader, embattled
from referee.games.war_of_the_ring.position.position_board import BoardPart
from referee.games.war_of_the_ring.position.position_counts import CountsPart
from referee.games.war_of_the_ring.rules.setup import place_figures
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.located import Spot


def read_position(text: str) -> Position[State]:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    return read_file(text, _Reader)


class _Reader(BoardPart, CountsPart):
    """Reads one file.  Methods named ``on_<key>`` take the value of that key."""

    LATER = ("hunt_box", "table_cards")
    AT_LAST = ("battle",)

    def begin(self, body: Spot) -> None:
        first = body.get("start")
        if first is not None and first.flag():
            place_figures(self.state)
        self.embattled = embattled(body.get("battle"))

    def finish(self, body: Spot) -> None:
        self.finish_board(body)
        self.finish_counts(body)
        self._finish_step()

    # --- where the game stands ---------------------------------------------------------------

    def on_start(self, spot: Spot) -> None:
        """``start: true``: the figures of the set-up stand where a region does not say otherwise."""

    def on_edition(self, spot: Spot) -> None:
        edition = spot.word(EDITIONS)
        if edition is not None:
            self.state.edition = EDITIONS[edition]

    def on_battle(self, spot: Spot) -> None:
        """A running battle; the attacker is the one whose action it is, unless ``to_act`` says otherwise."""
        reader = BattleReader(self.state)
        reader.read(spot)
        if "to_act" not in self.told:
            self.state.active = reader.battle.attacker

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
