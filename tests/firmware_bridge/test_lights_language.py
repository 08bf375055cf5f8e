"""Everybody can read the lights: by colour under each deficiency, and without colour."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import pytest

from firmware_bridge.colour_vision import VISION, ciede2000, distance, luminance, simulate, to_lab
from firmware_bridge.model import ControllerModel, level
from firmware_bridge.pictures import lights_pictures
from firmware_bridge.protocol import StripSettings, op_fill, op_slot, pixel_value
from referee.kernel.lights import HOLDING, PALETTE, Light, Meaning, Pattern

DOCS = Path(__file__).resolve().parents[2] / "docs"
TWO_SIDES = {Meaning.CONTROL_A, Meaning.CONTROL_B}
MANY_SEATS = {Meaning.HELD_ACTING, Meaning.HELD_OTHER}


def _together(first: Meaning, second: Meaning) -> bool:
    """Whether two meanings can be lit on the board at once.

    An audit lights one region and leaves only who holds what, which games of two sides and of
    more say differently; whose turn it is shows at the seats, not on the board.  An objective is
    held in games of two sides, and foes that are nobody's threaten seats of a game of many.
    """
    pair = {first, second}
    if Meaning.THREAT in pair and pair & {Meaning.OBJECTIVE_WON, *TWO_SIDES}:
        return False
    if pair & TWO_SIDES and pair & MANY_SEATS:
        return False
    if Meaning.AUDIT in pair:
        return bool(pair & HOLDING)
    return Meaning.TURN not in pair or pair == {Meaning.TURN, Meaning.WAITING_PERSON}


PAIRS = [pair for pair in combinations(Meaning, 2) if _together(*pair)]


def _rgb(light: Light) -> tuple[int, int, int]:
    return light.red, light.green, light.blue


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [  # from the test data of Sharma, Wu and Dalal (2005)
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (58.0, 24.0, 15.0), 19.4535),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ],
)
def test_the_distance_is_ciede2000(
    first: tuple[float, float, float], second: tuple[float, float, float], expected: float
) -> None:
    assert ciede2000(first, second) == pytest.approx(expected, abs=5e-5)


def test_the_simulation_does_what_it_should() -> None:
    assert simulate((200, 30, 90), "normal") == (200, 30, 90)
    for vision in VISION:
        assert max(simulate((255, 255, 255), vision)) == 255, "white stays white"
    assert distance((255, 0, 0), (0, 128, 0), "normal") > 50
    assert distance((180, 60, 0), (100, 110, 0), "deuteranopia") < 15, "red and green fall together"
    assert to_lab((255, 255, 255))[0] == pytest.approx(100, abs=0.1)


@pytest.mark.parametrize("vision", VISION)
def test_all_meanings_are_told_apart_by_colour(vision: str) -> None:
    for first, second in PAIRS:
        apart = distance(_rgb(PALETTE[first]), _rgb(PALETTE[second]), vision)
        assert apart >= 15, f"{first.value} and {second.value}: {apart:.1f}"


def _course(light: Light) -> list[float]:
    """Luminance over four seconds, ten times a second, as if every light had the same hue."""
    bright = luminance(_rgb(light))
    return [bright * (level(light.pattern, t * 100) / 255) ** 2.2 for t in range(40)]


def test_all_meanings_are_told_apart_by_pattern_alone() -> None:
    """In one colour: another pattern, or the same with three times the brightness."""
    for first, second in PAIRS:
        a, b = PALETTE[first], PALETTE[second]
        if a.pattern != b.pattern:
            continue
        low, high = sorted((max(_course(a)), max(_course(b))))
        assert high >= 3 * low, f"{first.value} and {second.value}"


def test_patterns_differ_in_time_beyond_doubt() -> None:
    """Any two patterns in the same light differ by half of full brightness for half a second of four."""
    courses = {pattern: _course(Light(255, 255, 255, pattern)) for pattern in Pattern if pattern}
    for first, second in combinations(courses, 2):
        apart = [abs(a - b) for a, b in zip(courses[first], courses[second], strict=True)]
        assert sum(d > 0.5 for d in apart) >= 5, (first, second)


def test_what_a_question_uses_has_five_different_patterns() -> None:
    asked = (Meaning.ORIGIN, Meaning.TARGET, Meaning.SELECTED, Meaning.REFUSED, Meaning.FIGHT)
    assert len({PALETTE[meaning].pattern for meaning in asked}) == len(asked)


def test_nothing_flashes_faster_than_three_times_a_second() -> None:
    """WCAG 2.3.1, for people with photosensitive epilepsy."""
    for pattern in Pattern:
        levels = [level(pattern, t) for t in range(0, 12_000, 5)]
        rises = sum(a < 128 <= b for a, b in pairwise(levels))
        assert rises / 12 <= 3, pattern


@pytest.mark.parametrize("meaning", Meaning)
def test_every_meaning_is_visible_at_the_usual_brightness(meaning: Meaning) -> None:
    light = PALETTE[meaning]
    model = ControllerModel(StripSettings(1, brightness=128, budget_ma=1000))
    model.apply(op_slot(1, *_rgb(light), Pattern.STEADY) + op_fill(0, 1, pixel_value(1)))
    assert sum(model.render(0)[0]) >= 15


def test_the_page_explains_every_meaning_and_pattern() -> None:
    page = (DOCS / "lights.md").read_text(encoding="utf-8")
    for meaning in Meaning:
        assert f"`{meaning.value}`" in page
    for pattern in Pattern:
        assert f"`{pattern.name.lower()}`" in page


def test_the_pictures_in_the_docs_are_drawn_by_the_code() -> None:
    for name, text in lights_pictures().items():
        assert (DOCS / "lights" / name).read_text(encoding="utf-8") == text, (
            "python -m firmware_bridge.pictures"
        )
