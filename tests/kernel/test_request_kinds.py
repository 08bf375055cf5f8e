"""Every kind of request by itself: forms that are refused, samples, what is forced, what counts as chance."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.kernel.dice import PIP_FACES, DieType
from referee.kernel.errors import IllegalAnswer, InvalidAnswer
from referee.kernel.play import Play
from referee.kernel.refusals import Catalogue, Refusal, Rule
from referee.kernel.requests import (
    BoxQuestion,
    ChooseOne,
    ChooseSecretly,
    ChooseSome,
    Report,
    Request,
    RollDice,
)

PIP = {"pip": DieType("pip", "pip", PIP_FACES, "white")}
NO = Refusal("step", params={"place": "east"})


def one(refused: bool = True) -> ChooseOne:
    return ChooseOne(
        "white", "prompt.place", ["north"], refused=(lambda: [("east", NO)]) if refused else None
    )


def test_a_choice_names_the_refusal_of_what_it_knows_and_knows_nothing_else() -> None:
    request = one()
    assert [(c.value, c.refusal) for c in request.candidates()] == [("north", None), ("east", NO)]
    assert request.why_not("north") is None and request.why_not("east") is NO
    with pytest.raises(IllegalAnswer) as caught:
        request.check("east")
    assert caught.value.refusal is NO
    for other in (one(), one(refused=False)):
        with pytest.raises(InvalidAnswer):
            other.why_not("atlantis")
    assert request.is_forced() and not ChooseOne("white", "p", ["a", "b"]).is_forced()


def test_a_draw_is_chance_and_reveals_and_a_question_about_the_box_does_not() -> None:
    draw = Report("white", "p", ["gold", "trap"], weights=[1, 0])
    assert draw.is_chance and draw.reveals
    assert {draw.sample(Random(seed)) for seed in range(9)} == {"gold"}
    assert {Report("white", "p", ["a", "b"]).sample(Random(seed)) for seed in range(20)} == {"a", "b"}
    assert BoxQuestion("white", "p", ["3"]).is_chance and not BoxQuestion("white", "p", ["3"]).reveals


def test_only_all_or_the_only_answer_is_proposed() -> None:
    def some(limits: dict[str, int], **more: Any) -> dict[str, int] | None:
        return ChooseSome("white", "p", limits, **more).proposal

    army = {"men": 3, "elves": 2}
    assert some(army, default=army) is None, "nobody says that it has one sensible reading"
    assert some(army, default={"men": 1}, maximum=2, proposes=True) is None, "a part is a choice"
    assert some(army, default={}, proposes=True) == army, "nothing is a choice, too"
    assert some(army, proposes=True, refuses=lambda counts: NO) is None
    assert some({"men": 3}, maximum=2, proposes=True) == {"men": 2}
    assert some(army, minimum=5) == army and some({"men": 3}, minimum=2, maximum=2) == {"men": 2}
    assert some(army, maximum=0) == {}


@pytest.mark.parametrize("value", ["men", None, ["men"], {"men": True}, {"men": -1}, {"men": 1.0}])
def test_counts_have_one_form(value: Any) -> None:
    with pytest.raises(InvalidAnswer):
        ChooseSome("white", "p", {"men": 3}).check(value)


def test_counts_are_bounded_item_by_item_and_as_a_sum() -> None:
    request = ChooseSome("white", "p", {"men": 3, "elves": 2}, minimum=1, maximum=3, rule="step")
    assert request.check({"men": 2, "elves": 0}) == {"men": 2}, "nothing of an item is no item"
    for value, code in (({}, "too_few"), ({"men": 4}, "only_so_many"), ({"men": 2, "elves": 2}, "too_many")):
        refusal = request.why_not(value)
        assert refusal is not None and refusal.reason == code and refusal.rule == "step"
    with pytest.raises(InvalidAnswer):
        request.why_not({"dragons": 1})
    own = Refusal("win")
    bounded = ChooseSome(
        "white", "p", {"men": 3}, minimum=1, maximum=2, too_few=own, too_many=own,
        refused=lambda: [("elves", NO)],
    )  # fmt: skip
    assert bounded.why_not({}) is own and bounded.why_not({"men": 3}) is own
    assert bounded.why_not({"men": 9}) is own and bounded.why_not({"elves": 1}) is NO
    with pytest.raises(InvalidAnswer):
        bounded.why_not({"dragons": 1})
    assert [c.value for c in bounded.candidates()] == [{"men": 1}, {"elves": 1}]
    assert [c.value for c in ChooseSome("white", "p", {"men": 0, "elves": 1}).candidates()] == [{"elves": 1}]


def test_a_few_answers_are_all_that_are_allowed_and_too_many_are_none() -> None:
    def unless_only_elves(counts: dict[str, int]) -> Refusal | None:
        return NO if set(counts) == {"elves"} else None

    request = ChooseSome("white", "p", {"men": 2, "elves": 2}, maximum=2, refuses=unless_only_elves)
    assert request.few(4) == [{}, {"men": 1}, {"men": 2}, {"men": 1, "elves": 1}]
    assert request.few(3) == [], "one more than that"
    assert ChooseSome("white", "p", {"men": 1}, minimum=1).few(4) == [{"men": 1}]
    tried: list[dict[str, int]] = []
    crowd = ChooseSome("white", "p", dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 9), refuses=tried.append)
    assert crowd.few(4) == [] and len(tried) <= 5, "nobody waits for all of its combinations"


def test_samples_of_counts_are_legal_or_say_that_they_need_help() -> None:
    even = Refusal("step")

    def judge(counts: Any) -> Refusal | None:
        return even if sum(counts.values()) % 2 else None

    request = ChooseSome("white", "p", {"men": 4}, refuses=judge)
    for seed in range(40):
        assert request.why_not(request.sample(Random(seed))) is None
    given = ChooseSome("white", "p", {"men": 4}, examples=lambda: [{"men": 4}])
    assert given.sample(Random(1)) == {"men": 4} and given.is_forced()
    stubborn = ChooseSome("white", "p", {"men": 4}, refuses=lambda counts: even, default={"men": 2})
    assert stubborn.sample(Random(1)) == {"men": 2}
    with pytest.raises(LookupError, match="examples"):
        ChooseSome("white", "p", {"men": 4}, refuses=lambda counts: even).sample(Random(1))


def test_a_roll_wants_its_dice_and_its_faces() -> None:
    request = RollDice("white", "p", {"pip": 2}, PIP)
    assert request.check({"pip": ("5", "2")}) == {"pip": ["5", "2"]}
    for value in ("5", {"pip": ["5"]}, {"pip": ["5", "7"]}, {"sign": ["sun", "sun"]}, {"pip": "52"}, {}):
        with pytest.raises(InvalidAnswer):
            request.check(value)
    assert [c.value for c in request.candidates()] == [{"pip": [str(n)]} for n in range(1, 7)]
    assert RollDice("white", "p", {"pip": 0}, PIP).candidates() == []
    assert RollDice("white", "p", {"pip": 0}, PIP).sample(Random(1)) == {}


def test_a_secret_choice_wants_every_part_and_names_the_refused_one() -> None:
    request = ChooseSecretly("p", {"white": one(), "black": one()})
    assert request.check({"white": "north", "black": "north"}) == {"white": "north", "black": "north"}
    for value in ("north", {"white": "north"}, {"white": "north", "black": "north", "red": "north"}):
        for ask in (request.check, request.why_not):
            with pytest.raises(InvalidAnswer):
                ask(value)
    assert request.why_not({"white": "north", "black": "east"}) is NO
    assert request.why_not({"white": "north", "black": "north"}) is None
    assert request.is_forced() and len(request.candidates()) == 4


def test_a_kind_of_request_has_to_say_what_it_offers() -> None:
    bare = Request()
    for call in (
        bare.candidates,
        lambda: bare.why_not(1),
        lambda: bare.check(1),
        lambda: bare.sample(Random(1)),
    ):
        with pytest.raises(NotImplementedError):
            call()
    assert not bare.is_forced()


def test_a_catalogue_may_be_loaded_when_it_is_first_needed() -> None:
    loads: list[int] = []
    rule = Rule("step", "Moving", "One step", "Ein Schritt", "3", "4", "You move.", "Man zieht.")

    def load() -> list[Rule]:
        loads.append(1)
        return [rule]

    late = Catalogue(load)
    assert loads == []
    assert late["step"] is rule and list(late) == ["step"] and len(late) == 1 and loads == [1]


def test_a_game_that_is_over_takes_no_answer_and_one_that_keeps_nothing_cannot_be_tried() -> None:
    import toy_game

    play = Play(toy_game.GAME, toy_game.GAME.new_state({"turns": 0}))  # type: ignore[arg-type]
    assert play.request is None
    with pytest.raises(InvalidAnswer, match="over"):
        play.answer("north")
    stations: list[int] = []
    bare = Play(
        toy_game.GAME, toy_game.GAME.new_state({"turns": 2}), keep=False, audit=False,  # type: ignore[arg-type]
        on_milestone=lambda play: stations.append(play.answered),
    )  # fmt: skip
    with pytest.raises(RuntimeError):
        bare.fork()
    rng = Random(1)
    while bare.request is not None:
        bare.answer(bare.request.sample(rng))
    assert stations[0] == 0 and len(stations) == 3
