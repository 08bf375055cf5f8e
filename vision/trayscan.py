"""What lies in one picture of a tray: where the dice are, how they lie, and the face of each cut out.

Nothing is named here; ``trayreader`` does that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np

from vision.faces import colour as body
from vision.faces.describe import Description, describe
from vision.faces.find import LocatedDie, find_dice
from vision.faces.glare import count_rims, is_veiled
from vision.faces.pips import find_pips, strong_pips
from vision.faces.pose import (
    ASIDE_PX,
    HALF_HEAT,
    HALVES_PX,
    PERHAPS,
    around,
    between,
    examine,
    foot_of,
    logit,
    look_again,
)
from vision.faces.taught import crop_face
from vision.reading import Quad, Reason
from vision.support import support
from vision.tray import DEFAULT, TraySpec, TrayView, as_quad, find_tray
from vision.tray_reasons import reason

# Whether the picture is read at all
DARK_LEVEL = 45  # a picture whose 99th percentile of brightness (0..255) is lower is refused as dark
HAND_CELLS = 25  # a picture with at least so many cells of a hand (2 mm wide) is refused

# Whether a find is a whole face that can be read
FACE_CONFIDENCE = 0.90  # a face of lower probability is asked about
LEGIBLE_ASK = 0.35  # a face that can be read with lower probability is asked about
FAINT_ONE = 0.42  # a single pip found with less heat may be one of two and is asked about
WHOLE_DIE = 0.95  # a single pip counts as complete if it is a die with this probability ...
WHOLE_COVERED = 0.35  # ... and covered with a lower one than this
USUAL_RAISED_LOGIT = -2.5  # the median of "raised" among dice on the floor; more is an effect of the light
NO_PIPS = 0.995  # spots are not counted where the network says "no pips" with higher probability
STRONGEST_SPOTS = 0.7  # the strongest spots alone confirm a number that the network gives this probability
EDGES_SEEN = 2  # sides of the rounded edge that are seen at least, wherever the camera stands

# Cocked or level: the tilt is a logit (see DetectedDie.tilt)
RAISED_DOUBT = 0.6, 0.9  # a die is looked at again if "raised" lies between these (less never became much),
COVERED_DOUBT = 0.1, 0.9  # or "covered" between these,
DIE_DOUBT = 0.9  # or "die" below this
MOST_LOOKED_AGAIN = 4  # so many dice a picture are looked at again, so that a reading stays quick
WEIGHT_PLACE = 0.5  # weight in the tilt of the log-odds by where the die lies
WEIGHT_LEAN = 5.0  # weight in the tilt of the angle that the pose network sees (radians, at most 0.6)
WEIGHT_ILLEGIBLE = 0.3  # weight in the tilt of how ill the face can be read


class TiltLimits(NamedTuple):
    """Which tilts mean what, by the weights that look at the dice (see ``pose``).

    A die with a higher tilt than ``ask`` may be cocked and is asked about, with a higher one than ``cocked``
    it is called so, with one between ``level`` and ``sure`` it is looked at again, those nearest to ``even``
    first.
    """

    level: float
    ask: float
    cocked: float
    sure: float
    even: float


LIMITS_ABOVE = TiltLimits(level=-2.6, ask=-1.0, cocked=-0.3, sure=2.4, even=-0.7)  # a camera above the tray
LIMITS_BESIDE = TiltLimits(level=-3.2, ask=0.3, cocked=1.0, sure=4.0, even=0.3)  # and one beside it


@dataclass(frozen=True)
class DetectedDie:
    """A die in the picture before its face is named; ``crop`` and ``body`` are what teaching stores."""

    found: LocatedDie
    quad: Quad
    centre_mm: tuple[float, float, float]
    crop: np.ndarray
    body: np.ndarray
    rim: np.ndarray
    description: Description
    counted: int | None  # pips by their spots
    lighter: bool | None  # whether these are lighter than the body; None: only their rims were counted
    support: float  # log-odds that it leans on something, by where it and its neighbours lie
    white: np.ndarray  # linear BGR of a white card there
    aside: bool  # whether the camera stands beside the tray

    @cached_property
    def face_colour(self) -> np.ndarray:
        """``features`` of the body around the drawing."""
        return body.features(self.body)

    @cached_property
    def edge_colour(self) -> np.ndarray:
        """``features`` of the rounded edge."""
        return body.features(self.rim)

    @cached_property
    def light(self) -> tuple[float, float]:
        """Mean reflectance of the body around the drawing and of the rounded edge.

        From beside the tray, what lies beyond may be seen where the edge should be, but never all around.
        """
        face, edge = float(self.body.mean()), float(self.rim.mean())
        if not self.aside:
            return face, edge
        return face, max(edge, sorted(body.rim_by_sides(self.crop, self.white))[-EDGES_SEEN])

    @property
    def limits(self) -> TiltLimits:
        """Which tilts mean what, from where the camera stands."""
        return LIMITS_BESIDE if self.aside else LIMITS_ABOVE

    @property
    def tilt(self) -> float:
        """Logit of "cocked": what the pose network says, how ill the face can be read, and where it lies."""
        unclear = min(max(2.0 - logit(self.description.legible), -0.5), 3.0)
        seen = logit(self.found.cocked) + WEIGHT_LEAN * min(self.found.lean, 0.6)
        return seen + WEIGHT_ILLEGIBLE * unclear + WEIGHT_PLACE * self.support

    @property
    def is_cocked(self) -> bool:
        """Whether the die is called cocked."""
        return self.tilt > self.limits.cocked

    @property
    def may_be_cocked(self) -> bool:
        """Whether it is called cocked, or asked about for that."""
        return self.tilt > self.limits.ask

    @property
    def is_doubtful(self) -> bool:
        """Whether another look might change what is said of the die."""
        f = self.found
        tilted = self.limits.level < self.tilt < self.limits.sure
        raised = RAISED_DOUBT[0] < f.raised < RAISED_DOUBT[1]
        return tilted or raised or COVERED_DOUBT[0] < f.covered < COVERED_DOUBT[1] or f.die < DIE_DOUBT


@dataclass(frozen=True)
class TrayScan:
    """All that was seen in one picture, or why nothing could be."""

    view: TrayView | None
    dice: tuple[DetectedDie, ...]
    refused: tuple[Reason, ...]
    hand: Reason | None = None  # where there seems to be a hand


def look(image: np.ndarray, tray: TraySpec = DEFAULT) -> TrayScan:
    """Find the tray and the dice in a BGR picture."""
    if image is None or image.ndim != 3 or image.shape[2] != 3 or min(image.shape[:2]) < 200:
        return TrayScan(None, (), (reason("unreadable_image"),))
    gray = body.grey(image)
    if np.percentile(gray[::4, ::4], 99) < DARK_LEVEL:
        return TrayScan(None, (), (reason("dark"),))
    view = find_tray(gray, tray)
    if isinstance(view, Reason):
        return TrayScan(None, (), (view,))
    seen = scan(image, view, body.white_reference(image, view))
    return seen if seen.hand is None else TrayScan(view, (), (seen.hand,))


def scan(image: np.ndarray, view: TrayView, white: body.White) -> TrayScan:
    """Find the dice in a BGR picture of which the view and what white looks like in it are known."""
    rectified = view.rectify(image)
    found, hand = find_dice(rectified)
    there = int((hand > 0.5).sum()) >= HAND_CELLS
    dice = _cut(image, view, white, examine(rectified, view, found))
    halves = [f for f in found if not any(_covers(s, f) for s in dice)]
    dice = _merge_better_views(dice, _cut(image, view, white, between(rectified, view, halves)))
    astray = [s.found for s in dice if s.description.legible < LEGIBLE_ASK and s.found.score < HALF_HEAT]
    dice = _merge_better_views(dice, _cut(image, view, white, around(rectified, view, astray)))
    dice = tuple(s for s in _recheck_doubtful(rectified, view, dice) if s.found.die >= PERHAPS)
    return TrayScan(view, _above_others(dice), (), reason("hand", _hand_quad(hand, view)) if there else None)


def _recheck_doubtful(
    rectified: np.ndarray, view: TrayView, dice: Sequence[DetectedDie]
) -> list[DetectedDie]:
    """The dice, those in doubt looked at more than once: at most so many that a reading stays quick."""
    doubtful = [k for k, s in enumerate(dice) if s.is_doubtful]
    order = sorted(doubtful, key=lambda k: abs(dice[k].tilt - dice[k].limits.even))
    chosen = order[:MOST_LOOKED_AGAIN]
    better = dict(zip(chosen, look_again(rectified, view, [dice[k].found for k in chosen]), strict=True))
    return [replace(s, found=better.get(k, s.found)) for k, s in enumerate(dice)]


def _above_others(dice: Sequence[DetectedDie]) -> tuple[DetectedDie, ...]:
    """The dice, with the chance of lying on another taken beside that of the rest.

    A light that makes all dice of a picture look raised does not tell of any that it is.
    """
    heights = np.array([logit(s.found.raised) for s in dice])
    known = []
    for k, s in enumerate(dice):
        others = np.delete(heights, k)
        excess = max(0.0, float(np.median(others)) - USUAL_RAISED_LOGIT) if len(others) else 0.0
        raised = 1 / (1 + float(np.exp(excess - heights[k])))
        known.append(replace(s, found=replace(s.found, raised=raised)))
    return tuple(known)


def is_complete(f: LocatedDie) -> bool:
    """Whether a single pip is not one of two, on half of a dark die that ends where nobody can see it."""
    return f.score >= FAINT_ONE and f.die >= WHOLE_DIE and f.covered < WHOLE_COVERED


def _covers(s: DetectedDie, f: LocatedDie) -> bool:
    """Whether a find is that of a die which no other look would replace."""
    clear = s.description.legible >= LEGIBLE_ASK and s.found.score >= FAINT_ONE
    return clear and bool(np.hypot(s.found.x - f.x, s.found.y - f.y) < ASIDE_PX - HALVES_PX[1] / 2)


def _merge_better_views(
    dice: Sequence[DetectedDie], better: Sequence[DetectedDie]
) -> tuple[DetectedDie, ...]:
    """The dice, where ``better`` looks replace what cannot be read, or is too faint to be believed."""
    kept = list(dice)
    for b in sorted(better, key=lambda s: -s.description.legible):
        over = [s for s in kept if np.hypot(s.found.x - b.found.x, s.found.y - b.found.y) < ASIDE_PX]
        doubtful = all(s.description.legible < LEGIBLE_ASK or s.found.score < FAINT_ONE for s in over)
        if over and b.description.legible > FACE_CONFIDENCE and doubtful:
            kept = [s for s in kept if all(s is not o for o in over)] + [b]
    return tuple(kept)


def _hand_quad(hand: np.ndarray, view: TrayView) -> Quad:
    ys, xs = np.nonzero(hand > 0.5)
    x0, x1, y0, y1 = (4.0 * v for v in (xs.min(), xs.max(), ys.min(), ys.max()))
    box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    back = np.linalg.inv(view.rectifier(view.spec.die_mm))
    return as_quad(cv2.perspectiveTransform(box[None], back)[0])


def _cut(
    image: np.ndarray, view: TrayView, white: body.White, found: Sequence[LocatedDie]
) -> tuple[DetectedDie, ...]:
    if not found:
        return ()
    back = np.linalg.inv(view.rectifier(view.spec.die_mm))
    quads = [cv2.perspectiveTransform(f.corners(16.0)[None], back)[0] for f in found]
    crops = [crop_face(image, quad) for quad in quads]
    descriptions = describe(np.stack(crops))
    middles = view.to_mm(np.array([[f.x, f.y] for f in found]))
    supports = support(middles, view.spec)
    dice, aside = [], foot_of(view).aside
    for f, q, m, c, d, near in zip(found, quads, middles, crops, descriptions, supports, strict=True):
        x, y, card = float(m[0]), float(m[1]), white.at(float(m[0]), float(m[1]))
        skin, rim = body.body_colour(c, card), body.body_colour(c, card, body.RIM)
        middle = (x, y, view.spec.die_mm / 2)
        spots = _spots(c, d, is_veiled(skin, rim)) if d.pips[0] < NO_PIPS else (None, False)
        dice.append(DetectedDie(f, as_quad(q), middle, c, skin, rim, d, *spots, near, card, aside))
    return tuple(dice)


def _spots(crop: np.ndarray, seen: Description, glare: bool) -> tuple[int | None, bool | None]:
    """Pips by their spots, and whether these are lighter than the body; in ``glare`` by their rims, too,
    which only confirm what the network sees."""
    count, lighter = find_pips(crop)
    likely = int(seen.pips.argmax())
    if count is None and likely and seen.pips[likely] > STRONGEST_SPOTS and strong_pips(crop) == likely:
        count = likely
    if glare and count is None:
        rims = count_rims(crop)
        if rims == 1 + int(seen.pips[1:].argmax()):
            return rims, None
    return count, lighter
