"""Look at each found die once more: does it lie level, on the floor, uncovered and sharp, and where exactly?

A second, small network sees the die upright, with twice its edge around it, and the direction in which the
camera stands: which sides of a level die can be seen follows from that, and a tilted die breaks the rule.
Where those sides would end is drawn into its input.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from vision.faces.find import NEAREST_PX, LocatedDie
from vision.network import load
from vision.tray import TrayView

USUAL_MM = (16.0, 650.0)  # a die's edge and the camera's height,
TALL = USUAL_MM[0] / USUAL_MM[1]  # and the one beside the other
SHIFT_PX = 4.0  # unit of the corrections that the network gives
NORMAL = 4.0  # and by what it multiplies the upper side's normal
FAR_PX, FAR_RAD = 2.5, 0.15  # corrections from which it looks once more
MIRROR = np.array([-1, 1], np.float32)
SIDES = (
    (1, True),
    (2, False),
    (3, True),
)  # of the further looks: turned by so many quarters, mirrored or not
HOPELESS = 0.25  # probability of being a die below which no second look is taken
PERHAPS, SURE = 0.5, 0.85  # those from which something is a die perhaps, and surely
FAINT_HEAT, ASIDE_PX = 0.45, 23.0  # a find so faint, and so near to a surer one, is another side of that die
HALF_HEAT, HALVES_PX = 0.75, (16.0, 31.0)  # two finds so faint and so near may be halves of one die
SAME_PX, SAME = 2.0, 0.9  # places so near, and cosines of four times the turn between, are one and the same
TILTED, LEVEL = 0.6, 0.2  # chances of being cocked: more than the one is tilted, less than the other level
HALF_EDGE_PX, BODY_PX = 16.0, 11.0  # half a die's edge; middles of dice cannot be nearer than the other
ASTRAY_PX = 11.0  # where a die's middle is looked for around a find that cannot be read
STATES = ("cocked", "raised", "covered", "blurred", "die")
NEXT_PX = 29.0  # middles of level dice are an edge (32 pixels) apart at least, found to two pixels
ASIDE = 0.2  # tangent of the angle from which a camera stands beside the tray (11.3 degrees)
MODELS = Path(__file__).parent / "models"


class Sight(NamedTuple):
    """What a network is shown of each die: the crop's side in pixels, and its scale beside that of the
    rectified picture, in which a die's edge has 32."""

    weights: Path
    side: int
    scale: float


ABOVE = Sight(MODELS / "pose.onnx", 48, 0.72)
BESIDE = Sight(MODELS / "pose_beside.onnx", 64, 0.88)  # 2.3 edges: cameras beside the tray see its sides


def upright(rectified: np.ndarray, x: float, y: float, angle: float, sight: Sight) -> np.ndarray:
    """The square around (x, y), turned so that a face at ``angle`` stands upright: side x side x 3."""
    c, s = np.cos(angle) / sight.scale, np.sin(angle) / sight.scale
    middle = (sight.side - 1) / 2
    back = np.array([[c, -s, x - middle * (c - s)], [s, c, y - middle * (s + c)]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (sight.side, sight.side)
    return cv2.warpAffine(rectified, back, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


class Foot(NamedTuple):
    """The point below the camera (pixels), and ``reach``: how far a die's lower side is seen beside its upper
    one for each pixel from there, as a multiple of what it is with a usual die and camera."""

    x: float
    y: float
    reach: float = 1.0
    aside: bool = False  # whether the camera stands beside the tray


def foot_of(view: TrayView) -> Foot:
    """The camera's foot in the rectified picture."""
    x, y = view.from_mm(view.position[None, :2])[0]
    across, height = float(np.hypot(*view.position[:2])), float(view.position[2])
    return Foot(float(x), float(y), view.spec.die_mm / height / TALL, across > ASIDE * height)


def on_side_of(f: LocatedDie, surer: LocatedDie, foot: Foot) -> bool:
    """Whether a find lies where the sides of a level die are seen, from a camera beside the tray.

    The middle of another level die cannot be so near.
    """
    apart = float(np.hypot(f.x - surer.x, f.y - surer.y))
    if not foot.aside or surer.cocked > TILTED or apart > NEXT_PX:
        return False
    upper = surer.corners(HALF_EDGE_PX)
    shift = foot.reach * TALL * np.array([foot.x - surer.x, foot.y - surer.y])
    body = cv2.convexHull(np.concatenate([upper, upper + shift]).astype(np.float32))
    return cv2.pointPolygonTest(body, (f.x, f.y), False) > 0


def towards(x: float, y: float, angle: float, foot: Foot) -> np.ndarray:
    """From the die to the point below the camera, in the crop's axes; one unit is 200 pixels (10 cm) of a
    usual die seen from the usual height."""
    dx, dy = foot.reach * (foot.x - x) / 200.0, foot.reach * (foot.y - y) / 200.0
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * dx + s * dy, -s * dx + c * dy], np.float32)


def level_planes(direction: np.ndarray, sight: Sight) -> np.ndarray:
    """Where a level die would be in the crop (2 x side x side, 0 to 1): all that is seen of it, and its
    sides."""
    upper, lower = _level_squares(sight)
    shift = direction * (200.0 * sight.scale * TALL)
    hull = cv2.convexHull(np.concatenate([upper, lower + shift]).astype(np.float32))[:, 0]
    whole = _filled(hull, sight.side)
    return np.stack([whole, np.maximum(whole - _upper_side(sight), 0)])


@cache
def _level_squares(sight: Sight) -> tuple[np.ndarray, np.ndarray]:
    """Corners of a level die's upper side in the crop, and of its lower side were the camera above it."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (HALF_EDGE_PX * sight.scale)
    middle = (sight.side - 1) / 2
    return square + middle, square * (1 - TALL) + middle


@cache
def _upper_side(sight: Sight) -> np.ndarray:
    return _filled(_level_squares(sight)[0], sight.side)


def _filled(corners: np.ndarray, side: int) -> np.ndarray:
    out = np.zeros((side, side), np.uint8)
    cv2.fillConvexPoly(out, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return out.astype(np.float32) / 255


def planes(crops: np.ndarray, directions: np.ndarray, sight: Sight) -> np.ndarray:
    """The network's input for crops (N x side x side x 3, uint8) and directions (N x 2): N x 7 x side x side
    float32, three of normalised colour, two of direction, and two that show where a level die would be."""
    out = np.empty((len(crops), 7, sight.side, sight.side), np.float32)
    colours = np.multiply(crops.transpose(0, 3, 1, 2), np.float32(1 / 255), dtype=np.float32)
    gray = (colours[:, 0] + colours[:, 1] + colours[:, 2]) / 3
    spread = gray.std(axis=(1, 2)) + np.float32(0.03)
    out[:, :3] = (colours - gray.mean(axis=(1, 2))[:, None, None, None]) / spread[:, None, None, None]
    out[:, 3:5] = directions[:, :, None, None]
    for k, direction in enumerate(directions):
        out[k, 5:] = level_planes(direction, sight)
    return out


def examine(rectified: np.ndarray, view: TrayView, found: Sequence[LocatedDie]) -> list[LocatedDie]:
    """The finds that are dice, with corrected place and angle, and states as this network sees them."""
    foot = foot_of(view)
    seen = _look(rectified, foot, found)
    again = [
        k
        for k, (f, g) in enumerate(zip(found, seen, strict=True))
        if np.hypot(f.x - g.x, f.y - g.y) > FAR_PX or abs(f.angle - g.angle) > FAR_RAD
    ]
    for k, better in zip(again, _look(rectified, foot, [seen[k] for k in again]), strict=True):
        seen[k] = better
    return _apart(seen)


def between(rectified: np.ndarray, view: TrayView, found: Sequence[LocatedDie]) -> list[LocatedDie]:
    """Dice of which the finder may have seen two halves, one on each of two pips of a dark die, say.

    The pips of such a face lie on its diagonal, or beside each other along an edge: both angles are tried.
    """
    faint = [f for f in found if f.score < HALF_HEAT]
    starts = []
    for k, f in enumerate(faint):
        for g in faint[k + 1 :]:
            if HALVES_PX[0] < np.hypot(f.x - g.x, f.y - g.y) < HALVES_PX[1]:
                way = float(np.arctan2(g.y - f.y, g.x - f.x))
                x, y, score = (f.x + g.x) / 2, (f.y + g.y) / 2, min(0.99, f.score + g.score)
                starts += [replace(f, x=x, y=y, angle=way + turn, score=score) for turn in (0.0, np.pi / 4)]
    return _settled(rectified, view, starts)


def around(rectified: np.ndarray, view: TrayView, found: Sequence[LocatedDie]) -> list[LocatedDie]:
    """Dice whose middle the finder may have missed by up to half an edge: looked for around each find."""
    ways = [k * np.pi / 4 for k in range(8)]
    starts = [
        replace(f, x=f.x + ASTRAY_PX * np.cos(w), y=f.y + ASTRAY_PX * np.sin(w), angle=f.angle + turn)
        for f in found
        for w in ways
        for turn in (0.0, np.pi / 4)
    ]
    return _settled(rectified, view, starts)


def _settled(rectified: np.ndarray, view: TrayView, starts: Sequence[LocatedDie]) -> list[LocatedDie]:
    """What the network makes of these places, looking twice, where it is sure and stays where it is."""
    foot = foot_of(view)
    once = _distinct(_look(rectified, foot, starts))
    twice = _look(rectified, foot, once)
    return [
        g
        for f, g in zip(once, twice, strict=True)
        if g.die > SURE and g.covered < 0.5 and np.hypot(f.x - g.x, f.y - g.y) < FAR_PX
    ]


def _distinct(found: Sequence[LocatedDie]) -> list[LocatedDie]:
    """Finds, surest first, but one only of those that name the same die in the same place and turn."""
    kept: list[LocatedDie] = []
    for f in sorted(found, key=lambda f: -f.die):
        if f.die > HOPELESS and not any(_same(f, g) for g in kept):
            kept.append(f)
    return kept


def _same(f: LocatedDie, g: LocatedDie) -> bool:
    near = np.hypot(f.x - g.x, f.y - g.y) < SAME_PX
    return bool(near and np.cos(4 * (f.angle - g.angle)) > SAME)


def _strength(f: LocatedDie) -> float:
    """How sure both networks are that a die's upper face is here (logits)."""
    seen = min(max(f.score, 1e-3), 1 - 1e-3)
    die = min(max(f.die, 1e-3), 1 - 1e-3)
    return float(np.log(seen / (1 - seen)) + 0.5 * np.log(die / (1 - die)))


def _apart(found: Sequence[LocatedDie]) -> list[LocatedDie]:
    """Dice, surest first, without what lies on a surer one: other sides of a tilted die are found as well."""
    kept: list[LocatedDie] = []
    dice = [f for f in found if f.die >= HOPELESS and _strength(f) > 0]
    for f in sorted(dice, key=_strength, reverse=True):
        if all(np.hypot(f.x - g.x, f.y - g.y) >= _reach(f, g) and not _one_body(f, g) for g in kept):
            kept.append(f)
    return kept


def _one_body(f: LocatedDie, g: LocatedDie) -> bool:
    """Whether two finds are sides of one cocked die: half an edge below each lies the same middle."""
    return min(f.cocked, g.cocked) > 0.5 and float(np.linalg.norm(_below(f) - _below(g))) < BODY_PX


def _below(f: LocatedDie) -> np.ndarray:
    """The middle of the die whose side was found, in pixels of the rectified picture."""
    return np.array([f.x, f.y]) - HALF_EDGE_PX * np.array(f.normal)


def _reach(f: LocatedDie, surer: LocatedDie) -> float:
    """How far the middle of a find must lie from that of a surer one not to be a side of the same die.

    A level die has no tilted side: what is surely one belongs to a die that leans on it.
    """
    faint = f.score < FAINT_HEAT or f.die < SURE
    leaning = f.die >= SURE and f.cocked > TILTED and surer.cocked < LEVEL
    return ASIDE_PX if faint and not leaning else NEAREST_PX


def _look(rectified: np.ndarray, foot: Foot, found: Sequence[LocatedDie]) -> list[LocatedDie]:
    out = _answers(rectified, foot, found)
    return [_corrected(f, o) for f, o in zip(found, out, strict=True)]


def _answers(
    rectified: np.ndarray,
    foot: Foot,
    found: Sequence[LocatedDie],
    quarter: int = 0,
    mirrored: bool = False,
) -> np.ndarray:
    """The network's output for each find (N x 11), each turned by so many quarters and perhaps mirrored."""
    if not found:
        return np.zeros((0, 11), np.float32)
    sight = BESIDE if foot.aside else ABOVE
    turns = [f.angle + quarter * np.pi / 2 for f in found]
    looks = list(zip(found, turns, strict=True))
    crops = np.stack([upright(rectified, f.x, f.y, angle, sight) for f, angle in looks])
    ways = np.stack([towards(f.x, f.y, angle, foot) for f, angle in looks])
    batch = planes(crops[:, :, ::-1], ways * MIRROR, sight) if mirrored else planes(crops, ways, sight)
    return load(sight.weights).each(batch)


def _chances(logits: np.ndarray) -> np.ndarray:
    found: np.ndarray = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return found


def look_again(rectified: np.ndarray, view: TrayView, found: Sequence[LocatedDie]) -> list[LocatedDie]:
    """Finds with their states averaged over the first look and three more, turned and mirrored: the mean errs
    less than one look."""
    foot = foot_of(view)
    looks = [_answers(rectified, foot, found, quarter, mirrored) for quarter, mirrored in SIDES]
    return [_averaged(f, np.stack([out[k] for out in looks])) for k, f in enumerate(found)]


def _averaged(f: LocatedDie, more: np.ndarray) -> LocatedDie:
    """A find and what more looks (looks x 11) make of it; logits are averaged."""
    first = np.array([logit(v) for v in (f.cocked, f.raised, f.covered, f.blurred, f.die)])
    mean = (more[:, :5].sum(axis=0) + first) / (len(more) + 1)
    cocked, raised, covered, blurred, die = (float(v) for v in _chances(mean))
    leans = np.minimum(1.0, np.hypot(more[:, 9], more[:, 10]) / NORMAL)
    lean = (float(leans.sum()) + f.lean) / (len(more) + 1)
    return replace(f, cocked=cocked, raised=raised, covered=covered, blurred=blurred, die=die, lean=lean)


def logit(chance: float) -> float:
    """Log-odds of a probability, kept within 14 of even."""
    held = min(max(chance, 1e-6), 1 - 1e-6)
    return float(np.log(held / (1 - held)))


def _corrected(f: LocatedDie, out: np.ndarray) -> LocatedDie:
    states, shift = _chances(out[:5]), out[5:11]
    c, s = np.cos(f.angle), np.sin(f.angle)
    dx, dy = (float(np.clip(v, -2, 2)) * SHIFT_PX for v in shift[:2])
    turn = float(np.arctan2(shift[3], shift[2])) / 4
    cocked, raised, covered, blurred, die = (float(v) for v in states)
    return replace(
        f,
        x=f.x + c * dx - s * dy,
        y=f.y + s * dx + c * dy,
        angle=f.angle + turn,
        cocked=cocked,
        raised=raised,
        covered=covered,
        blurred=blurred,
        die=die,
        lean=min(1.0, float(np.hypot(shift[4], shift[5])) / NORMAL),
        normal=(float(c * shift[4] - s * shift[5]) / NORMAL, float(s * shift[4] + c * shift[5]) / NORMAL),
    )
