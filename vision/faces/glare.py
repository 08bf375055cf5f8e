"""What a lamp mirrored in a face leaves of it: outlines, for slopes mirror no lamp.

The mirror image adds the same light to the flat face and to the flat bottom of a pip or a drawing; only the
slope between them stays as it is.  So a pip is a bright spot with darkness all around it, at the width of a
pip, where a corner of the face, which ends in the dark rounded edge, is dark on its outer side only; and a
drawing is what its example would be under such a veil, which can be laid over the example.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.faces.pips import HIGH, LOW, number_of, peaks

RADII = (3.2, 4.0, 4.8, 5.6)  # pixels from a pip's middle at which its rim may lie (crops of 48)
WAYS = 16  # directions that are looked at
FINER = 4  # steps to a pixel in which its places are reckoned
OPEN = 2  # of them that may lack a rim: a highlight, a scratch
DEEP = 0.22  # how much darker the rim is than the pip, as a share of the face's contrast,
DEEPER = 0.5  # and as a share of the deepest rim
HARDLY = 0.6  # of that depth: from here on a rim is not overlooked
FAINT = 24.0  # grey levels of contrast below which there is nothing to see
VEILED = 1.3  # a face so many times as bright as its rounded edge mirrors a lamp
VEIL, DIMMED = 190.0, 0.5  # grey levels that a veil adds, and the share that slopes lose of their own
FLAT_PX = 15.0  # half the side of the flat face, which alone mirrors the lamp
STEEP = 95  # percentile of the slopes in a face beside which they are steep
SLOPE = (0.2, 0.6)  # of these, the share that still mirrors the lamp, and the one that does not


@cache
def _disc() -> np.ndarray:
    y, x = np.mgrid[-2:3, -2:3]
    disc = (np.hypot(x, y) < 2.4).astype(np.float32)
    found: np.ndarray = disc / disc.sum()
    return found


def count_rims(crop: np.ndarray) -> int | None:
    """How many pips a face (48 x 48 x 3) shows by their rims; None where these are in none of the usual
    patterns."""
    grey = cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), (0, 0), 0.6).astype(np.float32)
    inner = grey[LOW:HIGH, LOW:HIGH]
    contrast = float(np.percentile(inner, 95) - np.percentile(inner, 2))
    if contrast < FAINT:
        return None
    depth = _depth(grey) / contrast
    places, values = peaks(depth)
    if not len(values):
        return None
    least = max(DEEP, DEEPER * float(values.max()))
    sure, perhaps = (number_of(places[values > share * least]) for share in (1.0, HARDLY))
    return sure if sure == perhaps else None  # a faint rim may be a pip's, or none


@cache
def _rims() -> list[list[tuple[slice, slice]]]:
    """For each direction and radius where a rim would lie around each pixel of the face: rows and columns of
    the face enlarged ``FINER`` times."""
    ways = np.arange(WAYS) * 2 * np.pi / WAYS
    return [[(_steps(r * np.sin(w)), _steps(r * np.cos(w))) for r in RADII] for w in ways]


def _steps(shift: float) -> slice:
    """Every pixel of the face, so many pixels further, in the enlarged one."""
    first = round((LOW + shift) * FINER)
    return slice(first, first + (HIGH - LOW - 1) * FINER + 1, FINER)


def _depth(grey: np.ndarray) -> np.ndarray:
    """For each pixel of the face how much darker than the disc around it the rim is, in all directions but
    ``OPEN``."""
    disc = cv2.filter2D(grey, -1, _disc(), borderType=cv2.BORDER_REFLECT)[LOW:HIGH, LOW:HIGH]
    fine = _finer(grey)
    darkest = [np.minimum.reduce([fine[at] for at in rings]) for rings in _rims()]
    ordered = np.partition(disc - np.stack(darkest), OPEN, axis=0)
    depth: np.ndarray = ordered[OPEN]
    return depth


def _finer(grey: np.ndarray) -> np.ndarray:
    """Enlarged ``FINER`` times (linearly); pixel (x, y) becomes (``FINER`` x, ``FINER`` y)."""
    side = grey.shape[0] * FINER
    back = np.array([[1 / FINER, 0, 0], [0, 1 / FINER, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(grey, back, (side, side), flags=flags, borderMode=cv2.BORDER_REFLECT)


def is_veiled(face: np.ndarray, edge: np.ndarray) -> bool:
    """Whether a face (linear BGR of its body) mirrors a lamp that its rounded edge does not."""
    return bool(face.mean() > VEILED * edge.mean())


def veiled(crop: np.ndarray) -> np.ndarray:
    """A crop (48 x 48 x 3) as it would be were a lamp mirrored in all that is flat in it."""
    soft = cv2.GaussianBlur(crop, (0, 0), 0.6).astype(np.float32)
    slopes = cv2.magnitude(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)).max(axis=2)
    at = np.abs(np.arange(crop.shape[0], dtype=np.float32) - (crop.shape[0] - 1) / 2)
    face = np.clip(FLAT_PX + 0.5 - np.maximum(at[:, None], at[None]), 0, 1)
    share = slopes / (float(np.percentile(slopes[face > 0], STEEP)) + 1e-3)
    level: np.ndarray = np.clip((SLOPE[1] - share) / (SLOPE[1] - SLOPE[0]), 0, 1)
    steep, flat = (1 - level) * face, cv2.GaussianBlur(level, (0, 0), 0.5) * face
    lit = soft * (1 - DIMMED * steep[..., None]) + VEIL * flat[..., None]
    shown: np.ndarray = np.clip(lit, 0, 255).astype(np.uint8)
    return shown
