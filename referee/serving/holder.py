"""Who listens on a port, as far as /proc tells."""

from __future__ import annotations

import os
from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"


def holder_of(port: int) -> str:
    """``name (process 123)`` of whoever listens on a TCP port; "" where it cannot be known."""
    inodes = _inodes(port)
    if not inodes:
        return ""
    for process in PROC.iterdir():
        if process.name.isdigit() and _holds(process, inodes):
            try:
                name = (process / "comm").read_text("utf-8", "replace").strip()
            except OSError:
                name = "?"
            return f"{name} (process {process.name})"
    return ""


def _inodes(port: int) -> set[str]:
    found = set()
    for table in ("tcp", "tcp6"):
        try:
            lines = (PROC / "net" / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            cells = line.split()
            if cells[3] == LISTENING and int(cells[1].rsplit(":", 1)[1], 16) == port:
                found.add(f"socket:[{cells[9]}]")
    return found


def _holds(process: Path, inodes: set[str]) -> bool:
    try:
        entries = list((process / "fd").iterdir())
    except OSError:
        return False
    return any(_target(entry) in inodes for entry in entries)


def _target(entry: Path) -> str:
    """What a file descriptor leads to; "" for one that was closed since it was listed."""
    try:
        return os.readlink(entry)
    except OSError:
        return ""
