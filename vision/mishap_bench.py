"""``referee dice mishaps``: pictures from which nothing may be read wrongly, one kind of mishap at a time.

``referee dice throws`` has what physics does to dice (cocked, stacked, touching, against the wall).  Here
dice still roll, or camera, light, markers and hands spoil the picture.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field

import click
import numpy as np

from vision.faces.builtin import builtin_faces
from vision.throws_bench import THROWN, random_roll
from vision.tray_bench import answered, wanted
from vision.trayreader import TrayReader
from vision.virtual.cloth import CLOTHS
from vision.virtual.tray import LIGHTINGS, VirtualTray

KINDS = ("rolling", "shake", "defocus", "dark", "glare", "hand", "bumped", "marker_hidden")
READABLE = ("glare",)  # of these kinds some pictures may be read rightly; the others say too little or move


@dataclass
class Spoiled:
    """What was said of the pictures of one kind of mishap."""

    status: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    silent: list[str] = field(default_factory=list)


def measure_mishaps(throws: int, seed: int = 0) -> dict[str, Spoiled]:
    """So many throws of each kind, in every light and on every cloth; every other one with the count told.

    ``silent`` names pictures that were answered ``ok`` and wrong, or at all where nobody could read them.
    """
    reader = TrayReader(THROWN, builtin_faces(THROWN))
    found = {kind: Spoiled() for kind in KINDS}
    for kind, spoiled in found.items():
        for number in range(throws):
            light, cloth = LIGHTINGS[number % len(LIGHTINGS)], CLOTHS[number % len(CLOTHS)]
            roll = random_roll(np.random.default_rng([seed, number, 52]))
            tray = VirtualTray(THROWN, seed=1000 * seed + number, light=light, cloth=cloth)
            image = tray.throw(roll, 1_000_003 * seed + number, kind)
            reading = reader.read(image, roll if number % 2 else None)
            spoiled.status[reading.status] += 1
            spoiled.reasons.update(why.code for why in reading.reasons)
            right = kind in READABLE and wanted(tray.truth()["dice"]) == answered(reading.dice)
            if reading.status == "ok" and not right:
                spoiled.silent.append(f"throw {number} ({light}, {cloth})")
    return found


@click.command("mishaps")
@click.argument("throws", type=click.IntRange(1), default=20)
@click.option("--seed", default=0, show_default=True, help="another seed, other throws")
@click.option("--json", "as_json", is_flag=True, help="print the figures as JSON")
def mishaps_command(throws: int, seed: int, as_json: bool) -> None:
    """Spoil THROWS pictures in each of eight ways, and look whether any is read wrongly without a word.

    Exits with 0 only where none is.
    """
    found = measure_mishaps(throws, seed)
    if as_json:
        figures = {
            kind: {"status": one.status, "reasons": one.reasons, "silent": one.silent}
            for kind, one in found.items()
        }
        click.echo(json.dumps(figures, indent=1))
    else:
        for kind, one in found.items():
            said = ", ".join(f"{name} {count}" for name, count in sorted(one.status.items()))
            why = ", ".join(f"{name} {count}" for name, count in one.reasons.most_common())
            click.echo(f"{kind}: {said} ({why})")
            for name in one.silent:
                click.echo(f"  read without a word: {name}")
    if any(one.silent for one in found.values()):
        raise SystemExit(1)
