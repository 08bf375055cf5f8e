"""Who captures a drawn board in tests: knows what is true of it, and counts taps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.capture import BoardCapture, Doubt
from referee.games.mountain_king.box.components import CLANS
from referee.kernel.capturing import CaptureForm, Point
from vision.boards.mending import area_at
from vision.virtual.area_boards import SIZE, DrawnBoard


@dataclass
class Owner:
    """Taps like a person: chooses a tool, then places; looks at each doubtful spot."""

    board: DrawnBoard
    form: CaptureForm
    photo: NDArray[np.uint8]
    taps: int = 0
    tool: str = ""
    capture: BoardCapture = field(init=False)

    def __post_init__(self) -> None:
        self.capture = BoardCapture(self.form, self.photo)

    def do(self, tool: str, taps: int, **step: Any) -> None:
        """One step; changing the tool is a tap of its own."""
        self.taps += taps + (tool != self.tool)
        self.tool = tool
        self.capture.do(step)

    def at(self, area: int) -> int:
        """The found area where a true one has its middle."""
        x, y = self.board.middles[area]
        return area_at(self.capture.areas, (x / SIZE, y / SIZE))

    def true(self, found: int) -> int:
        """The true area where a found one has its middle, -1 for rock."""
        x, y = self.capture.middle(found)
        return int(self.board.areas[round(y * (SIZE - 1)), round(x * (SIZE - 1))])

    def look_at_doubts(self) -> None:
        """Says of each doubtful spot whether it is well, and mends what is not."""
        for _ in range(200):
            doubt = next((one for one in self.capture.doubts() if one.kind != "group"), None)
            if doubt is None:
                return
            self._settle(doubt)

    def _settle(self, doubt: Doubt) -> None:
        true = [self.true(one) for one in doubt.areas]
        areas = list(doubt.areas)
        if doubt.kind == "stone":
            x, y = doubt.at
            rock = self.board.areas[round(y * (SIZE - 1)), round(x * (SIZE - 1))] < 0
            self.do("doubts", 1, do="stone" if rock else "area", at=[x, y])
        elif doubt.kind == "touch":
            self.do("doubts", 1, do="touch", areas=areas, joined=tuple(sorted(true)) in self.board.joins)
        elif doubt.kind == "one" and true[0] == true[1] != -1:
            self.do("doubts", 1, do="merge", areas=areas)
        elif doubt.kind == "area" and true[0] == -1:
            self.do("doubts", 1, do="rock", area=areas[0])
        elif doubt.kind == "area" and len(inside := self._inside(areas[0])) > 1:
            points = [
                (self.board.middles[one][0] / SIZE, self.board.middles[one][1] / SIZE) for one in inside[:2]
            ]
            self.do("doubts", 3, do="split", area=areas[0], points=points)
        else:
            self.do("doubts", 1, do="sure", areas=areas)

    def _inside(self, found: int) -> list[int]:
        return [true for true in range(len(self.board.middles)) if self.at(true) == found]

    def tell_groups(self, names: Sequence[str]) -> None:
        """Names one area of each group, then those that were taken for another's."""
        for _ in range(60):
            wrong = [
                area
                for area in range(len(self.board.middles))
                if self.capture.group_of(self.at(area)) != names[self.board.groups[area]]
            ]
            loose = [one for one in self.capture.doubts() if one.kind == "group"]
            if not wrong and not loose:
                return
            left = self.capture.groups_left()
            fresh = [area for area in wrong if names[self.board.groups[area]] in left]
            area = (fresh or wrong or [self.true(one.areas[0]) for one in loose])[0]
            group = names[self.board.groups[area]]
            self.do(f"group {group}", 1, do="group", area=self.at(area), group=group)

    def mark_gates(self) -> None:
        """The caverns of each domain that lie farthest out are gates."""
        for group in sorted(set(self.board.groups)):
            own = [area for area in range(len(self.board.groups)) if self.board.groups[area] == group]
            far = max(own, key=lambda area: self._edge(self.at(area)))
            self.do("gate", 1, do="mark", area=self.at(far), mark="gate")

    def _edge(self, found: int) -> float:
        return max(max(abs(x - 500), abs(y - 500)) for x, y in self.capture.outline(found))

    def place(self, mark: str, value: str, at: Point, taps: int = 1) -> None:
        """Taps a point."""
        self.do(f"{mark} {value}", taps, do="place", mark=mark, value=value, at=at)

    def middles_of_borders(self, count: int) -> list[Point]:
        """Points between areas that touch, spread over the board."""
        found = []
        for a, b in sorted(self.board.joins)[:: max(1, len(self.board.joins) // count)][:count]:
            (ax, ay), (bx, by) = self.board.middles[a], self.board.middles[b]
            found.append(((ax + bx) / 2 / SIZE, (ay + by) / 2 / SIZE))
        return found

    def capture_a_mountain(self, players: Sequence[int] = (4, 5)) -> None:
        """All that a board side of the game for so many players wants to know."""
        self.look_at_doubts()
        self.tell_groups(CLANS)
        self.mark_gates()
        between = self.middles_of_borders(12)
        for number in range(5):
            for at in (between[number], between[11 - number]):
                self.place("lair", "abcdefgh"[number], at)
        for at in self.middles_of_borders(7):
            self.place("hall", "", at)
        for clan, name in enumerate(CLANS):
            own = [m for m, group in zip(self.board.middles, self.board.groups, strict=True) if group == clan]
            x, y = (sum(one[axis] for one in own) / len(own) / SIZE - 0.5 for axis in (0, 1))
            away = math.hypot(x, y)
            # the next group is offered by itself once one is placed
            self.place("swarm", name, (0.5 + 0.46 * x / away, 0.5 + 0.46 * y / away), 1 - (clan > 0))
        self.do("numbers", 3, do="numbers", id="players", values=[*players])

    def joins(self) -> set[tuple[int, int]]:
        """What the capture says touches, in true areas."""
        pairs = [sorted((self.true(a), self.true(b))) for a, b in self.capture.joins()]
        return {(a, b) for a, b in pairs}
