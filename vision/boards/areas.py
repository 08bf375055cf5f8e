"""A squared picture of a board is cut into areas along its borders; what touches what, and what is doubtful.

The distance to the nearest border is a height over the board (Vincent and Soille 1991: watersheds): each
area is a hill, and a gap in a border is a saddle far below both its hills.  Hills whose saddle is nearly as
high as the lower of them are one area.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats, pixels
from vision.boards.hills import edges_between, flood, join_hills, joined_by
from vision.boards.lines import WORK, border_mask, evened

SMALLEST = 0.004
"""Smallest area, as a share of the board."""
ONE_HILL = 0.52
"""A saddle as high as this share of the lower hill joins both."""
HILL_DOUBT = (0.34, 0.88)
"""Saddles between these are doubtful."""
LEAST_CONTACT = 0.022
"""Two areas touch where they share a border as long as this share of the width."""
CONTACT_DOUBT = (0.008, 0.05)
WALL = 1.7
"""A border so many times as wide as usual is no border but rock."""
SLACK = 1.6
"""Pixels by which thin lines look wider than they are."""
WALL_DOUBT = (1.3, 2.4)
SAME_STONE = 5.5
"""Distance of colours (Lab of bytes) up to which an area is the rock that lies along the rim."""
STONE = 11.0
"""Distance of colours up to which an area looks like the rock along the rim."""
WALL_STONE = 7.5
"""Distance of colours up to which a strip looks like that rock."""
NARROW = 0.03
"""Half the width of the widest wall, as a share of the board's."""
THIN = 0.3
"""What is so thin, measured by the usual area, is a wall between two lines."""
DRAWN = 0.74
"""Share of a border between areas of one colour that is drawn at least."""
WINDING = 1.22
"""Length of a border, in lengths of its reach, from which it winds."""
NEARLY = 0.011
"""Areas that come so near to each other, a share of the width, nearly touch."""
MOSTLY = 0.5
"""Share of an area that looks like rock, from which it is taken for rock."""
SCRAP = 0.12
"""Size of the smallest scrap that is asked about, as a share of the usual area."""
ROCK = 0


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


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What areas were found on: all arrays (WORK, WORK)."""

    even: NDArray[np.uint8]
    """The picture in even light, BGR."""
    lines: NDArray[np.uint8]
    """1 where borders are, and slivers between them."""
    far: NDArray[np.float32]
    """Pixels to the nearest border."""
    pieces: NDArray[np.int32]
    """Numbers of all pieces, rock too."""


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """What was found in a picture."""

    labels: NDArray[np.int32]
    """(WORK, WORK): number of the area from 1, ROCK elsewhere."""
    colours: Mapping[int, tuple[float, float, float]]
    """Median colour of each area, Lab as OpenCV has it for bytes, in evened light."""
    contacts: Mapping[tuple[int, int], Contact]
    doubts: frozenset[int]
    """Areas that may be two, or no area."""
    perhaps_one: frozenset[tuple[int, int]]
    """Pairs of areas that may be one."""
    ground: Ground
    stones: frozenset[int]
    """Pieces (of ``ground.pieces``) as large as areas that were taken for rock."""

    @property
    def numbers(self) -> list[int]:
        """The areas."""
        return sorted(self.colours)

    @property
    def joins(self) -> frozenset[tuple[int, int]]:
        """Pairs that touch, the lower number first."""
        return frozenset(pair for pair, one in self.contacts.items() if one.joined)

    @property
    def doubtful_pairs(self) -> frozenset[tuple[int, int]]:
        """Pairs that may be wrongly joined or wrongly parted: what a person should look at."""
        found = {pair for pair, one in self.contacts.items() if one.doubtful or self.doubts & set(pair)}
        for a, b in self.perhaps_one:
            for here, there in ((a, b), (b, a)):
                own = {pair for pair in self.contacts if here in pair}
                beside = {one for pair in own for one in pair}
                found |= own
                found |= {(min(one, there), max(one, there)) for one in beside - {there}}
        return frozenset(found)


def questions(areas: Areas) -> int:
    """How much a person is asked to look at: areas, pairs that may be one, contacts, rock."""
    touching = sum(one.doubtful for one in areas.contacts.values())
    return len(areas.doubts) + len(areas.perhaps_one) + len(areas.stones) + touching


def find_areas(board: NDArray[np.uint8], points: Sequence[tuple[float, float]] = ()) -> Areas:
    """Cut a squared picture (BGR) into areas.

    ``points`` (shares of the width), where given, lie one in each area: then there are just as many.
    """
    even = evened(pixels(cv2.resize(board, (WORK, WORK), interpolation=cv2.INTER_AREA)))
    borders = border_mask(even)
    lines = borders | _walls(even, borders)
    far = floats(cv2.GaussianBlur(cv2.distanceTransform(1 - lines, cv2.DIST_L2, 5), (0, 0), 1.2))
    if points:
        seeds = np.zeros((WORK, WORK), np.int32)
        for number, (x, y) in enumerate(points, 1):
            cv2.circle(seeds, (round(x * (WORK - 1)), round(y * (WORK - 1))), 3, number, -1)
        hills = flood(far, seeds)
        return measured(even, borders, lines, hills, far, frozenset())
    hills = flood(far)
    saddles, peaks = joined_by(hills, far)
    labels, unsure = join_hills(hills, saddles, peaks, colours_of(even, hills, far), ONE_HILL, HILL_DOUBT)
    return measured(even, borders, lines, labels, far, unsure)


def colours_of(
    even: NDArray[np.uint8], labels: NDArray[np.int32], far: NDArray[np.float32]
) -> dict[int, tuple[float, float, float]]:
    """Median colour of each area, away from its borders."""
    lab = cv2.cvtColor(even, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    flat, inner = labels.reshape(-1), far.reshape(-1)
    order = np.argsort(flat, kind="stable")
    starts = np.searchsorted(flat[order], np.arange(1, int(flat.max()) + 2))
    found = {}
    for number in range(1, int(flat.max()) + 1):
        here = order[starts[number - 1] : starts[number]]
        if not len(here):
            continue
        deep = here[inner[here] >= 0.35 * float(inner[here].max())]
        light, a, b = np.median(lab[deep], 0)
        found[number] = (float(light), float(a), float(b))
    return found


def measured(
    even: NDArray[np.uint8],
    borders: NDArray[np.uint8],
    lines: NDArray[np.uint8],
    labels: NDArray[np.int32],
    far: NDArray[np.float32],
    unsure: frozenset[tuple[int, int]],
) -> Areas:
    """Areas with their colours and contacts: rock and slivers are left out first."""
    colours = colours_of(even, labels, far)
    sizes = np.bincount(labels.reshape(-1), minlength=max(colours) + 1)
    stone = _rock_colour(even, lines)
    stony = _stony(even, borders)
    shares = np.bincount(labels.reshape(-1), stony.reshape(-1), len(sizes)) / np.maximum(sizes, 1)
    rock = {
        one
        for one in colours
        if stone is not None and (difference(colours[one], stone) < SAME_STONE or shares[one] > MOSTLY)
    }
    deep = np.zeros(len(sizes), np.float32)
    np.maximum.at(deep, labels.reshape(-1), far.reshape(-1))
    broad = float(np.median([deep[one] for one in colours if deep[one] > 0.4 * deep.max()]))
    slivers = {
        one for one in colours if sizes[one] < SMALLEST * labels.size or deep[one] < THIN * broad
    } - rock
    pieces = labels
    if slivers:
        thin = np.isin(labels, list(slivers))
        lines = np.where(thin, 1, lines).astype(np.uint8)
        labels = flood(far, np.where(thin | (lines > 0), 0, labels))
    numbers = sorted(set(np.unique(labels).tolist()) - rock - slivers - {ROCK})
    if stone is not None:
        # areas end where rock begins, unless they look like rock themselves
        unlike = np.zeros(int(labels.max()) + 1, bool)
        unlike[[one for one in numbers if difference(colours[one], stone) > 2 * WALL_STONE]] = True
        labels = np.where((stony > 0) & unlike[labels], ROCK, labels)
    again = np.zeros(int(labels.max()) + 1, np.int32)
    again[numbers] = np.arange(1, len(numbers) + 1)
    kept = {number: colours[old] for number, old in enumerate(numbers, 1)}
    ground = Ground(even, lines, far, pieces)
    usual = float(np.median(sizes[numbers])) if numbers else 0.0
    rim = {
        int(one) for side in (pieces[0], pieces[-1], pieces[:, 0], pieces[:, -1]) for one in np.unique(side)
    }
    stones = frozenset(one for one in (rock | slivers) - rim if 0.3 * usual < sizes[one] < 2.6 * usual)
    # scraps of no rock may be what signs left of a small area
    stones |= {one for one in slivers - rim if sizes[one] > SCRAP * usual and shares[one] < 0.3}
    labels = again[labels]
    known = {(int(again[a]), int(again[b])) for a, b in unsure if max(a, b) < len(again)}
    two = frozenset(a for a, b in known if a == b and a)
    one = frozenset((min(pair), max(pair)) for pair in known if pair[0] != pair[1] and 0 not in pair)
    touching = contacts(labels, lines, kept)
    one |= {pair for pair, contact in touching.items() if contact.weak}
    return Areas(labels, kept, touching, two | _odd(even, lines, labels, kept), one, ground, stones)


def _walls(even: NDArray[np.uint8], lines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 in strips of rock: too narrow for an area, too wide for a line."""
    mask = _stony(even, lines)
    around = 2 * round(NARROW * WORK) + 1
    broad = cv2.morphologyEx(
        mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (around, around))
    )
    return np.asarray(mask & (cv2.dilate(broad, np.ones((5, 5), np.uint8)) == 0), np.uint8)


def _stony(even: NDArray[np.uint8], lines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 where it looks like the rock along the rim, specks left out; nowhere where there is none."""
    stone = _rock_colour(even, lines)
    if stone is None:
        return np.zeros_like(lines)
    lab = cv2.cvtColor(cv2.medianBlur(even, 5), cv2.COLOR_BGR2LAB).astype(np.float32) - np.array(
        stone, np.float32
    )
    off = np.hypot(np.hypot(lab[..., 1], lab[..., 2]), 0.35 * lab[..., 0])
    mask = ((off < WALL_STONE) & (lines == 0)).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)


def _rock_colour(even: NDArray[np.uint8], lines: NDArray[np.uint8]) -> tuple[float, float, float] | None:
    """The colour of what lies along the rim, None where that is of several colours."""
    lab = cv2.cvtColor(even, cv2.COLOR_BGR2LAB)
    ring = np.zeros((WORK, WORK), bool)
    near, far = round(0.015 * WORK), round(0.05 * WORK)
    ring[near:-near, near:-near] = True
    ring[far:-far, far:-far] = False
    seen = lab[ring & (lines == 0)]
    if not len(seen):
        return None
    light, a, b = np.median(seen, 0)
    colour = (float(light), float(a), float(b))
    off = np.hypot(np.hypot(seen[:, 1] - a, seen[:, 2] - b), 0.35 * (seen[:, 0] - light))
    return colour if float((off < STONE).mean()) > 0.6 else None


def difference(one: Sequence[float], other: Sequence[float]) -> float:
    """How different two colours (Lab of bytes) look; brightness counts a third."""
    return float(np.hypot(np.hypot(one[1] - other[1], one[2] - other[2]), 0.35 * (one[0] - other[0])))


def contacts(
    labels: NDArray[np.int32], lines: NDArray[np.uint8], colours: Mapping[int, tuple[float, float, float]]
) -> dict[tuple[int, int], Contact]:
    """What touches what, by the length of shared borders that are no wider than usual.

    Doubtful are short contacts, wide borders, areas of one colour whose border is hardly drawn, and
    areas that nearly touch.
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
    wider = labels.astype(np.float32)
    for _ in range(round(NEARLY * labels.shape[1])):
        wider = np.where(wider > 0, wider, cv2.dilate(wider, np.ones((3, 3), np.uint8)))
    for pair, (edge, ways) in _edges(wider.astype(np.int32)).items():
        if pair not in found and _length(ways) >= labels.shape[1] * LEAST_CONTACT:
            found[pair] = Contact(False, True, 0.0, 0.0, _middle(edge, labels.shape[1]))
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


def _odd(
    even: NDArray[np.uint8], lines: NDArray[np.uint8], labels: NDArray[np.int32],
    colours: Mapping[int, tuple[float, float, float]],
) -> frozenset[int]:  # fmt: skip
    """Areas of unusual size, or of two colours."""
    sizes = np.bincount(labels.reshape(-1), minlength=len(colours) + 1)
    usual = float(np.median(sizes[1:])) if colours else 0.0
    lab = cv2.cvtColor(cv2.medianBlur(even, 9), cv2.COLOR_BGR2LAB).astype(np.float32)
    inner = cv2.erode((1 - lines).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    found = set()
    for number, colour in colours.items():
        seen = lab[(labels == number) & inner]
        off = np.hypot(
            np.hypot(seen[:, 1] - colour[1], seen[:, 2] - colour[2]), 0.5 * (seen[:, 0] - colour[0])
        )
        two = len(seen) > 0 and float((off > STONE).mean()) > 0.22
        if two or not 0.35 * usual < sizes[number] < 2.0 * usual:
            found.add(number)
    return frozenset(found)
