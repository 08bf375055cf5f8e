"""Victory banners: whoever first holds the scenario's number of them wins, in the middle of anything."""

from __future__ import annotations

from referee.games.battlelore.state.state import State
from referee.games.kit.turn import GameEnds

GOAL = "victory.scenario_banner_goal"


def win_banner(state: State, seat: int) -> None:
    """A banner goes to a seat's track.  Raises :class:`GameEnds` where that is the last one needed."""
    state.banners[seat] += 1
    if state.banners[seat] >= state.field.goals[seat]:
        state.winner = seat
        state.winning_rule = GOAL
        raise GameEnds
