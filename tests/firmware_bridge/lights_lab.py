"""What the tests of the lights share."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from firmware_bridge.emulator import Controller, StripPicture, why_not_simavr
from firmware_bridge.link import Link
from firmware_bridge.protocol import Ack, Hello, Send, StripSettings

PLACES = [f"r{n}" for n in range(105)]
FULL = StripSettings(105, brightness=255, budget_ma=20_000)
"""No dimming, no budget in the way."""


on_both_boards = pytest.mark.parametrize("board", ["simavr", "pico"], indirect=True)
"""On the Arduino in simavr and on the Raspberry Pi Pico in rp2040js."""


def need_firmware_tools(reason: str | None = None) -> None:
    """Skip with the reason (default: what keeps simavr from running), or fail where the firmware must be
    tested."""
    if reason is None:
        reason = why_not_simavr()
    if reason and os.environ.get("REFEREE_REQUIRE_FIRMWARE") == "1":
        pytest.fail(f"REFEREE_REQUIRE_FIRMWARE=1, but {reason}")
    if reason:
        pytest.skip(f"firmware not tested: {reason}")


def eventually(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something holds; AssertionError if it never does."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "did not happen"
        time.sleep(0.005)


def started_by_the_watchdog(line: Link) -> Hello:
    """The greeting of a controller whose watchdog got it out of a hang, once it has come."""

    def came() -> bool:
        line.wait(0.05)
        return line.greeting is not None and line.greeting.reset_cause == 8

    eventually(came)
    assert line.greeting is not None
    return line.greeting


def shown(controller: Controller) -> list[tuple[int, int, int]]:
    """The colours that the strip has; none before the controller has told of its first picture, which it does
    a little after it acknowledged it."""
    pictures = controller.frames()
    return list(pictures[-1].colours()) if pictures else []


def update(link: Link, *ops: bytes, show: bool = True) -> Ack:
    """Send one UPDATE and return its acknowledgement."""
    answer = link.exchange(Send.UPDATE, bytes([show]) + b"".join(ops), 0.2)
    assert isinstance(answer, Ack)
    return answer


def configure(link: Link, settings: StripSettings) -> None:
    """Send one CONFIG."""
    assert isinstance(link.exchange(Send.CONFIG, settings.body(), 0.2), Ack)


def lit(board: Controller) -> StripPicture:
    """The first picture that is not dark."""
    return board.wait_for(lambda picture: not picture.dark)


def settle(board: Controller, line: Link) -> None:
    """Until the reset that opening causes is over, on boards where it does."""
    if board.kind == "pico":
        return
    board.wait_for_event("reset")
    time.sleep(0.1)  # its greeting
    line.wait(0)


def born(board: Controller) -> float:
    """When the program that runs now started, in the controller's time."""
    return max(float(str(e["t"])) for e in board.events() if e["event"] in ("power", "reset"))
