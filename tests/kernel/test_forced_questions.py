"""Questions with one answer: the table asks nobody, and whoever wants meets them all the same."""

from __future__ import annotations

from collections.abc import Generator
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from referee.kernel.errors import IllegalAnswer, InvalidAnswer
from referee.kernel.explain import ExplainHooks, Explanation, explain
from referee.kernel.notation import Notation, Style
from referee.kernel.play import MILESTONE, Flow, Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSome, Forced, Request, unless_forced
from referee.kernel.together import ChooseInSteps


def _flow(state: list[str]) -> Flow:
    """Asks for a door, which leaves no choice, then for a colour, then for two lamps, all there are."""
    while len(state) < 9:
        yield MILESTONE
        door = ChooseOne("red", "door", ("left",), refused=lambda: [("right", Refusal("locked"))])
        state.append((yield unless_forced(door)))
        state.append((yield ChooseOne("red", "colour", ("blue", "green"))))
        lamps = ChooseSome("red", "lamps", {"lamp": 2}, minimum=2)
        state.append(str((yield Forced(lamps, {"lamp": 2}))["lamp"]))


def _play(**how: Any) -> Play[list[str]]:
    game: Any = SimpleNamespace(flow=_flow, copy=list, audit=lambda state: [], to_json=list)
    return Play(game, [], **how)


def _explained(flow: Any, notation: Notation, line: str) -> Explanation:
    """What is told of a written move in a game of this flow alone."""
    hooks = ExplainHooks(
        notation,
        ("red",),
        turn_rule=lambda play, request, words: "turn",
        over_rule="over",
        stuck=lambda play, request, words, pairs: None,
        sharpen=lambda play, request, answer, refusal, words: refusal,
    )
    game: Any = SimpleNamespace(
        flow=flow, copy=list, audit=lambda state: [], to_json=list, catalogue=SimpleNamespace(get=str)
    )
    return explain(Play(game, []), line, hooks)


def test_the_table_is_not_asked() -> None:
    play = _play()
    assert play.request is not None and play.request.prompt == "colour" and play.state == ["left"]
    play.answer("green")
    assert play.state == ["left", "green", "2", "left"]
    assert play.answered == 1 and play.since == []


def test_who_wants_meets_every_question_and_its_refusals() -> None:
    play = _play(asks_forced=True)
    assert play.request is not None and play.request.prompt == "door" and play.forced is not None
    with pytest.raises(IllegalAnswer):
        play.answer("right")
    play.answer("left")
    assert play.forced is None and (play.answered, play.passed) == (0, 1)
    play.answer("blue")
    assert play.since == ["blue"] and play.passed == 0
    with pytest.raises(IllegalAnswer):
        play.answer({"lamp": 1})
    play.ask_no_forced()
    assert play.state == ["left", "blue", "2", "left"] and play.request.prompt == "colour"


def test_a_fork_stands_at_the_forced_question_that_was_passed_last() -> None:
    play = _play()
    plain, asking = play.fork(), play.fork(asks_forced=True)
    assert plain.request is not None and plain.request.prompt == "colour"
    assert asking.request is not None and asking.request.prompt == "door" and asking.state == []
    asking.answer("left")
    again = asking.fork(asks_forced=True)
    assert again.request is not None and again.request.prompt == "colour" and again.state == ["left"]


def test_secret_steps_leave_out_what_is_forced() -> None:
    def steps() -> Generator[Request, Any, Any]:
        first = yield unless_forced(ChooseOne("red", "door", ("left",)))
        colour = yield ChooseOne("red", "colour", ("blue", "green"))
        yield unless_forced(ChooseOne("red", "way", ("back",)))
        return first, colour

    part = ChooseInSteps("red", "plan", steps)
    question = part.following([])
    assert question is not None and question.prompt == "colour" and part.following(["blue"]) is None
    assert part.check(["green"]) == ["green"] and part.result(["green"]) == ("left", "green")
    assert part.why_not(["blue"]) is None and part.sample(Random(1)) in (["blue"], ["green"])


def test_only_the_one_answer_fits() -> None:
    forced = Forced(ChooseSome("red", "lamps", {"lamp": 2}), {"lamp": 2})
    assert forced.check({"lamp": 2}) == forced.sample(None) == {"lamp": 2}  # type: ignore[arg-type]
    assert forced.why_not({"lamp": 2}) is None and forced.is_forced()
    with pytest.raises(InvalidAnswer):
        forced.check({"lamp": 1})
    assert [one.value for one in forced.candidates()] == [{"lamp": 1}]


def _lairs(state: list[str]) -> Flow:
    """A lair; the only cave beside it, without asking; a cave for the guard; then a lair for the next one."""
    for lairs in (("west", "east"), ("east", "north")):
        yield MILESTONE
        refused = [(lair, Refusal("taken")) for lair in ("west", "east", "north") if lair not in lairs]
        state.append((yield ChooseOne("red", "lair", lairs, domain="place", refused=lambda r=refused: r)))
        state.append(
            (yield Forced(ChooseOne("red", "beside", ("cave",), domain="place", rule="beside"), "cave"))
        )
        state.append((yield ChooseOne("red", "guard", ("cave", "den"), domain="place", rule="guard")))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("west cave cave east", ["west", "cave", "east"]),
        ("west cave east den", ["west", "cave", "east", "den"]),
        ("west den east", ["west", "den", "east"]),
        ("west cave east cave cave", ["west", "cave", "east", "cave"]),
        ("west cave west", "guard"),
        ("west cave east den west", "over"),
        ("west north", "beside"),
    ],
)
def test_a_word_for_what_is_not_asked_may_be_meant_for_what_is(line: str, told: list[str] | str) -> None:
    places = ("west", "east", "north", "cave", "den")
    found = _explained(_lairs, Notation({}, {}, {"place": places}), line)
    if isinstance(told, str):
        assert found.refusal is not None and found.refusal.rule == told
    else:
        assert found.allowed and [answer for _, answer in found.pairs] == told


@pytest.mark.parametrize(
    ("line", "told"), [("west > far", "far"), ("west > near", "allowed"), ("west 2", "allowed")]
)
def test_a_reading_with_a_reason_counts_more_than_one_without(line: str, told: str) -> None:
    """*West* may be where a token is turned up, or, where none is, where a march begins."""

    def flow(state: list[str]) -> Flow:
        yield MILESTONE
        if (yield ChooseOne("red", "token", ("none", "west"), domain="place")) == "west":
            yield ChooseOne("red", "shows", ("1", "2"), domain="number")
            return
        yield ChooseOne("red", "march", ("west", "east"), domain="place")
        refused = [("far", Refusal("far"))]
        yield ChooseOne("red", "to", ("near", "here"), domain="place", refused=lambda: refused)

    notation = Notation(
        {"token": Style(silent="none"), "to": Style(marker=">")},
        {},
        {"place": ("west", "east", "near", "here", "far")},
    )
    found = _explained(flow, notation, line)
    assert (found.verdict if found.refusal is None else found.refusal.rule) == told


def test_what_is_not_listed_may_be_refused_all_the_same() -> None:
    def otherwise(item: str) -> Refusal | None:
        return Refusal("gone", "sold", {"item": item}) if item == "chair" else None

    one = ChooseOne("red", "seat", ("bench", "stool"), otherwise=otherwise)
    some = ChooseSome("red", "seats", {"bench": 1}, otherwise=otherwise)
    assert one.why_not("chair") == some.why_not({"chair": 1}) == Refusal("gone", "sold", {"item": "chair"})
    assert [c.value for c in one.candidates()] == ["bench", "stool"]
    for request, value in ((one, "throne"), (some, {"throne": 1})):
        with pytest.raises(InvalidAnswer):
            request.why_not(value)


@pytest.mark.parametrize("line", ["march far", "march sing"])
def test_a_question_that_stopped_a_line_is_told_of_in_its_own_position(line: str) -> None:
    """What it refuses is reckoned when somebody looks: the game must not have gone on by then."""

    def flow(state: list[str]) -> Flow:
        yield MILESTONE
        state.append((yield ChooseOne("red", "action", ("march", "rest"))))
        way = ChooseOne("red", "to", ("near",), refused=lambda: [("far", Refusal("far", " ".join(state)))])
        state.append((yield unless_forced(way)))
        state.append((yield ChooseOne("red", "action", ("march", "rest"))))

    found = _explained(flow, Notation({"to": Style(silent=Refusal("where"))}, {}, {}), line)
    assert found.verdict == "refused" and found.request is not None and found.request.prompt == "to"
    assert found.request.why_not("far") == Refusal("far", "march") and found.play.state == ["march"]


@pytest.mark.parametrize("value", [[None], {"spam": 1}, [[1]], None, 7])
def test_what_is_no_word_never_reaches_a_games_reason(value: Any) -> None:
    """A position file's answer of another shape ended in a traceback: reasons look words up."""
    one = ChooseOne("red", "seat", ("bench",), otherwise={"stool": Refusal("seat.taken")}.get)
    with pytest.raises(InvalidAnswer):
        one.check(value)
    with pytest.raises(IllegalAnswer):
        one.check("stool")
