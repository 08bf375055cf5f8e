"""What a table was asked of its box is in the owner's box book for the next game."""

from __future__ import annotations

from pathlib import Path

from fake_hall import FakeHall

from calibration.boxbook import BoxBook, Entry
from referee.kernel.registry import load_game
from referee.serving.box_answers import TOLD, answers_of, is_about_the_box, keep_answers
from referee.serving.hosting import NewGame


def test_an_answer_is_kept_corrected_and_taken_back_with_the_game(tmp_path: Path) -> None:
    """What the owner wrote himself stays as it is."""
    game = load_game("battlelore")
    hall = FakeHall(tmp_path, [game])
    hall.start(NewGame("battlelore", {}))
    table = hall.table
    assert table is not None

    def book() -> BoxBook:
        found = BoxBook(game, tmp_path)
        keep_answers(found, table.id, answers_of(table.events()))
        return BoxBook(game, tmp_path)

    asked = table.request
    assert asked is not None and asked.about["key"] == "sections"
    event = table.answer(asked.seat, "fourth", revision=table.revision)
    assert is_about_the_box(event)
    entry = book().entries["sections"]
    assert (entry.value, entry.certainty) == ("fourth", "medium") and table.id in entry.source
    table.take_back(asked.seat, revision=table.revision)
    assert book().entries == {}
    table.answer(asked.seat, "fifth", revision=table.revision)
    assert book().values == {"sections": "fifth"}
    mine = BoxBook(game, tmp_path)
    mine.write({"sections": Entry("none", "high", "the board")})
    assert book().entries["sections"] == Entry("none", "high", "the board")
    keep_answers(mine, "other", {"terrain.nowhere.stop": "yes"})  # what no form takes is left out
    assert set(book().entries) == {"sections"} and TOLD.format(game=table.id) != "the board"
    hall.close()
