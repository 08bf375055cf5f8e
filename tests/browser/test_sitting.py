"""A sitting from the start page on: QR code, joining, troubles on every screen, the arbiter's desk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from driving import Seat, open_browser
from tables import RunningTable
from test_pages import CUT_OFF, SIZES, choose_language, overflow, serious, small_targets

Start = Callable[..., RunningTable]
UNDER_SOMETHING = """
return [...document.querySelectorAll('#ask .faces button')].filter((e) => {
  const r = e.getBoundingClientRect();
  return !e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
}).map((e) => e.textContent);
"""
CUT_IN_DIALOG = """
const cut = (e) => e.scrollWidth > e.clientWidth + 1;
const block = (e) => getComputedStyle(e).display !== 'inline';
const thin = (e) => block(e) && e.clientWidth < 120 && e.textContent.length > 20;
return [...document.querySelectorAll('#dialog :is(button, h2, h3, p, button span)')]
  .filter((e) => !e.matches('.unseen') && e.getClientRects().length && (cut(e) || thin(e)))
  .map((e) => e.textContent.slice(0, 40));
"""
"""What runs over its edge, or stands in a column of a few letters."""
PLAY_PARTS_CUT = """
const seen = (e) => e.getClientRects().length;
const name = (e) => `${e.className}: ${e.textContent.slice(0, 30)}`;
const texts = '.bar .phase, .bar .turn, .bar .score, .seatcard .name, .seatcard .state, .counters span, '
  + '.trackline b, .space, .notes, .focus :is(h2, h3, p, .chip, .d), .ask :is(h2, p, button), .dev';
const isCut = (e) => e.scrollWidth > e.clientWidth + 1 || e.textContent.trim() && e.clientWidth < 1;
const cut = [...document.querySelectorAll(texts)]
  .filter((e) => seen(e) && getComputedStyle(e).display !== 'inline' && isCut(e)).map(name);
const rows = ['#bar .turn, #bar .phase, #bar .score, #bar .lights-row > *', '#table .top > *',
  '#seats .seatcard, #tracks b, #tracks .space, #tracks .notes, #tools button'];
const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
  && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
// the room of a word is that of its letters: targets may reach into each other's margins
const room = (e) => {
  const all = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), boxes = [];
  while (all.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(all.currentNode);
    if (!all.currentNode.parentElement.closest('.unseen')) boxes.push(...range.getClientRects());
  }
  const most = (side) => Math.max(...boxes.map((box) => box[side]));
  const least = (side) => Math.min(...boxes.map((box) => box[side]));
  return { left: least('left'), top: least('top'), right: most('right'), bottom: most('bottom') };
};
const hit = rows.flatMap((row) => {
  const all = [...document.querySelectorAll(row)].filter((e) => seen(e) && e.textContent.trim());
  const apart = (a, b) => !a.contains(b) && !b.contains(a);
  return all.flatMap((a, n) => all.slice(n + 1).filter((b) => apart(a, b) && over(room(a), room(b)))
    .map((b) => `${name(a)} over ${name(b)}`));
});
return [...cut, ...hit];
"""
"""Texts of the play screen that are cut off, and those that lie over each other."""


def to_the_desk(seat: Seat, table: RunningTable, waits_for: str = '[data-key="rule"]') -> None:
    """Through the arbiter's door with a fresh key."""
    seat.driver.get(f"{table.url}/arbiter")
    seat.write("key", table.web.seats.new_arbiter_key())
    seat.tap("enter")
    seat.until(lambda: seat.find(waits_for))


def test_the_start_page_brings_in_another_device(table: RunningTable, devices: list[Seat]) -> None:
    first, second = devices
    first.size(*SIZES["wide"])
    choose_language(first, table, "de")
    first.until(lambda: "Anna" in first.text('[data-start-seat="white"]'))
    first.tap("address")
    first.until(lambda: first.find("[data-address]"))
    first.shot("start-address")
    assert small_targets(first) == [] and serious(first) == []
    url = str(first.driver.execute_script("return document.querySelector('[data-address]').dataset.address"))
    second.size(*SIZES["tall"])
    second.driver.get(url)
    second.tap("sit-black")
    second.until(lambda: second.find("#ask"))
    first.until(lambda: "verbunden" in first.text('[data-start-seat="black"]'))


def test_a_link_names_its_seat_and_the_hand_over_is_asked_once(
    table: RunningTable, devices: list[Seat]
) -> None:
    first, second = devices
    first.expected = ["403"]
    first.sit(table, "white", "de", SIZES["wide"])
    first.tap("menu")
    first.tap("menu-link")
    first.until(lambda: first.find("#dialog [data-url]"))
    url = first.text("#dialog [data-url]")
    first.tap("close")
    second.size(*SIZES["tall"])
    choose_language(second, table, "en")
    second.driver.get(url)
    second.until(lambda: "Play as White" in second.text("main"))
    second.tap("join")
    second.until(lambda: "Tap “Hand over” on it" in second.text("main"))
    first.tap("handover-yes")
    second.until(lambda: second.find("#prompt"))
    first.until(lambda: first.find("#lost"))
    assert not first.driver.execute_script("return document.querySelector('#dialog').open")


def test_a_device_in_trouble_is_named_on_every_screen_until_it_heals(
    table: RunningTable, devices: list[Seat]
) -> None:
    player, other = devices
    player.sit(table, "white", "de", SIZES["wide"])
    other.size(*SIZES["tall"])
    choose_language(other, table, "en")
    to_the_desk(other, table)
    for path in ("/arbiter", "/watch"):
        other.driver.get(f"{table.url}{path}")
        other.until(lambda: other.find('.dev[data-health="ok"]'))
        table.hall.camera = "away"
        table.hall.tell()
        for screen, name in ((player, "Kamera"), (other, "Camera")):
            screen.until(lambda s=screen: s.find('#bar .dev[data-health="away"]'), "the sign")
            assert name in screen.text("#bar"), path
        player.shot("camera-away")
        player.tap(f"dev-{'Kamera'}")
        player.until(lambda: "Die Kamera ist weg" in player.text("#dialog"))
        player.tap("close")
        table.hall.camera = "ok"
        table.hall.tell()
        for screen in (player, other):
            screen.until(lambda s=screen: s.find('#bar .dev[data-health="ok"]'), "well again")
            assert not screen.find('#bar .dev[data-health="away"]')
    other.driver.get(f"{table.url}/health")
    table.hall.camera = "away"
    other.until(lambda: other.find('[data-device="camera"].away'), "the health page")


def test_the_arbiter_sees_a_wish_and_corrects_places_by_name(
    five_armies: Start, devices: list[Seat], tmp_path: Path
) -> None:
    running = five_armies(until="roll")
    arbiter = devices[1]
    arbiter.size(*SIZES["wide"])
    choose_language(arbiter, running, "de")
    to_the_desk(arbiter, running)
    arbiter.shot("arbiter-desk")
    arbiter.tap("arbiter-correct")
    arbiter.until(lambda: arbiter.find('[data-key="correct-place"]'))
    assert arbiter.ids_on_screen() == [] and small_targets(arbiter) == []
    places = arbiter.text('[data-key="correct-place"]').splitlines()
    assert len(places) > 40 and not any("rock" in place for place in places)
    arbiter.tap("close")
    arbiter.tap("arbiter-note")
    arbiter.until(lambda: "Punkte" in arbiter.text("#dialog"))
    choose = "const k = document.querySelector('[data-key=note-kind]'); k.value = arguments[0];"
    arbiter.driver.execute_script(f"{choose} k.dispatchEvent(new Event('change'))", "time")
    arbiter.until(lambda: "Sekunden" in arbiter.text("#dialog"))
    arbiter.driver.execute_script(f"{choose} k.dispatchEvent(new Event('change'))", "note")
    arbiter.until(lambda: not arbiter.find('[data-key="note-value"]'))
    arbiter.tap("close")
    arbiter.tap("position")
    arbiter.until(lambda: arbiter.find('[data-key="position-load"]'))
    assert small_targets(arbiter) == [] and serious(arbiter) == []
    loaded = tmp_path / "position.yaml"
    loaded.write_text("game: five_armies\nturn: x\n")
    arbiter.driver.find_element("css selector", '[data-key="position-file"]').send_keys(str(loaded))
    arbiter.until(lambda: arbiter.find('#dialog [data-key^="line-"]'), "mistakes named by line")
    arbiter.tap("close")
    table = running.hall.table
    assert table is not None
    asked = table.take_back(table.asked_seats[0], revision=table.revision)
    assert asked.kind == "take_back_asked"
    arbiter.until(lambda: arbiter.find("[data-asked]"))
    assert "zurücknehmen" in arbiter.text("[data-asked]") and arbiter.ids_on_screen() == []


@pytest.mark.parametrize(("language", "size"), [("de", "wide"), ("de", "tall"), ("en", "tall")])
def test_every_page_with_text_at_two_hundred_per_cent(
    five_armies: Start, chromium: None, tmp_path: Path, language: str, size: str
) -> None:
    running = five_armies()
    seat = open_browser(tmp_path / "profile", font_size=32)
    try:
        seat.size(*SIZES[size])
        choose_language(seat, running, language)
        seat.tap("unfold")
        seat.tap("house")
        seat.tap("address")
        seat.until(lambda: seat.find("[data-address]") and seat.find('[data-key^="house-rally"]'))
        for path in ("", "/health", "/fairness", "/setup", "/join", "/arbiter"):
            if path:
                seat.driver.get(running.url + path)
                seat.until(lambda: len(seat.text("main").strip()) > 20)
            seat.shot(f"text-200{path.replace('/', '-')}-{language}-{size}")
            assert overflow(seat) <= 0, path
            assert seat.driver.execute_script(CUT_OFF) == [], path
            assert seat.ids_on_screen() == [], path
        assert seat.problems() == []
    finally:
        seat.driver.quit()


def test_a_name_that_is_markup_stays_text_and_no_inline_code_runs(
    table: RunningTable, devices: list[Seat]
) -> None:
    hostile = "<img src=x onerror=hacked=1>"
    seat = devices[0]
    seat.size(*SIZES["wide"])
    choose_language(seat, table, "de")
    seat.tap("unfold")
    seat.until(lambda: seat.find('[data-key="name-white"]'))
    seat.driver.execute_script(
        "const e = document.querySelector('[data-key=name-white]'); e.value = arguments[0];"
        "e.dispatchEvent(new Event('input'))",
        hostile,
    )
    seat.tap("new-game")
    seat.until(lambda: hostile in seat.text('[data-start-seat="white"]'))
    seat.tap("sit-white")
    seat.until(lambda: hostile in seat.text("#seats"))
    seat.driver.get(f"{table.url}/watch")
    seat.until(lambda: hostile in seat.text("#seats"))
    assert seat.driver.execute_script("return typeof window.hacked") == "undefined"
    # the measure itself: a script written into the page does not run, whatever got it there
    seat.expected = ["Content Security Policy"]
    seat.driver.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.hacked = 2';"
        "document.body.append(s)"
    )
    assert seat.driver.execute_script("return typeof window.hacked") == "undefined"
    assert "Content Security Policy" in str(seat.driver.get_log("browser"))


def test_no_explanation_lies_over_the_picture_of_the_dice(five_armies: Start, devices: list[Seat]) -> None:
    running = five_armies(until="roll")
    table = running.hall.table
    assert table is not None
    seat = devices[0]
    seat.sit(running, table.asked_seats[0], "de", SIZES["tall"])
    seat.until(lambda: seat.find("#learn"), "the phase is explained")
    seat.tap("throw")
    seat.until(lambda: seat.find("[data-tray]"))
    seat.until(lambda: not seat.find("#learn"), "the picture is free")
    seat.shot("dice-first-game")
    seat.tap("slot-0")
    seat.until(lambda: seat.find('[data-key="not-a-die"]'))
    assert seat.driver.execute_script(CUT_OFF) == [], "names of faces stay in their buttons"
    for pixels in SIZES.values():
        seat.size(*pixels)
        seat.tap_on('#ask .faces button[aria-pressed="true"]')
        seat.until(lambda: seat.find('[data-key="slot-0"]'))
        seat.driver.execute_script("document.querySelector('[data-key=slot-0]').click()")
        seat.until(lambda: seat.find('[data-key="not-a-die"]'))
        seat.until(lambda: seat.driver.execute_script(UNDER_SOMETHING) == [], "faces that can be tapped")
    seat.shot("dice-faces")
    seat.tap_on('#ask .faces button[aria-pressed="true"]')
    seat.tap("accept")
    seat.until(lambda: not seat.find("[data-tray]") and seat.find("#learn"), "the explanation is back")


def test_the_desks_windows_with_text_at_two_hundred_per_cent(
    five_armies: Start, chromium: None, tmp_path: Path
) -> None:
    running = five_armies(until="choose_die")
    seat = open_browser(tmp_path / "profile", font_size=32)
    try:
        seat.size(*SIZES["tall"])
        choose_language(seat, running, "de")
        to_the_desk(seat, running)
        steps = [
            ["arbiter-stands"],
            ["arbiter-correct", "check-correct-open"],
            ["arbiter-note"],
            ["position"],
        ]
        for step in [*steps, ["log-open", f"event-{running.hall.table.revision}"]]:  # type: ignore[union-attr]
            for tap in step:
                seat.tap(tap)
            seat.until(lambda: seat.find("#dialog[open] [data-key=close]") and len(seat.text("#dialog")) > 60)
            seat.shot(f"text-200-desk-{step[-1]}")
            assert seat.driver.execute_script(CUT_IN_DIALOG) == [], step
            seat.tap("close")
        assert seat.problems() == []
    finally:
        seat.driver.quit()


@pytest.mark.parametrize(
    ("until", "by"), [("choose_die", "browser"), ("manoeuvre_both", "browser"), ("choose_die", "root")]
)
def test_the_play_screen_with_text_at_two_hundred_per_cent(
    five_armies: Start, chromium: None, tmp_path: Path, until: str, by: str
) -> None:
    """Text enlarged, in the browser or at the root of the page alone: nothing is cut or lies over anything
    at seats and the big screen."""
    running = five_armies(until=until, seed=1)
    table = running.hall.table
    assert table is not None
    seat = open_browser(tmp_path / "profile", font_size=32 if by == "browser" else 16)
    try:
        seat.sit(running, table.asked_seats[0], "de", SIZES["wide"])
        for path in (seat.driver.current_url, f"{running.url}/watch"):
            seat.driver.get(path)
            seat.until(lambda: seat.find("#prompt") and seat.find("svg.board"))
            if by == "root":
                seat.driver.execute_script("document.documentElement.style.fontSize = '200%'")
            for size, pixels in SIZES.items():
                seat.size(*pixels)
                screen = f"{until}-{by}-{path.split('/')[3]}-{size}"
                seat.shot(f"text-200-play-{screen}")
                assert overflow(seat) <= 0, screen
                assert seat.driver.execute_script(PLAY_PARTS_CUT) == [], screen
        assert seat.problems() == []
    finally:
        seat.driver.quit()
