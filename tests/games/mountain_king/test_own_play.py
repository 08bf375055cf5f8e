"""Scenarios of our own from headings that the open ones do not touch: wheel, waves, scoring, refreshing."""

from __future__ import annotations

from typing import Any

import pytest
from mountain_driving import BOX, Mountain, at, cells, place

from referee.games.mountain_king.box.components import CHAMPION, CLANS
from referee.games.mountain_king.state.state import ANCESTRY

Caverns = dict[str, dict[str, Any]]


def gnome_action(spaces: int, caverns: Caverns | None = None, **more: Any) -> Mountain:
    """Pink moves the pawn by so many spaces, with a symbol of that strength."""
    grid = ["G"] if spaces == 1 else [f"G{spaces}"]
    m = Mountain(caverns or {}, grid=grid, **more)
    m.do("weak_gnome" if spaces == 1 else "strong_gnome")
    return m.do(str(spaces)) if m.asked.endswith("wheel") else m


def unscouted(m: Mountain) -> Mountain:
    """Looks at nothing."""
    while m.asked.endswith(("scout_gate", "scout_gnome")):
        m.do("none")
    return m


def ledger(m: Mountain, rule: str) -> list[int]:
    """What was gained by a rule."""
    return [number for _, one, *_, number in m.state.ledger if one == rule]


def at_step(step: str, caverns: Caverns | None = None, wave: int = 1, **more: Any) -> Mountain:
    """The end of a wave, at one of its steps."""
    return Mountain(caverns or {}, wave=wave, phase=3, supply={}, details={"step": step}, **more)


# --- Zwerg ----------------------------------------------------------------------------------------------


@pytest.mark.rule("wheel.effect_bolster", "wheel.effect_new_space")
def test_own_23_the_bolster_space_brings_as_many_trolls_as_spaces() -> None:
    m = unscouted(gnome_action(1, {"M2": {"pink": 1}}))  # the space after the star
    assert BOX.effects[m.state.pawn] == "bolster" and m.asked == "pink bolster"
    m.do(place("M2"))
    while m.asked.startswith("pink"):
        m.do(m.offered()[-1])
    assert m.units("M2") == {"pink": 2}


@pytest.mark.rule("wheel.effect_influence")
def test_own_24_the_influence_space_moves_a_disc_by_the_spaces() -> None:
    m = unscouted(gnome_action(2, display=["c12", "c16"], influence=[[], []]))
    assert BOX.effects[m.state.pawn] == "influence" and "influence" in m.asked
    m.do(m.offered()[0])
    assert [track for track in m.state.influence if track] == [[[0, 3]]], "the first on a track has one more"


@pytest.mark.rule("wheel.scout_mark")
def test_own_25_who_scouts_is_marked_and_nobody_else_learns_more() -> None:
    row = [CLANS[0], None, None]
    m = gnome_action(1, {"H3": {"gnomes": 1}}, seats=3, details={"gate_cards": row, "gate_looks": [0, 0, 0]})
    assert m.asked == "pink scout_gate" and m.refused("gate_1") == "wheel.scout_gate"
    m.do("gate_2", place("H3"))
    assert m.state.gate_looks == [0, 1, 0] and m.state.looked[at("H3")] == 1
    assert m.state.gate_row[1] == -1, "the referee knows no more than before"


@pytest.mark.rule("wheel.triggers_order", "wheel.boost")
def test_own_26_boost_comes_before_the_effect() -> None:
    m = unscouted(gnome_action(2, pawn=2))  # over the boost trigger onto honour
    assert BOX.effects[m.state.pawn] == "honour" and m.state.boost[0] == 1
    assert ledger(m, "wheel.effect_honour") == [2 + BOX.boosts[1]]


@pytest.mark.rule("breach.before_effect", "breach.trigger")
def test_own_27_a_breach_comes_before_the_effect() -> None:
    m = unscouted(gnome_action(1, {"M1": {"green": 1}}, pawn=8, swarm="ice"))
    assert m.asked.endswith(("breach_swarm", "swarm")) or "swarm" in m.asked
    before = m.state.in_stock
    while m.asked.startswith("pink") and BOX.effects[m.state.pawn] not in m.asked:
        m.do(m.offered()[0])
    assert m.state.in_stock < before, "gnomes came while the effect was still to come"


@pytest.mark.rule("wheel.one_lap", refuses=True)
def test_own_28_no_more_than_one_lap() -> None:
    m = Mountain({}, grid=["G3 G3 G3"], supply={"pink": 7}).do("strong_gnome")
    m.do(cells("pink", (0, 0), (0, 1), (0, 2)), str(BOX.spaces - 8))
    assert m.asked == "pink wheel" and m.request.about["strength"] == BOX.spaces + 1
    assert m.refused(str(BOX.spaces + 1)) == "wheel.one_lap" and m.refused("0") == "wheel.move"


# --- Ende der Welle -------------------------------------------------------------------------------------


@pytest.mark.rule("entrench.one")
def test_own_29_single_gnomes_get_a_second_and_pairs_no_third() -> None:
    m = Mountain(
        {"H3": {"gnomes": 1}, "G1": {"gnomes": 2}, "M2": {"pink": 1}},
        phase=3,
        supply={},
        details={"step": ""},
    )
    assert m.gnomes("H3") == 2 and m.gnomes("G1") == 2 and m.gnomes("M2") == 0


@pytest.mark.rule("invasion.per_card", refuses=True)
def test_own_30_a_gate_card_is_turned_once() -> None:
    row = ["moss", None, None, None]
    m = Mountain({}, phase=3, supply={}, details={"step": "invasions", "at": 1, "gate_cards": row})
    assert m.refused("moss") == "invasion.per_card"


@pytest.mark.rule("champion.yellow_lines", "champion.consolation")
def test_own_31_the_second_is_consoled_with_a_vote_or_the_lines_passed() -> None:
    m = at_step("champions", display=["c16"], influence=[[["pink", 4], ["green", 3]]])
    assert m.asked.startswith("green") and len(m.offered()) == 2
    honour = next(one for one in m.offered() if "honour" in one)
    m.do(honour)
    assert m.state.honour[1] >= 2, "two yellow lines lie before the third space"


@pytest.mark.rule("champion.discs_return")
def test_own_32_a_champion_nobody_influenced_leaves_the_game() -> None:
    m = at_step("champions", display=["c16"], influence=[[]])
    assert m.state.display != [CHAMPION["c16"]] and not any(m.state.won)
    assert m.state.gone >> CHAMPION["c16"] & 1


# --- Die Welle werten, Wellen I und II, Welle III -------------------------------------------------------


@pytest.mark.rule("scoring.w12_first", "scoring.w12_separate")
def test_own_33_two_in_one_domain_score_each_for_themselves() -> None:
    m = at_step("score", {"M1": {"pink": 1}, "M2": {"pink": 2}, "M3": {"green": 1}})
    assert sorted(ledger(m, "scoring.w12_first")) == [6, 8]


@pytest.mark.rule("scoring.w12_overrun")
def test_own_34_each_overrun_cavern_of_the_domain_takes_one_from_all() -> None:
    m = at_step("score", {"M1": {"pink": 1}, "M2": {"gnomes": 2}, "M3": {"green": 1}})
    assert ledger(m, "scoring.w12_first") == [5, 5]


@pytest.mark.rule("scoring.w3_no_domains", "scoring.hall_majority")
def test_own_35_wave_iii_scores_halls_and_no_domains() -> None:
    halls = {"hall_1": 8}
    m = at_step("score", {"M2": {"pink": 1}, "M3": {"pink": 1}, "F2": {"green": 1}}, 3, halls=halls)
    assert ledger(m, "scoring.w12_first") == [] and ledger(m, "scoring.hall_majority") == [8]
    assert m.state.halls_scored & 1 and m.asked == "over"


@pytest.mark.rule("scoring.hall_tie")
def test_own_36_the_gnomes_are_a_party_and_take_their_share_along() -> None:
    there: Caverns = {"M2": {"pink": 1}, "M3": {"gnomes": 1}, "F2": {"green": 1}}
    m = at_step("score", there, 3, halls={"hall_1": 8})
    assert ledger(m, "scoring.hall_tie") == [2, 2], "eight among three, the rest is lost"


# --- Auffrischen ----------------------------------------------------------------------------------------


@pytest.mark.rule("refresh.start_marker", "refresh.cubes", "desperation.expire")
def test_own_37_cubes_and_desperation_go_and_the_marker_goes_on() -> None:
    m = Mountain(
        {"H3": {"pink": 1, "green": 0}}, phase=4, supply={}, desperation={"pink": 2}, start_player="green",
        covered={"pink": ["E5"]}, details={"step": ""},
    )  # fmt: skip
    while m.state.phase != ANCESTRY:
        m.do(m.offered()[0])
    assert m.state.start == 2 and m.state.turn == 2
    assert not any(m.state.desperation) and not any(m.state.covered)
    assert m.units("H3") == {"pink": 1}, "trolls stay"


@pytest.mark.rule("refresh.gate_cards")
def test_own_38_gate_cards_are_shuffled_and_what_was_seen_is_worth_nothing() -> None:
    details = {"step": "", "gate_cards": ["moss", None, None, None], "gate_looks": [1, 3, 0, 0]}
    m = Mountain({}, phase=4, supply={}, details=details)
    while m.state.phase != ANCESTRY:
        m.do(m.offered()[0])
    assert m.state.gate_row == [-1] * 4 and m.state.gate_looks == [0] * 4
