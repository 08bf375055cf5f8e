"""Compare a face with taught faces by normalised correlation, at every turn: transparent, and hard to fool.

The crop is turned in steps about each quarter turn (the finder knows a die's angle but for the quarter),
halved
in size, and each face's template slides over it, twice: in colour, and as outlines.  In colour the mean of
each
channel is removed, so lamps and body colour do not count, but the contrast of the ink in each channel does.
Outlines tell shapes apart that are coloured alike, and survive some glare, but know no colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.faces.describe import SIZE

SMALL = 22  # pixels of the halved crop that are kept (of 24)
TEMPLATE = 18  # pixels of a template's side: nine tenths of the face
ANGLES = (-2.5, 2.5)
FINE_ANGLES = (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0)
BLUR = 0.9
OUTLINE_WEIGHT = 0.7  # of outlines beside colour
CLEAR_OUTLINE = (
    0.42  # an outline this alike, and so far ahead of others, is believed though colours are blown out
)
OUTLINE_LEAD = 0.20
PLAIN = 0.75  # likeness from which the whole face is enough
INNER = 2  # template pixels left out at each border where it is not: a lamp's veil ends at the face's border


@dataclass(frozen=True)
class Template:
    """One face: ``colour`` 18 x 18 x 3 and ``outline`` 18 x 18, float32."""

    colour: np.ndarray
    outline: np.ndarray


@dataclass(frozen=True)
class Likeness:
    """How alike a crop and a face are: correlations (-1 to 1) in colour and of outlines."""

    colour: float
    outline: float

    @property
    def both(self) -> float:
        """Their weighted mean, -1 to 1."""
        return (self.colour + OUTLINE_WEIGHT * self.outline) / (1 + OUTLINE_WEIGHT)


def _turned(soft: np.ndarray, angle: float, size: int) -> np.ndarray:
    """A blurred crop, turned by ``angle`` degrees and halved, of which the middle ``size`` pixels are
    kept."""
    middle = (SIZE - 1) / 2
    m = 0.5 * cv2.getRotationMatrix2D((middle, middle), angle, 1.0)
    m[:, 2] += (size - 1) / 2 - 0.5 * middle
    return cv2.warpAffine(soft, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _layers(crop: np.ndarray) -> np.ndarray:
    """Blurred colours and outlines of a crop, 48 x 48 x 4 float32."""
    soft = cv2.GaussianBlur(crop, (0, 0), BLUR).astype(np.float32)
    slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)).max(axis=2)
    slope /= float(slope.mean()) + 1e-3
    outline = cv2.GaussianBlur(
        slope / (1 + slope), (0, 0), 0.7
    )  # squashed: faint outlines count nearly as much
    return np.dstack([soft, outline])


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
    """The templates of one type's faces, laid out for comparison with a crop."""

    def __init__(self, templates: Mapping[str, Template]) -> None:
        self.faces = tuple(templates)
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
        windows = np.lib.stride_tricks.sliding_window_view(turned, (TEMPLATE, TEMPLATE), axis=(1, 2))
        patches = windows.reshape(-1, 4, TEMPLATE, TEMPLATE)
        whole = self._products(patches, 0)
        if max(v.both for v in whole.values()) > PLAIN:
            return whole
        inner = self._products(patches, INNER)
        return {f: max(whole[f], inner[f], key=lambda v: v.both) for f in self.faces}

    def _products(self, patches: np.ndarray, border: int) -> dict[str, Likeness]:
        """Best correlation of any patch (n x 4 x 18 x 18) with each face, ``border`` pixels left out around
        both."""
        kept = slice(border, TEMPLATE - border)
        flat = patches[..., kept, kept].reshape(len(patches), 4, -1)
        # templates have no mean, so the means of the patches matter for their lengths only
        power = np.einsum("ijk,ijk->ij", flat, flat) - flat.sum(axis=2) ** 2 / flat.shape[2]
        power = np.maximum(power, 0)
        coloured, outlined = self._wanted[border]
        colour = flat[:, :3].reshape(len(flat), -1) @ coloured
        colour /= np.sqrt(power[:, :3].sum(axis=1, keepdims=True)) + 1e-3
        outline = flat[:, 3] @ outlined
        outline /= np.sqrt(power[:, 3:]) + 1e-3
        best = zip(self.faces, colour.max(axis=0), outline.max(axis=0), strict=True)
        return {face: Likeness(float(c), float(o)) for face, c, o in best}


def correlate(crop: np.ndarray, templates: Mapping[str, Template]) -> dict[str, Likeness]:
    """Best likeness of a crop with each template, as ``Bank.correlate``."""
    return Bank(templates).correlate(crop)


def _laid_out(templates: Mapping[str, Template], border: int) -> tuple[np.ndarray, np.ndarray]:
    """Colours and outlines of all templates as columns of unit length."""
    kept = slice(border, TEMPLATE - border)
    colours = [_unit(t.colour[kept, kept].transpose(2, 0, 1)) for t in templates.values()]
    outlines = [_unit(t.outline[None, kept, kept]) for t in templates.values()]
    return np.stack(colours, axis=1), np.stack(outlines, axis=1)


def _unit(channels: np.ndarray) -> np.ndarray:
    """Channels (c x h x w) each without its mean, as one vector of length 1."""
    flat = channels.reshape(len(channels), -1)
    flat = (flat - flat.mean(axis=1, keepdims=True)).ravel()
    unit: np.ndarray = (flat / (np.linalg.norm(flat) + 1e-6)).astype(np.float32)
    return unit


def _outline_lead(face: str, near: Mapping[str, Likeness]) -> float:
    return near[face].outline - max((v.outline for f, v in near.items() if f != face), default=-1.0)


def clear_outline(face: str, near: Mapping[str, Likeness]) -> bool:
    """Whether the outline alone is like one face and like no other."""
    return near[face].outline > CLEAR_OUTLINE and _outline_lead(face, near) > OUTLINE_LEAD


def blazing_outline(face: str, near: Mapping[str, Likeness]) -> bool:
    """Whether the outline is so alike, and so far ahead, that nothing else is asked."""
    return near[face].outline > 0.75 and _outline_lead(face, near) > 0.35
