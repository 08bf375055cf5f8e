"""Chapter IX: which part of an army marches, and what goes along with it (p. 22, 23)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.five_armies.box.components import CHARACTER, CHARACTERS, SEATS, UNIT, UNITS, WALKERS
from referee.games.five_armies.box.map import PLACES
from referee.games.five_armies.rules.asking import NUMBERS, Ask, ChooseWithDefault, choose
from referee.games.five_armies.rules.pieces import RATING_SUMS
from referee.games.five_armies.state.armies import ARMY, GOBLIN_BITS, ONE, Army
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Counts, Forced

ANY, LED, GOBLIN = "any", "led", "goblin"
"""What an action asks of an army: nothing, leadership (Character symbol), a Goblin (Lidless Eye)."""
PEOPLES = ("dwarves", "elves", "men")
"""Some cards ask for units of a people instead."""


@dataclass(frozen=True, slots=True)
class Held:
    """What came into a place by the first move of a Strategic Movement and does not move again."""

    place: int
    units: int
    chars: int
    leaders: int
    damage: int


NOBODY = Held(-1, 0, 0, 0, 0)


def available(state: State, seat: int, origin: int, held: Held) -> tuple[int, int, int, int]:
    """Units, characters, leadership tokens and damage in a place that may march; ``held`` moved before."""
    units, chars = state.units[origin], state.chars[origin] & WALKERS[seat]
    leaders, damage = state.leaders[origin], state.damage[origin]
    if held.place != origin:
        return units, chars, leaders, damage
    return units - held.units, chars & ~held.chars, leaders - held.leaders, damage - held.damage


def choose_marchers(
    state: State,
    seat: int,
    origin: int,
    need: str,
    held: Held = NOBODY,
    path: tuple[int, ...] = (),
    about: Mapping[str, Any] | None = None,
) -> Ask:
    """Ask who of the army in ``origin`` moves; returns ``(units, characters, leadership tokens, damage)``.

    ``held`` came here by the action's first move and stays; on ``path`` nobody is picked up.
    """
    units, chars, leaders, damage = available(state, seat, origin, held)
    too_many = None
    if held.place == origin:
        too_many = Refusal("move.no_unit_twice_per_action", "moved_by_this_action")
    army = ARMY[units]
    limits = _limits(army, chars, leaders)
    request = ChooseWithDefault(
        SEATS[seat],
        "prompt.who_marches",
        limits,
        minimum=1,
        refuses=lambda counts: why_not_these(state, counts, need),
        default=limits,
        proposes=True,
        domain="unit",
        about=about or {"from": PLACES[origin]},
        rule="move.split_by_moving_part",
        too_many=too_many,
        otherwise=lambda item: _why_no_more(state, origin, limits, item),
        refused=lambda: _not_along(state, seat, limits, held if too_many else NOBODY, path),
    )
    alone = army.size == 1 and not chars and not leaders
    counts = yield Forced(request, limits) if alone else request
    part, companions, tokens = parse_marchers(counts)
    share = yield from share_damage(seat, origin, ARMY[part].size, army.size - ARMY[part].size, damage)
    return part, companions, tokens, share


def whole_army(state: State, seat: int, place: int) -> Forced:
    """Who attacks from where they stand: everybody, for only an army that moves is split."""
    chars = state.chars[place] & WALKERS[seat]
    limits = _limits(ARMY[state.units[place]], chars, state.leaders[place])
    request = ChooseWithDefault(
        SEATS[seat],
        "prompt.who_marches",
        limits,
        minimum=sum(limits.values()),
        default=limits,
        about={"from": PLACES[place]},
        rule="move.split_by_moving_part",
        too_few=Refusal("move.split_by_moving_part", "whole_army_attacks", {"place": PLACES[place]}),
    )
    return Forced(request, limits)


def _limits(army: Army, chars: int, leaders: int) -> Counts:
    """The most of each unit type, character and leadership token that can march."""
    if not chars and not leaders:
        return army.counts
    limits = dict(army.counts)
    limits.update(
        (CHARACTERS[character], 1) for character in range(len(CHARACTERS)) if chars >> character & 1
    )
    if leaders:
        limits["leadership"] = leaders
    return limits


def _not_along(
    state: State, seat: int, limits: Mapping[str, int], held: Held, path: tuple[int, ...]
) -> list[tuple[str, Refusal]]:
    """Who stands in the way of a move but cannot go along: those who have moved, those passed by."""
    refused = {
        name: Refusal("move.no_unit_twice_per_action", "moved_by_this_action") for name in names_of(held)
    }
    for place in path[1:]:
        if state.armies[seat] >> place & 1:
            passed = Held(place, state.units[place], state.chars[place] & WALKERS[seat], 0, 0)
            for name in names_of(passed):
                about = {"place": PLACES[place]}
                refused.setdefault(name, Refusal("move.multi_no_pick_up", "passed_by", about))
    return [(name, refusal) for name, refusal in refused.items() if name not in limits]


def _why_no_more(state: State, origin: int, limits: Mapping[str, int], item: str) -> Refusal | None:
    """Why no more of some units go: further ones moved in this action, or none are in the army."""
    about = {"item": item}
    if item in ("eagles", "great_bats"):
        rule = "eagles.outside_normal_rules" if item == "eagles" else "bats.outside_normal_rules"
        return Refusal(rule, "special_units", about)
    if ARMY[state.units[origin]].counts.get(item, 0) > limits.get(item, 0):
        return Refusal("move.no_unit_twice_per_action", "units_moved_already", about)
    if item not in limits and item in UNITS:
        return Refusal("move.multi_no_pick_up", "not_in_the_army", about)
    return None


def names_of(held: Held) -> tuple[str, ...]:
    """The ids of the unit types and characters of a part of an army."""
    characters = tuple(name for index, name in enumerate(CHARACTERS) if held.chars >> index & 1)
    return ARMY[held.units].names + characters


def parse_marchers(counts: Mapping[str, int]) -> tuple[int, int, int]:
    """``{item: count}`` as packed units, mask of characters, leadership tokens."""
    units = chars = tokens = 0
    for item, number in counts.items():
        unit = UNIT.get(item)
        if unit is not None:
            units += ONE[unit] * number
        elif item == "leadership":
            tokens = number
        else:
            chars |= 1 << CHARACTER[item]
    return units, chars, tokens


def why_not_these(state: State, counts: Mapping[str, int], need: str) -> Refusal | None:
    """Why this part of an army cannot march by itself."""
    units, chars, tokens = parse_marchers(counts)
    if not units:
        return Refusal("move.split_by_moving_part", "no_units")
    if need == LED and not tokens and not RATING_SUMS[state.ratings][chars]:
        return Refusal("move.character_die_part_needs_leadership", "part_without_leadership")
    if need == GOBLIN and not units & GOBLIN_BITS:
        return Refusal("move.eye_needs_goblin", "part_without_goblin")
    if need in PEOPLES and need not in ARMY[units].peoples:
        return Refusal("cards.rules_still_apply", "part_without_people")
    return None


def share_damage(seat: int, origin: int, size: int, left: int, damage: int) -> Ask:
    """Ask how many damage tokens go with a part of ``size`` units where ``left`` stay; returns a number."""
    least, most = max(0, damage - left), min(damage, size)
    if not left:  # a whole army takes all its damage along, more than it has units where that is possible
        least = most = damage

    def refused() -> list[tuple[str, Refusal]]:
        about = {"minimum": least, "maximum": most}
        return [
            (NUMBERS[n], Refusal("move.split_damage_tokens", "damage_share", about))
            for n in range(max(21, damage + 1))
            if not least <= n <= most
        ]

    share = yield from choose(
        seat,
        "prompt.share_damage",
        NUMBERS[least : most + 1],
        domain="number",
        about={"from": PLACES[origin], "damage": damage, "units": size, "staying": left},
        rule="move.split_damage_tokens",
        refused=refused,
    )
    return int(share)
