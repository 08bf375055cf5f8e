"""Corrections by an arbiter or by the players, and the forms of box book and house rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.war_of_the_ring.box.map import PLACES
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.position.correct import CORRECTIONS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.errors import InvalidAnswer
from referee.kernel.forms import check_value
from referee.kernel.play import Play


def some_state(seed: int, answers: int = 700) -> State:
    rng = Random(seed)
    play: Play[State] = Play(GAME, GAME.new_state({}), audit=False)
    while play.request is not None and (play.answered < answers or play.state.phase != 5):
        play.answer(play.request.sample(rng))
    assert play.kept is not None
    return GAME.copy(play.kept)


def corrected(state: State, *primitives: dict[str, Any]) -> State:
    for primitive in primitives:
        GAME.correct(state, primitive)
    return state


def test_figures_come_from_the_reinforcements_and_go_back() -> None:
    state = some_state(1)
    corrected(
        state,
        {"do": "figures", "place": "pelargir", "figures": {"gondor_regular": 1, "gondor_leader": 1}},
        {"do": "figures", "place": "nurn", "figures": {}},
        {"do": "figures", "place": "near_harad", "figures": {"nazgul": 1}},
    )
    data = GAME.to_json(state)
    assert data["places"]["pelargir"] == {"gondor_regular": 1, "gondor_leader": 1}
    assert "nurn" not in data["places"] and data["places"]["near_harad"] == {"nazgul": 1}
    assert GAME.audit(state) == []


def test_tracks_politics_cards_and_tiles() -> None:
    state = corrected(
        some_state(2),
        {"do": "politics", "nation": "rohan", "steps": 0, "active": 1},
        {"do": "ring_bearers", "place": "moria"},
        {"do": "progress", "value": 3},
        {"do": "corruption", "value": 5},
        {"do": "hidden", "value": 0},
        {"do": "mordor", "value": 2},
        {"do": "control", "place": "pelargir", "seat": "shadow"},
        {"do": "character", "character": "saruman", "place": "orthanc"},
        {"do": "rings", "seat": "free", "value": 1},
        {"do": "rings", "seat": "shadow", "value": 1},
        {"do": "tile", "tile": "three", "pool": 1, "out": 1, "gone": 1, "ready": 0},
        {"do": "tile", "tile": "phial", "pool": 0, "out": 0, "gone": 0, "ready": 1},
        {"do": "to_act", "seat": "shadow"},
        {"do": "box", "key": "setup.erebor.dwarves_elite", "value": "1"},
    )
    data = GAME.to_json(state)
    assert data["steps"]["rohan"] == 0 and "rohan" in data["awake"]
    assert (data["ring"], data["progress"], data["corruption"], data["hidden"]) == ("moria", 3, 5, False)
    assert data["mordor"] == 2 and "pelargir" in data["captured"]
    assert data["characters"]["saruman"] == "orthanc" and data["rings"] == {"free": 1, "shadow": 1}
    assert data["tiles_out"]["three"] == 1 and data["tiles_ready"]["phial"] == 1
    assert data["active"] == 1 and data["values"]["setup.erebor.dwarves_elite"] == "1"
    assert GAME.audit(state) == []
    corrected(state, {"do": "control", "place": "pelargir", "seat": "free"})
    assert "pelargir" not in GAME.to_json(state)["captured"]


def test_hands_dice_and_cards() -> None:
    state = some_state(3)
    for card in list(state.table_cards):
        GAME.correct(state, {"do": "card", "card": card, "value": "discarded"})
    fresh = GAME.copy(state)
    fresh.hand, fresh.deck = [[2, 2], [2, 2]], [[22, 22], [22, 22]]
    fresh.shown, fresh.unseen_discards = [0, 0], [[0, 0], [0, 0]]
    corrected(
        fresh,
        {"do": "hand", "seat": "free", "character": 1, "strategy": 3},
        {"do": "card", "card": "wizards_staff", "value": "table"},
        {"do": "card", "card": "elven_rope", "value": "discarded"},
        {"do": "dice", "seat": "shadow", "unused": {"army": 2}, "used": {"event": 1}, "hunt_box": 3},
    )
    assert fresh.hand[0] == [1, 3] and list(fresh.table_cards) == ["wizards_staff"]
    assert fresh.pool[1] == 6 and fresh.hunt_dice[1] == 3
    assert GAME.audit(fresh) == []
    corrected(fresh, {"do": "card", "card": "wizards_staff", "value": "unknown"})
    assert fresh.table_cards == {} and GAME.audit(fresh) == []


@pytest.mark.parametrize(
    "primitive",
    [
        {"do": "miracle"},
        {"do": "figures", "place": "narnia"},
        {"do": "figures", "place": "nurn", "figures": {"hobbits": 1}},
        {"do": "control", "place": "fangorn", "seat": "free"},
        {"do": "politics", "nation": "sauron", "steps": 1, "active": 0},
        {"do": "corruption", "value": 12},
        {"do": "hidden", "value": "yes"},
        {"do": "tile", "tile": "three", "pool": 1, "out": 0, "gone": 0, "ready": 0},
        {"do": "fallen", "figure": "nazgul", "value": 1},
        {"do": "card", "card": "nothing", "value": "table"},
    ],
)
def test_what_is_no_correction_says_what_is(primitive: dict[str, Any]) -> None:
    with pytest.raises(InvalidAnswer) as caught:
        GAME.correct(some_state(1), primitive)
    assert "Möglich sind" in caught.value.sentence_de


def test_every_primitive_is_tried() -> None:
    """Those of the tests above and of the forms below."""
    assert len(CORRECTIONS.by_name) == 19


@pytest.mark.parametrize("seed", [1, 2])
def test_the_forms_give_primitives_that_make_them_true(seed: int) -> None:
    """Every row of every place changed by itself, as a player would after comparing the board."""
    state = some_state(seed)
    rng = Random(seed)
    for place in ("", *rng.sample(PLACES, 25)):
        for item in GAME.correction_form(state, place):
            assert item.least <= item.count <= item.most, item
            for label in (item.label, *item.of):
                assert GAME.messages.find(label, "de"), label
            value = item.most if item.count != item.most else item.least
            if value == item.count or item.key.startswith("tile."):
                continue
            new = GAME.copy(state)
            try:
                primitives = GAME.corrections(new, place, {item.key: value})
            except InvalidAnswer:
                assert item.key.startswith("unit."), item
                continue
            assert primitives, (place, item)
            corrected(new, *primitives)
            there = {one.key: one.count for one in GAME.correction_form(new, place)}
            assert there.get(item.key) == value, (place, item, primitives)


def test_tiles_change_together() -> None:
    state = some_state(1)
    state.tiles[1], state.tiles_out[1], state.tiles_gone[1] = 3, 0, 0
    primitives = GAME.corrections(state, "", {"tile.three.pool": 2, "tile.three.out": 1})
    corrected(state, *primitives)
    assert state.tiles[1] == 2 and state.tiles_out[1] == 1


def test_an_unchanged_form_corrects_nothing() -> None:
    state = some_state(4)
    for place in ("", "minas_tirith", "minas_tirith_siege"):
        form = GAME.correction_form(state, place)
        assert GAME.corrections(state, place, {item.key: item.count for item in form}) == []
    assert GAME.correction_form(state, "narnia") == ()


def test_the_box_book_asks_for_what_the_first_edition_leaves_open() -> None:
    form = GAME.box_book_form()
    assert [one.key for one in form] == [
        f"setup.erebor.dwarves_{kind}" for kind in ("regular", "elite", "leader")
    ]
    assert check_value(form, "setup.erebor.dwarves_elite", "3") == "3"
    assert GAME.box_book_problems({}) == []
    assert len(GAME.box_book_problems({"setup.erebor.dwarves_regular": "5"})) == 1
    assert (
        len(GAME.box_book_problems({"setup.erebor.dwarves_regular": "0", "setup.erebor.dwarves_elite": "0"}))
        == 1
    )
    for one in (*form, *GAME.house_rules_form()):
        for message in (one.label, one.group):
            assert GAME.messages.find(message, "de") and GAME.messages.find(message, "en"), message
        if one.domain:
            for option in one.options:
                assert GAME.messages.find(f"{one.domain}.{option}", "de"), option
