"""Why not, on a march or in a combat: attempts at the wrong moment (see :mod:`explaining`)."""

from __future__ import annotations

from referee.games.five_armies.box.components import BEORN, SEATS
from referee.games.five_armies.box.map import PLACE, PLACES
from referee.games.five_armies.rules import combat, retreat
from referee.games.five_armies.state.state import State
from referee.games.kit.explaining import Attempts, Found, Moment
from referee.kernel.refusals import Refusal

_STANDS = ("choose_attacker", "choose_destination")
_BEGINS = ("prompt.choose_army", "prompt.choose_attacker", "prompt.choose_action")
_STEPS = ("prompt.choose_destination", "prompt.beorn_step")


def _attack_mark(at: Moment[State]) -> Found:
    """``x place`` where no target is asked for: the attack is impossible."""
    target, request = PLACE.get(at.words.peek(1) or ""), at.request
    if target is None:
        return None
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
    last, _ = steps[0]
    if last.prompt == "prompt.beorn_step":
        return Refusal("beorn.move_will_of_west", "goes_no_farther")
    strategic = last.rule in ("move.army_die_strategic", "move.eye_strategic")
    return Refusal("move.to_adjacent_region" if strategic else last.rule, "goes_no_farther")


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
        return Refusal("retreat.impossible", "no_retreat_region")
    return Refusal("combat.declare_attacker_first", "not_now")


ATTEMPTS: Attempts[State] = {
    "x": _attack_mark,
    ">": _farther,
    "beorn": _beorn,
    "retreat": _leave,
    "rout": _leave,
}
"""What is attempted, by its first word."""
