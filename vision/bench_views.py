"""Derived views of the labelled photographs: turned, shrunk, darkened, warmed, recompressed.

A reading that is right only from one side, in one size or under one light is right by luck: each photograph
is read again in views that a person reads as easily, and no view may be misread without a question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bench import PHOTOGRAPHS, Label, load_labels, mended
from vision.imagefile import read_image
from vision.reader import DiceReader

Image = NDArray[np.uint8]
SHRUNK = 480  # pixels of the long side
DARKENED = 0.45
WARMED = (0.72, 1.0, 1.22)  # gains of blue, green, red: an incandescent lamp where daylight was balanced
QUALITY = 35  # of JPEG


def _turned(code: int) -> Callable[[Image], Image]:
    return lambda image: np.asarray(cv2.rotate(image, code), np.uint8)


def _shrunk(image: Image) -> Image:
    f = min(1.0, SHRUNK / max(image.shape[:2]))
    return np.asarray(cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA), np.uint8)


def _lit(gains: tuple[float, float, float]) -> Callable[[Image], Image]:
    return lambda image: np.clip(image * np.array(gains, np.float32), 0, 255).astype(np.uint8)


def _recompressed(image: Image) -> Image:
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


VIEWS: Mapping[str, Callable[[Image], Image]] = {
    "turned_90": _turned(cv2.ROTATE_90_CLOCKWISE),
    "turned_180": _turned(cv2.ROTATE_180),
    "turned_270": _turned(cv2.ROTATE_90_COUNTERCLOCKWISE),
    "shrunk": _shrunk,
    "darkened": _lit((DARKENED, DARKENED, DARKENED)),
    "warmed": _lit(WARMED),
    "recompressed": _recompressed,
}


@dataclass
class ViewsRead:
    """How the derived views were read."""

    views: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)
    silent: list[tuple[str, str, tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """views_silent, views_ask and views_exact: shares of all derived views."""
        n = max(1, self.views)
        return {
            "views_silent": len(self.silent) / n,
            "views_ask": self.asked.total() / n,
            "views_exact": self.exact.total() / n,
        }


def _pictures(labels: list[Label], folder: Path) -> Iterator[tuple[Label, Image]]:
    for label in labels:
        if label.pip:
            yield label, read_image(folder / label.file)


def measure_views(labels: list[Label], folder: Path, reader: DiceReader | None = None) -> ViewsRead:
    """Read every derived view of every photograph of pip dice, on one core; labels are mended."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        reader = reader or DiceReader()
        result = ViewsRead()
        for label, image in _pictures(labels, folder):
            wanted = mended(label.file, label.values)
            for name, view in VIEWS.items():
                reading = reader.read(view(image))
                read = tuple(sorted(int(d.face) for d in reading.dice if d.face is not None))
                result.views += 1
                result.asked[name] += reading.status != "ok"
                result.exact[name] += read == wanted
                if reading.status == "ok" and read != wanted:
                    result.silent.append((label.file, name, wanted, read))
        return result
    finally:
        cv2.setNumThreads(threads)


def report(result: ViewsRead) -> str:
    """The figures for people, with every silent misread."""
    each = max(1, result.views // len(VIEWS))
    lines = [f"{'derived views':20}{'exact':>8}{'ask':>8}{'silent':>8}"]
    silent = Counter(name for _, name, _, _ in result.silent)
    for name in VIEWS:
        shares = (result.exact[name] / each, result.asked[name] / each, silent[name] / each)
        lines.append(f"{name:20}" + "".join(f"{share:8.1%}" for share in shares))
    f = result.figures()
    lines.append(f"{'all':20}{f['views_exact']:8.1%}{f['views_ask']:8.1%}{f['views_silent']:8.2%}")
    for file, name, wanted, read in result.silent:
        lines.append(f"{file} {name}: {''.join(map(str, wanted))} read {''.join(map(str, read))}")
    return "\n".join(lines)


def figures(labels: Path = PHOTOGRAPHS) -> dict[str, float]:
    """Figures for ``make bench``; empty where the photographs do not lie beside the checkout.

    - ``dice.views_silent``: share of all derived views (turned by 90, 180 and 270 degrees, shrunk to 480
      pixels, darkened, warmed, recompressed) that are misread with status ``ok``, labels mended
    - ``dice.views_ask``, ``dice.views_exact``: share asked about or refused, read exactly
    """
    if not labels.is_file():
        return {}
    shares = measure_views(load_labels(labels), labels.parent).figures()
    return {f"dice.{name}": round(value, 4) for name, value in shares.items()}
