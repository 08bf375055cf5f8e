"""Random battlefields: two to four armies around a region, and the attack on it."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.games.five_armies.box.components import (
    BEORN,
    BOLG,
    FREE,
    SHADOW,
    THORIN,
    UNITS,
    UNITS_OF_SEAT,
)
from referee.games.five_armies.box.map import NEIGHBOURS, REGION_COUNT, STRONGHOLDS, places_in
from referee.games.five_armies.rules import combat
from referee.games.five_armies.rules.pieces import add_units, put_character
from referee.games.five_armies.state.armies import pack
from referee.games.five_armies.state.state import State

CARDS = ("giant_size", "roaring_voice", "fury_of_the_dwarves", "mighty_strokes")


def raise_army(rng: Random, state: State, seat: int, place: int) -> None:
    counts: dict[str, int] = {}
    for _ in range(rng.randint(1, 5)):
        name = UNITS[rng.choice(UNITS_OF_SEAT[seat])]
        counts[name] = min(counts.get(name, 0) + 1, 5)
    add_units(state, place, pack(counts))
    state.leaders[place] = rng.randint(0, 2)
    state.damage[place] = rng.randint(0, sum(counts.values()))


def battlefield(rng: Random) -> tuple[State, Any]:
    """A position with two to four armies around a region, and the attack on it."""
    state = State()
    state.phase, state.step, state.turn = 5, "fight", 1
    state.ratings = tuple(max(r, 0) for r in state.ratings)
    state.hand_event, state.event_deck = [2, 2], 26
    state.hand_story, state.story_deck = [2, 2], [18, 18]
    state.bats = [1, 1, 1, 1]
    target = rng.randrange(REGION_COUNT)
    attacker = rng.randrange(2)
    near = list(places_in(NEIGHBOURS[target]))
    sources = rng.sample(near, min(rng.randint(1, 2), len(near)))
    beorn = rng.random() < 0.15
    if beorn and attacker == SHADOW:
        put_character(state, BEORN, target)
    else:
        raise_army(rng, state, 1 - attacker, target)
    if beorn and attacker == FREE:
        sources = sources[:1]
        put_character(state, BEORN, sources[0])
    else:
        for source in sources:
            raise_army(rng, state, attacker, source)
    state.wrath = rng.randint(1, 8) if beorn else 0
    mine = {attacker: sources[0], 1 - attacker: target}
    if rng.random() < 0.3 and state.armies[SHADOW] >> mine[SHADOW] & 1:
        put_character(state, BOLG, mine[SHADOW])
        state.bodyguards = rng.randint(0, 3)
    for character in (0, 1, THORIN):
        if rng.random() < 0.3 and state.armies[FREE] >> mine[FREE] & 1:
            put_character(state, character, mine[FREE])
    state.table_cards = {card: {} for card in CARDS if rng.random() < 0.2}
    if rng.random() < 0.3:
        state.table_cards["shining_armour"] = {"damage": rng.randint(0, 5)}
    if len(sources) > 1:
        flow = combat.combined_attack(state, attacker, sum(1 << s for s in sources), target)
    else:
        flow = combat.attack(state, attacker, sources[0], target)
    return state, flow


def crowded(rng: Random) -> tuple[State, Any]:
    """A battlefield with more armies around, settlements lost and walls cracked: ways out are few."""
    state, flow = battlefield(rng)
    taken = state.armies[FREE] | state.armies[SHADOW]
    if state.where[BEORN] >= 0:
        taken |= 1 << state.where[BEORN]
    for place in range(REGION_COUNT):
        if not taken >> place & 1 and rng.random() < 0.45:
            raise_army(rng, state, rng.randrange(2), place)
    state.control = sum(1 << place for place in places_in(STRONGHOLDS) if rng.random() < 0.5)
    state.fort_damage = [rng.randint(0, value) for value in state.fort_values]
    if rng.random() < 0.3:
        state.table_cards["howling_orcs"] = {}
    return state, flow
