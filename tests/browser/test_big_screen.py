"""The big screen: nothing to tap, a fight fills it, a stream sees through it."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from driving import Seat
from PIL import Image
from tables import RunningTable
from test_pages import overflow, serious

TO_TAP = """
const all = document.querySelectorAll('button, a[href], input, select, summary, [tabindex="0"]');
const open = [...all].filter((e) => e.getClientRects().length && !e.closest('[inert]'));
return open.map((e) => e.outerHTML.slice(0, 80));
"""
LETTERS = """
const says = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
const shown = [...document.querySelectorAll('main p, main b, main span, main h2, main h3')]
  .filter((e) => e.getClientRects().length && says(e) && !e.closest('.unseen'));
return Math.min(...shown.map((e) => parseFloat(getComputedStyle(e).fontSize)));
"""
PART = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return box.width * box.height / (innerWidth * innerHeight);
"""
CUT_BELOW = """
const part = document.querySelector(arguments[0]), {bottom} = part.getBoundingClientRect();
const cut = (e) => e.getBoundingClientRect().bottom > bottom + 1;
return [...part.children].filter(cut).map((e) => e.textContent);
"""
LETTERS_OF_A_TABLET = 16.0
LEAST_LETTERS = 18.0
"""CSS pixels at 1920 x 1080: what is smallest (spaces of a track) is still read from a sofa."""


@pytest.mark.parametrize(
    ("game", "until", "seed"),
    [
        ("five_armies", "break_off", 7),
        ("war_of_the_ring", "choose_second_army", 4),
        ("mountain_king", "second_action", 2),
        ("battlelore", "choose_fighter", 5),
    ],
)
def test_the_big_screen_tells_the_game_and_has_nothing_to_tap(
    tmp_path: Path, devices: list[Seat], game: str, until: str, seed: int
) -> None:
    running, seat = RunningTable(tmp_path, game, until=until, seed=seed), devices[0]
    try:
        seat.theme("dark")
        seat.size(1920, 1080)
        seat.driver.get(f"{running.url}/watch?language=en")
        seat.until(lambda: seat.find(".board .place-name"), "the board with its names")
        assert seat.driver.execute_script(TO_TAP) == []
        assert overflow(seat) <= 0 and serious(seat) == []
        assert seat.driver.execute_script(LETTERS) >= LEAST_LETTERS
        assert len(seat.text("#last")) > 10 and seat.text("#prompt")
        assert seat.ids_on_screen() == []
        if game == "five_armies":
            assert seat.driver.execute_script(PART, ".focus") > 0.95, "a fight fills the screen"
        if game == "war_of_the_ring":
            assert seat.find(".arrows .head"), "the march has its arrow"
        seat.shot(f"big-screen-{game}")
        seat.size(820, 1180)  # on a tablet held upright: all of it in one column
        seat.settle(own=True)
        seat.shot(f"big-screen-{game}-tall")
        assert seat.driver.execute_script(LETTERS) >= LETTERS_OF_A_TABLET
        assert seat.driver.execute_script(CUT_BELOW, "#log") == []
        seat.size(1920, 1080)
        # as a source of a stream: what has no sign on it is seen through
        seat.driver.get(f"{running.url}/watch?language=en&transparent=1")
        seat.until(lambda: seat.text("#last"))
        see_through = {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
        seat.driver.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", see_through)
        shot = seat.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        seat.driver.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {})
        with Image.open(io.BytesIO(base64.b64decode(shot))) as picture:
            alpha = picture.convert("RGBA").getchannel("A")
            assert alpha.getpixel((60, 60)) == 0, "the table shows through"
            assert alpha.getextrema() == (0, 255), "signs are whole"
    finally:
        seat.leave()
        running.close()
