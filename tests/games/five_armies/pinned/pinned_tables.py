"""Tables of what the rules reckon without asking: who may go where, what hits, why not; on mixed positions.

Each table goes through seats, places and numbers for one function; the rows are what it says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

from battlefields import raise_army

from referee.games.five_armies.box.components import BEORN, CHARACTERS, FREE, SHADOW
from referee.games.five_armies.box.map import (
    FORTIFICATIONS,
    NEIGHBOURS,
    PLACES,
    REGION_COUNT,
    SETTLEMENTS,
    STRONGHOLDS,
    TERRITORIES,
    places_in,
)
from referee.games.five_armies.game import GAME
from referee.games.five_armies.rules import (
    advance,
    combat,
    combat_roll,
    damage,
    fortification,
    manoeuvres,
    marchers,
    movement,
    retreat,
    victory,
)
from referee.games.five_armies.rules.marchers import ANY, GOBLIN, LED, PEOPLES, Held
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.battle import CARDS, Battle
from referee.games.five_armies.state.card_data import COMBAT_EFFECTS
from referee.games.five_armies.state.state import State
from referee.kernel.play import canonical_json
from referee.kernel.refusals import Refusal

NEEDS = (ANY, LED, GOBLIN, *PEOPLES)
ALL = range(len(PLACES))
STEPS = ("", *COMBAT_EFFECTS)


def said(value: Any) -> Any:
    """A row as JSON."""
    if isinstance(value, Refusal):
        return [value.rule, value.reason, dict(value.params)]
    if isinstance(value, Mapping):
        return {str(key): said(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [said(one) for one in value]
    return value


def position(rng: Random) -> State:
    """Armies of both sides all over the board, some led, some hurt, some characters alone."""
    state = State()
    state.phase, state.step, state.turn = 5, "fight", 1
    state.ratings = tuple(max(rating, rng.randint(0, 2)) for rating in state.ratings)
    state.hand_event = [rng.randint(0, 2), rng.randint(0, 2)]
    state.bats = [rng.randint(0, 1) for _ in TERRITORIES]
    state.control = sum(1 << place for place in places_in(STRONGHOLDS) if rng.random() < 0.5)
    state.fort_damage = [rng.randint(0, value) for value in state.fort_values]
    state.closed_passes = movement.PASSES if rng.random() < 0.3 else 0
    free_places = list(ALL)
    rng.shuffle(free_places)
    beorn = rng.random() < 0.5
    if beorn:
        put_character(state, BEORN, next(place for place in free_places if place < REGION_COUNT))
        state.wrath = 4
    for place in free_places[: rng.randint(8, 16)]:
        if not 0 <= place < REGION_COUNT or state.where[BEORN] == place:
            continue
        raise_army(rng, state, rng.randrange(2), place)
    for character in range(len(CHARACTERS)):
        if character != BEORN and rng.random() < 0.5:
            put_character(state, character, rng.randrange(REGION_COUNT))
    state.table_cards = {card: {} for card in TABLE if rng.random() < 0.4}
    return state


TABLE = ("giant_size", "roaring_voice", "fury_of_the_dwarves", "mighty_strokes", "howling_orcs")


def battles(rng: Random, state: State) -> Iterator[Battle]:
    """Every attack that the position allows, in some round, with some cards laid and dice rolled."""
    for seat, source in product((FREE, SHADOW), ALL):
        if source >= REGION_COUNT or not (
            state.armies[seat] >> source & 1 or (seat == FREE and state.where[BEORN] == source)
        ):
            continue
        for target in places_in(combat.targets(state, seat, source)):
            armies = 1 << source
            if rng.random() < 0.4:
                armies |= NEIGHBOURS[target] & state.armies[seat]
            one = Battle(seat, armies, target)
            one.source = source
            free = source if seat == FREE else target
            one.beorn = state.where[BEORN] == free and not state.armies[FREE] >> free & 1
            one.round, one.fought = rng.randint(1, 3), armies if rng.random() < 0.5 else 0
            one.sure_superiority = rng.random() < 0.1
            manoeuvres.take_cards(state, one)
            for side in one.sides:
                side.card, side.effect = rng.randrange(-1, len(CARDS)), rng.choice(STEPS)
                side.leadership = rng.choice((-1, -1, 0, 3))
                side.used = side.hand & rng.getrandbits(14)
                side.rolled = [
                    [rng.randrange(2), rng.choice("123456"), rng.random() < 0.4, False] for _ in range(5)
                ]
                side.hits, side.ability = sum(die[2] for die in side.rolled), rng.random() < 0.6
            yield one


def parts(rng: Random, state: State, place: int) -> Iterator[dict[str, int]]:
    """Some parts of the army of a place, characters and leadership among them."""
    pool = dict(ARMY[state.units[place]].counts)
    for index, name in enumerate(CHARACTERS):
        if state.chars[place] >> index & 1:
            pool[name] = 1
    if state.leaders[place]:
        pool["leadership"] = state.leaders[place]
    yield {}
    yield pool
    for _ in range(4):
        yield {name: n for name, most in pool.items() if (n := rng.randint(0, most))}


def where_to(rng: Random, state: State) -> Iterator[tuple[str, Any]]:
    """Movement, chapter IX."""
    for seat in (FREE, SHADOW):
        yield "closed_to", movement.closed_to(state, seat)
        yield "armies_fit_for", [movement.armies_fit_for(state, seat, need) for need in NEEDS]
        yield "prospects", movement.prospects(state, seat, state.armies[seat])
        yield "steps", [movement.why_not_step(state, seat, a, b) for a in ALL for b in ALL if a != b]
        yield "alone", [movement.why_not_alone(state, seat, place) for place in ALL]
        yield "use", [movement.why_not_use(state, seat, a, need, "x") for a in ALL for need in NEEDS]
        rng.getrandbits(len(PLACES))
        for place in ALL:
            for part in parts(rng, state, place):
                yield "march", [marchers.why_not_these(state, part, need) for need in NEEDS]
                packed = marchers.parse_marchers(part)
                yield "parse", packed
                yield "names", marchers.names_of(Held(place, packed[0], packed[1], 0, 0))
    yield "adjacent", [movement.why_not_adjacent(state, a, b) for a in ALL for b in ALL if a != b]


def in_combat(rng: Random, state: State) -> Iterator[tuple[str, Any]]:
    """Combat, chapter X."""
    for seat in (FREE, SHADOW):
        regions = range(REGION_COUNT)
        yield "targets", [combat.targets(state, seat, place) for place in ALL if NEIGHBOURS[place]]
        yield "attack", [combat.why_not_attack(state, seat, a, b) for a in regions for b in ALL if a != b]
        yield "participants", [combat.combined_participants(state, seat, place) for place in regions]
        yield "strongholds", retreat.enemy_strongholds(state, seat)
        for beorn, place in product((False, True), regions):
            yield "retreat", retreat.retreat_regions(state, seat, place, beorn=beorn)
            yield "forced", retreat.forced_regions(state, seat, place, beorn=beorn)
            yield "why_not_forced", retreat._why_not_forced(state, seat, place, beorn)
            yield "closed", retreat._closed(state, seat, beorn)
            yield "to", [retreat.why_not_retreat_to(state, seat, place, to, beorn=beorn) for to in regions]
    for one in battles(rng, state):
        yield from _one_battle(state, one)


def _one_battle(state: State, one: Battle) -> Iterator[tuple[str, Any]]:
    yield "superior", [combat.superior_seat(state, one), combat.survivors(state, one)]
    yield (
        "leave",
        [retreat.can_leave(state, one), retreat._is_beorn(one), advance.defender_stands(state, one)],
    )
    yield "thorin", manoeuvres._thorin_takes_part(state, one)
    for seat in (FREE, SHADOW):
        side = one.sides[seat]
        yield "favour", [combat.favouring(state, one, seat), combat.alive(state, one, seat)]
        yield "strength", combat_roll.strength(state, one, seat)
        dice = combat_roll.dice_count(state, one, seat)
        yield "dice", [dice, combat_roll.black_dice(state, one, seat, dice)]
        yield "base", combat_roll.base_target(state, one, seat)
        yield "target", combat_roll.target_number(state, one, seat)
        yield "reroll", combat_roll.target_number(state, one, seat, reroll=True)
        yield "led", combat_roll.leadership_in_combat(state, one, seat)
        yield "missed", [combat_roll._misses(side), combat_roll.ability_name(side)]
        yield "hand", manoeuvres.at_hand(state, one, seat)
        yield "cards", list(manoeuvres.why_not_cards(state, one, seat))
        yield "may_use", [manoeuvres.may_use(state, one, seat), manoeuvres._matters(state, one, seat)]
        yield "regrouped", manoeuvres.regrouped(side)


def damage_done(rng: Random, state: State) -> Iterator[tuple[str, Any]]:
    """Damage, fortifications and the end of the game: functions of numbers, and on copies of the position."""
    lots = [(size, hurt, down) for size in range(1, 7) for hurt in range(9) for down in (None, 0, 1, 2)]
    yield "least", [damage.least_casualties(*lot) for lot in lots]
    for place, tokens in product(FORTIFICATIONS, range(5)):
        copy = GAME.copy(state)
        left = fortification.absorb(copy, place, tokens)
        yield "absorb", [left, list(copy.fort_damage), fortification.stands(copy, place)]
        back = fortification.repair(copy, place, tokens)
        yield "repair", [back, list(copy.fort_damage)]
    outside = next(place for place in ALL if place not in FORTIFICATIONS)
    yield "no walls", [fortification.repair(state, outside, 2), fortification.stands(state, outside)]
    for regular, other, keep in product(range(3), range(4), range(3)):
        removed = {"dwarf_regulars": regular, "elven_archers": other, damage.KEEP: keep}
        removed = {name: number for name, number in removed.items() if number}
        yield "lifted", [damage.tokens_lifted(removed, one) for one in (False, True)]
        counts = {"elven_archers": other, "dwarf_regulars": regular, "lake_men": 1}
        yield "default", [damage._default_removal(counts, number) for number in range(5)]
        for size, hurt, down in lots[:: rng.choice((5, 7))]:
            if regular + other > size:
                continue
            least = damage.least_casualties(size, hurt, down)
            most = max(least, min(size, (hurt + 1) // 2))
            yield "keep", damage._tokens_to_keep(size, hurt, least, most, down)
            for redoubtable in (False, True):
                yield "wrong", damage._wrong_casualties(size, hurt, least, most, down, redoubtable)(removed)
    yield "proposal", [combat_roll._as_many(*lot) for lot in product(range(4), range(4), range(5))]
    yield "points", victory.points(state)
    for check in (victory.check_at_once, victory.check_end_of_turn, victory.beorn_entered):
        for control in (state.control, SETTLEMENTS, STRONGHOLDS, 1 << victory.FRONT_GATE):
            yield check.__name__, _ends(check, state, control)


def _ends(check: Callable[[State], None], state: State, control: int) -> list[Any]:
    copy = GAME.copy(state)
    copy.control = control
    try:
        check(copy)
    except victory.GameEnds:
        return [copy.winner, copy.winning_rule]
    return []


GROUPS: Mapping[str, Callable[[Random, State], Iterable[tuple[str, Any]]]] = {
    "where_to": where_to,
    "in_combat": in_combat,
    "damage_done": damage_done,
}


def marks_of_tables(group: str, seed: int) -> dict[str, str]:
    """One mark a table of a group, over all its rows on one mixed position."""
    rng = Random(seed)
    hashes: dict[str, Any] = {}
    for name, row in GROUPS[group](rng, position(rng)):
        hashes.setdefault(name, hashlib.sha256()).update(canonical_json(said(row)).encode())
    return {name: one.hexdigest()[:4] for name, one in hashes.items()}
