"""Outlines from centres and neighbourhoods: how the boards are drawn.

Each place gets several seeds: its centre, and points on the way to each
neighbour.  The Voronoi cells of a place's seeds together are its outline, so
true neighbours touch in the middle between them.  The edges between two places
are chained into one line and smoothed once (Chaikin's corner cutting), hence
both sides fit without gaps.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import cv2
import numpy as np

Point = tuple[float, float]
Pair = tuple[str, str]


def pair_of(a: str, b: str) -> Pair:
    """The two ids in sorted order."""
    return (a, b) if a < b else (b, a)


def seeds_of(
    centres: Mapping[str, Point],
    joined: Iterable[Pair],
    extra: Mapping[str, Sequence[Point]],
    reach: float = 0.42,
) -> list[tuple[str, Point]]:
    """Seeds of all places: centres, points up to ``reach`` of the way to each neighbour, extras."""
    seeds = [(place, point) for place, point in centres.items()]
    for a, b in sorted(joined):  # sorted: the same board at each run
        (ax, ay), (bx, by) = centres[a], centres[b]
        for share in (reach * 0.5, reach):
            seeds.append((a, (ax + (bx - ax) * share, ay + (by - ay) * share)))
            seeds.append((b, (bx + (ax - bx) * share, by + (ay - by) * share)))
    for place, points in extra.items():
        seeds.extend((place, point) for point in points)
    return seeds


def _facets(seeds: Sequence[tuple[str, Point]], width: float, height: float) -> list[tuple[str, list[Point]]]:
    """Voronoi cells clipped to the board: each seed is mirrored at each edge, so the edges become borders."""
    subdivision = cv2.Subdiv2D((-int(width) - 2, -int(height) - 2, int(width) * 3 + 4, int(height) * 3 + 4))
    ids: list[int] = []
    for _, (x, y) in seeds:
        ids.append(subdivision.insert((float(x), float(y))))
        for mirrored in ((-x, y), (2 * width - x, y), (x, -y), (x, 2 * height - y)):
            subdivision.insert((float(mirrored[0]), float(mirrored[1])))
    facets, _ = subdivision.getVoronoiFacetList(ids)
    cells = []
    for (place, _), facet in zip(seeds, facets, strict=True):
        corners = [
            (round(min(max(float(x), 0.0), width), 0), round(min(max(float(y), 0.0), height), 0))
            for x, y in np.asarray(facet)
        ]
        cells.append((place, [corners[i] for i in range(len(corners)) if corners[i] != corners[i - 1]]))
    return cells


def _edges(cells: Iterable[tuple[str, list[Point]]]) -> dict[tuple[Point, Point], list[str]]:
    sides: dict[tuple[Point, Point], list[str]] = defaultdict(list)
    for place, corners in cells:
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            sides[(a, b) if a < b else (b, a)].append(place)
    return sides


def _chains(edges: Sequence[tuple[Point, Point]], junctions: set[Point]) -> list[list[Point]]:
    """Edges of one pair of places joined into lines that end at junctions or close in themselves."""
    next_to: dict[Point, list[Point]] = defaultdict(list)
    for a, b in edges:
        next_to[a].append(b)
        next_to[b].append(a)
    unused = {frozenset(edge) for edge in edges}
    chains = []
    starts = [p for p in next_to if p in junctions or len(next_to[p]) != 2] + list(next_to)
    for start in starts:
        for first in next_to[start]:
            if frozenset((start, first)) not in unused:
                continue
            unused.discard(frozenset((start, first)))
            chain = [start, first]
            while chain[-1] not in junctions and chain[-1] != start:
                onward = [p for p in next_to[chain[-1]] if frozenset((chain[-1], p)) in unused]
                if not onward:
                    break
                unused.discard(frozenset((chain[-1], onward[0])))
                chain.append(onward[0])
            chains.append(chain)
    return chains


def smooth(chain: Sequence[Point], rounds: int = 3) -> list[Point]:
    """Chaikin's corner cutting with the ends held fast (Chaikin 1974)."""
    points = list(chain)
    for _ in range(rounds):
        if len(points) < 3:
            break
        cut = [points[0]]
        for (ax, ay), (bx, by) in pairwise(points):
            cut.append((ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25))
            cut.append((ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75))
        cut.append(points[-1])
        points = cut
    return [(round(x, 1), round(y, 1)) for x, y in points]


def _simplify(points: Sequence[Point], tolerance: float = 0.8) -> list[Point]:
    array = np.asarray(points, dtype=np.float32).reshape(-1, 1, 2)
    return [
        (round(float(x), 1), round(float(y), 1)) for x, y in cv2.approxPolyDP(array, tolerance, False)[:, 0]
    ]


def shapes(
    seeds: Sequence[tuple[str, Point]], width: float, height: float
) -> tuple[dict[str, list[Point]], dict[Pair, list[list[Point]]]]:
    """Outlines by place, and the lines between each pair of places that touch (``"~"``: the board's edge).

    Raises ValueError where a place falls into several pieces: give it extra seeds.
    """
    sides = _edges(_facets(seeds, width, height))
    between: dict[Pair, list[tuple[Point, Point]]] = defaultdict(list)
    touching: dict[Point, set[str]] = defaultdict(set)
    for edge, places in sides.items():
        names = set(places)
        pair = (
            pair_of(*sorted(names))
            if len(names) == 2
            else pair_of(places[0], "~")
            if len(places) == 1
            else None
        )
        if pair is None:
            continue
        between[pair].append(edge)
        for end in edge:
            touching[end].update(pair)
    junctions = {point for point, names in touching.items() if len(names) > 2}
    corners = {(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)}
    lines: dict[Pair, list[list[Point]]] = {}
    for pair, edges in between.items():
        chains = _chains(edges, junctions | corners)
        lines[pair] = [chain if "~" in pair else _simplify(smooth(chain)) for chain in chains]
    places = {place for place, _ in seeds}
    return {place: _outline(place, lines) for place in places}, lines


def _outline(place: str, lines: Mapping[Pair, Sequence[Sequence[Point]]]) -> list[Point]:
    parts = [list(chain) for pair, chains in lines.items() if place in pair for chain in chains]
    rings: list[list[Point]] = []
    while parts:
        ring = parts.pop()
        while ring[0] != ring[-1]:
            for index, part in enumerate(parts):
                if part[0] == ring[-1]:
                    ring += part[1:]
                elif part[-1] == ring[-1]:
                    ring += part[-2::-1]
                else:
                    continue
                del parts[index]
                break
            else:
                raise ValueError(f"the outline of {place!r} does not close")
        rings.append(ring[:-1])
    if len(rings) > 1 and min(map(_area, rings)) > 0.02 * max(map(_area, rings)):
        raise ValueError(f"{place!r} falls into {len(rings)} pieces")
    return max(rings, key=_area)


def _area(ring: Sequence[Point]) -> float:
    return (
        abs(math.fsum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))) / 2
    )
