"""Refusals that no scenario has, and cards that are told cell by cell."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from mountain_driving import BOARD, BOX, ON_BOARD, SEATS, Mountain, at, cells, place
from test_open_ancestry import set_up_to, strong, weak
from test_open_wave_end import invaded

from referee.games.mountain_king.box.box import box_of
from referee.games.mountain_king.box.symbols import codes
from referee.games.mountain_king.state.grid import cells_of
from referee.kernel.explain import explain
from referee.kernel.play import Play


@pytest.mark.rule("setup.first_gnomes", refuses=True)
def test_a_first_gnome_stands_at_a_gate() -> None:
    play = set_up_to("prompt.first_gnome_gate", 3)
    assert play.request is not None
    refused = [c for c in play.request.candidates() if c.refusal is not None]
    refusal = play.request.why_not(refused[0].value)
    assert refusal is not None and refusal.rule == "setup.first_gnomes" and refusal.reason == "no_gate"


@pytest.mark.rule("turn.order", refuses=True)
def test_turns_go_in_order() -> None:
    m = Mountain({"pinkA": {"pink": 1}}, grid=["B"])
    told = explain(m.play, "green: bolster", m.game.words)
    assert told.refusal is not None and told.refusal.rule == "turn.order"


@pytest.mark.rule("invasion.leader_choice", refuses=True)
def test_the_leader_decides_for_the_gnome() -> None:
    m = invaded("hammer", {"H1": {"pink": 1}, "H2": {"green": 1}}, votes={"hammer": {"pink": 1}})
    told = explain(m.play, f"green: > {place('H1')}", m.game.words)
    assert told.refusal is not None and told.refusal.rule == "invasion.leader_choice"


@pytest.mark.rule("champion.consolation_order", refuses=True)
def test_consolations_go_by_influence() -> None:
    tracks = [[["pink", 6], ["blue", 4], ["yellow", 4]]]
    m = Mountain(phase=3, supply={}, display=["c22"], influence=tracks, details={"step": "champions"})
    told = explain(m.play, "yellow: vote", m.game.words)
    assert told.refusal is not None and told.refusal.rule == "champion.consolation_order"


@pytest.mark.rule("group.wild", refuses=True)
@pytest.mark.ruling("amb_17")
def test_a_table_may_want_a_symbol_of_the_kind_in_a_group() -> None:
    group = cells("pink", (0, 0), (0, 1))
    assert strong(["W W B . A2"]).do("strong_bolster").refused(group) == ""
    m = strong(["W W B . A2"], house_rules={"wild_groups": "refused"}).do("strong_bolster")
    assert m.refused(group) == "group.wild"


@pytest.mark.rule("desperation.spend", refuses=True)
def test_no_more_tokens_than_there_are() -> None:
    assert weak().do("weak_advance").refused("4") == "desperation.spend"


@pytest.mark.rule("influence.end_only", refuses=True)
def test_a_won_champion_is_not_influenced() -> None:
    m = Mountain(grid=["I"], display=["c12", "c13"], champions={"green": ["c11"]}).do("weak_influence")
    assert m.refused("c11") == "influence.end_only"


@pytest.mark.rule("fallen.random_owner", refuses=True)
def test_only_who_is_there_loses_a_troll() -> None:
    m = invaded("ice", {"I1": {"pink": 1, "green": 1}, "I2": {"blue": 3}})
    assert m.asked == "pink falls" and m.refused("blue") == "fallen.random_owner"


@pytest.mark.rule("pedigree.layouts", "pedigree.three_cards")
def test_a_card_that_nobody_knows_is_told_cell_by_cell() -> None:
    board = {**BOARD, "ancestry_cards": {"copies_each": 0, "fronts": {}}}
    play: Play[Any] = Play(ON_BOARD, ON_BOARD.new_state({"board": board, "seats": SEATS[:2]}))
    rng = Random(1)
    while play.request is None or play.request.prompt != "prompt.draft":
        assert play.request is not None
        play.answer(play.request.sample(rng))
    answers = {}
    for seat, part in play.request.of.items():  # type: ignore[attr-defined]
        told = ["A2", ".", "E", "G"]
        spot = part.following(told)
        answers[seat] = [*told, spot.options[0]]
    play.answer(answers)
    assert play.state.fronts == {"A2/./E/G": 2}
    assert all(cells_of(play.state.grids[seat]).elder.bit_count() == 1 for seat in (0, 1))
    while play.request is not None:
        play.answer(play.request.sample(rng))
    assert play.outcome is not None


@pytest.mark.rule("wheel.layout", "invasion.clan_board_order", "scoring.hall_adjacent")
def test_what_is_printed_comes_from_the_board() -> None:
    practice = box_of()
    assert BOX.spaces == 12 and practice.spaces == 10 and BOX.triggers == {4: ("boost",), 9: ("breach",)}
    assert BOX.tracks == practice.tracks == tuple(range(7))
    assert BOX.halls[0] == 1 << at("M2") | 1 << at("M3") | 1 << at("F2")
    assert BOX.gates[1] == 1 << at("I1") | 1 << at("I2") and codes(["A", "B", "I", "G"]) == BOX.start


@pytest.mark.parametrize(
    "spoilt",
    [
        {"joins": ["M1-X9"]},
        {"domains": {}},
        {"wheel": {"spaces": 12}},
        {"lairs": {"one": {"glyph": "x", "next_to": ["M1"], "at": [0, 0]}}},
    ],
)
def test_what_is_no_board_is_told(spoilt: dict[str, Any]) -> None:
    with pytest.raises(Exception, match="no board that can be played"):
        ON_BOARD.new_state({"board": {**BOARD, **spoilt}})
