"""From a tap to the next paint in a real Chromium, as it is and with its processor slowed down four times.

web.paint_ms_p50, _p98      interaction to next paint (the browser's own Event Timing: pointer and click
                            of one tap, the longest) over taps of The Battle of Five Armies and of its
                            dialogs, zoom and search; taps under the browser's least reported time (16 ms)
                            count as 16
web.paint_4x_ms_p50, _p98   the same at four times slower processor (``Emulation.setCPUThrottlingRate``)
web.wide_paint_4x_ms_p98    the same on a board of 105 places, slowed down
web.busy_4x_ms_p98          main thread busy per tap (script, style, layout and painting by
                            ``Performance.getMetrics``), slowed down; hardly depends on what else runs
web.tap_styled_p98, web.tap_laid_out_p98, web.tap_tiles_p98
                            what the browser does for a tap and all that follows from it, counted: elements
                            styled, boxes laid out, tiles of 256 pixels painted; the same on every machine
web.layout_shift            sum of all layout shifts (not those within half a second of a tap) in that play

Target: ``web.paint_4x_ms_p98`` at most 100 on a quiet machine.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / part) for part in ("browser", "web", "")]

SIZE = (1180, 820)
TAPS = 120
COUNTED_TAPS = 40
WIDE_TAPS = 40

WATCH = """
window.taps = new Map(); window.shift = 0;
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) {
    if (e.interactionId) taps.set(e.interactionId, Math.max(taps.get(e.interactionId) || 0, e.duration));
  }
}).observe({ type: 'event', durationThreshold: 16, buffered: true });
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) if (!e.hadRecentInput) shift += e.value;
}).observe({ type: 'layout-shift', buffered: true });
"""

CLICK = "arguments[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))"
WHERE = """
const e = arguments[0];
e.scrollIntoView({ block: 'nearest' });
const r = e.getBoundingClientRect();
for (let n = 0; n < 60; n += 1) {
  const [a, b] = n ? [Math.random(), Math.random()] : [0.5, 0.5];
  const [x, y] = [r.x + r.width * a, r.y + r.height * b];
  const hit = document.elementFromPoint(x, y);
  if (hit && (hit === e || e.contains(hit))) return [x, y];
}
return null;
"""


class Fingers:
    """Taps by the browser's own input pipeline, so that the browser times them."""

    def __init__(self, seat: Any, counted: bool = False) -> None:
        self.seat = seat
        self.counted: list[Any] | None = [] if counted else None
        self.count = 0
        self.busy: list[float] = []
        # processor time of the main thread: hardly depends on what else runs
        seat.cdp("Performance.enable", {"timeDomain": "threadTicks"})

    def _busy(self) -> float:
        metrics = self.seat.cdp("Performance.getMetrics", {})["metrics"]
        return 1000 * next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    def tap(self, element: Any) -> bool:
        """One tap in the middle of an element; False where it is covered."""
        at = self.seat.driver.execute_script(WHERE, element)
        if at is None:
            return False
        self.count += 1
        if self.counted is not None:
            from tracing import traced

            with traced(self.seat) as work:
                self._press(at, 0.5)
            self.counted.append(work)
            return True
        before = self._busy()
        self._press(at, 0.15)
        self.busy.append(self._busy() - before)
        return True

    def _press(self, at: list[float], rest: float) -> None:
        mouse = {"x": at[0], "y": at[1], "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self.seat.cdp("Input.dispatchMouseEvent", {"type": kind, **mouse})
        time.sleep(rest)

    def on(self, css: str) -> bool:
        """One tap on what is visible under this selector."""
        found = self.seat.find(css)
        return found is not None and self.tap(found)

    def times(self) -> list[float]:
        """Milliseconds of each tap; those that the browser did not report count as 16."""
        told = [float(one) for one in self.seat.driver.execute_script("return [...window.taps.values()]")]
        return told + [16.0] * max(0, self.count - len(told))


def share(values: list[float], part: float) -> float:
    """A percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def play(seat: Any, table: Any, count: int, chance: random.Random, counted: bool = False) -> Fingers:
    """So many taps: mostly what is asked, now and then a look around."""
    from driving import NEXT

    fingers = Fingers(seat, counted)
    seat.driver.execute_script(WATCH)
    around = ("menu", "zoom-in", "zoom-in", "zoom-fit", "find-place", "phase")
    for step in range(count * 5):
        if fingers.count >= count:
            break
        if seat.find("#dialog[open]"):
            fingers.on('[data-key="close"]')
        elif step % 6 == 5:
            fingers.on(f'[data-key="{around[step // 6 % len(around)]}"]:not(:disabled)')
        elif seat.find(".mine"):
            script = (
                f"{NEXT} const found = next((n) => {chance.randrange(1000)} % n); return found && found[0];"
            )
            found = seat.driver.execute_script(script)
            if found is not None and not fingers.tap(found):
                seat.driver.execute_script(CLICK, found)  # covered: not a tap to be timed
        else:
            _others(table, chance)
        time.sleep(0.02)
    return fingers


def _others(table: Any, chance: random.Random) -> None:
    """The other seat answers."""
    from tables import answer

    hall = table.hall.table
    with table.web.hub.lock:
        if hall.request is not None and hall.request.seat != table.game.seats[0]:
            answer(hall, hall.request.sample(chance))
    time.sleep(0.2)


def _measured(
    folder: Path, name: str, rate: float, count: int, counted: bool = False
) -> tuple[Fingers, float]:
    from driving import open_browser
    from tables import RunningTable

    folder.mkdir()
    table = RunningTable(folder, name, seed=2, **({"until": "choose_die"} if name != "wide" else {}))
    seat = open_browser(folder / "profile")
    try:
        seat.sit(table, table.game.seats[0], "en", SIZE)
        if seat.find('[data-key="learn-off"]'):
            seat.tap("learn-off")
        seat.cdp("Emulation.setCPUThrottlingRate", {"rate": rate})
        fingers = play(seat, table, count, random.Random(4), counted)
        time.sleep(0.5)
        times, shift = fingers.times(), float(seat.driver.execute_script("return window.shift"))
        fingers.found = times  # type: ignore[attr-defined]
        return fingers, shift
    finally:
        seat.driver.quit()
        table.close()


def figures() -> dict[str, float]:
    """All figures of this module; about three minutes.  FileNotFoundError where there is no Chromium."""
    from driving import CHROMIUM

    if CHROMIUM is None:
        raise FileNotFoundError("Chromium is not installed (apt-get install chromium chromium-driver)")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        plain, shift = _measured(folder / "plain", "five_armies", 1, TAPS)
        slow, more = _measured(folder / "slow", "five_armies", 4, TAPS)
        wide, _ = _measured(folder / "wide", "wide", 4, WIDE_TAPS)
        counted, _ = _measured(folder / "counted", "five_armies", 1, COUNTED_TAPS, counted=True)
    work = counted.counted or []
    return {
        "web.paint_ms_p50": share(plain.found, 0.5),  # type: ignore[attr-defined]
        "web.paint_ms_p98": share(plain.found, 0.98),  # type: ignore[attr-defined]
        "web.paint_4x_ms_p50": share(slow.found, 0.5),  # type: ignore[attr-defined]
        "web.paint_4x_ms_p98": share(slow.found, 0.98),  # type: ignore[attr-defined]
        "web.wide_paint_4x_ms_p98": share(wide.found, 0.98),  # type: ignore[attr-defined]
        "web.busy_4x_ms_p98": share(slow.busy, 0.98),
        "web.tap_styled_p98": share([one.styled for one in work], 0.98),
        "web.tap_laid_out_p98": share([one.laid_out for one in work], 0.98),
        "web.tap_tiles_p98": share([one.tiles for one in work], 0.98),
        "web.layout_shift": shift + more,
    }


if __name__ == "__main__":
    for key, value in figures().items():
        print(f"{key:32} {value:10.3f}")
