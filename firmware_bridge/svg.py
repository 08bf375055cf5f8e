"""A few SVG elements as text: enough for the diagrams in the docs."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

INK, PAPER, GREY, NIGHT = "#222222", "#ffffff", "#888888", "#14161a"


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def attributes(values: dict[str, object]) -> str:
    """Attributes with underscores for hyphens and short numbers."""
    return "".join(
        f' {key.rstrip("_").replace("_", "-")}="'
        + escape(_number(value) if isinstance(value, float) else str(value), quote=True)
        + '"'
        for key, value in values.items()
    )


def rect(x: float, y: float, w: float, h: float, **more: object) -> str:
    """A rectangle."""
    return (
        f"<rect{attributes({'x': float(x), 'y': float(y), 'width': float(w), 'height': float(h), **more})}/>"
    )


def circle(x: float, y: float, r: float, **more: object) -> str:
    """A disc."""
    return f"<circle{attributes({'cx': float(x), 'cy': float(y), 'r': float(r), **more})}/>"


def line(points: Iterable[tuple[float, float]], **more: object) -> str:
    """A polyline without filling."""
    text = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    style: dict[str, object] = {"points": text, "fill": "none", "stroke": INK, "stroke_width": 2}
    return f"<polyline{attributes(style | more)}/>"


def text(x: float, y: float, words: str, size: float = 14, **more: object) -> str:
    """One line of text, its baseline at y."""
    style: dict[str, object] = {"x": float(x), "y": float(y), "font_size": float(size), "fill": INK}
    return f"<text{attributes(style | more)}>{escape(words)}</text>"


def lines(x: float, y: float, words: Iterable[str], size: float = 14, **more: object) -> str:
    """Several lines of text."""
    return "".join(text(x, y + 1.3 * size * n, w, size, **more) for n, w in enumerate(words))


def picture(width: float, height: float, title: str, parts: Iterable[str], paper: str = PAPER) -> str:
    """A whole SVG file."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} {_number(height)}" '
        'font-family="DejaVu Sans, Verdana, sans-serif" role="img">'
    )
    body = "\n".join(parts)
    return (
        f"{head}\n<title>{escape(title)}</title>\n{rect(0, 0, width, height, fill=paper)}\n{body}\n</svg>\n"
    )


def hexa(colour: tuple[int, int, int]) -> str:
    """A colour for SVG."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
