"""Minions: when they enter, and how they and the Nazgul move."""

from __future__ import annotations

import pytest
from ring_driving import Drive, position, rule, where

from referee.games.war_of_the_ring.box.components import (
    FREE_NATIONS,
    GONDOR,
    ISENGARD,
    MOUTH,
    NAZGUL,
    SARUMAN,
    SAURON,
    WITCH_KING,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules import characters, dice_pools, minions, politics
from referee.games.war_of_the_ring.state.armies import count


def test_the_witch_king_by_edition() -> None:
    places = {"minas_morgul": {"sauron_regular": 2}, "umbar": {"southrons_easterlings_regular": 3}}
    for edition, needs_free in (("second", True), ("first", False)):
        state = position(edition=edition, places=places)
        assert rule(characters.why_not_enter(state, WITCH_KING)) == "minion.witch_king_enters"
        state.steps[SAURON] = 0
        refusal = characters.why_not_enter(state, WITCH_KING)
        assert (refusal is not None) is needs_free
        state.steps[GONDOR], state.awake = 0, state.awake | 1 << GONDOR
        assert characters.can_enter(state, WITCH_KING)
        Drive(state, minions.enter_minion(state, WITCH_KING))
        assert where(state, "witch_king") == PLACE["minas_morgul"]
        assert all(politics.active(state, nation) for nation in FREE_NATIONS)
        assert dice_pools.shadow_pool(state) == 8
        assert rule(characters.why_not_enter(state, WITCH_KING)) == "minion.witch_king_enters"


def test_the_witch_king_needs_an_army_with_a_unit_of_sauron() -> None:
    state = position(places={"umbar": {"southrons_easterlings_regular": 3}}, edition="first")
    state.steps[SAURON] = 0
    refusal = characters.why_not_enter(state, WITCH_KING)
    assert refusal is not None and refusal.reason == "no_place_left"
    two = position(
        places={
            "umbar": {"southrons_easterlings_regular": 3, "sauron_regular": 1},
            "moria": {"sauron_elite": 1},
        },
        edition="first",
    )
    two.steps[SAURON] = 0
    d = Drive(two, minions.enter_minion(two, WITCH_KING))
    assert d.options == {"umbar", "moria"}
    assert d.refused("minas_morgul") == "minion.witch_king_enters"


def test_saruman_comes_to_orthanc() -> None:
    state = position()
    assert rule(characters.why_not_enter(state, SARUMAN)) == "minion.saruman_enters"
    state.steps[ISENGARD] = 0
    Drive(state, minions.enter_minion(state, SARUMAN))
    assert where(state, "saruman") == PLACE["orthanc"]
    lost = position(captured="orthanc")
    lost.steps[ISENGARD] = 0
    refusal = characters.why_not_enter(lost, SARUMAN)
    assert refusal is not None and refusal.reason == "no_place_left"


def test_the_mouth_comes_for_mordor_or_for_total_war() -> None:
    state = position()
    assert rule(characters.why_not_enter(state, MOUTH)) == "minion.mouth_enters"
    for nation in FREE_NATIONS:
        state.steps[nation] = 0
        state.awake |= 1 << nation
    assert characters.can_enter(state, MOUTH)
    track = position(mordor=0, captured="moria")
    d = Drive(track, minions.enter_minion(track, MOUTH))
    assert "moria" not in d.options
    assert {"barad_dur", "minas_morgul", "dol_guldur", "mount_gundabad"} <= d.options
    d.do("barad_dur")
    assert where(track, "mouth_of_sauron") == PLACE["barad_dur"]


# --- minions move ---------------------------------------------------------------------------------


def test_nazgul_fly_anywhere_but_into_free_strongholds() -> None:
    state = position(
        places={
            "barad_dur": {"nazgul": 2},
            "minas_tirith": {"gondor_regular": 2},
            "lorien_siege": {"elves_regular": 2},
            "lorien": {"sauron_regular": 2},
            "edoras": {"rohan_regular": 1},
        }
    )
    d = Drive(state, minions.move_minions(state)).do("barad_dur")
    assert d.asked == "shadow choose_fliers"
    assert d.refused({}) == "nazgul.flies"
    d.do({"nazgul": 1})
    assert d.refused("minas_tirith") == "minion.no_free_stronghold"
    assert d.refused("rivendell") == "minion.no_free_stronghold"  # even where nobody defends it
    assert {"lorien", "edoras", "the_shire"} <= d.options
    d.do("edoras")
    assert d.refused("edoras") == "nazgul.die_moves_all"
    assert d.options == {"barad_dur", "done"}
    d.do("barad_dur", "lorien")
    assert d.asked == "over"
    captured = position(places={"barad_dur": {"nazgul": 1}}, captured="moria lorien")
    d = Drive(captured, minions.move_minions(captured)).do("barad_dur")
    assert d.refused("moria") == "minion.no_free_stronghold"
    assert d.refused("lorien") == ""


def test_nazgul_join_and_leave_a_besieged_garrison() -> None:
    state = position(
        places={
            "moria_siege": {"sauron_regular": 1, "nazgul": 1},
            "moria": {"elves_regular": 1},
            "barad_dur": {"nazgul": 1},
        }
    )
    d = Drive(state, minions.move_minions(state)).do("barad_dur", "moria")
    assert count(state.figures[PLACE["moria_siege"]], NAZGUL) == 2
    d.do("moria_siege", "the_shire")  # one of the two: the newcomer has moved already
    assert count(state.figures[PLACE["moria_siege"]], NAZGUL) == 1
    assert count(state.figures[PLACE["the_shire"]], NAZGUL) == 1


def test_the_witch_king_flies_and_the_mouth_walks() -> None:
    state = position(
        chars={"witch_king": "barad_dur", "mouth_of_sauron": "barad_dur"}, places={"barad_dur": {"nazgul": 1}}
    )
    d = Drive(state, minions.move_minions(state))
    d.do("barad_dur", {"witch_king": 1}, "the_shire")
    assert where(state, "witch_king") == PLACE["the_shire"]
    d.do("barad_dur", {"nazgul": 1, "mouth_of_sauron": 1})
    assert d.request.rule == "minion.mouth_moves"
    assert d.refused("the_shire") == "minion.mouth_moves"
    d.do("morannon")
    assert where(state, "mouth_of_sauron") == PLACE["morannon"]


def test_the_mouth_shuns_free_strongholds_and_his_own_sieges() -> None:
    state = position(chars={"mouth_of_sauron": "osgiliath"}, places={"pelargir": {"gondor_regular": 1}})
    d = Drive(state, minions.move_minions(state)).do("osgiliath")
    assert d.refused("minas_tirith") == "minion.no_free_stronghold"
    assert "pelargir" in d.options  # a city, and he passes armies
    shut = position(
        chars={"mouth_of_sauron": "moria_siege"},
        places={"moria_siege": {"sauron_regular": 1}, "moria": {"elves_regular": 1}},
    )
    assert rule(minions.why_not_move_minions(shut)) == "minion.mouth_moves"
    near = position(
        chars={"mouth_of_sauron": "hollin"},
        places={"moria_siege": {"sauron_regular": 1}, "moria": {"elves_regular": 1}},
    )
    assert Drive(near, minions.move_minions(near)).do("hollin").refused("moria") == "minion.mouth_moves"


@pytest.mark.parametrize(("edition", "passes"), [("second", True), ("first", False)])
def test_a_besieged_stronghold_stops_the_mouth_in_the_first_edition(edition: str, passes: bool) -> None:
    state = position(
        edition=edition,
        places={"grey_havens_siege": {"elves_regular": 1}, "grey_havens": {"sauron_regular": 1}},
    )
    reached = minions.mouth_walk(state, PLACE["forlindon"])
    assert reached >> PLACE["grey_havens"] & 1
    assert bool(reached >> PLACE["tower_hills"] & 1) is passes


def test_saruman_never_moves() -> None:
    state = position(chars={"saruman": "orthanc"})
    assert rule(minions.why_not_move_minions(state)) == "minion.saruman_stays"
    assert rule(minions.why_not_move_minions(position())) == "nazgul.die_moves_all"
    state = position(chars={"saruman": "orthanc", "witch_king": "umbar"}, places={"orthanc": {"nazgul": 2}})
    d = Drive(state, minions.move_minions(state)).do("orthanc")
    assert d.refused({"saruman": 1}) == "minion.saruman_stays"


def test_a_card_may_leave_nazgul_where_they_are() -> None:
    state = position(places={"barad_dur": {"nazgul": 1}}, chars={"mouth_of_sauron": "barad_dur"})
    d = Drive(state, minions.move_nazgul(state))
    assert d.options == {"barad_dur", "done"}
    d.do("done")
    assert d.asked == "over"
