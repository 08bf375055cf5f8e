"""Why not, in a combat: attempts at a moment when the flow asks something else (see :mod:`explaining`)."""

from __future__ import annotations

from referee.games.five_armies.box.components import BOLG, SHADOW, UNITS, WARGS
from referee.games.five_armies.box.map import PLACES, TERRITORY
from referee.games.five_armies.rules import retreat
from referee.games.five_armies.state.battle import VAMPIRE_LIKE
from referee.games.five_armies.state.state import State
from referee.games.kit.explaining import Attempts, Found, Moment
from referee.kernel.refusals import Refusal

_ABILITY_RULE = "manoeuvre.ability_optional_attacker_declares_first"
TURN_RULES = {
    "prompt.forced_retreat_to": "retreat.forced_by_attacker",
    "prompt.break_off": "combat.declare_attacker_first",
    "prompt.use_ability": _ABILITY_RULE,
    "prompt.advance": "advance.only_attacker",
    "prompt.advance_from": "advance.only_attacker",
}
"""Why the other side may not speak, by what is asked."""


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


def _advance(at: Moment[State]) -> Found:
    """An advance that nobody is asked for."""
    if any(at.answered("advance")):
        return Refusal("combined.advance_one_army", "one_army_advances")
    if "break_off" in at.answered("break_off"):
        return Refusal("advance.only_if_defender_gone", "broke_off")
    if at.state.combat is None:
        return Refusal("advance.attacker_wins_when", "nobody_left")
    return Refusal("advance.only_if_defender_gone", "defender_stands")


def _reroll(at: Moment[State]) -> Found:
    """A re-roll that is not offered: of a hit, without leadership, or a second time."""
    if at.last.startswith("rally"):
        again = at.last == "rally_again"
        return Refusal("rally.reroll_final" if again else "rally.reroll_leadership", "no_reroll")
    if at.state.combat is None:
        return None
    for request, _ in reversed(at.pairs):
        if request.prompt == "prompt.combat_reroll_dice":
            return Refusal("combat.leader_reroll_once", "no_reroll")
        if request.prompt.startswith("prompt.manoeuvre"):
            break  # the round began here
    return Refusal("combat.leader_reroll", "no_reroll")


def _use(at: Moment[State]) -> Found:
    """An ability of a unit card that may not be used."""
    battle = at.state.combat
    if battle is None:
        return Refusal(_ABILITY_RULE, "ability_not_now")
    played = [side for side in battle.sides if 0 <= side.card < len(UNITS)]
    if not played:
        return Refusal("manoeuvre.unit_card_depends_on_roll", "no_unit_card")
    triggered = [side for side in played if side.ability]
    if not triggered:
        return Refusal("manoeuvre.trigger_black_hit", "no_black_hit")
    if battle.beorn and triggered[0].card == WARGS:
        return Refusal("beorn.immune_wargs", "beorn_immune")
    return Refusal(_ABILITY_RULE, "ability_not_now")


def _use_bat(at: Moment[State]) -> Found:
    battle = at.state.combat
    if battle is None:
        return None
    if not at.state.bats[TERRITORY[battle.target]]:
        return Refusal("bats.vampire_no_effect_without_bat", "no_bat")
    if battle.sides[SHADOW].card != VAMPIRE_LIKE:
        return Refusal("manoeuvre.vampire_like_every_round", "card_not_played")
    return Refusal("bats.vampire_extra_damage", "no_damage_dealt")


def _guard(at: Moment[State]) -> Found:
    if at.state.where[BOLG] < 0 or not at.state.bodyguards:
        return Refusal("bolg.bodyguard_cancels_round", "no_bodyguard")
    return Refusal("bolg.bodyguard_own_army_only", "not_bolgs_army")


def _cards(at: Moment[State]) -> Found:
    """``cards free ...`` in a combat where Beorn's side lays none."""
    battle = at.state.combat
    if battle is None:
        return None
    if battle.beorn and at.words.peek(1) == "free":
        return Refusal("beorn.no_cards", "beorn_no_cards")
    return Refusal("manoeuvre.play_one_card", "one_card")


ATTEMPTS: Attempts[State] = {
    "retreat": _leave,
    "rout": _leave,
    "advance": _advance,
    "reroll": _reroll,
    "use": _use,
    "use_bat": _use_bat,
    "guard": _guard,
    "cards": _cards,
}
"""What is attempted, by its first word."""
