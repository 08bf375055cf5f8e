"""A board under a camera, rendered: print, ambient light, glare, LEDs that glow, and their reflections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.led_map_camera import FIDUCIALS

Point = tuple[float, float]
FRAME = 1 / 15
ACK = 0.015


class RenderedTable:
    """Camera and strip in one; `seconds` is the table's time: 15 pictures a second, 15 ms for an update.

    `leds`: positions in board units.  Each LED shines through print of its own
    density, has a wide glow, a double image by the cover sheet, and some are
    mirrored far away in the glossy surface.  `hidden` LEDs are covered by a
    figure: only their reflection is seen.
    """

    def __init__(
        self,
        size: Point,
        outlines: Mapping[str, Sequence[Point]],
        leds: Sequence[Point],
        *,
        seed: int = 1,
        hidden: frozenset[int] = frozenset(),
    ) -> None:
        self._random = np.random.default_rng(seed)
        self.seconds = 0.0
        self.lit: frozenset[int] = frozenset()
        self.most_lit = 0
        self._shape = (960, 1280)
        self._grain = self._random.standard_normal(self._shape, np.float32)
        self._matrix = self._view(size)
        self._paper = self._print(size, outlines)
        self._light, self._glare = self._ambient()
        self._sources = [self._source(n, point, size, n in hidden) for n, point in enumerate(leds)]

    def light(self, leds: frozenset[int]) -> None:
        self.lit = leds
        self.most_lit = max(self.most_lit, len(leds))
        self.seconds += ACK

    def capture(self) -> NDArray[np.uint8]:
        """The picture under way is thrown away; the next one is taken."""
        self.seconds += 2 * FRAME
        flicker = 1 + 0.03 * self._random.standard_normal()
        picture = self._paper * self._light * flicker + self._glare
        for led in self.lit:
            for (top, left), patch in self._sources[led]:
                h, w = patch.shape
                picture[top : top + h, left : left + w] += patch
        rows, columns = self._random.integers(0, self._shape)
        noise = np.roll(self._grain, (int(rows), int(columns)), (0, 1))
        grey = np.clip(picture + noise * (1.5 + 0.08 * np.sqrt(picture)), 0, 255).astype(np.uint8)
        return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)

    def move(self, by: float) -> None:
        """Somebody bumps the camera."""
        shift = np.array([[1, 0, by], [0, 1, 0]], np.float32)
        self._paper = cv2.warpAffine(self._paper, shift, self._shape[::-1], borderMode=cv2.BORDER_REPLICATE)

    def _view(self, size: Point) -> NDArray[np.float64]:
        """Board units to camera pixels: from above, a little askew."""
        board = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
        seen = np.array([(178, 132), (1122, 118), (1160, 838), (130, 828)], np.float32)
        seen += self._random.uniform(-12, 12, (4, 2)).astype(np.float32)
        return cv2.getPerspectiveTransform(board, seen)

    def _print(self, size: Point, outlines: Mapping[str, Sequence[Point]]) -> NDArray[np.float32]:
        """Reflectance 0..1 in camera pixels, with the fiducials."""
        pad = 110
        board = np.full((round(size[1]) + 2 * pad, round(size[0]) + 2 * pad), 0.16, np.float32)
        board[pad:-pad, pad:-pad] = 0.35
        for outline in outlines.values():
            polygon = np.array([[(x + pad, y + pad) for x, y in outline]], np.int32)
            cv2.fillPoly(board, polygon, float(self._random.uniform(0.25, 0.7)))
            cv2.polylines(board, polygon, True, 0.08, 4)
        texture = cv2.GaussianBlur(self._random.standard_normal(board.shape, np.float32), (0, 0), 3)
        board += 0.25 * texture
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        side, quiet = 84, 10
        h, w = board.shape
        inner = [(pad, pad), (w - pad, pad), (w - pad, h - pad), (pad, h - pad)]
        for number, (x, y) in zip(FIDUCIALS, inner, strict=True):
            left = x - side if x == pad else x
            top = y - side if y == pad else y
            board[top - quiet : top + side + quiet, left - quiet : left + side + quiet] = 0.85
            marker = cv2.aruco.generateImageMarker(dictionary, number, side).astype(np.float32) / 255
            board[top : top + side, left : left + side] = 0.05 + 0.8 * marker
        shift = np.array([[1, 0, -pad], [0, 1, -pad], [0, 0, 1]], np.float64)
        flat = cv2.warpPerspective(
            board, self._matrix @ shift, self._shape[::-1], borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(np.clip(flat, 0.02, 0.95), np.float32)

    def _ambient(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Room light with a gradient, and two lamps mirrored in the surface."""
        rows, columns = np.mgrid[0 : self._shape[0], 0 : self._shape[1]].astype(np.float32)
        light = 150 + 60 * columns / self._shape[1] - 30 * rows / self._shape[0]
        glare = np.zeros(self._shape, np.float32)
        for _ in range(2):
            x, y = self._random.uniform(300, 1000), self._random.uniform(250, 700)
            glare += 90 * np.exp(-(((columns - x) / 45) ** 2 + ((rows - y) / 30) ** 2))
        return light, glare

    def _source(
        self, number: int, point: Point, size: Point, hidden: bool
    ) -> list[tuple[tuple[int, int], NDArray[np.float32]]]:
        """Everything that one LED adds to the picture."""
        random_ = self._random
        strength = random_.uniform(70, 200)
        direct = 0.02 if hidden else 1.0
        patches = [
            self._glow(point, 3.0, direct * strength),
            self._glow(point, 14.0, direct * 0.10 * strength),
            self._glow((point[0] + 34, point[1] - 22), 3.5, 0.2 * strength),
        ]
        if number % 6 == 0:  # mirrored in a raised edge across the board
            patches.append(self._glow((size[0] - 0.8 * point[0], point[1] + 15), 3.2, 0.3 * strength))
        return [patch for patch in patches if patch is not None]

    def _glow(
        self, point: Point, sigma: float, strength: float
    ) -> tuple[tuple[int, int], NDArray[np.float32]] | None:
        x, y = cv2.perspectiveTransform(np.array([[point]], np.float32), self._matrix)[0, 0]
        reach = int(3.5 * sigma)
        left, top = max(0, int(x) - reach), max(0, int(y) - reach)
        right, bottom = min(self._shape[1], int(x) + reach), min(self._shape[0], int(y) + reach)
        if left >= right or top >= bottom:
            return None
        rows, columns = np.mgrid[top:bottom, left:right].astype(np.float32)
        distance = (columns - x) ** 2 + (rows - y) ** 2
        return (top, left), (strength * np.exp(-distance / (2 * sigma**2))).astype(np.float32)
