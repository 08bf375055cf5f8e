"""Playing one Event card on a position set up by hand."""

from __future__ import annotations

from typing import Any

from ring_driving import Drive, position

from referee.games.war_of_the_ring.box.components import NATIONS
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.cards.card_play import play_card, why_not_card
from referee.games.war_of_the_ring.state.armies import GROUP
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS, FACES_OF_TYPE
from referee.games.war_of_the_ring.state.state import State

WAR = dict.fromkeys(NATIONS, 0)


def table(*, steps: dict[str, int] | None = None, awake: str = "", laid: str = "", **fields: Any) -> State:
    """A position with one card of each back in each hand.

    ``steps`` of nations, ``awake`` more active nations, ``laid`` cards in play.
    """
    state = position(hand=[[1, 1], [1, 1]], deck=[[23, 23], [23, 23]], **fields)
    for nation, number in (steps or {}).items():
        state.steps[NATIONS.index(nation)] = number
        if not number:
            state.awake |= 1 << NATIONS.index(nation)
    for nation in awake.split():
        state.awake |= 1 << NATIONS.index(nation)
    for card in laid.split():
        lay(state, card)
    return state


def lay(state: State, card: str) -> None:
    """Bring a card of the deck into play."""
    found = CARDS[card]
    state.deck[found.seat][found.deck] -= 1
    state.shown[found.seat] |= CARD_BIT[card]
    state.table_cards[card] = {}


def play(state: State, card: str, *answers: Any, face: int = -2) -> Drive:
    """Play a card with the die of its type (or ``face``) and answer what it asks."""
    seat = CARDS[card].seat
    drive = Drive(state, play_card(state, seat, FACES_OF_TYPE[CARDS[card].type][0] if face == -2 else face))
    return drive.do(card, *answers)


def barred(state: State, card: str) -> str:
    """The rule and reason that stand against playing a card with its own die, "" where it can be played."""
    found = CARDS[card]
    refusal = why_not_card(state, found.seat, FACES_OF_TYPE[found.type][0], found)
    return "" if refusal is None else f"{refusal.rule} {refusal.reason}"


def at(state: State, place: str) -> dict[str, int]:
    """The figures in a place by their ids."""
    return dict(GROUP[state.figures[PLACE[place]]].counts)
