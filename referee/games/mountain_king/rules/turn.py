"""Chapters "Spielablauf" and "Das Gefecht": waves, phases, turns; each step starts at a milestone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.kit.asking import Ask
from referee.games.mountain_king.rules import ancestry, refresh, scoring, setup, wave_end
from referee.games.mountain_king.rules.actions import ACTED_WEAK, act
from referee.games.mountain_king.rules.advance import driven_back
from referee.games.mountain_king.rules.caverns import occupied
from referee.games.mountain_king.state.state import (
    ANCESTRY,
    END_OF_WAVE,
    FRAY,
    REFRESH,
    SETUP,
    State,
    next_seat,
    playing,
)

SECOND = "second"


def turn(state: State) -> Ask:
    """The turn of the active seat: a supply, then a strong action or a first weak one."""
    seat = who_has_supply(state)
    if seat < 0:
        state.phase, state.step, state.at = END_OF_WAVE, "", 0
        return
    state.active = seat
    state.supply[seat] -= 1
    state.occupied = occupied(state)
    acted = yield from act(state, seat)
    if acted == ACTED_WEAK:
        state.step = SECOND
    else:
        end_turn(state)


def second_action(state: State) -> Ask:
    """A second weak action, at no further cost and at will."""
    yield from act(state, state.active, second=True)
    end_turn(state)


def end_turn(state: State) -> None:
    """The next seat clockwise."""
    state.step = ""
    state.active = next_seat(state, state.active)


def who_has_supply(state: State) -> int:
    """The active seat, or the next clockwise that has supply left; -1 for nobody."""
    seat = state.active
    for _ in range(len(playing(state)) + 1):
        if state.supply[seat] and not state.left >> seat & 1:
            return seat
        seat = next_seat(state, seat)
    return -1


STEPS: Mapping[tuple[int, str], Callable[[State], Ask]] = {
    (ANCESTRY, ""): ancestry.draft,
    (ANCESTRY, "supply"): ancestry.supply,
    (FRAY, ""): turn,
    (FRAY, SECOND): second_action,
    (END_OF_WAVE, ""): wave_end.entrenchment,
    (END_OF_WAVE, "invasions"): wave_end.invasion,
    (END_OF_WAVE, "champions"): wave_end.champions,
    (END_OF_WAVE, "score"): scoring.score_wave,
    (REFRESH, ""): refresh.refresh,
}


def next_step(state: State) -> Ask:
    """The next step, from a milestone to the next."""
    if state.phase == SETUP:
        yield from setup.set_up(state)
    else:
        yield from STEPS[state.phase, state.step](state)


def leave(state: State, seat: int) -> None:
    """A seat resigns: its pieces stay, tie, block and fall, but neither act nor score."""
    state.left |= 1 << seat
    state.supply[seat] = state.desperation[seat] = 0
    if len(playing(state)) == 1:
        scoring.end_game(state)


def turn_abandoned(state: State) -> None:
    """Whoever was to act has left: the turn ends; other steps begin anew without them."""
    if state.phase == FRAY and state.left >> state.active & 1:
        if state.fight >= 0:
            driven_back(state, state.active, state.fight)
        end_turn(state)
