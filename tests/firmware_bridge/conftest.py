"""Controllers for the tests: the firmware in simavr, or the Python model."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from lights_lab import PLACES, need_firmware_tools, settle
from pico_board import PicoController, need_pico_tools

from firmware_bridge.bridge import LightsBridge
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.led_map import LedMap
from firmware_bridge.link import Counters, Link, open_port


@pytest.fixture(scope="session")
def pico() -> Iterator[PicoController]:
    """The firmware of the Raspberry Pi Pico in rp2040js with 105 pixels, one process for all tests."""
    need_pico_tools()
    with PicoController(105) as controller:
        assert isinstance(controller, PicoController)
        yield controller


@pytest.fixture
def board(request: pytest.FixtureRequest) -> Iterator[Controller]:
    """The firmware with 105 pixels: in simavr, and on a Pico too where a test is marked `on_both_boards`."""
    if getattr(request, "param", "simavr") == "pico":
        pico = request.getfixturevalue("pico")
        pico.power_cycle()
        yield pico
        return
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
    assert line.hello(60)
    settle(board, line)
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
