"""The wizard that teaches a die's faces: what to show next, whether a picture will do, what is still
confused.

Pure steps, so that the tablet shows them and tests play them: ``TeachSession.offer`` takes a picture with
one die.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from referee.kernel.dice import DieType
from referee.kernel.messages import Text
from vision.faces.taught import TaughtFaces
from vision.reading import Quad, Reason
from vision.teach import ENOUGH, SelfTest, self_test, single_die
from vision.tray import DEFAULT, TraySpec
from vision.watch import SAME_PLACE_MM

MORE = 3  # further pictures of a face that is confused with another


@dataclass(frozen=True)
class ShotVerdict:
    """Whether a picture was taken, why not in words, and where the die is in it."""

    taken: bool
    text: Text
    quad: Quad | None = None


class TeachSession:
    """Teaches one die type.  Examples go to ``taught`` at once; ``finish`` saves them."""

    def __init__(
        self, die_type: DieType, taught: TaughtFaces, tray: TraySpec = DEFAULT, fresh: bool = True
    ) -> None:
        if die_type.kind != "symbol":
            raise ValueError("dice with pips need no teaching")
        self.die_type = die_type
        self._taught = taught
        self._tray = tray
        self._wanted = dict.fromkeys(die_type.distinct_faces, ENOUGH)
        self._last: dict[str, tuple[float, float]] = {}
        if fresh:
            taught.forget(die_type.id)

    def missing(self) -> dict[str, int]:
        """How many pictures each face still needs; faces that have enough are left out."""
        have = self._taught.faces(self.die_type.id)
        return {f: n - have.get(f, 0) for f, n in self._wanted.items() if have.get(f, 0) < n}

    def next_face(self) -> str | None:
        """The face to show now: all faces in turn, so that light changes reach all of them alike."""
        missing = self.missing()
        return max(missing, key=lambda face: missing[face]) if missing else None

    def offer(self, image: np.ndarray, face: str) -> ShotVerdict:
        """Take a picture (BGR) of one die that shows ``face``; it must lie elsewhere than in the last
        picture."""
        if face not in self._wanted:
            return ShotVerdict(False, Text("calibration.no_such_face", face=face))
        seen = single_die(image, self._tray)
        if isinstance(seen, Reason):
            return ShotVerdict(False, seen.text, seen.quad)
        place = (seen.centre_mm[0], seen.centre_mm[1])
        before = self._last.get(face)
        if before is not None and float(np.hypot(place[0] - before[0], place[1] - before[1])) < SAME_PLACE_MM:
            return ShotVerdict(
                False,
                Text("calibration.die_not_moved"),
                seen.quad,
            )
        self._last[face] = place
        self._taught.add(self.die_type.id, face, seen.crop, seen.body)
        left = self.missing().get(face, 0)
        return ShotVerdict(
            True,
            Text("calibration.taken", left=left) if left else Text("calibration.taken_enough"),
            seen.quad,
        )

    def examine(self) -> SelfTest:
        """Cross-validate; faces that are confused with others are asked for again."""
        result = self_test(self._taught, self.die_type.id, self.die_type.distinct_faces)
        have = self._taught.faces(self.die_type.id)
        for face in result.ask_for_more:
            if have.get(face, 0) >= self._wanted[face]:
                self._wanted[face] = have[face] + MORE
        return result

    def finish(self, path: Path) -> SelfTest:
        """Save, and say what the self-test says."""
        self._taught.save(path)
        return self.examine()
