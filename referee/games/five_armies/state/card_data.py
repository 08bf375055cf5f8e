"""Chapter VI: the cards as data (``box/cards.toml``): types, conditions and programs of primitives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import FREE, SEATS, SHADOW, box_data
from referee.games.five_armies.box.map import EYRIE, RAVENHILL, RUINS_OF_DALE, SETTLEMENTS
from referee.games.five_armies.state.state import State

TYPES = ("character", "army", "muster")
FACES_OF_TYPE: Mapping[str, tuple[int, ...]] = {
    "character": (box.F_CHARACTER, box.F_EVENT, box.F_WEST),
    "army": (box.F_ARMY, box.F_MUSTER_ARMY, box.F_EVENT, box.F_WEST),
    "muster": (box.F_MUSTER, box.F_MUSTER_ARMY, box.F_EVENT, box.F_WEST),
}
"""The die faces that play a card of each type."""

Program = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """An order effect of the Event cards (``seat`` -1, ``number`` 0) or a Story card."""

    id: str
    seat: int
    type: str
    program: Program
    number: int = 0
    stays: bool = False
    needs: str = ""

    @property
    def is_story(self) -> bool:
        """Story cards are played once; Event cards are shuffled again."""
        return self.seat >= 0


def _card(name: str, seat: int, entry: Mapping[str, Any]) -> Card:
    told = {key: entry[key] for key in ("number", "type", "stays", "needs") if key in entry}
    return Card(name, seat, program=tuple(entry["program"]), **told)


_DATA = box_data("cards")
ORDERS: tuple[Card, ...] = tuple(_card(n, -1, e) for n, e in _DATA["order_effects"].items())
STORIES: tuple[tuple[Card, ...], tuple[Card, ...]] = (
    tuple(_card(n, FREE, e) for n, e in _DATA["free_story"].items()),
    tuple(_card(n, SHADOW, e) for n, e in _DATA["shadow_story"].items()),
)
CARDS: Mapping[str, Card] = {card.id: card for card in (*ORDERS, *STORIES[FREE], *STORIES[SHADOW])}
COMBAT_EFFECTS: tuple[str, ...] = tuple(_DATA["combat_effects"])
STORY_IDS: tuple[frozenset[str], frozenset[str]] = (
    frozenset(card.id for card in STORIES[FREE]),
    frozenset(card.id for card in STORIES[SHADOW]),
)


# --- what lies in the discard pile --------------------------------------------------------------


def _copies() -> Mapping[str, tuple[int, int]]:
    """For each effect of the Event cards its first bit in ``State.event_shown`` and a mask of its copies."""
    found: dict[str, tuple[int, int]] = {}
    first = 0
    deck = _DATA["event_deck"].values()
    for side, effects in enumerate((tuple(card.id for card in ORDERS), COMBAT_EFFECTS)):
        for effect in effects:
            copies = sum(card[side] == effect for card in deck)
            found[effect] = (first, (1 << copies) - 1)
            first += copies
    return found


COPIES: Mapping[str, tuple[int, int]] = _copies()


def show_event(state: State, effect: str) -> None:
    """An Event card was played for this effect; it lies in the discard pile until the deck is made anew."""
    first, every = COPIES[effect]
    played = state.event_shown >> first & every
    if played != every:
        state.event_shown |= played + 1 << first


def all_played(state: State, effect: str) -> bool:
    """Whether every card with this effect is known to lie in the discard pile."""
    first, every = COPIES[effect]
    return state.event_shown >> first & every == every


# --- conditions --------------------------------------------------------------------------------

_CONDITIONS: dict[str, Callable[[State], bool]] = {
    "bilbo_in_play": lambda state: state.where[box.BILBO] >= 0,
    "bilbo_on_board": lambda state: 0 <= state.where[box.BILBO] < EYRIE,
    "ravenhill_held": lambda state: (
        not state.control >> RAVENHILL & 1 and not state.armies[SHADOW] >> RAVENHILL & 1
    ),
    "two_settlements": lambda state: (state.control & SETTLEMENTS).bit_count() >= 2,
    "dale_held": lambda state: state.control >> RUINS_OF_DALE & 1 != 0,
}
CONDITIONS = tuple(_CONDITIONS)
CONDITIONS_OF_SEAT = (("bilbo_in_play", "bilbo_on_board", "ravenhill_held"), ("two_settlements", "dale_held"))


def met(state: State, needs: str) -> bool:
    """Whether a card's printed condition is met (the empty one always is)."""
    return not needs or _CONDITIONS[needs](state)


def discard_from_table(state: State, card: str) -> None:
    """A card that stayed in play is discarded, if it is there."""
    if state.table_cards.pop(card, None) is None:
        return
    for seat in range(len(SEATS)):
        if card in STORY_IDS[seat]:
            state.story_gone[seat] += 1
