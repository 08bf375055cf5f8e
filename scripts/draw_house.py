"""Draw the rooms of the house and which imports which, from the imports: ``docs/pictures/house.svg``.

Usage: ``python scripts/draw_house.py [--check]``.  An arrow that others imply is left out (where A imports
B and B imports C, A -> C is not drawn), so the picture changes only with the house.  ``--check`` writes
nothing and fails where the picture is not up to date.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "house.svg"
PACKAGES = ("referee", "vision", "firmware_bridge", "web", "calibration")
WIDE, HIGH, GAP_X, GAP_Y, EDGE, HEAD = 276, 62, 34, 44, 24, 34
PAPER, INK, ROOM, LINE = "#faf7f0", "#23303b", "#ffffff", "#7a6a4f"
FONT = "Atkinson Hyperlegible, DejaVu Sans, Verdana, sans-serif"

Arrow = tuple[str, str]


def room_of(module: str) -> str:
    """The room in which a module lives; "" for what belongs to none (``referee`` itself, ``referee.cli``)."""
    first, *rest = module.split(".")
    if first != "referee":
        return first
    if not rest or rest[0] == "cli":
        return ""
    if rest[0] == "games":
        return f"games/{rest[1]}" if len(rest) > 1 else ""
    return rest[0]


def arrows() -> set[Arrow]:
    """(room, room that it imports), from every import of the code."""
    graph = grimp.build_graph(*PACKAGES)
    found = {
        (room_of(module), room_of(other))
        for module in graph.modules
        for other in graph.find_modules_directly_imported_by(module)
    }
    return {(a, b) for a, b in found if a and b and a != b}


def _below(room: str, drawn: Iterable[Arrow]) -> set[str]:
    seen: set[str] = set()
    open_ends = [room]
    while open_ends:
        here = open_ends.pop()
        for a, b in drawn:
            if a == here and b not in seen:
                seen.add(b)
                open_ends.append(b)
    return seen


def needed(every: set[Arrow]) -> list[Arrow]:
    """The arrows that no others imply.  Raises ValueError where rooms import each other in a circle."""
    for room in {a for a, _ in every}:
        if room in _below(room, every):
            raise ValueError(f"{room} imports itself in a circle")
    return sorted(arrow for arrow in every if arrow[1] not in _below(arrow[0], every - {arrow}))


def floors(drawn: Iterable[Arrow]) -> dict[str, int]:
    """The floor of each room: 0 imports nothing, every other stands above all that it imports."""
    drawn = list(drawn)
    floor = dict.fromkeys({room for arrow in drawn for room in arrow}, 0)
    for _ in floor:
        for a, b in drawn:
            floor[a] = max(floor[a], floor[b] + 1)
    return floor


def caption(room: str) -> str:
    """What lives in a room, from the first line of its docstring."""
    folder = ROOT / ("" if room in PACKAGES else "referee") / room
    said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    first = said.partition("\n")[0].rstrip(".")
    return first.partition(": ")[2] or first


def _lines(text: str, letters: int = 42, most: int = 2) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= letters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1] + " ..."]
    return lines


COLUMNS = {
    "serving": 0.0, "calibration": 0.0, "firmware_bridge": 0.0, "commands": 1.0, "web": 1.0, "config": 1.0,
    "vision": 1.0, "archive": 2.0, "hall": 2.0, "store": 2.0, "journal": 2.0, "kernel": 2.6, "drawing": 3.0,
    "games/kit": 3.5,
}  # fmt: skip
"""Where a room is drawn, so that few arrows pass below another; games stand on the right."""


def _columns(floor: Iterable[str]) -> dict[str, float]:
    games = sorted(room for room in floor if room not in COLUMNS)
    return {room: COLUMNS[room] for room in floor if room in COLUMNS} | {
        room: 3.0 + n for n, room in enumerate(games)
    }


def _box(room: str, x: float, y: float) -> str:
    said = "".join(
        f'<text x="{x + 12:g}" y="{y + 37 + 14 * n:g}" font-size="11.5" fill="{INK}">{escape(line)}</text>'
        for n, line in enumerate(_lines(caption(room)))
    )
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{WIDE}" height="{HIGH}" rx="8" fill="{ROOM}" stroke="{LINE}"/>'
        f'<text x="{x + 12:g}" y="{y + 20:g}" font-size="15" font-weight="bold" fill="{INK}">'
        f"{escape(room)}/</text>{said}"
    )


def svg(every: set[Arrow]) -> str:
    """The picture."""
    drawn = needed(every)
    floor = floors(drawn)
    floor |= {room: floor["archive"] for room in ("drawing",) if "archive" in floor}
    columns = _columns(floor)
    width = 2 * EDGE + (max(columns.values()) + 1) * (WIDE + GAP_X) - GAP_X
    height = HEAD + 2 * EDGE + (max(floor.values()) + 1) * (HIGH + GAP_Y) - GAP_Y
    at = {
        room: (EDGE + columns[room] * (WIDE + GAP_X), height - EDGE - HIGH - floor[room] * (HIGH + GAP_Y))
        for room in floor
    }
    lines = []
    for a, b in drawn:
        (ax, ay), (bx, by) = at[a], at[b]
        x1, y1, x2, y2 = ax + WIDE / 2, ay + HIGH, bx + WIDE / 2, by - 3
        first, last = f"{x1:g} {y1:g}", f"{x2:g} {y2:g}"
        bends = f"{x1:g} {(y1 + y2) / 2:g} {x2:g} {(y1 + y2) / 2:g}"
        lines.append(
            f'<path d="M {first} C {bends} {last}" fill="none" stroke="{LINE}" stroke-width="1.6" '
            'marker-end="url(#head)"/>'
        )
    boxes = [_box(room, *at[room]) for room in sorted(at)]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="{FONT}" '
            'role="img">',
            "<title>The rooms of the house: an arrow leads from a room to one that it imports</title>",
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="{LINE}"/></marker></defs>',
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
            f'<text x="{EDGE}" y="{EDGE + 8}" font-size="14" fill="{INK}">'
            "An arrow leads from a room to one that it imports; those that others imply are left out.</text>",
            *lines,
            *boxes,
            "</svg>",
            "",
        )
    )


def main() -> None:
    """Write the picture, or only look whether it is up to date."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the picture is old")
    picture = svg(arrows())
    if not parser.parse_args().check:
        PICTURE.write_text(picture, encoding="utf-8")
    elif PICTURE.read_text(encoding="utf-8") != picture:
        sys.exit("docs/pictures/house.svg is not up to date: python scripts/draw_house.py")


if __name__ == "__main__":
    main()
