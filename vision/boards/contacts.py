"""What touches what on a board that was cut into areas: the length and the width of shared borders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.hills import edges_between

STONE = 11.0
"""Distance of colours up to which two areas look alike."""
LEAST_CONTACT = 0.022
"""Two areas touch where they share a border as long as this share of the width."""
CONTACT_DOUBT = (0.008, 0.03)
WALL = 1.7
"""A border so many times as wide as usual is no border but rock."""
SLACK = 1.6
"""Pixels by which thin lines look wider than they are."""
WALL_DOUBT = (1.3, 3.4)
DRAWN = 0.74
"""Share of a border between areas of one colour that is drawn at least."""
WINDING = 1.22
"""Length of a border, in lengths of its reach, from which it winds."""
THROUGH = 0.25
"""Share of a border that runs through slivers, from which it is doubtful."""
NEARLY = 0.007
"""Areas that come so near to each other, a share of the width, nearly touch: a line may lie between them that
was taken for rock, or a wall."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A place where two areas touch, or nearly."""

    joined: bool
    doubtful: bool
    length: float
    """Of the shared border, as a share of the width."""
    width: float
    """Of the line between, in widths of the usual line."""
    at: tuple[float, float]
    """Its middle, shares of the width."""
    weak: bool = False
    """Both are of one colour, and the border is hardly drawn or winds as none does: perhaps they are one."""


def difference(one: Sequence[float], other: Sequence[float]) -> float:
    """How different two colours (Lab of bytes) look; brightness counts a third."""
    return float(np.hypot(np.hypot(one[1] - other[1], one[2] - other[2]), 0.35 * (one[0] - other[0])))


def contacts(
    labels: NDArray[np.int32],
    lines: NDArray[np.uint8],
    colours: Mapping[int, tuple[float, float, float]],
    slivers: NDArray[np.bool_] | None = None,
) -> dict[tuple[int, int], Contact]:
    """What touches what, by the length of shared borders that are no wider than usual.

    Doubtful are short contacts, wide borders, areas of one colour whose border is hardly drawn, and
    areas that nearly touch, and borders that run through ``slivers`` which areas grew over.
    """
    # a wall is two lines with a strip between; pixels that are neither do not make it thin
    solid = cv2.morphologyEx(lines, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    thick = 2 * cv2.distanceTransform(solid, cv2.DIST_L2, 5)
    # the thickest part of the line near each pixel: the middle of a border need not be that of its line
    thick = cv2.dilate(thick, np.ones((5, 5), np.uint8)).reshape(-1)
    found = {}
    edges = _edges(labels)
    drawn = [thick[edge] for edge, _ in edges.values()]
    there = np.concatenate(drawn) if drawn else np.zeros(0, np.float32)
    usual = max(2.0, float(np.median(there[there > 0]))) if (there > 0).any() else 2.0
    for pair, (edge, ways) in edges.items():
        alike = difference(colours[pair[0]], colours[pair[1]]) < STONE
        width = np.maximum(thick[edge] - SLACK, 0) / usual
        found[pair] = _contact(edge, ways, width, labels.shape[1], alike)
        if slivers is not None and float(slivers.reshape(-1)[edge].mean()) > THROUGH:
            found[pair] = replace(found[pair], doubtful=True)
    wider = labels.astype(np.float32)
    for _ in range(round(NEARLY * labels.shape[1])):
        wider = np.where(wider > 0, wider, cv2.dilate(wider, np.ones((3, 3), np.uint8)))
    gaps = 2 * cv2.distanceTransform((labels == 0).astype(np.uint8), cv2.DIST_L2, 5)
    gaps = cv2.dilate(gaps, np.ones((5, 5), np.uint8)).reshape(-1)
    for pair, (edge, ways) in _edges(wider.astype(np.int32)).items():
        if _length(ways) < labels.shape[1] * LEAST_CONTACT:
            continue
        known = found.get(pair)
        if known is None:
            narrow = (gaps[edge] - SLACK) / usual <= WALL
            if _length(ways[narrow]) >= labels.shape[1] * LEAST_CONTACT:
                found[pair] = Contact(False, True, 0.0, 0.0, _middle(edge, labels.shape[1]))
        elif not (known.joined or known.doubtful) and known.width < WALL:
            # a short contact whose ends are walls that look broader than they are
            found[pair] = replace(known, doubtful=True)
    return found


def _edges(labels: NDArray[np.int32]) -> dict[tuple[int, int], tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """For each pair of areas that touch the pixels of their border, and whether it runs beside or below."""
    first, second, ways = edges_between(labels)
    flat = labels.reshape(-1)
    a, b = flat[first], flat[second]
    real = (a > 0) & (b > 0)
    first, ways, a, b = first[real], ways[real], a[real], b[real]
    count = int(flat.max()) + 1
    keys = np.minimum(a, b).astype(np.int64) * count + np.maximum(a, b)
    found = {}
    for key in np.unique(keys):
        here = keys == key
        found[int(key) // count, int(key) % count] = (first[here], ways[here])
    return found


def _contact(
    edge: NDArray[np.intp], ways: NDArray[np.intp], width: NDArray[np.float32], size: int, alike: bool
) -> Contact:
    def length(most: float) -> float:
        return _length(ways[width <= most]) / size

    usual = length(WALL)
    certain, possible = length(WALL_DOUBT[0]), length(WALL_DOUBT[1])
    sure = certain >= CONTACT_DOUBT[1] or possible <= CONTACT_DOUBT[0]
    ys, xs = np.divmod(edge, size)
    reach = float(np.hypot(np.ptp(xs), np.ptp(ys))) + 1
    weak = alike and (float((width > 0).mean()) < DRAWN or _length(ways) > WINDING * reach)
    at = _middle(edge, size)
    return Contact(usual >= LEAST_CONTACT, not sure, usual, float(np.median(width)), at, weak)


def _length(ways: NDArray[np.intp]) -> float:
    """Of a border in pixels."""
    return float(np.hypot((ways == 0).sum(), (ways == 1).sum()))


def _middle(edge: NDArray[np.intp], size: int) -> tuple[float, float]:
    ys, xs = np.divmod(edge, size)
    middle = np.argsort(xs + ys * 0.1)[len(edge) // 2]
    return float(xs[middle]) / size, float(ys[middle]) / size
