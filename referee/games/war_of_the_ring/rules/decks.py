"""Chapter V: decks and hands.  Hands are physical, so the referee counts cards by their backs.

What a played card does is in :mod:`card_play`.
"""

from __future__ import annotations

from referee.games.war_of_the_ring.box.components import DECKS, HAND_LIMIT, SEATS
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault, choose
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Forced


def draw(state: State, seat: int, deck: int, n: int = 1) -> int:
    """Draw up to ``n`` cards from a deck; returns how many there were.  An empty deck is not made anew."""
    n = min(n, state.deck[seat][deck])
    state.deck[seat][deck] -= n
    state.hand[seat][deck] += n
    return n


def draw_one_of_each(state: State, seat: int) -> Ask:
    """Phase 1: a card from each own deck, then the hand is cut down."""
    draw(state, seat, 0)
    draw(state, seat, 1)
    yield from enforce_hand_limit(state, seat)


def can_draw(state: State, seat: int) -> bool:
    """Whether a deck still holds a card."""
    return any(state.deck[seat])


def draw_choice(state: State, seat: int) -> Ask:
    """An Event die draws a card from a deck of the player's choice."""
    decks = tuple(name for d, name in enumerate(DECKS) if state.deck[seat][d])
    if not decks:
        return
    chosen = yield from choose(
        seat,
        "prompt.choose_deck",
        decks,
        rule="cards.draw_with_die",
        domain="deck",
        refused=lambda: [
            (name, Refusal("cards.deck_exhausted", "", {"deck": name})) for name in DECKS if name not in decks
        ],
    )
    draw(state, seat, DECKS.index(chosen))
    yield from enforce_hand_limit(state, seat)


def enforce_hand_limit(state: State, seat: int) -> Ask:
    """Discard down to six at once, face down; the owner chooses which backs."""
    character, strategy = state.hand[seat]
    surplus = character + strategy - HAND_LIMIT
    if surplus <= 0:
        return
    first = min(surplus, character)
    default = {"character": first, "strategy": surplus - first}
    request = ChooseWithDefault(
        SEATS[seat],
        "prompt.discard",
        {"character": first, "strategy": min(strategy, surplus)},
        minimum=surplus,
        maximum=surplus,
        default={deck: number for deck, number in default.items() if number},
        domain="deck",
        about={"count": surplus},
        rule="cards.hand_limit",
    )
    gone = yield request if character and strategy else Forced(request, request.default)
    character = gone.get("character", 0)
    discard_unseen(state, seat, 0, character)
    discard_unseen(state, seat, 1, surplus - character)


def discard_unseen(state: State, seat: int, deck: int, number: int = 1) -> None:
    """Cards leave a hand face down."""
    state.hand[seat][deck] -= number
    state.unseen_discards[seat][deck] += number


def show_discard(state: State, card_id: str) -> None:
    """A card leaves its owner's hand face up: played, used in battle or discarded openly."""
    card = CARDS[card_id]
    state.hand[card.seat][card.deck] -= 1
    state.shown[card.seat] |= CARD_BIT[card_id]


def to_table(state: State, card_id: str) -> None:
    """A card is played from hand and stays in play."""
    show_discard(state, card_id)
    state.table_cards[card_id] = {}


def from_table(state: State, card_id: str) -> None:
    """A card in play is discarded."""
    state.table_cards.pop(card_id, None)
