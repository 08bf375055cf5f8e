"""A real game position, its question and a finger on the board: the colours on the wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from five_armies_positions import CAMP
from lights_lab import eventually, need_firmware_tools, shown

from firmware_bridge.bridge import LightsBridge
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.led_map import LedMap
from firmware_bridge.model import RGB, ControllerModel
from firmware_bridge.protocol import StripSettings, op_fill, op_slot, pixel_value
from referee.hall.board_check import BoardCheck
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


def _allowed() -> dict[Light, set[RGB]]:
    alone = StripSettings(1, brightness=255, budget_ma=20_000)
    return {light: _possible(light, alone) for light in PALETTE.values()}


def _watching(board: Controller, places: list[str]) -> Callable[[Lights], bool]:
    """Says whether the wire shows some lights, and nothing else."""
    allowed = _allowed()

    def on_the_wire(wanted: Lights) -> bool:
        picture = shown(board)[: len(places)]
        if len(picture) < len(places):
            return False  # still the strip of before
        dark = all(picture[n] == (0, 0, 0) for n, place in enumerate(places) if place not in wanted)
        return dark and all(picture[places.index(place)] in allowed[light] for place, light in wanted.items())

    return on_the_wire


LINE = """\
game: battlelore
position:
  scenario:
    id: line
    sections: inward
    victory_banners: {south: 4, north: 4}
    terrain: {woods: [a1]}
    units:
      south: [S1 e3 foot green 4 bow, S2 e4 foot blue 4]
      north: [N1 e6 foot blue 4, N2 g3 foot blue 4, N3 c3 foot blue 4]
  phase: 4
  to_act: south
  ordered: [S1]
"""


def test_a_board_of_113_hexes_shows_what_cuts_a_line_and_what_is_laid() -> None:
    need_firmware_tools()
    game: Any = load_game("battlelore")
    places = [key for key, place in game.board().places.items() if place.kind != "rock"]
    assert len(places) == 113
    play: Any = Play(game, game.new_state({"position": LINE}))
    play.answer("e3")
    refusal = play.request.why_not("e6")
    finger = Selection(selected=("e3",), refused="e6", way=tuple(refusal.params["places"]))
    tapped = lights_for(game, play.state, play.request, finger)
    assert [place for place, light in tapped.items() if light == PALETTE[Meaning.REFUSED]] == ["e4", "e6"]
    settings = StripSettings(len(places), brightness=255, budget_ma=20_000)
    with (
        start_emulator(len(places), kind="simavr") as board,
        LightsBridge(LedMap.identity(places), port=board.port, settings=settings) as bridge,
    ):
        on_the_wire = _watching(board, places)
        bridge.show(tapped)
        eventually(lambda: on_the_wire(tapped))
        walk = BoardCheck.laying([*game.tiles(play.state)], ["e3"])
        for place in ("a1", "e3"):
            lit = walk.lights(lights_for(game, play.state, None))
            assert lit[place] == PALETTE[Meaning.AUDIT]
            bridge.show(lit)
            eventually(lambda lit=lit: on_the_wire(lit))  # type: ignore[misc]
            walk.answer(True)


def test_the_lights_of_a_real_question_are_on_the_wire(board: Controller) -> None:
    game: Any = load_game("five_armies")
    places = list(game.board().places)
    led_map = LedMap.identity(places)
    play: Any = Play(game, game.new_state({"position": CAMP}))
    settings = StripSettings(len(places), brightness=255, budget_ma=20_000)
    on_the_wire = _watching(board, places)
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
