"""A position as a picture: the game's board and view as one SVG, for paper, mail and reports.

Knows no game: it draws :meth:`Game.board` and what :meth:`Game.view` puts on each
place.  Sides differ in shape as well as colour, terrain in letter as well as tint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from referee.kernel.board import Board, Line, Place, Point
from referee.kernel.play import Game

TERRAIN = {
    "mountain": "#c9bfb3",
    "hill": "#dccfa4",
    "plain": "#e4e7c3",
    "swamp": "#bcd0b6",
    "ruins": "#d9c3b8",
    "forest": "#b9cfa0",
    "water": "#a9c4d6",
}
LINES = {
    "coast": ("#4a90c2", 3, ""),
    "border": ("#ffffff", 3, ""),
    "slope": ("#8a6d4b", 4, "10 6"),
    "wall": ("#222222", 6, ""),
    "river": ("#4a90c2", 9, ""),
    "ford": ("#fff3b0", 12, "7 5"),
    "pass": ("#a03030", 4, "4 6"),
}
SEAT_COLOURS = ("#1c4f9c", "#9c1c1c", "#2e7d32", "#6a1b9a")
TAG_SIGNS = {
    "settlement": "⌂",
    "fortification": "▣",
    "mustering": "⚑",
    "stronghold": "♜",
    "city": "⌂",
    "town": "∘",
}
MARKER_SIGNS = {"damage": "✖", "leadership": "★", "control": "⚑", "token": "▢"}


def draw(game: Game[Any], state: Any, language: str) -> str:
    """The position as an SVG document (text).  Games without a board give a list of their places."""
    board = getattr(game, "board", None)
    view = game.view(state, None, language)
    if board is None:
        return _document(900, 700, _listing(view["places"]))
    drawn: Board = board()
    parts = [_ground(place) for place in drawn.places.values()]
    parts += [_line(line) for line in sorted(drawn.lines, key=lambda line: list(LINES).index(line.kind))]
    parts += [_name(place, language, drawn.width) for place in drawn.places.values() if _is_named(place)]
    seats = list(game.seats)
    for place_id, there in view["places"].items():
        place = drawn.places.get(place_id)
        if place is not None:
            parts.append(_pieces(place, there, seats))
    return _document(drawn.width, drawn.height, parts)


def _is_named(place: Place) -> bool:
    """Boxes for a besieged garrison stand beside their stronghold's name and need none of their own."""
    return place.kind != "rock" and "siege" not in place.tags


def _document(width: float, height: float, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif">\n'
        f'<rect width="{width:g}" height="{height:g}" fill="#f5f1e6"/>\n{body}\n</svg>\n'
    )


def _path(points: Sequence[Point], close: bool) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + ("Z" if close else "")


def _ground(place: Place) -> str:
    fill = TERRAIN.get(place.terrain, "#e8e0cf")
    if place.kind == "rock" and place.terrain != "water":
        fill = "#6b6259"
    if place.kind == "box":
        fill = "#e3b7b0"
    stroke = fill if place.kind == "rock" else "#b8b09c"
    return f'<path d="{_path(place.outline, True)}" fill="{fill}" stroke="{stroke}" stroke-width="1"/>'


def _line(line: Line) -> str:
    colour, width, dashes = LINES.get(line.kind, ("#888888", 2, ""))
    if len(line.points) == 1:  # a crossing: one point on the river
        x, y = line.points[0]
        return f'<circle cx="{x:g}" cy="{y:g}" r="13" fill="{colour}" stroke="#4a90c2" stroke-width="4"/>'
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path d="{_path(line.points, False)}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>'
    )


def _name(place: Place, language: str, width: float) -> str:
    """The place's name in one or two lines above its label point, kept inside the picture."""
    name = place.name_de if language == "de" else place.name_en
    signs = "".join(TAG_SIGNS.get(tag, "") for tag in place.tags)
    rows = _rows(f"{signs} {name}".strip())
    half = max(map(len, rows)) * 4 + 6
    x, y = min(max(place.label[0], half), width - half), place.label[1]
    return "".join(
        f'<text x="{x:g}" y="{y - 16 * (len(rows) - 1 - row):g}" font-size="15" text-anchor="middle" '
        f'fill="#40382c">{escape(text)}</text>'
        for row, text in enumerate(rows)
    )


def _rows(text: str) -> list[str]:
    """One line, or two of about the same length where it is long."""
    words = text.split(" ")
    if len(text) <= 20 or len(words) < 2:
        return [text]
    cut = min(range(1, len(words)), key=lambda n: abs(len(" ".join(words[:n])) - len(text) / 2))
    return [" ".join(words[:cut]), " ".join(words[cut:])]


def _pieces(place: Place, there: Mapping[str, Any], seats: list[str]) -> str:
    """What stands in a place: the figures of each side in a box of its own, markers below."""
    x, y = place.label
    parts: list[str] = []
    standing = [piece for piece in there.get("pieces", ()) if piece.get("count", 1)]
    for seat in dict.fromkeys(piece.get("seat") for piece in standing):
        units = [piece for piece in standing if piece.get("seat") == seat]
        colour = SEAT_COLOURS[seats.index(seat)] if seat in seats else "#444444"
        text = " ".join(
            f"{piece.get('count', 1)}{piece.get('short') or piece['name'][:2]}" for piece in units
        )
        width = max(40, 11 * len(text) + 14)
        corner = 2 if seat == seats[-1] else 12
        parts.append(
            f'<rect x="{x - width / 2:g}" y="{y + 8:g}" width="{width:g}" height="28" rx="{corner}" '
            f'fill="{colour}" stroke="#ffffff" stroke-width="2"/>'
            f'<text x="{x:g}" y="{y + 28:g}" font-size="18" font-weight="bold" text-anchor="middle" '
            f'fill="#ffffff">{escape(text)}</text>'
        )
        y += 32
    y = max(place.label[1], y - 32)
    signs = [_marker(marker) for marker in there.get("markers", ()) if marker.get("count", 1)]
    if signs:
        parts.append(
            f'<text x="{x:g}" y="{y + 56:g}" font-size="18" text-anchor="middle" fill="#1a1a1a">'
            f"{escape(' '.join(signs))}</text>"
        )
    return "".join(parts)


def _marker(marker: Mapping[str, Any]) -> str:
    sign = next((s for key, s in MARKER_SIGNS.items() if str(marker["id"]).startswith(key)), "")
    count = marker.get("count", 1)
    if not sign:
        return str(marker["name"]) if count == 1 else f"{marker['name']} ×{count}"
    return f"{sign}{count if count != 1 else ''}"


def _listing(places: Mapping[str, Any]) -> list[str]:
    lines = []
    for row, (place, there) in enumerate(places.items()):
        pieces = ", ".join(f"{p.get('count', 1)} {p['name']}" for p in there.get("pieces", ()))
        lines.append(f'<text x="20" y="{30 + 22 * row}" font-size="16">{escape(f"{place}: {pieces}")}</text>')
    return lines
