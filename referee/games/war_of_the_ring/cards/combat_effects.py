"""The primitives of combat cards: what the steps in ``box/combat_cards.toml`` do.

Each takes the state, the battle, the seat whose card it is, and the step.  Cards
whose effect is declared by hand run through the same primitives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import PLACES, places_in
from referee.games.war_of_the_ring.cards.combat_data import KINGS
from referee.games.war_of_the_ring.rules import retreat, siege
from referee.games.war_of_the_ring.rules.asking import Ask, choose, roll_combat_dice
from referee.games.war_of_the_ring.rules.casualties import endurance, take_hits
from referee.games.war_of_the_ring.rules.combat_roll import additional_attack, misses
from referee.games.war_of_the_ring.rules.fighting import (
    alive,
    characters,
    force,
    leadership,
    nazgul_leadership,
    units,
)
from referee.games.war_of_the_ring.rules.pieces import eliminate, remove_figures
from referee.games.war_of_the_ring.state.armies import GROUP, NAZGUL_BITS, ONE, UNIT_BITS, count
from referee.games.war_of_the_ring.state.battle import RETREATED, WITHDREW, Battle, Side
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.requests import ChooseOne

Step = Mapping[str, Any]
Effect = Callable[[State, Battle, int, Step], Ask]
NOBODY = "nobody"
RULE = "combat_card.effect"


def _about(battle: Battle, seat: int, **more: Any) -> dict[str, Any]:
    return {"place": PLACES[battle.target], "card": battle.sides[seat].card, **more}


def companions(state: State, battle: Battle) -> int:
    """Mask of the companions in the battle."""
    return characters(state, battle, box.FREE) & box.COMPANIONS


def _may_forfeit(state: State, battle: Battle) -> int:
    """Mask of the companions whose leadership still counts and so may be forfeited."""
    return companions(state, battle) & ~battle.sides[box.FREE].silent


def _choose_character(battle: Battle, seat: int, prompt: str, mask: int, rule: str = RULE) -> Ask:
    names = tuple(box.CHARACTERS[character] for character in places_in(mask))
    chosen = yield from choose(seat, prompt, names, rule=rule, domain="character", about=_about(battle, seat))
    return box.CHARACTER[chosen]


# --- timing 0 and 1: before anything else --------------------------------------------------------


def cancel_card(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """The opponent's card is cancelled (``forfeit`` pays for it); ``else_reroll`` where there is none."""
    enemy = battle.sides[1 - seat]
    if enemy.card and not enemy.cancelled:
        if step.get("forfeit") == "companions":
            battle.sides[box.FREE].silent |= companions(state, battle)
        enemy.cancelled = True
    else:
        battle.sides[seat].add_again += step.get("else_reroll", 0)
    return
    yield


def leave(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """The defender leaves the field before the combat roll: a free region next to it, or his stronghold."""
    if seat != battle.defender:
        return
    regions = retreat.ways_out(state, battle)
    inside = siege.can_withdraw(state, battle)
    if inside and not regions:
        goes_inside = True
    elif inside:
        chosen = yield ChooseOne(
            box.SEATS[seat],
            "prompt.scouts",
            (retreat.RETREAT, siege.WITHDRAW),
            about=_about(battle, seat),
            rule=RULE,
        )
        goes_inside = chosen == siege.WITHDRAW
    elif regions:
        goes_inside = False
    else:
        return
    if goes_inside:
        siege.withdraw(state, battle)
        battle.ended = WITHDREW
    else:
        yield from retreat.retreat(state, battle, regions)
        battle.ended = RETREATED


def silence(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """A companion's leadership and abilities are cancelled for this round."""
    mask = companions(state, battle)
    if not mask:
        return
    character = yield from _choose_character(battle, seat, "prompt.silence", mask)
    battle.sides[box.FREE].silent |= 1 << character
    battle.sides[box.FREE].blank |= 1 << character


# --- timing 2 and 7: additional attacks -----------------------------------------------------------


def attack(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """An additional attack: ``dice`` is a number, "leadership" or "elites"; ``hits_on`` its target number."""
    dice = step["dice"]
    if dice == "leadership":
        number = leadership(state, battle, seat)
    elif dice == "elites":
        number = GROUP[force(state, battle, seat)].elites
    else:
        number = dice
    yield from additional_attack(state, battle, seat, number, step.get("hits_on", 0))


def own_hits(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """The player may hit his own units, up to ``most``: a modifier for each, or a die for each."""
    most = min(step["most"], endurance(force(state, battle, seat) & UNIT_BITS))
    chosen = yield ChooseOne(
        box.SEATS[seat],
        "prompt.own_hits",
        tuple(str(number) for number in range(most + 1)),
        domain="number",
        about=_about(battle, seat, most=most),
        rule=RULE,
    )
    hits = int(chosen)
    if not hits:
        return
    yield from take_hits(state, battle, seat, hits)
    battle.sides[seat].add += step.get("combat", 0) * hits
    if not step.get("dice") or not alive(state, battle, 1 - seat):
        return
    pips = yield from roll_combat_dice(
        seat,
        "prompt.additional_attack",
        hits,
        rule=RULE,
        about=_about(battle, seat, dice=hits, target=step["hits_on"]),
    )
    scored = sum(number >= step["hits_on"] for number in pips)
    battle.sides[seat].scored += scored
    yield from take_hits(state, battle, 1 - seat, scored)


def sure_hit(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """An automatic hit where the own units are at least twice the enemy's."""
    if step.get("where") == "twice_as_many" and units(state, battle, seat) < 2 * units(
        state, battle, 1 - seat
    ):
        return
    battle.sides[seat].scored += step.get("hits", 1)
    yield from take_hits(state, battle, 1 - seat, step.get("hits", 1))


# --- timing 3 and 4: dice, modifiers, re-rolls --------------------------------------------------------


def _forfeit_nazgul(state: State, battle: Battle, points: int) -> bool:
    if nazgul_leadership(state, battle) < points:
        return False
    battle.sides[box.SHADOW].forfeited += points
    return True


def add(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """Modifiers to the dice of one side or both; ``forfeit`` Nazgul leadership pays for them."""
    if "forfeit" in step and not _forfeit_nazgul(state, battle, step["forfeit"]):
        return
    who = step.get("who", "own")
    sides = [battle.sides[seat]] if who in ("own", "both") else []
    if who in ("enemy", "both"):
        sides.append(battle.sides[1 - seat])
    for side in sides:
        side.add += step.get("combat", 0)
        side.add_again += step.get("reroll", 0)
    return
    yield


def most_dice(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """The enemy rolls at most so many dice in the combat roll."""
    enemy = battle.sides[1 - seat]
    enemy.most = min(enemy.most, step["dice"])
    return
    yield


def fewer_dice(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """The enemy rolls fewer dice: for each companion, for each point forfeited, or a number."""
    by = step.get("by")
    if by == "companions":
        number = companions(state, battle).bit_count()
    elif by == "forfeited":
        number = yield from _points_to_forfeit(state, battle, seat)
    else:
        number = step["dice"]
    battle.sides[1 - seat].fewer += number


def _points_to_forfeit(state: State, battle: Battle, seat: int) -> Ask:
    most = nazgul_leadership(state, battle)
    if not most:
        return 0
    chosen = yield from choose(
        seat,
        "prompt.forfeit_points",
        tuple(str(number) for number in range(1, most + 1)),
        rule="combat_card.forfeit",
        domain="number",
        about=_about(battle, seat, most=most),
    )
    _forfeit_nazgul(state, battle, int(chosen))
    return int(chosen)


def no_reroll(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """The enemy has no leader re-roll; the Nazgul must lead at least as well as all of his leaders."""
    if step.get("where") == "nazgul_outlead":
        mine = nazgul_leadership(state, battle)
        if not mine or mine < leadership(state, battle, 1 - seat):
            return
    battle.sides[1 - seat].no_reroll = True
    return
    yield


def turn_misses(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """Misses of the combat roll become hits; ``forfeit`` tells whose leadership pays for it."""
    number = step.get("dice", 1)
    whose = step.get("forfeit")
    if whose:
        mask = _may_forfeit(state, battle)
        if whose == "king":
            mask &= KINGS
        if not mask or not misses(battle, seat):
            return
        character = yield from _choose_character(
            battle, seat, "prompt.forfeit_companion", mask, "combat_card.forfeit"
        )
        battle.sides[box.FREE].silent |= 1 << character
        if whose == "king" and character == box.ARAGORN:
            number = 2
    turn(battle.sides[seat], number)


def turn(side: Side, number: int) -> None:
    """Make up to ``number`` misses of a side hits."""
    for die in side.rolled:
        if number and not die[1]:
            die[1] = 1
            side.hits += 1
            side.scored += 1
            number -= 1


def ones_fail(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """Each natural one of the enemy's combat roll hits his own army and is not rolled again."""
    enemy = battle.sides[1 - seat]
    enemy.ones_fail = True
    hits = sum(die[0] == 1 for die in enemy.rolled)
    battle.sides[seat].hits += hits
    battle.sides[seat].scored += hits
    return
    yield


# --- timing 5 and 6: hits, before casualties are removed ---------------------------------------------


def more_hits(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """More hits: where the roll or the re-roll "scored", or where it "scored_more" than the enemy."""
    side, enemy = battle.sides[seat], battle.sides[1 - seat]
    where = step.get("where")
    if where == "scored" and not any(die[1] for die in side.rolled):
        return
    if where == "scored_more" and side.scored <= enemy.scored:
        return
    side.hits += step["hits"]
    side.scored += step["hits"]
    return
    yield


def cancel_hits(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """Hits of the enemy are cancelled where he scored at least ``from``."""
    enemy = battle.sides[1 - seat]
    if enemy.hits >= step.get("from", 1):
        enemy.hits = max(0, enemy.hits - step["hits"])
    return
    yield


def sacrifice(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """A leader may fall to cancel one hit, or a companion to cancel as many as his level."""
    enemy = battle.sides[1 - seat]
    if not enemy.hits:
        return
    chosen = yield from _choose_victim(
        state, battle, seat, "prompt.sacrifice", _leaders(state, battle), companions(state, battle), may=True
    )
    if chosen == NOBODY:
        return
    cancelled = box.LEVEL[box.CHARACTER[chosen]] if chosen in box.CHARACTER else 1
    _kill(state, battle, box.FREE, chosen)
    enemy.hits = max(0, enemy.hits - cancelled)


def _leaders(state: State, battle: Battle) -> tuple[int, ...]:
    figures = force(state, battle, box.FREE)
    return tuple(leader for leader in box.LEADER if count(figures, leader))


def _choose_victim(
    state: State,
    battle: Battle,
    seat: int,
    prompt: str,
    figures: tuple[int, ...],
    chars: int,
    *,
    may: bool = False,
) -> Ask:
    options = tuple(box.FIGURES[figure] for figure in figures)
    options += tuple(box.CHARACTERS[character] for character in places_in(chars))
    if not options:
        return NOBODY
    if may:
        options = (NOBODY, *options)
    chosen = yield from choose(seat, prompt, options, rule=RULE, domain="unit", about=_about(battle, seat))
    return chosen


def _kill(state: State, battle: Battle, seat: int, who: str) -> None:
    if who in box.CHARACTER:
        eliminate(state, box.CHARACTER[who])
    else:
        remove_figures(state, battle.place_of(seat), ONE[box.FIGURE[who]])


def slay(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """Hits of the leader re-roll also fell a leader or a character of the enemy (``who``).

    ``pay`` hits are given up for it; ``or_minion_from`` hits allow a minion in
    place of a Nazgul; ``free`` (by hand) asks for no hits.
    """
    side = battle.sides[seat]
    hits = side.rerolled
    if not step.get("free") and not hits:
        return
    who = step["who"]
    figures: tuple[int, ...] = ()
    chars = 0
    if who == "leader_or_companion":
        figures = _leaders(state, battle)
        chars = companions(state, battle)
        if not step.get("free"):
            chars = sum(1 << c for c in places_in(chars) if box.LEVEL[c] <= hits)
    else:
        minions = characters(state, battle, box.SHADOW) & box.MINIONS
        if who == "nazgul" and force(state, battle, box.SHADOW) & NAZGUL_BITS:
            figures = (box.NAZGUL,)
        if who == "minion" or hits >= step.get("or_minion_from", 9):
            chars = minions
    victim = yield from _choose_victim(
        state, battle, seat, "prompt.slay", figures, chars, may=step.get("may", False)
    )
    if victim == NOBODY:
        return
    side.hits = max(0, side.hits - step.get("pay", 0))
    _kill(state, battle, 1 - seat, victim)


def forfeit(state: State, battle: Battle, seat: int, step: Step) -> Ask:
    """By hand: leadership is forfeited, points of the Nazgul or companions one by one."""
    if seat == box.SHADOW:
        _forfeit_nazgul(state, battle, min(step["points"], nazgul_leadership(state, battle)))
        return
    for _ in range(step["points"]):
        mask = _may_forfeit(state, battle)
        if not mask:
            return
        character = yield from _choose_character(
            battle, seat, "prompt.forfeit_companion", mask, "combat_card.forfeit"
        )
        battle.sides[box.FREE].silent |= 1 << character


EFFECTS: Mapping[str, Effect] = {
    effect.__name__: effect
    for effect in (
        add,
        attack,
        cancel_card,
        cancel_hits,
        fewer_dice,
        forfeit,
        leave,
        more_hits,
        most_dice,
        no_reroll,
        ones_fail,
        own_hits,
        sacrifice,
        silence,
        slay,
        sure_hit,
        turn_misses,
    )
}
"""Every primitive by the name that steps use."""
