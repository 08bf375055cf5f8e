"""Whole battles of BattleLore by two scripted seats, from the first question to the confirmed result: units
tapped on the hexes, dice thrown in the tray; one with secret councils, lore cards and reactions."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from driving import ENGINES, Seat
from tables import RunningTable
from test_pages import overflow

from referee.games.battlelore.box.components import DISTANCE, PLACES, SEATS
from referee.games.kit.places import places_in

WIDE, TALL = (1180, 820), (820, 1180)
A_BATTLE_S = 280.0
BATTLE = """\
game: battlelore
scenario:
  id: at_the_ford
  name: {en: "At the Ford", de: "An der Furt"}
  kind: lore
  sections: inward
  first: south
  victory_banners: {south: 2, north: 2}
  command_hand: by commander
  council: {made: by choice in secret, levels: {south: 6, north: 6}}
  terrain: {woods: [e4, e9], water: [e6, e8], ford: [e7], rampart: [d9, f4]}
  units:
    south: [S1 c5 foot blue 3 sword, S2 d6 foot red 3 long, S3 c8 foot green 3 bow, S4 c7 mounted blue 3 long,
      S5 d9 foot blue 3 sword dwarf]
    north: [N1 g9 foot blue 3 sword, N2 f7 foot red 3 long, N3 g6 foot green 3 bow, N4 g7 mounted blue 3 long,
      N5 f4 foot blue 3 sword goblin]
  decks: {command: practice, lore: practice}
"""
REACTIONS = ("war_4", "cle_4", "rog_3", "cle_2", "wiz_4")
LORE = ("lore_card", "wiz_1", "war_5", "war_1", "rog_2", "war_3", "wiz_5", "rog_1", "war_2")
COMMAND = ("sec_15", "sec_14", "sec_8", "sec_11", "tac_2", "sec_16", "sec_17", "sec_13", "sec_5")
COUNCIL = ("warrior", "cleric")
AFTER = ("battle_back", "yes", "card_and_token")


class Battle:
    """Two devices in battle, and what the record says of it."""

    def __init__(self, table: RunningTable, devices: list[Seat]) -> None:
        self.table = table
        self.hall: Any = table.hall.table
        self.devices = dict(zip(SEATS, devices, strict=True))
        self.asked: list[tuple[str, Any]] = []
        """(question, answer) of each move."""
        self.hall.subscribe(self._note)

    def _note(self, event: Any) -> None:
        if event.request:
            self.asked.append((str(event.request.get("prompt", "")).removeprefix("prompt."), event.answer))

    @property
    def prompts(self) -> set[str]:
        """All that was asked."""
        return {prompt for prompt, _ in self.asked}

    def answers(self, *prompts: str) -> set[str]:
        """What was answered to these questions."""
        return {answer for prompt, answer in self.asked if prompt in prompts and isinstance(answer, str)}

    def lead(self) -> None:
        """Tell the hands of whoever is asked what a player likes: lore, then what is near the enemy."""
        with self.table.web.hub.lock:
            state, seats = self.hall.play.state, self.hall.asked_seats
            liked = {
                seat: [*COUNCIL, *REACTIONS, *LORE, *COMMAND, *AFTER, *nearest(state, seat)] for seat in seats
            }
        for seat, plan in liked.items():
            self.devices[seat].driver.execute_script("window.playerPrefers = arguments[0]", plan)

    def until(self, ends: Any) -> None:
        """Play on until ``ends()``, or the battle is over."""
        end = time.monotonic() + A_BATTLE_S
        while self.hall.outcome is None and not ends():
            self.lead()
            said = " | ".join(seat.text("#ask")[-400:] for seat in self.devices.values())
            assert time.monotonic() < end, said
            time.sleep(0.05)


def nearest(state: Any, seat: str) -> list[str]:
    """All hexes, those nearest to an enemy first."""
    enemies = [*places_in(state.stand[1 - SEATS.index(seat)])] or [0]
    near = sorted(range(len(PLACES)), key=lambda at: min(DISTANCE[at][enemy] for enemy in enemies))
    return [PLACES[at] for at in near]


def sat_down(table: RunningTable, devices: list[Seat]) -> Battle:
    """German and wide by day, English and tall in the evening."""
    south, north = devices
    south.sit(table, "south", "de", WIDE)
    north.theme("dark")
    north.sit(table, "north", "en", TALL)
    for device in devices:
        device.expected = ["409"]  # these hands are faster than the stream: a stale tap is refused
    return Battle(table, devices)


def fought_out(battle: Battle, name: str) -> set[str]:
    """Play on by both devices, turned after the first banner, to the confirmed result; what was tapped."""
    devices = [*battle.devices.values()]
    for number, seat in enumerate(devices):
        seat.play_on(20 + number, 20)
    battle.until(lambda: any(battle.hall.play.state.banners))
    for seat, size in zip(devices, (TALL, WIDE), strict=True):
        seat.size(*size)
        seat.until(lambda s=seat: overflow(s) <= 0, "as wide as the screen that was turned")
        assert seat.ids_on_screen() == []
    battle.until(lambda: False)
    tapped = {what for seat in devices for what in seat.played()}
    for seat in devices:
        seat.until(lambda seat=seat: seat.find('[data-key="confirm-result"]'), "the result")
        seat.shot(f"{name}-over-{seat.engine}")
        assert seat.ids_on_screen() == []
        seat.tap("confirm-result")
        seat.until(lambda seat=seat: seat.find('[data-key="confirm-result"]') is None, "the end")
    return tapped


@pytest.mark.timeout(400)
@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_a_shipped_battle_from_its_first_card_to_its_last_banner(tmp_path: Path, devices: list[Seat]) -> None:
    table = RunningTable(tmp_path, "battlelore", options={"scenario": "own_01", "box": {"sections": "fifth"}})
    try:
        battle = sat_down(table, devices)
        tapped = fought_out(battle, "battlelore")
        assert max(battle.hall.play.state.banners) == battle.hall.play.state.field.goals[0]
        assert {"command_card", "order_unit", "move_to", "roll_attack"} <= battle.prompts
        assert {"place", "option", "throw", "accept"} <= tapped
    finally:
        table.close()


@pytest.mark.timeout(400)
@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_a_whole_lore_battle_with_reactions(tmp_path: Path, devices: list[Seat]) -> None:
    """What no box told is asked; councils in secret, a standing wish, lore and reactions."""
    table = RunningTable(tmp_path, "battlelore", options={"scenario": BATTLE})
    try:
        battle, south = sat_down(table, devices), devices[0]
        hits = south.driver.execute_script("return document.querySelectorAll('.hit[data-place]').length")
        assert hits == len(PLACES) == 113
        south.tap("menu")
        south.tap("menu-wishes")
        south.tap("wish-react_rolled-flags")
        south.until(lambda: battle.hall.wishes_of("south")["react_rolled"] == "flags", "the wish")
        tapped = fought_out(battle, "battlelore-lore")
        assert {"ask_terrain_stop", "council", "take_lore", "lore_card", "react_attacked"} <= battle.prompts
        assert battle.answers("react_attacked", "react_rolled", "react_lore") & {*REACTIONS}
        assert battle.answers("lore_card") & {*LORE, "rog_5", "rog_4", "cle_5"}
        assert {"place", "option", "more", "throw", "accept"} <= tapped
    finally:
        table.close()


LINE = """\
game: battlelore
position:
  scenario:
    id: line
    sections: inward
    victory_banners: {south: 4, north: 4}
    units:
      south: [S1 e3 foot green 4 bow, S2 e4 foot blue 4]
      north: [N1 e6 foot blue 4, N2 g3 foot blue 4]
  phase: 4
  to_act: south
  ordered: [S1]
"""


def test_the_odds_of_a_blow_are_told_while_it_is_chosen(tmp_path: Path, devices: list[Seat]) -> None:
    """Its button is as wide as its word, and stays when a unit was tapped that has but one target."""
    table = RunningTable(tmp_path, "battlelore", options={"position": LINE})
    seat = devices[0]
    room = "const e = document.querySelector('[data-key=odds]'); return e.scrollWidth <= e.clientWidth"
    try:
        seat.sit(table, "south", "en", WIDE)
        for tapped in ("", "e3"):
            if tapped:
                seat.tap_place(tapped)
                seat.until(lambda: seat.find('#ask [data-key="confirm"]:not(:disabled)'))
            seat.until(lambda: seat.find('[data-key="odds"]'), "the odds")
            assert seat.driver.execute_script(room)
            seat.tap("odds")
            seat.until(lambda: seat.find('[data-odds="e3-g3"]'))
            seat.tap_on('#dialog [data-key="close"]')
    finally:
        table.close()


SLOW_TRIALS = """
const ask = window.fetch;
const slow = (args) => new Promise((done) => setTimeout(() => done(ask(...args)), 900));
window.fetch = (...args) => (String(args[0]).endsWith('/preview') ? slow(args) : ask(...args));
"""


def test_levels_stand_though_the_other_seat_chose_meanwhile(tmp_path: Path, devices: list[Seat]) -> None:
    """The trial of the last amount came too late: nobody could confirm before he changed an amount."""
    box = {f"terrain.{kind}.{name}": "no" for kind in ("ford", "rampart") for name in ("stop", "sight")}
    box |= {f"terrain.{kind}.{name}": "yes" for kind in ("ford", "rampart") for name in ("fight",)}
    box |= {f"terrain.{kind}.cap": "9" for kind in ("ford", "rampart")}
    box |= {f"terrain.{kind}.bold": "0" for kind in ("ford", "rampart")}
    table = RunningTable(tmp_path, "battlelore", options={"scenario": BATTLE, "box": box}, until="council")
    seat, hall = devices[0], table.hall.table
    assert hall is not None
    try:
        seat.sit(table, "south", "en", WIDE)
        seat.expected = ["409"]
        for _ in range(3):
            seat.tap("more-wizard")
        for _ in range(2):
            seat.tap("more-commander")
        seat.driver.execute_script(SLOW_TRIALS)
        seat.tap("more-commander")
        with table.web.hub.lock:
            hall.answer("north", {"commander": 3, "rogue": 3}, revision=hall.revision)
        seat.until(lambda: seat.find('#ask [data-key="confirm"]:not(:disabled)'), "the button")
        seat.tap("confirm")
        seat.until(lambda: sum(hall.play.state.council[0]) == 6, "both councils")
    finally:
        table.close()
