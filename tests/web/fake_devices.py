"""Devices for a workbench in tests: a virtual tray, lights that only remember what they were shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from firmware_bridge.led_map import LedMap
from referee.kernel.registry import load_game
from vision.virtual.tray import VirtualTray

GAME = "five_armies"


class Bench:
    """Devices for a workbench: a virtual tray, lights that only remember."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.types = load_game(GAME).dice
        self.tray = VirtualTray(tuple(self.types.values()), seed=1)
        self.image: np.ndarray | None = None
        self.seed = 0
        self.shown: Any = None
        self.lent = self.reloaded = 0

    def picture(self) -> np.ndarray | None:
        return self.image

    def lay_die(self, die_type: str, face: str) -> None:
        self.seed += 1
        self.image = self.tray.show(die_type, face, self.seed)

    def taught_path(self) -> Path:
        return self.folder / "taught.npz"

    def reload_reader(self) -> None:
        self.reloaded += 1

    def lend_lights(self, led_map: LedMap) -> Callable[[Any], object]:
        self.lent = led_map.leds

        def show(lights: Any) -> None:
            self.shown = lights

        return show

    def return_lights(self) -> None:
        self.lent = 0

    def led_map_path(self, layout: str = "") -> Path:
        return self.folder / "leds.toml"
