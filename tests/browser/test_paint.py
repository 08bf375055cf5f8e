"""A tap costs little, on any machine: what the browser styles, lays out and paints for it is counted."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import Seat
from tables import RunningTable
from test_pages import SIZES
from tracing import Work, traced

pytestmark = pytest.mark.usefixtures("moving")

Start = Callable[..., RunningTable]
PRESS = """
const r = document.querySelector(arguments[0]).getBoundingClientRect();
return [r.x + r.width / 2, r.y + r.height / 2];
"""
LAND = """
const lands = [...document.querySelectorAll('.boardland')];
const land = lands.find((one) => !one.hidden);
const pen = Object.assign(document.createElement('canvas'), { width: land.width, height: land.height })
  .getContext('2d', { willReadFrequently: true });
pen.drawImage(land, 0, 0);
const colours = pen.getImageData(0, 0, land.width, land.height).data;
let sum = 0;
for (let at = 0; at < colours.length; at += 1) sum = (sum * 31 + colours[at]) % 2147483647;
const painted = lands.reduce((all, one) => all + Number(one.dataset.painted || 0), 0);
return [painted, sum, new Set(colours).size];
"""
"""How often the land was painted, a number for the picture of it, and of how many values that is made."""
RUNNING = "return document.getAnimations().some((one) => one.animationName === arguments[0])"
BESIDE = """
const done = arguments[0];
const posted = [];
let worker;
window.Worker = class {
  constructor() { worker = this; }
  postMessage(job) { posted.push(job); }
};
const script = document.querySelector('script[type=module]').src;
import(script.replace(/[^/]+$/, 'boardside.js')).then(async ({ BoardSide }) => {
  const answer = (found) => worker.onmessage({ data: { number: posted.at(-1).number, found } });
  const land = (view, theme = 'light') => side.ask({ view, size: [1, 1], theme });
  const rest = { taken: [], water: [], view: [0, 0, 9, 9], scale: 1 };
  const names = (wanted) => side.ask({ names: { wanted, ...rest } });
  const side = new BoardSide({ width: 9, height: 9, places: {}, lines: [], territories: {} });
  const asked = [land('first'), names([1]), land('second'), names([]), land('third')];
  answer(true);      // the worker runs
  answer('picture');
  answer([]);
  asked.push(land('fourth'), names([]));
  worker.onmessage({ data: { number: 1, found: 'late' } });
  answer('again');
  asked.push(land('spoilt', 'no such theme'));
  worker.onerror();  // it dies over the names: they are placed on the page, where what fails stops nothing
  await Promise.all(asked);
  asked.push(names([]));
  const said = ({ board, view, names }) => (board ? 'board' : view || `names ${names.wanted.length}`);
  const jobs = posted.map(said);
  done([jobs, await Promise.all(asked)]);
});
"""
SHINE = """
const bar = document.getElementById('bar');
bar.classList.remove('flash');
bar.getBoundingClientRect();
bar.classList.add('flash');
return document.getAnimations().some((one) => one.animationName === 'flash');
"""
SWELL = """
for (const sheet of document.querySelectorAll('.light')) sheet.toggleAttribute('hidden', true);
const sheet = document.querySelector(`.light.${arguments[0]}`);
sheet.toggleAttribute('hidden', false);
const lit = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
for (const side of ['width', 'height']) lit.setAttribute(side, 300);
sheet.append(lit);
"""
"""One light alone swells in this rhythm."""
PARTS = {
    "question": "#ask .body",
    "seats": ".seatcard .counters",
    "tracks": "#tracks",
    "latest": "#log",
    "bar": "#bar",
}


@pytest.fixture
def seat(five_armies: Start, devices: list[Seat]) -> Seat:
    """A seat that is asked for a die, at rest."""
    table, seat = five_armies(until="choose_die", seed=2), devices[0]
    seat.sit(table, "free", "en", SIZES["wide"])
    seat.until(lambda: seat.find("svg.board [data-stack]"))
    if seat.find('[data-key="learn-off"]'):
        seat.tap("learn-off")
    seat.settle()
    return seat


def pressed(seat: Seat, css: str) -> Work:
    """What one real tap costs, all that follows from it included."""
    x, y = seat.driver.execute_script(PRESS, css)
    with traced(seat) as work:
        for kind in ("mousePressed", "mouseReleased"):
            seat.cdp(
                "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            )
        seat.settle()
    return work


@pytest.mark.parametrize("size", ["wide", "tall"])
def test_a_change_beside_the_board_does_not_touch_it(seat: Seat, size: str) -> None:
    seat.size(*SIZES[size])
    seat.settle()
    for name, css in PARTS.items():
        with traced(seat) as work:
            seat.driver.execute_script("document.querySelector(arguments[0]).append(' and more')", css)
            seat.settle()
        assert work.laid_out > 0, f"{name}: the trace saw it"
        assert work.drawing == 0, f"{name}: shapes of the board were laid out"


def test_beside_the_page_only_the_newest_wish_of_its_kind_is_done(seat: Seat) -> None:
    seat.expected = ["TypeError"]
    jobs, found = seat.driver.execute_async_script(BESIDE)
    assert jobs == ["board", "third", "names 0", "fourth", "names 0"]
    assert found == [None, None, None, [], "picture", "again", [], None, []]


def within(work: Work, styled: int, laid_out: int, drawing: int) -> bool:
    """Whether a tap cost no more than this; all three are said where it did."""
    counts = (work.styled, work.laid_out, work.drawing)
    assert all(is_ <= most for is_, most in zip(counts, (styled, laid_out, drawing), strict=True)), counts
    return work.styled > 0


def test_what_a_tap_costs(seat: Seat) -> None:
    nodes = int(seat.driver.execute_script("return document.querySelectorAll('*').length"))
    assert nodes < 1400
    choice = pressed(seat, "#ask .option:not(.refused)")
    seat.until(lambda: seat.find('[data-key="back"]'))
    nearer = pressed(seat, '[data-key="zoom-in"]')
    menu = pressed(seat, '[data-key="menu"]')
    assert seat.find("#dialog[open]")
    away = pressed(seat, '[data-key="close"]')
    assert seat.find("#dialog[open]") is None
    assert within(choice, 1300, 1500, 350)
    assert within(nearer, 1800, 900, 900)
    assert within(menu, 220, 320, 0) and within(away, 120, 150, 0)


def test_lights_that_move_keep_nobody_waiting(five_armies: Start, devices: list[Seat]) -> None:
    """Places whose dice are awaited are lit by a chase; the page's own thread has nothing to do for it.

    A light that cost anything would cost it in each second; what is painted late of the page itself does not.
    """
    table, seat = five_armies(until="combat_roll", seed=2), devices[0]
    seat.sit(table, "free", "en", SIZES["wide"])
    seat.until(lambda: seat.find(".light.chase .lit"), "the light of the roll")
    seat.settle()
    running = "return document.getAnimations().filter((one) => one.playState === 'running').length"
    assert seat.driver.execute_script(running) >= 4
    seconds = []
    while len(seconds) < 6 and (0, 0, 0) not in seconds:
        with traced(seat, but_first=0.5) as work:
            time.sleep(1.5)
        seconds.append((work.styled, work.laid_out, work.tiles))
    assert (0, 0, 0) in seconds, seconds


@pytest.mark.parametrize("rhythm", ["pulse", "breathe"])
def test_a_rhythm_is_not_drawn_with_every_frame(seat: Seat, rhythm: str) -> None:
    """Sixty pictures a second of the whole board cost a fifth of a processor while a light swells."""
    seat.driver.execute_script(SWELL, rhythm)
    seconds = []
    while len(seconds) < 6 and not any(0 < drawn <= 20 for drawn in seconds):
        with traced(seat, but_first=0.5) as work:
            time.sleep(1.5)
        seconds.append(work.frames)
    assert any(0 < drawn <= 20 for drawn in seconds), seconds


def test_a_bar_that_shines_up_keeps_nobody_waiting(five_armies: Start, devices: list[Seat]) -> None:
    """The bar shone for a second in which each frame was drawn by the page's own thread: taps came late."""
    table, seat = five_armies(until="choose_die", seed=2), devices[0]
    seat.sit(table, "free", "en", SIZES["wide"])
    seat.settle()
    with traced(seat) as work:
        assert seat.driver.execute_script(SHINE), "the bar shines"
        seat.until(lambda: not seat.driver.execute_script(RUNNING, "flash"), "it has shone")
    told = [event["args"].get("data", {}) for event in work.events if event["name"] == "Animation"]
    assert any(one.get("state") == "running" for one in told), "the trace saw it"
    assert [one for one in told if one.get("compositeFailed")] == []


def test_what_a_tap_costs_on_a_large_board(tmp_path: Path, devices: list[Seat]) -> None:
    """A hundred places, most of them with figures: what a tap does not change costs nothing."""
    table, seat = RunningTable(tmp_path, "wide"), devices[0]
    try:
        seat.sit(table, "white", "en", SIZES["wide"])
        seat.settle()
        nodes = int(seat.driver.execute_script("return document.querySelectorAll('*').length"))
        assert 600 < nodes < 1400
        for key, styled, laid_out in (("menu", 220, 320), ("phase", 160, 220), ("find-place", 240, 300)):
            opened = pressed(seat, f'[data-key="{key}"]')
            assert seat.find("#dialog[open]"), key
            assert within(opened, styled, laid_out, 0), key
            assert within(pressed(seat, '[data-key="close"]'), 120, 150, 0), key
        before = seat.driver.execute_script(LAND)
        assert before[2] > 100, "the land is painted"
        assert within(pressed(seat, '[data-key="zoom-in"]'), 1200, 1150, 1100)
        nearer = seat.driver.execute_script(LAND)
        assert nearer[:2] != before[:2], "the part in sight is painted sharp"
        assert within(pressed(seat, '[data-key="zoom-fit"]'), 1200, 1150, 1100)
        assert seat.driver.execute_script(LAND)[1] == before[1], "the whole board was kept"
        painted = seat.driver.execute_script(LAND)[0]
        assert within(pressed(seat, '.hit.can[data-place="r0702"]'), 600, 700, 300)
        assert within(pressed(seat, '#ask [data-key="confirm"]'), 600, 600, 300)
        hall = table.hall.table
        assert hall is not None and hall.request is not None
        with traced(seat) as state:
            with table.web.hub.lock:
                hall.answer("black", hall.request.options[0], revision=hall.revision)
            seat.until(lambda: seat.find(f'#prompt[data-revision="{hall.revision}"]'))
            seat.settle()
        assert within(state, 700, 700, 300)
        assert seat.driver.execute_script(LAND)[0] == painted, "no tap and no new state paints the land"
    finally:
        seat.leave()
        table.close()
