"""Odds on the tablet: for the targets of an attack and the fight that is on; house rule and tournament."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_hall import FakeHall, open_wide
from screens import Screen

from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from web.app import create_app

SHADOW, FREE = "v_dale_south_plain", "v_dale_west_plain"
MARCH = ["army", "attack", SHADOW, "stay"]
POSITION = f"""\
game: five_armies
title: Odds
position:
  turn: 3
  phase: 5
  to_act: shadow
  unused_dice: {{free: [muster, event], shadow: [army, army, eye]}}
  regions:
    {SHADOW}: {{side: shadow, units: {{orcs: 3, goblins: 2}}, leadership: 1}}
    {FREE}: {{side: free, units: {{lake_men: 2, dwarf_veterans: 1}}, characters: [bard]}}
"""


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[FakeHall]:
    """A hall with nothing on its table yet."""
    hall = FakeHall(tmp_path, [load_game("five_armies")])
    yield hall
    hall.close()


def seated(hall: FakeHall, *, tournament: bool = False, **options: Any) -> dict[str, Screen]:
    """A device at each seat of a game from the position."""
    told = {"position": POSITION, **options}
    hall.start(NewGame("five_armies", {"free": "Anna", "shadow": "Bert"}, "", told, tournament))
    app = open_wide(create_app(hall))
    screens = {seat: Screen(app) for seat in ("free", "shadow")}
    for seat, screen in screens.items():
        screen.sit(seat, "en")
    return screens


def asked(screen: Screen, seat: str, values: list[Any]) -> Any:
    table = screen.state(seat)["table"]
    return screen.post(f"/api/seat/{seat}/odds", {"values": values, "revision": table["revision"]})


def test_odds_of_each_target_and_of_the_answer_to_it(hall: FakeHall) -> None:
    screens = seated(hall)
    shadow = screens["shadow"]
    revision = shadow.state("shadow")["table"]["revision"]
    draft = shadow.post("/api/seat/shadow/preview", {"values": MARCH, "revision": revision}).json
    assert draft["odds"]
    own, back = asked(shadow, "shadow", MARCH).json["fights"]
    assert (own["attacker"], own["from"], own["to"]) == ("shadow", SHADOW, FREE)
    assert (back["attacker"], back["from"], back["to"]) == ("free", FREE, SHADOW)
    # no ford, no slope, no fortification: who attacks makes no difference
    assert own["fight"]["ends"]["attacker"] == pytest.approx(back["fight"]["ends"]["defender"])
    assert len(own["round"]["hits"][0]) == 1 + 5 and len(own["round"]["hits"][1]) == 1 + 4
    assert any("cards" in line for line in own["without"])
    # another question has none, and neither has who is not asked while nobody fights
    assert asked(shadow, "shadow", []).json == {"fights": []}
    assert asked(screens["free"], "free", []).json == {"fights": []}


def test_both_seats_may_ask_for_the_odds_of_a_fight_that_is_on(hall: FakeHall) -> None:
    screens = seated(hall)
    shadow, free = screens["shadow"], screens["free"]
    revision = shadow.state("shadow")["table"]["revision"]
    values = [*MARCH, FREE]
    assert shadow.post("/api/seat/shadow/answer", {"values": values, "revision": revision}).status_code == 200
    for screen, seat in ((shadow, "shadow"), (free, "free")):
        assert screen.state(seat)["table"]["odds"]
        (fight,) = asked(screen, seat, []).json["fights"]
        assert (fight["attacker"], fight["to"]) == ("shadow", FREE)
    # who sits nowhere gets none
    assert asked_without_seat(free) == 403


def asked_without_seat(screen: Screen) -> int:
    """What the other seat's odds answer to a device that does not hold it."""
    return int(screen.post("/api/seat/shadow/odds", {"values": [], "revision": 0}).status_code)


@pytest.mark.parametrize("how", [{"tournament": True}, {"odds": "never"}])
def test_a_tournament_and_a_table_that_wants_none_tell_no_odds(hall: FakeHall, how: dict[str, Any]) -> None:
    shadow = seated(hall, **how)["shadow"]
    revision = shadow.state("shadow")["table"]["revision"]
    draft = shadow.post("/api/seat/shadow/preview", {"values": MARCH, "revision": revision}).json
    assert not draft["odds"]
    assert asked(shadow, "shadow", MARCH).status_code == 403


def test_the_start_page_offers_the_house_rule_and_the_header_keeps_it(hall: FakeHall) -> None:
    screen = seated(hall)["shadow"]
    nobody = {"free": "", "shadow": ""}
    chosen = {"game": "five_armies", "players": nobody, "table_name": "", "house": {"odds": "never"}}
    assert screen.post("/api/games/new", chosen).status_code == 200
    table = hall.table
    assert table is not None
    assert table.header["options"]["odds"] == "never"
    assert "odds" not in table.play.state.house
