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
        window = _windows(border)
        power = (flat * flat) @ window - (flat @ window) ** 2 / (TEMPLATE - 2 * border) ** 2
        power = np.maximum(power, 0)[..., None]
        coloured, outlined, hued = self._wanted[border]
        colour = _product(flat[:, :3].reshape(len(flat), -1), coloured)
        colour = colour.reshape(len(flat), -1, len(self.faces))
        colour /= np.sqrt(power[:, :3].sum(axis=1)) + 1e-3
        outline = _product(flat[:, 3], outlined).reshape(colour.shape)
        outline /= np.sqrt(power[:, 3]) + 1e-3
        best = zip(self.faces, colour.max(axis=(0, 1)), outline.max(axis=(0, 1)), strict=True)
        alike = {face: Likeness(float(c), float(o)) for face, c, o in best}
        if not self._hues:
            return alike
        hues = flat[:, (0, 2)] - flat[:, 1:2]
        power = (hues * hues) @ window - (hues @ window) ** 2 / (TEMPLATE - 2 * border) ** 2
        hue = _product(hues.reshape(len(flat), -1), hued).reshape(colour.shape)
        hue /= np.sqrt(np.maximum(power, 0).sum(axis=1))[..., None] + 1e-3
        # where colour and outline agree best with the face: hues alone fit at many a shift
        place = (colour + OUTLINE_WEIGHT * outline).reshape(-1, len(self.faces)).argmax(axis=0)
        there = hue.reshape(-1, len(self.faces))[place, range(len(self.faces))]
        return {f: replace(v, hue=float(h)) for (f, v), h in zip(alike.items(), there, strict=True)}


@cache
def _windows(border: int) -> np.ndarray:
    """For each shift the pixels that a template covers: 22 * 22 x shifts, 0 or 1."""
    size = TEMPLATE - 2 * border
    return _shifted(np.ones((1, size, size), np.float32), border)


def _shifted(kept: np.ndarray, border: int) -> np.ndarray:
    """A template's channels (c x h x w) at each shift within 22 x 22 pixels: c * 22 * 22 x shifts."""
    h, w = kept.shape[1:]
    steps = range(SMALL - TEMPLATE + 1)
    out = np.zeros((len(steps) ** 2, len(kept), SMALL, SMALL), np.float32)
    for k, (dy, dx) in enumerate((dy, dx) for dy in steps for dx in steps):
        out[k, :, dy + border : dy + border + h, dx + border : dx + border + w] = kept
    return np.ascontiguousarray(out.reshape(len(out), -1).T)


def correlate(crop: np.ndarray, templates: Mapping[str, Template]) -> dict[str, Likeness]:
    """Best likeness of a crop with each template, as ``Bank.correlate``."""
    return Bank(templates).correlate(crop)


def _product(rows: np.ndarray, blocks: Sequence[np.ndarray]) -> np.ndarray:
    """The matrix product of rows with blocks of columns that lie side by side."""
    return np.concatenate([rows @ block for block in blocks], axis=1)


def _laid_out(templates: Mapping[str, Template], border: int) -> tuple[list[np.ndarray], ...]:
    """Colours, outlines and hues of all templates, each of unit length, at each shift (columns: shift by
    shift)."""
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
    wide = max(1, ONE_THREAD // (TURNS * len(whole)))
    return [np.ascontiguousarray(whole[:, k : k + wide]) for k in range(0, whole.shape[1], wide)]


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
