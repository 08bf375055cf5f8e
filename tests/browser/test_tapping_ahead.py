"""A tap that comes before the answer to the one before it is never lost without a word.

As long as nothing is recorded the last tap on what is on screen counts; while an answer is recorded the page
says that a further tap did not count.  The network is slow here: requests wait until they are let go.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from driving import Seat
from fake_devices import Bench
from tables import RunningTable, answer
from test_pages import SIZES

from calibration.workbench import Workbench
from referee.games.mountain_king.box.components import SEATS
from referee.kernel.requests import ChooseSecretly

Start = Callable[..., RunningTable]

SLOW = """
const own = window.fetch;
window.held = new Promise((resolve) => { window.letGo = resolve; });
window.asked = 0;
window.fetch = async (...all) => {
  if (/preview|answer|army/.test(String(all[0]))) { window.asked += 1; await window.held; }
  return own(...all);
};
"""
REVISION = "return document.getElementById('prompt').dataset.revision"
OPTIONS = """
const shown = (e) => e.getClientRects().length && !e.disabled;
return [...document.querySelectorAll('#ask .uses .use > .option:not(.refused)')].filter(shown)
  .map((e) => e.dataset.option).filter((e) => !/skip|pass/.test(e));
"""


@pytest.fixture
def seat(five_armies: Start, devices: list[Seat]) -> Seat:
    """A seat that is asked for a die, at rest, behind a slow network."""
    table, seat = five_armies(until="choose_die", seed=2), devices[0]
    seat.sit(table, "free", "en", SIZES["wide"])
    if seat.find('[data-key="learn-off"]'):
        seat.tap("learn-off")
    seat.settle()
    seat.driver.execute_script(SLOW)
    return seat


def test_of_two_taps_on_one_question_the_last_one_counts(seat: Seat) -> None:
    first, second = seat.driver.execute_script(OPTIONS)[:2]
    words = seat.text(f'[data-option="{second}"] span').split("\n")[0]
    for one in (first, second, second):
        seat.tap_on(f'[data-option="{one}"]')
    assert seat.driver.execute_script("return window.asked") == 2, "twice the same is once"
    seat.driver.execute_script("window.letGo()")
    seat.until(lambda: seat.find('[data-key="back"]'), "the next step")
    seat.settle()
    assert words in seat.text(".trail")
    assert seat.text("#say") == ""


def test_a_tap_while_an_answer_is_recorded_is_said_not_to_count(seat: Seat) -> None:
    before = seat.driver.execute_script(REVISION)
    one, other = (
        seat.driver.execute_script(f"return document.querySelectorAll('.hit')[{n}].dataset.place")
        for n in (0, 1)
    )
    seat.tap_on('[data-option$="/skip"], [data-option="skip"]')
    seat.tap_place(one)
    assert "did not count" in seat.text("#say")
    seat.driver.execute_script("document.getElementById('say').textContent = ''")
    seat.tap_place(one)
    assert seat.text("#say") == "", "a finger that trembles is not told twice"
    seat.tap_place(other)
    assert "did not count" in seat.text("#say")
    seat.driver.execute_script("window.letGo()")
    seat.until(lambda: seat.driver.execute_script(REVISION) != before, "the answer")
    assert seat.driver.execute_script("return window.asked") == 1


@pytest.mark.parametrize("further", [1, 2])
def test_an_answer_about_amounts_that_came_after_their_question_broke_the_script(
    tmp_path: Path, devices: list[Seat], further: int
) -> None:
    """The same seat answered in another tab meanwhile: then it is asked something else, or nothing."""
    table, seat = RunningTable(tmp_path, "toy", until="spend"), devices[0]
    try:
        running = table.hall.table
        assert running is not None and running.request is not None
        seat.expected = ["409"]
        seat.sit(table, running.request.seat, "en", SIZES["wide"])
        seat.settle()
        seat.driver.execute_script(SLOW)
        seat.tap("more-men")
        assert seat.driver.execute_script("return window.asked") == 1
        for _ in range(further):
            answer(running, running.request.sample(random.Random(1)))
        now = str(running.revision)
        seat.until(lambda: seat.driver.execute_script(REVISION) == now, "what is asked now")
        asked = seat.prompt
        seat.driver.execute_script("window.letGo()")
        seat.settle()
        assert (seat.prompt, seat.problems()) == (asked, [])
    finally:
        table.close()


SEEN = """
const own = window.fetch;
const seen = { values: ['card'], texts: ['card'], unclear: false, sentence: 'A card was seen.' };
window.held = new Promise((resolve) => { window.letGo = resolve; });
[window.looked, window.tried] = [0, 0];
window.fetch = async (...all) => {
  const path = String(all[0]);
  window.tried += path.includes('preview');
  if (!path.includes('cards/look')) return own(...all);
  window.looked += 1;
  await window.held;
  return new Response(JSON.stringify(seen), { headers: { 'Content-Type': 'application/json' } });
};
"""


def last_secret(table: Any, chance: random.Random) -> Any:
    """Play on to a secret choice of cards that no other follows at once; what all answer to it."""
    while True:
        value = table.request.sample(chance)
        ahead = table.play.fork()
        ahead.answer(value)
        if isinstance(table.request, ChooseSecretly) and not isinstance(ahead.request, ChooseSecretly):
            return value
        answer(table, value)


def test_a_card_seen_after_its_question_is_no_answer_to_the_next_one(
    tmp_path: Path, devices: list[Seat]
) -> None:
    table, seat = RunningTable(tmp_path, "mountain_king", seats=SEATS[:3]), devices[0]
    bench = Bench(tmp_path)
    table.hall.workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
    photo = tmp_path / "card.png"
    cv2.imwrite(str(photo), np.full((300, 200, 3), 90, np.uint8))
    try:
        running, chance = table.hall.table, random.Random(2)
        assert running is not None
        last = last_secret(running, chance)
        seat.sit(table, SEATS[1], "en", SIZES["wide"])
        seat.until(lambda: seat.find("[data-cards]"), "cards may be looked at")
        seat.settle()
        seat.driver.execute_script(SEEN)
        seat.driver.find_element("css selector", "[data-cards] input[type=file]").send_keys(str(photo))
        seat.until(lambda: seat.driver.execute_script("return window.looked"), "the look")
        answer(running, last)
        now = str(running.revision)
        seat.until(lambda: seat.driver.execute_script(REVISION) == now, "what is asked now")
        asked = seat.prompt
        seat.driver.execute_script("window.letGo()")
        seat.settle()
        assert (seat.prompt, seat.driver.execute_script("return window.tried")) == (asked, 0)
        assert "A card was seen." not in seat.text()
    finally:
        table.close()
