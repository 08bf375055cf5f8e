"""Count pips by their spots: the second opinion beside the network's, without anything learned.

A pip is a disc that differs from the ring around it, lighter or darker.  Only that ring is compared with, so
a shadow across the face or a lamp's veil, under which contrast varies between pips, does no harm.  The places
where the difference peaks must be those of one of the usual patterns, all of them and no others.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

EDGE = 39.84  # pixels of the face's edge in a crop of 48
SPREADS = np.arange(0.21, 0.325, 0.02)  # distance of pips, as a share of the edge
SHIFTS = np.arange(-3.0, 3.1, 1.5)  # pixels by which the crop may be off
INNER, OUTER = 3.2, 7.0  # radii in pixels of the disc and of the ring that are compared
FAINT = 5.0  # grey levels below which a spot is none
DIM = 20.0  # grey levels that count as light where there is none
STRONG = 0.34  # of the strongest spot's difference: what has less is no spot
STRONGER = 0.6  # the same for a face on which a lamp's mirror image ends: its corners are weak spots
LOW, HIGH = 8, 40  # pixels of the crop within which spots are looked for: without the rounded edge
OFF = 2.8  # pixels by which a spot may lie beside its place
_PATTERNS = {
    1: ("e",),
    2: ("ai", "cg"),
    3: ("aei", "ceg"),
    4: ("acgi",),
    5: ("acegi",),
    6: ("adgcfi", "abcghi"),
}


@cache
def _kernel() -> np.ndarray:
    """Mean of a disc minus mean of the ring around it."""
    reach = int(np.ceil(OUTER)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    r = np.hypot(x, y)
    disc = np.clip(INNER + 0.5 - r, 0, 1)
    ring = np.clip(OUTER + 0.5 - r, 0, 1) * np.clip(r - OUTER + 2.0, 0, 1)
    kernel: np.ndarray = (disc / disc.sum() - ring / ring.sum()).astype(np.float32)
    return kernel


@cache
def _places() -> np.ndarray:
    """The nine places in the crop for each spread and shift (placements x 9 x 2)."""
    grid = np.array([(k % 3 - 1, k // 3 - 1) for k in range(9)], float)
    at = [s * EDGE * grid + (dx, dy) for s in SPREADS for dx in SHIFTS for dy in SHIFTS]
    return np.array(at) + 23.5


_AROUND = np.ones((7, 7), np.uint8)
"""Where a spot must be the strongest."""


@cache
def _places_of(way: str) -> np.ndarray:
    """Of ``_places``, those of one pattern (placements x pips x 2)."""
    return _places()[:, ["abcdefghi".index(name) for name in way]]


def count_pips(crop: np.ndarray) -> int | None:
    """How many pips a face (48 x 48 x 3) shows in one of the usual patterns; None where in none of these."""
    return find_pips(crop)[0]


def find_pips(crop: np.ndarray) -> tuple[int | None, bool]:
    """As ``count_pips``, and whether the spots are lighter than the body.

    Differences are taken as they are (a veil adds light to spot and ring alike) and as a share of the light
    around (a shadow takes its share of both); what the two say must not contradict.
    """
    gray = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 0.6).astype(np.float32)
    face = np.ascontiguousarray(gray[LOW:HIGH, LOW:HIGH])
    spots = cv2.filter2D(face, -1, _kernel(), borderType=cv2.BORDER_REFLECT)
    around = cv2.blur(face, (15, 15), borderType=cv2.BORDER_REFLECT)
    plain = _count(spots, FAINT)
    shaded = _count(spots / (around + DIM), FAINT / 128)
    lighter = float(spots.max()) > float(-spots.min())
    return (plain if shaded in (None, plain) else shaded if plain is None else None), lighter


def strong_pips(crop: np.ndarray) -> int | None:
    """As ``count_pips`` of the strongest spots alone: only to confirm what was found in another way."""
    gray = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 0.6).astype(np.float32)
    face = np.ascontiguousarray(gray[LOW:HIGH, LOW:HIGH])
    spots = cv2.filter2D(face, -1, _kernel(), borderType=cv2.BORDER_REFLECT)
    return _count(spots, FAINT, STRONGER)


def _count(spots: np.ndarray, faint: float, strong: float = STRONG) -> int | None:
    dark, light = peaks(-spots), peaks(spots)
    strength = [float(values.max()) if len(values) else 0.0 for _, values in (dark, light)]
    places, values = dark if strength[0] > strength[1] else light
    if max(strength) < faint:
        return None
    return number_of(places[values > max(faint, strong * float(values.max()))])


def peaks(spots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where a map peaks (N x 2, pixels) within the face, and its values there."""
    ys, xs = np.nonzero((spots == cv2.dilate(spots, _AROUND)) & (spots > 0))
    return np.stack([xs + LOW, ys + LOW], 1).astype(float), spots[ys, xs]


def number_of(found: np.ndarray) -> int | None:
    """The number whose pattern has a place for each of these spots (N x 2) and no other place."""
    count = len(found)
    if count not in _PATTERNS:
        return None
    for way in _PATTERNS[count]:
        places = _places_of(way)
        x = places[..., 0, None] - found[:, 0]
        y = places[..., 1, None] - found[:, 1]
        gaps = x * x + y * y
        worst = np.maximum(gaps.min(axis=1).max(axis=1), gaps.min(axis=2).max(axis=1))
        if worst.min() < OFF * OFF:
            return count
    return None
