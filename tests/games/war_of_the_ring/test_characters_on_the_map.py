"""Chapter VI: characters of both sides: how they come, go and what they can do."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ring_driving import Drive, position, rule, where

from referee.games.war_of_the_ring.box.components import (
    CHARACTER,
    DWARVES,
    ELVES,
    FACES,
    FREE,
    GONDOR,
    NORTH,
    ROHAN,
    SAURON,
    SHADOW,
    WITCH_KING,
)
from referee.games.war_of_the_ring.box.house import house_rules
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules import characters, dice_pools, minions
from referee.games.war_of_the_ring.rules.walking import companion_walk, group_level
from referee.games.war_of_the_ring.state.state import ELIMINATED, NOT_IN_PLAY, State


def group(*names: str) -> int:
    """The mask of some characters."""
    return sum(1 << CHARACTER[name] for name in names)


# --- companions on the map ------------------------------------------------------------------------


def test_a_group_goes_as_far_as_its_best_and_moves_once() -> None:
    state = position(chars={"legolas": "bree", "meriadoc": "bree", "gimli": "edoras"}, company="peregrin")
    d = Drive(state, characters.move_companions(state))
    assert d.options == {"legolas", "meriadoc", "gimli"}
    assert d.refused("peregrin") == "char.only_on_map"
    assert d.refused("boromir") == "char.only_on_map"
    assert d.refused("gandalf_the_white") == "char.only_on_map"
    d.do("meriadoc", {"legolas": 1})
    assert d.request.about["level"] == 2
    d.do("trollshaws")
    assert where(state, "legolas") == where(state, "meriadoc")
    assert d.refused("legolas") == "char.die_moves_all"
    assert d.options == {"gimli", "done"}
    d.do("done")
    assert d.asked == "over"


def test_several_groups_leave_one_region() -> None:
    state = position(chars={"legolas": "bree", "meriadoc": "bree"}, company="peregrin")
    d = Drive(state, characters.move_companions(state)).do("meriadoc", {}, "buckland")
    d.do("legolas", "the_shire")
    assert where(state, "meriadoc") == PLACE["buckland"]
    assert where(state, "legolas") == PLACE["the_shire"]


def test_companions_pass_armies_but_stop_at_shadow_strongholds() -> None:
    state = position(
        chars={"gandalf_the_grey": "hollin"},
        company="peregrin",
        places={"hollin": {"sauron_regular": 3}, "moria": {"sauron_regular": 3}},
    )
    d = Drive(state, characters.move_companions(state)).do("gandalf_the_grey")
    assert "moria" in d.options
    assert d.refused("dimrill_dale") == "char.stop_at_stronghold"
    free_moria = position(chars={"gandalf_the_grey": "hollin"}, company="peregrin", captured="moria")
    assert (
        "dimrill_dale"
        in Drive(free_moria, characters.move_companions(free_moria)).do("gandalf_the_grey").options
    )


def test_besieged_strongholds_are_neither_entered_nor_left() -> None:
    siege = {"helms_deep_siege": {"rohan_regular": 1}, "helms_deep": {"isengard_regular": 2}}
    state = position(
        chars={"gimli": "helms_deep_siege", "legolas": "westemnet"}, company="peregrin", places=siege
    )
    d = Drive(state, characters.move_companions(state))
    assert d.refused("gimli") == "char.no_siege_crossing"
    d.do("legolas")
    assert d.refused("helms_deep") == "char.no_siege_crossing"
    inside = position(chars={"gimli": "helms_deep_siege"}, company="peregrin", places=siege)
    assert rule(characters.why_not_move_companions(inside)) == "char.no_siege_crossing"
    assert not characters.can_move_companions(inside)
    d = Drive(state, characters.move_one_group(state, bonus=2, into_siege=True, rule="char.die_moves_all"))
    d.do("legolas", "helms_deep")
    assert where(state, "legolas") == PLACE["helms_deep_siege"]


def test_no_companion_on_the_map() -> None:
    assert rule(characters.why_not_move_companions(position())) == "char.die_moves_all"


@pytest.mark.parametrize(
    ("names", "level"),
    [
        (("gandalf_the_white",), 4),
        (("gandalf_the_white", "peregrin"), 4),
        (("gandalf_the_white", "peregrin", "meriadoc"), 3),
        (("gandalf_the_white", "gimli"), 3),
        (("legolas", "meriadoc"), 2),
        (("meriadoc", "peregrin"), 1),
        (("aragorn",), 3),
    ],
)
def test_levels_of_groups(names: tuple[str, ...], level: int) -> None:
    assert group_level(group(*names)) == level


def test_black_borders_bar_the_way() -> None:
    state = position()
    assert not companion_walk(state, PLACE["rivendell"], 1) >> PLACE["goblins_gate"] & 1


@pytest.mark.parametrize(
    ("name", "start", "end", "nation", "wakes"),
    [
        ("strider", "bree", "the_shire", NORTH, True),
        ("strider", "folde", "edoras", ROHAN, False),
        ("gandalf_the_grey", "folde", "edoras", ROHAN, True),
        ("meriadoc", "folde", "edoras", ROHAN, True),
        ("boromir", "folde", "edoras", ROHAN, False),
        ("boromir", "osgiliath", "minas_tirith", GONDOR, True),
        ("gimli", "dale", "erebor", DWARVES, True),
        ("strider", "weather_hills", "bree", NORTH, False),  # a town
    ],
)
def test_companions_wake_the_nations_on_their_cards(
    name: str, start: str, end: str, nation: int, wakes: bool
) -> None:
    state = position(chars={name: start}, company="legolas" if name != "legolas" else "gimli")
    Drive(state, characters.move_companions(state)).do(name, end)
    assert bool(state.awake >> nation & 1) is wakes


# --- Aragorn and Gandalf the White ----------------------------------------------------------------


def test_aragorn_takes_striders_place_and_wakes_gondor() -> None:
    state = position(company="peregrin", chars={"strider": "minas_tirith"})
    assert characters.can_enter(state, CHARACTER["aragorn"])
    Drive(state, characters.enter_aragorn(state))
    assert where(state, "aragorn") == PLACE["minas_tirith"]
    assert where(state, "strider") == ELIMINATED
    assert state.awake >> GONDOR & 1
    assert (dice_pools.free_pool(state), state.pool[FREE]) == (5, 4)  # it counts from the next turn
    assert rule(characters.why_not_enter(state, CHARACTER["aragorn"])) == "char.aragorn_enters"


@pytest.mark.parametrize(
    ("chars", "captured", "company", "reason"),
    [
        ({"strider": "edoras"}, "", "peregrin", "strider_elsewhere"),
        ({"strider": "pelargir"}, "pelargir", "peregrin", "conquered"),
        ({}, "", "strider", "strider_in_fellowship"),
        ({}, "", "peregrin", "strider_gone"),
    ],
)
def test_where_aragorn_does_not_enter(
    chars: dict[str, str], captured: str, company: str, reason: str
) -> None:
    state = position(company=company, chars=chars, captured=captured)
    refusal = characters.why_not_enter(state, CHARACTER["aragorn"])
    assert refusal is not None and refusal.reason == reason


def test_aragorn_enters_in_a_besieged_minas_tirith() -> None:
    state = position(
        company="peregrin",
        chars={"strider": "minas_tirith_siege"},
        places={"minas_tirith_siege": {"gondor_regular": 1}, "minas_tirith": {"sauron_regular": 2}},
    )
    Drive(state, characters.enter_aragorn(state))
    assert where(state, "aragorn") == PLACE["minas_tirith_siege"]


def test_gandalf_the_white_replaces_the_grey_where_he_stands() -> None:
    state = position(company="peregrin", chars={"gandalf_the_grey": "edoras", "saruman": "orthanc"})
    d = Drive(state, characters.enter_gandalf_white(state))
    assert d.asked == "over"
    assert where(state, "gandalf_the_white") == PLACE["edoras"]
    assert where(state, "gandalf_the_grey") == ELIMINATED
    assert state.awake >> ROHAN & 1


def test_gandalf_the_white_appears_where_the_grey_is_gone() -> None:
    state = position(
        company="peregrin",
        captured="rivendell",
        places={"lorien_siege": {"elves_regular": 1}, "lorien": {"sauron_regular": 2}},
    )
    state.where[WITCH_KING] = ELIMINATED  # he was in play
    d = Drive(state, characters.enter_gandalf_white(state))
    assert d.options == {"fangorn", "lorien", "grey_havens", "woodland_realm"}
    assert d.refused("rivendell") == d.refused("edoras") == "char.gandalf_white_enters"
    d.do("lorien")
    assert where(state, "gandalf_the_white") == PLACE["lorien_siege"]


def test_an_additional_die_at_once_by_the_house_rule() -> None:
    state = position(company="peregrin", chars={"strider": "minas_tirith"})
    state.house = house_rules({"die_change": "at_once"})
    d = Drive(state, characters.enter_aragorn(state))
    d.do({"free_action": ["muster"]})
    assert state.pool[FREE] == 5
    assert state.unused[FREE][FACES.index("muster")] == 1
    shadow = position(places={"gorgoroth": {"sauron_regular": 1}}, edition="first")
    shadow.house = state.house
    shadow.steps[SAURON] = 0
    Drive(shadow, minions.enter_minion(shadow, WITCH_KING)).do({"shadow_action": ["lidless_eye"]})
    assert (shadow.pool[SHADOW], shadow.hunt_dice[SHADOW]) == (8, 1)


# --- abilities ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "home", "elsewhere", "nation"),
    [
        ("boromir", "pelargir", "lossarnach", GONDOR),
        ("legolas", "woodland_realm", "dale", ELVES),
        ("gimli", "erebor", "ered_luin", DWARVES),
    ],
)
def test_who_rouses_his_nation_where(name: str, home: str, elsewhere: str, nation: int) -> None:
    who = CHARACTER[name]
    state = position(company="peregrin", chars={name: home})
    before = state.steps[nation]
    assert characters.can_rouse(state, who)
    Drive(state, characters.rouse(state, who))
    assert state.steps[nation] == before - 1
    state.steps[nation] = 0
    state.awake |= 1 << nation
    assert rule(characters.why_not_rouse(state, who)) == "politics.at_war"
    assert rule(characters.why_not_rouse(position(), who)) == "char.rouses_nation"
    lost = position(company="peregrin", chars={name: home}, captured=home)
    assert rule(characters.why_not_rouse(lost, who)) == "char.rouses_nation"
    away = position(company="peregrin", chars={name: elsewhere})
    assert rule(characters.why_not_rouse(away, who)) == "char.rouses_nation"


def test_a_passive_nation_is_not_roused_into_war() -> None:
    state = position(company="peregrin", chars={"boromir": "minas_tirith"})
    state.steps[GONDOR] = 1
    assert rule(characters.why_not_rouse(state, CHARACTER["boromir"])) == "politics.passive"


def test_sarumans_voice() -> None:
    state = position(chars={"saruman": "orthanc"}, places={"orthanc": {"isengard_regular": 3}})
    d = Drive(state, minions.saruman_muster(state)).do("regulars_everywhere")
    assert d.asked == "over"
    for place in ("orthanc", "north_dunland", "south_dunland"):
        assert state.figures[PLACE[place]]
    Drive(state, minions.saruman_muster(state)).do("elites_in_orthanc")
    elites = position(places={"orthanc": {"isengard_regular": 2, "isengard_elite": 2}})
    assert state.figures[PLACE["orthanc"]] == elites.figures[PLACE["orthanc"]]


def test_where_sarumans_voice_is_not_heard() -> None:
    assert rule(minions.why_not_saruman_muster(position())) == "minion.voice_of_saruman"
    besieged = position(
        chars={"saruman": "orthanc_siege"},
        places={"orthanc_siege": {"isengard_regular": 2}, "orthanc": {"rohan_regular": 1}},
    )
    refusal = minions.why_not_saruman_muster(besieged)
    assert refusal is not None and refusal.reason == "orthanc_not_safe"
    scarce = position(chars={"saruman": "orthanc"})
    assert minions.can_saruman_muster(scarce)


def test_too_few_regulars_for_sarumans_voice_are_placed_by_choice() -> None:
    state = position(chars={"saruman": "orthanc"}, places={"umbar": {"isengard_regular": 11}})
    d = Drive(state, minions.saruman_muster(state))
    assert d.options == {"orthanc", "north_dunland", "south_dunland"}
    d.do("south_dunland")
    assert d.asked == "over"


def test_gandalf_the_grey_draws_as_guide() -> None:
    for edition, strategy in (("second", "free guide_draws"), ("first", "over")):
        state = position(edition=edition)
        state.hand[FREE], state.deck[FREE] = [1, 1], [23, 23]
        d = Drive(state, characters.guide_draws(state, 0)).do("yes")
        assert d.asked == "over"
        assert state.hand[FREE] == [2, 1]
        assert Drive(state, characters.guide_draws(state, 1)).asked == strategy
        state.guide = CHARACTER["strider"]
        assert Drive(state, characters.guide_draws(state, 0)).asked == "over"


# --- whatever happens -----------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), edition=st.sampled_from(["first", "second"]))
def test_random_moves_of_characters_keep_the_board_right(seed: int, edition: str) -> None:
    rng = Random(seed)
    state: State = position(
        edition=edition,
        company="peregrin",
        chars={
            "strider": "bree",
            "gandalf_the_grey": "edoras",
            "legolas": "lorien_siege",
            "gimli": "edoras",
            "witch_king": "minas_morgul",
            "saruman": "orthanc",
            "mouth_of_sauron": "barad_dur",
        },
        places={
            "lorien_siege": {"elves_regular": 2},
            "lorien": {"sauron_regular": 3, "nazgul": 1},
            "barad_dur": {"nazgul": 3},
            "moria_siege": {"sauron_regular": 2, "nazgul": 1},
            "moria": {"elves_regular": 2},
        },
    )
    for _ in range(4):
        Drive(state, characters.move_companions(state)).play(rng)
        Drive(state, minions.move_minions(state)).play(rng)
    assert where(state, "saruman") == PLACE["orthanc"]
    assert where(state, "legolas") == PLACE["lorien_siege"]
    assert not minions.shut_to_minions(state) >> where(state, "witch_king") & 1
    assert NOT_IN_PLAY not in (where(state, "strider"), where(state, "mouth_of_sauron"))
