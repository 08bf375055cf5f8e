"""What ``explain`` says of a written move is what the table would do with it."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from game_words import explain_tells_the_truth
from rare_states import CHANGES, rare_state

from referee.games.battlelore.play import fuzz as battlelore
from referee.games.five_armies.play import fuzz as five_armies
from referee.games.kit.word_judging import Judge
from referee.games.kit.word_telling import Answer, MoveTelling
from referee.games.mountain_king.play import fuzz as mountain_king
from referee.games.war_of_the_ring.play import fuzz as war_of_the_ring
from referee.kernel.explain import REFUSED, UNCLEAR, explain
from referee.kernel.notation import why_refused
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Forced, Request, RollDice

GAMES = {
    game.explained.args[0]: game.explained
    for game in (five_armies, war_of_the_ring, battlelore, mountain_king)
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_random_written_moves_are_answered_as_the_table_does(game: str, seed: int) -> None:
    explain_tells_the_truth(GAMES[game], seed, 240)


@pytest.mark.parametrize("game", CHANGES)
def test_written_moves_in_rare_positions_are_answered_as_the_table_does(game: str) -> None:
    """Armies of two nations, nations that are not At War, sieges, empty supplies."""
    explain_tells_the_truth(partial(GAMES[game], start=rare_state), 3, 240)


def test_the_only_way_of_a_gnome_was_taken_for_that_of_the_next() -> None:
    """The words that the second gnome's question refuses are the only answer of the first one's."""
    explain_tells_the_truth(GAMES["mountain_king"], 990028, 1500)


def _forced_goes_over(old: Any) -> Any:
    """Another answer than the only one is taken for it."""

    def answer(self: Any, request: Request, value: Any) -> bool:
        forced = self.play.forced
        return bool(old(self, request, value if forced is None else forced.answer))

    return answer


ATTEMPT, NOTATION = "referee.kernel.explain._Attempt", "referee.kernel.notation.Notation"
BROKEN: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "words that nothing takes are gone over": (
        f"{ATTEMPT}._not_said",
        lambda old: lambda self, request: setattr(self.words, "at", self.words.at + 1),
    ),
    "a refusal by the rule that asks": (
        "referee.kernel.explain.why_refused",
        lambda old: lambda request, value: old(request, value) and Refusal(request.rule, "not_offered"),
    ),
    "one rule for everything": (
        f"{ATTEMPT}._refused",
        lambda old: lambda self, refusal, params=None: old(self, "turn.six_phases", params),
    ),
    "the first option for any": (
        f"{NOTATION}._read_one",
        lambda old: (
            lambda self, request, words, style: [old(self, request, words, style), *request.options][-1]
        ),
    ),
    "no more of anything than there is": (
        f"{NOTATION}._read_counts",
        lambda old: (
            lambda self, request, words, style: {
                item: min(number, request.limits.get(item, number)) or number
                for item, number in old(self, request, words, style).items()
            }
        ),
    ),
    "the last of many options refused": (
        "referee.kernel.explain.why_refused",
        lambda old: (
            lambda request, value: (
                Refusal(request.rule, "not_offered")
                if len(getattr(request, "options", ())) > 8 and value == request.options[-1]
                else old(request, value)
            )
        ),
    ),
    "another seat may say it too": (
        f"{ATTEMPT}._seat",
        lambda old: lambda self, request: old(self, request) and setattr(self.words, "at", self.words.at + 2),
    ),
    "another answer than the only one": (f"{ATTEMPT}._answer", _forced_goes_over),
}
"""What ``explain`` could do wrong: where, and how it is broken there."""


@pytest.mark.parametrize("fault", BROKEN)
def test_the_law_finds_an_explain_that_is_broken(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, broken = BROKEN[fault]
    owner, name = pkgutil.resolve_name(where.rpartition(".")[0]), where.rpartition(".")[2]
    monkeypatch.setattr(owner, name, broken(getattr(owner, name)))
    if fault == "another answer than the only one":
        real = why_refused
        monkeypatch.setattr(
            "referee.kernel.explain.why_refused",
            lambda request, value: None if isinstance(request, Forced) else real(request, value),
        )
    assert five_armies.explained(2, 900).wrong, fault


def test_the_law_finds_a_move_that_ends_where_it_must_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of a mixed army stays behind at a border, and nothing is said of it."""
    monkeypatch.setattr(f"{ATTEMPT}._why_not_silent", lambda self, request: None)
    found = war_of_the_ring.explained(6, 3000, start=rare_state)
    assert found.wrong.keys() == {"allowed what cannot end there (legal)"}


def test_a_word_that_nothing_takes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The law sees what it is there for: an explanation that goes over words, or gives another rule."""
    from referee.games.five_armies.words import explaining
    from referee.kernel.explain import ExplainHooks

    def goes_over(play: object, request: object, words: object, pairs: object) -> int:
        return 1

    hooks = {name: getattr(explaining.WORDS, name) for name in ExplainHooks.__dataclass_fields__}
    from referee.games.five_armies import GAME

    monkeypatch.setitem(GAME.__dict__, "words", ExplainHooks(**{**hooks, "stuck": goes_over}))
    found = five_armies.explained(0, 300)
    assert any(kind.startswith("allowed with words left out") for kind in found.wrong), found.wrong


def test_the_law_knows_what_words_may_say() -> None:
    """The seat that acts in front of its move, none of something, and one of two readings are no faults."""
    from referee.games.five_armies import GAME

    play = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False)
    rng = Random(3)
    while play.request is None or play.request.prompt != "prompt.choose_die":
        assert play.request is not None
        play.answer(play.request.sample(rng))
    judge = Judge(GAME.words)
    seat = play.request.seat
    die = next(str(one.value) for one in play.request.candidates() if one.allowed)
    told = explain(play, f"{seat}: {die}", GAME.words)
    assert told.allowed and judge.unheld(told, f"{seat}: {die} 0 orcs") == []
    assert judge.unheld(told, f"{die} 1 orcs {die} 7") == ["1", "orcs", "7"], "the die may be told twice"
    assert judge.unheld(told, f"{die} 1 orcs") == ["1", "orcs"]


def test_the_law_asks_for_no_reason_against_dice_that_words_behind_them_make_complete() -> None:
    from referee.games.war_of_the_ring import GAME

    play = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False)
    rng = Random(3)
    while not isinstance(play.request, RollDice):
        assert play.request is not None
        play.answer(play.request.sample(rng))
    ((die, faces),) = play.request.sample(rng).items()
    telling = MoveTelling(GAME.words.notation, play)
    too_few = Answer(play.request, {die: faces[:-1]}, forced=False)
    expected = telling.tell([too_few], -1, lambda request, value: value, lambda: False)
    expected.known = True
    judge, line = Judge(GAME.words), GAME.words.notation.line(expected.said)
    for words, verdict in ((line, REFUSED), (f"{line} {faces[-1]} agree", UNCLEAR)):
        expected.goes_on = words != line
        told = explain(play, words, GAME.words)
        assert told.verdict == verdict and judge.problem(play, words, expected, told) == "", words
    expected.goes_on = False
    assert judge.problem(play, line, expected, told) == "no reason"
