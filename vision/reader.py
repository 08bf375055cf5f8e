"""Pip dice in a free photograph: ``DiceReader.read(picture)`` -> ``DiceReading``.

Fails closed.  Three independent readings of each face must agree well enough
(``confidence``); anything doubtful makes the reading ``ask`` and is named with
its place, and a picture in which nothing can be told is ``refused``.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import messages as say
from vision.arrays import pixels
from vision.bodycolour import body_colour
from vision.confidence import combine, is_die
from vision.crop import cut, orientation, outline
from vision.detect import DetectedCentre, Detector
from vision.lattice import NOT_LAID, Fit, fit
from vision.limits import Limits
from vision.pipfaces import FaceReader, is_plain
from vision.quality import brightened, is_blurred, why_not_readable
from vision.reading import DiceReading, Die, Pose, Quad, Reason
from vision.second_look import (
    HALF_TURN,
    NEW,
    QUARTER_TURNS,
    SEEN_AGAIN,
    another_face,
    counterpart,
    lie_apart,
    look_turned,
)
from vision.sides import is_side_of
from vision.traymarks import marks_in

Image = NDArray[np.uint8]
TYPE = "d6"
UNKNOWN = "unknown"
HIGHER = 0.15  # edges by which a weak find is read higher, too
OTHERWISE = 0.6  # probability of another face there that makes a reading doubtful
TWO_MINDS = 1.4  # ratio of the heat of dice of either kind to that of the likelier kind: which kind is open
PLAINLY_PIPS = 0.02  # "not a pip face" under which that is a pip die


@dataclass(slots=True)
class Evidence:
    """All that was measured of one candidate."""

    found: DetectedCentre
    faces: NDArray[np.float32]  # (7,) classifier
    lattice: Fit
    combined: NDArray[np.floating[Any]]  # (6,)
    raised: NDArray[np.float32] | None = None  # (6,) classifier a little higher, where it says otherwise
    above: float = 0.0  # probability that the same die shows another pip face above this one
    group: bool = False  # it may be a group of dice as well
    side: bool = False  # one body with the face above it
    unconfirmed: bool = False  # a second look at the picture does not see it
    turned_over: bool = False  # a further look takes another face of it for the upper one
    turned_face: int = 0  # another face, 1..6, that a further look reads there

    @property
    def face(self) -> int:
        """The likeliest face, 1..6."""
        return int(np.argmax(self.combined)) + 1

    @property
    def classified(self) -> float:
        """Probability of that face by the classifiers alone."""
        return float(shares(self.faces)[self.face - 1])

    @property
    def confidence(self) -> float:
        """Probability that the face is right."""
        return float(self.combined.max())

    def weighed(self, weights: tuple[float, float, float]) -> NDArray[np.floating[Any]]:
        """``combined`` with other weights of the three readings."""
        combined = combine(self.found.faces, shares(self.faces), self.lattice, weights)
        return combined if self.raised is None else np.asarray((combined + self.raised) / 2, np.float32)

    @property
    def is_die(self) -> float:
        """Probability that this is a die with pips at all.

        Where the detector is of two minds about the kind of die, classifiers that leave no doubt decide.
        """
        no_face = float(self.faces[0])
        if no_face < PLAINLY_PIPS:
            return self.perhaps
        return is_die(self.found.heat, no_face) if self.found.pip else 0.0

    @property
    def perhaps(self) -> float:
        """The same of a die that may be of either kind."""
        f = self.found
        either_kind = f.pip or f.either > TWO_MINDS * f.heat
        return is_die(max(f.heat, f.either), float(self.faces[0])) if either_kind else 0.0


class DiceReader:
    """Reads pip dice (type ``d6``) from BGR pictures of any size.  One thread at a time."""

    def __init__(
        self, limits: Limits | None = None, detector: Detector | None = None, faces: FaceReader | None = None
    ):
        self.limits = limits or Limits()
        self._detector = detector or Detector()
        self._faces = faces or FaceReader()

    def read(self, image: Image, expected: Mapping[str, int] | None = None) -> DiceReading:
        """Read all dice of a picture (h, w, 3) BGR uint8.

        ``expected``: how many dice of which type should be there.  A wrong
        number is said; it never changes what was seen.
        """
        start = time.perf_counter()
        image = as_bgr(image)
        h, w = image.shape[:2]
        reasons = why_not_readable(image)
        dice: tuple[Die, ...] = ()
        status = "refused" if reasons else "ok"
        if not reasons:
            image = brightened(image)
            marks = marks_in(image)
            image = marks.hidden(image)
            evidence = self.evidence(image, marks.largest_die())
            dice, reasons = self.judge(image, evidence)
            if is_blurred(image, bool(dice)):
                reasons, status = [say.blurred()], "refused"
            elif reasons:
                status = "ask"
            if status != "refused":
                wrong = _wrong_count(dice, expected)
                if wrong is not None:
                    reasons, status = [*reasons, wrong], "ask"
        elapsed = (time.perf_counter() - start) * 1e3
        return DiceReading(status, dice, tuple(reasons), w, h, elapsed)  # type: ignore[arg-type]

    def evidence(self, image: Image, largest: float = np.inf) -> list[Evidence]:
        """Everything measured of every candidate, doubtful ones included.

        ``largest``: pixels that a die's edge can have at most.
        """
        found = [f for f in self._detector.find(image) if f.heat >= self.limits.heat]
        found, groups = self._apart(image, found, largest)
        hints = [int(f.faces.argmax()) + 1 for f in found]
        probabilities = self._faces.read(image, [(f.x, f.y, f.edge) for f in found], hints)
        out = []
        for f, p in zip(found, probabilities, strict=True):
            plain = is_plain(p, int(f.faces.argmax()) + 1)
            lattice = NOT_LAID if plain else fit(image, (f.x, f.y), f.edge)
            out.append(Evidence(f, p, lattice, combine(f.faces, shares(p), lattice), group=f in groups))
        self._look_higher(image, out)
        self._look_above(image, out)
        self._look_beside(image, out)
        return out + self._look_again(image, out)

    def _look_beside(self, image: Image, evidence: list[Evidence]) -> None:
        """Note which finds are side faces of dice whose upper face was found, too."""
        dice = [e for e in evidence if e.is_die >= self.limits.die and e.faces[0] < self.limits.no_face]
        for e in dice:
            e.side = any(o is not e and is_side_of(image, e.found, o.found) for o in dice)

    def _look_again(self, image: Image, evidence: list[Evidence]) -> list[Evidence]:
        """Note what the picture turned shows otherwise; returns what it shows besides.

        By half a turn for all dice; by quarters, too, where one is faint: seen at a slant, which of a die's
        faces looks upper may hang on how the picture is held.
        """
        lim = self.limits
        dice = [e for e in evidence if e.is_die >= lim.die and e.faces[0] < lim.no_face]
        edges = [e.found.edge for e in dice]
        again = look_turned(self._detector, image, edges, HALF_TURN)
        for e in dice:
            twin = counterpart(e.found, again)
            lost = twin is None or twin.either < SEEN_AGAIN
            e.unconfirmed = lost and e.found.heat < lim.odd_heat
        faint = self._worth_turning(dice)
        self._compare(image, dice, faint, again)
        for turn in QUARTER_TURNS if faint else ():
            self._compare(image, dice, faint, look_turned(self._detector, image, edges, turn))
        return self._besides(image, evidence, dice, again)

    def _worth_turning(self, dice: list[Evidence]) -> list[Evidence]:
        """The dice whose faces a further look may doubt.

        It cuts a face out a little beside, so that it may see another one in what was plain.
        """
        lim = self.limits
        return [
            e
            for e in dice
            if e.found.heat < lim.turned
            and not (e.classified >= lim.turned_plain and e.found.heat >= lim.turned_plain_heat)
        ]

    def _compare(
        self, image: Image, dice: list[Evidence], some: list[Evidence], again: list[DetectedCentre]
    ) -> None:
        """Note which of ``some`` of the dice a further look takes for another face, or reads as one."""
        twins = [(e, counterpart(e.found, again)) for e in some]
        seen = [(e, twin) for e, twin in twins if twin is not None and twin.either >= SEEN_AGAIN]
        for e in some:
            neighbours = [o.found for o in dice if o is not e]
            e.turned_over = e.turned_over or another_face(e.found, again, neighbours)
        shown = self._faces.read(image, [(t.x, t.y, t.edge) for _, t in seen], [e.face for e, _ in seen])
        for (e, _), p in zip(seen, shown, strict=True):
            q = shares(p)
            if q[e.face - 1] < self.limits.turned_sure:
                e.turned_face = next(int(k) + 1 for k in np.argsort(-q) if k != e.face - 1)

    def _besides(
        self, image: Image, evidence: list[Evidence], dice: list[Evidence], again: list[DetectedCentre]
    ) -> list[Evidence]:
        """What a further look finds that the first did not: it looks like a plain face, lies apart from the
        dice and has the size of one."""
        lim = self.limits
        plain = self._plain_edges(evidence)
        known = [e.found for e in evidence if max(e.is_die, e.perhaps) >= lim.doubtful]
        new = []
        for f in again:
            apart = all(lie_apart(f, o.found) for o in dice)
            fits = not plain or min(plain) / lim.no_size < f.edge < max(plain) * lim.no_size
            if f.heat >= NEW and apart and fits and counterpart(f, known) is None:
                new.append(f)
        shown = self._faces.read(image, [(f.x, f.y, f.edge) for f in new])
        out = []
        for f, p in zip(new, shown, strict=True):
            if p[0] < lim.doubtful_face and (f.heat >= lim.other or p.max() > lim.plain_new):
                out.append(Evidence(f, p, NOT_LAID, combine(f.faces, shares(p), NOT_LAID), unconfirmed=True))
        return out

    def _apart(
        self, image: Image, found: list[DetectedCentre], largest: float
    ) -> tuple[list[DetectedCentre], list[DetectedCentre]]:
        """Groups of dice that look like one near die from afar are taken apart, as is what is larger than any
        die; also what may be a group."""
        out: list[DetectedCentre] = []
        doubtful: list[DetectedCentre] = []
        for f in found:
            verdict = self._near_or_group(image, f) if f.parts else "near"
            if verdict == "group" or f.edge > largest:
                dice, doubts = self._apart(image, list(f.parts), largest)
                out, doubtful = out + dice, doubtful + doubts
                continue
            out.append(f)
            if verdict == "either":
                doubtful.append(f)
        return out, doubtful

    def _near_or_group(self, image: Image, f: DetectedCentre) -> Literal["near", "group", "either"]:
        """Whether a large find is a near die whose pips were found, too, or a group of dice.

        A pip in which a lamp shines looks like a 1, two or three in a row like a 2 or 3, and no pips like a
        plain 4, 5 or 6.  What shows no plain face itself is no near die if a part of it does.
        """
        lim = self.limits
        hot = [p for p in f.parts if p.heat > lim.part_heat]
        # one die of drawings on a cloth, seen from afar, is like a 1 the size of the cloth
        other = f.heat < lim.near_plain and max(p.either for p in f.parts) > lim.near_other * f.heat
        if not hot:
            return "either" if other else "near"
        whole, *parts = self._faces.read(image, [(p.x, p.y, p.edge) for p in (f, *hot)])
        plain = [int(p.argmax()) for p in parts if p.max() > lim.plain_part and p.argmax() > 0]
        value = int(whole.argmax()) if whole.max() > lim.plain_part else 0
        if any(face > 3 for face in plain) or (plain and not value):
            return "group"
        if f.heat < lim.group_heat * max(p.heat for p in hot):
            pips = len(plain) <= value and all(face == 1 for face in plain)
            return "either" if pips else "group"
        return "either" if other or any(face > 1 for face in plain) else "near"

    def _look_higher(self, image: Image, evidence: list[Evidence]) -> None:
        """Read weak finds a little higher, too: between the faces of a die the reading hangs on the place."""
        weak = [e for e in evidence if e.found.heat < self.limits.shaky and e.is_die >= self.limits.die]
        places = [(e.found.x, e.found.y - HIGHER * e.found.edge, e.found.edge) for e in weak]
        for e, p in zip(weak, self._faces.read(image, places, [e.face for e in weak]), strict=True):
            q = shares(p)
            if int(q.argmax()) + 1 != e.face and q.max() > OTHERWISE:
                e.raised = q
                e.combined = np.asarray((e.combined + q) / 2, np.float32)

    def _look_above(self, image: Image, evidence: list[Evidence]) -> None:
        """Note where a found face may be a side: seen at a slant, the upper face of the die lies above it.

        Only weak finds are looked at, and no places where another die was found.
        """
        dice = [e for e in evidence if e.is_die >= self.limits.die]
        doubtful: list[Evidence] = []
        places: list[tuple[float, float, float]] = []
        for e in dice:
            f = e.found
            x, y = f.x, f.y - 0.55 * f.edge
            free = all(np.hypot(x - o.found.x, y - o.found.y) > 0.5 * o.found.edge for o in dice)
            if f.heat < self.limits.weak and free and y > 0:
                doubtful.append(e)
                places.append((x, y, 0.8 * f.edge))
        for e, p in zip(doubtful, self._faces.read(image, places), strict=True):
            e.above = 1 - float(p[0])

    def judge(self, image: Image, evidence: list[Evidence]) -> tuple[tuple[Die, ...], list[Reason]]:
        """Dice and reasons to ask from what was measured."""
        lim = self.limits
        dice: list[Die] = []
        believed: list[tuple[Evidence, Die]] = []  # without a doubt so far
        reasons: list[Reason] = []
        white = float(np.percentile(image[::8, ::8].max(2), 97))
        sure = [e.found for e in evidence if e.is_die > lim.die]
        plain = self._plain_edges(evidence)
        typical = float(np.median(plain)) if plain else 0.0
        for e in evidence:
            f = e.found
            kind = self._kind(e, alone=not sure)
            if kind == "nothing" and self._may_be_lost(e, typical):
                kind = "maybe"
            if kind == "nothing" or not self._fits(e, kind, plain):
                continue
            crop = cut(image, (f.x, f.y), f.edge)
            if kind == "maybe" and not sure and not self._has_outline(crop):
                continue
            if kind == "maybe" and sure and self._is_strange(e):
                kind = "other"
            quad = square((f.x, f.y), f.edge, orientation(crop))
            inside = _inside(f, image, typical)
            if inside < lim.cut_off:
                reasons.append(say.cut_off(quad))
            if inside < lim.half_seen:
                continue
            if kind == "die" and e.side:
                reasons.append(say.side_face(quad))
            elif kind == "die":
                die, doubt = self._die(e, quad, body_colour(crop, white), typical)
                dice.append(die)
                reasons += doubt
                if not doubt and inside >= lim.cut_off:
                    believed.append((e, die))
            elif kind == "other":
                dice.append(Die(UNKNOWN, None, body_colour(crop, white), quad, round(f.heat, 4)))
                reasons.append(say.not_understood(quad))
            else:
                reasons.append(say.maybe_a_die(quad))
        if reasons:
            reasons += [
                say.maybe_a_die(die.quad)
                for e, die in believed
                if e.found.heat < lim.strict_faint or e.confidence < lim.strict_face
            ]
        return tuple(dice), reasons

    def _plain_edges(self, evidence: list[Evidence]) -> list[float]:
        """Edges of what is plainly a die and plainly read; else plainly a die; else a die at all."""
        lim = self.limits
        dice = [e for e in evidence if e.is_die > lim.die]
        found = [e for e in dice if e.found.heat >= lim.odd_heat]
        read = [e for e in found if e.confidence >= lim.face]
        return [e.found.edge for e in read or found or dice]

    def _has_outline(self, crop: Image) -> bool:
        """Whether something like the outline of a die surrounds a mark; feet and screws have none."""
        around, inside = outline(crop)
        return around >= self.limits.outline or around >= self.limits.outline_share * inside

    def _fits(self, e: Evidence, kind: str, plain: list[float]) -> bool:
        """Whether a candidate has the size of the dice, edges ``plain``; sure ones are asked about."""
        lim, edge = self.limits, e.found.edge
        if plain and max(plain) > lim.odd_size * edge and not self._stands_alone(e):
            return False  # crumbs beside near dice, in which neither a die nor a face is plain
        doubtful = kind == "maybe" or e.is_die < lim.sure
        if not plain or kind == "other" or not (doubtful or e.found.heat < lim.odd_heat):
            return True
        least, most = min(plain) / lim.near_size, max(plain) * lim.near_size
        if doubtful and len(plain) >= 3 and not least < edge < most and not self._is_strange(e):
            return False  # the edge of what has a strange face is less certain
        typical = float(np.median(plain))
        return typical / lim.no_size < edge < typical * lim.no_size

    def _may_be_lost(self, e: Evidence, typical: float) -> bool:
        """Whether a find beside dice of very few pixels may be another of them, though it shows no face."""
        lim = self.limits
        return (
            0 < typical < lim.few_pixels
            and e.found.either >= lim.lost
            and e.found.edge < lim.no_size * typical
        )

    def _is_strange(self, e: Evidence) -> bool:
        """Whether something of the size of the dice is like one but for its face, which shows no pips."""
        lim = self.limits
        return e.found.either >= lim.strange and float(e.faces[1:].max()) < lim.strange_face

    def _stands_alone(self, e: Evidence) -> bool:
        """Whether a find is plainly a die that can be read, or another thing like one, by itself."""
        lim = self.limits
        if e.is_die < lim.die:
            return e.found.heat >= lim.other_alone
        return e.found.heat >= lim.odd_heat and e.confidence >= lim.face

    def _kind(self, e: Evidence, alone: bool) -> Literal["die", "other", "maybe", "nothing"]:
        """What a candidate is taken for.  ``alone``: no die was found, so weaker signs of one count."""
        lim, f, no_face = self.limits, e.found, float(e.faces[0])
        if e.is_die >= lim.die and no_face < lim.no_face:
            return "die"
        if f.heat >= (lim.other if f.pip else lim.other_sure):
            return "other"
        if alone and f.either >= lim.other_alone and no_face >= lim.no_face:  # a die of either kind, no pips
            return "other"
        if e.is_die >= lim.doubtful or (no_face < lim.doubtful_face and e.perhaps >= lim.doubtful):
            return "maybe"
        none_from = lim.alone_none if f.heat >= lim.alone_clear else lim.alone_face
        if alone and f.heat >= lim.alone and no_face < none_from:
            return "maybe"
        return "nothing"

    def _die(self, e: Evidence, quad: Quad, colour: str, typical: float) -> tuple[Die, list[Reason]]:
        lim = self.limits
        leaning = e.found.rival > lim.rival or e.above > lim.above or e.turned_over
        order = np.argsort(-e.combined)
        others = tuple((str(int(i) + 1), round(float(e.combined[i]), 4)) for i in order[1:4])
        pose: Pose = "cocked" if leaning else "flat"
        die = Die(TYPE, str(e.face), colour, quad, round(e.confidence, 4), pose, others)
        if leaning:
            return die, [say.leaning(quad)]
        if e.group:
            return die, [say.near_or_several(quad)]
        if e.is_die < lim.sure or e.unconfirmed or e.found.heat < lim.faint:
            return die, [say.maybe_a_die(quad)]
        if self._doubts_face(e) or (typical < lim.few_pixels and e.classified < lim.few_face):
            return die, [say.unsure(quad, str(e.face), str(e.turned_face or others[0][0]))]
        if e.found.edge < lim.smallest:
            return die, [say.small(quad)]
        if not typical / lim.odd_size < e.found.edge < typical * lim.odd_size:
            return die, [say.odd_size(quad)]
        return die, []

    def _doubts_face(self, e: Evidence) -> bool:
        """Whether the face may be another one."""
        lim = self.limits
        faint = e.found.heat < lim.strict_faint and e.classified < lim.faint_face
        return e.confidence < lim.face or faint or e.turned_face > 0


def shares(p: NDArray[np.float32]) -> NDArray[np.float32]:
    """(6,) probabilities of the faces where there is one, from (7,) of which the first is "none"."""
    return np.asarray(p[1:] / max(float(p[1:].sum()), 1e-9), np.float32)


def square(centre: tuple[float, float], edge: float, angle: float) -> Quad:
    """Corners of a turned square, clockwise from the top left in the picture."""
    a = (angle + np.pi / 4) % (np.pi / 2) - np.pi / 4
    c, s, r = np.cos(a) * edge / 2, np.sin(a) * edge / 2, centre
    pts = [(-c + s, -s - c), (c + s, s - c), (c - s, s + c), (-c - s, -s + c)]
    p = [(round(float(r[0] + x), 1), round(float(r[1] + y), 1)) for x, y in pts]
    return (p[0], p[1], p[2], p[3])


def _inside(found: DetectedCentre, image: Image, typical: float) -> float:
    """Distance of a face's centre from the border of the picture, in edges; 0.5: just all of it is seen."""
    h, w = image.shape[:2]
    return float(min(found.x, w - 1 - found.x, found.y, h - 1 - found.y) / max(found.edge, typical))


def as_bgr(image: Image) -> Image:
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or image.size == 0:
        raise ValueError("a picture must be an array (h, w, 3) of uint8 in BGR order")
    if image.ndim == 2 or image.shape[2] == 1:
        return pixels(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))
    return image[..., :3]


def _wrong_count(dice: tuple[Die, ...], expected: Mapping[str, int] | None) -> Reason | None:
    if expected is None:
        return None
    want, got = sum(expected.values()), len(dice)
    return None if want == got else say.wrong_count(want, got)
