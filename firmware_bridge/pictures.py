"""Draws the pictures of docs/lights.md and docs/build/ from the code and its numbers.

python -m firmware_bridge.pictures [docs]
"""

from __future__ import annotations

import sys
from pathlib import Path

from firmware_bridge.colour_vision import VISION, luminance, simulate
from firmware_bridge.model import level
from firmware_bridge.svg import GREY, NIGHT, circle, hexa, line, picture, rect, text
from firmware_bridge.wiring import build_pictures
from referee.kernel.lights import PALETTE, Light, Pattern
from referee.kernel.messages import Text

_SECONDS = 4
_STEP_MS = 50


def _rgb(light: Light) -> tuple[int, int, int]:
    return light.red, light.green, light.blue


def _at(light: Light, ms: int, phase: int = 0) -> tuple[int, int, int]:
    strength = level(light.pattern, int(ms / 1.024), phase)
    r, g, b = (channel * strength // 255 for channel in _rgb(light))
    return r, g, b


def _strip(light: Light, x: float, y: float, width: float, height: float, phase: int = 0) -> list[str]:
    """Four seconds of a light as a bar; equal neighbours are one rectangle."""
    parts, start = [], 0
    total = _SECONDS * 1000
    for ms in range(_STEP_MS, total + 1, _STEP_MS):
        if ms < total and _at(light, ms, phase) == _at(light, start, phase):
            continue
        scale = width / total
        colour = hexa(_at(light, start, phase))
        parts.append(rect(x + start * scale, y, (ms - start) * scale + 0.8, height, fill=colour))
        start = ms
    return parts


def palette_picture() -> str:
    """Every meaning with its colour, its pattern over four seconds, and its words."""
    row, top = 44, 60
    parts = [
        text(24, 34, "Colour", 15, fill="#dddddd"),
        text(110, 34, f"{_SECONDS} seconds of its pattern", 15, fill="#dddddd"),
        text(470, 34, "Meaning / Bedeutung", 15, fill="#dddddd"),
    ]
    for number, (meaning, light) in enumerate(PALETTE.items()):
        y = top + row * number
        parts.append(circle(48, y + 14, 14, fill=hexa(_rgb(light))))
        parts += _strip(light, 110, y, 330, 28)
        says = Text(f"firmware_bridge.means_{meaning.value}")
        parts.append(
            text(470, y + 12, f"{says.in_words('en')} ({light.pattern.name.lower()})", 14, fill="#ffffff")
        )
        parts.append(text(470, y + 29, says.in_words("de"), 13, fill="#b8bcc4"))
    return picture(860, top + row * len(PALETTE) + 10, "The palette of the lights", parts, NIGHT)


def patterns_picture() -> str:
    """Brightness over time of each pattern, and a chase over four LEDs."""
    parts: list[str] = []
    for number, pattern in enumerate(p for p in Pattern if p):
        y = 20 + 80 * number
        parts.append(text(20, y + 34, pattern.name.lower(), 16))
        parts.append(rect(140, y, 600, 56, fill="none", stroke="#cccccc"))
        courses = range(4) if pattern == Pattern.CHASE else range(1)
        for phase in courses:
            points = [
                (140 + 0.15 * ms, y + 53 - 50 * level(pattern, int(ms / 1.024), phase) / 255)
                for ms in range(0, 4001, 12)
            ]
            shade = ("#222222", "#8a8a8a", "#b0b0b0", "#d0d0d0")[phase]
            parts.insert(0, line(points, stroke=shade, stroke_width=2 if phase == 0 else 1))
    y = 20 + 80 * 5
    for second in range(5):
        parts.append(text(140 + 150 * second, y + 6, f"{second} s", 13, text_anchor="middle", fill=GREY))
    parts.append(text(20, y + 30, "chase: several LEDs of a place, one after the other", 13, fill=GREY))
    return picture(770, y + 44, "The five patterns over time", parts)


def vision_picture() -> str:
    """The palette as people with each kind of colour vision see it, and in one colour."""
    columns = [*VISION, "one colour"]
    parts = [
        text(230 + 118 * n, 34, name, 14, fill="#dddddd", text_anchor="middle")
        for n, name in enumerate(columns)
    ]
    for number, (meaning, light) in enumerate(PALETTE.items()):
        y = 56 + 36 * number
        parts.append(text(20, y + 18, meaning.value, 14, fill="#ffffff"))
        for n, name in enumerate(columns):
            grey = round(255 * luminance(_rgb(light)) ** (1 / 2.2))
            colour = simulate(_rgb(light), name) if name in VISION else (grey, grey, grey)
            parts.append(rect(180 + 118 * n, y, 100, 26, rx=6, fill=hexa(colour)))
    return picture(
        790, 56 + 36 * len(PALETTE) + 8, "The palette under colour-vision deficiencies", parts, NIGHT
    )


def lights_pictures() -> dict[str, str]:
    """File name in docs/lights/ to its SVG."""
    return {
        "palette.svg": palette_picture(),
        "patterns.svg": patterns_picture(),
        "colour_vision.svg": vision_picture(),
    }


def main(docs: Path) -> None:
    """Write all pictures."""
    for folder, pictures in (("lights", lights_pictures()), ("build", build_pictures())):
        (docs / folder).mkdir(parents=True, exist_ok=True)
        for name, svg in pictures.items():
            (docs / folder / name).write_text(svg, encoding="utf-8")
            print(docs / folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs"))
