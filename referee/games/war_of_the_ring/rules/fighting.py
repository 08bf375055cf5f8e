"""Chapter VI: what an army is worth in a battle: combat strength, leadership, dice, target numbers."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import CITIES, FORTIFICATIONS, places_in
from referee.games.war_of_the_ring.state.armies import GROUP, NAZGUL_BITS, SEAT_BITS, UNIT_BITS, count
from referee.games.war_of_the_ring.state.battle import MOST_DICE, Battle
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

HITS_ON = 5
HARD_TO_HIT = 6
_WALLS = CITIES | FORTIFICATIONS


# --- who fights -------------------------------------------------------------------------------


def force(state: State, battle: Battle, seat: int) -> int:
    """The figures of a side that take part: the attacker's without the rearguard, all of the defender's."""
    if seat == battle.attacker:
        return (state.figures[battle.start] & SEAT_BITS[seat]) - battle.rear
    return state.figures[battle.target] & SEAT_BITS[seat]


def characters(state: State, battle: Battle, seat: int) -> int:
    """Mask of the characters of a side that take part."""
    there = state.chars[battle.place_of(seat)] & box.CHARACTERS_OF_SEAT[seat]
    return there & ~battle.rear_chars if seat == battle.attacker else there


def units(state: State, battle: Battle, seat: int) -> int:
    """How many army units of a side still fight."""
    return GROUP[force(state, battle, seat) & UNIT_BITS].units


def alive(state: State, battle: Battle, seat: int) -> bool:
    """Whether a side still has army units in the battle."""
    return bool(force(state, battle, seat) & UNIT_BITS)


def both_alive(state: State, battle: Battle) -> bool:
    """Whether there is still a battle."""
    return alive(state, battle, box.FREE) and alive(state, battle, box.SHADOW)


# --- leadership -------------------------------------------------------------------------------


def nazgul_negated(battle: Battle) -> bool:
    """Gandalf the White negates the Nazgul, unless his abilities are cancelled in this round."""
    return battle.negated and not battle.sides[box.FREE].blank >> box.GANDALF_WHITE & 1


def nazgul_leadership(state: State, battle: Battle) -> int:
    """The leadership of the Nazgul in the battle, the Witch-king's included, without what was forfeited."""
    if nazgul_negated(battle):
        return 0
    figures = force(state, battle, box.SHADOW)
    points = GROUP[figures & NAZGUL_BITS].nazgul
    if characters(state, battle, box.SHADOW) >> box.WITCH_KING & 1:
        points += box.LEADERSHIP[box.WITCH_KING]
    return max(0, points - battle.sides[box.SHADOW].forfeited)


def has_nazgul(state: State, battle: Battle) -> bool:
    """Whether a Nazgul takes part; the Witch-king is one."""
    return bool(
        force(state, battle, box.SHADOW) & NAZGUL_BITS
        or characters(state, battle, box.SHADOW) >> box.WITCH_KING & 1
    )


def why_not_fighting(state: State, battle: Battle, seat: int, name: str, rule: str) -> Refusal | None:
    """Why a figure or character is none of a side's in a battle: a rearguard keeps out of it."""
    there = GROUP[force(state, battle, seat)].counts
    behind = GROUP[battle.rear & SEAT_BITS[seat]].counts if seat == battle.attacker else {}
    if behind.get(name, 0):
        return Refusal("battle.rearguard_out", "is_rearguard", {"figure": name})
    if name in there or (name not in box.FIGURE and name not in box.CHARACTER):
        return None
    return Refusal(rule, "not_in_the_battle", {"figure": name})


def leadership(state: State, battle: Battle, seat: int) -> int:
    """The leadership of a side: leaders or Nazgul, and the ratings of its characters; it may exceed five."""
    side = battle.sides[seat]
    there = characters(state, battle, seat)
    points = 0
    if seat == box.SHADOW:
        points = nazgul_leadership(state, battle)
        there &= ~(1 << box.WITCH_KING)
        if state.where[box.SARUMAN] >= 0:
            points += count(force(state, battle, box.SHADOW), box.ELITE[box.ISENGARD])
    else:
        points = GROUP[force(state, battle, box.FREE)].leaders
        if battle.negated:
            there &= ~(1 << box.GANDALF_WHITE)
    for character in places_in(there & ~side.silent):
        points += box.LEADERSHIP[character]
    return points


# --- dice -------------------------------------------------------------------------------------


def strength(state: State, battle: Battle, seat: int) -> int:
    """Combat strength: army units, and one for each Captain of the West; it may exceed five."""
    points = units(state, battle, seat)
    if seat == box.FREE and points:
        captains = characters(state, battle, box.FREE) & box.CAPTAINS & ~battle.sides[box.FREE].blank
        points += captains.bit_count()
    return points


def combat_dice(state: State, battle: Battle, seat: int) -> int:
    """Dice of the combat roll: the strength, five at most, less what cards take away; one always stays."""
    side = battle.sides[seat]
    dice = min(strength(state, battle, seat), MOST_DICE)
    fewer = side.fewer + (battle.shadow_dice_less if seat == box.SHADOW else 0)
    if fewer:
        dice = max(1, dice - fewer) if dice else 0
    return min(dice, side.most)


def target_number(battle: Battle, seat: int) -> tuple[int, str]:
    """What a die must show to hit, and the rule that says so."""
    if seat != battle.attacker:
        return HITS_ON, "battle.hit_on_five"
    if battle.siege:
        return HARD_TO_HIT, "siege.attacker_hits_on_six"
    if battle.round == 1 and _WALLS >> battle.target & 1:
        return HARD_TO_HIT, "battle.city_first_round"
    return HITS_ON, "battle.hit_on_five"


def is_hit(pips: int, target: int, modifier: int) -> bool:
    """A one always misses, a six always hits; else the modified die must reach the target number."""
    return pips != 1 and (pips == 6 or pips + modifier >= target)
