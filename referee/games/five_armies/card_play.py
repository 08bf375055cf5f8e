"""Chapter VI: playing Event and Story cards as an action.

The hook of the action table; what each card does is filled in here.
"""

from __future__ import annotations

from referee.games.five_armies.asking import Ask
from referee.games.five_armies.state import State
from referee.kernel.refusals import Refusal


def can_play(state: State, seat: int, face: int) -> bool:
    """Whether a die with this face can play a card of the hand."""
    return False


def why_not_play(state: State, seat: int, face: int) -> Refusal:
    """Why no card can be played with this face."""
    return Refusal("cards.play_needs_die", "no_card_to_play")


def play_card(state: State, seat: int, face: int) -> Ask:
    """Play one card with a die already set aside."""
    return
    yield


def resume(state: State) -> Ask:
    """Go on with what a card still had to do after a combat (``state.pending``)."""
    return
    yield
