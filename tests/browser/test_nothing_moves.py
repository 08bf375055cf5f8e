"""Layout shift on the pages of start and set-up, with answers that take their time.

Measured twice: as browsers do (Cumulative Layout Shift, by elements), and by what a person sees: a button, a
link or a title that stands elsewhere although nobody tapped anything, even where the page was drawn anew.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from driving import Seat
from fake_devices import Bench
from flask import request
from tables import RunningTable
from test_board_view import SHIFT
from test_pages import SIZES

from calibration.workbench import Workbench

pytestmark = pytest.mark.usefixtures("moving")

MOVES = """
(() => {
  const moved = (window.movedByItself = []);
  let last = new Map();
  let quiet = 0;
  // a tap lasts until its own work is done: drawing a long page takes a busy machine a second
  const now = () => { quiet = performance.now(); };
  const tapped = () => { now(); setTimeout(now); };
  for (const kind of ['pointerdown', 'click', 'resize']) addEventListener(kind, tapped, true);
  // nor is it over before the table has answered, however busy the machine is
  const sent = window.fetch;
  let awaited = 0;
  window.fetch = (...asked) => {
    if ((asked[1]?.method || 'GET') === 'GET') return sent(...asked);
    awaited += 1;
    return sent(...asked).finally(() => { awaited -= 1; tapped(); });
  };
  const look = () => {
    const begun = performance.now();
    const seen = new Map();
    for (const e of document.querySelectorAll('main :is(button, a, summary, input, h1, h2, h3)')) {
      if (!e.getClientRects().length) continue;
      const box = e.getBoundingClientRect();
      seen.set(e.dataset.key || e.textContent, [Math.round(box.x + scrollX), Math.round(box.y + scrollY)]);
    }
    for (const [key, [x, y]] of seen) {
      const [ox, oy] = last.get(key) || [x, y];
      // what a tap moves within half a second is its answer
      const far = Math.abs(ox - x) + Math.abs(oy - y) > 2;
      if (far && !awaited && begun - quiet > 500) moved.push(`${key}: ${ox},${oy} to ${x},${y}`);
    }
    last = seen;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""
ANSWERS_TAKE_S = 0.15
LIMIT = 0.01
"""Half of what the game page may; 0.1 counts as good on the web."""
READY = "return !document.querySelector('main:empty') && document.body.innerText.length > 60"
WALK: dict[str, tuple[str, ...]] = {
    "/": ("unfold", "house", "strict", "address"),
    "/join": (),
    "/arbiter": (),
    "/health": (),
    "/fairness": (),
    "/setup": (),
    "/setup/camera": (),
    "/setup/dice": ("teach-free_action", "lay", "take", "test", "stop"),
    "/setup/leds": ("leds-begin", "leds-skip", "leds-stop"),
    "/setup/book": ("group-form.group.characters", "group-form.group.abilities", "group-form.group.reach"),
}


MIDDLE = """
const all = [...document.querySelectorAll(`[data-key="${arguments[0]}"]`)];
const e = all.find((one) => !one.disabled && one.getClientRects().length);
if (!e) return null;
e.scrollIntoView({ block: 'center', behavior: 'instant' });
const box = e.getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];
"""


def click(seat: Seat, key: str) -> None:
    """A click of a real mouse: the browser knows that what moves now was wanted."""
    x, y = seat.until(lambda: seat.driver.execute_script(MIDDLE, key), key)
    for kind in ("mousePressed", "mouseReleased"):
        seat.cdp(
            "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        )


def test_no_page_of_start_and_set_up_moves_by_itself(
    five_armies: object, devices: list[Seat], tmp_path: Path
) -> None:
    table: RunningTable = five_armies()  # type: ignore[operator]
    folder = tmp_path / "bench"
    folder.mkdir()
    bench = Bench(folder)
    bench.image = bench.tray.throw({}, 1)
    table.hall.workbench = Workbench(bench, folder)  # type: ignore[attr-defined]
    slow = lambda: time.sleep(ANSWERS_TAKE_S) if request.path.startswith("/api/") else None  # noqa: E731
    table.app.before_request_funcs.setdefault(None, []).insert(0, slow)
    seat = devices[0]
    installed = seat.cdp("Page.addScriptToEvaluateOnNewDocument", {"source": MOVES})
    try:
        seat.sit(table, "free", "de", SIZES["tall"])
        for path, taps in WALK.items():
            seat.driver.get(table.url + path)
            seat.until(lambda: seat.driver.execute_script(READY), path)
            for key in taps:
                click(seat, key)
            assert float(seat.driver.execute_async_script(SHIFT)) < LIMIT, path
            assert seat.driver.execute_script("return window.movedByItself") == [], path
    finally:
        seat.cdp("Page.removeScriptToEvaluateOnNewDocument", installed)
