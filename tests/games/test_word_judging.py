"""What the law of written moves takes for the same answers, and what not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from referee.games.kit.word_judging import Judge
from referee.games.kit.word_telling import Answer, MoveTelling
from referee.kernel.explain import ExplainHooks, explain
from referee.kernel.notation import Notation, Style
from referee.kernel.play import MILESTONE, Flow, Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, unless_forced

HOOKS = ExplainHooks(
    Notation({"look": Style(marker="look", silent="none")}, {}, {}),
    ("red",),
    turn_rule=lambda play, request, words: "turn",
    over_rule="over",
    stuck=lambda play, request, words, pairs: None,
    sharpen=lambda play, request, answer, refusal, words: refusal,
)


@pytest.mark.parametrize(
    ("before", "words", "problem"), [("", "", ""), ("red: ", "", ""), ("", " 0 caves", "other answers")]
)
def test_answers_that_are_written_the_same_are_the_same(before: str, words: str, problem: str) -> None:
    """*Look cave* may be the first look or the second one, with the seat in front as without it."""

    def flow(state: list[str]) -> Flow:
        yield MILESTONE
        for _ in range(2):
            state.append((yield ChooseOne("red", "look", ("cave", "none"))))
        state.append((yield ChooseOne("red", "rest", ("yes", "no"))))

    game: Any = SimpleNamespace(flow=flow, copy=list, audit=lambda state: [], to_json=list)
    play: Play[Any] = Play(game, [])
    move, twin = [], play.fork()
    for value in ("none", "cave", "yes"):
        assert twin.request is not None
        move.append(Answer(twin.request, value, forced=False))
        twin.answer(value)
    expected = MoveTelling(HOOKS.notation, play).tell(move, -1, lambda request, value: value, lambda: False)
    line = HOOKS.notation.line(expected.said)
    told = explain(play, before + line, HOOKS)
    assert line == "look cave yes" and told.allowed and expected.rules is None
    assert Judge(HOOKS).problem(play, before + line + words, expected, told) == problem


def test_the_name_of_a_die_may_be_that_of_a_deck() -> None:
    """*Card character*: the die that another seat takes next, or the deck to draw from, which is empty."""

    def flow(state: list[str]) -> Flow:
        yield MILESTONE
        state.append((yield ChooseOne("red", "play", ("card", "none"))))
        empty = ("character", Refusal("deck.empty"))
        state.append((yield unless_forced(ChooseOne("red", "deck", ("strategy",), refused=lambda: [empty]))))
        yield MILESTONE
        state.append((yield ChooseOne("blue", "die", ("character", "pass"))))

    game: Any = SimpleNamespace(flow=flow, copy=list, audit=lambda state: [], to_json=list, catalogue={})
    play: Play[Any] = Play(game, [])
    move, twin = [], play.fork(asks_forced=True)
    for value in ("card", "strategy", "character"):
        assert twin.request is not None
        move.append(Answer(twin.request, value, forced=twin.forced is not None))
        twin.answer(value)
    telling = MoveTelling(HOOKS.notation, play)
    expected = telling.tell(move, -1, lambda request, value: value, lambda: True)
    line = HOOKS.notation.line(expected.said)
    told = explain(play, line, HOOKS)
    assert (line, telling.unsure) == ("card character", True)
    assert told.refusal is not None and told.refusal.rule == "deck.empty"
