"""Five seats on tablets and a phone: names, tracks, looks, sheets, secret steps, boards that change."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import ENGINES, Seat
from five_game import SEATS
from selenium.webdriver.common.keys import Keys
from tables import PLAYERS, RunningTable, answer
from test_pages import overflow, serious, small_targets

from referee.hall import silence
from referee.serving.hosting import NewGame

SIZES = {"wide": (1180, 820), "tall": (820, 1180), "phone": (390, 844)}

ROOM = """
// the letters of an element that can be seen, in CSS pixels, and all that it would take
const seen = (e) => {
  const range = document.createRange(); range.selectNodeContents(e);
  const all = range.getBoundingClientRect(), box = e.closest('.seatcard').getBoundingClientRect();
  return { wide: Math.min(all.right, box.right) - all.left, inside: all.right <= box.right + 1 && all.bottom <= box.bottom + 1 };
};
return [...document.querySelectorAll('.seatcard')].map((card) => {
  const [name, player, state] = ['.name', '.player', '.state'].map((css) => card.querySelector(css));
  return { seat: card.dataset.seatcard, name: seen(name), cut: name.scrollWidth > name.clientWidth + 1,
           player: player.clientWidth, full: player.scrollWidth, state: state.clientWidth,
           colour: getComputedStyle(card.querySelector('.seatmark')).color,
           form: card.querySelector('.seatmark').className.match(/shape-(\\w+)/)[1] };
});
"""  # noqa: E501
TRACKS = """
const box = document.querySelector('#tracks').getBoundingClientRect();
return [...document.querySelectorAll('.trackline')].map((line) => {
  const spaces = [...line.querySelectorAll('.space')].map((e) => e.getBoundingClientRect());
  const name = line.querySelector('b');
  return { name: name.textContent, cut: name.scrollWidth > name.clientWidth + 1,
    inside: spaces.every((r) => r.left >= box.left - 1 && r.right <= box.right + 1 && r.bottom <= box.bottom + 1 && r.width > 8) };
});
"""  # noqa: E501


@pytest.fixture
def five(tmp_path: Path) -> Iterator[RunningTable]:
    running = RunningTable(tmp_path, "five", options={"waves": 3})
    yield running
    running.close()


def play_to(table: RunningTable, prompt: str, seed: int = 3) -> str:
    """Answer at random until this is asked; gives of whom."""
    with table.web.hub.lock:
        hall, rng = table.hall.table, random.Random(seed)
        assert hall is not None
        while hall.request is not None and hall.request.prompt != prompt:
            answer(hall, hall.request.sample(rng))
        assert hall.request is not None
        return hall.request.seat


def fits(seat: Seat) -> None:
    """Nothing sticks out, all targets are large enough, axe finds nothing serious."""
    assert overflow(seat) <= 0
    assert small_targets(seat) == [] and serious(seat) == []


@pytest.mark.parametrize(
    ("devices", "language", "theme"),
    [("chromium", "de", "light"), ("webkit", "en", "dark")],
    indirect=["devices"],
)
def test_five_names_and_seven_tracks_are_in_sight(
    five: RunningTable, devices: list[Seat], language: str, theme: str
) -> None:
    seat = devices[0]
    seat.theme(theme)
    seat.sit(five, "green", language, SIZES["wide"])
    for size, pixels in SIZES.items():
        seat.size(*pixels)
        seat.until(lambda: len(seat.driver.execute_script(ROOM)) == 5)
        seat.shot(f"five-{language}-{size}-{seat.engine}")
        cards = {card["seat"]: card for card in seat.driver.execute_script(ROOM)}
        assert list(cards) == list(SEATS)
        for card in cards.values():
            assert not card["cut"] and card["name"]["inside"] and card["name"]["wide"] > 25, (size, card)
            assert card["player"] > 80 and card["state"] > 60, (size, card)
        short = [one for one, name in zip(SEATS, PLAYERS, strict=True) if len(name) < 10]
        assert all(cards[one]["full"] <= cards[one]["player"] + 1 for one in short), "players in full"
        tracks = seat.driver.execute_script(TRACKS)
        assert len(tracks) == 7 and all(one["inside"] and not one["cut"] for one in tracks), (size, tracks)
        fits(seat)


def test_a_seat_called_green_is_green_and_no_two_seats_look_alike(
    five: RunningTable, devices: list[Seat]
) -> None:
    seat = devices[0]
    seat.sit(five, "green", "en", SIZES["wide"])
    seat.until(lambda: len(seat.driver.execute_script(ROOM)) == 5)
    cards = {card["seat"]: card for card in seat.driver.execute_script(ROOM)}
    assert len({card["form"] for card in cards.values()}) == 5
    assert len({card["colour"] for card in cards.values()}) == 5

    def rgb(name: str) -> list[int]:
        return [int(part) for part in cards[name]["colour"].strip("rgb()").split(",")]

    for name, channel in (("green", 1), ("blue", 2)):
        assert rgb(name)[channel] == max(rgb(name)), (name, rgb(name))
    red, green, blue = rgb("pink")
    assert red > blue > green
    assert max(rgb("grey")) - min(rgb("grey")) < 12
    chips = seat.driver.execute_script(
        "return [...document.querySelectorAll('[data-stack] .plate')].map((e) => [getComputedStyle(e).fill, "
        "e.getAttribute('d')])"
    )
    assert len({fill for fill, _ in chips}) == 5 and len({shape for _, shape in chips}) == 5
    assert "rgb(242, 197, 34)" in {fill for fill, _ in chips}, "yellow is yellow"


@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_a_secret_of_steps_and_counts_is_answered_on_the_screen(
    five: RunningTable, devices: list[Seat]
) -> None:
    seat, other = devices
    seat.sit(five, "green", "de", SIZES["tall"])
    other.sit(five, "blue", "en", SIZES["wide"])
    seat.tap_on('[data-option="guard"]')
    seat.until(lambda: seat.prompt == "Stärke auf die Höhlen verteilen.")
    fits(seat)
    seat.tap("back")
    seat.until(lambda: seat.prompt == "Was tut dein Clan?")
    seat.tap_on('[data-option="guard"]')
    seat.until(lambda: seat.find('[data-key="more-cavern_0"]'))
    for key in ("more-cavern_0", "more-cavern_0", "more-cavern_0"):
        seat.tap(key)
    seat.until(lambda: "bewacht zwei" in seat.text("#ask"), "the refusal of the sum")
    seat.tap("less-cavern_0")
    seat.tap("more-cavern_2")
    seat.tap("confirm")
    seat.until(lambda: seat.find('[data-option="galar"]'))
    assert "Bewachen" in seat.text(".trail")
    assert "galar" not in other.text().lower() or "Galar" in other.text("#tracks")
    seat.tap_on('[data-option="galar"]')
    seat.until(lambda: seat.find('[data-key="confirm"]') and "Galar" in seat.text("#ask"))
    seat.tap("confirm")
    seat.until(lambda: seat.prompt == "Deine Wahl ist abgegeben." or "abgegeben" in seat.prompt)
    table = five.hall.table
    assert table is not None and set(table.standing.sealed) == {"green"}
    with five.web.hub.lock:
        for one in table.asked_seats:
            table.answer(one, ["rest"], revision=table.revision)
    seat.until(lambda: seat.prompt == "Was bietest du?", "a secret of counts alone")
    seat.tap("more-gold")
    seat.tap("confirm")
    seat.until(lambda: "abgegeben" in seat.prompt)
    assert table.standing.sealed.keys() == {"green"}


def test_sheets_are_tapped_and_gone_through_by_keys(five: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    who = play_to(five, "prompt.tile")
    seat.sit(five, who, "en", SIZES["wide"])
    seat.until(lambda: seat.find(f'[data-sheet="tableau_{who}"]'), "the sheet that the question is about")
    for size, pixels in SIZES.items():
        seat.size(*pixels)
        seat.shot(f"sheet-grid-{size}-{seat.engine}")
        fits(seat)
    seat.size(*SIZES["wide"])
    seat.tap(f"p-{who}_5")
    seat.until(lambda: seat.find('[data-sheet="wheel"]'), "the next step has its own sheet")
    assert "B2" in seat.text(".trail")
    seat.tap("back")
    seat.until(lambda: seat.find(f'[data-sheet="tableau_{who}"]') and not seat.find(".trail"), "a step back")
    seat.tap("sheet-board")
    seat.until(lambda: not seat.find(".sheets"), "back at the board")
    seat.tap("sheets")
    seat.tap(f"sheet-tableau_{who}")
    first = seat.until(lambda: seat.find(f'[data-key="p-{who}_0"]'))
    seat.driver.execute_script("arguments[0].focus()", first)
    seat.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_DOWN)
    focused = "return document.activeElement.dataset.place"
    seat.until(lambda: seat.driver.execute_script(focused) == f"{who}_8", "arrow keys go from cell to cell")
    seat.press(Keys.ENTER)
    seat.until(lambda: seat.find('[data-sheet="wheel"]'), "the ring")
    assert seat.find(".cell.lit") is not None
    for size, pixels in SIZES.items():
        seat.size(*pixels)
        seat.shot(f"sheet-ring-{size}-{seat.engine}")
        fits(seat)
    seat.tap_on(".cell.can")
    seat.until(lambda: seat.find('[data-sheet="display"]'), "the row of cards")
    seat.shot(f"sheet-cards-{seat.engine}")
    fits(seat)
    table = five.hall.table
    assert table is not None and table.play.state.tiles[who][8] == "", "nothing counts before it is confirmed"
    seat.tap_on('[data-option="no_card"]')
    seat.tap("confirm")
    seat.until(lambda: table.play.state.tiles[who][8] == "gem")


def test_a_screen_changes_its_board_with_the_game(five: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    seat.sit(five, "green", "en", SIZES["wide"])

    def places() -> int:
        return int(seat.driver.execute_script("return document.querySelectorAll('.hit').length"))

    seat.until(lambda: places() == 6)
    for caverns in (8, 5):
        with five.web.hub.lock:
            options, seats = {"caverns": caverns}, ("green", "pink", "grey")
            five.hall.start(NewGame("five", {}, options=options, seats=seats))
        five.web.follow()
        seat.until(lambda n=caverns: places() == n, f"{caverns} caverns")  # type: ignore[misc]
        seat.until(lambda: len(seat.driver.find_elements("css selector", ".seatcard")) == 3)
    assert "Old Kiln" in seat.driver.execute_script(
        "return [...document.querySelectorAll('.hit')].map((e) => e.ariaLabel).join()"
    )


def test_three_are_chosen_on_the_start_page(tmp_path: Path, devices: list[Seat]) -> None:
    running, seat = RunningTable(tmp_path, "five"), devices[0]
    try:
        seat.sit(running, "green", "de", SIZES["tall"])
        seat.driver.get(running.url)
        seat.tap("unfold")
        for one in ("blue", "yellow"):
            seat.tap(f"plays-{one}")
        seat.until(lambda: "3 von 5" in seat.text("main"))
        for size, pixels in SIZES.items():
            seat.size(*pixels)
            seat.shot(f"five-start-{size}")
            fits(seat)
        assert not seat.find('[data-key="name-blue"]') and seat.find('[data-key="name-pink"]')
        seat.tap("new-game")
        seat.until(lambda: running.hall.table is not None and len(running.hall.table.seats) == 3)
        seat.until(lambda: len(seat.driver.find_elements("css selector", ".place-card")) == 3)
    finally:
        seat.leave()
        running.close()


def test_resigning_wishing_and_a_shared_end(five: RunningTable, devices: list[Seat]) -> None:
    seat, other = devices
    play_to(five, "prompt.walk")
    seat.sit(five, "yellow", "de", SIZES["wide"])
    other.sit(five, "grey", "en", SIZES["wide"])
    seat.tap("menu")
    seat.tap("menu-wishes")
    seat.shot("five-wishes")
    seat.tap("wish-react-never")
    table: Any = five.hall.table
    seat.until(lambda: table.wishes_of("yellow") == {"react": "never"})
    other.tap("menu")
    other.tap("menu-resign")
    other.until(lambda: "play on without you" in other.text("#dialog"))
    other.tap("resign-now")
    seat.until(lambda: "aufgegeben" in seat.text('[data-seatcard="grey"]'))
    assert table.outcome is None
    with five.web.hub.lock:
        rng = random.Random(2)
        while table.request is not None:
            answer(table, table.request.sample(rng))
    seat.until(lambda: seat.find("[data-rank]"))
    ranked = seat.driver.find_elements("css selector", "[data-rank]")
    ranks = [int(one.get_attribute("data-rank")) for one in ranked]
    assert ranks[0] == 1 and ranks == sorted(ranks)
    assert "Grau" in ranked[-1].text
    seat.shot("five-end")


def test_taking_back_waits_for_who_is_there_and_not_for_who_sleeps(
    five: RunningTable, devices: list[Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "SILENCE_S", 2.0)
    roller, other = devices
    who = play_to(five, "prompt.roll", seed=5)
    there = next(seat for seat in SEATS if seat != who)
    roller.sit(five, who, "en", SIZES["wide"])
    other.sit(five, there, "de", SIZES["tall"])
    table: Any = five.hall.table
    with five.web.hub.lock:
        table.answer(who, table.request.sample(random.Random(1)), revision=table.revision)
        rolled = table.play.digest()
    roller.tap("menu")
    roller.tap("menu-undo")
    roller.tap("undo-now")
    other.until(lambda: other.find('[data-key="consent-yes"]'), "who is there is asked")
    roller.until(lambda: "away" in roller.text("#ask"), "what comes of silence is said")
    asleep = {seat for seat in SEATS if seat not in (who, there)}
    other.until(lambda: table.standing.agreed == asleep, "the sleeping ones count as yes")
    assert table.play.digest() == rolled, "but nobody goes back over the head of who is there"
    other.shot("five-consent")
    other.tap("consent-yes")
    roller.until(lambda: table.play.digest() != rolled and table.standing.asked is None)
    silent = [one for one in table.events() if one.kind == "consent" and one.source == "table"]
    assert {one.seat for one in silent} == asleep
