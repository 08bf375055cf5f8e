"""Playing a card in a position: what the card tests share."""

from __future__ import annotations

from fighting import Fight, armies

from referee.games.five_armies.box.components import FACE
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.cards import card_play
from referee.games.five_armies.rules import ranged
from referee.games.five_armies.state.state import State

EVENT = FACE["event"]


def with_hand(state: State) -> State:
    """Three Event and two Story cards in each hand, the decks cut to fit."""
    state.hand_event, state.hand_story = [3, 3], [2, 2]
    state.event_deck, state.event_discard = 24, 0
    state.story_deck = [18, 18]
    state.phase, state.step = 5, "action"
    return state


def play(state: State, seat: int, card: str, face: str = "event") -> Fight:
    """``seat`` plays a card with a die of this face, up to its first question."""
    fight = Fight(with_hand(state), card_play.play_card(state, seat, FACE[face]))
    return fight.answer(card)


def archery_position() -> State:
    state = armies(
        camp="free lake_men 2",
        lower_slopes="free elven_archers 2; thranduil",
        ruins_of_dale="free lake_men 1",
        eb_north_ford="shadow orcs 3",
    )
    here = PLACE["eb_north_ford"]
    state.values = {
        ranged.reach_key(PLACE["camp"], here): "yes",
        ranged.reach_key(PLACE["lower_slopes"], here): "no",
        ranged.reach_key(PLACE["ruins_of_dale"], here): "yes",
    }
    return state
