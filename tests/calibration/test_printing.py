"""What is printed in true size: markers that the camera finds, and a plan of where the LEDs go."""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.led_map import edge_distance, place_at
from calibration.led_plan import make_plan, short_path
from calibration.markers import BOARD_MARKER_MM, BOARD_MARKERS
from firmware_bridge.led_map import LedMap
from referee.cli import main
from referee.kernel.lights import lit_places
from referee.kernel.registry import load_game

DPI = 150
GAMES = {"five_armies": 89, "war_of_the_ring": 158}


def run(*words: str | Path) -> str:
    done = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def pages(file: Path) -> list[np.ndarray]:
    """The pages as they come out of a printer, in grey."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm (poppler-utils) is not installed")
    subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "-png", file, file.with_suffix("")], check=True)
    return [cv2.imread(str(one), cv2.IMREAD_GRAYSCALE) for one in sorted(file.parent.glob("*.png"))]


def found(page: np.ndarray, dictionary: str = "DICT_4X4_50") -> dict[int, np.ndarray]:
    """Corners of the markers of a page (4 x 2, millimetres)."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    corners, ids, _ = cv2.aruco.ArucoDetector(known).detectMarkers(page)
    return {int(k): c[0] * 25.4 / DPI for k, c in zip(ids.ravel(), corners, strict=True)}


def side_mm(corners: np.ndarray) -> float:
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


def check_line_mm(page: np.ndarray) -> float:
    """The longest thin horizontal line of the page's head."""
    head = page[: round(30 / 25.4 * DPI)] < 128
    longest = 0
    for row in head:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
        longest = max([longest, *(edges[1::2] - edges[::2])])
    return longest * 25.4 / DPI


def test_the_printed_markers_are_found_in_true_size_and_the_right_way_up(tmp_path: Path) -> None:
    said = run("tray", "markers", "--output", tmp_path / "m.pdf", "--lang", "en")
    assert "100 %" in said
    tray, board = pages(tmp_path / "m.pdf")
    for page, ids, mm in ((tray, (0, 1, 2, 3), 25.0), (board, BOARD_MARKERS, BOARD_MARKER_MM)):
        seen = found(page)
        assert sorted(seen) == sorted(ids)
        assert check_line_mm(page) == pytest.approx(100, abs=0.6)
        for corners in seen.values():
            assert side_mm(corners) == pytest.approx(mm, abs=0.3)
            assert corners[0][0] < corners[1][0] and corners[0][1] < corners[3][1], "upright"
        middle = {k: c.mean(axis=0) for k, c in seen.items()}
        a, b, c, d = (middle[k] for k in ids)
        assert a[0] < b[0] and a[1] < d[1] and c[0] > d[0] and c[1] > b[1], "on paper as around the tray"


def test_other_trays_get_their_own_markers(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[tray]\nmarker_mm = 30\nmarker_ids = [7, 3, 11, 30]\ndictionary = "DICT_5X5_100"\n')
    run("tray", "markers", "--config", config, "--output", tmp_path / "m.pdf")
    seen = found(pages(tmp_path / "m.pdf")[0], "DICT_5X5_100")
    assert sorted(seen) == [3, 7, 11, 30] and side_mm(seen[7]) == pytest.approx(30, abs=0.3)


@pytest.mark.parametrize(
    ("tray", "why"), [("marker_ids = [0, 1, 2, 77]", "no marker 77"), ("marker_mm = 200", "do not fit on A4")]
)
def test_markers_that_cannot_be_printed_are_named(tmp_path: Path, tray: str, why: str) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f"[tray]\n{tray}\n")
    words = ["tray", "markers", "--config", str(config), "--output", str(tmp_path / "m.pdf")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1 and why in done.output and "[tray]" in done.output
    done = CliRunner().invoke(main, ["tray", "markers", "--output", str(tmp_path / "none" / "m.pdf")])
    assert done.exit_code == 1 and "cannot be written" in done.output


@pytest.mark.parametrize("game", GAMES)
def test_each_led_of_the_plan_lies_in_its_own_place(game: str) -> None:
    played = load_game(game)
    board = played.board()  # type: ignore[attr-defined]
    beside = [key for key in lit_places(played) if key not in board.places]
    plan = make_plan(board, beside, 700)
    assert len(plan.leds) == GAMES[game] and [one.number for one in plan.leds] == list(range(GAMES[game]))
    assert [one.place for one in plan.leds if one.at_mm is None] == beside
    assert set(plan.led_map.places) == set(lit_places(played))
    outlines = {key: place.outline for key, place in board.places.items()}
    for one in plan.leds:
        if one.at_mm is None:
            continue
        point = (one.at_mm[0] * board.width / 700, one.at_mm[1] * board.width / 700)
        home, _ = place_at(point, outlines, 0)
        assert home == one.place
        room = edge_distance(point, outlines[one.place])
        assert room >= 0.006 * board.width, f"{one.place}: light would spill over the border"


@pytest.mark.parametrize("game", GAMES)
def test_the_wires_are_short(game: str) -> None:
    board = load_game(game).board()  # type: ignore[attr-defined]
    plan = make_plan(board, [], 700)
    at = [one.at_mm or (0.0, 0.0) for one in plan.leds]
    wired = length(at)
    nearest = sum(min(apart(a, b) for b in at if b != a) for a in at)
    assert wired < 1.6 * nearest, "no order can be shorter than the distances to the nearest neighbours"
    joints = plan.wire_mm - wired
    assert joints == pytest.approx(20 * (len(at) - 1))


def apart(a: Sequence[float], b: Sequence[float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def length(at: Sequence[Sequence[float]]) -> float:
    return sum(apart(a, b) for a, b in pairwise(at))


def test_a_path_over_a_grid_is_as_short_as_it_can_be() -> None:
    spots = {f"{x},{y}": (10.0 * x, 10.0 * y) for x in range(5) for y in range(4)}
    path = [spots[key] for key in short_path(spots)]
    assert len(set(path)) == 20 and length(path) == pytest.approx(190)
    assert short_path({}) == [] and short_path({"a": (0, 0)}) == ["a"]


def test_places_that_no_rule_lights_can_be_left_out() -> None:
    board = load_game("five_armies").board()  # type: ignore[attr-defined]
    plan = make_plan(board, ["tray"], 700, playable=True)
    assert {board.places[one.place].kind for one in plan.leds if one.at_mm} == {"region", "box"}
    assert len(plan.leds) == 52


def test_the_plan_comes_on_paper_in_true_size_with_cut_list_and_map(tmp_path: Path) -> None:
    said = run("lights", "plan", "--width", "700", "--output", tmp_path / "p.pdf", "--lang", "en")
    assert "89 LEDs" in said and "budget_ma = 1750" in said and "--playable" in said
    sheets = pages(tmp_path / "p.pdf")
    assert len(sheets) == 4 * 2 + 1, "700 x 503 mm on A4 sheets that overlap, and the list"
    assert {check_line_mm(one) > 99.4 for one in sheets[:-1]} == {True}
    with (tmp_path / "p.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 89 and not any("rock_" in row["name"] for row in rows)
    led_map = LedMap.load(tmp_path / "p.toml")
    assert all(led_map.places[row["place"]] == (int(row["led"]),) for row in rows)
    # the first LED is drawn where the list says: a white disc with a black cross, 10 mm + head into the sheet
    x, y = float(rows[0]["x_mm"]) + 10, float(rows[0]["y_mm"]) + 26
    around = sheets[0][round((y - 2) / 25.4 * DPI) : round((y + 2) / 25.4 * DPI)]
    around = around[:, round((x - 2) / 25.4 * DPI) : round((x + 2) / 25.4 * DPI)]
    assert around.min() < 90 and np.median(around) == 255


def test_one_large_sheet_for_a_copy_shop(tmp_path: Path) -> None:
    run(
        "lights",
        "plan",
        "--width",
        "500",
        "--whole",
        "--output",
        tmp_path / "p.pdf",
        "--game",
        "war_of_the_ring",
    )
    plan, *_ = pages(tmp_path / "p.pdf")
    assert plan.shape[1] * 25.4 / DPI == pytest.approx(520, abs=1)


@pytest.mark.parametrize("words", [("--width", "20"), ("--width", "700", "--game", "chess")])
def test_what_cannot_be_planned_is_said(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(main, ["lights", "plan", *words])
    assert done.exit_code in (1, 2) and "Error" in done.output and "Traceback" not in done.output
