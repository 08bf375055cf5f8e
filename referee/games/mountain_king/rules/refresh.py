"""Chapter "Auffrischen": gate cards, champions of the wave to come, cubes, tokens, the start marker."""

from __future__ import annotations

from referee.games.kit.asking import Ask
from referee.games.mountain_king.box.components import SEATS, WAVES
from referee.games.mountain_king.rules.champions import fill_display
from referee.games.mountain_king.rules.setup import lay_gate_cards
from referee.games.mountain_king.state.state import ANCESTRY, State, next_seat


def deck_of(wave: int) -> int:
    """The champion deck of a wave: I/II for the first two, then the last."""
    return 2 if wave == WAVES else 1


def refresh(state: State) -> Ask:
    """Make ready for the next wave."""
    yield from fill_display(state, deck_of(state.turn + 1))
    lay_gate_cards(state)
    clear_cubes(state)
    state.start = next_seat(state, state.start)
    state.active = state.start
    state.turn += 1
    state.phase, state.step, state.at = ANCESTRY, "", 0


def clear_cubes(state: State) -> None:
    """All cubes leave ancestries and claws, and left-over desperation tokens are discarded."""
    for seat in range(len(SEATS)):
        state.covered[seat] = state.desperation[seat] = 0
    for champion, covered in enumerate(state.claws):
        if covered:
            state.claws[champion] = 0
