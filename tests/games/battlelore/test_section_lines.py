"""Section lines stand on the board as the box tells them."""

from __future__ import annotations

from referee.games.battlelore.game import GAME
from referee.games.battlelore.state.state import State
from referee.kernel.play import Play


def test_the_board_is_drawn_with_the_lines_of_the_box_and_none_where_nobody_told() -> None:
    told = {cut: GAME.board({"box": {"sections": cut}}) for cut in ("fifth", "fourth", "none")}
    assert len({board.digest for board in told.values()}) == 3
    assert all(len(board.lines) == 2 for board in told.values())
    assert GAME.board({}).lines == ()
    state = GAME.new_state({"box": {"sections": "fourth"}})
    play: Play[State] = Play(GAME, state)
    assert play.state.lines == [6, 18]


def test_lines_that_are_told_in_play_are_drawn_from_then_on() -> None:
    """A newcomer saw a board without sections through his whole first battle."""
    play: Play[State] = Play(GAME, GAME.new_state({}))
    assert play.request is not None and play.request.prompt == "prompt.ask_sections"
    assert GAME.board_now(play.state).lines == ()
    play.answer("fourth")
    told = GAME.board_now(play.state)
    assert told.digest == GAME.board({"box": {"sections": "fourth"}}).digest
