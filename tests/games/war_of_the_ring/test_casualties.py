"""Elites that no regular can replace are not reduced: one goes for two hits, or for a last hit (page 30)."""

from __future__ import annotations

from collections.abc import Mapping

from card_driving import at
from ring_driving import Drive, position

from referee.games.war_of_the_ring.box.components import SEATS
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules.casualties import suffer
from referee.games.war_of_the_ring.state.state import State

WHERE = "dimrill_dale"
ALL_ELVES = {"elves_regular": 5}


def army(counts: Mapping[str, int], elsewhere: Mapping[str, Mapping[str, int]]) -> State:
    return position(company="", places={WHERE: counts, **elsewhere})


def hurt(state: State, hits: int) -> Drive:
    return Drive(state, suffer(state, PLACE[WHERE], SEATS.index("free"), hits))


def test_two_hits_on_elites_without_regulars_take_one_of_them() -> None:
    state = army({"elves_elite": 2}, {"lorien": ALL_ELVES})
    assert hurt(state, 2).asked == "over", "nothing to choose: reducing is not possible"
    assert at(state, WHERE) == {"elves_elite": 1}


def test_a_single_hit_takes_an_elite_that_cannot_be_replaced() -> None:
    state = army({"elves_elite": 2}, {"lorien": ALL_ELVES})
    assert hurt(state, 1).asked == "over"
    assert at(state, WHERE) == {"elves_elite": 1}
    assert hurt(army({"elves_elite": 2}, {"lorien": ALL_ELVES}), 3).asked == "over"


def test_three_hits_destroy_two_elites_that_cannot_be_replaced() -> None:
    state = army({"elves_elite": 2}, {"lorien": ALL_ELVES})
    hurt(state, 3)
    assert at(state, WHERE) == {}


def test_only_the_elites_of_a_nation_without_regulars_cannot_be_reduced() -> None:
    state = army({"elves_elite": 1, "dwarves_elite": 1}, {"lorien": ALL_ELVES})
    drive = hurt(state, 2)
    assert drive.options == {"elves_elite", "dwarves_elite", "reduce_dwarves_elite"}
    assert drive.refused({"reduce_elves_elite": 1, "reduce_dwarves_elite": 1}) == "casualty.replacement"
    default = drive.request.default  # type: ignore[attr-defined]
    assert drive.refused(default) == "" and set(default) <= {"elves_elite", "dwarves_elite"}
    drive.do({"elves_elite": 1})
    assert at(state, WHERE) == {"dwarves_elite": 1}


def test_a_regular_that_goes_may_replace_an_elite() -> None:
    state = army({"elves_elite": 2, "elves_regular": 1}, {"lorien": {"elves_regular": 4}})
    assert hurt(state, 3).refused({"elves_elite": 1, "reduce_elves_elite": 1}) == "casualty.replacement"
    drive = hurt(state, 2)
    drive.do({"elves_regular": 1, "reduce_elves_elite": 1})
    assert at(state, WHERE) == {"elves_elite": 1, "elves_regular": 1}


def test_as_many_are_proposed_to_be_reduced_as_regulars_are_left() -> None:
    state = army({"dwarves_elite": 3}, {"erebor": {"dwarves_regular": 4}})
    drive = hurt(state, 3)
    assert drive.request.default == {"dwarves_elite": 1, "reduce_dwarves_elite": 1}  # type: ignore[attr-defined]
    drive.do({"dwarves_elite": 1, "reduce_dwarves_elite": 1})
    assert at(state, WHERE) == {"dwarves_elite": 1, "dwarves_regular": 1}
