"""``referee verify``: exported games, and slips, checked on the command line."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path

import click

from referee.archive.forks import compare
from referee.archive.slip_code import verify_slip
from referee.archive.verify import Verdict, name_of, verify_file
from referee.commands.common import language, says_what_is_wrong
from referee.journal.errors import StoreError
from referee.kernel.messages import Text
from referee.store.pictures import Pictures


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--key", "keys", multiple=True, help="Trusted public key: 64 hex digits, or a file with some.")
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Also compare the pictures of rolls, which lie in this folder (RECORD.pictures).",
)
@click.option(
    "--slip",
    "slips",
    multiple=True,
    help="Check a match slip against FILES: the text of its QR code, or a file with it or a picture of it.",
)
@click.option("--jobs", type=click.IntRange(1), help="Processes; all cores where not given.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@says_what_is_wrong
def verify(
    files: tuple[Path, ...],
    keys: tuple[str, ...],
    pictures: Path | None,
    slips: tuple[str, ...],
    jobs: int | None,
    as_json: bool,
) -> None:
    """Check exported games: chain, signature, legality of every answer, result.  Exit code 0: all hold."""
    trusted = trusted_keys(keys)
    every = [path for one in files for path in (sorted(one.glob("*.jsonl")) if one.is_dir() else [one])]
    if not files and not slips:
        raise click.UsageError(Text("commands.nothing_to_verify").in_words(language()))
    if not every and not slips:
        raise StoreError(
            Text("commands.no_export", files=", ".join(map(str, files))),
        )
    check = partial(verify_file, trusted=trusted, pictures=Pictures(pictures) if pictures else None)
    verdicts = list(_checked(every, check, jobs or os.cpu_count() or 1, quiet=as_json))
    checked = list(zip(every, verdicts, strict=True))
    slip_verdicts = [verify_slip(_slip_text(one), checked, trusted) for one in slips]
    compare(checked)
    verdicts += slip_verdicts
    if as_json:
        click.echo(json.dumps([one.as_json() for one in verdicts], ensure_ascii=False, indent=2))
    else:
        _print_verdicts(verdicts)
    sys.exit(0 if all(one.ok for one in verdicts) else 1)


def _slip_text(given: str) -> str:
    """The text of a slip's code: as given, or as a file has it or shows it."""
    try:
        data = Path(given).read_bytes()
    except (OSError, ValueError):  # no file, or a name that no file can have: it is the text itself
        return given
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _seen_in(data)


def _seen_in(picture: bytes) -> str:
    """The text of the QR code in a picture (JPEG, PNG...); "" where none can be read."""
    import zxingcpp  # what reads pictures takes long to load, and is wanted for this only
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        image = ImageOps.exif_transpose(Image.open(io.BytesIO(picture))).convert("L")
    except (OSError, ValueError, UnidentifiedImageError, Image.DecompressionBombError):
        return ""
    found = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
    return found[0].text if found else ""


def trusted_keys(given: Iterable[str]) -> frozenset[str]:
    """Public keys from the command line, or from files that list some."""
    keys: set[str] = set()
    for one in given:
        words = [one]
        if not _is_key(one):
            try:
                words = Path(one).read_text(encoding="utf-8").split()
            except (OSError, ValueError):
                words = []
        found = {word.lower() for word in words if _is_key(word)}
        if not found:
            raise StoreError(
                Text("commands.not_a_key", one=one),
            )
        keys |= found
    return frozenset(keys)


def _is_key(text: str) -> bool:
    return len(text) == 64 and all(letter in "0123456789abcdefABCDEF" for letter in text)


FileCheck = Callable[[Path], Verdict]


def _checked(files: list[Path], check: FileCheck, jobs: int, quiet: bool) -> Iterable[Verdict]:
    show = sys.stderr.isatty() and not quiet and len(files) > 3
    if jobs == 1 or len(files) < 4:
        verdicts: Iterable[Verdict] = map(check, files)
    else:
        verdicts = _in_processes(files, check, jobs)
    yield from _with_bar(verdicts, len(files), show)


def _in_processes(files: list[Path], check: FileCheck, jobs: int) -> Iterable[Verdict]:
    """Check in several processes.  Where one dies (of memory, say), what is left is checked file by file."""
    done = 0
    try:
        with ProcessPoolExecutor(max_workers=min(jobs, len(files))) as pool:
            for verdict in pool.map(check, files, chunksize=4):
                yield verdict
                done += 1
    except BrokenProcessPool:
        yield from (_alone(path, check) for path in files[done:])


def _alone(path: Path, check: FileCheck) -> Verdict:
    """Check one file in a process of its own, which may die of it."""
    try:
        with ProcessPoolExecutor(max_workers=1) as pool:
            return pool.submit(check, path).result()
    except BrokenProcessPool:
        verdict = Verdict(name_of(path))
        verdict.wrong("unchecked", 0, 0, Text("archive.check_died"))
        return verdict


def _with_bar(verdicts: Iterable[Verdict], count: int, show: bool) -> Iterable[Verdict]:
    if not show:
        yield from verdicts
        return
    with click.progressbar(verdicts, length=count, label="verify", file=sys.stderr) as bar:
        yield from bar


def _print_verdicts(verdicts: list[Verdict]) -> None:
    spoken = language()
    for one in verdicts:
        if one.ok:
            click.echo(Text("commands.file_ok", file=one.file, events=one.events).in_words(spoken))
        for finding in one.findings:
            place = f":{finding.line}" if finding.line else ""
            click.echo(f"{one.file}{place}: {finding.code}: {finding.text.in_words(spoken)}")
        for remark in (*one.told, *one.remarks):
            click.echo(f"    {remark.in_words(spoken)}")
    bad = sum(not one.ok for one in verdicts)
    seconds = sum(one.seconds for one in verdicts)
    click.echo(
        Text("commands.checked", games=len(verdicts), bad=bad, seconds=f"{seconds:.1f}").in_words(spoken)
    )
