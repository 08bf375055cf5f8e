"""The command phase: a card is played; and the activation phase, in which it orders units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.battlelore.box.components import SEATS, SECTIONS
from referee.games.battlelore.box.decks import CommandCard, section_orders
from referee.games.battlelore.box.own_deck import CARDS
from referee.games.battlelore.rules import occasions
from referee.games.battlelore.rules.ordering import order_by_sections
from referee.games.battlelore.state.state import State, deck_of
from referee.games.kit.asking import Ask
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

BY_HAND = "command_by_hand"
"""A card of which nobody has told what it does."""


def command_phase(state: State) -> Ask:
    """Play one command card; a lore card of this phase may follow."""
    seat, shown = state.active, state.shown
    again = copied(state) is not None
    left = [
        name
        for name, copies, copies_another in deck_of(state).fronts
        if shown.get(name, 0) < copies and (again or not copies_another)
    ]
    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.command_card",
        (*left, BY_HAND),
        domain="card",
        about={"count": state.hand[seat]},
        rule="command.play_one_card",
        refused=lambda: _refused_cards(state),
        notes=lambda card: _card_notes(state, card),
    )
    state.hand[seat] -= 1
    state.card = chosen
    if state.field.lore and occasions.may_play_lore(state, seat, "command"):
        yield from occasions.own_lore(state, seat, "command")


def _card_notes(state: State, name: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """What a card orders that has no more than a number for its name."""
    card = deck_of(state).command.get(name) if name in CARDS else None
    if card is not None and card.orders is not None:
        yield "note.orders", {one: card.orders.get(one, 0) for one in SECTIONS}


def why_not_card(state: State, card: CommandCard) -> Refusal | None:
    """Why a command card cannot be played now; None where it can, if it is in the hand."""
    if state.shown.get(card.id, 0) >= card.copies:
        return Refusal("command.play_one_card", "all_copies_out", {"card": card.id})
    if card.copies_another and not copied(state):
        return Refusal("command.known_counter_attack", "nothing_to_copy", {"card": card.id})
    return None


def _refused_cards(state: State) -> Iterator[tuple[str, Refusal]]:
    for card in deck_of(state).command.values():
        why = why_not_card(state, card)
        if why is not None:
            yield card.id, why


def copied(state: State) -> CommandCard | None:
    """What the opponent's last card did (of one that copied another: the other), as far as it is known."""
    return deck_of(state).command.get(state.last[1 - state.active])


def order_phase(state: State) -> Ask:
    """The card that was played orders units."""
    card = deck_of(state).command.get(state.card)
    if card is not None and card.copies_another:
        card = copied(state)
    if card is not None and card.orders is not None:
        yield from order_by_sections(state, section_orders(card, state.hand[state.active] + 1))
    else:
        yield from occasions.tactic(state, card or CommandCard(BY_HAND, 1, None))
