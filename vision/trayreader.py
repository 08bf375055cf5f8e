"""Read the dice on a tray of known measures: fiducials, dice, body colour, face.

Fails closed: whatever cannot be read with certainty is asked about or refused, with the reason in words and
the place in the picture.  An expectation narrows between types that look alike; it never overrides what is
seen.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from referee.kernel.dice import DieType
from vision.faces import colour as body
from vision.faces.describe import Description, describe
from vision.faces.find import LocatedDie, find_dice
from vision.faces.pips import find_pips, strong_pips
from vision.faces.pose import (
    ASIDE_PX,
    HALF_HEAT,
    HALVES_PX,
    PERHAPS,
    SURE,
    around,
    between,
    examine,
    logit,
    look_again,
)
from vision.faces.shade import unshaded
from vision.faces.taught import Compared, TaughtFaces, crop_face, ink, is_known, likeness
from vision.faces.templates import clear_outline
from vision.reading import DiceReading, Die, Pose, Quad, Reason, Status
from vision.support import support
from vision.tray import DEFAULT, TraySpec, TrayView, as_quad, find_tray
from vision.tray_reasons import not_taught, reason, wrong_count

# Whether the picture is read at all
DARK_LEVEL = 45  # a picture whose 99th percentile of brightness (0..255) is lower is refused as dark
HAND_CELLS = 25  # a picture with at least so many cells of a hand (2 mm wide) is refused
BLURRED_DIE = 0.5  # a picture whose most blurred sure die has a higher probability of blur is refused

# Whether a die is asked about
FACE_CONFIDENCE = 0.90  # a face of lower probability is asked about
LEGIBLE_ASK = 0.35  # a face that can be read with lower probability is asked about
LEGIBLE_SURE = 0.4  # a face that can be read with lower probability loses confidence in proportion
COVERED_ASK = 0.6  # a die covered with higher probability is asked about
UNCOVERED = 0.1  # a die covered with lower probability shows its whole face
FREE_ASK = (
    0.25  # without a count: a die is asked about if it lies free (neither raised nor covered) less surely
)
RAISED_ASK = (
    0.97  # with a count: a die that surely lies on another is asked about, the lower one may be missing
)
USUAL_RAISED_LOGIT = (
    -2.5
)  # the median logit of "raised" among dice on the floor; more is an effect of the light
FAINT_FACE = 0.2  # a face found with less heat may be half a face and is asked about
FAINT_ONE = 0.42  # a single pip found with less heat may be one of two and is asked about
WHOLE_DIE = 0.95  # a single pip counts as complete if it is a die with this probability ...
WHOLE_COVERED = 0.35  # ... and covered with a lower one than this
GLARE_SHARE = 0.35  # an unsure face with a larger share of blown-out pixels is reported as glare

# Cocked or level: the tilt is a logit (see DetectedDie.tilt)
TILT_COCKED = -0.6  # a die with a higher tilt is called cocked
TILT_ASK = -1.6  # a die with a higher tilt may be cocked and is asked about
TILT_LEVEL, TILT_SURE = -3.2, 2.0  # a die with a tilt between these is looked at again
TILT_EVEN = -1.3  # dice nearest to this tilt are looked at again first
STATE_DOUBT = 0.1  # a die is looked at again if "raised" or "covered" lies between this and 1 minus this
MOST_LOOKED_AGAIN = 4  # so many dice a picture are looked at again, so that a reading stays quick
WEIGHT_PLACE = 0.5  # weight in the tilt of the log-odds by where the die lies
WEIGHT_LEAN = 5.0  # weight in the tilt of the angle that the pose network sees (radians, at most 0.6)
WEIGHT_ILLEGIBLE = 0.3  # weight in the tilt of how ill the face can be read

# Which face: log-weights of a type's faces
STEEPNESS = 40.0  # log-weight of a likeness (-1..1) to a taught face
NO_TAUGHT_FACE = 0.62  # likeness at which "none of the taught faces" stands
ALL_TAUGHT_BONUS = 3.0  # log-weight that "none of them" loses where all faces of the type are taught
PIP_LIKENESS = 0.80  # likeness at which a pip face stands if its spots were counted
PIP_LIKENESS_UNCOUNTED = 0.70  # likeness at which a pip face stands if they could not be
CLEAR_OUTLINE = 0.72  # least likeness of a face whose outline is clear though its colours are blown out
WRONG_INK = 8.0  # log-weight lost by pips darker than a dark body, or lighter than a light one
DARK_BODY, LIGHT_BODY = 0.05, 0.5  # mean reflectance below and above which a body is dark, light
NO_PIPS = 0.995  # spots are not counted where the network says "no pips" with higher probability
STRONGEST_SPOTS = 0.7  # the strongest spots alone confirm a number that the network gives this probability
PIPLESS = 4.0  # log-weight lost by pip faces where spots cannot be counted and the network sees no pips
COUNTED_SPOTS = 2.5  # log-weight that the counted spots add to their number
PIPS_UNCONFIRMED = 0.99  # the network's number stands without counted spots from this probability

# Which type: log-weights of the body's colour
COLOUR_SPREAD = 0.08  # standard deviation of body colour features under usual lamps
BRIGHT_FACE = 0.35  # a face of higher reflectance ...
VEILED_FACE = 2.2  # ... that is so many times as bright as the rounded edge mirrors a lamp
BLAZING_FACE = 6.0  # a face so many times as bright as the edge mirrors a lamp however bright it is
EDGE_PENALTY = 2.0  # log-weight by which the colour of the edge stands behind that of the face elsewhere
TOO_STRANGE = 16.0  # the faces of a type whose colour stands behind the best by more are not compared
NEGLIGIBLE = 12.0  # nor are those of a type whose most alike face would stand behind the best by more
UNEXPECTED = 0.02  # prior of a type that this roll does not ask for
PLAIN_INK = 0.08  # a face with less ink has nothing on it, under any lamp


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
    lighter: bool  # whether these are lighter than the body
    support: float  # log-odds that it leans on something, by where it and its neighbours lie

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
        """Mean reflectance of the body around the drawing and of the rounded edge."""
        return float(self.body.mean()), float(self.rim.mean())

    @property
    def tilt(self) -> float:
        """Logit of "cocked": what the pose network says, how ill the face can be read, and where it lies."""
        unclear = min(max(2.0 - logit(self.description.legible), -0.5), 3.0)
        seen = logit(self.found.cocked) + WEIGHT_LEAN * min(self.found.lean, 0.6)
        return seen + WEIGHT_ILLEGIBLE * unclear + WEIGHT_PLACE * self.support

    @property
    def is_cocked(self) -> bool:
        """Whether the die is called cocked."""
        return self.tilt > TILT_COCKED

    @property
    def is_doubtful(self) -> bool:
        """Whether another look might change what is said of the die."""
        f = self.found
        states = any(STATE_DOUBT < chance < 1 - STATE_DOUBT for chance in (f.raised, f.covered))
        return TILT_LEVEL < self.tilt < TILT_SURE or f.die < 1 - STATE_DOUBT or states


Named = tuple[DetectedDie, Die, Reason | None]  # a die, what it shows, and what is asked about it


@dataclass(frozen=True)
class TrayScan:
    """All that was seen in one picture, or why nothing could be."""

    view: TrayView | None
    dice: tuple[DetectedDie, ...]
    refused: tuple[Reason, ...]


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
    rectified = view.rectify(image)
    found, hand = find_dice(rectified)
    if int((hand > 0.5).sum()) >= HAND_CELLS:
        return TrayScan(view, (), (reason("hand", _hand_quad(hand, view)),))
    dice = _cut(image, view, examine(rectified, view, found))
    halves = [f for f in found if not any(_covers(s, f) for s in dice)]
    dice = _merge_better_views(dice, _cut(image, view, between(rectified, view, halves)))
    astray = [s.found for s in dice if s.description.legible < LEGIBLE_ASK and s.found.score < HALF_HEAT]
    dice = _merge_better_views(dice, _cut(image, view, around(rectified, view, astray)))
    dice = tuple(s for s in _recheck_doubtful(rectified, view, dice) if s.found.die >= PERHAPS)
    return TrayScan(view, _above_others(dice), ())


def _recheck_doubtful(
    rectified: np.ndarray, view: TrayView, dice: Sequence[DetectedDie]
) -> list[DetectedDie]:
    """The dice, those in doubt looked at more than once: at most so many that a reading stays quick."""
    order = sorted(
        (k for k, s in enumerate(dice) if s.is_doubtful), key=lambda k: abs(dice[k].tilt - TILT_EVEN)
    )
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


def _is_complete(f: LocatedDie) -> bool:
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


def _cut(image: np.ndarray, view: TrayView, found: Sequence[LocatedDie]) -> tuple[DetectedDie, ...]:
    if not found:
        return ()
    back = np.linalg.inv(view.rectifier(view.spec.die_mm))
    white = body.white_reference(image, view)
    quads = [cv2.perspectiveTransform(f.corners(16.0)[None], back)[0] for f in found]
    crops = [crop_face(image, quad) for quad in quads]
    descriptions = describe(np.stack(crops))
    middles = view.to_mm(np.array([[f.x, f.y] for f in found]))
    supports = support(middles, view.spec)
    dice = []
    for f, q, m, c, d, near in zip(found, quads, middles, crops, descriptions, supports, strict=True):
        x, y, card = float(m[0]), float(m[1]), white.at(float(m[0]), float(m[1]))
        skin, rim = body.body_colour(c, card), body.body_colour(c, card, body.RIM)
        middle = (x, y, view.spec.die_mm / 2)
        spots = _spots(c, d) if d.pips[0] < NO_PIPS else (None, False)
        dice.append(DetectedDie(f, as_quad(q), middle, c, skin, rim, d, *spots, near))
    return tuple(dice)


def _spots(crop: np.ndarray, seen: Description) -> tuple[int | None, bool]:
    """Pips by their spots, and whether these are lighter than the body."""
    count, lighter = find_pips(crop)
    likely = int(seen.pips.argmax())
    if count is None and likely and seen.pips[likely] > STRONGEST_SPOTS and strong_pips(crop) == likely:
        count = likely
    return count, lighter


def agreed(s: DetectedDie, face: str) -> bool:
    """Whether network and spots give the same pips (where spots cannot be counted: whether the network is
    sure)."""
    if s.counted is None:
        return float(s.description.pips[int(face)]) > PIPS_UNCONFIRMED
    return s.counted == int(face)


def _shares(scores: list[tuple[str, str | None, float]]) -> list[tuple[str, str | None, float]]:
    """Log-scores to probabilities, likeliest first."""
    if not scores:
        return []
    values = np.array([v for _, _, v in scores])
    shares = np.exp(values - values.max())
    shares /= shares.sum()
    return [(scores[k][0], scores[k][1], float(shares[k])) for k in np.argsort(-shares)]


class TrayReader:
    """Reads pictures of one tray with dice of the given types.

    Pip faces need no teaching.  Symbol faces are those in ``taught`` under the type's id.
    """

    def __init__(self, dice_types: Sequence[DieType], taught: TaughtFaces, tray: TraySpec = DEFAULT) -> None:
        self.types = tuple(dice_types)
        self.taught = taught
        self.tray = tray
        self.last: TrayScan | None = None  # what the last reading saw; corrections teach from it

    def read(self, image: np.ndarray, expected: Mapping[str, int] | None = None) -> DiceReading:
        """Read one BGR picture.  ``expected`` maps type ids to how many dice of it were to be rolled."""
        start = time.perf_counter()
        seen = look(image, self.tray)
        self.last = seen
        height, width = image.shape[:2] if image is not None and image.ndim >= 2 else (0, 0)
        if seen.refused:
            status, dice, reasons = self._refuse(seen)
        else:
            status, dice, reasons = self._judge(seen, expected)
        elapsed = (time.perf_counter() - start) * 1000
        return DiceReading(status, tuple(dice), tuple(reasons), width, height, elapsed)

    @staticmethod
    def _refuse(seen: TrayScan) -> tuple[Status, list[Die], list[Reason]]:
        return "refused", [], list(seen.refused)

    def _judge(
        self, seen: TrayScan, expected: Mapping[str, int] | None
    ) -> tuple[Status, list[Die], list[Reason]]:
        named = [(s, *self._judge_with_retry(s, expected)) for s in seen.dice]
        if expected is not None:
            named = self._drop_unlikely(named, expected)
        worst = max(
            (s for s, _, _ in named if s.found.die >= SURE), key=lambda s: s.found.blurred, default=None
        )
        if worst is not None and worst.found.blurred > BLURRED_DIE:
            return "refused", [], [reason("blurred", worst.quad)]
        dice = [die for _, die, _ in named]
        reasons = [why for _, _, why in named if why is not None]
        reasons += self._count(dice, expected)
        return ("ask" if reasons else "ok"), dice, reasons

    def _drop_unlikely(self, named: list[Named], expected: Mapping[str, int]) -> list[Named]:
        """The dice of a roll of which all are there: what else looks somewhat like one is the cloth.

        That is left out which is not surely a die, then what is faint, then what is smeared.
        """
        clear = [n for n in named if n[0].found.die >= SURE]
        strong = [n for n in clear if n[0].found.score >= FAINT_FACE]
        sharp = [n for n in strong if n[0].found.blurred <= BLURRED_DIE]
        for kept in (clear, strong, sharp):
            if not self._count([die for _, die, _ in kept], expected):
                return self._accept_stacked(kept, expected)
        return named

    def _accept_stacked(self, named: list[Named], expected: Mapping[str, int]) -> list[Named]:
        """Faces of level dice on others, where nothing else is doubtful and no die can be hidden beneath."""
        doubts = {why.code for _, _, why in named if why is not None}
        plain = all(
            s.found.covered < UNCOVERED and s.description.legible > FACE_CONFIDENCE for s, _, _ in named
        )
        if doubts != {"stacked"} or not plain:
            return named
        return [
            (s, *self._judge_with_retry(replace(s, found=replace(s.found, raised=0.0)), expected))
            for s, _, _ in named
        ]

    def _judge_with_retry(
        self, s: DetectedDie, expected: Mapping[str, int] | None
    ) -> tuple[Die, Reason | None]:
        """A die and what is asked about it.

        What a shadow's edge leaves in doubt is read without it too, and believed where both name one face.
        """
        die, why = self._judge_die(s, expected)
        if why is None or why.code != "not_sure" or (crop := unshaded(s.crop)) is None:
            return die, why
        again, doubt = self._judge_die(replace(s, crop=crop, description=describe(crop[None])[0]), expected)
        same = die.alternatives and (again.type, again.face) == (die.type, die.alternatives[0][0])
        return (again, doubt) if doubt is None and same else (die, why)

    def _judge_die(self, s: DetectedDie, expected: Mapping[str, int] | None) -> tuple[Die, Reason | None]:
        ranked, near = self._rank(s, expected)
        best_type, best_face, confidence = ranked[0] if ranked else ("unknown", None, 0.0)
        legible = self._legible(best_type, s)
        confidence *= min(1.0, legible / LEGIBLE_SURE)
        why = self._doubt_of_pose(s, counted=expected is not None)
        if why is None and best_face is None and best_type in near and not near[best_type].near:
            why = not_taught(best_type, s.quad)
        elif why is None and (
            best_face is None
            or confidence < FACE_CONFIDENCE
            or legible < LEGIBLE_ASK
            or not self._confirmed(s, best_type, best_face, near)
        ):
            why = reason("glare" if body.glare_share(s.crop) > GLARE_SHARE else "not_sure", s.quad)
        plainly = expected is not None and why is None and legible > FACE_CONFIDENCE
        if s.found.die < SURE and not plainly:
            why = reason("perhaps_a_die", s.quad)
        if why is not None:
            confidence = min(confidence, 0.5)
        other = tuple((f, p) for t, f, p in ranked[:5] if t == best_type and f is not None)
        pose: Pose = "cocked" if s.is_cocked else "flat"
        face, colour = best_face if why is None else None, self._colour(best_type, s)
        return Die(best_type, face, colour, s.quad, confidence, pose, other, s.centre_mm), why

    @staticmethod
    def _doubt_of_pose(s: DetectedDie, counted: bool) -> Reason | None:
        """Why the face of a die may not be the one that counts, or may not be seen whole."""
        f = s.found
        if s.is_cocked:
            return reason("cocked", s.quad)
        if s.tilt > TILT_ASK:
            return reason("perhaps_cocked", s.quad)
        if f.raised > RAISED_ASK or (not counted and (1 - f.raised) * (1 - f.covered) < FREE_ASK):
            return reason("stacked", s.quad)
        if f.covered > COVERED_ASK:
            return reason("covered", s.quad)
        return None

    def _confirmed(self, s: DetectedDie, die_type: str, face: str, compared: Mapping[str, Compared]) -> bool:
        """Whether the whole face was seen, and a second reading (examples, counted spots) says the same."""
        if s.found.score < FAINT_FACE or (face == "1" and not _is_complete(s.found)):
            return False
        if die_type in compared:
            return is_known(face, compared[die_type].near, compared[die_type].similar)
        return agreed(s, face)

    def _legible(self, die_type: str, s: DetectedDie) -> float:
        """The chance that the face can be read; of a cube with nothing on it the colour alone is read."""
        plain = self.taught.is_plain(die_type) and ink(s.crop) < PLAIN_INK
        return 1.0 if plain else s.description.legible

    def _rank(
        self, s: DetectedDie, expected: Mapping[str, int] | None
    ) -> tuple[list[tuple[str, str | None, float]], dict[str, Compared]]:
        """(type, face, probability) likeliest first, and how the face compares with each symbol type's.

        Face None stands for "none of the taught faces of this type".
        """
        scores: list[tuple[str, str | None, float]] = []
        compared: dict[str, Compared] = {}
        pips = np.log(np.maximum(s.description.pips, 1e-6))
        base = STEEPNESS * (PIP_LIKENESS if s.counted is not None else PIP_LIKENESS_UNCOUNTED)
        if s.counted is not None:
            pips[s.counted] += COUNTED_SPOTS
        elif s.description.pips[0] > 0.5:
            base -= PIPLESS
        weights = {kind.id: self._type_weight(kind, s) for kind in self.types}
        least = max(weights.values(), default=0.0) - TOO_STRANGE
        for kind in sorted(self.types, key=lambda t: t.kind):
            weight = weights[kind.id]
            close = weight > least
            if expected is not None and expected.get(kind.id, 0) == 0:
                weight += float(np.log(UNEXPECTED))
            if kind.kind == "pip":
                weight -= WRONG_INK if s.counted is not None and self._wrong_ink(kind, s.lighter) else 0.0
                scores += [(kind.id, f, weight + base + float(pips[int(f)])) for f in kind.distinct_faces]
                continue
            weight += float(pips[0])
            close = (
                close and weight + STEEPNESS > max((v for _, _, v in scores), default=-np.inf) - NEGLIGIBLE
            )
            compared[kind.id], symbols = self._symbols(kind, s, weight, close)
            scores += symbols
        return _shares(scores), compared

    def _symbols(
        self, kind: DieType, s: DetectedDie, weight: float, close: bool
    ) -> tuple[Compared, list[tuple[str, str | None, float]]]:
        """Likeness to each taught face of a symbol type, and their log-scores beside that of none of them.

        Faces are compared only where the body's colour comes ``close``.
        """
        have = self.taught.faces(kind.id)
        stranger = STEEPNESS * NO_TAUGHT_FACE - (
            ALL_TAUGHT_BONUS if all(f in have for f in kind.faces) else 0.0
        )
        none: tuple[str, str | None, float] = (kind.id, None, weight + stranger)
        if not close:
            return Compared({}, {}), [none]
        near = {f: v for f, v in self.taught.correlation(kind.id, s.crop).items() if f in kind.faces}
        similar = self.taught.similarity(kind.id, s.description)
        alike = likeness(near, similar)
        faces: list[tuple[str, str | None, float]] = [
            (kind.id, f, weight + STEEPNESS * max(v, CLEAR_OUTLINE if clear_outline(f, near) else -1.0))
            for f, v in alike.items()
        ]
        return Compared(near, similar), [none, *faces]

    def _type_weight(self, kind: DieType, s: DetectedDie) -> float:
        """Log-weight of a type by the body's colour.

        A lamp that blinds the face leaves the rounded edge as it is: then that shows the body's colour.
        """
        rim = self._colour_weight(kind, s.edge_colour) - EDGE_PENALTY
        lit, edge = s.light
        if lit > max(BRIGHT_FACE, VEILED_FACE * edge) or lit > max(DARK_BODY, BLAZING_FACE * edge):
            return rim
        face = self._colour_weight(kind, s.face_colour)
        return max(face, rim) if kind.kind == "symbol" else face

    @staticmethod
    def _wrong_ink(kind: DieType, lighter: bool) -> bool:
        """Whether pips cannot be so beside the body: nothing is darker than black, or lighter than white."""
        light = 0.0 if kind.body == "any" else float(np.mean(body.PALETTE.get(kind.body, (0.2,))))
        return (0.0 < light < DARK_BODY and not lighter) or (light > LIGHT_BODY and lighter)

    def _colour_weight(self, kind: DieType, here: np.ndarray) -> float:
        if kind.body == "any":
            return -1.0  # as if one standard deviation and a half away, so that a body that fits wins
        learned = self.taught.body_features(kind.id)
        there = body.named(kind.body) if learned is None else learned
        spread = COLOUR_SPREAD * (1.0 if learned is not None else 1.3)
        return -0.5 * float(((here - there) ** 2).sum()) / spread**2

    def _colour(self, die_type: str, s: DetectedDie) -> str:
        kind = next((t for t in self.types if t.id == die_type), None)
        return body.name_of(s.body) if kind is None or kind.body == "any" else kind.body

    def _count(self, dice: Sequence[Die], expected: Mapping[str, int] | None) -> list[Reason]:
        if expected is None:
            return []
        counted = Counter(d.type for d in dice)
        wanted = {t: n for t, n in expected.items() if n > 0}
        bodies = {kind.id: kind.body for kind in self.types}
        return [
            wrong_count(bodies.get(t, ""), counted.get(t, 0), wanted.get(t, 0))
            for t in sorted(counted.keys() | wanted.keys())
            if counted.get(t, 0) != wanted.get(t, 0)
        ]
