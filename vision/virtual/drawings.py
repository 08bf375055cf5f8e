"""Our own drawings of dice faces, as polygons: rastered for the virtual tray, or as SVG for a screen.

Each drawing lives in the unit square, x to the right and y down, and is a list
of polygons painted in order.  The ink of a polygon is ``"ink"`` (the colour of
the die's print), ``"body"`` (cuts a hole back to the body) or a CSS colour
``"#rrggbb"``.  Nothing here is copied from a published game.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

Ring = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """One filled polygon in the unit square."""

    points: Ring
    ink: str = "ink"


Drawing = tuple[Shape, ...]


def disc(x: float, y: float, r: float, ink: str = "ink", squash: float = 1.0) -> Shape:
    """A filled circle, or an ellipse where ``squash`` (height over width) is not 1."""
    steps = 40
    return Shape(
        tuple(
            (x + r * math.cos(2 * math.pi * k / steps), y + squash * r * math.sin(2 * math.pi * k / steps))
            for k in range(steps)
        ),
        ink,
    )


def bar(x0: float, y0: float, x1: float, y1: float, width: float, ink: str = "ink") -> Shape:
    """A straight stroke of the given width."""
    length = math.hypot(x1 - x0, y1 - y0)
    dx, dy = -(y1 - y0) / length * width / 2, (x1 - x0) / length * width / 2
    return Shape(((x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)), ink)


def star(
    x: float, y: float, outer: float, inner: float, rays: int, ink: str = "ink", turn: float = 0.0
) -> Shape:
    """A star with ``rays`` points, the first one upwards plus ``turn`` radians."""
    points = []
    for k in range(2 * rays):
        radius = outer if k % 2 == 0 else inner
        angle = turn - math.pi / 2 + math.pi * k / rays
        points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return Shape(tuple(points), ink)


def moved(drawing: Iterable[Shape], x: float, y: float, scale: float) -> Drawing:
    """The drawing shrunk by ``scale`` with its top left corner at (x, y)."""
    return tuple(
        Shape(tuple((x + scale * px, y + scale * py) for px, py in s.points), s.ink) for s in drawing
    )


def _shield(ink: str = "ink") -> Drawing:
    half = [(0.0, 0.0), (0.40, 0.06), (0.40, 0.45), (0.33, 0.66), (0.20, 0.84), (0.0, 1.0)]
    outline = [(0.5 + x, 0.02 + 0.94 * y) for x, y in half] + [
        (0.5 - x, 0.02 + 0.94 * y) for x, y in half[-2:0:-1]
    ]
    chevron = ((0.18, 0.52), (0.5, 0.26), (0.82, 0.52), (0.82, 0.66), (0.5, 0.40), (0.18, 0.66))
    return (Shape(tuple(outline), ink), Shape(chevron, "body"))


def _pennon() -> Drawing:
    flag = ((0.22, 0.06), (0.92, 0.14), (0.70, 0.32), (0.92, 0.50), (0.22, 0.58))
    return (bar(0.18, 0.02, 0.18, 0.98, 0.10), Shape(flag), disc(0.42, 0.32, 0.09, "body"))


def _walker() -> Drawing:
    cloak = ((0.46, 0.30), (0.62, 0.34), (0.78, 0.96), (0.16, 0.96), (0.34, 0.36))
    return (
        disc(0.47, 0.16, 0.14),
        Shape(cloak),
        Shape(((0.44, 0.66), (0.50, 0.96), (0.38, 0.96)), "body"),
        bar(0.84, 0.10, 0.84, 0.98, 0.07),
        bar(0.58, 0.42, 0.86, 0.48, 0.08),
    )


def _scroll() -> Drawing:
    return (
        Shape(((0.16, 0.12), (0.84, 0.12), (0.84, 0.88), (0.16, 0.88))),
        disc(0.16, 0.12, 0.10),
        disc(0.84, 0.88, 0.10),
        bar(0.28, 0.32, 0.72, 0.32, 0.07, "body"),
        bar(0.28, 0.50, 0.72, 0.50, 0.07, "body"),
        bar(0.28, 0.68, 0.54, 0.68, 0.07, "body"),
    )


def _sun() -> Drawing:
    return (star(0.5, 0.5, 0.50, 0.27, 8), disc(0.5, 0.5, 0.25, "body"), disc(0.5, 0.5, 0.15))


def _lens(x: float, y: float, half_width: float, half_height: float, ink: str = "ink") -> Shape:
    upper = [(x + half_width * t, y - half_height * (1 - t * t)) for t in np.linspace(-1, 1, 15)]
    lower = [(x + half_width * t, y + half_height * (1 - t * t)) for t in np.linspace(1, -1, 15)]
    return Shape(tuple((float(a), float(b)) for a, b in upper + lower), ink)


def _eye() -> Drawing:
    flames = tuple(
        Shape(((x - 0.07, 0.40), (x + lean, 0.02 + drop), (x + 0.07, 0.40)))
        for x, lean, drop in ((0.28, -0.04, 0.12), (0.5, 0.0, 0.0), (0.72, 0.04, 0.12))
    )
    return (
        *flames,
        _lens(0.5, 0.60, 0.50, 0.30),
        _lens(0.5, 0.60, 0.38, 0.20, "body"),
        disc(0.5, 0.60, 0.17),
        Shape(((0.5, 0.45), (0.545, 0.60), (0.5, 0.75), (0.455, 0.60)), "body"),
    )


def _helmet(ink: str) -> Drawing:
    dome = [
        (0.5 + 0.36 * math.cos(a), 0.50 + 0.40 * math.sin(a)) for a in np.linspace(math.pi, 2 * math.pi, 20)
    ]
    return (
        Shape(
            (*dome, (0.86, 0.94), (0.64, 0.94), (0.60, 0.62), (0.40, 0.62), (0.36, 0.94), (0.14, 0.94)), ink
        ),
        bar(0.5, 0.0, 0.5, 0.2, 0.12, ink),
        bar(0.22, 0.50, 0.42, 0.54, 0.07, "body"),
        bar(0.78, 0.50, 0.58, 0.54, 0.07, "body"),
    )


def _sword_on_shield() -> Drawing:
    return (
        _shield("#5a6470")[0],
        bar(0.5, 0.06, 0.5, 0.80, 0.14, "#c9ced6"),
        bar(0.28, 0.62, 0.72, 0.62, 0.09, "#7a4a20"),
        bar(0.5, 0.62, 0.5, 0.90, 0.10, "#7a4a20"),
    )


def _lore() -> Drawing:
    return (
        disc(0.44, 0.5, 0.42, "#7a35a8"),
        disc(0.58, 0.42, 0.34, "body"),
        star(0.74, 0.42, 0.20, 0.08, 5, "#7a35a8"),
    )


def _banner() -> Drawing:
    return (
        bar(0.2, 0.02, 0.2, 0.98, 0.09, "#1d1d22"),
        Shape(((0.25, 0.06), (0.92, 0.32), (0.25, 0.58)), "#e8821e"),
    )


DRAWINGS: dict[str, Drawing] = {
    "character": _walker(),
    "army": _pennon(),
    "muster": _shield(),
    "muster_army": (*moved(_shield(), 0.0, 0.34, 0.62), *moved(_pennon(), 0.50, 0.0, 0.56)),
    "event": _scroll(),
    "will_of_the_west": _sun(),
    "lidless_eye": _eye(),
    "green_helmet": _helmet("#1f8a3c"),
    "blue_helmet": _helmet("#2350c8"),
    "red_helmet": _helmet("#c8262b"),
    "flag": _banner(),
    "sword_on_shield": _sword_on_shield(),
    "lore": _lore(),
}

BLANK = "blank"  # of cubes that only their colour tells apart

_PIP_SPOTS = {
    "1": "e",
    "2": "ai",
    "3": "aei",
    "4": "acgi",
    "5": "acegi",
    "6": "adgcfi",
}


def pips(face: str, radius: float = 0.115, spread: float = 0.30) -> Drawing:
    """The pips of face ``"1"`` to ``"6"``, as ink discs."""
    place = {
        name: (0.5 + spread * (k % 3 - 1), 0.5 + spread * (k // 3 - 1)) for k, name in enumerate("abcdefghi")
    }
    return tuple(disc(*place[name], radius) for name in _PIP_SPOTS[face])


def made_up(seed: int) -> Drawing:
    """A drawing grown from a number: for faces that nobody has drawn, and for training."""
    rng = np.random.default_rng(seed)
    shapes: list[Shape] = []
    for k in range(int(rng.integers(2, 6))):
        ink = "body" if k and rng.random() < 0.35 else "ink"
        x, y = rng.uniform(0.2, 0.8, 2)
        size = float(rng.uniform(0.12, 0.42) * (0.5 if ink == "body" else 1.0))
        kind = int(rng.integers(0, 5))
        if kind == 0:
            shapes.append(disc(x, y, size, ink, float(rng.uniform(0.5, 1.0))))
        elif kind == 1:
            end = rng.uniform(0.05, 0.95, 2)
            if math.hypot(end[0] - x, end[1] - y) > 0.1:
                shapes.append(bar(x, y, end[0], end[1], float(rng.uniform(0.07, 0.2)), ink))
        elif kind == 2:
            inner = size * float(rng.uniform(0.35, 0.7))
            shapes.append(star(x, y, size, inner, int(rng.integers(3, 9)), ink, float(rng.uniform(0, 3))))
        elif kind == 3:
            corners = int(rng.integers(3, 7))
            angle = np.sort(rng.uniform(0, 2 * math.pi, corners))
            radius = rng.uniform(0.5, 1.2, corners) * size
            ring = tuple(
                (float(x + r * math.cos(a)), float(y + r * math.sin(a)))
                for r, a in zip(radius, angle, strict=True)
            )
            shapes.append(Shape(ring, ink))
        else:
            shapes += [
                disc(x, y, size, ink),
                disc(x, y, size * float(rng.uniform(0.4, 0.75)), "body" if ink == "ink" else "ink"),
            ]
    if not any(s.ink == "ink" for s in shapes):
        shapes.append(disc(0.5, 0.5, 0.3))
    return tuple(shapes)


def drawing_of(face: str) -> Drawing:
    """The drawing of a face id: pips, one of ours, none (``blank``), or one made up from the id's digest.

    ``name@rrggbb`` is the drawing of ``name`` with that colour as its ink.
    """
    if "@" in face:
        name, colour = face.split("@", 1)
        return tuple(Shape(s.points, f"#{colour}" if s.ink == "ink" else s.ink) for s in drawing_of(name))
    if face == BLANK:
        return ()
    if face in _PIP_SPOTS:
        return pips(face)
    if face in DRAWINGS:
        return DRAWINGS[face]
    return made_up(int.from_bytes(hashlib.sha256(face.encode()).digest()[:4], "big"))


def _rgb(ink: str) -> tuple[float, float, float]:
    return tuple(int(ink[k : k + 2], 16) / 255.0 for k in (1, 3, 5))  # type: ignore[return-value]


def raster(
    drawing: Drawing,
    body_rgb: tuple[float, float, float],
    ink_rgb: tuple[float, float, float],
    size: int,
    scale: float = 0.66,
) -> np.ndarray:
    """The face as ``size`` x ``size`` x 3 float32 sRGB in 0..1 (RGB order); the drawing takes ``scale`` of
    the edge."""
    fine = 4 * size
    canvas = np.empty((fine, fine, 3), np.float32)
    canvas[:] = body_rgb
    low = (1.0 - scale) / 2
    for shape in drawing:
        colour = ink_rgb if shape.ink == "ink" else body_rgb if shape.ink == "body" else _rgb(shape.ink)
        points = (low + scale * np.array(shape.points)) * fine - 0.5
        cv2.fillPoly(canvas, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_8, 4)
    return cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA)


def svg(face: str, ink: str = "currentColor", body: str = "none", size: int = 48) -> str:
    """The face as an SVG element; ``ink`` and ``body`` are CSS colours.

    With ``body`` left at ``none`` holes are cut by a mask, so that the symbol may lie on anything.
    """
    drawing = drawing_of(face)

    def path(shape: Shape) -> str:
        return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in shape.points) + "Z"

    holes = any(shape.ink == "body" for shape in drawing)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="{size}" height="{size}">']
    if holes and body == "none":
        key = f"cut-{hashlib.sha256(face.encode()).hexdigest()[:8]}"
        parts.append(f'<mask id="{key}" maskUnits="userSpaceOnUse" x="0" y="0" width="1" height="1">')
        parts += [f'<path d="{path(s)}" fill="{"#000" if s.ink == "body" else "#fff"}"/>' for s in drawing]
        parts.append(f'</mask><g mask="url(#{key})">')
        parts += [
            f'<path d="{path(s)}" fill="{ink if s.ink == "ink" else s.ink}"/>'
            for s in drawing
            if s.ink != "body"
        ]
        parts.append("</g>")
    else:
        fills = {"ink": ink, "body": body}
        parts += [f'<path d="{path(s)}" fill="{fills.get(s.ink, s.ink)}"/>' for s in drawing]
    parts.append("</svg>")
    return "".join(parts)
