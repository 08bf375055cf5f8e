"""Chapter IX: a part of an army, what it takes along, and merging where it arrives (p. 22, 23).

Used wherever units march: advance, retreat, cards.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, NamedTuple

from referee.games.five_armies.armies import ARMY, pack
from referee.games.five_armies.asking import NUMBERS, Exactly
from referee.games.five_armies.components import (
    ARMY_LIMIT,
    BEORN,
    CHARACTER,
    CHARACTER_BITS,
    CHARACTERS,
    SEATS,
    SHADOW,
)
from referee.games.five_armies.damage import LIFTED, casualties
from referee.games.five_armies.map import PLACES, UNLIMITED, places_in
from referee.games.five_armies.pieces import enter, lift_units, put_character, remove_units, set_down_units
from referee.games.five_armies.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSome, Counts, Request

Step = Generator[Request, Any, None]


class Part(NamedTuple):
    """What marches: packed units, damage and leadership tokens, a mask of characters."""

    units: int
    damage: int
    leaders: int
    characters: int


NOBODY = Part(0, 0, 0, 0)


def choose_part(
    state: State,
    seat: int,
    place: int,
    prompt: str,
    *,
    rule: str,
    damage_rule: str,
    about: Mapping[str, Any],
) -> Generator[Request, Any, Part]:
    """Which units of an army march (none, some, all), and what they take along."""
    army = ARMY[state.units[place]]
    chosen: Counts = yield ChooseSome(
        SEATS[seat], prompt, army.counts, default=army.counts, about=about, rule=rule
    )
    if not chosen:
        return NOBODY
    units = pack(chosen)
    number, damage = sum(chosen.values()), state.damage[place]
    leaders = state.leaders[place]
    if number < army.size:
        least = max(0, damage - army.size + number)
        damage = yield from _share(
            seat, "prompt.damage_along", least, min(number, damage), about, damage_rule
        )
        leaders = yield from _share(seat, "prompt.leadership_along", 0, leaders, about, rule)
    characters = yield from characters_along(state, seat, place, rule)
    return Part(units, damage, leaders, characters)


def _share(
    seat: int, prompt: str, least: int, most: int, about: Mapping[str, Any], rule: str
) -> Generator[Request, Any, int]:
    if least == most:
        return most
    refusal = Refusal(rule, "reason.share", {"minimum": least, "maximum": most})
    answer = yield ChooseOne(
        SEATS[seat],
        prompt,
        NUMBERS[least : most + 1],
        domain="number",
        about=about,
        rule=rule,
        refused=lambda: [(n, refusal) for n in NUMBERS[: most + 3] if not least <= int(n) <= most],
    )
    return int(answer)


def characters_along(state: State, seat: int, place: int, rule: str) -> Generator[Request, Any, int]:
    """Which characters go with units that march (a mask): the others stay in the region."""
    there = state.chars[place] & CHARACTER_BITS[seat] & ~(1 << BEORN)
    if not there:
        return 0
    names = {CHARACTERS[character]: 1 for character in places_in(there)}
    chosen = yield ChooseSome(
        SEATS[seat],
        "prompt.characters_along",
        names,
        default=names,
        domain="character",
        about={"place": PLACES[place]},
        rule=rule,
    )
    return sum(1 << CHARACTER[name] for name in chosen)


def march(state: State, seat: int, source: int, to: int, part: Part) -> Step:
    """Units move into a region with what they take along, and merge with an own army there."""
    units = part.units
    state.damage[source] -= part.damage
    state.leaders[source] -= part.leaders
    lift_units(state, source, units)
    set_down_units(state, to, units)
    state.damage[to] += part.damage
    state.leaders[to] += part.leaders
    for character in places_in(part.characters):
        put_character(state, character, to)
    enter(state, to, seat)
    yield from reduce_army(state, seat, to)


def reduce_army(state: State, seat: int, place: int) -> Step:
    """After merging, units above the limit of five are removed; each may take two damage tokens along."""
    units = state.units[place]
    army = ARMY[units]
    surplus = army.size - ARMY_LIMIT
    if surplus > 0 and not (seat == SHADOW and UNLIMITED >> place & 1):
        removed = yield Exactly(
            SEATS[seat],
            "prompt.reduce_army",
            army.counts,
            minimum=surplus,
            maximum=surplus,
            about={"place": PLACES[place], "count": surplus},
            rule="move.merge_reduce_to_five",
        )
        remove_units(state, place, pack(removed))
        most = min(surplus * LIFTED, state.damage[place])
        if most:
            lifted = yield from _share(
                seat, "prompt.damage_lifted", 0, most, {"place": PLACES[place]}, "move.merge_removal_heals"
            )
            state.damage[place] -= lifted
    yield from casualties(state, seat, place, only_duty=True)
