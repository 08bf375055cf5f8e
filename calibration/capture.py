"""A board is captured: a photograph, what was found in it, and what its owner put right, step by step.

Everything is a fold: the photograph and the list of steps give the same drawing again, so that a capture goes
on after a restart, and a step is taken back by leaving it out.  Nothing leaves the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.kernel.capturing import (
    AREA,
    EACH_GROUP,
    POINT,
    UNIT,
    CaptureForm,
    Drawing,
    DrawnArea,
    DrawnPoint,
    Mark,
    Point,
    Trouble,
    reached,
)
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text
from vision.boards import mending
from vision.boards.areas import ROCK, Areas, find_areas
from vision.boards.contacts import difference
from vision.boards.lines import WORK
from vision.boards.squaring import Corners, propose_corners, squared

FLAT = 900
"""Pixels of the side of a squared picture."""
MOST_STEPS = 600
MOST_PATH = 200
NAME_LENGTH = 40
GROUP_DOUBT = 0.62
"""A colour is doubtful whose nearest group is not so much nearer than the next (ratio of both distances)."""
Step = Mapping[str, Any]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a person should look at: areas, and where (shares of the width)."""

    kind: str
    """``touch``, ``one`` (perhaps one area), ``area`` (perhaps two, or none), ``stone`` (perhaps an area),
    ``group``."""
    areas: tuple[int, ...]
    at: Point


@dataclass(slots=True)
class _Told:
    """What the owner said besides where areas lie."""

    touch: dict[Pair, bool] = field(default_factory=dict)
    sure: set[tuple[int, ...]] = field(default_factory=set)
    groups: dict[int, str] = field(default_factory=dict)
    marks: dict[int, set[str]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    points: list[tuple[str, str, Point, dict[int, bool]]] = field(default_factory=list)
    numbers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    stones: set[int] = field(default_factory=set)


class BoardCapture:
    """One capture.  ``steps`` are plain data; a step that cannot be is refused and not kept."""

    def __init__(self, form: CaptureForm, photo: NDArray[np.uint8], steps: Sequence[Step] = ()) -> None:
        self.form, self.photo = form, photo
        self.steps: list[Step] = []
        self.corners: Corners = propose_corners(photo)
        self._told = _Told()
        self._areas: Areas | None = None
        self._middles: tuple[Areas | None, dict[int, Point]] = (None, {})
        """Points inside areas, as long as those stay."""
        self._flat: NDArray[np.uint8] | None = None
        for step in steps:
            self.do(step)

    # what there is

    @property
    def flat(self) -> NDArray[np.uint8]:
        """The squared picture."""
        if self._flat is None:
            try:
                self._flat = squared(self.photo, self.corners, FLAT)
            except ValueError as error:
                raise _cannot(Text("calibration.capture_corners")) from error
        return self._flat

    @property
    def areas(self) -> Areas:
        """The areas as they stand now."""
        if self._areas is None:
            self._areas = find_areas(self.flat)
        return self._areas

    def joins(self) -> frozenset[Pair]:
        """What touches what: as found, and as told otherwise."""
        there = set(self.areas.numbers)
        told = {pair for pair, yes in self._told.touch.items() if yes and set(pair) <= there}
        return frozenset((self.areas.joins - {p for p, yes in self._told.touch.items() if not yes}) | told)

    def group_of(self, area: int) -> str:
        """The group of an area: as told, or that of the nearest colour once each group was told one."""
        near = self._nearest(area)
        return near[0][1] if near else ""

    def groups_left(self) -> list[str]:
        """The groups of which no area was told yet."""
        there = {group for area, group in self._told.groups.items() if area in self.areas.colours}
        return [group for group in self.form.groups if group not in there]

    def _nearest(self, area: int) -> list[tuple[float, str]]:
        """The groups that were told, by how near their colours come to that of an area."""
        own = self._told.groups.get(area)
        if own is not None:
            return [(0.0, own)]
        if self.groups_left():
            return []  # with fewer colours than there are, areas would bear the names of others
        best: dict[str, float] = {}
        for other, group in self._told.groups.items():
            if other in self.areas.colours:
                far = difference(self.areas.colours[area], self.areas.colours[other])
                best[group] = min(far, best.get(group, far))
        return sorted((far, group) for group, far in best.items())

    def doubts(self) -> list[Doubt]:
        """What is doubtful still, from the top of the board down."""
        areas, told = self.areas, self._told
        found = []
        for area in areas.doubts:
            if (area,) not in told.sure:
                found.append(Doubt("area", (area,), self.middle(area)))
        for piece in areas.stones - told.stones:
            mask = (areas.ground.pieces == piece) & (areas.labels == ROCK)
            if mask.any():
                found.append(Doubt("stone", (), _inside(mask)))
        for pair in areas.perhaps_one:
            if pair not in told.sure:
                a, b = (self.middle(one) for one in pair)
                found.append(Doubt("one", pair, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)))
        for pair, contact in areas.contacts.items():
            if contact.doubtful and pair not in told.touch:
                found.append(Doubt("touch", pair, contact.at))
        for area in areas.numbers:
            near = self._nearest(area)
            if len(near) > 1 and near[0][0] > GROUP_DOUBT * near[1][0]:
                found.append(Doubt("group", (area,), self.middle(area)))
        return sorted(found, key=lambda one: (one.at[1], one.at[0], one.kind))

    def middle(self, area: int) -> Point:
        """A point well inside an area, shares of the width."""
        if self._middles[0] is not self.areas:
            self._middles = (self.areas, {})
        known = self._middles[1]
        if area not in known:
            known[area] = _inside(self.areas.labels == area)
        return known[area]

    def outline(self, area: int) -> tuple[Point, ...]:
        """An area's outline in a square of UNIT: that of its largest part."""
        mask = (self.areas.labels == area).astype(np.uint8)
        contours = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
        largest = max(contours, key=len)
        simple = cv2.approxPolyDP(largest, 1.3, True).reshape(-1, 2)
        scale = UNIT / (WORK - 1)
        return tuple((round(float(x) * scale, 1), round(float(y) * scale, 1)) for x, y in simple)

    def drawing(self) -> Drawing:
        """All that is known now, in a square of UNIT."""
        told = self._told
        areas = {
            _key(area): DrawnArea(
                self.group_of(area),
                tuple(sorted(told.marks.get(area, ()))),
                told.names.get(area, ""),
                self.outline(area),
                _scaled(self.middle(area)),
            )
            for area in self.areas.numbers
        }
        points = tuple(
            DrawnPoint(mark, value, _scaled(at), tuple(_key(one) for one in self._beside(number)))
            for number, (mark, value, at, _) in enumerate(told.points)
        )
        joins = tuple((_key(a), _key(b)) for a, b in sorted(self.joins()))
        return Drawing(areas, joins, points, dict(told.numbers))

    def _beside(self, number: int) -> list[int]:
        """The areas beside a point: those within its mark's reach, and as told otherwise."""
        mark, _, at, told = self._told.points[number]
        kind = self.form.mark(mark)
        reach = (kind.reach if kind else 0.0) / UNIT * WORK
        if kind is None or kind.where != POINT:
            return []
        y, x = np.mgrid[:WORK, :WORK]
        near = np.hypot(x - at[0] * (WORK - 1), y - at[1] * (WORK - 1)) <= reach
        numbers, counts = np.unique(self.areas.labels[near], return_counts=True)
        least = 0.04 * float(near.sum())
        found = {int(one) for one, count in zip(numbers, counts, strict=True) if one and count >= least}
        found |= {area for area, yes in told.items() if yes and area in self.areas.colours}
        return sorted(found - {area for area, yes in told.items() if not yes})

    def troubles(self, game: Any) -> list[Trouble]:
        """What keeps the capture from being complete: what any board must have, and what the game says."""
        drawing = self.drawing()
        found = (
            [Trouble(Text("calibration.capture_doubts", count=len(self.doubts())))] if self.doubts() else []
        )
        loose = [key for key, one in drawing.areas.items() if not one.group]
        if loose and (left := self.groups_left()):
            found.append(Trouble(Text("calibration.capture_groups_left", count=len(left)), tuple(loose)))
        elif loose:
            found.append(Trouble(Text("calibration.capture_no_group", count=len(loose)), tuple(loose)))
        if drawing.areas:
            first = next(iter(drawing.areas))
            apart = sorted(set(drawing.areas) - reached(drawing.joins, first))
            if apart:
                found.append(Trouble(Text("calibration.capture_apart", count=len(apart)), tuple(apart)))
        slivers = [
            _key(area) for area in self.areas.numbers if (self.areas.labels == area).sum() < 0.004 * WORK**2
        ]
        if slivers:
            found.append(Trouble(Text("calibration.capture_slivers", count=len(slivers)), tuple(slivers)))
        return found + list(game.capture_troubles(self.form.id, drawing))

    # what the owner does

    def do(self, step: Step) -> None:
        """Take one step.  Raises :class:`InvalidAnswer` where it cannot be taken; nothing changes then."""
        if len(self.steps) >= MOST_STEPS:
            raise _cannot(Text("calibration.capture_too_many"))
        what = step.get("do")
        if not isinstance(what, str) or what not in STEPS:
            raise _cannot(Text("calibration.capture_no_such_step", step=str(what)[:40]))
        try:
            STEPS[what](self, step)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise _cannot(Text("calibration.capture_step_wrong")) from error
        self.steps.append(dict(step))

    def back(self) -> BoardCapture:
        """The capture without its last step."""
        return BoardCapture(self.form, self.photo, self.steps[:-1])

    def _corners(self, step: Step) -> None:
        if any(one["do"] != "corners" for one in self.steps):
            raise _cannot(Text("calibration.capture_corners_late"))
        height, width = self.photo.shape[:2]
        found = tuple((_share(x) * width, _share(y) * height) for x, y in step["corners"])
        squared(self.photo, found, 16)
        self.corners, self._areas, self._flat = found, None, None

    def _merge(self, step: Step) -> None:
        a, b = self._area(step["areas"][0]), self._area(step["areas"][1])
        if a == b:
            raise ValueError("one area")
        self._areas = mending.joined(self.areas, a, b)

    def _split(self, step: Step) -> None:
        first, second = (_point(one) for one in step["points"])
        self._areas = mending.split(self.areas, self._area(step["area"]), first, second)

    def _paint(self, step: Step) -> None:
        path = [_point(one) for one in step["path"]][:MOST_PATH]
        self._areas = mending.painted(self.areas, self._area(step["area"]), path)

    def _rock(self, step: Step) -> None:
        self._areas = mending.taken_out(self.areas, self._area(step["area"]))

    def _put_in(self, step: Step) -> None:
        self._areas = mending.put_in(self.areas, _point(step["at"]))

    def _stone(self, step: Step) -> None:
        x, y = (round(one * (WORK - 1)) for one in _point(step["at"]))
        if self.areas.labels[y, x] != ROCK:
            raise ValueError("an area lies there")
        self._told.stones.add(int(self.areas.ground.pieces[y, x]))

    def _touch(self, step: Step) -> None:
        a, b = sorted(self._area(one) for one in step["areas"])
        if a == b or not isinstance(step["joined"], bool):
            raise ValueError("two areas, joined or not")
        self._told.touch[a, b] = step["joined"]

    def _sure(self, step: Step) -> None:
        self._told.sure.add(tuple(sorted(self._area(one) for one in step["areas"])))

    def _group(self, step: Step) -> None:
        if step["group"] not in self.form.groups:
            raise ValueError("no such group")
        self._told.groups[self._area(step["area"])] = step["group"]

    def _mark(self, step: Step) -> None:
        self._kind(step["mark"], AREA)
        self._told.marks.setdefault(self._area(step["area"]), set()).symmetric_difference_update(
            {step["mark"]}
        )

    def _place(self, step: Step) -> None:
        kind = self._kind(step["mark"], POINT, EACH_GROUP)
        allowed = self.form.groups if kind.where == EACH_GROUP else kind.values or ("",)
        if step["value"] not in allowed:
            raise ValueError("no such value")
        point = _point(step["at"])
        if kind.where == EACH_GROUP:
            self._told.points = [one for one in self._told.points if one[:2] != (kind.id, step["value"])]
        self._told.points.append((kind.id, step["value"], point, {}))

    def _lift(self, step: Step) -> None:
        del self._told.points[_index(step["point"], len(self._told.points))]

    def _beside_step(self, step: Step) -> None:
        number, area = _index(step["point"], len(self._told.points)), self._area(step["area"])
        self._told.points[number][3][area] = area not in self._beside(number)

    def _name(self, step: Step) -> None:
        name = step["name"]
        if not isinstance(name, str):
            raise ValueError("no name")
        self._told.names[self._area(step["area"])] = "".join(c for c in name if c.isprintable()).strip()[
            :NAME_LENGTH
        ]

    def _numbers(self, step: Step) -> None:
        if step["id"] not in self.form.numbers:
            raise ValueError("no such numbers")
        values = tuple(step["values"])
        if len(values) > 40 or not all(isinstance(one, int) and 0 <= one < 100 for one in values):
            raise ValueError("small whole numbers")
        self._told.numbers[step["id"]] = values

    def _area(self, raw: Any) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int) or raw not in self.areas.colours:
            raise ValueError(f"no area {raw!s:.20}")
        return raw

    def _kind(self, mark: Any, *where: str) -> Mark:
        kind = self.form.mark(mark)
        if kind is None or kind.where not in where:
            raise ValueError("no such mark")
        return kind


STEPS = {
    "corners": BoardCapture._corners,
    "merge": BoardCapture._merge,
    "split": BoardCapture._split,
    "paint": BoardCapture._paint,
    "rock": BoardCapture._rock,
    "area": BoardCapture._put_in,
    "stone": BoardCapture._stone,
    "touch": BoardCapture._touch,
    "sure": BoardCapture._sure,
    "group": BoardCapture._group,
    "mark": BoardCapture._mark,
    "place": BoardCapture._place,
    "lift": BoardCapture._lift,
    "beside": BoardCapture._beside_step,
    "name": BoardCapture._name,
    "numbers": BoardCapture._numbers,
}
"""What a step's ``do`` may be."""


def _inside(mask: NDArray[np.bool_]) -> Point:
    far = cv2.distanceTransform(np.pad(mask.astype(np.uint8), 1), cv2.DIST_L2, 5)
    y, x = np.unravel_index(int(np.argmax(far)), far.shape)
    return (float(x) - 1) / (WORK - 1), (float(y) - 1) / (WORK - 1)


def _cannot(text: Text) -> InvalidAnswer:
    return InvalidAnswer(text)


def _share(raw: Any) -> float:
    value = float(raw)
    if not 0.0 <= value <= 1.0:
        raise ValueError("outside the picture")
    return value


def _point(raw: Any) -> Point:
    x, y = raw
    return _share(x), _share(y)


def _index(raw: Any, count: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw < count:
        raise ValueError("no such point")
    return raw


def _key(area: int) -> str:
    return f"a{area}"


def _scaled(point: Point) -> Point:
    return round(point[0] * UNIT, 1), round(point[1] * UNIT, 1)
