"""A board of 105 places: zoom, pan, search, sketches; tracks with several markers; weight of a first load."""

from __future__ import annotations

import base64
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import ENGINES, Seat
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys
from tables import RunningTable
from test_pages import SIZES, overflow, serious, small_targets

from referee.drawing.board_svg import draw
from referee.kernel.play import Play
from referee.kernel.registry import load_game

SCALE = "return document.querySelector('svg.board').getScreenCTM().a"
NAMES = "return [...document.querySelectorAll('[data-name]')].map((e) => e.dataset.name)"
SEEN = """
const field = document.querySelector('.boardbox').getBoundingClientRect();
return [...document.querySelectorAll('.hit')].filter((e) => {
  const { left, right, top, bottom } = e.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x > field.left && x < field.right && y > field.top && y < field.bottom;
}).map((e) => e.dataset.place);
"""
PLACED = "return document.querySelector('.names')?.dataset.placed"
STACKS = "return document.querySelectorAll('[data-stack] .army use, [data-stack] .army .letters').length"
LETTERS = """
return Math.min(...[...document.querySelectorAll('[data-stack] text, [data-name] text')].map(
  (e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a));
"""
IN_SIGHT = """
const e = document.querySelector(`.hit[data-place="${arguments[0]}"]`).getBoundingClientRect();
const f = document.querySelector('svg.board').getBoundingClientRect();
return e.left >= f.left - 1 && e.right <= f.right + 1 && e.top >= f.top - 1 && e.bottom <= f.bottom + 1;
"""
LOADED = """
const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
return all.filter((e) => !/\\.(png|jpg|svg)/.test(e.name)).map((e) => [e.name, e.encodedBodySize]);
"""
SHIFT = """
const done = arguments[0];
const own = (e) => (e.hadRecentInput ? 0 : e.value);
new PerformanceObserver((list) => done(list.getEntries().reduce((sum, e) => sum + own(e), 0)))
  .observe({ type: 'layout-shift', buffered: true });
setTimeout(() => done(0), 400);
"""
LIMIT = 400_000


@pytest.fixture
def wide(tmp_path: Path) -> Iterator[RunningTable]:
    """The game with the wide board."""
    running = RunningTable(tmp_path, "wide")
    yield running
    running.close()


def scale(seat: Seat) -> float:
    """CSS pixels of a board unit."""
    return float(seat.driver.execute_script(SCALE))


def settled_scale(seat: Seat) -> float:
    """The scale once the page that has just come has taken its final form."""
    last, now = 0.0, scale(seat)
    while now != last:
        time.sleep(0.5)
        last, now = now, scale(seat)
    return now


def until_drawn(seat: Seat) -> None:
    """Until what a tap has stretched is drawn anew."""
    stretched = "return document.querySelector('.boardsheet').style.transform"
    seat.until(lambda: not seat.driver.execute_script(stretched), "the picture drawn anew")
    seat.settle(own=True)  # names and figures take their new size after the land


def until_scaled(seat: Seat, least: float, most: float) -> None:
    """A tap is answered by stretching the picture; it is drawn anew in the next moment."""
    seat.until(lambda: least * 0.999 < scale(seat) < most * 1.001, f"a scale of {least} to {most}")


@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_zoom_search_and_the_whole_board_again(wide: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    seat.sit(wide, "white", "de", SIZES["wide"])
    for name, size in SIZES.items():
        seat.size(*size)
        seat.until(lambda: seat.find('[data-key="zoom-fit"]:disabled'), "the whole board")
        seat.settle(own=True)  # a turned screen is laid out anew, and the board takes its new room after that
        assert overflow(seat) <= 0 and small_targets(seat) == []
        seat.shot(f"wide-{seat.engine}-{name}")
        # the board takes the room of a turned screen when its observer is told of it
        seat.until(lambda: float(seat.driver.execute_script(LETTERS)) > 15.9, "letters of a legible size")
        whole, sketched = scale(seat), int(seat.driver.execute_script(STACKS))
        for _ in range(3):
            seat.tap("zoom-in")
        until_scaled(seat, 3.5 * whole, 20 * whole)
        until_drawn(seat)
        assert float(seat.driver.execute_script(LETTERS)) > 15.9
        assert int(seat.driver.execute_script(STACKS)) > sketched
        seat.until(lambda: seat.driver.execute_script(PLACED), "the names")
        named, seen = seat.driver.execute_script(NAMES), seat.driver.execute_script(SEEN)
        assert len(named) > 0.7 * len(seen) > 1, sorted(set(seen) - set(named))
        seat.shot(f"wide-{seat.engine}-{name}-near")
        seat.tap("zoom-fit")
        until_scaled(seat, whole, whole)
    seat.tap("find-place")
    seat.write("place-query", "rhovdun")  # no accents, no capitals
    seat.until(lambda: len(seat.driver.find_elements("css selector", "[data-find]")) == 1, "one place")
    seat.shot(f"wide-{seat.engine}-find")
    seat.tap("find-r1403")
    seat.until(lambda: seat.driver.execute_script(IN_SIGHT, "r1403"), "that place")
    seat.until(lambda: scale(seat) > whole, "nearer")
    assert seat.find(".hit.found")


def test_a_question_out_of_sight_comes_into_it(wide: RunningTable, devices: list[Seat]) -> None:
    """White looks at a far corner; black moves; white's own places are shown again."""
    seat = devices[0]
    seat.sit(wide, "white", "en", SIZES["wide"])
    seat.tap_place("r0702")
    seat.tap("confirm")
    seat.until(lambda: seat.find(".mine") is None)
    seat.tap("find-place")
    seat.write("place-query", "normark")
    seat.tap("find-r0000")
    seat.until(lambda: seat.find(".boardsheet.zoomed"))
    hall = wide.hall.table
    assert hall is not None and hall.request is not None
    with wide.web.hub.lock:
        hall.answer("black", hall.request.options[0], revision=hall.revision)
    seat.until(lambda: seat.find(".hit.can"))
    seat.until(lambda: seat.driver.execute_script(IN_SIGHT, "r0702"), "the places asked for")


FINGERS = """
const [kind, points] = arguments;
const svg = document.querySelector('svg.board');
for (const [n, [x, y]] of points.entries()) {
  const at = { bubbles: true, pointerType: 'touch', pointerId: n + 2, clientX: x, clientY: y };
  svg.dispatchEvent(new PointerEvent(kind, at));
}
"""
WHILE = {"touchStart": "pointerdown", "touchMove": "pointermove", "touchEnd": "pointerup"}


class Hand:
    """Fingers as the browser gets them from a screen.  WebKit's driver makes one mouse of all touches
    (WebKitGTK 2.50: two fingers arrive as moves of pointer 1, type mouse); its fingers are therefore events
    of the page, which WebKit hands to the same code."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.points: list[tuple[float, float]] = []

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """All fingers at once."""
        before, self.points = self.points, list(points)
        if self.seat.engine == "webkit":
            self.seat.driver.execute_script(FINGERS, WHILE[kind], list(points) or before)
            return
        self.seat.cdp(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]},
        )


@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_two_fingers_zoom_and_one_moves_without_tapping(wide: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    seat.sit(wide, "white", "en", SIZES["wide"])
    whole, hand = scale(seat), Hand(seat)
    hand.touch("touchStart", (300, 300), (400, 300))
    for step in range(1, 9):
        hand.touch("touchMove", (300 - 12 * step, 300), (400 + 12 * step, 300))
    hand.touch("touchEnd")
    seat.until(lambda: scale(seat) > 2 * whole, "the enlarged board")
    left = "return document.querySelector('svg.board').viewBox.baseVal.x"
    before = float(seat.driver.execute_script(left))
    hand.touch("touchStart", (300, 300))
    for step in range(1, 7):
        hand.touch("touchMove", (300 - 20 * step, 300))
    hand.touch("touchEnd")
    seat.until(lambda: float(seat.driver.execute_script(left)) > before + 30, "the moved board")
    assert seat.find("#dialog[open]") is None and seat.find('[data-key="confirm"]') is None


@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_wheel_and_keyboard_zoom(wide: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    seat.sit(wide, "white", "en", SIZES["wide"])
    whole = settled_scale(seat)
    origin = ScrollOrigin.from_viewport(300, 300)
    ActionChains(seat.driver).scroll_from_origin(origin, 0, -400).perform()
    seat.until(lambda: scale(seat) > 1.3 * whole, "the wheel")
    seat.driver.execute_script("document.querySelector('[data-key=zoom-in]').focus()")
    seat.press("0")
    seat.until(lambda: scale(seat) == pytest.approx(whole))
    seat.press("+")
    seat.until(lambda: scale(seat) > 1.5 * whole)
    left = "return document.querySelector('svg.board').viewBox.baseVal.x"
    before = float(seat.driver.execute_script(left))
    seat.press(Keys.ARROW_RIGHT)
    seat.until(lambda: float(seat.driver.execute_script(left)) > before)


def test_tracks_with_several_markers(wide: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    seat.theme("dark")
    seat.sit(wide, "white", "en", SIZES["tall"])
    label = seat.find('[data-key="track-politics"]').get_attribute("aria-label")
    assert label == "Politics: at peace: Dwarves, Elves · wary: North · arming: South · at war: East"
    seat.tap("track-politics")
    shown = " ".join(seat.text("#dialog").split())
    assert "at peace: Dwarves, Elves (not active yet)" in shown and "at war: East" in shown
    assert serious(seat) == []
    seat.tap("close")
    assert "0: marker. 6: Bridge" in seat.find('[data-key="track-way"]').get_attribute("aria-label")
    assert serious(seat) == []


NAMED = """
const field = document.querySelector('.boardbox').getBoundingClientRect();
const all = (kind) => [...document.querySelectorAll(`[data-${kind}]`)].map((e) => ({
  id: e.dataset[kind], box: (e.querySelector('rect') || e).getBoundingClientRect() }));
const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
const astray = ({ id, box }) => {
  const [x, y] = middle(box);
  if (x < field.left || x > field.right || y < field.top || y > field.bottom) return false; // out of sight
  return document.elementFromPoint(x, y)?.closest('[data-place]')?.dataset.place !== id;
};
const cut = ({ box }) => box.left < field.left - 1 || box.right > field.right + 1
  || box.top < field.top - 1 || box.bottom > field.bottom + 1;
const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
  && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
const [names, figures] = [all('name'), all('stack')];
return { count: names.length, cut: names.filter(cut).map(({ id }) => id),
  astray: [...names, ...figures].filter(astray).map(({ id }) => id),
  pairs: names.flatMap((a, n) =>
    names.slice(n + 1).filter((b) => meet(a.box, b.box)).map((b) => [a.id, b.id])) };
"""


@pytest.mark.parametrize("game", ["five_armies", "war_of_the_ring"])
def test_names_and_figures_belong_to_their_place(game: str, tmp_path: Path, devices: list[Seat]) -> None:
    """In all sizes, languages and zooms: what is tapped in its middle is its place, and no two names meet."""
    table, seat = RunningTable(tmp_path, game, seed=2, until="choose_die"), devices[0]
    try:
        seat.sit(table, table.game.seats[0], "de", SIZES["wide"])
        for language in ("de", "en"):
            if seat.language() != language:
                seat.tap("menu")
                seat.tap(f"language-{language}")
                seat.until(lambda: seat.language() == "en" and seat.find("#prompt"), "the other language")
            for name, size in SIZES.items():
                seat.size(*size)
                for near in range(3):
                    seat.settle(own=True)
                    seat.until(lambda: seat.driver.execute_script(PLACED), "the names")
                    seat.driver.execute_script(
                        "document.querySelector('.boardbox').scrollIntoView({block: 'end'})"
                    )
                    found = seat.driver.execute_script(NAMED)
                    case = (language, name, near, found)
                    assert found["count"] > 2 and not found["cut"], case
                    assert not found["pairs"] and not found["astray"], case
                    for _ in range(2 if near < 2 else 0):
                        seat.settle(own=True)  # the nearest zoom disables the button a moment later
                        if seat.find('[data-key="zoom-in"]:enabled'):
                            seat.tap("zoom-in")
                            until_drawn(seat)
                seat.tap("zoom-fit")
    finally:
        seat.leave()
        table.close()


@pytest.mark.parametrize("game", ["five_armies", "wide"])
def test_a_first_load_is_light_and_needs_no_other_host(
    game: str, tmp_path: Path, devices: list[Seat]
) -> None:
    table = RunningTable(tmp_path, game)
    seat = devices[0]
    try:
        seat.sit(table, table.game.seats[0], "de", SIZES["wide"])
        seat.until(lambda: seat.find("svg.board"))
        loaded: list[Any] = seat.driver.execute_script(LOADED)
        state = seat.driver.execute_async_script(
            "const done = arguments[0]; fetch(`/api/seat/${document.body.dataset.seat}/state`)"
            ".then((r) => r.text()).then((text) => done(text.length))"
        )
        assert sum(size for _, size in loaded) + int(state) < LIMIT
        assert {name.split("/")[2] for name, _ in loaded} == {f"localhost:{table.port}"}
        assert float(seat.driver.execute_async_script(SHIFT)) < 0.02
    finally:
        seat.leave()
        table.close()


COVERED = """
const boxes = [...document.querySelectorAll('rect, text')].slice(1).map((e) => [e, e.getBBox()]);
const over = ([, a], [, b]) => [Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)];
// the figures' own letters stand in their box; a text's box has a little air above and below its letters
return boxes.flatMap((one, n) => boxes.slice(n + 1).filter((other) => {
  const [x, y] = over(one, other);
  return x > 1 && y > 4 && !(one[0].tagName === 'rect' && one[0].nextElementSibling === other[0]);
}).map((other) => `${one[0].textContent} / ${other[0].textContent}`));
"""


@pytest.mark.parametrize("game", ["five_armies", "war_of_the_ring"])
def test_texts_of_a_drawn_position_do_not_cover_each_other(game: str, devices: list[Seat]) -> None:
    """The starting position and a later one as the browser draws them, in both languages."""
    rules, seat, chance = load_game(game), devices[0], random.Random(1)
    play = Play(rules, rules.new_state({}))
    for answers in (24, 200):
        while play.answered < answers and play.request is not None:
            play.answer(play.request.sample(chance))
        for language in ("de", "en"):
            picture = base64.b64encode(draw(rules, play.state, language).encode()).decode()
            seat.driver.get(f"data:image/svg+xml;base64,{picture}")
            seat.shot(f"drawn-{game}-{answers}-{language}")
            assert seat.driver.execute_script(COVERED) == [], (answers, language)
