"""Fit the weights of the three readings of a face on photographs that the networks never saw.

Reads label files with the reader (give it networks that were trained without
these sources), then searches the weights that make the labels likeliest.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bench import Label, load_labels
from vision.confidence import PRIOR_FLOOR
from vision.detect import Detector
from vision.imagefile import read_image
from vision.pipfaces import FaceReader
from vision.reader import DiceReader, Evidence

F = NDArray[np.float64]


def truth_of(label: Label, evidence: list[Evidence]) -> list[tuple[Evidence, int]]:
    """Evidence with its true face: by place where boxes exist, else by the likeliest matching."""
    dice = [e for e in evidence if e.found.pip and e.found.heat > 0.3]
    if label.boxes:
        out = []
        for v, x0, y0, x1, y1 in label.boxes:
            cx, cy, reach = (x0 + x1) / 2, (y0 + y1) / 2, max(x1 - x0, y1 - y0, 20) / 2
            near = [e for e in dice if np.hypot(e.found.x - cx, e.found.y - cy) < reach]
            if near:
                out.append((max(near, key=lambda e: e.found.heat), int(v)))
        return out
    if len(dice) != len(label.values) or len(dice) > 7:
        return []
    logp = np.log(np.stack([e.combined for e in dice]) + 1e-6)
    orders = set(itertools.permutations(label.values))
    best = max(orders, key=lambda o: float(sum(logp[i, v - 1] for i, v in enumerate(o))))
    return list(zip(dice, best, strict=True))


def fit_weights(pairs: list[tuple[Evidence, int]]) -> tuple[tuple[float, float, float], float]:
    """Weights of detector, classifier, lattice that minimise the mean negative log-likelihood."""
    d = np.log(np.stack([e.found.faces for e, _ in pairs]) + PRIOR_FLOOR)
    c = np.stack([e.faces[1:] for e, _ in pairs]).astype(np.float64)
    c = np.log(c / np.maximum(c.sum(1, keepdims=True), 1e-9) + PRIOR_FLOOR)
    g = -np.minimum(np.stack([e.lattice.errors for e, _ in pairs]), 1.0)
    t = np.array([v - 1 for _, v in pairs])

    def loss(w: tuple[float, float, float]) -> float:
        s = w[0] * d + w[1] * c + w[2] * g
        s = s - s.max(1, keepdims=True)
        return float(-(s[np.arange(len(t)), t] - np.log(np.exp(s).sum(1))).mean())

    axes = (np.arange(0, 1.61, 0.1), np.arange(0, 2.01, 0.1), np.arange(0, 8.1, 1.0))
    best = min(itertools.product(*axes), key=loss)
    return (float(best[0]), float(best[1]), float(best[2])), loss(best)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path)
    parser.add_argument(
        "--fold",
        nargs=3,
        action="append",
        metavar=("DETECTOR", "FACES", "SOURCES"),
        required=True,
        help="two ONNX files and the comma-separated sources they never saw",
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    pairs = []
    for detector, faces, sources in args.fold:
        reader = DiceReader(
            None,
            Detector(cv2.dnn.readNetFromONNX(detector)),
            FaceReader(cv2.dnn.readNetFromONNX(faces)),
        )
        for label in load_labels(args.labels):
            if label.pip and label.source in sources.split(","):
                pairs += truth_of(label, reader.evidence(read_image(args.labels.parent / label.file)))
    weights, loss = fit_weights(pairs)
    print(f"{len(pairs)} dice; weights of detector, classifier, lattice {weights}")
    print(f"mean negative log-likelihood {loss:.4f}")


if __name__ == "__main__":
    main()
