"""Chapter VI: playing Event and Story cards as an action (p. 15).

Hands are physical: the player names the card.  A card that nobody has described
is played by hand, step by step (:mod:`by_hand`).
"""

from __future__ import annotations

from referee.games.five_armies.box.components import F_EYE, F_MUSTER_ARMY, FACES, SEATS
from referee.games.five_armies.cards import by_hand
from referee.games.five_armies.cards.primitives import Running, run_program
from referee.games.five_armies.rules import occasions
from referee.games.five_armies.rules.asking import Ask
from referee.games.five_armies.state.card_data import (
    CARDS,
    COMBAT_EFFECTS,
    CONDITIONS_OF_SEAT,
    COPIES,
    FACES_OF_TYPE,
    ORDERS,
    STORIES,
    Card,
    all_played,
    discard_from_table,
    met,
    show_event,
)
from referee.games.five_armies.state.state import State
from referee.games.five_armies.state.table_cards import FLYING_ARROWS
from referee.games.kit.asking import refuse_named
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

EVENT_BY_HAND, STORY_BY_HAND = "event_card_by_hand", "story_card_by_hand"
_Key = tuple[int, int, bool, bool, int, int, tuple[bool, ...]]
_ORDER_BITS = sum(COPIES[card.id][1] << COPIES[card.id][0] for card in ORDERS)
_OPTIONS: dict[_Key, tuple[str, ...]] = {}


def options(state: State, seat: int, face: int) -> tuple[str, ...]:
    """The cards that a die with this face can play now, as far as the referee knows the hand."""
    key = (
        seat,
        face,
        state.hand_event[seat] > 0,
        state.hand_story[seat] > 0,
        state.story_shown[seat],
        state.event_shown & _ORDER_BITS,
        tuple(met(state, condition) for condition in CONDITIONS_OF_SEAT[seat]),
    )
    found = _OPTIONS.get(key)
    if found is None:
        if len(_OPTIONS) > 20_000:
            _OPTIONS.clear()
        found = _OPTIONS[key] = _list(state, seat, face)
    return found


def _list(state: State, seat: int, face: int) -> tuple[str, ...]:
    if face == F_EYE:
        return ()
    names: list[str] = []
    for card in (*ORDERS, *STORIES[seat]):
        if face in FACES_OF_TYPE[card.type] and why_not_card(state, seat, face, card) is None:
            names.append(card.id)
    if state.hand_event[seat]:
        names.append(EVENT_BY_HAND)
    if state.hand_story[seat]:
        names.append(STORY_BY_HAND)
    return tuple(names)


def why_not_card(state: State, seat: int, face: int, card: Card) -> Refusal | None:
    """Why a card cannot be played with a die face now; None where it can, if it is in the hand."""
    about = {"card": card.id, "face": FACES[face]}
    if card.is_story and card.seat != seat:
        return Refusal("cards.story_own_deck", "other_deck", about)
    if not (state.hand_story if card.is_story else state.hand_event)[seat]:
        return Refusal("cards.play_needs_die", "no_card_to_play", about)
    if card.is_story and state.story_shown[seat] >> card.number & 1:
        return Refusal("cards.story_once", "played_already", about)
    if not card.is_story and all_played(state, card.id):
        return Refusal("cards.event_reshuffle", "all_copies_played", about)
    if face not in FACES_OF_TYPE[card.type]:
        rule = "cards.play_with_dual_face" if face == F_MUSTER_ARMY else "cards.play_needs_die"
        return Refusal(rule, "other_type", {**about, "type": card.type})
    if not met(state, card.needs):
        return Refusal("cards.condition_required", f"needs_{card.needs}", about)
    return None


@occasions.can_play.answered_by
def can_play(state: State, seat: int, face: int) -> bool:
    """Whether a die with this face can play a card of the hand."""
    return bool((state.hand_event[seat] or state.hand_story[seat]) and options(state, seat, face))


@occasions.why_not_play.answered_by
def why_not_play(state: State, seat: int, face: int) -> Refusal:
    """Why no card can be played with this face."""
    return Refusal("cards.play_needs_die", "no_card_to_play", {"face": FACES[face]})


@occasions.play_card.answered_by
def play_card(state: State, seat: int, face: int) -> Ask:
    """Play one card with a die already set aside."""

    def refused() -> list[tuple[str, Refusal]]:
        found = []
        for card in CARDS.values():
            refusal = why_not_card(state, seat, face, card)
            if refusal is not None:
                found.append((card.id, refusal))
        return found

    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.play_card",
        options(state, seat, face),
        domain="card",
        about={"face": FACES[face]},
        rule="cards.play_needs_die",
        refused=refused,
        otherwise=refuse_named(COMBAT_EFFECTS, "cards.event_combat_use", "combat_effect", "card"),
    )
    if chosen in (EVENT_BY_HAND, STORY_BY_HAND):
        _leave_hand(state, seat, story=chosen == STORY_BY_HAND)
        yield from by_hand.resolve(state, seat, chosen, may_fight=True)
        return
    card = CARDS[chosen]
    _leave_hand(state, seat, story=card.is_story)
    if not card.is_story:
        show_event(state, card.id)
    else:
        state.story_shown[seat] |= 1 << card.number
        if card.stays:
            state.story_gone[seat] -= 1
            state.table_cards[card.id] = {}
    program = state.values.get(f"card.{card.id}", card.program)  # the owner's printing may differ
    yield from run_program(state, Running(seat, card.id, face), program)
    if card.id == FLYING_ARROWS and not state.table_cards[card.id].get("orcs"):
        discard_from_table(state, card.id)


def _leave_hand(state: State, seat: int, *, story: bool) -> None:
    if story:
        state.hand_story[seat] -= 1
        state.story_gone[seat] += 1
    else:
        state.hand_event[seat] -= 1
        state.event_discard += 1


@occasions.resume_card.answered_by
def resume(state: State) -> Ask:
    """Nothing is left after a card's combat: an attack is always the last step of a card."""
    state.pending.clear()
    yield from ()
