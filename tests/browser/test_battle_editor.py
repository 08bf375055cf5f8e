"""The editor of battles in a real browser: tiles and units by tapping, checked, played out, kept, printed;
then the battle that was kept is laid by light and begun."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import Seat
from fake_devices import Bench
from tables import RunningTable
from test_pages import SIZES, overflow, serious, small_targets

from calibration.workbench import Workbench
from referee.games.battlelore.box.scenario import load, write_scenario
from referee.hall.table import Table


def stands(shelf: Any, side: str, hex_: str) -> Callable[[], bool]:
    """Whether a red unit of four stands in a hex of a side."""
    return lambda: any(f" {hex_} foot red 4" in line for line in shelf.data["units"][side])


def made_by_tapping(seat: Seat, shelf: Any) -> None:
    """Woods and a unit are set, the unit is moved, the move taken back, the field mirrored."""
    seat.tap("stack-woods")
    seat.tap_place("d3")
    seat.until(lambda: "d3" in shelf.data["terrain"].get("woods", ()))
    seat.tap("stack-foot red")
    seat.tap_place("a2")
    seat.until(stands(shelf, "south", "a2"))
    seat.until(lambda: seat.find('[data-stack="a2"]'))
    seat.tap("hand")
    seat.tap_place("a2")
    seat.until(lambda: seat.find("[data-held]"))
    seat.tap_place("b2")
    seat.until(stands(shelf, "south", "b2"))
    seat.tap("undo")
    seat.until(stands(shelf, "south", "a2"))
    seat.tap("mirror-turn")
    seat.until(stands(shelf, "north", "i12"))


def played_out_and_kept(seat: Seat, url: str, language: str) -> None:
    """Two games are played out; then the battle is kept, and printed."""
    seat.write("playouts-count", "2")
    seat.tap("play-out")
    seat.until(lambda: seat.find('[data-playouts="done"]'))
    seat.tap("keep")
    seat.until(lambda: seat.find("[data-kept]"))
    seat.driver.get(f"{url}/setup/battles/battlelore/sheet")
    seat.until(lambda: seat.find("#print"))
    seat.shot(f"battle-sheet-{language}")
    assert seat.ids_on_screen() == []


def laid_by_light(seat: Seat, url: str, hall: Table, language: str) -> None:
    """What was begun is laid place by place, and left."""
    hall.offer_laying()
    seat.driver.get(f"{url}/seat/south")
    seat.tap("check-lay")
    seat.until(lambda: seat.find("[data-check]"))
    seat.shot(f"laying-{language}")
    seat.tap("check-right")
    seat.until(lambda: hall.board_check is not None and len(hall.board_check.answers) == 1)
    assert (seat.ids_on_screen(), small_targets(seat)) == ([], [])
    seat.tap("check-stop")
    seat.until(lambda: hall.board_check is None)


@pytest.mark.parametrize(("language", "theme"), [("de", "light"), ("en", "dark")])
def test_a_battle_by_tapping(devices: list[Seat], tmp_path: Path, language: str, theme: str) -> None:
    table = RunningTable(tmp_path, "battlelore", options={"box": {"sections": "fifth"}})
    bench = Bench(tmp_path / "bench")
    table.hall.workbench = workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
    shelf = workbench.battles(table.game)
    shelf.take_in(write_scenario(load("own_03")))
    try:
        seat = devices[0]
        seat.sit(table, "south", language, SIZES["wide"])
        seat.theme(theme)
        seat.driver.get(f"{table.url}/setup/battles")
        seat.until(lambda: seat.find('[data-place="e7"]'))
        if seat.language() != language:
            seat.tap(f"language-{language}")
            seat.until(lambda: seat.language() == language and seat.find('[data-place="e7"]'))
        made_by_tapping(seat, shelf)
        for size, pixels in SIZES.items():
            seat.size(*pixels)
            seat.until(lambda: seat.find("[data-stack]"))
            seat.shot(f"battles-{language}-{size}")
            assert overflow(seat) <= 0, size
        assert (seat.ids_on_screen(), serious(seat), small_targets(seat)) == ([], [], [])
        seat.size(*SIZES["wide"])
        played_out_and_kept(seat, table.url, language)
        assert table.hall.table is not None
        laid_by_light(seat, table.url, table.hall.table, language)
    finally:
        workbench.close()
        table.close()
