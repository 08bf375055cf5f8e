"""The virtual tray: throws dice, has mishaps, and is a camera like any other.

Everything follows from a seed, so a throw can be shown again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.kernel.dice import DieType
from vision.sources.base import Frame
from vision.tray import DEFAULT
from vision.virtual.cloth import CLOTHS
from vision.virtual.render import render
from vision.virtual.scene import (
    COCKED_DEG,
    EDGE_MM,
    MARKER_PLANE_MM,
    TRAY_MM,
    WALL_HEIGHT_MM,
    CameraPose,
    DieLook,
    Lamp,
    Photo,
    Scene,
    ThrownDie,
    behind_walls,
    camera_at,
    poses,
)

BODIES: dict[str, tuple[float, float, float]] = {
    "white": (0.92, 0.92, 0.90),
    "black": (0.09, 0.09, 0.10),
    "ivory": (0.88, 0.83, 0.68),
    "blue": (0.10, 0.22, 0.62),
    "red": (0.70, 0.09, 0.10),
    "green": (0.08, 0.42, 0.18),
    "yellow": (0.90, 0.72, 0.12),
    "grey": (0.45, 0.45, 0.47),
    "orange": (0.88, 0.42, 0.08),
    "purple": (0.38, 0.12, 0.50),
    "brown": (0.35, 0.20, 0.11),
}
INKS: dict[str, tuple[float, float, float]] = {
    "blue": (0.93, 0.93, 0.93),
    "red": (0.93, 0.76, 0.25),
}
MISHAPS = (
    "plain",  # none: all dice level, on the floor
    "cocked",
    "stacked",
    "touching",
    "wall",
    "rolling",
    "shake",
    "defocus",
    "dark",
    "glare",
    "hand",
    "bumped",
    "marker_hidden",
)
GLOSSY, ENGRAVED_MM = 0.4, 0.35  # of engraved dice
SAME_MM = 6.0  # a die this near to where one lay is that die
CLEAR_MM = 24.0  # middles of dice that cannot touch, however they lie
TRIES = 40  # throws that are tried until one leaves alone what lies there
LIGHTINGS = ("diffuse", "side_lamp", "glare", "dim", "mixed")
BLAZE = "blaze"  # beside these: glare that leaves nothing but outlines on glossy dice whose drawings are cut
# where a camera may stand: heights (mm), tilts (degrees), and the share of the width that the tray takes
PLACES = {
    "above": ((560, 740), (0.0, 4.0), (0.60, 0.66)),
    "oblique": ((560, 740), (15.0, 35.0), (0.54, 0.60)),
    "near": ((400, 480), (0.0, 3.0), (0.60, 0.66)),
}
CAMERAS = tuple(PLACES)


def look_of(body: str, kind: str) -> DieLook:
    """The usual look of a die of a body colour."""
    colour = BODIES.get(body, (0.5, 0.5, 0.5))
    dark = sum(colour) < 1.35
    ink = INKS.get(body) if kind == "symbol" else None
    return DieLook(colour, ink or ((0.95, 0.95, 0.93) if dark else (0.05, 0.05, 0.06)))


def lay_out(faces: Sequence[str], mirrored: bool) -> tuple[str, str, str, str, str, str]:
    """Faces of a die on its +x, -x, +y, -y, +z, -z sides; 1 to 6 with opposite sides that add up to 7."""
    if sorted(faces) == ["1", "2", "3", "4", "5", "6"]:
        return ("3", "4", "2", "5", "1", "6") if mirrored else ("2", "5", "3", "4", "1", "6")
    six = [faces[k % len(faces)] for k in range(6)]
    return (six[0], six[1], six[2], six[3], six[4], six[5])


def _power(total: float, warmth: float) -> tuple[float, float, float]:
    return (total * (1 + warmth), total, total * (1 - warmth))


def lighting(kind: str, rng: np.random.Generator) -> tuple[tuple[Lamp, ...], tuple[float, float, float]]:
    """Lamps and ambient light of one of ``LIGHTINGS`` or ``BLAZE``; a white card is about 1 under each but
    ``dim``."""
    angle = rng.uniform(0, 2 * np.pi)
    around = np.array([np.cos(angle), np.sin(angle)])
    warmth = float(rng.uniform(-0.04, 0.12))

    def lamp(
        distance: float, height: float, total: float, radius: float, panel: tuple[float, float, float]
    ) -> Lamp:
        x, y = around * distance
        return Lamp((float(x), float(y), height), _power(total, warmth), radius, panel)

    none = (0.0, 0.0, 0.0)
    if kind == "diffuse":
        lamps: tuple[Lamp, ...] = (lamp(rng.uniform(200, 600), rng.uniform(900, 1500), 0.35, 300, none),)
        return lamps, _power(0.62, warmth / 2)
    if kind == "side_lamp":
        lamps = (lamp(rng.uniform(300, 700), rng.uniform(260, 600), 1.1, rng.uniform(8, 40), none),)
        return lamps, _power(float(rng.uniform(0.12, 0.3)), 0)
    if kind == "glare":
        size = (float(rng.uniform(60, 160)), float(rng.uniform(60, 200)), float(rng.uniform(20, 70)))
        lamps = (lamp(rng.uniform(0, 160), rng.uniform(800, 1300), 0.55, 120, size),)
        return lamps, _power(0.45, warmth / 2)
    if kind == BLAZE:
        size = (float(rng.uniform(120, 260)), float(rng.uniform(120, 260)), float(rng.uniform(80, 160)))
        lamps = (lamp(rng.uniform(0, 120), rng.uniform(800, 1300), 0.55, 120, size),)
        return lamps, _power(0.45, warmth / 2)
    if kind == "dim":
        lamps = (lamp(rng.uniform(200, 700), rng.uniform(700, 1200), 0.14, 120, none),)
        return lamps, _power(0.10, 0.1)
    other = Lamp((float(-around[0] * 900), float(-around[1] * 900), 900.0), _power(0.4, -0.15), 200)
    return (lamp(rng.uniform(300, 700), rng.uniform(400, 900), 0.5, 60, none), other), _power(0.3, 0)


def exposure(kind: str, rng: np.random.Generator) -> Photo:
    """What the camera makes of that light: exposure, white balance and noise."""
    dim = kind == "dim"
    gains = 1 + rng.normal(0, 0.03, 3)
    return Photo(
        exposure=float((1.3 if dim else 0.85) * 2 ** rng.normal(0, 0.12)),
        gains_rgb=(float(gains[0]), 1.0, float(gains[2])),
        defocus_px=float(rng.uniform(0.5, 1.2)),
        shot_noise=0.0006 if dim else 0.00015,
        read_noise=0.004 if dim else 0.0015,
    )


def covered_share(scene: Scene, number: int) -> float:
    """Share of a die's upper face that other dice and the walls hide from the camera, by sampling sight
    lines."""
    die = scene.dice[number]
    corner = die.quad(*die.top_axis())
    at = (np.arange(8) + 0.5) / 8
    u, v = (g.reshape(-1, 1) for g in np.meshgrid(at, at))
    points = corner[0] + u * (corner[1] - corner[0]) + v * (corner[3] - corner[0])
    seen = ~behind_walls(scene.camera, points)
    for k, other in enumerate(scene.dice):
        if k == number or np.linalg.norm(other.position - die.position) > 45:
            continue
        start = (points - other.position) @ other.rotation
        ray = (scene.camera.position - points) @ other.rotation
        ray = np.where(np.abs(ray) < 1e-9, 1e-9, ray)
        h = other.edge / 2 - 0.5
        a, b = (-h - start) / ray, (h - start) / ray
        enter, leave = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
        seen &= ~((leave > np.maximum(enter, 0)) & (enter < 1))
    return float(1 - seen.mean())


def up_turn(side: int, angle: float) -> np.ndarray:
    """A rotation that brings local side number ``side`` (+x, -x, +y, ...) up, then turns by ``angle``
    (radians)."""
    axis, sign = divmod(side, 2)
    m = np.zeros((3, 3))
    m[2, axis] = 1 if sign == 0 else -1
    m[0, (axis + 1) % 3] = 1
    m[1] = np.cross(m[2], m[0])
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]) @ m


def _beside(
    count: int, rng: np.random.Generator, kind: str | None, lying: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Poses of a throw that does not touch what lies there (N x 3); level dice at free places where the
    engine's throws leave no room."""
    for _ in range(TRIES if len(lying) else 1):
        place, turn = poses(count, rng, kind)
        gaps = np.linalg.norm(place[:, None, :2] - lying[None, :, :2], axis=-1)
        if gaps.min(initial=np.inf) > CLEAR_MM:
            return place, turn
    half = np.array(TRAY_MM) / 2 - EDGE_MM
    taken = [p[:2] for p in lying]
    for k in range(count):
        free = (rng.uniform(-half, half) for _ in range(20 * TRIES))
        spot = max(
            free, key=lambda p: min(CLEAR_MM, *(float(np.hypot(*(p - t))) for t in [*taken, [1e3, 0]]))
        )
        taken.append(spot)
        place[k] = [*spot, EDGE_MM / 2]
        turn[k] = up_turn(int(rng.integers(6)), float(rng.uniform(0, 2 * np.pi)))
    return place, turn


class VirtualTray:
    """A tray with dice that can be thrown; also a camera (``frame`` and ``close``).

    ``types`` are the dice that may be thrown.  ``light`` and ``cloth`` are fixed for one tray, as on a real
    table; None draws them from ``seed``.  ``camera`` is one of ``CAMERAS``: above the tray; 15 to 35 degrees
    beside it, with markers on plates as high as the walls, which would hide them (``spec``); or as near (400
    to 480 mm) as the walls leave the markers in sight.  ``engraved``: glossy dice whose drawings are cut.
    """

    def __init__(
        self,
        types: Sequence[DieType],
        seed: int = 0,
        light: str | None = "diffuse",
        cloth: str | None = "green_felt",
        width: int = 1280,
        camera: str = "above",
        engraved: bool = False,
    ) -> None:
        rng = np.random.default_rng([seed, 11])
        self.types = {t.id: t for t in types}
        self.light = light or str(rng.choice(LIGHTINGS))
        self.cloth = cloth or str(rng.choice(CLOTHS))
        self._width = width
        self._camera = self._place_camera(camera, rng)
        self._engraved = engraved
        plane = WALL_HEIGHT_MM if camera == "oblique" else MARKER_PLANE_MM
        height = round(float(self._camera.position[2]), -1)
        self.spec = replace(DEFAULT, marker_plane_mm=plane, camera_height_mm=height)
        """As the owner describes it, who measures the lens's height to a centimetre."""
        lamps, ambient = lighting(self.light, rng)
        frame = (0.30, 0.20, 0.13) if rng.random() < 0.6 else (0.25, 0.25, 0.26)
        table = ((0.55, 0.55, 0.57), (0.78, 0.77, 0.74), (0.20, 0.19, 0.19), (0.55, 0.42, 0.29))[
            int(rng.integers(4))
        ]
        photo = exposure(self.light, rng)
        photo = replace(photo, defocus_px=photo.defocus_px * width / 1280)
        empty = Scene(self._camera, lamps, ambient, self.cloth, seed, frame, table, (), photo, seed)
        self._empty = replace(empty, marker_plane_mm=plane)
        self.scene = self._empty
        self._picture: np.ndarray | None = None
        self._picture_of_empty: np.ndarray | None = None
        self._guard = threading.Lock()
        self._mishap: str | None = None
        self._sequence = 0
        self._closed = False

    def _place_camera(self, kind: str, rng: np.random.Generator) -> CameraPose:
        heights, tilts, shares = PLACES[kind]
        return camera_at(
            float(rng.uniform(*heights)),
            float(rng.uniform(*tilts)),
            float(rng.uniform(0, 360)),
            float(rng.normal(0, 1.5)),
            float(rng.uniform(*shares)),
            self._width,
        )

    def throw(
        self,
        dice: Mapping[str, int],
        seed: int,
        mishap: str | None = None,
        stay: Sequence[tuple[str, float, float]] = (),
    ) -> np.ndarray:
        """Throw so many dice of each type and return the picture (BGR).

        ``mishap`` is one of ``MISHAPS``; None leaves it to the physics (some dice come to rest cocked
        or on another one, in the engine's own share).  ``stay`` names dice that lie there and are not
        rolled again, by type and place (x, y in millimetres); all others are taken up first.  Raises
        KeyError for an unknown type or mishap.
        """
        if mishap is not None and mishap not in MISHAPS:
            raise KeyError(f"unknown mishap {mishap!r}; known are {', '.join(MISHAPS)}")
        rng = np.random.default_rng([seed, 12])
        names = [name for name, count in dice.items() for _ in range(count)]
        kind = mishap if mishap in ("plain", "cocked", "stacked", "touching", "wall") else None
        if mishap in ("rolling", "hand", "glare", "dark"):
            kind = "plain"
        lying = self._lying(stay)
        place, turn = _beside(len(names), rng, kind, np.array([d.position for d in lying]).reshape(-1, 3))
        thrown = tuple(self._die(name, place[k], turn[k], rng) for k, name in enumerate(names))
        return self._lay(self._spoil(replace(self._empty, dice=(*lying, *thrown), seed=seed), mishap, rng))

    def _lay(self, scene: Scene) -> np.ndarray:
        self.scene = scene
        return self._draw(scene)

    def _draw(self, scene: Scene) -> np.ndarray:
        """The picture of a scene; shown from now on unless another one lies there meanwhile: drawing takes
        a second, and camera and throws have threads of their own."""
        mishap = self._mishap
        seen = scene
        if mishap is not None:
            seen = self._spoil(scene, mishap, np.random.default_rng([scene.seed, 14]))
        picture = render(seen)
        with self._guard:
            if mishap != self._mishap:
                return picture
            if scene is self._empty:
                self._picture_of_empty = picture
            if scene is self.scene:
                self._picture = picture
        return picture

    def _lying(self, stay: Sequence[tuple[str, float, float]]) -> tuple[ThrownDie, ...]:
        """The dice that lie at these places, each once."""
        left, kept = list(self.scene.dice), []
        for name, x, y in stay:
            near = [d for d in left if d.type == name and np.hypot(*(d.position[:2] - [x, y])) < SAME_MM]
            if near:
                kept.append(near[0])
                left = [d for d in left if d is not near[0]]
        return tuple(kept)

    def show(self, die_type: str, face: str, seed: int) -> np.ndarray:
        """One level die of a type that shows ``face``, alone on the tray; for teaching.  Returns the
        picture."""
        return self._lay(self._single(die_type, face, seed))

    def window(self, die_type: str, face: str, seed: int, size: int = 128) -> tuple[np.ndarray, np.ndarray]:
        """Like ``show``, but only a small square around the die is drawn (quick), and the tray stays as it
        is.

        Returns the picture (size x size, BGR) and the corners of the upper face in it (4 x 2).
        """
        scene = self._single(die_type, face, seed)
        (die,) = scene.dice
        quad = scene.camera.project(die.quad(*die.top_axis()))
        x, y = np.round(quad.mean(axis=0)) - size // 2
        return render(replace(scene, camera=scene.camera.window(float(x), float(y), size))), quad - [x, y]

    def white(self) -> np.ndarray:
        """What a white card in the middle of the floor gives in the picture: linear BGR."""
        light = np.array(self.scene.ambient)
        for lamp in self.scene.lamps:
            light = light + np.array(lamp.power) * lamp.position[2] / np.linalg.norm(lamp.position)
        rgb = light * np.array(self.scene.photo.gains_rgb) * self.scene.photo.exposure
        found: np.ndarray = rgb[::-1]
        return found

    def _single(self, die_type: str, face: str, seed: int) -> Scene:
        rng = np.random.default_rng([seed, 13])
        angle = rng.uniform(0, 2 * np.pi)
        place = np.array([rng.uniform(-100, 100), rng.uniform(-70, 70), EDGE_MM / 2])
        die = self._die(die_type, place, np.eye(3), rng)
        turn = up_turn(die.faces.index(face), float(angle))
        return replace(self._empty, dice=(replace(die, rotation=turn),), seed=seed)

    def _die(self, name: str, place: np.ndarray, turn: np.ndarray, rng: np.random.Generator) -> ThrownDie:
        kind = self.types[name]
        faces = lay_out(kind.faces, mirrored=bool(rng.random() < 0.5))
        look = look_of(kind.body, kind.kind)
        if self._engraved:
            look = replace(look, gloss=GLOSSY, engraved_mm=ENGRAVED_MM)
        return ThrownDie(name, kind.body, look, faces, place, turn)

    def _spoil(self, scene: Scene, mishap: str | None, rng: np.random.Generator) -> Scene:
        photo, unit = scene.photo, self._width / 1280
        angle = rng.uniform(0, 2 * np.pi)
        way = np.array([np.cos(angle), np.sin(angle)])
        if mishap == "rolling":
            speed = rng.uniform(14, 40, (len(scene.dice), 1)) * unit
            aside = way + rng.normal(0, 0.4, (len(scene.dice), 2))
            motion = speed * aside / np.linalg.norm(aside, axis=1, keepdims=True)  # none stands nearly still
            return replace(scene, motion_px=tuple((float(a), float(b)) for a, b in motion))
        if mishap == "shake":
            x, y = way * rng.uniform(11, 20) * unit
            return replace(scene, photo=replace(photo, shake_px=(float(x), float(y))))
        if mishap == "defocus":
            return replace(scene, photo=replace(photo, defocus_px=float(rng.uniform(6, 9)) * unit))
        if mishap == "dark":
            return replace(scene, photo=replace(photo, exposure=photo.exposure * 0.02))
        if mishap == "glare":
            lamp = Lamp((0.0, 0.0, 1100.0), (0.9, 0.9, 0.9), 100, (250.0, 250.0, 90.0))
            return replace(scene, lamps=(*scene.lamps, lamp))
        if mishap == "hand":
            return replace(scene, hand=float(rng.uniform(0.5, 0.9)))
        if mishap == "bumped":
            shifted = camera_at(
                650.0, 9.0, float(np.degrees(angle)), float(rng.choice([-7, 7])), 0.66, self._width
            )
            bumped = replace(shifted, position=shifted.position + np.array([*(way * 110), 0.0]))
            return replace(scene, camera=bumped)
        if mishap == "marker_hidden":
            return replace(scene, hidden_markers=tuple(int(k) for k in rng.permutation(4)[:2]))
        return scene

    def truth(self) -> dict[str, Any]:
        """What lies on the tray: the picture's part of a ``truth.json`` (docs/dice_reader.md)."""
        camera, dice = self.scene.camera, self.scene.dice
        hidden = self.scene.hand > 0 or self.scene.motion_px or max(map(abs, self.scene.photo.shake_px)) > 1
        entries = []
        for number, die in enumerate(dice):
            axis, sign = die.top_axis()
            quad = camera.project(die.quad(axis, sign))
            covered = covered_share(self.scene, number)
            cocked = die.tilt_deg > COCKED_DEG
            entries.append(
                {
                    "id": number,
                    "type": die.type,
                    "colour": die.colour,
                    "face": die.top_face,
                    "cocked": cocked,
                    "tilt_deg": round(die.tilt_deg, 2),
                    "quad_px": quad.round(2).tolist(),
                    "centre_px": camera.project(die.quad(axis, sign).mean(axis=0)).round(2).tolist(),
                    "position_mm": die.position.round(2).tolist(),
                    "rotation": die.rotation.round(5).tolist(),
                    "on_another_die": bool(die.position[2] > die.edge * 0.75 and not cocked),
                    "visible_fraction": round(1 - covered, 3),
                    "readable": not (hidden or cocked or covered > 0.3),
                }
            )
        return {
            "schema": 1,
            "width": camera.width,
            "height": camera.height,
            "lighting": self.light,
            "surface": self.cloth,
            "dice": entries,
        }

    def frame(self, deadline_s: float) -> Frame | None:
        """The newest picture; an empty tray before the first throw.  Waits for nothing but the drawing of
        an empty tray; None where dice came upon it meanwhile."""
        if self._closed:
            return None
        if self._picture is None:
            self._draw(self.scene)
        picture = self._picture
        if picture is None:
            return None
        self._sequence += 1
        return Frame(
            picture, self._sequence, time.monotonic(), {"source": "virtual", "throw": self.scene.seed}
        )

    def disturb(self, mishap: str | None) -> None:
        """From now on every picture has this one of ``MISHAPS``, whatever is thrown; None: no longer.

        The next frame is drawn with it: dice that lie there stay as they are.
        """
        if mishap is not None and mishap not in MISHAPS:
            raise KeyError(f"unknown mishap {mishap!r}; known are {', '.join(MISHAPS)}")
        with self._guard:
            self._mishap = mishap
            self._picture = self._picture_of_empty = None

    def clear(self) -> None:
        """Take all dice off the tray."""
        with self._guard:
            self.scene, self._picture = self._empty, self._picture_of_empty

    def close(self) -> None:
        """No frames after this."""
        self._closed = True
