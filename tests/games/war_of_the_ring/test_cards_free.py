"""Every Event card of the Free Peoples: what it needs, what it does, what ends it."""

from __future__ import annotations

import pytest
from card_driving import WAR, at, barred, lay, play, table
from ring_driving import where

from referee.games.war_of_the_ring.box.components import (
    DWARVES,
    ELVES,
    F_CHARACTER,
    F_WEST,
    FREE,
    NORTH,
    ROHAN,
    TILE,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.cards import cards_in_play
from referee.games.war_of_the_ring.state.card_data import CARD_BIT
from referee.games.war_of_the_ring.state.state import ELIMINATED

NEEDS = "cards.requirement"
GONDOR_ARMY = {"gondor_regular": 2}


@pytest.mark.rule("cards.discarded_for_good")
@pytest.mark.parametrize(
    ("card", "tile"),
    [
        ("elven_cloaks", "elven_cloaks"),
        ("elven_rope", "elven_rope"),
        ("phial_of_galadriel", "phial"),
        ("smeagol_helps_nice_master", "smeagol"),
    ],
)
def test_special_tiles_wait_for_mordor_and_join_the_pool_on_its_track(card: str, tile: str) -> None:
    state = table()
    play(state, card)
    assert state.tiles_ready[TILE[tile]] == 1 and state.tiles[TILE[tile]] == 0
    assert state.shown[FREE] & CARD_BIT[card] and state.hand[FREE] == [0, 1]
    assert barred(state, card).startswith("cards.")
    inside = table(ring="morannon", mordor=1)
    play(inside, card)
    assert inside.tiles[TILE[tile]] == 1


@pytest.mark.rule("cards.on_the_table")
@pytest.mark.parametrize(
    ("card", "without"),
    [
        ("axe_and_bow", "gandalf_the_grey strider boromir"),
        ("horn_of_gondor", "gandalf_the_grey strider legolas"),
        ("wizards_staff", "strider boromir"),
    ],
)
def test_cards_of_a_companion_stay_while_he_is_in_the_fellowship(card: str, without: str) -> None:
    state = table()
    play(state, card)
    assert card in state.table_cards
    cards_in_play.expire(state)
    assert card in state.table_cards
    alone = table(company=without)
    assert barred(alone, card).startswith(NEEDS)
    lay(alone, card)
    cards_in_play.expire(alone)
    assert card not in alone.table_cards


def test_mithril_coat_and_sting_stays_in_play() -> None:
    state = table()
    play(state, "mithril_coat_and_sting")
    assert "mithril_coat_and_sting" in state.table_cards


def test_athelas_heals_by_dice_and_better_with_strider_as_guide() -> None:
    state = table(company="gandalf_the_grey", corruption=5)
    play(state, "athelas", {"combat_free": ["3", "5", "6"]})
    assert state.corruption == 3
    guided = table(company="strider legolas", guide="strider", corruption=5)
    play(guided, "athelas", {"combat_free": ["3", "5", "2"]})
    assert guided.corruption == 3


def test_there_is_another_way_heals_and_lets_gollum_lead() -> None:
    state = table(corruption=2)
    assert play(state, "there_is_another_way").asked == "over"
    assert state.corruption == 1
    alone = table(company="", corruption=2, hunt_dice=[0, 0], progress=1)
    drive = play(alone, "there_is_another_way")
    assert drive.asked == "free move_by_card"
    drive.do("yes")
    assert alone.progress == 2 and alone.hunt_dice == [0, 0]


def test_i_will_go_alone_separates_one_region_further_and_heals() -> None:
    state = table(corruption=1, progress=0, company="legolas gimli", ring="rivendell")
    drive = play(state, "i_will_go_alone", {"legolas": 1})
    assert "hollin" in drive.options  # within three: his level and one
    drive.do("rivendell")
    assert where(state, "legolas") == PLACE["rivendell"] and state.corruption == 0
    assert barred(table(company=""), "i_will_go_alone").startswith(NEEDS)


def test_bilbos_song_heals_one_or_two_with_gollum() -> None:
    state = table(corruption=4)
    play(state, "bilbos_song")
    assert state.corruption == 3
    alone = table(company="", corruption=4)
    play(alone, "bilbos_song")
    assert alone.corruption == 2


def test_mirror_of_galadriel_turns_a_die_and_heals_in_lorien() -> None:
    state = table(ring="lorien", corruption=2)
    state.unused[FREE][F_CHARACTER] = 1
    play(state, "mirror_of_galadriel")
    assert state.unused[FREE][F_WEST] == 1 and state.corruption == 1
    lost = table(ring="lorien", corruption=2, captured="lorien")
    play(lost, "mirror_of_galadriel")
    assert lost.corruption == 2


def test_challenge_of_the_king_removes_eyes_or_costs_the_heir() -> None:
    setting = {
        "company": "gandalf_the_grey",
        "places": {"edoras": {"rohan_regular": 1}},
        "chars": {"strider": "edoras"},
    }
    state = table(**setting)
    play(state, "challenge_of_the_king", "eye_reveal", "one", "three")
    assert state.tiles_gone[TILE["eye_reveal"]] == 1
    assert state.tiles[TILE["one"]] == 2 and state.tiles[TILE["three"]] == 3
    unlucky = table(**setting)
    play(unlucky, "challenge_of_the_king", "eye_reveal", "eye_reveal", "eye_reveal")
    assert where(unlucky, "strider") == ELIMINATED and unlucky.tiles[TILE["eye_reveal"]] == 4
    assert barred(table(), "challenge_of_the_king").startswith(NEEDS)
    abroad = table(company="", places={"bree": {"north_regular": 1}}, chars={"strider": "bree"})
    assert barred(abroad, "challenge_of_the_king").startswith(NEEDS)


def test_gwaihir_carries_anyone_four_regions_and_into_a_siege() -> None:
    state = table(
        company="meriadoc peregrin",
        ring="helms_deep",
        places={"helms_deep_siege": {"rohan_regular": 1}, "helms_deep": {"isengard_regular": 1}},
        chars={"legolas": "fords_of_isen"},
    )
    drive = play(state, "gwaihir_the_windlord", "move_companions")
    if drive.asked == "free move_companion":
        drive.do("legolas")
    drive.do("helms_deep")
    assert where(state, "legolas") == PLACE["helms_deep_siege"]
    far = table(company="meriadoc", ring="bree")
    drive = play(far, "gwaihir_the_windlord")
    assert "rivendell" in drive.options  # four borders from Bree for a hobbit


def test_we_prove_the_swifter_adds_two_regions() -> None:
    state = table(company="meriadoc", ring="bree")
    drive = play(state, "we_prove_the_swifter")
    assert "weather_hills" in drive.options and "trollshaws" in drive.options


def test_there_and_back_again_rouses_the_north_east() -> None:
    state = table(company="gimli strider", ring="dale", awake="elves")
    play(state, "there_and_back_again", {"gimli": 1}, "erebor")
    assert state.awake >> DWARVES & 1 and state.awake >> NORTH & 1
    assert (state.steps[DWARVES], state.steps[ELVES], state.steps[NORTH]) == (2, 2, 2)
    elsewhere = table(company="gimli strider", ring="bree")
    play(elsewhere, "there_and_back_again", {"gimli": 1}, "bree")
    assert elsewhere.steps[DWARVES] == 3


def test_the_eagles_strike_nazgul_next_to_a_companion() -> None:
    state = table(
        company="gandalf_the_grey",
        places={
            "edoras": {"rohan_regular": 1},
            "folde": {"sauron_regular": 1, "nazgul": 3},
        },
        chars={"legolas": "edoras"},
    )
    drive = play(state, "the_eagles_are_coming", {"combat_free": ["5", "1", "6"]})
    assert drive.asked == "shadow eagles_to"
    drive.do("minas_morgul")
    assert at(state, "folde") == {"sauron_regular": 1} and at(state, "minas_morgul") == {"nazgul": 1}
    assert state.supply[-1] == 8 - 1
    assert barred(table(), "the_eagles_are_coming").startswith(NEEDS)


@pytest.mark.parametrize("name", ["treebeard", "huorns", "entmoot"])
def test_the_ents_fall_on_orthanc_as_in_a_battle(name: str) -> None:
    card = f"the_ents_awake_{name}"
    setting = {
        "company": "legolas",
        "chars": {"gandalf_the_white": "fangorn", "saruman": "orthanc"},
        "steps": {"isengard": 1},
    }
    state = table(places={"orthanc": {"isengard_regular": 2}}, **setting)
    drive = play(state, card, {"combat_free": ["4", "5", "3"]})
    assert at(state, "orthanc") == {} and where(state, "saruman") == ELIMINATED
    assert state.steps[5] == 0  # an attack on the army of Isengard
    assert drive.asked == "over"  # no other Character card in hand
    state = table(places={"orthanc": {"isengard_regular": 5}}, **setting)
    state.hand[FREE][0], state.deck[FREE][0] = 2, 22
    drive = play(state, card, {"combat_free": ["4", "1", "3"]})
    assert at(state, "orthanc") == {"isengard_regular": 4}
    assert drive.asked == "free ents_card"
    drive.do("yes", "bilbos_song")
    assert state.hand[FREE][0] == 0
    assert barred(table(), card).startswith(NEEDS)


def test_dead_men_of_dunharrow_hit_chase_and_join() -> None:
    state = table(
        company="gandalf_the_grey",
        places={
            "pelargir": {"southrons_easterlings_regular": 4},
            "edoras": {"rohan_regular": 1},
        },
        chars={"strider": "edoras", "legolas": "edoras"},
        captured="pelargir",
        steps={"southrons_easterlings": 1},
    )
    drive = play(state, "dead_men_of_dunharrow", {"legolas": 1}, "pelargir", {"combat_free": ["3"]})
    assert drive.asked == "shadow choose_retreat"
    drive.do("lossarnach" if "lossarnach" in drive.options else sorted(drive.options)[0])
    drive.do("3")
    assert at(state, "pelargir") == {"gondor_regular": 3}
    assert not state.captured >> PLACE["pelargir"] & 1
    assert where(state, "strider") == where(state, "legolas") == PLACE["pelargir"]
    assert barred(table(), "dead_men_of_dunharrow").startswith(NEEDS)


def test_house_of_the_stewards_recruits_with_boromir_and_draws_two() -> None:
    state = table(company="gimli", chars={"boromir": "lossarnach"})
    play(state, "house_of_the_stewards", "gondor_elite")
    assert at(state, "lossarnach") == {"gondor_elite": 1} and state.hand[FREE] == [0, 3]
    assert barred(table(), "house_of_the_stewards").startswith(NEEDS)


def test_the_grey_company_makes_an_elite() -> None:
    state = table(company="gimli", places={"bree": {"north_regular": 2}}, chars={"strider": "bree"})
    play(state, "the_grey_company")
    assert at(state, "bree") == {"north_regular": 1, "north_elite": 1}
    assert state.fallen[6] == 1 and state.hand[FREE][1] == 3
    assert barred(table(), "the_grey_company").startswith(NEEDS)


# --- the Strategy deck ------------------------------------------------------------------------------


def test_the_last_battle_keeps_dice_out_of_the_hunt_box_while_aragorn_is_abroad() -> None:
    state = table(company="gimli", places={"dagorlad": GONDOR_ARMY}, chars={"aragorn": "dagorlad"})
    play(state, "the_last_battle")
    assert cards_in_play.dice_stay_out_of_hunt_box(state)
    cards_in_play.happened(state, "revealed", region=state.ring)
    assert "the_last_battle" not in state.table_cards
    at_home = table(company="gimli", places={"lossarnach": GONDOR_ARMY}, chars={"aragorn": "lossarnach"})
    assert barred(at_home, "the_last_battle").startswith(NEEDS)
    lay(at_home, "the_last_battle")
    cards_in_play.expire(at_home)
    assert not at_home.table_cards


@pytest.mark.parametrize(
    ("card", "nation", "regions"),
    [
        ("a_power_too_great", ELVES, "lorien rivendell grey_havens"),
        ("the_power_of_tom_bombadil", NORTH, "old_forest the_shire buckland"),
    ],
)
def test_wards_close_regions_to_the_shadow(card: str, nation: int, regions: str) -> None:
    state = table()
    play(state, card)
    assert state.steps[nation] == 2
    closed = cards_in_play.closed_to_shadow(state)
    assert all(closed >> PLACE[name] & 1 for name in regions.split())


@pytest.mark.parametrize(
    ("card", "place", "nation"),
    [("book_of_mazarbul", "erebor", DWARVES), ("fear_fire_foes", "bree", NORTH)],
)
def test_companions_move_and_bring_a_nation_to_war(card: str, place: str, nation: int) -> None:
    state = table(company="gimli", chars={"legolas": place})
    drive = play(state, card)
    drive.do("done")
    assert state.awake >> nation & 1 and state.steps[nation] == 0
    far = table(company="gimli", chars={"legolas": "khand"})
    play(far, card, "done")
    assert far.steps[nation] == 3 and not far.awake >> nation & 1


def test_the_spirit_of_mordor_sets_mixed_armies_at_odds() -> None:
    state = table(
        places={
            "dagorlad": {"sauron_regular": 2, "isengard_regular": 2},
            "moria": {"sauron_regular": 3},
        }
    )
    drive = play(state, "the_spirit_of_mordor", {"combat_free": ["5", "1", "1", "1", "1"]})
    drive.do({"sauron_regular": 1})
    assert at(state, "dagorlad") == {"sauron_regular": 1, "isengard_regular": 2}


def test_faramirs_rangers_hit_in_ithilien_and_strengthen_osgiliath() -> None:
    state = table(
        places={"osgiliath": GONDOR_ARMY, "north_ithilien": {"sauron_regular": 3}},
    )
    play(state, "faramirs_rangers", {"combat_free": ["5", "6", "1"]}, "gondor_regular")
    assert at(state, "north_ithilien") == {"sauron_regular": 1}
    assert at(state, "osgiliath") == {"gondor_regular": 3, "gondor_leader": 1}


def test_wisdom_of_elrond_wakes_and_advances_one_nation() -> None:
    state = table()
    drive = play(state, "wisdom_of_elrond")
    assert drive.options == {"dwarves", "elves", "gondor", "north", "rohan"}
    drive.do("rohan")
    assert state.awake >> ROHAN & 1 and state.steps[ROHAN] == 2


def test_the_red_arrow_needs_gondor_active() -> None:
    state = table(awake="gondor")
    play(state, "the_red_arrow", "rohan_elite")
    assert state.steps[ROHAN] == 2 and at(state, "edoras") == {"rohan_elite": 1, "rohan_leader": 1}
    assert barred(table(), "the_red_arrow").startswith(NEEDS)


def test_help_unlooked_for_attacks_besiegers_who_lose_dice() -> None:
    state = table(
        steps=WAR,
        places={
            "helms_deep_siege": {"rohan_regular": 2},
            "helms_deep": {"isengard_regular": 5},
            "westemnet": {"rohan_elite": 2},
        },
    )
    drive = play(state, "help_unlooked_for")
    while state.battle is None:
        drive.do(dict(drive.request.default))  # type: ignore[attr-defined]
    assert state.battle is not None
    assert state.battle.target == PLACE["helms_deep"] and state.battle.shadow_dice_less == 2


def test_paths_of_the_woses_leads_from_rohan_to_minas_tirith() -> None:
    state = table(steps={"rohan": 0}, places={"edoras": {"rohan_regular": 2}, "minas_tirith": GONDOR_ARMY})
    play(state, "paths_of_the_woses", {"rohan_regular": 2})
    assert at(state, "minas_tirith") == {"gondor_regular": 2, "rohan_regular": 2}
    besieged = table(
        steps={"rohan": 0},
        places={
            "edoras": {"rohan_regular": 2},
            "minas_tirith_siege": GONDOR_ARMY,
            "minas_tirith": {"sauron_regular": 2},
        },
    )
    drive = play(besieged, "paths_of_the_woses")
    assert "minas_tirith" not in drive.options and "osgiliath" in drive.options
    assert barred(table(), "paths_of_the_woses").startswith(NEEDS)


def test_through_a_day_and_a_night_takes_the_companion_along() -> None:
    state = table(
        company="gimli",
        steps=WAR,
        places={"edoras": {"rohan_regular": 3}},
        chars={"legolas": "edoras"},
    )
    drive = play(state, "through_a_day_and_a_night", "westemnet")
    assert drive.refused({"rohan_regular": 2}) == "cards.move"
    drive.do({"rohan_regular": 2, "legolas": 1}, "eastemnet")
    assert at(state, "eastemnet") == {"rohan_regular": 2}
    assert where(state, "legolas") == PLACE["eastemnet"]
    assert barred(table(), "through_a_day_and_a_night").startswith(NEEDS)


def test_cirdans_ships_bring_elves_to_a_coast() -> None:
    state = table(steps={"elves": 0}, places={"pelargir": GONDOR_ARMY})
    play(state, "cirdans_ships", "elves_elite", "elves_regular")
    assert at(state, "pelargir") == {"gondor_regular": 2, "elves_elite": 1, "elves_regular": 1}
    assert barred(table(), "cirdans_ships").startswith(NEEDS)


@pytest.mark.rule("cards.recruit", "cards.recruit_all")
@pytest.mark.parametrize(
    ("card", "place", "nation", "leader"),
    [
        ("guards_of_the_citadel", "minas_tirith", "gondor", True),
        ("celeborns_galadhrim", "lorien", "elves", False),
        ("grimbeorn_the_old_son_of_beorn", "carrock", "north", True),
        ("imrahil_of_dol_amroth", "dol_amroth", "gondor", True),
        ("kindred_of_glorfindel", "rivendell", "elves", False),
        ("dain_ironfoots_guard", "erebor", "dwarves", True),
        ("thranduils_archers", "woodland_realm", "elves", False),
    ],
)
def test_recruits_join_at_home_before_the_war(card: str, place: str, nation: str, leader: bool) -> None:
    state = table()
    play(state, card, f"{nation}_elite")
    assert at(state, place) == {f"{nation}_elite": 1} | ({f"{nation}_leader": 1} if leader else {})
    assert state.hand[FREE][1] == (0 if leader else 1)  # those without a leader draw a card
    occupied = table(places={place: {"sauron_regular": 1}})
    play(occupied, card)
    assert at(occupied, place) == {"sauron_regular": 1}


def test_a_besieged_stronghold_may_be_strengthened_by_card() -> None:
    state = table(places={"minas_tirith_siege": {"gondor_regular": 1}, "minas_tirith": {"sauron_regular": 1}})
    play(state, "guards_of_the_citadel", "gondor_regular")
    assert at(state, "minas_tirith_siege") == {"gondor_regular": 2, "gondor_leader": 1}


def test_riders_of_theoden_gather_at_edoras_or_with_a_companion() -> None:
    state = table(company="gimli", chars={"legolas": "eastemnet"})
    drive = play(state, "riders_of_theoden")
    assert drive.options == {"edoras", "eastemnet"}
    drive.do("eastemnet", "rohan_regular")
    assert at(state, "eastemnet") == {"rohan_regular": 1, "rohan_leader": 1}


def test_king_brands_men_and_swords_in_eriador_draw_a_card_too() -> None:
    state = table()
    play(state, "king_brands_men")
    assert at(state, "dale") == {"north_regular": 2} and state.hand[FREE][1] == 1
    state = table()
    play(state, "swords_in_eriador", "north_regular", "dwarves_regular")
    assert at(state, "the_shire") == {"north_regular": 1}
    assert at(state, "ered_luin") == {"dwarves_regular": 1} and state.hand[FREE][1] == 1


def test_eomer_gathers_in_a_free_settlement_of_rohan() -> None:
    state = table(places={"edoras": {"isengard_regular": 1}})
    drive = play(state, "eomer_son_of_eomund")
    assert "edoras" not in drive.options and "eastemnet" not in drive.options
    drive.do("helms_deep", "rohan_regular")
    assert at(state, "helms_deep") == {"rohan_regular": 1, "rohan_leader": 1}


def test_what_reinforcements_lack_is_left_out() -> None:
    state = table()
    state.supply[-6 + 2], state.fallen[-6 + 2] = 0, 4  # no leader of Gondor is left
    play(state, "imrahil_of_dol_amroth", "gondor_regular")
    assert at(state, "dol_amroth") == {"gondor_regular": 1}
