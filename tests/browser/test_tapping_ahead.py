"""A tap that comes before the answer to the one before it is never lost without a word.

As long as nothing is recorded the last tap on what is on screen counts; while an answer is recorded the page
says that a further tap did not count.  The network is slow here: requests wait until they are let go.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from driving import Seat
from tables import RunningTable
from test_pages import SIZES

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
    before = seat.driver.execute_script("return document.getElementById('prompt').dataset.revision")
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
    revision = "return document.getElementById('prompt').dataset.revision"
    seat.until(lambda: seat.driver.execute_script(revision) != before, "the answer")
    assert seat.driver.execute_script("return window.asked") == 1
