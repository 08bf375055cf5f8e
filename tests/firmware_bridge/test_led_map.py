"""Which LED lies under which place: tapped by hand, and found by the camera."""

from __future__ import annotations

import random
import time
from itertools import combinations
from pathlib import Path

import cv2
import pytest
from board_view import RenderedTable
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from lights_lab import eventually, shown

from calibration.led_map import (
    CURRENT,
    ManualMapping,
    Point,
    edge_distance,
    inside,
    place_at,
    raw_map,
)
from calibration.led_map_camera import (
    MARGIN,
    AutomaticMap,
    BridgeStrip,
    MappingRefused,
    find_board,
    level_for,
    map_leds,
)
from calibration.led_map_codes import WEIGHT, codewords
from firmware_bridge.bridge import LightsBridge
from firmware_bridge.emulator import Controller, start_emulator
from firmware_bridge.led_map import LedMap
from firmware_bridge.model import current_ma
from firmware_bridge.protocol import StripSettings
from referee.commands.lights import lights
from referee.kernel.registry import load_game
from vision.sources.base import Frame

PLACES = ["vale", "gate", "hill"]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    cv2.setNumThreads(1)


# --- by hand -------------------------------------------------------------------


def test_mapping_by_hand() -> None:
    mapping = ManualMapping(5, PLACES)
    assert mapping.lights() == {"0": CURRENT}
    mapping.assign("gate")
    mapping.assign("gate")
    assert mapping.lights()["2"] == CURRENT and set(mapping.lights()) == {"0", "1", "2"}
    mapping.skip()
    mapping.assign("hill")
    mapping.undo()
    assert mapping.current == 3 and mapping.missing() == ["vale", "hill"]
    mapping.assign("vale")
    mapping.assign("hill")
    assert mapping.current is None and mapping.lights() == {}
    assert mapping.result() == LedMap({"gate": (0, 1), "vale": (3,), "hill": (4,)}, 5)
    with pytest.raises(ValueError, match="undo or save"):
        mapping.skip()
    with pytest.raises(ValueError, match="not a place"):
        ManualMapping(1, PLACES).assign("moon")


@given(st.lists(st.sampled_from([*PLACES, None, "undo"]), max_size=40))
def test_undo_takes_back_exactly_one(taps: list[str | None]) -> None:
    mapping, expected = ManualMapping(12, PLACES), []
    for tap in taps:
        if tap == "undo":
            mapping.undo()
            expected = expected[:-1]
        elif len(expected) < 12:
            mapping.skip() if tap is None else mapping.assign(tap)
            expected.append(tap)
    assert mapping.choices == expected
    again = ManualMapping.from_data(mapping.to_data(), PLACES)
    assert again == mapping


def test_a_mapping_of_another_board_is_refused() -> None:
    for data in ({"leds": 2, "choices": ["moon"]}, {"leds": "2"}, {"leds": 1, "choices": [None, None]}):
        with pytest.raises(ValueError):
            ManualMapping.from_data(data, PLACES)


def brightest(controller: Controller) -> int | None:
    """The brightest of the first six pixels; None before a whole picture was latched."""
    frames = controller.frames()
    colours = frames[-1].colours() if frames else []
    return max(range(6), key=lambda n: sum(colours[n])) if len(colours) >= 6 else None


def test_a_raw_map_lights_single_leds_on_the_strip(controller: Controller) -> None:
    mapping = ManualMapping(6, PLACES)
    with LightsBridge(raw_map(6), port=controller.port) as bridge:
        for led in range(3):
            bridge.show(mapping.lights())
            eventually(
                lambda led=led: brightest(controller) == led  # type: ignore[misc]
            )
            mapping.skip()


# --- codes and geometry -----------------------------------------------------------


@pytest.mark.parametrize("count", [1, 7, 50, 150, 300])
def test_codes_share_at_most_one_picture(count: int) -> None:
    words, pictures = codewords(count)
    assert len(words) == count and pictures <= 80
    assert all(len(set(word)) == WEIGHT and max(word) < pictures for word in words)
    assert all(len(set(a) & set(b)) <= 1 for a, b in combinations(words, 2))


def test_points_and_polygons() -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    right = ((10.0, 0.0), (20.0, 0.0), (20.0, 10.0), (10.0, 10.0))
    assert inside((5, 5), square) and not inside((15, 5), square)
    assert edge_distance((5, 4), square) == 4 and edge_distance((13, 14), square) == 5
    both = {"left": square, "right": right}
    assert place_at((5, 5), both, 1) == ("left", True)
    assert place_at((9.5, 5), both, 1) == ("left", False)
    assert place_at((30, 5), both, 1) == (None, True)
    box = {"region": ((0, 0), (40, 0), (40, 40), (0, 40)), "box": ((10, 10), (20, 10), (20, 20), (10, 20))}
    assert place_at((15, 15), box, 1) == ("box", True), "the box of a garrison that lies in its region"
    assert place_at((30, 30), box, 1) == ("region", True)
    assert place_at((20.5, 15), box, 1) == ("region", False)


@given(st.integers(1, 60), st.integers(60, 8000), st.integers(1, 255))
@settings(max_examples=200)
def test_mapping_light_stays_within_the_budget(lit: int, budget: int, brightness: int) -> None:
    strip = StripSettings(60, brightness=brightness, budget_ma=budget)
    value = level_for(lit, strip)
    from firmware_bridge.model import ControllerModel
    from firmware_bridge.protocol import op_fill, op_slot, pixel_value

    model = ControllerModel(strip)
    model.apply(op_slot(1, value, value, value, 1) + op_fill(0, lit, pixel_value(1)))
    assert current_ma(model.render(0), strip) <= max(budget, 60)
    assert model.power_scale() == 256, "never dimmed, so all pictures are equally bright"


# --- by camera --------------------------------------------------------------------


def _board() -> tuple[tuple[float, float], dict[str, list[Point]]]:
    board = load_game("five_armies").board()  # type: ignore[attr-defined]
    outlines = {
        key: [(float(x), float(y)) for x, y in place.outline]
        for key, place in board.places.items()
        if place.kind == "region"
    }
    return (board.width, board.height), outlines


SIZE, OUTLINES = _board()


def _strip(count: int, seed: int) -> tuple[list[Point], list[str]]:
    """LEDs where a careful builder puts them: in a region, off its borders, in the order of a serpentine."""
    random_ = random.Random(seed)
    points: list[tuple[Point, str]] = []
    while len(points) < count:
        point = (random_.uniform(0, SIZE[0]), random_.uniform(0, SIZE[1]))
        place, _ = place_at(point, OUTLINES, 0)
        if place is None or edge_distance(point, OUTLINES[place]) < 2.2 * MARGIN * SIZE[0]:
            continue
        if all((point[0] - p[0]) ** 2 + (point[1] - p[1]) ** 2 > 45**2 for p, _ in points):
            points.append((point, place))
    rows = 9

    def along(item: tuple[Point, str]) -> tuple[int, float]:
        row = int(item[0][1] / SIZE[1] * rows)
        return row, item[0][0] if row % 2 == 0 else -item[0][0]

    points.sort(key=along)
    return [p for p, _ in points], [place for _, place in points]


def _run(table: RenderedTable, count: int) -> AutomaticMap:
    return map_leds(table, table, count, OUTLINES, SIZE, clock=lambda: table.seconds)


def _owners(led_map: LedMap) -> dict[int, str]:
    return {led: place for place, leds in led_map.places.items() for led in leds}


def test_150_leds_in_a_minute_by_camera(tmp_path: Path, seed: int = 2) -> None:
    points, truth = _strip(150, seed)
    table = RenderedTable(SIZE, OUTLINES, points, seed=seed)
    result = _run(table, 150)
    owners = _owners(result.led_map)
    wrong = {led: place for led, place in owners.items() if place != truth[led]}
    right = sum(owners.get(led) == truth[led] for led in range(150))
    assert not wrong
    assert right >= 0.99 * 150, result.unsure
    assert set(owners) | set(result.unsure) == set(range(150)), "the rest is reported"
    assert result.seconds <= 60
    assert table.most_lit <= 15
    result.led_map.save(tmp_path / "map.toml")
    assert LedMap.load(tmp_path / "map.toml") == result.led_map, "the same file as by hand"


def test_covered_leds_are_reported_and_not_guessed() -> None:
    points, truth = _strip(60, 3)
    hidden = frozenset({0, 6, 12, 31, 54})
    result = _run(RenderedTable(SIZE, OUTLINES, points, seed=3, hidden=hidden), 60)
    owners = _owners(result.led_map)
    assert all(place == truth[led] for led, place in owners.items())
    assert hidden <= set(result.unsure)
    assert len(result.unsure) <= len(hidden) + 3
    for why in result.unsure.values():
        english, german = why.in_words("en"), why.in_words("de")
        assert english and german and english != german


def test_a_broken_led_and_one_on_a_border_are_unsure() -> None:
    points, _ = _strip(40, 4)
    first, second = OUTLINES["v_dale_west_plain"][0], OUTLINES["v_dale_west_plain"][1]
    points[7] = ((first[0] + second[0]) / 2, (first[1] + second[1]) / 2)
    table = RenderedTable(SIZE, OUTLINES, points, seed=4)
    table._sources[20] = []
    result = _run(table, 40)
    assert "seen" in result.unsure[20].in_words("en") and 20 not in result.points
    assert 7 in result.unsure


def test_a_moved_camera_is_noticed() -> None:
    points, _ = _strip(20, 5)
    table = RenderedTable(SIZE, OUTLINES, points, seed=5)
    with pytest.raises(MappingRefused, match="moved"):
        map_leds(
            table, table, 20, OUTLINES, SIZE, progress=lambda share: table.move(9) if share == 1 else None
        )


def test_a_covered_marker_is_named() -> None:
    points, _ = _strip(5, 6)
    picture = RenderedTable(SIZE, OUTLINES, points, seed=6).capture()
    picture[:200, :300] = 90
    with pytest.raises(MappingRefused, match="marker 40") as refusal:
        find_board(picture, *SIZE)
    assert "Eckmarker 40" in refusal.value.text.in_words("de")


def test_corrections_by_hand_go_into_the_same_map() -> None:
    found = LedMap({"vale": (0, 1), "gate": (2,)}, 5)
    mapping = ManualMapping.correcting(found, PLACES, [1, 3, 4])
    assert mapping.lights() == {"1": CURRENT}
    mapping.assign("hill")
    mapping.assign("gate")
    mapping.undo()
    mapping.skip()
    mapping.assign("gate")
    assert mapping.current is None
    assert mapping.result() == LedMap({"vale": (0,), "gate": (2, 4), "hill": (1,)}, 5)


def test_the_bridge_lights_what_the_camera_wants(controller: Controller) -> None:
    strip = StripSettings(20, brightness=255, budget_ma=900)
    with LightsBridge(raw_map(20), port=controller.port, settings=strip) as bridge:
        lights = BridgeStrip(bridge, strip)
        lights.light(frozenset({3, 17}))
        eventually(lambda: [n for n, c in enumerate(shown(controller)) if any(c)] == [3, 17])
        lights.light(frozenset())
        eventually(lambda: controller.frames()[-1].dark)


def test_a_dead_bridge_refuses_with_its_own_words(tmp_path: Path) -> None:
    strip = StripSettings(20)
    with (
        LightsBridge(raw_map(20), port=str(tmp_path / "none"), settings=strip) as bridge,
        pytest.raises(MappingRefused, match="No light controller"),
    ):
        BridgeStrip(bridge, strip, timeout=0.2).light(frozenset({1}))


# --- referee lights map ------------------------------------------------------------


def _map_command(*arguments: str, typed: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(lights, ["map", *arguments], input=typed, catch_exceptions=False)
    return result.exit_code, result.output


def test_mapping_on_the_terminal(tmp_path: Path) -> None:
    """By id, by the beginning of a name in either language; with skip, undo and what is not clear."""
    output = tmp_path / "map.toml"
    typed = "\n".join(["front_gate", "eyr", "u", "Adlerhorst", "", "v_", "ravenhill", "q"]) + "\n"
    board = load_game("five_armies").board()  # type: ignore[attr-defined]
    typed = typed.replace("Adlerhorst", board.places["eyrie"].name_de)
    code, said = _map_command(
        "--driver", "none", "--leds", "5", "--output", str(output), "--lang", "en", typed=typed
    )
    assert code == 0, said
    assert LedMap.load(output) == LedMap({"front_gate": (0,), "eyrie": (1,), "ravenhill": (3,)}, 5)
    assert "not only one" in said and "Without LED" in said


def test_mapping_by_camera_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The emulated controller lights the LEDs; the rendered camera sees what its strip shows."""
    points, truth = _strip(24, 9)
    table = RenderedTable(SIZE, OUTLINES, points, seed=9)
    table._sources[11] = []

    class Over:
        """A camera over the emulated strip, which tells of a picture a little after acknowledging it."""

        def frame(self, deadline_s: float) -> Frame:
            eventually(lambda: self._lit() == wanted[-1])
            table.lit = self._lit()
            return Frame(table.capture(), 1, time.monotonic())

        def _lit(self) -> frozenset[int]:
            return frozenset(n for n, colour in enumerate(shown(strips[0])[:24]) if any(colour))

        def close(self) -> None:
            pass

    def light(strip: BridgeStrip, leds: frozenset[int]) -> None:
        wanted.append(leds)
        lit_by_bridge(strip, leds)

    wanted: list[frozenset[int]] = []
    lit_by_bridge = BridgeStrip.light
    monkeypatch.setattr(BridgeStrip, "light", light)
    strips: list[Controller] = []

    def start(*arguments: object, **more: object) -> Controller:
        strips.append(start_emulator(*arguments, **more))  # type: ignore[arg-type]
        return strips[0]

    monkeypatch.setattr("firmware_bridge.drivers.config.start_emulator", start)
    monkeypatch.setattr("referee.commands.led_map.open_camera", lambda line: Over())
    # a person who sees where the lit LED lies
    monkeypatch.setattr("click.prompt", lambda text, **_: truth[int(text.split()[1].rstrip(":"))])
    output = tmp_path / "map.json"
    code, said = _map_command(
        *("--by", "camera", "--driver", "emulator", "--leds", "24", "--camera", "v4l2:0"),
        *("--output", str(output), "--lang", "de"),
    )
    assert code == 0, said
    assert "LED 11: nicht gesehen" in said
    assert _owners(LedMap.load(output)) == dict(enumerate(truth))


def test_the_map_command_passes_on_what_the_camera_says(tmp_path: Path) -> None:
    code, said = _map_command("--by", "camera", "--driver", "none", "--camera", "torch:1", "--lang", "en")
    assert code == 1 and "not understood" in said
