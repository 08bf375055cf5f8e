"""What cards do, as primitives: each under the ordinary rules unless the card lifts one by name.

A step of a program is ``{"do": <primitive>, ...}``; ``number`` may be ``level``, that of the class's
master (1 out
of character), halved where ``half`` says so, with ``more`` on top of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.battlelore.box.components import (
    CLASSES,
    COLOURS,
    DICE,
    DISTANCE,
    HELMETS,
    NEAR,
    OPTIONS,
    PLACE,
    PLACES,
    SEATS,
    SECTIONS,
)
from referee.games.battlelore.rules import drawing, losses, ordering, targeting
from referee.games.battlelore.rules.retreat import retreat
from referee.games.battlelore.state.state import State, put
from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.games.kit.programs import Primitives, Step
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, RollDice, unless_forced

MOST_ORDERED = 64


@dataclass(slots=True)
class Running:
    """A card that is carried out: by whom, which, at what level, and what it names."""

    seat: int
    card: str
    level: int = 1
    unit: int = -1
    section: int = 0
    rule: str = "command.tactic_card"


PRIMITIVES: Primitives[State, Running] = Primitives()


def number_of(run: Running, step: Step) -> int:
    """The number of a step."""
    told = step.get("number", 1)
    number = run.level if told == "level" else int(told)
    return (halved(number) if step.get("half") else number) + int(step.get("more", 0))


def halved(number: int) -> int:
    """Half of a number; an odd one is rounded up."""
    return (number + 1) // 2


def _nothing() -> Ask:
    yield from ()


def mark(state: State, unit: int, effect: str, number: int) -> None:
    """Something holds for a unit until the end of the turn."""
    state.marks.append([unit, effect, number])


# --- command cards -----------------------------------------------------------------------------------


def why_not_fit(state: State, unit: int, who: Mapping[str, Any], rule: str) -> Refusal | None:
    """Why a tactic card's words do not fit a unit; tokens reach no creature here."""
    known, at = state.field.units[unit], state.at[unit]
    about = {"place": PLACES[at]}
    if "colour" in who and COLOURS[state.colour[unit]] != who["colour"]:
        if unit_is_creature(state, unit):
            rule = "creature.out_of_section_section_card_only"
        return Refusal(rule, f"only_{who['colour']}", about)
    if "class" in who and CLASSES[known.kind] != who["class"]:
        if unit_is_creature(state, unit):
            rule = "creature.neither_foot_nor_mounted"
        return Refusal(rule, f"only_{who['class']}", about)
    if who.get("missile") and not targeting.is_missile(state, unit):
        return Refusal(rule, "only_missiles", about)
    if "free" in who and bool(NEAR[at] & state.stand[1 - known.seat]) is who["free"]:
        return Refusal(rule, "enemy_beside" if who["free"] else "no_enemy_beside", about)
    return None


def unit_is_creature(state: State, unit: int) -> bool:
    """Whether it is a creature."""
    return bool(state.field.creatures >> unit & 1)


@PRIMITIVES.named("order")
def order(state: State, run: Running, step: Step) -> Ask:
    """Order so many units of a kind, wherever they stand."""
    told = step.get("number", 1)
    held = state.hand[run.seat] + 1
    number = held if told == "held" else MOST_ORDERED if told == "all" else int(told)
    who = step.get("who", {})
    yield from ordering.order_anywhere(
        state, lambda unit: why_not_fit(state, unit, who, run.rule), number, run.rule
    )


@PRIMITIVES.named("stand")
def stand(state: State, run: Running, step: Step) -> Ask:
    """No unit moves this turn."""
    state.still = True
    return _nothing()


@PRIMITIVES.named("attacks")
def attacks(state: State, run: Running, step: Step) -> Ask:
    """So many attacks for each unit."""
    state.attacks = number_of(run, step)
    return _nothing()


@PRIMITIVES.named("far")
def far(state: State, run: Running, step: Step) -> Ask:
    """Nobody strikes a neighbour."""
    state.far = True
    return _nothing()


@PRIMITIVES.named("dice")
def dice(state: State, run: Running, step: Step) -> Ask:
    """More dice: for one unit, in melee alone where the card says so, or for all."""
    if run.unit < 0:
        state.bonus += number_of(run, step)
    else:
        mark(state, run.unit, "dice_melee" if step.get("melee") else "dice", number_of(run, step))
    return _nothing()


@PRIMITIVES.named("hexes")
def hexes(state: State, run: Running, step: Step) -> Ask:
    """More hexes: for one unit, or for all."""
    if run.unit < 0:
        state.extra += number_of(run, step)
    else:
        mark(state, run.unit, "hexes", number_of(run, step))
    return _nothing()


# --- lore cards: marks on a unit ---------------------------------------------------------------------


def _marking(effect: str) -> None:
    @PRIMITIVES.named(effect)
    def given(state: State, run: Running, step: Step) -> Ask:
        mark(state, run.unit, effect, number_of(run, step))
        return _nothing()


for _effect in ("bonus_hits", "no_ceiling", "no_battle_back", "through"):
    _marking(_effect)


@PRIMITIVES.named("order_this")
def order_this(state: State, run: Running, step: Step) -> Ask:
    """The unit is ordered besides the command card."""
    state.ordered |= 1 << run.unit
    mark(state, run.unit, ordering.BESIDES, 1)
    return _nothing()


@PRIMITIVES.named("heal")
def heal(state: State, run: Running, step: Step) -> Ask:
    """Figures come back, up to the number that the unit began with."""
    most = state.field.units[run.unit].figures
    state.figures[run.unit] = min(most, state.figures[run.unit] + number_of(run, step))
    return _nothing()


def hurt(state: State, seat: int) -> int:
    """Mask of the hexes of a seat's units that lost figures."""
    return sum(
        1 << place
        for place in places_in(state.stand[seat])
        if state.figures[state.unit_at[place]] < state.field.units[state.unit_at[place]].figures
    )


@PRIMITIVES.named("heal_section")
def heal_section(state: State, run: Running, step: Step) -> Ask:
    """Figures come back to units of one section, one after the other."""
    sections = state.sections[run.seat]
    for left in range(number_of(run, step), 0, -1):
        could = sum(
            1 << place for place in places_in(hurt(state, run.seat)) if sections[place] >> run.section & 1
        )
        if not could:
            return
        request = ChooseOne(
            SEATS[run.seat], "prompt.heal_unit", OPTIONS[could], domain="place", rule=run.rule,
            about={"count": left, "section": SECTIONS[run.section]},
        )  # fmt: skip
        chosen = yield unless_forced(request)
        state.figures[state.unit_at[PLACE[chosen]]] += 1


@PRIMITIVES.named("strike")
def strike(state: State, run: Running, step: Step) -> Ask:
    """Dice against a unit: helmets of its colour hit, nothing else does."""
    place = PLACES[state.at[run.unit]]
    rolled = yield RollDice(
        SEATS[run.seat], "prompt.lore_roll", {"battle": number_of(run, step)}, DICE, about={"place": place},
        rule=run.rule,
    )  # fmt: skip
    hits = rolled["battle"].count(HELMETS[state.colour[run.unit]])
    yield from losses.suffer(state, run.unit, hits, run.seat)


@PRIMITIVES.named("leap")
def leap(state: State, run: Running, step: Step) -> Ask:
    """The unit is put on a free hex within so many; it does not fight this turn."""
    at = state.at[run.unit]
    taken = state.stand[0] | state.stand[1] | state.ground.closed
    free = sum(
        1 << place
        for place in range(len(PLACES))
        if 0 < DISTANCE[at][place] <= number_of(run, step) and not taken >> place & 1
    )
    if free:
        chosen = yield ChooseOne(
            SEATS[run.seat], "prompt.leap_to", OPTIONS[free], domain="place", about={"from": PLACES[at]},
            rule=run.rule,
        )  # fmt: skip
        put(state, run.unit, PLACE[chosen])
        state.left |= 1 << run.unit & state.ordered
    if state.phase > 1:  # what moves in the command phase may still have its ordinary move
        state.moved |= 1 << run.unit & state.ordered
    state.barred |= 1 << run.unit


# --- lore cards: the fight that runs -----------------------------------------------------------------


@PRIMITIVES.named("shield")
def shield(state: State, run: Running, step: Step) -> Ask:
    """So many hits of this blow do not count."""
    if state.fight is not None:
        state.fight.shield += number_of(run, step)
    return _nothing()


@PRIMITIVES.named("courage")
def courage(state: State, run: Running, step: Step) -> Ask:
    """The struck unit is so many levels bolder."""
    if state.fight is not None:
        state.fight.courage += number_of(run, step)
    return _nothing()


@PRIMITIVES.named("brave")
def brave(state: State, run: Running, step: Step) -> Ask:
    """No flag of this blow counts."""
    if state.fight is not None:
        state.fight.brave = True
    return _nothing()


@PRIMITIVES.named("parry")
def parry(state: State, run: Running, step: Step) -> Ask:
    """The blow is struck with so many dice, whatever else adds to them."""
    if state.fight is not None:
        state.fight.fixed = number_of(run, step)
    return _nothing()


# --- lore cards: tokens and cards --------------------------------------------------------------------


@PRIMITIVES.named("tokens")
def tokens(state: State, run: Running, step: Step) -> Ask:
    """Tokens from the supply."""
    state.tokens[run.seat] += number_of(run, step)
    return _nothing()


@PRIMITIVES.named("steal")
def steal(state: State, run: Running, step: Step) -> Ask:
    """Tokens of the opponent, as far as he has some."""
    taken = min(state.tokens[1 - run.seat], number_of(run, step))
    state.tokens[1 - run.seat] -= taken
    state.tokens[run.seat] += taken
    return _nothing()


@PRIMITIVES.named("draw_command")
def draw_command(state: State, run: Running, step: Step) -> Ask:
    """Instead of the one that was drawn: the best of it and so many more less one; the others are
    discarded."""
    before = state.hand[run.seat]
    for _ in range(number_of(run, step) - 1):
        drawing.draw_command(state, run.seat)
    state.discard += state.hand[run.seat] - before
    state.hand[run.seat] = before
    return _nothing()


# --- what is told by hand ----------------------------------------------------------------------------


@PRIMITIVES.named("figures_off")
def figures_off(state: State, run: Running, step: Step) -> Ask:
    """Take figures of a unit off."""
    losses.take_off(state, run.unit, number_of(run, step), 1 - state.field.units[run.unit].seat)
    return _nothing()


@PRIMITIVES.named("flee")
def flee(state: State, run: Running, step: Step) -> Ask:
    """A unit retreats so many hexes."""
    yield from retreat(state, run.unit, number_of(run, step), 1 - state.field.units[run.unit].seat)
