"""The Shadow's Strategy cards: what each does, and where it cannot be played."""

from __future__ import annotations

import pytest
from card_driving import WAR, at, barred, play, table
from ring_driving import where

from referee.games.war_of_the_ring.box.components import (
    F_ARMY,
    F_WEST,
    FREE,
    GONDOR,
    ROHAN,
)
from referee.games.war_of_the_ring.box.map import PLACE, PLACES
from referee.games.war_of_the_ring.cards import card_ending, cards_in_play
from referee.games.war_of_the_ring.rules import politics

NEEDS = "cards.requirement"
SIX = ["6"]


@pytest.mark.rule("cards.losses_by_card")
def test_return_to_valinor_thins_the_elves() -> None:
    state = table(
        captured="woodland_realm",
        places={"lorien": {"elves_regular": 1, "elves_leader": 1}, "rivendell": {"elves_elite": 2}},
        company="gimli",
        chars={"legolas": "lorien"},
    )
    drive = play(state, "return_to_valinor")
    while drive.asked == "shadow card_roll":
        number = drive.request.dice["combat_shadow"]  # type: ignore[attr-defined]
        drive.dice(*([6] * number))
        while drive.asked.startswith("free"):
            drive.do(dict(drive.request.default))  # type: ignore[attr-defined]
    assert at(state, "lorien") == {}
    assert where(state, "legolas") == PLACE["lorien"]
    assert barred(table(), "return_to_valinor").startswith(NEEDS)


def test_denethors_folly_costs_a_leader_and_bars_combat_cards() -> None:
    places = {
        "minas_tirith_siege": {"gondor_regular": 1, "gondor_leader": 1},
        "minas_tirith": {"sauron_regular": 2},
    }
    state = table(places=places)
    play(state, "denethors_folly")
    assert at(state, "minas_tirith_siege") == {"gondor_regular": 1}
    assert cards_in_play.free_combat_card_barred(state, PLACE["minas_tirith"])
    assert card_ending.endings(state, FREE, F_ARMY) == ()
    assert card_ending.endings(state, FREE, F_WEST) == ("denethors_folly",)
    cards_in_play.expire(state)
    assert "denethors_folly" in state.table_cards
    free = table(laid="denethors_folly")
    cards_in_play.expire(free)
    assert not free.table_cards
    assert barred(table(), "denethors_folly").startswith(NEEDS)


def test_the_day_without_dawn_discards_the_will_of_the_west() -> None:
    state = table(steps=WAR)
    state.unused[FREE][F_WEST] = 2
    play(state, "the_day_without_dawn")
    assert state.unused[FREE][F_WEST] == 0 and state.used[FREE][F_WEST] == 2
    assert barred(table(), "the_day_without_dawn").startswith(NEEDS)


def test_threats_and_promises_bar_diplomacy_of_the_passive() -> None:
    state = table()
    play(state, "threats_and_promises")
    assert set(politics.can_negotiate(state, FREE)) == {"elves"}
    politics.army_attacked(state, 1 << 6 * 4)  # a regular of Gondor
    assert state.awake >> GONDOR & 1 and not state.table_cards


def test_stormcrow_sets_a_nation_back() -> None:
    state = table(
        company="gimli",
        chars={"legolas": "edoras"},
        places={"edoras": {"rohan_regular": 1, "rohan_leader": 1}},
        ring="moria",
    )
    state.steps[ROHAN] = 2
    drive = play(state, "stormcrow")
    assert state.steps[ROHAN] == 3
    drive.do("rohan_leader@edoras")
    assert at(state, "edoras") == {"rohan_regular": 1}
    assert barred(table(ring="moria", company="gimli"), "stormcrow").startswith(NEEDS)


@pytest.mark.rule("cards.move")
def test_shadows_gather_and_lengthen_to_join_another_army() -> None:
    places = {
        "moria": {"sauron_regular": 2},
        "north_dunland": {"sauron_regular": 1},
        "dol_guldur": {"sauron_regular": 1},
    }
    state = table(steps=WAR, places=places)
    drive = play(state, "shadows_gather", "moria", {"sauron_regular": 2})
    seen = set(drive.options)
    assert "done" not in seen
    while drive.asked != "over":
        drive.do("north_dunland" if "north_dunland" in drive.options else sorted(drive.options - {"done"})[0])
        if "done" in (drive.options if drive.asked != "over" else set()):
            drive.do("done")
    assert any(at(state, place) not in ({}, counts) for place, counts in places.items() if place != "moria")
    state = table(steps=WAR, places={"moria": {"sauron_regular": 2}})
    assert play(state, "the_shadow_lengthens").asked == "over"  # nobody to join


def test_the_shadow_lengthens_moves_no_figure_twice() -> None:
    """Second edition, page 27: who joined an army in this action stays where the join was made."""
    places = {"moria": {"sauron_regular": 3}, "dimrill_dale": {"isengard_regular": 2}}
    state = table(steps=WAR, places={**places, "parth_celebrant": {"sauron_regular": 1}})
    drive = play(state, "the_shadow_lengthens", "moria", {"sauron_regular": 3}, "done")
    drive.do("dimrill_dale")
    assert drive.request.limits == {"isengard_regular": 2}  # type: ignore[attr-defined]
    drive.do({"isengard_regular": 2}, "parth_celebrant")
    assert drive.asked == "over"
    assert at(state, "dimrill_dale") == {"sauron_regular": 3}


def test_the_shadow_lengthens_leaves_an_army_alone_of_which_everybody_moved() -> None:
    places = {"moria": {"sauron_regular": 3}, "dimrill_dale": {"isengard_regular": 2}}
    state = table(steps=WAR, places=places)
    drive = play(state, "the_shadow_lengthens", "moria", {"sauron_regular": 3})
    assert drive.asked == "over", "the first army stands with the only other one"
    drive = play(table(steps=WAR, places=places), "the_shadow_lengthens", "moria", {"sauron_regular": 1})
    assert drive.options == {"moria", "dimrill_dale", "done"}
    drive.do("dimrill_dale")
    assert drive.request.limits == {"isengard_regular": 2}  # type: ignore[attr-defined]


def test_the_shadow_is_moving_moves_four_armies() -> None:
    places = {name: {"sauron_regular": 1} for name in ("moria", "dol_guldur", "morannon", "nurn", "angmar")}
    state = table(steps=WAR, places=places)
    drive = play(state, "the_shadow_is_moving")
    moves = 0
    while drive.asked != "over":
        drive.do(sorted(drive.options - {"done"})[0])
        moves += drive.asked.endswith(("choose_second_army", "over"))
    assert moves == 4
    assert barred(table(), "the_shadow_is_moving").startswith(NEEDS)


def test_corsairs_land_and_fight_to_the_end() -> None:
    state = table(
        steps=WAR,
        places={"umbar": {"southrons_easterlings_regular": 3}, "pelargir": {"gondor_regular": 1}},
    )
    drive = play(state, "corsairs_of_umbar", "pelargir")
    if state.battle is None:
        drive.do({"southrons_easterlings_regular": 3})
    assert state.battle is not None and state.battle.no_cease
    peaceful = table(steps=WAR, places={"umbar": {"southrons_easterlings_regular": 3}})
    play(peaceful, "corsairs_of_umbar", "anfalas", {"southrons_easterlings_regular": 2})
    assert at(peaceful, "anfalas") == {"southrons_easterlings_regular": 2}
    assert barred(table(), "corsairs_of_umbar").startswith(NEEDS)


@pytest.mark.ruling("r72")
def test_ruling_r72_corsairs_join_a_siege_and_fight_it_and_may_cease() -> None:
    sailors = {"southrons_easterlings_regular": 3}
    places = {
        "umbar": sailors,
        "dol_amroth": {"sauron_regular": 2},
        "dol_amroth_siege": {"gondor_regular": 1},
    }
    state = table(steps=WAR, places=places)
    drive = play(state, "corsairs_of_umbar", "dol_amroth")
    while state.battle is None:
        drive.do(drive.request.default)
    assert at(state, "dol_amroth") == {**sailors, "sauron_regular": 2} and at(state, "umbar") == {}
    battle = state.battle
    assert (PLACES[battle.start], PLACES[battle.target]) == ("dol_amroth", "dol_amroth_siege")
    assert battle.siege and not battle.no_cease


def test_rage_of_the_dunlendings_gathers_next_to_dunland() -> None:
    state = table(steps=WAR, places={"south_dunland": {"isengard_regular": 3, "isengard_elite": 1}})
    drive = play(state, "rage_of_the_dunlendings", "gap_of_rohan")
    assert drive.asked == "shadow dunland_joins"
    drive.do({"isengard_regular": 3, "isengard_elite": 1})
    assert at(state, "gap_of_rohan") == {"isengard_regular": 5, "isengard_elite": 1}
    assert at(state, "south_dunland") == {}


def test_return_of_the_witch_king_to_angmar() -> None:
    state = table(places={"moria": {"sauron_regular": 1}}, chars={"witch_king": "moria"})
    play(state, "return_of_the_witch_king")
    assert where(state, "witch_king") == PLACE["angmar"]
    assert at(state, "angmar") == {"sauron_regular": 2, "sauron_elite": 1}


@pytest.mark.parametrize(
    ("card", "unit"), [("half_orcs_and_goblin_men", "isengard_elite"), ("olog_hai", "sauron_elite")]
)
def test_a_unit_joins_any_army(card: str, unit: str) -> None:
    state = table(steps=WAR, places={"khand": {"southrons_easterlings_regular": 1}})
    play(state, card, unit)
    assert at(state, "khand") == {"southrons_easterlings_regular": 1, unit: 1}
    assert barred(table(), card).startswith(NEEDS)


def test_hill_trolls_promote_two_regulars() -> None:
    state = table(steps=WAR, places={"moria": {"sauron_regular": 1}, "nurn": {"sauron_regular": 3}})
    play(state, "hill_trolls", {"moria": 1, "nurn": 1})
    assert at(state, "moria") == {"sauron_elite": 1}
    assert at(state, "nurn") == {"sauron_regular": 2, "sauron_elite": 1}


def test_a_new_power_is_rising_in_isengard() -> None:
    state = table(chars={"saruman": "orthanc"})
    play(state, "a_new_power_is_rising", "isengard_elite", "isengard_regular")
    assert at(state, "north_dunland") == at(state, "south_dunland") == {"isengard_regular": 2}
    assert at(state, "orthanc") == {"isengard_regular": 1, "isengard_elite": 1}


def test_many_kings_gather_in_three_settlements() -> None:
    state = table()
    drive = play(state, "many_kings_to_the_service_of_mordor", "umbar", "far_harad")
    assert "umbar" not in drive.options
    drive.do("near_harad")
    assert at(state, "umbar") == {"southrons_easterlings_regular": 2}


def test_the_king_is_revealed_and_minas_morgul_answers() -> None:
    state = table(company="gimli", chars={"aragorn": "pelargir"})
    play(state, "the_king_is_revealed")
    assert at(state, "minas_morgul") == {"sauron_regular": 5, "nazgul": 1}
    assert barred(table(), "the_king_is_revealed").startswith(NEEDS)


def test_shadows_on_the_misty_mountains() -> None:
    state = table()
    play(state, "shadows_on_the_misty_mountains", "moria", "sauron_elite", "sauron_regular")
    assert at(state, "moria") == {"sauron_regular": 1, "sauron_elite": 1, "nazgul": 1}


@pytest.mark.rule("cards.recruit_free_region")
def test_orcs_multiply_where_the_region_is_free() -> None:
    state = table(places={"dol_guldur": {"elves_regular": 1}})
    play(state, "orcs_multiplying_again")
    assert at(state, "mount_gundabad") == {"sauron_regular": 3}
    assert at(state, "dol_guldur") == {"elves_regular": 1}


def test_the_horde_comes_from_the_east_edge() -> None:
    state = table(steps=WAR)
    drive = play(state, "horde_from_the_east")
    assert drive.options == {"east_rhun", "south_rhun", "khand", "far_harad"}
    drive.do("khand")
    assert at(state, "khand") == {"southrons_easterlings_regular": 5}


def test_monsters_and_long_planned_musterings() -> None:
    state = table(steps=WAR)
    play(state, "monsters_roused")
    assert [at(state, place) for place in ("angmar", "ettenmoors", "weather_hills")] == [
        {"sauron_regular": 1}
    ] * 3
    assert at(state, "trollshaws") == {"sauron_elite": 1}
    state = table(steps=WAR)
    play(state, "musterings_of_long_planned_war")
    assert at(state, "gorgoroth") == {"southrons_easterlings_regular": 5}
    assert at(state, "nurn") == {"sauron_regular": 5}


def test_pits_of_mordor_fill_three_strongholds() -> None:
    state = table(steps=WAR)
    drive = play(state, "pits_of_mordor", "barad_dur", "moria")
    assert "orthanc" not in drive.options and "moria" not in drive.options
    drive.do("morannon")
    assert at(state, "barad_dur") == at(state, "moria") == at(state, "morannon") == {"sauron_regular": 2}
