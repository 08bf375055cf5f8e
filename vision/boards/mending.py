"""Areas put right by hand: joined, split, painted, taken out, put in.  Numbers of areas never change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.areas import ROCK, Areas, colours_of
from vision.boards.contacts import contacts
from vision.boards.hills import flood
from vision.boards.lines import WORK

Point = tuple[float, float]
"""Shares of the width, x to the right and y down."""

BRUSH = 0.016
"""Width of what a finger paints, as a share of the width."""


def area_at(areas: Areas, at: Point) -> int:
    """The area at a point, ROCK where there is none."""
    x, y = _pixel(at)
    return int(areas.labels[y, x])


def joined(areas: Areas, first: int, second: int) -> Areas:
    """Two areas become one, the first."""
    _known(areas, first, second)
    return _again(areas, np.where(areas.labels == second, first, areas.labels), {first, second})


def split(areas: Areas, area: int, first: Point, second: Point) -> Areas:
    """An area becomes two, round two points of it: the first keeps its number, the other gets the next."""
    _known(areas, area)
    if area_at(areas, first) != area or area_at(areas, second) != area:
        raise ValueError("both points must lie in the area")
    seeds = np.zeros((WORK, WORK), np.int32)
    fresh = _next(areas)
    for number, point in ((area, first), (fresh, second)):
        cv2.circle(seeds, _pixel(point), 3, number, -1)
    inside = areas.labels == area
    seeds[~inside] = 0
    parts = flood(areas.ground.far, seeds, inside)
    return _again(areas, np.where(inside, parts, areas.labels), {area, fresh})


def painted(areas: Areas, area: int, path: Sequence[Point]) -> Areas:
    """A border is moved: what a finger went over belongs to the area where it started."""
    _known(areas, area)
    labels = areas.labels.astype(np.int32).copy()
    points = np.array([_pixel(point) for point in path], np.int32).reshape(-1, 1, 2)
    cv2.polylines(labels, [points], False, area, max(2, round(BRUSH * WORK)))
    gone = set(areas.numbers) - set(np.unique(labels).tolist())
    return _again(areas, labels, {area, *gone})


def taken_out(areas: Areas, area: int) -> Areas:
    """It is no area: rock, a volcano, a legend."""
    _known(areas, area)
    return _again(areas, np.where(areas.labels == area, ROCK, areas.labels), {area})


def put_in(areas: Areas, at: Point) -> Areas:
    """The piece of rock at a point is an area, with the next number."""
    x, y = _pixel(at)
    if areas.labels[y, x] != ROCK:
        raise ValueError("an area lies there already")
    piece = (areas.ground.pieces == areas.ground.pieces[y, x]) & (areas.labels == ROCK)
    fresh = _next(areas)
    return _again(areas, np.where(piece, fresh, areas.labels), {fresh})


def _pixel(point: Point) -> tuple[int, int]:
    x, y = (min(WORK - 1, max(0, round(one * (WORK - 1)))) for one in point)
    return x, y


def _next(areas: Areas) -> int:
    return max(areas.numbers, default=0) + 1


def _known(areas: Areas, *numbers: int) -> None:
    if set(numbers) - set(areas.numbers):
        raise ValueError(f"no such area: {numbers}")


def _again(areas: Areas, labels: NDArray[np.int32], touched: set[int]) -> Areas:
    """What follows from changed areas; those that were touched are no longer doubtful."""
    labels = labels.astype(np.int32)
    there = set(np.unique(labels).tolist()) - {ROCK}
    found = colours_of(areas.ground.even, labels, areas.ground.far)

    def left(pairs: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        return frozenset(pair for pair in pairs if not touched & set(pair) and set(pair) <= there)

    return replace(
        areas,
        labels=labels,
        colours={number: found[number] for number in sorted(there)},
        contacts=contacts(labels, areas.ground.lines, found),
        doubts=(areas.doubts - touched) & there,
        perhaps_one=left(areas.perhaps_one),
        round_slivers=left(areas.round_slivers),
    )
