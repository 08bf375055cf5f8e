"""Chapter X, steps 2 and 3 of a combat round: the combat roll and the leader re-roll (p. 27, 28).

How many dice of which colour, what number hits and why, and which dice may be
rolled again.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from referee.games.five_armies.box.components import DICE, FREE, SEATS, THORIN, UNITS
from referee.games.five_armies.box.map import BORDER, PASSES, PLACES, TERRAIN
from referee.games.five_armies.rules.asking import ChooseWithDefault
from referee.games.five_armies.rules.fortification import stands
from referee.games.five_armies.rules.pieces import leadership
from referee.games.five_armies.state.armies import ARMY, count
from referee.games.five_armies.state.battle import CARDS, MIGHTY_STROKES, NO_CARD, Battle, Side
from referee.games.five_armies.state.state import State
from referee.games.five_armies.state.table_cards import FURY_OF_THE_DWARVES, GIANT_SIZE, ROARING_VOICE
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request, RollDice

WHITE, BLACK = "combat_white", "combat_black"
COLOURS = (WHITE, BLACK)
MOST_DICE = 5
BASE_TARGET = 5
LOWEST_TARGET, HIGHEST_TARGET = 2, 6
BEORN_DICE, BEORN_DICE_GIANT = 4, 5
BEORN_TARGET, BEORN_TARGET_ROARING = 5, 4

_VALUE: Mapping[str, int] = {str(value): value for value in range(1, 7)}

Step = Generator[Request, Any, None]


# --- how many dice ---------------------------------------------------------------------------


def strength(state: State, battle: Battle, seat: int) -> int:
    """Combat strength of the army of ``seat`` in this round, before the limit of five dice."""
    place = battle.place_of(seat)
    army = ARMY[state.units[place]]
    total = army.size * 2 if battle.sides[seat].effect == "stand_and_fight" else army.strength
    if seat == FREE and FURY_OF_THE_DWARVES in state.table_cards and state.where[THORIN] == place:
        total += 2
    return total


def dice_count(state: State, battle: Battle, seat: int) -> int:
    """Dice of the combat roll: strength, at most five, then what takes dice away."""
    if seat == FREE and battle.beorn:
        dice = BEORN_DICE_GIANT if GIANT_SIZE in state.table_cards else BEORN_DICE
    else:
        dice = min(strength(state, battle, seat), MOST_DICE)
    if battle.sides[1 - seat].effect == "great_confusion":
        dice = max(1, dice - 2)
    return dice


def black_dice(state: State, battle: Battle, seat: int, dice: int) -> int:
    """How many of the dice are black: one for each unit of the type whose card was played."""
    card = battle.sides[seat].card
    if not 0 <= card < len(UNITS):
        return 0
    return min(count(state.units[battle.place_of(seat)], card), dice)


# --- what hits -------------------------------------------------------------------------------


def base_target(state: State, battle: Battle, seat: int) -> tuple[int, str]:
    """The target number without cards, and the rule that sets it.

    Only the attacker is hindered: by a standing fortification in every round,
    by a ford or a slope in the first round that this army fights.
    """
    number, rule = BASE_TARGET, "combat.target_default_five"
    if seat == FREE and battle.beorn:
        rule = "beorn.dice"
        number = BEORN_TARGET_ROARING if ROARING_VOICE in state.table_cards else BEORN_TARGET
    if seat == battle.attacker:
        source, target = battle.source, battle.target
        if stands(state, target):
            return HIGHEST_TARGET, "fort.target_six_until_destroyed"
        if not battle.fought >> source & 1:
            if BORDER.get((source, target)) == "ford":
                return HIGHEST_TARGET, "combat.target_ford_six_round_one"
            if TERRAIN[target] == "mountain" and not PASSES >> source & 1 and TERRAIN[source] != "mountain":
                return HIGHEST_TARGET, "combat.target_uphill_six_round_one"
    return number, rule


def target_number(state: State, battle: Battle, seat: int, *, reroll: bool = False) -> tuple[int, str]:
    """The lowest face that hits in the combat roll (or the leader re-roll), with cards, and why."""
    number, rule = base_target(state, battle, seat)
    mine, other = battle.sides[seat], battle.sides[1 - seat]
    if other.effect == "fierce_defence":
        number, rule = HIGHEST_TARGET, "manoeuvre.event_combat_effect"
    if mine.effect == "no_quarter" or (mine.effect == "battle_fury" and not reroll):
        number, rule = number - 1, "manoeuvre.event_combat_effect"
    elif mine.card == MIGHTY_STROKES:
        number, rule = number - 1, "manoeuvre.special_ignores_roll"
    return max(LOWEST_TARGET, min(HIGHEST_TARGET, number)), rule


def leadership_in_combat(state: State, battle: Battle, seat: int) -> int:
    """How many dice ``seat`` may roll again."""
    mine, other = battle.sides[seat], battle.sides[1 - seat]
    if other.effect == "overmastered":
        return 0
    led = mine.leadership
    if led < 0:
        led = leadership(state, battle.place_of(seat), seat)
    return led + 2 if mine.effect == "commanding_voice" else led


# --- rolling ---------------------------------------------------------------------------------


def combat_roll(state: State, battle: Battle, seat: int) -> Step:
    """Step 2: the dice of one side are rolled."""
    side = battle.sides[seat]
    side.dice = dice = dice_count(state, battle, seat)
    side.target, side.target_rule = target_number(state, battle, seat)
    black = black_dice(state, battle, seat, dice)
    wanted = {WHITE: dice - black, BLACK: black} if black else {WHITE: dice}
    rolled = yield RollDice(
        SEATS[seat],
        "prompt.combat_roll",
        wanted,
        DICE,
        about={"place": PLACES[battle.target], "target": side.target},
        rule="combat.dice_count",
        wrong=lambda given: (
            Refusal("combat.dice_max_five", "dice_of_the_pool", {"count": dice}) if given > dice else None
        ),
    )
    _note(side, rolled, side.target, rerolled=False)


def _note(side: Side, rolled: Mapping[str, Sequence[str]], target: int, *, rerolled: bool) -> None:
    for colour, die in enumerate(COLOURS):
        for face in rolled.get(die, ()):
            hit = _VALUE[face] >= target
            side.rolled.append([colour, face, hit, rerolled])
            if hit:
                side.hits += 1
                if colour:
                    side.ability = True


def _misses(side: Side) -> tuple[int, int]:
    white = black = 0
    for colour, _, hit, _ in side.rolled:
        if not hit:
            if colour:
                black += 1
            else:
                white += 1
    return white, black


def leader_reroll(state: State, battle: Battle, seat: int) -> Step:
    """Step 3: as many missed dice as the army has leadership may be rolled once more.

    Beorn's misses are all rolled again, without leadership.
    """
    side = battle.sides[seat]
    white, black = _misses(side)
    misses = white + black
    if not misses:
        return
    if seat == FREE and battle.beorn:
        chosen = {WHITE: white}
    else:
        led = leadership_in_combat(state, battle, seat)
        if led <= 0:
            return
        limits = {die: n for die, n in ((WHITE, white), (BLACK, black)) if n}
        few = led < misses
        chosen = yield ChooseWithDefault(
            SEATS[seat],
            "prompt.combat_reroll",
            limits,
            maximum=min(led, misses),
            default=_as_many(white, black, led),
            proposes=True,
            domain="die",
            about={"place": PLACES[battle.target], "leadership": led},
            rule="combat.leader_reroll",
            too_many=Refusal("combat.leader_reroll" if few else "combat.leader_reroll_misses_only"),
            refused=lambda: [
                (die, Refusal("combat.leader_reroll_misses_only")) for die in COLOURS if die not in limits
            ],
        )
        if not chosen:
            return
    target, _ = target_number(state, battle, seat, reroll=True)
    _take_up(side, chosen)
    rolled = yield RollDice(
        SEATS[seat],
        "prompt.combat_reroll_dice",
        chosen,
        DICE,
        kept={die: [d[1] for d in side.rolled if d[0] == c] for c, die in enumerate(COLOURS)},
        about={"place": PLACES[battle.target], "target": target},
        rule="combat.leader_reroll",
    )
    _note(side, rolled, target, rerolled=True)


def _as_many(white: int, black: int, led: int) -> dict[str, int]:
    """The proposal: black misses first, as they trigger the ability."""
    first = min(black, led)
    chosen = {BLACK: first, WHITE: min(white, led - first)}
    return {die: number for die, number in chosen.items() if number}


def _take_up(side: Side, chosen: Mapping[str, int]) -> None:
    """Take misses that are rolled again out of the roll, lowest first (which miss does not matter)."""
    for colour, die in enumerate(COLOURS):
        number = chosen.get(die, 0)
        if number:
            missed = sorted((d for d in side.rolled if d[0] == colour and not d[2]), key=lambda d: d[1])
            for gone in missed[:number]:
                side.rolled.remove(gone)


def ability_name(side: Side) -> str:
    """The card played this round, by id ("" before the manoeuvre step)."""
    return "" if side.card == NO_CARD else CARDS[side.card]
