"""Synthetic photographs of thrown dice, with the truth of each top face.

Scenes vary what real ones vary: camera tilt and distance, body and pip colours
(also low contrast, marbled and translucent ones), rounding, lamps, shadows,
backgrounds from felt to wood, things that are not pip dice, focus, noise and
compression.  Run as a program to write a cache that ``train.py`` reads.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.training.backgrounds import background, clutter
from vision.training.faces import logo, pip_face, symbol_face
from vision.training.materials import bgr, material
from vision.training.solids import F, PinholeCamera, Solid, draw, shadow

CUBE = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float32)
VALUES = (1, 6, 2, 5, 3, 4)  # opposite sides add up to seven


@dataclass
class Truth:
    """One die: face 1..6 (0: not a pip die), centre and edge of its top face in pixels."""

    face: int
    x: float
    y: float
    edge: float
    visible: float


def _polyhedron(kind: str) -> F:
    g = (1 + 5**0.5) / 2
    if kind == "d8":
        v = [[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    elif kind == "d4":
        v = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    elif kind == "d12":
        v = [list(np.roll([0, a, b * g], s)) for a in (-1, 1) for b in (-1, 1) for s in range(3)]
    else:
        v = [[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
        v += [list(np.roll([0, a / g, b * g], s)) for a in (-1, 1) for b in (-1, 1) for s in range(3)]
    n = np.array(v, np.float32)
    return n / np.linalg.norm(n, axis=1, keepdims=True)


def _rotation(to_up: F, yaw: float) -> F:
    """Rotation (body -> world) that turns body direction ``to_up`` to +z, then turns by ``yaw``."""
    z = np.array([0, 0, 1], np.float32)
    v, c = np.cross(to_up, z), float(to_up @ z)
    if c < -0.999:
        r = np.diag([1, -1, -1]).astype(np.float32)
    else:
        k = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]], np.float32)
        r = np.eye(3, dtype=np.float32) + k + k @ k / (1 + c)
    cy, sy = np.cos(yaw), np.sin(yaw)
    return (np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]], np.float32) @ r).astype(np.float32)


@dataclass(frozen=True)
class Shares:
    """How often dice are hard to read (smoked, marbled), of the Asian kind, seen low; how large they are.

    ``sizes``: how often the dice of a scene differ in size and touch; ``crowd``: how many there may be then.
    """

    smoked: float = 0.15
    asian: float = 0.28
    low: float = 0.1
    edges: tuple[float, float] = (20, 110)  # pixels of an edge
    sizes: float = 0.0
    crowd: int = 26


USUAL = Shares()


@dataclass
class DiceStyle:
    """What the dice of a scene share."""

    spacing: float
    radius: float
    round_edge: float
    sphere: float
    asian: bool
    material: dict[str, object]


def _style(rng: np.random.Generator, shares: Shares) -> DiceStyle:
    spacing = float(rng.uniform(0.2, 0.3))
    return DiceStyle(
        spacing,
        float(rng.uniform(0.07, min(0.13, spacing * 0.47))),
        float(rng.uniform(0.03, 0.16)),
        float(rng.uniform(0.67, 0.84)),
        bool(rng.random() < shares.asian),
        material(rng, shares.smoked),
    )


def _pip_texture(rng: np.random.Generator, style: DiceStyle, value: int) -> F:
    """One face.  Asian dice have a large one, and a two whose pips lie close together."""
    spacing, radius = style.spacing, style.radius
    turn = float(rng.integers(2)) * np.pi / 2
    if value == 1 and (style.asian or rng.random() < 0.3):
        radius *= float(rng.uniform(1.1, 2.0))
    if style.asian and value in (2, 3):
        spacing *= float(rng.uniform(0.5, 0.8))
        spacing = max(spacing, radius * 0.8)
        if value == 2 and rng.random() < 0.5:
            turn += np.pi / 4
    return pip_face(value, spacing, radius, turn)


def _pip_die(rng: np.random.Generator, style: DiceStyle, at: Place) -> tuple[Solid, int]:
    tex = [_pip_texture(rng, style, v) for v in VALUES]
    if rng.random() < 0.05:
        tex[0] = logo(rng, tex[0])
    up = int(rng.integers(6))
    pose = _rotation(CUBE[up], at.yaw)
    position = np.array([at.x, at.y, at.size / 2], np.float32)
    solid = Solid(CUBE, 0.5, style.sphere, style.round_edge, tex, pose, position, **style.material)  # type: ignore[arg-type]
    solid.size = at.size
    if style.asian and rng.random() < 0.7:  # one and four in red
        inks = np.tile(solid.ink, (6, 1))
        if rng.random() < 0.5:
            inks[:] = bgr(0.62, 0.9, rng.uniform(0.4, 0.8))
        inks[[0, 5]] = bgr(0.0, rng.uniform(0.7, 1.0), rng.uniform(0.6, 1.0))
        solid.inks = inks.astype(np.float32)
    return solid, VALUES[up]


def _other_die(rng: np.random.Generator, style: DiceStyle, at: Place) -> Solid:
    kind = str(rng.choice(["d6", "d6", "d8", "d12", "d20", "d4"]))
    normals = CUBE if kind == "d6" else _polyhedron(kind)
    tex = [symbol_face(rng) for _ in normals]
    up = int(rng.integers(len(normals)))
    down = normals[up]
    pose = _rotation(down, at.yaw)
    if kind == "d4":
        pose = np.diag([1, -1, -1]).astype(np.float32) @ pose
    inner = {"d6": 0.5, "d8": 0.42, "d4": 0.3, "d12": 0.52, "d20": 0.55}[kind]
    sphere = style.sphere if kind == "d6" else inner * 1.6
    position = np.array([at.x, at.y, inner * at.size], np.float32)
    round_edge = style.round_edge * 0.6
    solid = Solid(normals, inner, sphere, round_edge, tex, pose, position, **style.material)  # type: ignore[arg-type]
    solid.size = at.size
    return solid


def _tilt(rng: np.random.Generator, low: float) -> float:
    """Slant of the camera from straight down, radians; ``low``: share of low looks at the table."""
    if rng.random() < low:
        return float(np.radians(rng.uniform(38, 62)))
    u = rng.random()
    span = (0, 15) if u < 0.4 else (10, 35) if u < 0.75 else (30, 55)
    return float(np.radians(rng.uniform(*span)))


def _camera(rng: np.random.Generator, size: int, edge_px: float, low: float) -> PinholeCamera:
    """A camera whose picture this is a part of: the middle of the whole picture may lie outside.

    So the sides of dice are also seen left, right and below of their upper faces, as at the border of
    pictures that are taken from above.
    """
    for _ in range(20):
        tilt = _tilt(rng, low)
        roll = float(rng.normal(0, 0.2)) if tilt > np.radians(28) else float(rng.uniform(0, 6.283))
        focal = float(rng.uniform(1.0, 3.5)) * size
        aside = rng.uniform(-0.8, 0.8, 2) * size if rng.random() < 0.5 else np.zeros(2)
        cr, sr = np.cos(roll), np.sin(roll)
        ct, st = np.cos(tilt), np.sin(tilt)
        # x right, y down in the picture, z away; an upright camera looks down at the table's -z
        down = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]], np.float32)
        tip = np.array([[1, 0, 0], [0, ct, st], [0, -st, ct]], np.float32)
        turn = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]], np.float32)
        r = (turn @ tip @ down).astype(np.float32)
        to_middle = r.T @ np.array([-aside[0] / focal, -aside[1] / focal, 1], np.float32)
        if -to_middle[2] > 0.47 * np.linalg.norm(to_middle):  # at most about 62 degrees from above
            break
    origin = (-to_middle * (focal / edge_px) + np.array([0, 0, 0.5])).astype(np.float32)
    return PinholeCamera(r, origin, focal, (size / 2 + float(aside[0]), size / 2 + float(aside[1])))


@dataclass(frozen=True)
class Place:
    """Where a die lies on the table, how it is turned (radians), and its edge; lengths in usual edges."""

    x: float
    y: float
    yaw: float
    size: float = 1.0

    def apart(self, other: Place) -> float:
        """Distance of the middles in mean edges."""
        return float(np.hypot(self.x - other.x, self.y - other.y)) / (self.size + other.size) * 2

    def overlaps(self, other: Place) -> bool:
        """Whether the two squares on the table have more than a touch in common."""
        return self.apart(other) < 1.42 and cv2.intersectConvexConvex(self.square(), other.square())[0] > 1e-3

    def square(self) -> F:
        """Corners (4, 2) of the die on the table."""
        a = self.yaw + np.arange(4) * np.pi / 2 + np.pi / 4
        r = self.size * 0.5**0.5
        return np.stack([self.x + r * np.cos(a), self.y + r * np.sin(a)], 1).astype(np.float32)


def _places(rng: np.random.Generator, n: int, reach: float) -> list[Place]:
    """Places of dice of one size on the table; some nearly touch."""
    out: list[Place] = []
    crowd = rng.random() < 0.4
    for _ in range(n * 12):
        if len(out) == n:
            break
        yaw = float(rng.uniform(0, 6.283))
        if out and (crowd or rng.random() < 0.3):
            a = rng.uniform(0, 6.283)
            near = out[rng.integers(len(out))]
            x, y = np.array([near.x, near.y]) + np.array([np.cos(a), np.sin(a)]) * rng.uniform(1.05, 1.6)
        else:
            x, y = rng.uniform(-reach, reach, 2)
        q = Place(float(x), float(y), yaw)
        if all(q.apart(o) > 1.12 for o in out):
            out.append(q)
    return out


def _mixed_places(rng: np.random.Generator, n: int, reach: float) -> list[Place]:
    """Places of dice of two or three sizes on the table; many touch, also in heaps and along their sides."""
    out: list[Place] = []
    kinds = np.exp(rng.uniform(-0.3, 0.3, int(rng.integers(2, 4))))
    touching = float(rng.choice([0.1, 0.4, 0.8]))
    for _ in range(n * 6):
        if len(out) == n:
            break
        yaw, size = float(rng.uniform(0, 6.283)), float(rng.choice(kinds))
        if not out or rng.random() > touching:
            x, y = rng.uniform(-reach, reach, 2)
            q = Place(float(x), float(y), yaw, size)
            if not any(q.overlaps(o) for o in out):
                out.append(q)
            continue
        near, a = out[rng.integers(len(out))], rng.uniform(0, 6.283)
        yaw = near.yaw + float(rng.normal(0, 0.05)) if rng.random() < 0.4 else yaw
        for away in np.arange(1.0, 1.5, 0.03) * (near.size + size) / 2:  # pushed towards it until they touch
            q = Place(near.x + float(np.cos(a) * away), near.y + float(np.sin(a) * away), yaw, size)
            if not any(q.overlaps(o) for o in out):
                out.append(q)
                break
    return out


@dataclass(frozen=True)
class Lighting:
    """The strongest lamp, share of light from everywhere, a lamp that dice mirror, domed faces."""

    direction: F
    ambient: float
    mirrored: F | None
    bulge: float = 0.0


def _light(rng: np.random.Generator, cam: PinholeCamera) -> Lighting:
    """Light of a scene: lamps above, windows at the side, overcast skies that leave hardly any shading."""
    a = rng.uniform(0, 6.283)
    height = rng.uniform(0.15, 0.45) if rng.random() < 0.2 else rng.uniform(0.45, 2.5)
    light = np.array([np.cos(a), np.sin(a), height], np.float32)
    light /= np.linalg.norm(light)
    ambient = float(rng.uniform(0.8, 1.0) if rng.random() < 0.15 else rng.uniform(0.25, 0.8))
    u = rng.random()
    if u > 0.6:
        return Lighting(light, ambient, None)
    if u < 0.12:
        return Lighting(light, ambient, _ring_lamp(rng, cam), float(rng.uniform(0.05, 0.35)))
    a, off = rng.uniform(0, 6.283), rng.uniform(0, 1.2)
    lamp = np.array([np.cos(a) * off, np.sin(a) * off, 1.0])
    if u < 0.2:  # where the upper faces mirror it into the camera, as the far wall or window of a room
        lamp = _mirrored(cam) + rng.normal(0, 0.15, 3)
    size = np.cos(rng.uniform(0.06, 0.4))
    return Lighting(light, ambient, np.append(lamp / np.linalg.norm(lamp), (size, 1)).astype(np.float32))


def _mirrored(cam: PinholeCamera) -> F:
    """Direction that level faces in the middle of the picture mirror into the camera."""
    to_table = -cam.origin / np.linalg.norm(cam.origin)
    return to_table * np.array([1, 1, -1], np.float32)


def _ring_lamp(rng: np.random.Generator, cam: PinholeCamera) -> F:
    """A ring round the lens, which domed faces mirror as a circle bent by the pips."""
    at = _mirrored(cam) + rng.normal(0, 0.07, 3)
    size = rng.uniform(0.05, 0.2)
    return np.append(at / np.linalg.norm(at), np.cos([size, size - rng.uniform(0.012, 0.03)])).astype(
        np.float32
    )


def _dice(rng: np.random.Generator, size: int, edge: float, shares: Shares) -> list[tuple[Solid, int]]:
    """Dice on the table, of one kind or mixed, each with the face it shows (0: not a pip die)."""
    sizes = shares.sizes > 0 and rng.random() < shares.sizes
    most = max(1, int(min(shares.crowd if sizes else 14, (size / edge) ** 2 / 3.5)))
    n = 0 if rng.random() < 0.06 else int(rng.integers(1, most + 1))
    shared = _style(rng, shares)
    mixed = rng.random() < 0.6
    solids: list[tuple[Solid, int]] = []
    for place in (_mixed_places if sizes else _places)(rng, n, size / edge * 0.45):
        style = _style(rng, shares) if mixed else shared
        if rng.random() < 0.1:
            solids.append((_other_die(rng, style, place), 0))
        else:
            solids.append(_pip_die(rng, style, place))
    return solids


def _shadows(
    rng: np.random.Generator,
    img: F,
    solids: list[tuple[Solid, int]],
    cam: PinholeCamera,
    light: Lighting,
    edge: float,
) -> None:
    """Darken the table where dice keep the light away."""
    size = img.shape[0]
    strength = float(rng.uniform(0.15, 0.75)) * (1 - light.ambient * 0.5)
    dark = np.zeros((size, size), np.float32)
    for s, _ in solids:
        softness = edge * rng.uniform(0.02, 0.15)
        dark = np.maximum(dark, shadow((size, size), s, cam, light.direction, softness))
        if rng.random() < 0.7:
            up = np.array([0, 0, 1], np.float32)
            dark = np.maximum(dark, 0.5 * shadow((size, size), s, cam, up, edge * 0.12))
    img *= 1 - strength * dark[..., None]


def _drawn(img: F, solids: list[tuple[Solid, int]], cam: PinholeCamera, light: Lighting) -> list[Truth]:
    """Draw all dice, the furthest first; which upper faces are in the picture, and how much of each die."""
    size = img.shape[0]
    covers: list[tuple[Truth, F]] = []
    for s, face in sorted(solids, key=lambda t: -float(np.linalg.norm(t[0].position - cam.origin))):
        s.lamp, s.bulge = light.mirrored, light.bulge
        cover = draw(img, s, cam, light.direction, light.ambient)
        if cover is None:
            continue
        for _, c in covers:
            c *= 1 - cover
        top = s.position + np.array([0, 0, s.inner * s.size], np.float32)
        corners = np.array([[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]], np.float32)
        ring = top + corners * s.size
        area = cv2.contourArea(cam.project(ring))
        x, y = cam.project(top[None])[0]
        covers.append((Truth(face, float(x), float(y), float(area**0.5), float(cover.sum())), cover))
    for t, c in covers:
        t.visible = float(c.sum()) / max(t.visible, 1)
    return [t for t, _ in covers if 4 < t.x < size - 4 and 4 < t.y < size - 4]


def scene(
    rng: np.random.Generator, size: int = 320, shares: Shares = USUAL
) -> tuple[np.ndarray, list[Truth]]:
    """A picture (size, size, 3) uint8 BGR and the dice in it."""
    edge = float(np.exp(rng.uniform(*np.log(shares.edges))))
    cam = _camera(rng, size, edge, shares.low)
    img = background(rng, size)
    if rng.random() < 0.5:
        clutter(rng, img, edge)
    light = _light(rng, cam)
    solids = _dice(rng, size, edge, shares)
    _shadows(rng, img, solids, cam, light, edge)
    truth = _drawn(img, solids, cam, light)
    return photograph(rng, img, edge), truth


def photograph(rng: np.random.Generator, img: F, edge: float) -> np.ndarray:
    """Lens, light colour, sensor and JPEG."""
    size = img.shape[0]
    if rng.random() < 0.4:
        cv2.GaussianBlur(img, (0, 0), float(rng.uniform(0.3, min(2.0, edge / 32))), dst=img)
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32) / size - 0.5
    grad = 1 + float(rng.uniform(0, 0.5)) * (xx * np.cos(a := rng.uniform(0, 6.28)) + yy * np.sin(a))
    img = img * grad[..., None] * np.clip(1 + rng.normal(0, 0.08, 3), 0.7, 1.3).astype(np.float32)
    if rng.random() < 0.15:
        cx, cy, r = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0.05, 0.3)
        img = (
            img + float(rng.uniform(0.1, 0.5)) * np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / r**2)[..., None]
        )
    bright = rng.uniform(1.2, 1.8) if rng.random() < 0.12 else rng.uniform(0.6, 1.35)  # some overexposed
    img = np.clip(img * float(bright), 0, 1) ** float(rng.uniform(0.7, 1.3))
    img = img + rng.normal(0, float(rng.uniform(0, 0.03)), img.shape)
    if rng.random() < 0.4:
        img = _developed(rng, img.astype(np.float32))
    out = np.clip(img * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        _, buf = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 95))])
        out = cv2.imdecode(buf, cv2.IMREAD_COLOR)
    return out


def _developed(rng: np.random.Generator, img: F) -> F:
    """What telephones do to a picture: noise smoothed away, colours blurred, edges sharpened with a halo."""
    if rng.random() < 0.4:
        img = cv2.bilateralFilter(img, 5, float(rng.uniform(0.02, 0.1)), 2.0)
    if rng.random() < 0.4:
        grey = img.mean(2, keepdims=True)
        img = grey + cv2.GaussianBlur(img - grey, (0, 0), float(rng.uniform(0.5, 1.8)))
    soft = cv2.GaussianBlur(img, (0, 0), float(rng.uniform(0.6, 1.6)))
    return np.clip(img + float(rng.uniform(0.2, 1.6)) * (img - soft), 0, 1).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoked", type=float, default=USUAL.smoked, help="share of dice hard to read")
    parser.add_argument("--asian", type=float, default=USUAL.asian, help="share of dice of the Asian kind")
    parser.add_argument(
        "--low", type=float, default=USUAL.low, help="share of scenes seen at 38 to 62 degrees"
    )
    parser.add_argument(
        "--edges", type=float, nargs=2, default=USUAL.edges, help="least and greatest edge of a die, pixels"
    )
    parser.add_argument(
        "--sizes", type=float, default=USUAL.sizes, help="share of scenes with dice of several sizes"
    )
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    shares = Shares(args.smoked, args.asian, args.low, tuple(args.edges), args.sizes)
    for start in range(0, args.count, 250):
        rng = np.random.default_rng((args.seed, start))
        pictures, rows = [], []
        for i in range(min(250, args.count - start)):
            img, truth = scene(rng, args.size, shares)
            pictures.append(img)
            rows += [(i, t.face, t.x, t.y, t.edge, t.visible) for t in truth]
        np.savez(
            args.out / f"s{args.seed}_{start:06d}.npz",
            images=np.stack(pictures),
            dice=np.array(rows, np.float32),
        )


if __name__ == "__main__":
    main()
