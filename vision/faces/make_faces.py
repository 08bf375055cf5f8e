"""Write rendered training crops of upper faces: ``python -m vision.faces.make_faces DIR FIRST COUNT``.

A file is one kind of die: ``crops`` (6 faces x views x 72 x 72 x 3, the face's edge is 45 pixels),
``pips`` (the
number of each face, 0 for symbols) and ``bad`` (crops of tilted, covered or blurred faces).
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.faces.world import SYMBOLS, random_ink, random_light, random_look
from vision.virtual.cloth import CLOTHS
from vision.virtual.drawings import DRAWINGS
from vision.virtual.render import render
from vision.virtual.scene import DieLook, Scene, ThrownDie, camera_at
from vision.virtual.tray import lay_out, up_turn

CROP, FACE_PX = 72, 45
VIEWS, BAD = 8, 8


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


def view(look: DieLook, sides: tuple[str, ...], side: int, rng: np.random.Generator, bad: bool) -> np.ndarray:
    """One crop of a die whose side ``side`` lies up."""
    lamps, ambient, photo = random_light(rng)
    camera = camera_at(float(rng.uniform(540, 760)), float(abs(rng.normal(0, 3))), float(rng.uniform(0, 360)),
                       float(rng.normal(0, 2)), float(rng.uniform(0.58, 0.69)))  # fmt: skip
    place = np.array([rng.uniform(-110, 110), rng.uniform(-80, 80), 8.0])
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
    quad = camera.project(die.quad(side // 2, 1 if side % 2 == 0 else -1))
    middle = quad.mean(axis=0)
    x, y = (float(v) - 64 for v in np.round(middle))
    cloth = str(rng.choice([*CLOTHS, "any", "any"]))
    scene = Scene(camera.window(x, y, 128), lamps, ambient, cloth, int(rng.integers(8)), (0.3, 0.3, 0.3),
                  (0.5, 0.5, 0.5), (die, *others), photo, int(rng.integers(1 << 30)))  # fmt: skip
    image = render(scene)
    image = cv2.imdecode(
        cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 98))])[1], 1
    )
    low, high = CROP / 2 - FACE_PX / 2 - 0.5, CROP / 2 + FACE_PX / 2 - 0.5
    target = np.float32([[low, low], [high, low], [high, high], [low, high]])
    if how == 0:  # as the reader would crop it: a level square about the middle
        edge = quad[1] - quad[0]
        angle, half = np.arctan2(edge[1], edge[0]), 8 * camera.focal_px / (camera.position[2] - 16)
        spin = half * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        quad = middle + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ spin
    m = cv2.getPerspectiveTransform((quad - [x, y]).astype(np.float32), target)
    return cv2.warpPerspective(
        image, m, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def make(seed: int) -> dict[str, np.ndarray]:
    """All crops of one kind of die."""
    rng = np.random.default_rng([seed, 41])
    look, faces = kind_of_die(rng)
    sides = lay_out(faces, False)
    crops = np.stack([np.stack([view(look, sides, k, rng, False) for _ in range(VIEWS)]) for k in range(6)])
    bad = np.stack([view(look, sides, int(rng.integers(6)), rng, True) for _ in range(BAD)])
    pips = np.array([int(f) if f in "123456" else 0 for f in sides], np.int64)
    return {"crops": crops, "bad": bad, "pips": pips}


def main() -> None:
    """Command line of the development script."""
    cv2.setNumThreads(1)
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        np.savez(folder / f"{seed:07d}.tmp.npz", **make(seed))
        (folder / f"{seed:07d}.tmp.npz").rename(folder / f"{seed:07d}.npz")


if __name__ == "__main__":
    main()
