"""Fit the weights of the three readings of a face on photographs that the networks never saw.

Reads label files with the reader (give it networks that were trained without
these sources), then searches the weights that make the labels likeliest.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bench import Label, load_labels
from vision.confidence import PRIOR_FLOOR
from vision.detect import Detector
from vision.imagefile import read_image
from vision.network import Network
from vision.pipfaces import FaceReader
from vision.reader import DiceReader, Evidence
from vision.training.data import labelled, left_out

F = NDArray[np.float64]


def truth_of(label: Label, evidence: list[Evidence]) -> list[tuple[Evidence, int]]:
    """Evidence with its true face: by place where boxes exist, else by the likeliest matching."""
    dice = [e for e in evidence if e.is_die > 0.5]
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

    axes = (np.arange(0, 1.61, 0.1), np.arange(0, 3.01, 0.1), np.arange(0, 4.1, 0.5))
    best = min(itertools.product(*axes), key=loss)
    return (float(best[0]), float(best[1]), float(best[2])), loss(best)


def fit_is_die(candidates: list[tuple[Evidence, bool]]) -> tuple[float, float, float]:
    """Logistic regression of "is a die" on the log-odds of heat and of "a pip face"; by Newton's method."""
    h = np.array([min(max(e.found.heat, 1e-3), 0.999) for e, _ in candidates])
    f = np.array([min(max(float(e.faces[0]), 2e-3), 0.998) for e, _ in candidates])
    x = np.column_stack([np.log(h / (1 - h)), np.log((1 - f) / f), np.ones(len(h))])
    y = np.array([t for _, t in candidates], float)
    w = np.zeros(3)
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 0.05 * np.eye(3)
        w += np.linalg.solve(hessian, x.T @ (y - p) - 0.05 * w)
    return (float(w[0]), float(w[1]), float(w[2]))


def reader_of(folder: Path) -> DiceReader:
    """A reader with the networks of a folder, and the committed ones where it has none."""

    def net(name: str) -> Network | None:
        path = folder / name
        return Network(path) if path.is_file() else None

    return DiceReader(
        None, Detector(net("detector.onnx")), FaceReader(net("faces.onnx"), net("faces_wide.onnx"))
    )


def unseen(labels: Sequence[Label], learnt: Mapping[str, str], what: str) -> list[Label]:
    """Photographs left out: ``all``, of comma-separated sources, or ``third:K``, with those never learnt.

    ``learnt`` maps the photographs that may be learnt to their sources.
    """
    if what == "all":
        return list(labels)
    third = int(what.removeprefix("third:")) if what.startswith("third:") else None
    if third is None:
        return [x for x in labels if x.source in what.split(",")]
    away = left_out(learnt, [], third)
    return [x for x in labels if x.file in away or x.file not in learnt]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--pseudo", type=Path)
    parser.add_argument(
        "--fold", nargs=2, action="append", metavar=("LEFT_OUT", "FOLDER"), required=True,
        help="what the networks of a folder never saw: comma-separated sources, or third:K",
    )  # fmt: skip
    args = parser.parse_args()
    cv2.setNumThreads(1)
    labels = [x for x in load_labels(args.labels) if x.pip]
    learnt = {p.name: p.source for p in labelled(args.labels, args.pseudo)}
    pairs: list[tuple[Evidence, int]] = []
    candidates: list[tuple[Evidence, bool]] = []
    for what, folder in args.fold:
        reader = reader_of(Path(folder))
        for label in unseen(labels, learnt, what):
            evidence = reader.evidence(read_image(args.labels.parent / label.file))
            known = truth_of(label, evidence)
            pairs += known
            if known:
                dice = {id(e) for e, _ in known}
                candidates += [(e, id(e) in dice) for e in evidence if e.found.pip]
    weights, loss = fit_weights(pairs)
    print(f"{len(pairs)} dice; weights of detector, classifier, lattice {weights}")
    print(f"mean negative log-likelihood {loss:.4f}")
    print(f"{len(candidates)} candidates; heat, face, bias of is_die {fit_is_die(candidates)}")


if __name__ == "__main__":
    main()
