"""The Battle of Five Armies through the screens' JSON: whole games, both languages, nothing untranslated."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from fake_hall import FakeHall, open_wide
from screens import Screen, sizes, untranslated

from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseSecretly, RollDice
from referee.serving.hosting import NewGame
from web.app import create_app

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
            assert sizes(state) < 64_000
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


@pytest.mark.parametrize(
    ("game_id", "language", "named"),
    [
        ("five_armies", "de", "Aktionswürfel der Freien Völker"),
        ("five_armies", "en", "Free Peoples action die"),
        ("war_of_the_ring", "de", "Aktionswürfel der Freien Völker"),
        ("war_of_the_ring", "en", "Free Peoples action die"),
    ],
)
def test_too_few_dice_typed_in_are_named_not_by_ids(
    tmp_path: Path, game_id: str, language: str, named: str
) -> None:
    hall = FakeHall(tmp_path, [load_game(game_id)])
    hall.start(NewGame(game_id, {}))
    table = hall.table
    assert table is not None
    rng = random.Random(2)
    while not isinstance(table.request, RollDice):
        request = table.request
        assert request is not None
        value = request.sample(rng)
        for one, part in (value if isinstance(request, ChooseSecretly) else {request.seat: value}).items():
            table.answer(one, part, revision=table.revision)
    seat = table.request.seat
    screen = Screen(open_wide(create_app(hall)))
    screen.sit(seat, language)
    (kind,) = [one for one in table.request.dice if one == "free_action"]
    typed = {"revision": table.revision, "faces": {kind: ["character"]}}
    refused = screen.post(f"/api/seat/{seat}/dice/accept", typed)
    sentence = refused.json["error"]["sentence"]
    assert refused.status_code == 400 and f"1 × {named}" in sentence and "_" not in sentence
    hall.close()


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_marks_of_the_fate_track_were_b_t_t_and_b(tmp_path: Path, language: str) -> None:
    """Bilbo and Beorn, Thorin and The Lord of the Eagles: each mark is told from the others."""
    hall = FakeHall(tmp_path, [load_game("five_armies")])
    hall.start(NewGame("five_armies", {}))
    assert hall.table is not None
    (track,) = hall.table.view(None, language)["tracks"]
    short = [mark["short"] for mark in track["marks"]]
    hall.close()
    assert len(short) == len(set(short)) == 4 and all(len(one) == 2 for one in short)
