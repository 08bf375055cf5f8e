"""A real game at a real table, the firmware in simavr: the wire shows what the tablet says.

The tablet's words come from the snapshot (meaning and pattern of each place);
the colours are decoded from the WS2812 bits that the firmware sends.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from five_armies_positions import CAMP
from lights_lab import eventually, need_firmware_tools

from firmware_bridge.bridge import LightsBridge
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.led_map import LedMap
from firmware_bridge.model import RGB, ControllerModel
from firmware_bridge.protocol import StripSettings, op_fill, op_slot, pixel_value
from referee.hall.table import Table
from referee.kernel.lights import PALETTE, TRAY, Light, Meaning, lit_places
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseSecretly
from referee.store.store import Store
from web.snapshot import lights_json

pytestmark = pytest.mark.firmware

GAME: Any = load_game("five_armies")
PLACES = lit_places(GAME)
SETTINGS = StripSettings(len(PLACES), brightness=255, budget_ma=20_000)
DARK: RGB = (0, 0, 0)


def possible(light: Light) -> frozenset[RGB]:
    """Every colour that a light's pattern goes through on the wire."""
    model = ControllerModel(StripSettings(1, brightness=255, budget_ma=20_000), {}, bytearray(1))
    model.apply(op_slot(1, light.red, light.green, light.blue, light.pattern))
    model.apply(op_fill(0, 1, pixel_value(1)))
    return frozenset(model.render(clock)[0] for clock in range(0, 12_000, 3))


MEANING_ON_WIRE = {meaning.value: possible(PALETTE[meaning]) for meaning in Meaning}


class GameOnWire:
    """Table, bridge and controller; the bridge follows the table as the house does it."""

    def __init__(
        self, table: Table, bridge: LightsBridge, board: Controller, places: Sequence[str] = PLACES
    ) -> None:
        self.table, self.bridge, self.board, self.places = table, bridge, board, places
        self.random = random.Random(4)
        self.seen: set[str] = set()
        table.subscribe(lambda event: self.repaint())
        self.repaint()

    def repaint(self) -> int:
        return self.bridge.show(self.table.lights())

    def play(self, answers: int) -> None:
        """That many answers, without waiting for any light."""
        for _ in range(answers):
            request = self.table.request
            assert request is not None
            value: Any = request.sample(self.random)
            if isinstance(request, ChooseSecretly):
                for seat, part in value.items():
                    self.table.answer(seat, part, revision=self.table.revision)
            else:
                self.table.answer(request.seat, value, revision=self.table.revision)

    def on_the_tablet(self) -> dict[str, str]:
        """Place to meaning, as the snapshot of the screens tells it."""
        shown = lights_json(self.table.lights(), "de", self.table.play.game)
        assert all(light["text"] and light["meaning"] for light in shown.values())
        return {place: light["meaning"] for place, light in shown.items()}

    def agrees(self) -> bool:
        """Whether the newest pictures on the wire are what the tablet says.

        In each of them every place has a colour of its light, or is dark where the
        tablet says nothing; and each place that the tablet calls lit is lit in one of
        them (a blinking one is dark half of the time; a still picture is sent once).
        """
        wanted, lit = self.on_the_tablet(), set()
        for frame in reversed(self.board.frames()):
            picture = dict(zip(self.places, frame.colours(), strict=False))
            if len(picture) < len(self.places) or not all(
                colour in MEANING_ON_WIRE[wanted[place]] if place in wanted else colour == DARK
                for place, colour in picture.items()
            ):
                return False
            lit |= {place for place, colour in picture.items() if colour != DARK}
            if lit == set(wanted):
                return True
        return False

    def check(self) -> None:
        """Wait until everything is acknowledged, and wire and tablet agree."""
        eventually(lambda: self.bridge.status().acknowledged == self.bridge.status().wanted, 40)
        eventually(self.agrees, 40)
        self.seen |= set(self.on_the_tablet().values())


@pytest.fixture
def game(tmp_path: Path) -> Any:
    need_firmware_tools()
    with (
        Store.open(tmp_path / "games.sqlite") as store,
        Table.create(store, GAME, options={"position": CAMP}) as table,
        start_emulator(len(PLACES), kind="simavr") as board,
        LightsBridge(LedMap.identity(PLACES), port=board.port, settings=SETTINGS) as bridge,
    ):
        yield GameOnWire(table, bridge, board)


def test_the_wire_shows_what_the_tablet_says_throughout_a_game(game: GameOnWire) -> None:
    """From the position to the end: whenever something is said that was not said before, and now and then."""
    answers = 0
    while game.table.request is not None:
        if answers % 40 == 0 or set(game.on_the_tablet().values()) - game.seen:
            game.check()
        game.play(1)
        answers += 1
    game.check()
    elsewhere = {Meaning.SELECTED, Meaning.REFUSED, Meaning.AUDIT}  # what is tapped, and a comparison
    elsewhere |= {Meaning.HELD_ACTING, Meaning.HELD_OTHER}  # games of more than two seats
    elsewhere |= {Meaning.THREAT}  # games in which the board itself attacks
    assert game.seen == {meaning.value for meaning in Meaning if meaning not in elsewhere}


def test_unplugged_in_mid_game_the_game_goes_on_and_the_lights_catch_up(game: GameOnWire) -> None:
    game.check()
    before = game.table.revision
    game.board.kill()
    game.play(12)  # nobody waits for the lights
    assert game.table.revision >= before + 12
    game.board.forget()
    game.board.restart()
    game.check()
    game.play(3)
    game.check()
    assert game.bridge.status().counters["reconnects"] == 2


def test_a_board_check_lights_one_place_after_another(game: GameOnWire) -> None:
    walk = game.table.begin_board_check("free", everything=True)
    for _ in range(3):
        place = walk.current
        game.repaint()
        game.check()
        audited = {at for at, meaning in game.on_the_tablet().items() if meaning == Meaning.AUDIT.value}
        assert audited == {place}
        assert place is not None
        game.table.answer_board_check("free", place, "right")
    game.table.end_board_check("shadow")
    game.check()
    assert Meaning.AUDIT.value not in game.on_the_tablet().values()


def test_the_tray_is_lit_while_dice_are_awaited(game: GameOnWire) -> None:
    for _ in range(200):
        if TRAY in game.on_the_tablet():
            break
        game.play(1)
    assert game.on_the_tablet()[TRAY] == Meaning.WAITING_DICE.value, "no dice were asked for"
    game.check()


BATTLE = """\
game: battlelore
scenario:
  id: on_the_wire
  sections: inward
  first: south
  victory_banners: {south: 2, north: 2}
  units:
    south: [S1 d5 foot blue 3, S2 d7 mounted blue 3 long, S3 c6 foot green 3 bow]
    north: [N1 f6 foot blue 3, N2 f7 mounted blue 3 long, N3 g6 foot green 3 bow]
"""


def test_a_battle_on_113_hexes_shows_on_the_wire_what_the_tablet_says(tmp_path: Path) -> None:
    """From the first card to the last banner: commands, ways, targets, fights; the half hexes stay dark."""
    need_firmware_tools()
    battle: Any = load_game("battlelore")
    options = {"scenario": BATTLE}
    places = lit_places(battle, options)
    settings = StripSettings(len(places), brightness=255, budget_ma=20_000)
    halves = {key for key, place in battle.board(options).places.items() if place.kind == "rock"}
    with (
        Store.open(tmp_path / "games.sqlite") as store,
        Table.create(store, battle, options=options) as table,
        start_emulator(len(places), kind="simavr") as board,
        LightsBridge(LedMap.identity(places), port=board.port, settings=settings) as bridge,
    ):
        game = GameOnWire(table, bridge, board, places)
        answers = 0
        while table.request is not None:
            said = game.on_the_tablet()
            assert not halves & said.keys()
            if answers % 150 == 0 or set(said.values()) - game.seen:
                game.check()
            game.play(1)
            answers += 1
        game.check()
    wanted = {Meaning.ORIGIN, Meaning.TARGET, Meaning.FIGHT, Meaning.CONTROL_A, Meaning.CONTROL_B}
    wanted |= {Meaning.WAITING_DICE, Meaning.TURN}
    assert {meaning.value for meaning in wanted} <= game.seen
