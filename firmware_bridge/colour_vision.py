"""How lights look to people with a colour-vision deficiency, and how far apart two of them are.

Dichromats are simulated by the matrices of Machado, Oliveira and Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency" (IEEE
TVCG 2009), severity 1.0, in linear RGB; distances are CIEDE2000 (Sharma, Wu
and Dalal 2005).  About 1 is just noticeable side by side; 10 and more are
told apart at a glance.
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

RGB = tuple[int, int, int]
Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

NORMAL = "normal"
VISION: dict[str, Matrix] = {
    NORMAL: ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_TO_XYZ: Matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE: Triple = (0.95047, 1.0, 1.08883)


def _times(matrix: Matrix, vector: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def _linear(colour: RGB) -> Triple:
    r, g, b = ((channel / 255) ** 2.2 for channel in colour)
    return r, g, b


def luminance(colour: RGB) -> float:
    """Relative luminance 0..1 of a light."""
    return _times(_TO_XYZ, _linear(colour))[1]


def _seen(colour: RGB, vision: str) -> Triple:
    r, g, b = (min(1.0, max(0.0, c)) for c in _times(VISION[vision], _linear(colour)))
    return r, g, b


def simulate(colour: RGB, vision: str) -> RGB:
    """The colour that gives a person with normal vision the same impression."""
    r, g, b = (round(255 * channel ** (1 / 2.2)) for channel in _seen(colour, vision))
    return r, g, b


def to_lab(colour: RGB, vision: str = NORMAL) -> Triple:
    """CIELAB under D65 of what is seen."""
    ratios = (v / w for v, w in zip(_times(_TO_XYZ, _seen(colour, vision)), _WHITE, strict=True))
    x, y, z = (r ** (1 / 3) if r > 0.008856 else 7.787 * r + 16 / 116 for r in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(first: Triple, second: Triple) -> float:
    """Colour difference of two CIELAB values."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean_c7 = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    g = 0.5 * (1 - sqrt(mean_c7 / (mean_c7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    step = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = h1 + step / 2 if c1 * c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    s_l = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    s_c, s_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    turn = ((hue % 360 - 275) / 25) ** 2
    r_t = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-turn)))
    d_l, d_c = (l2 - l1) / s_l, (c2 - c1) / s_c
    d_h = 2 * sqrt(c1 * c2) * sin(radians(step / 2)) / s_h
    return sqrt(d_l**2 + d_c**2 + d_h**2 + r_t * d_c * d_h)


def distance(first: RGB, second: RGB, vision: str = NORMAL) -> float:
    """CIEDE2000 between two lights as a person with this vision sees them."""
    return ciede2000(to_lab(first, vision), to_lab(second, vision))
