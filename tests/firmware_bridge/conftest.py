"""Controllers for the tests: the firmware in simavr, or the Python model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from lights_lab import PLACES, need_firmware_tools

from firmware_bridge.bridge import LightsBridge
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.led_map import LedMap
from firmware_bridge.link import Counters, Link, open_port


@pytest.fixture
def board() -> Iterator[Controller]:
    """The firmware in simavr with 105 pixels."""
    need_firmware_tools()
    with start_emulator(105, kind="simavr") as controller:
        yield controller


@pytest.fixture(params=["simavr", "python"])
def controller(request: pytest.FixtureRequest) -> Iterator[Controller]:
    """Each of the two stand-ins with 105 pixels."""
    if request.param == "simavr":
        need_firmware_tools()
    with start_emulator(105, kind=request.param) as it:
        yield it


@pytest.fixture
def link(board: Controller) -> Iterator[Link]:
    """A bare line to the firmware, after HELLO."""
    line = Link(open_port(board.port), Counters())
    assert line.hello(5)
    board.wait_for_event("reset")
    time.sleep(0.1)  # the greeting of the reset that opening caused
    line.wait(0)
    yield line
    line.close()


@pytest.fixture
def led_map() -> LedMap:
    return LedMap.identity(PLACES)


@pytest.fixture
def bridge_to() -> Iterator[Callable[..., LightsBridge]]:
    """Makes bridges and closes them in the end."""
    made: list[LightsBridge] = []

    def make(controller: Controller, **more: object) -> LightsBridge:
        bridge = LightsBridge(LedMap.identity(PLACES), port=controller.port, **more)  # type: ignore[arg-type]
        made.append(bridge)
        return bridge

    yield make
    for bridge in made:
        bridge.close()
