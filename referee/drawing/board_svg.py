"""A position as a picture: the game's board and view as one SVG, for paper, mail and reports.

Knows no game: it draws :meth:`Game.board` and what :meth:`Game.view` puts on each
place.  Sides differ in shape as well as colour, terrain in letter as well as tint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from referee.drawing.board_labels import LabelSheet, Rectangle, breaks, text_width
from referee.drawing.signs import figures_of, silhouettes
from referee.kernel.at_table import board_of
from referee.kernel.board import Board, Line, Place, Point
from referee.kernel.figures import Figure
from referee.kernel.play import Game
from referee.kernel.seats import BRIGHT, COLOURS, Look, looks_of

TERRAIN = {
    "mountain": "#d9ccb2",
    "hill": "#e2d09a",
    "plain": "#ece0b9",
    "swamp": "#c3d0b4",
    "ruins": "#e2cba9",
    "forest": "#c9d3a0",
    "water": "#a8c8d2",
    "cave": "#d6c7ab",
}
"""Tints of terrains on paper: those of the screens by day (``web/static/js/landcolours.js``)."""
ROCK, BOX, PAPER = "#bcab93", "#f3ead4", "#f1e6cb"
LINES = {
    "coast": ("#2e4f63", 3, ""),
    "border": ("#8a7450", 2, ""),
    "slope": ("#3d3021", 4, "3 6"),
    "wall": ("#4a3a28", 6, ""),
    "river": ("#5f9ab8", 11, ""),
    "ford": ("#f0dfae", 12, "7 5"),
    "bridge": ("#a8743f", 12, ""),
    "pass": ("#8a5a2c", 5, "10 8"),
    "section": ("#a3231f", 4, "4 9"),
}
TAG_SIGNS = {
    "settlement": "⌂",
    "fortification": "▣",
    "mustering": "⚑",
    "stronghold": "♜",
    "city": "⌂",
    "town": "∘",
    "woods": "♣",
    "water": "≈",
    "hill": "△",
    "rampart": "≡",
    "ford": "⁘",
    "bridge": "‖",
    "landmark": "◆",
}
Looks = Mapping[str, Look]
Signs = Mapping[str, Figure]

NAME, FIGURE, MARK = 14, 17, 16
"""Heights of the letters of names, figures and markers, in board units."""
ROW, FIGURES = 15, 30
"""Heights of a line of a name and of a row of figures."""
SIGN = 24
"""Height and width of a silhouette."""
MARKER_SIGNS = {"damage": "✖", "leadership": "★", "control": "⚑", "token": "▢"}


def draw(game: Game[Any], state: Any, language: str, options: Mapping[str, Any] | None = None) -> str:
    """The position as an SVG document (text), on the board that the ``options`` of its game ask for.

    Games without a board give a list of their places.
    """
    drawn = board_of(game, options or {})
    if drawn is None:
        return _document(900, 700, _listing(game.view(state, None, language)["places"]))
    return draw_on(drawn, game, state, language)


def draw_on(drawn: Board, game: Game[Any], state: Any, language: str) -> str:
    """The position as an SVG document on a board."""
    view = game.view(state, None, language)
    parts = [_ground(place) for place in drawn.places.values()]
    parts += [_line(line) for line in sorted(drawn.lines, key=lambda line: list(LINES).index(line.kind))]
    looks, signs, sheet = looks_of(game), figures_of(game), LabelSheet(drawn.width, drawn.height)
    parts.insert(0, _symbols(signs))
    standing = {place: there for place, there in view["places"].items() if place in drawn.places}
    blocks = {
        place: _block(drawn.places[place], there, looks, signs, sheet) for place, there in standing.items()
    }
    parts += [svg for svg, _ in blocks.values()]
    named = [place for place in drawn.places.values() if _is_named(place)]
    parts += [_name(place, blocks.get(place.id, ("", None))[1], language, sheet) for place in named]
    return _document(drawn.width, drawn.height, parts)


def _is_named(place: Place) -> bool:
    """Boxes for a besieged garrison stand beside their stronghold's name and need none of their own."""
    return place.kind != "rock" and "siege" not in place.tags


def _document(width: float, height: float, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif">\n'
        f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def _path(points: Sequence[Point], close: bool) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + ("Z" if close else "")


def _ground(place: Place) -> str:
    fill = TERRAIN.get(place.terrain, TERRAIN["plain"])
    if place.kind == "rock" and place.terrain != "water":
        fill = ROCK
    if place.kind == "box":
        fill = BOX
    stroke = fill if place.kind == "rock" else "#b9a684"
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


def _name(place: Place, block: Rectangle | None, language: str, sheet: LabelSheet) -> str:
    """The place's name in up to three lines: above, below or beside what stands there."""
    name = place.name(language)
    signs = "".join(TAG_SIGNS.get(tag, "") for tag in place.tags)
    ways = breaks(f"{signs} {name}".strip().replace(" ", "\u00a0", 1 if signs else 0))
    x, y = place.label
    there = block or Rectangle(x, y - NAME / 2, x, y - NAME / 2)
    spots: list[tuple[float, Rectangle, list[str]]] = []
    for rows in ways:
        width = max(text_width(row, NAME) for row in rows)
        height = len(rows) * ROW
        dear = 12.0 * (len(rows) - 1)
        for step in (0, 12, -12, 26, -26, 44, -44):
            spots.append(
                (dear + abs(step), Rectangle.around(x + step, there.top - height - 1, width, height), rows)
            )
            spots.append(
                (dear + abs(step) + 8, Rectangle.around(x + step, there.bottom + 1, width, height), rows)
            )
        middle = (there.top + there.bottom - height) / 2
        for step in (0, 12, -12, 24, -24):
            for side in (there.right + 3 + width / 2, there.left - 3 - width / 2):
                spots.append(
                    (dear + 30 + abs(step), Rectangle.around(side, middle + step, width, height), rows)
                )
        for step in (14, 28, 42):
            spots.append(
                (dear + step, Rectangle.around(x, there.top - height - 1 - step, width, height), rows)
            )
            spots.append((dear + step + 8, Rectangle.around(x, there.bottom + 1 + step, width, height), rows))
    left, right = min(x for x, _ in place.outline), max(x for x, _ in place.outline)
    number, box = sheet.put(
        (dear + max(0.0, left - box.left) + max(0.0, box.right - right), box) for dear, box, _ in spots
    )
    middle = (box.left + box.right) / 2
    return "".join(
        f'<text x="{middle:g}" y="{box.top + ROW * row + NAME * 0.9:g}" font-size="{NAME}" '
        f'text-anchor="middle" fill="#2c2013" paint-order="stroke" stroke="#fbf3de" stroke-opacity="0.7" '
        f'stroke-width="3">{escape(text)}</text>'
        for row, text in enumerate(spots[number][2])
    )


def _symbols(signs: Signs) -> str:
    """The silhouettes of a game, each drawn once."""
    drawn = "".join(
        f'<symbol id="sign-{name}" viewBox="0 0 512 512"><path d="{silhouettes()[name]}"/></symbol>'
        for name in sorted({figure.sign for figure in signs.values()})
    )
    return f"<defs>{drawn}</defs>"


def _block(
    place: Place, there: Mapping[str, Any], looks: Looks, signs: Signs, sheet: LabelSheet
) -> tuple[str, Rectangle | None]:
    """What stands in a place (the figures of each side in boxes, markers below), and the rectangle of it."""
    standing = [piece for piece in there.get("pieces", ()) if piece.get("count", 1)]
    rows = [
        (seat, row)
        for seat in dict.fromkeys(p.get("seat") for p in standing)
        for row in _rows(standing, seat)
    ]
    marks = " ".join(_marker(marker) for marker in there.get("markers", ()) if marker.get("count", 1))
    if not rows and not marks:
        return "", None
    width = max([*(_row_width(row, signs) for _, row in rows), text_width(marks, MARK)])
    height = len(rows) * FIGURES + (MARK + 4 if marks else 0)
    x, y = place.label
    steps = [(0, 0), *((dx, dy) for dx in (0, 14, -14, 28, -28, 42, -42) for dy in (0, 12, -12, 24, -24))]
    wanted = [(abs(dx) + abs(dy), Rectangle.around(x + dx, y + 6 + dy, width, height)) for dx, dy in steps]
    _, box = sheet.put(wanted)
    x = (box.left + box.right) / 2
    parts = [
        _figures(x, box.top + at * FIGURES, row, looks.get(seat or ""), signs)
        for at, (seat, row) in enumerate(rows)
    ]
    if marks:
        parts.append(
            f'<text x="{x:g}" y="{box.bottom - 4:g}" font-size="{MARK}" text-anchor="middle" fill="#1a1a1a">'
            f"{escape(marks)}</text>"
        )
    return "".join(parts), box


Row = Sequence[Mapping[str, Any]]


BANNERS = {
    "green": ("M0 0L14 5 0 10Z", "#1a6d31"),
    "blue": ("M0 0H13V10H0Z", "#1d52b0"),
    "red": ("M0 0H15L10 5 15 10H0Z", "#b3261e"),
}
"""Banners of units by colour: their cut and their tint."""


def _rows(standing: Row, seat: str | None) -> list[Row]:
    """The pieces of one side in rows of at most three kinds."""
    own = [piece for piece in standing if piece.get("seat") == seat]
    return [own[at : at + 3] for at in range(0, len(own), 3)]


def _said(piece: Mapping[str, Any], signs: Signs) -> str:
    """What is written of a piece: its number, and its short name where it has no silhouette."""
    count = piece.get("count", 1)
    if piece["id"] in signs:
        return str(count) if count > 1 else ""
    return f"{count}{piece.get('short') or piece['name'][:2]}"


def _piece_width(piece: Mapping[str, Any], signs: Signs) -> float:
    said = text_width(_said(piece, signs), FIGURE)
    return said + (SIGN + 2 if piece["id"] in signs else 6)


def _row_width(row: Row, signs: Signs) -> float:
    return max(36.0, sum(_piece_width(piece, signs) for piece in row) + 12)


def _figures(x: float, top: float, row: Row, look: Look | None, signs: Signs) -> str:
    """One side's pieces on a base of its colour and outline."""
    colour, ink, rim = "#444444" if look is None else COLOURS[look.colour][0], "#ffffff", "#ffffff"
    if look is not None and look.colour in BRIGHT:
        colour, ink, rim = BRIGHT[look.colour], "#1d1600", colour
    shape = "square" if look is None else look.shape
    base = _outline(x, top + 1, _row_width(row, signs), FIGURES - 2, shape)
    parts = [f'<path d="{base}" fill="{colour}" stroke="{rim}" stroke-width="2"/>']
    at = x - sum(_piece_width(piece, signs) for piece in row) / 2
    for piece in row:
        figure, said, start = signs.get(piece["id"]), _said(piece, signs), at
        if figure is not None:
            parts.append(
                f'<use href="#sign-{figure.sign}" x="{at:g}" y="{top + 3:g}" width="{SIGN}" height="{SIGN}" '
                f'fill="{ink}"/>'
            )
            start += SIGN + 1
            if figure.banner:
                flag, fill = BANNERS[figure.banner]
                parts.append(
                    f'<path d="{flag}" transform="translate({at - 2:g} {top:g})" fill="{fill}" '
                    f'stroke="#fff8e4"/>'
                )
            if figure.elite:
                parts.append(f'<path d="M{at + 4:g} {top + 27.5:g}h16" stroke="#e3b341" stroke-width="2.5"/>')
        if said:
            parts.append(
                f'<text x="{start:g}" y="{top + 21:g}" font-size="{FIGURE}" font-weight="bold" fill="{ink}">'
                f"{escape(said)}</text>"
            )
        at += _piece_width(piece, signs)
    return f'<g class="figures">{"".join(parts)}</g>'


def _outline(x: float, top: float, width: float, height: float, shape: str) -> str:
    """The outline of a chip around ``x``: each shape is told from the others without its colour."""
    left, right, bottom, middle = x - width / 2, x + width / 2, top + height, top + height / 2
    if shape == "round":
        r = height / 2
        return (
            f"M{left + r:g} {top:g}H{right - r:g}A{r:g} {r:g} 0 0 1 {right - r:g} {bottom:g}"
            f"H{left + r:g}A{r:g} {r:g} 0 0 1 {left + r:g} {top:g}Z"
        )
    points = {
        "pointed": [(left + 4, top), (right - 4, top), (right + 4, middle), (right - 4, bottom),
                    (left + 4, bottom), (left - 4, middle)],
        "slanted": [(left + 5, top), (right + 5, top), (right - 5, bottom), (left - 5, bottom)],
        "house": [(left, top + 6), (x, top - 3), (right, top + 6), (right, bottom), (left, bottom)],
    }.get(shape, [(left, top), (right, top), (right, bottom), (left, bottom)])  # fmt: skip
    return _path(points, True)


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
