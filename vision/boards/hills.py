"""Flooding a height from its peaks down: hills, the saddles between them, which of them are one."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]

SEEN_AS_ONE = 9.0
"""Distance of colours (Lab of bytes) up to which two hills may be one area."""


def flood(
    height: NDArray[np.float32],
    seeds: NDArray[np.int32] | None = None,
    within: NDArray[np.bool_] | None = None,
) -> NDArray[np.int32]:
    """Number of the hill of each pixel, from 1: water falls level by level, and each hill takes what comes
    out beside it.  With ``seeds`` only their numbers grow; without, each new peak is a hill of its own.
    Nothing is taken outside ``within``."""
    levels = np.rint(height).astype(np.int32)
    allowed = np.ones(height.shape, bool) if within is None else within
    labels = np.zeros(height.shape, np.float32) if seeds is None else seeds.astype(np.float32)
    for level in range(int(levels.max()), -1, -1):
        dry = (levels >= level) & allowed
        _grow(labels, dry)
        fresh = dry & (labels == 0)
        if seeds is None and level and fresh.any():
            _, new = cv2.connectedComponents(fresh.astype(np.uint8), connectivity=8)
            labels[fresh] = new[fresh] + labels.max()
    _grow(labels, allowed)
    return labels.astype(np.int32)


def _grow(labels: NDArray[np.float32], where: NDArray[np.bool_]) -> None:
    """Labels spread over unlabelled pixels of ``where`` until they have no more neighbours there."""
    kernel = np.ones((3, 3), np.uint8)
    while True:
        free = where & (labels == 0)
        if not free.any():
            return
        spread = cv2.dilate(labels, kernel)
        taken = free & (spread > 0)
        if not taken.any():
            return
        labels[taken] = spread[taken]


def edges_between(labels: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """All neighbouring pixels of different labels: flat indices of both, and 0 or 1 for beside or below."""
    size = labels.shape[1]
    index = np.arange(labels.size).reshape(labels.shape)
    right, down = labels[:, :-1] != labels[:, 1:], labels[:-1] != labels[1:]
    first = np.concatenate([index[:, :-1][right], index[:-1][down]])
    ways = np.concatenate([np.zeros(int(right.sum()), np.intp), np.ones(int(down.sum()), np.intp)])
    return first, first + np.where(ways == 0, 1, size), ways


def joined_by(
    hills: NDArray[np.int32], height: NDArray[np.float32]
) -> tuple[dict[Pair, float], NDArray[np.float32]]:
    """The height of the saddle between each two hills that touch, and of each hill's peak by its number."""
    flat, tall = hills.reshape(-1), height.reshape(-1)
    peaks = np.zeros(int(flat.max()) + 1, np.float32)
    np.maximum.at(peaks, flat, tall)
    first, second, _ = edges_between(hills)
    a, b = flat[first], flat[second]
    keys = np.minimum(a, b).astype(np.int64) * len(peaks) + np.maximum(a, b)
    known, inverse = np.unique(keys, return_inverse=True)
    saddles = np.zeros(len(known), np.float32)
    np.maximum.at(saddles, inverse, np.minimum(tall[first], tall[second]))
    pairs = {
        (int(key) // len(peaks), int(key) % len(peaks)): float(s)
        for key, s in zip(known, saddles, strict=True)
    }
    return pairs, peaks


def join_hills(
    hills: NDArray[np.int32],
    saddles: Mapping[Pair, float],
    peaks: NDArray[np.float32],
    colours: Mapping[int, tuple[float, float, float]],
    one: float,
    doubt: tuple[float, float],
) -> tuple[NDArray[np.int32], frozenset[Pair]]:
    """Hills whose saddle is nearly as high as the lower of them become one area.

    Gives the areas, numbered by the highest of their hills, and the pairs of which it is doubtful whether
    they are one: twice the same number where they were joined.
    """
    owner = list(range(len(peaks)))

    def top(hill: int) -> int:
        while owner[hill] != hill:
            owner[hill] = owner[owner[hill]]
            hill = owner[hill]
        return hill

    unsure: set[Pair] = set()
    least = 0.3 * float(np.median(peaks[peaks > 0.3 * peaks.max()]))
    for (a, b), saddle in sorted(saddles.items(), key=lambda entry: -entry[1]):
        high, low = sorted((top(a), top(b)), key=lambda hill: -float(peaks[hill]))
        if high == low:
            continue
        share = saddle / max(float(peaks[low]), 1e-6)
        alike = _distance(colours[high], colours[low]) < SEEN_AS_ONE
        if alike and doubt[0] < share < doubt[1] and peaks[low] > least:
            unsure.add((high, low))
        if share >= (one if alike else 0.93):
            owner[low] = high
    names = np.array([top(hill) for hill in range(len(peaks))], np.int32)
    return names[hills], frozenset((top(a), top(b)) for a, b in unsure)


def _distance(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """How different two colours look; brightness counts half."""
    return float(np.hypot(np.hypot(one[1] - other[1], one[2] - other[2]), 0.5 * (one[0] - other[0])))
