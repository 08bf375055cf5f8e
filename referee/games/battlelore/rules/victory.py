"""Victory banners: whoever first holds the scenario's number of them wins, in the middle of anything."""

from __future__ import annotations

from referee.games.battlelore.state.state import State
from referee.games.kit.turn import GameEnds

GOAL, NOBODY_LEFT = "victory.scenario_banner_goal", "victory.nobody_left"


def win_banner(state: State, seat: int) -> None:
    """A banner goes to a seat's track.  Raises :class:`GameEnds` where that is the last one needed."""
    state.banners[seat] += 1
    if state.banners[seat] >= state.field.goals[seat]:
        _win(state, seat, GOAL)


def field_held(state: State) -> None:
    """At the end of a turn: a side without units has lost, whatever banners are still wanted.  Raises
    :class:`GameEnds`."""
    for seat in (0, 1):
        if not state.stand[1 - seat]:
            _win(state, seat, NOBODY_LEFT)


def _win(state: State, seat: int, rule: str) -> None:
    state.winner, state.winning_rule = seat, rule
    raise GameEnds
