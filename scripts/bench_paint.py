"""From a tap to the next paint in a real Chromium, as it is and with its processor slowed down four times.

web.paint_ms_p50, _p98      interaction to next paint (the browser's own Event Timing: pointer and click
                            of one tap, the longest) over taps of The Battle of Five Armies and of its
                            dialogs, zoom and search; taps under the browser's least reported time (16 ms)
                            count as 16
web.paint_4x_ms_p50, _p98   the same at four times slower processor (``Emulation.setCPUThrottlingRate``)
web.wotr_paint_4x_ms_p50, _p98   the same, slowed down, with War of the Ring: 155 places, the Shadow's seat
web.hexes_paint_4x_ms_p50, _p98  the same, slowed down, with BattleLore: 113 hexes
web.wide_paint_4x_ms_p50, _p98   the same, slowed down, on a board of 105 places that is full of figures
web.busy_4x_ms_p50, _p98, web.wotr_busy_4x_ms_p50, _p98, web.wide_busy_4x_ms_p50, _p98
                            the main thread's own time for a tap and all that follows from it within 0.15 s:
                            script, style, layout, painting, the answer of the table and its drawing, and
                            half-drawn frames under way (``TaskDuration`` of ``Performance.getMetrics`` in
                            thread time), slowed down.  It is work, not waiting: most of it comes after the
                            paint that answers the tap
web.tap_styled_p98, web.tap_laid_out_p98, web.tap_tiles_p98
                            what the browser does for a tap and all that follows from it, counted: elements
                            styled, boxes laid out, tiles of 256 pixels painted; the same on every machine
web.layout_shift            sum of all layout shifts (not those within half a second of a tap) in that play

A table of each of the slowed-down plays goes to stderr: taps by kind, their paint and their work, and the
work of a new state that comes from the other seat by itself.

Target: each ``_paint_4x_ms_p98`` at most 100 on a quiet machine.  Where others work on the machine too, a tap
waits for them as well: ``chrt -r 1 python scripts/bench.py --only web.paint`` (as root) goes before them.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / part) for part in ("browser", "web", "")]

SIZE = (1180, 820)
TAPS = 120
COUNTED_TAPS = 40
STATE = "a new state from the table"
UNTIL = {"five_armies": "choose_die", "war_of_the_ring": "choose_die", "battlelore": "move_unit"}
"""The question at which the taps begin, by game."""

WATCH = """
window.taps = []; window.shift = 0;
new PerformanceObserver((list) => {
  for (const e of list.getEntries()) {
    if (!e.interactionId) continue;
    const tap = taps.findLast((one) => one.at <= e.startTime);
    if (tap) tap.ms = Math.max(tap.ms, e.duration);
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
BEGIN = """
const e = arguments[0];
const key = e.dataset.key || '';
const dialog = e.closest('#dialog');
const kind = e.dataset.place ? 'a place on the board' : dialog && key === 'close' ? 'close a dialog'
  : e.closest('#ask') ? (e.classList.contains('option') ? 'a choice' : key.replace(/-.*/, '')) : key;
window.taps.push({ at: performance.now(), kind, ms: 16 });
"""
"""Notes the tap that comes, with its kind: where it goes, or the button's own name."""


@dataclass(frozen=True)
class Play:
    """Taps of one play.  ``paint`` and ``busy``: milliseconds of each; ``kinds``: what was tapped."""

    kinds: list[str]
    paint: list[float]
    busy: list[float]
    states: list[float]
    """Milliseconds of work for each state that came by itself."""
    work: list[Any]
    """Counts of each tap (``tracing.Work``), where they were asked for."""
    shift: float

    def table(self, title: str) -> str:
        """The taps by kind, the slowest first."""
        rows = [f"  {title:34} {'taps':>5} {'paint p50':>10} {'max':>6} {'work p50':>10} {'max':>6}   (ms)"]
        kinds = sorted(set(self.kinds), key=lambda kind: -max(self._of(kind, self.paint)))
        for kind in kinds:
            paint, busy = self._of(kind, self.paint), self._of(kind, self.busy)
            rows.append(
                f"    {kind:32} {len(paint):5} {share(paint, 0.5):10.0f} {max(paint):6.0f}"
                f" {share(busy, 0.5):10.0f} {max(busy):6.0f}"
            )
        if self.states:
            rows.append(
                f"    {STATE:32} {len(self.states):5} {'':17} {share(self.states, 0.5):10.0f}"
                f" {max(self.states):6.0f}"
            )
        return "\n".join(rows)

    def _of(self, kind: str, values: list[float]) -> list[float]:
        return [value for one, value in zip(self.kinds, values, strict=True) if one == kind]


class Fingers:
    """Taps by the browser's own input pipeline, so that the browser times them."""

    def __init__(self, seat: Any, counted: bool = False) -> None:
        self.seat = seat
        self.counted: list[Any] | None = [] if counted else None
        self.count = 0
        self.busy: list[float] = []
        self.states: list[float] = []
        # processor time of the main thread: hardly depends on what else runs
        seat.cdp("Performance.enable", {"timeDomain": "threadTicks"})

    def work(self) -> float:
        """Milliseconds that the main thread has worked until now."""
        metrics = self.seat.cdp("Performance.getMetrics", {})["metrics"]
        return 1000 * next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")

    def tap(self, element: Any) -> bool:
        """One tap in the middle of an element; False where it is covered."""
        at = self.seat.driver.execute_script(WHERE, element)
        if at is None:
            return False
        self.count += 1
        self.seat.driver.execute_script(BEGIN, element)
        if self.counted is not None:
            from tracing import traced

            with traced(self.seat) as work:
                self._press(at, 0.5)
            self.counted.append(work)
            return True
        before = self.work()
        self._press(at, 0.15)
        self.busy.append(self.work() - before)
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


def share(values: list[float], part: float) -> float:
    """A percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


AROUND = ("menu", "zoom-in", "zoom-in", "zoom-fit", "find-place", "phase")


def play(seat: Any, table: Any, own: str, count: int, chance: random.Random, counted: bool = False) -> Play:
    """So many taps of the seat ``own``: mostly what is asked, now and then a look around."""
    from driving import NEXT
    from selenium.common.exceptions import StaleElementReferenceException

    fingers = Fingers(seat, counted)
    seat.driver.execute_script(WATCH)
    for step in range(count * 5):
        if fingers.count >= count:
            break
        if seat.find("#dialog[open]"):
            fingers.on('#dialog [data-key="close"]')
        elif step % 6 == 5:
            fingers.on(f'[data-key="{AROUND[step // 6 % len(AROUND)]}"]:not(:disabled)')
        elif seat.find(".mine"):
            script = (
                f"{NEXT} const found = next((n) => {chance.randrange(1000)} % n); return found && found[0];"
            )
            found = seat.driver.execute_script(script)
            try:
                if found is not None and not fingers.tap(found):
                    seat.driver.execute_script(CLICK, found)  # covered: not a tap to be timed
            except StaleElementReferenceException:
                continue  # drawn anew on the way to it
        else:
            before = fingers.work()
            if _others(table, own, chance):
                fingers.states.append(fingers.work() - before)
        time.sleep(0.02)
    time.sleep(0.5)
    taps = seat.driver.execute_script("return window.taps")
    shift = float(seat.driver.execute_script("return window.shift"))
    kinds, paint = [str(one["kind"]) for one in taps], [float(one["ms"]) for one in taps]
    return Play(kinds, paint, fingers.busy, fingers.states, fingers.counted or [], shift)


def _others(table: Any, own: str, chance: random.Random) -> bool:
    """The other seat answers, where it is asked; time for its state to come and be drawn."""
    from tables import answer

    hall = table.hall.table
    with table.web.hub.lock:
        # a secret choice of both: whoever has chosen already is not asked again
        asked = hall.request is not None and any(seat != own for seat in hall.asked_seats)
        if asked:
            answer(hall, hall.request.sample(chance))
    time.sleep(0.2)
    return asked


def _as_prompt_as_this(profile: Path) -> None:
    """Chromium gives its pages the ordinary priority, whatever it was started with: on a machine that does
    other work too they get the one of this process, where that is higher (Linux: a thread at a time)."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    if own >= 0:
        return
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(profile).encode() in (process / "cmdline").read_bytes():
                for thread in (process / "task").iterdir():
                    os.setpriority(os.PRIO_PROCESS, int(thread.name), own)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile


def _measured(
    folder: Path, name: str, rate: float, count: int, seated: int = 0, counted: bool = False
) -> Play:
    from driving import open_browser
    from tables import RunningTable

    folder.mkdir()
    table = RunningTable(folder, name, seed=2, until=UNTIL.get(name, ""))
    seat = open_browser(folder / "profile", windows=True)  # as people have it, and as it was measured before
    own = table.game.seats[seated]
    try:
        seat.sit(table, own, "en", SIZE)
        if seat.find('[data-key="learn-off"]'):
            seat.tap("learn-off")
        _as_prompt_as_this(folder / "profile")
        seat.cdp("Emulation.setCPUThrottlingRate", {"rate": rate})
        return play(seat, table, own, count, random.Random(4), counted)
    finally:
        seat.driver.quit()
        table.close()


def _told(board: str, found: Play) -> dict[str, float]:
    """The figures of a slowed-down play; its table goes to stderr."""
    print(found.table(f"web.{board}paint_4x: {len(found.kinds)} taps"), file=sys.stderr)
    return {
        f"web.{board}paint_4x_ms_p50": share(found.paint, 0.5),
        f"web.{board}paint_4x_ms_p98": share(found.paint, 0.98),
        f"web.{board}busy_4x_ms_p50": share(found.busy, 0.5),
        f"web.{board}busy_4x_ms_p98": share(found.busy, 0.98),
    }


def _needs_browser() -> None:
    from driving import CHROMIUM

    if CHROMIUM is None:
        raise FileNotFoundError("Chromium is not installed (apt-get install chromium chromium-driver)")


def figures() -> dict[str, float]:
    """The figures of The Battle of Five Armies; about two minutes.  FileNotFoundError without Chromium."""
    _needs_browser()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        plain = _measured(folder / "plain", "five_armies", 1, TAPS)
        slow = _measured(folder / "slow", "five_armies", 4, TAPS)
        counted = _measured(folder / "counted", "five_armies", 1, COUNTED_TAPS, counted=True)
    return {
        "web.paint_ms_p50": share(plain.paint, 0.5),
        "web.paint_ms_p98": share(plain.paint, 0.98),
        **_told("", slow),
        "web.tap_styled_p98": share([one.styled for one in counted.work], 0.98),
        "web.tap_laid_out_p98": share([one.laid_out for one in counted.work], 0.98),
        "web.tap_tiles_p98": share([one.tiles for one in counted.work], 0.98),
        "web.layout_shift": plain.shift + slow.shift,
    }


def hexes_figures() -> dict[str, float]:
    """Those of a board of 113 hexes; under a minute.  FileNotFoundError without Chromium."""
    _needs_browser()
    with tempfile.TemporaryDirectory() as place:
        return _told("hexes_", _measured(Path(place) / "hexes", "battlelore", 4, TAPS))


def large_figures() -> dict[str, float]:
    """Those of large boards; about two minutes.  FileNotFoundError without Chromium."""
    _needs_browser()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        ring = _measured(folder / "ring", "war_of_the_ring", 4, TAPS, seated=1)
        wide = _measured(folder / "wide", "wide", 4, TAPS)
    return {**_told("wotr_", ring), **_told("wide_", wide)}


if __name__ == "__main__":
    for key, value in {**figures(), **large_figures(), **hexes_figures()}.items():
        print(f"{key:32} {value:10.3f}")
