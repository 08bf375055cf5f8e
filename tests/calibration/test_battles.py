"""The battles of a table: undoing, keeping, reading back, and playing out in a process of its own."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from calibration.battles import UNDER_WAY, BattleShelf
from referee.kernel.errors import InvalidAnswer, StaleAnswer
from referee.kernel.located import FileProblems
from referee.kernel.registry import load_game

WOODS = {"do": "paint", "place": "e5", "terrain": "woods"}


@pytest.fixture
def shelf(tmp_path: Path) -> BattleShelf:
    return BattleShelf(load_game("battlelore"), tmp_path)


def again(shelf: BattleShelf) -> BattleShelf:
    """The shelf after the table was switched off."""
    return BattleShelf(shelf.game, shelf.folder.parent.parent)


def test_steps_are_undone_and_done_again(shelf: BattleShelf) -> None:
    first = shelf.data
    shelf.step(WOODS, shelf.number)
    second = shelf.data
    shelf.undo(shelf.number)
    assert (shelf.data, shelf.can_undo, shelf.can_redo) == (first, False, True)
    shelf.redo(shelf.number)
    assert shelf.data == second
    with pytest.raises(StaleAnswer):
        shelf.step(WOODS, shelf.number - 1)
    with pytest.raises(InvalidAnswer):
        shelf.step({"do": "paint", "place": "e5", "terrain": "lava"}, shelf.number)
    assert shelf.data == second
    shelf.undo(shelf.number)
    shelf.step({"do": "name", "value": "Anders"}, shelf.number)
    assert not shelf.can_redo


def test_a_kept_battle_is_read_from_its_file_alone(shelf: BattleShelf) -> None:
    with pytest.raises(InvalidAnswer):
        shelf.keep({})  # an empty field
    shelf.by_chance(3)
    shelf.step({"do": "name", "value": "Die Brücke"}, shelf.number)
    assert shelf.keep({}) == "die_brucke"
    path = shelf.folder / "die_brucke.yaml"
    path.write_text(path.read_text("utf-8").replace("Die Brücke", "Die Furt"), "utf-8")
    (shelf.folder / "broken.yaml").write_text("scenario: [", "utf-8")
    later = again(shelf)
    assert [(one.id, one.data["name"]["de"]) for one in later.kept()] == [("die_brucke", "Die Furt")]
    assert later.data == shelf.data, "what was under way goes on"
    later.open("die_brucke")
    assert later.data["name"]["de"] == "Die Furt"
    later.throw_away("die_brucke")
    assert later.kept() == [] and later.data["name"]["de"] == "Die Furt"
    for name in ("die_brucke", "../secret", UNDER_WAY):
        with pytest.raises(InvalidAnswer):
            later.open(name)


def test_a_file_that_is_wrong_is_named_line_by_line_and_changes_nothing(shelf: BattleShelf) -> None:
    shelf.by_chance(1)
    before = shelf.data
    wrong = shelf.text().replace("victory_banners", "victory_bananas").replace(" foot ", " fool ")
    with pytest.raises(FileProblems) as told:
        shelf.take_in(wrong)
    assert len(told.value.problems) > 2
    with pytest.raises(InvalidAnswer):
        shelf.take_in("#" * 100_000)
    assert shelf.data == before


def test_play_outs_tell_their_progress_and_can_be_stopped(shelf: BattleShelf) -> None:
    shelf.by_chance(2)
    with pytest.raises(InvalidAnswer):
        shelf.playouts.begin("battlelore", {}, 0, 1)
    shelf.playouts.begin("battlelore", {"scenario": shelf.text()}, 3, shelf.number)
    until = time.monotonic() + 120
    while (now := shelf.playouts.progress) is not None and now.running and time.monotonic() < until:
        time.sleep(0.05)
    assert now is not None and (now.games, now.failed, now.running) == (3, "", False)
    assert sum(now.wins.values()) == 3 and now.turns > 1
    shelf.playouts.begin("battlelore", {"scenario": shelf.text()}, 5000, shelf.number)
    shelf.playouts.stop()
    stopped = shelf.playouts.progress
    assert stopped is not None and not stopped.running and stopped.games < 5000
