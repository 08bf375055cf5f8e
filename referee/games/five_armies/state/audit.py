"""What must always hold, checked after every answer.  A problem here is a bug in us.

While an action is under way (``state.step`` is ``"action"`` or ``"fight"``)
armies may stand together that are still to be cut down to five.
"""

from __future__ import annotations

from referee.games.five_armies.box.components import (
    ARMY_LIMIT,
    BATS_IN_BOX,
    BEORN,
    CHARACTERS,
    EAGLES_IN_BOX,
    EVENT_CARDS,
    FATE_CARDS,
    FATE_END,
    FIGURES,
    FREE,
    HAND_LIMIT,
    ORCS,
    SEAT_OF_GROUP,
    SEATS,
    SHADOW,
    STANDARD_TILE_FACES,
    STANDARD_TILES,
    STORY_CARDS,
    TOKEN_GROUPS,
    TOKENS_IN_BOX,
    UNITS,
    WRATH_MOST,
)
from referee.games.five_armies.box.map import (
    ALL_REGIONS,
    ARMY_PLACES,
    EYRIE,
    PLACE_COUNT,
    PLACES,
    STRONGHOLDS,
    UNLIMITED,
)
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State, orcs_on_card
from referee.games.five_armies.state.table_cards import STORY_ON_TABLE


def audit(state: State) -> list[str]:
    """Everything that is wrong with a state, in English, empty where all holds."""
    problems: list[str] = []
    _figures(state, problems)
    _armies(state, problems)
    _characters(state, problems)
    _tokens_and_tiles(state, problems)
    _cards(state, problems)
    _dice(state, problems)
    return problems


def _figures(state: State, problems: list[str]) -> None:
    """Figures on the board plus the supply equal the box."""
    standing = sum(state.units)
    army = ARMY[standing] if standing else None

    for unit, figures in enumerate(FIGURES):
        out = army.counts.get(UNITS[unit], 0) if army else 0
        if unit == ORCS:
            out += orcs_on_card(state)

        if out + state.supply[unit] != figures or state.supply[unit] < 0:
            problems.append(
                f"{UNITS[unit]}: {out} on the board, {state.supply[unit]} in supply, {figures} in the box"
            )
    if min(state.eagles) < 0 or sum(state.eagles) > EAGLES_IN_BOX:
        problems.append(f"eagles {state.eagles}")
    if min(state.bats) < 0 or sum(state.bats) > BATS_IN_BOX:
        problems.append(f"bats {state.bats}")


def _armies(state: State, problems: list[str]) -> None:
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
            problems.append(f"{PLACES[place]}: {damage} damage on {army.size} units")
        if quiet and army.size > ARMY_LIMIT and not (army.seat == SHADOW and UNLIMITED >> place & 1):
            problems.append(f"{PLACES[place]}: {army.size} units")
    if damage_there != sum(state.damage) or leaders_there != sum(state.leaders):
        problems.append("damage or leadership without an army")
    if min(state.damage) < 0 or min(state.leaders) < 0:
        problems.append("negative markers")
    if masks != state.armies:
        problems.append("armies' masks differ from the units")
    if masks[FREE] & masks[SHADOW] or masks[FREE] & ~ALL_REGIONS or masks[SHADOW] >> ARMY_PLACES:
        problems.append("armies of both sides in one region, or one where none can be")
    if state.control & ~STRONGHOLDS or state.control & masks[FREE]:
        problems.append("control where it cannot be")
    for damage, value in zip(state.fort_damage, state.fort_values, strict=True):
        if not 0 <= damage <= value:
            problems.append(f"fortification with {damage} of {value} damage")


def _characters(state: State, problems: list[str]) -> None:
    chars = [0] * PLACE_COUNT
    for character, where in enumerate(state.where):
        if 0 <= where <= EYRIE:
            chars[where] |= 1 << character
        if state.activated >> character & 1 and where < 0:
            problems.append(f"{CHARACTERS[character]} is activated but not in play")
    if chars != state.chars:
        problems.append("characters' places differ")
    if state.where[BEORN] >= 0:
        if not 0 < state.wrath <= WRATH_MOST and state.step != "fight":
            problems.append(f"Beorn with {state.wrath} Wrath")
        if state.armies[SHADOW] >> state.where[BEORN] & 1:
            problems.append("Beorn in a region with a Shadow army")
        if state.step in ("", "act") and state.armies[FREE] >> state.where[BEORN] & 1:
            problems.append("Beorn in a region with Free Peoples units")


_GROUP = {name: group for group, name in enumerate(TOKEN_GROUPS)}


def _tokens_and_tiles(state: State, problems: list[str]) -> None:
    shown_of = [0] * len(TOKEN_GROUPS)
    for key, number in state.tokens_shown.items():
        shown_of[_GROUP[key.partition(":")[0]]] += number
    barred = (state.armies[SHADOW] | state.control, state.armies[FREE])
    for group, total in enumerate(TOKENS_IN_BOX):
        placed = sum(state.tokens[group].values())
        name = TOKEN_GROUPS[group]
        shown = shown_of[group]
        if placed + shown + state.token_pool[group] != total:
            problems.append(
                f"{name} tokens: {placed} placed, {shown} shown, {state.token_pool[group]} in the pool"
            )
        enemy = barred[SEAT_OF_GROUP[group]]
        for place in state.tokens[group]:
            if enemy >> place & 1:
                problems.append(f"{name} token under the enemy in {PLACES[place]}")
    out = sum(state.fate_tiles_out.get(face, 0) for face in STANDARD_TILE_FACES)
    if out + state.fate_tiles != STANDARD_TILES:
        problems.append(f"fate tiles: {out} out, {state.fate_tiles} in the pool")
    if not 0 <= state.fate <= FATE_END:
        problems.append(f"Fate marker on {state.fate}")


def _cards(state: State, problems: list[str]) -> None:
    event = sum(state.hand_event) + state.event_deck + state.event_discard
    if event != EVENT_CARDS:
        problems.append(f"{event} event cards")
    for seat in (FREE, SHADOW):
        table = sum(1 for card in state.table_cards if card in STORY_ON_TABLE[seat])
        story = state.hand_story[seat] + state.story_deck[seat] + state.story_gone[seat] + table
        if story != STORY_CARDS:
            problems.append(f"{story} story cards of {SEATS[seat]}")
        hand = state.hand_event[seat] + state.hand_story[seat]
        if min(state.hand_event[seat], state.hand_story[seat]) < 0:
            problems.append("negative hand")
        if hand > HAND_LIMIT and state.step in ("act",) and state.phase == 5:
            problems.append(f"hand of {hand}")
    if state.fate_deck + state.fate_shown.bit_count() != FATE_CARDS:
        problems.append("fate cards")


def _dice(state: State, problems: list[str]) -> None:
    if state.phase != 5 or not state.step:
        return
    for seat in (FREE, SHADOW):
        dice = sum(state.unused[seat]) + sum(state.used[seat])
        if dice > state.pool[seat] or min(state.unused[seat]) < 0:
            problems.append(f"{dice} action dice of a pool of {state.pool[seat]}")
