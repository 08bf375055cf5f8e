"""Makes ``tests/`` importable (``import toy_game``), and what holds for all tests."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from itertools import zip_longest
from pathlib import Path

import pytest
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
# workers share the cores: threads of their own cost a third more (set before numpy and OpenCV are loaded)
for threads in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
# each full collection looks through all that was ever imported: a tenth of the time of tests without browser
gc.set_threshold(50_000, 20, 50)
# how long an example takes says how busy the machine is, not whether the code is right
settings.register_profile("any_machine", deadline=None)
settings.load_profile("any_machine")

LONGEST = (
    "browser/test_whole_game.py",
    "browser/test_toy.py",
    "browser/test_war_of_the_ring.py",
    "browser/test_board_view.py",
    "browser/test_sitting.py",
    "vision/tray/test_trayreader.py",
    "browser/test_pages.py",
    "browser/test_first_game.py",
    "vision/test_reader_photos.py",
    "browser/test_helping.py",
    "browser/test_many_seats_pages.py",
    "browser/test_always_in_sight.py",
    "browser/test_mountain_king.py",
    "browser/test_battlelore.py",
    "browser/test_five_armies.py",
    "browser/test_setup_pages.py",
    "soak/test_evening.py",
)
"""Files that take a minute or so each, the longest first: workers take a file at a time, and one that began
with one of these at last would keep the others waiting."""
WAITING = (
    "firmware_bridge/test_lights_firmware.py",
    "table/test_stopping.py",
    "firmware_bridge/test_lights_bridge.py",
    "table/test_serve.py",
    "record/test_kill.py",
    "firmware_bridge/test_lights_drivers.py",
    "firmware_bridge/test_lights_bootloaders.py",
    "table/test_networks.py",
    "firmware_bridge/test_lights_flashing.py",
    "table/test_soak.py",
    "web/test_clocks.py",
)
"""Files that mostly wait, for a clock or another process: beside browsers, which need all of a core."""


def in_turn() -> list[str]:
    """The files that are done first: long ones and waiting ones by turns."""
    pairs = zip_longest(LONGEST, WAITING)
    return [name for pair in pairs for name in pair if name is not None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, in turn with those that wait; else as they are found."""
    ranks = {Path(__file__).parent / name: rank for rank, name in enumerate(in_turn())}
    items.sort(key=lambda item: ranks.get(item.path, len(ranks)))
