"""Battles by chance, fit to be played: for the editor, and to find what nobody would set up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.components import PLACES, RACES, SEATS
from referee.games.battlelore.box.scenario import LORE, PLAIN, field_of
from referee.games.battlelore.position.battle_checks import can_be_played

Change = Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]
TRIES = 200
_UNITS = (6, 13)
_TILES = (0, 9)
"""Fewest and most on South's half."""
_GROUND = ("woods", "woods", "woods", "water", "rampart", "rampart", "stronghold", "hill", "ford", "bridge")
_WEAPONS = ("sword", "sword", "sword", "long", "bow", "bow", "crossbow", "lance", "spear", "none")
_HOW = ("turn", "turn", "turn", "flip")
_OWN = [name for at, name in enumerate(PLACES) if box.ROW_OF[at] < 3]
_HALF = [name for at, name in enumerate(PLACES) if 1 <= box.ROW_OF[at] <= 4]


def random_battle(seed: int, blank: Mapping[str, Any], change: Change) -> Mapping[str, Any]:
    """The battle of a seed: plain or lore, its map and forces copied, now and then with a creature."""
    rng = Random(seed)
    for _ in range(TRIES):
        data = _drawn(rng, blank, change)
        if can_be_played(field_of(data), {}):
            return data
    raise RuntimeError(f"no battle of seed {seed} can be played")


def _drawn(rng: Random, blank: Mapping[str, Any], change: Change) -> Mapping[str, Any]:
    data = blank
    for place in rng.sample(_HALF, rng.randint(*_TILES)):
        data = change(data, {"do": "paint", "place": place, "terrain": rng.choice(_GROUND)})
    for place in rng.sample(_OWN, rng.randint(*_UNITS)):
        kind, colour = rng.choice(("foot", "foot", "foot", "mounted")), rng.choice(box.COLOURS)
        weapon = rng.choice(_WEAPONS)
        race = rng.choice(("", "", "", *RACES))
        words = f"{kind} {colour} {weapon} {race}"
        data = change(data, {"do": "put", "place": place, "seat": SEATS[0], "unit": words})
    data = change(data, {"do": "mirror", "how": rng.choice(_HOW)})
    fewest = min(map(len, data["units"].values()))
    values = {
        "kind": rng.choice((PLAIN, LORE)),
        "first": rng.choice(SEATS),
        "sections": rng.choice(("inward", "outward", "cut_twelve")),
        **{f"goal.{seat}": str(max(1, min(rng.randint(2, 6), fewest))) for seat in SEATS},
    }
    if values["kind"] == LORE:
        values |= {"council": rng.choice(("printed", "shared"))}
        values |= {key: rng.choice(("no", "yes")) for key in ("master_landmarks", "lairs")}
    else:
        values |= {f"hand.{seat}": str(rng.randint(2, 6)) for seat in SEATS}
    for key, value in values.items():
        data = change(data, {"do": "set", "key": key, "value": value})
    if rng.random() < 0.3:
        data = _with_a_creature(rng, data, change)
    return data


def _with_a_creature(rng: Random, data: Mapping[str, Any], change: Change) -> Mapping[str, Any]:
    """One side has the creature of the box in place of a unit."""
    seat = rng.choice(SEATS)
    line = rng.choice(data["units"][seat])
    name, card = rng.choice(list(box.CREATURES.items()))
    words = f"creature {card['colour']} {name}"
    return change(data, {"do": "put", "place": line.split()[1], "seat": seat, "unit": words})
