"""Writes the shipped firmware to a Raspberry Pi Pico: its loader is a USB drive that takes a UF2 file.

The loader runs where the board was plugged in with its BOOTSEL button held, and our own firmware starts it
when its port is opened at 1200 baud and closed again.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import serial

from firmware_bridge.discovery import PICO, PortCandidate, board_ids, candidates
from firmware_bridge.probe import ANSWERS, Probe, probe
from referee.kernel.messages import Text
from referee.kernel.said import SaidError

UF2 = Path(__file__).with_name("firmware") / "shipped" / "lights_pico.uf2"
LABELS = Path("/dev/disk/by-label")
MOUNTS = Path("/proc/self/mounts")
LABEL, OTHER_LABEL = "RPI-RP2", "RP2350"
"""Of the drive of an RP2040, and of its successor on the Pico 2."""
PATIENCE_S = 15.0
LOADER_BAUD = 1200

Say = Callable[[Text], None]


class FlashingFailed(SaidError):
    """The firmware is not on the board; the text says why and what to do."""


def waits_for_firmware() -> bool:
    """Whether a board with its loader running is plugged in."""
    return (LABELS / LABEL).exists() or (LABELS / OTHER_LABEL).exists()


def flash_pico(port: str | None, say: Say, firmware: Path = UF2) -> Probe:
    """Write `firmware` to the Pico at `port`, or to the one whose loader runs, and say HELLO to it.

    Raises FlashingFailed.
    """
    if port is not None and not waits_for_firmware():
        _start_loader(port)
    if (LABELS / OTHER_LABEL).exists() and not (LABELS / LABEL).exists():
        raise FlashingFailed(Text("firmware_bridge.pico_2"))
    if not _in_time(waits_for_firmware):
        raise FlashingFailed(Text("firmware_bridge.pico_shows_no_drive"))
    folder = _mounted(LABELS / LABEL) or _mount(LABELS / LABEL)
    if folder is None:
        raise FlashingFailed(
            Text("firmware_bridge.pico_not_mounted", drive=LABELS / LABEL, firmware=firmware),
        )
    say(Text("firmware_bridge.pico_copying", name=firmware.name, folder=folder))
    _copy(firmware, folder)
    return _answering()


def _start_loader(port: str) -> None:
    """The custom among boards with USB of their own: open at 1200 baud, close."""
    if board_ids(port) != PICO:
        return  # another program is on it, which may not know the custom
    with contextlib.suppress(OSError, serial.SerialException):  # it may be gone before it is closed
        line = serial.Serial(port, LOADER_BAUD)
        time.sleep(0.1)
        line.close()


def _in_time(happened: Callable[[], object]) -> bool:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if happened():
            return True
        time.sleep(0.1)
    return bool(happened())


def _mounted(drive: Path) -> Path | None:
    """Where the drive can be written to, if it is mounted."""
    device = os.path.realpath(drive)
    for line in MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines():
        source, folder, *_ = line.split(" ")
        if os.path.realpath(source) == device:
            return Path(re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), folder))
    return None


def _mount(drive: Path) -> Path | None:
    """Let the desktop's service mount it, where there is one and this user may."""
    if shutil.which("udisksctl"):
        command = ["udisksctl", "mount", "--no-user-interaction", "--block-device", os.path.realpath(drive)]
        subprocess.run(command, capture_output=True, timeout=PATIENCE_S, check=False)
    return _mounted(drive)


def _copy(firmware: Path, folder: Path) -> None:
    """Copy the file.  The board starts anew at its last block, so the drive may vanish while it is closed."""
    content = firmware.read_bytes()
    written = 0
    try:
        with open(folder / firmware.name, "wb", buffering=0) as out:
            written = out.write(content)
            os.fsync(out.fileno())
    except OSError as error:
        if written < len(content):
            raise FlashingFailed(
                Text("firmware_bridge.pico_not_written", folder=folder, error=error.strerror or str(error)),
            ) from error


def _picos() -> list[PortCandidate]:
    return [one for one in candidates() if board_ids(one.path) == PICO]


def _answering() -> Probe:
    """The board, once it has started with its new firmware."""
    if not _in_time(_picos):
        raise FlashingFailed(Text("firmware_bridge.pico_not_back"))
    path = _picos()[0].path
    found = probe(PortCandidate(path, "flashed", True), timeout=PATIENCE_S)
    if found.result != ANSWERS or found.hello is None:
        raise FlashingFailed(
            Text("firmware_bridge.flashed_but_silent", path=path, result=found.result),
        )
    return found
