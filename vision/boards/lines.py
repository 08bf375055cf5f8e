"""Where borders lie in a squared picture of a board, once its light is evened out.

Borders are thin lines darker or brighter than both their sides, in colours that are found all over the board,
or steps from one colour to another.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import pixels

WORK = 560
"""Pixels of the side of the picture that is looked at."""
LINE = 0.02
"""Widest border, as a share of the width."""
STRAIGHT = 0.046
"""Length of straight pieces of borders, longer than printed signs, as a share of the width."""
DIRECTIONS = 16
INK = 24.0
"""Difference of colours (Lab of bytes) up to which a line looks like the other lines of its board."""
INK_SCALE = np.array((0.7, 1.0, 1.0), np.float32)
BLOCKS = 9
"""The board is looked at in so many rows and columns for what is found everywhere."""
STEP = 15.0
"""Difference of colours (Lab of bytes) across three pixels where two areas meet without a line."""


def evened(small: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture as if lit evenly.

    The logarithm of the light is taken for a polynomial of the second degree.  Its slope is what most pixels
    show against those a little aside: within an area nothing else changes.
    """
    bright = np.log(
        cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 2.5).astype(np.float32) + 2
    )
    y, x = np.mgrid[:WORK, :WORK].astype(np.float32) / WORK - 0.5
    step, inner = round(0.03 * WORK), slice(None, None, 3)
    none, rows, seen = np.zeros_like(x), [], []
    for axis, basis in ((1, (x * 0 + 1, none, x, y, none)), (0, (none, x * 0 + 1, none, x, y))):
        there = np.roll(bright, -step, axis)
        keep = np.ones(x.shape, bool)
        (keep[:, -step:] if axis else keep[-step:])[:] = False
        picked = keep[inner, inner]
        rows.append(np.stack([one[inner, inner][picked] for one in basis], 1))
        seen.append(((there - bright) * (WORK / step))[inner, inner][picked])
    table, slopes = np.concatenate(rows), np.concatenate(seen)
    light = np.array([np.median(seen[0]), np.median(seen[1]), 0, 0, 0], np.float32)
    for _ in range(6):
        off = np.abs(slopes - table @ light)
        near = off < max(1.5 * float(np.median(off)), 0.05)
        light = np.linalg.lstsq(table[near], slopes[near], rcond=None)[0].astype(np.float32)
    log = light[0] * x + light[1] * y + light[2] * x * x / 2 + light[3] * x * y + light[4] * y * y / 2
    shown = small.astype(np.float32) * np.exp(-log)[..., None]
    return np.asarray(np.clip(shown * (115 / max(float(np.median(shown)), 1)), 0, 255), np.uint8)


def border_mask(even: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """1 where a border seems to be, (WORK, WORK)."""
    smooth = cv2.bilateralFilter(cv2.GaussianBlur(even, (0, 0), 0.8), 7, 28, 3)
    lab = pixels(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB))
    width = 2 * round(LINE * WORK / 2) + 3
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    ridge = np.max([_ridge(pixels(lab[..., channel]), pixels(kernel)) for channel in range(3)], axis=0)
    noise = float(np.median(ridge))
    drawn = (ridge > max(14.0, 2.2 * noise)) & _line_coloured(lab, ridge > max(26.0, 3.4 * noise))
    closed = cv2.morphologyEx(drawn.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    weak = _straight(pixels(closed))
    lines = _connected((ridge > max(26.0, 3.4 * noise)).astype(np.uint8), weak)
    # colours change at lines too: steps count where there is none
    steps = _steps(lab) * (cv2.dilate(lines, np.ones((9, 9), np.uint8)) == 0)
    edges = cv2.dilate((steps > STEP).astype(np.uint8), np.ones((3, 3), np.uint8))
    plain = _straight(pixels(edges))
    return np.asarray(lines | _connected(plain, plain), np.uint8)


def _ridge(channel: NDArray[np.uint8], kernel: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How much what is thin stands out from both its sides, to either side of their values."""
    hats = (cv2.morphologyEx(channel, hat, kernel) for hat in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT))
    return np.maximum(*hats).astype(np.float32)


def _line_coloured(lab: NDArray[np.uint8], strong: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Pixels that may be of the colour in which this board draws its lines, with what lies about them; all
    where it has no such colour."""
    seen = (_straight(strong.astype(np.uint8)) > 0) & strong
    ys, xs = np.nonzero(seen)
    if len(ys) < 200:
        return np.ones(strong.shape, bool)
    colours = lab[ys, xs].astype(np.float32) * INK_SCALE
    blocks = (ys * BLOCKS // WORK) * BLOCKS + xs * BLOCKS // WORK
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    cv2.setRNGSeed(1)
    _, own, middles = cv2.kmeans(colours, 5, np.empty(0, np.int32), stop, 2, cv2.KMEANS_PP_CENTERS)
    where = len(np.unique(blocks))
    spread = [len(np.unique(blocks[own.ravel() == n])) / where for n in range(5)]
    # what lines are drawn with is found everywhere, the colours of areas and signs here and there
    chosen = [n for n in range(5) if spread[n] > 0.8 * max(spread)]
    scaled = lab.astype(np.float32) * INK_SCALE
    near = np.min([np.linalg.norm(scaled - middles[n], axis=2) for n in chosen], 0) < INK
    return np.asarray(cv2.dilate(near.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _connected(strong: NDArray[np.uint8], weak: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Weak pixels that hang together with strong ones, and reach farther than a printed sign does."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(weak, connectivity=8)
    keep = np.zeros(count, bool)
    keep[np.unique(labels[strong > 0])] = True
    reach = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    keep &= reach > STRAIGHT * WORK
    keep[0] = False
    return np.asarray(keep[labels], np.uint8)


def _straight(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What of a mask straight pieces fit into: borders stay, printed signs are too short for them."""
    half = round(STRAIGHT * WORK / 2)
    found = np.zeros_like(mask)
    for step in range(DIRECTIONS):
        angle = step * np.pi / DIRECTIONS
        off = (round(half * np.cos(angle)), round(half * np.sin(angle)))
        piece = np.zeros((2 * half + 1,) * 2, np.uint8)
        cv2.line(piece, (half - off[0], half - off[1]), (half + off[0], half + off[1]), 1)
        found |= pixels(cv2.morphologyEx(mask, cv2.MORPH_OPEN, piece))
    return np.asarray(found, np.uint8)


def _steps(lab: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How much colours differ across each pixel."""
    blurred = cv2.medianBlur(lab, 5).astype(np.float32) * np.array((0.55, 1.0, 1.0), np.float32)
    found = np.zeros(lab.shape[:2], np.float32)
    for dy, dx in ((0, 1), (1, 0)):
        off = np.linalg.norm(
            np.roll(blurred, (-dy, -dx), (0, 1)) - np.roll(blurred, (dy, dx), (0, 1)), axis=2
        )
        found = np.maximum(found, off)
    return found
