"""Which LED lies under which place, found by the camera: each LED blinks a code while the camera looks.

1. The board is found by four fiducials at its corners and rectified.
2. Every LED is lit in four of n pictures (`led_map_codes`), with dark pictures
   in between that tell ambient light and its changes apart from the LEDs.
3. Bright spots are decoded.  A reflection carries its LED's code too: the
   brightest spot of a code is the LED, and if another is nearly as bright the
   LED is unsure.
4. LEDs that are unsure are lit once more alone.  What is unsure then is
   reported and left to a hand; it is never guessed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from statistics import median
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.led_map import Point, place_at, raw_map
from calibration.led_map_codes import WEIGHT, codewords
from firmware_bridge.led_map import LedMap
from firmware_bridge.model import GAMMA
from firmware_bridge.protocol import StripSettings
from firmware_bridge.status import LightsSink
from referee.kernel.lights import Light
from referee.kernel.messages import Text
from referee.kernel.said import SaidError

Image = NDArray[np.uint8]
Grey = NDArray[np.float32]

FIDUCIALS = (40, 41, 42, 43)
"""ArUco DICT_4X4_50: at the top left, top right, bottom right and bottom left corner, outside of the board;
the inner corner of each marker touches the board's corner."""
_INNER = (2, 3, 0, 1)  # which corner of each marker touches the board
WIDTH = 1000
"""Width of the rectified board in pixels; positions are good to about 2 of them."""
DARK_EVERY = 8
MARGIN = 0.006
"""Share of the board's width within which a border makes a place unsure."""
_SAME_SPOT = 7.0
_RIVAL = 0.6
_CLEAR = 1.6


class BoardCamera(Protocol):
    """The camera over the board."""

    def capture(self) -> Image:
        """A BGR picture whose exposure began after the call."""


class Strip(Protocol):
    """The LEDs to be lit, one by one."""

    def light(self, leds: frozenset[int]) -> None:
        """Show exactly these; returns when they are lit."""


class MappingRefused(SaidError):
    """The camera cannot map the board now; the text says why and what to do."""


@dataclass
class BridgeStrip:
    """Lights LEDs through any `LightsSink` that was opened with `raw_map`, within the current budget."""

    sink: LightsSink
    settings: StripSettings
    timeout: float = 3.0

    def light(self, leds: frozenset[int]) -> None:
        value = level_for(len(leds), self.settings)
        number = self.sink.show({str(n): Light(value, value, value) for n in leds})
        deadline = time.monotonic() + self.timeout
        while self.sink.status().acknowledged < number:
            if time.monotonic() > deadline:
                status = self.sink.status()
                raise MappingRefused(status.words.text)
            time.sleep(0.001)


def level_for(lit: int, settings: StripSettings) -> int:
    """The brightest white for so many LEDs that the budget does not dim: dimming would differ by picture."""
    spare = settings.budget_ma - settings.count * settings.idle_ma
    share = spare / (3 * settings.channel_ma * max(1, lit)) if spare > 0 else 0
    most = 255 * share / ((settings.brightness + 1) / 256)
    return max((value for value in range(256) if GAMMA[value] <= most), default=0)


@dataclass(frozen=True)
class LocatedLed:
    """Where an LED was seen: board units; `strength` in grey levels; `clear`: no rival spot."""

    point: Point
    strength: float
    clear: bool


@dataclass
class AutomaticMap:
    """What came of it: the map of the sure LEDs, why others are unsure, and the table's time in seconds."""

    led_map: LedMap
    unsure: dict[int, Text] = field(default_factory=dict)
    points: dict[int, Point] = field(default_factory=dict)
    seconds: float = 0.0


def find_board(picture: Image, width: float, height: float) -> NDArray[np.float64]:
    """Homography from the picture to the rectified board.  MappingRefused if a fiducial is not seen."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    seen = {int(i): c.reshape(4, 2) for i, c in zip([] if ids is None else ids.ravel(), corners, strict=True)}
    missing = [number for number in FIDUCIALS if number not in seen]
    if missing:
        raise MappingRefused(
            Text("calibration.board_marker_missing", missing=", ".join(map(str, missing))),
        )
    scale = WIDTH / width
    board = np.array([(0, 0), (WIDTH, 0), (WIDTH, height * scale), (0, height * scale)], np.float32)
    inner = np.array([seen[n][c] for n, c in zip(FIDUCIALS, _INNER, strict=True)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(inner, board), np.float64)


class _Observer:
    """Lights LEDs, takes pictures of the rectified board, and subtracts the dark."""

    def __init__(self, camera: BoardCamera, strip: Strip, width: float, height: float) -> None:
        self._camera, self._strip = camera, strip
        strip.light(frozenset())
        self._board = (width, height)
        self._matrix = find_board(camera.capture(), width, height)
        self._size = (WIDTH, round(height * WIDTH / width))

    def look(self, leds: frozenset[int]) -> Grey:
        """Grey picture of the rectified board with exactly these LEDs lit."""
        self._strip.light(leds)
        grey = cv2.cvtColor(self._camera.capture(), cv2.COLOR_BGR2GRAY)
        flat = cv2.warpPerspective(grey, self._matrix, self._size, flags=cv2.INTER_LINEAR)
        return np.asarray(flat, np.float32)

    def check_still(self) -> None:
        """MappingRefused if board or camera were moved since the beginning."""
        self._strip.light(frozenset())
        now = find_board(self._camera.capture(), *self._board)
        corners = np.array([[(0, 0), (WIDTH, 0), self._size, (0, self._size[1])]], np.float32)
        drawn = cv2.perspectiveTransform(cv2.perspectiveTransform(corners, np.linalg.inv(self._matrix)), now)
        if float(np.abs(drawn - corners).max()) > 4:
            raise MappingRefused(
                Text("calibration.board_moved"),
            )


def _lit_part(lit: Grey, before: Grey, after: Grey, share: float) -> Grey:
    """What the LEDs add to a picture; ambient light is taken from the dark pictures around it."""
    dark = before * (1 - share) + after * share
    gain = _median(lit) / max(1.0, _median(dark))
    return np.asarray(cv2.GaussianBlur(lit - gain * dark, (0, 0), 2.0), np.float32)


def _median(grey: Grey) -> float:
    """Median of every ninth pixel: as good, and nine times as fast."""
    return float(np.median(grey[::3, ::3]))


def _peaks(lit: Grey) -> list[tuple[float, float, float]]:
    """Bright spots as (x, y, strength), brightest first, at most 80."""
    noise = 1.4826 * _median(np.abs(lit))
    least = max(6 * noise, 4.0)
    top = cv2.dilate(lit, np.ones((11, 11), np.uint8))
    ys, xs = np.nonzero((lit == top) & (lit > least))
    spots = sorted(((float(lit[y, x]), int(x), int(y)) for y, x in zip(ys, xs, strict=True)), reverse=True)
    return [(*_centre(lit, x, y), strength) for strength, x, y in spots[:80]]


def _centre(lit: Grey, x: int, y: int) -> tuple[float, float]:
    """Centre of brightness around a peak: a clipped spot has a flat top."""
    top, left = max(0, y - 6), max(0, x - 6)
    patch = lit[top : y + 7, left : x + 7]
    weight = np.clip(patch - 0.5 * lit[y, x], 0, None)
    total = float(weight.sum())
    if total <= 0:
        return float(x), float(y)
    rows, columns = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    return left + float((columns * weight).sum()) / total, top + float((rows * weight).sum()) / total


def _spots(pictures: Sequence[Grey]) -> list[tuple[float, float]]:
    """Places where something was bright in at least three pictures."""
    groups: list[list[tuple[float, float, float]]] = []
    for lit in pictures:
        for peak in _peaks(lit):
            near = [g for g in groups if hypot(g[0][0] - peak[0], g[0][1] - peak[1]) < _SAME_SPOT]
            if near:
                min(near, key=lambda g: hypot(g[0][0] - peak[0], g[0][1] - peak[1])).append(peak)
            else:
                groups.append([peak])
    found = []
    for group in groups:
        if len(group) >= WEIGHT - 1:
            strong = sorted(group, key=lambda p: -p[2])[:WEIGHT]
            found.append((median(p[0] for p in strong), median(p[1] for p in strong)))
    return found


def _decode(course: NDArray[np.float32], words: Sequence[tuple[int, ...]]) -> tuple[int, float] | None:
    """The LED whose code this course of brightness carries, and its strength; None if none clearly does."""
    order = np.argsort(course)[::-1]
    bright = set(order[: WEIGHT + 1].tolist())
    best: tuple[float, int, float] | None = None
    for led, word in enumerate(words):
        if len(bright.intersection(word)) < WEIGHT - 1:
            continue
        inside_word = np.sort(course[list(word)])
        others = np.delete(course, list(word))
        contrast = float(inside_word[0]) / max(1.0, float(others.max()))
        if best is None or contrast > best[0]:
            best = (contrast, led, float(np.median(inside_word)))
    return (best[1], best[2]) if best and best[0] >= _CLEAR else None


def _locate(pictures: Sequence[Grey], words: Sequence[tuple[int, ...]]) -> dict[int, LocatedLed]:
    """Rectified position of every LED whose code was seen."""
    seen: dict[int, list[tuple[float, tuple[float, float]]]] = {}
    stack = np.stack([cv2.dilate(p, np.ones((3, 3), np.uint8)) for p in pictures]).astype(np.float32)
    for x, y in _spots(pictures):
        decoded = _decode(stack[:, round(y), round(x)], words)
        if decoded:
            seen.setdefault(decoded[0], []).append((decoded[1], (x, y)))
    return {led: _strongest(spots) for led, spots in seen.items()}


def _strongest(spots: list[tuple[float, tuple[float, float]]]) -> LocatedLed:
    spots = sorted(spots, reverse=True)
    strength, point = spots[0]
    rivals = [s for s, p in spots[1:] if hypot(p[0] - point[0], p[1] - point[1]) > 2 * _SAME_SPOT]
    return LocatedLed(point, strength, not rivals or rivals[0] < _RIVAL * strength)


def _suspicious(found: Mapping[int, LocatedLed]) -> set[int]:
    """LEDs that are much weaker than their neighbours on the strip, or rather weak and off the strip's way.

    Where a figure hides an LED, only its reflection is seen: weaker, and mostly
    elsewhere.  Glossy surfaces mirror less than half of the light.
    """
    steps = [_apart(found[n], found[n + 1]) for n in found if n + 1 in found]
    usual = median(steps) if steps else 0.0
    odd = set()
    for led, spot in found.items():
        around = [found[n].strength for n in range(led - 4, led + 5) if n != led and n in found]
        beside = [_apart(spot, found[n]) for n in (led - 1, led + 1) if n in found]
        strength = spot.strength / median(around) if len(around) > 1 else 1.0
        jump = min(beside, default=0.0) / usual if usual else 0.0
        if strength < 0.3 or (strength < 0.45 and jump > 1.3) or (strength < 0.7 and jump > 2) or jump > 5:
            odd.add(led)
    return odd


def _apart(first: LocatedLed, second: LocatedLed) -> float:
    return hypot(first.point[0] - second.point[0], first.point[1] - second.point[1])


def map_leds(
    camera: BoardCamera,
    strip: Strip,
    leds: int,
    outlines: Mapping[str, Sequence[Point]],
    size: tuple[float, float],
    *,
    clock: Callable[[], float] = time.monotonic,
    progress: Callable[[float], None] | None = None,
) -> AutomaticMap:
    """Map `leds` LEDs to places by camera.

    `outlines`: polygon of each place in board units, `size`: width and height of
    the board.  MappingRefused if the board is not seen or was moved.
    """
    began = clock()
    words, count = codewords(leds)
    observer = _Observer(camera, strip, *size)
    pictures = _blink(observer, words, count, progress or (lambda share: None))
    found = _locate(pictures, words)
    doubtful = (set(range(leds)) - set(found)) | {led for led, f in found.items() if not f.clear}
    doubtful |= _suspicious(found)
    for led in sorted(doubtful):
        alone = _look_alone(observer, led)
        if alone is None:
            found.pop(led, None)
        else:
            found[led] = alone
    observer.check_still()
    odd = _suspicious(found)
    result = _conclude(found, odd, leds, outlines, size)
    result.seconds = clock() - began
    return result


def _blink(
    observer: _Observer, words: Sequence[tuple[int, ...]], count: int, progress: Callable[[float], None]
) -> list[Grey]:
    """What the LEDs add in each of the code's pictures."""
    pictures: list[Grey] = []
    before = observer.look(frozenset())
    for first in range(0, count, DARK_EVERY):
        numbers = range(first, min(count, first + DARK_EVERY))
        lit = [observer.look(frozenset(n for n, word in enumerate(words) if i in word)) for i in numbers]
        after = observer.look(frozenset())
        step = len(lit) + 1
        pictures += [_lit_part(one, before, after, (i + 1) / step) for i, one in enumerate(lit)]
        before = after
        progress(min(1.0, (first + DARK_EVERY) / count))
    return pictures


def _look_alone(observer: _Observer, led: int) -> LocatedLed | None:
    """Light one LED alone and look for its spot and its reflections."""
    before = observer.look(frozenset())
    lit = observer.look(frozenset({led}))
    after = observer.look(frozenset())
    peaks = _peaks(_lit_part(lit, before, after, 0.5))
    return _strongest([(strength, (x, y)) for x, y, strength in peaks]) if peaks else None


def _conclude(
    found: Mapping[int, LocatedLed],
    odd: set[int],
    leds: int,
    outlines: Mapping[str, Sequence[Point]],
    size: tuple[float, float],
) -> AutomaticMap:
    """Give each sure LED to its place, and say of each other one why not."""
    unsure: dict[int, Text] = {}
    points: dict[int, Point] = {}
    places: dict[str, tuple[int, ...]] = {}
    scale = size[0] / WIDTH
    for led in range(leds):
        spot = found.get(led)
        if spot is None:
            unsure[led] = Text("calibration.led_not_seen")
            continue
        point = (spot.point[0] * scale, spot.point[1] * scale)
        points[led] = point
        place, sure = place_at(point, outlines, MARGIN * size[0])
        if not spot.clear:
            unsure[led] = Text("calibration.led_seen_twice")
        elif led in odd:
            unsure[led] = Text("calibration.led_weak")
        elif not sure:
            unsure[led] = Text("calibration.led_on_border")
        elif place is not None:
            places[place] = (*places.get(place, ()), led)
    ordered = {place: places[place] for place in outlines if place in places}
    return AutomaticMap(LedMap(ordered, leds), unsure, points)


__all__ = [
    "AutomaticMap",
    "BoardCamera",
    "BridgeStrip",
    "MappingRefused",
    "Strip",
    "find_board",
    "level_for",
    "map_leds",
    "raw_map",
]
