"""``referee read`` and ``referee dice ...``."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from referee.kernel.files import FileUnwritable
from vision.imagefile import (
    UnreadableImage,
    expand,
    read_image,
    writable_folder,
    write_drawing,
    write_picture,
)
from vision.reading import DiceReading, Reason

# sub-commands that live in their own modules, loaded when called
DICE_COMMANDS: dict[str, str] = {
    "teach": "vision.teach:teach_command",
    "throws": "vision.throws_bench:throws_command",
    "mishaps": "vision.mishap_bench:mishaps_command",
    "taught": "vision.taught_bench:taught_command",
    "stats": "vision.fairness:stats_command",
}


class _DiceGroup(click.Group):
    """``referee dice``: its larger sub-commands are imported late."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *DICE_COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in DICE_COMMANDS:
            module, attribute = DICE_COMMANDS[cmd_name].split(":")
            command: click.Command = getattr(import_module(module), attribute)
            return command
        return super().get_command(ctx, cmd_name)


def reading_json(path: Path, reading: DiceReading) -> dict[str, Any]:
    """What ``referee read`` prints of one picture."""
    out = reading.as_json()
    dice = out.pop("dice")
    for die in dice:
        die["value"] = int(die["face"]) if die["face"] in ("1", "2", "3", "4", "5", "6") else None
    out["elapsed_ms"] = round(out["elapsed_ms"], 1)
    return {"image": str(path), "status": out.pop("status"), "dice": dice, **out}


@click.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--draw",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write annotated pictures into this folder.",
)
@click.option(
    "--expect", type=click.IntRange(0), help="How many dice should be there; a wrong number is asked about."
)
@click.option("--box", help="Read the dice that this box was taught, too (`referee dice teach`).")
@click.option("--json", "as_json", is_flag=True, help="JSON Lines, one picture a line (the default).")
def read(
    images: tuple[Path, ...], draw: Path | None, expect: int | None, box: str | None, as_json: bool
) -> None:
    """Find and read dice in IMAGES (files or folders): one JSON object per picture.

    Pip dice, and with --box the dice that a box was taught, in pictures taken from above.  Exits with 1 if a
    picture could not be opened; the others are still read.
    """
    from vision.reader import DiceReader

    reader: Any = DiceReader() if box is None else import_module("vision.photodice").reader_of_box(box)
    bad = False
    writable_folder(draw, "--draw")
    for given in images:
        try:
            paths = expand([given])
        except UnreadableImage as error:
            bad = _complain(given, error)
            continue
        for path in paths:
            bad = not _read_one(reader, path, draw, expect) or bad
    if bad:
        sys.exit(1)


def _read_one(reader: Any, path: Path, draw: Path | None, expect: int | None) -> bool:
    try:
        image = read_image(path)
    except UnreadableImage as error:
        _complain(path, error)
        return False
    reading = reader.read(image, None if expect is None else {"d6": expect})
    click.echo(json.dumps(reading_json(path, reading), ensure_ascii=False))
    if draw is not None:
        from vision.draw import annotate

        try:
            write_drawing(draw, path, annotate(image, reading))
        except FileUnwritable as error:
            raise click.ClickException(
                f"The drawing of {path} cannot be written ({error.why}). Make room in {draw}."
            ) from error
    return True


def _complain(path: Path, error: UnreadableImage) -> bool:
    reason = Reason(error.code, error.text).as_json()
    click.echo(
        json.dumps(
            {"image": str(path), "status": "refused", "dice": [], "reasons": [reason]}, ensure_ascii=False
        )
    )
    click.echo(str(error), err=True)
    return True


def _draw_worst(paths: list[Path], folder: Path) -> None:
    from vision.draw import annotate
    from vision.reader import DiceReader

    reader = DiceReader()
    for rank, path in enumerate(paths, 1):
        image = read_image(path)
        write_picture(folder / f"{rank:02d}_{path.stem}.png", annotate(image, reader.read(image)))


@click.group(cls=_DiceGroup)
def dice() -> None:
    """Measure the dice reader and teach it dice."""


@dice.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option(
    "--cross-validated",
    is_flag=True,
    help="Also print the committed figures on photographs whose source was left out of training.",
)
@click.option(
    "--draw-worst",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the ten worst pictures, annotated, into this folder.",
)
@click.option("--box", default="default", show_default=True, help="For a folder: whose taught dice.")
@click.option(
    "--tray",
    "table",
    type=click.Path(path_type=Path),
    help="For a folder: TOML file whose section [tray] gives the measures of tray, markers and dice.",
)
@click.option(
    "--photograph",
    is_flag=True,
    help="For a folder: cut the markers away, turn and scale, and read as from a telephone.",
)
def bench(
    target: Path,
    as_json: bool,
    cross_validated: bool,
    draw_worst: Path | None,
    box: str,
    table: Path | None,
    photograph: bool,
) -> None:
    """Measure the reader on TARGET: a label file (labels.csv) or a folder with truth.json.

    On a folder it exits with 0 only where no misread was silent and every type was taught.
    """
    writable_folder(draw_worst, "--draw-worst")
    if target.is_dir():
        tray = import_module("vision.teach").tray_or_complain(table)
        import_module("vision.tray_bench").bench_folder(target, as_json, box, tray, draw_worst, photograph)
        return
    from vision import bench as photographs
    from vision.bench import LabelsError, load_labels, measure, report

    try:
        rows = load_labels(target)
    except LabelsError as error:
        raise click.ClickException(str(error)) from error
    result = measure(rows, target.parent)
    try:
        left_out = photographs.cross_validated() if cross_validated else None
    except LabelsError as error:
        raise click.ClickException(str(error)) from error
    if draw_worst is not None:
        _draw_worst([target.parent / o.file for o in result.worst()], draw_worst)
    if as_json:
        extra = {} if left_out is None else {"cross_validated": left_out}
        click.echo(json.dumps({**result.as_json(), **extra}, indent=1))
        return
    click.echo(report(result))
    if left_out is not None:
        click.echo(photographs.report_cross_validated(left_out))
