"""A real game position, its question and a finger on the board: the colours on the wire."""

from __future__ import annotations

from typing import Any

import pytest
from five_armies_positions import CAMP
from lights_lab import eventually

from firmware_bridge.bridge import LightsBridge
from firmware_bridge.emulator import Controller
from firmware_bridge.led_map import LedMap
from firmware_bridge.model import RGB, ControllerModel
from firmware_bridge.protocol import StripSettings, op_fill, op_slot, pixel_value
from referee.kernel.lights import PALETTE, Light, Lights, Meaning, Selection, lights_for
from referee.kernel.play import Play
from referee.kernel.registry import load_game

pytestmark = pytest.mark.firmware


def _possible(light: Light, settings: StripSettings) -> set[RGB]:
    """Every colour that this light's pattern goes through on the wire."""
    model = ControllerModel(settings, {}, bytearray(1))
    model.apply(op_slot(1, light.red, light.green, light.blue, light.pattern))
    model.apply(op_fill(0, 1, pixel_value(1)))
    return {model.render(clock)[0] for clock in range(0, 12_000, 3)}


def test_the_lights_of_a_real_question_are_on_the_wire(board: Controller) -> None:
    game: Any = load_game("five_armies")
    places = list(game.board().places)
    led_map = LedMap.identity(places)
    play: Any = Play(game, game.new_state({"position": CAMP}))
    settings = StripSettings(len(places), brightness=255, budget_ma=20_000)
    alone = StripSettings(1, brightness=255, budget_ma=20_000)
    allowed = {light: _possible(light, alone) for light in PALETTE.values()}

    def on_the_wire(wanted: Lights) -> bool:
        picture = board.frames()[-1].colours()[: len(places)]
        dark = all(picture[n] == (0, 0, 0) for n, place in enumerate(places) if place not in wanted)
        return dark and all(picture[places.index(place)] in allowed[light] for place, light in wanted.items())

    with LightsBridge(led_map, port=board.port, settings=settings) as bridge:
        seen: set[Meaning] = set()
        for answer in ("strategic_move", "ruins_of_dale", None):
            lights = lights_for(game, play.state, play.request)
            number = bridge.show(lights)
            eventually(lambda number=number: bridge.status().acknowledged == number)  # type: ignore[misc]
            eventually(lambda lights=lights: on_the_wire(lights))  # type: ignore[misc]
            seen |= {meaning for meaning, light in PALETTE.items() if light in lights.values()}
            if answer:
                play.answer(answer)
        assert {Meaning.ORIGIN, Meaning.TARGET, Meaning.CONTROL_A} <= seen
        finger = Selection(selected=("v_east_hill",), refused="eyrie")
        tapped = lights_for(game, play.state, play.request, finger)
        bridge.show(tapped)
        eventually(lambda: on_the_wire(tapped))
        wire = board.frames()[-1].colours()
        assert wire[places.index("v_east_hill")] == (255, 255, 255), "selected is white and steady"
        assert tapped["eyrie"] == PALETTE[Meaning.REFUSED]
        board.kill()  # unplugged in the middle of the question ...
        board.forget()
        board.restart()  # ... and plugged in again
        eventually(lambda: bool(board.frames()) and on_the_wire(tapped) and not board.frames()[-1].dark)
