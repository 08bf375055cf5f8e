"""The arbiter's tablet in a real browser: an answer that was found illegal later, and a correction undone."""

from __future__ import annotations

from pathlib import Path

from driving import Seat
from tables import RunningTable


def as_arbiter(seat: Seat, table: RunningTable) -> None:
    """Through the arbiter's door."""
    key = table.web.seats.new_arbiter_key()
    seat.size(1024, 768)
    seat.driver.get(f"{table.url}/arbiter")
    seat.write("key", key)
    seat.tap_on("form button, main button")
    seat.until(lambda: seat.find('[data-key="arbiter-stands"]') is not None)


def test_an_answer_found_illegal_later_stands_by_the_arbiters_tablet(
    chromiums: list[Seat], tmp_path: Path
) -> None:
    table = RunningTable(tmp_path, "toy")
    desk, white = chromiums
    try:
        for one in (desk, white):
            one.forget()
        white.sit(table, "white", "de", (800, 1100))
        hall = table.hall.table
        assert hall is not None
        hall.answer("white", hall.request.options[0], revision=hall.revision)  # type: ignore[union-attr]
        as_arbiter(desk, table)
        desk.taps = 0
        desk.tap("arbiter-stands")
        desk.tap("later-1")
        desk.write("later-reason", "Beide haben es nicht gesehen.")
        desk.shot("arbiter_later_stands")
        desk.tap("later-stands")
        event = desk.until(lambda: hall.events()[-1] if hall.revision == 2 else None)
        assert (event.kind, event.answer["stands"], event.source) == ("ruling", 1, "arbiter")
        assert desk.taps == 3
        white.until(lambda: "Ereignis 1 gilt trotzdem: Beide haben es nicht gesehen." in white.text("main"))
        assert not desk.problems() and not white.problems()
        for one in (desk, white):
            one.forget()
    finally:
        table.close()


def test_the_arbiter_unfolds_what_is_open_to_either_side_of_a_secret_choice(
    chromiums: list[Seat], tmp_path: Path
) -> None:
    table = RunningTable(tmp_path, "toy", until="secret")
    desk = chromiums[0]
    try:
        desk.forget()
        hall = table.hall.table
        assert hall is not None
        hall.answer("white", "rock", revision=hall.revision)
        as_arbiter(desk, table)
        desk.tap("arbiter-stands")
        desk.until(lambda: desk.find('[data-key="secret-white"]'))
        assert "Paper" not in desk.text("dialog") and "Rock" not in desk.text("dialog")
        desk.tap("secret-black")
        desk.until(lambda: "Rock" in desk.text("dialog") and "Paper" in desk.text("dialog"))
        desk.shot("arbiter_secret")
        assert "has chosen" in desk.text("dialog") and "still chooses" in desk.text("dialog")
        assert not desk.problems()
        desk.forget()
    finally:
        table.close()
