"""Write training windows for the pose network: ``python -m vision.faces.make_poses DIR FIRST COUNT``.

Cocked, stacked and covered dice are rare in whole pictures; here a small window is drawn around each of
them and
around some of their level neighbours.  A file holds ``crops`` (N x 96 x 96 x 3, rectified, not turned),
``rows`` (as
in ``make_scenes``, in pixels of the crop) and ``nadir`` (N x 2, the point below the camera, in pixels of
the crop).
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.faces.make_scenes import rows, view_of
from vision.faces.world import random_scene
from vision.tray import DEFAULT
from vision.virtual.render import render
from vision.virtual.scene import Scene

CROP = 96
WINDOW = 176  # pixels of a picture 1024 wide


def chosen(table: np.ndarray, rng: np.random.Generator) -> list[int]:
    """Numbers of the dice that are cut out: all odd ones, and a few level ones."""
    odd = [k for k, r in enumerate(table) if (r[3] or r[4] or r[5] > 0.25) and r[5] < 0.8]
    level = [k for k, r in enumerate(table) if not (r[3] or r[4] or r[5] > 0.25)]
    return odd + [int(k) for k in rng.permutation(level)[: max(1, len(odd))]]


def make(seed: int) -> dict[str, np.ndarray] | None:
    """The windows of one scene; None where it has no dice."""
    rng = np.random.default_rng([seed, 81])
    scene = random_scene(seed, 1024, ("cocked", "cocked", "cocked", "stacked"))
    scene = replace(scene, cloth_seed=int(rng.integers(5)), hand=0.0)
    view = view_of(scene, rng)
    matrix = view.rectifier(DEFAULT.die_mm)
    table = rows(scene, view)
    crops, out, nadirs = [], [], []
    foot = view.from_mm(view.position[None, :2])[0]
    for k in chosen(table, rng):
        crop, corner = _window(scene, matrix, table[k, :2])
        crops.append(crop)
        out.append(np.concatenate([table[k, :2] - corner, table[k, 2:]]))
        nadirs.append(foot - corner)
    if not crops:
        return None
    return {
        "crops": np.stack(crops),
        "rows": np.array(out, np.float32),
        "nadir": np.array(nadirs, np.float32),
    }


def _window(scene: Scene, matrix: np.ndarray, middle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rectified crop around ``middle`` (rectified pixels) and where its top left pixel lies."""
    corner = np.round(middle) - CROP // 2
    at = cv2.perspectiveTransform(middle[None, None].astype(np.float64), np.linalg.inv(matrix))[0, 0]
    x, y = np.round(at) - WINDOW // 2
    image = render(replace(scene, camera=scene.camera.window(float(x), float(y), WINDOW)))
    shift_in = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])
    shift_out = np.array([[1, 0, -corner[0]], [0, 1, -corner[1]], [0, 0, 1.0]])
    crop = cv2.warpPerspective(
        image,
        shift_out @ matrix @ shift_in,
        (CROP, CROP),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return crop, corner


def main() -> None:
    """Command line of the development script."""
    cv2.setNumThreads(1)
    folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        data = make(seed)
        if data is not None:
            np.savez(folder / f"{seed:07d}.tmp.npz", **data)
            (folder / f"{seed:07d}.tmp.npz").rename(folder / f"{seed:07d}.npz")


if __name__ == "__main__":
    main()
