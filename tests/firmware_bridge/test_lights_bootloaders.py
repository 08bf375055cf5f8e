"""The firmware behind the bootloaders that real boards carry: after a hang it is there again, and says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bootloaders import BOOTLOADERS, need_bootloaders
from lights_lab import FULL, configure, lit, started_by_the_watchdog, update

from firmware_bridge.emulator import Controller
from firmware_bridge.emulator.process import SimavrController
from firmware_bridge.link import Counters, Link, open_port
from firmware_bridge.protocol import Hello, Send, Stats, op_fill, op_slot, pixel_value
from referee.kernel.lights import Pattern

pytestmark = pytest.mark.firmware
WHITE = op_slot(1, 255, 255, 255, Pattern.STEADY)


@pytest.fixture(params=BOOTLOADERS, ids=lambda make: make.__name__)
def clone(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Controller]:
    """A board with that bootloader, with 105 pixels."""
    need_bootloaders()
    controller = SimavrController(105, seed=1, boot_ms=0, link=None, bootloader=request.param(tmp_path))
    with controller:
        yield controller


@contextmanager
def answering(board: Controller) -> Iterator[tuple[Link, Hello]]:
    """The line to a board, and its answer once the bootloader has given up."""
    line = Link(open_port(board.port), Counters())
    try:
        assert line.hello(60), "the program answers once the bootloader has given up"
        line.wait(0.3)
        answer = line.hello(60)  # the first may have met the program before the reset
        assert answer is not None
        line.greeting = None
        yield line, answer
    finally:
        line.close()


def watchdogs(board: Controller) -> int:
    return sum(event["event"] == "watchdog" for event in board.events())


def test_a_hang_ends_after_one_start(clone: Controller) -> None:
    with answering(clone) as (line, before):
        configure(line, FULL)
        update(line, WHITE, op_fill(0, 3, pixel_value(1)))
        lit(clone)
        clone.forget()
        seen = watchdogs(clone)
        clone.hang()
        assert clone.wait_for(lambda picture: True).dark, "dark before anything else"
        after = started_by_the_watchdog(line)
        assert after.epoch == (before.epoch + 1) % 256
        stats = line.exchange(Send.STATS)
        assert isinstance(stats, Stats) and stats.watchdog_resets == 1
        line.wait(1.5)  # three periods of the watchdog: nothing bites again
        assert watchdogs(clone) == seen + 1 and line.greeting == after


def test_what_happened_outlives_the_reset_by_the_next_opening(clone: Controller) -> None:
    with answering(clone) as (line, _):
        clone.hang()
        started_by_the_watchdog(line)
    clone.wait_for_event("closed")
    with answering(clone) as (again, hello):
        assert hello.reset_cause != 8, "the last start was the opening's"
        stats = again.exchange(Send.STATS)
        assert isinstance(stats, Stats) and stats.watchdog_resets == 1
