"""What may be said to stand in a region, and the primitives that make it so; see :mod:`correct`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.games.five_armies.box.components import CHARACTERS, SEAT_OF_UNIT, SEATS, TOKEN_GROUPS, UNITS
from referee.games.five_armies.box.map import FORTIFICATION_INDEX, MUSTER_OF_PASS, PLACES, STRONGHOLDS
from referee.games.five_armies.state.armies import count
from referee.games.five_armies.state.state import State
from referee.kernel.corrections import Item
from referee.kernel.errors import InvalidAnswer

MOST_DAMAGE, MOST_LEADERSHIP = 40, 20


def correction_form(state: State, place: str) -> Sequence[Item]:
    """Everything that may stand at ``place``; empty for an unknown place.

    A character has no row to go away with: it leaves by being put where it is.
    """
    return tuple(_items(state, PLACES.index(place))) if place in PLACES else ()


def _items(state: State, place: int) -> Iterator[Item]:
    for unit, name in enumerate(UNITS):
        here = count(state.units[place], unit)
        if here + state.supply[unit]:
            yield Item(f"unit.{name}", f"unit.{name}", here, here + state.supply[unit])
    for character, name in enumerate(CHARACTERS):
        here = state.chars[place] >> character & 1
        yield Item(f"character.{name}", f"character.{name}", here, 1, here)
    yield Item("damage", "marker.damage", state.damage[place], MOST_DAMAGE)
    yield Item("leadership", "marker.leadership", state.leaders[place], MOST_LEADERSHIP)
    if STRONGHOLDS >> place & 1:
        yield Item("control", "marker.control", state.control >> place & 1, 1)
    for group, name in enumerate(TOKEN_GROUPS):
        here = state.tokens[group].get(place, 0)
        if here + state.token_pool[group]:
            most = here + state.token_pool[group]
            yield Item(f"token.{name}", f"token_group.{name}", here, most, of=("marker.token",))
    if place in FORTIFICATION_INDEX:
        fort = FORTIFICATION_INDEX[place]
        yield Item("fortification", "marker.fortification", state.fort_damage[fort], state.fort_values[fort])
    if place in MUSTER_OF_PASS:
        yield Item("closed_pass", "marker.closed_pass", state.closed_passes >> place & 1, 1)


def corrections(state: State, place: str, wanted: Mapping[str, int]) -> list[dict[str, Any]]:
    """The primitives that make ``wanted`` (by the form's keys) stand at ``place``."""
    changed = {
        item.key for item in correction_form(state, place) if wanted.get(item.key, item.count) != item.count
    }
    found: list[dict[str, Any]] = []
    if any(key.startswith("unit.") for key in changed):
        units = {name: wanted[f"unit.{name}"] for name in UNITS if wanted.get(f"unit.{name}")}
        if len({SEAT_OF_UNIT[UNITS.index(name)] for name in units}) > 1:
            raise InvalidAnswer(
                "Units of both sides cannot stand in one region.",
                "Einheiten beider Seiten können nicht in derselben Region stehen.",
            )
        found.append({"do": "army", "place": place, "units": units})
    for key in sorted(changed):
        kind, _, name = key.partition(".")
        value = wanted[key]
        if kind == "character":
            found.append({"do": "character", "character": name, "place": place})
        elif kind == "token":
            found.append({"do": "tokens", "place": place, "group": name, "value": value})
        elif kind == "control":
            found.append({"do": "control", "place": place, "seat": SEATS[value]})
        elif kind == "closed_pass":
            found.append({"do": "pass", "place": place, "open": not value})
        elif kind != "unit":
            found.append({"do": kind, "place": place, "value": value})
    return found
