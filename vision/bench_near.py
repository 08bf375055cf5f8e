"""Near and far dice: dice cut out of the labelled photographs and enlarged, photographs shrunk.

A near die is cut out with its surroundings and scaled so that its edge has so many pixels, in a picture of
little more than twice that; far ones are whole photographs, shrunk until half of their dice are smaller than
so many pixels.  Dice are taken from photographs that are read rightly, where the reader found them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bench import PHOTOGRAPHS, Label, load_labels, mended
from vision.imagefile import read_image
from vision.reader import DiceReader
from vision.reading import DiceReading, Quad

Image = NDArray[np.uint8]
NEAR = (80, 140, 180, 240, 320, 400, 500)  # pixels of an edge
FAR = (24, 18, 14)
MOST_ENLARGED, MOST_SHRUNK = 3.2, 0.3  # a die is not drawn larger or smaller than so many times
CUTS = 2  # dice of one photograph
ROOM = (0.85, 2.0)  # edges from a die's middle to the border of its cut: at least, at most


@dataclass
class Range:
    """How dice of one edge length were read."""

    edge: int
    pictures: int = 0
    exact: int = 0
    asked: int = 0
    silent: int = 0

    def add(self, reading: DiceReading, wanted: tuple[int, ...]) -> None:
        """Count one reading."""
        exact = tuple(sorted(int(d.face) for d in reading.dice if d.face is not None)) == wanted
        self.pictures += 1
        self.exact += exact
        self.asked += reading.status != "ok"
        self.silent += reading.status == "ok" and not exact


def _place(quad: Quad) -> tuple[NDArray[np.float64], float]:
    q = np.array(quad)
    return q.mean(0), float(np.hypot(*(q[1] - q[0])))


def cuts(image: Image, reading: DiceReading) -> Iterator[tuple[int, float, Image]]:
    """Value, edge in pixels and picture of dice that lie clear of others and of the border."""
    places = [_place(die.quad) for die in reading.dice]
    h, w = image.shape[:2]
    for k, ((centre, edge), die) in enumerate(zip(places, reading.dice, strict=True)):
        others = [float(np.abs(centre - c).max()) - 0.75 * e for j, (c, e) in enumerate(places) if j != k]
        x, y = (int(v) for v in centre)
        half = int(min(*others, x, y, w - 1 - x, h - 1 - y, ROOM[1] * edge))
        if die.face is not None and half >= ROOM[0] * edge:
            yield int(die.face), edge, image[y - half : y + half, x - half : x + half]


def _scaled(image: Image, scale: float) -> Image:
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def measure_near(
    labels: list[Label], folder: Path, reader: DiceReader | None = None
) -> tuple[list[Range], list[Range]]:
    """Near and far dice by edge length, on one core."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    near, far = [Range(edge) for edge in NEAR], [Range(edge) for edge in FAR]
    try:
        reader = reader or DiceReader()
        for label in (x for x in labels if x.pip):
            image, wanted = read_image(folder / label.file), mended(label.file, label.values)
            reading = reader.read(image)
            if reading.status != "ok" or tuple(sorted(int(d.face or 0) for d in reading.dice)) != wanted:
                continue
            for value, edge, cut in list(cuts(image, reading))[:CUTS]:
                for one in near:
                    if MOST_SHRUNK <= one.edge / edge <= MOST_ENLARGED:
                        one.add(reader.read(_scaled(cut, one.edge / edge)), (value,))
            middle = float(np.median([_place(d.quad)[1] for d in reading.dice]))
            for one in far:
                if one.edge < middle:
                    one.add(reader.read(_scaled(image, one.edge / middle)), wanted)
    finally:
        cv2.setNumThreads(threads)
    return near, far


def report(ranges: list[Range]) -> str:
    """A line for each edge length."""
    lines = [f"{'edge, pixels':>12}{'pictures':>10}{'exact':>8}{'ask':>8}{'silent':>8}"]
    for r in ranges:
        n = max(1, r.pictures)
        shares = "".join(f"{k / n:8.1%}" for k in (r.exact, r.asked, r.silent))
        lines.append(f"{r.edge:12}{r.pictures:10}{shares}")
    return "\n".join(lines)


def figures(labels: Path = PHOTOGRAPHS) -> dict[str, float]:
    """Figures for ``make bench``; empty where the photographs do not lie beside the checkout.

    - ``dice.near_exact``, ``dice.near_silent``: single dice cut out of the photographs whose edge has 140 to
      500 pixels: share read exactly, read wrongly with status ``ok``
    - ``dice.far_exact``, ``dice.far_silent``: the same of photographs shrunk until their dice have 14 to 24
    """
    if not labels.is_file():
        return {}
    near, far = measure_near(load_labels(labels), labels.parent)
    out: dict[str, float] = {}
    for name, ranges in (("near", [r for r in near if r.edge >= 140]), ("far", far)):
        n = max(1, sum(r.pictures for r in ranges))
        out[f"dice.{name}_exact"] = round(sum(r.exact for r in ranges) / n, 4)
        out[f"dice.{name}_silent"] = round(sum(r.silent for r in ranges) / n, 4)
    return out
