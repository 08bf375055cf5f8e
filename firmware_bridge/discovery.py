"""Which serial ports may be the light controller, and who holds one that is busy."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports

PICO = (0x2E8A, 0x000A)
"""Our firmware on a Raspberry Pi Pico; other serial programs for it have the same id."""

KNOWN_USB = {
    (0x2341, 0x0043): "Arduino Uno",
    (0x2341, 0x0001): "Arduino Uno",
    (0x2341, 0x0243): "Arduino Uno",
    (0x2A03, 0x0043): "Arduino Uno",
    (0x1A86, 0x7523): "Nano with CH340",
    (0x1A86, 0x7522): "Nano with CH340K",
    (0x1A86, 0x55D3): "Nano with CH343",
    (0x1A86, 0x55D4): "Nano with CH9102",
    (0x0403, 0x6001): "Nano with FT232R",
    (0x0403, 0x6015): "Nano with FT231X",
    (0x10C4, 0xEA60): "CP2102 adapter",
    PICO: "Raspberry Pi Pico",
}
"""USB vendor and product ids of boards that may carry our firmware; an identity, not a proof: HELLO is."""

PICO_USB = {
    PICO: "Raspberry Pi Pico",
    (0x2E8A, 0x0005): "Raspberry Pi Pico with MicroPython",
    (0x2E8A, 0x000B): "Raspberry Pi Pico with CircuitPython",
}
"""An RP2040, whatever program is on it."""

UNFIT_USB = {
    (0x2341, 0x0058): "Arduino Nano Every",
    (0x2341, 0x8036): "Arduino Leonardo",
    (0x2341, 0x8037): "Arduino Micro",
    (0x2341, 0x0010): "Arduino Mega 2560",
    (0x2341, 0x0042): "Arduino Mega 2560",
    (0x2341, 0x8057): "Arduino Nano 33 IoT",
    (0x2341, 0x805A): "Arduino Nano 33 BLE",
    (0x2341, 0x0069): "Arduino Uno R4 Minima",
    (0x2341, 0x1002): "Arduino Uno R4 WiFi",
    (0x2341, 0x0070): "Arduino Nano ESP32",
    (0x303A, 0x1001): "ESP32",
    (0x2E8A, 0x0009): "Raspberry Pi Pico 2",
}
"""Boards that are sold beside those and carry another processor; an ESP32 does as WLED."""

OTHER_USB = {(0x303A, 0x1001)}
"""What the udev rule opens besides: the ESP32 as WLED over USB."""

_NAMES = UNFIT_USB | PICO_USB | KNOWN_USB


def unfit(path: str) -> str:
    """The name of the board at that port if its processor is known to be another one, else an empty text."""
    return UNFIT_USB.get(board_ids(path) or (0, 0), "")


@dataclass(frozen=True, slots=True)
class PortCandidate:
    """A port that HELLO should be tried on."""

    path: str
    why: str
    likely: bool


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that has a port open."""

    pid: int
    name: str


def candidates(configured: str | None = None) -> list[PortCandidate]:
    """Ports to try, likeliest first; only the configured one if there is one."""
    if configured:
        return [PortCandidate(configured, _board_at(configured) or "configured", True)]
    found = []
    for port in list_ports.comports():
        if port.vid is None:
            continue  # built-in serial ports are never our controller
        ids = (port.vid, port.pid or 0)
        found.append(PortCandidate(_stable_name(port.device), _name_of(ids), ids in KNOWN_USB))
    return sorted(found, key=lambda c: (not c.likely, c.path))


def board_ids(path: str) -> tuple[int, int] | None:
    """USB vendor and product id of the board at a port; None if it is not there or no USB port."""
    target = os.path.realpath(path)
    for port in list_ports.comports():
        if os.path.realpath(port.device) == target and port.vid is not None:
            return port.vid, port.pid or 0
    return None


def _name_of(ids: tuple[int, int]) -> str:
    return _NAMES.get(ids) or f"USB {ids[0]:04x}:{ids[1]:04x}"


def _board_at(path: str) -> str:
    """What its USB ids say of the board at a port, or an empty text."""
    ids = board_ids(path)
    return _name_of(ids) if ids else ""


def _stable_name(device: str) -> str:
    """The /dev/serial/by-id link of a device: it survives a change of ttyACM numbers."""
    folder = Path("/dev/serial/by-id")
    if folder.is_dir():
        for link in sorted(folder.iterdir()):
            if os.path.realpath(link) == os.path.realpath(device):
                return str(link)
    return device


def holder_of(path: str) -> Holder | None:
    """Who has the port open, as far as /proc lets us see; None if nobody or hidden."""
    target = os.path.realpath(path)
    own = os.getpid()
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) == own:
            continue
        try:
            held = any(os.readlink(fd) == target for fd in (process / "fd").iterdir())
            name = (process / "comm").read_text("utf-8", "replace").strip() if held else ""
        except OSError:  # gone meanwhile, or another user's
            continue
        if held:
            return Holder(int(process.name), name)
    return None
