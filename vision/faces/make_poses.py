"""Write training windows for the pose network.

    python -m vision.faces.make_poses DIR FIRST COUNT [THROWS [alike] [piled] [oblique] [printed]]

Cocked, stacked and covered dice are rare on ordinary tables; here scenes have many, and a window is cut out
around each of them and around some of their level neighbours.  A file holds ``crops`` (N x 112 x 112 x 3,
rectified, not turned), ``rows`` (as in ``make_scenes``, in pixels of the crop, then x and y of the upper
side's normal in the crop's axes, then 1, or 0 where there is no die's upper face in the middle) and ``foot``
(N x 3, the point below the camera as the reader estimates it, in pixels of the crop, and its reach, see
``pose.Foot``).
THROWS is a file that ``vision.virtual.simulate`` wrote, so that the poses are not those of the product's own
tray, on which is measured.  With ``alike`` most scenes have dice of nearly the cloth's colour; with ``piled``
some dice of each scene lie on others, which a throw seldom does; with ``oblique`` most cameras stand up to
38 degrees beside the tray, whose sides of dice are cut out as well, and more dice are put against walls and
neighbours, slightly tilted or level (``leaning``); with ``printed`` most cloths are patterned.  What the
finder takes for dice where none lies is cut out, too.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.faces.find import find_dice
from vision.faces.leaning import leaning, piled, supported
from vision.faces.make_scenes import rows, view_of
from vision.faces.pose import foot_of
from vision.faces.world import CAMOUFLAGE, camouflaged, from_beside, random_scene
from vision.tray import DEFAULT, TrayView
from vision.virtual.cloth import CLOTHS, PLAIN
from vision.virtual.render import render
from vision.virtual.scene import Scene, use_throws

CROP = 112
WIDTH, WIDTHS_BESIDE = 1024, (1024, 1280, 1280)  # pixels of the camera's picture; of those beside the tray
MOST, MOST_BESIDE = 6, 9  # windows a scene
OTHERS, UPWARD = 2, 0.42  # other sides a scene that are cut out, and the cosine from which one looks up
EMPTY = 2  # windows without a die in the middle
SIDES = 4  # windows a scene of sides that a camera beside the tray sees, where such are asked for
STEEP, FACING = 0.3, 0.25  # cosines: a side looks up by less, and at the camera by more than this
SIDE_PX = 14.0  # so far, at least, from the middle of any die's upper face
BESIDE_PX = 18.0  # so far, at least, from the middle of any die's upper face
SAME_CLOTH = 12  # scenes in a row that share a cloth, whose texture takes long to make
ALIKE = 0.8  # share of scenes whose dice have the cloth's colour, where that is asked for
MISTAKEN = 4  # windows a scene of what the finder takes for dice, at most
PATTERNED = tuple(name for name in CLOTHS if name not in PLAIN)
PRINTED = 0.7  # share of such cloths, where that is asked for
BESIDE = 0.85  # share of scenes seen from beside the tray, where that is asked for
DARK_OFTEN = (*PLAIN, "black", "black")
KINDS = ("cocked", "cocked", "cocked", "stacked", "touching", "plain")
KINDS_BESIDE = ("cocked", "cocked", "cocked", "stacked", "touching", "touching", "wall", "plain")


def chosen(table: np.ndarray, rng: np.random.Generator, most: int = MOST) -> list[int]:
    """Numbers of the dice that are cut out: odd ones, and some level ones."""
    odd = [k for k, r in enumerate(table) if (r[3] or r[4] or r[5] > 0.25) and r[5] < 0.8]
    level = [k for k, r in enumerate(table) if not (r[3] or r[4] or r[5] > 0.25)]
    odd = odd[:most]
    return odd + [int(k) for k in rng.permutation(level)[: max(2, most - len(odd))]]


def thrown(seed: int, words: Collection[str], rng: np.random.Generator) -> Scene:
    """The scene of a seed."""
    alike, piles, oblique = (word in words for word in ("alike", "piled", "oblique"))
    kinds = ("stacked", "touching", "plain") if piles else KINDS_BESIDE if oblique else KINDS
    width = WIDTHS_BESIDE[seed % len(WIDTHS_BESIDE)] if oblique else WIDTH
    scene = random_scene(seed, width, kinds)
    same = np.random.default_rng([seed // SAME_CLOTH, 82])
    cloth = random_scene(int(same.integers(1 << 30)), WIDTH).cloth
    if "printed" in words and same.random() < PRINTED:
        cloth = str(same.choice(PATTERNED))
    scene = replace(scene, cloth=cloth, cloth_seed=int(same.integers(1 << 30)) // 2 * 2, hand=0.0)
    if alike:
        scene = replace(scene, cloth=DARK_OFTEN[seed // SAME_CLOTH % len(DARK_OFTEN)])
    scene = piled(scene, rng) if piles else leaning(scene, rng)
    if oblique:
        scene = supported(scene, rng)
    scene = camouflaged(scene, rng, ALIKE if alike else CAMOUFLAGE)
    return from_beside(scene, rng) if oblique and rng.random() < BESIDE else scene


def make(seed: int, words: Collection[str] = ()) -> dict[str, np.ndarray] | None:
    """The windows of one scene with what ``words`` ask for; None where it has no dice."""
    rng, oblique = np.random.default_rng([seed, 81]), "oblique" in words
    scene = thrown(seed, words, rng)
    view = view_of(scene, rng)
    if view is None or not scene.dice:
        return None
    matrix = view.rectifier(DEFAULT.die_mm)
    dice = np.concatenate([rows(scene, view), normals(scene, matrix)], axis=1)
    others = other_uppers(scene, matrix, dice)
    uppers = np.concatenate([dice, others])
    taken = dice[chosen(dice, rng, MOST_BESIDE if oblique else MOST)]
    wanted = [np.append(row, 1.0) for row in (*taken, *others[:OTHERS])] + beside(uppers, view, rng)
    if oblique:
        wanted += sides(scene, matrix, uppers, rng)
    flat, foot = view.rectify(taken_picture(scene, rng)), foot_of(view)
    wanted += mistaken(flat, uppers)
    crops, corners = zip(*(window(flat, row[:2]) for row in wanted), strict=True)
    feet = [[foot.x - corner[0], foot.y - corner[1], foot.reach] for corner in corners]
    out = [np.concatenate([row[:2] - corner, row[2:]]) for row, corner in zip(wanted, corners, strict=True)]
    return {
        "crops": np.stack(crops),
        "rows": np.array(out, np.float32),
        "foot": np.array(feet, np.float32),
    }


def beside(table: np.ndarray, view: TrayView, rng: np.random.Generator) -> list[np.ndarray]:
    """Rows of places where no die's upper face is: near a die, or anywhere on the floor and its walls."""
    half = np.array(DEFAULT.inner_mm) / 2 + 4
    found: list[np.ndarray] = []
    for _ in range(20):
        place = view.from_mm(rng.uniform(-half, half)[None])[0]
        if len(table) and rng.random() < 0.5:
            way = rng.uniform(0, 2 * np.pi)
            reach = rng.uniform(BESIDE_PX, 34)
            place = table[rng.integers(len(table)), :2] + reach * np.array([np.cos(way), np.sin(way)])
        if len(table) == 0 or np.linalg.norm(table[:, :2] - place, axis=1).min() >= BESIDE_PX:
            found.append(np.array([*place, *np.zeros(8)]))
        if len(found) == EMPTY:
            break
    return found


def mistaken(flat: np.ndarray, table: np.ndarray) -> list[np.ndarray]:
    """Rows of places that the finder takes for upper faces, where none is."""
    found = [np.array([f.x, f.y, f.angle, *np.zeros(7)]) for f in find_dice(flat)[0]]
    away = [row for row in found if np.linalg.norm(table[:, :2] - row[:2], axis=1).min() >= BESIDE_PX]
    return away[:MISTAKEN]


def sides(scene: Scene, matrix: np.ndarray, table: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """Rows of places on sides that the camera sees, and the finder may take for upper faces."""
    found: list[np.ndarray] = []
    for number in rng.permutation(len(scene.dice)):
        die = scene.dice[int(number)]
        for axis, sign in ((a, s) for a in range(3) for s in (1, -1)):
            normal = sign * die.rotation[:, axis]
            corners = die.quad(axis, sign)
            sight = scene.camera.position - corners.mean(axis=0)
            if normal[2] > STEEP or normal @ sight < FACING * np.linalg.norm(sight):
                continue
            upper = corners[np.argsort(-corners[:, 2])[:2]].mean(axis=0)
            share = rng.uniform(0.3, 0.9)  # of the way from the middle of its upper edge to its own
            pixel = scene.camera.project(upper + share * (corners.mean(axis=0) - upper))
            place = cv2.perspectiveTransform(pixel[None, None], matrix)[0, 0]
            if np.linalg.norm(table[:, :2] - place, axis=1).min() >= SIDE_PX:
                found.append(np.array([*place, table[number, 2], *np.zeros(7)]))
    return [found[int(k)] for k in rng.permutation(len(found))[:SIDES]]


def other_uppers(scene: Scene, matrix: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Rows of the other sides of steeply tilted dice that look up nearly as much as the upper one.

    Of a die that leans at 45 degrees the finder may see either; neither place is empty.
    """
    found = [np.zeros((0, table.shape[1]))]
    for die, row in zip(scene.dice, table, strict=True):
        top = die.top_axis()[0]
        for axis in (k for k in range(3) if k != top):
            sign = 1 if die.rotation[2, axis] > 0 else -1
            if sign * die.rotation[2, axis] < UPWARD or not row[3] or row[5] > 0.5:
                continue
            quad = scene.camera.project(die.quad(axis, sign))
            at = cv2.perspectiveTransform(quad[None].astype(np.float64), matrix)[0]
            edge, normal = at[1] - at[0], sign * die.rotation[:, axis]
            angle = np.arctan2(edge[1], edge[0])
            found.append(np.array([[*at.mean(axis=0), angle, *row[3:7], normal[0], -normal[1]]]))
    return np.concatenate(found)


def normals(scene: Scene, matrix: np.ndarray) -> np.ndarray:
    """x and y of each die's upper side's normal, in the axes of the rectified picture (dice x 2)."""
    out = []
    for die in scene.dice:
        axis, sign = die.top_axis()
        normal = sign * die.rotation[:, axis]
        out.append([normal[0], -normal[1]])
    return np.array(out, np.float32).reshape(-1, 2)


def taken_picture(scene: Scene, rng: np.random.Generator) -> np.ndarray:
    """The picture as a camera sends it."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 98))]
    return cv2.imdecode(cv2.imencode(".jpg", render(scene), quality)[1], cv2.IMREAD_COLOR)


def window(flat: np.ndarray, middle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The crop of the rectified picture around ``middle`` and where its top left pixel lies.

    Beyond the picture's edges it shows what the reader's crops show there.
    """
    corner = np.round(middle).astype(int) - CROP // 2
    (height, width), reach = flat.shape[:2], np.arange(CROP)
    ys, xs = np.clip(corner[1] + reach, 0, height - 1), np.clip(corner[0] + reach, 0, width - 1)
    return flat[np.ix_(ys, xs)], corner


def main() -> None:
    """Command line of the development script."""
    cv2.setNumThreads(1)
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    if len(sys.argv) > 4:
        use_throws(Path(sys.argv[4]))
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        data = make(seed, sys.argv[5:])
        if data is not None:
            np.savez(folder / f"{seed:07d}.tmp.npz", **data)
            (folder / f"{seed:07d}.tmp.npz").rename(folder / f"{seed:07d}.npz")


if __name__ == "__main__":
    main()
