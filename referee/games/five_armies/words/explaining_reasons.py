"""Better reasons for a refusal, from the words after it and from the board (see :mod:`explaining`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import BEORN, BOLG, CHARACTER_BITS, FREE, SEATS, SHADOW, UNITS
from referee.games.five_armies.box.map import FORTIFICATION_INDEX, PLACE
from referee.games.five_armies.rules import attacks, combat, movement
from referee.games.five_armies.rules.turn import free_pool, shadow_pool
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.card_data import CARDS, COMBAT_EFFECTS
from referee.games.five_armies.state.state import ASIDE, State
from referee.games.kit.explaining import Reasons, Refused
from referee.kernel.notation import Words
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseSome, RollDice

_SPECIAL_UNITS = {"eagles": "eagles.outside_normal_rules", "great_bats": "bats.outside_normal_rules"}


def _army(no: Refused[State]) -> Refusal | None:
    """Where an army was to go."""
    if no.answer == "eyrie":
        return Refusal("eagles.outside_normal_rules", "special_units", {"place": no.answer})
    if no.answer not in PLACE:
        return None
    return _better_march(no.state, SEATS.index(no.request.seat), no.answer, no.refusal, no.words)


def _action(no: Refused[State]) -> Refusal | None:
    return better_action(no.state, SEATS.index(no.request.seat), no.answer, no.refusal, no.words)


def _target(no: Refused[State]) -> Refusal | None:
    """An attack on a character alone, on Beorn from afar, or by Beorn on what he cannot reach."""
    place, enemy = PLACE.get(no.answer, -1), 1 - SEATS.index(no.request.seat)
    about = {"place": no.answer}
    if place < 0:
        return None
    if no.request.rule == "beorn.attack_after_move":
        return Refusal("beorn.attack_after_move", "not_next_to_beorn", about)
    if enemy == FREE and no.state.where[BEORN] == place:
        return Refusal("beorn.shadow_may_attack", "not_next_to_beorn", about)
    if no.state.chars[place] & CHARACTER_BITS[enemy] and not no.state.armies[enemy] >> place & 1:
        bolg = no.state.where[BOLG] == place
        return Refusal("bolg.alone_not_attackable" if bolg else "char.alone_not_attacked", "", about)
    return None


def _dice(no: Refused[State]) -> Refusal | None:
    """More or fewer action dice than the pool has."""
    if not isinstance(no.request, RollDice):
        return None
    seat = SEATS.index(no.request.seat)
    given, wanted = sum(map(len, no.answer.values())), sum(no.request.dice.values())
    now = free_pool(no.state) if seat == FREE else shadow_pool(no.state)
    if given == now != wanted:
        rule = "dice.extra_joins_phase1" if given > wanted else "dice.extra_leaves_phase1"
    elif given > wanted and no.state.turn == 1:
        rule = "setup.extra_dice_aside"
    elif given > wanted:
        rule = "dice.free_sixth_die" if seat == FREE else "dice.shadow_seventh_die"
    else:
        return None
    return Refusal(rule, "dice_of_the_pool", {"count": wanted})


def _combat_dice(no: Refused[State]) -> Refusal | None:
    if not isinstance(no.request, RollDice):
        return None
    given, wanted = sum(map(len, no.answer.values())), sum(no.request.dice.values())
    return Refusal("combat.dice_max_five", "dice_of_the_pool", {"count": wanted}) if given > wanted else None


def _walls_stay(state: State, name: str) -> Refusal | None:
    fort = FORTIFICATION_INDEX.get(PLACE.get(name, -1))
    if fort is None or not state.fort_damage[fort]:
        return None
    return Refusal("rally.not_fortification", "walls_stay_broken", {"place": name})


def _marchers(no: Refused[State]) -> Refusal | None:
    """Units that are there but have moved already, or that stand on the way instead of at the start."""
    if not isinstance(no.request, ChooseSome) or not isinstance(no.answer, dict):
        return None
    there = ARMY[no.state.units[PLACE[no.request.about["from"]]]].counts
    for item, number in no.answer.items():
        if item in _SPECIAL_UNITS:
            return Refusal(_SPECIAL_UNITS[item], "special_units", {"item": item})
        most = no.request.limits.get(item, 0)
        if number <= most or item not in UNITS:
            continue
        if there.get(item, 0) > most:
            return Refusal("move.no_unit_twice_per_action", "units_moved_already", {"item": item})
        if not there.get(item, 0):
            return Refusal("move.multi_no_pick_up", "not_in_the_army", {"item": item})
    return None


REASON_TESTS: Mapping[str, Callable[[Refused[State]], Any]] = {
    "tile_aside": lambda no: (
        dict(zip(box.SPECIAL_TILES, no.state.special_tiles, strict=True)).get(no.answer) == ASIDE
    ),
    "more_than_one": lambda no: isinstance(no.answer, dict) and any(n > 1 for n in no.answer.values()),
    "combat_effect": lambda no: no.answer in COMBAT_EFFECTS,
    "only_the_rules": lambda no: no.refusal.rule == "cards.rules_still_apply",
    "cards_by_name": lambda no: isinstance(no.answer, dict) and any(item in CARDS for item in no.answer),
    "walls_damaged": lambda no: _walls_stay(no.state, no.answer) is not None,
}
"""Conditions of ``refusals.yaml`` for refused answers."""
REASONS: Reasons[State] = {
    "choose_army": _army,
    "choose_attacker": _army,
    "choose_action": _action,
    "who_marches": _marchers,
    "choose_target": _target,
    "roll_action_dice": _dice,
    "combat_roll": _combat_dice,
}
"""By what is asked."""


def better_action(state: State, seat: int, action: str, refusal: Refusal, words: Words) -> Refusal:
    """A better reason why an action is not possible, by the places named after it."""
    if action == "combined_attack":
        return _better_combined(state, seat, refusal, words)
    name = words.peek() or ""
    if action == "rally" and name in PLACE and state.where[BEORN] == PLACE[name]:
        return Refusal("beorn.no_rally", "beorn_there", {"place": name})
    if action in ("recruit_goblins", "goblin_attack", "goblin_move") and seat == FREE:
        return Refusal("dice.west_joker", "no_eye", {})
    if action == "rally" and (walls := _walls_stay(state, name)) is not None:
        return walls
    if refusal.reason == "no_army_can_move" and name in PLACE:
        words.at += 1
        refusal = Refusal(refusal.rule, "nowhere_to_go", {"place": name})
        return _better_march(state, seat, name, refusal, words)
    return refusal


def _better_march(state: State, seat: int, origin: str, refusal: Refusal, words: Words) -> Refusal:
    arrow, place = words.peek(), PLACE.get(words.peek(1) or "")
    alone = state.chars[PLACE[origin]] & CHARACTER_BITS[seat]
    if refusal.reason == "character_alone" and alone and arrow == "x":
        rule = "bolg.alone_cannot_attack" if seat == SHADOW else "char.alone_no_attack"
        return Refusal(rule, "character_alone", {"place": origin})
    if refusal.reason != "nowhere_to_go" or place is None:
        return refusal
    why_not: Callable[[State, int, int, int], Refusal | None]
    why_not = movement.why_not_step if arrow == ">" else combat.why_not_attack
    return why_not(state, seat, PLACE[origin], place) or refusal


def _better_combined(state: State, seat: int, refusal: Refusal, words: Words) -> Refusal:
    if words.peek() != "x" or words.peek(2) != "from" or refusal.rule != "combined.all_must_border":
        return refusal
    target, ahead = PLACE.get(words.peek(1) or ""), 3
    while target is not None and (place := PLACE.get(words.peek(ahead) or "")) is not None:
        better = attacks.why_not_join(state, seat, place, target)
        if better is not None:
            return better
        ahead += 1
    return refusal
