"""Write rendered training pictures for the dice finder:
``python -m vision.faces.make_scenes DIR FIRST COUNT [THROWS.npz]``.

Poses come from THROWS.npz (``vision.virtual.simulate``) where it is given, else from the product's throws.
Seeds that 3 does not divide give tables on which dice are hard to see.  Hands are drawn more often than
they reach in.  Each file holds the rectified picture
(JPEG bytes) and one row a die: centre x, y, angle (radians, modulo a quarter turn), cocked, raised, covered
share, blurred; and the hand's coverage on the output grid.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.faces.world import harder, random_scene
from vision.tray import DEFAULT, TrayView, marker_world
from vision.tray import view_of as view_from
from vision.virtual.render import hand_layers, render
from vision.virtual.scene import COCKED_DEG, Scene, use_throws
from vision.virtual.tray import covered_share

STRIDE = 4
WIDTHS = (896, 1024, 1024, 1280)  # pixels of the camera's picture
HANDS = 0.2  # share of the scenes into which somebody reaches; a third of the hands hides a marker
KINDS = ("plain", "cocked", "stacked", "touching", "touching", "wall")  # of hard throws


def view_of(scene: Scene, rng: np.random.Generator) -> TrayView | None:
    """The view as the reader estimates it: corners a little off, the camera's true height unknown."""
    camera, spec = scene.camera, replace(DEFAULT, marker_plane_mm=scene.marker_plane_mm)
    markers = {}
    for number, corners in marker_world(spec).items():
        pixels = camera.project(np.column_stack([corners, np.full(4, spec.marker_plane_mm)]))
        markers[number] = pixels + rng.normal(0, 0.25, (4, 2))
    view = view_from(markers, camera.width, camera.height, spec)
    return view if isinstance(view, TrayView) else None


def rows(scene: Scene, view: TrayView) -> np.ndarray:
    """One row a die, in pixels of the rectified picture."""
    matrix = view.rectifier(DEFAULT.die_mm)
    shaken = max(map(abs, scene.photo.shake_px)) > 1 or scene.photo.defocus_px > 4 * scene.camera.width / 1280
    table = []
    for number, die in enumerate(scene.dice):
        quad = scene.camera.project(die.quad(*die.top_axis()))
        at = cv2.perspectiveTransform(quad[None].astype(np.float64), matrix)[0]
        edge = at[1] - at[0]
        cocked = die.tilt_deg > COCKED_DEG
        moving = number < len(scene.motion_px) and max(map(abs, scene.motion_px[number])) > 4
        raised = not cocked and die.position[2] > 0.75 * die.edge
        table.append([*at.mean(axis=0), np.arctan2(edge[1], edge[0]), cocked, raised,
                      covered_share(scene, number), shaken or moving])  # fmt: skip
    return np.array(table, np.float32).reshape(-1, 7)


def make(seed: int) -> dict[str, np.ndarray] | None:
    """One training example; None where the camera stands so that the reader would refuse."""
    rng = np.random.default_rng([seed, 31])
    hard = seed % 3 > 0
    scene = random_scene(seed, WIDTHS[int(rng.integers(len(WIDTHS)))], KINDS if hard else ())
    if hard:
        scene = harder(scene, rng)
    if rng.random() < HANDS:
        scene = replace(scene, hand=float(rng.uniform(0.25, 0.95)))
    image = render(scene)
    quality = int(rng.integers(75, 98))
    image = cv2.imdecode(
        cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
    )
    view = view_of(scene, rng)
    if view is None:
        return None
    flat = view.rectify(image)
    size = (flat.shape[1] // STRIDE, flat.shape[0] // STRIDE)
    hand = np.zeros(size[::-1], np.uint8)
    if scene.hand > 0:
        cover = view.rectify((hand_layers(scene)[1] * 255).astype(np.uint8))
        hand = cv2.resize(cover, size, interpolation=cv2.INTER_AREA)
    jpeg = cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].ravel()
    return {"jpeg": jpeg, "rows": rows(scene, view), "hand": hand}


def main() -> None:
    """Command line of the development script."""
    cv2.setNumThreads(1)
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    if len(sys.argv) > 4:
        use_throws(Path(sys.argv[4]))
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        data = make(seed)
        if data is None:
            continue
        np.savez(folder / f"{seed:07d}.tmp.npz", **data)
        (folder / f"{seed:07d}.tmp.npz").rename(folder / f"{seed:07d}.npz")


if __name__ == "__main__":
    main()
