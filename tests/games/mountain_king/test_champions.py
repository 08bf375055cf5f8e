"""Abilities of champions: each lifts only the rule it names."""

from __future__ import annotations

from typing import Any

import pytest
from mountain_driving import BOARD, Mountain, at, cell, cells, place

from referee.games.mountain_king.box.box import NoBoard, box_of
from referee.games.mountain_king.cards.abilities import KNOWN_POWERS, domains_held
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.rules.caverns import controller
from referee.games.mountain_king.state.grid import cells_of

Caverns = dict[str, dict[str, Any]]


def holding(champion: str, caverns: Caverns, grid: list[str], at_: str = "", **more: Any) -> Mountain:
    """Pink has won a champion, whose figure may stand somewhere."""
    figures = {"figures": {champion: place(at_)}} if at_ else {}
    return Mountain(caverns, grid=grid, champions={"pink": [champion]}, **figures, **more)


def test_every_ability_of_the_practice_cards_is_known() -> None:
    assert {card.power for card in box_of().champions.values()} - {""} <= KNOWN_POWERS
    unknown = {"champions": {"c01": {"deck": "0", "clan": "moss", "votes": 1, "passive": {"flies": 1}}}}
    with pytest.raises(NoBoard, match="flies"):
        GAME.new_state({"board": {**BOARD, **unknown}})


@pytest.mark.rule("champion.passive")
def test_a_figure_that_counts_as_two_against_gnomes() -> None:
    m = holding("c01", {"L2": {"gnomes": 1}, "H3": {"pink": 1}}, ["A"], "H3").do("weak_advance", place("L2"))
    m.do({"c01": 1}, "2")
    assert m.honour("pink") == 2 and m.units("L2") == {"pink": 1}
    assert controller(m.state, 0) == -1


@pytest.mark.rule("champion.passive")
def test_a_figure_that_counts_as_two_for_control() -> None:
    m = holding("c22", {"G2": {"green": 1}}, ["A"], "G2")
    assert controller(m.state, at("G2")) == 0
    m = holding("c13", {"G2": {"green": 1}}, ["A"], "G2")
    assert controller(m.state, at("G2")) == -1


@pytest.mark.rule("champion.passive")
def test_a_figure_that_passes_overrun_caverns() -> None:
    m = holding("c17", {"H4": {"gnomes": 1}, "G2": {"pink": 1}}, ["A2"], "G2").do("strong_advance")
    assert place("H2") in m.offered()
    m.do(place("H2"))
    assert m.refused({f"trolls@{place('G2')}": 1}) == "advance.path"
    m.do({"c17": 1})
    assert m.units("H2") == {"pink": 1}


@pytest.mark.rule("champion.passive")
def test_a_weak_action_after_a_strong_advance() -> None:
    m = holding("c02", {"G2": {"pink": 1}}, ["A2 . B"], "G2").do("strong_advance", place("G1"), {"c02": 1})
    assert m.asked == "pink second_action" and m.offered() == ["weak_bolster", "stop"]
    m = holding("c02", {"G2": {"pink": 1}}, ["A2 . B"], "G2").do("strong_advance", place("G1"))
    m.do({f"trolls@{place('G2')}": 1})
    assert m.asked.startswith("green")


@pytest.mark.rule("champion.claws")
def test_claws_are_covered() -> None:
    m = holding("c05", {"pinkA": {"pink": 1}}, ["B B"]).do("weak_bolster", cell("pink", 0, 0))
    assert m.asked == "pink use_claw"
    m.do("yes")
    assert m.request.about["strength"] == 2 and m.state.claws[4] == 1
    m.do(place("pinkA"), "0", "weak_bolster")
    assert m.asked == "pink bolster" and m.request.about["strength"] == 1
    m = holding("c06", {"G2": {"pink": 1}, "G1": {"pink": 1}}, ["B"]).do("use_c06", place("G2"))
    assert m.units("G1") == {"pink": 2} and "use_c06" not in m.offered() and m.state.claws[5] == 1


@pytest.mark.rule("champion.ancestry_symbols")
@pytest.mark.ruling("amb_43", "amb_51")
def test_symbols_of_champions_join_any_group() -> None:
    m = Mountain({"pinkA": {"pink": 1}}, phase=3, supply={}, display=["c12"], influence=[[["pink", 2]]],
                 details={"step": "champions"}, grid=["I . I"])  # fmt: skip
    grid = m.state.grids[0]
    assert cells_of(grid).of_kind[2].bit_count() == 4  # two of its own, two of the card
    m = Mountain({"pinkA": {"pink": 1}}, ancestry={"pink": [*[""] * 4, "- - - - I . I", *[""] * 5, "I I"]},
                 display=["c13"])  # fmt: skip
    m.do("strong_influence")
    group = {**cells("pink", (0, 0), (0, 2)), "pink_110": 1}
    assert m.refused(group) == "" and m.refused(cells("pink", (0, 0), (0, 2))) == "group.connected"


def won(champion: str, caverns: Caverns | None = None, **more: Any) -> Mountain:
    """Pink is about to win a champion."""
    return Mountain(caverns, phase=3, supply={}, display=[champion, "c12"], influence=[[["pink", 2]], []],
                    details={"step": "champions"}, **more)  # fmt: skip


@pytest.mark.rule("champion.instant", "champion.outsider", "champion.winner")
def test_instant_abilities_come_at_once() -> None:
    m = won("c14", {"G2": {"pink": 1}})
    assert m.asked == "pink instant_trolls" and m.refused(place("G1")) == "reinforce.target"
    m.do(place("G2"))
    assert m.units("G2") == {"pink": 3}
    m = won("c24").do("fire")
    assert ["pink", 1] in m.votes("fire") and ["pink", 3] in m.votes("mud")
    m = won("c18").do("hammer")
    assert m.votes("hammer") == [["pink", 3]]
    assert ("champion.instant", 4) in [(rule, number) for _, rule, _, _, number in won("c19").state.ledger]


@pytest.mark.rule("champion.wave3_no_figure")
def test_star_tags_of_wave_iii() -> None:
    m = won("c31", wave=3, halls={"hall_1": 4}).do("hall_1")
    assert m.state.stars == {"c31": "hall_1"} and m.state.figure_at[30] == -1
    m = won("c37", wave=3).do("fire")
    assert m.state.winner >= 0 or ["pink", 1] in m.votes("fire")
    assert won("c32", wave=3).do(place("G1")).state.stars == {"c32": place("G1")}


@pytest.mark.rule("champion.end_of_wave")
def test_abilities_at_the_end_of_a_wave() -> None:
    there: Caverns = {"G2": {"pink": 1}, "M2": {"pink": 2}}
    won_before = {"pink": ["c16", "c23"]}
    m = Mountain(there, phase=3, supply={}, champions=won_before, details={"step": "score"})
    gained = {(what, number) for _, rule, what, _, number in m.state.ledger if rule == "champion.end_of_wave"}
    assert gained == {("c16", 2), ("c23", 2)} and domains_held(m.state, 0) == 2


@pytest.mark.rule("breach.no_honour", "champion.passive")
def test_honour_for_those_that_fall_in_a_breach() -> None:
    there: Caverns = {"M1": {"pink": 1}, "pinkA": {"pink": 1}}
    m = holding("c07", there, ["G"], pawn=8, swarm="moss").do("weak_gnome", "none", "moss")
    while m.asked == "pink gnome_way":
        m.do(m.offered()[0])
    passive = [number for _, rule, *_, number in m.state.ledger if rule == "champion.passive"]
    assert passive == [1]


def test_champions_of_another_deck_come_in_wave_iii() -> None:
    decks = box_of().decks
    assert [len(deck) for deck in decks] == [10, 14, 8]
    assert not {*decks[0]} & {*decks[1]} and not {*decks[1]} & {*decks[2]}
