"""What ``explain`` says of a written move is what the table would do with it."""

from __future__ import annotations

from random import Random

import pytest
from game_words import explain_tells_the_truth

from referee.games.battlelore.play import fuzz as battlelore
from referee.games.five_armies.play import fuzz as five_armies
from referee.games.kit.word_fuzzing import Found, WordFuzzer
from referee.games.mountain_king.play import fuzz as mountain_king
from referee.games.war_of_the_ring.play import fuzz as war_of_the_ring
from referee.kernel.explain import explain
from referee.kernel.play import Play

GAMES = {
    game.explained.args[0]: game.explained
    for game in (five_armies, war_of_the_ring, battlelore, mountain_king)
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_random_written_moves_are_answered_as_the_table_does(game: str, seed: int) -> None:
    explain_tells_the_truth(GAMES[game], seed, 240)


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
    assert any(kind.startswith("swallowed") for kind in found.wrong), found.wrong


def test_the_law_knows_what_words_may_say() -> None:
    """The seat that acts in front of its move, none of something, and one of two readings are no faults."""
    from referee.games.five_armies import GAME

    play = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False)
    rng = Random(3)
    while play.request is None or play.request.prompt != "prompt.choose_die":
        assert play.request is not None
        play.answer(play.request.sample(rng))
    fuzzer = WordFuzzer(GAME.words, rng, Found())
    seat, other = play.request.seat, next(seat for seat in GAME.seats if seat != play.request.seat)
    die = next(str(one.value) for one in play.request.candidates() if one.allowed)
    told = explain(play, f"{seat}: {die}", GAME.words)
    assert told.allowed and fuzzer.swallowed(told, f"{seat}: {die} 0 orcs") == []
    assert fuzzer.swallowed(told, f"{other}: {die} 1 orcs") == sorted({"orcs", other} & fuzzer.ids)
