"""Where a detector sees dice that are not there: hard examples of "not a pip face" for the classifier."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from vision.detect import Detector
from vision.network import Network
from vision.training.data import LabelledPicture, labelled, renders, synthetic


def false_alarms(detector: Detector, pic: LabelledPicture) -> list[list[float]]:
    """Candidates (x, y, edge) of a picture that lie on no top face of a pip die.

    Dice of a photograph that nobody labelled are no false alarms.
    """
    d = pic.dice
    photograph = pic.source not in ("synthetic", "renders")
    dice = (d[:, 0] > 0) | (photograph & (d[:, 4].astype(int) & 2 > 0))
    out = []
    for f in detector.find(pic.image):
        near = np.hypot(d[:, 1] - f.x, d[:, 2] - f.y) < 0.5 * np.maximum(d[:, 3], 0.6 * f.edge)
        if not (near & dice).any():
            out.append([round(f.x, 1), round(f.y, 1), round(f.edge, 1)])
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("detector", type=Path, help="an exported detector.onnx")
    parser.add_argument("--synthetic", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=3000, help="how many synthetic scenes")
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--pseudo", type=Path)
    parser.add_argument("--renders", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    detector = Detector(Network(args.detector))
    pictures = labelled(args.labels, args.pseudo) if args.labels else []
    pictures += renders(args.renders) if args.renders else []
    pictures += synthetic(args.synthetic, args.scenes)
    out = {p.name: found for p in pictures if (found := false_alarms(detector, p))}
    args.out.write_text(json.dumps(out))
    print(sum(map(len, out.values())), "false candidates in", len(out), "of", len(pictures), "pictures")


if __name__ == "__main__":
    main()
