"""Retreat: hex by hex towards one's own edge, figures lost for hexes that are not covered, panic,
trampling."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battlelore.box.components import (
    BACK,
    CREATURE,
    DICE,
    HELMETS,
    HEXES,
    LORE,
    OPTIONS,
    PLACE,
    PLACES,
    SEATS,
)
from referee.games.battlelore.rules import morale
from referee.games.battlelore.rules.losses import critical, take_off
from referee.games.battlelore.state.state import State, put
from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, RollDice, unless_forced


def ways_back(state: State, unit: int) -> int:
    """Mask of the hexes to which a unit may retreat by one step."""
    barred = state.stand[0] | state.stand[1] | state.ground.closed
    found = 0
    for place in BACK[state.at[unit]][state.field.units[unit].seat]:
        if not barred >> place & 1:
            found |= 1 << place
    return found


def retreat(state: State, unit: int, hexes: int, roller: int) -> Ask:
    """A unit retreats so many hexes; ``roller`` is the side that rolled the flags.

    Returns whether the unit is still there, and how many hexes it did not cover.
    """
    covered = yield from _walk(state, unit, hexes, roller)
    missing = hexes - covered
    if state.field.units[unit].kind == CREATURE:
        alive = yield from _barred_creature(state, unit, missing, roller) if missing else _stays()
        return alive, missing
    if missing and not take_off(state, unit, missing, roller):
        return False, missing
    if covered and morale.frightened(state, unit):
        alive = yield from panic(state, unit, covered, roller)
        return alive, missing
    return True, missing


def _stays() -> Ask:
    yield from ()
    return True


def _walk(state: State, unit: int, hexes: int, roller: int) -> Ask:
    """Step back until the way is barred; how many hexes were covered."""
    owner = state.field.units[unit].seat
    chooser = owner if state.house["retreat_chooser"] == "owner" else roller
    for covered in range(hexes):
        free = ways_back(state, unit)
        if not free:
            return covered
        here = state.at[unit]
        chosen = yield unless_forced(
            ChooseOne(
                SEATS[chooser],
                "prompt.retreat_to",
                OPTIONS[free],
                domain="place",
                about={"from": PLACES[here], "count": hexes - covered},
                rule="retreat.owner_chooses_hex",
                refused=lambda here=here: _refused(state, unit, here),  # type: ignore[misc]
            )
        )
        put(state, unit, PLACE[chosen])
    return hexes


def _refused(state: State, unit: int, here: int) -> list[tuple[str, Refusal]]:
    """Neighbours that are no way back, and why."""
    found = []
    free = ways_back(state, unit)
    for place in places_in(HEXES.neighbours[here] & ~free):
        found.append((PLACES[place], why_not_back(state, unit, place)))
    return found


def why_not_back(state: State, unit: int, place: int) -> Refusal:
    """Why a unit may not retreat to a neighbouring hex."""
    about = {"place": PLACES[place]}
    if place not in BACK[state.at[unit]][state.field.units[unit].seat]:
        return Refusal("retreat.towards_own_edge", "not_homewards", about)
    if (state.stand[0] | state.stand[1]) >> place & 1:
        return Refusal("retreat.not_through_units", "hex_taken", about)
    return Refusal("retreat.impassable_stays", "hex_closed", about)


def panic(state: State, unit: int, hexes: int, roller: int) -> Ask:
    """One die for each hex entered; each helmet of its colour costs a figure.  Whether it is still there."""
    owner = state.field.units[unit].seat
    thrower = roller if state.house["panic_roller"] == "attacker" else owner
    rolled = yield RollDice(
        SEATS[thrower],
        "prompt.panic_roll",
        {"battle": hexes},
        DICE,
        about={"place": PLACES[state.at[unit]]},
        rule="frightened.panic_die_per_hex",
    )
    lost = rolled["battle"].count(HELMETS[state.colour[unit]])
    return not lost or take_off(state, unit, lost, roller)


# --- creatures ---------------------------------------------------------------------------------------


def _barred_creature(state: State, creature: int, missing: int, roller: int) -> Ask:
    """The check of a creature whose way is barred; if it lives it tramples who stands there, and goes on."""
    rolled = yield RollDice(
        SEATS[roller],
        "prompt.barred_roll",
        {"battle": missing},
        DICE,
        about={"place": PLACES[state.at[creature]]},
        rule="trample.die_per_missing_hex",
    )
    if state.field.lore and state.house["check_earns_lore"] == "yes":
        state.tokens[roller] += rolled["battle"].count(LORE)
    helmets = rolled["battle"].count(HELMETS[state.colour[creature]])
    if helmets:
        dead = yield from critical(state, creature, roller, helmets, "trample.check_confirm")
        if dead:
            return False
    trampled = yield from _trample(state, creature, missing, roller)
    if trampled and state.house["trample_then_move"] == "goes_on":
        yield from _walk(state, creature, missing, roller)
    return True


def _trample(state: State, creature: int, missing: int, roller: int) -> Ask:
    """Every unit on the hexes to which the creature would have gone loses a figure for each missing hex."""
    blockers = list(_blockers(state, creature))
    if len(blockers) == 2 and all(state.figures[one] <= missing for one in blockers):
        orders = state.house["trampled_first"]
        first = yield ChooseOne(
            SEATS[state.active if orders == "active" else state.field.units[creature].seat],
            "prompt.trample_first",
            tuple(PLACES[state.at[one]] for one in blockers),
            domain="place",
            about={"from": PLACES[state.at[creature]]},
            rule="trample.all_blockers",
        )
        blockers.sort(key=lambda one: PLACES[state.at[one]] != first)
    for one in blockers:
        owner = state.field.units[one].seat
        way = state.house["trampled_banner"]
        winner = {"opponent": 1 - owner, "cause": roller, "nobody": -1}[way]
        if state.field.units[one].kind == CREATURE:
            continue  # only a critical hit destroys it
        take_off(state, one, missing, winner)
    return blockers


def _blockers(state: State, creature: int) -> Iterator[int]:
    for place in BACK[state.at[creature]][state.field.units[creature].seat]:
        if state.unit_at[place] >= 0:
            yield state.unit_at[place]
