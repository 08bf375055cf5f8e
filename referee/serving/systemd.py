"""Talking to systemd: ready, still alive, stopping.  Does nothing where systemd did not start us."""

from __future__ import annotations

import os
import socket
from contextlib import suppress


def notify(message: str) -> bool:
    """Send ``READY=1``, ``WATCHDOG=1`` or ``STOPPING=1``; False where nobody listens (see sd_notify(3))."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock:
        sock.sendto(message.encode(), address)
        return True
    return False


def watchdog_period() -> float | None:
    """Seconds between two signs of life, half of what systemd allows; None where there is no watchdog."""
    try:
        allowed = int(os.environ.get("WATCHDOG_USEC", ""))
    except ValueError:
        return None
    return allowed / 2e6 if allowed > 0 else None
