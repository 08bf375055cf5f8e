"""Halls and apps for the tests of the screens."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))

import toy_game
from fake_hall import FakeHall, open_wide
from screens import Screen

from referee.serving.hosting import NewGame
from web.app import create_app


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[FakeHall]:
    """A hall with a running toy game."""
    hall = FakeHall(tmp_path, [toy_game.register()])
    hall.start(NewGame("toy", {"white": "Anna", "black": "Bert"}))
    yield hall
    hall.close()


@pytest.fixture
def app(hall: FakeHall) -> Flask:
    """The app of the hall, its rate limits wide open."""
    return open_wide(create_app(hall))


@pytest.fixture
def white(app: Flask) -> Screen:
    """A device at seat white, in German."""
    screen = Screen(app)
    screen.sit("white", "de")
    return screen


@pytest.fixture
def black(app: Flask) -> Screen:
    """A device at seat black, in English."""
    screen = Screen(app)
    screen.sit("black", "en")
    return screen
