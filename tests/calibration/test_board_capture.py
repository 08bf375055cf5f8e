"""Boards in photographs: found, put right by taps, kept, played on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from capturing import Owner

from calibration.boards import BoardShelf, drawing_of
from calibration.capture import BoardCapture
from referee.games.mountain_king.box.box import box_of, connected
from referee.games.mountain_king.box.components import CLANS, SEATS
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.play.bots import play_random
from referee.kernel.capturing import AREA, POINT, CaptureForm, Drawing, Mark, Trouble
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text
from vision.boards.areas import find_areas
from vision.boards.squaring import propose_corners, squared
from vision.boards.truth import score
from vision.virtual.area_boards import (
    GLACIER,
    PARCHMENT,
    SIZE,
    SLATE,
    UNSEEN,
    DrawnBoard,
    Wear,
    draw_board,
    ring_board,
)

BOARD, WHEEL = GAME.capture_forms()


class Realms:
    """A second game of areas: provinces of three realms, with cities and ports."""

    id = "realms"

    def capture_forms(self) -> tuple[CaptureForm, ...]:
        return (
            CaptureForm(
                "map",
                "map",
                ("north", "south", "isles"),
                "realm",
                (Mark("city", AREA, "city"), Mark("port", POINT, "port")),
            ),
        )

    def capture_troubles(self, form: str, drawing: Drawing) -> list[Trouble]:
        cities = [key for key, one in drawing.areas.items() if "city" in one.marks]
        return [] if len(cities) == 2 else [Trouble(Text("calibration.capture_none"), tuple(cities))]

    def captured(self, form: str, drawing: Drawing) -> dict[str, Any]:
        return {
            "provinces": {key: [one.group, *one.marks] for key, one in drawing.areas.items()},
            "ways": [list(pair) for pair in drawing.joins],
            "ports": [list(one.beside) for one in drawing.points],
        }


@pytest.fixture(scope="module")
def mountain() -> Iterator[Owner]:
    board = draw_board(77, UNSEEN[0], areas=28, wear=Wear())
    owner = Owner(board, BOARD, board.photo)
    owner.capture_a_mountain()
    yield owner


def found_in(board: DrawnBoard) -> Any:
    return find_areas(squared(board.photo, propose_corners(board.photo), SIZE))


@pytest.mark.parametrize("style", UNSEEN, ids=lambda style: style.name)
def test_pairs_are_found_before_any_tap_and_the_wrong_ones_are_doubtful(style: Any) -> None:
    board = draw_board(4_321, style, wear=Wear())
    found = score(board, found_in(board))
    assert found.f1 >= 0.95 and found.silent == 0
    # on average less: calibration.board_joins_asked_share
    assert found.asked < 0.6 * len(board.joins), "a person is asked about the lesser part"


def test_half_the_areas_were_lost_beside_rock_that_is_broader_than_any() -> None:
    """The rim's rock told what is usual: areas half as deep counted as slivers, and nobody was asked."""
    board = draw_board(20_002, GLACIER, wear=Wear())
    found = score(board, found_in(board))
    assert found.f1 >= 0.95 and found.silent == 0


def test_a_board_looked_finished_before_each_colour_was_told(plain: BoardCapture) -> None:
    capture = BoardCapture(BOARD, plain.photo)
    areas = capture.areas.numbers
    for told, (area, clan) in enumerate(zip(areas, CLANS, strict=False), 1):
        capture.do({"do": "group", "area": area, "group": clan})
        named = [one for one in areas if capture.group_of(one)]
        assert named == (areas if told == len(CLANS) else areas[:told])
        left = {one.text.id for one in capture.troubles(GAME)} & {"calibration.capture_groups_left"}
        assert bool(left) == (told < len(CLANS)) and len(capture.groups_left()) == len(CLANS) - told


def test_a_board_of_28_caverns_takes_at_most_120_taps(mountain: Owner) -> None:
    assert mountain.capture.troubles(GAME) == []
    assert mountain.taps <= 120
    assert mountain.joins() == mountain.board.joins
    assert len(mountain.capture.areas.numbers) == 28


def test_what_was_captured_is_kept_with_a_digest_and_played_on(mountain: Owner, tmp_path: Path) -> None:
    shelf = BoardShelf(GAME, tmp_path)
    digest = shelf.finish("front", "board", mountain.capture)
    data = shelf.data("front")
    side = box_of(data)
    assert len(side.digest) == len(digest) == 64 and connected(side) and side.players == (4, 5)
    drawn = GAME.board({"board": data})
    assert len([one for one in drawn.places.values() if one.territory]) == 28
    walls = sum(line.kind == "wall" for line in drawn.lines)
    ways = sum(line.kind in ("border", "pass") for line in drawn.lines)
    assert ways >= len(mountain.board.joins) and walls < len(mountain.board.joins) / 2
    for seats in (4, 5):
        played = play_random(seats, options={"board": data, "seats": SEATS[:seats]})
        assert played.play.outcome is not None
    path = tmp_path / "boards" / GAME.id / "front.json"
    told = json.loads(path.read_text())
    told["drawings"]["board"]["joins"].pop()
    path.write_text(json.dumps(told))
    with pytest.raises(InvalidAnswer, match="front"):
        shelf.data("front")


def test_a_drawing_survives_json(mountain: Owner) -> None:
    drawing = mountain.capture.drawing()
    assert drawing_of(json.loads(json.dumps(asdict(drawing)))) == drawing


def test_the_same_tool_captures_the_wheel(tmp_path: Path) -> None:
    kinds = (0, 2, 1, 3, 0, 2, 3, 1, 0, 2)
    board = ring_board(5, PARCHMENT, kinds, Wear())
    owner = Owner(board, WHEEL, board.photo)
    owner.look_at_doubts()
    owner.tell_groups(WHEEL.groups)
    owner.do("star", 1, do="mark", area=owner.at(0), mark="star")
    between = {}
    for mark, a in {"boost": 2, "breach": 9}.items():
        turn = 2 * np.pi * ((a + 1) / len(kinds))
        between[mark] = (0.5 + 0.325 * float(np.sin(turn)), 0.5 - 0.325 * float(np.cos(turn)))
        owner.place(mark, "", between[mark])
    assert [str(one.text) for one in owner.capture.troubles(GAME)] != []
    owner.do("boosts", 5, do="numbers", id="boosts", values=[0, 1, 2, 4])
    assert owner.capture.troubles(GAME) == [] and owner.taps <= 40
    shelf = BoardShelf(GAME, tmp_path)
    shelf.finish("wheel", "wheel", owner.capture)
    side = box_of(shelf.data("wheel"))
    assert side.effects == tuple(WHEEL.groups[kind] for kind in kinds)
    assert side.triggers == {3: ("boost",), 0: ("breach",)} and side.boosts == (0, 1, 2, 4)


def test_another_game_of_areas_is_captured_with_the_same_tool(tmp_path: Path) -> None:
    game: Any = Realms()
    board = draw_board(31, UNSEEN[1], areas=15, groups=3, middle=False, wear=Wear())
    owner = Owner(board, game.capture_forms()[0], board.photo)
    owner.look_at_doubts()
    owner.tell_groups(("north", "south", "isles"))
    for area in (0, 9):
        owner.do("city", 1, do="mark", area=owner.at(area), mark="city")
    x, y = board.middles[4]
    owner.place("port", "", (x / SIZE, y / SIZE))
    assert owner.joins() == board.joins and owner.capture.troubles(game) == []
    shelf = BoardShelf(game, tmp_path)
    shelf.finish("isles", "map", owner.capture)
    data = shelf.data("isles")
    assert len(data["provinces"]) == 15 and len(data["ways"]) == len(board.joins)
    assert data["ports"] == [[f"a{owner.at(4)}"]]
    with pytest.raises(InvalidAnswer):
        BoardShelf(object(), tmp_path)


def test_areas_are_mended_by_hand_and_a_step_is_taken_back() -> None:
    board = draw_board(3, SLATE)
    owner = Owner(board, BOARD, board.photo)
    capture = owner.capture
    before = {number: int((capture.areas.labels == number).sum()) for number in capture.areas.numbers}
    a, b = next(iter(sorted(board.joins)))
    one, other = owner.at(a), owner.at(b)
    capture.do({"do": "merge", "areas": [one, other]})
    assert other not in capture.areas.numbers
    points = [[board.middles[area][0] / SIZE, board.middles[area][1] / SIZE] for area in (a, b)]
    capture.do({"do": "split", "area": one, "points": points})
    again = owner.at(b)
    assert (
        again != one
        and abs(int((capture.areas.labels == again).sum()) - before[other]) < 0.25 * before[other]
    )
    assert (min(one, again), max(one, again)) in capture.joins()
    capture.do({"do": "paint", "area": one, "path": [points[0], points[1]]})
    assert owner.at(b) == one
    capture.do({"do": "rock", "area": again})
    assert owner.at(b) in (one, 0) and again not in capture.areas.numbers
    third = owner.at(next(area for area in range(len(board.groups)) if area not in (a, b)))
    capture.do({"do": "touch", "areas": [one, third], "joined": False})
    assert (min(one, third), max(one, third)) not in capture.joins()
    back = capture.back().back()
    assert again in back.areas.numbers and len(back.steps) == 3
    whole = BoardCapture(BOARD, board.photo, json.loads(json.dumps(capture.steps)))
    assert np.array_equal(whole.areas.labels, capture.areas.labels)


@pytest.mark.parametrize(
    "step",
    [
        {"do": "fly"},
        {"do": 3},
        {"do": "merge", "areas": [1, 1]},
        {"do": "merge", "areas": [1]},
        {"do": "merge", "areas": [1, "2"]},
        {"do": "split", "area": 1, "points": [[0.0, 0.0], [1.0, 1.0]]},
        {"do": "split", "area": 999, "points": [[0.5, 0.5], [0.5, 0.6]]},
        {"do": "group", "area": 1, "group": "sea"},
        {"do": "mark", "area": 1, "mark": "lair"},
        {"do": "place", "mark": "lair", "value": "z", "at": [0.5, 0.5]},
        {"do": "place", "mark": "hall", "value": "", "at": [0.5, 1.5]},
        {"do": "place", "mark": "gate", "value": "", "at": [0.5, 0.5]},
        {"do": "lift", "point": 0},
        {"do": "beside", "point": 0, "area": 1},
        {"do": "name", "area": 1, "name": 7},
        {"do": "numbers", "id": "players", "values": ["4"]},
        {"do": "numbers", "id": "size", "values": [4]},
        {"do": "corners", "corners": [[0, 0], [1, 0], [1, 1], [0.9, 0.1]]},
        {"do": "corners", "corners": [[0, 0], [1, 0], [1, 1]]},
        {"do": "touch", "areas": [1, 2], "joined": "yes"},
        {"do": "paint", "area": 1, "path": "ab"},
        {"do": "area", "at": [float("nan"), 0]},
    ],
    ids=lambda step: f"{step['do']}",
)
def test_a_step_that_cannot_be_is_refused_and_changes_nothing(step: Any, plain: BoardCapture) -> None:
    before = plain.drawing()
    with pytest.raises(InvalidAnswer):
        plain.do(step)
    assert plain.steps == [] and plain.drawing() == before


@pytest.fixture(scope="module")
def plain() -> BoardCapture:
    board = draw_board(8, SLATE)
    return BoardCapture(BOARD, board.photo)


def test_corners_come_first(plain: BoardCapture) -> None:
    capture = BoardCapture(BOARD, plain.photo)
    capture.do({"do": "corners", "corners": [[0.06, 0.06], [0.92, 0.06], [0.92, 0.92], [0.06, 0.92]]})
    capture.do({"do": "rock", "area": capture.areas.numbers[0]})
    with pytest.raises(InvalidAnswer):
        capture.do({"do": "corners", "corners": [[0, 0], [1, 0], [1, 1], [0, 1]]})


def test_what_a_board_misses_is_said_and_where(plain: BoardCapture) -> None:
    troubles = plain.troubles(GAME)
    said = {one.text.id for one in troubles}
    assert {
        "calibration.capture_groups_left",
        "mountain_king.capture_halls",
        "mountain_king.capture_players",
    } <= said
    for one in troubles:
        assert one.text.in_words("de") != one.text.in_words("en")
    with pytest.raises(InvalidAnswer):
        GAME.captured("board", plain.drawing())


def test_a_picture_of_few_bytes_that_claimed_gigabytes_was_unpacked(
    plain: BoardCapture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = cv2.imencode(".jpg", plain.photo)[1].tobytes()
    size = b"".join(edge.to_bytes(2, "big") for edge in plain.photo.shape[:2])
    claims = data.replace(size, b"\x75\x30\x75\x30")
    assert claims != data
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(InvalidAnswer):
        BoardShelf(GAME, tmp_path).begin("back", "board", claims)


def test_a_capture_goes_on_after_a_restart(plain: BoardCapture, tmp_path: Path) -> None:
    shelf = BoardShelf(GAME, tmp_path)
    data = cv2.imencode(".jpg", plain.photo)[1].tobytes()
    capture = shelf.begin("back", "board", data)
    first = capture.areas.numbers[0]
    capture.do({"do": "name", "area": first, "name": "Tiefe Halle"})
    shelf.keep("back", "board", capture)
    again = BoardShelf(GAME, tmp_path).under_way("back", "board")
    assert again is not None and again.drawing().areas[f"a{first}"].name == "Tiefe Halle"
    assert shelf.under_way("other", "board") is None and shelf.names() == []
    for bad in (b"", b"no picture", data[:2000], cv2.imencode(".png", plain.photo[:50, :50])[1].tobytes()):
        with pytest.raises(InvalidAnswer):
            shelf.begin("back", "board", bad)
    for name in ("", "../up", "a/b"):
        with pytest.raises(InvalidAnswer):
            shelf.begin(name, "board", data)
    with pytest.raises(InvalidAnswer):
        shelf.begin("back", "cards", data)
