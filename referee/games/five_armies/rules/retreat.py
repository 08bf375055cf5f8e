"""Chapter X, step 5: retreat and rout (p. 29, 30).

Who retreats chooses a region by the rules; where there is none the attacker
chooses, for one damage more; where that fails too nobody leaves.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import CHARACTERS, FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES, places_in
from referee.games.five_armies.rules.asking import Ask, ChooseWithDefault
from referee.games.five_armies.rules.damage import casualties, hurt_beorn, put_damage, ward_off
from referee.games.five_armies.rules.marchers import parse_marchers
from referee.games.five_armies.rules.movement import march, reduce_to_limit
from referee.games.five_armies.rules.pieces import enemies, put_character
from referee.games.five_armies.state.battle import Battle
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Request

_BEORNS = (("beorn.never_ends_with_units", "beorn_there"), ("beorn.no_retreat_to_fp_army", "army_there"))


def enemy_strongholds(state: State, seat: int) -> int:
    """Mask of settlements and fortifications that the enemy of ``seat`` controls."""
    return state.control if seat == FREE else board.STRONGHOLDS & ~state.control


def retreat_regions(state: State, seat: int, place: int, *, beorn: bool = False) -> int:
    """Mask of the regions to which the defender may retreat by the defender's own choice."""
    near = board.NEIGHBOURS[place]
    hostile = enemies(state, seat)
    open_to_move = near & ~hostile
    bad = enemy_strongholds(state, seat)
    free_choice = open_to_move & ~bad & ~board.NEAR[hostile] & ~board.FORDS[place]
    friendly = open_to_move & (state.armies[seat] | (board.STRONGHOLDS & ~bad))
    return (free_choice | friendly) & ~_closed(state, seat, beorn)


def forced_regions(state: State, seat: int, place: int, *, beorn: bool = False) -> int:
    """Mask of the regions to which the attacker may send the retreating army of ``seat``."""
    near = board.NEIGHBOURS[place] & ~enemies(state, seat) & ~enemy_strongholds(state, seat)
    return near & ~_closed(state, seat, beorn)


def _closed(state: State, seat: int, beorn: bool) -> int:
    """Beorn never stands with Free Peoples units, so each is closed to the other."""
    if beorn:
        return state.armies[FREE]
    if seat == FREE and state.where[box.BEORN] >= 0:
        return 1 << state.where[box.BEORN]
    return 0


def why_not_retreat_to(
    state: State, seat: int, place: int, to: int, *, beorn: bool = False
) -> Refusal | None:
    """Why the defender may not choose region ``to``: None where it is allowed or no neighbour at all."""
    if not board.NEIGHBOURS[place] >> to & 1 or retreat_regions(state, seat, place, beorn=beorn) >> to & 1:
        return None
    bit = 1 << to
    hostile = enemies(state, seat)
    params = {"place": PLACES[to]}
    if hostile & bit:
        return Refusal("retreat.no_enemy_army", "retreat_enemy_army", params)
    if _closed(state, seat, beorn) & bit:
        return Refusal(*_BEORNS[beorn], params)
    if enemy_strongholds(state, seat) & bit:
        return Refusal("retreat.no_enemy_settlement", "retreat_enemy_settlement", params)
    if board.FORDS[place] & bit:
        return Refusal("retreat.not_across_ford", "retreat_ford", params)
    params["from"] = PLACES[next(iter(places_in(board.NEIGHBOURS[to] & hostile)))]
    return Refusal("retreat.not_next_to_enemy", "retreat_next_to_enemy", params)


def _why_not_forced(state: State, seat: int, to: int, beorn: bool) -> Refusal:
    bit = 1 << to
    params = {"place": PLACES[to]}
    bar = "retreat_enemy_army" if enemies(state, seat) & bit else "retreat_enemy_settlement"
    if (enemies(state, seat) | enemy_strongholds(state, seat)) & bit:
        return Refusal("retreat.forced_region_limits", bar, params)
    return Refusal(*_BEORNS[beorn], params)


def can_leave(state: State, battle: Battle) -> bool:
    """Whether there is any region for the defender, by own choice or by the attacker's."""
    seat, place, beorn = 1 - battle.attacker, battle.target, _is_beorn(battle)
    return bool(
        retreat_regions(state, seat, place, beorn=beorn) or forced_regions(state, seat, place, beorn=beorn)
    )


def _is_beorn(battle: Battle) -> bool:
    """Whether the defender is Beorn."""
    return battle.beorn and battle.attacker == SHADOW


def withdraw(state: State, battle: Battle, *, rout: bool) -> Ask:
    """The defender leaves: a rout first costs casualties, then a region is chosen and the army moves."""
    seat, place = 1 - battle.attacker, battle.target
    if rout:
        yield from casualties(state, seat, place, down_to=1, side=battle.sides[seat])
        if not state.units[place]:
            return
    beorn = _is_beorn(battle)
    choice = retreat_regions(state, seat, place, beorn=beorn)
    forced = not choice
    if forced:
        choice = forced_regions(state, seat, place, beorn=beorn)
        to = yield from _attacker_chooses(state, battle, choice, beorn)
    else:
        to = yield from _defender_chooses(state, battle, choice, beorn)
    if beorn:
        put_character(state, box.BEORN, to)
        if forced:
            hurt_beorn(state, 1, attacked=False)
        return
    along = yield from _characters_along(state, seat, place)
    units, leaders, damage = state.units[place], state.leaders[place], state.damage[place]
    march(state, seat, (place, to), units, along, leaders, damage)
    yield from reduce_to_limit(state, seat, to)
    if forced:
        yield from _forced_damage(state, battle, seat, to)


def _defender_chooses(state: State, battle: Battle, choice: int, beorn: bool) -> Generator[Request, Any, int]:
    seat, place = 1 - battle.attacker, battle.target

    def refused() -> list[tuple[str, Refusal]]:
        found = []
        for to in places_in(board.NEIGHBOURS[place]):
            refusal = why_not_retreat_to(state, seat, place, to, beorn=beorn)
            if refusal is not None:
                found.append((PLACES[to], refusal))
        return found

    answer = yield ChooseOne(
        SEATS[seat],
        "prompt.retreat_to",
        OPTIONS[choice],
        domain="place",
        about={"from": PLACES[place]},
        rule="retreat.one_region",
        refused=refused,
    )
    return PLACE[answer]


def _attacker_chooses(state: State, battle: Battle, choice: int, beorn: bool) -> Generator[Request, Any, int]:
    seat, place = 1 - battle.attacker, battle.target
    answer = yield ChooseOne(
        SEATS[battle.attacker],
        "prompt.forced_retreat_to",
        OPTIONS[choice],
        domain="place",
        about={"from": PLACES[place]},
        rule="retreat.forced_by_attacker",
        refused=lambda: [
            (PLACES[to], _why_not_forced(state, seat, to, beorn))
            for to in places_in(board.NEIGHBOURS[place] & ~choice)
        ],
    )
    return PLACE[answer]


def _forced_damage(state: State, battle: Battle, seat: int, place: int) -> Ask:
    """The extra damage of a retreat that the attacker placed; a Bodyguard spent this round still helps."""
    side = battle.sides[seat]
    if seat == SHADOW:
        if side.guarded and state.where[box.BOLG] == place:
            return
        if (yield from ward_off(state, place, 1)):
            return
    yield from put_damage(state, seat, place, 1, attacked=False)
    yield from casualties(state, seat, place, only_duty=True)


def _characters_along(state: State, seat: int, place: int) -> Generator[Request, Any, int]:
    """Which characters go with the army (a mask): the others stay in the region."""
    there = state.chars[place] & box.WALKERS[seat]
    if not there:
        return 0
    names = {CHARACTERS[character]: 1 for character in places_in(there)}
    chosen = yield ChooseWithDefault(
        SEATS[seat],
        "prompt.characters_along",
        names,
        default=names,
        proposes=True,
        domain="character",
        about={"place": PLACES[place]},
        rule="retreat.one_region",
    )
    return parse_marchers(chosen)[1]
