"""``referee dice taught``: dice are taught from six pictures a face, then thrown anew: how are they read?

The dice: action dice of both sides, battle dice with helmets of three colours, two dice with six drawings
each that follow from the seed, and cubes that only their colour tells apart.  They are taught as at a table,
under one lamp on one cloth; the throws come under every lamp and on every cloth, at any place and turn.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field

import click

from referee.kernel.dice import DieType
from vision.faces.taught import TaughtFaces
from vision.reading import Reason
from vision.teach import ENOUGH, single_die
from vision.throws_bench import THROWN, own_dice
from vision.tray_bench import match
from vision.trayreader import TrayReader
from vision.virtual.cloth import CLOTHS
from vision.virtual.drawings import BLANK
from vision.virtual.tray import LIGHTINGS, VirtualTray

RIGHT = 0.995  # share of new throws that must be read right; of the rest none may be wrong
CUBES = tuple(DieType(f"cube_{colour}", "symbol", (BLANK,), colour) for colour in ("red", "blue", "green"))
OUTCOMES = ("right", "not_sure", "missed", "wrong")


def types_of(seed: int) -> tuple[DieType, ...]:
    """The dice that are taught; another seed, other drawings."""
    return (*(kind for kind in THROWN if kind.kind == "symbol"), *own_dice(seed), *CUBES)


@dataclass
class Learned:
    """How new throws were read, by die type."""

    by_type: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    unused: int = 0

    def figures(self, cubes: bool | None = None) -> dict[str, float]:
        """Dice and shares of each outcome; of cubes only, of the others only, or of all."""
        total: Counter[str] = Counter()
        for name, counts in self.by_type.items():
            if cubes is None or cubes == name.startswith("cube_"):
                total += counts
        dice = total.total()
        return {"dice": dice, **{one: round(total[one] / dice, 5) if dice else 0.0 for one in OUTCOMES}}

    @property
    def holds(self) -> bool:
        """Whether enough is right, of cubes and of others, and nothing wrong."""
        return not self.wrong and all(self.figures(cubes)["right"] >= RIGHT for cubes in (False, True))


def teach(types: tuple[DieType, ...], seed: int) -> tuple[TaughtFaces, int]:
    """Six pictures of each face, taken as by the wizard; also how many pictures it did not take."""
    taught, unused = TaughtFaces(), 0
    tray = VirtualTray(types, seed=seed, light="diffuse", cloth="green_felt")
    for number, (kind, face) in enumerate((k, f) for k in types for f in k.distinct_faces):
        taken = shown = 0
        while taken < ENOUGH and shown < 3 * ENOUGH:
            seen = single_die(tray.show(kind.id, face, 1000 * seed + 100 * number + shown))
            shown += 1
            if isinstance(seen, Reason):
                unused += 1
            else:
                taught.add(kind.id, face, seen.crop, seen.body)
                taken += 1
    return taught, unused


def measure_taught(throws: int, seed: int = 0) -> Learned:
    """Teach, then throw two dice of each type so often and read them, told how many of each there are."""
    types = types_of(seed)
    taught, unused = teach(types, seed)
    reader = TrayReader(types, taught)
    result = Learned({kind.id: Counter() for kind in types}, unused=unused)
    roll = {kind.id: 1 if kind in CUBES else 2 for kind in types}
    for number in range(throws):
        light, cloth = LIGHTINGS[number % len(LIGHTINGS)], CLOTHS[number % len(CLOTHS)]
        tray = VirtualTray(types, seed=seed + 10_000 + number, light=light, cloth=cloth)
        reading = reader.read(tray.throw(roll, seed * 1_000_003 + number, "plain"), roll)
        for die, read in match(tray.truth()["dice"], reading.dice)[0]:
            if not die["readable"]:
                continue
            face = None if read is None else read.face
            right = read is not None and (read.type, face) == (die["type"], die["face"])
            outcome = (
                "missed" if read is None else "not_sure" if face is None else "right" if right else "wrong"
            )
            result.by_type[die["type"]][outcome] += 1
            if outcome == "wrong" and read is not None:
                where = f"throw {number} ({light}, {cloth})"
                result.wrong.append(f"{where}: {die['type']} {die['face']} read as {read.type} {face}")
    return result


@click.command("taught")
@click.argument("throws", type=click.IntRange(1), default=60)
@click.option("--seed", default=0, show_default=True, help="another seed, other drawings and throws")
@click.option("--json", "as_json", is_flag=True, help="print the figures as JSON")
def taught_command(throws: int, seed: int, as_json: bool) -> None:
    """Teach dice from six pictures a face, then read THROWS new throws of them.

    Exits with 0 only where at least 99.5 % of the symbols and of the cubes are right and none is wrong.
    """
    result = measure_taught(throws, seed)
    figures = {"symbols": result.figures(False), "cubes": result.figures(True)}
    by_type = {name: dict(counts) for name, counts in result.by_type.items()}
    if as_json:
        more = {"by_type": by_type, "wrong": result.wrong, "pictures_not_taken": result.unused}
        click.echo(json.dumps({**figures, **more}, indent=1))
    else:
        for name, shares in figures.items():
            click.echo(f"{name}: " + ", ".join(f"{one} {share:g}" for one, share in shares.items()))
        for name, counts in by_type.items():
            click.echo(f"  {name}: " + ", ".join(f"{one} {count}" for one, count in sorted(counts.items())))
        for line in result.wrong:
            click.echo(f"  {line}")
    if not result.holds:
        raise SystemExit(1)
