"""Makes ``tests/`` importable (``import toy_game``), and what holds for all tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings

MEMORY = Path("/dev/shm")
ROOM = 2**30
"""Bytes that folders of tests and browsers may need at once, with plenty to spare."""


def in_memory() -> None:
    """Temporary folders, those of processes that tests start too, are in memory where it has room: a record
    syncs each answer twice, and thousands of answers would wait for the disk."""
    if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # looked up anew


in_memory()
# how long an example takes says how busy the machine is, not whether the code is right
settings.register_profile("any_machine", deadline=None)
settings.load_profile("any_machine")
