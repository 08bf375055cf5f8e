"""What ``explain`` says of a written move is what the table would do with it."""

from __future__ import annotations

import pytest
from game_words import explain_tells_the_truth

from referee.games.battlelore.play import fuzz as battlelore
from referee.games.five_armies.play import fuzz as five_armies
from referee.games.mountain_king.play import fuzz as mountain_king
from referee.games.war_of_the_ring.play import fuzz as war_of_the_ring

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
