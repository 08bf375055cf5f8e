"""Chapter V: cards in play that a side may take out of play with a die, at the card's price."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import PLACE, SIEGE_BOX
from referee.games.war_of_the_ring.cards.card_play import held
from referee.games.war_of_the_ring.rules import decks, occasions
from referee.games.war_of_the_ring.rules.asking import Ask, choose
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS_OF
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

RULE = "cards.end_with_die"
PALANTIR, FOLLY = "the_palantir_of_orthanc", "denethors_folly"
WARDS = ("a_power_too_great", "the_power_of_tom_bombadil")
"""Cards that the Shadow ends with any die, an Army card and a Character card of its hand."""
ENDED_BY = ((PALANTIR, FOLLY), WARDS)
_MINAS_TIRITH = (PLACE["minas_tirith"], SIEGE_BOX[PLACE["minas_tirith"]])
_ARMY_CARDS = sum(CARD_BIT[card.id] for card in CARDS_OF[box.SHADOW] if card.type == "army")
_CHARACTER_CARDS = sum(CARD_BIT[card.id] for card in CARDS_OF[box.SHADOW] if card.deck == box.CHARACTER_DECK)


def endings(state: State, seat: int, face: int) -> tuple[str, ...]:
    """The cards in play that a die with this face may end now."""
    if not state.table_cards:
        return ()
    return tuple(card for card in ENDED_BY[seat] if why_not_end_card(state, seat, face, card) is None)


@occasions.can_end_card.answered_by
def can_end(state: State, seat: int, face: int) -> bool:
    """Whether the die may end a card in play."""
    return bool(state.table_cards) and face != box.F_EYE and bool(endings(state, seat, face))


def why_not_end_card(state: State, seat: int, face: int, card: str) -> Refusal | None:
    """Why this card cannot be ended with such a die; None where it can."""
    about = {"card": card, "face": box.FACES[face]}
    if card not in state.table_cards:
        return Refusal(RULE, "not_in_play_card", about)
    if card in WARDS:
        hand = held(state, box.SHADOW)
        if not hand & _ARMY_CARDS or not state.hand[box.SHADOW][box.CHARACTER_DECK]:
            return Refusal(RULE, "price_not_in_hand", about)
        return None
    if face == box.F_WEST:
        return None
    if card == FOLLY:
        there = any(
            state.where[c] in _MINAS_TIRITH for c in (box.GANDALF_GREY, box.GANDALF_WHITE, box.ARAGORN)
        )
        return None if there else Refusal(RULE, "nobody_to_reason", about)
    if state.ring_used[box.FREE] or not state.rings[box.FREE]:
        return Refusal(RULE, "no_ring_for_it", about)
    return None


@occasions.why_not_end_card.answered_by
def why_not_end(state: State, seat: int, face: int) -> Refusal:
    """Why no card in play can be ended with this die."""
    reasons = [
        why_not_end_card(state, seat, face, card) for card in ENDED_BY[seat] if card in state.table_cards
    ]
    return next((reason for reason in reasons if reason is not None), Refusal(RULE, "no_card_to_end"))


@occasions.end_card.answered_by
def end_card(state: State, seat: int, face: int) -> Ask:
    """Take one card out of play and pay its price; the die is set aside already."""
    card = yield from choose(
        seat,
        "prompt.end_card",
        endings(state, seat, face),
        rule=RULE,
        domain="card",
        about={"face": box.FACES[face]},
        refused=lambda: [
            (name, refusal)
            for name in ENDED_BY[seat]
            if (refusal := why_not_end_card(state, seat, face, name)) is not None
        ],
    )
    if card in WARDS:
        yield from _discard_named(
            state, "prompt.discard_army_card", held(state, box.SHADOW) & _ARMY_CARDS, card
        )
        yield from _discard_named(
            state, "prompt.discard_character_card", held(state, box.SHADOW) & _CHARACTER_CARDS, card
        )
    elif card == PALANTIR and face != box.F_WEST:
        state.ring_used[box.FREE] = True
        state.rings[box.FREE] -= 1
        state.rings[box.SHADOW] += 1
    decks.from_table(state, card)


def _discard_named(state: State, prompt: str, mask: int, ended: str) -> Ask:
    """The Shadow names a card of its hand and discards it openly."""
    options = tuple(card.id for card in CARDS_OF[box.SHADOW] if mask & CARD_BIT[card.id])
    if not options:
        return
    chosen = yield ChooseOne(
        box.SEATS[box.SHADOW], prompt, options, domain="card", about={"card": ended}, rule=RULE
    )
    decks.show_discard(state, chosen)
