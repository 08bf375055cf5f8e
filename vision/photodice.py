"""Taught dice in any photograph: no markers, no tray; the size comes from the dice themselves.

The tray reader's networks know dice of one size only.  The picture is looked at in many sizes, and where most
of it looks like level dice they have the size that the networks know; then it is read as a tray's would be,
with the box's taught faces.  What white looks like is not known, so several answers are tried; the picture is
read turned round, too; and whatever these readings do not agree on is asked about.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from referee.kernel.dice import PIP_FACES, DieType
from vision import messages as say
from vision.crop import cut, orientation
from vision.detect import LARGEST, DetectedCentre, Detector
from vision.faces.colour import White, name_of, to_linear
from vision.faces.find import find_dice
from vision.faces.pose import examine
from vision.faces.taught import TaughtFaces
from vision.pipfaces import FaceReader
from vision.quality import is_blurred, why_not_readable
from vision.reader import as_bgr, square
from vision.reading import DiceReading, Die, Quad, Reason, Status
from vision.teach import taught_or_complain
from vision.tray import DEFAULT, MARGIN_MM, TrayView
from vision.tray_reasons import reason, wrong_counts
from vision.traymarks import marks_in
from vision.trayreader import TrayReader
from vision.trayscan import TrayScan, scan

Image = NDArray[np.uint8]
NEAREST, FARTHEST = 2.5, 36.0  # edges of dice in the longer side of a picture, from which they are looked for
STEP = 1.2  # ratio of one size to the next
LEAST_LEVEL = 0.3  # sum over finds of how surely they are level dice, under which there are none
PASSED = 0.3  # share of the best sum under which dice are plainly not that small,
STEPS_PASSED = 4  # where it stays so for as many sizes
MOST_FINDS = 24  # finds a size that are looked at closely
LEAST_PX = 12.0  # pixels of an edge under which no face can be read
SAME = 0.4  # edges within which two finds are of one die
PLAINLY = (
    0.6  # heat of the photograph reader's detector from which a pip die that was not seen is asked about
)
SIZED = 1.35  # where its edge differs no more than so many times
SIZES = (0.98, 0.92, 1.04, 0.86)  # shares of the size first found, tried until all dice are read
OTHER_SIZE = 0.98  # and of that one in the second look
BRIGHTEST = 99.0  # percentile of brightness of a picture by which white is reckoned,
WHITES = (1.5, 1.0)  # so many times as bright: paper and light dice reflect two thirds, a mirrored lamp all
RAISED = 0.25  # without a count: a die is asked about that lies on another with a higher probability
PIP_SURE = 0.9  # probability that the photograph reader's own classifiers must give a pip face

Named = tuple[Die, Reason | None]


def photo_view(width: int, height: int, edge: float) -> TrayView:
    """The view of a picture taken from straight above, whose dice have edges of ``edge`` pixels."""
    die = DEFAULT.die_mm
    per_mm = edge / die
    spec = replace(
        DEFAULT,
        inner_mm=(width / per_mm - 2 * MARGIN_MM, height / per_mm - 2 * MARGIN_MM),
        marker_plane_mm=die,
        walled=False,
    )
    plane = np.array([[per_mm, 0, (width - 1) / 2], [0, -per_mm, (height - 1) / 2], [0, 0, 1.0]])
    return TrayView(spec, plane, np.array([0.0, 0.0, spec.camera_height_mm]), 0.0)


class TaughtPhotoReader:
    """Reads taught and pip dice of the given types in BGR pictures of any size.  One thread at a time."""

    def __init__(self, types: Sequence[DieType], taught: TaughtFaces) -> None:
        self._judge = TrayReader(types, taught)
        self._detector = Detector()
        self._faces = FaceReader()

    def read(self, image: Image, expected: Mapping[str, int] | None = None) -> DiceReading:
        """Read one picture.  ``expected`` maps type ids to how many dice of it were to be rolled."""
        start = time.perf_counter()
        image = as_bgr(image)
        status, dice, reasons = self._read(image, expected)
        height, width = image.shape[:2]
        elapsed = (time.perf_counter() - start) * 1e3
        return DiceReading(status, tuple(dice), tuple(reasons), width, height, elapsed)

    def _read(
        self, image: Image, expected: Mapping[str, int] | None
    ) -> tuple[Status, list[Die], list[Reason]]:
        unreadable = why_not_readable(image)
        if unreadable:
            return "refused", [], unreadable
        image = marks_in(image).hidden(image)
        edge = edge_of_dice(image)
        if is_blurred(image, edge is not None):
            return "refused", [], [say.blurred()]
        if edge is None:
            return "refused", [], [say.no_dice()]
        if edge < LEAST_PX:
            return "refused", [], [replace(say.small(((0, 0),) * 4), quad=None)]
        edge, seen = self._sized(image, edge, expected)
        turned = _turned_round(_scanned(_round(image), edge * OTHER_SIZE), image)
        status, dice, reasons = self._agreed(seen, turned, expected)
        if status == "refused":
            return status, dice, reasons
        named = [self._confirmed(image, die, reasons) for die in dice]
        if expected is None:
            named = [_on_another(die, why, seen) for die, why in named]
        # millimetres from the middle of a picture are no place on any table
        dice, reasons = [replace(d, centre_mm=None) for d, _ in named], [r for _, r in named if r is not None]
        reasons += [say.maybe_a_die(quad) for quad in self._unseen(image, seen, edge)]
        if expected is None and seen.hand is not None:  # it may hide dice: only a count tells
            reasons.append(seen.hand)
        reasons += wrong_counts(self._judge.types, dice, expected)
        return ("ask" if reasons else "ok"), dice, reasons

    def _sized(self, image: Image, edge: float, expected: Mapping[str, int] | None) -> tuple[float, TrayScan]:
        """The edge near to this one with which most dice can be read, and what is seen with it.

        Faces are compared with the taught ones to a few hundredths of their size.
        """
        best: tuple[int, float, float, TrayScan] | None = None
        for share in SIZES:
            seen = _scanned(image, edge * share)
            status, dice, reasons = self._judge.judge(_relit(seen, WHITES[0]), expected)
            doubted = {r.quad for r in reasons}
            read = sum(d.quad not in doubted for d in dice), sum(d.confidence for d in dice)
            if best is None or read > best[:2]:
                best = (*read, edge * share, seen)
            if status == "ok":
                break
        assert best is not None
        return best[2], best[3]

    def _agreed(
        self, seen: TrayScan, turned: TrayScan, expected: Mapping[str, int] | None
    ) -> tuple[Status, list[Die], list[Reason]]:
        """What the readings of both looks under all whites agree on."""
        readings = [
            self._judge.judge(_relit(look, share), expected) for look in (seen, turned) for share in WHITES
        ]
        if all(status == "refused" for status, _, _ in readings[: len(WHITES)]):
            return readings[0]
        looks = [_by_white([(d, r) for _, d, r in readings[k : k + len(WHITES)]]) for k in (0, len(WHITES))]
        first, second = looks
        named: list[Named] = []
        for die, why in first:
            twin = next((n for n in second if _apart(n[0].quad, die.quad) < SAME * _edge(die.quad)), None)
            named.append(_agreed_faces(die, why, twin))
        for die, why in second:
            if all(_apart(n[0].quad, die.quad) >= SAME * _edge(die.quad) for n in first):
                named.append((_doubted(die), why or reason("perhaps_a_die", die.quad)))
        dice, reasons = [die for die, _ in named], [why for _, why in named if why is not None]
        return ("ask" if reasons else "ok"), dice, reasons

    def _confirmed(self, image: Image, die: Die, reasons: Sequence[Reason]) -> Named:
        """The die with what is asked about it: pips also where the photograph's classifiers see others."""
        why = next((r for r in reasons if r.quad == die.quad), None)
        if why is None and die.face in PIP_FACES:
            x, y = _middle(die.quad)
            p = self._faces.read(image, [(x, y, _edge(die.quad))])[0]
            if p[int(die.face)] < PIP_SURE:
                return _doubted(die), reason("not_sure", die.quad)
        return die, why

    def _unseen(self, image: Image, seen: TrayScan, edge: float) -> list[Quad]:
        """Where the photograph reader's detector plainly sees a pip die of this size that was not found."""
        scale = min(1.0, LARGEST / 2 / edge)
        quads = []
        for f in self._detector.find_at(image, scale):
            alike = f.pip and f.heat >= PLAINLY and edge / SIZED < f.edge < edge * SIZED
            if alike and all(
                np.hypot(*np.subtract(_middle(s.quad), (f.x, f.y))) > SAME * edge for s in seen.dice
            ):
                quads.append(_quad(f, image))
        return quads


class BoxReader:
    """Reads all dice that a box was taught, and pip dice of any colour as type ``d6``."""

    def __init__(self, taught: TaughtFaces) -> None:
        types = [DieType("d6", "pip", PIP_FACES, "any")]
        for name in taught.types():
            colour = taught.body(name)
            body = "any" if colour is None else name_of(colour)
            types.append(DieType(name, "symbol", tuple(sorted(taught.faces(name))), body))
        self._reader = TaughtPhotoReader(types, taught)

    def read(self, image: Image, expected: Mapping[str, int] | None = None) -> DiceReading:
        """Read one picture.  ``expected`` counts all dice together, whatever its keys are."""
        reading = self._reader.read(image)
        want, got = sum((expected or {}).values()), len(reading.dice)
        if expected is None or reading.status == "refused" or want == got:
            return reading
        return replace(reading, status="ask", reasons=(*reading.reasons, say.wrong_count(want, got)))


def reader_of_box(box: str) -> BoxReader:
    """The reader of a box's dice, for a command: ends it with a sentence where nothing was taught."""
    taught = taught_or_complain(box)
    if not taught.types():
        raise click.ClickException(
            f"No dice of the box {box!r} were taught here. Use: referee dice teach --from FOLDER --box {box}"
        )
    return BoxReader(taught)


def edge_of_dice(image: Image) -> float | None:
    """The edge in pixels that most of the dice of a picture have; None where it shows none.

    From large to small: the sum of how surely finds are level dice is greatest where they have the size that
    the networks know.  Between two sizes the vertex of the parabola through three sums counts.
    """
    longer = max(image.shape[:2])
    edges: list[float] = []
    sums: list[float] = []
    edge = longer / NEAREST
    while edge >= max(longer / FARTHEST, LEAST_PX / STEP):
        edges.append(edge)
        sums.append(_level_dice(image, edge))
        best = max(sums)
        passed = max(sums[-STEPS_PASSED:]) < PASSED * best and len(sums) - sums.index(best) > STEPS_PASSED
        if best > LEAST_LEVEL and passed:
            break
        edge /= STEP
    if not sums or max(sums) < LEAST_LEVEL:
        return None
    k = int(np.argmax(sums))
    return edges[k] * float(STEP ** -_vertex(sums, k))


def _level_dice(image: Image, edge: float) -> float:
    """How many level dice of that edge are seen, each counted by how sure that is.

    The finder's heat counts by its third power: pips, taken for dice, are many and faint.
    """
    view = photo_view(image.shape[1], image.shape[0], edge)
    rectified = view.rectify(image)
    found = examine(rectified, view, find_dice(rectified)[0][:MOST_FINDS])
    return sum(f.die * f.score**3 * (1 - f.cocked) * (1 - f.blurred) for f in found)


def _vertex(sums: Sequence[float], k: int) -> float:
    """Steps from the greatest sum to the vertex of the parabola through it and its neighbours."""
    if not 0 < k < len(sums) - 1:
        return 0.0
    a, b, c = sums[k - 1 : k + 2]
    bend = a - 2 * b + c
    return 0.0 if bend >= 0 else max(-0.5, min(0.5, 0.5 * (a - c) / bend))


def _by_white(readings: Sequence[tuple[list[Die], list[Reason]]]) -> list[Named]:
    """The dice of readings under several whites: believed where some do and none believes otherwise."""
    seen: dict[Quad, list[Named]] = {}
    for dice, reasons in readings:
        for die in dice:
            why = next((r for r in reasons if r.quad == die.quad), None)
            seen.setdefault(die.quad, []).append((die, why))
    named: list[Named] = []
    for quad, found in seen.items():
        believed = [die for die, why in found if why is None]
        if len({(die.type, die.face) for die in believed}) > 1:
            named.append((_doubted(believed[0]), reason("not_sure", quad)))
        else:
            named.append((believed[0], None) if believed else found[0])
    return named


def _agreed_faces(die: Die, why: Reason | None, twin: Named | None) -> Named:
    """A die of the first look, by the word of the second, too."""
    if why is not None:
        return die, why
    if twin is None:
        return _doubted(die), reason("perhaps_a_die", die.quad)
    other, doubt = twin
    if doubt is None and (other.type, other.face) == (die.type, die.face):
        return die, None
    return _doubted(die), reason("not_sure", die.quad)


def _on_another(die: Die, why: Reason | None, seen: TrayScan) -> Named:
    """The die, asked about where it may lie on another that no count would miss."""
    raised = any(s.quad == die.quad and s.found.raised > RAISED for s in seen.dice)
    return (_doubted(die), reason("stacked", die.quad)) if why is None and raised else (die, why)


def _doubted(die: Die) -> Die:
    return replace(die, face=None, confidence=min(die.confidence, 0.5), centre_mm=None)


def _scanned(image: Image, edge: float) -> TrayScan:
    """What lies in a picture whose dice have edges of ``edge`` pixels."""
    return scan(image, photo_view(image.shape[1], image.shape[0], edge), _white(image))


def _relit(seen: TrayScan, share: float) -> TrayScan:
    """The same dice, were white only so bright."""
    return replace(seen, dice=tuple(replace(s, body=s.body / share, rim=s.rim / share) for s in seen.dice))


def _round(image: Image) -> Image:
    return np.asarray(cv2.rotate(image, cv2.ROTATE_180), np.uint8)


def _turned_round(seen: TrayScan, image: Image) -> TrayScan:
    """What was seen in a picture turned round, in pixels of the picture as it was."""
    height, width = image.shape[:2]

    def back(quad: Quad) -> Quad:
        a, b, c, d = ((width - 1 - x, height - 1 - y) for x, y in quad)
        return (c, d, a, b)

    return replace(seen, dice=tuple(replace(s, quad=back(s.quad)) for s in seen.dice))


def _white(image: Image) -> White:
    """White where the brightest common thing of the picture is taken for it."""
    light = to_linear(image[::4, ::4]) @ np.array([0.1, 0.7, 0.2], np.float32)
    brightest = max(0.02, float(np.percentile(light, BRIGHTEST)))
    return White(np.zeros((1, 2)), np.full((1, 3), brightest))


def _quad(f: DetectedCentre, image: Image) -> Quad:
    return square((f.x, f.y), f.edge, orientation(cut(image, (f.x, f.y), f.edge)))


def _middle(quad: Quad) -> tuple[float, float]:
    x, y = np.mean(quad, axis=0)
    return float(x), float(y)


def _edge(quad: Quad) -> float:
    return float(np.hypot(*np.subtract(quad[1], quad[0])))


def _apart(a: Quad, b: Quad) -> float:
    """Pixels between the middles of two quads."""
    return float(np.hypot(*np.subtract(_middle(a), _middle(b))))
