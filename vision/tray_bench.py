"""Measuring the tray reader on a folder of pictures with ``truth.json``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np

from referee.kernel.dice import PIP_FACES, DieType
from vision.draw import annotate
from vision.faces.colour import PALETTE
from vision.faces.describe import describe
from vision.faces.taught import TaughtFaces
from vision.imagefile import write_picture
from vision.photo_bench import photographed
from vision.photodice import TaughtPhotoReader
from vision.reading import DiceReading, Die
from vision.teach import taught_or_complain
from vision.tray import DEFAULT, TraySpec
from vision.trayreader import TrayReader
from vision.truthfile import MEASURED, read_picture, read_truth

NEAR_PX = 24.0  # a reading belongs to the true die whose upper face's middle is this near,
NEAR_MM = 12.0  # or, if cocked (another side may look up as much), whose own middle is
SEEN = 0.5  # share of a cocked die that must be seen, or nobody could name it


@dataclass
class Tally:
    """Counts over pictures; ``figures`` turns them into shares.

    ``plain`` pictures, of which as few as can be should be asked about, show level, uncovered dice on the
    floor only.  A die on another may hide a third: whether the question is needed only a told count can say.
    """

    pictures: int = 0
    exact: int = 0
    silent: list[str] = field(default_factory=list)
    plain: int = 0
    asked: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    readable: int = 0
    right: int = 0
    answered: int = 0
    answered_right: int = 0
    confident_wrong: list[str] = field(default_factory=list)
    cocked: int = 0
    cocked_named: int = 0
    flat: int = 0
    flat_called_cocked: int = 0
    missed: int = 0
    extra: int = 0
    too_many: int = 0  # cocked dice that the told count left out
    passed_over: list[str] = field(default_factory=list)  # rolls answered as if such a die were not there
    ms: list[float] = field(default_factory=list)
    ms13: list[float] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)
    badness: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, truth: Sequence[Mapping[str, Any]], reading: DiceReading) -> None:
        """Count one picture."""
        self.pictures += 1
        self.ms.append(reading.elapsed_ms)
        if len(truth) == 13:
            self.ms13.append(reading.elapsed_ms)
        self.codes.update(r.code for r in reading.reasons)
        readable = all(d["readable"] for d in truth)
        plain = readable and not any(d.get("on_another_die", False) for d in truth)
        same = wanted(truth) == answered(reading.dice)
        if reading.status == "ok" and not (readable and same):
            self.silent.append(name)
        self.plain += plain
        if plain and reading.status == "ask":
            self.asked.append(name)
        if plain and reading.status == "refused":
            self.refused.append(name)
        wrong = len(self.confident_wrong)
        good = self._dice(name, truth, reading)
        exact = (readable and same) if reading.status == "ok" else (not plain and good)
        self.exact += exact
        silent = reading.status == "ok" and not exact
        # silent misreads weigh most, then wrong faces, then needless questions, then dice that were missed
        self.badness[name] = 100 * silent + 10 * (len(self.confident_wrong) - wrong) + 3 * plain * (not exact)
        self.badness[name] += not exact

    def __add__(self, other: Tally) -> Tally:
        """Both counted together; their pictures have names of their own."""
        mine, theirs = vars(self), vars(other)
        return Tally(**{k: v | theirs[k] if k == "badness" else v + theirs[k] for k, v in mine.items()})

    def worst(self, most: int = 10) -> list[str]:
        """Names of the pictures that came out worst; those that are right are never among them."""
        names = [name for name, badness in self.badness.items() if badness]
        return sorted(names, key=lambda name: -self.badness[name])[:most]

    def _dice(self, name: str, truth: Sequence[Mapping[str, Any]], reading: DiceReading) -> bool:
        """Count the dice of one picture; returns whether every readable die was read right and no other
        answered."""
        pairs, extra = match(truth, reading.dice)
        good = reading.status == "refused" or extra == 0
        self.extra += extra
        for die, read in pairs:
            face = read.face if read is not None else None
            right = face is not None and key(die) == (read.type if read else "", face)
            if die["readable"]:
                self.readable += 1
                self.right += right
                good &= right or reading.status == "refused"
            self.missed += read is None and reading.status != "refused"
            self._answer(name, die, read, right)
            unseen = read is None and reading.status != "refused" and not die.get("moving")
            self.cocked += unseen and die["cocked"] and die.get("visible_fraction", 1.0) >= SEEN
        self.answered += extra_answers(truth, reading.dice)
        return bool(good)

    def _answer(self, name: str, die: Mapping[str, Any], read: Die | None, right: bool) -> None:
        if read is None:
            return
        if read.face is not None:
            self.answered += 1
            self.answered_right += right
            if not right or not die["readable"]:
                seen = f"{read.type} {read.face}"
                self.confident_wrong.append(f"{name}: {die['type']} {die['face']} read as {seen}")
        if die.get("moving"):
            return
        if die["cocked"]:
            self.cocked += 1
            self.cocked_named += read.pose == "cocked"
        else:
            self.flat += 1
            self.flat_called_cocked += read.pose == "cocked"

    def figures(self) -> dict[str, float]:
        """Shares and medians, each named for what it is."""
        return {
            "pictures": self.pictures,
            "exact": _share(self.exact, self.pictures),
            "recall": _share(self.right, self.readable),
            "precision": _share(self.answered_right, self.answered),
            "silent": _share(len(self.silent), self.pictures),
            "wrong_faces": len(self.confident_wrong),
            "plain_pictures": self.plain,
            "asked": _share(len(self.asked), self.plain),
            "refused": _share(len(self.refused), self.plain),
            "dice": self.readable,
            "cocked_dice": self.cocked,
            "cocked_recall": _share(self.cocked_named, self.cocked),
            "cocked_false": _share(self.flat_called_cocked, self.flat) if self.flat else 0.0,
            "dice_missed": self.missed,
            "dice_invented": self.extra,
            **({"passed_over": _share(len(self.passed_over), self.too_many)} if self.too_many else {}),
            "ms": round(median(self.ms), 1) if self.ms else 0.0,
            "ms_13_dice": round(median(self.ms13), 1) if self.ms13 else 0.0,
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 5) if whole else 1.0


def key(die: Mapping[str, Any]) -> tuple[str, str]:
    """What a die of a truth file should be read as."""
    return str(die["type"]), str(die["face"])


def wanted(truth: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str | None]]:
    """The true multiset of (type, face)."""
    return Counter(key(d) for d in truth)


def answered(dice: Iterable[Die]) -> Counter[tuple[str, str | None]]:
    """The multiset of (type, face) that was read."""
    return Counter((d.type, d.face) for d in dice)


def match(
    truth: Sequence[Mapping[str, Any]], dice: Sequence[Die]
) -> tuple[list[tuple[Mapping[str, Any], Die | None]], int]:
    """Pair true dice with read dice, nearest first; also how many read dice have no true one."""
    middles = [np.array(d.quad).mean(axis=0) for d in dice]
    distances = sorted(
        (float(np.linalg.norm(middle - np.array(t["centre_px"]))), a, b)
        for a, t in enumerate(truth)
        for b, middle in enumerate(middles)
    )
    aside = sorted(
        (float(np.linalg.norm(np.subtract(d.centre_mm[:2], t["position_mm"][:2]))), a, b)
        for a, t in enumerate(truth)
        for b, d in enumerate(dice)
        if t["cocked"] and "position_mm" in t and d.centre_mm is not None
    )
    pairs: dict[int, int] = {}
    for pool, near in ((distances, NEAR_PX), (aside, NEAR_MM)):
        for distance, a, b in pool:
            if distance < near and a not in pairs and b not in pairs.values():
                pairs[a] = b
    found: list[tuple[Mapping[str, Any], Die | None]] = [
        (t, dice[pairs[a]] if a in pairs else None) for a, t in enumerate(truth)
    ]
    return found, len(dice) - len(pairs)


def extra_answers(truth: Sequence[Mapping[str, Any]], dice: Sequence[Die]) -> int:
    """Faces answered where no die is."""
    pairs, _ = match(truth, dice)
    used = {id(read) for _, read in pairs if read is not None}
    return sum(1 for d in dice if d.face is not None and id(d) not in used)


def types_in(pictures: Iterable[Mapping[str, Any]], taught: TaughtFaces) -> list[DieType]:
    """The die types of a truth file: pip dice, and symbol dice with their taught faces; one colour, or any.

    Faces called 1 to 6 are pips, unless the table was taught that they look otherwise (numerals, perhaps).
    """
    seen: dict[str, tuple[set[str], set[str]]] = {}
    for picture in pictures:
        for die in picture["dice"]:
            faces, bodies = seen.setdefault(str(die["type"]), (set(), set()))
            faces.add(str(die["face"]))
            bodies.add(str(die.get("colour", "any")))
    types = []
    for name, (faces, bodies) in sorted(seen.items()):
        colour = next(iter(bodies)) if len(bodies) == 1 and bodies <= PALETTE.keys() else "any"
        if faces <= set(PIP_FACES) and not _other_numbers(taught, name):
            types.append(DieType(name, "pip", PIP_FACES, colour))
        else:
            types.append(DieType(name, "symbol", tuple(sorted({*taught.faces(name), *faces})), colour))
    return types


def _other_numbers(taught: TaughtFaces, die_type: str) -> bool:
    """Whether a type's taught faces, called by numbers, show something else than so many pips."""
    examples = [(face, crop) for face, _, crop, _ in taught.examples(die_type)]
    if not examples or any(face not in PIP_FACES for face, _ in examples):
        return False
    seen = describe(np.stack([crop for _, crop in examples]))
    pips = sum(int(d.pips.argmax()) == int(face) for (face, _), d in zip(examples, seen, strict=True))
    return pips < len(examples) / 2


def measure_folder(
    folder: Path,
    taught: TaughtFaces,
    tray: TraySpec = DEFAULT,
    draw: Path | None = None,
    photographs: bool = False,
) -> tuple[Tally, list[str]]:
    """Read every picture of a folder with ``truth.json``; also the symbol types that were never taught.

    The ten worst pictures go, annotated, into ``draw``.  ``photographs``: without markers (``photo_bench``).
    """
    pictures = read_truth(folder, MEASURED)
    types = types_in(pictures, taught)
    reader = TaughtPhotoReader(types, taught) if photographs else TrayReader(types, taught, tray)
    tally = Tally()

    def picture_of(number: int) -> tuple[np.ndarray, list[dict[str, Any]]]:
        picture = pictures[number]
        image = read_picture(folder, picture)
        return photographed(image, picture, number) if photographs else (image, picture["dice"])

    for number, picture in enumerate(pictures):
        image, dice = picture_of(number)
        tally.add(picture["image"], dice, reader.read(image))
    if draw is not None:
        numbers = {picture["image"]: number for number, picture in enumerate(pictures)}
        draw_worst(
            tally, lambda name: picture_of(numbers[name])[0], lambda _, image: reader.read(image), draw
        )
    return tally, [t.id for t in types if t.kind == "symbol" and not taught.faces(t.id)]


def draw_worst(
    tally: Tally,
    picture: Callable[[str], np.ndarray],
    read: Callable[[str, np.ndarray], DiceReading],
    folder: Path,
) -> None:
    """Write the ten worst pictures, with what was read in them, into a folder; the worst is number 01."""
    for rank, name in enumerate(tally.worst(), 1):
        image = picture(name)
        write_picture(folder / f"{rank:02d}_{Path(name).stem}.png", annotate(image, read(name, image)))


def bench_folder(
    path: Path,
    as_json: bool = False,
    box: str = "default",
    tray: TraySpec = DEFAULT,
    draw: Path | None = None,
    photographs: bool = False,
) -> None:
    """Measure on a folder and print; exits with 1 where a type is not taught or a misread was silent."""
    tally, untaught = measure_folder(path, taught_or_complain(box), tray, draw, photographs)
    print_tally(tally, as_json, {"not_taught": untaught})
    if untaught:
        click.echo(
            f"Not taught to this table: {', '.join(untaught)}. Use: referee dice teach --from FOLDER",
            err=True,
        )
    if untaught or tally.silent:
        raise SystemExit(1)


def print_tally(tally: Tally, as_json: bool, more: Mapping[str, Any]) -> None:
    """Print figures and the pictures behind them, as a table or as JSON."""
    figures: dict[str, Any] = {**tally.figures(), **more}
    lists = {
        "silent_pictures": tally.silent,
        "asked_pictures": tally.asked,
        "refused_pictures": tally.refused,
        "wrong": tally.confident_wrong,
        "worst": tally.worst(),
        "reasons": dict(tally.codes),
    }
    if as_json:
        click.echo(json.dumps({**figures, **lists}, indent=1))
        return
    for name, value in figures.items():
        click.echo(f"{name:16} {value}")
    for name, entries in lists.items():
        if entries:
            shown = [f"{k} {v}" for k, v in entries.items()] if isinstance(entries, dict) else list(entries)
            click.echo(f"{name}: {', '.join(shown[:20])}")
