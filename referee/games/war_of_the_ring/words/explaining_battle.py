"""Why not, in a battle: attempts where the flow asks something else, and better reasons for refusals.

See :mod:`explaining`.  Cards, re-rolls, casualties, retreating, withdrawing into
a stronghold, ceasing and advancing each have their moment of the round; what is
said at another moment is told by which rule it does not go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.games.kit.explaining import Found, Pairs
from referee.games.war_of_the_ring.box.components import CHARACTERS, DECKS, FIGURE, SEATS, UNIT_COUNT
from referee.games.war_of_the_ring.box.map import NEIGHBOURS, PLACE, PLACES
from referee.games.war_of_the_ring.cards.combat_cards import NO_CARD, why_not_backs
from referee.games.war_of_the_ring.rules import retreat, siege
from referee.games.war_of_the_ring.rules.casualties import REDUCE
from referee.games.war_of_the_ring.rules.combat_roll import misses
from referee.games.war_of_the_ring.rules.fighting import force, leadership
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.card_data import CARDS, COMBAT_EFFECTS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseSome, Request, RollDice

Attempt = Callable[[State, Battle, Request, Words, Pairs], Refusal | None]
NO_BATTLE = "no_battle_now"


def attempted(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """What the next word attempts of a battle, None where it attempts nothing of one."""
    word = words.peek() or ""
    if word not in _RULES:
        return None
    battle = play.state.battle
    if battle is None or request is None:
        if word == "advance" and any(answer == siege.CEASE for _, answer in pairs):
            return Refusal("battle.ceased_stay", "ceased_no_advance")
        return Refusal(_RULES[word], NO_BATTLE)
    return _ATTEMPTS[word](play.state, battle, request, words, pairs)


# --- combat cards -----------------------------------------------------------------------------


def _card(state: State, battle: Battle, request: Request, words: Words, pairs: Pairs) -> Refusal:
    """``card ...``: by its name instead of its back, a second one, too late, or none that could be used."""
    said = words.peek(1) or ""
    if request.prompt == "prompt.combat_card_back" and (said in CARDS or said in COMBAT_EFFECTS):
        return Refusal("combat_card.choose", "back_first", {"card": said})
    if request.prompt == "prompt.field_or_siege":
        return Refusal("siege.withdraw", "field_or_siege_first")
    if any(r.prompt == "prompt.combat_card_back" and a != NO_CARD for r, a in pairs):
        return Refusal("combat_card.choose", "one_card_a_round")
    seat = SEATS.index(request.seat) if request.seat in SEATS else battle.attacker
    backs = dict(why_not_backs(state, battle, seat, (NO_CARD,)))
    if battle.step == "card" and said in DECKS:
        return backs[said]
    return Refusal("combat_card.choose", "cards_before_roll")


# --- dice -------------------------------------------------------------------------------------


def _reroll(state: State, battle: Battle, request: Request, words: Words, pairs: Pairs) -> Refusal:
    """A re-roll that is not asked for: before the roll, without leaders or misses, or a second time."""
    rolled = [r for r, _ in pairs if r.prompt in ("prompt.combat_roll", "prompt.leader_reroll")]
    if not rolled:
        return Refusal("battle.round", "reroll_after_roll")
    if rolled[-1].prompt == "prompt.leader_reroll":
        return Refusal("battle.reroll_number", "rerolled_already")
    seat = SEATS.index(rolled[-1].seat)
    side = battle.sides[seat]
    if side.no_reroll:
        return Refusal("combat_card.effect", "card_bars_reroll")
    if not leadership(state, battle, seat):
        return Refusal("battle.leadership", "no_leadership")
    if not misses(battle, seat):
        return Refusal("battle.leader_reroll", "no_misses")
    return Refusal("battle.round", "reroll_after_roll")


def _remove(state: State, battle: Battle, request: Request, words: Words, pairs: Pairs) -> Refusal | None:
    """Casualties where none are to be taken, or not yet; or a regular that should be reduced."""
    if request.prompt == "prompt.casualties":
        item = next((word for n in range(1, 3) if (word := words.peek(n) or "").startswith(REDUCE)), "")
        return (
            Refusal("casualty.remove", "only_elites", {"figure": item.removeprefix(REDUCE)}) if item else None
        )
    if battle.step in ("casualties", "end"):
        return Refusal("casualty.remove", "no_hits_to_take")
    return Refusal("battle.round", "casualties_after_rolls")


# --- leaving and going on ---------------------------------------------------------------------


def _retreat(state: State, battle: Battle, request: Request, words: Words, pairs: Pairs) -> Refusal:
    if battle.siege:
        return Refusal("retreat.besieged", "besieged_stays", {"place": PLACES[battle.region]})
    went_on = any(r.prompt == "prompt.cease_or_go_on" and a == siege.GO_ON for r, a in pairs)
    if went_on and not retreat.ways_out(state, battle):
        return Refusal("retreat.free_region", "no_way_out", {"place": PLACES[battle.target]})
    return Refusal("retreat.after_round", "retreat_after_round")


def _withdraw(state: State, battle: Battle, request: Request, words: Words, pairs: Pairs) -> Refusal:
    if battle.siege:
        return Refusal("siege.garrison_stays", "inside_already", {"place": PLACES[battle.region]})
    if not siege.can_withdraw(state, battle):
        return Refusal("siege.withdraw", "no_own_stronghold", {"place": PLACES[battle.target]})
    return Refusal("siege.withdraw", "withdraw_before_round")


def _cease(state: State, battle: Battle, request: Request, words: Words, pairs: Pairs) -> Refusal:
    if battle.no_cease:
        return Refusal("battle.no_cease", "card_no_cease")
    if request.prompt == "prompt.stay_or_retreat":
        return Refusal("battle.cease", "gone_on_already")
    return Refusal("battle.cease", "after_the_round")


def _go_on(state: State, battle: Battle, request: Request, words: Words, pairs: Pairs) -> Refusal:
    if battle.siege and battle.round >= battle.rounds:
        return Refusal("siege.one_round", "siege_one_round")
    return Refusal("battle.cease", "after_the_round")


def _advance(state: State, battle: Battle, request: Request, words: Words, pairs: Pairs) -> Refusal:
    if battle.sortie:
        return Refusal("siege.sortie_no_advance", "sortie_stays", {"place": PLACES[battle.region]})
    return Refusal("battle.advance", "defender_stands", {"place": PLACES[battle.target]})


_ATTEMPTS: Mapping[str, Attempt] = {
    "card": _card,
    "shows": _card,
    "reroll": _reroll,
    "remove": _remove,
    retreat.RETREAT: _retreat,
    siege.WITHDRAW: _withdraw,
    siege.FIELD: _withdraw,
    siege.CEASE: _cease,
    siege.GO_ON: _go_on,
    "advance": _advance,
}
"""By the first word of the attempt."""
_RULES: Mapping[str, str] = {
    "card": "combat_card.choose",
    "shows": "combat_card.reveal",
    "reroll": "battle.leader_reroll",
    "remove": "casualty.remove",
    retreat.RETREAT: "retreat.defender",
    siege.WITHDRAW: "siege.withdraw",
    siege.FIELD: "siege.field_battle",
    siege.CEASE: "battle.cease",
    siege.GO_ON: "battle.cease",
    "advance": "battle.advance",
}
"""The rule that such a word rests on, where no battle is fought."""
TURN_RULES: Mapping[str, str] = {
    "prompt.combat_card_back": "combat_card.choose",
    "prompt.field_or_siege": "siege.withdraw",
    "prompt.leader_reroll": "battle.leader_reroll",
    "prompt.casualties": "casualty.attacker_first",
    "prompt.cease_or_go_on": "battle.cease",
    "prompt.prolong_siege": "siege.prolong",
    "prompt.stay_or_retreat": "retreat.defender",
    "prompt.choose_retreat": "retreat.defender",
    "prompt.advance": "battle.advance",
}
"""Question of a battle to the rule by which that side is asked now."""


# --- better reasons ---------------------------------------------------------------------------


def sharpen(play: Play[State], request: Request, answer: Any, refusal: Refusal, words: Words) -> Refusal:
    """A better reason for a refusal in a battle: who cannot fall, how many dice, where nobody retreats to."""
    battle = play.state.battle
    better = _SHARPER.get(request.prompt)
    if battle is None or better is None:
        return refusal
    return better(play.state, battle, request, answer) or refusal


def _sharper_dice(state: State, battle: Battle, request: Request, answer: Any) -> Refusal | None:
    if not isinstance(request, RollDice) or not isinstance(answer, dict):
        return None
    given, wanted = sum(map(len, answer.values())), sum(request.dice.values())
    if given == wanted:
        return None
    rule = "battle.reroll_number" if request.prompt == "prompt.leader_reroll" else "battle.strength"
    return Refusal(rule, "dice_of_the_roll", {"count": wanted, "given": given})


def _sharper_figures(state: State, battle: Battle, request: Request, answer: Any) -> Refusal | None:
    """Casualties or an advance of figures that are none of the army in battle."""
    if not isinstance(request, ChooseSome) or not isinstance(answer, dict):
        return None
    seat = SEATS.index(request.seat)
    fighting = GROUP[force(state, battle, seat)].counts
    behind = GROUP[battle.rear & SEAT_BITS[seat]].counts if seat == battle.attacker else {}
    for item, number in answer.items():
        if number <= request.limits.get(item, 0):
            continue
        name = item.removeprefix(REDUCE)
        about = {"figure": name}
        if name not in FIGURE and name not in CHARACTERS:
            continue
        if item.startswith(REDUCE) and not FIGURE.get(name, 0) & 1:
            return Refusal("casualty.remove", "only_elites", about)
        if request.prompt == "prompt.casualties" and FIGURE.get(name, UNIT_COUNT) >= UNIT_COUNT:
            return Refusal("battle.army_gone", "leaders_fall_with_army", about)
        if behind.get(name, 0) and number > fighting.get(name, 0):
            return Refusal("battle.rearguard_out", "is_rearguard", about)
        if not fighting.get(name, 0):
            return Refusal(request.rule, "not_in_the_battle", about)
    return None


def _sharper_retreat(state: State, battle: Battle, request: Request, answer: Any) -> Refusal | None:
    place = PLACE.get(answer, -1) if isinstance(answer, str) else -1
    if place >= 0 and not NEIGHBOURS[battle.region] >> place & 1:
        return Refusal("retreat.defender", "retreat_not_next", {"place": PLACES[place]})
    return None


_SHARPER: Mapping[str, Callable[[State, Battle, Request, Any], Refusal | None]] = {
    "prompt.combat_roll": _sharper_dice,
    "prompt.leader_reroll": _sharper_dice,
    "prompt.additional_attack": _sharper_dice,
    "prompt.casualties": _sharper_figures,
    "prompt.advance": _sharper_figures,
    "prompt.choose_retreat": _sharper_retreat,
}
