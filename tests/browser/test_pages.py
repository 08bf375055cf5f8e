"""Every page in both languages, both sizes and both themes: texts, targets, axe, 200 per cent text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_core_python.selenium import Axe
from driving import Seat, open_browser
from tables import RunningTable

from referee.serving.hosting import NewGame

PAGES = {
    "start": "/",
    "join": "/join",
    "watch": "/watch",
    "door": "/arbiter",
    "health": "/health",
    "fairness": "/fairness",
    "setup": "/setup",
}
CUT_OFF = """
return [...document.querySelectorAll('button, h1, h2, h3, p')].filter((e) => e.getClientRects().length &&
  e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).textOverflow !== 'ellipsis')
  .map((e) => e.textContent.slice(0, 40));
"""
SIZES = {"wide": (1180, 820), "tall": (820, 1180)}


def serious(seat: Seat) -> list[Any]:
    """Serious findings of axe-core on the page as it is."""
    found = Axe().run(seat.driver)["violations"]
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def small_targets(seat: Seat) -> list[str]:
    """Visible buttons and links that are smaller than 48 px in a direction."""
    return list(
        seat.driver.execute_script(
            "return [...document.querySelectorAll('button, a.button, input, summary')].filter((e) => {"
            "const r = e.getBoundingClientRect(); return r.width && (r.height < 47.5 || r.width < 47.5)"
            "}).map((e) => `${e.dataset.key || e.className || e.tagName} ${e.textContent.slice(0, 20)}`)"
        )
    )


def overflow(seat: Seat) -> int:
    """CSS pixels by which the page is wider than the screen."""
    return int(
        seat.driver.execute_script(
            "const root = document.documentElement; return root.scrollWidth - root.clientWidth"
        )
    )


def choose_language(seat: Seat, table: RunningTable, language: str) -> None:
    seat.driver.get(table.url)
    seat.until(lambda: seat.find('[data-key="language-de"]'))
    if seat.language() != language:
        seat.tap(f"language-{language}")
        seat.until(lambda: seat.language() == language and seat.find('[data-key="language-de"]'))


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_page(table: RunningTable, devices: list[Seat], language: str) -> None:
    seat = devices[0]
    seat.size(*SIZES["wide"])
    seat.theme("light" if language == "de" else "dark")
    choose_language(seat, table, language)
    for name, path in PAGES.items():
        seat.driver.get(table.url + path)
        seat.until(lambda: len(seat.text("main").strip()) > 20)
        for size, pixels in SIZES.items():
            seat.size(*pixels)
            seat.shot(f"page-{name}-{language}-{size}")
            assert overflow(seat) <= 0, (name, size)
        assert seat.ids_on_screen() == [], name
        assert serious(seat) == [], name
        assert small_targets(seat) == [], name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_game_page(table: RunningTable, devices: list[Seat], theme: str) -> None:
    seat = devices[0]
    seat.theme(theme)
    seat.sit(table, "white", "de", SIZES["wide"])
    for step in ("place", "spend", "roll", "read", "manual"):
        if step == "spend":
            seat.tap_place("east")
            seat.until(lambda: seat.prompt == "Wie viele Marken?")
        elif step == "roll":
            seat.tap("more-men")
            seat.tap("confirm")
            seat.until(lambda: seat.prompt == "Bitte würfeln.")
        elif step == "read":
            seat.tap("throw")
            seat.until(lambda: seat.find("[data-tray]"))
        elif step == "manual":
            seat.tap("manual")
        for size, pixels in SIZES.items():
            seat.size(*pixels)
            assert overflow(seat) <= 0, (step, size)
        assert serious(seat) == [], step
        assert small_targets(seat) == [], step


def test_dialogs(table: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    seat.sit(table, "white", "en", SIZES["tall"])
    for key in ("menu-rules", "menu-wait", "menu-undo", "menu-link", "menu-resign"):
        seat.tap("menu")
        seat.tap(key)
        seat.until(lambda: seat.find("#dialog[open]"))
        seat.settle(own=True)
        assert seat.ids_on_screen() == [], key
        assert serious(seat) == [], key
        assert small_targets(seat) == [], key
        seat.shot(f"dialog-{key}")
        seat.tap("close")


def test_a_running_game_is_put_away_only_where_that_is_wanted(
    table: RunningTable, devices: list[Seat]
) -> None:
    first, seat = table.game_key, devices[0]
    table.hall.start(NewGame("toy", {"white": "Cleo", "black": "Dora"}))
    assert table.hall.table is not None
    second = table.hall.table.id
    choose_language(seat, table, "en")
    for size, pixels in SIZES.items():
        seat.size(*pixels)
        assert "White to act" in seat.text(f'[data-key="resume-{first}"]'), "how the right game is found"
        seat.tap(f"resume-{first}")
        seat.until(lambda: seat.find("#dialog[open]"))
        seat.settle(own=True)
        seat.shot(f"resume-{size}")
        assert small_targets(seat) == [] and serious(seat) == [] and overflow(seat) <= 0
        seat.tap("resume-no")
        seat.until(lambda: not seat.find("#dialog[open]"))
        assert table.hall.table.id == second
    seat.tap(f"resume-{first}")
    seat.tap("resume-yes")
    seat.until(lambda: table.hall.table is not None and table.hall.table.id == first)
    seat.until(lambda: seat.find(f'[data-key="resume-{second}"]'))


def test_text_at_two_hundred_per_cent(table: RunningTable, chromium: None, tmp_path: Path) -> None:
    """Nothing is cut off to the side, and the confirm button can still be reached."""
    seat = open_browser(tmp_path / "profile", font_size=32)
    try:
        seat.sit(table, "white", "de", SIZES["wide"])
        for size, pixels in SIZES.items():
            seat.size(*pixels)
            seat.driver.refresh()
            seat.until(lambda: seat.prompt == "Wohin geht die Figur von Norden?")
            assert overflow(seat) <= 0
            seat.tap_place("east")
            seat.tap("more-men")
            seat.until(lambda: seat.find('[data-key="confirm"]:not(:disabled)'))
            assert overflow(seat) <= 0
            seat.shot(f"text-200-{size}")
            assert seat.driver.execute_script(CUT_OFF) == []
        assert seat.problems() == []
    finally:
        seat.driver.quit()


def test_reduced_motion_stops_the_lights(table: RunningTable, devices: list[Seat], moving: None) -> None:
    seat = devices[0]
    seat.sit(table, "white", "de", SIZES["wide"])
    running = "return document.getAnimations().filter((a) => a.playState === 'running').length"
    assert seat.driver.execute_script(running) > 0
    seat.still()
    seat.until(lambda: seat.driver.execute_script(running) == 0)
    label = "return document.querySelector('.hit.can').getAttribute('aria-label')"
    assert "wählbar" in str(seat.driver.execute_script(label))


def test_the_arbiters_desk(table: RunningTable, devices: list[Seat]) -> None:
    player, arbiter = devices
    arbiter.expected = ["403"]
    key = table.web.seats.new_arbiter_key()
    player.sit(table, "white", "de", SIZES["wide"])
    arbiter.size(*SIZES["wide"])
    choose_language(arbiter, table, "en")
    arbiter.driver.get(f"{table.url}/arbiter")
    arbiter.write("key", "wrong")
    arbiter.tap("enter")
    arbiter.until(lambda: "does not fit" in arbiter.text())
    arbiter.write("key", key)
    arbiter.tap("enter")
    arbiter.until(lambda: arbiter.find('[data-key="rule"]'))
    arbiter.shot("arbiter")
    assert serious(arbiter) == [] and arbiter.ids_on_screen() == []
    player.tap("menu")
    player.tap("menu-wait")
    player.tap("object-now")
    arbiter.until(lambda: "objects" in arbiter.text("#ask"))
    player.until(lambda: "Partie ruht" in player.text("#seats"), "who is asked waits like all others")
    arbiter.write("reason", "Play on.")
    arbiter.tap("rule")
    player.until(lambda: player.prompt == "Wohin geht die Figur von Norden?")
    assert "Play on." in player.text("#log")
    arbiter.tap("revoke-white")
    player.expected = ["403"]
    player.until(lambda: player.find("#lost"))
