"""Cards at a seat over HTTP: looked at, taught once, known; an ancestry photographed; the rest is tapped."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from fake_devices import Bench
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen

from calibration.workbench import Workbench
from referee.games.mountain_king.box.box import CARD
from referee.games.mountain_king.box.components import SEATS
from referee.games.mountain_king.box.symbols import word
from referee.games.mountain_king.rules.ancestry import cell_at
from referee.games.mountain_king.state import grid
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseSecretly
from referee.serving.hosting import NewGame
from vision.cards import EDGE, drawn_card
from web.app import create_app

GAME = "mountain_king"
LOOKS = {
    "A": (40, 40, 190), "B": (40, 140, 40), "I": (180, 60, 40), "G": (30, 120, 200), "W": (150, 60, 150),
    "S": (90, 160, 170), "E": (60, 60, 60),
}  # fmt: skip
SEAT = SEATS[1]
AT = f"/api/seat/{SEAT}/cards"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    found = Bench(tmp_path / "bench")
    found.folder.mkdir()
    return found


@pytest.fixture
def hall(tmp_path: Path, bench: Bench) -> Iterator[FakeHall]:
    found = FakeHall(tmp_path, [load_game(GAME)])
    found.workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
    found.start(NewGame(GAME, {}, seats=SEATS[:3]))
    rng = Random(2)
    assert found.table is not None
    while not isinstance(found.table.request, ChooseSecretly):
        assert found.table.request is not None
        found.table.answer(
            found.table.request.seat, found.table.request.sample(rng), revision=found.table.revision
        )
    yield found
    found.close()


@pytest.fixture
def app(hall: FakeHall) -> Flask:
    return open_wide(create_app(hall))


@pytest.fixture
def screen(app: Flask) -> Screen:
    found = Screen(app)
    found.sit(SEAT)
    return found


def on_a_table(card: Any, scale: float = 1.25) -> Any:
    """A picture of a card or of several that lie together, on a plain dark ground."""
    high, wide = (round(one * scale) for one in card.shape[:2])
    picture = np.full((high + 160, wide + 160, 3), (70, 82, 90), np.uint8)
    picture[80 : 80 + high, 80 : 80 + wide] = cv2.resize(card, (wide, high), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def as_sent(picture: Any) -> str:
    return base64.b64encode(
        cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    ).decode()


def sent(screen: Screen, hall: FakeHall, what: str, data: dict[str, Any], status: int = 200) -> Any:
    assert hall.table is not None
    answer = screen.post(f"{AT}/{what}", {"revision": hall.table.revision, **data})
    assert answer.status_code == status, answer.json
    return answer.json


def fronts(hall: FakeHall) -> list[str]:
    assert hall.table is not None
    return list(hall.table.play.state.box.fronts)


def test_a_card_is_taught_once_and_known_from_then_on(screen: Screen, hall: FakeHall) -> None:
    ask = screen.client.get(f"/api/seat/{SEAT}/state").json["table"]["ask"]
    assert ask["cards"]["steps"] == 1
    first, other = fronts(hall)[:2]
    picture = {"picture": as_sent(on_a_table(drawn_card(first.split(CARD), LOOKS))), "what": "card"}
    new = sent(screen, hall, "look", picture)
    assert new["values"] == [] and new["unclear"] and new["sentence"], "nothing was taught yet"
    assert sent(screen, hall, "teach", {"values": [first]}) == {"known": 1}
    known = sent(screen, hall, "look", picture)
    assert known["values"] == [first] and not known["unclear"] and len(known["texts"]) == 1
    revision = hall.table.revision if hall.table else 0
    told = screen.post(f"/api/seat/{SEAT}/preview", {"values": known["values"], "revision": revision})
    assert told.status_code == 200 and told.json["ask"] is not None, "the draft goes on with where it is laid"
    another = {"picture": as_sent(on_a_table(drawn_card(other.split(CARD), LOOKS))), "what": "card"}
    assert sent(screen, hall, "look", another)["values"] != [first]


def test_a_card_in_the_tray_is_looked_at_by_the_camera_above_it(
    screen: Screen, hall: FakeHall, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fronts(hall)[0]
    shown: list[Any] = [None, on_a_table(drawn_card(first.split(CARD), LOOKS))]
    monkeypatch.setattr(bench, "picture", lambda: shown[0])
    look = {"tray": True, "what": "card"}
    assert "camera" in sent(screen, hall, "look", look, 400)["error"]["sentence"].lower()
    shown.reverse()
    assert sent(screen, hall, "look", look)["unclear"]
    sent(screen, hall, "teach", {"values": [first]})
    assert sent(screen, hall, "look", look)["values"] == [first]


def test_a_picture_of_few_bytes_that_claimed_gigabytes_was_unpacked(
    screen: Screen, hall: FakeHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = on_a_table(drawn_card(fronts(hall)[0].split(CARD), LOOKS))
    size = b"".join(edge.to_bytes(2, "big") for edge in picture.shape[:2])
    claims = base64.b64decode(as_sent(picture)).replace(size, b"\x75\x30\x75\x30")
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    look = {"picture": base64.b64encode(claims).decode(), "what": "card"}
    assert sent(screen, hall, "look", look, 400)["error"]["sentence"]


def test_an_ancestry_is_photographed_instead_of_tapped(screen: Screen, hall: FakeHall) -> None:
    """The book knows every card; the photograph with the new card laid tells card and place."""
    assert hall.table is not None
    desk = hall.workbench.cards  # type: ignore[attr-defined]
    book, state = desk.book(), hall.table.play.state
    for front in [*fronts(hall), CARD.join(word(one) for one in start_of(state))]:
        flat = drawn_card(front.split(CARD), LOOKS)
        edge = round(EDGE * len(flat))
        book.teach(
            cv2.resize(flat[edge:-edge, edge:-edge], book.size, interpolation=cv2.INTER_AREA),
            front.split(CARD),
        )
    book.save(desk.path)
    request = hall.table.request
    assert isinstance(request, ChooseSecretly)
    told = 0
    for seed in range(8):
        card, place = request.of[SEAT].sample(Random(seed))
        after = grid.laid(state.grids[1], state.box.fronts[card], cell_at(place))
        cards = grid.cells_of(after).cards & grid.WINDOW
        top, bottom, left, right = grid.edges(cards)
        shown = [
            word(after[grid.STRIDE * r + c]) for r in range(top, bottom + 1) for c in range(left, right + 1)
        ]
        if "-" in shown:
            continue  # no rectangle: its corners are no corners of the picture's quadrilateral
        flat = drawn_card(shown, LOOKS, bottom - top + 1, right - left + 1)
        found = sent(screen, hall, "look", {"picture": as_sent(on_a_table(flat)), "what": "tableau"})
        assert found["values"] in ([], [card], [card, place]), (card, place)
        told += len(found["values"])
        assert found["sentence"]
    assert told >= 2


def start_of(state: Any) -> list[int]:
    return [state.grids[1][grid.START + step] for step in grid.CARD_CELLS]


def test_bad_pictures_wrong_moments_and_strangers_are_refused(
    screen: Screen, hall: FakeHall, app: Flask
) -> None:
    plain = as_sent(np.full((300, 300, 3), 90, np.uint8))
    for data in ({"picture": plain, "what": "card"}, {"picture": "", "what": "card"}):
        assert sent(screen, hall, "look", data, 400)["error"]["sentence"]
    sent(screen, hall, "look", {"picture": "no base64!", "what": "card"}, 400)
    sent(screen, hall, "look", {"picture": plain, "what": "house"}, 400)
    sent(screen, hall, "look", {"picture": plain, "what": "card", "revision": 10_000}, 409)
    assert (
        "Photograph" in sent(screen, hall, "teach", {"values": [fronts(hall)[0]]}, 400)["error"]["sentence"]
    )
    sent(screen, hall, "teach", {"values": ["no card"]}, 400)
    stranger = Screen(app)
    sent(stranger, hall, "look", {"picture": plain, "what": "card"}, 403)


def test_a_spoilt_book_of_cards_is_named_with_a_way_out(screen: Screen, hall: FakeHall) -> None:
    path = hall.workbench.cards.path  # type: ignore[attr-defined]
    path.parent.mkdir(parents=True)
    path.write_bytes(b"spoilt")
    picture = as_sent(on_a_table(drawn_card(fronts(hall)[0].split(CARD), LOOKS)))
    said = sent(screen, hall, "look", {"picture": picture, "what": "card"}, 400)["error"]["sentence"]
    assert "cards.npz" in said
