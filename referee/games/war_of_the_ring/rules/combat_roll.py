"""Chapter VI: the combat roll, the leader re-roll, and additional attacks by cards."""

from __future__ import annotations

from referee.games.war_of_the_ring.box.map import PLACES
from referee.games.war_of_the_ring.rules.asking import Ask, roll_combat_dice
from referee.games.war_of_the_ring.rules.casualties import take_hits
from referee.games.war_of_the_ring.rules.fighting import (
    both_alive,
    combat_dice,
    is_hit,
    leadership,
    target_number,
)
from referee.games.war_of_the_ring.state.battle import MOST_DICE, Battle
from referee.games.war_of_the_ring.state.state import State


def combat_roll(state: State, battle: Battle, seat: int) -> Ask:
    """Roll a side's combat dice and count the hits."""
    side = battle.sides[seat]
    side.dice = combat_dice(state, battle, seat)
    side.target, side.target_rule = target_number(battle, seat)
    pips = yield from roll_combat_dice(
        seat,
        "prompt.combat_roll",
        side.dice,
        rule="battle.combat_roll",
        number_rule="battle.strength",
        about={"place": PLACES[battle.target], "dice": side.dice, "target": side.target - side.add},
    )
    for number in pips:
        hit = is_hit(number, side.target, side.add)
        side.rolled.append([number, int(hit), 0])
        if hit:
            side.hits += 1
            side.scored += 1


def misses(battle: Battle, seat: int) -> int:
    """How many dice of the combat roll may be rolled again: the misses, unless a card holds a one fast."""
    side = battle.sides[seat]
    return sum(
        not hit and not again and not (side.ones_fail and pips == 1) for pips, hit, again in side.rolled
    )


def rerolls(state: State, battle: Battle, seat: int) -> int:
    """How many dice a side rolls again: its leadership, its misses and five bound them."""
    if battle.sides[seat].no_reroll:
        return 0
    return min(leadership(state, battle, seat), misses(battle, seat), MOST_DICE)


def leader_reroll(state: State, battle: Battle, seat: int) -> Ask:
    """Roll as many misses again as leaders allow; the number is settled before the dice fall."""
    number = rerolls(state, battle, seat)
    if not number:
        return
    side = battle.sides[seat]
    pips = yield from roll_combat_dice(
        seat,
        "prompt.leader_reroll",
        number,
        rule="battle.leader_reroll",
        number_rule="battle.reroll_number",
        about={"place": PLACES[battle.target], "dice": number, "target": side.target - side.add_again},
    )
    for die in side.rolled:
        if number and not die[1] and not (side.ones_fail and die[0] == 1):
            die[2] = 1
            number -= 1
    for shown in pips:
        hit = is_hit(shown, side.target, side.add_again)
        side.rolled.append([shown, int(hit), 2])
        if hit:
            side.hits += 1
            side.scored += 1
            side.rerolled += 1


def additional_attack(
    state: State,
    battle: Battle,
    seat: int,
    dice: int,
    hits_on: int,
    rule: str = "combat_card.additional_attack",
) -> Ask:
    """An attack by a card: no leader re-roll, no modifier of the opponent's card; losses go at once.

    ``hits_on`` 0 is the target number of the combat roll.
    """
    dice = min(dice, MOST_DICE)
    if dice <= 0 or not both_alive(state, battle):
        return
    side = battle.sides[seat]
    target = hits_on or target_number(battle, seat)[0]
    pips = yield from roll_combat_dice(
        seat,
        "prompt.additional_attack",
        dice,
        rule=rule,
        number_rule="battle.strength",
        about={"place": PLACES[battle.target], "dice": dice, "target": target, "card": side.card},
    )
    hits = sum(is_hit(number, target, 0) for number in pips)
    side.scored += hits
    yield from take_hits(state, battle, 1 - seat, hits)
