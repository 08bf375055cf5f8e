"""The finder alone: dice that hardly stand out from the cloth, hands, and cloth of a hand's colour."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.faces.find import MODEL, STRIDE, find_dice, maps
from vision.network import load
from vision.throws_bench import THROWN
from vision.tray import TraySpec, TrayView, find_tray
from vision.trayscan import HAND_CELLS
from vision.virtual.tray import VirtualTray


def seen_from_above(image: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The rectified picture, and the matrix that leads to it; None where the markers cannot be seen."""
    view = find_tray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    return (view.rectify(image), view.rectifier(view.spec.die_mm)) if isinstance(view, TrayView) else None


@pytest.mark.parametrize(
    ("light", "cloth"), [("side_lamp", "black"), ("mixed", "blue_cloth"), ("diffuse", "dotted")]
)
def test_black_dice_are_found_whole(light: str, cloth: str) -> None:
    """Each die once, in its middle: not one find on each of two pips."""
    tray = VirtualTray(THROWN, seed=41, light=light, cloth=cloth)
    for seed in range(5):
        seen = seen_from_above(tray.throw({"combat_black": 7}, seed, "plain"))
        assert seen is not None
        found, _ = find_dice(seen[0])
        for die in tray.truth()["dice"]:
            x, y = cv2.perspectiveTransform(np.array([[die["centre_px"]]], float), seen[1])[0, 0]
            near = [f.score for f in found if np.hypot(f.x - x, f.y - y) < 6]
            halves = [f.score for f in found if 6 <= np.hypot(f.x - x, f.y - y) < 13]
            assert near and max(near) > 0.45, (seed, die["face"])
            assert max(halves, default=0.0) < max(near), (seed, die["face"])


@pytest.mark.parametrize("inner_mm", [(240.0, 180.0), (250.0, 175.0), (301.0, 222.0), (120.0, 120.0)])
def test_trays_of_any_size_have_maps(inner_mm: tuple[float, float]) -> None:
    width, height = TraySpec(inner_mm=inner_mm).rectified_size
    assert maps(np.zeros((height, width, 3), np.uint8)).shape == (10, height // STRIDE, width // STRIDE)


@pytest.mark.skipif(not hasattr(cv2.dnn, "ENGINE_CLASSIC"), reason="OpenCV 4 has one engine")
def test_the_trays_networks_are_run_by_the_quicker_engine() -> None:
    """OpenCV 5.0 gave them its newer one, whatever was asked for."""
    network = load(MODEL)
    network.run(np.zeros((1, 4, 408, 528), np.float32))
    assert "main_graph" not in network._net.dump()  # the newer one's word for a network
    assert "main_graph" in cv2.dnn.readNetFromONNX(str(MODEL), cv2.dnn.ENGINE_NEW).dump()


def test_a_hand_is_seen_and_cloth_is_no_hand() -> None:
    """Printed and checked cloths may have a hand's colours."""
    hands = looked = 0
    for number in range(10):
        light, cloth = ("diffuse", "side_lamp", "glare")[number % 3], ("checked", "printed")[number % 2]
        tray = VirtualTray(THROWN, seed=60 + number, light=light, cloth=cloth)
        for mishap in ("hand", "plain"):
            seen = seen_from_above(tray.throw({"combat_white": 4}, number, mishap))
            cells = 0 if seen is None else int((find_dice(seen[0])[1] > 0.5).sum())
            if mishap == "plain":
                assert cells < HAND_CELLS, (number, cells)
            elif seen is not None:
                looked += 1
                hands += cells >= HAND_CELLS
    assert looked >= 7 and hands >= 0.7 * looked, (hands, looked)
