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
