"""Open scenarios 23 to 35: invasions, fallen trolls, champions, scoring, the end, refreshing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from mountain_driving import BOARD, ON_BOARD, SEATS, Mountain, at, place
from test_open_actions import reached

from referee.games.mountain_king.box.components import CLANS
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.rules import scoring
from referee.games.mountain_king.rules.invasion import leader
from referee.games.mountain_king.rules.refresh import deck_of
from referee.games.mountain_king.state.state import ANCESTRY
from referee.kernel.play import Play

Caverns = dict[str, dict[str, Any]]


def invaded(card: str, caverns: Caverns, wave: int = 1, **more: Any) -> Mountain:
    """The third of four gate cards is turned: ``card``, and its gnomes come."""
    row = [clan for clan in CLANS if clan != card][:2]
    entries = {"wave": wave, "phase": 3, "supply": {}, **more}
    m = Mountain(caverns, details={"step": "invasions", "at": 2, "gate_cards": [*row, None, None]}, **entries)
    return m.do(card)


@pytest.mark.rule(
    *(
        "invasion.count",
        "invasion.leader_choice",
        "invasion.easiest",
        "invasion.pass_overrun",
        "invasion.two_gates",
    ),
    *(
        "fallen.first_value",
        "invasion.attack",
        "invasion.enter_empty",
        "invasion.one_by_one",
        "invasion.per_card",
    ),
)
def test_open_23_an_invasion_of_wave_ii() -> None:
    there: Caverns = {"H1": {"pink": 1}, "H2": {"green": 1}, "H3": {"gnomes": 1}, "L1": {"blue": 2}}
    m = invaded("hammer", there, 2, votes={"hammer": {"pink": 4, "green": 2}})
    assert m.asked == "pink gnome_way" and reached(m, "hammer") == {"H1": [1, 0], "H2": [1, 0]}
    m.do(place("H1"))  # the second enters the emptied cavern unasked
    assert m.honour("pink") == 4 and m.state.stock[0] == 25 and m.gnomes("H1") == 1
    assert reached(m, "hammer") == {"H2": [1, 0], "L1": [2, 1], "H4": [0, 2], "L2": [0, 2]}
    assert m.asked == "pink gnome_way" and set(m.offered()) == {place("H4"), place("L2")}


@pytest.mark.rule("invasion.pass_overrun", "invasion.nearest", "fallen.troll_stock")
def test_open_24_example_a() -> None:
    there: Caverns = {
        "I1": {"gnomes": 2}, "I2": {"blue": 1}, "I3": {"yellow": 2}, "M2": {"pink": 1}, "F1": {"green": 1}
    }  # fmt: skip
    before = Mountain(there)
    assert reached(before, "ice") == {"M1": [0, 1], "I2": [1, 0], "I3": [2, 1]}
    m = invaded("ice", there)
    assert m.gnomes("M1") == 1 and m.units("I2") == {} and m.honour("blue") == 3 and m.state.stock[2] == 25


@pytest.mark.rule(
    *("fallen.random_owner", "fallen.owner_chooses", "fallen.champion_scores"),
    *("fallen.other_value", "fallen.first_value", "champion.counts_one"),
)
def test_open_25_example_b() -> None:
    there: Caverns = {"I1": {"blue": 3}, "I2": {"green": 1, "pink": 1}}
    more = {
        "votes": {"ice": {"green": 3, "pink": 1}},
        "champions": {"pink": ["c11"]},
        "figures": {"c11": place("I2")},
    }
    m = invaded("ice", there, **more)
    assert m.asked == "green gnome_way"
    m.do(place("I2"))
    assert m.asked == "pink falls" and dict(zip(m.offered(), m.request.weights, strict=True)) == {  # type: ignore[attr-defined]
        "pink": 2, "green": 1
    }  # fmt: skip
    m.do("green")
    assert m.honour("green") == 3
    assert m.honour("pink") == 2 and m.units("I2") == {"pink": 1}  # c11 does not fall while a troll is there


@pytest.mark.rule("fallen.owner_chooses", "fallen.champion_lair", refuses=True)
def test_open_25_the_owner_lets_the_champion_fall() -> None:
    there: Caverns = {"I1": {"blue": 3}, "I2": {"pink": 1}}
    more = {"champions": {"pink": ["c13", "c11"]}, "figures": {"c13": place("I2"), "c11": place("I2")}}
    m = invaded("ice", there, **more).do(place("I2"))
    assert m.asked == "pink which_falls" and m.offered() == ["trolls", "c13"]
    assert m.refused("c11") == "fallen.owner_chooses"
    m.do("c13")
    assert m.asked == "pink fallen_to_lair" and m.refused(place("I3")) == "fallen.champion_lair"
    m.do(place("pinkB"))
    assert m.honour("pink") >= 3 and m.units("pinkB") == {"pink": 1} and m.state.trolls[0][at("I2")] <= 1


@pytest.mark.rule("invasion.leader_choice", "invasion.leader_stack", "invasion.nearest")
def test_open_26_example_c() -> None:
    votes = {"moon": [["blue", 3], ["green", 3]], "ice": [["green", 8]]}
    m = invaded("moon", {"O2": {"blue": 2}}, votes=votes)
    assert (
        m.gnomes("O1") == 1 and m.asked == "blue gnome_way" and set(m.offered()) == {place("I2"), place("G1")}
    )
    assert reached(m, "moon") == {"I2": [0, 1], "G1": [0, 1], "O2": [2, 1]}
    m.do(place("G1"))
    assert m.gnomes("G1") == 1 and m.state.honour == [0] * 5


@pytest.mark.rule("invasion.nearest", "invasion.easiest", refuses=True)
def test_open_26_the_other_caverns_are_refused() -> None:
    m = invaded("moon", {"O2": {"blue": 2}}, votes={"moon": {"blue": 3}})
    assert m.refused(place("O2")) == "invasion.easiest"
    m = invaded(
        "hammer",
        {"H2": {"gnomes": 1}, "H1": {"gnomes": 1}, "H3": {"gnomes": 1}},
        votes={"hammer": {"blue": 1}},
    )
    assert m.refused(place("L2")) == "invasion.nearest" or m.refused(place("L2")) == "invasion.pass_overrun"


@pytest.mark.rule("invasion.leader_choice", "fallen.first_value", "invasion.swarm")
def test_open_27_example_d() -> None:
    there: Caverns = {
        "H2": {"gnomes": 2}, "H3": {"green": 2}, "H4": {"yellow": 2}, "G1": {"blue": 1}, "L1": {"yellow": 1}
    }  # fmt: skip
    assert reached(Mountain(there), "hammer") == {"H1": [0, 0], "G1": [1, 1], "H4": [2, 1]}
    m = invaded("hammer", there, votes={"hammer": {"blue": 2}})
    assert m.gnomes("H1") == 1 and m.asked == "blue gnome_way" and CLANS[m.state.swarm] == "hammer"
    assert reached(m, "hammer") == {"G1": [1, 1], "L1": [1, 1], "H4": [2, 1], "H3": [2, 1]}
    m.do(place("L1"))
    assert m.honour("yellow") == 3 and m.units("G1") == {"blue": 1} and not m.units("L1")


@pytest.mark.rule("invasion.leader_fallback", "invasion.leader_stack", "invasion.leader_choice")
@pytest.mark.parametrize(
    "clan, who",
    [("granite", "yellow"), ("fire", "green"), ("moss", "green"), ("ice", "blue"), ("hammer", "yellow")],
)
def test_open_28_who_decides(clan: str, who: str) -> None:
    votes = {"moss": [["green", 2], ["pink", 2]], "ice": [["blue", 1]], "mud": [["yellow", 1]]}
    state = Mountain(votes=votes).state
    assert SEATS[leader(state, CLANS.index(clan))] == who


@pytest.mark.rule("entrench.one", "entrench.two", "invasion.wave_end")
def test_open_29_entrenchment_then_invasions() -> None:
    there: Caverns = {"F1": {"gnomes": 1}, "F2": {"gnomes": 2}, "L1": {"gnomes": 1}, "H1": {"pink": 1}}
    m = Mountain(there, phase=3, supply={}, votes={"hammer": {"green": 1}})
    assert m.asked == "pink gate_card" and [m.gnomes(name) for name in ("F1", "F2", "L1")] == [2, 2, 2]
    stock = m.state.in_stock
    m.do("hammer")
    assert m.gnomes("H2") == 1 and m.state.in_stock == stock - 1
    assert m.asked == "green gnome_way" and reached(m, "hammer") == {"H1": [1, 0], "G1": [0, 1], "H4": [0, 1]}
    m.do(place("H4"))
    assert m.gnomes("H4") == m.gnomes("H2") == 1 and m.asked == "pink gate_card"


@pytest.mark.rule("invasion.per_card", refuses=True)
def test_a_gate_card_is_turned_once() -> None:
    m = Mountain(phase=3, supply={}, votes={"hammer": {"green": 1}}).do("moss")
    while m.asked != "pink gate_card":
        m.do(m.offered()[0])
    assert m.refused("moss") == "invasion.per_card"


@pytest.mark.rule(
    "fallen.first_scope", "fallen.first_value", "fallen.other_value", "invasion.left_right", "invasion.count"
)
def test_open_30_first_fallen_once_a_card() -> None:
    there: Caverns = {
        "F1": {"pink": 2},
        "G1": {"pink": 1},
        "G2": {"blue": 2},
        "O1": {"green": 1},
        "H2": {"green": 1},
    }
    m = Mountain(there, wave=2, supply={}, phase=3, votes={"granite": {"green": 1}},
                 details={"step": "invasions", "at": 0})  # fmt: skip
    m.do("fire")
    assert m.honour("pink") == 6 and m.gnomes("F1") == 1
    m.do("granite")
    assert m.honour("pink") == 10 and m.gnomes("G1") == 1 and m.asked == "green gnome_way"
    assert reached(m, "granite") == {"H2": [1, 1], "O1": [1, 1], "G2": [2, 1]}
    m.do(place("O1"))
    assert m.honour("green") == 2


@pytest.mark.rule(
    *(
        "champion.winner",
        "champion.consolation",
        "champion.consolation_order",
        "champion.nobody",
        "champion.figure",
    ),
    *("champion.left_right", "champion.discs_return", "champion.yellow_lines"),
)
def test_open_31_awarding_champions() -> None:
    there: Caverns = {"M2": {"pink": 2}, "H3": {"pink": 1, "green": 1}}
    # c22: ice, three votes, lettered, lines behind 1, 3 and 5; c12: nobody's
    tracks = [[["pink", 6], ["blue", 4], ["yellow", 4]], []]
    m = Mountain(there, phase=3, supply={}, display=["c22", "c12"], influence=tracks,
                 votes={"ice": [["yellow", 3], ["blue", 2]]}, details={"step": "champions"})  # fmt: skip
    assert m.asked == "blue consolation" and m.request.about["count"] == 2
    m.do("vote")
    assert m.asked == "yellow consolation"
    m.do("honour")
    assert m.asked == "pink figure"
    assert m.refused(place("H3")) == "champion.figure" and m.refused(place("G1")) == "champion.figure"
    assert place("pinkA") in m.offered()
    m.do(place("M2"))
    assert m.votes("ice")[:3] == [["yellow", 3], ["pink", 3], ["blue", 3]]
    assert sum(number for _, rule, _, seat, number in m.state.ledger if rule == "champion.consolation") == 2
    assert m.state.won[0] == [21] and m.units("M2") == {"pink": 3}
    assert 11 not in [champion for won in m.state.won for champion in won] and m.state.gone >> 11 & 1


@pytest.mark.rule("champion.figure", refuses=True)
def test_open_31_a_figure_needs_a_dominated_cavern() -> None:
    m = Mountain({"H3": {"pink": 1, "green": 1}}, phase=3, supply={}, display=["c22"],
                 influence=[[["pink", 1]]], details={"step": "champions"})  # fmt: skip
    assert m.refused(place("H3")) == "champion.figure"


def scored(caverns: Caverns, clan: str, **more: Any) -> dict[str, int]:
    """Honour of a domain."""
    state = Mountain(caverns, **more).state
    return {SEATS[seat]: number for seat, number in scoring.domain_scores(state, CLANS.index(clan)).items()}


@pytest.mark.rule(
    *(
        "scoring.w12_first",
        "scoring.w12_more",
        "scoring.w12_overrun",
        "scoring.w12_no_minus",
        "scoring.w12_tie",
    ),
)
def test_open_32_domains() -> None:
    there: Caverns = {
        "H1": {"gnomes": 1}, "H2": {"blue": 2, "green": 1}, "H3": {"yellow": 1},
        "H4": {"yellow": 3, "blue": 2},
        "M1": {"gnomes": 2}, "M2": {"pink": 1}, "M3": {"pink": 2, "green": 2},
        "L1": {"green": 1}, "L2": {"green": 2}, "L3": {"green": 1}, "L4": {"green": 1},
    }  # fmt: skip
    assert scored(there, "hammer") == {"blue": 5, "yellow": 7}
    assert scored(there, "moss") == {"pink": 5}
    assert scored(there, "mud") == {"green": 12} and scored(there, "ice") == {}


@pytest.mark.rule(
    *(
        "scoring.hall_majority",
        "scoring.hall_gnomes",
        "scoring.hall_tie",
        "scoring.hall_rest",
        "scoring.hall_flip",
    ),
    "scoring.hall_caverns_not_trolls",
)
@pytest.mark.parametrize(
    "hall, value, there, honour",
    [
        (0, 4, {"M2": {"gnomes": 1}, "M3": {"gnomes": 2}, "F2": {"green": 1}}, {}),
        (0, 12, {"M2": {"pink": 1}, "M3": {"pink": 1}, "F2": {"green": 5}}, {"pink": 12}),
        (1, 8, {"I3": {"yellow": 1}, "O2": {"pink": 2}, "G2": {"gnomes": 1}}, {"yellow": 2, "pink": 2}),
        (1, 4, {"I3": {"yellow": 1}, "O2": {"pink": 2}, "G2": {"gnomes": 1}}, {"yellow": 1, "pink": 1}),
        (1, 12, {"I3": {"yellow": 1}, "O2": {"pink": 2}, "G2": {"pink": 1, "yellow": 1}},
         {"yellow": 6, "pink": 6}),
        (3, 12, {"G1": {"pink": 1}, "O1": {"green": 1}, "H2": {"blue": 1}, "I2": {"yellow": 1},
                 "G2": {"gnomes": 1}},
         {"pink": 2, "green": 2, "blue": 2, "yellow": 2}),
        (2, 8, {"H3": {"gnomes": 1}, "H4": {"gnomes": 2}, "L2": {"blue": 1}, "L3": {"blue": 2}}, {"blue": 4}),
        (2, 8, {"H3": {"blue": 1}, "H4": {"pink": 1}, "L2": {"green": 2}, "L3": {"gnomes": 1}},
         {"blue": 2, "pink": 2, "green": 2}),
    ],
)  # fmt: skip
def test_open_33_halls(hall: int, value: int, there: Caverns, honour: dict[str, int]) -> None:
    state = Mountain(there, wave=3).state
    state.halls[hall] = value
    scoring.score_hall(state, hall)
    assert {SEATS[seat]: number for seat, number in enumerate(state.honour) if number} == honour
    assert state.halls_scored >> hall & 1


@pytest.mark.rule("scoring.elder")
def test_open_34_elders() -> None:
    assert [scoring.elder_honour(number) for number in range(1, 10)] == [0, 1, 3, 5, 8, 12, 17, 23, 30]
    assert scoring.elder_honour(0) == 0 and scoring.elder_honour(11) == 30
    assert scoring.elder_honour(11, "grows") == 44


@pytest.mark.rule("scoring.votes", "scoring.votes_tie", "scoring.votes_min")
@pytest.mark.parametrize(
    "track, honour",
    [
        ([["blue", 5], ["yellow", 3], ["pink", 3]], {"blue": 9, "yellow": 5, "pink": 3}),
        ([["green", 2]], {"green": 9}),
        ([], {}),
        ([["green", 9], ["blue", 8], ["pink", 8], ["yellow", 2]], {"green": 9, "blue": 5, "pink": 3}),
    ],
)
def test_open_34_votes(track: list[list[Any]], honour: dict[str, int]) -> None:
    state = Mountain(wave=3, votes={"moss": track} if track else {}).state
    state.tiles[0] = 0
    scoring.score_votes(state, 0)
    assert {SEATS[seat]: number for seat, number in enumerate(state.honour) if number} == honour


@pytest.mark.rule("endgame.winner", "endgame.tie_votes", "endgame.shared")
@pytest.mark.parametrize(
    "honour, votes, winners, rule",
    [
        ({"pink": 88, "green": 88}, {"pink": 14, "green": 15}, ("green",), "endgame.tie_votes"),
        ({"pink": 88, "green": 88, "blue": 87}, {"pink": 14, "green": 14, "blue": 30}, ("pink", "green"),
         "endgame.shared"),
        ({"pink": 90, "green": 88}, {}, ("pink",), "endgame.winner"),
    ],
)  # fmt: skip
def test_open_35_who_wins(
    honour: dict[str, int], votes: dict[str, int], winners: tuple[str, ...], rule: str
) -> None:
    m = Mountain(wave=3, honour=honour, votes={"mud": votes} if votes else {})
    scoring.end_game(m.state)
    outcome = ON_BOARD.outcome(m.state)
    assert outcome is not None and outcome.winners == winners and outcome.rule == rule
    assert outcome.ranking[0] == winners


@pytest.mark.rule(
    *(
        "refresh.only_after_1_2",
        "refresh.start_marker",
        "refresh.cubes",
        "refresh.desperation",
        "refresh.champions",
    ),
    *("refresh.gate_cards", "desperation.expire"),
)
def test_open_35_refreshing() -> None:
    m = Mountain(grid=["A A"], phase=4, supply={}, desperation={"pink": 2}, covered={"pink": ["E5"]},
                 champions={"pink": ["c05"]}, details={"claws": {"c05": 1}})  # fmt: skip
    while m.asked == "pink display":
        m.do(m.offered()[0])
    state = m.state
    assert len(state.display) == 5 and all(champion in state.box.decks[1] for champion in state.display)
    assert state.gate_row == [-1] * 4 and not any(state.covered) and not any(state.claws)
    assert not any(state.desperation) and SEATS[state.start] == "green" and state.turn == 2
    assert state.phase == ANCESTRY and [deck_of(wave) for wave in (1, 2, 3)] == [1, 1, 2]


@pytest.mark.rule("scoring.w3_order", "scoring.w3_no_domains", "turn.waves", "scoring.immediate")
def test_wave_iii_scores_halls_elders_votes_and_ends() -> None:
    rng = Random(3)
    play: Play[Any] = Play(ON_BOARD, ON_BOARD.new_state({"board": BOARD, "seats": SEATS[:3]}))
    while play.request is not None:
        play.answer(play.request.sample(rng))
    last = [rule for wave, rule, *_ in play.state.ledger if wave == 3 and rule.startswith("scoring.")]
    kinds = [rule.split("_")[0] for rule in last]
    assert kinds == sorted(kinds, key=["scoring.hall", "scoring.elder", "scoring.votes"].index)
    assert play.outcome is not None and "scoring.w12_first" not in last
    assert [
        sum(n for *_, seat, n in play.state.ledger if seat == one) for one in range(3)
    ] == play.state.honour[:3]


@pytest.mark.rule("invasion.easiest", "invasion.leader_choice", "breach.choices")
def test_why_here_is_told_before_a_gnome_goes_with_counts_and_who_decides() -> None:
    there: Caverns = {"H1": {"pink": 1}, "H2": {"green": 1}, "H3": {"gnomes": 1}, "L1": {"blue": 2}}
    m = invaded("hammer", there, 2, votes={"hammer": {"pink": 4, "green": 2}})
    assert m.play.request is not None
    about = m.play.request.about
    assert (about["trolls"], about["passed"]) == (1, 0)
    here = next(sheet for sheet in GAME.view(m.state, "blue", "en")["sheets"] if sheet["id"] == "next_way")
    assert "Hammer" in here["title"]
    told = {one["id"].removeprefix("next_"): one["text"] for one in here["cells"]}
    assert set(told) == {place("H1"), place("H2")}
    assert told[place("H1")].startswith("1 troll there, 0 caverns passed") and "Pink" in told[place("H1")]
    breach = Mountain({"H1": {"pink": 1}, "H2": {"green": 2}}, active="green", swarm="hammer")
    sheets = {sheet["id"]: sheet for sheet in GAME.view(breach.state, None, "en")["sheets"]}
    first, second = sheets["next_way"]["cells"]
    assert first["id"] == f"next_{place('H1')}" and "it goes here" in first["text"]
    assert second["text"] == "2 trolls there, 0 caverns passed"
