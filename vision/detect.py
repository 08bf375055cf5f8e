"""Finding dice in a picture: the centre and the edge of each top face.

One small fully convolutional network looks at the whole picture (long side
640 pixels) and gives, at every fourth pixel, how likely a top face of a pip
die or of another die is centred there, how large it is and what it shows.

It was trained on faces of 20 to 110 pixels.  Nearer dice are found in the
picture reduced to a half and a quarter, where the pips of a die are too small
to be taken for dice; smaller ones in the picture enlarged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import as_input
from vision.network import MODELS, Network

F = NDArray[np.float32]
STRIDE = 4
LONG_SIDE = 640
FLOOR = 0.08  # heat below this is not even a doubtful die
COARSER = (0.5, 0.25)  # reductions in which near dice are looked for
LEAST_COARSE, LEAST_HOT = 40.0, 34.0  # pixels of a face from which a reduced picture shows it better,
COARSE_HEAT, COARSE_HOT = 0.2, 0.5  # heat from which such a find counts, and for the second of those sizes
LARGEST = 88.0  # pixels up to which the whole picture's own find of the same face is kept
WITHIN = 0.62  # edges from the middle of a near face within which smaller finds are parts of it
PART = 0.6  # relative edge under which a find is a part of a larger one, or that one a group of dice
GROUP = (
    0.6  # heat relative to its hottest part under which a large find is a group of dice, whatever it shows
)
SMALLEST = 24.0  # pixels; where most faces are smaller, or none is found, the picture is enlarged,
SMALL = 34.0  # or where they are smaller than this and the picture has more pixels than were looked at
MORE = 0.8  # scale under which it has
ENLARGED = 40.0  # pixels that faces shall have then
MOST_ENLARGED = 1280  # pixels of the longer side of what is looked at then
CLEAR = 0.35  # heat from which the edge of a find can be trusted
HARDLY = 0.3  # relative heat of what is hardly an upper face of its own
RIVAL = (0.30, 0.86)  # a second face of the same die, in edges from the first
UPPER = 0.7  # relative heat from which, of two faces of a die, the one higher in the picture is its upper one


@dataclass(slots=True)
class DetectedCentre:
    """A candidate, in pixels of the picture.

    ``heat``: how sure the network is that a top face is centred here.
    ``pip``: a pip die, else some other die.  ``either``: heat of a die of whichever kind.
    ``faces``: (6,) its own reading.
    ``rival``: heat of another face of the same die relative to this one's, 0..1.
    ``parts``: what was found inside of a near face: its pips, or the dice of a group that looks like one.
    ``shown``: pixels of its edge as the network saw it.
    """

    x: float
    y: float
    edge: float
    heat: float
    pip: bool
    faces: F
    rival: float = 0.0
    either: float = 0.0
    parts: tuple[DetectedCentre, ...] = ()
    shown: float = 0.0


class Detector:
    """The detection network.  Not thread-safe: one reader, one detector."""

    def __init__(self, net: Network | None = None) -> None:
        self._net = net or Network(MODELS / "detector.onnx")

    def find(self, image: NDArray[np.uint8]) -> list[DetectedCentre]:
        """Candidates of a BGR picture, best first, also doubtful ones (heat >= 0.08)."""
        scale = min(1.0, LONG_SIDE / max(image.shape[:2]))
        found = self.find_at(image, scale)
        for reduction in COARSER:
            found = _with_near(found, self.find_at(image, scale * reduction))
        return sorted(self._with_far(image, scale, found), key=lambda f: -f.heat)

    def _with_far(
        self, image: NDArray[np.uint8], scale: float, found: list[DetectedCentre]
    ) -> list[DetectedCentre]:
        """The finds, those of small faces replaced by what an enlarged picture of their part shows."""
        h, w = image.shape[:2]
        likely = [f for f in found if f.heat > CLEAR]
        edge = float(np.median([f.edge for f in likely])) * scale if likely else 0.0
        # found in a reduced picture; a group may look like one near die there, beside more that are none
        near = 2 * sum(f.shown < 0.9 * f.edge * scale for f in likely) >= max(1, len(likely))
        if near or edge > (SMALLEST if scale > MORE else SMALL) or (not likely and scale > MORE):
            return found
        part = _around(likely, w, h) if likely else (0, 0, w, h)
        x0, y0, x1, y1 = part
        larger = min(scale * (ENLARGED / edge if edge else 2.0), MOST_ENLARGED / max(x1 - x0, y1 - y0))
        if larger < 1.2 * scale:
            return found
        again = self.find_at(image[y0:y1, x0:x1], larger)
        for f in again:
            f.x, f.y = f.x + x0, f.y + y0
        if sum(f.heat for f in again) < sum(f.heat for f in found):
            return found
        beyond = [f for f in found if not (x0 <= f.x < x1 and y0 <= f.y < y1)]
        large = [f for f in found if f.edge * larger > LARGEST and f not in beyond]
        return beyond + _with_near(again, large)

    def find_at(self, image: NDArray[np.uint8], scale: float) -> list[DetectedCentre]:
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        small = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=how)
        h, w = small.shape[:2]
        padded = cv2.copyMakeBorder(small, 0, -h % 16, 0, -w % 16, cv2.BORDER_REPLICATE)
        out = self._net.run(as_input(np.asarray(padded, np.uint8)))[0]
        fx, fy = w / image.shape[1], h / image.shape[0]
        found = _peaks(out)
        for f in found:
            f.shown = f.edge
            f.x, f.y, f.edge = (f.x + 0.5) / fx - 0.5, (f.y + 0.5) / fy - 0.5, f.edge / ((fx * fy) ** 0.5)
        return [f for f in found if f.x < image.shape[1] and f.y < image.shape[0]]


def _with_near(found: list[DetectedCentre], coarse: list[DetectedCentre]) -> list[DetectedCentre]:
    """Finds joined with those of a reduced picture, of which only large faces count.

    A near face hides what was found on it: its pips, mostly, which look like dice with one pip where a lamp
    shines in them.  Several dice together may look like one from afar; but then they themselves are plainer.
    """
    for large in sorted(coarse, key=lambda f: -f.heat):
        if large.heat < COARSE_HEAT or large.shown < (LEAST_HOT if large.heat > COARSE_HOT else LEAST_COARSE):
            continue
        inside = [f for f in found if float(np.hypot(f.x - large.x, f.y - large.y)) < WITHIN * large.edge]
        same = [f for f in inside if f.edge >= PART * large.edge]
        if any(f.heat >= large.heat or f.shown <= LARGEST for f in same):
            continue
        parts = [f for f in inside if f.edge < PART * large.edge]
        if large.heat < GROUP * max((f.heat for f in parts), default=0.0):
            continue
        large.parts = tuple(parts)
        found = [f for f in found if f not in inside] + [large]
    return found


def _around(found: list[DetectedCentre], width: int, height: int) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of the part of a picture in which all finds lie, with room for more beside them."""
    room = 4.0 * max(f.edge for f in found)
    x0, y0 = min(f.x for f in found) - room, min(f.y for f in found) - room
    x1, y1 = max(f.x for f in found) + room, max(f.y for f in found) + room
    return max(0, int(x0)), max(0, int(y0)), min(width, int(x1) + 1), min(height, int(y1) + 1)


def _peaks(out: F) -> list[DetectedCentre]:
    """Local maxima of both heat maps, one per die, in pixels of the network's input."""
    heat = np.asarray(1 / (1 + np.exp(-np.clip(out[:2], -30, 30))), np.float32)
    raw: list[DetectedCentre] = []
    kernel = np.ones((3, 3), np.uint8)
    for channel in (0, 1):
        hm = heat[channel]
        top = (hm >= cv2.dilate(hm, kernel)) & (hm > FLOOR)
        for iy, ix in zip(*np.nonzero(top), strict=True):
            raw.append(_candidate(out, heat, channel, int(iy), int(ix)))
    raw.sort(key=lambda f: -f.heat)
    kept: list[DetectedCentre] = []
    for f in raw:
        for k in kept:
            apart = float(np.hypot(f.x - k.x, f.y - k.y))
            distance = apart / min(f.edge, k.edge)
            part_of_it = f.edge < 0.6 * k.edge and apart < 0.75 * k.edge  # a pip, a corner
            part_of_it |= f.heat < 0.62 * k.heat and apart < _side_within(f, k)
            if part_of_it or distance < RIVAL[1] * (1.0 if f.heat < 0.6 * k.heat else 0.85):
                if distance > RIVAL[0] and f.pip == k.pip and not part_of_it:
                    _second_face(k, f)
                break
        else:
            kept.append(f)
    return kept


def _second_face(k: DetectedCentre, f: DetectedCentre) -> None:
    """Note in ``k`` that ``f`` is another face of its die.

    Pictures taken at a slant are taken upright: of two faces that look nearly as much like an upper one, the
    higher is it.  That there is a die is as sure as the surer of them.
    """
    if f.heat > UPPER * k.heat and f.y < k.y - 0.3 * k.edge and k.rival == 0:
        k.x, k.y, k.edge, k.faces, k.rival = f.x, f.y, f.edge, f.faces, k.heat / f.heat
    else:
        k.rival = max(k.rival, f.heat / k.heat)


def _side_within(f: DetectedCentre, k: DetectedCentre) -> float:
    """Distance under which a weaker find ``f`` beside ``k`` is taken for a side face of the same die.

    Upper and side face of a die are about 0.84 of their mean edge apart at any slant, and two dice that
    touch 1.0; finds of little heat have less certain edges (0.2 % of 5,400 pairs of dice lie nearer), and
    what has hardly any beside a sure find is a side even where the lens draws the die longer.
    """
    if f.heat < HARDLY * k.heat:
        return 1.15 * (f.edge + k.edge) / 2
    return 0.93 * (f.edge + k.edge) / 2 if f.heat >= CLEAR else 0.97 * max(f.edge, k.edge)


def _candidate(out: F, heat: NDArray[np.floating[Any]], channel: int, iy: int, ix: int) -> DetectedCentre:
    _, h, w = out.shape
    y0, y1, x0, x1 = max(0, iy - 1), min(h, iy + 2), max(0, ix - 1), min(w, ix + 2)
    weight = heat[channel, y0:y1, x0:x1]
    weight = weight / weight.sum()
    edge = 32 * 2 ** float((out[2, y0:y1, x0:x1] * weight).sum())
    logits = (out[3:9, y0:y1, x0:x1] * weight).sum((1, 2))
    faces = np.exp(logits - logits.max())
    dx = _vertex(heat[channel, iy], ix)
    dy = _vertex(heat[channel, :, ix], iy)
    x, y = (ix + dx + 0.5) * STRIDE - 0.5, (iy + dy + 0.5) * STRIDE - 0.5
    here = float(heat[channel, iy, ix])
    either = min(0.999, float(heat[:, iy, ix].sum()))
    return DetectedCentre(
        x, y, edge, here, channel == 0, (faces / faces.sum()).astype(np.float32), 0.0, either
    )


def _vertex(line: F, i: int) -> float:
    """Sub-cell position of a maximum: vertex of the parabola through three values."""
    if i == 0 or i == len(line) - 1:
        return 0.0
    a, b, c = float(line[i - 1]), float(line[i]), float(line[i + 1])
    bend = a - 2 * b + c
    return 0.0 if bend >= -1e-9 else max(-0.5, min(0.5, 0.5 * (a - c) / bend))
