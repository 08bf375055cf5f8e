"""What is in the box, as constants and tables, read once from ``box/*.toml``.

Seats, nations, figures, characters, faces and tiles are small integers inside
the engine and readable ids outside; the tuples of ids below translate.  The
data are of the second edition's components; :mod:`editions` tells what differs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from referee.kernel.dice import PIP_FACES, DieType

BOX = Path(__file__).parent


@cache
def box_data(name: str) -> Mapping[str, Any]:
    """One file of the shipped box data, ``box/<name>.toml``."""
    with (BOX / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


# --- seats and nations -------------------------------------------------------------------------

FREE, SHADOW = 0, 1
SEATS = ("free", "shadow")

_NATIONS = box_data("nations")["nations"]
NATIONS: tuple[str, ...] = tuple(_NATIONS)
NATION = {name: index for index, name in enumerate(NATIONS)}
DWARVES, ELVES, GONDOR, NORTH, ROHAN, ISENGARD, SAURON, SOUTHRONS = range(8)
SEAT_OF_NATION: tuple[int, ...] = tuple(SEATS.index(entry["seat"]) for entry in _NATIONS.values())
NATIONS_OF_SEAT = (tuple(range(5)), tuple(range(5, 8)))
FREE_NATIONS, SHADOW_NATIONS = NATIONS_OF_SEAT
START_STEPS: tuple[int, ...] = tuple(entry["steps"] for entry in _NATIONS.values())
"""Steps from At War at the start; 0 is At War."""
START_ACTIVE = sum(1 << n for n, entry in enumerate(_NATIONS.values()) if entry["active"])

# --- figures: a regular and an elite of each nation, leaders of the Free Peoples, Nazgul ------------

FIGURES: tuple[str, ...] = (
    *(f"{nation}_{kind}" for nation in NATIONS for kind in ("regular", "elite")),
    *(f"{NATIONS[nation]}_leader" for nation in FREE_NATIONS),
    "nazgul",
)
FIGURE = {name: index for index, name in enumerate(FIGURES)}
UNIT_COUNT = 16
"""Figures ``0 .. 15`` are army units (``2 * nation`` regular, ``2 * nation + 1`` elite); the rest lead."""
NAZGUL = len(FIGURES) - 1
REGULAR: tuple[int, ...] = tuple(2 * nation for nation in range(8))
ELITE: tuple[int, ...] = tuple(2 * nation + 1 for nation in range(8))
LEADER: tuple[int, ...] = tuple(UNIT_COUNT + nation for nation in range(5))
"""The leader figure of each Free Peoples nation."""
NATION_OF: tuple[int, ...] = tuple([figure // 2 for figure in range(UNIT_COUNT)] + [*FREE_NATIONS] + [SAURON])
SEAT_OF: tuple[int, ...] = tuple(SEAT_OF_NATION[nation] for nation in NATION_OF)


def _figures(key: str) -> tuple[int, ...]:
    """A count of each figure from the nations' lists ``[regulars, elites, leaders, Nazgul]``."""
    found = [0] * len(FIGURES)
    for nation, entry in enumerate(_NATIONS.values()):
        regular, elite, leaders, nazgul = entry[key]
        found[REGULAR[nation]], found[ELITE[nation]] = regular, elite
        if nation in FREE_NATIONS:
            found[LEADER[nation]] = leaders
        found[NAZGUL] += nazgul
    return tuple(found)


FIGURES_IN_BOX = _figures("figures")
REINFORCEMENTS = _figures("reinforcements")
ARMY_LIMIT = 10
SIEGE_LIMIT = 5
MOST_COMBAT_DICE: int = box_data("hunt")["dice"]["combat"]

# --- characters ------------------------------------------------------------------------------

_CHARACTERS = box_data("characters")["characters"]
CHARACTERS: tuple[str, ...] = tuple(_CHARACTERS)
CHARACTER = {name: index for index, name in enumerate(CHARACTERS)}
(
    GANDALF_GREY,
    STRIDER,
    BOROMIR,
    LEGOLAS,
    GIMLI,
    MERIADOC,
    PEREGRIN,
    ARAGORN,
    GANDALF_WHITE,
    GOLLUM,
    WITCH_KING,
    SARUMAN,
    MOUTH,
) = range(13)
SEAT_OF_CHARACTER: tuple[int, ...] = tuple(SEATS.index(entry["seat"]) for entry in _CHARACTERS.values())
LEVEL: tuple[int, ...] = tuple(entry["level"] for entry in _CHARACTERS.values())
LEADERSHIP: tuple[int, ...] = tuple(entry["leadership"] for entry in _CHARACTERS.values())
ANY_NATION, NO_NATION = -2, -1
ACTIVATES: tuple[int, ...] = tuple(
    ANY_NATION if entry.get("activates") == "any" else NATION.get(entry.get("activates", ""), NO_NATION)
    for entry in _CHARACTERS.values()
)
"""The nation that a companion may activate, ``ANY_NATION`` or ``NO_NATION``."""
CAPTAINS = sum(1 << c for c, entry in enumerate(_CHARACTERS.values()) if entry.get("captain"))
BRING_A_DIE = sum(1 << c for c, entry in enumerate(_CHARACTERS.values()) if entry.get("die"))
MINIONS = 1 << WITCH_KING | 1 << SARUMAN | 1 << MOUTH
COMPANIONS = (1 << len(CHARACTERS)) - 1 & ~MINIONS & ~(1 << GOLLUM)
"""Companions, the two who replace another included; Gollum is none."""
HOBBITS = 1 << MERIADOC | 1 << PEREGRIN
CHARACTERS_OF_SEAT = (COMPANIONS | 1 << GOLLUM, MINIONS)

# --- hunt, dice, rings -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tile:
    """A Hunt tile: ``value`` is a number, ``"eye"`` or ``"die"``; ``seat`` (-1: standard) whose it is."""

    id: str
    value: int | str
    reveal: bool
    stop: bool
    count: int
    seat: int


_HUNT = box_data("hunt")
TILES: tuple[Tile, ...] = tuple(
    Tile(
        name,
        entry["value"],
        entry.get("reveal", False),
        entry.get("stop", False),
        entry.get("count", 1),
        SEATS.index(entry["seat"]) if "seat" in entry else -1,
    )
    for part in ("standard", "special")
    for name, entry in _HUNT[part].items()
)
TILE = {tile.id: index for index, tile in enumerate(TILES)}
STANDARD_TILES = tuple(index for index, tile in enumerate(TILES) if tile.seat < 0)
SPECIAL_TILES = tuple(index for index, tile in enumerate(TILES) if tile.seat >= 0)
CORRUPTION_LIMIT: int = _HUNT["tracks"]["corruption_limit"]
PROGRESS_END: int = _HUNT["tracks"]["progress_end"]
CRACK_OF_DOOM: int = _HUNT["tracks"]["crack_of_doom"]
RINGS_AT_START: int = _HUNT["rings"]["free"]
BASE_POOL: tuple[int, int] = (_HUNT["dice"]["free"]["base"], _HUNT["dice"]["shadow"]["base"])

FACES = ("character", "army", "muster", "muster_army", "event", "will_of_the_west", "lidless_eye")
FACE = {name: index for index, name in enumerate(FACES)}
F_CHARACTER, F_ARMY, F_MUSTER, F_MUSTER_ARMY, F_EVENT, F_WEST, F_EYE = range(7)
FACES_OF_SEAT: tuple[tuple[int, ...], tuple[int, ...]] = (
    tuple(sorted({FACE[face] for face in _HUNT["dice"]["free"]["faces"]})),
    tuple(sorted({FACE[face] for face in _HUNT["dice"]["shadow"]["faces"]})),
)
ACTION_DIE = ("free_action", "shadow_action")
COMBAT_DIE = ("combat_free", "combat_shadow")
DICE: Mapping[str, DieType] = {
    "free_action": DieType("free_action", "symbol", tuple(_HUNT["dice"]["free"]["faces"]), "blue"),
    "shadow_action": DieType("shadow_action", "symbol", tuple(_HUNT["dice"]["shadow"]["faces"]), "red"),
    "combat_free": DieType("combat_free", "pip", PIP_FACES, "white"),
    "combat_shadow": DieType("combat_shadow", "pip", PIP_FACES, "black"),
}

# --- card decks ---------------------------------------------------------------------------------

CHARACTER_DECK, STRATEGY_DECK = 0, 1
DECKS = ("character", "strategy")
"""The backs of the Event cards; each seat has one deck of each."""
DECK_SIZE = 24
HAND_LIMIT = 6
