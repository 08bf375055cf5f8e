"""Chapter VI: resolving a battle, round by round.

``attacks.begin`` sets ``state.battle`` up; :func:`fight` carries it to its end
and is also where a game goes on that restarts at a milestone inside a battle.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from referee.games.war_of_the_ring.box.components import FREE, GANDALF_WHITE
from referee.games.war_of_the_ring.box.map import PLACES
from referee.games.war_of_the_ring.rules import occasions, retreat, siege
from referee.games.war_of_the_ring.rules.aftermath import finish
from referee.games.war_of_the_ring.rules.asking import Ask, ask_whether, choose
from referee.games.war_of_the_ring.rules.casualties import take_hits
from referee.games.war_of_the_ring.rules.combat_roll import combat_roll, leader_reroll
from referee.games.war_of_the_ring.rules.fighting import alive, characters, has_nazgul
from referee.games.war_of_the_ring.rules.siege import CEASE, GO_ON
from referee.games.war_of_the_ring.state.battle import BEATEN, CEASED, DESTROYED, RETREATED, WITHDREW, Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.play import MILESTONE, Milestone
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request

FIGHT = "fight"
"""``state.step`` while a battle runs."""
BEFORE_ROLL, BEFORE_REROLL, AFTER_REROLL, AFTER_CASUALTIES = (0, 1, 2, 3), (4,), (5, 6), (7,)
"""Timing numbers of the combat cards in each part of a round."""


def fight(state: State) -> Ask:
    """The running battle, from its beginning or from the start of a round, to its end."""
    battle = state.battle
    assert battle is not None
    state.step = FIGHT
    if battle.round == 0:
        yield from _white_rider(state, battle)
        battle.round = 1
    while True:
        yield MILESTONE
        yield from _round(state, battle)
        if battle.ended:
            break
        yield from occasions.draws_for_combat_card(state, battle)
        battle.round += 1
    yield from finish(state, battle)
    yield from occasions.draws_for_combat_card(state, battle)
    state.battle = None


def _white_rider(state: State, battle: Battle) -> Ask:
    """Gandalf the White may forfeit his leadership to negate that of all Nazgul for the whole battle."""
    if not characters(state, battle, FREE) >> GANDALF_WHITE & 1 or not has_nazgul(state, battle):
        return
    battle.negated = yield from ask_whether(
        FREE, "prompt.white_rider", rule="battle.white_rider", about={"place": PLACES[battle.target]}
    )


# --- a combat round ---------------------------------------------------------------------------


def _round(state: State, battle: Battle) -> Ask:
    """One combat round; ``battle.ended`` says afterwards whether and how the battle is over."""
    battle.new_round()
    if siege.can_withdraw(state, battle) and (yield from siege.offer_withdrawal(state, battle)):
        battle.ended = WITHDREW
        return
    yield from occasions.choose_combat_cards(state, battle)
    carded = occasions.any_combat_card(battle)
    if carded:
        yield from _apply(state, battle, BEFORE_ROLL)
        if battle.ended or _somebody_fell(state, battle):
            return
    yield from _rolls(state, battle, carded)
    battle.step = "casualties"
    yield from _casualties(state, battle)
    if _somebody_fell(state, battle):
        return
    if carded:
        yield from _apply(state, battle, AFTER_CASUALTIES)
        if _somebody_fell(state, battle):
            return
    battle.step = "end"
    yield from _end_of_round(state, battle)


def _apply(state: State, battle: Battle, timings: tuple[int, ...]) -> Ask:
    for timing in timings:
        yield from occasions.apply_combat_cards(state, battle, timing)


def _rolls(state: State, battle: Battle, carded: bool) -> Ask:
    battle.step = "roll"
    yield from combat_roll(state, battle, battle.attacker)
    yield from combat_roll(state, battle, battle.defender)
    if carded:
        yield from _apply(state, battle, BEFORE_REROLL)
    battle.step = "reroll"
    yield from leader_reroll(state, battle, battle.attacker)
    yield from leader_reroll(state, battle, battle.defender)
    if carded:
        yield from _apply(state, battle, AFTER_REROLL)


def _casualties(state: State, battle: Battle) -> Ask:
    """Both sides remove their losses at once; the attacker says first how."""
    attacker, defender = battle.attacker, battle.defender
    suffered = battle.sides[defender].hits, battle.sides[attacker].hits
    yield from take_hits(state, battle, attacker, suffered[0])
    yield from take_hits(state, battle, defender, suffered[1])


def _somebody_fell(state: State, battle: Battle) -> bool:
    """Note the end of the battle where an army has lost its last unit."""
    if not alive(state, battle, battle.defender):
        battle.ended = DESTROYED
    elif not alive(state, battle, battle.attacker):
        battle.ended = BEATEN
    return bool(battle.ended)


# --- the end of a round -----------------------------------------------------------------------


def _end_of_round(state: State, battle: Battle) -> Ask:
    if battle.siege and battle.round >= battle.rounds:
        if not (yield from siege.prolong(state, battle)):
            battle.ended = CEASED
        return
    if not (yield from _goes_on(battle)):
        battle.ended = CEASED
    elif not battle.siege and (yield from retreat.offer_retreat(state, battle)):
        battle.ended = RETREATED


def _goes_on(battle: Battle) -> Generator[Request | Milestone, Any, bool]:
    """The attacker ceases or goes on; the defender speaks only after him."""
    defenders = [(retreat.RETREAT, Refusal("retreat.defender", "only_defender_retreats"))]
    bound = [(CEASE, Refusal("battle.no_cease", "card_no_cease"))] if battle.no_cease else []
    chosen = yield from choose(
        battle.attacker,
        "prompt.cease_or_go_on",
        (GO_ON,) if bound else (CEASE, GO_ON),
        about={"place": PLACES[battle.target], "round": battle.round},
        rule="battle.cease",
        refused=lambda: [*defenders, *bound],
        at_once=(GO_ON,),
    )
    return bool(chosen == GO_ON)
