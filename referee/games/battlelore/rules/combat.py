"""Combat: fights one by one, each with its target, its roll, and all that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from referee.games.battlelore.box.components import DICE, FLAG, NEAR, OPTIONS, PLACE, PLACES, SEATS
from referee.games.battlelore.box.components import LORE as LORE_SIGN
from referee.games.battlelore.rules import dice, follow_on, losses, morale, occasions, special
from referee.games.battlelore.rules.movement import LORE_CARD, lore_option
from referee.games.battlelore.rules.ordering import DONE, with_done
from referee.games.battlelore.rules.retreat import retreat
from referee.games.battlelore.rules.targeting import refused_targets, targets
from referee.games.battlelore.state.fight import ATTACK, BATTLE_BACK, BONUS_ATTACK, Fight
from referee.games.battlelore.state.state import State, mark_of
from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.kernel.play import MILESTONE
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, RollDice, unless_forced


def combat_phase(state: State) -> Ask:
    """Ordered units fight one after the other, each once (or as often as the card says)."""
    while True:
        if state.fight is not None:
            yield from carry_on(state)
            yield MILESTONE
        fighters = _fighters(state)
        lore = lore_option(state, "combat")
        if not fighters and not lore:
            return
        bound = bound_to_fight(state)
        options = OPTIONS[fighters] if bound else with_done(fighters, *lore)
        chosen = yield ChooseOne(
            SEATS[state.active],
            "prompt.choose_fighter",
            options,
            domain="place",
            rule="dice.fights_one_by_one",
            refused=lambda: _refused_fighters(state),
            notes=lambda place: fighter_notes(state, place),
        )
        if chosen == DONE:
            return
        if chosen == LORE_CARD:
            yield from occasions.own_lore(state, state.active, "combat")
            yield MILESTONE
        else:
            yield from _declare(state, state.unit_at[PLACE[chosen]])


def may_fight(state: State, unit: int) -> bool:
    """Whether a unit has an attack left this turn."""
    gone = state.fought | state.barred | ~state.ordered
    return not gone >> unit & 1 and state.attacks > 0


def _fighters(state: State) -> int:
    """Mask of the hexes of the units that have somebody to strike."""
    found = 0
    if not state.attacks:
        return 0
    units = state.ordered & ~(state.fought | state.barred)
    while units:
        low = units & -units
        unit = low.bit_length() - 1
        if state.at[unit] >= 0 and targets(state, unit):
            found |= 1 << state.at[unit]
        units ^= low
    return found


def bound_to_fight(state: State) -> int:
    """Mask of the hexes of units that rushed and still have their target beside them."""
    found = 0
    for unit, target in state.rush:
        at, there = state.at[unit], state.at[target]
        if at >= 0 and there >= 0 and NEAR[at] >> there & 1 and may_fight(state, unit):
            found |= 1 << at
    return found


def _refused_fighters(state: State) -> Iterator[tuple[str, Refusal]]:
    fighters = _fighters(state)
    if bound_to_fight(state):
        at = OPTIONS[bound_to_fight(state)][0]
        yield DONE, Refusal("merc.rush_must_fight", "rushed", {"place": at})
    for place in places_in(state.stand[state.active] & ~fighters):
        yield PLACES[place], why_not_fight(state, state.unit_at[place])


def why_not_fight(state: State, unit: int) -> Refusal:
    """Why a unit cannot be chosen to fight."""
    at = state.at[unit]
    about = {"place": PLACES[at]}
    if not state.ordered >> unit & 1:
        return Refusal("activate.only_activated_may_act", "not_ordered", about)
    if state.fought >> unit & 1:
        return Refusal("dice.one_attack_each", "fought_already", about)
    if state.barred >> unit & 1:
        calm = state.ground.calm >> at & 1
        return Refusal("landmark.no_fight_on_entry" if calm else "move.foot_blue", "barred", about)
    if not state.attacks:
        return Refusal("command.tactic_card", "card_forbids", about)
    return Refusal("range.target_conditions", "nobody_in_reach", about)


def _declare(state: State, unit: int) -> Ask:
    """Name the target; whoever rushed has his already."""
    could = targets(state, unit)
    for of, target in state.rush:
        if of == unit and state.at[target] >= 0 and could >> state.at[target] & 1:
            could = 1 << state.at[target]
    chosen = yield unless_forced(
        ChooseOne(
            SEATS[state.active],
            "prompt.choose_target",
            OPTIONS[could],
            domain="place",
            about={"from": PLACES[state.at[unit]]},
            rule="range.target_conditions",
            refused=lambda: refused_targets(state, unit),
            notes=lambda place: target_notes(state, unit, PLACE[place]),
        )
    )
    place = PLACE[chosen]
    bit = 1 << unit
    if state.attacks > 1 and not state.struck & bit:
        state.struck |= bit
    else:
        state.fought |= bit
    begin(state, unit, state.unit_at[place], ATTACK)


def fighter_notes(state: State, place: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Whom a unit may strike, with how many dice and why."""
    if place in PLACE:
        unit = state.unit_at[PLACE[place]]
        for target in places_in(targets(state, unit)):
            yield from target_notes(state, unit, target)


def target_notes(state: State, unit: int, place: int) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The dice of a blow before it is struck, step by step, and how bold its target would be."""
    target = state.unit_at[place]
    steps = dice.reckon(state, blow(state, unit, target, ATTACK))
    yield "note.dice", {"place": PLACES[place], "count": steps[-1][1]}
    for step, count in steps:
        yield f"dice.{step}", {"count": count}
    for source, levels in morale.sources(state, target):
        yield f"morale.{source}", {"count": levels}


def begin(state: State, attacker: int, target: int, kind: str) -> Fight:
    """A blow is about to be struck."""
    state.fight = blow(state, attacker, target, kind)
    return state.fight


def blow(state: State, attacker: int, target: int, kind: str) -> Fight:
    """A blow that may be struck, from where both stand."""
    fight = Fight()
    fight.attacker, fight.target, fight.kind = attacker, target, kind
    fight.where = fight.start = state.at[attacker]
    fight.hex = state.at[target]
    return fight


def carry_on(state: State) -> Ask:
    """A fight from its step to its end."""
    while (fight := state.fight) is not None:
        yield MILESTONE
        yield from STEPS[fight.step](state, fight)


# --- the blow ----------------------------------------------------------------------------------------


def _strike(state: State, fight: Fight) -> Ask:
    """Roll, then hits, then flags."""
    roller = state.field.units[fight.attacker].seat
    if state.field.lore:
        yield from occasions.reaction(state, 1 - roller, "attacked")
    count = dice.reckon(state, fight)[-1][1]
    rolled = yield RollDice(
        SEATS[roller],
        f"prompt.roll_{fight.kind}",
        {"battle": count},
        DICE,
        about={"from": PLACES[fight.where], "place": PLACES[fight.hex]},
        rule="bold.battle_back_full_dice" if fight.kind == BATTLE_BACK else "dice.count_by_colour_type",
    )
    fight.faces = rolled["battle"]
    signs = fight.faces.count(LORE_SIGN)
    if signs:
        yield from special.lore_signs(state, fight, signs)
    if state.field.lore:
        yield from occasions.reaction(state, 1 - roller, "rolled")
    fight.hits = dice.hits(state, fight)
    fight.flags = 0 if fight.brave else fight.faces.count(FLAG)
    alive = state.at[fight.target] >= 0
    if alive and fight.hits:
        alive = yield from losses.suffer(state, fight.target, fight.hits, roller)
    blocked = 0
    was_bold = alive and (fight.brave or _boldness(state, fight) > 0)
    if alive and fight.flags:
        alive, blocked = yield from _take_flags(state, fight, roller)
    _what_follows(state, fight, was_bold, blocked)


def _boldness(state: State, fight: Fight) -> int:
    return morale.bold(state, fight.target) + fight.courage


def _take_flags(state: State, fight: Fight, roller: int) -> Ask:
    """The owner says how many flags are ignored; the others are retreats.  Whether it lives, and what it
    missed."""
    unit, flags = fight.target, fight.flags
    most = min(flags, _boldness(state, fight))
    ignored = most
    if most and not state.field.creatures >> unit & 1:
        chosen = yield ChooseOne(
            SEATS[state.field.units[unit].seat],
            "prompt.ignore_flags",
            FLAG_NUMBERS[most],
            domain="number",
            about={"place": PLACES[fight.hex], "flags": flags},
            rule="bold.may_ignore_one_flag",
            refused=lambda: _refused_flags(most, flags),
        )
        ignored = int(chosen)
    hexes = (flags - ignored) * morale.hexes_per_flag(state, unit)
    if not hexes:
        return True, 0
    result = yield from retreat(state, unit, hexes, roller)
    return result


FLAG_NUMBERS = tuple(tuple(str(number) for number in range(most, -1, -1)) for most in range(13))
"""``FLAG_NUMBERS[most]``: how many flags may be ignored, the most first."""


def _refused_flags(most: int, flags: int) -> Iterator[tuple[str, Refusal]]:
    for number in range(most + 1, flags + 1):
        yield str(number), Refusal("bold.level_n_ignores_n", "not_so_bold", {"count": most})


def _what_follows(state: State, fight: Fight, was_bold: bool, blocked: int) -> None:
    """After the roll is carried out: the attacker follows up, or the target battles back, or it is over."""
    at = state.at[fight.target]
    attacker_there = state.at[fight.attacker] >= 0
    if fight.kind == BATTLE_BACK or not attacker_there or not dice.is_melee(fight):
        state.fight = None
    elif at != fight.hex:
        if fight.kind == BONUS_ATTACK:
            again = state.house["ground_after_bonus"] == "yes"
            fight.step = "again"
            state.fight = fight if again and follow_on.may_enter(state, fight) else None
        elif follow_on.may_enter(state, fight):
            fight.step = "ground"
        else:
            state.fight = None
    elif was_bold and may_battle_back(state, fight, blocked):
        fight.step = "back"
    else:
        state.fight = None


def may_battle_back(state: State, fight: Fight, blocked: int) -> bool:
    """Whether the target that held its hex, and was bold, may answer."""
    if state.marks and mark_of(state, fight.target, "no_battle_back"):
        return False
    if fight.kind == BONUS_ATTACK and state.house["battle_back_after_bonus"] == "no":
        return False
    if not blocked:
        return True
    if state.house["blocked_and_battle_back"] == "no":
        return False
    kept = state.house["blocked_and_support"] == "kept"
    return kept or _boldness(state, fight) > int(morale.supported(state, fight.target))


def _battle_back(state: State, fight: Fight) -> Ask:
    """The target may strike back at whoever struck it, once; then the combat is over."""
    owner = state.field.units[fight.target].seat
    chosen = yield ChooseOne(
        SEATS[owner],
        "prompt.battle_back",
        ("battle_back", "no_battle_back"),
        about={"place": PLACES[fight.where], "from": PLACES[fight.hex]},
        rule="bold.battle_back",
    )
    state.fight = None
    if chosen == "battle_back":
        begin(state, fight.target, fight.attacker, BATTLE_BACK)


STEPS: Mapping[str, Callable[[State, Fight], Ask]] = {
    "roll": _strike,
    "ground": follow_on.gain_ground,
    "pursue": follow_on.pursue,
    "bonus": follow_on.bonus_attack,
    "back": _battle_back,
    "again": follow_on.gain_ground,
}
