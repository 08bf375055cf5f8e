"""Measuring the tray reader on throws of the virtual tray, of which some have a trick: a camera beside the
tray or near it, glare that leaves outlines only, dice with drawings of their owner's."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import click
import numpy as np

from referee.kernel.dice import PIP_FACES, DieType
from vision.faces.builtin import builtin_faces
from vision.imagefile import writable_folder
from vision.reading import DiceReading
from vision.tray_bench import Tally, draw_worst, print_tally
from vision.trayreader import TrayReader
from vision.virtual.cloth import CLOTHS
from vision.virtual.tray import BLAZE, LIGHTINGS, VirtualTray

THROWN = (
    DieType("combat_white", "pip", PIP_FACES, "white"),
    DieType("combat_black", "pip", PIP_FACES, "black"),
    DieType(
        "action_a",
        "symbol",
        ("character", "character", "muster", "muster_army", "event", "will_of_the_west"),
        "blue",
    ),
    DieType(
        "action_b", "symbol", ("character", "army", "muster", "muster_army", "event", "lidless_eye"), "red"
    ),
    DieType(
        "battle",
        "symbol",
        ("green_helmet", "blue_helmet", "red_helmet", "flag", "sword_on_shield", "lore"),
        "ivory",
    ),
)


def random_roll(
    rng: np.random.Generator, types: Sequence[DieType] = THROWN, most: int = 13
) -> dict[str, int]:
    """How many dice of which types one roll takes: one to three types, one to ``most`` dice."""
    count = int(rng.integers(1, most + 1))
    picked = rng.permutation(len(types))[: int(rng.integers(1, 4))]
    roll: Counter[str] = Counter(types[int(picked[k % len(picked)])].id for k in range(count))
    return dict(roll)


ORDINARY = "ordinary"
TRICKS = (ORDINARY, "oblique", "near", BLAZE, "own_faces")
ASKED, COCKED_NAMED, CALLED_COCKED = 0.02, 0.98, 0.005  # what is aimed at; silent misreads: none


def own_dice(seed: int) -> tuple[DieType, DieType]:
    """Two dice with six drawings each that follow from the seed."""
    first, second = (
        DieType(name, "symbol", tuple(f"{name} {seed} {k}" for k in range(6)), body)
        for name, body in (("own_a", "green"), ("own_b", "yellow"))
    )
    return first, second


def types_of(trick: str, seed: int) -> tuple[DieType, ...]:
    """The dice that are thrown: pip dice and dice of the seed's own, or all of ``THROWN``."""
    return (*THROWN[:2], *own_dice(seed)) if trick == "own_faces" else THROWN


class Throws:
    """Throws of the virtual tray in every light and on every cloth; each follows from seed and number.

    ``trick`` is one of ``TRICKS``.
    """

    def __init__(self, seed: int, trick: str = ORDINARY) -> None:
        self.seed, self.trick = seed, trick
        self.types = types_of(trick, seed)
        self._trays: dict[int, VirtualTray] = {}

    def _tray(self, k: int) -> VirtualTray:
        light = BLAZE if self.trick == BLAZE else LIGHTINGS[k % len(LIGHTINGS)]
        camera = self.trick if self.trick in ("oblique", "near") else "above"
        return VirtualTray(
            self.types,
            self.seed + k,
            light,
            CLOTHS[k % len(CLOTHS)],
            camera=camera,
            engraved=self.trick == BLAZE,
        )

    def _tray_of(self, number: int) -> VirtualTray:
        k = number // 5
        if k not in self._trays:  # five throws on one tray
            self._trays = {k: self._tray(k)}
        return self._trays[k]

    @cached_property
    def _reader(self) -> TrayReader:
        """A reader that was taught these dice."""
        return TrayReader(self.types, builtin_faces(self.types, self.trick == BLAZE))

    def read(self, number: int, image: np.ndarray, roll: dict[str, int] | None) -> DiceReading:
        """What the reader makes of a throw's picture, told of the tray what its owner has measured."""
        self._reader.tray = self._tray_of(number).spec
        return self._reader.read(image, roll)

    def passes_over(self, truth: Sequence[Mapping[str, Any]], roll: Mapping[str, int]) -> list[bool]:
        """For each cocked die of the picture read last, whether the roll would be answered, were that die one
        too many: told one fewer of its type, of which others are left."""
        seen = self._reader.last
        if seen is None or seen.refused:
            return []
        several = [d["type"] for d in truth if d["cocked"] and roll[d["type"]] > 1]
        short = [{**roll, kind: roll[kind] - 1} for kind in several]
        return [self._reader.judge(seen, told)[0] == "ok" for told in short]

    def throw(self, number: int) -> tuple[str, np.ndarray, list[dict[str, Any]], dict[str, int]]:
        """Name, picture (BGR), truth and roll of one throw."""
        roll = random_roll(np.random.default_rng([self.seed, number, 51]), self.types)
        tray = self._tray_of(number)
        image = tray.throw(roll, seed=self.seed * 1_000_003 + number)
        what = "throw" if self.trick == ORDINARY else f"{self.trick} throw"
        return f"{what} {number} ({tray.light}, {tray.cloth})", image, tray.truth()["dice"], roll


def measure_throws(
    dice: int,
    seed: int = 0,
    told: bool = True,
    budget_s: float | None = None,
    draw: Path | None = None,
    trick: str = ORDINARY,
) -> Tally:
    """Throw until at least so many dice were thrown, in every light and on every cloth, and read each roll.

    ``told`` gives the reader the count of each type, as a request of a game does.  The ten worst throws go,
    annotated, into ``draw``.
    """
    throws, tally, thrown, number = Throws(seed, trick), Tally(), 0, 0
    numbers: dict[str, int] = {}
    start = time.monotonic()
    while thrown < dice and (budget_s is None or time.monotonic() - start < budget_s):
        name, image, truth, roll = throws.throw(number)
        tally.add(name, truth, throws.read(number, image, roll if told else None))
        over = throws.passes_over(truth, roll) if told else []
        tally.too_many += len(over)
        tally.passed_over += [name] * sum(over)
        numbers[name] = number
        thrown += sum(roll.values())
        number += 1
    if draw is not None:
        again = Throws(seed, trick)

        def read(name: str, image: np.ndarray) -> DiceReading:
            number = numbers[name]
            return again.read(number, image, again.throw(number)[3] if told else None)

        draw_worst(tally, lambda name: again.throw(numbers[name])[1], read, draw)
    return tally


def measure_tricks(
    dice: int, seed: int = 0, told: bool = True, draw: Path | None = None
) -> tuple[Tally, dict[str, Tally]]:
    """Throw so many dice, an equal share of them with each trick; all together, and each trick by itself.

    The worst throws of each trick go into a folder of its name in ``draw``.
    """
    share = -(-dice // len(TRICKS))
    folders = {trick: writable_folder(draw and draw / trick, "--draw-worst") for trick in TRICKS}
    each = {trick: measure_throws(share, seed, told, None, folders[trick], trick) for trick in TRICKS}
    return sum(each.values(), Tally()), each


def holds(tally: Tally) -> bool:
    """Whether what is aimed at was reached."""
    f = tally.figures()
    asked = f["asked"] + f["refused"] <= ASKED
    return (
        not tally.silent
        and asked
        and f["cocked_recall"] >= COCKED_NAMED
        and f["cocked_false"] <= CALLED_COCKED
    )


@click.command("throws")
@click.argument("dice", type=click.IntRange(1), default=1000)
@click.option("--seed", default=0, show_default=True, help="another seed, other throws")
@click.option("--blind", is_flag=True, help="do not tell the reader what was rolled")
@click.option(
    "--trick",
    type=click.Choice([*TRICKS, "all"]),
    default=ORDINARY,
    show_default=True,
    help="a camera beside the tray or near it, glare that leaves outlines only, dice with drawings of their "
    "owner's; all: an equal share of each",
)
@click.option(
    "--draw-worst",
    type=click.Path(path_type=Path, file_okay=False),
    help="write the ten worst throws, annotated, into this folder",
)
@click.option("--json", "as_json", is_flag=True, help="print the figures as JSON")
def throws_command(
    dice: int, seed: int, blind: bool, trick: str, draw_worst: Path | None, as_json: bool
) -> None:
    """Throw DICE virtual dice of mixed types and measure how they are read.

    Exits with 0 only where no misread was silent, at most 2 % of the rolls without cocked, stacked or
    covered dice were asked about, and cocked dice were named (recall 0.98, false alarms 0.5 %).
    """
    folder = writable_folder(draw_worst, "--draw-worst")
    if trick == "all":
        tally, each = measure_tricks(dice, seed, not blind, folder)
    else:
        tally, each = measure_throws(dice, seed, not blind, draw=folder, trick=trick), {}
    apart = {name: _in_short(one) for name, one in each.items()}
    print_tally(tally, as_json, apart if as_json else {k: json.dumps(v) for k, v in apart.items()})
    if not holds(tally):
        raise SystemExit(1)


IN_SHORT = ("pictures", "dice", "silent", "recall", "cocked_dice", "cocked_recall", "cocked_false")


def _in_short(tally: Tally) -> dict[str, float]:
    f = tally.figures()
    ask = round(f["asked"] + f["refused"], 5)
    named = {k: f[k] for k in IN_SHORT}
    named["passed_over"] = f.get("passed_over", 0.0)
    return {**named, "ask": ask}


def figures(dice: int = 10_000, seed: int = 20) -> dict[str, float]:
    """Figures for ``make bench`` over so many thrown dice, the count told, a fifth of them with each of
    ``TRICKS`` (``dice.throws``: all together; ``dice.throws_oblique`` and so on: one trick).

    - ``..._silent``: share of rolls answered ``ok`` and wrong;
    - ``..._ask``: share of rolls without cocked, stacked or covered dice that were asked about or refused;
    - ``..._recall``: share of readable dice that were read right;
    - ``..._cocked_recall``, ``..._cocked_false``: shares of cocked and of level dice called cocked;
    - ``..._passed_over``: share of cocked dice that the told count leaves out with no word of them.
    """
    tally, each = measure_tricks(dice, seed)
    out = {}
    for name, one in {"": tally, **each}.items():
        shares = _in_short(one)
        for key in ("silent", "ask", "recall", "cocked_recall", "cocked_false", "passed_over"):
            out[f"dice.throws{'_' if name else ''}{name}_{key}"] = float(shares[key])
    return out
