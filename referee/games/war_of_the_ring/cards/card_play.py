"""Chapter V: playing Event cards as an action.

Hands are physical: the player names the card, and any card of his decks that
was not shown yet may be in his hand as far as the backs there allow it.  A card
whose effect is not known (every card of the first edition) is played by hand,
step by step (:mod:`by_hand`).
"""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.cards import by_hand, cards_in_play
from referee.games.war_of_the_ring.cards.conditions import met
from referee.games.war_of_the_ring.cards.effects import Running
from referee.games.war_of_the_ring.cards.primitives import run_program
from referee.games.war_of_the_ring.rules import decks, occasions
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.rules.occasions import NO_DIE
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS, CARDS_OF, FACES_OF_TYPE, Card
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

BY_HAND = tuple(f"{deck}_card_by_hand" for deck in box.DECKS)
"""Playing a card of each back whose effect the referee does not know."""


class _OfFace(dict[tuple[int, int], int]):
    """(seat, face) to the mask of the seat's cards that a die with this face plays."""

    def __missing__(self, key: tuple[int, int]) -> int:
        seat, face = key
        mask = sum(
            CARD_BIT[card.id]
            for card in CARDS_OF[seat]
            if (face == NO_DIE and card.deck == box.CHARACTER_DECK) or face in FACES_OF_TYPE[card.type]
        )
        self[key] = mask
        return mask


_OF_FACE = _OfFace()
_OF_DECK = tuple(
    tuple(sum(CARD_BIT[card.id] for card in CARDS_OF[seat] if card.deck == deck) for deck in range(2))
    for seat in range(2)
)


def held(state: State, seat: int) -> int:
    """Mask of the cards that may be in a hand: not shown yet, with a back that is there."""
    mask = 0
    for deck in range(2):
        if state.hand[seat][deck]:
            mask |= _OF_DECK[seat][deck]
    return mask & ~state.shown[seat]


def playable(state: State, seat: int, face: int) -> int:
    """Mask of the cards that a die with this face can play now."""
    if not state.edition.known_cards:
        return 0
    mask = held(state, seat) & _OF_FACE[seat, face]
    own = CARDS_OF[seat]
    for index in places_in(mask):
        if not met(state, own[index].needs):
            mask &= ~(1 << index)
    return mask


@occasions.can_play.answered_by
def can_play(state: State, seat: int, face: int) -> bool:
    """Whether a die with this face can play a card of the hand."""
    if face == box.F_EYE or not any(state.hand[seat]):
        return False
    return not state.edition.known_cards or bool(playable(state, seat, face))


def why_not_card(state: State, seat: int, face: int, card: Card) -> Refusal | None:
    """Why a card cannot be played with a die face now; None where it can, if it is in the hand."""
    about = {"card": card.id, "face": box.FACES[face] if face >= 0 else ""}
    if card.seat != seat:
        return Refusal("cards.own_decks", "other_deck", about)
    if state.shown[seat] & CARD_BIT[card.id]:
        return Refusal("cards.discarded_for_good", "played_already", about)
    if not state.hand[seat][card.deck]:
        return Refusal("cards.from_hand", "no_such_back", {**about, "deck": box.DECKS[card.deck]})
    if not _OF_FACE[seat, face] & CARD_BIT[card.id]:
        return Refusal("cards.play_with_die", "other_type", {**about, "type": card.type})
    if not met(state, card.needs):
        return Refusal("cards.requirement", f"needs_{card.needs}", about)
    return None


@occasions.why_not_play.answered_by
def why_not_play(state: State, seat: int, face: int) -> Refusal:
    """Why no card can be played with this face."""
    return Refusal("cards.play_with_die", "no_card_to_play", {"face": box.FACES[face]})


@occasions.play_card.answered_by
def play_card(state: State, seat: int, face: int) -> Ask:
    """Play one card with a die already set aside (or with none, where a card says so)."""
    options = _options(state, seat, face)
    if not options:
        return

    def refused() -> list[tuple[str, Refusal]]:
        refusals = ((card.id, why_not_card(state, seat, face, card)) for card in CARDS.values())
        return [(name, refusal) for name, refusal in refusals if refusal is not None]

    chosen = yield ChooseOne(
        box.SEATS[seat],
        "prompt.play_card",
        options,
        domain="card",
        about={"face": box.FACES[face] if face >= 0 else ""},
        rule="cards.play_with_die",
        refused=refused,
    )
    if chosen in BY_HAND:
        yield from _by_hand(state, seat, BY_HAND.index(chosen))
        return
    card = CARDS[chosen]
    if card.stays:
        decks.to_table(state, chosen)
    else:
        decks.show_discard(state, chosen)
    program = state.values.get(f"card.{chosen}", card.program)  # the owner's printing may differ
    yield from run_program(state, Running(seat, chosen, face), program)
    if face in (box.F_EVENT, box.F_WEST):
        yield from cards_in_play.after_event_die_card(state, seat, chosen)
    cards_in_play.expire(state)


def _options(state: State, seat: int, face: int) -> tuple[str, ...]:
    names = [CARDS_OF[seat][index].id for index in places_in(playable(state, seat, face))]
    for deck, name in enumerate(BY_HAND):
        if state.hand[seat][deck] and not (face == NO_DIE and deck != box.CHARACTER_DECK):
            names.append(name)
    return tuple(names)


def _by_hand(state: State, seat: int, deck: int) -> Ask:
    state.hand[seat][deck] -= 1
    state.unseen_discards[seat][deck] += 1
    yield from by_hand.resolve(state, seat, box.DECKS[deck])


@occasions.resume_card.answered_by
def resume(state: State) -> Ask:
    """Nothing is left after a card's battle: an attack is always the last step of a card."""
    state.pending.clear()
    yield from ()
