"""Capturing a board over HTTP: who may, a picture, steps, keeping, a game on it; in both languages."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fake_devices import Bench
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen

from calibration.workbench import Workbench
from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from vision.virtual.area_boards import SLATE, draw_board, ring_board
from web.app import create_app

GAME = "mountain_king"
AT = f"/api/setup/capture/{GAME}/wheel/my_wheel"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[FakeHall]:
    found = FakeHall(tmp_path, [load_game(GAME), load_game("five_armies")])
    bench = Bench(tmp_path / "bench")
    bench.folder.mkdir()
    found.workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
    yield found
    found.close()


@pytest.fixture
def app(hall: FakeHall) -> Flask:
    return open_wide(create_app(hall))


@pytest.fixture
def owner(app: Flask) -> Screen:
    return Screen(app)


def sent(screen: Screen, path: str, data: Any, status: int = 200) -> Any:
    """What comes back for a POST that ends with ``status``."""
    answer = screen.post(path, data)
    assert answer.status_code == status, answer.json
    return answer.json


def asked(screen: Screen, path: str) -> Any:
    return screen.client.get(path).json


def photo(picture: Any) -> dict[str, str]:
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()
    return {"picture": base64.b64encode(data).decode()}


def test_a_wheel_is_captured_and_a_game_begins_on_it(hall: FakeHall, owner: Screen) -> None:
    board = ring_board(3, SLATE, (0, 1, 2, 3, 0, 1, 2, 3))
    games = asked(owner, "/api/setup/capture")["games"]
    assert [one["id"] for one in games] == [GAME] and games[0]["boards"] == []
    told = sent(owner, f"{AT}/begin", photo(board.photo))
    assert len(told["areas"]) == 8 and told["form"]["named"] is False
    middle = {one["id"]: one["at"] for one in told["areas"]}

    def nearest(number: int) -> int:
        x, y = board.middles[number]
        return min(middle, key=lambda one: abs(middle[one][0] - x) + abs(middle[one][1] - y))

    steps: list[dict[str, Any]] = [
        {"do": "group", "area": nearest(number), "group": group}
        for number, group in enumerate(("honour", "bolster", "influence", "move"))
    ]
    steps += [{"do": "mark", "area": nearest(0), "mark": "star"}]
    for mark, number in (("boost", 1), ("breach", 5)):
        turn = 2 * np.pi * (number + 1) / 8
        at = [0.5 + 0.325 * float(np.sin(turn)), 0.5 - 0.325 * float(np.cos(turn))]
        steps.append({"do": "place", "mark": mark, "value": "", "at": at})
    steps += [{"do": "numbers", "id": "boosts", "values": [0, 2, 3]}]
    for step in steps:
        told = sent(owner, f"{AT}/step", {"step": step})
    for doubt in told["doubts"]:
        x, y = doubt["at"]
        settled = {"do": "touch", "areas": doubt["areas"], "joined": doubt["joined"]}
        rock = {"do": "stone", "at": [x / 1000, y / 1000]}
        told = sent(owner, f"{AT}/step", {"step": rock if doubt["kind"] == "stone" else settled})
    assert told["troubles"] == [], told["troubles"]
    assert len(sent(owner, f"{AT}/finish", {})["digest"]) == 64
    assert [one["boards"] for one in asked(owner, "/api/start")["games"] if one["id"] == GAME] == [
        ["my_wheel"]
    ]
    sent(owner, "/api/games/new", {"game": GAME, "players": {}, "board": "my_wheel"})
    assert hall.table is not None and hall.table.play.state.box.boosts == (0, 2, 3)
    sent(owner, "/api/games/new", {"game": GAME, "players": {}, "board": "none"}, 400)


@pytest.mark.parametrize("language", ["de", "en"])
def test_what_is_missing_is_said_by_names(owner: Screen, language: str) -> None:
    sent(owner, "/api/language", {"language": language, "who": ""})
    told = sent(owner, f"/api/setup/capture/{GAME}/board/side/begin", photo(draw_board(8, SLATE).photo))
    said = [one["text"] for one in told["troubles"]]
    assert any(("Moos" if language == "de" else "Moss") in one for one in said)
    assert not any("{" in one or "moss" in one for one in said)
    refused = sent(owner, f"/api/setup/capture/{GAME}/board/side/finish", {}, 400)
    assert refused["error"]["sentence"] == said[0]
    back = sent(owner, f"/api/setup/capture/{GAME}/board/side/back", {})
    assert back["steps"] == 0


def test_bad_pictures_bodies_and_strangers_are_refused(hall: FakeHall, app: Flask, owner: Screen) -> None:
    sent(owner, f"{AT}/begin", {"picture": "no base64"}, 400)
    sent(owner, f"{AT}/begin", {"picture": ""}, 400)
    sent(owner, f"{AT}/step", {"step": {"do": "rock", "area": 1}}, 400)
    sent(owner, f"{AT}/step", {"step": "rock"}, 400)
    sent(owner, "/api/setup/capture/five_armies/board/x/begin", {"picture": ""}, 400)
    sent(owner, f"{AT}/fly", {}, 404)
    hall.start(NewGame(GAME, {}))
    app.extensions["table"].follow()
    owner.sit("pink")
    stranger = Screen(app)
    sent(stranger, f"{AT}/begin", photo(np.zeros((500, 500, 3), np.uint8)), 403)
