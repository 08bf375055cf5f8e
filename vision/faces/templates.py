"""Compare a face with taught faces by normalised correlation, at every turn: transparent, and hard to fool.

The crop is turned in steps about each quarter turn (the finder knows a die's angle but for the quarter),
halved in size, and each face's template slides over it, twice: in colour, and as outlines.  In colour the
mean of each channel is removed, so lamps and body colour do not count, but the contrast of the ink in each
channel does.
Outlines tell shapes apart that are coloured alike, and survive some glare, but know no colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from vision.faces.describe import SIZE

SMALL = 22  # pixels of the halved crop that are kept (of 24)
TEMPLATE = 18  # pixels of a template's side: nine tenths of the face
SHIFTS = SMALL - TEMPLATE + 1  # of a template in either direction
ANGLES = (-2.5, 2.5)
FINE_ANGLES = (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0)
BLUR = 0.9
OUTLINE_WEIGHT = 0.7  # of outlines beside colour
HUE_WEIGHT = 0.5  # of hues, where they count
CLEAR_OUTLINE = (
    0.42  # an outline this alike, and so far ahead of others, is believed though colours are blown out
)
OUTLINE_LEAD = 0.20
PLAIN = 0.75  # likeness from which the whole face is enough
TURNS = 4 * len(ANGLES)  # of a crop, compared at once
ONE_THREAD = 250_000  # multiplications of a product up to which OpenBLAS (0.3) takes one thread
INNER = 2  # template pixels left out at each border where it is not: a lamp's veil ends at the face's border


@dataclass(frozen=True)
class Template:
    """One face: ``colour`` 18 x 18 x 3 and ``outline`` 18 x 18, float32."""

    colour: np.ndarray
    outline: np.ndarray


@dataclass(frozen=True)
class Likeness:
    """How alike a crop and a face are: correlations (-1 to 1) in colour, of outlines, and in glare of hues:
    how blue and how red each place is beside green, whatever its brightness."""

    colour: float
    outline: float
    hue: float | None = None

    @property
    def both(self) -> float:
        """Their weighted mean, -1 to 1."""
        sure = self.colour + OUTLINE_WEIGHT * self.outline
        if self.hue is None:
            return sure / (1 + OUTLINE_WEIGHT)
        return (sure + HUE_WEIGHT * self.hue) / (1 + OUTLINE_WEIGHT + HUE_WEIGHT)


@cache
def _turn(angle: float, size: int) -> np.ndarray:
    """The affine matrix (2 x 3) of ``_turned``."""
    middle = (SIZE - 1) / 2
    m = 0.5 * cv2.getRotationMatrix2D((middle, middle), angle, 1.0)
    m[:, 2] += (size - 1) / 2 - 0.5 * middle
    turn: np.ndarray = m
    return turn


def _turned(soft: np.ndarray, angle: float, size: int) -> np.ndarray:
    """A blurred crop, turned by ``angle`` degrees and halved, of which the middle ``size`` pixels are
    kept."""
    m = _turn(angle, size)
    return cv2.warpAffine(soft, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _layers(crop: np.ndarray) -> np.ndarray:
    """Blurred colours and outlines of a crop, 48 x 48 x 4 float32."""
    out = np.empty((*crop.shape[:2], 4), np.float32)
    soft = cv2.GaussianBlur(crop, (0, 0), BLUR).astype(np.float32)
    slopes = cv2.magnitude(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    slope = np.maximum(np.maximum(slopes[..., 0], slopes[..., 1]), slopes[..., 2])
    slope /= float(slope.mean()) + 1e-3
    out[..., :3] = soft
    # squashed: faint outlines count nearly as much
    out[..., 3] = cv2.GaussianBlur(slope / (1 + slope), (0, 0), 0.7)
    return out


def template(crops: Sequence[np.ndarray]) -> Template:
    """Mean of a face's examples after each was turned and shifted onto the first."""
    low = (SIZE // 2 - TEMPLATE) // 2
    first = _turned(_layers(crops[0]), 0.0, SIZE // 2)[low : low + TEMPLATE, low : low + TEMPLATE]
    colour = np.ascontiguousarray(first[..., :3])
    parts = [first]
    for crop in crops[1:]:
        layers, best, part = _layers(crop), -2.0, first
        for quarter in range(4):
            for angle in FINE_ANGLES:
                turned = _turned(layers, 90.0 * quarter + angle, SIZE // 2)
                found = cv2.matchTemplate(np.ascontiguousarray(turned[..., :3]), colour, cv2.TM_CCOEFF_NORMED)
                _, score, _, (x, y) = cv2.minMaxLoc(found)
                if score > best:
                    best, part = score, turned[y : y + TEMPLATE, x : x + TEMPLATE]
        parts.append(part)
    stack = np.stack(parts)
    colours = stack[..., :3] - stack[..., :3].mean(axis=(1, 2), keepdims=True)
    colours = colours / (colours.std(axis=(1, 2, 3), keepdims=True) + 1e-3)
    outline = np.ascontiguousarray(stack[..., 3].mean(axis=0), np.float32)
    return Template(np.ascontiguousarray(np.median(colours, axis=0), np.float32), outline)


class Bank:
    """The templates of one type's faces, laid out for comparison with a crop, perhaps by hues as well."""

    def __init__(self, templates: Mapping[str, Template], hues: bool = False) -> None:
        self.faces = tuple(templates)
        self._hues = hues
        self._wanted = {border: _laid_out(templates, border) for border in (0, INNER)} if templates else {}

    def correlate(self, crop: np.ndarray) -> dict[str, Likeness]:
        """Best likeness of a crop (48 x 48 x 3, BGR) with each face, over turns and small shifts.

        The same as ``cv2.matchTemplate`` (TM_CCOEFF_NORMED) for each turn and template, as products of
        matrices.
        """
        if not self.faces:
            return {}
        layers = _layers(crop)
        turned = np.stack(
            [_turned(layers, 90.0 * quarter + angle, SMALL) for quarter in range(4) for angle in ANGLES]
        )
        flat = np.ascontiguousarray(turned.reshape(len(turned), -1, 4).transpose(0, 2, 1))
        flat -= flat.mean(axis=2, keepdims=True)
        whole = self._products(flat, 0)
        if max(v.both for v in whole.values()) > PLAIN:
            return whole
        inner = self._products(flat, INNER)
        return {f: max(whole[f], inner[f], key=lambda v: v.both) for f in self.faces}

    def _products(self, flat: np.ndarray, border: int) -> dict[str, Likeness]:
        """Best correlation of the turned crops (n x 4 x 22 * 22) with each face at any shift, ``border``
        pixels left out around both."""
        coloured, outlined, hued = self._wanted[border]
        power = _power(flat, border)
        colour = self._product(flat[:, :3], coloured, border)
        colour /= np.sqrt(power[:, :3].sum(axis=1)) + 1e-3
        outline = self._product(flat[:, 3:], outlined, border)
        outline /= np.sqrt(power[:, 3]) + 1e-3
        best = zip(self.faces, colour.max(axis=(0, 1)), outline.max(axis=(0, 1)), strict=True)
        alike = {face: Likeness(float(c), float(o)) for face, c, o in best}
        if not self._hues:
            return alike
        hues = flat[:, (0, 2)] - flat[:, 1:2]
        hue = self._product(hues, hued, border)
        hue /= np.sqrt(_power(hues, border).sum(axis=1)) + 1e-3
        # where colour and outline agree best with the face: hues alone fit at many a shift
        place = (colour + OUTLINE_WEIGHT * outline).reshape(-1, len(self.faces)).argmax(axis=0)
        there = hue.reshape(-1, len(self.faces))[place, range(len(self.faces))]
        return {f: replace(v, hue=float(h)) for (f, v), h in zip(alike.items(), there, strict=True)}

    def _product(self, flat: np.ndarray, blocks: Sequence[np.ndarray], border: int) -> np.ndarray:
        """Products of turned crops (n x c x 22 * 22) with the faces at each shift: n x 25 x faces."""
        kept = (TEMPLATE - 2 * border) * SMALL
        out = np.empty((len(flat), SHIFTS, SHIFTS * len(self.faces)), np.float32)
        for down in range(SHIFTS):
            start = (down + border) * SMALL
            rows = flat[:, :, start : start + kept].reshape(len(flat), -1)
            np.concatenate([rows @ block for block in blocks], axis=1, out=out[:, down])
        return out.reshape(len(flat), SHIFTS * SHIFTS, -1)


@cache
def _window(border: int) -> np.ndarray:
    """The rows, or columns, that a template covers at each shift: 22 x shifts, 0 or 1."""
    return _shifted(np.ones((1, 1, TEMPLATE - 2 * border), np.float32), border)


def _power(flat: np.ndarray, border: int) -> np.ndarray:
    """Sum of squares less the square of the sum, by the number of pixels, of what a template covers of each
    channel (n x c x 22 * 22) at each shift: n x c x shifts * shifts x 1."""
    number = (TEMPLATE - 2 * border) ** 2
    power = _covered(flat * flat, border) - _covered(flat, border) ** 2 / number
    found: np.ndarray = np.maximum(power, 0)[..., None]
    return found


def _covered(flat: np.ndarray, border: int) -> np.ndarray:
    """Sums over what a template covers at each shift (n x c x 22 * 22 to n x c x 25): first along rows, then
    along columns."""
    window = _window(border)
    across = (flat.reshape(-1, SMALL) @ window).reshape(-1, SMALL, SHIFTS)
    down = np.ascontiguousarray(across.transpose(0, 2, 1)).reshape(-1, SMALL) @ window
    sums: np.ndarray = down.reshape(-1, SHIFTS, SHIFTS).transpose(0, 2, 1).reshape(*flat.shape[:2], -1)
    return sums


def _shifted(kept: np.ndarray, border: int) -> np.ndarray:
    """A template's channels (c x h x w) at each shift to the right within 22 pixels: c * h * 22 x shifts."""
    c, h, w = kept.shape
    out = np.zeros((SHIFTS, c, h, SMALL), np.float32)
    for k in range(SHIFTS):
        out[k, :, :, k + border : k + border + w] = kept
    return np.ascontiguousarray(out.reshape(SHIFTS, -1).T)


def correlate(crop: np.ndarray, templates: Mapping[str, Template]) -> dict[str, Likeness]:
    """Best likeness of a crop with each template, as ``Bank.correlate``."""
    return Bank(templates).correlate(crop)


def _laid_out(templates: Mapping[str, Template], border: int) -> tuple[list[np.ndarray], ...]:
    """Colours, outlines and hues of all templates, each of unit length, at each shift to the right (columns:
    shift by shift)."""
    kept = slice(border, TEMPLATE - border)
    colours = [_shifted(_unit(t.colour[kept, kept].transpose(2, 0, 1)), border) for t in templates.values()]
    outlines = [_shifted(_unit(t.outline[None, kept, kept]), border) for t in templates.values()]
    hues = [t.colour[kept, kept][..., (0, 2)] - t.colour[kept, kept][..., 1:2] for t in templates.values()]
    shifted = [_shifted(_unit(hue.transpose(2, 0, 1)), border) for hue in hues]
    return _columns(colours), _columns(outlines), _columns(shifted)


def _columns(faces: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Matrices (pixels x shifts) of several faces side by side, pixels x shifts * faces, in blocks.

    They are so small that OpenBLAS multiplies each on one thread: on a busy machine its threads wait for each
    other far longer than they reckon.
    """
    whole = np.stack(faces, axis=2).reshape(len(faces[0]), -1)
    blocks = -(-TURNS * whole.size // ONE_THREAD)
    return [np.ascontiguousarray(block) for block in np.array_split(whole, blocks, axis=1)]


def _unit(channels: np.ndarray) -> np.ndarray:
    """Channels (c x h x w) each without its mean, all together of length 1."""
    level = channels - channels.mean(axis=(1, 2), keepdims=True)
    unit: np.ndarray = (level / (np.linalg.norm(level) + 1e-6)).astype(np.float32)
    return unit


def _outline_lead(face: str, near: Mapping[str, Likeness]) -> float:
    return near[face].outline - max((v.outline for f, v in near.items() if f != face), default=-1.0)


def clear_outline(face: str, near: Mapping[str, Likeness]) -> bool:
    """Whether the outline alone is like one face and like no other."""
    return near[face].outline > CLEAR_OUTLINE and _outline_lead(face, near) > OUTLINE_LEAD


def blazing_outline(face: str, near: Mapping[str, Likeness]) -> bool:
    """Whether the outline is so alike, and so far ahead, that nothing else is asked."""
    return near[face].outline > 0.75 and _outline_lead(face, near) > 0.35
