"""A squared picture of a board is cut into areas along its borders; what touches what, and what is doubtful.

The distance to the nearest border is a height over the board (Vincent and Soille 1991: watersheds): each
area is a hill, and a gap in a border is a saddle far below both its hills.  Hills whose saddle is nearly as
high as the lower of them are one area.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats, pixels
from vision.boards.contacts import STONE, Contact, contacts, difference
from vision.boards.hills import flood, join_hills, joined_by
from vision.boards.lines import WORK, border_mask, evened

SMALLEST = 0.004
"""Smallest area, as a share of the board."""
ONE_HILL = 0.52
"""A saddle as high as this share of the lower hill joins both."""
HILL_DOUBT = (0.34, 0.88)
"""Saddles between these are doubtful."""
SAME_STONE = 5.5
"""Distance of colours (Lab of bytes) up to which an area is the rock that lies along the rim."""
WALL_STONE = 7.5
"""Distance of colours up to which a strip looks like that rock."""
NARROW = 0.03
"""Half the width of the widest wall, as a share of the board's."""
ROOM = 0.018
"""Half the width of what may be an area, as a share of the board's."""
COMPACT = 6.5
"""Size of what is no wall, in squares of half its width: a circle has 3, a square 4."""
STRIPPED = 0.3
"""Share of what lies inside lines that looks like a strip of rock at least, to be taken for one."""
THIN = 0.3
"""What is so thin, measured by the usual area, is a wall between two lines."""
MOSTLY = 0.5
"""Share of an area that looks like rock, from which it is taken for rock."""
SCRAP = 0.12
"""Size of the smallest scrap that is asked about, as a share of the usual area."""
SIGN = 0.0012
"""Largest hole that a printed sign makes, as a share of the board."""
SIZES = (0.5, 1.8)
"""Areas between these, in sizes of the usual one, are of no unusual size."""
ABOUT = 6
"""Pixels about a strip of rock that it is compared with."""
SET_OFF = 8.0
"""Difference of colours by which a strip of rock is set off from them at least."""
SWALLOWED = 0.06
"""Size of slivers that an area grew over, as a share of the usual area, from which it is doubtful."""
ROCK = 0


@dataclass(frozen=True, slots=True, eq=False)
class AreaGround:
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
    ground: AreaGround
    stones: frozenset[int]
    """Pieces (of ``ground.pieces``) as large as areas that were taken for rock."""
    round_slivers: frozenset[tuple[int, int]] = frozenset()
    """Pairs of areas that lie round the same sliver, of which a doubtful one took a good part: they touch,
    perhaps, once that one is split."""

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
        found |= self.round_slivers
        parts = {pair for pair in self.contacts if self.doubts & set(pair) and self._alike(*pair)}
        for a, b in self.perhaps_one | parts:
            for here, there in ((a, b), (b, a)):
                own = {pair for pair in self.contacts if here in pair}
                beside = {one for pair in own for one in pair}
                found |= own
                found |= {(min(one, there), max(one, there)) for one in beside - {there}}
        return frozenset(found)

    def _alike(self, one: int, other: int) -> bool:
        """Whether two areas are of one colour, as parts of one are."""
        return difference(self.colours[one], self.colours[other]) < STONE


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
    pieces: NDArray[np.int32],
    far: NDArray[np.float32],
    unsure: frozenset[tuple[int, int]],
) -> Areas:
    """Areas with their colours and contacts, from all pieces: rock and slivers are left out first."""
    stony = _stony(even, borders)
    parts = _sort_out(even, borders, pieces, far, stony)
    ground = AreaGround(even, lines, far, pieces)
    labels = pieces
    if parts.slivers:
        thin = np.isin(pieces, list(parts.slivers))
        lines = np.where(thin, 1, lines).astype(np.uint8)
        labels = flood(far, np.where(thin | (lines > 0), 0, pieces))
        ground = AreaGround(even, lines, far, pieces)
    numbers = sorted(set(np.unique(labels).tolist()) - parts.rock - parts.slivers - {ROCK})
    # areas end where rock begins, unless they look like rock themselves
    unlike = np.zeros(int(pieces.max()) + 1, bool)
    unlike[sorted(parts.unlike & set(numbers))] = True
    labels = np.where((stony > 0) & unlike[labels], ROCK, labels)
    again = np.zeros(int(pieces.max()) + 1, np.int32)
    again[numbers] = np.arange(1, len(numbers) + 1)
    labels = again[labels]
    colours = {number: parts.colours[old] for number, old in enumerate(numbers, 1)}
    known = {(int(again[a]), int(again[b])) for a, b in unsure}
    two = frozenset(a for a, b in known if a == b and a)
    one = {(min(pair), max(pair)) for pair in known if pair[0] != pair[1] and 0 not in pair}
    touching = contacts(labels, lines, colours, np.isin(pieces, list(parts.slivers)))
    one |= {pair for pair, contact in touching.items() if contact.weak}
    swallowing, beside = _swallowing(labels, pieces, parts.slivers)
    doubts = two | _odd(even, lines, labels, colours) | swallowing
    whole, left_out = _left_out(borders, pieces, labels, parts)
    ground = replace(ground, pieces=whole)
    stones = frozenset(np.unique(whole).tolist()) & parts.asked(numbers) | left_out
    return Areas(labels, colours, touching, doubts, frozenset(one), ground, stones, beside)


def _left_out(
    borders: NDArray[np.uint8], pieces: NDArray[np.int32], labels: NDArray[np.int32], parts: _Sorted
) -> tuple[NDArray[np.int32], frozenset[int]]:
    """Rooms inside lines of which no area came, each made one piece: signs that are printed in it parted it.
    Gives the pieces, and those of them that may be areas."""
    rooms = _rooms(np.asarray(labels == ROCK, np.uint8), borders, MOSTLY)
    whole, found = pieces.copy(), set()
    for room in range(1, int(rooms.max()) + 1):
        here = (rooms == room) & (labels == ROCK)
        piece = int(np.bincount(pieces[here]).argmax())
        if piece not in parts.rim:
            whole[here] = piece
            found.add(piece)
    return whole, frozenset(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Sorted:
    """Pieces by what they are."""

    colours: Mapping[int, tuple[float, float, float]]
    sizes: NDArray[np.intp]
    rock: set[int]
    slivers: set[int]
    """Too small or too thin for areas."""
    unlike: set[int]
    """Those that do not look like rock at all."""
    scraps: set[int]
    """Slivers that are no rock."""
    rim: set[int]
    """Those along the edge of the picture that no border parts from it."""

    def asked(self, numbers: Sequence[int]) -> frozenset[int]:
        """Pieces that were left out and may be areas: as large as those, or what signs left of one."""
        usual = float(np.median(self.sizes[list(numbers)])) if numbers else 0.0
        large = {one for one in self.rock | self.slivers if 0.3 * usual < self.sizes[one]}
        scraps = {one for one in self.scraps if self.sizes[one] > SCRAP * usual}
        return frozenset((large | scraps) - self.rim)


def _sort_out(
    even: NDArray[np.uint8],
    borders: NDArray[np.uint8],
    pieces: NDArray[np.int32],
    far: NDArray[np.float32],
    stony: NDArray[np.uint8],
) -> _Sorted:
    """What is rock, what a sliver, what an area."""
    colours = colours_of(even, pieces, far)
    flat = pieces.reshape(-1)
    sizes = np.bincount(flat, minlength=max(colours) + 1)
    shares = np.bincount(flat, stony.reshape(-1), len(sizes)) / np.maximum(sizes, 1)
    deep = np.zeros(len(sizes), np.float32)
    np.maximum.at(deep, flat, far.reshape(-1))
    stone = _rock_colour(even, borders)
    off = {one: np.inf if stone is None else difference(colour, stone) for one, colour in colours.items()}
    rock = {one for one in colours if off[one] < SAME_STONE or (stone is not None and shares[one] > MOSTLY)}
    # the rim's rock is broad as no area is: what is usual is told by the areas, each by its size
    broad = _usual({one: float(deep[one]) for one in colours if one not in rock}, sizes)
    thin = {one for one in colours if sizes[one] < SMALLEST * flat.size or deep[one] < THIN * broad} - rock
    return _Sorted(
        colours=colours,
        sizes=sizes,
        rock=rock,
        slivers=thin,
        unlike={one for one in colours if off[one] > 2 * WALL_STONE},
        scraps={one for one in thin if shares[one] < 0.3},
        rim=_rim(borders, pieces, far),
    )


def _rim(borders: NDArray[np.uint8], pieces: NDArray[np.int32], far: NDArray[np.float32]) -> set[int]:
    """Pieces along the edge of the picture, with no border between their middle and that edge."""
    found = set()
    inset = round(0.025 * WORK)
    for one in {int(n) for side in (pieces[0], pieces[-1], pieces[:, 0], pieces[:, -1]) for n in side}:
        height = np.where(pieces == one, far, -1)
        y, x = (int(n) for n in np.unravel_index(int(np.argmax(height)), far.shape))
        column, row, end = borders[:, x], borders[y], WORK - inset
        if not min(column[inset:y], column[y:end], row[inset:x], row[x:end], key=len).any():
            found.add(one)
    return found


def _usual(of: Mapping[int, float], sizes: NDArray[np.intp]) -> float:
    """The median of a measure of pieces, each counted by its size; 0 where there are none."""
    order = sorted(of, key=lambda one: of[one])
    reached = np.cumsum([int(sizes[one]) for one in order])
    return of[order[int(np.searchsorted(reached, reached[-1] / 2))]] if order else 0.0


def _walls(even: NDArray[np.uint8], lines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 in strips of rock: too narrow for an area, too wide for a line."""
    mask = _stony(even, lines)
    around = 2 * round(NARROW * WORK) + 1
    broad = cv2.morphologyEx(
        mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (around, around))
    )
    strips = np.asarray(mask & (cv2.dilate(broad, np.ones((5, 5), np.uint8)) == 0), np.uint8)
    strips = _set_off(even, strips, lines)
    return np.asarray(strips & (_rooms(strips, lines, STRIPPED) == 0), np.uint8)


def _rooms(of: NDArray[np.uint8], lines: NDArray[np.uint8], least: float) -> NDArray[np.int32]:
    """Numbers, from 1, of what lies inside lines, is as deep as it is long, so no wall, and is mostly ``of``:
    to a share of ``least`` at least."""
    inside = _filled(np.asarray(1 - lines, np.uint8), SMALLEST)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(inside, connectivity=4)
    sizes, flat = stats[:, cv2.CC_STAT_AREA], np.asarray(parts.reshape(-1), np.intp)
    deep = np.zeros(count, np.float32)
    np.maximum.at(deep, flat, cv2.distanceTransform(inside, cv2.DIST_L2, 5).reshape(-1))
    shares = np.bincount(flat, of.reshape(-1), count) / np.maximum(sizes, 1)
    room = (deep > ROOM * WORK) & (sizes < COMPACT * deep * deep) & (shares > least)
    room[0] = False
    return np.asarray((np.cumsum(room) * room)[parts], np.int32)


def _set_off(
    even: NDArray[np.uint8], strips: NDArray[np.uint8], lines: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Strips that lines or colours set off from what lies about them; patches that go over into an area of
    nearly the rock's colour are none."""
    lab = cv2.cvtColor(cv2.medianBlur(even, 5), cv2.COLOR_BGR2LAB).astype(np.float32)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(strips, connectivity=8)
    keep = np.ones(count, bool)
    keep[0] = False
    for part in range(1, count):
        x, y, wide, high = (int(one) for one in stats[part, : cv2.CC_STAT_AREA])
        top, left = max(0, y - ABOUT), max(0, x - ABOUT)
        window = np.s_[top : y + high + ABOUT, left : x + wide + ABOUT]
        own = (parts[window] == part).astype(np.uint8)
        around = cv2.dilate(own, np.ones((2 * ABOUT + 1,) * 2, np.uint8)) > 0
        around &= (cv2.dilate(own, np.ones((5, 5), np.uint8)) == 0) & (strips[window] == 0)
        beside = around & (lines[window] == 0)
        if beside.sum() > 0.4 * around.sum():
            inside, outside = (lab[window][mask].mean(0) for mask in (own > 0, beside))
            keep[part] = difference(inside, outside) > SET_OFF
    return np.asarray(keep[parts], np.uint8)


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
    return _filled(pixels(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))))


def _filled(mask: NDArray[np.uint8], sign: float = SIGN) -> NDArray[np.uint8]:
    """A mask without the holes that printed signs make in it, each up to a share of the board."""
    _, holes, stats, _ = cv2.connectedComponentsWithStats(1 - mask, connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] < sign * mask.size
    small[0] = False
    return np.asarray(mask | small[holes], np.uint8)


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


def _swallowing(
    labels: NDArray[np.int32], pieces: NDArray[np.int32], slivers: set[int]
) -> tuple[frozenset[int], frozenset[tuple[int, int]]]:
    """Areas that grew over slivers as large as a part of an area: those may have been areas.  With them the
    pairs that lie round the same slivers."""
    thin = np.isin(pieces, list(slivers))
    taken = thin & (labels > 0)
    grown = np.bincount(labels[taken], minlength=int(labels.max()) + 1)
    sizes = np.bincount(labels.reshape(-1))
    usual = float(np.median(sizes[1:])) if len(sizes) > 1 else 0.0
    found = frozenset(int(one) for one in np.nonzero(grown > SWALLOWED * usual)[0])
    count, lumps = cv2.connectedComponents(thin.astype(np.uint8), connectivity=8)
    beside: set[tuple[int, int]] = set()
    for lump in np.unique(lumps[np.isin(labels, list(found)) & thin]) if count > 1 else ():
        near = cv2.dilate((lumps == lump).astype(np.uint8), np.ones((2 * ABOUT + 1,) * 2, np.uint8)) > 0
        round_it = sorted(set(np.unique(labels[near]).tolist()) - {ROCK})
        beside |= {(a, b) for a in round_it for b in round_it if a < b and found & {a, b}}
    return found, frozenset(beside)


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
        if two or not SIZES[0] * usual < sizes[number] < SIZES[1] * usual:
            found.add(number)
    return frozenset(found)
