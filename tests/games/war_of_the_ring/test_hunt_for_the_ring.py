"""Chapter IX: the Hunt from the dice in the box to what a tile does."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ring_driving import ALL, Drive, only_tiles, position, where

from referee.games.war_of_the_ring.box.components import (
    CHARACTER,
    CORRUPTION_LIMIT,
    F_CHARACTER,
    FREE,
    GOLLUM,
    SHADOW,
    TILE,
    TILES,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules import company, fellowship, hunt, mordor, separation, tiles
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.rules.pieces import tile_options
from referee.games.war_of_the_ring.state.state import ELIMINATED, State

EVERYBODY = "gandalf_the_grey strider boromir legolas gimli meriadoc peregrin"

# --- allocation ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "company", "free_die", "expected"),
    [
        ("second", "gandalf_the_grey strider boromir", False, (0, 3)),
        ("second", "gandalf_the_grey strider boromir", True, (1, 3)),
        ("second", "", False, (0, 1)),
        (
            "second",
            EVERYBODY,
            False,
            (0, 7),
        ),
        ("first", EVERYBODY, True, (0, 5)),
        ("first", "", True, (0, 1)),
    ],
)
def test_how_many_dice_may_be_allocated(
    edition: str, company: str, free_die: bool, expected: tuple[int, int]
) -> None:
    state = position(edition=edition, company=company, free_die_in_box=free_die)
    assert hunt.allocation_bounds(state) == expected


def test_allocating_dice() -> None:
    state = position(company="gandalf_the_grey strider", free_die_in_box=True)
    d = Drive(state, hunt.hunt_allocation(state))
    assert d.refused("0") == "hunt.allocation_minimum"
    assert d.refused("3") == "hunt.allocation_maximum"
    d.do("2")
    assert state.hunt_dice == [0, 2]
    first = position(edition="first")
    d = Drive(first, hunt.hunt_allocation(first))
    assert d.refused("6") == "hunt.allocation_five"


# --- the roll --------------------------------------------------------------------------------------


def test_without_shadow_dice_there_is_no_hunt() -> None:
    state = position(hunt_dice=[2, 0])
    assert Drive(state, fellowship.move_fellowship(state)).asked == "over"


def test_no_more_than_five_dice_are_rolled() -> None:
    state = position(hunt_dice=[0, 7])
    d = Drive(state, fellowship.move_fellowship(state))
    assert d.request.about["level"] == 7
    d.dice(1, 2, 3, 4, 5)
    assert d.asked == "over"


@pytest.mark.parametrize(
    ("pips", "bonus", "found"),
    [(6, 0, True), (5, 0, False), (5, 1, True), (4, 1, False), (2, 4, True), (1, 5, False), (1, 9, False)],
)
def test_six_succeeds_with_the_bonus_but_never_a_rolled_one(pips: int, bonus: int, found: bool) -> None:
    assert hunt.finds(pips, bonus) is found


def test_example_page_41_two_rerolls_for_army_and_nazgul() -> None:
    state = position(
        ring="hollin",
        places={"hollin": {"sauron_regular": 3, "nazgul": 2}},
    )
    assert hunt.reroll_conditions(state) == 2


def test_example_page_41_three_rerolls_in_a_stronghold() -> None:
    state = position(ring="moria", places={"moria": {"sauron_regular": 4, "nazgul": 1}})
    assert hunt.reroll_conditions(state) == 3


def test_what_counts_for_rerolls() -> None:
    witch_king = position(ring="hollin", chars={"witch_king": "hollin"})
    assert hunt.reroll_conditions(witch_king) == 1  # he is a Nazgul
    saruman = position(ring="orthanc", chars={"saruman": "orthanc"}, captured="orthanc")
    assert hunt.reroll_conditions(saruman) == 0
    captured = position(ring="lorien", captured="lorien")
    assert hunt.reroll_conditions(captured) == 1  # the Shadow controls that stronghold
    besieged = position(
        ring="moria", places={"moria_siege": {"sauron_regular": 1}, "moria": {"elves_regular": 1}}
    )
    assert hunt.reroll_conditions(besieged) == 2  # the garrison is in the region
    neighbour = position(ring="hollin", places={"moria": {"nazgul": 1}})
    assert hunt.reroll_conditions(neighbour) == 0


def test_rerolls_take_failed_dice_only_and_keep_the_bonus() -> None:
    state = position(ring="moria", hunt_dice=[1, 3], places={"moria": {"sauron_regular": 4, "nazgul": 1}})
    d = Drive(state, fellowship.move_fellowship(state)).dice(5, 4, 2)
    assert d.asked == "shadow choose_hunt_rerolls"
    assert d.options == {"0", "1", "2"}
    assert d.refused("3") == "hunt.reroll"
    d.do("2").dice(1, 5)
    assert d.asked == "shadow draw_tile"
    d.do("eye_reveal")
    assert d.request.about["damage"] == 2  # a success of the roll and one of the re-roll


def test_rerolls_may_be_declined() -> None:
    state = position(ring="moria", hunt_dice=[0, 1])
    d = Drive(state, fellowship.move_fellowship(state)).dice(5).do("0")
    assert d.asked == "over"


# --- tiles -------------------------------------------------------------------------------------------


def drawn(state: State, tile: str, **manner: object) -> Drive:
    """A tile drawn for the Hunt."""
    return Drive(state, hunt.draw_tile(state, source="hunt", **manner)).do(tile)  # type: ignore[arg-type]


def test_example_page_42_gimli_falls_to_a_three() -> None:
    state = position(
        ring="goblins_gate",
        progress=1,
        hunt_dice=[1, 3],
        company="strider boromir legolas gimli meriadoc",
        guide="strider",
    )
    state.used[FREE][F_CHARACTER] = 1
    d = Drive(state, fellowship.move_fellowship(state, F_CHARACTER)).dice(2, 5, 6)
    d.do("three", "lose_random")
    assert d.asked == "shadow draw_companion"
    assert d.options == {"strider", "boromir", "legolas", "gimli", "meriadoc"}
    d.do("gimli")
    assert where(state, "gimli") == ELIMINATED
    assert d.asked == "over"  # one companion a tile, so the rest went to the Ring without a question
    assert (state.corruption, state.hidden, state.progress, state.hunt_dice) == (1, True, 2, [2, 3])


def test_a_tile_can_be_reported_only_while_it_is_in_the_pool() -> None:
    state = position()
    only_tiles(state, three=1, one=2)
    d = Drive(state, hunt.draw_tile(state, source="hunt"))
    assert d.options == {"three", "one"}
    assert d.refused("two") == "hunt.tiles"
    assert d.refused("phial") == "hunt.special_by_card"
    tiles.put_special_in_play(state, TILE["phial"])
    assert d.refused("phial") == "hunt.special_wait"
    state.tiles_ready[TILE["phial"]], state.tiles_out[TILE["phial"]] = 0, 1
    assert d.refused("phial") == "hunt.special_once"


def test_an_empty_pool_is_refilled_with_standard_tiles_only() -> None:
    state = position(mordor=0)
    only_tiles(state)
    state.tiles_out[TILE["phial"]] = 1
    tiles.remove_for_good(state, TILE["eye_reveal"])
    options = tile_options(state)
    assert TILE["phial"] not in options
    assert sum(state.tiles) == 15
    assert state.tiles[TILE["eye_reveal"]] == 3


def test_special_tiles_join_the_pool_at_once_on_the_mordor_track() -> None:
    state = position(mordor=2)
    tiles.put_special_in_play(state, TILE["shelobs_lair"])
    assert state.tiles[TILE["shelobs_lair"]] == 1
    assert state.tiles_ready[TILE["shelobs_lair"]] == 0


def test_negative_tiles_heal_not_below_zero() -> None:
    state = position(mordor=1, corruption=1)
    tiles.put_special_in_play(state, TILE["phial"])
    drawn(state, "phial")
    assert state.corruption == 0


def test_the_die_of_a_tile_is_rolled() -> None:
    state = position(mordor=1, company="")
    tiles.put_special_in_play(state, TILE["shelobs_lair"])
    drawn(state, "shelobs_lair").dice(4).do("use_ring")
    assert state.corruption == 4


def test_corruption_twelve_ends_the_game_at_once() -> None:
    state = position(corruption=10, company="")
    d = drawn(state, "three").do("use_ring")
    assert d.ended
    assert (state.winner, state.winning_rule) == (SHADOW, "victory.corruption")


def test_damage_comes_before_the_reveal_in_the_second_edition() -> None:
    state = position(progress=2, hunt_dice=[0, 1])
    d = drawn(state, "two_reveal")
    assert (d.asked, state.hidden) == ("free suffer_hunt", True)
    d.do("use_ring")
    assert d.asked == "free move_revealed"
    assert not state.hidden


def test_the_reveal_comes_before_damage_in_the_first_edition() -> None:
    state = position(edition="first", progress=2)
    d = drawn(state, "two_reveal")
    assert d.asked == "free move_revealed"
    d.do("hollin")
    assert d.asked == "free suffer_hunt"
    d.do("use_ring")
    assert d.asked == "over"
    assert (state.corruption, state.hidden) == (2, False)


@pytest.mark.ruling("r73")
def test_ruling_r73_the_first_edition_draws_the_stronghold_tile_before_the_first_damage_is_settled() -> None:
    """Its sheet draws in step 4, with the reveal, and settles the damage of both in step 5."""
    state = position(edition="first", progress=3, company="gimli strider")
    d = drawn(state, "two_reveal").do("moria")
    assert (d.asked, d.request.about["source"]) == ("shadow draw_tile", "stronghold")
    d.do("three")
    assert (d.asked, d.request.about["damage"]) == ("free suffer_hunt", 2)
    d.do("use_ring")
    assert (d.asked, d.request.about["damage"], state.corruption) == ("free suffer_hunt", 3, 2)
    d.do("use_ring")
    assert (d.asked, state.corruption) == ("over", 5)


def test_a_tile_for_the_way_is_resolved_after_the_one_that_revealed() -> None:
    state = position(progress=3, company="")
    d = drawn(state, "eye_reveal", eye=2)
    assert state.corruption == 2
    d.do("moria")
    assert d.request.about["source"] == "stronghold"
    d.do("three")
    assert state.corruption == 5
    assert d.asked == "over"


def test_example_page_41_three_tiles_in_moria() -> None:
    state = position(ring="hollin", progress=1, company="")
    state.table_cards["balrog_of_moria"] = {}
    state.shown[SHADOW] = (1 << 48) - 1
    state.hand[SHADOW], state.deck[SHADOW] = [0, 0], [0, 0]
    d = drawn(state, "eye_reveal", eye=1).do("moria")
    assert d.asked == "shadow use_table_card"
    d.do("yes")
    assert d.request.about["source"] == "balrog_of_moria"
    d.do("three")
    assert d.request.about["source"] == "stronghold"
    d.do("two")
    assert state.corruption == 6


# --- guides and casualties -----------------------------------------------------------------------------


def test_both_hobbits_separate_because_of_one_tile_and_go_together() -> None:
    state = position(company="meriadoc peregrin", guide="meriadoc", progress=2)
    d = drawn(state, "three").do("separate_guide")
    assert state.guide == CHARACTER["peregrin"]
    d.do("separate_guide")
    assert state.guide == GOLLUM
    d.do("reveal_by_gollum")  # nothing is left of the damage
    assert d.asked == "free separated_move"
    assert d.request.about["level"] == 3
    d.do("rivendell")
    assert d.asked == "free move_revealed"
    assert state.corruption == 0


def test_a_hobbit_taken_as_casualty_is_separated() -> None:
    state = position(company="boromir meriadoc")
    d = drawn(state, "three").do("lose_random", "meriadoc")
    assert d.asked == "free separated_move"
    d.do("fords_of_bruinen")
    assert where(state, "meriadoc") == PLACE["fords_of_bruinen"]
    assert state.corruption == 2


def test_on_the_mordor_track_a_hobbit_is_removed() -> None:
    state = position(company="meriadoc peregrin", guide="meriadoc", mordor=1)
    d = drawn(state, "three").do("separate_guide")
    assert where(state, "meriadoc") == ELIMINATED
    d.do("lose_guide")
    assert where(state, "peregrin") == ELIMINATED
    d.do("use_ring")
    assert state.corruption == 1


def test_hobbits_help_only_as_guides() -> None:
    state = position(company="boromir meriadoc")
    d = drawn(state, "two")
    assert d.refused("separate_guide") == "hunt.hobbit_guide"
    assert d.refused("reveal_by_gollum") == "hunt.gollum_guide"


def test_a_companion_of_higher_level_is_lost_for_small_damage() -> None:
    state = position(company="strider boromir")
    d = drawn(state, "one").do("lose_guide")
    assert d.asked == "over"
    assert where(state, "strider") == ELIMINATED
    assert (state.corruption, state.guide) == (0, CHARACTER["boromir"])


def test_one_casualty_a_tile() -> None:
    state = position(company="boromir legolas gimli")
    d = drawn(state, "three").do("lose_guide")
    if d.asked == "free choose_guide":
        d.do("gimli")
    assert d.asked == "over"  # only the Ring is left, so nothing is asked
    assert state.corruption == 1
    hobbits = position(company="boromir meriadoc", guide="boromir")
    d = drawn(hobbits, "three").do("lose_guide")
    assert d.options == {"separate_guide", "use_ring"}
    assert d.refused("lose_guide") == "hunt.one_casualty"


def test_the_last_companion_is_not_drawn_at_random() -> None:
    state = position(company="boromir")
    assert drawn(state, "two").refused("lose_random") == "hunt.random_casualty"


def test_gollum_is_never_lost_and_hides_from_numbers() -> None:
    state = position(company="", progress=2)
    d = drawn(state, "one_reveal")
    assert d.refused("lose_guide") == "hunt.casualty"
    d.do("use_ring")
    assert (state.hidden, state.corruption) == (True, 1)
    eye = position(company="", progress=2)
    assert drawn(eye, "eye_reveal").asked == "free move_revealed"
    special = position(company="", mordor=1)
    tiles.put_special_in_play(special, TILE["give_it_to_us"])
    d = drawn(special, "give_it_to_us")
    assert d.asked == "over"  # revealed anyway: only the Ring is left
    assert (special.hidden, special.corruption) == (False, 1)


def test_gollum_reveals_to_reduce_damage_once() -> None:
    state = position(company="", progress=2)
    d = drawn(state, "three").do("reveal_by_gollum")
    assert state.corruption == 2
    d.do("hollin")
    assert not state.hidden
    revealed = position(company="", hidden=False)
    d = drawn(revealed, "three")
    assert d.asked == "over"
    assert revealed.corruption == 3


def test_cards_can_bar_reduction_or_ask_for_a_companion_first() -> None:
    state = position()
    assert drawn(state, "two", may_reduce=False).asked == "over"
    assert state.corruption == 2
    must = position(company="boromir gimli")
    d = drawn(must, "three", must_lose=True)
    assert d.asked == "shadow draw_companion"  # nothing else is open
    d.do("gimli")
    assert must.corruption == 1
    none = position(company="")
    assert drawn(none, "three", must_lose=True).options == {"use_ring", "reveal_by_gollum"}
    hobbit = position(company="meriadoc peregrin", guide="meriadoc")
    d = drawn(hobbit, "three", must_lose=True)
    assert d.options == {"separate_guide", "lose_random"}
    assert d.refused("use_ring") == "hunt.use_ring"
    assert d.refused("lose_guide") == "hunt.casualty"


def test_mithril_coat_replaces_the_tile() -> None:
    state = position(company="")
    state.table_cards["mithril_coat_and_sting"] = {}
    state.shown[FREE] = (1 << 48) - 1
    state.hand[FREE], state.deck[FREE] = [0, 0], [0, 0]
    d = drawn(state, "three")
    assert d.asked == "free use_table_card"
    d.do("yes", "one", "use_ring")
    assert state.corruption == 1
    assert state.tiles_out[TILE["three"]] == 0
    assert state.tiles_out[TILE["one"]] == 1


def test_one_card_speaks_against_a_tile() -> None:
    state = position(company="boromir gimli", guide="boromir")
    state.table_cards.update({"axe_and_bow": {}, "horn_of_gondor": {}, "mithril_coat_and_sting": {}})
    state.shown[FREE] = (1 << 48) - 1
    state.hand[FREE], state.deck[FREE] = [0, 0], [0, 0]
    d = drawn(state, "three").do("no", "yes")
    assert d.asked == "free suffer_hunt"
    assert d.request.about["damage"] == 2
    assert set(state.table_cards) == {"horn_of_gondor", "mithril_coat_and_sting"}
    again = drawn(state, "two").do("yes", "three")  # the coat, then no horn
    assert again.asked == "free suffer_hunt"
    assert again.request.about["damage"] == 3


def test_the_staff_prevents_a_tile() -> None:
    state = position(mordor=2)
    state.table_cards["wizards_staff"] = {}
    state.shown[FREE] = (1 << 48) - 1
    state.hand[FREE], state.deck[FREE] = [0, 0], [0, 0]
    Drive(state, fellowship.move_fellowship(state)).do("yes")
    assert state.mordor == 3
    assert not any(state.tiles_out)


# --- whatever happens -------------------------------------------------------------------------------------


def _turns(state: State, rng: Random) -> Ask:
    """Some turns of nothing but the Fellowship and the Hunt."""
    for _ in range(12):
        state.hunt_dice = [0, 0]
        yield from fellowship.fellowship_phase(state)
        yield from hunt.hunt_allocation(state)
        for _ in range(rng.randrange(3)):
            state.used[FREE][F_CHARACTER] = 1
            if fellowship.can_hide(state):
                yield from fellowship.hide(state)
            elif separation.can_separate(state) and rng.random() < 0.2:
                yield from separation.separate(state)
            elif fellowship.can_move(state):
                yield from fellowship.move_fellowship(state, F_CHARACTER)
            state.used[FREE][F_CHARACTER] = 0
        if rng.random() < 0.2:
            special = rng.choice([t for t, tile in enumerate(TILES) if tile.seat >= 0])
            parts = (state.tiles, state.tiles_out, state.tiles_ready)
            if not any(part[special] for part in parts):
                tiles.put_special_in_play(state, special)
        mordor.end_of_phase5(state)
        state.free_die_in_box = state.hunt_dice[FREE] > 0


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    edition=st.sampled_from(["first", "second"]),
    ring=st.sampled_from(["rivendell", "moria", "morannon", "minas_morgul", "lorien", "dagorlad"]),
    progress=st.integers(0, 12),
    corruption=st.integers(0, 11),
)
def test_tiles_are_conserved_and_corruption_stays_in_bounds(
    seed: int, edition: str, ring: str, progress: int, corruption: int
) -> None:
    rng = Random(seed)
    state = position(
        edition=edition,
        ring=ring,
        progress=progress,
        corruption=corruption,
        places={"moria": {"sauron_regular": 2, "nazgul": 1}, "lorien": {"elves_elite": 2}},
    )
    state.step = ""  # as in the Fellowship phase: nothing may be out of order for a moment
    d = Drive(state, _turns(state, rng)).play(rng)  # audited after every answer
    assert 0 <= state.corruption <= CORRUPTION_LIMIT
    assert d.ended == (state.winner >= 0)
    for index, tile in enumerate(TILES):
        total = (
            state.tiles[index] + state.tiles_out[index] + state.tiles_gone[index] + state.tiles_ready[index]
        )
        assert total == tile.count if tile.seat < 0 else total <= 1
    travelling = [c for c in ALL if company.companions_in(state) >> c & 1]
    assert (state.guide == GOLLUM) == (not travelling) or d.ended
