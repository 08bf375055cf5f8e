"""Reads a position file (``docs/position_file.md``) into a state, naming the line of every mistake."""

from __future__ import annotations

from functools import partial

from referee.games.five_armies.box.components import (
    CHARACTER,
    CHARACTERS,
    FREE,
    SHADOW,
    TOKEN_GROUPS,
)
from referee.games.five_armies.box.map import (
    PLACES,
    POINTS,
)
from referee.games.five_armies.position.position_board import BoardPart
from referee.games.five_armies.position.position_combat import lead_in, read_combat
from referee.games.five_armies.position.position_dice import DicePart
from referee.games.five_armies.state.state import State
from referee.games.kit.positions import Position, read_file
from referee.kernel.located import Spot


def read_position(text: str) -> Position[State]:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    return read_file(text, _Reader)


class _Reader(BoardPart, DicePart):
    """Reads one file.  Methods named ``on_<key>`` take the value of that key."""

    AT_LAST = ("in_play", "in_play_not", "supply_tokens", "vp", "combat")

    # --- where the game stands ---------------------------------------------------------------

    def on_dice_rolled_in_phase_5(self, spot: Spot) -> None:
        self.position.given["dice_rolled_in_phase_5"] = spot.plain()

    def on_ruler_answers_given_as_input(self, spot: Spot) -> None:
        self.position.given["ruler_answers_given_as_input"] = spot.plain()

    def on_values(self, spot: Spot) -> None:
        """What the box book would tell: ``entry_die.beorn``, ``leadership.gandalf``..."""
        super().on_values(spot)
        for key, entry in spot.entries():
            what, _, name = str(key.value).partition(".")
            if what == "leadership" and name in CHARACTER:
                ratings = list(self.state.ratings)
                ratings[CHARACTER[name]] = entry.number(0, 9)
                self.state.ratings = tuple(ratings)

    def on_movement(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            name = key.word(CHARACTERS)
            if name is not None:
                self.state.values[f"movement.{name}"] = entry.number(0, 9)

    # --- what needs the board first ----------------------------------------------------------

    def on_supply_tokens(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            name = key.word(TOKEN_GROUPS)
            if name is not None:
                group = TOKEN_GROUPS.index(name)
                left = entry.number(0, self.state.token_pool[group])
                self.state.tokens_shown[f"{name}:unknown"] = self.state.token_pool[group] - left
                self.state.token_pool[group] = left

    def on_vp(self, spot: Spot) -> None:
        wanted = spot.number(0, 20)
        if not self.state.control:
            for place in sorted(POINTS, key=lambda p: (POINTS[p], p)):
                if self._points() < wanted and PLACES[place] != "front_gate":
                    self.state.control |= 1 << place
        if self._points() != wanted:
            spot.wrong(
                f"the places under Shadow control give {self._points()} points, not {wanted}.",
                f"die Orte unter Schattenkontrolle ergeben {self._points()} Punkte, nicht {wanted}.",
            )

    def _points(self) -> int:
        return sum(value for place, value in POINTS.items() if self.state.control >> place & 1)

    def on_combat(self, spot: Spot) -> None:
        entry = read_combat(spot, self.state)
        self.position.enter = None if entry is None else partial(lead_in, entry)

    def finish(self, body: Spot) -> None:
        self._finish_board(body)
        self._finish_step()

    def _finish_step(self) -> None:
        """Where the flow goes on: with the dice as they lie, or with rolling them."""
        state = self.state
        if "turn" not in self.told:
            state.turn = 1
        if "phase" not in self.told:
            state.phase = 5
        for seat in (FREE, SHADOW):
            dice = sum(state.unused[seat]) + sum(state.used[seat])
            state.pool[seat] = max(state.pool[seat], dice)
        rolled = any(any(dice) for dice in (*state.unused, *state.used))
        state.step = "act" if state.phase == 5 and rolled else ""
