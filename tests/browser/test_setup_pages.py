"""Set-up in a real browser: pages in both languages and sizes, a value kept, a die taught, LEDs tapped."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import Seat
from fake_devices import GAME, Bench
from tables import RunningTable
from test_pages import SIZES, overflow, serious, small_targets

from calibration.workbench import Workbench
from firmware_bridge.led_map import LedMap

SHEETS = ("camera", "dice", "leds", "book")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    folder = tmp_path / "bench"
    folder.mkdir()
    made = Bench(folder)
    made.image = made.tray.throw({}, 1)
    return made


@pytest.fixture
def owner(five_armies: Callable[..., RunningTable], devices: list[Seat], bench: Bench) -> Seat:
    """A device at a seat of a table with a workbench."""
    table = five_armies()
    table.hall.workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
    seat = devices[0]
    seat.sit(table, "free", "de", SIZES["wide"])
    seat.table = table  # type: ignore[attr-defined]
    return seat


def go(seat: Seat, path: str) -> None:
    """Open a page and wait until it says something."""
    seat.driver.get(seat.table.url + path)  # type: ignore[attr-defined]
    seat.until(lambda: len(seat.text("main").strip()) > 60)


@pytest.mark.parametrize(("language", "theme"), [("de", "light"), ("en", "dark")])
def test_every_set_up_page(owner: Seat, language: str, theme: str) -> None:
    owner.theme(theme)
    go(owner, "/setup")
    if owner.language() != language:
        owner.tap(f"language-{language}")
        owner.until(lambda: owner.language() == language)
    for sheet in SHEETS:
        go(owner, f"/setup/{sheet}")
        if sheet == "book":
            owner.tap("group-form.group.characters")
        if sheet == "camera":
            owner.until(lambda: owner.find('[data-finding="sharp"]'))
        if sheet == "dice":
            owner.tap("teach-free_action")
            owner.until(lambda: owner.find('[data-key="take"]'))
        if sheet == "leds":
            owner.tap("leds-begin")
            owner.until(lambda: owner.find("#led-now"))
        for size, pixels in SIZES.items():
            owner.size(*pixels)
            owner.shot(f"setup-{sheet}-{language}-{size}")
            assert overflow(owner) <= 0, (sheet, size)
        assert owner.ids_on_screen() == [], sheet
        assert serious(owner) == [], sheet
        assert small_targets(owner) == [], sheet


def test_a_value_is_entered_and_kept(owner: Seat, bench: Bench) -> None:
    go(owner, "/setup/book")
    owner.tap("group-form.group.characters")
    owner.driver.execute_script(
        "const e = document.querySelector('[data-key=\"value-leadership.gandalf\"]');"
        "e.value = '3'; e.dispatchEvent(new Event('change', {bubbles: true}));"
    )
    owner.tap("book-save")
    owner.until(lambda: "Gespeichert" in owner.text("[role=status]"))
    assert 'value = "3"' in (bench.folder / "boxes/default" / f"{GAME}.toml").read_text()


def test_an_ability_is_described_by_steps(owner: Seat, bench: Bench) -> None:
    """Three dice hitting on five against an army that the ruler reaches from Bard; then what it reaches."""
    go(owner, "/setup/book")
    owner.size(*SIZES["tall"])
    owner.tap("group-form.group.abilities")
    own = "steps-ability.bard"
    owner.tap(f"{own}-add")
    owner.tap(f"{own}-add-shoot")
    for _ in range(2):
        owner.tap(f"{own}-0-dice-more")
    for _ in range(3):
        owner.tap(f"{own}-0-target-more")
    for slot, option in (("by", "0"), ("reach", "0")):
        owner.driver.execute_script(
            f"const e = document.querySelector('[data-key=\"{own}-0-{slot}\"]');"
            f"e.value = '{option}'; e.dispatchEvent(new Event('change', {{bubbles: true}}));"
        )
    for size, pixels in SIZES.items():
        owner.size(*pixels)
        owner.driver.execute_script("document.querySelector('.steps').scrollIntoView()")
        owner.shot(f"setup-ability-{size}")
        assert overflow(owner) <= 0, size
    assert small_targets(owner) == [] and serious(owner) == [] and owner.ids_on_screen() == []
    owner.tap("group-form.group.reach")
    owner.tap("some-reach.camp-list")
    owner.tap("some-reach.camp-ravenhill")
    owner.shot("setup-reach")
    assert small_targets(owner) == [] and serious(owner) == [] and owner.ids_on_screen() == []
    owner.tap("book-save")
    owner.until(lambda: "Gespeichert" in owner.text("[role=status]"))
    file = tomllib.loads((bench.folder / "boxes/default" / f"{GAME}.toml").read_text())
    step = {"do": "shoot", "dice": 3, "target": 5, "by": "bard", "reach": "ruler"}
    assert file["ability.bard"]["value"] == [step]
    assert file["reach.camp"]["value"] == ["ravenhill"]


MARKER = "return getComputedStyle(document.querySelector(arguments[0]), '::before').content"


def test_a_printed_card_begins_with_what_the_card_is(
    tmp_path: Path, devices: list[Seat], bench: Bench
) -> None:
    """Of the steps only the card itself may come first, and once; what is folded up does not look open."""
    table, owner = RunningTable(tmp_path, "mountain_king"), devices[0]
    try:
        table.hall.workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
        owner.sit(table, str(table.game.seats[0]), "en", SIZES["tall"])
        owner.table = table  # type: ignore[attr-defined]
        go(owner, "/setup/book")
        owner.tap("group-form.group.champions")
        adding = owner.until(lambda: owner.find("[data-key^='steps-champion.'][data-key$='-add']"))
        key = str(adding.get_attribute("data-key"))
        assert owner.driver.execute_script(MARKER, f'[data-key="{key}"]') == '"▸"'

        def offered() -> list[str]:
            owner.tap(key)
            owner.until(lambda: owner.find(f'[data-key^="{key}-"]'))
            assert owner.driver.execute_script(MARKER, f'[data-key="{key}"]') == '"▾"'
            found = owner.driver.find_elements("css selector", f'[data-key^="{key}-"]')
            return [str(one.get_attribute("data-key")).removeprefix(f"{key}-") for one in found]

        assert offered() == ["card"]
        owner.shot("setup-champion-first")
        owner.tap(f"{key}-card")
        following = offered()
        assert "card" not in following and {"line", "symbol", "ability"} <= set(following)
        owner.tap(f"{key}-symbol")
        own = key.removesuffix("-add")
        out, up = (owner.until(lambda k=k: owner.find(f'[data-key="{own}-{k}"]')) for k in ("0-out", "1-up"))
        assert not out.is_enabled() and not up.is_enabled(), "the card itself stays first"
        owner.shot("setup-champion-steps")
        assert small_targets(owner) == [] and serious(owner) == [] and owner.ids_on_screen() == []
    finally:
        owner.leave()
        table.close()


def test_a_die_is_taught(owner: Seat, bench: Bench) -> None:
    go(owner, "/setup/dice")
    owner.tap("teach-shadow_action")
    for taken in range(3):
        owner.tap("lay")
        owner.tap("take")
        owner.until(lambda: owner.find("[role=status].card"), "what came of it")
        owner.until(lambda n=taken: _taken(owner) == n + 1, "the picture")
    owner.tap("test")
    owner.until(lambda: owner.find("#teach-test"))
    owner.tap("finish")
    owner.until(bench.taught_path().exists)


def _taken(seat: Seat) -> int:
    """Pictures taken so far, from what is still missing of six faces."""
    text = str(
        seat.driver.execute_script(
            "return [...document.querySelectorAll('[data-key^=face-]')].map((e) => e.innerText).join(' ')"
        )
    )
    numbers = [int(word) for word in text.split() if word.isdigit()]
    return 6 * len(numbers) - sum(numbers)


def test_leds_are_tapped_on_the_board(owner: Seat, bench: Bench) -> None:
    go(owner, "/setup/leds")
    owner.tap("leds-begin")
    owner.tap_place("camp")
    owner.until(lambda: "2" in owner.text("#led-now"))
    owner.tap("leds-skip")
    owner.until(lambda: "3" in owner.text("#led-now"))
    owner.tap("leds-save")
    owner.until(bench.led_map_path().exists)
    assert LedMap.load(bench.led_map_path()).places == {"camp": (0,)}
    owner.until(lambda: owner.find("#led-now") is None)


def test_first_game_help_and_clock(owner: Seat) -> None:
    go(owner, "/seat/free")
    owner.until(lambda: owner.find("#learn"))
    assert serious(owner) == [] and small_targets(owner) == []
    owner.tap("learn-open")
    owner.tap("learn-ok")
    owner.until(lambda: owner.find("#learn") is None)
    owner.tap_place("bl_east_hill_north")  # of the other side: what is to be set up is moved by a tap
    owner.tap("explain-unit-wargs")
    owner.until(lambda: "S. 10" in owner.text("#dialog"))
    assert serious(owner) == []
    owner.tap("close")
    owner.table.web.clock.set(20)  # type: ignore[attr-defined]
    owner.table.web.hub.changed()  # type: ignore[attr-defined]
    owner.tap("clock-pause")
    owner.until(lambda: owner.find('[data-clock="free"].runs'))
    owner.until(lambda: "19:5" in owner.text('[data-clock="free"]'))
    owner.tap("menu")
    owner.tap("menu-turn")
    owner.until(lambda: owner.find("#dialog[open]"))
    assert owner.ids_on_screen() == [] and serious(owner) == []
