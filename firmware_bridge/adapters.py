"""USB adapters that are plugged in but have no serial port: a screen reader took it, or a driver is missing.

brltty ships a udev rule for braille displays with the same chips; it opens the port and closes it for
everybody else, so that /dev/ttyUSB0 appears for a second and is gone.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.discovery import KNOWN_USB

_MODULES = {0x1A86: "ch341", 0x0403: "ftdi_sio", 0x10C4: "cp210x"}  # others: cdc_acm
_CDC = {(0x1A86, 0x55D3), (0x1A86, 0x55D4)}


@dataclass(frozen=True, slots=True)
class SilentAdapter:
    """An adapter without a port: what it is, its ids, and the kernel module that makes ports of it."""

    name: str
    vid: int
    pid: int
    module: str


def silent_adapters(root: Path = Path("/")) -> list[SilentAdapter]:
    """Adapters of light controllers that the kernel sees and that have no serial port."""
    found = []
    for device in sorted((root / "sys/bus/usb/devices").glob("*")):
        try:
            ids = tuple(int((device / name).read_text().strip(), 16) for name in ("idVendor", "idProduct"))
        except (OSError, ValueError):
            continue  # an interface or a hub port, or it was pulled out just now
        vid, pid = ids[0], ids[1]
        if (vid, pid) not in KNOWN_USB or _has_port(device):
            continue
        module = "cdc_acm" if (vid, pid) in _CDC else _MODULES.get(vid, "cdc_acm")
        found.append(SilentAdapter(KNOWN_USB[vid, pid], vid, pid, module))
    return found


def _has_port(device: Path) -> bool:
    """Whether one of its interfaces has a tty (`1-1:1.0/ttyUSB0` or `1-1:1.0/tty/ttyACM0`)."""
    return any(device.glob("*:*/ttyUSB*")) or any(device.glob("*:*/tty/tty*"))


def screen_reader(root: Path = Path("/")) -> bool:
    """Whether brltty is there to take ports."""
    rules = [*(root / "usr/lib/udev/rules.d").glob("*brltty*"), *(root / "lib/udev/rules.d").glob("*brltty*")]
    masked = {path.name for path in (root / "etc/udev/rules.d").glob("*brltty*")}
    return (root == Path("/") and shutil.which("brltty") is not None and not masked) or any(
        rule.name not in masked for rule in rules
    )
