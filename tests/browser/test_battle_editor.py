"""The editor of battles in a real browser: tiles and units by tapping, checked, played out, kept, printed;
then the battle that was kept is laid by light and begun."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import Seat
from fake_devices import Bench
from tables import RunningTable
from test_pages import SIZES, overflow, serious, small_targets

from calibration.workbench import Workbench
from referee.games.battlelore.box.scenario import load, write_scenario


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
        seat.tap("stack-woods")
        seat.tap_place("d3")
        seat.until(lambda: "d3" in shelf.data["terrain"].get("woods", ()))
        seat.tap("stack-foot red")
        seat.tap_place("a2")
        seat.until(lambda: any(" a2 foot red 4" in line for line in shelf.data["units"]["south"]))
        seat.until(lambda: seat.find('[data-stack="a2"]'))
        seat.tap("hand")
        seat.tap_place("a2")
        seat.until(lambda: seat.find("[data-held]"))
        seat.tap_place("b2")
        seat.until(lambda: any(" b2 foot red 4" in line for line in shelf.data["units"]["south"]))
        seat.tap("undo")
        seat.until(lambda: any(" a2 foot red 4" in line for line in shelf.data["units"]["south"]))
        seat.tap("mirror-turn")
        seat.until(lambda: any(" i12 foot red 4" in line for line in shelf.data["units"]["north"]))
        for size, pixels in SIZES.items():
            seat.size(*pixels)
            seat.until(lambda: seat.find("[data-stack]"))
            seat.shot(f"battles-{language}-{size}")
            assert overflow(seat) <= 0, size
        assert (seat.ids_on_screen(), serious(seat), small_targets(seat)) == ([], [], [])
        seat.size(*SIZES["wide"])
        seat.write("playouts-count", "2")
        seat.tap("play-out")
        seat.until(lambda: seat.find('[data-playouts="done"]'))
        seat.tap("keep")
        seat.until(lambda: seat.find("[data-kept]"))
        seat.driver.get(f"{table.url}/setup/battles/battlelore/sheet")
        seat.until(lambda: seat.find("#print"))
        seat.shot(f"battle-sheet-{language}")
        assert seat.ids_on_screen() == []
        hall = table.hall.table
        assert hall is not None
        hall.offer_laying()
        seat.driver.get(f"{table.url}/seat/south")
        seat.tap("check-lay")
        seat.until(lambda: seat.find("[data-check]"))
        seat.shot(f"laying-{language}")
        seat.tap("check-right")
        seat.until(lambda: hall.board_check is not None and len(hall.board_check.answers) == 1)
        assert (seat.ids_on_screen(), small_targets(seat)) == ([], [])
        seat.tap("check-stop")
        seat.until(lambda: hall.board_check is None)
    finally:
        workbench.close()
        table.close()
