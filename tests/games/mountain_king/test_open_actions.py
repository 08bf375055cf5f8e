"""Open scenarios 9 to 22: advance, attack, control, bolster, influence, the wheel, breaches."""

from __future__ import annotations

from typing import Any

import pytest
from mountain_driving import DOMAINS, SEATS, Mountain, at, place

from referee.games.mountain_king.box.components import CLANS
from referee.games.mountain_king.rules.caverns import begin, gain_control
from referee.games.mountain_king.rules.invasion import breach_gnomes, candidates
from referee.games.mountain_king.state.state import reckon


def trolls(**where: int) -> dict[str, int]:
    """Trolls that go, by the short name of where they stand."""
    return {f"trolls@{place(name)}": number for name, number in where.items()}


def advance(strength: int, caverns: dict[str, dict[str, Any]], active: str = "pink", **more: Any) -> Mountain:
    """At the question for the target of an advance."""
    if strength == 1:
        return Mountain(caverns, active=active, grid=["A"], **more).do("weak_advance")
    return Mountain(caverns, active=active, grid=[f"A{strength}"], **more).do("strong_advance")


AT_09: dict[str, dict[str, Any]] = {
    "pinkA": {"pink": 3}, "M3": {"pink": 1}, "I3": {"pink": 1, "green": 2}, "O2": {"pink": 1}
}  # fmt: skip


@pytest.mark.rule(
    "advance.path", "advance.distance", "advance.target_any", "cave.trolled", "advance.lair_target"
)
def test_open_09_through_trolled_caverns() -> None:
    m = advance(1, AT_09).do(place("O1"), trolls(pinkA=1))
    assert m.units("pinkA") == {"pink": 2} and m.units("O1") == {"pink": 1} and m.votes("moon") == []


@pytest.mark.rule("advance.path", "advance.max", refuses=True)
def test_open_09_refused() -> None:
    m = advance(1, AT_09)
    assert m.refused(place("M1")) == "advance.path"
    m.do(place("I2"))
    assert m.refused(trolls(pinkA=2)) == "advance.max"


AT_10: dict[str, dict[str, Any]] = {
    "F2": {"blue": 2}, "M2": {"pink": 2}, "pinkA": {"pink": 3}, "M3": {"pink": 1}
}  # fmt: skip


@pytest.mark.rule(
    "advance.origins", "advance.one_target", "control.gain", "advance.no_rival_fight", "advance.no_split"
)
def test_open_10_control_gained_from_a_rival() -> None:
    m = advance(3, AT_10, votes={"fire": {"pink": 1}}).do(place("F2"), trolls(M2=1, pinkA=2))
    assert m.units("F2") == {"pink": 3, "blue": 2} and m.units("M2") == {"pink": 1}
    assert m.votes("fire") == [["pink", 2]]
    m = advance(3, AT_10, votes={"fire": {"pink": 1}}).do(place("F2"), trolls(M2=1, pinkA=1))
    assert m.units("F2") == {"pink": 2, "blue": 2} and m.votes("fire") == [["pink", 1]]


AT_11: dict[str, dict[str, Any]] = {
    "yellowA": {"yellow": 3}, "O2": {"yellow": 2}, "I3": {"green": 1}, "G2": {"yellow": 1},
    "H4": {"gnomes": 1},
}  # fmt: skip


@pytest.mark.rule("advance.path", "advance.not_foreign_lair", "advance.own_only", refuses=True)
def test_open_11_refusals_of_every_kind() -> None:
    m = advance(2, AT_11, "yellow")
    assert m.refused(place("greenA")) == "advance.not_foreign_lair"
    assert m.refused(place("M3")) == "advance.path" and m.refused(place("H2")) == "advance.path"
    m.do(place("I3"))
    assert m.refused({"green_trolls": 1}) == "advance.own_only"


@pytest.mark.rule("control.gain", "advance.distance")
def test_open_11_the_legal_twins() -> None:
    m = advance(2, AT_11, "yellow").do(place("I3"), trolls(yellowA=2))
    assert m.units("I3") == {"green": 1, "yellow": 2} and m.votes("ice") == [["yellow", 1]]
    m = advance(4, AT_11, "yellow").do(place("G1"), trolls(yellowA=3, O2=1))
    assert m.units("G1") == {"yellow": 4} and m.votes("granite") == []


WON = pytest.mark.rule(
    *("dwarf_attack.honour", "dwarf_attack.vote", "dwarf_attack.to_wheel", "dwarf_attack.pawn"),
    *("dwarf_attack.no_effect", "dwarf_attack.order"),
)


@pytest.mark.rule("dwarf_attack.win", "dwarf_attack.reveal", "dwarf_attack.trigger")
@pytest.mark.ruling("amb_13")
@pytest.mark.parametrize(
    "strength, won", [pytest.param("2", True, marks=WON), pytest.param("1", True, marks=WON), ("3", False)]
)
def test_open_12_attacking_a_gnome(strength: str, won: bool) -> None:
    there: dict[str, dict[str, Any]] = {"L2": {"gnomes": 1}, "H3": {"pink": 2}, "pinkA": {}}
    m = advance(2, there, beside_wheel={"1": 2}, pawn=4)
    m.do(place("L2"), trolls(H3=2), strength)
    if won:
        assert m.honour("pink") == int(strength) and m.votes("mud") == [["pink", 1]]
        assert sum(m.state.beside) == 3 and m.state.pawn == 5 and m.units("L2") == {"pink": 2}
        assert not m.gnomes("L2") and not m.units("H3")
    else:
        m.do(place("pinkB"))
        assert (
            m.honour("pink") == 0 and m.votes("mud") == [] and sum(m.state.beside) == 2 and m.state.pawn == 4
        )
        assert m.units("pinkB") == {"pink": 2} and m.gnomes("L2") == 2


@pytest.mark.rule(
    *("dwarf_attack.loss_return", "dwarf_attack.loss_entrench", "dwarf_attack.loss_no_third"),
    "dwarf_attack.loss_no_casualty",
)
def test_open_13_a_lost_attack() -> None:
    there: dict[str, dict[str, Any]] = {
        "G1": {"gnomes": 1}, "H4": {"gnomes": 2}, "G2": {"green": 2}, "greenA": {"green": 1}
    }  # fmt: skip
    m = advance(2, there, "green", pawn=2).do(place("G1"), trolls(G2=2), "3")
    assert m.offered() == [place("greenA"), place("greenB")]
    stock = m.state.stock[1]
    m.do(place("greenA"))
    assert m.units("greenA") == {"green": 3} and m.gnomes("G1") == 2 and m.state.pawn == 2
    assert m.state.stock[1] == stock
    m = advance(2, there, "green", pawn=2).do(place("H4"), trolls(G2=2), "1", "2", place("greenA"))
    assert m.gnomes("H4") == 2 and m.state.pawn == 2


@pytest.mark.rule("dwarf_attack.loss_return", refuses=True)
def test_open_13_all_to_one_own_lair() -> None:
    m = advance(2, {"G1": {"gnomes": 1}, "G2": {"green": 2}}, "green").do(place("G1"), trolls(G2=2), "3")
    assert m.refused(place("G2")) == "dwarf_attack.loss_return"


BROKEN = pytest.mark.rule("dwarf_attack.breach", "breach.count", "breach.shuffle_back", "breach.trigger")


@pytest.mark.parametrize(
    "went, pawn, wins, after",
    [pytest.param(3, 7, True, 9, marks=BROKEN), (2, 7, False, 7), (3, 9, True, 11)],
)
def test_open_14_a_breach_in_the_attack(went: int, pawn: int, wins: bool, after: int) -> None:
    m = advance(3, {"G1": {"gnomes": 2}, "G2": {"pink": 3}}, beside_wheel={"1": 1}, pawn=pawn, swarm="moon",
                votes={"granite": {"pink": 2}})  # fmt: skip
    m.do(place("G1"), trolls(G2=went), "2", "1")
    assert m.honour("pink") == 3 * wins and m.state.pawn == after
    if after == 9 and wins:
        assert m.asked == "pink swarm" and m.votes("granite") == [["pink", 3]] and sum(m.state.beside) == 3
        assert breach_gnomes(m.state) == 4
        m.do("moon")
        assert sum(m.state.beside) == 0
    elif wins:
        assert sum(m.state.beside) == 3 and m.asked != "pink swarm"


@pytest.mark.rule("control.gain", "control.gain_not_empty", "cave.tie", "cave.controlled", "cave.empty")
@pytest.mark.parametrize(
    "first, last, votes",
    [
        ({"green": 1}, {"pink": 2, "green": 1}, 1),
        ({"pink": 1, "green": 1}, {"pink": 2, "green": 1}, 1),
        ({}, {"pink": 2}, 0),
        ({"pink": 1}, {"pink": 3}, 0),
        ({"pink": 1, "green": 2, "blue": 2}, {"pink": 3, "green": 2, "blue": 2}, 1),
        ({"green": 2}, {"pink": 2, "green": 2}, 0),
        ({"pink": 1, "green": 1}, {"green": 1}, 0),
        ({"pink": 2, "green": 1}, {"pink": 2}, 0),
    ],
)
def test_open_15_gaining_control(first: dict[str, int], last: dict[str, int], votes: int) -> None:
    state = Mountain({"G1": first, "pinkA": {"pink": 1}}, grid=["A"]).state
    before = begin(state, 0)
    for seat, name in enumerate(SEATS):
        state.trolls[seat][at("G1")] = last.get(name, 0)
    reckon(state)
    gain_control(state, 0, before)
    assert state.votes[CLANS.index("granite")] == ([[0, votes]] if votes else [])


AT_16: dict[str, dict[str, Any]] = {
    "G2": {"pink": 3, "green": 3}, "O2": {"pink": 1, "yellow": 1}, "G1": {"green": 1, "pink": 1},
    "H4": {"gnomes": 1}, "pinkB": {"pink": 1},
}  # fmt: skip


def moving() -> Mountain:
    """On the move space with three to move out of G2."""
    m = Mountain(AT_16, grid=["G3"], pawn=4, swarm="moss").do("strong_gnome", "3", "none", "none")
    return m.do(place("G2"))


@pytest.mark.rule(
    *("wheel.effect_move", "wheel.move_spread", "wheel.move_lair", "control.gain_several"),
    *("control.gain_not_foreign_turn", "control.gain_any_action", "wheel.effect_new_space", "wheel.order"),
)
def test_open_16_moving_trolls() -> None:
    m = moving().do("green_troll", place("G1"), "green_troll", place("G1"), "pink_troll", place("O2"))
    assert m.units("G2") == {"pink": 2, "green": 1} and m.units("O2") == {"pink": 2, "yellow": 1}
    assert m.units("G1") == {"green": 3, "pink": 1}
    assert m.votes("granite") == [["pink", 1]] and m.votes("moon") == [["pink", 1]]
    m = moving().do("pink_troll", place("pinkB"))
    assert m.units("pinkB") == {"pink": 2}


@pytest.mark.rule("wheel.move_no_gnomes", "wheel.move_lair", "wheel.effect_move", refuses=True)
def test_open_16_refused() -> None:
    m = moving().do("pink_troll")
    assert m.refused(place("H4")) == "wheel.move_no_gnomes"
    m = moving().do("green_troll")
    assert m.refused(place("pinkB")) == "wheel.move_lair" and m.refused(place("O1")) == "wheel.effect_move"


AT_17: dict[str, dict[str, Any]] = {
    "H3": {"pink": 2}, "L2": {"pink": 3, "green": 1}, "H4": {"gnomes": 1}, "M2": {"pink": 4}
}  # fmt: skip


def bolster(strength: int, stock: int) -> Mountain:
    """At the question where to bolster, with so many trolls in the stock; the others stand in a lair."""
    there = {**AT_17, "pinkB": {"pink": 25 - 9 - stock}}
    word = f"B{strength}" if strength > 1 else "B"
    m = Mountain(there, grid=[word]).do("strong_bolster" if strength > 1 else "weak_bolster")
    assert m.state.stock[0] == stock
    return m


@pytest.mark.rule(
    "reinforce.target", "reinforce.max", "cave.lair_dominated", "cave.dominated", "reinforce.stock_limit"
)
def test_open_17_bolstering() -> None:
    m = bolster(3, 9).do(place("H3"), "3")
    assert m.units("H3") == {"pink": 5} and m.state.stock[0] == 6
    m = bolster(3, 9).do(place("pinkA"), "3")
    assert m.units("pinkA") == {"pink": 3} and m.state.stock[0] == 6


@pytest.mark.rule(
    "reinforce.not_shared", "reinforce.target", "reinforce.max", "cave.lair_closed", refuses=True
)
def test_open_17_refused() -> None:
    m = bolster(3, 9)
    assert m.refused(place("L2")) == "reinforce.not_shared"
    assert m.refused(place("H4")) == "reinforce.target" and m.refused(place("G1")) == "reinforce.target"
    assert m.refused(place("greenA")) == "cave.lair_closed"
    assert m.do(place("H3")).refused("4") == "reinforce.max"


@pytest.mark.rule("reinforce.move_when_empty", "reinforce.no_move_before_empty")
def test_open_17_an_empty_stock() -> None:
    m = bolster(5, 2).do(place("H3"), "2")
    assert m.refused(trolls(M2=4)) == "reinforce.move_when_empty"
    m.do(trolls(M2=3))
    assert m.units("H3") == {"pink": 7} and m.units("M2") == {"pink": 1} and m.state.stock[0] == 0
    m = bolster(2, 0).do(place("H3"), trolls(L2=2))
    assert m.units("H3") == {"pink": 4} and m.units("L2") == {"pink": 1, "green": 1}
    m = bolster(3, 9).do(place("H3"), "1")
    assert m.asked != "pink bolster_move"


@pytest.mark.rule("reinforce.move_when_empty", "reinforce.stock_limit", refuses=True)
def test_open_17_no_more_than_the_strength() -> None:
    assert bolster(5, 2).do(place("H3")).refused("3") == "reinforce.stock_limit"
    m = bolster(5, 2).do(place("H3"), "2")
    assert m.refused(trolls(M2=4)) == "reinforce.move_when_empty"


def influence(strength: int) -> Mountain:
    """At the question which champion to influence."""
    word = f"I{strength}" if strength > 1 else "I"
    tracks = [[], [], [["yellow", 3], ["pink", 2]], [["green", 4]], [["blue", 1]]]
    m = Mountain(grid=[word], display=["c11", "c12", "c13", "c14", "c15"], influence=tracks)
    return m.do("strong_influence" if strength > 1 else "weak_influence")


@pytest.mark.rule(
    *("influence.amount", "influence.first_bonus", "influence.one_disc", "influence.stack"),
    "influence.one_champion",
)
def test_open_18_influence() -> None:
    assert influence(2).do("c11").state.influence[0] == [[0, 3]]
    assert influence(2).do("c13").state.influence[2] == [[0, 4], [3, 3]]
    assert influence(1).do("c13").state.influence[2] == [[3, 3], [0, 3]]
    assert influence(2).do("c14").state.influence[3] == [[1, 4], [0, 2]]


@pytest.mark.rule("influence.track_beyond_8", "influence.one_disc")
def test_open_19_beyond_eight() -> None:
    from referee.games.mountain_king.state.tracks import advance as on

    for more, expected in ((4, [[0, 11], [1, 8]]), (1, [[1, 8], [0, 8]])):
        track = [[1, 8], [0, 7]]
        on(track, 0, more)
        assert track == expected
    track = [[2, 8], [1, 3], [0, 1]]
    on(track, 2, 1)
    assert track == [[2, 9], [1, 3], [0, 1]]
    track = [[2, 8], [1, 3], [0, 1]]
    on(track, 1, 6)
    assert track == [[1, 9], [2, 8], [0, 1]]


def wheel(pawn: int, strength: int, **more: Any) -> Mountain:
    """At the question how far the pawn goes."""
    kind = "weak" if strength == 1 else "strong"
    word = "G" if strength == 1 else f"G{min(strength, 6)}"
    rows = [word] if strength <= 6 else ["G6 G6 G2"]
    m = Mountain({"pinkA": {"pink": 3}}, grid=rows, pawn=pawn, beside_wheel={"1": 3}, swarm="moon", **more)
    m.do(f"{kind}_gnome")
    if strength > 6:
        m.do(dict(m.request.limits))  # type: ignore[attr-defined]
    return m


@pytest.mark.rule(
    "wheel.move", "wheel.boost", "wheel.boost_first", "wheel.effect_honour", "wheel.triggers_order"
)
def test_open_20_the_wheel() -> None:
    m = wheel(2, 2).do("2", "none")
    assert m.state.pawn == 4 and m.state.boost[0] == 1 and m.honour("pink") == 3
    m = wheel(2, 3).do("3", "none")
    assert m.state.pawn == 5 and m.state.boost[0] == 1 and m.asked == "pink bolster" and m.honour("pink") == 0
    assert m.request.about["strength"] == 3
    m = wheel(2, 3).do("1", "none")
    assert m.state.pawn == 3 and m.state.boost[0] == 0 and m.asked == "pink move_from"
    m = wheel(7, 3).do("1", "none")
    assert m.state.pawn == 8 and m.honour("pink") == 1 and sum(m.state.beside) == 3


@pytest.mark.rule(
    "breach.before_effect", "breach.swarm_shift", "wheel.effect_bolster", "breach.tokens_to_swarm"
)
def test_open_20_a_breach_before_the_effect() -> None:
    m = wheel(6, 3).do("3", "none")
    assert m.asked == "pink swarm" and breach_gnomes(m.state) == 4
    m.do("moon")
    while m.asked == "pink gnome_way":
        m.do(m.offered()[0])
    assert m.state.overrun.bit_count() == 4
    assert m.asked == "pink bolster" and m.request.about["strength"] == 3


@pytest.mark.rule("wheel.one_lap", "wheel.move", "wheel.scout_gate", refuses=True)
def test_open_20_refused() -> None:
    m = wheel(0, 14)
    assert m.refused("13") == "wheel.one_lap" and m.refused("0") == "wheel.move"
    m = wheel(0, 2, details={"gate_cards": ["ice", None, None, None]}).do("2")
    assert m.refused("gate_1") == "wheel.scout_gate"


@pytest.mark.rule("wheel.scout_gate", "wheel.scout_gnome", "wheel.scout_mark")
def test_open_20_scouting_is_marked_and_no_more() -> None:
    m = Mountain({"pinkA": {"pink": 3}, "M1": {"gnomes": 1}, "O1": {"gnomes": [2]}}, grid=["G"]).do(
        "weak_gnome"
    )
    m.do("gate_2")
    assert m.refused(place("O1")) == "wheel.scout_gnome"
    m.do(place("M1"))
    assert m.state.gate_looks == [0, 1, 0, 0] and m.state.looked[at("M1")] == 1
    assert m.state.gate_row == [-1] * 4 and m.game.to_json(m.state)["gnomes"][place("M1")] == ["hidden"]


@pytest.mark.rule("wheel.scout_gnome", refuses=True)
def test_a_shown_gnome_is_not_scouted() -> None:
    m = Mountain({"pinkA": {"pink": 3}, "M1": {"gnomes": 1}, "O1": {"gnomes": [2]}}, grid=["G"])
    assert m.do("weak_gnome", "none").refused(place("O1")) == "wheel.scout_gnome"


@pytest.mark.rule("breach.count")
def test_open_21_gnomes_of_a_breach() -> None:
    state = Mountain(grid=["A"]).state
    found = []
    for number in range(8):
        state.beside = [number, 0, 0]
        found.append(breach_gnomes(state))
    assert found == [2, 3, 3, 4, 4, 5, 5, 6]


def in_a_breach(swarm: str) -> Mountain:
    """A breach by green with four gnomes, at the question where the swarm stands."""
    there = {"H3": {"blue": 1}, "H4": {"yellow": 1}, "L1": {"green": 2}, "O1": {"pink": 2}, "G2": {"pink": 2}}
    m = Mountain(there, active="green", grid=["G"], pawn=8, swarm="moon", beside_wheel={"1": 3},
                 votes={"hammer": {"blue": 5}})  # fmt: skip
    m.do("weak_gnome", "none")
    if swarm:
        m.do(swarm)
    return m


def reached(m: Mountain, clan: str) -> dict[str, list[int]]:
    """What a gnome from a swarm point could choose from, by places."""
    found = candidates(m.state, CLANS.index(clan))
    return {key: list(found[at(key)]) for key in NAMES if at(key) in found}


NAMES = [f"{letter}{n}" for letter, count in DOMAINS.items() for n in range(1, count + 1)]


@pytest.mark.rule(
    *("breach.same_rules", "breach.choices", "breach.no_honour", "invasion.easiest", "invasion.nearest"),
    *("fallen.one_troll", "breach.at_swarm", "invasion.no_lair"),
)
def test_open_22_a_breach_of_four() -> None:
    m = in_a_breach("hammer")
    assert m.asked == "green gnome_way" and reached(m, "hammer") == {"H1": [0, 0], "H2": [0, 0]}
    m.do(place("H2"))  # the second has no choice, nor has the third
    assert m.asked == "green gnome_way" and sorted(m.offered()) == sorted([place("H3"), place("H4")])
    assert reached(m, "hammer") == {"H3": [1, 1], "H4": [1, 1], "L1": [2, 1], "O1": [2, 2], "G2": [2, 2]}
    m.do(place("H4"))
    assert not m.units("H4") and m.honour("yellow") == 0 and m.state.stock[3] == 25
    assert [name for name in NAMES if m.gnomes(name)] == ["G1", "H1", "H2"]


@pytest.mark.rule(
    "breach.swarm_shift", "invasion.easiest", "invasion.no_lair", "invasion.pass_overrun", refuses=True
)
def test_open_22_refused() -> None:
    m = in_a_breach("")
    assert m.refused("mud") == "breach.swarm_shift"
    assert set(m.offered()) == {"moss", "ice", "moon", "granite", "hammer"}
    m.do("hammer", place("H2"))
    assert m.refused(place("L1")) == "invasion.easiest" and m.refused(place("pinkA")) == "invasion.no_lair"
    assert m.refused(place("M2")) == "invasion.pass_overrun"
    assert m.refused(place("H1")) == "invasion.never_stop_overrun"
