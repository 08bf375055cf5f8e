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

import cv2
import numpy as np

from vision.faces.find import NEAREST_PX, Found
from vision.tray import TrayView

SIDE = 64  # pixels of the crop
SCALE = 0.88  # its scale beside that of the rectified picture: the crop shows 2.3 edges of a die
TALL = 16.0 / 650.0  # a die's height beside the camera's
SHIFT_PX = 4.0  # unit of the corrections that the network gives
NORMAL = 4.0  # and by what it multiplies the upper side's normal
FAR_PX, FAR_RAD = 2.5, 0.15  # corrections from which it looks once more
MIRROR = np.array([-1, 1], np.float32)
DOUBT, PLAIN, HOPELESS = 0.04, 0.9, 0.05  # states between which it looks from more sides
MOST = 4  # dice a picture that are looked at so: a reading must stay quick
PERHAPS, SURE = 0.5, 0.85  # probabilities from which something is a die perhaps, and surely
FAINT_HEAT, ASIDE_PX = 0.45, 23.0  # a find so faint, and so near to a surer one, is another side of that die
HALF_HEAT, HALVES_PX = 0.75, (16.0, 31.0)  # two finds so faint and so near may be halves of one die
ASTRAY_PX = 11.0  # where a die's middle is looked for around a find that cannot be read
STATES = ("cocked", "raised", "covered", "blurred", "die")
MODEL = Path(__file__).parent / "models" / "pose.onnx"


@cache
def _net(path: str) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(path)


def upright(rectified: np.ndarray, x: float, y: float, angle: float) -> np.ndarray:
    """The square around (x, y), turned so that a face at ``angle`` stands upright: 64 x 64 x 3."""
    c, s = np.cos(angle) / SCALE, np.sin(angle) / SCALE
    middle = (SIDE - 1) / 2
    back = np.array([[c, -s, x - middle * (c - s)], [s, c, y - middle * (s + c)]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(rectified, back, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def towards(x: float, y: float, angle: float, nadir: Sequence[float]) -> np.ndarray:
    """From the die to the point below the camera, in the crop's axes; one unit is 200 pixels (10 cm)."""
    dx, dy = (nadir[0] - x) / 200.0, (nadir[1] - y) / 200.0
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * dx + s * dy, -s * dx + c * dy], np.float32)


def level_planes(direction: np.ndarray) -> np.ndarray:
    """Where a level die would be in the crop (2 x 64 x 64, 0 to 1): all that is seen of it, and its sides."""
    shift = direction * (200.0 * SCALE * TALL)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (16.0 * SCALE)
    upper, lower = square + (SIDE - 1) / 2, square * (1 - TALL) + (SIDE - 1) / 2 + shift
    hull = cv2.convexHull(np.concatenate([upper, lower]).astype(np.float32))[:, 0]
    out = np.zeros((2, SIDE, SIDE), np.uint8)
    for number, corners in enumerate((hull, upper)):
        cv2.fillConvexPoly(out[number], np.round(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    whole, top = out.astype(np.float32) / 255
    return np.stack([whole, np.maximum(whole - top, 0)])


def planes(crop: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """The network's input: 7 x 64 x 64 float32, three of normalised colour, two of direction, and two that
    show where a level die would be."""
    x = crop.astype(np.float32) / 255
    gray = x.mean(axis=2)
    x = (x - float(gray.mean())) / (float(gray.std()) + 0.03)
    wide = np.broadcast_to(direction.astype(np.float32)[:, None, None], (2, SIDE, SIDE))
    return np.concatenate([x.transpose(2, 0, 1), wide, level_planes(direction)])


def examine(rectified: np.ndarray, view: TrayView, found: Sequence[Found]) -> list[Found]:
    """The finds that are dice, with corrected place and angle, and states as this network sees them."""
    nadir = view.from_mm(view.position[None, :2])[0]
    seen = _look(rectified, nadir, found)
    again = [
        k
        for k, (f, g) in enumerate(zip(found, seen, strict=True))
        if np.hypot(f.x - g.x, f.y - g.y) > FAR_PX or abs(f.angle - g.angle) > FAR_RAD
    ]
    for k, better in zip(again, _look(rectified, nadir, [seen[k] for k in again]), strict=True):
        seen[k] = better
    return _apart(_turned(rectified, nadir, seen))


def between(rectified: np.ndarray, view: TrayView, found: Sequence[Found]) -> list[Found]:
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


def around(rectified: np.ndarray, view: TrayView, found: Sequence[Found]) -> list[Found]:
    """Dice whose middle the finder may have missed by up to half an edge: looked for around each find."""
    ways = [k * np.pi / 4 for k in range(8)]
    starts = [
        replace(f, x=f.x + ASTRAY_PX * np.cos(w), y=f.y + ASTRAY_PX * np.sin(w), angle=f.angle + turn)
        for f in found
        for w in ways
        for turn in (0.0, np.pi / 4)
    ]
    return _settled(rectified, view, starts)


def _settled(rectified: np.ndarray, view: TrayView, starts: Sequence[Found]) -> list[Found]:
    """What the network makes of these places, looking twice, where it is sure and stays where it is."""
    nadir = view.from_mm(view.position[None, :2])[0]
    once = _look(rectified, nadir, starts)
    twice = _look(rectified, nadir, once)
    return [
        g
        for f, g in zip(once, twice, strict=True)
        if g.die > SURE and g.covered < 0.5 and np.hypot(f.x - g.x, f.y - g.y) < FAR_PX
    ]


def _strength(f: Found) -> float:
    """How sure both networks are that a die's upper face is here (logits)."""
    seen = min(max(f.score, 1e-3), 1 - 1e-3)
    die = min(max(f.die, 1e-3), 1 - 1e-3)
    return float(np.log(seen / (1 - seen)) + 0.5 * np.log(die / (1 - die)))


def _apart(found: Sequence[Found]) -> list[Found]:
    """Dice, surest first, without what lies on a surer one: other sides of a tilted die are found as well."""
    kept: list[Found] = []
    dice = [f for f in found if f.die >= PERHAPS and _strength(f) > 0]
    for f in sorted(dice, key=_strength, reverse=True):
        faint = f.score < FAINT_HEAT or f.die < SURE
        near = ASIDE_PX if faint else NEAREST_PX
        if all((f.x - g.x) ** 2 + (f.y - g.y) ** 2 >= near**2 for g in kept):
            kept.append(f)
    return kept


def _look(rectified: np.ndarray, nadir: np.ndarray, found: Sequence[Found]) -> list[Found]:
    out = _answers(rectified, nadir, found)
    return [_corrected(f, o) for f, o in zip(found, out, strict=True)]


def _answers(
    rectified: np.ndarray, nadir: np.ndarray, found: Sequence[Found], quarter: int = 0, mirrored: bool = False
) -> np.ndarray:
    """The network's output for each find (N x 11), each turned by so many quarters and perhaps mirrored."""
    if not found:
        return np.zeros((0, 11), np.float32)
    batch = []
    for f in found:
        angle = f.angle + quarter * np.pi / 2
        crop, way = upright(rectified, f.x, f.y, angle), towards(f.x, f.y, angle, nadir)
        batch.append(planes(crop[:, ::-1], way * MIRROR) if mirrored else planes(crop, way))
    net = _net(str(MODEL))
    net.setInput(np.stack(batch))
    out: np.ndarray = net.forward().reshape(len(found), -1).copy()
    return out


def _chances(logits: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(logits, -30, 30)))


def _doubtful(f: Found) -> bool:
    """Whether any state is neither plainly so nor plainly not so."""
    return f.die < PLAIN or any(DOUBT < v < 1 - DOUBT for v in (f.cocked, f.raised, f.covered))


def _turned(rectified: np.ndarray, nadir: np.ndarray, found: Sequence[Found]) -> list[Found]:
    """Doubtful finds seen from all four sides, and mirrored: the network's mean errs less than one look."""
    doubtful = [k for k, f in enumerate(found) if f.die > HOPELESS and _doubtful(f)]
    chosen = sorted(doubtful, key=lambda k: -max(found[k].cocked, found[k].raised, 1 - found[k].die))[:MOST]
    dice = [found[k] for k in chosen]
    looks = [_answers(rectified, nadir, dice, q, m) for q in range(4) for m in (False, True)] if dice else []
    better = list(found)
    for n, k in enumerate(chosen):
        each = np.stack([out[n] for out in looks])
        cocked, raised, covered, blurred, die = (float(v) for v in _chances(each[:, :5].mean(axis=0)))
        lean = float(np.minimum(1.0, np.hypot(each[:, 9], each[:, 10]) / NORMAL).mean())
        better[k] = replace(
            found[k], cocked=cocked, raised=raised, covered=covered, blurred=blurred, die=die, lean=lean
        )
    return better


def _corrected(f: Found, out: np.ndarray) -> Found:
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
    )
