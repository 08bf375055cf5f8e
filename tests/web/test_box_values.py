"""What a table tells of its box is kept with one tap, and no later game asks it again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_hall import FakeHall, open_wide
from screens import Screen

from calibration.boxbook import BoxBook
from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from web.app import create_app

RING = "war_of_the_ring"
KEY = "setup.erebor.dwarves_regular"


class Bench:
    """A workbench of which only the box book matters."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def book(self, game: Any) -> BoxBook:
        return BoxBook(game, self.folder)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[FakeHall]:
    hall = FakeHall(tmp_path, [load_game(RING)])
    hall.workbench = Bench(tmp_path)  # type: ignore[attr-defined]
    yield hall
    hall.close()


def begin(hall: FakeHall, tournament: bool = False) -> Screen:
    hall.start(NewGame(RING, {}, options={"edition": "first"}, tournament=tournament))
    screen = Screen(open_wide(create_app(hall)))
    screen.sit("free", "en")
    return screen


def told(screen: Screen) -> Any:
    return screen.client.get("/api/seat/free/state").json["table"].get("box")


def test_a_value_that_was_asked_is_kept_with_one_tap(hall: FakeHall) -> None:
    screen = begin(hall)
    assert hall.table is not None and told(screen) is None
    hall.table.answer("free", "3", revision=hall.table.revision)
    shown = told(screen)
    assert shown["number"] == hall.table.revision and "3" in shown["texts"][0]
    assert screen.post("/api/seat/free/keep_box", {"revision": hall.table.revision}).status_code == 200
    assert told(screen) is None
    book = hall.workbench.book(hall.table.game)  # type: ignore[attr-defined]
    assert book.values == {KEY: "3"} and book.entries[KEY].source == "told at the table"
    hall.table.answer("free", "1", revision=hall.table.revision)
    assert len(told(screen)["texts"]) == 1, "only what the book does not know yet"


def test_a_tournament_keeps_nothing_of_a_box_that_may_be_another_s(hall: FakeHall) -> None:
    screen = begin(hall, tournament=True)
    assert hall.table is not None
    hall.table.answer("free", "3", revision=hall.table.revision)
    assert told(screen) is None
