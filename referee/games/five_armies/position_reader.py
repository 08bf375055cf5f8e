"""Reads a position file (``docs/position_file.md``) into a state, naming the line of every mistake."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.five_armies.components import (
    CHARACTER,
    CHARACTERS,
    FREE,
    SEATS,
    SHADOW,
    TOKEN_GROUPS,
)
from referee.games.five_armies.house import house_rules
from referee.games.five_armies.map import (
    PLACES,
    POINTS,
)
from referee.games.five_armies.position_board import BoardPart
from referee.games.five_armies.position_combat import read_combat
from referee.games.five_armies.position_dice import DicePart
from referee.games.five_armies.position_parts import Position
from referee.games.five_armies.state_json import from_json, to_json
from referee.kernel.errors import InvalidAnswer
from referee.kernel.located import Spot, read_yaml


def read_position(text: str) -> Position:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    whole = read_yaml(text)
    reader = _Reader(whole)
    position = reader.read()
    whole.problems.check()
    return position


class _Reader(BoardPart, DicePart):
    """Reads one file.  Methods named ``on_<key>`` take the value of that key."""

    def read(self) -> Position:
        body = self.whole
        inner = self.whole.get("position")
        if inner is not None:
            self._heading()
            body = inner
        if not isinstance(body.value, dict):
            body.wrong("a position is wanted.", "hier gehört eine Stellung hin.")
            return self.position
        later = []
        for key, entry in body.entries():
            handler: Callable[[Spot], None] | None = getattr(self, f"on_{key.value}", None)
            if handler is None:
                known = [name[3:] for name in dir(self) if name.startswith("on_")]
                key.word(known)
                continue
            self.told.add(key.value)
            if key.value in _LATE:
                later.append((_LATE.index(key.value), handler, entry))
            else:
                handler(entry)
        self._finish_board(body)
        self._finish_step()
        for _, handler, entry in sorted(later, key=lambda item: item[0]):
            handler(entry)
        return self.position

    def _heading(self) -> None:
        for key, entry in self.whole.entries():
            if key.value == "title":
                self.position.title = entry.text()
            elif key.value == "game":
                entry.word(("five_armies",))
            elif key.value not in ("position", "id", "rules", "map_facts", "act", "expect", "why", "options"):
                key.word(("game", "title", "position", "options"))
        options = self.whole.get("options")
        if options is not None:
            self.on_house_rules(options)

    # --- where the game stands ---------------------------------------------------------------

    def on_title(self, spot: Spot) -> None:
        self.position.title = spot.text()

    def on_game(self, spot: Spot) -> None:
        spot.word(("five_armies",))

    def on_note(self, spot: Spot) -> None:
        self.position.given["note"] = spot.plain()

    def on_dice_rolled_in_phase_5(self, spot: Spot) -> None:
        self.position.given["dice_rolled_in_phase_5"] = spot.plain()

    def on_ruler_answers_given_as_input(self, spot: Spot) -> None:
        self.position.given["ruler_answers_given_as_input"] = spot.plain()

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
        """What the box book would tell: ``entry_die.beorn``, ``leadership.gandalf``..."""
        for key, entry in spot.entries():
            self.state.values[str(key.value)] = entry.plain()
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
        self.position.entry = read_combat(spot, self.state)

    def on_details(self, spot: Spot) -> None:
        data = to_json(self.state)
        for key, entry in spot.entries():
            name = key.word(data)
            if name is not None:
                data[name] = entry.plain()
        self.position.state = self.state = from_json(data)

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


_LATE = ("in_play", "in_play_not", "supply_tokens", "vp", "combat", "details")
"""Keys that need the board first, in the order they are taken."""
