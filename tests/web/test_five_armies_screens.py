"""The Battle of Five Armies through the screens' JSON: whole games, both languages, nothing untranslated."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from fake_hall import FakeHall, open_wide
from screens import Screen, sizes, untranslated

from referee.kernel.registry import load_game
from web.app import create_app
from web.hall import NewGame

ACTS = 110


@pytest.mark.parametrize("seed", [1, 2])
def test_every_screen_of_a_game_is_translated(tmp_path: Path, seed: int) -> None:
    game = load_game("five_armies")
    hall = FakeHall(tmp_path, [game])
    hall.start(NewGame(game.id, {}))
    app = open_wide(create_app(hall))
    screens = {seat: Screen(app) for seat in game.seats}
    for (seat, screen), language in zip(
        screens.items(), ("de", "en") if seed % 2 else ("en", "de"), strict=True
    ):
        screen.sit(seat, language)
    bad: set[str] = set()
    kinds: set[str] = set()
    rng = random.Random(seed)
    acts = 0
    while acts < ACTS:
        acted = False
        for seat, screen in screens.items():
            state = screen.state(seat)
            bad |= untranslated(state)
            assert sizes(state) < 60_000
            if state["table"]["outcome"]:
                acts = ACTS
            elif screen.act(seat, state, rng):
                kinds.add(state["table"]["ask"]["kind"])
                acted = True
                acts += 1
        assert acted or acts >= ACTS
    hall.close()
    assert bad == set()
    assert {"choose_one", "choose_some", "roll_dice", "report"} <= kinds


def test_the_board_is_drawn_from_the_games_data(tmp_path: Path) -> None:
    game = load_game("five_armies")
    hall = FakeHall(tmp_path, [game])
    hall.start(NewGame(game.id, {}))
    screen = Screen(open_wide(create_app(hall)))
    screen.sit("free", "de")
    board: dict[str, Any] = screen.client.get("/api/board").json
    hall.close()
    places = {key: place for key, place in board["places"].items() if place["kind"] != "rock"}
    assert len(places) == 51
    assert places["front_gate"]["name"] == "Vordertor"
    assert all(len(place["outline"]) >= 3 for place in places.values())
    assert sum(line["kind"] == "ford" for line in board["lines"]) == 5
