"""Measure the reader on sources that its parts never saw, and write the figures beside the models.

    python -m vision.training.train faces ... --leave-out a --out a.pt     (one for each fold)
    python -m vision.training.export --faces a.pt FOLDER
    python -m vision.training.crossvalidate LABELS.csv --fold FOLDER/faces.onnx a --fold ... --note "..."

Each source is read with a face classifier trained without it; the weights of
the three readings and the threshold of confidence are chosen on the other
sources alone.  Sources without a fold were never trained on and are read with
the committed classifier.  The detector is the committed one throughout.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bench import CROSS_VALIDATED, Label, Outcome, Result, load_labels, outcome_of
from vision.confidence import WEIGHTS, combine
from vision.imagefile import read_image
from vision.pipfaces import FaceReader
from vision.quality import is_blurred, why_not_readable
from vision.reader import DiceReader, Evidence, Limits
from vision.reading import DiceReading
from vision.training.calibrate import fit_weights, truth_of

Weights = tuple[float, float, float]
LEVELS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995)
SILENT = 0.01  # share of the other sources' pictures that may be misread silently


class Seen:
    """One photograph and all that was measured of it."""

    def __init__(self, label: Label, folder: Path, reader: DiceReader) -> None:
        image = read_image(folder / label.file)
        self.label, self.image = label, image
        self.refused = bool(why_not_readable(image))
        self.evidence: list[Evidence] = [] if self.refused else reader.evidence(image)
        self.blurred = self.refused or is_blurred(
            image, any(e.is_die > reader.limits.die for e in self.evidence)
        )

    def pairs(self) -> list[tuple[Evidence, int]]:
        return truth_of(self.label, self.evidence)

    def outcome(self, weights: Weights, level: float) -> Outcome:
        """What the reader makes of it with these weights and this threshold."""
        again = [
            replace(e, combined=combine(e.found.faces, _shares(e.faces), e.lattice, weights))
            for e in self.evidence
        ]
        reader = DiceReader.__new__(DiceReader)  # only its judgement is needed, no networks
        reader.limits = Limits(face=level)
        dice, reasons = reader.judge(self.image, again)
        status = "refused" if self.blurred else "ask" if reasons else "ok"
        h, w = self.image.shape[:2]
        if self.blurred:
            dice = ()
        return outcome_of(self.label, DiceReading(status, dice, tuple(reasons), w, h, 0.0))  # type: ignore[arg-type]


def _shares(p: NDArray[np.float32]) -> NDArray[np.float32]:
    return p[1:] / max(float(p[1:].sum()), 1e-9)


def choose(seen: list[Seen]) -> tuple[Weights, float]:
    """Weights and the least threshold that keeps silent misreads of these photographs rare."""
    weights, _ = fit_weights([pair for s in seen for pair in s.pairs()])
    for level in LEVELS:
        outcomes = [s.outcome(weights, level) for s in seen]
        if sum(o.status == "ok" and not o.exact for o in outcomes) <= SILENT * len(outcomes):
            return weights, level
    return weights, LEVELS[-1]


def left_out(seen: list[Seen]) -> tuple[list[Outcome], dict[str, dict[str, object]]]:
    """Outcomes of each source with weights and threshold of the others, and what was chosen."""
    outcomes: list[Outcome] = []
    chosen: dict[str, dict[str, object]] = {}
    for source in sorted({s.label.source for s in seen}):
        weights, level = choose([s for s in seen if s.label.source != source])
        chosen[source] = {"weights": [round(w, 3) for w in weights], "threshold": level}
        outcomes += [s.outcome(weights, level) for s in seen if s.label.source == source]
    return outcomes, chosen


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path)
    parser.add_argument(
        "--fold", nargs=2, action="append", default=[], metavar=("FACES", "SOURCES"),
        help="an ONNX file and the comma-separated sources it never saw",
    )  # fmt: skip
    parser.add_argument("--note", default="", help="how the folds were trained; kept with the figures")
    parser.add_argument("--out", type=Path, default=CROSS_VALIDATED)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    labels = [x for x in load_labels(args.labels) if x.pip]
    shipped = DiceReader()
    whole = {x.file: Seen(x, args.labels.parent, shipped) for x in labels}
    unseen = dict(whole)
    for faces, sources in args.fold:
        reader = DiceReader(None, None, FaceReader(cv2.dnn.readNetFromONNX(faces)))
        for x in labels:
            if x.source in sources.split(","):
                unseen[x.file] = Seen(x, args.labels.parent, reader)
    out: dict[str, object] = {
        "note": args.note,
        "shipped_weights": list(WEIGHTS),
        "shipped_threshold": Limits().face,
    }
    for name, seen in (("threshold_left_out", whole), ("classifier_left_out", unseen)):
        outcomes, chosen = left_out(list(seen.values()))
        out[name] = {**Result(outcomes).figures(), "chosen": chosen}
    args.out.write_text(json.dumps(out, indent=1) + "\n")
    print(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
