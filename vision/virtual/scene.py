"""What the virtual camera looks at: camera, lamps, cloth, and dice with their poses.

All lengths in millimetres in the frame of ``vision.reading``.  A scene is made
from a seed and holds numbers only; ``render`` turns it into a picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np

EDGE_MM = 16.0
TRAY_MM = (240.0, 180.0)
WALL_HEIGHT_MM = 26.0
WALL_WIDTH_MM = 8.0
MARKER_PLANE_MM = -3.6
MARKER_MM = 25.0
MARKER_CENTRES_MM = ((-152.5, 82.5), (152.5, 82.5), (152.5, -82.5), (-152.5, -82.5))
COCKED_DEG = 12.0
NEIGHBOURS = 3.0  # edges: dice farther apart than this hide nothing of each other
# from each wall to the floor's middle: behind, right, before, left, as the picture shows them
INWARD = ((0, -1, 0), (-1, 0, 0), (0, 1, 0), (1, 0, 0))


@dataclass(frozen=True)
class CameraPose:
    """A pinhole camera: ``rotation`` takes world to camera (x right, y down, z forward)."""

    position: np.ndarray
    rotation: np.ndarray
    focal_px: float
    width: int = 1280
    height: int = 960
    centre: tuple[float, float] | None = None  # principal point; None is the middle of the picture

    def window(self, x: float, y: float, size: int) -> CameraPose:
        """The same camera, of which only a square window with its top left pixel at (x, y) is kept."""
        cx, cy = self.principal
        return replace(self, width=size, height=size, centre=(cx - x, cy - y))

    @property
    def principal(self) -> tuple[float, float]:
        """Principal point in pixels."""
        return self.centre or ((self.width - 1) / 2, (self.height - 1) / 2)

    def project(self, points: np.ndarray) -> np.ndarray:
        """World points (... x 3, mm) to pixels (... x 2)."""
        local = (np.asarray(points, float) - self.position) @ self.rotation.T
        found: np.ndarray = self.focal_px * local[..., :2] / local[..., 2:3] + np.array(self.principal)
        return found


def camera_at(
    height: float, tilt_deg: float, azimuth_deg: float, roll_deg: float, fraction: float, width: int = 1280
) -> CameraPose:
    """A camera that looks at the middle of the tray; ``fraction`` is the share of the width that the tray
    takes."""
    tilt, azimuth, roll = (math.radians(v) for v in (tilt_deg, azimuth_deg, roll_deg))
    distance = height * math.tan(tilt)
    position = np.array([distance * math.cos(azimuth), distance * math.sin(azimuth), height])
    forward = -position / np.linalg.norm(position)
    right = np.array([1.0, 0.0, 0.0]) - forward[0] * forward
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    spin = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1.0]])
    rotation = spin @ np.stack([right, down, forward])
    focal = fraction * width * height / TRAY_MM[0]
    return CameraPose(position, rotation, focal, width, width * 3 // 4)


def stands_before(camera: CameraPose, wall: int) -> bool:
    """Whether that wall (number in ``INWARD``) stands between the camera and the floor beside it."""
    inward = np.array(INWARD[wall][:2])
    from_wall = camera.position[:2] + inward * np.array(TRAY_MM) / 2
    return bool(from_wall @ inward < 0)


def behind_walls(camera: CameraPose, points: np.ndarray) -> np.ndarray:
    """Which points in the tray (N x 3, mm) a wall hides from the camera."""
    share = np.clip((WALL_HEIGHT_MM - points[:, 2]) / (camera.position[2] - points[:, 2]), 0, 1)
    over = points[:, :2] + share[:, None] * (camera.position[:2] - points[:, :2])
    hidden: np.ndarray = (np.abs(over) > np.array(TRAY_MM) / 2).any(axis=1)
    return hidden


@dataclass(frozen=True)
class Lamp:
    """A lamp at ``position`` with linear RGB ``power`` (at 1 on a white card); ``radius`` softens its
    shadows.

    ``panel`` (half width, half depth, brightness) makes it mirror in glossy faces as a bright rectangle.
    """

    position: tuple[float, float, float]
    power: tuple[float, float, float]
    radius: float = 30.0
    panel: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class DieLook:
    """The body of a die: sRGB colours in 0..1, edge rounding, gloss, and the scale of its drawings.

    ``engraved_mm`` is how deep its drawings are cut: their slopes break a lamp's mirror image, so that
    outlines stay where the lamp hides the colours.
    """

    body: tuple[float, float, float]
    ink: tuple[float, float, float]
    rounding_mm: float = 1.8
    gloss: float = 0.25
    drawing_scale: float = 0.66
    pip_radius: float = 0.115
    pip_spread: float = 0.30
    marble: float = 0.0
    engraved_mm: float = 0.0


@dataclass(frozen=True)
class ThrownDie:
    """A die on the tray.  ``faces`` are the face ids on its local +x, -x, +y, -y, +z, -z sides."""

    type: str
    colour: str
    look: DieLook
    faces: tuple[str, str, str, str, str, str]
    position: np.ndarray
    rotation: np.ndarray
    edge: float = EDGE_MM

    def top_axis(self) -> tuple[int, int]:
        """(axis, sign) of the local side that looks up most."""
        axis = int(np.abs(self.rotation[2]).argmax())
        return axis, 1 if self.rotation[2, axis] > 0 else -1

    @property
    def top_face(self) -> str:
        """Face id of the upper side."""
        axis, sign = self.top_axis()
        return self.faces[2 * axis + (0 if sign > 0 else 1)]

    @property
    def tilt_deg(self) -> float:
        """Angle of the upper side against the horizontal."""
        return float(np.degrees(np.arccos(min(1.0, np.abs(self.rotation[2]).max()))))

    def side(self, axis: int, sign: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Outward normal and the texture's x and (downward) y directions of a side, in world coordinates."""
        normal = sign * self.rotation[:, axis]
        right = self.rotation[:, (axis + 1) % 3]
        return normal, right, np.cross(right, normal)

    def quad(self, axis: int, sign: int) -> np.ndarray:
        """Corners of a side in texture order (top left, top right, bottom right, bottom left), 4 x 3."""
        normal, right, down = self.side(axis, sign)
        h = self.edge / 2
        middle = self.position + h * normal
        return np.stack(
            [middle + h * (sx * right + sy * down) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        )

    def corners(self, shrink: float = 0.0) -> np.ndarray:
        """The eight corners (8 x 3); ``shrink`` moves each side inwards by so many mm."""
        h = self.edge / 2 - shrink
        signs = np.array([[sx, sy, sz] for sx in (-h, h) for sy in (-h, h) for sz in (-h, h)])
        found: np.ndarray = self.position + signs @ self.rotation.T
        return found


def painted(camera: CameraPose, dice: tuple[ThrownDie, ...]) -> list[int]:
    """Numbers of the dice in the order in which they are drawn: none before one that it hides in part."""
    left, order = set(range(len(dice))), []
    over = {(a, b) for a in left for b in left if a != b and _before(camera, dice[a], dice[b])}
    while left:
        free = [a for a in left if not any((a, b) in over for b in left)] or list(left)
        order.append(max(free, key=lambda a: float(np.linalg.norm(dice[a].position - camera.position))))
        left.remove(order[-1])
    return order


def _before(camera: CameraPose, a: ThrownDie, b: ThrownDie) -> bool:
    """Whether die ``a`` may hide part of ``b``: of the planes through their sides, that which parts them best
    has ``a`` and the camera on the same side."""
    if np.linalg.norm(a.position - b.position) > NEIGHBOURS * max(a.edge, b.edge):
        return False
    gap, nearer = -np.inf, False
    for die, other, mine in ((a, b, False), (b, a, True)):
        outwards = np.concatenate([die.rotation.T, -die.rotation.T])  # the six sides' normals
        beyond = ((other.corners() - die.position) @ outwards.T).min(axis=0) - die.edge / 2
        camera_out = outwards @ (camera.position - die.position) > die.edge / 2
        k = int(beyond.argmax())
        if beyond[k] > gap:
            gap, nearer = float(beyond[k]), bool(camera_out[k]) == mine
    return nearer


@dataclass(frozen=True)
class Photo:
    """What the camera does to the light: exposure, white balance, blur in its pixels, noise (linear
    units)."""

    exposure: float = 1.0
    gains_rgb: tuple[float, float, float] = (1.0, 1.0, 1.0)
    defocus_px: float = 0.8
    shot_noise: float = 0.00015
    read_noise: float = 0.0015
    shake_px: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Scene:
    """All that one picture shows."""

    camera: CameraPose
    lamps: tuple[Lamp, ...]
    ambient: tuple[float, float, float]
    cloth: str
    cloth_seed: int
    frame_rgb: tuple[float, float, float]
    table_rgb: tuple[float, float, float]
    dice: tuple[ThrownDie, ...]
    photo: Photo
    seed: int
    hand: float = 0.0
    hidden_markers: tuple[int, ...] = ()
    motion_px: tuple[tuple[float, float], ...] = field(default=())
    marker_plane_mm: float = MARKER_PLANE_MM  # on the table, or higher on plates of their own

    def with_dice(self, dice: tuple[ThrownDie, ...]) -> Scene:
        """The same table with other dice."""
        return replace(self, dice=dice)


_library_path = Path(__file__).with_name("throws.npz")


def use_throws(path: Path) -> None:
    """Take the poses from another file that ``simulate`` wrote: training must not see what tests throw."""
    global _library_path
    _library_path = path
    throw_library.cache_clear()
    _library_index.cache_clear()


@cache
def throw_library() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rest poses from the physics engine: starts (throws + 1), positions (dice x 3), rotations (dice x 3 x
    3)."""
    with np.load(_library_path) as data:
        starts = np.concatenate([[0], np.cumsum(data["sizes"].astype(int))])
        q = data["quaternion"].astype(float)
        position = data["position_mm"].astype(float)
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    x, y, z, w = q.T
    rotation = np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], -1),
            np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], -1),
            np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], -1),
        ],
        1,
    )
    return starts, position, rotation


@cache
def _library_index() -> dict[str, dict[int, np.ndarray]]:
    """Throws by kind and number of dice."""
    starts, position, rotation = throw_library()
    found: dict[str, dict[int, list[int]]] = {
        "plain": {},
        "cocked": {},
        "stacked": {},
        "touching": {},
        "wall": {},
    }
    for k in range(len(starts) - 1):
        part = slice(starts[k], starts[k + 1])
        count = int(starts[k + 1] - starts[k])
        up = np.abs(rotation[part, 2, :]).max(axis=1)
        place = position[part]
        cocked = bool((up < math.cos(math.radians(COCKED_DEG))).any())
        raised = bool((place[:, 2] > 13).any())
        kinds = ["cocked"] if cocked else ["stacked"] if raised else ["plain"]
        if not cocked and not raised and count > 1:
            gaps = np.linalg.norm(place[:, None, :2] - place[None, :, :2], axis=-1) + 1e6 * np.eye(count)
            kinds += ["touching"] if gaps.min() < 18 else []
        if not cocked and not raised and (np.abs(place[:, :2]) > np.array(TRAY_MM) / 2 - 12).any():
            kinds.append("wall")
        for kind in kinds:
            found[kind].setdefault(count, []).append(k)
    return {kind: {n: np.array(v) for n, v in by.items()} for kind, by in found.items()}


def poses(count: int, rng: np.random.Generator, kind: str | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Positions and rotations of one throw of ``count`` dice.

    ``kind`` None draws as the engine threw them (plain, cocked, stacked in their share); otherwise one of
    ``plain``, ``cocked``, ``stacked``, ``touching``, ``wall``.  A throw is mirrored and turned at random
    (the tray is symmetric), and each cube is turned onto another side at random.
    """
    index = _library_index()
    starts, position, rotation = throw_library()
    if count == 0:
        return np.zeros((0, 3)), np.zeros((0, 3, 3))
    if kind is None:
        pool = np.concatenate([index[k].get(count, np.zeros(0, int)) for k in ("plain", "cocked", "stacked")])
    else:
        pool = index[kind].get(count, np.zeros(0, int))
    if len(pool) == 0:
        return poses(count, rng, None)
    k = int(rng.choice(pool))
    part = slice(starts[k], starts[k + 1])
    place, turn = position[part].copy(), rotation[part].copy()
    for axis in (0, 1):
        if (
            rng.random() < 0.5
        ):  # mirroring a cube's frame makes it left-handed; negating one column mends that
            place[:, axis] *= -1
            turn[:, axis, :] *= -1
            turn[:, :, 0] *= -1
    order = rng.permutation(count)
    turns = cube_turns()
    spin = turns[rng.integers(0, len(turns), count)]
    return place[order], turn[order] @ spin


@cache
def cube_turns() -> np.ndarray:
    """The 24 turns of a cube onto itself, 24 x 3 x 3."""
    found = []
    for first in range(3):
        for second in range(3):
            if first == second:
                continue
            for a in (-1, 1):
                for b in (-1, 1):
                    m = np.zeros((3, 3))
                    m[first, 0], m[second, 1] = a, b
                    m[:, 2] = np.cross(m[:, 0], m[:, 1])
                    found.append(m)
    return np.array(found)
