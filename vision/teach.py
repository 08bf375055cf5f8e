"""Teach die types to a table from pictures of single dice, test what was learned, and keep it.

``referee dice teach --from FOLDER [--as NAME]`` reads a folder with ``truth.json`` (one die a picture, its
type and face given).  The same functions serve the wizard, picture by picture.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np

from referee.kernel.files import FileUnwritable
from referee.kernel.messages import Text
from vision.faces.describe import describe
from vision.faces.taught import Compared, TaughtFaces, is_known
from vision.faces.templates import correlate, template
from vision.imagefile import UnreadableImage, read_image
from vision.reading import Reason
from vision.tray import DEFAULT, TraySpec, load_spec
from vision.tray_reasons import lay_flat, one_die
from vision.trayscan import DetectedDie, look
from vision.truthfile import read_truth

DATA_ENV = "REFEREE_DATA"
ENOUGH = 6  # examples a face before it counts as taught
TRAY_HELP = "TOML file whose section [tray] gives the measures of tray, markers and dice"


def data_folder() -> Path:
    """Where this box's own data are kept: $REFEREE_DATA, else the user's data folder."""
    given = os.environ.get(DATA_ENV)
    return (
        Path(given)
        if given
        else Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local/share")) / "table-referee"
    )


def taught_path(box: str = "default") -> Path:
    """The file of taught faces of a box."""
    return data_folder() / "boxes" / box / "taught_faces.npz"


def load_taught(box: str = "default") -> TaughtFaces:
    """Taught faces of a box; empty where nothing was taught yet.  Raises ValueError for a spoiled file."""
    path = taught_path(box)
    return TaughtFaces.load(path) if path.exists() else TaughtFaces()


@dataclass
class SelfTest:
    """What cross-validation says: each example is read with itself left out.

    ``confused`` lists (face shown, face read, how often); ``unsure`` counts examples of a face that would be
    asked about; ``ask_for_more`` names faces that need more pictures, and why.
    """

    tested: int = 0
    right: int = 0
    wrong: int = 0
    confused: list[tuple[str, str, int]] = field(default_factory=list)
    unsure: dict[str, int] = field(default_factory=dict)
    ask_for_more: dict[str, Text] = field(default_factory=dict)


def self_test(taught: TaughtFaces, die_type: str, wanted: Iterable[str] = ()) -> SelfTest:
    """Cross-validate one type; ``wanted`` are faces that the type must have."""
    result = SelfTest()
    confused: Counter[tuple[str, str]] = Counter()
    examples = list(taught.examples(die_type))
    whole = {f: template([c for g, _, c, _ in examples if g == f]) for f in {g for g, *_ in examples}}
    for face, number, crop, _ in examples:
        others = [c for g, k, c, _ in examples if g == face and k != number]
        templates = {f: t for f, t in whole.items() if f != face}
        if others:
            templates[face] = template(others)
        result.tested += 1
        near = correlate(crop, templates)
        similar = taught.similarity(die_type, describe(crop[None])[0], (face, number))
        compared = Compared(near, similar)
        alike = compared.alike
        best = max(alike, key=lambda f: alike[f]) if alike else None
        if not others or best is None or not is_known(best, compared):
            result.unsure[face] = result.unsure.get(face, 0) + 1
        elif best == face:
            result.right += 1
        else:
            result.wrong += 1
            confused[(face, best)] += 1
    result.confused = [(a, b, n) for (a, b), n in confused.most_common()]
    _ask_for_more(result, taught.faces(die_type), wanted)
    return result


def _ask_for_more(result: SelfTest, have: dict[str, int], wanted: Iterable[str]) -> None:
    for face in {*have, *wanted}:
        count = have.get(face, 0)
        mixed = [b for a, b, _ in result.confused if a == face] + [
            a for a, b, _ in result.confused if b == face
        ]
        if mixed:
            result.ask_for_more[face] = Text("vision.face_confused", others=", ".join(sorted(set(mixed))))
        elif count < ENOUGH:
            result.ask_for_more[face] = Text("vision.face_few_pictures", count=count, enough=ENOUGH)
        elif result.unsure.get(face, 0) > 1:
            result.ask_for_more[face] = Text("vision.face_unsure")


def single_die(image: np.ndarray, tray: TraySpec = DEFAULT) -> DetectedDie | Reason:
    """The one die in a teaching picture (BGR), or why it cannot be used."""
    seen = look(image, tray)
    if seen.refused:
        return seen.refused[0]
    if len(seen.dice) != 1:
        return one_die(len(seen.dice))
    (die,) = seen.dice
    return lay_flat(die.quad) if die.is_cocked else die


def teach_folder(
    folder: Path, taught: TaughtFaces, name: str | None = None, tray: TraySpec = DEFAULT
) -> dict[str, Any]:
    """Learn all die types in a folder with ``truth.json`` anew; returns a report.

    ``name`` renames the type (only where the folder holds one type).  A type of which no picture can be used
    keeps what was known of it.  Raises click.ClickException with a sentence where the folder is not as it
    should be, or no picture of it can be used.
    """
    start = time.perf_counter()
    singles = [p for p in read_truth(folder) if len(p["dice"]) == 1]
    types = sorted({str(p["dice"][0]["type"]) for p in singles})
    if not types:
        raise click.ClickException(
            f"{folder} holds no picture of a single die; teaching needs one die a picture."
        )
    if name is not None and len(types) > 1:
        raise click.ClickException(
            f"{folder} holds several die types ({', '.join(types)}); --as renames only one."
        )
    unused: dict[str, str] = {}
    learned: list[tuple[str, str, DetectedDie]] = []
    for picture in singles:
        die, seen = picture["dice"][0], _example(folder / picture["image"], tray)
        if isinstance(seen, str):
            unused[picture["image"]] = seen
        else:
            learned.append((name or str(die["type"]), str(die["face"]), seen))
    if not learned:
        raise click.ClickException(
            f"No picture of {folder} can be used, and nothing was changed. {next(iter(unused.values()))}"
        )
    for die_type in {kind for kind, _, _ in learned}:
        taught.forget(die_type)
    for kind, face, seen in learned:
        taught.add(kind, face, seen.crop, seen.body)
    return {
        "types": {t: _type_report(taught, t) for t in ([name] if name else types)},
        "pictures": len(learned),
        "unused": unused,
        "seconds": round(time.perf_counter() - start, 2),
    }


def _example(path: Path, tray: TraySpec) -> DetectedDie | str:
    """The die of a teaching picture, or why it cannot be used."""
    try:
        seen = single_die(read_image(path), tray)
    except UnreadableImage as error:
        return str(error)
    return seen.sentence_en if isinstance(seen, Reason) else seen


def _type_report(taught: TaughtFaces, die_type: str) -> dict[str, Any]:
    test = self_test(taught, die_type)
    return {
        "faces": taught.faces(die_type),
        "tested": test.tested,
        "right": test.right,
        "wrong": test.wrong,
        "unsure": test.unsure,
        "confused": test.confused,
        "ask_for_more": {
            face: [why.in_words("de"), why.in_words("en")] for face, why in test.ask_for_more.items()
        },
    }


def taught_or_complain(box: str) -> TaughtFaces:
    """Taught faces of a box, for a command."""
    try:
        return load_taught(box)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def tray_or_complain(path: Path | None) -> TraySpec:
    """The tray of a configuration, for a command; the default table where none is named."""
    if path is None:
        return DEFAULT
    try:
        return load_spec(path)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read ({error.strerror}).") from error
    except ValueError as error:
        raise click.ClickException(f"{path}: {error} Mend it, or leave --tray out.") from error


@click.command("teach")
@click.option(
    "--from", "folder", required=True, type=click.Path(path_type=Path), help="folder with truth.json"
)
@click.option("--as", "name", help="store the die type under this name")
@click.option("--box", default="default", show_default=True, help="which box's dice these are")
@click.option("--tray", "table", type=click.Path(path_type=Path), help=TRAY_HELP)
@click.option("--json", "as_json", is_flag=True, help="print the report as JSON")
def teach_command(folder: Path, name: str | None, box: str, table: Path | None, as_json: bool) -> None:
    """Teach die types from a folder of pictures, and test what was learned.

    Exits with 0 only where the self-test confuses no faces and asks for no more pictures.
    """
    taught, tray = taught_or_complain(box), tray_or_complain(table)
    report = teach_folder(folder, taught, name, tray)
    try:
        taught.save(taught_path(box))
    except FileUnwritable as error:
        raise click.ClickException(
            f"{taught_path(box)} cannot be written ({error.why}). Make room, or set {DATA_ENV}."
        ) from error
    if as_json:
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        _print(report)
    if any(t["confused"] or t["ask_for_more"] for t in report["types"].values()):
        raise SystemExit(1)


def _print(report: dict[str, Any]) -> None:
    for die_type, t in report["types"].items():
        faces = ", ".join(f"{f} ({n})" for f, n in t["faces"].items())
        click.echo(f"{die_type}: {faces}")
        click.echo(f"  self-test: {t['right']} of {t['tested']} right, {t['wrong']} wrong, "
                   f"{sum(t['unsure'].values())} not sure")  # fmt: skip
        for shown, read, count in t["confused"]:
            click.echo(f"  {shown} read as {read}: {count} times")
        for face, (_, english) in t["ask_for_more"].items():
            click.echo(f"  {face} {english}")
    for picture, why in report["unused"].items():
        click.echo(f"  not used: {picture}: {why}")
    click.echo(f"{report['pictures']} pictures learned in {report['seconds']} s")
