"""Chapter VIII: declaring, healing, guiding, moving, hiding and being revealed."""

from __future__ import annotations

import pytest
from ring_driving import Drive, position, where

from referee.games.war_of_the_ring.box.components import (
    CHARACTER,
    F_CHARACTER,
    F_WEST,
    FREE,
    GOLLUM,
    GONDOR,
    NORTH,
    ROHAN,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules import company, fellowship, hunt, separation
from referee.games.war_of_the_ring.rules.company import heal
from referee.games.war_of_the_ring.state.routes import way_id, ways
from referee.games.war_of_the_ring.state.state import ELIMINATED, IN_FELLOWSHIP

# --- declaring ----------------------------------------------------------------------------------


def test_example_page_38_declared_in_lorien_heals_and_stays_hidden() -> None:
    state = position(progress=5, corruption=2)
    d = Drive(state, fellowship.fellowship_phase(state))
    assert d.asked == "free fellowship_phase"
    d.do("declare", "lorien")
    assert state.ring == PLACE["lorien"]
    assert (state.progress, state.hidden, state.corruption) == (0, True, 1)


def test_declaring_moves_no_further_than_the_progress_and_not_across_black_borders() -> None:
    state = position(progress=4)
    d = Drive(state, fellowship.fellowship_phase(state)).do("declare")
    assert d.refused("lorien") == "fellowship.progress_is_range"
    assert d.refused("dimrill_dale") == ""
    assert d.refused("rivendell") == ""  # it may stay where it is
    near = position(progress=1)
    d = Drive(near, fellowship.fellowship_phase(near)).do("declare")
    assert d.options == {"rivendell", "fords_of_bruinen", "trollshaws", "high_pass"} & d.options
    assert "goblins_gate" not in d.options  # two borders away


def test_declaring_wakes_the_nation_of_an_unconquered_city_only() -> None:
    state = position(ring="bree")
    d = Drive(state, fellowship.fellowship_phase(state)).do("declare")
    assert d.asked == "free choose_guide"
    assert not state.awake >> NORTH & 1  # Bree is a town
    shire = position(ring="bree", progress=2, corruption=1)
    Drive(shire, fellowship.fellowship_phase(shire)).do("declare", "the_shire")
    assert shire.awake >> NORTH & 1
    assert shire.corruption == 0
    assert shire.steps[NORTH] == position().steps[NORTH]  # it does not advance
    lost = position(ring="folde", progress=1, captured="edoras", corruption=1)
    Drive(lost, fellowship.fellowship_phase(lost)).do("declare", "edoras")
    assert not lost.awake >> ROHAN & 1
    assert lost.corruption == 1


def test_declaring_in_a_besieged_stronghold_heals() -> None:
    state = position(
        ring="osgiliath",
        progress=1,
        corruption=3,
        places={"minas_tirith_siege": {"gondor_regular": 2}, "minas_tirith": {"sauron_regular": 3}},
    )
    Drive(state, fellowship.fellowship_phase(state)).do("declare", "minas_tirith")
    assert state.corruption == 2
    assert state.awake >> GONDOR & 1


def test_a_revealed_fellowship_is_not_declared() -> None:
    state = position(hidden=False, ring="morannon")
    d = Drive(state, fellowship.fellowship_phase(state))
    assert d.options == {"no", "enter_mordor"}
    assert d.refused("declare") == "fellowship.declare_hidden"
    elsewhere = position(hidden=False)
    assert Drive(elsewhere, fellowship.fellowship_phase(elsewhere)).asked == "free choose_guide"


def test_only_once_in_a_phase() -> None:
    state = position(ring="north_ithilien", progress=2)
    d = Drive(state, fellowship.fellowship_phase(state)).do("declare", "minas_morgul")
    assert d.asked == "free fellowship_phase"
    assert d.refused("declare") == "fellowship.declare_once"
    d.do("no")
    assert state.mordor == -1


def test_no_corruption_no_healing() -> None:
    state = position()
    assert heal(state, 2) == 0
    state.corruption = 1
    assert heal(state, 2) == 1
    assert state.corruption == 0


# --- the guide ----------------------------------------------------------------------------------


def test_example_page_37_strider_may_replace_gandalf() -> None:
    state = position()
    d = Drive(state, fellowship.fellowship_phase(state)).do("no")
    assert d.options == {"gandalf_the_grey", "strider"}
    assert d.refused("boromir") == "fellowship.guide_highest"
    assert d.refused("gollum") == "fellowship.gollum_guide"
    assert d.refused("aragorn") == "fellowship.guide_highest"
    d.do("strider")
    assert state.guide == CHARACTER["strider"]


def test_a_single_best_companion_guides_without_a_question() -> None:
    state = position(company="boromir meriadoc peregrin")
    assert Drive(state, fellowship.fellowship_phase(state)).do("no").asked == "over"


def test_the_next_guide_is_named_when_the_guide_leaves() -> None:
    state = position(company="gandalf_the_grey boromir gimli peregrin")
    d = Drive(state, separation.separate(state)).do({"gandalf_the_grey": 1})
    d.do("rivendell")
    assert d.asked == "free choose_guide"
    assert d.options == {"boromir", "gimli"}
    d.do("gimli")
    assert state.guide == CHARACTER["gimli"]


def test_gollum_guides_when_the_last_companion_left() -> None:
    state = position(company="peregrin")
    d = Drive(state, separation.separate(state))
    d.do("rivendell")
    assert state.guide == GOLLUM
    assert where(state, "gollum") == IN_FELLOWSHIP
    assert company.companions_in(state) == 0


# --- moving and hiding --------------------------------------------------------------------------------


def test_a_move_is_one_step_and_its_die_goes_to_the_box_afterwards() -> None:
    state = position(hunt_dice=[0, 2])
    state.used[FREE][F_CHARACTER] = 1
    d = Drive(state, fellowship.move_fellowship(state, F_CHARACTER))
    assert d.request.about["target"] == 6  # its own die does not help this Hunt
    d.dice(5, 4)
    assert (state.progress, state.hunt_dice, state.used[FREE][F_CHARACTER]) == (1, [1, 2], 0)
    assert state.ring == PLACE["rivendell"]
    state.used[FREE][F_WEST] = 1
    assert Drive(state, fellowship.move_fellowship(state, F_WEST)).request.about["target"] == 5


def test_a_card_that_moves_puts_no_die_in_the_box() -> None:
    state = position()
    d = Drive(state, fellowship.hide_or_move(state))
    assert d.asked == "free move_by_card"
    d.do("yes")
    assert (state.progress, state.hunt_dice) == (1, [0, 0])
    state.hidden = False
    Drive(state, fellowship.hide_or_move(state)).do("yes")
    assert state.hidden


def test_the_last_battle_keeps_the_die_out_of_the_box() -> None:
    state = position()
    state.table_cards["the_last_battle"] = {}
    state.shown[FREE] = (1 << 48) - 1
    state.hand, state.deck = [[0, 0], [0, 0]], [[0, 0], [24, 24]]
    state.used[FREE][F_CHARACTER] = 1
    Drive(state, fellowship.move_fellowship(state, F_CHARACTER))
    assert state.hunt_dice == [0, 0]
    assert state.used[FREE][F_CHARACTER] == 1


def test_who_is_revealed_has_to_hide_before_moving() -> None:
    state = position(hidden=False)
    refusal = fellowship.why_not_move(state)
    assert refusal is not None and refusal.rule == "fellowship.move_needs_hidden"
    assert fellowship.why_not_hide(state) is None
    Drive(state, fellowship.hide(state))
    assert state.hidden and state.progress == 0
    assert fellowship.why_not_move(state) is None
    refusal = fellowship.why_not_hide(state)
    assert refusal is not None and refusal.rule == "fellowship.hide"


def test_the_track_ends_at_twelve() -> None:
    state = position(progress=12)
    refusal = fellowship.why_not_move(state)
    assert refusal is not None and refusal.rule == "fellowship.track_end"
    state.progress = 11
    assert fellowship.can_move(state)


def test_strider_as_guide_hides_with_any_die() -> None:
    state = position(hidden=False, guide="strider")
    assert fellowship.can_hide(state, any_die=True)
    state.guide = CHARACTER["gandalf_the_grey"]
    assert not fellowship.can_hide(state, any_die=True)
    refusal = fellowship.why_not_hide(state, face=F_WEST)
    assert refusal is not None and refusal.rule == "fellowship.strider_guide"
    assert fellowship.can_hide(state)


# --- being revealed ------------------------------------------------------------------------------------


def test_example_page_38_revealed_between_moria_and_goblins_gate() -> None:
    state = position(progress=3)
    d = Drive(state, hunt.reveal(state))
    assert d.asked == "free move_revealed"
    assert {"moria", "goblins_gate"} <= d.options
    d.do("goblins_gate")
    assert d.asked == "over"  # no stronghold on that way: no tile
    assert (state.progress, state.hidden, state.ring) == (0, False, PLACE["goblins_gate"])
    assert not fellowship.can_move(state)
    other = position(progress=3)
    d = Drive(other, hunt.reveal(other)).do("moria")
    assert d.asked == "shadow draw_tile"
    assert d.request.about["source"] == "stronghold"


def test_a_revealed_fellowship_never_ends_in_a_haven() -> None:
    state = position(progress=2, ring="bree")
    d = Drive(state, hunt.reveal(state))
    assert d.refused("the_shire") == "fellowship.reveal_end"
    assert d.refused("bree") == ""
    assert d.refused("lorien") == "fellowship.progress_is_range"
    lost = position(progress=2, ring="bree", captured="the_shire")
    assert Drive(lost, hunt.reveal(lost)).refused("the_shire") == ""


def test_with_progress_zero_the_figure_stays_even_in_a_haven() -> None:
    state = position()
    assert Drive(state, hunt.reveal(state)).asked == "over"
    assert (state.hidden, state.ring) == (False, PLACE["rivendell"])


def test_staying_in_a_shadow_stronghold_costs_a_tile_but_not_a_captured_one() -> None:
    state = position(ring="moria")
    d = Drive(state, hunt.reveal(state))
    assert d.asked == "shadow draw_tile"
    captured = position(ring="moria", captured="moria")
    assert Drive(captured, hunt.reveal(captured)).asked == "over"


def test_the_way_is_chosen_only_where_strongholds_differ() -> None:
    state = position(ring="hollin", progress=4)
    d = Drive(state, hunt.reveal(state)).do("dimrill_dale")
    # through Moria in two steps; the way round over the High Pass is longer than four
    found = ways(PLACE["hollin"], PLACE["dimrill_dale"], 4, hunt.shadow_strongholds(state))
    assert {way_id(passed) for passed in found} == {"via:moria"}
    assert d.asked == "shadow draw_tile"
    longer = position(ring="hollin", progress=9)
    d = Drive(longer, hunt.reveal(longer)).do("dimrill_dale")
    assert d.asked == "free choose_way"
    assert {"via:none", "via:moria"} <= d.options
    d.do("via:none")
    assert d.asked == "over"


@pytest.mark.parametrize(("edition", "tiles"), [("second", 2), ("first", 1)])
def test_two_strongholds_on_the_way_cost_two_tiles_one_in_the_first_edition(edition: str, tiles: int) -> None:
    state = position(ring="moria", progress=9, edition=edition, company="")
    d = Drive(state, hunt.reveal(state)).do("dol_guldur")
    if d.asked == "free choose_way":
        d.do("via:dol_guldur+moria")
    drawn = 0
    while d.asked != "over":
        assert d.asked == "shadow draw_tile"
        d.do("zero_reveal")
        drawn += 1
    assert drawn == tiles


def test_an_eye_drawn_for_a_stronghold_does_nothing() -> None:
    state = position(ring="moria", hunt_dice=[2, 3])
    d = Drive(state, hunt.reveal(state)).do("eye_reveal")
    assert d.asked == "over"
    assert state.corruption == 0


# --- separating -----------------------------------------------------------------------------------------


def test_example_page_39_legolas_and_meriadoc_reach_the_woodland_realm() -> None:
    state = position(progress=5)
    d = Drive(state, separation.separate(state)).do({"legolas": 1, "meriadoc": 1})
    assert d.request.about["level"] == 7
    d.do("woodland_realm")
    assert d.asked == "free choose_guide"  # the company has changed
    d.do("strider")
    assert state.guide == CHARACTER["strider"]
    assert where(state, "legolas") == where(state, "meriadoc") == PLACE["woodland_realm"]


def test_who_separates_may_stay_and_never_comes_back() -> None:
    state = position(company="gandalf_the_grey gimli legolas")
    Drive(state, separation.separate(state)).do({"gimli": 1}, "rivendell")
    assert where(state, "gimli") == PLACE["rivendell"]
    d = Drive(state, separation.separate(state))
    assert d.refused({"gimli": 1}) == "fellowship.never_rejoins"
    assert d.refused({}) == "fellowship.separate"


def test_in_a_besieged_stronghold_companions_stay_inside() -> None:
    state = position(
        ring="lorien",
        progress=3,
        company="gandalf_the_grey gimli",
        places={"lorien_siege": {"elves_elite": 2}, "lorien": {"sauron_regular": 5}},
    )
    d = Drive(state, separation.separate(state)).do({"gimli": 1})
    assert d.asked == "over"
    assert where(state, "gimli") == PLACE["lorien_siege"]


def test_separated_companions_stop_at_shadow_strongholds() -> None:
    state = position(ring="hollin", company="gandalf_the_grey strider")
    d = Drive(state, separation.separate(state)).do({"strider": 1})
    assert d.refused("moria") == ""
    assert d.refused("dimrill_dale") == "char.stop_at_stronghold"
    assert d.refused("umbar") == "char.level_is_range"


def test_nobody_to_separate() -> None:
    state = position(company="")
    refusal = separation.why_not_separate(state)
    assert refusal is not None and refusal.rule == "fellowship.separate"
    assert not separation.can_separate(state)


def test_a_card_that_eliminates_a_hobbit_in_the_fellowship_separates_him() -> None:
    state = position(company="gandalf_the_grey peregrin boromir")
    d = Drive(state, separation.eliminate_companion(state, CHARACTER["peregrin"]))
    assert d.asked == "free separated_move"
    d.do("rivendell")
    assert where(state, "peregrin") == PLACE["rivendell"]
    Drive(state, separation.eliminate_companion(state, CHARACTER["boromir"]))
    assert where(state, "boromir") == ELIMINATED
    Drive(state, separation.eliminate_companion(state, CHARACTER["peregrin"]))
    assert where(state, "peregrin") == ELIMINATED  # on the map he is lost like anybody


def test_separated_where_the_figure_stands_companions_wake_its_nation() -> None:
    state = position(ring="edoras", company="gandalf_the_grey boromir peregrin")
    Drive(state, separation.separate_here(state, 1 << CHARACTER["boromir"]))
    assert where(state, "boromir") == PLACE["edoras"]
    assert not state.awake >> ROHAN & 1  # he wakes Gondor only
    Drive(state, separation.separate_here(state, 1 << CHARACTER["peregrin"]))
    assert state.awake >> ROHAN & 1
    track = position(mordor=1, company="gandalf_the_grey boromir")
    Drive(track, separation.separate_here(track, 1 << CHARACTER["boromir"]))
    assert where(track, "boromir") == ELIMINATED
