"""Battles made by players, step by step: terrain, units and what a scenario says beside its map.

A battle under way is the data of its file (:mod:`referee.games.battlelore.box.scenario`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.components import CREATURE, PLACE, PLACES, SEATS, TILES
from referee.games.battlelore.box.scenario import (
    BOARD,
    LORE,
    PLAIN,
    Unit,
    field_of,
    line_of,
    read_scenario,
    unit_of,
    write_scenario,
)
from referee.games.battlelore.box.supply import bearers_of, camp_of, tiles_of
from referee.games.battlelore.position import battle_checks, battle_settings
from referee.games.battlelore.position.random_battles import random_battle
from referee.games.battlelore.rules.setup import lines_on
from referee.games.battlelore.screens.drawing import draw_board
from referee.games.battlelore.state.state import MOST_UNITS, State, state_on
from referee.games.kit.copying import copy_json
from referee.kernel.battles import BattleFinding, Data, Stack
from referee.kernel.board import Board
from referee.kernel.errors import InvalidAnswer
from referee.kernel.forms import Field as FormField
from referee.kernel.messages import Text

TURN, FLIP = "turn", "flip"
"""South's half is copied to North's under a half turn about the middle, or as in a mirror."""
MOST_NAME = 60
Draft = dict[str, Any]


class Battles:
    """How battles are made: :class:`referee.kernel.battles.BattleMaking`."""

    def blank(self, name: str) -> Data:
        """An empty field called ``name``."""
        hand = dict.fromkeys(SEATS, 5)
        data: Draft = {"id": "own", "name": {}, "kind": PLAIN, "sections": BOARD, "first": SEATS[0]}
        data |= {
            "victory_banners": dict.fromkeys(SEATS, 4),
            "camps": dict(zip(SEATS, box.CAMPS, strict=True)),
        }
        data |= {"command_hand": hand, "landmarks": {"master_landmarks": False, "lairs": False}}
        data |= {"terrain": {}, "units": {seat: [] for seat in SEATS}}
        data |= {"decks": {"command": "practice", "lore": "practice"}}
        _name(data, {"value": name})
        return data

    def random(self, seed: int) -> Data:
        """A battle by chance, its map and its forces their own picture under a half turn."""
        return random_battle(seed, self.blank(f"{seed}"), self.change)

    def change(self, data: Data, step: Mapping[str, Any]) -> Data:
        """The battle after a step.  Raises :class:`InvalidAnswer`."""
        doing = STEPS.get(str(step.get("do")))
        if doing is None:
            raise InvalidAnswer(Text("battlelore.no_step", step=str(step.get("do"))))
        after: Draft = copy_json(dict(data))
        after["units"] = {seat: after["units"].get(seat, []) for seat in SEATS}
        after.setdefault("terrain", {})
        doing(after, step)
        after["terrain"] = {kind: there for kind, there in after["terrain"].items() if there}
        return after

    def stacks(self) -> Sequence[Stack]:
        """Terrain, units by class and colour, creatures, and what tells units apart."""
        return tuple(_stacks())

    def preview(self, data: Data, told: Mapping[str, Any]) -> tuple[State, Board]:
        """The battle before its first turn, and its board."""
        field = field_of(data)
        return state_on(field), draw_board(field, lines_on(field, told))

    def settings(self, data: Data) -> Sequence[tuple[FormField, str]]:
        """What is set beside the board, each with its value."""
        return tuple(battle_settings.settings(data))

    def findings(self, data: Data, told: Mapping[str, Any]) -> Sequence[BattleFinding]:
        """What is wrong with a battle, or to be minded."""
        return tuple(battle_checks.findings(field_of(data), told))

    def needs(self, data: Data) -> Sequence[tuple[str, Text, int]]:
        """The tiles, and the units of each side, with how many of each."""
        return tuple(_needs(data))

    def read(self, text: str) -> Data:
        """A battle from its file.  Raises :class:`referee.kernel.located.FileProblems`."""
        return read_scenario(text).data

    def write(self, data: Data) -> str:
        """The file of a battle."""
        return write_scenario(field_of(data))


BATTLES = Battles()


def _stacks() -> Iterator[Stack]:
    for kind in TILES:
        yield Stack(kind, "terrain", Text("battlelore.tile", terrain=kind))
    for kind in box.CLASSES[:CREATURE]:
        for colour in box.COLOURS:
            name = f"{kind}_{colour}"
            yield Stack(f"{kind} {colour}", "unit", Text("battlelore.troop", unit=name), name)
    for creature, card in box.CREATURES.items():
        stack = f"{box.CLASSES[CREATURE]} {card['colour']} {creature}"
        yield Stack(stack, "unit", Text("battlelore.troop", unit=creature), creature)
    for weapon in box.WEAPONS:
        yield Stack(weapon, "weapon", Text("battlelore.weapon", weapon=weapon))
    for race in box.RACES:
        yield Stack(race, "race", Text(f"battlelore.race_{race}"))


def _needs(data: Data) -> Iterator[tuple[str, Text, int]]:
    field = field_of(data)
    for kind, count in tiles_of(field).items():
        yield "", Text("battlelore.tile", terrain=kind), count
    for seat, name in enumerate(SEATS):
        for bearer, count in sorted(bearers_of(field, seat).items()):
            yield (
                name,
                Text("battlelore.troop_of", camp=Text(f"battlelore.{camp_of(field, seat)}"), unit=bearer),
                count,
            )


# --- steps -------------------------------------------------------------------------------------------


def _place(step: Mapping[str, Any], key: str = "place") -> str:
    place = step.get(key)
    if place not in PLACE:
        raise InvalidAnswer(Text("battlelore.no_hex", hex=str(place)))
    return str(place)


def _standing(data: Draft, place: str) -> tuple[str, Unit] | None:
    """The unit on a hex and its side."""
    for number, seat in enumerate(SEATS):
        for line in data["units"][seat]:
            unit = unit_of(line, number)
            if unit.start == PLACE[place]:
                return seat, unit
    return None


def _take(data: Draft, place: str) -> tuple[str, Unit] | None:
    """Take the unit off a hex."""
    found = _standing(data, place)
    if found is not None:
        seat, unit = found
        data["units"][seat] = [line for line in data["units"][seat] if line.split()[0] != unit.id]
    return found


def _stand(data: Draft, seat: str, unit: Unit) -> None:
    data["units"][seat].append(line_of(unit))


def _free_name(data: Draft, seat: str) -> str:
    used = {line.split()[0] for side in data["units"].values() for line in side}
    return next(name for n in range(1, MOST_UNITS + 2) if (name := f"{seat[0].upper()}{n}") not in used)


def _put(data: Draft, step: Mapping[str, Any]) -> None:
    """A unit of the stacks; the same once more takes it off again."""
    place, seat = _place(step), step.get("seat")
    if seat not in SEATS:
        raise InvalidAnswer(Text("battlelore.no_side", side=str(seat)))
    kind, colour, *tags = [*str(step.get("unit")).split(), "", ""][:6]
    figures = box.FIGURES[box.CLASSES.index(kind)] if kind in box.CLASSES else 0
    line = " ".join(filter(None, ("X", place, kind, colour, str(figures), *tags)))
    try:
        unit = unit_of(line, SEATS.index(seat))
    except (ValueError, KeyError) as error:
        raise InvalidAnswer(Text("battlelore.no_such_unit", unit=str(step.get("unit")))) from error
    if sum(map(len, data["units"].values())) >= MOST_UNITS:
        raise InvalidAnswer(Text("battlelore.enough_units", most=MOST_UNITS))
    before = _take(data, place)
    unit = replace(unit, id=_free_name(data, seat))
    if before is None or (before[0], replace(before[1], id=unit.id, figures=figures)) != (seat, unit):
        _stand(data, seat, unit)


def _paint(data: Draft, step: Mapping[str, Any]) -> None:
    """A tile: it takes the place of the one that lies there; the same once more takes it off again."""
    place, kind = _place(step), str(step.get("terrain"))
    if kind not in TILES and kind not in data.get("kinds", {}):
        raise InvalidAnswer(Text("battlelore.no_tile", tile=kind))
    there = place in data["terrain"].get(kind, ())
    _sweep(data, place)
    if not there:
        data["terrain"][kind] = sorted([*data["terrain"].get(kind, ()), place], key=PLACE.__getitem__)


def _sweep(data: Draft, place: str) -> None:
    for kind, hexes in data["terrain"].items():
        data["terrain"][kind] = [at for at in hexes if at != place]


def _clear(data: Draft, step: Mapping[str, Any]) -> None:
    """The unit, then the tile."""
    place = _place(step)
    if _take(data, place) is None:
        _sweep(data, place)


def _figures(data: Draft, step: Mapping[str, Any]) -> None:
    """A unit begins with fewer figures."""
    place, count = _place(step), step.get("count")
    found = _standing(data, place)
    if found is None:
        raise InvalidAnswer(Text("battlelore.nobody_there", place=place))
    seat, unit = found
    if not isinstance(count, int) or not 1 <= count <= box.FIGURES[unit.kind]:
        raise InvalidAnswer(Text("battlelore.figures_of", most=box.FIGURES[unit.kind]))
    lines = data["units"][seat]
    at = next(n for n, line in enumerate(lines) if line.split()[0] == unit.id)
    lines[at] = line_of(replace(unit, figures=count))


def _move(data: Draft, step: Mapping[str, Any]) -> None:
    """A unit goes to another hex; who stands there changes places with it."""
    place, to = _place(step), _place(step, "to")
    mover, other = _take(data, place), _take(data, to)
    if mover is None:
        raise InvalidAnswer(Text("battlelore.nobody_there", place=place))
    _stand(data, mover[0], replace(mover[1], start=PLACE[to]))
    if other is not None:
        _stand(data, other[0], replace(other[1], start=PLACE[place]))


def _name(data: Draft, step: Mapping[str, Any]) -> None:
    text = "".join(c for c in str(step.get("value", "")) if c.isprintable()).strip()[:MOST_NAME]
    if not text:
        raise InvalidAnswer(Text("battlelore.name_wanted"))
    data["name"] = dict.fromkeys(("en", "de"), text)
    plain = (
        unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss")).encode("ascii", "ignore").decode()
    )
    data["id"] = re.sub(r"[^a-z0-9]+", "_", plain).strip("_") or "battle"


def picture(how: str, at: int) -> int:
    """Where a hex of South's half comes to lie under a half turn, or in a mirror."""
    x, y = box.HEXES.at[at]
    return box.HEXES.index[box.WIDEST - x if how == TURN else x, box.ROWS - 1 - y]


def _copied(how: str, at: int) -> bool:
    """Whether a hex is copied: those of South's half; of the middle row the left one, in a half turn."""
    x, y = box.HEXES.at[at]
    return y < box.ROWS // 2 or (how == TURN and y == box.ROWS // 2 and x < box.WIDEST // 2)


def _mirror(data: Draft, step: Mapping[str, Any]) -> None:
    """North gets a picture of South's half: tiles and units."""
    how = str(step.get("how"))
    if how not in (TURN, FLIP):
        raise InvalidAnswer(Text("battlelore.no_step", step=how))
    kept = {at for at in range(box.PLACE_COUNT) if _copied(how, at) or picture(how, at) == at}
    for kind, hexes in data["terrain"].items():
        own = [PLACE[at] for at in hexes if PLACE[at] in kept]
        both = {*own, *(picture(how, at) for at in own)}
        data["terrain"][kind] = [PLACES[at] for at in sorted(both)]
    south, north = SEATS
    data["units"][north] = []
    units = [unit_of(line, box.SOUTH) for line in data["units"][south]]
    units = [unit for unit in units if unit.start in kept and picture(how, unit.start) != unit.start]
    data["units"][south] = [line_of(unit) for unit in units]
    for unit in units:
        _stand(data, north, replace(unit, id=_free_name(data, north), start=picture(how, unit.start)))


def _set(data: Draft, step: Mapping[str, Any]) -> None:
    battle_settings.change(data, str(step.get("key")), step.get("value"))


STEPS: Mapping[str, Callable[[Draft, Mapping[str, Any]], None]] = {
    "put": _put,
    "paint": _paint,
    "clear": _clear,
    "figures": _figures,
    "move": _move,
    "name": _name,
    "mirror": _mirror,
    "set": _set,
}
"""Steps by name; what they are given stands in each."""
__all__ = ["BATTLES", "FLIP", "LORE", "TURN", "Battles", "picture"]
