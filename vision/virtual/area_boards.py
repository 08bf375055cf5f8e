"""Boards of areas that no publisher ever printed, drawn from a seed, with what is true of them.

What they are for: finding areas and their neighbours in photographs (:mod:`vision.boards`) is measured on
them.  A board is a partition of a shape into areas with wavy borders, coloured by groups, with rock here and
there; then it is worn (parts of each border are missing or displaced), lit from one side and photographed at
a slant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats

SIZE = 1000
"""Pixels of the width of a board before it is photographed; it is square."""
ROCK = -1
ROOM = 0.036
"""Radius of the largest circle in the smallest area, as a share of the width: figures have to stand there."""
TRIES = 12
LEAST_CONTACT = 0.022
"""Two areas touch where they share a border as long as this share of the width; shorter contacts are closed
with rock, as designers of boards do."""


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """How a board looks.  Colours are BGR, lengths shares of the width."""

    name: str
    line: float
    """Width of a border."""
    line_colour: tuple[int, int, int]
    rock: tuple[int, int, int]
    table: tuple[int, int, int]
    saturation: tuple[int, int]
    value: tuple[int, int]
    grain: float
    """Standard deviation of the texture of areas, in grey levels."""
    signs: int
    """Small signs printed in each area."""
    doubled: bool = False
    """Whether a border is two thin lines with a pale one between."""


SLATE = BoardStyle("slate", 0.008, (28, 30, 34), (70, 74, 80), (60, 80, 96), (90, 150), (130, 200), 5.0, 2)
"""Dark lines between strong colours."""
PARCHMENT = BoardStyle(
    "parchment", 0.007, (48, 66, 92), (150, 165, 178), (40, 44, 48), (40, 85), (190, 235), 6.0, 3
)
"""Brown lines between pale colours on grey rock."""
LANTERN = BoardStyle(
    "lantern", 0.009, (196, 222, 238), (58, 52, 50), (120, 126, 130), (110, 180), (70, 130), 5.0, 3
)
"""Bright lines between dark colours."""
RAMPART = BoardStyle(
    "rampart", 0.013, (38, 34, 30), (104, 110, 112), (86, 100, 70), (70, 140), (120, 190), 6.0, 3, True
)
"""Borders of two lines."""
GLACIER = BoardStyle(
    "glacier", 0.010, (236, 226, 214), (214, 206, 198), (70, 52, 40), (60, 120), (120, 175), 7.0, 2
)
"""Borders nearly of the colour of the rock."""
MEADOW = BoardStyle(
    "meadow", 0.006, (44, 96, 40), (112, 146, 128), (140, 150, 160), (80, 160), (140, 210), 6.0, 4
)
BRICK = BoardStyle(
    "brick", 0.011, (62, 66, 150), (172, 178, 196), (44, 40, 36), (50, 120), (150, 215), 7.0, 3
)
"""Coloured borders, thin and wide."""
EMBER = BoardStyle(
    "ember", 0.006, (30, 26, 92), (96, 120, 150), (150, 148, 140), (90, 170), (150, 215), 6.0, 4
)
HARBOUR = BoardStyle(
    "harbour", 0.011, (120, 70, 30), (190, 160, 120), (30, 40, 60), (50, 110), (160, 220), 7.0, 3
)
SEEN = (SLATE, PARCHMENT, LANTERN, RAMPART, GLACIER, MEADOW, BRICK, EMBER, HARBOUR)
"""What finding areas was made on: thresholds are fitted to boards of these, and only of these."""
COPPER = BoardStyle(
    "copper", 0.008, (70, 74, 34), (92, 128, 172), (52, 44, 48), (60, 130), (130, 200), 6.0, 3
)
LAGOON = BoardStyle(
    "lagoon", 0.009, (226, 232, 206), (128, 96, 64), (90, 92, 110), (70, 150), (85, 150), 5.0, 3
)
UNSEEN = (COPPER, LAGOON)
"""For measuring: held out.  Whoever changes how areas are found looks at boards of SEEN; a style of these
that was looked at joins them, and another takes its place."""


@dataclass(frozen=True, slots=True)
class Wear:
    """What is wrong with a board and its photograph."""

    borders: tuple[float, float] = (0.03, 0.15)
    """Least and most share of each border that is missing or displaced."""
    displaced: float = 0.01
    """How far, as a share of the width."""
    slant: float = 25.0
    """Most degrees by which the camera looks aside."""
    light: float = 3.0
    """Most ratio of the brightest side to the darkest."""


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board with all that is true of it.  Areas are numbered from 0."""

    flat: NDArray[np.uint8]
    """As it was printed and worn, seen straight from above, BGR (SIZE, SIZE, 3)."""
    photo: NDArray[np.uint8]
    corners: tuple[tuple[float, float], ...]
    """Where the board's corners lie in the photograph, clockwise from the top left."""
    areas: NDArray[np.int16]
    """Number of the area of each pixel of ``flat``, ROCK where there is none."""
    groups: tuple[int, ...]
    joins: frozenset[tuple[int, int]]
    middles: tuple[tuple[float, float], ...]
    """A point well inside each area, pixels of ``flat``."""
    style: BoardStyle = field(default=SLATE)


def draw_board(
    seed: int,
    style: BoardStyle,
    *,
    areas: int = 0,
    groups: int = 7,
    middle: bool = True,
    wear: Wear | None = None,
) -> DrawnBoard:
    """A board of ``areas`` areas (20 to 30 where 0) in ``groups`` groups, from ``seed`` alone.

    ``middle`` leaves rock in the middle, as a volcano.  Without ``wear`` it is printed whole and
    photographed from straight above in even light.
    """
    rng = np.random.default_rng(seed)
    count = areas or int(rng.integers(20, 31))
    for _ in range(TRIES):
        parts = _partition(rng, count, middle)
        touching = _contacts(parts, count)
        walls = _walls(rng, touching, count)
        rock = _rock(touching, walls, style)
        labels = _without_chips(np.where(rock, ROCK, parts).astype(np.int16), count)
        if min(_room(labels == area) for area in range(count)) > ROOM * SIZE:
            break
    middles = tuple(_inside(labels == area) for area in range(count))
    seen = _contacts(labels, count)
    joins = frozenset(pair for pair in touching if pair not in walls and len(seen.get(pair, ())) >= _least())
    group = _groups(middles, joins, groups)
    flat = _painted(rng, labels, group, joins, touching, style, wear)
    photo, corners = _photographed(rng, flat, style, wear)
    return DrawnBoard(flat, photo, corners, labels, group, joins, middles, style)


def ring_board(seed: int, style: BoardStyle, kinds: tuple[int, ...], wear: Wear | None = None) -> DrawnBoard:
    """A ring of areas, as a wheel has them, clockwise from the top; ``kinds`` are their groups."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:SIZE, :SIZE] - SIZE / 2
    away, turned = np.hypot(x, y), (np.arctan2(x, -y) % (2 * math.pi)) / (2 * math.pi)
    ring = (away > 0.2 * SIZE) & (away < 0.45 * SIZE)
    labels = np.where(ring, (turned * len(kinds)).astype(int) % len(kinds), ROCK).astype(np.int16)
    touching = _contacts(labels, len(kinds))
    middles = tuple(_inside(labels == area) for area in range(len(kinds)))
    joins = frozenset(touching)
    flat = _painted(rng, labels, kinds, joins, touching, style, wear)
    photo, corners = _photographed(rng, flat, style, wear)
    return DrawnBoard(flat, photo, corners, labels, kinds, joins, middles, style)


def _least() -> int:
    return round(LEAST_CONTACT * SIZE)


def _partition(rng: np.random.Generator, count: int, middle: bool) -> NDArray[np.int16]:
    """Areas nearest to sites that keep away from each other, seen through wavy glass."""
    y, x = np.mgrid[:SIZE, :SIZE].astype(np.float32)
    wave = [_blown_up(rng.normal(0, 1, (9, 9))) for _ in range(2)]
    wx, wy = x + 13 * wave[0], y + 13 * wave[1]
    squared = float(rng.uniform(2.0, 5.0))
    away = (np.abs(x / SIZE - 0.5) ** squared + np.abs(y / SIZE - 0.5) ** squared) ** (1 / squared)
    board = away < 0.45 + 0.012 * wave[0]
    hole = np.hypot(wx - SIZE / 2, wy - SIZE / 2) < (0.075 * SIZE if middle else 0)
    open_ = board & ~hole
    sites = _sites(rng, open_, count)
    best, labels = np.full((SIZE, SIZE), np.inf, np.float32), np.zeros((SIZE, SIZE), np.int16)
    for number, (sx, sy) in enumerate(sites):
        far = np.hypot(wx - sx, wy - sy)
        labels[far < best] = number
        best = np.minimum(best, far)
    return np.where(open_, labels, ROCK).astype(np.int16)


def _blown_up(coarse: NDArray[np.float64]) -> NDArray[np.float32]:
    """A few numbers as a smooth field over the board."""
    return np.asarray(
        cv2.resize(coarse.astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC), np.float32
    )


def _sites(rng: np.random.Generator, open_: NDArray[np.bool_], count: int) -> NDArray[np.float64]:
    """Points that were moved to the middle of what is nearest to them, twice and a half."""
    ys, xs = np.nonzero(open_[::8, ::8])
    points = np.stack([xs, ys], 1) * 8.0
    sites = points[rng.choice(len(points), count, replace=False)]
    for share in (1.0, 1.0, 0.6):
        near = np.argmin(((points[:, None] - sites[None]) ** 2).sum(2), 1)
        middles = np.array(
            [points[near == n].mean(0) if (near == n).any() else sites[n] for n in range(count)]
        )
        sites = sites + share * (middles - sites)
    return np.asarray(sites, np.float64)


Contacts = dict[tuple[int, int], NDArray[np.intp]]


def _contacts(labels: NDArray[np.int16], count: int) -> Contacts:
    """For each pair of areas the pixels (y, x) of the first that lie at the second."""
    found: dict[tuple[int, int], list[NDArray[np.intp]]] = {}
    for dy, dx in ((0, 1), (1, 0)):
        a, b = labels[: SIZE - dy, : SIZE - dx], labels[dy:, dx:]
        ys, xs = np.nonzero((a != b) & (a >= 0) & (b >= 0))
        low, high = np.minimum(a[ys, xs], b[ys, xs]), np.maximum(a[ys, xs], b[ys, xs])
        keys = low.astype(int) * count + high
        for key in np.unique(keys):
            here = keys == key
            found.setdefault((int(key) // count, int(key) % count), []).append(
                np.stack([ys[here], xs[here]], 1)
            )
    # a slanted border has pixels in both directions: one in each row or column tells its length
    joined = {pair: np.concatenate(parts) for pair, parts in found.items()}
    return {pair: all_[np.unique(all_ // 2, axis=0, return_index=True)[1]] for pair, all_ in joined.items()}


def _walls(rng: np.random.Generator, touching: Contacts, count: int) -> set[tuple[int, int]]:
    """Some borders of which rock is made; everything stays connected."""
    pairs = sorted(touching)
    rng.shuffle(pairs)
    long_ = [(int(a), int(b)) for a, b in pairs if len(touching[int(a), int(b)]) >= 2 * _least()]
    walls: set[tuple[int, int]] = set()
    for pair in long_[: len(long_) // 8]:
        if _connected(set(long_) - walls - {pair}, count):
            walls.add(pair)
    return walls


def _connected(pairs: set[tuple[int, int]], count: int) -> bool:
    reached, edge = {0}, [0]
    while edge:
        here = edge.pop()
        for a, b in pairs:
            for one, other in ((a, b), (b, a)):
                if one == here and other not in reached:
                    reached.add(other)
                    edge.append(other)
    return len(reached) == count


def _rock(touching: Contacts, walls: set[tuple[int, int]], style: BoardStyle) -> NDArray[np.bool_]:
    """Where rock lies: in walls and in contacts that are too short to be meant."""
    rock = np.zeros((SIZE, SIZE), np.uint8)
    for pair, pixels in touching.items():
        short = len(pixels) < 2 * _least()
        if pair in walls or short:
            for y, x in pixels[::3]:
                cv2.circle(
                    rock, (int(x), int(y)), round((2.2 if pair in walls else 1.6) * style.line * SIZE), 1, -1
                )
            if short and pair not in walls:
                walls.add(pair)
    return rock.astype(bool)


def _without_chips(labels: NDArray[np.int16], count: int) -> NDArray[np.int16]:
    """Areas in one part each: chips that a wall cuts off are rock, nobody would see an area in them."""
    found = np.full_like(labels, ROCK)
    for area in range(count):
        _, parts, stats, _ = cv2.connectedComponentsWithStats((labels == area).astype(np.uint8))
        found[parts == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))] = area
    return found


def _room(mask: NDArray[np.bool_]) -> float:
    """The radius of the largest circle in an area, pixels."""
    return float(cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5).max())


def _inside(mask: NDArray[np.bool_]) -> tuple[float, float]:
    far = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5)
    y, x = np.unravel_index(int(np.argmax(far)), far.shape)
    return float(x), float(y)


def _groups(
    middles: tuple[tuple[float, float], ...], joins: frozenset[tuple[int, int]], groups: int
) -> tuple[int, ...]:
    """Areas hang together in groups of nearly equal number: each grows from the outermost area
    of its own direction."""
    turned = [math.atan2(y - SIZE / 2, x - SIZE / 2) for x, y in middles]
    order = sorted(range(len(middles)), key=lambda area: turned[area])
    found: dict[int, int] = {}
    for group in range(groups):
        sector = order[group * len(order) // groups : (group + 1) * len(order) // groups]
        outer = max(sector, key=lambda area: math.dist(middles[area], (SIZE / 2, SIZE / 2)))
        found[outer] = group
    while len(found) < len(middles):
        sizes = [list(found.values()).count(group) for group in range(groups)]
        edge = [
            (sizes[found[one]], found[one], other)
            for a, b in sorted(joins)
            for one, other in ((a, b), (b, a))
            if one in found and other not in found
        ]
        if not edge:
            return tuple(found.get(area, 0) for area in range(len(middles)))
        _, group, area = min(edge)
        found[area] = group
    return tuple(found[area] for area in range(len(middles)))


def _painted(
    rng: np.random.Generator, labels: NDArray[np.int16], group: tuple[int, ...],
    joins: frozenset[tuple[int, int]], touching: Contacts, style: BoardStyle, wear: Wear | None,
) -> NDArray[np.uint8]:  # fmt: skip
    fills = _fills(rng, max(group) + 1, style)
    colours = np.array([*(fills[one] for one in group), style.rock], np.float32)
    image = colours[labels]
    image += _texture(rng, style.grain)
    ys, xs = np.nonzero(labels == ROCK)
    edge = (np.abs(xs - SIZE / 2) > 0.49 * SIZE) | (np.abs(ys - SIZE / 2) > 0.49 * SIZE)
    image[ys[edge], xs[edge]] = np.array(style.line_colour, np.float32)
    _sign(rng, image, labels, style)
    _rims(image, labels, style)
    for pair, pixels in touching.items():
        if pair in joins:
            _border(rng, image, labels, pixels, style, wear)
    return np.clip(image, 0, 255).astype(np.uint8)


def _fills(rng: np.random.Generator, groups: int, style: BoardStyle) -> NDArray[np.float32]:
    hues = (np.arange(groups) * 180 / groups + rng.uniform(0, 180) + rng.uniform(-6, 6, groups)) % 180
    hsv = np.stack([hues, rng.uniform(*style.saturation, groups), rng.uniform(*style.value, groups)], 1)
    return floats(cv2.cvtColor(hsv[None].astype(np.uint8), cv2.COLOR_HSV2BGR)[0])


def _texture(rng: np.random.Generator, grain: float) -> NDArray[np.float32]:
    coarse = _blown_up(rng.normal(0, grain, (60, 60)))
    fine = cv2.GaussianBlur(rng.normal(0, 3 * grain, (SIZE, SIZE)).astype(np.float32), (0, 0), 1.5)
    return np.asarray((coarse + fine)[..., None], np.float32)


def _sign(
    rng: np.random.Generator, image: NDArray[np.float32], labels: NDArray[np.int16], style: BoardStyle
) -> None:
    """Small printed signs inside areas, away from borders."""
    ink_on = np.clip(image, 0, 255).astype(np.uint8)
    for area in range(int(labels.max()) + 1):
        far = cv2.distanceTransform((labels == area).astype(np.uint8), cv2.DIST_L2, 5)
        ys, xs = np.nonzero(far > 0.028 * SIZE)
        for _ in range(style.signs if len(xs) else 0):
            at = int(rng.integers(len(xs)))
            x, y, r = int(xs[at]), int(ys[at]), int(rng.integers(7, 15))
            ink = tuple(float(c) for c in rng.uniform(20, 235, 3))
            if rng.random() < 0.5:
                cv2.circle(ink_on, (x, y), r, ink, 2 if rng.random() < 0.5 else -1)
            else:
                cv2.putText(
                    ink_on,
                    "ABX7&"[int(rng.integers(5))],
                    (x - r, y + r),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.8,
                    ink,
                    2,
                )
    image[:] = ink_on


def _rims(image: NDArray[np.float32], labels: NDArray[np.int16], style: BoardStyle) -> None:
    """The line between areas and rock."""
    rock = (labels == ROCK).astype(np.uint8)
    width = max(1, round(style.line * SIZE / 2))
    near = cv2.dilate(rock, np.ones((2 * width + 1,) * 2, np.uint8)).astype(bool) & (rock == 0)
    image[near] = np.array(style.line_colour, np.float32)


def _border(
    rng: np.random.Generator, image: NDArray[np.float32], labels: NDArray[np.int16],
    pixels: NDArray[np.intp], style: BoardStyle, wear: Wear | None,
) -> None:  # fmt: skip
    """Draw one border, part of it missing or displaced."""
    along = _in_order(pixels)
    keep = np.ones(len(along), bool)
    moved = np.zeros(len(along), bool)
    if wear is not None:
        worn = int(rng.uniform(*wear.borders) * len(along))
        for part in np.array_split(np.arange(worn), int(rng.integers(1, 3))):
            if len(part):
                start = int(rng.integers(0, max(1, len(along) - len(part))))
                (moved if rng.random() < 0.5 else keep)[start : start + len(part)] ^= True
    aside = (
        _aside(along) * (wear.displaced * SIZE if wear is not None else 0) * (1 if rng.random() < 0.5 else -1)
    )
    mask = np.zeros((SIZE, SIZE), np.uint8)
    radius = max(1, round(style.line * SIZE / 2))
    for (y, x), there, off, (oy, ox) in zip(along, keep, moved, aside, strict=True):
        if there:
            cv2.circle(mask, (round(x + ox * off), round(y + oy * off)), radius, 1, -1)
    drawn = mask.astype(bool) & (labels != ROCK)
    image[drawn] = np.array(style.line_colour, np.float32)
    if style.doubled:
        inner = cv2.erode(mask, np.ones((radius, radius), np.uint8)).astype(bool) & drawn
        image[inner] = 0.5 * np.array(style.line_colour, np.float32) + 110


def _in_order(pixels: NDArray[np.intp]) -> NDArray[np.float64]:
    """The pixels of a border from one end to the other, by its main direction."""
    points = pixels.astype(float)
    centred = points - points.mean(0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return np.asarray(points[np.argsort(centred @ axes[0])], np.float64)


def _aside(along: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vectors across a border."""
    way = along[-1] - along[0]
    across = np.array([-way[1], way[0]]) / (np.hypot(*way) or 1.0)
    return np.broadcast_to(across, along.shape)


def _photographed(
    rng: np.random.Generator, flat: NDArray[np.uint8], style: BoardStyle, wear: Wear | None
) -> tuple[NDArray[np.uint8], tuple[tuple[float, float], ...]]:
    """The board on a table, seen at a slant (a pinhole camera, 1.6 widths away) and lit from one side."""
    slant = math.radians(rng.uniform(0.4, 1.0) * wear.slant) if wear else 0.0
    turn, roll = rng.uniform(0, 2 * math.pi), rng.uniform(-0.12, 0.12) if wear else 0.0
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    spin = np.array([[math.cos(roll), -math.sin(roll)], [math.sin(roll), math.cos(roll)]])
    points = square @ spin.T
    depth = 1.6 + (points[:, 0] * math.cos(turn) + points[:, 1] * math.sin(turn)) * math.sin(slant)
    squeezed = points - np.outer(
        (points[:, 0] * math.cos(turn) + points[:, 1] * math.sin(turn)) * (1 - math.cos(slant)),
        [math.cos(turn), math.sin(turn)],
    )
    seen = squeezed / depth[:, None]
    seen = (seen - seen.min(0)) / np.ptp(seen, axis=0).max()
    side = 1200
    corners = (seen * 0.86 * side + 0.06 * side).astype(np.float32)
    matrix = cv2.getPerspectiveTransform((square + 0.5).astype(np.float32) * SIZE, corners)
    table = np.empty((side, side, 3), np.uint8)
    table[:] = style.table
    cv2.warpPerspective(
        flat, matrix, (side, side), dst=table, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_LINEAR
    )
    photo = floats(table).copy()
    if wear is not None:
        photo *= _light(rng, side, wear)[..., None]
    photo += floats(rng.normal(0, 2.0, photo.shape))
    found = tuple((float(x), float(y)) for x, y in corners)
    return np.clip(photo, 0, 255).astype(np.uint8), found


def _light(rng: np.random.Generator, side: int, wear: Wear) -> NDArray[np.float32]:
    """Brightness from 1 down to 1 / ``wear.light`` from one side to the other, over the whole picture."""
    turn, ratio = rng.uniform(0, 2 * math.pi), wear.light
    y, x = np.mgrid[:side, :side] / side - 0.5
    across = (x * math.cos(turn) + y * math.sin(turn)) / (abs(math.cos(turn)) + abs(math.sin(turn))) + 0.5
    return np.asarray(ratio ** (across - 1), np.float32)
