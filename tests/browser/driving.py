"""One browser as a person at the table would use it: it taps what can be seen, and counts its taps."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from seating import take_seat
from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from tables import KEPT, RunningTable
from wire import Wire

ENGINES = ("chromium", "webkit")
"""Both run the end-to-end suite."""
CHROMIUM = shutil.which("chromium")
SHELL = shutil.which("chromium-headless-shell") and str(Path(__file__).with_name("headless_shell.sh"))
"""The same engine without windows, tabs and Wake Lock: it takes the processor a quarter less time."""
DRIVER = shutil.which("chromedriver")
SHOTS = Path(__file__).resolve().parents[2] / "screenshots"
PATIENCE = 60.0
"""Seconds after which waiting is in vain: a test that hangs, not one on a busy machine."""
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars"),
    # where the desktop names no language, the shell names none, and the table speaks German
    *("--disable-dev-shm-usage", "--accept-lang=en-US", "--window-size=1300,1500", "--disable-extensions"),
    # there is no graphics card: what stands in for one costs an eighth of a test's time
    *("--disable-gpu-compositing", "--disable-software-rasterizer", "--in-process-gpu"),
)

TAP = """
const e = arguments[0];
if (!e || e.disabled) return false;
e.scrollIntoView({block: 'nearest'});
const r = e.getBoundingClientRect();
const o = {bubbles: true, cancelable: true, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2};
e.dispatchEvent(new PointerEvent('pointerdown', o));
e.dispatchEvent(new PointerEvent('pointerup', o));
e.dispatchEvent(new MouseEvent('click', o));
return true;
"""

FOCUS = """
const shown = (one) => !one.disabled && one.getClientRects().length;
const e = [...document.querySelectorAll(arguments[0])].find(shown);
e?.focus();
e?.select();
return e !== undefined && document.activeElement === e;
"""
NEXT = """
const find = (s) => [...document.querySelectorAll(s)].find((e) => !e.disabled && e.getClientRects().length);
const next = (pick) => {
  const { classList } = document.body;
  const unchecked = find('#ask [data-key="check-skip"]');
  if (unchecked) return [unchecked, 'check-skip'];
  if (!classList.contains('mine') || classList.contains('busy')) return null;
  const curtain = find('[data-key=curtain]');
  if (curtain) return [curtain, 'curtain'];
  for (const key of ['hands-done', 'confirm', 'accept', 'throw']) {
    const button = find(`#ask [data-key="${key}"]`);
    if (button) return [button, key];
  }
  const free = '#ask .option:not(.refused):not([aria-pressed=true]):not(:disabled)';
  const options = [...document.querySelectorAll(free)];
  const places = [...document.querySelectorAll('.hit.can:not(.chosen), .cell.can:not(.chosen)')];
  const shown = options.filter((e) => e.getClientRects().length && !e.closest('details'));
  const found = shown.length ? shown : places.length ? places : options;
  // what is chosen on a sheet may not stand: another choice, not always a larger one
  const refused = find('#ask .card.note') ? [...document.querySelectorAll('.cell.chosen')] : [];
  if (refused.length && (!found.length || pick(4))) return [refused[pick(refused.length)], 'back'];
  const wanted = (window.playerPrefers || []).map((want) => find(`#ask .stepper [data-key="more-${want}"]`));
  const more = wanted.find(Boolean) || find('#ask .stepper [data-key^=more-]');
  // nor may amounts: too few, or too many of the wrong kind
  const counted = '#ask .option[aria-pressed=true], #ask .stepper [data-key^=less-]:not(:disabled)';
  const taken = find('#ask .card.note') ? [...document.querySelectorAll(counted)] : [];
  if (taken.length && ((!found.length && !more) || pick(3) === 2)) return [taken[pick(taken.length)], 'back'];
  if (found.length) {
    const ids = ({ dataset: { place, option } }) => [place, option, option?.split('/').at(-1)];
    const is = (e, want) => ids(e).includes(want);
    const all = [...found, ...places];
    const liked = (window.playerPrefers || []).map((want) => all.find((e) => is(e, want))).find(Boolean);
    const one = liked || found[pick(found.length)];
    return [one, one.dataset.place ? 'place ' + one.dataset.place : 'option ' + one.dataset.option];
  }
  return more ? [more, more.dataset.key] : null;
};
"""
"""``next(pick)``: the next sensible element to tap and what it is, or null; ``pick(n)`` chooses one of n."""

SENSIBLE = (
    NEXT
    + """
const found = next(() => 0);
if (!found) return '';
found[0].dispatchEvent(new MouseEvent('click', {bubbles: true}));
return found[1];
"""
)

PLAYER = (
    NEXT
    + """
let [seed, pause] = arguments;
window.playerRests = false;
const random = (n) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor(seed / 65536) % n;
};
const choice = (n) => (random(3) ? random(n) : 0);
const taps = window.playerTaps ||= {};
const mine = window.playerHands = (window.playerHands || 0) + 1;
const hand = () => {
  if (mine !== window.playerHands) return;
  const found = window.playerRests ? null : next(choice);
  if (found) {
    const kind = found[1].split(' ')[0].split('-')[0];
    taps[kind] = (taps[kind] || 0) + 1;
    found[0].dispatchEvent(new MouseEvent('click', {bubbles: true}));
  }
  setTimeout(hand, found ? pause : 15);
};
hand();
"""
)
"""A pair of hands inside the page: they do what is sensible, at random by a seed, until it is reloaded."""

BEGUN = """
(() => {
  const names = ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame', 'fetch'];
  const own = Object.fromEntries(names.map((name) => [name, window[name].bind(window)]));
  const [timers, frames] = [new Set(), new Set()];
  let asked = 0;
  window.setTimeout = (what, wait = 0, ...rest) => {
    const id = own.setTimeout(() => { timers.delete(id); what(...rest); }, wait);
    if (wait < 1000) timers.add(id);
    return id;
  };
  window.clearTimeout = (id) => { timers.delete(id); own.clearTimeout(id); };
  window.requestAnimationFrame = (what) => {
    const id = own.requestAnimationFrame((now) => { frames.delete(id); what(now); });
    frames.add(id);
    return id;
  };
  window.cancelAnimationFrame = (id) => { frames.delete(id); own.cancelAnimationFrame(id); };
  window.fetch = (...all) => {
    asked += 1;
    return own.fetch(...all).finally(() => { asked -= 1; });
  };
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (job, ...rest) {
    if (job?.number) {  // a job that is answered
      asked += 1;
      const answered = ({ data }) => {
        if (data.number !== job.number) return;
        asked -= 1;
        this.removeEventListener('message', answered);
      };
      this.addEventListener('message', answered);
    }
    return post.call(this, job, ...rest);
  };
  const moves = ({ playState, effect }) =>
    playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime);
  window.owed = () => asked + (document.fonts.status === 'loading');
  window.begun = () => owed() + timers.size + frames.size + document.getAnimations().filter(moves).length;
  window.lookLater = own.setTimeout;
})();
"""
"""``begun()``: how much a page has begun that is not done: requests, timers under a second, frames, jobs of
its worker, animations that end.  ``owed()``: what of that others do for it, and it then goes on with."""

SETTLED = """
const [looks, own, most, done] = arguments;
const later = window.requestIdleCallback || setTimeout;
const wait = window.lookLater || setTimeout;
const soon = own && window.begun;  // a browser that does not tell needs as long as for what others do
const owed = () => window.owed?.() && performance.now() < patient;
const patient = performance.now() + 10_000;  // a test may hold an answer back
let calm = 0;
if (most) wait(done, most);
const watch = new MutationObserver(() => { calm = -1; });
watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
const painted = (over) => requestAnimationFrame(() => requestAnimationFrame(() => later(() => {
  // a frame that came late may have found more to do
  if (calm < 0 || owed() || (over && window.begun())) return again();
  watch.disconnect();
  return done();
}, { timeout: 2000 })));
const again = () => { calm = 0; wait(look, soon ? 20 : 60); };
const look = () => {
  const { body, readyState } = document;  // a drawing has no body
  const works = body ? body.classList.contains('busy') || owed() : readyState !== 'complete';
  calm = works ? 0 : Math.max(calm, 0) + 1;
  const over = soon && calm > 1 && !window.begun();
  if (calm < (soon ? 3 * looks : looks) && !over) return wait(look, soon ? 20 : 60);
  wait(done, 5000);  // a page that is not shown paints nothing
  return painted(over);
};
wait(look, soon ? 20 : 60);
"""
CALM_LOOKS = 12
"""0.7 s where timers are in time: longer than any pause after which a page goes on by itself."""
FEW_LOOKS = 2
VISIBLE = "return document.body.innerText"
ID_LIKE = re.compile(r"(?<![\\w/.:])[a-z]+[a-z0-9]*(?:[._][a-z0-9]+)+(?![\\w/.])")


class Seat:
    """One device.  ``taps`` counts what a person would have tapped."""

    engine = "chromium"

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver
        driver.set_script_timeout(PATIENCE)
        self.taps = 0
        self.expected: list[str] = []
        self.known: tuple[str, str] | None = None
        """The cookie of the device that sits, once it does."""
        self.preferences: dict[str, str] = {}

    # coming and going

    def size(self, width: int, height: int) -> None:
        """The size of the screen in CSS pixels; the page has it when this returns."""
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        self.until(lambda: self.driver.execute_script("return [innerWidth, innerHeight]") == [width, height])

    def seen_again(self) -> None:
        """A page that was frozen by command counts as hidden until another tab was in front of it."""
        first = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        self.driver.close()
        self.driver.switch_to.window(first)

    def theme(self, name: str) -> None:
        """``light`` or ``dark``, as the device prefers."""
        self._prefer("color-scheme", name)

    def still(self, wanted: bool = True) -> None:
        """Whether the device prefers reduced motion.  Drawing the rhythms of lights costs a part of a
        processor for each page that is open."""
        self._prefer("reduced-motion", "reduce" if wanted else "no-preference")

    def _prefer(self, name: str, value: str) -> None:
        self.preferences[f"prefers-{name}"] = value
        features = [{"name": name, "value": value} for name, value in self.preferences.items()]
        self.cdp("Emulation.setEmulatedMedia", {"features": features})

    def cdp(self, command: str, data: dict[str, Any]) -> Any:
        """A command to the browser itself."""
        return self.driver.execute_cdp_cmd(command, data)

    def forget(self) -> None:
        """As a new device: no cookies, no storage, an empty page."""
        self.leave()
        self.cdp("Network.clearBrowserCookies", {})
        for port in KEPT:
            where = {"origin": f"http://localhost:{port}", "storageTypes": "local_storage"}
            self.cdp("Storage.clearDataForOrigin", where)
        self.driver.get_log("browser")
        self.known = None
        self.taps = 0
        self.expected = []

    def leave(self) -> None:
        """Close further tabs and leave the page."""
        first, *others = self.driver.window_handles
        for handle in others:
            self.driver.switch_to.window(handle)
            self.driver.close()
        self.driver.switch_to.window(first)
        # an empty page has none
        self.driver.execute_script("try { sessionStorage.clear() } catch { /* nothing was kept */ }")
        self.driver.get("about:blank")

    def sit(self, table: RunningTable | Wire, seat: str, language: str, size: tuple[int, int]) -> None:
        """At the seat at once, in the given language: what the start page would ask of the table is asked
        here, and one page is loaded instead of three."""
        self.size(*size)
        self.known = take_seat(table.url, seat, language, self.known)
        self.bring_cookie(table.url, *self.known)
        self.driver.get(f"{table.url}/seat/{seat}")
        self.until(lambda: self.find("#prompt") is not None)

    def sit_by_hand(
        self, table: RunningTable | Wire, seat: str, language: str, size: tuple[int, int]
    ) -> None:
        """From the start page to the seat, as people do."""
        self.size(*size)
        self.driver.get(table.url)
        if self.language() != language:
            self.tap(f"language-{language}")
            self.until(lambda: self.language() == language)
        self.tap(f"sit-{seat}")
        self.until(lambda: self.find("#prompt") is not None)

    def bring_cookie(self, url: str, name: str, value: str) -> None:
        """Be that device from now on."""
        self.cdp("Network.setCookie", {"name": name, "value": value, "url": url, "httpOnly": True})

    def language(self) -> str:
        """The language of the page."""
        return str(self.driver.execute_script("return document.body?.dataset.language || ''"))

    # looking

    def settle(self, own: bool = False) -> None:
        """Until the page has done all that is to be done: at so many looks in a row nothing was changed, no
        answer awaited, and what was changed has been painted.  On a busy machine each look comes later.

        ``own``: until all is done and painted that the page has begun itself, whatever may come from the
        table.  That is mostly at once where the browser tells what has begun (:data:`BEGUN`).
        """
        self.driver.execute_async_script(SETTLED, CALM_LOOKS, own, 0)

    def find(self, css: str) -> Any:
        """The first visible element, or None."""
        try:
            return self.driver.execute_script(
                "return [...document.querySelectorAll(arguments[0])]"
                ".find((e) => e.getClientRects().length) || null",
                css,
            )
        except StaleElementReferenceException:  # drawn anew on its way to us
            return None

    def text(self, css: str = "body") -> str:
        """The visible text of an element; "" where it is missing."""
        return str(
            self.driver.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", css)
        )

    @property
    def prompt(self) -> str:
        """The question."""
        return self.text("#prompt")

    def until(self, condition: Callable[[], Any], what: str = "") -> Any:
        """Wait until ``condition`` holds."""
        end = time.monotonic() + PATIENCE
        while True:
            found = condition()
            if found:
                return found
            assert time.monotonic() < end, (
                f"waited in vain for {what or condition}: {self.text('main')[-900:]}"
            )
            time.sleep(0.03)

    def ids_on_screen(self) -> list[str]:
        """Words that look like untranslated message ids."""
        return ID_LIKE.findall(re.sub(r"https?://\S+", "", self.text()))

    def problems(self) -> list[str]:
        """Errors and warnings on the console that no test expected."""
        lines = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "DEBUG"]
        return [line for line in lines if not any(text in line for text in self.expected)]

    def shot(self, name: str) -> None:
        """A screenshot for people to look at, where they ask for it (``REFEREE_SHOTS=1``): hundreds of them
        take a minute of the processor.  In any case the page is at rest, or a second went by."""
        with suppress(JavascriptException):  # the page gave way to another one
            self.driver.execute_async_script(SETTLED, FEW_LOOKS, True, 1000)
        if "REFEREE_SHOTS" not in os.environ:
            return
        SHOTS.mkdir(exist_ok=True)
        self.driver.save_screenshot(str(SHOTS / f"{name}.png"))

    # tapping

    def tap(self, key: str) -> None:
        """Tap the element with this ``data-key``."""
        self.tap_on(f'[data-key="{key}"]')

    def tap_on(self, css: str) -> None:
        """Tap the first visible, enabled element once it is there."""
        self.until(
            lambda: self.driver.execute_script(
                "const e = [...document.querySelectorAll(arguments[0])].find((e) => !e.disabled && "
                "e.getClientRects().length);" + TAP.replace("const e = arguments[0];", ""),
                css,
            ),
            css,
        )
        self.taps += 1

    def tap_place(self, place: str) -> None:
        """Tap a place of the board."""
        self.tap_on(f'.hit[data-place="{place}"]')

    def press(self, *keys: str, held: str = "") -> None:
        """Keys as from a keyboard, one after the other; they reach what has the focus then (an element
        that was asked for first may have been drawn anew).  ``held``: a key held down meanwhile."""
        chain = ActionChains(self.driver)
        if held:
            chain.key_down(held)
        chain.send_keys(*keys)
        if held:
            chain.key_up(held)
        chain.perform()

    def write(self, key: str, text: str) -> None:
        """Write into the field with this ``data-key``, instead of what it holds."""
        css = f'[data-key="{key}"]'
        self.until(lambda: self.driver.execute_script(FOCUS, css), css)
        self.press(text)

    def sensible(self) -> str:
        """Do the next sensible thing, as a person in a hurry; "" where nothing is asked."""
        return str(self.driver.execute_script(SENSIBLE))

    def play_on(self, seed: int, pause_ms: int = 5) -> None:
        """Let the page play by itself from now on, with so much rest after each tap; a reload ends that."""
        self.driver.execute_script(PLAYER, seed, pause_ms)

    def rest(self) -> None:
        """Keep those hands still, once nothing is under way (a sealed choice waits for the others)."""
        self.driver.execute_script("window.playerRests = true")
        self.until(lambda: self.driver.execute_script("return !document.body?.matches('.busy.mine')"))

    def played(self) -> dict[str, int]:
        """What those hands have tapped since the last reload, by kind."""
        return dict(self.driver.execute_script("return window.playerTaps || {}"))


def open_browser(profile: Path, font_size: int = 16, trusting: bool = False, windows: bool = False) -> Seat:
    """A fresh Chromium with the user's text size; ``trusting``: it goes on past an unknown certificate;
    ``windows``: with all that is round its engine (a page that was frozen stays hidden in the shell)."""
    options = Options()
    options.accept_insecure_certs = trusting
    options.binary_location = str(CHROMIUM if windows else SHELL or CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"webkit.webprefs.default_font_size": font_size})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": BEGUN})
    return Seat(driver)
