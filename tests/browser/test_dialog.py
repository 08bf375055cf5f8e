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
