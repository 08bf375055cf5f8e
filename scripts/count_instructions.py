"""Count the instructions of one reading of 13 dice, for the estimate in ``docs/dice_reader.md``.

    python scripts/count_instructions.py

Runs itself under callgrind (Debian package ``valgrind``) with wide vector units switched off, so that code
runs on 128 bits as on a Raspberry Pi's NEON: once with one reading and once with three.  Half the difference
is one reading, without the interpreter's start and the loading of networks.  Takes some minutes.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2

from vision.bench_tray import THIRTEEN
from vision.faces.builtin import builtin_faces
from vision.throws_bench import THROWN
from vision.trayreader import TrayReader
from vision.virtual.tray import VirtualTray

NARROW = {"OPENCV_CPU_DISABLE": "AVX2,FMA3,AVX,FP16", "OMP_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Nehalem"}
SEED = 2  # of a throw of touching dice, as ``make bench`` times
IPC = (1.2, 1.5)  # instructions a cycle that a Cortex-A72 completes in such code
HERTZ = 1.8e9  # of a Raspberry Pi 4


def read(picture: str, times: int) -> None:
    """What is counted: the reader is made, and reads the picture so many times."""
    cv2.setNumThreads(1)
    reader = TrayReader(THROWN, builtin_faces(THROWN))
    image = cv2.imread(picture)
    for _ in range(times):
        reader.read(image, THIRTEEN)


def counted(picture: Path, times: int) -> int:
    """Instructions of a process that reads the picture so many times."""
    command = [
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
        sys.executable, __file__, "--picture", str(picture), "--times", str(times),
    ]  # fmt: skip
    done = subprocess.run(command, env={**os.environ, **NARROW}, capture_output=True, text=True, check=True)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if found is None:
        raise SystemExit(f"valgrind said no count:\n{done.stderr}")
    return int(found.group(1))


def measured() -> tuple[int, int]:
    """Instructions of a process with one reading of 13 touching dice, and with three.

    Raises FileNotFoundError where valgrind is not installed.
    """
    if shutil.which("valgrind") is None:
        raise FileNotFoundError("valgrind is not installed. Install it with: apt install valgrind")
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "thirteen.png"
        cv2.imwrite(str(picture), VirtualTray(THROWN, seed=SEED).throw(THIRTEEN, 0, "touching"))
        return counted(picture, 1), counted(picture, 3)


def figures() -> dict[str, float]:
    """Figures for ``make bench``.

    - ``dice.read13_instructions``: instructions of one reading of 13 dice on the tray, 128-bit vectors
    """
    once, thrice = measured()
    return {"dice.read13_instructions": (thrice - once) / 2}


def main() -> None:
    """Print the count of one reading and what that means on a Raspberry Pi 4."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--picture", help=argparse.SUPPRESS)
    parser.add_argument("--times", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.picture:
        read(options.picture, options.times)
        return
    try:
        once, thrice = measured()
    except FileNotFoundError as error:
        raise SystemExit(str(error)) from error
    one = (thrice - once) / 2
    slow, quick = (one / (HERTZ * ipc) for ipc in IPC)
    print(
        f"one reading: {one / 1e9:.2f}e9 instructions ({once / 1e9:.2f}e9 once, {thrice / 1e9:.2f}e9 thrice)"
    )
    print(f"one core of a Cortex-A72 at {HERTZ / 1e9} GHz: {quick:.1f} to {slow:.1f} s")


if __name__ == "__main__":
    main()
