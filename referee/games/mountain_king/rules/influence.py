"""Chapter "Einfluss": a disc moves on along a champion's track."""

from __future__ import annotations

from referee.games.kit.asking import Ask
from referee.games.mountain_king.box.components import CHAMPION, CHAMPIONS
from referee.games.mountain_king.rules.asking import choose
from referee.games.mountain_king.rules.caverns import Before
from referee.games.mountain_king.state.state import State
from referee.games.mountain_king.state.tracks import advance
from referee.kernel.refusals import Refusal

FIRST_BONUS = 1


def influence(state: State, seat: int, strength: int, before: Before | None = None) -> Ask:
    """One champion of the display; the first influence that anyone has on it counts one more."""
    if state.display:
        chosen = yield from choose(
            seat,
            "prompt.influence",
            [CHAMPIONS[champion] for champion in state.display],
            rule="influence.one_champion",
            domain="champion",
            about={"strength": strength},
            refused=lambda: [
                (CHAMPIONS[one], Refusal("influence.end_only", "won_already", {"champion": CHAMPIONS[one]}))
                for won in state.won
                for one in won
            ],
        )
        add_influence(state, seat, state.display.index(CHAMPION[chosen]), strength)
    return []


def add_influence(state: State, seat: int, at: int, strength: int) -> int:
    """Influence on a champion of the display; returns what the seat has there."""
    track = state.influence[at]
    return advance(track, seat, strength if track else strength + FIRST_BONUS)
