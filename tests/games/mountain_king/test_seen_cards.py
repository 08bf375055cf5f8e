"""What a camera saw of cards and ancestries becomes steps of the draft."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.mountain_king.box.box import CARD
from referee.games.mountain_king.box.components import SEATS
from referee.games.mountain_king.box.symbols import word
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.rules.ancestry import cell_at
from referee.games.mountain_king.screens.seen_cards import shapes
from referee.games.mountain_king.state import grid
from referee.kernel.play import Play
from referee.kernel.requests import ChooseSecretly


@pytest.fixture(scope="module")
def drafting() -> Play[Any]:
    """A game in whose first wave two cards were laid already."""
    play, rng, drafts = Play(GAME, GAME.new_state({"seats": SEATS[:3]})), Random(3), 0
    while True:
        if isinstance(play.request, ChooseSecretly) and play.request.prompt == "prompt.draft":
            drafts += 1
            if drafts == 3:
                return play
        assert play.request is not None
        play.answer(play.request.sample(rng))


def photographed(state: Any, seat: int, card: str, at: int) -> dict[tuple[int, int], list[list[str | None]]]:
    """What a clear photograph of the ancestry with a card laid shows, cut as each shape would cut it."""
    after = grid.laid(state.grids[seat], state.box.fronts[card], at)
    top, bottom, left, right = grid.edges(grid.cells_of(after).cards & grid.WINDOW)
    shown: list[list[str | None]] = [
        [
            word(after[grid.STRIDE * row + column]) if after[grid.STRIDE * row + column] else None
            for column in range(left, right + 1)
        ]
        for row in range(top, bottom + 1)
    ]
    own = (bottom - top + 1, right - left + 1)
    return {
        shape: shown if shape == own else [[None] * shape[1] for _ in range(shape[0])]
        for shape in shapes(state, seat)
    }


def test_a_card_that_is_left_and_shows_these_cells_is_a_step(drafting: Play[Any]) -> None:
    state = drafting.state
    card = next(iter(state.box.fronts))
    cells = card.split(CARD)
    assert GAME.seen_card(state, cells) == [card]
    assert GAME.seen_card(state, [None] * 4) == []
    used = state.fronts.get(card, 0)
    state.fronts[card] = state.box.copies[card]
    try:
        assert GAME.seen_card(state, cells) == [], "no copy of it is left"
    finally:
        state.fronts[card] = used


def test_unclear_cells_leave_the_card_open_where_others_show_the_same(drafting: Play[Any]) -> None:
    state = drafting.state
    for card in state.box.fronts:
        for gone in range(4):
            cells = [None if n == gone else cell for n, cell in enumerate(card.split(CARD))]
            found = GAME.seen_card(state, cells)
            alike = [
                one
                for one in state.box.fronts
                if all(c in (None, s) for s, c in zip(one.split(CARD), cells, strict=True))
            ]
            assert found == ([card] if alike == [card] else [])


def test_without_known_cards_the_cells_are_steps_up_to_the_first_unclear(drafting: Play[Any]) -> None:
    state = drafting.fork().state
    known, state.box = state.box, type(state.box)(**{**_fields(state.box), "fronts": {}})
    assert known.fronts
    assert GAME.seen_card(state, ["A", "B2", None, "."]) == ["A", "B2"]
    assert GAME.card_cells(state, ["A", "B2", ".", "W"]) == ("A", "B2", ".", "W")
    assert GAME.card_cells(state, ["A", "B2", "."]) is None
    assert GAME.card_cells(state, ["A", "B2", ".", "x"]) is None


def _fields(box: Any) -> dict[str, Any]:
    return {name: getattr(box, name) for name in box.__dataclass_fields__}


@pytest.mark.parametrize("seat", range(3))
def test_a_photographed_ancestry_tells_the_card_and_where_it_lies(drafting: Play[Any], seat: int) -> None:
    """Never another card or place than the true one; mostly both are told."""
    state, rng = drafting.state, Random(seat)
    told = 0
    request = drafting.request
    assert isinstance(request, ChooseSecretly)
    for _ in range(12):
        card, place = request.of[SEATS[seat]].sample(rng)
        found = GAME.seen_tableau(state, SEATS[seat], photographed(state, seat, card, cell_at(place)))
        assert found in ([], [card], [card, place])
        told += len(found)
    assert told >= 18


def test_what_lay_there_before_and_looks_otherwise_settles_nothing(drafting: Play[Any]) -> None:
    state = drafting.state
    request = drafting.request
    assert isinstance(request, ChooseSecretly)
    card, place = request.of[SEATS[0]].sample(Random(5))
    seen = photographed(state, 0, card, cell_at(place))
    other = {
        shape: [[None if cell is None else "E" for cell in row] for row in rows]
        for shape, rows in seen.items()
    }
    assert GAME.seen_tableau(state, SEATS[0], other) == []
    assert GAME.seen_tableau(state, SEATS[0], {}) == []
