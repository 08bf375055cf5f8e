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
from vision.faces.find import Found, find_dice
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
from vision.faces.taught import TaughtFaces, crop_face, ink, is_known, likeness
from vision.faces.templates import Likeness, clear_outline
from vision.reading import DiceReading, Die, Pose, Quad, Reason, Status
from vision.support import support
from vision.tray import DEFAULT, TraySpec, TrayView, as_quad, find_tray
from vision.tray_reasons import not_taught, reason, wrong_count

DARK_LEVEL = 45  # 99th percentile of brightness below which nothing is read
HAND_CELLS = 25  # cells (2 mm wide) of a hand from which the picture is refused
CERTAIN = 0.90  # confidence from which a face need not be asked about
LEGIBLE, READABLE = 0.35, 0.4  # below which a face is asked about, and below which its confidence sinks
COVERED, BLURRED = 0.6, 0.5
ALONE = 0.25  # chance of neither lying on another nor being covered below which, uncounted, one may be hidden
USUAL_HEIGHT = -2.5  # median logit of "raised" in a picture, of what lies on the floor: at most
SURELY_RAISED = 0.97  # where the count is told: a die hidden beneath would be missed
UNCOVERED = 0.1  # chance below which a die beside or beneath another shows its whole face
FAINT, FAINT_ONE = 0.2, 0.42  # heat below which a face, or a single pip, may be half a face: asked about
WHOLE_DIE, WHOLE_COVERED = 0.95, 0.35  # the same of a single pip, by being a die, and by being covered
COCKED, PERHAPS_COCKED = -0.6, -1.6  # from which a die is called cocked, and asked about
LEVEL_TILT, EVEN, COCKED_TILT = -3.2, -1.3, 2.0  # between which one look is not enough, and the most doubtful
DOUBT = 0.1  # the same of other states: farther than this from 0 and 1
MOST_DOUBTFUL = 4  # dice a picture that are looked at more than once
SUPPORT, LEANING = 0.5, 5.0  # weights of where it lies, and of the angle that the pose network sees
UNCLEAR = 0.3  # weight of a face that can hardly be read
STRANGER = 0.62  # likeness that counts for "none of the taught faces"
ALL_TAUGHT = 3.0  # log-weight by which that goes back where all faces of the type are taught
SHARP = 40.0  # steepness of correlation as a log-probability
PIPS = 0.80  # what a pip face counts for beside correlations
UNCOUNTED = 0.70  # the same where its spots could not be counted
CLEAR = 0.72  # what a clear outline counts for at least, where colours are blown out
WRONG_INK = 8.0  # log-weight lost by pips darker than a dark body, or lighter than a light one
DARK_BODY, LIGHT_BODY = 0.05, 0.5  # mean reflectances
PIPLESS_FACE = 0.995  # the network's word from which spots are not counted
LIKELY = 0.7  # and that from which the strongest spots alone may confirm it
PIPLESS = 4.0  # log-weight lost by pips that cannot be counted where the network sees none
BRIGHT, VEILED = 0.35, 2.2  # a face brighter than this, and so many times its rounded edge, mirrors a lamp
BLAZING = 6.0  # so many times, and it does so however bright it is
BLINDED = 2.0  # log-weight by which the face's own colour goes before that of its rounded edge
COUNTED = 2.5  # how much the counted spots add to the log-probability of a number
PIPS_ALONE = 0.99  # probability from which the network's pips stand without counted spots
TOO_STRANGE = 16.0  # log-weight by which a type's colour may stay behind before its faces are not compared
NEGLIGIBLE = 12.0  # log-weight by which the most alike face would stay behind, before it is not compared
COLOUR_SPREAD = 0.08  # standard deviation of body colour features under usual lamps
UNEXPECTED = 0.02  # prior of a type that this roll does not ask for, between types that look alike
GLARE = 0.35
PLAIN_HERE = 0.08  # ink under which a face has nothing on it, under any lamp


@dataclass(frozen=True)
class Seen:
    """A die in the picture before its face is named; ``crop`` and ``body`` are what teaching stores."""

    found: Found
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

    @property
    def tilt(self) -> float:
        """Logit of "cocked": what the pose network says, how ill the face can be read, and where it lies."""
        unclear = min(max(2.0 - logit(self.description.legible), -0.5), 3.0)
        seen = logit(self.found.cocked) + LEANING * min(self.found.lean, 0.6)
        return seen + UNCLEAR * unclear + SUPPORT * self.support

    @property
    def is_cocked(self) -> bool:
        """Whether the die is called cocked."""
        return self.tilt > COCKED

    @property
    def is_doubtful(self) -> bool:
        """Whether another look might change what is said of the die."""
        f = self.found
        states = any(DOUBT < chance < 1 - DOUBT for chance in (f.raised, f.covered))
        return LEVEL_TILT < self.tilt < COCKED_TILT or f.die < 1 - DOUBT or states


Named = tuple[Seen, Die, Reason | None]  # a die, what it shows, and what is asked about it


@dataclass(frozen=True)
class Look:
    """All that was seen in one picture, or why nothing could be."""

    view: TrayView | None
    dice: tuple[Seen, ...]
    refused: tuple[Reason, ...]


def look(image: np.ndarray, tray: TraySpec = DEFAULT) -> Look:
    """Find the tray and the dice in a BGR picture."""
    if image is None or image.ndim != 3 or image.shape[2] != 3 or min(image.shape[:2]) < 200:
        return Look(None, (), (reason("unreadable_image"),))
    gray = body.grey(image)
    if np.percentile(gray[::4, ::4], 99) < DARK_LEVEL:
        return Look(None, (), (reason("dark"),))
    view = find_tray(gray, tray)
    if isinstance(view, Reason):
        return Look(None, (), (view,))
    rectified = view.rectify(image)
    found, hand = find_dice(rectified)
    if int((hand > 0.5).sum()) >= HAND_CELLS:
        return Look(view, (), (reason("hand", _hand_quad(hand, view)),))
    dice = _cut(image, view, examine(rectified, view, found))
    halves = [f for f in found if not any(_stands_for(s, f) for s in dice)]
    dice = _whole(dice, _cut(image, view, between(rectified, view, halves)))
    astray = [s.found for s in dice if s.description.legible < LEGIBLE and s.found.score < HALF_HEAT]
    dice = _whole(dice, _cut(image, view, around(rectified, view, astray)))
    dice = tuple(s for s in _assured(rectified, view, dice) if s.found.die >= PERHAPS)
    return Look(view, _above_others(dice), ())


def _assured(rectified: np.ndarray, view: TrayView, dice: Sequence[Seen]) -> list[Seen]:
    """The dice, those in doubt looked at more than once: at most so many that a reading stays quick."""
    order = sorted((k for k, s in enumerate(dice) if s.is_doubtful), key=lambda k: abs(dice[k].tilt - EVEN))
    chosen = order[:MOST_DOUBTFUL]
    better = dict(zip(chosen, look_again(rectified, view, [dice[k].found for k in chosen]), strict=True))
    return [replace(s, found=better.get(k, s.found)) for k, s in enumerate(dice)]


def _above_others(dice: Sequence[Seen]) -> tuple[Seen, ...]:
    """The dice, with the chance of lying on another taken beside that of the rest.

    A light that makes all dice of a picture look raised does not tell of any that it is.
    """
    heights = np.array([logit(s.found.raised) for s in dice])
    known = []
    for k, s in enumerate(dice):
        others = np.delete(heights, k)
        excess = max(0.0, float(np.median(others)) - USUAL_HEIGHT) if len(others) else 0.0
        raised = 1 / (1 + float(np.exp(excess - heights[k])))
        known.append(replace(s, found=replace(s.found, raised=raised)))
    return tuple(known)


def _a_whole_one(f: Found) -> bool:
    """Whether a single pip is not one of two, on half of a dark die that ends where nobody can see it."""
    return f.score >= FAINT_ONE and f.die >= WHOLE_DIE and f.covered < WHOLE_COVERED


def _stands_for(s: Seen, f: Found) -> bool:
    """Whether a find is that of a die which no other look would replace."""
    clear = s.description.legible >= LEGIBLE and s.found.score >= FAINT_ONE
    return clear and bool(np.hypot(s.found.x - f.x, s.found.y - f.y) < ASIDE_PX - HALVES_PX[1] / 2)


def _whole(dice: Sequence[Seen], better: Sequence[Seen]) -> tuple[Seen, ...]:
    """The dice, where ``better`` looks replace what cannot be read, or is too faint to be believed."""
    kept = list(dice)
    for b in sorted(better, key=lambda s: -s.description.legible):
        over = [s for s in kept if np.hypot(s.found.x - b.found.x, s.found.y - b.found.y) < ASIDE_PX]
        doubtful = all(s.description.legible < LEGIBLE or s.found.score < FAINT_ONE for s in over)
        if over and b.description.legible > CERTAIN and doubtful:
            kept = [s for s in kept if all(s is not o for o in over)] + [b]
    return tuple(kept)


def _hand_quad(hand: np.ndarray, view: TrayView) -> Quad:
    ys, xs = np.nonzero(hand > 0.5)
    x0, x1, y0, y1 = (4.0 * v for v in (xs.min(), xs.max(), ys.min(), ys.max()))
    box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    back = np.linalg.inv(view.rectifier(view.spec.die_mm))
    return as_quad(cv2.perspectiveTransform(box[None], back)[0])


def _cut(image: np.ndarray, view: TrayView, found: Sequence[Found]) -> tuple[Seen, ...]:
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
        spots = _spots(c, d) if d.pips[0] < PIPLESS_FACE else (None, False)
        dice.append(Seen(f, as_quad(q), middle, c, skin, rim, d, *spots, near))
    return tuple(dice)


def _spots(crop: np.ndarray, seen: Description) -> tuple[int | None, bool]:
    """Pips by their spots, and whether these are lighter than the body."""
    count, lighter = find_pips(crop)
    likely = int(seen.pips.argmax())
    if count is None and likely and seen.pips[likely] > LIKELY and strong_pips(crop) == likely:
        count = likely
    return count, lighter


def agreed(s: Seen, face: str) -> bool:
    """Whether network and spots give the same pips (where spots cannot be counted: whether the network is
    sure)."""
    if s.counted is None:
        return float(s.description.pips[int(face)]) > PIPS_ALONE
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
        self.last: Look | None = None  # what the last reading saw; corrections teach from it

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
    def _refuse(seen: Look) -> tuple[Status, list[Die], list[Reason]]:
        return "refused", [], list(seen.refused)

    def _judge(
        self, seen: Look, expected: Mapping[str, int] | None
    ) -> tuple[Status, list[Die], list[Reason]]:
        named = [(s, *self._name(s, expected)) for s in seen.dice]
        if expected is not None:
            named = self._told(named, expected)
        worst = max(
            (s for s, _, _ in named if s.found.die >= SURE), key=lambda s: s.found.blurred, default=None
        )
        if worst is not None and worst.found.blurred > BLURRED:
            return "refused", [], [reason("blurred", worst.quad)]
        dice = [die for _, die, _ in named]
        reasons = [why for _, _, why in named if why is not None]
        reasons += self._count(dice, expected)
        return ("ask" if reasons else "ok"), dice, reasons

    def _told(self, named: list[Named], expected: Mapping[str, int]) -> list[Named]:
        """The dice of a roll of which all are there: what else looks somewhat like one is the cloth.

        That is left out which is not surely a die, then what is faint, then what is smeared.
        """
        clear = [n for n in named if n[0].found.die >= SURE]
        strong = [n for n in clear if n[0].found.score >= FAINT]
        sharp = [n for n in strong if n[0].found.blurred <= BLURRED]
        for kept in (clear, strong, sharp):
            if not self._count([die for _, die, _ in kept], expected):
                return self._on_another(kept, expected)
        return named

    def _on_another(self, named: list[Named], expected: Mapping[str, int]) -> list[Named]:
        """Faces of level dice on others, where nothing else is doubtful and no die can be hidden beneath."""
        doubts = {why.code for _, _, why in named if why is not None}
        plain = all(s.found.covered < UNCOVERED and s.description.legible > CERTAIN for s, _, _ in named)
        if doubts != {"stacked"} or not plain:
            return named
        return [
            (s, *self._name(replace(s, found=replace(s.found, raised=0.0)), expected)) for s, _, _ in named
        ]

    def _name(self, s: Seen, expected: Mapping[str, int] | None) -> tuple[Die, Reason | None]:
        """A die and what is asked about it.

        What a shadow's edge leaves in doubt is read without it too, and believed where both name one face.
        """
        die, why = self._say(s, expected)
        if why is None or why.code != "not_sure" or (crop := unshaded(s.crop)) is None:
            return die, why
        again, doubt = self._say(replace(s, crop=crop, description=describe(crop[None])[0]), expected)
        same = die.alternatives and (again.type, again.face) == (die.type, die.alternatives[0][0])
        return (again, doubt) if doubt is None and same else (die, why)

    def _say(self, s: Seen, expected: Mapping[str, int] | None) -> tuple[Die, Reason | None]:
        ranked, near = self._rank(s, expected)
        best_type, best_face, confidence = ranked[0] if ranked else ("unknown", None, 0.0)
        legible = self._legible(best_type, s)
        confidence *= min(1.0, legible / READABLE)
        colour = self._colour(best_type, s)
        other = tuple((f, p) for t, f, p in ranked[:5] if t == best_type and f is not None)
        f = s.found
        pose: Pose = "cocked" if s.is_cocked else "flat"
        why = None
        if pose == "cocked":
            why = reason("cocked", s.quad)
        elif s.tilt > PERHAPS_COCKED:
            why = reason("perhaps_cocked", s.quad)
        elif f.raised > SURELY_RAISED or (expected is None and (1 - f.raised) * (1 - f.covered) < ALONE):
            why = reason("stacked", s.quad)
        elif f.covered > COVERED:
            why = reason("covered", s.quad)
        elif best_face is None and near.get(best_type) == {}:
            why = not_taught(best_type, s.quad)
        elif (
            best_face is None
            or confidence < CERTAIN
            or legible < LEGIBLE
            or f.score < FAINT
            or (best_face == "1" and not _a_whole_one(f))
            or not (
                is_known(best_face, near[best_type], self.taught.similarity(best_type, s.description))
                if best_type in near
                else agreed(s, best_face)
            )
        ):
            why = reason("glare" if body.glare_share(s.crop) > GLARE else "not_sure", s.quad)
        plainly = expected is not None and why is None and legible > CERTAIN
        if f.die < SURE and not plainly:
            why = reason("perhaps_a_die", s.quad)
        if why is not None:
            confidence = min(confidence, 0.5)
        face = best_face if why is None else None
        return Die(best_type, face, colour, s.quad, confidence, pose, other, s.centre_mm), why

    def _legible(self, die_type: str, s: Seen) -> float:
        """The chance that the face can be read; of a cube with nothing on it the colour alone is read."""
        plain = self.taught.is_plain(die_type) and ink(s.crop) < PLAIN_HERE
        return 1.0 if plain else s.description.legible

    def _rank(
        self, s: Seen, expected: Mapping[str, int] | None
    ) -> tuple[list[tuple[str, str | None, float]], dict[str, dict[str, Likeness]]]:
        """(type, face, probability) likeliest first, and correlations with the faces of each symbol type.

        Face None stands for "none of the taught faces of this type".
        """
        scores: list[tuple[str, str | None, float]] = []
        correlations: dict[str, dict[str, Likeness]] = {}
        pips = np.log(np.maximum(s.description.pips, 1e-6))
        base = SHARP * (PIPS if s.counted is not None else UNCOUNTED)
        if s.counted is not None:
            pips[s.counted] += COUNTED
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
            close = close and weight + SHARP > max((v for _, _, v in scores), default=-np.inf) - NEGLIGIBLE
            near, symbols = self._symbols(kind, s, weight, close)
            correlations[kind.id] = near
            scores += symbols
        return _shares(scores), correlations

    def _symbols(
        self, kind: DieType, s: Seen, weight: float, close: bool
    ) -> tuple[dict[str, Likeness], list[tuple[str, str | None, float]]]:
        """Likeness to each taught face of a symbol type, and their log-scores beside that of none of them.

        Faces are compared only where the body's colour comes ``close``.
        """
        have = self.taught.faces(kind.id)
        stranger = SHARP * STRANGER - (ALL_TAUGHT if all(f in have for f in kind.faces) else 0.0)
        none: tuple[str, str | None, float] = (kind.id, None, weight + stranger)
        if not close:
            return {}, [none]
        near = {f: v for f, v in self.taught.correlation(kind.id, s.crop).items() if f in kind.faces}
        alike = likeness(near, self.taught.similarity(kind.id, s.description))
        faces: list[tuple[str, str | None, float]] = [
            (kind.id, f, weight + SHARP * max(v, CLEAR if clear_outline(f, near) else -1.0))
            for f, v in alike.items()
        ]
        return near, [none, *faces]

    def _type_weight(self, kind: DieType, s: Seen) -> float:
        """Log-weight of a type by the body's colour.

        A lamp that blinds the face leaves the rounded edge as it is: then that shows the body's colour.
        """
        rim = self._colour_weight(kind, s.edge_colour) - BLINDED
        lit, edge = float(s.body.mean()), float(s.rim.mean())
        if lit > max(BRIGHT, VEILED * edge) or lit > max(DARK_BODY, BLAZING * edge):
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

    def _colour(self, die_type: str, s: Seen) -> str:
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
