"""Pictures and their truth for training: labelled photographs, pseudo-boxes, renders, synthetic scenes."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

# licences under which a photograph may be trained on; "none stated" never is
ALLOWED = ("BSD-3-Clause", "MIT", "Apache-2.0", "CC BY 4.0")


@dataclass
class LabelledPicture:
    """One picture: BGR pixels, dice as rows (face, x, y, edge, known); face 0 = not a pip die.

    ``known`` bit 1: the edge is known; bit 2: the die is to be ignored (hidden
    or cut).  ``spin``: degrees by which it may be turned without harm.
    ``negatives``: places (x, y, edge) that a detector wrongly took for dice.
    """

    image: NDArray[np.uint8]
    dice: NDArray[np.float32]
    source: str
    spin: float = 180.0
    name: str = ""
    negatives: list[list[float]] = field(default_factory=list)


def licence_ok(text: str) -> bool:
    """Whether the licence column allows training: the photographs' own licence, not the repository's."""
    return any(name in text for name in ALLOWED)


def left_out(pictures: Mapping[str, str], sources: Sequence[str], third: int | None) -> set[str]:
    """Names of photographs that may not be learnt: those of some sources, and every third of each source.

    ``pictures`` maps names to sources.  ``third`` K leaves out the K-th, K+3rd, ... by name.
    """
    out = {name for name, source in pictures.items() if source in sources}
    if third is not None:
        for source in set(pictures.values()):
            out |= set(sorted(name for name, s in pictures.items() if s == source)[third::3])
    return out


def labelled(csv_path: Path, pseudo: Path | None, most: int = 1280) -> list[LabelledPicture]:
    """Photographs with positions: boxes of the label file, or better ones of ``pseudo`` (JSON: file -> dice).

    Photographs without boxes and without pseudo-boxes are left out.
    """
    better: dict[str, list[list[float]]] = (
        json.loads(pseudo.read_text()) if pseudo and pseudo.exists() else {}
    )
    out = []
    with csv_path.open(newline="") as f:
        for row in csv.DictReader(f):
            if not licence_ok(row["licence"]) or row["kind"] != "pip":
                continue
            dice = better.get(row["file"]) or _from_boxes(json.loads(row["boxes"] or "[]"))
            if not dice:
                continue
            image = cv2.imread(str(csv_path.parent / row["file"]))
            if image is None:
                raise SystemExit(f"cannot read {row['file']}: is the folder of photographs complete?")
            table = np.array(dice, np.float32).reshape(-1, 5)
            scale = min(1.0, most / max(image.shape[:2]))
            if scale < 1:
                image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                table[:, 1:4] *= scale
            source = row["file"].split("/")[1]
            oblique = "oblique" in row["notes"]
            out.append(LabelledPicture(image, table, source, 25.0 if oblique else 180.0, row["file"]))
    return out


def _from_boxes(boxes: list[list[float]]) -> list[list[float]]:
    """First guess from boxes round whole dice; ``pseudo.py`` refines it."""
    out = []
    for v, x0, y0, x1, y1 in boxes:
        out.append([v, (x0 + x1) / 2, (y0 + y1) / 2, max(x1 - x0, y1 - y0) / 1.3, 0])
    return out


def synthetic(folder: Path, most: int | None = None) -> list[LabelledPicture]:
    """The cache written by ``scenes.py``."""
    out: list[LabelledPicture] = []
    for path in sorted(folder.glob("*.npz")):
        try:
            data = np.load(path)
            images, rows = data["images"], data["dice"]
        except (ValueError, OSError, EOFError):  # still being written
            continue
        for i, image in enumerate(images):
            r = rows[rows[:, 0] == i]
            known = np.where(r[:, 5] < 0.55, 3, 1)
            dice = np.column_stack([r[:, 1:5], known]).astype(np.float32)
            out.append(LabelledPicture(image, dice, "synthetic", 0.0, f"{path.name}#{i}"))
            if most and len(out) >= most:
                return out
    return out


def renders(folder: Path) -> list[LabelledPicture]:
    """The rendered pictures of our own table, reduced to dice and faces."""
    out = []
    for truth in sorted(folder.glob("*/truth.json")):
        for item in json.loads(truth.read_text())["images"]:
            image = cv2.imread(str(truth.parent / item["image"]))
            dice = []
            for d in item["dice"]:
                quad = np.array(d["quad_px"], np.float32)
                x, y = quad.mean(0)
                edge = float(cv2.contourArea(quad)) ** 0.5
                face = int(d["face"]) if d["type"] == "combat" and str(d["face"]).isdigit() else 0
                hidden = d["visible_fraction"] < 0.6 or d["cocked"] or d["moving"]
                dice.append([face, x, y, edge, 3 if hidden else 1])
            name = f"{truth.parent.name}/{item['image']}"
            out.append(
                LabelledPicture(image, np.array(dice, np.float32).reshape(-1, 5), "renders", 180.0, name)
            )
    return out
