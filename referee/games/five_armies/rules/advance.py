"""Chapter X: advancing after a combat (p. 30)."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from referee.games.five_armies.box.components import BEORN, CHARACTERS, FREE, SEATS, WALKERS
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES, places_in
from referee.games.five_armies.rules.asking import NUMBERS, Ask, ChooseWithDefault, choose
from referee.games.five_armies.rules.marchers import parse_marchers
from referee.games.five_armies.rules.movement import march, reduce_to_limit
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.battle import Battle
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Counts, Request


def advance(state: State, battle: Battle) -> Ask:
    """The winning attacker may move into the emptied region: one army, whole or in part, or Beorn.

    There is no advance while the defender still stands there (broken off, fog).
    """
    attacker, target = battle.attacker, battle.target
    if defender_stands(state, battle):
        return
    if battle.beorn and attacker == FREE:
        if state.where[BEORN] == battle.source:
            yield from _beorn_advances(state, battle)
        return
    standing = battle.armies & state.armies[attacker]
    if not standing:
        return
    several = ("no_advance",) * bool(standing & (standing - 1))
    answer = yield from choose(
        attacker,
        "prompt.advance_from",
        (*OPTIONS[standing], *several),
        domain="place",
        about={"to": PLACES[target]},
        rule="combined.advance_one_army",
        refused=lambda: [
            (PLACES[place], Refusal("combined.survivor_may_advance", "army_fell"))
            for place in places_in(battle.armies & ~standing)
        ],
    )
    if answer != "no_advance":
        yield from _army_advances(state, battle, PLACE[answer])


def _army_advances(state: State, battle: Battle, source: int) -> Ask:
    """Units of the army advance, none to all, with characters, leadership and their share of damage."""
    seat, target = battle.attacker, battle.target
    army = ARMY[state.units[source]]
    limits = dict(army.counts)
    there = state.chars[source] & WALKERS[seat]
    for character in places_in(there):
        limits[CHARACTERS[character]] = 1
    if state.leaders[source]:
        limits["leadership"] = state.leaders[source]
    about = {"from": PLACES[source], "to": PLACES[target]}
    chosen = yield ChooseWithDefault(
        SEATS[seat],
        "prompt.advance",
        limits,
        refuses=_units_lead,
        default=limits,
        proposes=True,
        about=about,
        rule="advance.optional",
    )
    units, characters, leaders = parse_marchers(chosen)
    if not units:
        return
    size, damage = ARMY[units].size, state.damage[source]
    least, most = max(0, damage - army.size + size), min(size, damage)
    damage = yield from _share_damage(seat, least, max(least, most), about)
    march(state, seat, (source, target), units, characters, leaders, damage)
    yield from reduce_to_limit(state, seat, target)


def _units_lead(chosen: Counts) -> Refusal | None:
    if chosen and not parse_marchers(chosen)[0]:
        return Refusal("move.split_by_moving_part", "no_units")
    return None


def _share_damage(seat: int, least: int, most: int, about: Mapping[str, str]) -> Generator[Request, Any, int]:
    refusal = Refusal("advance.split_damage", "damage_share", {"minimum": least, "maximum": most})
    answer = yield from choose(
        seat,
        "prompt.share_damage",
        NUMBERS[least : most + 1],
        domain="number",
        about=about,
        rule="advance.split_damage",
        refused=lambda: [(n, refusal) for n in NUMBERS[:21] if not least <= int(n) <= most],
    )
    return int(answer)


def defender_stands(state: State, battle: Battle) -> bool:
    """Whether the attacked army (or Beorn) is still in its region."""
    if state.armies[1 - battle.attacker] >> battle.target & 1:
        return True
    return battle.beorn and battle.attacker != FREE and state.where[BEORN] == battle.target


def _beorn_advances(state: State, battle: Battle) -> Ask:
    answer = yield ChooseOne(
        SEATS[FREE],
        "prompt.beorn_advance",
        ("advance", "no_advance"),
        about={"to": PLACES[battle.target]},
        rule="advance.optional",
    )
    if answer == "advance":
        put_character(state, BEORN, battle.target)
