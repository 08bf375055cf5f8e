"""Chapter XI: victory points and how the game ends.

The game ends in the very moment a condition that counts at once is met: then
:class:`GameEnds` is raised and the flow stops.  Who meets one first wins.
"""

from __future__ import annotations

from referee.games.five_armies.box.components import BOLG, FATE_END, FREE, SHADOW
from referee.games.five_armies.box.map import FRONT_GATE, POINTS
from referee.games.five_armies.state.state import ELIMINATED, State
from referee.games.kit.turn import GameEnds as GameEnds  # callers take it from here

POINTS_TO_WIN = 10
POINTS_TO_HOLD_BEORN_OFF = 6
"""Beorn's entry wins the game unless the Shadow has at least this many points."""


def points(state: State, more: int = 0) -> int:
    """The Shadow's victory points; ``more`` are places that it would control too."""
    control = state.control | more
    return sum(value for place, value in POINTS.items() if control >> place & 1)


def win(state: State, seat: int, rule: str) -> None:
    """Note the winner and stop the game."""
    state.winner = seat
    state.winning_rule = rule
    raise GameEnds


def wins_at_once(state: State, more: int = 0) -> bool:
    """Whether the Shadow has ten points, Front Gate among them (with ``more`` places under its control)."""
    return bool((state.control | more) >> FRONT_GATE & 1) and points(state, more) >= POINTS_TO_WIN


def check_at_once(state: State) -> None:
    """The Shadow wins at once with ten points, Front Gate among them."""
    if wins_at_once(state):
        win(state, SHADOW, "victory.shadow_immediate_front_gate")


def check_end_of_turn(state: State) -> None:
    """The Shadow wins at the end of a turn with ten points."""
    if points(state) >= POINTS_TO_WIN:
        win(state, SHADOW, "victory.shadow_end_of_turn")


def check_fate(state: State) -> None:
    """The Free Peoples win when the Fate marker reaches the last space."""
    if state.fate >= FATE_END:
        win(state, FREE, "victory.fp_fate_end")


def check_position(state: State) -> None:
    """Every condition that counts at once, of a position as it stands."""
    check_fate(state)
    if state.where[BOLG] == ELIMINATED:
        bolg_fell(state)
    check_at_once(state)


def beorn_entered(state: State) -> None:
    """The Free Peoples win if the Shadow has fewer than six points when Beorn enters play."""
    if points(state) < POINTS_TO_HOLD_BEORN_OFF:
        win(state, FREE, "victory.fp_beorn_enters")


def bolg_fell(state: State) -> None:
    """The Free Peoples win when Bolg is eliminated."""
    win(state, FREE, "victory.fp_bolg_eliminated")
