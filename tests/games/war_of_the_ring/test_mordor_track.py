"""Chapter IX: entering Mordor and the way to Mount Doom, by edition."""

from __future__ import annotations

import pytest
from ring_driving import Drive, only_tiles, position, where

from referee.games.war_of_the_ring.box.components import CHARACTER, F_CHARACTER, FREE, SHADOW, TILE, TILES
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.rules import fellowship, mordor, separation, tiles
from referee.games.war_of_the_ring.state.state import ELIMINATED
from referee.kernel.play import Play


def test_a_revealed_fellowship_enters_from_the_gates_in_the_second_edition() -> None:
    state = position(ring="morannon", hidden=False)
    Drive(state, fellowship.fellowship_phase(state)).do("enter_mordor")
    assert (state.mordor, state.hidden, state.progress) == (0, False, 0)


def test_entering_is_a_choice_in_the_second_edition() -> None:
    state = position(ring="minas_morgul", progress=0)
    d = Drive(state, fellowship.fellowship_phase(state))
    assert d.options == {"no", "declare", "enter_mordor"}
    d.do("no")
    assert state.mordor == -1


def test_the_first_edition_enters_by_declaring_and_stays_hidden() -> None:
    state = position(edition="first", ring="north_ithilien", progress=2)
    d = Drive(state, fellowship.fellowship_phase(state))
    assert d.refused("enter_mordor") == "mordor.gates"
    d.do("declare", "minas_morgul")
    assert (state.mordor, state.hidden) == (0, True)
    revealed = position(edition="first", ring="morannon", hidden=False)
    assert Drive(revealed, fellowship.fellowship_phase(revealed)).asked == "free choose_guide"
    there = position(edition="first", ring="morannon")
    d = Drive(there, fellowship.fellowship_phase(there))
    assert d.refused("enter_mordor") == "mordor.enter_declared"


def test_entering_makes_a_new_pool() -> None:
    state = position(ring="morannon")
    only_tiles(state, three=2, one=1)
    tiles.remove_for_good(state, TILE["eye_reveal"])
    tiles.put_special_in_play(state, TILE["phial"])
    tiles.put_special_in_play(state, TILE["shelobs_lair"])
    mordor.enter(state)
    pool = {TILES[kind].id: number for kind, number in enumerate(state.tiles) if number}
    assert pool == {"eye_reveal": 3, "three": 2, "one": 1, "phial": 1, "shelobs_lair": 1}
    assert not any(state.tiles_ready)
    assert state.tiles_out[TILE["two"]] == 2


def test_no_roll_on_the_track_a_tile_then_a_step() -> None:
    state = position(mordor=1, hunt_dice=[0, 3])
    state.used[FREE][F_CHARACTER] = 1
    d = Drive(state, fellowship.move_fellowship(state, F_CHARACTER))
    assert d.asked == "shadow draw_tile"
    assert state.mordor == 1
    d.do("zero_reveal")
    assert (state.mordor, state.hidden, state.hunt_dice) == (2, False, [1, 3])
    refusal = fellowship.why_not_move(state)
    assert refusal is not None and refusal.rule == "mordor.needs_hidden"
    assert fellowship.can_hide(state)


def test_stop_keeps_the_fellowship_where_it_is() -> None:
    state = position(mordor=1, company="")
    tiles.put_special_in_play(state, TILE["on_on_they_went"])
    Drive(state, fellowship.move_fellowship(state)).do("on_on_they_went", "use_ring")
    assert (state.mordor, state.corruption) == (1, 3)


def test_the_last_tile_is_resolved_before_the_crack_of_doom() -> None:
    state = position(mordor=4, corruption=10, company="")
    d = Drive(state, fellowship.move_fellowship(state)).do("two", "use_ring")
    assert d.ended
    assert state.winner == SHADOW
    lucky = position(mordor=4, corruption=10, company="")
    d = Drive(lucky, fellowship.move_fellowship(lucky)).do("one", "use_ring")
    assert d.ended
    assert (lucky.winner, lucky.winning_rule, lucky.mordor) == (FREE, "victory.ring_destroyed", 5)


@pytest.mark.parametrize("edition", ["first", "second"])
def test_an_idle_turn_costs_one_corruption(edition: str) -> None:
    state = position(edition=edition, mordor=0)
    mordor.end_of_phase5(state)
    assert state.corruption == 1
    state.hidden = False
    Drive(state, fellowship.hide(state))  # an attempt to hide is one
    mordor.end_of_phase5(state)
    assert state.corruption == 1
    outside = position(edition=edition)
    mordor.end_of_phase5(outside)
    assert outside.corruption == 0


def test_a_move_that_was_stopped_is_an_attempt() -> None:
    state = position(mordor=1, company="")
    tiles.put_special_in_play(state, TILE["shelobs_lair"])
    Drive(state, fellowship.move_fellowship(state)).do("shelobs_lair").dice(1).do("use_ring")
    mordor.end_of_phase5(state)
    assert (state.mordor, state.corruption) == (1, 1)


def test_nobody_leaves_on_the_track() -> None:
    state = position(mordor=0, company="gandalf_the_grey gimli")
    refusal = separation.why_not_separate(state)
    assert refusal is not None and refusal.rule == "mordor.no_separation"
    d = Drive(state, separation.separate(state, bonus=1)).do({"gimli": 1})
    assert d.asked == "over"
    assert where(state, "gimli") == ELIMINATED
    assert state.guide == CHARACTER["gandalf_the_grey"]


def test_on_the_track_nothing_is_declared() -> None:
    state = position(mordor=0)
    refusal = fellowship.why_not_declare(state)
    assert refusal is not None and refusal.rule == "mordor.not_in_a_region"
    assert Drive(state, fellowship.fellowship_phase(state)).asked == "free choose_guide"
    refusal = mordor.why_not_enter(state)
    assert refusal is not None and refusal.rule == "mordor.enter"


@pytest.mark.rule("victory.ring_destroyed")
@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_ring_is_destroyed_in_a_running_game(edition: str) -> None:
    state = position(edition=edition, mordor=4, corruption=11, company="")
    state.step = "act"
    state.unused[FREE][F_CHARACTER] = 1
    play = Play(GAME, state)
    for answer in ("character", "move_fellowship", "zero_reveal"):
        play.answer(answer)
    assert play.outcome is not None
    assert (play.outcome.winner, play.outcome.rule) == ("free", "victory.ring_destroyed")
