"""Chapter VIII: attacks measured with the ranged combat ruler, Thranduil's and Gandalf's (p. 20).

The ruler stays on the table: for each pair of regions the referee asks once
whether one reaches the other, and remembers.  Dice, target numbers and terrain
that only the character cards tell are asked once too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import ELVEN_ARCHERS, FREE, GANDALF, LAKE_MEN, SEATS, SHADOW
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES, places_in
from referee.games.five_armies.rules.asking import (
    NUMBERS,
    Ask,
    ChooseWithDefault,
    box_value,
    refuse_all,
    roll_dice,
)
from referee.games.five_armies.rules.damage import damage_outside_combat
from referee.games.five_armies.state.armies import count
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

YES_NO = ("yes", "no")
KNOWN_TERRAIN: Mapping[str, str] = {"hill": "yes", "ruins": "no"}
"""Where archers may shoot from, as far as the rulebook's example tells (p. 20)."""


def reach_key(origin: int, target: int) -> str:
    """Where ``state.values`` remembers whether the ruler reaches from one region to another."""
    return f"reach.{PLACES[origin]}.{PLACES[target]}"


def archers(state: State, place: int) -> int:
    """How many units of the army in a place shoot: Elven Archers and Lake-men."""
    units = state.units[place]
    return count(units, ELVEN_ARCHERS) + count(units, LAKE_MEN)


def shooters(state: State) -> int:
    """Mask of the regions with archers on terrain that is not known to be unsuitable."""
    mask = 0
    for place in places_in(state.armies[FREE]):
        if archers(state, place) and _terrain(state, place) != "no":
            mask |= 1 << place
    return mask


def _terrain(state: State, place: int) -> str:
    terrain = board.TERRAIN[place]
    return str(state.values.get(f"archery.terrain.{terrain}", KNOWN_TERRAIN.get(terrain, "")))


def targets(state: State) -> int:
    """Mask of the regions with Shadow armies: the boxes in the mountain are out of reach (black line)."""
    return state.armies[SHADOW] & board.ALL_REGIONS


def can_shoot(state: State) -> bool:
    """Whether Archery would do anything."""
    return bool(shooters(state) and targets(state))


def archery(state: State, target: int | None = None) -> Ask:
    """Thranduil's Archery: archers in reach and on suitable terrain shoot at one Shadow army.

    ``target`` is the number that hits where a card names it.
    """
    if not can_shoot(state):
        return
    place = yield from _choose_target(state, "prompt.archery_target")
    if place < 0:
        return
    mask = sum(1 << p for p in places_in(shooters(state)) if state.values.get(reach_key(p, place)) != "no")
    total = 0
    if mask:
        chosen = yield ChooseWithDefault(
            SEATS[FREE],
            "prompt.archers",
            dict.fromkeys(OPTIONS[mask], 1),
            default=dict.fromkeys(OPTIONS[mask], 1),
            proposes=True,
            domain="place",
            about={"to": PLACES[place]},
            rule="general.archery_eligibility",
            refused=lambda: refuse_all(PLACES, lambda p: why_not_shoot(state, p, place)),
        )
        for name in chosen:
            if (yield from _takes_part(state, PLACE[name], place)):
                total += archers(state, PLACE[name])
    if not total:
        return
    per_unit = yield from _number(state, "archery.dice", "prompt.ask_archery_dice", NUMBERS[1:6])
    if target is None:
        target = yield from _number(state, "archery.target", "prompt.ask_archery_number", NUMBERS[2:7])
    yield from _shoot(state, place, total * per_unit, target, "prompt.archery_roll")


def why_not_shoot(state: State, place: int, target: int) -> Refusal | None:
    """Why the archers of a place take no part in Archery against ``target``; None where they may."""
    if place >= board.REGION_COUNT or not state.armies[FREE] >> place & 1:
        return None
    about = {"place": PLACES[place], "to": PLACES[target]}
    if not archers(state, place):
        return Refusal("general.archery_eligibility", "no_archers", about)
    if _terrain(state, place) == "no":
        return Refusal("general.archery_eligibility", "wrong_terrain", about)
    if state.values.get(reach_key(place, target)) == "no":
        return Refusal("general.ruler_target", "out_of_reach", about)
    return None


def _takes_part(state: State, place: int, target: int) -> Ask:
    """Whether chosen archers really shoot: terrain and reach are asked for where they are unknown."""
    terrain = board.TERRAIN[place]
    if not _terrain(state, place):
        fit = yield from box_value(
            state,
            f"archery.terrain.{terrain}",
            FREE,
            "prompt.ask_archery_terrain",
            YES_NO,
            {"terrain": terrain},
            "general.archery_eligibility",
        )
        if fit == "no":
            return False
    return (yield from in_reach(state, place, target))


def in_reach(state: State, origin: int, target: int) -> Ask:
    """Whether the ruler reaches from a region to another: asked once, then remembered."""
    answer = yield from box_value(
        state,
        reach_key(origin, target),
        FREE,
        "prompt.ask_reach",
        YES_NO,
        {"from": PLACES[origin], "to": PLACES[target]},
        "general.ruler_target",
    )
    return answer == "yes"


def can_blast(state: State) -> bool:
    """Whether Blast of Magic would do anything: Gandalf is in a region, some army may be in reach."""
    where = state.where[GANDALF]
    if not 0 <= where < board.REGION_COUNT:
        return False
    return any(state.values.get(reach_key(where, p)) != "no" for p in places_in(targets(state)))


def blast(state: State) -> Ask:
    """Gandalf's Blast of Magic against one Shadow army in reach of his region."""
    if not can_blast(state):
        return
    place = yield from _choose_target(state, "prompt.blast_target", state.where[GANDALF])
    if place < 0 or not (yield from in_reach(state, state.where[GANDALF], place)):
        return
    dice = yield from _number(state, "blast.dice", "prompt.ask_blast_dice", NUMBERS[1:11])
    target = yield from _number(state, "blast.target", "prompt.ask_blast_number", NUMBERS[2:7])
    yield from _shoot(state, place, dice, target, "prompt.blast_roll")


def _choose_target(state: State, prompt: str, origin: int = -1) -> Ask:
    mask = targets(state)
    if origin >= 0:
        mask = sum(1 << p for p in places_in(mask) if state.values.get(reach_key(origin, p)) != "no")

    def why_not(place: int) -> Refusal | None:
        if mask >> place & 1 or not state.armies[SHADOW] >> place & 1:
            return None
        about: dict[str, Any] = {"place": PLACES[place]}
        if place >= board.REGION_COUNT:
            return Refusal("general.ruler_black_line", "black_line", about)
        return Refusal("general.ruler_target", "out_of_reach", {**about, "to": PLACES[place]})

    chosen = yield ChooseOne(
        SEATS[FREE],
        prompt,
        (*OPTIONS[mask], "no_attack"),
        domain="place",
        rule="general.ruler_target",
        refused=lambda: refuse_all(PLACES, why_not),
    )
    return -1 if chosen == "no_attack" else PLACE[chosen]


def _number(state: State, key: str, prompt: str, options: tuple[str, ...]) -> Ask:
    value = yield from box_value(state, key, FREE, prompt, options, {}, "char.printed_values")
    return int(value)


def _shoot(state: State, place: int, dice: int, target: int, prompt: str) -> Ask:
    about = {"place": PLACES[place], "target": target}
    pips = yield from roll_dice(FREE, prompt, dice, about, "general.damage_like_combat")
    hits = sum(1 for pip in pips if pip >= target)
    yield from damage_outside_combat(state, SHADOW, place, hits, attack=True)
