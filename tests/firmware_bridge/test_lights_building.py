"""docs/build/: its numbers and diagrams come from the code, and the code's from what they must fit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from calibration.camera import RIM_MM
from calibration.markers import modules
from firmware_bridge import power, wiring
from firmware_bridge.model import current_ma, from_wire, to_wire
from firmware_bridge.protocol import ColourOrder, StripSettings
from vision.sources.framing import QUIET_MM
from vision.tray import DEFAULT

BUILD = Path(__file__).resolve().parents[2] / "docs" / "build"


def test_the_diagrams_are_drawn_by_the_code() -> None:
    for name, svg in wiring.build_pictures().items():
        assert (BUILD / name).read_text(encoding="utf-8") == svg, "python -m firmware_bridge.pictures"


def test_the_table_of_currents_is_the_codes() -> None:
    assert power.table() in (BUILD / "power.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("leds", [1, 50, 90, 160, 300])
def test_supply_fuse_and_wires_fit_together(leds: int) -> None:
    plan = power.plan(leds)
    budget = plan.budget_ma / 1000
    assert plan.all_white_a == pytest.approx(current_ma([(255,) * 3] * leds, StripSettings(leds)) / 1000)
    assert plan.dark_a < plan.hungriest_a <= budget < plan.fuse_a
    assert budget <= 0.8 * plan.supply_a
    assert plan.fuse_a <= 2 * budget or leds == 1, "the fuse blows before the wires get hot"
    assert plan.fuse_a / plan.wire_mm2 <= 8, "amperes a square millimetre of free wire"
    assert plan.feed_drop_v <= 0.25 and plan.strip_drop_v < 0.25


def test_the_tray_is_the_one_that_the_reader_assumes() -> None:
    assert DEFAULT.inner_mm == wiring.TRAY_INNER_MM
    assert DEFAULT.die_mm == wiring.TRAY_DIE_MM
    assert DEFAULT.marker_mm == wiring.MARKER_MM
    assert DEFAULT.marker_centres_mm == wiring.MARKER_CENTRES_MM
    assert DEFAULT.camera_height_mm == wiring.CAMERA_HEIGHT_MM
    for number, rows in enumerate(wiring.MARKER_ROWS):
        drawn = [[cell == "#" for cell in row] for row in rows]
        assert drawn == modules(DEFAULT.dictionary, number).tolist(), "the drawing may be printed"
    assert RIM_MM == wiring.RIM_MM and QUIET_MM == wiring.MARKER_BORDER_MM
    across = wiring.MARKER_CENTRES_MM[1][0] + wiring.MARKER_MM / 2 + wiring.MARKER_BORDER_MM
    assert 2 * across < wiring.PLATE_MM[0]
    page = (BUILD / "tray_camera.md").read_text(encoding="utf-8")
    for number in ("240 mm by 180 mm", "305 mm and 165 mm", "650 mm", "3.6 mm", "25 mm", "16 mm"):
        assert number in page


def test_every_link_leads_somewhere() -> None:
    pages = [*BUILD.glob("*.md"), BUILD.parent / "lights.md"]
    assert len(pages) >= 8
    for page in pages:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)[)#]", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_pages_that_messages_name_exist() -> None:
    root = BUILD.parents[1]
    named = set()
    for source in (root / "firmware_bridge").glob("*.py"):
        named |= set(re.findall(r"docs/[\w/]+\.md", source.read_text(encoding="utf-8")))
    assert named and all((root / name).exists() for name in named)


def hidden_to_mm(high: float, thick: float, height: float, aside: float) -> float:
    """How far from the middle the rim hides the markers' plane, seen from a lens that far aside."""
    edge = DEFAULT.inner_mm[0] / 2 + thick
    return (edge + aside) * (height - DEFAULT.marker_plane_mm) / (height - high) - aside


def test_the_rim_hides_no_marker_from_a_camera_that_may_stand_there() -> None:
    border = wiring.MARKER_CENTRES_MM[1][0] - wiring.MARKER_MM / 2 - wiring.MARKER_BORDER_MM
    for height in (540, 650, 760):
        assert hidden_to_mm(*wiring.RIM_MM, height, 20) <= border + 1, "a quarter of the white border at most"
    page = (BUILD / "tray_camera.md").read_text(encoding="utf-8")
    named = re.findall(r"(?:rim of|one of) (\d+) mm\s+(?:may be )?(\d+) mm", page)
    assert len(named) == 3
    for high, thick in named:
        assert hidden_to_mm(float(high), float(thick), 650, 20) <= border
        assert hidden_to_mm(float(high), float(thick) + 2, 650, 20) > border, "no thinner than need be"


def test_every_pin_of_the_chip_is_drawn_and_no_input_floats() -> None:
    pins = wiring.CHIP_PINS
    assert sorted(pins) == list(range(1, 15))
    for number, (name, net) in pins.items():
        kind = name.lstrip("1234")
        if kind == "Y":
            assert net in ("", None), "outputs are joined to nothing but the strip"
        else:
            assert net in ("GND", "+5 V") or number == 2, f"pin {number} {name} floats"
    used, unused = pins[1], [pins[n] for n in (4, 10, 13)]
    assert used[1] == "GND", "an output that is on"
    assert {net for _, net in unused} == {"+5 V"}, "outputs that are off"


def test_the_page_says_which_order_makes_the_flashes_right() -> None:
    """What a strip of each order shows of red, green and blue that are sent as green, red, blue."""
    page = (BUILD / "wiring.md").read_text(encoding="utf-8")
    rows = re.findall(r'^\| (\w+), (\w+), (\w+) \| "([RGB]{3})"', page, re.M)
    assert {row[3] for row in rows} == set(ColourOrder.__members__)
    colours = {"R": (255, 0, 0), "G": (0, 255, 0), "B": (0, 0, 255)}
    for *seen, order in rows:
        shown = [from_wire(to_wire([colours[c]], ColourOrder.GRB), ColourOrder[order])[0] for c in "RGB"]
        assert shown == [colours[word[0].upper()] for word in seen], order


def test_the_picos_pins_are_those_of_its_firmware() -> None:
    board = (BUILD.parents[1] / "firmware_bridge/firmware/board_rp2040.cpp").read_text(encoding="utf-8")
    data, first = (int(re.findall(rf"{name} = (\d+)", board)[0]) for name in ("kDataPin", "kFirstButton"))
    page = (BUILD / "wiring.md").read_text(encoding="utf-8")
    drawn = (BUILD / "wiring_pico.svg").read_text(encoding="utf-8")
    # pins of the left side: four GPIOs between two grounds, from the top
    left = [pin for pin in range(1, 21) if pin % 5 != 3]
    assert f"Pico pin {left[data]} (GP{data})" in page and f"pin {left[data]}, GP{data}" in drawn
    confirm, arbiter = left[first], left[first + 1]
    assert f"Pico pins {confirm} and {arbiter} (GP{first}, GP{first + 1})" in page
    assert f"pin {confirm}, GP{first}" in drawn and f"pin {arbiter}, GP{first + 1}" in drawn
