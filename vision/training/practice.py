"""The photographs that the pip reader was trained and measured on, and the way from them to its networks.

    python -m vision.training.practice check FOLDER
    python -m vision.training.practice train FOLDER WORK [--leave-out COLLECTION] [--minutes 15] [--dry-run]

``photographs.csv`` beside this module is the manifest: file, repository, path and commit of each photograph,
its licence, and what it shows.  ``check`` names what is missing in the folder or has another size, with where
it comes from.  ``train`` runs every step with what lies there and the licences allow, and measures the
committed networks and the new ones on all of it.  Photographs are not part of the project.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from vision.bench import load_labels, measure, report
from vision.training.calibrate import reader_of

MANIFEST = Path(__file__).with_name("photographs.csv")
LABELS = "labels.csv"


def entries() -> list[dict[str, str]]:
    """The rows of the manifest."""
    with MANIFEST.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lacking(folder: Path) -> Iterator[str]:
    """A sentence for each photograph that is missing in a folder, or is another one."""
    for row in entries():
        path = folder / row["file"]
        comes_from = f"{row['source_repo']} at {row['commit'][:12]}: {row['path']} ({row['licence']})"
        if not path.is_file():
            yield f"{row['file']} is missing; it comes from {comes_from}"
            continue
        try:
            with Image.open(path) as picture:
                size = picture.size
        except (UnidentifiedImageError, OSError):
            yield f"{row['file']} is no picture; it comes from {comes_from}"
            continue
        if sorted(size) != sorted((int(row["width"]), int(row["height"]))):  # it may be turned by its EXIF
            yield f"{row['file']} has {size[0]} x {size[1]} pixels, not {row['width']} x {row['height']}"


def lay_out(folder: Path) -> Path:
    """Write the labels of the photographs that lie in a folder into it, unless it has some; returns where."""
    labels = folder / LABELS
    if not labels.exists():
        rows = [row for row in entries() if (folder / row["file"]).is_file()]
        with labels.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(entries()[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return labels


def steps(labels: Path, work: Path, minutes: float, left_out: list[str]) -> list[list[str]]:
    """The commands from photographs to networks, each a list of words after ``python -m``."""
    without = [word for one in left_out for word in ("--leave-out", one)]
    scenes, start, boxes = str(work / "scenes"), str(work / "start"), str(work / "pseudo.json")
    photographs = ["--labels", str(labels), "--pseudo", boxes]
    detector, negatives = f"{start}/detector.onnx", str(work / "negatives.json")
    patches, faces, time = str(work / "patches"), str(work / "faces"), ["--minutes", str(minutes)]
    room = "vision.training"
    return [
        [f"{room}.scenes", scenes, "--count", "5000", "--seed", "1"],
        [f"{room}.train", "--synthetic", scenes, "--out", f"{start}.pt", *time],
        [f"{room}.export", "--detector", f"{start}.pt", start],
        [f"{room}.pseudo", detector, "--labels", str(labels), "--out", boxes],
        [f"{room}.train", "--synthetic", scenes, *photographs, *without, "--start", f"{start}.pt",
         "--out", str(work / "detector.pt"), *time],
        [f"{room}.negatives", detector, "--synthetic", scenes, *photographs, "--out", negatives],
        [f"{room}.patches", patches, "--synthetic", scenes, *photographs, "--negatives", negatives],
        [f"{room}.train_faces", patches, "--out", f"{faces}_drawn", *time, "--share", "0"],
        [f"{room}.train_faces", patches, "--out", faces, "--start", f"{faces}_drawn", *time, *without],
        [f"{room}.export", "--detector", str(work / "detector.pt"), "--near", f"{faces}_near.pt",
         "--wide", f"{faces}_wide.pt", str(work / "networks")],
    ]  # fmt: skip


def measured(labels: Path, networks: Path | None = None) -> str:
    """The figures of the committed networks on all photographs, or of those in a folder."""
    return report(
        measure(load_labels(labels), labels.parent, None if networks is None else reader_of(networks))
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=("check", "train"))
    parser.add_argument("folder", type=Path, help="photographs, laid out as the manifest names them")
    parser.add_argument("work", type=Path, nargs="?", help="where scenes, weights and networks go")
    parser.add_argument("--minutes", type=float, default=15, help="of the processor, for each training")
    parser.add_argument("--leave-out", action="append", default=[], help="a collection not to be learnt")
    parser.add_argument("--dry-run", action="store_true", help="print the commands only")
    args = parser.parse_args()
    missing = list(lacking(args.folder))
    print("\n".join(missing) or f"{args.folder} holds all {len(entries())} photographs.")
    if args.step == "check":
        raise SystemExit(bool(missing))
    if args.work is None:
        parser.error("name a folder for scenes, weights and networks, too")
    labels = lay_out(args.folder)
    for words in steps(labels, args.work, args.minutes, args.leave_out):
        print("python -m", *words, flush=True)
        if not args.dry_run:
            args.work.mkdir(parents=True, exist_ok=True)
            subprocess.run([sys.executable, "-m", *words], check=True)
    if not args.dry_run:
        print("the committed networks:", measured(labels), sep="\n")
        print("the new ones:", measured(labels, args.work / "networks"), sep="\n")


if __name__ == "__main__":
    main()
