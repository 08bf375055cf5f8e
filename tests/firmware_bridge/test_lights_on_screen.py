"""The lights drawn on a tablet move as those under the board: same periods, same highest and lowest level."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

import web
from firmware_bridge.model import BLINK_MS, BREATHE_MS, CHASE_STEP_MS, PULSE_MS, level
from referee.kernel.lights import Pattern

CSS = (Path(web.__file__).parent / "static" / "css" / "board.css").read_text(encoding="utf-8")
CHASE_STEPS = 4
PERIODS = {
    Pattern.PULSE: PULSE_MS,
    Pattern.BLINK: BLINK_MS,
    Pattern.BREATHE: BREATHE_MS,
    Pattern.CHASE: CHASE_STEPS * CHASE_STEP_MS,
}
TIMING = {
    Pattern.PULSE: "steps(18)",
    Pattern.BLINK: "step-end",
    Pattern.BREATHE: "steps(6)",
    Pattern.CHASE: "step-end",
}


def _keyframes(name: str) -> dict[float, float]:
    """Per cent of the period to opacity."""
    found = re.search(rf"@keyframes {name} {{(.*)}}\n", CSS)
    assert found, name
    frames = {}
    for stops, opacity in re.findall(r"([\w.%, ]+?) *{ opacity: ([\d.]+); }", found[1]):
        for stop in stops.replace("from", "0%").replace("to", "100%").split(","):
            frames[float(stop.strip().removesuffix("%"))] = float(opacity)
    return frames


@pytest.mark.parametrize("pattern", PERIODS)
def test_each_pattern_has_the_period_of_the_controller(pattern: Pattern) -> None:
    name = pattern.name.lower()
    found = re.search(rf"\.light\.{name} {{.*animation: (\w+) (\d+)ms (\S+) infinite; }}", CSS)
    assert found, name
    assert found[1] == name
    assert int(found[2]) == PERIODS[pattern]
    assert found[3] == TIMING[pattern]


@pytest.mark.parametrize("pattern", [Pattern.PULSE, Pattern.BLINK, Pattern.BREATHE])
def test_each_pattern_has_the_levels_of_the_controller(pattern: Pattern) -> None:
    frames = _keyframes(pattern.name.lower())
    period = PERIODS[pattern]
    assert len(frames) >= 2
    for stop, opacity in frames.items():
        at = period - 1 if stop == 100 else int(period * stop / 100)
        assert opacity == pytest.approx(level(pattern, at) / 255, abs=0.01), f"{pattern.name} at {stop} %"
    levels = [level(pattern, clock) for clock in range(period)]
    assert max(frames.values()) == pytest.approx(max(levels) / 255, abs=0.01)
    assert min(frames.values()) == pytest.approx(min(levels) / 255, abs=0.01)


@pytest.mark.parametrize("pattern", [Pattern.PULSE, Pattern.BREATHE])
def test_a_swelling_light_moves_in_steps_that_the_eye_takes_for_one_movement(pattern: Pattern) -> None:
    """No more than about twelve a second: each is a frame that the whole board is put together for."""
    stops = sorted(_keyframes(pattern.name.lower()))
    steps = re.fullmatch(r"steps\((\d+)\)", TIMING[pattern])
    assert steps
    for begin, end in itertools.pairwise(stops):
        each = (end - begin) / 100 * PERIODS[pattern] / int(steps[1])
        assert 80 <= each <= 90


def test_a_chase_is_where_it_was_after_four_steps() -> None:
    assert [level(Pattern.CHASE, step * CHASE_STEP_MS) for step in range(5)] == [255, 96, 0, 0, 255]
    dashes = re.search(
        r"stroke-dasharray: calc\((\d+) \* var\(--u\)\) calc\((\d+) \* var", CSS[CSS.index(".rim-chase") :]
    )
    assert dashes
    period = int(dashes[1]) + int(dashes[2])
    shown = {stop: opacity for stop, opacity in _keyframes("chase").items() if opacity}
    assert shown == {0: 1.0}, "a sheet is seen for the first step of its period"
    for step in range(1, CHASE_STEPS):
        found = re.search(
            rf"\.light\.step-{step} {{ animation-delay: -(\d+)ms; stroke-dashoffset: calc\(-([\d.]+) ", CSS
        )
        assert found, step
        assert int(found[1]) == (CHASE_STEPS - step) * CHASE_STEP_MS, "the sheets take turns, in their order"
        assert float(found[2]) == step * period / CHASE_STEPS, "each step as far: no jump"
