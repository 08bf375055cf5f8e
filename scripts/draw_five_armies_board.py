"""Draw the board of The Battle of Five Armies from its map data.

Usage: ``python scripts/draw_five_armies_board.py`` (writes
``referee/games/five_armies/box/board.json``; deterministic).

The map data give each region's centre, neighbours, slopes and fords; outlines,
river and mountain are ours.
"""

from __future__ import annotations

import json
import math
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

from board_shapes import Pair, Point, pair_of, seeds_of, shapes

BOX = Path(__file__).parent.parent / "referee" / "games" / "five_armies" / "box"
WIDTH, HEIGHT = 1986.0, 1428.0

# Boxes inside the Lonely Mountain and beside it, and rock where nobody can be.
BOXES: dict[str, Point] = {
    "goblin_muster_north": (800.0, 95.0),
    "pass_north": (985.0, 100.0),
    "goblin_muster_west": (118.0, 450.0),
    "pass_west": (100.0, 660.0),
    "eyrie": (160.0, 130.0),
}
ROCK: tuple[Point, ...] = (
    (330, 210), (330, 90), (230, 300), (640, 90), (640, 180), (500, 250), (400, 300), (120, 290), (60, 360),
    (1130, 60), (1130, 150), (1250, 60), (1230, 180), (1320, 170), (1400, 215), (1480, 205), (1540, 240),
    (1570, 320), (1580, 400), (40, 560), (60, 800), (150, 860), (60, 960), (120, 1060), (50, 1160),
    (890, 180), (760, 180),
    (1060, 170), (400, 400), (420, 470), (215, 480), (220, 560), (180, 360), (1345, 225), (1160, 215),
)  # fmt: skip
EXTRA: dict[str, tuple[Point, ...]] = {
    "front_gate": ((500, 130), (505, 180)),
    "eb_gate_road": ((520, 330), (525, 400), (470, 430)),
    "eb_ridge_west": ((640, 300),),
    "goblin_muster_north": ((860, 60), (740, 60)),
    "goblin_muster_west": ((118, 390), (118, 500)),
    "pass_west": ((130, 640),),
    "ss_southwest": ((60, 1290), (60, 1390), (230, 1390), (330, 1390)),
    "ss_south": ((480, 1390), (600, 1330)),
    "lower_slopes": ((760, 1390),),
    "ss_east_hill": ((1040, 1390),),
    "bl_south_hill": ((1500, 1390), (1330, 1370)),
    "bl_southeast_plain": ((1800, 1390), (1930, 1300)),
    "bl_northeast_plain": ((1930, 200),),
    "bl_northwest_hill": ((1400, 40),),
    "v_south_swamp": ((1200, 1240),),
}

# Short stretches of river that our outlines have and the map data do not list.
RIVER_TOO = {
    ("eb_south_hill", "v_northwest_plain"),
    ("eb_south_hill", "fallen_bridge"),
    ("eb_bridge_bank", "ss_north"),
}


def facts() -> dict[str, Any]:
    """The map data of the box."""
    data: dict[str, Any] = tomllib.loads((BOX / "map.toml").read_text(encoding="utf-8"))
    return data


def main() -> None:
    """Write the board file."""
    data = facts()
    regions = data["regions"]
    terrain = {key: region["terrain"] for key, region in regions.items()}
    centres: dict[str, Point] = {
        key: (float(r["icon"][0]), float(r["icon"][1])) for key, r in regions.items()
    }
    centres |= BOXES
    fords = {pair_of(border["a"], border["b"]) for border in data["borders"] if border["kind"] == "ford"}
    land = {pair_of(border["a"], border["b"]) for border in data["borders"]} - fords
    boxes = {pair_of(way["muster"], way["pass"]) for way in data["passes"].values()}
    passes = {pair_of(way["pass"], way["exit"]) for way in data["passes"].values()}
    river = {pair_of(bank["a"], bank["b"]) for bank in data["river"]} | RIVER_TOO
    uphill = {
        pair: next(key for key in pair if terrain[key] == "mountain")
        for pair in land
        if is_slope(pair, terrain)
    }
    seeds = seeds_of(centres, land | fords | boxes | passes, EXTRA) + [("rock", point) for point in ROCK]
    outlines, lines = shapes_by_rock(seeds)
    board = {
        "width": WIDTH,
        "height": HEIGHT,
        "places": {
            key: place_json(key, regions.get(key), centres.get(key), outlines[key])
            for key in sorted(outlines)
        },
        "lines": [
            line
            for pair in sorted(lines)
            for line in lines_json(pair, lines[pair], land, fords, boxes | passes, uphill, river)
        ],
        "territories": data["territories"],
    }
    report(lines, land, fords, boxes | passes, river)
    (BOX / "board.json").write_text(
        json.dumps(board, separators=(",", ":"), ensure_ascii=False) + "\n", encoding="utf-8"
    )


def is_slope(pair: Pair, terrain: dict[str, str]) -> bool:
    """A slope divides a mountain region from one of another terrain (chapter III)."""
    return (terrain[pair[0]] == "mountain") != (terrain[pair[1]] == "mountain")


def shapes_by_rock(
    seeds: list[tuple[str, Point]],
) -> tuple[dict[str, list[Point]], dict[Pair, list[list[Point]]]]:
    """Shapes with each rock seed as a piece of its own: rock needs no one outline."""
    numbered = [(f"rock_{n}" if place == "rock" else place, point) for n, (place, point) in enumerate(seeds)]
    return shapes(numbered, WIDTH, HEIGHT)


def place_json(
    key: str, region: dict[str, Any] | None, centre: Point | None, outline: list[Point]
) -> dict[str, Any]:
    """One place of the board file."""
    if region is None:
        kind = "rock" if key.startswith("rock_") else "box"
        tags = (
            ["mustering"] if key.startswith("goblin_muster") else ["pass"] if key.startswith("pass") else []
        )
        return {
            "kind": kind,
            "terrain": "mountain",
            "territory": "",
            "label": centre or outline[0],
            "outline": outline,
            "tags": tags,
        }
    tags = [tag for tag in ("settlement", "mustering") if region.get(tag)]
    if region.get("fortification"):
        tags.append("fortification")
    return {
        "kind": "region",
        "terrain": region["terrain"],
        "territory": region["territory"],
        "label": centre,
        "outline": outline,
        "tags": tags,
    }


def lines_json(
    pair: Pair,
    chains: list[list[Point]],
    land: set[Pair],
    fords: set[Pair],
    passes: set[Pair],
    slopes: dict[Pair, str],
    river: set[Pair],
) -> list[dict[str, Any]]:
    """The lines between one pair of places, each with its kind."""
    a, b = pair
    if "~" in pair or (a.startswith("rock_") and b.startswith("rock_")):
        return []
    between = [a, b]
    if pair in slopes:
        kind, between = "slope", [a if slopes[pair] == b else b, slopes[pair]]
    elif pair in land:
        kind = "border"
    elif pair in fords or pair in river:
        kind = "river"
    elif pair in passes:
        kind = "pass"
    else:
        kind = "wall"
    found = [{"kind": kind, "between": between, "points": chain} for chain in chains]
    if pair in fords:
        found.append({"kind": "ford", "between": between, "points": [middle(max(chains, key=length))]})
    return found


def length(chain: list[Point]) -> float:
    """The length of a line, in board units."""
    return sum(math.dist(a, b) for a, b in pairwise(chain))


def middle(chain: list[Point]) -> Point:
    """The point half way along a line."""
    left = length(chain) / 2
    for a, b in pairwise(chain):
        step = math.dist(a, b)
        if step >= left:
            share = left / step
            return (round(a[0] + (b[0] - a[0]) * share, 1), round(a[1] + (b[1] - a[1]) * share, 1))
        left -= step
    return chain[-1]


def report(
    lines: dict[Pair, list[list[Point]]],
    land: set[Pair],
    fords: set[Pair],
    passes: set[Pair],
    river: set[Pair],
) -> None:
    """Say which neighbours do not touch, and who touches without being a neighbour."""
    touching = {pair for pair in lines if "~" not in pair}
    for pair in sorted((land | fords | passes) - touching):
        print("neighbours that do not touch:", *pair, file=sys.stderr)
    for pair in sorted(touching - land - fords - passes - river):
        if not any(name.startswith("rock_") for name in pair):
            print("touch without being neighbours (drawn as a wall):", *pair, file=sys.stderr)


if __name__ == "__main__":
    main()
