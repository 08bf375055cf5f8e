"""Measuring the reader on labelled photographs.

A label file is CSV with the columns ``file`` (relative to it), ``values``
("1 3 3 6"), ``boxes`` (JSON, [value, x0, y0, x1, y1] each, may be empty),
``kind`` and ``exact_scoring`` (0: dice that are not pip dice).  The value 0 is a face without pips of a
die that has pips elsewhere (a logo, a skull): it has to be found and called not understood.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np

from vision.imagefile import UnreadableImage, read_image
from vision.reader import DiceReader
from vision.reading import DiceReading, Die, Quad

MOST_DICE = 13  # no roll at the supported tables has more
THRESHOLDS = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995)
PHOTOGRAPHS = Path(__file__).resolve().parents[1] / ".." / "shared" / "dice" / "labels.csv"
CROSS_VALIDATED = Path(__file__).parent / "models" / "crossvalidated.json"

# public readers measured on the same photographs and some more (315 pictures, 1,992 dice, two cores):
# name, exact pictures, recall, precision, ms a picture
PUBLIC_READERS = (
    ("YOLOv5-nano, 640 px", 0.451, 0.842, 0.778, 31),
    ("contour + blob per die (classical)", 0.260, 0.321, 0.811, 7),
    ("SSD TFLite, 320 px", 0.232, 0.673, 0.591, 128),
    ("blobs + hierarchical clustering", 0.092, 0.593, 0.325, 50),
)

# labels that look wrong to us: values that the photograph does not show, and values that it shows besides.
# Scored as labelled; ``silent_mended`` tells how often a reading is wrong by what is to be seen.
MENDED: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "photos/nellbyler/IMG_20191208_111246.jpg": ((2,), (3,)),
    "photos/nellbyler/IMG_20191208_111530.jpg": ((), (6,)),
    "photos/nellbyler/IMG_20191208_111730.jpg": ((), (2,)),
    "photos/nellbyler/IMG_20191208_112342.jpg": ((2,), (3, 3)),
    "photos/nellbyler/IMG_20191208_112353.jpg": ((), (3,)),
}


class LabelsError(Exception):
    """The label file is missing or malformed; says what to do."""


@dataclass(frozen=True)
class Label:
    """One labelled photograph."""

    file: str
    source: str
    values: tuple[int, ...]
    boxes: tuple[tuple[float, ...], ...]
    pip: bool


@dataclass
class PictureOutcome:
    """What came of one photograph."""

    file: str
    source: str
    wanted: int
    exact: bool
    hits: int
    seen: int
    status: str
    ms: float
    values: tuple[int, ...]
    read: tuple[int, ...]
    not_understood: int
    pip: bool
    without_reason: int = 0  # dice read wrongly, missed or made up to which no reason points
    by_threshold: dict[float, tuple[bool, bool]] = field(default_factory=dict)  # asked, silently wrong

    @property
    def right(self) -> bool:
        """Whether the reading is what the photograph shows: its label, mended where that looks wrong."""
        return self.read == mended(self.file, self.values)


def mended(file: str, values: tuple[int, ...]) -> tuple[int, ...]:
    """The label of a photograph, put right where it looks wrong to us."""
    away, besides = MENDED.get(file, ((), ()))
    left = Counter(values)
    left.subtract(away)
    left.update(besides)
    return tuple(sorted(left.elements()))


@dataclass
class Result:
    """All outcomes, with their shares."""

    outcomes: list[PictureOutcome]

    @property
    def pips(self) -> list[PictureOutcome]:
        """The photographs that are scored."""
        return [o for o in self.outcomes if o.pip]

    def shares(self, outcomes: list[PictureOutcome]) -> dict[str, float]:
        """exact, exact_13, recall, precision, silent, silent_mended, wrong_without_reason, ask, read_ms of
        some photographs."""
        n = max(1, len(outcomes))
        few = [o for o in outcomes if o.wanted <= MOST_DICE]
        return {
            "pictures": len(outcomes),
            "dice": sum(o.wanted for o in outcomes),
            "exact": sum(o.exact for o in outcomes) / n,
            "exact_13": sum(o.exact for o in few) / max(1, len(few)),
            "recall": sum(o.hits for o in outcomes) / max(1, sum(o.wanted for o in outcomes)),
            "precision": sum(o.hits for o in outcomes) / max(1, sum(o.seen for o in outcomes)),
            "silent": sum(o.status == "ok" and not o.exact for o in outcomes) / n,
            "silent_mended": sum(o.status == "ok" and not o.right for o in outcomes) / n,
            "wrong_without_reason": sum(o.without_reason for o in outcomes)
            / max(1, sum(o.wanted for o in outcomes)),
            "ask": sum(o.status != "ok" for o in outcomes) / n,
            "read_ms": median([o.ms for o in outcomes]) if outcomes else 0.0,
        }

    def curve(self) -> list[dict[str, float]]:
        """Share asked about, silently wrong, and so with mended labels, for each threshold of confidence."""
        n = max(1, len(self.pips))
        return [
            {
                "threshold": t,
                "ask": sum(o.by_threshold[t][0] for o in self.pips) / n,
                "silent": sum(o.by_threshold[t][1] for o in self.pips) / n,
                "silent_mended": sum(not o.by_threshold[t][0] and not o.right for o in self.pips) / n,
            }
            for t in THRESHOLDS
        ]

    def worst(self, most: int = 10) -> list[PictureOutcome]:
        """Scored photographs that came out worst: silent misreads, then by dice read wrongly, then asked."""

        def badness(o: PictureOutcome) -> tuple[int, int, int]:
            seen, wanted = Counter(o.read), Counter(o.values)
            apart = max((seen - wanted).total(), (wanted - seen).total())
            return (int(not o.exact and o.status == "ok"), apart, int(o.status != "ok"))

        return sorted((o for o in self.pips if any(badness(o))), key=badness, reverse=True)[:most]

    def figures(self) -> dict[str, Any]:
        """Shares in all and per source."""
        sources = sorted({o.source for o in self.pips})
        return {
            "all": self.shares(self.pips),
            "sources": {s: self.shares([o for o in self.pips if o.source == s]) for s in sources},
        }

    def as_json(self) -> dict[str, Any]:
        """Figures in all, per source, the curve, each photograph that was not exact."""
        return {
            **self.figures(),
            "curve": self.curve(),
            "not_pip_dice": [_not_pip(o) for o in self.outcomes if not o.pip],
            "wrong": [_wrong(o) for o in self.pips if not o.exact],
            "worst": [_wrong(o) for o in self.worst()],
            "public_readers": [
                dict(zip(("name", "exact", "recall", "precision", "read_ms"), r, strict=True))
                for r in PUBLIC_READERS
            ],
        }


def _wrong(o: PictureOutcome) -> dict[str, Any]:
    return {"file": o.file, "labels": o.values, "read": o.read, "status": o.status}


def _not_pip(o: PictureOutcome) -> dict[str, Any]:
    return {
        "file": o.file,
        "status": o.status,
        "read_as_pips": len(o.read),
        "named_not_understood": o.not_understood,
    }


def load_labels(path: Path) -> list[Label]:
    """Read a label file.  Raises ``LabelsError`` with a sentence."""
    if not path.is_file():
        raise LabelsError(f"There is no label file {path}. Name a labels.csv, or a folder with truth.json.")
    out = []
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LabelsError(f"{path} is no text. Name a labels.csv, or a folder with truth.json.") from error
    except OSError as error:
        raise LabelsError(f"{path} cannot be read ({error.strerror}). Check its rights.") from error
    with io.StringIO(text, newline="") as f:
        for number, row in enumerate(csv.DictReader(f), 2):
            try:
                pip = row.get("exact_scoring", "1") != "0" and row.get("kind", "pip") == "pip"
                values = tuple(sorted(int(v) for v in row["values"].split())) if pip else ()
                boxes = tuple(tuple(float(v) for v in b) for b in json.loads(row.get("boxes") or "[]"))
                parts = Path(row["file"]).parts
                out.append(
                    Label(row["file"], parts[-2] if len(parts) > 1 else "", values, boxes if pip else (), pip)
                )
            except (KeyError, ValueError, AttributeError, TypeError) as error:
                raise LabelsError(
                    f"Line {number} of {path} cannot be understood ({error}); the columns are file, values, "
                    "boxes, kind and exact_scoring. Mend or remove it."
                ) from error
    if not out:
        raise LabelsError(f"{path} names no photographs.")
    return out


def measure(labels: list[Label], folder: Path, reader: DiceReader | None = None) -> Result:
    """Read all photographs on one core."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        reader = reader or DiceReader()
        reader.read(np.full((480, 640, 3), 127, np.uint8))
        return Result([_outcome(reader, label, folder) for label in labels])
    finally:
        cv2.setNumThreads(threads)


def _outcome(reader: DiceReader, label: Label, folder: Path) -> PictureOutcome:
    try:
        image = read_image(folder / label.file)
    except UnreadableImage as error:
        raise LabelsError(str(error)) from error
    return outcome_of(label, reader.read(image))


def outcome_of(label: Label, reading: DiceReading) -> PictureOutcome:
    """Compare a reading with the label of its photograph."""
    dice = _scored(label, reading)
    read = tuple(sorted(int(d.face or 0) for d in dice))
    exact = read == label.values
    outcome = PictureOutcome(
        label.file,
        label.source,
        len(label.values),
        exact,
        _hits(label, dice),
        len(dice),
        reading.status,
        reading.elapsed_ms,
        label.values,
        read,
        sum(r.code == "not_understood" for r in reading.reasons),
        label.pip,
        wrong_without_reason(label, reading),
    )
    # the only thing that the threshold changes is which dice are unsure
    other = reading.status == "refused" or any(r.code != "unsure" for r in reading.reasons)
    least = min((d.confidence for d in dice), default=1.0)
    for t in THRESHOLDS:
        asked = other or least < t
        outcome.by_threshold[t] = (asked, not asked and not exact)
    return outcome


def _scored(label: Label, reading: DiceReading) -> list[Die]:
    """The dice of a reading that are compared with its label: those not understood only where it has some."""
    return [d for d in reading.dice if d.face is not None or 0 in label.values]


def _hits(label: Label, dice: list[Die]) -> int:
    """Dice read rightly: at the right place where places are known, else as many as the multisets share."""
    if not label.boxes:
        return sum((Counter(label.values) & Counter(int(d.face or 0) for d in dice)).values())
    placed, _ = _at_boxes(label.boxes, dice)
    return sum(die is not None and int(die.face or 0) == value for value, die in placed)


def _at_boxes(
    boxes: tuple[tuple[float, ...], ...], dice: list[Die]
) -> tuple[list[tuple[int, Die | None]], list[Die]]:
    """The value of each labelled box with the die that lies there, and the dice that lie in none."""
    free = list(dice)
    placed: list[tuple[int, Die | None]] = []
    for value, *box in boxes:
        best = min(free, key=lambda d: _distance(d.quad, box), default=None)
        if best is not None and _distance(best.quad, box) == float("inf"):
            best = None
        if best is not None:
            free.remove(best)
        placed.append((int(value), best))
    return placed, free


def _distance(quad: Quad, box: Sequence[float]) -> float:
    """Pixels from the middle of a quad to that of a box; infinite where they do not belong together."""
    q, (x0, y0, x1, y1) = np.array(quad), box
    edge = float(np.hypot(*(q[1] - q[0])))
    x, y = q.mean(0) - ((x0 + x1) / 2, (y0 + y1) / 2)
    near = abs(x) <= max((x1 - x0) / 2, edge / 2) and abs(y) <= max((y1 - y0) / 2, edge / 2)
    return float(np.hypot(x, y)) if near else float("inf")


def wrong_without_reason(label: Label, reading: DiceReading) -> int:
    """Dice read wrongly, missed, or made up, to which no reason points: an answer about the dice that are
    asked about lets them through.

    By what is to be seen (``mended``); a refused picture lets nothing through.  Where places are not
    labelled, a reason for a die of a face that is too often read counts as pointing at it.
    """
    if reading.status == "refused" or not label.pip:
        return 0
    pointed = [r.quad for r in reading.reasons if r.quad is not None]
    dice = _scored(label, reading)
    if label.boxes and label.file not in MENDED:
        placed, extra = _at_boxes(label.boxes, dice)
        lone = [q for q in pointed if all(d.quad != q for d in dice)]
        wrong = sum(d.quad not in pointed for d in extra)
        for (value, die), (_, *box) in zip(placed, label.boxes, strict=True):
            if die is None:
                wrong += all(_distance(q, box) == float("inf") for q in lone)
            elif int(die.face or 0) != value:
                wrong += die.quad not in pointed
        return wrong
    wanted = Counter(mended(label.file, label.values))
    sure = Counter(int(d.face or 0) for d in dice if d.quad not in pointed)
    too_many = (sure - wanted).total()
    return max(too_many, wanted.total() - sure.total() - len(pointed))


def report(result: Result) -> str:
    """The figures as a table for people."""
    lines = _table(result.figures())
    lines += ["", "public readers measured on the same photographs and some more (315)"]
    for name, exact, recall, precision, ms in PUBLIC_READERS:
        lines.append(f"{name:49}{exact:8.1%}{'':8}{recall:8.3f}{precision:8.3f}{'':16}{ms:7.0f}")
    lines += ["", "threshold of confidence: pictures asked about, silently wrong, so by what is to be seen *"]
    lines += _curve(result.curve())
    doubted = [o.file for o in result.pips if o.file in MENDED]
    lines.append(f"* with {len(doubted)} labels mended that look wrong to us (vision/models/README.md)")
    others = [o for o in result.outcomes if not o.pip]
    if others:
        lines += ["", "pictures of other dice (nothing may be read as pips)"]
        lines += [
            f"{o.file}: {o.status}, {o.not_understood} named, {len(o.read)} read as pips" for o in others
        ]
    wrong = [o for o in result.pips if not o.exact]
    if wrong:
        lines += ["", "not exact"]
        lines += [
            f"{o.file} [{o.status}] labels {_s(o.values)} read {_s(o.read)}"
            + (f", {o.without_reason} unmarked" if o.without_reason else "")
            for o in wrong
        ]
        lines += ["", "the worst ten: silent misreads first, then by dice read wrongly"]
        lines += [f"{o.file} [{o.status}]" for o in result.worst()]
    return "\n".join(lines)


def _table(figures: dict[str, Any]) -> list[str]:
    titles = ("exact", "<=13", "recall", "precis.", "silent", "ask", "unmark.")
    lines = [f"{'':34}{'pictures':>9}{'dice':>6}" + "".join(f"{t:>8}" for t in titles) + f"{'ms':>7}"]
    for name, s in [*figures["sources"].items(), ("all", figures["all"])]:
        lines.append(
            f"{name:34}{s['pictures']:9.0f}{s['dice']:6.0f}{s['exact']:8.1%}{s['exact_13']:8.1%}{s['recall']:8.3f}"
            f"{s['precision']:8.3f}{s['silent']:8.1%}{s['ask']:8.1%}"
            f"{s.get('wrong_without_reason', float('nan')):8.1%}{s['read_ms']:7.0f}"
        )
    return lines


def _curve(points: list[dict[str, float]]) -> list[str]:
    return [
        f"{c['threshold']:8.3f}{c['ask']:8.1%}{c['silent']:8.1%}{c['silent_mended']:8.1%}" for c in points
    ]


def cross_validated() -> dict[str, Any]:
    """The committed figures on sources left out, written by ``training/crossvalidate.py``."""
    if not CROSS_VALIDATED.is_file():
        raise LabelsError(f"{CROSS_VALIDATED} is missing. vision/training/crossvalidate.py writes it.")
    figures: dict[str, Any] = json.loads(CROSS_VALIDATED.read_text(encoding="utf-8"))
    return figures


def report_cross_validated(figures: dict[str, Any]) -> str:
    """The cross-validated figures as tables for people."""
    lines = [
        "",
        "cross-validated (not measured now: vision/models/crossvalidated.json)",
        figures["note"],
    ]
    titles = (
        ("pictures_left_out", "every third photograph, and the sources never learnt: unseen by all networks"),
        ("sources_left_out", "each source read by networks that never saw any photograph of it"),
    )
    for key, title in titles:
        if key in figures:
            lines += ["", title]
            if "chosen" in figures[key]:
                lines += ["weights and threshold chosen on other photographs", *_table(figures[key])]
            committed = figures[key]["committed"]
            lines += ["with the committed weights and threshold", *_table(committed)]
            lines += ["for each threshold of confidence *", *_curve(committed["curve"])]
    lines += ["", "both together, for each threshold of confidence *", *_curve(figures["together"]["curve"])]
    return "\n".join(lines)


def _s(values: tuple[int, ...]) -> str:
    return "".join(map(str, values)) or "-"


_FIGURES = ("exact", "exact_13", "recall", "precision", "silent", "wrong_without_reason", "ask", "read_ms")


def figures(labels: Path = PHOTOGRAPHS) -> dict[str, float]:
    """Figures for ``make bench``; empty where the photographs do not lie beside the checkout.

    - ``dice.exact``: share of photographs whose dice were all read rightly (multiset of values)
    - ``dice.exact_13``: the same among photographs with at most 13 dice
    - ``dice.recall``, ``dice.precision``: share of the dice read rightly, of the readings that are right
    - ``dice.silent``: share of photographs read wrongly with status ``ok``
    - ``dice.wrong_without_reason``: dice read wrongly, missed or made up to which no reason points, in asked
      pictures too, beside all dice in the photographs
    - ``dice.ask``: share of photographs with status ``ask`` or ``refused``
    - ``dice.read_ms``: median milliseconds a photograph, one core, decoding not counted
    """
    if not labels.is_file():
        return {}
    s = measure(load_labels(labels), labels.parent)
    shares = s.shares(s.pips)
    return {f"dice.{k}": round(shares[k], 4) for k in _FIGURES}
