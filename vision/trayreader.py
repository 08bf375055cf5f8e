"""Read the dice on a tray of known measures: fiducials, dice, body colour, face.

Fails closed: whatever cannot be read with certainty is asked about or refused, with the reason in words and
the place in the picture.  An expectation narrows between types that look alike; it never overrides what is
seen.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from referee.kernel.dice import DieType
from vision.facerank import FaceRanking
from vision.faces import colour as body
from vision.faces.describe import describe
from vision.faces.pose import SURE, foot_of, on_side_of
from vision.faces.shade import unshaded
from vision.faces.taught import Compared, TaughtFaces, ink, is_known
from vision.reading import DiceReading, Die, Pose, Reason, Status
from vision.tray import DEFAULT, TraySpec, TrayView
from vision.tray_reasons import not_taught, reason, wrong_counts
from vision.trayscan import FACE_CONFIDENCE, LEGIBLE_ASK, DetectedDie, TrayScan, is_complete, look

BLURRED_DIE = 0.5  # a picture whose most blurred sure die has a higher probability of blur is refused
LEGIBLE_SURE = 0.4  # a face that can be read with lower probability loses confidence in proportion
COVERED_ASK = 0.6  # a die covered with higher probability is asked about
UNCOVERED = 0.1  # a die covered with lower probability shows its whole face
FREE_ASK = 0.25  # without a count: asked about if it lies free (neither raised nor covered) less surely
RAISED_ASK = 0.97  # with a count: what surely lies on another is asked about, the lower may be missing
FAINT_FACE = 0.2  # a face found with less heat may be half a face and is asked about
GLARE_SHARE = 0.35  # an unsure face with a larger share of blown-out pixels is reported as glare
SHADOW_HEAT, SHADOW_LEGIBLE = 0.7, 0.8  # a die's shadow on a dotted cloth is found, and legible, less surely
PIPS_UNCONFIRMED = 0.95  # the network's number stands without counted spots from this probability
ONE_SURE = 0.99  # the network's probability from which a single counted pip needs no legible face
PLAIN_INK = 0.08  # a face with less ink has nothing on it, under any lamp

Named = tuple[DetectedDie, Die, Reason | None]  # a die, what it shows, and what is asked about it


def agreed(s: DetectedDie, face: str) -> bool:
    """Whether network and spots give the same pips (where spots cannot be counted: whether the network is
    sure)."""
    if s.counted is None:
        return float(s.description.pips[int(face)]) > PIPS_UNCONFIRMED
    return s.counted == int(face)


class TrayReader:
    """Reads pictures of one tray with dice of the given types.

    Pip faces need no teaching.  Symbol faces are those in ``taught`` under the type's id.
    """

    def __init__(self, dice_types: Sequence[DieType], taught: TaughtFaces, tray: TraySpec = DEFAULT) -> None:
        self.types = tuple(dice_types)
        self.taught = taught
        self.tray = tray
        self._ranking = FaceRanking(self.types, taught)
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
            status, dice, reasons = self.judge(seen, expected)
        elapsed = (time.perf_counter() - start) * 1000
        return DiceReading(status, tuple(dice), tuple(reasons), width, height, elapsed)

    @staticmethod
    def _refuse(seen: TrayScan) -> tuple[Status, list[Die], list[Reason]]:
        return "refused", [], list(seen.refused)

    def judge(
        self, seen: TrayScan, expected: Mapping[str, int] | None
    ) -> tuple[Status, list[Die], list[Reason]]:
        """What the dice of a scan show, and what is asked about them."""
        named = [(s, *self._judge_with_retry(s, expected)) for s in seen.dice]
        sides = self._sides(named, seen.view)
        if expected is not None:
            named = self._confirm_by_count(named, expected)
            named = self._drop_unlikely(named, sides, expected)
        named = [(s, die, why or self._doubt_of_side(s, sides)) for s, die, why in named]
        worst = max(
            (s for s, _, _ in named if s.found.die >= SURE), key=lambda s: s.found.blurred, default=None
        )
        if worst is not None and worst.found.blurred > BLURRED_DIE:
            return "refused", [], [reason("blurred", worst.quad)]
        dice = [die for _, die, _ in named]
        reasons = [why for _, _, why in named if why is not None]
        reasons += wrong_counts(self.types, dice, expected)
        return ("ask" if reasons else "ok"), dice, reasons

    @staticmethod
    def _sides(named: list[Named], view: TrayView | None) -> list[DetectedDie]:
        """What lies on the side of a surer die, seen from beside the tray, and is that side perhaps."""
        if view is None:
            return []
        foot, dice = foot_of(view), [s for s, _, _ in named]
        return [
            s
            for s in dice
            if any(o.found.score > s.found.score and on_side_of(s.found, o.found, foot) for o in dice)
        ]

    @staticmethod
    def _doubt_of_side(s: DetectedDie, sides: Sequence[DetectedDie]) -> Reason | None:
        return reason("perhaps_a_die", s.quad) if any(s is one for one in sides) else None

    def _confirm_by_count(self, named: list[Named], expected: Mapping[str, int]) -> list[Named]:
        """The dice, where those that may be of several types are just as many as the roll still lacks.

        A black die that mirrors a lamp may be a white one, but not where all white ones are there.  So the
        count can confirm what was seen; it never makes another die or face of it.
        """
        there = Counter(die.type for _, die, why in named if why is None)
        missing = Counter(expected) - there
        if sum(missing.values()) != sum(why is not None for _, _, why in named):
            return named
        return [self._confirmed_die(one, missing) if one[2] is not None else one for one in named]

    def _confirmed_die(self, one: Named, missing: Mapping[str, int]) -> Named:
        s, die, why = one
        if why is None or why.code not in ("not_sure", "glare") or not die.alternatives:
            return one
        again, doubt = self._judge_die(s, missing)
        same = (again.type, again.face) == (die.type, die.alternatives[0][0])
        return (s, again, None) if doubt is None and same else one

    def _drop_unlikely(
        self, named: list[Named], sides: Sequence[DetectedDie], expected: Mapping[str, int]
    ) -> list[Named]:
        """The dice of a roll of which all are there: what else looks somewhat like one is the cloth.

        What may be a side of another is left out, then what is not surely a die, then what is faint, then
        what is smeared.
        """
        apart = [n for n in named if all(n[0] is not s for s in sides)]
        clear = [n for n in apart if n[0].found.die >= SURE]
        strong = [n for n in clear if n[0].found.score >= FAINT_FACE]
        sharp = [n for n in strong if n[0].found.blurred <= BLURRED_DIE]
        for kept in ([apart] if sides else []) + [clear, strong, sharp]:
            if not wrong_counts(self.types, [die for _, die, _ in kept], expected):
                return self._accept_stacked(kept, expected)
        return self._drop_shadows(named, expected)

    def _drop_shadows(self, named: list[Named], expected: Mapping[str, int]) -> list[Named]:
        """The dice of a roll that are all there and plainly read: the rest is their shadows.

        A shadow has a die's outline, with a dot of the cloth for a pip.  It cannot be read, and is of another
        colour than any die of this roll, where a die too many would be of theirs.  A die of another kind that
        leans there is no die of the roll either.
        """
        plain = [n for n in named if n[2] is None]
        if wrong_counts(self.types, [die for _, die, _ in plain], expected):
            return named
        return plain if all(self._may_be_shadow(n, expected) for n in named if n[2] is not None) else named

    @staticmethod
    def _may_be_shadow(one: Named, expected: Mapping[str, int]) -> bool:
        s, die, _ = one
        faint = s.found.score < SHADOW_HEAT and s.description.legible < SHADOW_LEGIBLE
        return faint and not expected.get(die.type, 0)

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
        ranked, near = self._ranking.rank(s, expected)
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
        if s.may_be_cocked:
            return reason("perhaps_cocked", s.quad)
        if f.raised > RAISED_ASK or (not counted and (1 - f.raised) * (1 - f.covered) < FREE_ASK):
            return reason("stacked", s.quad)
        if f.covered > COVERED_ASK:
            return reason("covered", s.quad)
        return None

    def _confirmed(self, s: DetectedDie, die_type: str, face: str, compared: Mapping[str, Compared]) -> bool:
        """Whether the whole face was seen, and a second reading (examples, counted spots) says the same."""
        if s.found.score < FAINT_FACE or (face == "1" and not is_complete(s.found)):
            return False
        if die_type in compared:
            return is_known(face, compared[die_type])
        return agreed(s, face)

    def _legible(self, die_type: str, s: DetectedDie) -> float:
        """The chance that the face can be read; of a cube with nothing on it the colour alone is read.

        On a dark die in bad light a single pip looks like what is left of a face, but network and spots know
        it where the die is whole.
        """
        plain = self.taught.is_plain(die_type) and ink(s.crop) < PLAIN_INK
        one = s.counted == 1 and float(s.description.pips[1]) > ONE_SURE and is_complete(s.found)
        return 1.0 if plain or one else s.description.legible

    def _colour(self, die_type: str, s: DetectedDie) -> str:
        kind = next((t for t in self.types if t.id == die_type), None)
        return body.name_of(s.body) if kind is None or kind.body == "any" else kind.body
