"""Diagrams of docs/build/: the wiring, where power enters the strip, the tray and its camera."""

from __future__ import annotations

from firmware_bridge.svg import GREY, INK, circle, line, lines, picture, rect, text

RED, BLACK, GREEN, BLUE = "#c62828", "#222222", "#2e7d32", "#1565c0"

TRAY_INNER_MM = (240.0, 180.0)
TRAY_DIE_MM = 16.0
MARKER_MM = 25.0
MARKER_CENTRES_MM = ((-152.5, 82.5), (152.5, 82.5), (152.5, -82.5), (-152.5, -82.5))
CAMERA_HEIGHT_MM = 650.0
"""The measures that the dice reader assumes; a test holds them to those of `vision.tray`."""


def _box(x: float, y: float, w: float, h: float, title: str, *under: str, fill: str = "#f3f4f6") -> str:
    return (
        rect(x, y, w, h, rx=8, fill=fill, stroke=INK, stroke_width=1.5)
        + text(x + w / 2, y + 24, title, 15, text_anchor="middle", font_weight="bold")
        + lines(x + w / 2, y + 44, under, 12, text_anchor="middle", fill="#444444")
    )


def _wire(points: list[tuple[float, float]], colour: str, label: str = "", at: int = 0) -> str:
    drawn = line(points, stroke=colour, stroke_width=3, stroke_linejoin="round")
    if label:
        (x1, y1), (x2, y2) = points[at], points[at + 1]
        drawn += text((x1 + x2) / 2, (y1 + y2) / 2 - 6, label, 12, text_anchor="middle", fill=colour)
    return drawn


def _dot(x: float, y: float, colour: str) -> str:
    return circle(x, y, 4.5, fill=colour)


def _boxes_and_data() -> list[str]:
    """Computer, controller, level shifter, supply and strip, with the data line between them."""
    return [
        _box(20, 40, 170, 96, "Computer", "Raspberry Pi or", "any with Linux"),
        _box(270, 40, 210, 196, "Arduino Nano", "ATmega328P, 16 MHz, 5 V"),
        _box(580, 40, 150, 110, "74AHCT125", "one gate of four", "OE to ground"),
        _box(270, 350, 210, 96, "5 V supply", "see power.md"),
        _box(840, 40, 250, 110, "WS2812B strip", "first LED nearest the controller"),
        _wire([(190, 88), (270, 88)], GREY, "USB"),
        _wire([(480, 96), (580, 96)], GREEN, "D8"),
        _wire([(730, 96), (760, 96)], GREEN),
        rect(760, 86, 46, 20, fill="#ffffff", stroke=GREEN, stroke_width=2),
        text(783, 100, "330 Ω", 11, text_anchor="middle", fill=GREEN),
        _wire([(806, 96), (840, 96)], GREEN),
        text(850, 110, "DIN", 12, fill=GREEN),
        # held low while the controller starts
        _wire([(530, 96), (530, 120)], GREEN),
        rect(520, 120, 20, 46, fill="#ffffff", stroke=GREEN, stroke_width=2),
        text(546, 148, "10k", 11, fill=GREEN),
        _wire([(530, 166), (530, 190)], BLACK),
        line([(516, 190), (544, 190)], stroke=BLACK, stroke_width=4),
        _dot(530, 96, GREEN),
    ]


def _power() -> list[str]:
    """Plus with its fuse, ground, and the capacitor at the strip."""
    return [
        # plus
        _wire([(480, 376), (560, 376)], RED),
        rect(560, 366, 60, 20, fill="#ffffff", stroke=RED, stroke_width=2),
        text(590, 380, "fuse", 12, text_anchor="middle", fill=RED),
        _wire([(620, 376), (900, 376), (900, 150)], RED, "+5 V", 0),
        _wire([(655, 376), (655, 150)], RED),
        _wire([(440, 376), (440, 376)], RED),
        _dot(655, 376, RED),
        # ground
        _wire([(480, 422), (1000, 422), (1000, 150)], BLACK),
        _wire([(690, 422), (690, 150)], BLACK),
        _wire([(420, 350), (420, 300), (420, 236)], BLACK),
        text(428, 300, "GND", 12),
        text(840, 440, "ground, common to all", 12, text_anchor="middle"),
        _dot(690, 422, BLACK),
        # capacitor at the strip
        _wire([(900, 270), (935, 270)], RED),
        line([(935, 256), (935, 284)], stroke=INK, stroke_width=4),
        line([(947, 256), (947, 284)], stroke=INK, stroke_width=4),
        _wire([(947, 270), (1000, 270)], BLACK),
        text(1010, 266, "1000 µF", 12),
        text(1010, 282, "6.3 V or more", 12),
        _dot(900, 270, RED),
        _dot(1000, 270, BLACK),
    ]


def _buttons() -> list[str]:
    """The two buttons, which pull their pins to ground."""
    return [
        _wire([(270, 180), (120, 180), (120, 214)], BLUE, "D2", 0),
        _wire([(270, 216), (210, 216), (210, 260)], BLUE, "D3", 0),
        circle(120, 228, 14, fill="#ffffff", stroke=BLUE, stroke_width=2),
        circle(210, 274, 14, fill="#ffffff", stroke=BLUE, stroke_width=2),
        text(98, 232, "confirm", 12, text_anchor="end"),
        text(150, 350, "call the arbiter", 12),
        _wire([(120, 242), (120, 330), (300, 330), (300, 236)], BLACK),
        _wire([(210, 288), (210, 330)], BLACK),
        _dot(210, 330, BLACK),
    ]


def wiring_picture() -> str:
    """Computer, controller, level shifter, supply, fuse, strip, buttons."""
    parts = [
        *_boxes_and_data(),
        *_power(),
        *_buttons(),
        text(20, 480, "Without level shifter: only if the first LED is within 20 cm of the controller.", 13),
        text(20, 500, "The Nano is fed by USB; its 5 V pin stays unconnected, its GND does not.", 13),
    ]
    return picture(1110, 520, "Wiring of the lights", parts)


def injection_picture() -> str:
    """Where power enters a strip of 105 LEDs."""
    parts = [
        line([(60, 60), (1040, 60)], stroke=RED, stroke_width=5),
        line([(60, 170), (1040, 170)], stroke=BLACK, stroke_width=5),
        text(60, 46, "+5 V, feed line", 13, fill=RED),
        text(60, 194, "ground, feed line", 13),
        rect(60, 96, 980, 38, rx=4, fill="#fffbe6", stroke=INK, stroke_width=1.5),
    ]
    parts += [rect(74 + 24.2 * n, 108, 12, 12, fill="#ffffff", stroke=GREY) for n in range(40)]
    for share, label in ((0, "LED 0"), (1 / 3, "35"), (2 / 3, "70"), (1, "104")):
        x = 66 + share * 968
        parts.append(_wire([(x, 60), (x, 100)], RED) + _dot(x, 60, RED))
        parts.append(_wire([(x, 170), (x, 130)], BLACK) + _dot(x, 170, BLACK))
        parts.append(text(x, 220, label, 13, text_anchor="middle"))
    parts.append(_wire([(10, 115), (60, 115)], GREEN, "DIN", 0))
    parts.append(
        text(60, 250, "Power enters at both ends and about every 35 to 50 LEDs; data only at the start.", 13)
    )
    return picture(1100, 268, "Power injection", parts)


def _measure(x1: float, y1: float, x2: float, y2: float, label: str, ink: str = "#555555") -> str:
    upright = x1 == x2
    ticks = [
        line([(x - 5, y), (x + 5, y)] if upright else [(x, y - 5), (x, y + 5)], stroke=ink, stroke_width=1)
        for x, y in ((x1, y1), (x2, y2))
    ]
    middle_x, middle_y = (x1 + x2) / 2, (y1 + y2) / 2
    words = text(
        middle_x + (8 if upright else 0),
        middle_y + (4 if upright else -6),
        label,
        12,
        fill=ink,
        text_anchor="start" if upright else "middle",
    )
    return line([(x1, y1), (x2, y2)], stroke=ink, stroke_width=1) + "".join(ticks) + words


def tray_picture() -> str:
    """The dice tray from above, with fiducials and measures."""
    w, h = TRAY_INNER_MM
    cx, cy, s = 330.0, 230.0, 1.5
    parts = [
        rect(cx - 190 * s, cy - 112 * s, 380 * s, 224 * s, fill="#efe9df", stroke=INK, stroke_width=1),
        rect(
            cx - w / 2 * s - 9,
            cy - h / 2 * s - 9,
            w * s + 18,
            h * s + 18,
            fill="#8d6e63",
            stroke=INK,
            stroke_width=1,
        ),
        rect(cx - w / 2 * s, cy - h / 2 * s, w * s, h * s, fill="#37474f"),
        text(cx + 30, cy - 60, "matt cloth, one dark colour", 14, text_anchor="middle", fill="#ffffff"),
    ]
    for number, (x, y) in enumerate(MARKER_CENTRES_MM):
        left, top = cx + (x - MARKER_MM / 2) * s, cy + (-y - MARKER_MM / 2) * s
        parts.append(
            rect(left - 6, top - 6, MARKER_MM * s + 12, MARKER_MM * s + 12, fill="#ffffff", stroke=GREY)
        )
        parts.append(rect(left, top, MARKER_MM * s, MARKER_MM * s, fill=INK))
        parts.append(
            text(
                left + MARKER_MM * s / 2,
                top + MARKER_MM * s / 2 + 6,
                str(number),
                16,
                fill="#ffffff",
                text_anchor="middle",
            )
        )
    x1, y1 = MARKER_CENTRES_MM[0]
    x2, y2 = MARKER_CENTRES_MM[2]
    parts += [
        _measure(cx - w / 2 * s, cy + 60, cx + w / 2 * s, cy + 60, f"{w:g} mm inside", "#ffffff"),
        _measure(cx - 140, cy - h / 2 * s, cx - 140, cy + h / 2 * s, f"{h:g} mm", "#ffffff"),
        _measure(
            cx + x1 * s, cy + 190, cx + x2 * s, cy + 190, f"{x2 - x1:g} mm between centres of fiducials"
        ),
        _measure(cx + 305, cy - y1 * s, cx + 305, cy - y2 * s, f"{y1 - y2:g} mm"),
        text(40, 460, f"Fiducials: ArUco DICT_4X4_50, numbers 0 to 3, {MARKER_MM:g} mm,", 13),
        text(40, 478, "3.6 mm below the floor of the tray's cloth, white border of 4 mm, matt.", 13),
    ]
    return picture(740, 496, "The dice tray from above", parts)


def camera_picture() -> str:
    """The camera's mount from the side."""
    floor = 420.0
    height = CAMERA_HEIGHT_MM * 0.5
    top = floor - height
    parts = [
        rect(60, floor, 520, 16, fill="#bcaaa4", stroke=INK),
        rect(200, floor - 14, 240, 14, fill="#37474f", stroke=INK),
        rect(560, top - 24, 14, height + 24, fill="#cfd8dc", stroke=INK),
        rect(306, top - 24, 268, 14, fill="#cfd8dc", stroke=INK),
        rect(306, top - 10, 28, 20, rx=3, fill="#263238"),
        line([(320, top + 10), (150, floor - 6)], stroke=BLUE, stroke_width=1, stroke_dasharray="5 5"),
        line([(320, top + 10), (490, floor - 6)], stroke=BLUE, stroke_width=1, stroke_dasharray="5 5"),
        rect(210, top + 60, 60, 8, fill="#fff59d", stroke=INK),
        rect(370, top + 60, 60, 8, fill="#fff59d", stroke=INK),
        text(320, top + 92, "diffuse light from two sides", 12, text_anchor="middle"),
        _measure(100, top, 100, floor - 7, f"{CAMERA_HEIGHT_MM:g} mm, lens to floor of the tray"),
        text(60, 466, "Camera Module 3 (standard lens), straight down over the middle of the tray,", 13),
        text(60, 484, "long side of the picture along the long side of the tray.", 13),
    ]
    return picture(640, 500, "The camera over the tray", parts)


def build_pictures() -> dict[str, str]:
    """File name in docs/build/ to its SVG."""
    return {
        "wiring.svg": wiring_picture(),
        "injection.svg": injection_picture(),
        "tray.svg": tray_picture(),
        "camera.svg": camera_picture(),
    }
