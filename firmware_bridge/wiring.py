"""Diagrams of docs/build/: the wiring, where power enters the strip, the tray and its camera."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.svg import GREY, INK, circle, line, lines, picture, rect, text

RED, BLACK, GREEN, BLUE = "#c62828", "#222222", "#2e7d32", "#1565c0"

TRAY_INNER_MM = (240.0, 180.0)
TRAY_DIE_MM = 16.0
MARKER_MM = 25.0
MARKER_CENTRES_MM = ((-152.5, 82.5), (152.5, 82.5), (152.5, -82.5), (-152.5, -82.5))
CAMERA_HEIGHT_MM = 650.0
"""The measures that the dice reader assumes; a test holds them to those of `vision.tray`."""


@dataclass(frozen=True)
class _Controller:
    """A controller as it is drawn: its name, what stands below, its pins, and a warning for the end."""

    title: str
    under: tuple[str, ...]
    data: str
    ground: str
    buttons: tuple[str, str]
    warning: str


_NANO = _Controller(
    "Arduino Nano", ("ATmega328P, 16 MHz, 5 V", "5V pin: nothing"), "D8", "GND", ("D2", "D3"),
    "Without chip: only a Nano (5 V), and only if the first LED is within 20 cm of it.",
)  # fmt: skip
_PICO = _Controller(
    "Raspberry Pi Pico", ("RP2040; pins of 3.3 V", "VBUS, VSYS, 3V3: nothing"), "pin 4, GP2", "pin 3, GND",
    ("pin 9, GP6", "pin 10, GP7"),
    "Never without the chip: a pin of the Pico gives 3.3 V, an LED of 5 V wants 3.5 V.",
)  # fmt: skip


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


def _net(x: float, y: float, name: str, side: str = "end") -> str:
    """A connection that is named instead of drawn: +5 V or GND."""
    away = -1 if side == "end" else 1
    colour = RED if name.startswith("+") else BLACK
    return _wire([(x, y), (x + 16 * away, y)], colour) + text(
        x + 20 * away, y + 4, name, 12, text_anchor=side, fill=colour, font_weight="bold"
    )


# pins of the 74AHCT125: number -> what it is, and the net that it is joined to (None: a wire, "": left open)
CHIP_PINS: dict[int, tuple[str, str | None]] = {
    1: ("1OE", "GND"),
    2: ("1A", None),
    3: ("1Y", None),
    4: ("2OE", "+5 V"),
    5: ("2A", "GND"),
    6: ("2Y", ""),
    7: ("GND", "GND"),
    8: ("3Y", ""),
    9: ("3A", "GND"),
    10: ("3OE", "+5 V"),
    11: ("4Y", ""),
    12: ("4A", "GND"),
    13: ("4OE", "+5 V"),
    14: ("VCC", "+5 V"),
}
_CHIP = (600.0, 70.0, 120.0, 236.0)
_PIN_STEP = 32.0


def _pin(number: int) -> tuple[float, float, str]:
    """Where a pin of the chip leaves its case, and to which side."""
    x, y, w, _ = _CHIP
    if number <= 7:
        return x, y + 22 + _PIN_STEP * (number - 1), "end"
    return x + w, y + 22 + _PIN_STEP * (14 - number), "start"


def _chip() -> list[str]:
    """The level shifter from above, with all 14 pins."""
    x, y, w, h = _CHIP
    parts = [
        text(x + w / 2, y - 12, "74AHCT125 from above", 15, text_anchor="middle", font_weight="bold"),
        rect(x, y, w, h, rx=4, fill="#f3f4f6", stroke=INK, stroke_width=1.5),
        circle(x + w / 2, y, 9, fill=GREY),  # the notch
    ]
    for number, (name, net) in CHIP_PINS.items():
        px, py, side = _pin(number)
        inward = 6 if side == "end" else -6
        parts.append(
            text(px + inward, py + 4, f"{number} {name}" if side == "end" else f"{name} {number}", 12,
                 text_anchor="start" if side == "end" else "end")
        )  # fmt: skip
        if net:
            parts.append(_net(px, py, net, side))
        elif net == "":
            parts.append(text(px + (8 if side == "start" else -8), py + 4, "open", 11,
                              text_anchor=side, fill=GREY))  # fmt: skip
    return parts


def _data(controller: _Controller) -> list[str]:
    """Computer, controller, and the data line through the chip to the strip."""
    _, in_y, _ = _pin(2)
    out_x, out_y, _ = _pin(3)
    return [
        _box(20, 40, 150, 90, "Computer", "Raspberry Pi or", "any with Linux"),
        _box(250, 40, 190, 230, controller.title, *controller.under),
        _wire([(170, 86), (250, 86)], GREY, "USB"),
        text(434, in_y + 4, controller.data, 13, text_anchor="end"),
        _wire([(440, in_y), (out_x, in_y)], GREEN),
        # held low while the controller starts
        _wire([(480, in_y), (480, in_y + 24)], GREEN),
        rect(470, in_y + 24, 20, 46, fill="#ffffff", stroke=GREEN, stroke_width=2),
        text(496, in_y + 52, "10 kΩ", 11, fill=GREEN),
        _wire([(480, in_y + 70), (480, in_y + 92)], BLACK),
        text(480, in_y + 108, "GND", 12, text_anchor="middle", font_weight="bold"),
        _dot(480, in_y, GREEN),
        text(434, 250, controller.ground, 13, text_anchor="end"),
        _net(440, 246, "GND", "start"),
        _wire([(out_x, out_y), (538, out_y), (538, 336), (900, 336)], GREEN),
        text(720, 328, "up to 1 m, twisted with a wire of GND", 12, text_anchor="middle", fill=GREEN),
        rect(900, 326, 50, 20, fill="#ffffff", stroke=GREEN, stroke_width=2),
        text(925, 340, "330 Ω", 11, text_anchor="middle", fill=GREEN),
        _wire([(950, 336), (1000, 336)], GREEN),
        # the small capacitor beside the chip
        rect(808, 60, 168, 44, rx=4, fill="#ffffff", stroke=GREY),
        text(892, 78, "100 nF from pin 14", 12, text_anchor="middle"),
        text(892, 94, "to pin 7, at the chip", 12, text_anchor="middle"),
    ]


def _power() -> list[str]:
    """The supply with fuse and the points where all +5 V and all GND meet; the strip and its capacitor."""
    return [
        _box(250, 400, 190, 110, "5 V supply", "closed, class II", "see power.md"),
        text(432, 436, "+", 18, text_anchor="end", fill=RED),
        text(432, 492, "-", 18, text_anchor="end"),
        _wire([(440, 430), (480, 430)], RED),
        rect(480, 420, 60, 20, fill="#ffffff", stroke=RED, stroke_width=2),
        text(510, 434, "fuse", 12, text_anchor="middle", fill=RED),
        _wire([(540, 430), (1040, 430), (1040, 390)], RED),
        text(600, 422, "+5 V", 13, fill=RED, font_weight="bold"),
        _dot(590, 430, RED),
        _wire([(440, 486), (1100, 486), (1100, 390)], BLACK),
        text(600, 506, "GND: every point called GND is joined here, black as thick as red", 13),
        _dot(590, 486, BLACK),
        _box(1000, 240, 180, 150, "WS2812B strip", "or single LEDs", "first LED, arrow", "points away"),
        text(1008, 340, "DIN", 12, fill=GREEN),
        text(1040, 382, "5V", 12, text_anchor="middle", fill=RED),
        text(1100, 382, "GND", 12, text_anchor="middle"),
        # the large capacitor where the strip begins
        _wire([(900, 430), (900, 448)], RED),
        line([(884, 449), (916, 449)], stroke=INK, stroke_width=4),
        line([(884, 460), (916, 460)], stroke=INK, stroke_width=4),
        _wire([(900, 461), (900, 486)], BLACK),
        text(874, 448, "+", 16, fill=RED, text_anchor="end"),
        text(924, 456, "1000 µF, 10 V or 16 V", 12),
        text(924, 472, "(its stripe is minus)", 12),
        _dot(900, 430, RED),
        _dot(900, 486, BLACK),
    ]


def _buttons(controller: _Controller) -> list[str]:
    """The two buttons, which pull their pins to ground."""
    return [
        _wire([(250, 190), (120, 190), (120, 214)], BLUE),
        _wire([(250, 226), (200, 226), (200, 250)], BLUE),
        text(256, 194, controller.buttons[0], 13),
        text(256, 230, controller.buttons[1], 13),
        circle(120, 228, 14, fill="#ffffff", stroke=BLUE, stroke_width=2),
        circle(200, 264, 14, fill="#ffffff", stroke=BLUE, stroke_width=2),
        text(98, 232, "confirm", 12, text_anchor="end"),
        text(178, 268, "arbiter", 12, text_anchor="end"),
        _wire([(120, 242), (120, 300)], BLACK),
        _wire([(200, 278), (200, 300)], BLACK),
        text(120, 316, "GND", 12, text_anchor="middle", font_weight="bold"),
        text(200, 316, "GND", 12, text_anchor="middle", font_weight="bold"),
    ]


def wiring_picture(controller: _Controller) -> str:
    """Computer, controller, level shifter, supply, fuse, strip, buttons."""
    parts = [
        *_data(controller),
        *_chip(),
        *_power(),
        *_buttons(controller),
        text(
            20, 548, "Nobody has built this from the page yet: check each wire twice before power is on.", 13
        ),
        text(20, 568, controller.warning, 13),
    ]
    return picture(1200, 588, "Wiring of the lights", parts)


def injection_picture() -> str:
    """Where power enters a strip of 90 LEDs."""
    parts = [
        line([(60, 60), (1040, 60)], stroke=RED, stroke_width=5),
        line([(60, 170), (1040, 170)], stroke=BLACK, stroke_width=5),
        text(60, 46, "+5 V, feed line, after the fuse", 13, fill=RED),
        text(60, 194, "GND, feed line", 13),
        rect(60, 96, 980, 38, rx=4, fill="#fffbe6", stroke=INK, stroke_width=1.5),
    ]
    parts += [rect(74 + 24.2 * n, 108, 12, 12, fill="#ffffff", stroke=GREY) for n in range(40)]
    for share, label in ((0, "LED 0"), (1 / 2, "45"), (1, "89")):
        x = 66 + share * 968
        parts.append(_wire([(x, 60), (x, 100)], RED) + _dot(x, 60, RED))
        parts.append(_wire([(x, 170), (x, 130)], BLACK) + _dot(x, 170, BLACK))
        parts.append(text(x, 220, label, 13, text_anchor="middle"))
    parts.append(_wire([(10, 115), (60, 115)], GREEN, "DIN", 0))
    parts.append(
        text(60, 250, "Power enters at both ends and at least every 50 LEDs; data only at the start.", 13)
    )
    parts.append(
        text(60, 270, "Branches as thick as the feed line, or each with a fuse that fits the branch.", 13)
    )
    return picture(1100, 288, "Power injection", parts)


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


PLATE_MM = (380.0, 240.0)
RIM_MM = (26.0, 8.0)
"""Height and thickness of the rim; a test holds them to what the camera check allows."""
MARKER_BORDER_MM = 4.0
MARKER_ROWS = (
    ("######", "#.#..#", "##.#.#", "###..#", "###.##", "######"),
    ("######", "######", "#....#", "#.##.#", "#.#.##", "######"),
    ("######", "###..#", "###..#", "###.##", "#..#.#", "######"),
    ("######", "#.##.#", "#.##.#", "##.###", "##..##", "######"),
)
"""The patterns of markers 0 to 3 of DICT_4X4_50; a test holds them to OpenCV's."""


def _marker(number: int, x: float, y: float, side: float, border: float) -> str:
    """A fiducial as it is printed, its black square at (x, y)."""
    step = side / len(MARKER_ROWS[number])
    parts = [rect(x - border, y - border, side + 2 * border, side + 2 * border, fill="#ffffff", stroke=GREY)]
    for row, cells in enumerate(MARKER_ROWS[number]):
        parts += [
            rect(x + step * column, y + step * row, step + 0.5, step + 0.5, fill="#000000")
            for column, cell in enumerate(cells)
            if cell == "#"
        ]
    return "".join(parts)


def tray_picture() -> str:
    """The dice tray from above and cut through, with fiducials and measures."""
    w, h = TRAY_INNER_MM
    cx, cy, s = 350.0, 250.0, 1.5
    thick = RIM_MM[1]
    pw, ph = PLATE_MM
    parts = [
        rect(cx - pw / 2 * s, cy - ph / 2 * s, pw * s, ph * s, fill="#efe9df", stroke=INK, stroke_width=1),
        rect(
            cx - (w / 2 + thick) * s,
            cy - (h / 2 + thick) * s,
            (w + 2 * thick) * s,
            (h + 2 * thick) * s,
            fill="#8d6e63",
            stroke=INK,
            stroke_width=1,
        ),
        rect(cx - w / 2 * s, cy - h / 2 * s, w * s, h * s, fill="#37474f"),
        text(cx + 30, cy - 60, "matt cloth, one dark colour", 14, text_anchor="middle", fill="#ffffff"),
    ]
    for number, (x, y) in enumerate(MARKER_CENTRES_MM):
        left, top = cx + (x - MARKER_MM / 2) * s, cy + (-y - MARKER_MM / 2) * s
        parts.append(_marker(number, left, top, MARKER_MM * s, MARKER_BORDER_MM * s))
        under = top + (MARKER_MM + MARKER_BORDER_MM) * s + 15
        parts.append(text(left + MARKER_MM / 2 * s, under, f"number {number}", 11, text_anchor="middle"))
    x1, y1 = MARKER_CENTRES_MM[0]
    x2, y2 = MARKER_CENTRES_MM[2]
    parts += [
        _measure(cx - w / 2 * s, cy + 60, cx + w / 2 * s, cy + 60, f"{w:g} mm inside", "#ffffff"),
        _measure(cx - 140, cy - h / 2 * s, cx - 140, cy + h / 2 * s, f"{h:g} mm", "#ffffff"),
        _measure(
            cx + x1 * s, cy + 214, cx + x2 * s, cy + 214, f"{x2 - x1:g} mm between centres of fiducials"
        ),
        _measure(cx + 305, cy - y1 * s, cx + 305, cy - y2 * s, f"{y1 - y2:g} mm"),
        _measure(cx - pw / 2 * s, 50, cx + pw / 2 * s, 50, f"plate, at least {pw:g} mm by {ph:g} mm"),
        *_cut(cx, 600.0),
        text(
            40, 662, f"Fiducials: ArUco DICT_4X4_50, numbers 0 to 3, black square {MARKER_MM:g} mm, white", 13
        ),
        text(
            40,
            680,
            f"border {MARKER_BORDER_MM:g} mm, matt. Print: referee tray markers --output markers.pdf",
            13,
        ),
    ]
    return picture(780, 700, "The dice tray from above", parts)


def _cut(cx: float, plate: float) -> list[str]:
    """Half of the tray cut through, at three times the size: rim, floor, fiducial."""
    s = 3.0
    high, thick = RIM_MM
    floor, wall = plate - 3.6 * s, cx - 60.0
    outer = wall + thick * s
    marker = outer + (140.0 - 120.0 - thick) * s
    return [
        rect(wall - 240, plate, 640, 10, fill="#efe9df", stroke=INK),
        rect(wall - 240, floor, 240, plate - floor, fill="#37474f"),
        rect(wall, floor - high * s, thick * s, plate - floor + high * s, fill="#8d6e63", stroke=INK),
        rect(marker, plate - 3, MARKER_MM * s, 3, fill="#000000"),
        text(wall - 230, plate + 26, "cloth, 3.6 mm above the plate", 12),
        text(marker, plate + 26, "fiducial on the plate", 12),
        _measure(outer + 14, floor - high * s, outer + 14, floor, f"rim {high:g} mm high"),
        text(
            wall + thick * s / 2,
            floor - high * s - 6,
            f"at most {thick:g} mm thick",
            12,
            text_anchor="middle",
        ),
    ]


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
        text(60, 466, "Straight down over the middle of the tray, within 20 mm,", 13),
        text(60, 484, "long side of the picture along the long side of the tray.", 13),
    ]
    return picture(640, 500, "The camera over the tray", parts)


def build_pictures() -> dict[str, str]:
    """File name in docs/build/ to its SVG."""
    return {
        "wiring.svg": wiring_picture(_NANO),
        "wiring_pico.svg": wiring_picture(_PICO),
        "injection.svg": injection_picture(),
        "tray.svg": tray_picture(),
        "camera.svg": camera_picture(),
    }
