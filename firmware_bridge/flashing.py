"""Writes the shipped firmware to a board: no compiler is needed.

An Arduino takes it through avrdude.  Which of the two bootloaders it carries cannot be seen, so both speeds
are tried.  A Raspberry Pi Pico is left to `flashing_pico`.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from firmware_bridge.discovery import PICO_USB, PortCandidate, board_ids, candidates, holder_of, unfit
from firmware_bridge.flashing_pico import FlashingFailed, flash_pico, waits_for_firmware
from firmware_bridge.probe import ANSWERS, Probe, probe
from referee.kernel.messages import Text

__all__ = ["HEX", "SPEEDS", "FlashingFailed", "flash"]

SHIPPED = Path(__file__).with_name("firmware") / "shipped"
HEX = SHIPPED / "lights_atmega328p.hex"
SPEEDS = (115_200, 57_600)
"""Optiboot (Uno, new Nanos), and the bootloader of most clones."""
PATIENCE_S = 60.0
SAID_LINES = 6

Say = Callable[[Text], None]


def flash(port: str | None, say: Say, firmware: Path = HEX, speeds: tuple[int, ...] = SPEEDS) -> Probe:
    """Write the firmware to the board at `port` (None: the only one that may be it), and say HELLO to it.

    `firmware`, `speeds`: of an Arduino.  Raises FlashingFailed.
    """
    if port is None and waits_for_firmware():
        return flash_pico(None, say)
    path = _ready(port or _only_port())
    if board_ids(path) in PICO_USB:
        return flash_pico(path, say)
    if shutil.which("avrdude") is None:
        raise FlashingFailed(
            Text("firmware_bridge.no_avrdude", file=HEX),
        )
    said = ""
    for speed in speeds:
        say(
            Text("firmware_bridge.flash_writing", name=firmware.name, path=path, speed=speed),
        )
        done, said = _avrdude(path, speed, firmware)
        if done:
            break
    else:
        raise _not_written(path, said)
    found = probe(PortCandidate(path, "flashed", True), timeout=15.0)
    if found.result != ANSWERS or found.hello is None:
        raise FlashingFailed(
            Text("firmware_bridge.flashed_but_silent", path=path, result=found.result),
        )
    return found


def _only_port() -> str:
    """The port of the one board that may be it."""
    found = candidates()
    likely = [one for one in found if one.likely] or found
    if len(likely) == 1:
        return likely[0].path
    if not likely:
        raise FlashingFailed(
            Text("firmware_bridge.flash_no_port"),
        )
    named = ", ".join(f"{one.path} ({one.why})" for one in likely)
    raise FlashingFailed(
        Text("firmware_bridge.flash_which_port", named=named),
    )


def _ready(path: str) -> str:
    """The port, if something can be written through it."""
    other = unfit(path)
    if other:
        raise FlashingFailed(
            Text("firmware_bridge.flash_unfit", path=path, other=other),
        )
    if not Path(path).exists():
        raise FlashingFailed(
            Text("firmware_bridge.flash_no_such_port", path=path),
        )
    holder = holder_of(path)
    if holder is not None:
        raise FlashingFailed(
            Text("firmware_bridge.flash_port_held", path=path, name=holder.name, pid=holder.pid),
        )
    return path


def _avrdude(path: str, speed: int, firmware: Path) -> tuple[bool, str]:
    """Whether it is written and verified, and the last of what avrdude said."""
    command = ["avrdude", "-p", "atmega328p", "-c", "arduino", "-P", path, "-b", str(speed), "-D"]
    command += ["-U", f"flash:w:{firmware}:i"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return False, "avrdude: no answer within a minute"
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return done.returncode == 0, "\n".join(lines[-SAID_LINES:])


def _not_written(path: str, said: str) -> FlashingFailed:
    """Why avrdude gave up, as far as it can be told."""
    if "signature" in said and "not in sync" not in said:
        return FlashingFailed(
            Text("firmware_bridge.other_processor", path=path, said=said),
        )
    if "ermission" in said:
        return FlashingFailed(
            Text("firmware_bridge.flash_may_not_open", path=path),
        )
    return FlashingFailed(
        Text("firmware_bridge.board_takes_nothing", path=path, said=said),
    )
