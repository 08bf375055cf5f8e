"""Cut-outs of single faces, kept ready for the classifiers, with enough round them to be turned.

    python -m vision.training.patches OUT --synthetic CACHE [CACHE ...] --labels LABELS.csv \
        --pseudo pseudo.json --renders TRAY --negatives neg.json

Each is 112 pixels square with the face in the middle, its edge 40 pixels long.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import cut
from vision.training.backgrounds import background, mark
from vision.training.data import LabelledPicture, labelled, renders, synthetic
from vision.training.scenes import photograph

SIZE, EDGE = 112, 40.0


@dataclass
class Patches:
    """``parts`` of images (m, 112, 112, 3) BGR; ``faces`` (n,) 0 no pip face, 1..6; source, picture."""

    parts: list[NDArray[np.uint8]]
    faces: NDArray[np.int64]
    sources: NDArray[np.str_]
    pictures: NDArray[np.str_]

    @staticmethod
    def load(*folders: Path) -> Patches:
        """Read what ``main`` wrote, several folders as one; images stay on the disk until looked at."""
        about = [np.load(f / "about.npz") for f in folders]
        parts = [np.load(f / "images.npy", mmap_mode="r") for f in folders]
        faces, sources, pictures = (
            np.concatenate([a[key] for a in about]) for key in ("faces", "sources", "pictures")
        )
        return Patches(parts, faces, sources, pictures)

    def look(self, at: NDArray[np.intp]) -> NDArray[np.uint8]:
        """The images of some patches, (n, 112, 112, 3); ``at`` must be sorted."""
        ends = np.cumsum([len(p) for p in self.parts])
        starts = ends - [len(p) for p in self.parts]
        some = [p[at[(at >= a) & (at < b)] - a] for p, a, b in zip(self.parts, starts, ends, strict=True)]
        return np.ascontiguousarray(np.concatenate(some))


def of_picture(rng: np.random.Generator, pic: LabelledPicture) -> list[tuple[NDArray[np.uint8], int]]:
    """All faces of a picture, and places that show none: sides, gaps, background, earlier false alarms."""
    h, w = pic.image.shape[:2]
    d = pic.dice
    places: list[tuple[float, float, float, int]] = []
    for face, x, y, edge, known in d:
        m = 0.2 * edge
        if not int(known) & 2 and edge >= 9 and m < x < w - m and m < y < h - m:
            places.append((x, y, edge, int(face)))
    if len(d):
        for face, x, y, edge, _ in d:  # beside a die: its sides, the gap to the next
            a, r = rng.uniform(0, 6.283), edge * rng.uniform(0.6, 1.0)
            if face > 0 and rng.random() < 0.25:
                places.append((x + r * np.cos(a), y + r * np.sin(a), edge, 0))
    typical = float(np.median(d[:, 3])) if len(d) else 40.0
    places.append((rng.uniform(0, w), rng.uniform(0, h), typical, 0))
    places += [(x, y, e, 0) for x, y, e in pic.negatives[:12]]
    out = []
    for x, y, edge, face in places:
        on_a_die = len(d) and (np.hypot(d[:, 1] - x, d[:, 2] - y) < 0.45 * d[:, 3]).any()
        if face or not on_a_die or (np.hypot(d[:, 1] - x, d[:, 2] - y) < 1).any():
            out.append((cut(pic.image, (float(x), float(y)), float(edge), size=SIZE, to=EDGE), face))
    return out


def marks(rng: np.random.Generator, count: int) -> list[NDArray[np.uint8]]:
    """Lone round marks and bits on tables and cloths, none of them a face (``backgrounds.mark``)."""
    out = []
    for _ in range(count):
        img = background(rng, SIZE)
        mark(rng, img, EDGE)
        out.append(photograph(rng, img, EDGE))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--synthetic", type=Path, nargs="+", default=[])
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--pseudo", type=Path)
    parser.add_argument("--renders", type=Path)
    parser.add_argument("--negatives", type=Path, help="written by negatives.py")
    parser.add_argument("--marks", type=int, default=0, help="how many lone marks to draw")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(1)
    wrong = json.loads(args.negatives.read_text()) if args.negatives else {}
    groups = [labelled(args.labels, args.pseudo)] if args.labels else []
    groups += [renders(args.renders)] if args.renders else []
    images, faces, sources, pictures = [], [], [], []

    def add(pics: list[LabelledPicture]) -> None:
        for pic in pics:
            pic.negatives = wrong.get(pic.name, [])  # by name: caches of scenes must have different seeds
            for image, face in of_picture(rng, pic):
                images.append(image)
                faces.append(face)
                sources.append(pic.source)
                pictures.append(pic.name)

    for group in groups:
        add(group)
    for folder in args.synthetic:
        add(synthetic(folder))
    for image in marks(rng, args.marks):
        images.append(image)
        faces.append(0)
        sources.append("synthetic")
        pictures.append("mark")
    args.out.mkdir(parents=True, exist_ok=True)
    np.save(args.out / "images.npy", np.stack(images))
    np.savez(args.out / "about.npz", faces=np.array(faces), sources=sources, pictures=pictures)
    print(len(images), "patches", np.bincount(faces))


if __name__ == "__main__":
    main()
