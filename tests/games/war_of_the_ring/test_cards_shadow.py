"""Every Event card of the Shadow: what it needs, what it does, what ends it."""

from __future__ import annotations

import pytest
from card_driving import WAR, at, barred, lay, play, table
from ring_driving import Drive, where

from referee.games.war_of_the_ring.box.components import (
    F_ARMY,
    F_CHARACTER,
    F_EVENT,
    F_EYE,
    F_MUSTER,
    F_WEST,
    FREE,
    ROHAN,
    SHADOW,
    TILE,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.cards import card_ending, cards_in_play
from referee.games.war_of_the_ring.rules import politics
from referee.games.war_of_the_ring.rules.hunt import draw_tile, hunt
from referee.games.war_of_the_ring.state.state import ELIMINATED, IN_FELLOWSHIP, State

NEEDS = "cards.requirement"
SIX = ["6"]


@pytest.mark.parametrize(
    ("card", "tile"),
    [
        ("shelobs_lair", "shelobs_lair"),
        ("the_ring_is_mine", "the_ring_is_mine"),
        ("on_on_they_went", "on_on_they_went"),
        ("give_it_to_uss", "give_it_to_us"),
    ],
)
def test_special_tiles_wait_for_mordor(card: str, tile: str) -> None:
    state = table()
    play(state, card)
    assert state.tiles_ready[TILE[tile]] == 1


@pytest.mark.rule("cards.settlement_by_origin")
@pytest.mark.ruling("r61")
@pytest.mark.parametrize("card", ["orc_patrol", "isildurs_bane", "foul_thing_from_the_deep"])
def test_hunting_cards_draw_a_tile_away_from_settlements(card: str) -> None:
    home = table(ring="rivendell", captured="rivendell")
    assert barred(home, card).startswith(NEEDS)  # a settlement of the Free Peoples by origin (r61)
    assert barred(table(ring="moria"), card) == ""  # a stronghold of the Shadow protects nobody
    eye = table(ring="hollin")
    assert play(eye, card, "eye_reveal").asked == "over"
    assert eye.hidden and eye.corruption == 0 and eye.tiles_out[TILE["eye_reveal"]] == 1


def test_orc_patrol_is_a_successful_hunt() -> None:
    state = table(ring="hollin")
    drive = play(state, "orc_patrol", "two")
    assert {"use_ring", "lose_guide", "lose_random"} <= drive.options
    drive.do("use_ring")
    assert state.corruption == 2


def test_isildurs_bane_cannot_be_reduced() -> None:
    state = table(ring="hollin", laid="axe_and_bow")
    assert play(state, "isildurs_bane", "two").asked == "over"
    assert state.corruption == 2 and "axe_and_bow" in state.table_cards


def test_the_foul_thing_takes_a_random_companion_first() -> None:
    state = table(ring="hollin", company="gimli legolas")
    drive = play(state, "foul_thing_from_the_deep", "three")
    if drive.asked == "free suffer_hunt":
        assert drive.options == {"lose_random"}
        drive.do("lose_random")
    drive.do("gimli")
    assert where(state, "gimli") == ELIMINATED
    assert state.corruption == 1


def test_candles_of_corpses_corrupt_by_dice() -> None:
    state = table(ring="hollin")
    play(state, "candles_of_corpses", {"combat_shadow": ["4", "3", "6"]})
    assert state.corruption == 2
    alone = table(ring="hollin", company="")
    play(alone, "candles_of_corpses", {"combat_shadow": ["4", "5", "6"]})
    assert alone.corruption == 1


def test_nazgul_search_reveals_where_a_nazgul_arrives() -> None:
    state = table(ring="hollin", progress=1, places={"morannon": {"nazgul": 2}})
    drive = play(state, "nazgul_search", "morannon", {"nazgul": 1}, "hollin", "done")
    assert not state.hidden and drive.asked == "free move_revealed"
    assert barred(table(), "nazgul_search").startswith(NEEDS)


@pytest.mark.ruling("r58")
def test_a_search_without_a_nazgul_is_played_for_nothing() -> None:
    state = table(ring="hollin", progress=1)
    assert play(state, "nazgul_search").asked == "over"  # ruling r58
    assert state.hidden


def test_cruel_weather_moves_the_figure_next_door() -> None:
    state = table(ring="hollin", progress=1)
    drive = play(state, "cruel_weather")
    assert "moria" in drive.options and "rivendell" not in drive.options
    drive.do("moria")
    assert state.ring == PLACE["moria"] and state.progress == 1


def test_the_nazgul_strike_discards_a_card_or_hunts() -> None:
    setting = {"ring": "hollin", "progress": 1, "places": {"hollin": {"nazgul": 1}}}
    state = table(laid="mithril_coat_and_sting", **setting)
    drive = play(state, "the_nazgul_strike", "done")
    assert drive.options == {"discard_card", "hunt"}
    drive.do("discard_card")
    assert not state.table_cards
    hunted = table(hunt_dice=[0, 1], **setting)
    drive = play(hunted, "the_nazgul_strike", "done")
    assert drive.asked == "shadow roll_hunt"


def test_morgul_wound_hurts_more_at_the_beginning() -> None:
    state = table(hidden=False, corruption=3, ring="hollin")
    play(state, "morgul_wound")
    assert state.corruption == 5
    state = table(hidden=False, corruption=4, ring="hollin")
    play(state, "morgul_wound")
    assert state.corruption == 5
    assert barred(table(), "morgul_wound").startswith(NEEDS)


def test_lure_of_the_ring_takes_corruption_or_a_companion() -> None:
    state = table(hidden=False, ring="hollin", company="gimli legolas")
    drive = play(state, "lure_of_the_ring", "gimli")
    drive.do("take_corruption")
    assert state.corruption == 2 and where(state, "gimli") == IN_FELLOWSHIP
    state = table(hidden=False, ring="hollin", company="gimli legolas")
    play(state, "lure_of_the_ring", "gimli", "lose_companion")
    assert where(state, "gimli") == ELIMINATED
    alone = table(hidden=False, ring="hollin", company="")
    play(alone, "lure_of_the_ring")
    assert alone.corruption == 1


def test_the_breaking_separates_as_many_as_the_tile_says() -> None:
    state = table(hidden=False, ring="hollin", company="strider gimli legolas")
    drive = play(state, "the_breaking_of_the_fellowship", "two", {"gimli": 1, "legolas": 1})
    assert drive.asked == "over"
    assert where(state, "gimli") == where(state, "legolas") == PLACE["hollin"]
    eye = table(hidden=False, ring="hollin", company="strider gimli")
    assert play(eye, "the_breaking_of_the_fellowship", "eye_reveal").asked == "over"
    assert where(eye, "gimli") == IN_FELLOWSHIP


def test_worn_with_sorrow_costs_a_card_for_a_lost_companion() -> None:
    state = table(ring="hollin", company="strider gimli")
    play(state, "worn_with_sorrow_and_toil")
    lay(state, "mithril_coat_and_sting")
    drive = Drive(state, cards_in_play.companion_casualty(state, 4))
    assert drive.options == {"none", "from_hand", "from_table"}
    drive.do("from_hand")
    assert state.hand[FREE][0] == 0 and state.unseen_discards[FREE][0] == 1
    state.ring = PLACE["lorien"]
    cards_in_play.happened(state, "declared", region=state.ring)
    assert "worn_with_sorrow_and_toil" not in state.table_cards


def test_flocks_of_crebain_help_one_hunt() -> None:
    state = table(ring="hollin", hunt_dice=[0, 1])
    play(state, "flocks_of_crebain")
    drive = Drive(state, hunt(state))
    assert drive.asked == "shadow use_table_card"
    drive.do("yes").dice(5)
    assert drive.asked == "shadow draw_tile" and not state.table_cards


def test_the_balrog_waits_in_moria() -> None:
    state = table(ring="moria", company="strider gimli", hidden=False)
    play(state, "balrog_of_moria")
    assert cards_in_play.watched_regions(state) == 1 << PLACE["moria"]
    drive = Drive(state, cards_in_play.ring_path(state, 1 << PLACE["moria"], "revealed"))
    drive.do("yes", "three")
    assert drive.asked.startswith("free ") and not state.table_cards
    away = table(ring="hollin", laid="balrog_of_moria")
    assert Drive(away, cards_in_play.ring_path(away, 1 << PLACE["hollin"], "revealed")).asked == "over"


def test_the_lidless_eye_turns_three_dice() -> None:
    state = table()
    state.unused[SHADOW][F_ARMY], state.unused[SHADOW][F_MUSTER] = 2, 2
    drive = play(state, "the_lidless_eye")
    assert drive.refused({"army": 2, "muster": 2}) != ""
    drive.do({"army": 2, "muster": 1})
    assert state.hunt_dice[SHADOW] == 3 and state.unused[SHADOW][F_MUSTER] == 1


def test_dreadful_spells_take_a_die_for_each_nazgul() -> None:
    state = table(
        places={"edoras": {"rohan_regular": 3}, "folde": {"sauron_regular": 1, "nazgul": 2}},
    )
    play(state, "dreadful_spells", {"combat_shadow": ["5", "6"]})
    assert at(state, "edoras") == {"rohan_regular": 1}
    assert barred(table(), "dreadful_spells").startswith(NEEDS)


SIEGE = {"minas_tirith_siege": {"gondor_regular": 3}, "minas_tirith": {"sauron_regular": 5}}


def test_grond_leads_three_rounds_against_a_stronghold() -> None:
    state = table(steps=WAR, places=SIEGE, chars={"witch_king": "minas_tirith"})
    drive = play(state, "grond_hammer_of_the_underworld")
    assert drive.refused({"sauron_regular": 3}) == "battle.led_by_character_die"
    drive.do({"sauron_regular": 3, "witch_king": 1})
    assert state.battle is not None
    assert state.battle.siege and state.battle.rounds == 3 and state.battle.free_card_needs_companion
    assert barred(table(steps=WAR, places=SIEGE), "grond_hammer_of_the_underworld").startswith(NEEDS)


def test_the_fighting_uruk_hai_need_saruman_and_isengard_at_the_siege() -> None:
    siege = {"helms_deep_siege": {"rohan_regular": 2}, "helms_deep": {"isengard_regular": 5}}
    state = table(steps=WAR, places=siege, chars={"saruman": "orthanc"})
    play(state, "the_fighting_uruk_hai", {"isengard_regular": 5})
    assert state.battle is not None and state.battle.rounds == 3
    assert barred(table(steps=WAR, places=siege), "the_fighting_uruk_hai").startswith(NEEDS)
    others = table(steps=WAR, places=SIEGE, chars={"saruman": "orthanc"})
    assert barred(others, "the_fighting_uruk_hai").startswith(NEEDS)


@pytest.mark.rule("cards.end_with_die")
def test_the_palantir_draws_a_card_and_can_be_ended_with_a_ring() -> None:
    state = table(chars={"saruman": "orthanc"})
    play(state, "the_palantir_of_orthanc")
    drive = play(
        state, "many_kings_to_the_service_of_mordor", "far_harad", "near_harad", "umbar", face=F_EVENT
    )
    assert drive.asked == "shadow choose_deck"
    drive.do("strategy")
    assert state.hand[SHADOW][1] == 1
    assert card_ending.endings(state, FREE, F_CHARACTER) == ("the_palantir_of_orthanc",)
    state.ring_used[FREE] = True
    assert card_ending.endings(state, FREE, F_CHARACTER) == ()
    assert card_ending.endings(state, FREE, F_WEST) == ("the_palantir_of_orthanc",)
    state.ring_used[FREE] = False
    Drive(state, card_ending.end_card(state, FREE, F_CHARACTER))
    assert not state.table_cards and state.rings == [2, 1] and state.ring_used[FREE]


@pytest.mark.rule("cards.end_with_die")
def test_the_shadow_pays_two_cards_to_end_a_ward() -> None:
    state = table(laid="a_power_too_great")
    assert card_ending.endings(state, SHADOW, F_ARMY) == ("a_power_too_great",)
    drive = Drive(state, card_ending.end_card(state, SHADOW, F_ARMY))
    assert "pits_of_mordor" not in drive.options  # a Muster card
    drive.do("corsairs_of_umbar", "orc_patrol")
    assert not state.table_cards and state.hand[SHADOW] == [0, 0]
    poor = table(laid="a_power_too_great")
    poor.hand[SHADOW][0], poor.deck[SHADOW][0] = 0, 24
    refusal = card_ending.why_not_end_card(poor, SHADOW, F_ARMY, "a_power_too_great")
    assert refusal is not None and refusal.reason == "price_not_in_hand"


def test_wormtongue_keeps_rohan_asleep() -> None:
    state = table(chars={"saruman": "orthanc"})
    play(state, "wormtongue")
    politics.entered(state, PLACE["westemnet"], SHADOW)
    assert not state.awake >> ROHAN & 1
    politics.activate(state, ROHAN, cause="declared")
    assert state.awake >> ROHAN & 1 and not state.table_cards


def test_ringwraiths_move_then_two_armies_move_or_one_attacks() -> None:
    state = table(
        steps=WAR,
        places={
            "dagorlad": {"sauron_regular": 2, "nazgul": 1},
            "moria": {"sauron_regular": 1, "nazgul": 1},
            "north_ithilien": {"gondor_regular": 1},
        },
    )
    drive = play(state, "the_ringwraiths_are_abroad", "done")
    assert drive.asked == "shadow march_or_attack"
    assert drive.options == {"move", "attack"}
    drive.do("move")
    assert drive.options == {"dagorlad", "moria"}


def test_the_black_captain_recruits_or_moves_and_leads() -> None:
    state = table(
        steps=WAR,
        places={"dagorlad": {"sauron_regular": 2}},
        chars={"witch_king": "dagorlad"},
    )
    drive = play(state, "the_black_captain_commands", "recruit_nazgul")
    assert at(state, "dagorlad") == {"sauron_regular": 2, "nazgul": 2}
    assert drive.asked != "over"
    assert barred(table(), "the_black_captain_commands").startswith(NEEDS)


# --- the cards of the Free Peoples against a tile ---------------------------------------------------


def _drawn(state: State, *answers: str) -> Drive:
    drive = Drive(state, draw_tile(state, source="hunt", eye=1))
    return drive.do(*answers)


def test_the_staff_prevents_a_tile_and_mithril_replaces_it() -> None:
    state = table(ring="hollin", laid="wizards_staff")
    assert _drawn(state, "yes").asked == "over" and state.corruption == 0
    state = table(ring="hollin", company="", laid="mithril_coat_and_sting")
    drive = _drawn(state, "three", "yes", "one")
    while drive.asked != "over":
        drive.do("use_ring")
    assert state.corruption == 1 and state.tiles[TILE["three"]] == 3


def test_axe_or_horn_takes_one_but_one_card_only_speaks_against_a_tile() -> None:
    state = table(ring="hollin", company="gimli boromir", laid="axe_and_bow horn_of_gondor")
    drive = _drawn(state, "two", "yes")
    assert drive.request.about["damage"] == 1
    assert set(state.table_cards) == {"horn_of_gondor"}
    other = table(ring="hollin", company="gimli boromir", laid="axe_and_bow horn_of_gondor")
    _drawn(other, "one", "no", "yes")
    assert other.corruption == 0 and set(other.table_cards) == {"axe_and_bow"}


def test_no_card_is_played_with_an_eye() -> None:
    from referee.games.war_of_the_ring.cards.card_play import can_play

    assert not can_play(table(), SHADOW, F_EYE)
