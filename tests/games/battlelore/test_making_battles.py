"""Battles made step by step: what each step does, what a look at them finds, and battles by chance."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.components import PLACE, PLACES, SEATS, TILES
from referee.games.battlelore.box.scenario import field_of, load, shipped, unit_of
from referee.games.battlelore.position.battles import BATTLES, FLIP, TURN
from referee.games.battlelore.rules.setup import LINES
from referee.games.battlelore.state.state import State
from referee.kernel.battles import MIND, UNKNOWN, WRONG
from referee.kernel.errors import InvalidAnswer
from referee.kernel.play import Play
from referee.kernel.registry import load_game

Data = Mapping[str, Any]
OPEN_FIELD = load("own_01").data


def after(data: Data, *steps: Mapping[str, Any]) -> Data:
    for step in steps:
        data = BATTLES.change(data, step)
    return data


def blank() -> Data:
    return BATTLES.blank("Zwei Hügel")


def put(place: str, unit: str = "foot blue sword", seat: str = "south") -> dict[str, str]:
    return {"do": "put", "place": place, "seat": seat, "unit": unit}


def paint(place: str, terrain: str) -> dict[str, str]:
    return {"do": "paint", "place": place, "terrain": terrain}


def setting(key: str, value: str) -> dict[str, str]:
    return {"do": "set", "key": key, "value": value}


def found(data: Data, told: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Ids of what is found, with how much it weighs."""
    return {one.text.id.partition(".")[2]: one.weight for one in BATTLES.findings(data, told or {})}


def test_what_a_tap_does_and_the_same_tap_once_more() -> None:
    """Tiles and units are laid and taken off; another kind takes the place of what is there."""
    data = after(blank(), paint("e5", "woods"), put("c3"), put("c3", "mounted red lance"))
    assert (data["id"], data["terrain"]) == ("zwei_hugel", {"woods": ["e5"]})
    assert data["units"]["south"] == ["S1 c3 mounted red 3 lance"]
    assert after(data, paint("e5", "water"))["terrain"] == {"water": ["e5"]}
    assert after(data, put("c3", "foot blue", "north"))["units"] == {
        "south": [],
        "north": ["N1 c3 foot blue 4"],
    }
    emptied = after(data, paint("e5", "woods"), put("c3", "mounted red lance"))
    assert (emptied["terrain"], emptied["units"]) == ({}, {"south": [], "north": []})
    both = after(data, put("e5"), {"do": "clear", "place": "e5"})
    assert (both["units"], both["terrain"]) == (data["units"], data["terrain"])
    assert after(both, {"do": "clear", "place": "e5"})["terrain"] == {}
    fewer = after(
        data, {"do": "figures", "place": "c3", "count": 2}, {"do": "move", "place": "c3", "to": "e5"}
    )
    assert fewer["units"]["south"] == ["S1 e5 mounted red 2 lance"]
    swapped = after(fewer, put("a1", seat="north"), {"do": "move", "place": "a1", "to": "e5"})
    assert {line.split()[1] for side in swapped["units"].values() for line in side} == {"a1", "e5"}


@pytest.mark.parametrize(
    "step",
    [
        {"do": "dig"},
        paint("z9", "woods"),
        paint("e5", "lair"),
        paint("e5", "lava"),
        put("c3", "foot pink"),
        put("c3", "foot"),
        put("c3", seat="east"),
        {"do": "figures", "place": "e5", "count": 2},
        {"do": "move", "place": "e5", "to": "e6"},
        {"do": "mirror", "how": "twice"},
        {"do": "name", "value": " \n"},
        setting("goal.south", "99"),
        setting("nothing", "yes"),
    ],
)
def test_what_cannot_be_done_changes_nothing(step: Mapping[str, Any]) -> None:
    before = BATTLES.write(OPEN_FIELD)
    with pytest.raises(InvalidAnswer):
        BATTLES.change(blank(), step)
    assert BATTLES.write(OPEN_FIELD) == before


@pytest.mark.parametrize(("how", "turned"), [(TURN, True), (FLIP, False)])
def test_a_symmetric_copy_is_its_own_picture(how: str, turned: bool) -> None:
    """Whatever lay where: each tile and unit then has its picture, and copying again changes nothing."""
    rng, data = Random(7), blank()
    for place in rng.sample(PLACES, 40):
        data = after(data, paint(place, rng.choice(TILES)))
    for place in rng.sample(PLACES, 30):
        data = after(data, put(place, "foot green bow", rng.choice(SEATS)))

    def picture(place: str) -> str:
        x, y = box.HEXES.at[PLACE[place]]
        return PLACES[box.HEXES.index[24 - x if turned else x, 8 - y]]

    data = after(data, {"do": "mirror", "how": how})
    for hexes in data["terrain"].values():
        assert {picture(at) for at in hexes} == {*hexes}
    south, north = ([unit_of(line, 0) for line in data["units"][seat]] for seat in SEATS)
    assert south and {picture(PLACES[unit.start]) for unit in south} == {PLACES[unit.start] for unit in north}
    again = after(data, {"do": "mirror", "how": how})
    assert field_of(again).terrain == field_of(data).terrain
    assert sorted(again["units"]["north"]) == sorted(data["units"]["north"])


def test_every_setting_takes_each_of_its_values() -> None:
    """And what was set is what the form shows; both kinds of battle, both ways to a council."""
    for start in (blank(), after(blank(), setting("kind", "lore")),
                  after(blank(), setting("kind", "lore"), setting("council", "printed"))):  # fmt: skip
        fields = BATTLES.settings(start)
        assert all(value in field.options for field, value in fields)
        for field, _ in fields:
            for value in field.options:
                shown = BATTLES.settings(after(start, setting(field.key, value)))
                assert {one.key: now for one, now in shown}.get(field.key, value) == value
    lore = after(
        blank(), setting("kind", "lore"), setting("master_landmarks", "yes"), setting("kind", "plain")
    )
    assert "council" not in lore and not field_of(lore).masters


def test_a_file_gives_the_same_battle_back() -> None:
    for name in shipped():
        data = load(name).data
        assert BATTLES.read(BATTLES.write(data)) == data
        assert [one for one in found(data).values() if one == WRONG] == []


WALL = [paint(place, "water") for place in PLACES if place[0] == "e"]
FINDINGS: dict[str, tuple[str, Data, Mapping[str, Any]]] = {
    "nobody_fights": (WRONG, blank(), {}),
    "on_closed": (WRONG, after(OPEN_FIELD, paint("c3", "water")), {}),
    "two_tiles": (MIND, {**OPEN_FIELD, "terrain": {"woods": ["e4"], "rampart": ["e4"]}}, {}),
    "too_few_banners": (WRONG, after(OPEN_FIELD, setting("goal.south", "12")), {}),
    "empty_section": (MIND, after(blank(), put("c1"), put("g1", seat="north")), {LINES: "fifth"}),
    "beyond_middle": (MIND, after(OPEN_FIELD, put("f5")), {}),
    "touching": (MIND, after(OPEN_FIELD, put("f5")), {}),
    "tiles_short": (WRONG, after(OPEN_FIELD, *(paint(place, "woods") for place in PLACES[39:90])), {}),
    "bearers_short": (WRONG, after(OPEN_FIELD, *(put(place, "foot green") for place in PLACES[:52])), {}),
    "tile_short": (WRONG, OPEN_FIELD, {"supply.tile.woods": "1"}),
    "unit_short": (WRONG, OPEN_FIELD, {"supply.pennant.foot_blue": "2"}),
    "one_creature": (
        WRONG, after(OPEN_FIELD, put("a1", "creature green spider"), put("a2", "creature green spider")), {},
    ),
    "supply_unknown": (UNKNOWN, OPEN_FIELD, {"supply.tile.woods": "9"}),
    "no_room": (
        WRONG,
        after(OPEN_FIELD, setting("kind", "lore"), setting("master_landmarks", "yes"),
              *(paint(place, "hill") for place in PLACES if place[0] in "cd")),
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FINDINGS)
def test_a_look_at_a_battle_finds(name: str) -> None:
    weight, data, told = FINDINGS[name]
    assert found(data, told)[name] == weight
    if data is not OPEN_FIELD:
        assert name not in found(OPEN_FIELD)


def test_ground_on_which_a_unit_starts_is_not_asked_about_and_cannot_be_closed() -> None:
    """A battle by chance had its units start on a hill that the table then called impassable."""
    text = BATTLES.write(after(OPEN_FIELD, paint("c3", "hill")))
    game = load_game("battlelore")
    play: Play[State] = Play(game, game.new_state({"scenario": text, "box": {"sections": "fifth"}}))
    asked = []
    while play.request is not None and play.request.domain == "box_book":
        asked.append(play.request.about["key"])
        play.answer(play.request.options[-1])  # type: ignore[attr-defined]
    assert "terrain.hill.stop" in asked and "terrain.hill.closed" not in asked
    assert play.state.values["terrain.hill.closed"] == "no" and game.audit(play.state) == []
    with pytest.raises(InvalidAnswer, match="C3"):
        game.new_state({"scenario": text, "box": {"terrain.hill.closed": "yes"}})


def test_banners_behind_water_are_in_reach_of_bows_only() -> None:
    swords = after(OPEN_FIELD, *WALL)
    assert found(swords).get("too_few_banners") is None, "bows shoot across"
    shorter = {**swords, "units": {
        seat: [line.replace(" bow", " sword") for line in lines] for seat, lines in swords["units"].items()
    }}  # fmt: skip
    assert found(shorter)["too_few_banners"] == WRONG


def test_what_a_box_is_known_to_hold_is_no_longer_unknown() -> None:
    told = {
        field.key: "20"
        for field in load_game("battlelore").box_book_form()
        if field.key.startswith("supply.")
    }
    assert found(OPEN_FIELD, told) == {}


def test_battles_by_chance_are_fit_to_be_played_and_can_be_had_again() -> None:
    game = load_game("battlelore")
    kinds = set()
    for seed in range(8):
        data = BATTLES.random(seed)
        assert data == BATTLES.random(seed) == BATTLES.read(BATTLES.write(data))
        assert WRONG not in found(data).values()
        kinds.add(data["kind"])
        played = game.play_out({"scenario": BATTLES.write(data)}, seed)
        assert len(played.winners) == 1 and played.turns > 1
    assert kinds == {"plain", "lore"}
