"""The Event cards as data (``box/cards.toml``): types, conditions and programs of primitives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.components import box_data

FACES_OF_TYPE: Mapping[str, tuple[int, ...]] = {
    "character": (box.F_CHARACTER, box.F_EVENT, box.F_WEST),
    "army": (box.F_ARMY, box.F_MUSTER_ARMY, box.F_EVENT, box.F_WEST),
    "muster": (box.F_MUSTER, box.F_MUSTER_ARMY, box.F_EVENT, box.F_WEST),
}
"""The die faces that play a card of each type."""


@dataclass(frozen=True, slots=True)
class Card:
    """An Event card: whose it is, which back it has, the die that plays it, and what it does."""

    id: str
    seat: int
    deck: int
    number: int
    type: str
    combat: str
    program: tuple[Mapping[str, Any], ...]
    stays: bool
    needs: str
    ends: str
    """The condition under which a card in play is discarded ("" for none)."""


@dataclass(frozen=True, slots=True)
class CombatEffect:
    """What a card does in battle: whose it is, and when (lower timing numbers first)."""

    id: str
    seat: int
    timing: tuple[int, ...]


_DATA = box_data("cards")
CARDS_OF: tuple[tuple[Card, ...], tuple[Card, ...]] = tuple(  # type: ignore[assignment]
    tuple(
        Card(
            name,
            s,
            d,
            entry["number"],
            entry["type"],
            entry["combat"],
            tuple(entry.get("program", ())),
            entry.get("stays", False),
            entry.get("needs", ""),
            entry.get("ends", ""),
        )
        for d, deck in enumerate(box.DECKS)
        for name, entry in _DATA[f"{seat}_{deck}"].items()
    )
    for s, seat in enumerate(box.SEATS)
)
"""For each seat its 48 cards, the Character deck's first: the index is the card's bit in ``state.shown``."""
CARDS: Mapping[str, Card] = {card.id: card for cards in CARDS_OF for card in cards}
CARD_IDS: tuple[tuple[str, ...], tuple[str, ...]] = tuple(  # type: ignore[assignment]
    tuple(card.id for card in cards) for cards in CARDS_OF
)
CARD_BIT: Mapping[str, int] = {card: 1 << n for ids in CARD_IDS for n, card in enumerate(ids)}
COMBAT_EFFECTS: Mapping[str, CombatEffect] = {
    name: CombatEffect(name, box.SEATS.index(entry["seat"]), tuple(entry["timing"]))
    for name, entry in _DATA["combat_effects"].items()
}
DECK_MASKS = tuple(
    tuple(sum(1 << n for n, card in enumerate(cards) if card.deck == deck) for deck in range(2))
    for cards in CARDS_OF
)
"""For each seat and deck the bits of its cards in ``state.shown``."""
