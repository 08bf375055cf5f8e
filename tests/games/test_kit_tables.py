"""What the kit reads from tables, and fields that tell something together, on things of no game here."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from referee.games.kit import codecs
from referee.games.kit.action_dice import DieOptions, choose_die, lay_out, spend, why_not_faces
from referee.games.kit.box import neighbours, value_of
from referee.games.kit.codecs import counts, each
from referee.games.kit.corrections import Corrections, PlaceMark, Tokens
from referee.games.kit.explaining import Moment
from referee.games.kit.schema import Schema, declare
from referee.games.kit.schema_tables import Column, Lying, Pairs, SparseTable
from referee.games.kit.tables import refusals_of, styles_of
from referee.kernel.errors import InvalidAnswer
from referee.kernel.located import read_yaml
from referee.kernel.notation import Words
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSome, Forced

PLACES, KINDS, WALLS = ("hall", "yard", "gate"), ("rune", "seal"), ("hall", "gate")


@dataclass(slots=True, eq=False)
class State:
    """Markers at three places."""

    harm: list[int] = declare(each(PLACES), key="")
    lying: list[dict[int, int]] = declare(each(KINDS, codecs.Flat()), key="")
    left: list[int] = declare(each(KINDS), start=[4, 2])
    broken: list[int] = declare(counts(WALLS), key="")
    strength: tuple[int, ...] = declare(codecs.Codec(), start=(3, 5), key="")
    shut: int = declare(codecs.Without(PLACES, all_=0b101), start=0b101, key="open")
    space: tuple[int, ...] = declare(codecs.Some(PLACES, ("yard", "gate"), 9), start=(-1, 2, 3))
    flying: list[int] = declare(counts(PLACES, 6, total=6), file="flying")


SCHEMA = Schema(
    State,
    joined={
        "places": SparseTable(PLACES, {"harm": Column("harm"), "tokens": Lying("lying", KINDS)}),
        "walls": Pairs(WALLS, "broken", "strength"),
    },
)
CORRECTIONS: Corrections[State] = Corrections(
    PLACES,
    PlaceMark("bar", "barred", "open", (True, False), "shut", WALLS, PLACES, "marker.bar"),
    Tokens("tokens", "token", "kind", KINDS, PLACES, "lying", "left", "kind.{id}"),
)


def marked() -> State:
    state = State()
    state.harm[1] = 2
    state.lying[0][1] = 3
    state.lying[1][2] = 1
    state.broken[1] = 4
    state.shut = 0b100
    return state


def test_fields_that_tell_something_together_are_one_part_of_the_json() -> None:
    data = SCHEMA.to_json(marked())
    assert data["places"] == {"yard": {"harm": 2, "tokens": {"rune": 3}}, "gate": {"tokens": {"seal": 1}}}
    assert data["walls"] == {"hall": [0, 3], "gate": [4, 5]}
    assert data["open"] == ["hall"] and data["space"] == {"yard": 2, "gate": 3}
    again = SCHEMA.from_json(data)
    assert SCHEMA.to_json(again) == data and again.shut == 0b100 and again.space == (-1, 2, 3)
    other = SCHEMA.copy(again)
    other.lying[0][1] = other.harm[1] = 9
    assert SCHEMA.to_json(again) == data


def test_a_sum_has_its_bound_in_files_and_in_the_audit() -> None:
    spot = read_yaml("flying: {hall: 4, gate: 3}")
    state = State()
    SCHEMA.hear(state, spot)
    assert [problem.line for problem in spot.problems.found] == [1]
    assert SCHEMA.out_of_bounds(state) == ["flying: [4, 0, 3]"]


def test_marks_and_tokens_are_laid_and_taken_at_their_places() -> None:
    state = marked()
    keys = {place: [item.key for item in CORRECTIONS.form(state, place)] for place in PLACES}
    assert keys["hall"] == ["barred", "token.rune", "token.seal"] and "barred" not in keys["yard"]
    found = CORRECTIONS.wanted(state, "gate", {"barred": 0, "token.seal": 2, "token.rune": 0})
    assert found == [
        {"do": "bar", "place": "gate", "open": True},
        {"do": "tokens", "place": "gate", "kind": "seal", "value": 2},
    ]
    for primitive in found:
        CORRECTIONS.correct(state, primitive)
    assert state.shut == 0 and state.lying == [{1: 3}, {2: 2}] and state.left == [4, 1]
    for wrong in ({"value": 9}, {"value": 1, "kind": "stone"}, {"value": 1, "place": "nowhere"}):
        with pytest.raises(InvalidAnswer):
            CORRECTIONS.correct(state, {"do": "tokens", "place": "gate", "kind": "seal", **wrong})
    with pytest.raises(InvalidAnswer):
        CORRECTIONS.correct(state, {"do": "bar", "place": "yard", "open": True})
    CORRECTIONS.correct(state, {"do": "tokens", "place": "yard", "kind": "rune", "value": 0})
    assert state.lying == [{}, {2: 2}] and state.left == [7, 1]


def test_styles_of_a_table() -> None:
    styles = styles_of(
        {
            "move": {"marker": ">", "if_offered": "stay"},
            "next": {"again": True, "takes": "only"},
            "share": {"takes": "default", "always": True, "words": {"a": "b"}},
        }
    )
    one, two = ChooseOne("red", "prompt.move", ("stay",)), ChooseOne("red", "prompt.next", ("go", "done"))
    assert styles["prompt.move"].marker == ">" and styles["prompt.move"].silent_answer(one) == "stay"
    before = styles["prompt.next"].before
    assert callable(before) and (before(two), before(one)) == ("; ", "")
    some = ChooseSome("red", "prompt.share", {"a": 2}, default={"a": 1})
    assert styles["prompt.share"].silent_answer(some) == {"a": 1} and styles["prompt.share"].always


def _moment(prompt: str, phase: int, *pairs: tuple[str, Any]) -> Moment[Any]:
    play: Any = SimpleNamespace(state=SimpleNamespace(phase=phase, cold=phase == 2))
    answered = [(ChooseOne("red", f"prompt.{asked}", ()), answer) for asked, answer in pairs]
    return Moment(play, ChooseOne("red", f"prompt.{prompt}", ()), Words("x"), answered)


def test_the_first_line_whose_conditions_hold_refuses() -> None:
    table = {
        "sow": [
            {"if": ["phase 2 3", "not cold"], "rule": "field.summer", "reason": "too_late"},
            {"if": ["asked harvest"], "rule": "field.once", "reason": "not_now"},
            {"if": ["answered ploughed deep"], "rule": "field.deep", "reason": "gone"},
            {"if": ["last rest"], "rule": "field.rest", "reason": "resting"},
        ],
        "burn": {"rule": "field.never", "reason": "never"},
    }
    sow, burn = refusals_of(table, {"cold": lambda at: at.state.cold}).values()
    assert sow(_moment("sow", 3)) == Refusal("field.summer", "too_late")
    assert sow(_moment("harvest", 2)) == Refusal("field.once", "not_now")
    assert sow(_moment("sow", 1, ("ploughed", "deep"))) == Refusal("field.deep", "gone")
    assert sow(_moment("sow", 1, ("ploughed", "flat"), ("rest", "yes"))) == Refusal("field.rest", "resting")
    assert sow(_moment("sow", 1)) is None and burn(_moment("sow", 1)) == Refusal("field.never", "never")
    with pytest.raises(KeyError):
        refusals_of({"sow": {"if": ["warm"], "rule": "a", "reason": "b"}}, {})


def test_action_dice_are_laid_out_chosen_and_spent() -> None:
    faces, state = ("sun", "moon"), SimpleNamespace(unused=[[0, 0]], used=[[0, 0]])
    lay_out(state, 0, faces, ["moon", "moon"])
    spend(state, 0, 1)
    assert state.unused == [[0, 1]] and state.used == [[0, 1]]
    options = DieOptions(faces, ("pass",))
    assert options[0b110] == ("moon", "pass") and options[0b001] == ("sun",)
    only = next(choose_die("red", options[0b001], "dice.one", list))
    assert isinstance(only, Forced) and only.answer == "sun"
    asked = next(choose_die("red", options[0b111], "dice.one", list))
    assert isinstance(asked, ChooseOne) and asked.options == ("sun", "moon", "pass")
    spend(state, 0, 1)
    refused = dict(why_not_faces(state, 0, faces, faces, "dice.used", "dice.symbol"))
    assert refused["moon"].rule == "dice.used" and refused["sun"].rule == "dice.symbol"


def test_what_is_read_of_a_box() -> None:
    assert value_of({"value": 3, "source": "card"}) == value_of(3) == 3
    assert neighbours([(0, 1), (1, 2)], 3) == (0b010, 0b101, 0b010)
