"""Stand-ins for the light controller: the real firmware in simavr, or a model in Python."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from firmware_bridge.emulator.base import Controller, EmulatorUnavailable, StripPicture
from firmware_bridge.emulator.process import SimavrController, build, why_not_simavr
from firmware_bridge.emulator.virtual import VirtualController

log = logging.getLogger(__name__)

__all__ = ["Controller", "EmulatorUnavailable", "StripPicture", "start_emulator", "why_not_simavr"]


def _why_not_built() -> str:
    """What keeps the firmware from running in simavr here, or an empty string."""
    try:
        build()
    except EmulatorUnavailable as reason:
        log.warning("the Python model stands in for the light controller: %s", reason)
        return str(reason)
    return ""


def start_emulator(
    leds: int = 300,
    faults: Mapping[str, float] | None = None,
    *,
    kind: Literal["auto", "simavr", "python"] = "auto",
    seed: int = 1,
    boot_ms: int = 50,
    link: Path | None = None,
) -> Controller:
    """A running controller with `leds` pixels behind a pseudo terminal.

    `faults`: probabilities a byte for `lose_in`, `garble_in`, `noise_in`,
    `lose_out`, `garble_out` (in = towards the controller).  `auto` takes the
    firmware in simavr where avr-gcc and simavr are installed, else the Python
    model; `.kind` tells which.  EmulatorUnavailable if `simavr` is asked for
    and cannot be had.
    """
    if kind == "auto":
        kind = "python" if _why_not_built() else "simavr"
    made = VirtualController if kind == "python" else SimavrController
    controller = made(leds, seed=seed, boot_ms=boot_ms, link=link)
    for name, probability in (faults or {}).items():
        controller.set_fault(name, probability)
    return controller
