"""A position played through the public interface: what the engine's tests share."""

from __future__ import annotations

from game_board import PlayedPosition

from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.game import GAME
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State


class Board(PlayedPosition[State]):
    """A running game from a written position."""

    game = GAME

    # --- looking -------------------------------------------------------------------------------

    def army(self, place: str) -> dict[str, int]:
        return dict(ARMY[self.state.units[PLACE[place]]].counts)

    def damage(self, place: str) -> int:
        return self.state.damage[PLACE[place]]

    def leaders(self, place: str) -> int:
        return self.state.leaders[PLACE[place]]

    def where(self, character: str) -> str | None:
        found: str | None = GAME.to_json(self.state)["characters"][character]
        return found

    def controlled(self, place: str) -> bool:
        return bool(self.state.control >> PLACE[place] & 1)

    @property
    def winner(self) -> tuple[str | None, str] | None:
        outcome = self.play.outcome
        return None if outcome is None else (outcome.winner, outcome.rule)


def shadow(die: str, regions: str, extra: str = "") -> Board:
    """The Shadow to act with two dice of one face (and two more), the Free Peoples without dice."""
    return _turn("shadow", f"{{shadow: [{die}, {die}, event, event]}}", regions, extra)


def free(die: str, regions: str, extra: str = "") -> Board:
    """The Free Peoples to act with two dice of one face (and one more), the Shadow with two."""
    return _turn("free", f"{{free: [{die}, {die}, event], shadow: [event, event]}}", regions, extra)


def _turn(seat: str, dice: str, regions: str, extra: str) -> Board:
    return Board(f"phase: 5\nto_act: {seat}\nunused_dice: {dice}\n{extra}\nregions:\n{regions}")
