"""Chapter VI: decks and hands.  Hands are physical, so the referee counts them.

What a played card does is in :mod:`card_play`.
"""

from __future__ import annotations

from referee.games.five_armies.box.components import HAND_LIMIT, SEATS
from referee.games.five_armies.rules.asking import Ask, ChooseExactly
from referee.games.five_armies.state.card_data import CARDS
from referee.games.five_armies.state.state import State
from referee.games.kit.asking import refuse_named
from referee.kernel.requests import Forced


def draw_one_of_each(state: State, seat: int) -> Ask:
    """Draw one Event card and one own Story card, then trim the hand."""
    draw_event_card(state, seat)
    draw_story_card(state, seat)
    if state.hand_event[seat] + state.hand_story[seat] > HAND_LIMIT:
        yield from trim_hand(state, seat)


def draw_event(state: State, seat: int) -> Ask:
    """Draw one Event card (terrain superiority, some cards), then trim the hand."""
    draw_event_card(state, seat)
    if state.hand_event[seat] + state.hand_story[seat] > HAND_LIMIT:
        yield from trim_hand(state, seat)


def draw_event_card(state: State, seat: int) -> None:
    """One Event card to the hand.  An empty deck is made anew from the discard pile first."""
    if not state.event_deck:
        state.event_deck, state.event_discard, state.event_shown = state.event_discard, 0, 0
    if state.event_deck:
        state.event_deck -= 1
        state.hand_event[seat] += 1


def draw_story_card(state: State, seat: int) -> None:
    """One own Story card to the hand, while the deck lasts."""
    if state.story_deck[seat]:
        state.story_deck[seat] -= 1
        state.hand_story[seat] += 1


def trim_hand(state: State, seat: int) -> Ask:
    """Discard down to six at once, face down; the owner chooses which kind."""
    event, story = state.hand_event[seat], state.hand_story[seat]
    surplus = event + story - HAND_LIMIT
    limits = {name: number for name, number in (("event_card", event), ("story_card", story)) if number}
    request = ChooseExactly(
        SEATS[seat],
        "prompt.discard",
        limits,
        minimum=surplus,
        maximum=surplus,
        domain="card",
        about={"count": surplus},
        rule="cards.discard_at_once",
        otherwise=refuse_named(CARDS, "cards.discard_facedown", "cards_stay_hidden"),
    )
    gone = yield request if len(limits) > 1 else Forced(request, dict.fromkeys(limits, surplus))
    event = gone.get("event_card", 0)
    state.hand_event[seat] -= event
    state.event_discard += event
    state.hand_story[seat] -= surplus - event
    state.story_gone[seat] += surplus - event
