"""Draw the board of War of the Ring from its map data.

Usage: ``python scripts/draw_war_of_the_ring_board.py`` (writes
``referee/games/war_of_the_ring/box/board.json``; deterministic).

The map data give each region's neighbours and walls, and where our drawing has
its middle; outlines, coast and the boxes of besieged garrisons are ours.
"""

from __future__ import annotations

import json
import math
import sys
import tomllib
from pathlib import Path
from typing import Any

from board_shapes import Pair, Point, pair_of, seeds_of, shapes

BOX = Path(__file__).parent.parent / "referee" / "games" / "war_of_the_ring" / "box"
WIDTH, HEIGHT = 1900.0, 1420.0
REACH = 0.42
BOX_RADIUS = 22.0

SEA: tuple[Point, ...] = (
    (40, 200), (40, 100), (100, 100), (250, 90), (40, 450), (40, 560), (60, 660), (150, 680), (250, 660),
    (250, 760), (100, 800), (350, 760), (420, 780), (300, 880), (440, 860), (150, 950), (350, 1000),
    (400, 1060), (300, 1150), (520, 1080), (600, 1130), (700, 1170), (800, 1220), (900, 1200), (980, 1150),
    (980, 1240), (1000, 1330), (100, 1200), (100, 1380), (500, 1250), (600, 1380), (850, 1350), (320, 120),
    (640, 1060),
)  # fmt: skip
GROUND = {  # by what the name of a region says; the game has no terrain
    "forest": ("mirkwood", "forest", "fangorn", "lorien", "woodland"),
    "swamp": ("marshes", "gladden"),
    "hill": ("hills", "downs", "emyn_muil", "ettenmoors"),
    "mountain": ("mount", "ered_luin", "eyrie", "high_pass", "moria", "goblins", "barad", "gorgoroth"),
}
TERRITORIES = {
    "dwarves": {"colour": "brown"},
    "elves": {"colour": "lime"},
    "gondor": {"colour": "blue"},
    "north": {"colour": "sky"},
    "rohan": {"colour": "green"},
    "isengard": {"colour": "yellow"},
    "sauron": {"colour": "red"},
    "southrons_easterlings": {"colour": "orange"},
}


def main() -> None:
    """Write the board file."""
    regions = tomllib.loads((BOX / "map.toml").read_text(encoding="utf-8"))["regions"]
    centres = {key: (float(region["at"][0]), float(region["at"][1])) for key, region in regions.items()}
    land = {pair_of(key, other) for key, region in regions.items() for other in region["borders"]}
    walls = {pair_of(key, other) for key, region in regions.items() for other in region.get("wall", ())}
    seeds = seeds_of(centres, land, {}, REACH)
    outlines, lines = shapes(seeds + [(f"sea_{n}", point) for n, point in enumerate(SEA)], WIDTH, HEIGHT)
    places = {key: _place(key, regions.get(key), centres, outlines[key]) for key in sorted(outlines)}
    places |= _siege_boxes(regions, places)
    board = {
        "width": WIDTH,
        "height": HEIGHT,
        "places": places,
        "lines": [line for pair in sorted(lines) for line in _lines(pair, lines[pair], land)],
        "territories": TERRITORIES,
    }
    _report({pair for pair in lines if not _at_sea(pair)}, land, walls)
    text = json.dumps(board, separators=(",", ":"), ensure_ascii=False)
    (BOX / "board.json").write_text(text + "\n", encoding="utf-8")


def _at_sea(pair: Pair) -> bool:
    return any(name == "~" or name.startswith("sea_") for name in pair)


def _ground(key: str) -> str:
    for terrain, words in GROUND.items():
        if any(word in key for word in words):
            return terrain
    return "plain"


def _place(
    key: str, region: dict[str, Any] | None, centres: dict[str, Point], outline: list[Point]
) -> dict[str, Any]:
    """One place of the board file: a region, or sea where nobody can be."""
    if region is None:
        return {
            "kind": "rock",
            "terrain": "water",
            "territory": "",
            "label": outline[0],
            "outline": outline,
            "tags": [],
        }
    return {
        "kind": "region",
        "terrain": _ground(key),
        "territory": region.get("nation", ""),
        "label": centres[key],
        "outline": outline,
        "tags": [region["settlement"]] if "settlement" in region else [],
    }


def _siege_boxes(regions: dict[str, Any], places: dict[str, Any]) -> dict[str, Any]:
    """A six-sided box beside each stronghold for a besieged garrison, where its region has most room."""
    boxes = {}
    for key, region in regions.items():
        if region.get("settlement") == "stronghold":
            middle = _room(places[key]["label"], places[key]["outline"])
            boxes[f"{key}_siege"] = {
                "kind": "box",
                "terrain": "",
                "territory": region["nation"],
                "label": middle,
                "outline": _hexagon(middle),
                "tags": ["siege"],
            }
    return boxes


def _hexagon(middle: Point) -> list[Point]:
    return [
        (
            round(middle[0] + BOX_RADIUS * math.cos(math.radians(turn)), 1),
            round(middle[1] + BOX_RADIUS * math.sin(math.radians(turn)), 1),
        )
        for turn in range(0, 360, 60)
    ]


def _room(label: Point, outline: list[Point]) -> Point:
    """The point round a label, clear of it, that is farthest from the region's outline."""
    ways = [
        (label[0] + far * math.cos(math.radians(turn)), label[1] + 0.85 * far * math.sin(math.radians(turn)))
        for far in (40, 48, 58)
        for turn in range(0, 360, 15)
    ]
    inside = [point for point in ways if _contains(outline, point)] or ways
    best = max(inside, key=lambda point: min(math.dist(point, corner) for corner in outline))
    return (round(best[0], 1), round(best[1], 1))


def _contains(outline: list[Point], point: Point) -> bool:
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def _lines(pair: Pair, chains: list[list[Point]], land: set[Pair]) -> list[dict[str, Any]]:
    """The lines between one pair of places, each with its kind; two pieces of sea have none."""
    sea = [name for name in pair if name.startswith("sea_")]
    if "~" in pair or len(sea) == 2:
        return []
    kind = "coast" if sea else "border" if pair in land else "wall"
    return [{"kind": kind, "between": list(pair), "points": chain} for chain in chains]


def _report(touching: set[Pair], land: set[Pair], walls: set[Pair]) -> None:
    """Say which neighbours do not touch, and who touches without being a neighbour or behind a wall."""
    for pair in sorted(land - touching):
        print("neighbours that do not touch:", *pair, file=sys.stderr)
    for pair in sorted(touching - land - walls):
        print("touch without being neighbours (drawn as a wall):", *pair, file=sys.stderr)


if __name__ == "__main__":
    main()
