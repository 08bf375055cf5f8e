"""A dialog holds the page: keyboard, fingers, screen readers reach it alone, then go back."""

from __future__ import annotations

import pytest
from driving import ENGINES, Seat
from selenium.webdriver.common.keys import Keys
from tables import RunningTable
from test_pages import SIZES, serious

KEY = "return document.activeElement.dataset.key || document.activeElement.tagName"
INSIDE = "return document.querySelector('#dialog').contains(document.activeElement)"
BEHIND = """
const may = '#dialog, #say, .shade, script, [aria-hidden=true]';
return [...document.body.children].filter((e) => !e.matches(may)).map((e) => e.id || e.className);
"""
COVERED = """
const r = document.querySelector(arguments[0]).getBoundingClientRect();
return Boolean(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2).closest('#dialog, .shade'));
"""


@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_a_dialog_holds_keyboard_fingers_and_screen_readers(table: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    seat.sit(table, "white", "en", SIZES["wide"])
    seat.driver.execute_script("document.querySelector('[data-key=menu]').focus()")
    seat.press(Keys.ENTER)
    seat.until(lambda: seat.find("#dialog[open]"))
    assert seat.driver.execute_script(KEY) == "close"
    dialog = seat.find("#dialog")
    assert dialog.aria_role == "dialog" and dialog.accessible_name == "Menu"
    assert dialog.get_attribute("aria-modal") == "true"
    assert seat.driver.execute_script(BEHIND) == []
    seat.until(lambda: seat.find('[data-key="menu-resign"]'), "all of the menu")
    assert serious(seat) == []
    count = int(
        seat.driver.execute_script("return document.querySelectorAll('#dialog :is(button, a)').length")
    )
    stops = []
    for _ in range(count + 2):
        seat.press(Keys.TAB)
        assert seat.driver.execute_script(INSIDE)
        stops.append(seat.driver.execute_script(KEY))
    assert "close" in stops and "menu-resign" in stops, "round and round"
    seat.driver.execute_script("document.querySelector('#dialog [data-key=close]').focus()")
    seat.press(Keys.TAB, held=Keys.SHIFT)
    assert seat.driver.execute_script(KEY) == "menu-resign"
    seat.driver.execute_script("document.querySelector('[data-key=zoom-in]').focus()")
    assert seat.driver.execute_script(INSIDE), "the page behind takes no focus"
    for css in ('[data-key="zoom-in"]', '[data-key="menu"]', '.hit[data-place="west"]'):
        assert seat.driver.execute_script(COVERED, css), css
    seat.press(Keys.ESCAPE)
    assert seat.find("#dialog[open]") is None
    assert seat.driver.execute_script(KEY) == "menu"
    seat.until(lambda: seat.driver.execute_script("return !document.querySelector('body > [aria-hidden]')"))


def test_a_dialog_that_opens_another_still_holds_the_page(table: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    seat.sit(table, "white", "en", SIZES["tall"])
    seat.tap("menu")
    seat.tap("menu-wait")
    seat.until(lambda: seat.find('[data-key="object-now"]'))
    assert seat.driver.execute_script(BEHIND) == []
    seat.press(Keys.ESCAPE)
    seat.until(lambda: seat.driver.execute_script("return !document.querySelector('body > [aria-hidden]')"))


GROWS = """
const done = arguments[arguments.length - 1];
const dialog = document.getElementById('dialog');
const at = () => [...dialog.querySelectorAll('h2, [data-key]')].map((e) => {
  const { x, y } = e.getBoundingClientRect();
  return [e.dataset.key || e.id, x, y];
});
document.querySelector(arguments[0]).click();
requestAnimationFrame(() => {
  const first = at();
  const later = () => {
    const now = at();
    if (now.length === first.length) return setTimeout(later, 20);
    done([first, now.slice(0, first.length), now.length, document.activeElement.dataset.key]);
  };
  later();
});
"""


@pytest.mark.parametrize(("key", "focus"), [("menu", "close"), ("find-place", "place-query")])
@pytest.mark.parametrize("size", ["wide", "tall"])
def test_what_is_seen_first_of_a_dialog_stays_where_it_is(
    table: RunningTable, devices: list[Seat], size: str, key: str, focus: str
) -> None:
    """A menu of forty buttons answered a tap two frames later than a short one: the rest of it follows."""
    seat = devices[0]
    seat.sit(table, "white", "en", SIZES[size])
    seat.settle()
    first, after, count, focused = seat.driver.execute_async_script(GROWS, f'[data-key="{key}"]')
    assert first == after and count > len(first) > 1
    assert focused == focus
