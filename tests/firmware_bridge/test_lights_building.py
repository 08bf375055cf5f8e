"""docs/build/: its numbers and diagrams come from the code, and the code's from what they must fit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge import power, wiring
from firmware_bridge.model import current_ma
from firmware_bridge.protocol import StripSettings
from vision.tray import DEFAULT

BUILD = Path(__file__).resolve().parents[2] / "docs" / "build"


def test_the_diagrams_are_drawn_by_the_code() -> None:
    for name, svg in wiring.build_pictures().items():
        assert (BUILD / name).read_text(encoding="utf-8") == svg, "python -m firmware_bridge.pictures"


def test_the_table_of_currents_is_the_codes() -> None:
    assert power.table() in (BUILD / "power.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("leds", [1, 50, 105, 150, 300])
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
    page = (BUILD / "tray_camera.md").read_text(encoding="utf-8")
    for number in ("240 mm by 180 mm", "305 mm and 165 mm", "650 mm", "3.6 mm", "25 mm", "16 mm"):
        assert number in page


def test_every_link_leads_somewhere() -> None:
    pages = [*BUILD.glob("*.md"), BUILD.parent / "lights.md"]
    assert len(pages) >= 8
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_pages_that_messages_name_exist() -> None:
    root = BUILD.parents[1]
    named = set()
    for source in (root / "firmware_bridge").glob("*.py"):
        named |= set(re.findall(r"docs/[\w/]+\.md", source.read_text(encoding="utf-8")))
    assert named and all((root / name).exists() for name in named)
