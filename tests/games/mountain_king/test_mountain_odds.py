"""Odds of attacks on gnomes and of drawn cubes: against every way that the draw can go."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from mountain_driving import ON_BOARD, Mountain, at, cells, place
from test_open_wave_end import invaded

from referee.games.mountain_king.rules.pieces import strengths_left
from referee.games.mountain_king.screens.odds import strengths, wins

TABLE: Any = ON_BOARD


def told(m: Mountain, language: str = "en") -> list[Any]:
    """The odds at the open question."""
    return list(TABLE.odds(m.state, m.play.request, language))


@pytest.mark.parametrize("gnomes", [1, 2, [2], [3, 1]], ids=str)
def test_strengths_are_those_of_every_order_of_the_tokens_left(gnomes: Any) -> None:
    m = Mountain({"M2": {"gnomes": gnomes}, "G1": {"gnomes": [1]}}, beside_wheel={"1": 6, "2": 7, "3": 4})
    tokens = [strength for strength, left in enumerate(strengths_left(m.state), 1) for _ in range(left)]
    known = gnomes if isinstance(gnomes, list) else []
    hidden = m.gnomes("M2") - len(known)
    totals = [sum(known) + sum(drawn) for drawn in permutations(tokens, hidden)]
    found = strengths(m.state, at("M2"))
    assert found == pytest.approx({one: totals.count(one) / len(totals) for one in sorted(set(totals))})
    assert wins(found, 6) == pytest.approx(1) and wins(found, 0) == 0


def test_an_attack_is_reckoned_for_each_number_of_trolls_before_it_is_chosen() -> None:
    m = Mountain({"M2": {"pink": 3}, "M3": {"gnomes": 1}, "F2": {"pink": 1}}, grid=["A A"])
    m.do("strong_advance", cells("pink", (0, 0), (0, 1)))
    fights = told(m)
    assert len(fights) == 1 and "M3" in fights[0]["draw"]
    assert [one["chance"] for one in fights[0]["chances"]] == pytest.approx([1 / 3, 2 / 3])
    assert TABLE.odds_known(m.state, m.play.request)
    m.do(place("M3"))
    assert told(m) == fights


def test_while_gnomes_show_their_strength_both_see_what_is_left_to_come() -> None:
    m = Mountain({"M2": {"pink": 3}, "M3": {"gnomes": 2}})
    m.state.fight = at("M3")
    m.state.units[0][at("M3")] = 3
    (fight,) = told(m, "de")
    likely = {one["text"]: one["chance"] for one in fight["chances"]}
    assert likely.pop("3 Trolle siegen") == pytest.approx(likely["Stärke 2"] + likely["Stärke 3"])
    assert sum(likely.values()) == pytest.approx(1)


def test_whose_troll_falls_goes_by_the_cubes_that_lie_there() -> None:
    m = invaded("moss", {"M1": {"pink": 3, "green": 1}})
    assert m.asked.endswith("falls")
    (fight,) = told(m)
    assert {one["text"]: one["chance"] for one in fight["chances"]} == {"Pink": 0.75, "Green": 0.25}


def test_nothing_is_reckoned_where_nothing_is_drawn() -> None:
    m = Mountain({"M2": {"pink": 3}})
    assert told(m) == [] and not TABLE.odds_known(m.state, m.play.request)
