"""Why not, in a battle: attempts where the flow asks something else, and better reasons for refusals.

See :mod:`explaining`.  Cards, re-rolls, casualties, retreating, withdrawing into
a stronghold, ceasing and advancing each have their moment of the round; what is
said at another moment is told by which rule it does not go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.kit.explaining import Found, Moment
from referee.games.war_of_the_ring.box.components import DECKS, SEATS
from referee.games.war_of_the_ring.box.map import PLACES
from referee.games.war_of_the_ring.cards.combat_cards import NO_CARD, why_not_backs
from referee.games.war_of_the_ring.rules import retreat, siege
from referee.games.war_of_the_ring.rules.casualties import REDUCE
from referee.games.war_of_the_ring.rules.combat_roll import misses
from referee.games.war_of_the_ring.rules.fighting import leadership
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.card_data import CARDS, COMBAT_EFFECTS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

At = Moment[State]


def attempted(at: At) -> Found:
    """What the next word attempts of a battle, None where it attempts nothing of one."""
    word = at.words.peek() or ""
    if word not in _ATTEMPTS:
        return None
    rule, attempt = _ATTEMPTS[word]
    if at.state.battle is not None and at.request is not None:
        return attempt(at, at.state.battle)
    if word == "advance" and any(answer == siege.CEASE for _, answer in at.pairs):
        return Refusal("battle.ceased_stay", "ceased_no_advance")
    return Refusal(rule, "no_battle_now")


def _card(at: At, battle: Battle) -> Refusal:
    """``card ...``: by its name instead of its back, a second one, too late, or none that could be used."""
    said = at.words.peek(1) or ""
    if at.asked("combat_card_back") and (said in CARDS or said in COMBAT_EFFECTS):
        return Refusal("combat_card.choose", "back_first", {"card": said})
    if at.asked("field_or_siege"):
        return Refusal("siege.withdraw", "field_or_siege_first")
    if set(at.answered("combat_card_back")) - {NO_CARD}:
        return Refusal("combat_card.choose", "one_card_a_round")
    if battle.step == "card" and said in DECKS:
        asked = "" if at.request is None else at.request.seat
        seat = SEATS.index(asked) if asked in SEATS else battle.attacker
        return dict(why_not_backs(at.state, battle, seat, (NO_CARD,)))[said]
    return Refusal("combat_card.choose", "cards_before_roll")


def _reroll(at: At, battle: Battle) -> Refusal:
    """A re-roll that is not asked for: before the roll, without leaders or misses, or a second time."""
    rolled = [r for r, _ in at.pairs if r.prompt in ("prompt.combat_roll", "prompt.leader_reroll")]
    if rolled and rolled[-1].prompt == "prompt.leader_reroll":
        return Refusal("battle.reroll_number", "rerolled_already")
    if rolled:
        seat = SEATS.index(rolled[-1].seat)
        if battle.sides[seat].no_reroll:
            return Refusal("combat_card.effect", "card_bars_reroll")
        if not leadership(at.state, battle, seat):
            return Refusal("battle.leadership", "no_leadership")
        if not misses(battle, seat):
            return Refusal("battle.leader_reroll", "no_misses")
    return Refusal("battle.round", "reroll_after_roll")


def _remove(at: At, battle: Battle) -> Refusal | None:
    """Casualties where none are to be taken, or not yet; or a regular that should be reduced."""
    if at.asked("casualties"):
        said = (at.words.peek(n) or "" for n in range(1, 3))
        item = next((word for word in said if word.startswith(REDUCE)), "")
        figure = {"figure": item.removeprefix(REDUCE)}
        return Refusal("casualty.remove", "only_elites", figure) if item else None
    if battle.step in ("casualties", "end"):
        return Refusal("casualty.remove", "no_hits_to_take")
    return Refusal("battle.round", "casualties_after_rolls")


def _retreat(at: At, battle: Battle) -> Refusal:
    if battle.siege:
        return Refusal("retreat.besieged", "besieged_stays", {"place": PLACES[battle.region]})
    if siege.GO_ON in at.answered("cease_or_go_on") and not retreat.ways_out(at.state, battle):
        return Refusal("retreat.free_region", "no_way_out", {"place": PLACES[battle.target]})
    return Refusal("retreat.after_round", "retreat_after_round")


def _withdraw(at: At, battle: Battle) -> Refusal:
    if battle.siege:
        return Refusal("siege.garrison_stays", "inside_already", {"place": PLACES[battle.region]})
    if not siege.can_withdraw(at.state, battle):
        return Refusal("siege.withdraw", "no_own_stronghold", {"place": PLACES[battle.target]})
    return Refusal("siege.withdraw", "withdraw_before_round")


def _cease(at: At, battle: Battle) -> Refusal:
    if battle.no_cease:
        return Refusal("battle.no_cease", "card_no_cease")
    return Refusal("battle.cease", "gone_on_already" if at.asked("stay_or_retreat") else "after_the_round")


def _go_on(at: At, battle: Battle) -> Refusal:
    if battle.siege and battle.round >= battle.rounds:
        return Refusal("siege.one_round", "siege_one_round")
    return Refusal("battle.cease", "after_the_round")


def _advance(at: At, battle: Battle) -> Refusal:
    if battle.sortie:
        return Refusal("siege.sortie_no_advance", "sortie_stays", {"place": PLACES[battle.region]})
    return Refusal("battle.advance", "defender_stands", {"place": PLACES[battle.target]})


_ATTEMPTS: Mapping[str, tuple[str, Callable[[At, Battle], Refusal | None]]] = {
    "card": ("combat_card.choose", _card),
    "shows": ("combat_card.reveal", _card),
    "reroll": ("battle.leader_reroll", _reroll),
    "remove": ("casualty.remove", _remove),
    retreat.RETREAT: ("retreat.defender", _retreat),
    siege.WITHDRAW: ("siege.withdraw", _withdraw),
    siege.FIELD: ("siege.field_battle", _withdraw),
    siege.CEASE: ("battle.cease", _cease),
    siege.GO_ON: ("battle.cease", _go_on),
    "advance": ("battle.advance", _advance),
}
"""First word of an attempt to the rule that it rests on where no battle is fought, and why not in one."""
TURN_RULES: Mapping[str, str] = {
    "combat_card_back": "combat_card.choose",
    "field_or_siege": "siege.withdraw",
    "leader_reroll": "battle.leader_reroll",
    "casualties": "casualty.attacker_first",
    "cease_or_go_on": "battle.cease",
    "prolong_siege": "siege.prolong",
    "stay_or_retreat": "retreat.defender",
    "choose_retreat": "retreat.defender",
    "advance": "battle.advance",
}
"""Question of a battle to the rule by which that side is asked now."""
