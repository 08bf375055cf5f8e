"""The table draws for whoever has no bag at hand, until somebody has something to decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import five_game
import pytest

from referee.archive.rechecking import Recheck
from referee.games.mountain_king.game import GAME
from referee.hall.table import Table
from referee.kernel.at_table import game_of
from referee.kernel.errors import InvalidAnswer, NotYourTurn, StaleAnswer
from referee.kernel.requests import ChooseOne, Report
from referee.store.store import Store

SEATS = ("pink", "green", "blue")


@pytest.fixture
def mountain(store: Store) -> Iterator[Callable[..., Table]]:
    """Makes tables of Fall of the Mountain King."""
    made: list[Table] = []

    def make(**how: Any) -> Table:
        made.append(Table.create(store, GAME, seats=SEATS, **how))
        return made[-1]

    yield make
    for table in made:
        table.close()


def test_a_set_up_is_drawn_by_a_few_taps_and_stands_in_the_record(mountain: Callable[..., Table]) -> None:
    table = mountain()
    drawn = taps = 0
    while table.play.state.step != "lairs":
        seat, request = table.asked_seats[0], table.request
        assert isinstance(request, ChooseOne)
        taps += 1
        if table.lots_known(seat):
            events = table.draw_lots(seat, revision=table.revision)
            drawn += len(events)
            assert {event.seat for event in events} == {seat} and not table.lots_known(seat)
        else:
            assert not isinstance(request, Report)
            with pytest.raises(InvalidAnswer):
                table.draw_lots(seat, revision=table.revision)
            table.answer(seat, request.options[0], revision=table.revision)
    # some thirty things; the last of a kind is left over and is not drawn
    assert drawn >= 30 and taps <= 2 * len(SEATS) + 2
    halls = [value for value in table.play.state.halls if value]
    assert len(halls) == 7 and set(halls) <= {4, 8, 12} and len(table.play.state.display) == 4
    check = Recheck(game_of(table.header), table.header)
    for event in table.events():
        check.take(event)
    assert check.play.digest() == table.play.digest()


def test_only_who_is_asked_draws_and_what_was_seen_counts(mountain: Callable[..., Table]) -> None:
    table = mountain()
    (asked,) = table.asked_seats
    other = next(seat for seat in SEATS if seat != asked)
    assert table.lots_known(asked) and not table.lots_known(other)
    with pytest.raises(NotYourTurn):
        table.draw_lots(other, revision=table.revision)
    with pytest.raises(StaleAnswer):
        table.draw_lots(asked, revision=table.revision - 1)
    assert table.play.answered == 0


def test_no_lots_in_a_tournament_nor_in_a_game_that_leaves_them_to_hands(
    mountain: Callable[..., Table], store: Store
) -> None:
    table = mountain(tournament=True)
    (asked,) = table.asked_seats
    with pytest.raises(InvalidAnswer, match="draw"):
        table.draw_lots(asked, revision=table.revision)
    five_game.register()
    other = Table.create(store, five_game.GAME)
    assert not any(other.lots_known(seat) for seat in five_game.SEATS)
    other.close()


def test_on_a_board_of_ones_own_only_the_set_up_is_drawn(mountain: Callable[..., Table]) -> None:
    state = GAME.copy(mountain().play.state)
    assert GAME.may_draw(state)
    state.phase = 2
    assert GAME.may_draw(state), "nobody has the practice set in a box"
    state.box = type("Own", (), {"name": "0123"})()
    assert not GAME.may_draw(state)
