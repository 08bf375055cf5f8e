"""Measure the reader on photographs that its networks never saw, and write the figures beside the models.

    python -m vision.training.train ... --third 0 --out third.pt   (and train_faces, export, for each fold)
    python -m vision.training.crossvalidate LABELS.csv --pseudo pseudo.json --note "..." \
        --fold pictures_left_out third:0 FOLDER --fold sources_left_out nellbyler FOLDER ...

A fold is a table's name, what was left out in training, and a folder of exported networks; networks that
are not in the folder are the committed ones.  The weights of the three readings and the threshold of
confidence are chosen on other photographs than those they are measured on: on other sources where sources
are left out, on the other half where every third picture is.  The figures with the committed weights and the
curve over thresholds stand beside them, and the curve of all folds together.  Photographs that no network was
ever trained on belong to the thirds; named as left out with the committed networks, to the sources too:

    --fold sources_left_out kingjacker,wiktoriakeller vision/models

A table that no fold names keeps the figures it had.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from vision.bench import CROSS_VALIDATED, Label, PictureOutcome, Result, load_labels, outcome_of
from vision.confidence import WEIGHTS
from vision.imagefile import read_image
from vision.limits import Limits
from vision.quality import brightened, is_blurred, why_not_readable
from vision.reader import DiceReader, Evidence
from vision.reading import DiceReading
from vision.training.calibrate import fit_weights, reader_of, truth_of, unseen
from vision.training.data import labelled

Weights = tuple[float, float, float]
TABLES = ("pictures_left_out", "sources_left_out")
LEVELS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995)


class Seen:
    """One photograph and all that was measured of it."""

    def __init__(self, label: Label, folder: Path, reader: DiceReader) -> None:
        image = read_image(folder / label.file)
        self.label = label
        self.refused = bool(why_not_readable(image))
        self.image = image = image if self.refused else brightened(image)
        self.evidence: list[Evidence] = [] if self.refused else reader.evidence(image)
        self.blurred = self.refused or is_blurred(
            image, any(e.is_die > reader.limits.die for e in self.evidence)
        )

    def pairs(self) -> list[tuple[Evidence, int]]:
        """Candidates with their true faces."""
        return truth_of(self.label, self.evidence)

    def outcome(self, weights: Weights, level: float) -> PictureOutcome:
        """What the reader makes of it with these weights and this threshold."""
        again = [replace(e, combined=e.weighed(weights)) for e in self.evidence]
        reader = DiceReader.__new__(DiceReader)  # only its judgement is needed, no networks
        reader.limits = Limits(face=level)
        dice, reasons = reader.judge(self.image, again)
        status = "refused" if self.blurred else "ask" if reasons else "ok"
        h, w = self.image.shape[:2]
        if self.blurred:
            dice = ()
        return outcome_of(self.label, DiceReading(status, dice, tuple(reasons), w, h, 0.0))  # type: ignore[arg-type]


def choose(seen: Sequence[Seen]) -> tuple[Weights, float]:
    """Weights and the least threshold at which none of these photographs is misread silently."""
    weights, _ = fit_weights([pair for s in seen for pair in s.pairs()])
    for level in LEVELS:
        outcomes = [s.outcome(weights, level) for s in seen]
        if not any(o.status == "ok" and not o.right for o in outcomes):
            return weights, level
    return weights, LEVELS[-1]


def chosen_elsewhere(
    seen: Sequence[Seen], group: Callable[[int, Seen], str]
) -> tuple[list[PictureOutcome], dict[str, dict[str, object]]]:
    """Outcomes of each group with weights and threshold of the other groups, and what was chosen."""
    groups = [group(i, s) for i, s in enumerate(seen)]
    outcomes: list[PictureOutcome] = []
    chosen: dict[str, dict[str, object]] = {}
    for name in sorted(set(groups)):
        weights, level = choose([s for s, g in zip(seen, groups, strict=True) if g != name])
        chosen[name] = {"weights": [round(w, 3) for w in weights], "threshold": level}
        outcomes += [s.outcome(weights, level) for s, g in zip(seen, groups, strict=True) if g == name]
    return outcomes, chosen


def together(tables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The curve over thresholds of the photographs of several tables."""
    pictures = [t["all"]["pictures"] for t in tables]
    rows = zip(*(t["curve"] for t in tables), strict=True)
    curve = [
        {key: sum(n * r[key] for n, r in zip(pictures, row, strict=True)) / sum(pictures) for key in row[0]}
        for row in rows
    ]
    return {"pictures": sum(pictures), "curve": curve}


def _source(_: int, seen: Seen) -> str:
    return seen.label.source


def _half(number: int, _: Seen) -> str:
    return f"half {number % 2}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path)
    parser.add_argument("--pseudo", type=Path)
    parser.add_argument(
        "--fold", nargs=3, action="append", default=[], metavar=("TABLE", "LEFT_OUT", "FOLDER"),
        help="LEFT_OUT: comma-separated sources, or third:K",
    )  # fmt: skip
    parser.add_argument("--note", default="", help="how the folds were trained; kept with the figures")
    parser.add_argument("--out", type=Path, default=CROSS_VALIDATED)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    labels = [x for x in load_labels(args.labels) if x.pip]
    learnt = {p.name: p.source for p in labelled(args.labels, args.pseudo)}
    tables: dict[str, list[Seen]] = {}
    for table, what, folder in args.fold:
        reader = reader_of(Path(folder))
        for x in unseen(labels, learnt, what):
            tables.setdefault(table, []).append(Seen(x, args.labels.parent, reader))
    before = json.loads(args.out.read_text(encoding="utf-8")) if args.out.is_file() else {}
    out: dict[str, Any] = {
        "note": args.note,
        "shipped_weights": list(WEIGHTS),
        "shipped_threshold": Limits().face,
        **{table: before[table] for table in TABLES if table in before},
    }
    for table, seen in tables.items():
        outcomes, chosen = chosen_elsewhere(seen, _source if table == "sources_left_out" else _half)
        committed = Result([s.outcome(WEIGHTS, Limits().face) for s in seen])
        out[table] = {
            **Result(outcomes).figures(),
            "chosen": chosen,
            "committed": {**committed.figures(), "curve": committed.curve()},
        }
    out["together"] = together([out[table]["committed"] for table in TABLES if table in out])
    args.out.write_text(json.dumps(out, indent=1) + "\n")
    print(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
