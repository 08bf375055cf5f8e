"""What must always hold, checked after every answer.  A problem here is a bug in us.

Bounds of single fields follow from the declaration of the state; here is what
holds between several.  While an action is under way (``state.step`` is
``"action"`` or ``"fight"``) armies may stand together that are still to be cut
down to five.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import BEORN, CHARACTERS, FREE, SEATS, SHADOW, TOKEN_GROUPS
from referee.games.five_armies.box.map import PLACES
from referee.games.five_armies.state.armies import ARMY, COUNTS
from referee.games.five_armies.state.state import SCHEMA, State, orcs_on_card
from referee.games.five_armies.state.table_cards import STORY_ON_TABLE
from referee.games.kit.audit import conserved


def audit(state: State) -> list[str]:
    """Everything that is wrong with a state, in English, empty where all holds."""
    return [
        *SCHEMA.out_of_bounds(state),
        *_figures(state),
        *_armies(state),
        *_characters(state),
        *_tokens_and_tiles(state),
        *_cards(state),
        *_dice(state),
    ]


def _figures(state: State) -> Iterator[str]:
    """Figures on the board plus the supply equal the box."""
    parts = {"on the board": COUNTS[sum(state.units)], "in supply": state.supply}
    if state.table_cards:
        on_card = orcs_on_card(state)
        parts["on a card"] = [on_card * (unit == box.ORCS) for unit in range(len(box.UNITS))]
    yield from conserved(box.UNITS, box.FIGURES, parts)


def _armies(state: State) -> Iterator[str]:
    masks = [0, 0]
    damage_there = leaders_there = 0
    quiet = state.step not in ("action", "fight") and state.combat is None
    for place, units in enumerate(state.units):
        if not units:
            continue
        army = ARMY[units]
        masks[army.seat] |= 1 << place
        damage = state.damage[place]
        damage_there += damage
        leaders_there += state.leaders[place]
        if quiet and damage > army.size:
            yield f"{PLACES[place]}: {damage} damage on {army.size} units"
        unlimited = army.seat == SHADOW and board.UNLIMITED >> place & 1
        if quiet and army.size > box.ARMY_LIMIT and not unlimited:
            yield f"{PLACES[place]}: {army.size} units"
    if damage_there != sum(state.damage) or leaders_there != sum(state.leaders):
        yield "damage or leadership without an army"
    if masks != state.armies:
        yield "armies' masks differ from the units"
    if masks[FREE] & masks[SHADOW] or masks[FREE] & ~board.ALL_REGIONS or masks[SHADOW] >> board.ARMY_PLACES:
        yield "armies of both sides in one region, or one where none can be"
    if state.control & ~board.STRONGHOLDS or state.control & masks[FREE]:
        yield "control where it cannot be"
    for damage, value in zip(state.fort_damage, state.fort_values, strict=True):
        if damage > value:
            yield f"fortification with {damage} of {value} damage"


def _characters(state: State) -> Iterator[str]:
    chars = [0] * board.PLACE_COUNT
    for character, where in enumerate(state.where):
        if 0 <= where <= board.EYRIE:
            chars[where] |= 1 << character
        if state.activated >> character & 1 and where < 0:
            yield f"{CHARACTERS[character]} is activated but not in play"
    if chars != state.chars:
        yield "characters' places differ"
    beorn = state.where[BEORN]
    if beorn >= 0:
        if not state.wrath and state.step != "fight":
            yield "Beorn without Wrath"
        if state.armies[SHADOW] >> beorn & 1:
            yield "Beorn in a region with a Shadow army"
        if state.step in ("", "act") and state.armies[FREE] >> beorn & 1:
            yield "Beorn in a region with Free Peoples units"


def _tokens_and_tiles(state: State) -> Iterator[str]:
    gone = [0] * len(_TOKENS)
    for key, number in state.tokens_shown.items():
        gone[TOKEN_GROUPS.index(key.partition(":")[0])] += number
    for face, number in state.fate_tiles_out.items():
        gone[-1] += number if face in box.STANDARD_TILE_FACES else 0
    placed = [sum(places.values()) for places in state.tokens]
    parts = {"placed": [*placed, 0], "gone": gone, "in the pool": [*state.token_pool, state.fate_tiles]}
    yield from conserved(_TOKENS, _TOKENS_IN_BOX, parts)
    barred = (state.armies[SHADOW] | state.control, state.armies[FREE])
    for group, places in enumerate(state.tokens):
        enemy = barred[box.SEAT_OF_GROUP[group]]
        for place in places:
            if enemy >> place & 1:
                yield f"{TOKEN_GROUPS[group]} token under the enemy in {PLACES[place]}"


_TOKENS = (*TOKEN_GROUPS, "fate_tiles")
_TOKENS_IN_BOX = (*box.TOKENS_IN_BOX, box.STANDARD_TILES)


def _cards(state: State) -> Iterator[str]:
    event, story, cards = state.hand_event, state.hand_story, state.table_cards
    table = [len(staying & cards.keys()) for staying in STORY_ON_TABLE] if cards else (0, 0)
    parts = {
        "in hand": (sum(event), 0, *story),
        "in the deck": (state.event_deck, state.fate_deck, *state.story_deck),
        "gone": (state.event_discard, state.fate_shown.bit_count(), *state.story_gone),
        "on the table": (0, 0, *table),
    }
    yield from conserved(_DECKS, _CARDS, parts)
    if state.step == "act" and state.phase == 5:
        for hand in map(sum, zip(event, story, strict=True)):
            if hand > box.HAND_LIMIT:
                yield f"hand of {hand}"


_DECKS = ("event cards", "fate cards", *(f"story cards of {seat}" for seat in SEATS))
_CARDS = (box.EVENT_CARDS, box.FATE_CARDS, box.STORY_CARDS, box.STORY_CARDS)


def _dice(state: State) -> Iterator[str]:
    for seat in (FREE, SHADOW) if state.phase == 5 and state.step else ():
        dice = sum(state.unused[seat]) + sum(state.used[seat])
        if dice > state.pool[seat]:
            yield f"{dice} action dice of a pool of {state.pool[seat]}"
