"""Do two machines read the same trays alike?  Draws trays, reads them, compares two readings.

Usage: ``arm_readings.py draw FOLDER COUNT``, ``arm_readings.py read FOLDER > one.json``,
``arm_readings.py compare one.json other.json`` (exit code 1 where a face, a count or an answer differs).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

CONFIDENCE = 0.02
"""By so much a confidence may differ: arithmetic in another order."""


def draw(folder: Path, count: int) -> None:
    """Throws of the virtual tray, five in each light, with what was rolled."""
    import cv2

    from vision.throws_bench import Throws

    folder.mkdir(parents=True, exist_ok=True)
    throws, rolls = Throws(77), {}
    for number in range(count):
        _, image, _, roll = throws.throw(number)
        cv2.imwrite(str(folder / f"{number:02d}.png"), image)
        rolls[f"{number:02d}.png"] = roll
    (folder / "rolls.json").write_text(json.dumps(rolls))


def read(folder: Path) -> dict[str, Any]:
    """Picture to status and dice: type, face, pose, confidence, in order of place."""
    import cv2

    from vision.faces.builtin import builtin_faces
    from vision.throws_bench import THROWN
    from vision.trayreader import TrayReader

    reader, found = TrayReader(THROWN, builtin_faces(THROWN)), {}
    for name, roll in json.loads((folder / "rolls.json").read_text()).items():
        reading = reader.read(cv2.imread(str(folder / name)), roll)
        dice = sorted(reading.dice, key=lambda die: [round(v) for point in die.quad for v in point])
        found[name] = {
            "status": reading.status,
            "reasons": sorted(reason.code for reason in reading.reasons),
            "dice": [[die.type, die.face, die.pose, round(die.confidence, 4)] for die in dice],
        }
    return found


def compare(here: dict[str, Any], there: dict[str, Any]) -> int:
    """Print every difference; how many there are."""
    differences = 0
    apart = 0.0
    for name, one in here.items():
        other = there.get(name, {})
        if len(one["dice"]) == len(other.get("dice", [])):
            pairs = list(zip(one["dice"], other["dice"], strict=True))
            apart = max([apart, *(abs(a[3] - b[3]) for a, b in pairs)])
        bare = [{**each, "dice": [die[:3] for die in each.get("dice", [])]} for each in (one, other)]
        if bare[0] != bare[1]:
            differences += 1
            print(f"{name}: {bare[0]} here, {bare[1]} there")
    dice = sum(len(one["dice"]) for one in here.values())
    print(
        f"{len(here)} trays, {dice} dice: {differences} read differently; confidences differ by {apart:.4f}"
    )
    return differences + (apart > CONFIDENCE)


def main() -> int:
    """Draw, read or compare."""
    what, *files = sys.argv[1:]
    if what == "draw":
        draw(Path(files[0]), int(files[1]))
    elif what == "read":
        print(json.dumps(read(Path(files[0]))))
    elif what == "compare":
        return 1 if compare(*(json.loads(Path(file).read_text()) for file in files)) else 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
