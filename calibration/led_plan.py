"""Where each LED goes: a plan of the board in true size, with LEDs numbered in an order short to wire.

The LED of a place lies where its region is widest, so that its light stays inside.  The order is a short path
from region to region; a strip that is wired so needs no mapping, since the plan writes the LED map too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot

import cv2
import numpy as np

from calibration.led_map import Point, area
from calibration.prints import GREY, MARGIN_MM, Sheets
from firmware_bridge.led_map import LedMap
from firmware_bridge.power import PowerPlan, plan
from referee.kernel.board import Board
from referee.kernel.messages import Text

RASTER = 1600  # pixels across the board, for finding the widest spot of a region
UNLIT = "rock"  # kind of places that no rule lights
SLACK_MM = 20.0  # of each wire between two LEDs: two joints, and room to move
A4_MM = (210.0, 297.0)
OVERLAP_MM = 10.0  # of neighbouring sheets
HEAD_MM = 16.0


@dataclass(frozen=True)
class PlannedLed:
    """An LED: its number on the strip, its place, where it lies in millimetres from the board's top left
    corner (None: beside the board), and the wire from the LED before it (mm; None: the maker measures)."""

    number: int
    place: str
    at_mm: Point | None
    wire_mm: float | None


@dataclass(frozen=True)
class LedPlan:
    """All LEDs of a board that is ``width_mm`` x ``height_mm``."""

    width_mm: float
    height_mm: float
    leds: tuple[PlannedLed, ...]

    @property
    def led_map(self) -> LedMap:
        """The map of a strip that is wired as planned."""
        return LedMap({one.place: (one.number,) for one in self.leds}, len(self.leds))

    @property
    def wire_mm(self) -> float:
        """All wires between LEDs on the board."""
        return sum(one.wire_mm or 0.0 for one in self.leds)

    @property
    def power(self) -> PowerPlan:
        """Budget, supply, fuse and wires."""
        return plan(len(self.leds))

    def cut_list(self, names: Mapping[str, str]) -> str:
        """The wires, one a line, as CSV: number, place, position, wire from the LED before (mm)."""
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(["led", "place", "name", "x_mm", "y_mm", "wire_mm"])
        for one in self.leds:
            x, y = (f"{v:.0f}" for v in one.at_mm) if one.at_mm else ("", "")
            wire = f"{one.wire_mm:.0f}" if one.wire_mm is not None else ""
            rows.writerow([one.number, one.place, names.get(one.place, ""), x, y, wire])
        return text.getvalue()


def make_plan(board: Board, beside: Sequence[str], width_mm: float, playable: bool = False) -> LedPlan:
    """The plan of a board printed ``width_mm`` wide.

    ``beside``: what is lit beside the board (tray, seats), at the end of the strip.  With ``playable``
    places that no rule lights (rock, sea) get no LED.
    """
    scale = width_mm / board.width
    spots = {
        key: (x * scale, y * scale)
        for key, (x, y) in widest_spots(board).items()
        if not (playable and board.places[key].kind == UNLIT)
    }
    order = short_path(spots)
    leds = []
    for number, key in enumerate(order):
        wire = hypot(*np.subtract(spots[key], spots[order[number - 1]])) + SLACK_MM if number else None
        leds.append(PlannedLed(number, key, spots[key], wire))
    leds += [PlannedLed(len(order) + k, key, None, None) for k, key in enumerate(beside)]
    return LedPlan(width_mm, board.height * scale, tuple(leds))


def widest_spots(board: Board) -> dict[str, Point]:
    """For each place the point that is farthest from its border, in board units.

    Where outlines overlap, the smaller place has the ground (as in ``calibration.led_map``).
    """
    scale = RASTER / board.width
    owner = np.full((ceil(board.height * scale) + 2, RASTER + 2), -1, np.int32)
    keys = sorted(board.places, key=lambda key: -area(board.places[key].outline))
    for number in range(len(keys)):
        corners = np.round(np.array(board.places[keys[number]].outline) * scale).astype(np.int32) + 1
        cv2.fillPoly(owner, [corners.reshape(-1, 1, 2)], number)
    found = {}
    for number, key in enumerate(keys):
        ground = (owner == number).astype(np.uint8)
        ground[[0, -1]] = ground[:, [0, -1]] = 0
        distance = cv2.distanceTransform(ground, cv2.DIST_L2, 5)
        *_, (column, row) = cv2.minMaxLoc(distance)
        found[key] = ((column - 1) / scale, (row - 1) / scale)
    return found


def short_path(spots: Mapping[str, Point]) -> list[str]:
    """An order of places whose path from first to last is short, from the top left on: a serpentine of rows,
    then stretches turned round as long as that makes the path shorter."""
    if not spots:
        return []
    keys = _serpentine(spots)
    at = np.array([spots[key] for key in keys])
    apart = np.linalg.norm(at[:, None] - at[None], axis=-1)
    path = list(range(len(keys)))
    better = True
    while better:
        better = False
        for i in range(len(path) - 2):
            for j in range(i + 2, len(path)):
                before = apart[path[i], path[i + 1]] + (
                    apart[path[j], path[j + 1]] if j + 1 < len(path) else 0
                )
                after = apart[path[i], path[j]] + (
                    apart[path[i + 1], path[j + 1]] if j + 1 < len(path) else 0
                )
                if after < before - 1e-9:
                    path[i + 1 : j + 1] = path[i + 1 : j + 1][::-1]
                    better = True
    return [keys[k] for k in path]


def _serpentine(spots: Mapping[str, Point]) -> list[str]:
    rows = max(1, round(len(spots) ** 0.5 * 0.8))
    top = min(y for _, y in spots.values())
    step = (max(y for _, y in spots.values()) - top) / rows or 1.0

    def place_of(key: str) -> tuple[int, float]:
        x, y = spots[key]
        row = min(rows - 1, int((y - top) / step))
        return row, -x if row % 2 else x

    return sorted(spots, key=place_of)


# --- on paper -----------------------------------------------------------------------------------------------


def pdf(
    board: Board, led_plan: LedPlan, names: Mapping[str, str], language: str, whole: bool = False
) -> bytes:
    """The plan in true size: on A4 sheets that overlap by 10 mm, or ``whole`` on one; then the cut list."""
    title = Text("calibration.led_plan").in_words(language)
    size = (
        A4_MM
        if not whole
        else (led_plan.width_mm + 2 * MARGIN_MM, led_plan.height_mm + 2 * MARGIN_MM + HEAD_MM)
    )
    doc = Sheets(title, size)
    room = (size[0] - 2 * MARGIN_MM, size[1] - 2 * MARGIN_MM - HEAD_MM)
    columns, rows = (
        max(1, ceil((side - OVERLAP_MM) / (space - OVERLAP_MM)) if side > space + 1e-6 else 1)
        for side, space in zip((led_plan.width_mm, led_plan.height_mm), room, strict=True)
    )
    for row in range(rows):
        for column in range(columns):
            left, top = column * (room[0] - OVERLAP_MM), row * (room[1] - OVERLAP_MM)
            sheet = Text(
                "calibration.sheet_of", title=title, at=f"{row + 1}.{column + 1}", of=f"{rows}.{columns}"
            ).in_words(language)
            doc.add_page()
            doc.words(MARGIN_MM, 8, sheet, 10)
            doc.check_line(MARGIN_MM, 13, language)
            _draw(doc, board, led_plan, (left, top), room)
    _list(doc, led_plan, names, language)
    return bytes(doc.output())


def _draw(doc: Sheets, board: Board, led_plan: LedPlan, corner: Point, room: tuple[float, float]) -> None:
    """One sheet: outlines, wires, LEDs with numbers; nothing outside of the sheet's room."""
    scale = led_plan.width_mm / board.width
    dx, dy = MARGIN_MM - corner[0], MARGIN_MM + HEAD_MM - corner[1]
    with doc.rect_clip(MARGIN_MM, MARGIN_MM + HEAD_MM, *room):
        doc.set_draw_color(GREY)
        doc.set_line_width(0.2)
        for place in board.places.values():
            doc.polygon([(x * scale + dx, y * scale + dy) for x, y in place.outline], style="D")
        doc.rect(dx, dy, led_plan.width_mm, led_plan.height_mm)
        placed = [one for one in led_plan.leds if one.at_mm]
        doc.set_draw_color(200, 60, 40)
        doc.set_line_width(0.4)
        for before, after in pairwise(placed):
            (x1, y1), (x2, y2) = before.at_mm or (0, 0), after.at_mm or (0, 0)
            doc.line(x1 + dx, y1 + dy, x2 + dx, y2 + dy)
        doc.set_draw_color(0)
        doc.set_fill_color(255)
        for one in placed:
            x, y = one.at_mm or (0, 0)
            doc.ellipse(x + dx - 2.5, y + dy - 2.5, 5, 5, style="DF")
            doc.line(x + dx - 1, y + dy, x + dx + 1, y + dy)
            doc.line(x + dx, y + dy - 1, x + dx, y + dy + 1)
            doc.words(x + dx + 3, y + dy + 1.2, str(one.number), 9)
    doc.cut_marks(MARGIN_MM, MARGIN_MM + HEAD_MM, *room)


def _list(doc: Sheets, led_plan: LedPlan, names: Mapping[str, str], language: str) -> None:
    """The cut list in two columns, after what the strip needs."""
    power = led_plan.power
    head = Text(
        "calibration.what_the_strip_needs",
        leds=len(led_plan.leds),
        metres=led_plan.wire_mm / 1000,
        budget_ma=power.budget_ma,
        supply_a=power.supply_a,
        fuse_a=power.fuse_a,
        injections=power.injections,
    ).in_words(language)
    note = Text("calibration.cut_list_note").in_words(language)
    measured = Text("calibration.as_needed").in_words(language)
    lines = []
    for one in led_plan.leds:
        wire = measured if one.wire_mm is None else f"{one.wire_mm:.0f}"
        lines.append(f"{one.number:>3}  {names.get(one.place, one.place)}  {wire}")
    column_rows = 62
    for start in range(0, len(lines), 2 * column_rows):
        doc.add_page(format="A4")
        doc.words(MARGIN_MM, 11, head, 8)
        doc.words(MARGIN_MM, 16, note, 8)
        for k, text in enumerate(lines[start : start + 2 * column_rows]):
            doc.words(MARGIN_MM + 95 * (k // column_rows), 22 + 4.2 * (k % column_rows), text, 8)
