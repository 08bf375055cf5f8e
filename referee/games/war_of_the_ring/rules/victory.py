"""Chapter X: winning the game.

The Ring's two conditions end the game in the very moment they are met: then
:class:`GameEnds` is raised and the flow stops.  The military ones are looked at
when a turn ends, the Shadow's first.
"""

from __future__ import annotations

from referee.games.kit.turn import GameEnds as GameEnds  # callers take it from here
from referee.games.war_of_the_ring.box.components import CORRUPTION_LIMIT, CRACK_OF_DOOM, FREE, SHADOW
from referee.games.war_of_the_ring.box.map import OF_SEAT, POINTS
from referee.games.war_of_the_ring.state.state import State

POINTS_TO_WIN = (4, 10)
"""Victory points that a seat needs at the end of a turn: the Free Peoples, the Shadow."""
_WORTH = tuple((1 << place, value) for place, value in POINTS.items())


def points(state: State, seat: int) -> int:
    """The victory points of the enemy settlements that ``seat`` controls."""
    held = state.captured & OF_SEAT[1 - seat]
    return sum(value for bit, value in _WORTH if held & bit) if held else 0


def win(state: State, seat: int, rule: str) -> None:
    """Note the winner and stop the game."""
    state.winner = seat
    state.winning_rule = rule
    raise GameEnds


def check_corruption(state: State) -> None:
    """The Shadow wins at once when the Ring-bearers are corrupted."""
    if state.corruption >= CORRUPTION_LIMIT:
        win(state, SHADOW, "victory.corruption")


def check_mount_doom(state: State) -> None:
    """The Free Peoples win at once at the Crack of Doom, unless the Ring-bearers are corrupted there."""
    check_corruption(state)
    if state.mordor >= CRACK_OF_DOOM:
        win(state, FREE, "victory.ring_destroyed")


def check_at_once(state: State) -> None:
    """Both conditions that end the game in the middle of a turn, in their order."""
    check_mount_doom(state)


def check_end_of_turn(state: State) -> None:
    """The Shadow wins with ten points at the end of a turn, then the Free Peoples with four."""
    check_at_once(state)
    if points(state, SHADOW) >= POINTS_TO_WIN[SHADOW]:
        win(state, SHADOW, "victory.shadow_points")
    if points(state, FREE) >= POINTS_TO_WIN[FREE]:
        win(state, FREE, "victory.free_points")
