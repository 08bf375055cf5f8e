"""Why not, in a combat: attempts at a moment when the flow asks something else (see :mod:`explaining`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.five_armies.box.components import BOLG, FREE, SHADOW, UNITS, WARGS
from referee.games.five_armies.box.map import PLACES, TERRITORY
from referee.games.five_armies.rules import retreat
from referee.games.five_armies.state.battle import VAMPIRE_LIKE, Battle
from referee.games.five_armies.state.state import State
from referee.games.kit.explaining import Found, Pairs
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request


def _leave(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """Retreat or rout where it is not asked for."""
    battle = play.state.combat
    if battle is None:
        return Refusal("combat.attacker_may_break_off" if pairs else "retreat.needs_regroup", "combat_over")
    if battle.round == battle.no_retreat_in_round + 1 and words.peek() == "retreat":
        return Refusal("cards.all_effects_apply", "no_retreat_this_round")
    if not retreat.can_leave(play.state, battle):
        return Refusal("retreat.impossible", "nowhere_to_go", {"place": PLACES[battle.target]})
    return Refusal("combat.declare_attacker_first", "not_now")


def _advance(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """An advance that nobody is asked for."""
    if any(r.prompt == "prompt.advance" and a for r, a in pairs):
        return Refusal("combined.advance_one_army", "one_army_advances")
    broke_off = any(r.prompt == "prompt.break_off" and a == "break_off" for r, a in pairs)
    if broke_off:
        return Refusal("advance.only_if_defender_gone", "broke_off")
    if play.state.combat is None:
        return Refusal("advance.attacker_wins_when", "nobody_left")
    return Refusal("advance.only_if_defender_gone", "defender_stands")


def _reroll(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """A re-roll that is not offered: of a hit, without leadership, or a second time."""
    last = pairs[-1][0].prompt if pairs else ""
    if last.startswith("prompt.rally"):
        rule = "rally.reroll_final" if last == "prompt.rally_again" else "rally.reroll_leadership"
        return Refusal(rule, "no_reroll")
    if play.state.combat is None:
        return None
    if any(r.prompt == "prompt.combat_reroll_dice" for r, _ in _this_round(pairs)):
        return Refusal("combat.leader_reroll_once", "no_reroll")
    return Refusal("combat.leader_reroll", "no_reroll")


def _this_round(pairs: Pairs) -> Pairs:
    for index in range(len(pairs) - 1, -1, -1):
        if pairs[index][0].prompt.startswith("prompt.manoeuvre"):
            return pairs[index:]
    return pairs


def _use(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """An ability of a unit card that may not be used."""
    battle = play.state.combat
    if battle is None:
        return Refusal("manoeuvre.ability_optional_attacker_declares_first", "ability_not_now")
    return _why_no_ability(play.state, battle)


def _why_no_ability(state: State, battle: Battle) -> Refusal:
    played = [battle.sides[seat] for seat in (FREE, SHADOW) if 0 <= battle.sides[seat].card < len(UNITS)]
    if not played:
        return Refusal("manoeuvre.unit_card_depends_on_roll", "no_unit_card")
    triggered = [side for side in played if side.ability]
    if not triggered:
        return Refusal("manoeuvre.trigger_black_hit", "no_black_hit")
    if battle.beorn and triggered[0].card == WARGS:
        return Refusal("beorn.immune_wargs", "beorn_immune")
    return Refusal("manoeuvre.ability_optional_attacker_declares_first", "ability_not_now")


def _use_bat(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    battle = play.state.combat
    if battle is None:
        return None
    if not play.state.bats[TERRITORY[battle.target]]:
        return Refusal("bats.vampire_no_effect_without_bat", "no_bat")
    if battle.sides[SHADOW].card != VAMPIRE_LIKE:
        return Refusal("manoeuvre.vampire_like_every_round", "card_not_played")
    return Refusal("bats.vampire_extra_damage", "no_damage_dealt")


def _guard(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    state = play.state
    if state.where[BOLG] < 0 or not state.bodyguards:
        return Refusal("bolg.bodyguard_cancels_round", "no_bodyguard")
    return Refusal("bolg.bodyguard_own_army_only", "not_bolgs_army")


def _cards(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``cards free ...`` in a combat where Beorn's side lays none."""
    battle = play.state.combat
    if battle is None:
        return None
    if battle.beorn and words.peek(1) == "free":
        return Refusal("beorn.no_cards", "beorn_no_cards")
    return Refusal("manoeuvre.play_one_card", "one_card")


COMBAT_HANDLERS: Mapping[str, Callable[[Play[State], Request | None, Words, Pairs], Found]] = {
    "retreat": _leave,
    "rout": _leave,
    "advance": _advance,
    "reroll": _reroll,
    "use": _use,
    "use_bat": _use_bat,
    "guard": _guard,
    "cards": _cards,
}
"""By the first word of the attempt."""
