"""Read the dice on a tray of known measures: fiducials, dice, body colour, face.

Fails closed: whatever cannot be read with certainty is asked about or refused, with the reason in words
and the
place in the picture.  An expectation narrows between types that look alike; it never overrides what is seen.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.kernel.dice import DieType
from vision.faces import colour as body
from vision.faces.describe import Description, describe
from vision.faces.find import SURE, Found, find_dice
from vision.faces.pips import count_pips
from vision.faces.pose import examine
from vision.faces.taught import TaughtFaces, crop_face
from vision.faces.templates import Likeness, clear_outline
from vision.reading import DiceReading, Die, Pose, Quad, Reason, Status
from vision.tray import DEFAULT, TraySpec, TrayView, as_quad, find_tray
from vision.tray_reasons import not_taught, reason, wrong_count

DARK_LEVEL = 45  # 99th percentile of brightness below which nothing is read
HAND_CELLS = 25  # cells (2 mm wide) of a hand from which the picture is refused
CERTAIN = 0.90  # confidence from which a face need not be asked about
LEGIBLE = 0.35
CLEARLY = 0.60  # legibility from which even a faint find is a die where a count is expected
PERHAPS = 0.40  # heat below which even a face that can be read is asked about
NOTHING = 0.25  # legibility below which so faint a find is no die
RAISED, COVERED, BLURRED = 0.8, 0.6, 0.5
# A die stands cocked only against something: all of a thousand cocked dice that the physics engine left
# behind had the wall or another die within these distances of their upper face's middle.
LEANS_ON_DIE_MM, LEANS_ON_WALL_MM = 27.0, 20.0
COCKED, COCKED_ALONE = 0.0, 3.0  # logits from which a die is called cocked
PERHAPS_COCKED = -1.7  # logit from which a die that may lean on something is asked about
UNCLEAR = 0.6  # weight of a face that can hardly be read
OPEN = (0.004, 0.85)  # chances between which the shape of the face may turn the verdict
KNOWN = 0.62  # correlation with a taught face below which a face is unknown
MARGIN = 0.05  # by how much the best taught face must lead within its type
SHARP = 40.0  # steepness of correlation as a log-probability
PIPS = 0.80  # what a pip face counts for beside correlations
UNCOUNTED = 0.70  # the same where its spots could not be counted
CLEAR = 0.72  # what a clear outline counts for at least, where colours are blown out
BLINDED = 2.0  # log-weight by which the face's own colour goes before that of its rounded edge
COUNTED = 2.5  # how much the counted spots add to the log-probability of a number
PIPS_ALONE = 0.99  # probability from which the network's pips stand without counted spots
ALIKE = 0.06  # by how much the embedding may prefer another face than the one that correlates best
TOO_STRANGE = -9.0  # log-weight of a type's colour from which its faces need not be compared
COLOUR_SPREAD = 0.08  # standard deviation of body colour features under usual lamps
UNEXPECTED = 0.02  # prior of a type that this roll does not ask for, between types that look alike
GLARE = 0.35


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
    leans: bool  # whether there is something near that it could lean on

    def tilt(self, evidence: float = 0.0) -> float:
        """Logit of "cocked": what the pose network says, how ill the face can be read, and other
        ``evidence``."""
        chance = min(max(self.found.cocked, 1e-6), 1 - 1e-6)
        clear = min(max(self.description.legible, 1e-6), 1 - 1e-6)
        unclear = min(max(2.0 - float(np.log(clear / (1 - clear))), -0.5), 3.0)
        return float(np.log(chance / (1 - chance))) + UNCLEAR * unclear + evidence

    def is_cocked(self, evidence: float = 0.0) -> bool:
        """Whether the die is called cocked."""
        return self.tilt(evidence) > (COCKED if self.leans else COCKED_ALONE)


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
    return Look(view, _cut(image, view, examine(rectified, view, found)), ())


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
    leans = _something_near(middles, view.spec)
    dice = []
    for f, q, m, c, d, near in zip(found, quads, middles, crops, descriptions, leans, strict=True):
        x, y, card = float(m[0]), float(m[1]), white.at(float(m[0]), float(m[1]))
        skin, rim = body.body_colour(c, card), body.body_colour(c, card, body.RIM)
        middle = (x, y, view.spec.die_mm / 2)
        dice.append(Seen(f, as_quad(q), middle, c, skin, rim, d, count_pips(c), bool(near)))
    return tuple(dice)


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


def _something_near(middles: np.ndarray, spec: TraySpec) -> np.ndarray:
    """For each die (N x 2, mm) whether the wall or another die is near enough to lean on."""
    scale = spec.die_mm / 16.0
    gaps = np.linalg.norm(middles[:, None] - middles[None], axis=-1) + 1e6 * np.eye(len(middles))
    walls = (np.array(spec.inner_mm) / 2 - np.abs(middles)).min(axis=1)
    near: np.ndarray = (gaps.min(axis=1) < LEANS_ON_DIE_MM * scale) | (walls < LEANS_ON_WALL_MM * scale)
    return near


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
        sure = [s for s in seen.dice if s.found.score >= SURE]
        if any(s.found.blurred > BLURRED for s in sure):
            worst = max(sure, key=lambda s: s.found.blurred)
            return "refused", [], [reason("blurred", worst.quad)]
        named = [
            (s, *self._name(s, expected))
            for s in seen.dice
            if s.found.score >= PERHAPS or s.description.legible >= NOTHING
        ]
        clear = [n for n in named if n[0].found.score >= SURE or n[0].description.legible >= CLEARLY]
        if expected is not None and not self._count([die for _, die, _ in clear], expected):
            named = clear  # all dice of this roll are there: what else looks faintly like one is the cloth
        dice = [die for _, die, _ in named]
        reasons = [why for _, _, why in named if why is not None]
        reasons += self._count(dice, expected)
        return ("ask" if reasons else "ok"), dice, reasons

    def _name(self, s: Seen, expected: Mapping[str, int] | None) -> tuple[Die, Reason | None]:
        ranked, near = self._rank(s, expected)
        best_type, best_face, confidence = ranked[0] if ranked else ("unknown", None, 0.0)
        confidence *= min(1.0, s.description.legible / 0.5)
        colour = self._colour(best_type, s)
        other = tuple((f, p) for t, f, p in ranked[:5] if t == best_type and f is not None)
        f = s.found
        tilt = 0.0
        if s.leans and best_face is not None and best_type in near and OPEN[0] < f.cocked < OPEN[1]:
            tilt = self.taught.tilt_evidence(best_type, best_face, s.crop)
        pose: Pose = "cocked" if s.is_cocked(tilt) else "flat"
        why = None
        if pose == "cocked":
            why = reason("cocked", s.quad)
        elif s.leans and s.tilt(tilt) > PERHAPS_COCKED:
            why = reason("perhaps_cocked", s.quad)
        elif f.raised > RAISED:
            why = reason("stacked", s.quad)
        elif f.covered > COVERED:
            why = reason("covered", s.quad)
        elif best_face is None and near.get(best_type) == {}:
            why = not_taught(best_type, s.quad)
        elif (
            best_face is None
            or confidence < CERTAIN
            or s.description.legible < LEGIBLE
            or not (
                self._known(s, best_type, best_face, near[best_type])
                if best_type in near
                else agreed(s, best_face)
            )
        ):
            why = reason("glare" if body.glare_share(s.crop) > GLARE else "not_sure", s.quad)
        plainly = expected is not None and why is None and s.description.legible > CERTAIN
        if (f.score < PERHAPS and not plainly) or (f.score < SURE and why is not None and pose == "flat"):
            why = reason("perhaps_a_die", s.quad)
        if why is not None:
            confidence = min(confidence, 0.5)
        face = best_face if why is None else None
        return Die(best_type, face, colour, s.quad, confidence, pose, other, s.centre_mm), why

    def _known(self, s: Seen, die_type: str, face: str, near: Mapping[str, Likeness]) -> bool:
        """Whether a symbol face is like its examples, clearly more so than any other face of its type, and
        whether the embedding does not contradict."""
        second = max((v.both for f, v in near.items() if f != face), default=-1.0)
        alike = near[face].both > KNOWN and near[face].both - second > MARGIN
        if not alike and not clear_outline(face, near):
            return False
        like = self.taught.similarity(die_type, s.description)
        return like.get(face, -1.0) > max(like.values(), default=-1.0) - ALIKE

    def _rank(
        self, s: Seen, expected: Mapping[str, int] | None
    ) -> tuple[list[tuple[str, str | None, float]], dict[str, dict[str, Likeness]]]:
        """(type, face, probability) likeliest first, and correlations with the faces of each symbol type.

        Face None stands for "none of the taught faces of this type".
        """
        scores: list[tuple[str, str | None, float]] = []
        correlations: dict[str, dict[str, Likeness]] = {}
        here, edge = body.features(s.body), body.features(s.rim)
        pips = np.log(np.maximum(s.description.pips, 1e-6))
        if s.counted is not None:
            pips[s.counted] += COUNTED
        for kind in self.types:
            weight = self._colour_weight(kind, here)
            if (
                kind.kind == "symbol"
            ):  # a lamp may blind the face: then the rounded edge shows the body's colour
                weight = max(weight, self._colour_weight(kind, edge) - BLINDED)
            if expected is not None and expected.get(kind.id, 0) == 0:
                weight += float(np.log(UNEXPECTED))
            if kind.kind == "pip":
                base = weight + SHARP * (PIPS if s.counted is not None else UNCOUNTED)
                scores += [(kind.id, f, base + float(pips[int(f)])) for f in kind.distinct_faces]
                continue
            weight += float(pips[0])
            scores.append((kind.id, None, weight + SHARP * KNOWN))
            correlations[kind.id] = {}
            if weight > TOO_STRANGE:
                near = self.taught.correlation(kind.id, s.crop)
                correlations[kind.id] = {f: v for f, v in near.items() if f in kind.faces}
                scores += [
                    (kind.id, f, weight + SHARP * max(v.both, CLEAR if clear_outline(f, near) else -1.0))
                    for f, v in correlations[kind.id].items()
                ]
        return _shares(scores), correlations

    def _colour_weight(self, kind: DieType, here: np.ndarray) -> float:
        if kind.body == "any":
            return -1.0  # as if one standard deviation and a half away, so that a body that fits wins
        learned = self.taught.body(kind.id)
        there = body.named(kind.body) if learned is None else body.features(learned)
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
