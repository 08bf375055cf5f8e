"""Why not, on a march or in a combat: attempts at the wrong moment (see :mod:`explaining`)."""

from __future__ import annotations

from referee.games.five_armies.box.components import BEORN, SEATS, SHADOW, UNITS
from referee.games.five_armies.box.map import NEIGHBOURS, PLACE, PLACES
from referee.games.five_armies.rules import attacks, combat, retreat
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State
from referee.games.five_armies.words.notation import ALIASES
from referee.games.kit.explaining import Attempts, Found, Moment
from referee.kernel.refusals import Refusal

_STANDS = ("choose_attacker", "choose_destination")
_BEGINS = ("prompt.choose_army", "prompt.choose_attacker", "prompt.choose_action")
_STEPS = ("prompt.choose_destination", "prompt.beorn_step")


def repeated_units(at: Moment[State]) -> Found:
    """Units named where the whole of a small army went without a question."""
    if at.last not in _STANDS:
        return None
    number, unit = at.words.peek(), at.words.peek(1)
    skip = 2
    if number is not None and not number.isdigit():
        number, unit, skip = "1", number, 1
    name = ALIASES.get(unit or "", unit or "")
    if name not in UNITS or number is None:
        return None
    place = PLACE.get(at.pairs[-1][1])
    there = 0 if place is None else ARMY[at.state.units[place]].counts.get(name, 0)
    if there < int(number):
        return Refusal("move.split_by_moving_part", "only_so_many", {"item": name, "maximum": there})
    return skip


def _attack_mark(at: Moment[State]) -> Found:
    """``x place`` where no target is asked for: the attack is impossible, or it was forced."""
    target, battle, request = PLACE.get(at.words.peek(1) or ""), at.state.combat, at.request
    if target is None:
        return None
    if battle is not None and battle.round <= 1 and battle.target == target:
        return 2
    if request is not None and at.asked("combined_armies") and request.about["to"] == PLACES[target]:
        return 2
    if "move" in at.answered("card_move_or_attack"):
        return Refusal("cards.move_attack_optional", "move_or_attack")
    if request is None:
        return None
    if at.asked("reduce", "reduce_army"):
        return Refusal("move.merge_before_attack", "reduce_first")
    if at.asked("choose_destination"):
        origin = PLACE[request.about["place"]]
        return combat.why_not_attack(at.state, SEATS.index(request.seat), origin, target)
    return _attack_after(at, target) if at.pairs else None


def _attack_after(at: Moment[State], target: int) -> Found:
    """Why the army that was named before does not attack."""
    last, answer = at.pairs[-1]
    if at.last == "choose_action" and answer == "combined_attack":
        return Refusal("combined.all_must_border", "two_armies_needed", {"place": PLACES[target]})
    stood = at.answered(*_STANDS)
    if stood and stood[-1] in PLACE:
        return combat.why_not_attack(at.state, SEATS.index(last.seat), PLACE[stood[-1]], target)
    return None


def _joined(at: Moment[State]) -> Found:
    """``from a b``: who joins a combined attack, where exactly two could and were not asked for."""
    battle = at.state.combat
    if battle is None or not battle.combined:
        return None
    if at.prompt.startswith("advance"):
        return Refusal("combined.survivor_may_advance", "army_fell")
    count = 1
    while (place := PLACE.get(at.words.peek(count) or "")) is not None:
        refusal = attacks.why_not_join(at.state, battle.attacker, place, battle.target)
        if refusal is not None:
            return refusal
        if not battle.armies >> place & 1:
            return Refusal("combined.all_must_border", "no_own_army", {"place": PLACES[place]})
        count += 1
    return count


def _damage(at: Moment[State]) -> Found:
    """``damage n`` where the share was forced by the numbers."""
    number = at.words.peek(1) or ""
    to = next((place for place in reversed(at.answered("choose_destination")) if place in PLACE), None)
    if to is None or not number.isdigit() or at.last != "who_marches":
        return None
    there = PLACE[to]
    marched = sum(number for item, number in at.pairs[-1][1].items() if item in UNITS)
    share = at.state.damage[there]
    if ARMY[at.state.units[there]].size > marched or int(number) == share:
        return 2
    return Refusal("move.split_damage_tokens", "damage_share", {"minimum": share, "maximum": share})


def _farther(at: Moment[State]) -> Found:
    """``> place`` where the move is over: too far, or halted by an enemy next door."""
    if at.asked("casualties"):
        return Refusal("rout.casualties_before_move", "casualties_first")
    if at.last in ("retreat_to", "forced_retreat_to"):
        return Refusal("retreat.one_region", "goes_no_farther")
    if at.last in ("choose_character", "ask_movement"):
        return Refusal("char.move_rating", "goes_no_farther")
    steps = []
    for asked, answer in reversed(at.pairs):
        if asked.prompt in _STEPS:
            steps.append((asked, answer))
        elif steps or asked.prompt in _BEGINS:
            break
    if not steps or steps[0][1] not in PLACE:
        return None
    last, name = steps[0]
    if last.prompt == "prompt.beorn_step":
        return Refusal("beorn.move_will_of_west", "goes_no_farther")
    if last.rule != "move.character_die_fast" or len(steps) > 1:
        strategic = last.rule in ("move.army_die_strategic", "move.eye_strategic")
        return Refusal("move.to_adjacent_region" if strategic else last.rule, "goes_no_farther")
    return _why_halted(at.state, SEATS.index(last.seat), name)


def _why_halted(state: State, seat: int, name: str) -> Refusal:
    """Why a fast move ends in the region of this name after its first step."""
    near, beorn = NEIGHBOURS[PLACE[name]], state.where[BEORN]
    if near & state.armies[1 - seat]:
        return Refusal("move.multi_stop_near_enemy", "enemy_next_door", {"place": name})
    if seat == SHADOW and beorn >= 0 and near >> beorn & 1:
        return Refusal("beorn.stops_fast_shadow", "beorn_next_door", {"place": name})
    return Refusal("move.to_adjacent_region", "nowhere_to_go", {"place": name})


def _beorn(at: Moment[State]) -> Found:
    where = at.state.where[BEORN]
    if where < 0 or not at.asked("choose_rally"):
        return None
    return Refusal("beorn.no_rally", "beorn_there", {"place": PLACES[where]})


def _leave(at: Moment[State]) -> Found:
    """Retreat or rout where it is not asked for."""
    battle = at.state.combat
    if battle is None:
        rule = "combat.attacker_may_break_off" if at.pairs else "retreat.needs_regroup"
        return Refusal(rule, "combat_over")
    if battle.round == battle.no_retreat_in_round + 1 and at.words.peek() == "retreat":
        return Refusal("cards.all_effects_apply", "no_retreat_this_round")
    if not retreat.can_leave(at.state, battle):
        return Refusal("retreat.impossible", "nowhere_to_go", {"place": PLACES[battle.target]})
    return Refusal("combat.declare_attacker_first", "not_now")


ATTEMPTS: Attempts[State] = {
    "x": _attack_mark,
    "from": _joined,
    ">": _farther,
    "damage": _damage,
    "beorn": _beorn,
    "retreat": _leave,
    "rout": _leave,
}
"""What is attempted, by its first word."""
