"""Write rendered training crops of upper faces: ``python -m vision.faces.make_faces DIR FIRST COUNT [lit]``.

A file is one kind of die: ``crops`` (6 faces x views x 72 x 72 x 3, the face's edge is 45 pixels), ``pips``
(the number of each face, 0 for symbols) and ``bad`` (crops of tilted, covered or blurred faces).  With
``lit`` its drawings are cut into glossy faces, half of the cameras stand beside the tray, and it has ``lit``,
too: views like those of ``crops`` in which a lamp is mirrored; among the bad ones are then faces of which
such a lamp leaves nothing.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.faces.describe import FACE_SHARE
from vision.faces.taught import ink
from vision.faces.world import BESIDE_DEG, SYMBOLS, random_ink, random_light, random_look
from vision.virtual.cloth import CLOTHS
from vision.virtual.drawings import DRAWINGS
from vision.virtual.render import render
from vision.virtual.scene import CameraPose, DieLook, Lamp, Photo, Scene, ThrownDie, camera_at
from vision.virtual.tray import BLAZE, exposure, lay_out, lighting, up_turn

CROP, FACE_PX = 72, 45
VIEWS, BAD = 8, 8
VIEWS_LIT = 6  # of either kind, where there are mirrored lamps
ENGRAVED_MM = (0.15, 0.5)  # how deep drawings are cut
GLOSS = (0.2, 0.7)  # of such dice
GONE, SEEN = 0.03, 0.05  # ink of a face of which a lamp leaves nothing, and of one that can be read
TRIES = 6  # looks for one of them
ASIDE = 0.5  # share of cameras beside the tray, where there are mirrored lamps


def kind_of_die(rng: np.random.Generator) -> tuple[DieLook, tuple[str, ...]]:
    """A look and six faces; sometimes faces differ in the colour of their ink only."""
    look = random_look(rng)
    if rng.random() < 0.35:
        return look, ("1", "2", "3", "4", "5", "6")
    names = [str(f) for f in rng.permutation(list(DRAWINGS))] if rng.random() < 0.1 else []
    names = names or [f"x{int(k)}" for k in rng.integers(0, SYMBOLS, 6)]
    if rng.random() < 0.35:
        share = int(rng.integers(1, 4))
        names = [names[k % share] for k in range(6)]
        inks: list[tuple[float, float, float]] = []
        while len(inks) < 6:
            ink = random_ink(look.body, rng)
            tries = [float(np.abs(np.array(ink) - np.array(other)).max()) for other in inks]
            if min(tries, default=1.0) > 0.25 or rng.random() < 0.02:
                inks.append(ink)
        names = [
            f"{n}@{''.join(f'{round(255 * c):02x}' for c in ink)}" for n, ink in zip(names, inks, strict=True)
        ]
    return look, tuple(names[:6])


def neighbour(die: ThrownDie, rng: np.random.Generator, near: float) -> ThrownDie:
    """Another die beside the given one."""
    angle = rng.uniform(0, 2 * np.pi)
    offset = np.array([np.cos(angle), np.sin(angle), 0]) * near
    turn = up_turn(int(rng.integers(6)), float(rng.uniform(0, 7)))
    look = die.look if rng.random() < 0.6 else random_look(rng)
    return replace(die, position=die.position + offset, rotation=turn, look=look)


def mirrored(
    place: np.ndarray, camera: CameraPose, rng: np.random.Generator
) -> tuple[tuple[Lamp, ...], tuple[float, float, float], Photo]:
    """Light in which a level face at ``place`` mirrors a lamp, or the lamp's edge, towards the camera."""
    (lamp,), ambient = lighting(BLAZE, rng)
    at, height = camera.position, lamp.position[2]
    way = (height - 2 * place[2]) / (at[2] - 2 * place[2])  # a die's middle is half its height
    x, y = place[:2] + (place[:2] - at[:2]) * way + rng.uniform(-1.1, 1.1, 2) * np.array(lamp.panel[:2])
    panel = (*lamp.panel[:2], lamp.panel[2] * float(rng.uniform(0.3, 1.2)))
    return (replace(lamp, position=(float(x), float(y), height), panel=panel),), ambient, exposure(BLAZE, rng)


def seen_ink(crop: np.ndarray) -> float:
    """How much can be seen on a face that was cut out, see ``ink``."""
    side = round(FACE_PX / FACE_SHARE / 2)
    middle = crop[CROP // 2 - side : CROP // 2 + side, CROP // 2 - side : CROP // 2 + side]
    return ink(cv2.resize(middle, (48, 48), interpolation=cv2.INTER_AREA))


def lit_view(
    look: DieLook, sides: tuple[str, ...], side: int, rng: np.random.Generator, gone: bool
) -> np.ndarray:
    """A view with a mirrored lamp in it: of a drawing that is seen, or of a printed one that is ``gone``."""
    for _ in range(TRIES):
        crop = view(replace(look, engraved_mm=0.0) if gone else look, sides, side, rng, False, True, ASIDE)
        if seen_ink(crop) < GONE if gone else seen_ink(crop) > SEEN:
            return crop
    return view(look, sides, side, rng, gone, aside=ASIDE)


def random_camera(aside: float, rng: np.random.Generator) -> CameraPose:
    """A camera above the tray, or with the chance ``aside`` beside it."""
    tilt = float(rng.uniform(*BESIDE_DEG) if rng.random() < aside else abs(rng.normal(0, 3)))
    return camera_at(float(rng.uniform(540, 760)), tilt, float(rng.uniform(0, 360)),
                     float(rng.normal(0, 2)), float(rng.uniform(0.58, 0.69)))  # fmt: skip


def level(corners: np.ndarray) -> np.ndarray:
    """The square by which the reader cuts a tilted side out (4 x 3): a level one about its middle."""
    along, down = corners[1] - corners[0], corners[3] - corners[0]
    right = np.array([*along[:2], 0.0]) / np.linalg.norm(along[:2]) * np.linalg.norm(along) / 2
    under = np.array([-right[1], right[0], 0.0])
    under *= 1 if under @ down > 0 else -1
    return corners.mean(axis=0) + np.array([-right - under, right - under, right + under, under - right])


def taken(scene: Scene, quad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The crop of a face (its corners 4 x 2 in pixels) out of the picture that a camera sends of a scene."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 98))]
    image = cv2.imdecode(cv2.imencode(".jpg", render(scene), quality)[1], 1)
    low, high = CROP / 2 - FACE_PX / 2 - 0.5, CROP / 2 + FACE_PX / 2 - 0.5
    target = np.float32([[low, low], [high, low], [high, high], [low, high]])
    m = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    return cv2.warpPerspective(
        image, m, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def view(
    look: DieLook,
    sides: tuple[str, ...],
    side: int,
    rng: np.random.Generator,
    bad: bool,
    lit: bool = False,
    aside: float = 0.0,
) -> np.ndarray:
    """One crop of a die whose side ``side`` lies up, perhaps ``lit`` by a lamp that it mirrors.

    ``aside`` is the chance that the camera stands beside the tray.
    """
    lamps, ambient, photo = random_light(rng)
    camera = random_camera(aside, rng)
    place = np.array([rng.uniform(-110, 110), rng.uniform(-80, 80), 8.0])
    if lit:
        lamps, ambient, photo = mirrored(place, camera, rng)
    turn = up_turn(side, float(rng.uniform(0, 2 * np.pi)))
    how = int(rng.integers(3)) if bad else -1
    if how == 0:
        axis = rng.normal(size=2)
        axis = np.array([*axis / np.linalg.norm(axis), 0.0])
        tilt = cv2.Rodrigues(axis * np.radians(rng.uniform(14, 45)))[0]
        turn = tilt @ turn
        place[2] += rng.uniform(0, 4)
    if how == 1:
        sigma, angle = float(rng.choice([0.0, rng.uniform(4, 8)])), rng.uniform(0, 7)
        length = 0.0 if sigma else rng.uniform(10, 25)
        photo = replace(
            photo, defocus_px=sigma or 1.0, shake_px=(length * np.cos(angle), length * np.sin(angle))
        )
    die = ThrownDie("die", "any", look, sides, place, turn)  # type: ignore[arg-type]
    others = [neighbour(die, rng, rng.uniform(17, 24)) for _ in range(int(rng.integers(0, 3)))]
    if how == 2:
        top = neighbour(die, rng, rng.uniform(4, 11))
        others.append(replace(top, position=top.position + np.array([0, 0, 16.0])))
    corners = die.quad(side // 2, 1 if side % 2 == 0 else -1)
    quad = camera.project(level(corners) if how == 0 else corners)
    x, y = (float(v) - 64 for v in np.round(quad.mean(axis=0)))
    cloth = str(rng.choice([*CLOTHS, "any", "any"]))
    scene = Scene(camera.window(x, y, 128), lamps, ambient, cloth, int(rng.integers(8)), (0.3, 0.3, 0.3),
                  (0.5, 0.5, 0.5), (die, *others), photo, int(rng.integers(1 << 30)))  # fmt: skip
    return taken(scene, quad - [x, y], rng)


def make(seed: int, lit: bool = False) -> dict[str, np.ndarray]:
    """All crops of one kind of die."""
    rng = np.random.default_rng([seed, 41])
    look, faces = kind_of_die(rng)
    sides = lay_out(faces, False)
    pips = np.array([int(f) if f in "123456" else 0 for f in sides], np.int64)
    if lit:
        look = replace(
            look, gloss=float(rng.uniform(*GLOSS)), engraved_mm=float(rng.uniform(*ENGRAVED_MM)), marble=0.0
        )
    views, aside = (VIEWS_LIT, ASIDE) if lit else (VIEWS, 0.0)
    shown = [[view(look, sides, k, rng, False, aside=aside) for _ in range(views)] for k in range(6)]
    crops = np.stack([np.stack(one) for one in shown])
    bad = [view(look, sides, int(rng.integers(6)), rng, True, aside=aside) for _ in range(BAD)]
    if not lit:
        return {"crops": crops, "bad": np.stack(bad), "pips": pips}
    shown = [[lit_view(look, sides, k, rng, False) for _ in range(VIEWS_LIT)] for k in range(6)]
    bad[: BAD // 2] = [lit_view(look, sides, int(rng.integers(6)), rng, True) for _ in range(BAD // 2)]
    return {"crops": crops, "bad": np.stack(bad), "pips": pips, "lit": np.stack([np.stack(v) for v in shown])}


def main() -> None:
    """Command line of the development script."""
    cv2.setNumThreads(1)
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        np.savez(folder / f"{seed:07d}.tmp.npz", **make(seed, "lit" in sys.argv[4:]))
        (folder / f"{seed:07d}.tmp.npz").rename(folder / f"{seed:07d}.npz")


if __name__ == "__main__":
    main()
