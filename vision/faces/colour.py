"""Body colours: measured against the white paper of the fiducials, named, and compared."""

from __future__ import annotations

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
    return _LINEAR[bgr]


def white_reference(image: np.ndarray, view: TrayView) -> np.ndarray:
    """Linear BGR of the paper around the fiducials: what white looks like in this picture (median of the
    sheets)."""
    spec = view.spec
    sheets = []
    for x, y in spec.marker_centres_mm:
        reach = spec.marker_mm / 2 + 1.8
        t = np.linspace(-reach, reach, 12)
        ring = [(x + a, y + s * reach) for a in t for s in (-1, 1)] + [
            (x + s * reach, y + a) for a in t for s in (-1, 1)
        ]
        points = np.array([(a, b, spec.marker_plane_mm) for a, b in ring])
        px = np.round(view.project(points)).astype(int)
        inside = (px >= 0).all(axis=1) & (px[:, 0] < image.shape[1]) & (px[:, 1] < image.shape[0])
        if inside.sum() > 10:
            sheets.append(np.median(to_linear(image[px[inside, 1], px[inside, 0]]), axis=0))
    if not sheets:
        return np.full(3, 0.6, np.float32)
    paper = np.array(sheets)
    unclipped = paper[paper.max(axis=1) < 0.97]
    return np.median(unclipped if len(unclipped) else paper, axis=0).clip(1e-3) / 0.75


def body_colour(crop: np.ndarray, white: np.ndarray) -> np.ndarray:
    """Linear reflectance (BGR) of a die's body from its face crop (48 x 48): the median near the face's
    rim."""
    side = crop.shape[0]
    at = np.abs(np.arange(side) - (side - 1) / 2) / (side * 0.83 / 2)
    reach = np.maximum(at[:, None], at[None, :])
    rim = crop[(reach > 0.72) & (reach < 0.90)]
    return np.median(to_linear(rim), axis=0) / white


def features(body: np.ndarray) -> np.ndarray:
    """Three numbers in which colours can be compared: two of chroma and, with less weight, lightness."""
    b, g, r = (float(v) for v in np.maximum(body, 0.0))
    soft = 0.03  # keeps the chroma of dark bodies, which is noise, from counting
    total = r + g + b + 3 * soft
    light = (0.2 * r + 0.7 * g + 0.1 * b) ** (1 / 3)
    return np.array([3 * (r - g) / total, 3 * (g - b) / total, 1.2 * light])


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
