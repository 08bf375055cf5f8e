"""Body colours: measured against the white paper of the fiducials, named, and compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.tray import TrayView

# linear RGB reflectance of usual dice bodies
PALETTE: dict[str, tuple[float, float, float]] = {
    "white": (0.80, 0.80, 0.78),
    "ivory": (0.74, 0.65, 0.44),
    "black": (0.015, 0.015, 0.016),
    "grey": (0.19, 0.19, 0.19),
    "red": (0.42, 0.02, 0.02),
    "blue": (0.02, 0.06, 0.36),
    "green": (0.02, 0.16, 0.04),
    "yellow": (0.72, 0.48, 0.03),
    "orange": (0.70, 0.15, 0.02),
    "purple": (0.12, 0.02, 0.22),
    "brown": (0.10, 0.04, 0.015),
    "pink": (0.75, 0.25, 0.40),
}
_LINEAR = (np.where(np.arange(256) <= 10, np.arange(256) / 255 / 12.92,
                    ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4)).astype(np.float32)  # fmt: skip


def to_linear(bgr: np.ndarray) -> np.ndarray:
    """sRGB bytes to linear light, same channel order."""
    found: np.ndarray = _LINEAR[bgr]
    return found


SHADOWED = 0.4  # a sheet less bright than this share of the brightest lies in the tray's shadow
PAPER = 0.75  # reflectance of printer paper, roughly


@dataclass(frozen=True)
class White:
    """What white looks like at the fiducials: places (N x 2, mm) and linear BGR of a white card there (N x
    3)."""

    places: np.ndarray
    cards: np.ndarray

    def at(self, x: float, y: float) -> np.ndarray:
        """Linear BGR of a white card on the tray at (x, y), between the sheets by their distance."""
        weight = 1.0 / (np.hypot(self.places[:, 0] - x, self.places[:, 1] - y) + 20.0) ** 2
        card: np.ndarray = (weight[:, None] * self.cards).sum(axis=0) / weight.sum()
        return card


def white_reference(image: np.ndarray, view: TrayView) -> White:
    """White as the paper around the fiducials shows it: lamps of different colours tint the tray's sides
    differently.

    Sheets in the tray's shadow tell nothing of the light on the dice, and are left out.
    """
    spec = view.spec
    places, sheets = [], []
    for x, y in spec.marker_centres_mm:
        reach = spec.marker_mm / 2 + 1.8
        t: list[float] = np.linspace(-reach, reach, 12).tolist()
        ring = [(x + a, y + s * reach) for a in t for s in (-1, 1)]
        ring += [(x + s * reach, y + a) for a in t for s in (-1, 1)]
        px = np.round(view.project(np.array([(a, b, spec.marker_plane_mm) for a, b in ring]))).astype(int)
        inside = (px >= 0).all(axis=1) & (px[:, 0] < image.shape[1]) & (px[:, 1] < image.shape[0])
        if inside.sum() > 10:
            places.append((x, y))
            sheets.append(np.median(to_linear(image[px[inside, 1], px[inside, 0]]), axis=0))
    if not sheets:
        return White(np.zeros((1, 2)), np.full((1, 3), 0.8))
    paper = np.array(sheets).clip(1e-3) / PAPER
    lit = paper[:, 1] >= SHADOWED * paper[:, 1].max()
    return White(np.array(places)[lit], paper[lit])


def body_colour(crop: np.ndarray, white: np.ndarray, ring: tuple[float, float] = (0.72, 0.90)) -> np.ndarray:
    """Linear reflectance (BGR) of a die's body from its face crop (48 x 48): the median of a square ring.

    ``ring`` is given as shares of half the face's edge.  ``RIM`` is the rounded edge, which does not
    mirror a lamp that blinds the face itself.
    """
    return _median(crop.reshape(-1, 3)[_ring(crop.shape[0], *ring)], white)


def _median(pixels: np.ndarray, white: np.ndarray) -> np.ndarray:
    """Median reflectance (linear BGR) of pixels (N x 3, sRGB)."""
    values = np.sort(pixels.T)
    middle = len(values[0]) // 2
    reflected: np.ndarray = (to_linear(values[:, -middle - 1]) + to_linear(values[:, middle])) / 2 / white
    return reflected


def rim_by_sides(crop: np.ndarray, white: np.ndarray) -> list[float]:
    """Mean reflectance of the rounded edge on each of the four sides of a face crop (48 x 48)."""
    inside = [np.rot90(crop, quarter).reshape(-1, 3)[_side(crop.shape[0])] for quarter in range(4)]
    return [float(_median(pixels, white).mean()) for pixels in inside]


@cache
def _ring(side: int, inner: float, outer: float) -> np.ndarray:
    """Numbers of the pixels of a square ring in a crop of ``side`` pixels, its rows joined."""
    at = np.abs(np.arange(side) - (side - 1) / 2) / (side * 0.83 / 2)
    reach = np.maximum(at[:, None], at[None, :])
    return np.flatnonzero((reach > inner) & (reach < outer))


@cache
def _side(side: int) -> np.ndarray:
    """Numbers of the pixels of the rounded edge on one side of a crop of ``side`` pixels, its rows joined."""
    at = (np.arange(side) - (side - 1) / 2) / (side * 0.83 / 2)
    edge, along = (at > RIM[0]) & (at < RIM[1]), np.abs(at) < RIM[0]
    return np.flatnonzero(edge[:, None] & along[None, :])


RIM = (0.90, 1.0)


def features(body: np.ndarray) -> np.ndarray:
    """Three numbers in which colours can be compared: two of chroma and, with less weight, lightness.

    Chroma is squashed, since gloss pales a deep colour a good deal but does not change its kind.
    """
    b, g, r = (float(v) for v in np.maximum(body, 0.0))
    soft = 0.03  # keeps the chroma of dark bodies, which is noise, from counting
    total = r + g + b + 3 * soft
    light = min(1.2, 0.2 * r + 0.7 * g + 0.1 * b) ** (1 / 3)
    chroma = [3 * (r - g) / total, 3 * (g - b) / total]
    return np.array([c / (0.6 + abs(c)) for c in chroma] + [0.6 * light])


@cache
def named(name: str) -> np.ndarray:
    """Features of a palette colour; grey for names that are not in it."""
    r, g, b = PALETTE.get(name, (0.2, 0.2, 0.2))
    return features(np.array([b, g, r]))


def name_of(body: np.ndarray) -> str:
    """The palette colour that comes nearest."""
    at = features(body)
    return min(PALETTE, key=lambda name: float(((named(name) - at) ** 2).sum()))


def glare_share(crop: np.ndarray) -> float:
    """Share of the face that is blown out (all channels at the limit)."""
    inner = crop[5:-5, 5:-5]
    return float((inner.min(axis=2) >= 250).mean())


def grey(image: np.ndarray) -> np.ndarray:
    """Brightness, 8 bit."""
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
