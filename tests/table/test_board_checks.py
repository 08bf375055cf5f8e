"""Board against record: the walk, its event, what is visited next time, and corrections by consent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import table_bot
import toy_game
from sqlalchemy.exc import OperationalError

from referee.archive.rechecking import Illegal, Recheck
from referee.hall.board_check import contents
from referee.hall.table import Table
from referee.journal.errors import Frozen, NotAllowed, NotPossible, StoreUnwritable
from referee.kernel.errors import InvalidAnswer
from referee.kernel.lights import PALETTE, Meaning
from referee.kernel.registry import load_game
from referee.store.store import Store

PUT = {"do": "put", "seat": "white", "place": "south"}


def walk(table: Table, says: dict[str, str] | None = None, seat: str = "white") -> Any:
    """Answer the walk under way; the event at its end."""
    event = None
    while table.board_check is not None:
        place = table.board_check.current
        assert place is not None
        event = table.answer_board_check(seat, place, (says or {}).get(place, "right"))
    return event


def rechecked(table: Table) -> Recheck:
    """The record played again with all its checks."""
    recheck = Recheck(table.game, table.header)
    for event in table.events():
        recheck.take(event)
    assert recheck.play.digest() == table.play.digest()
    return recheck


def one_turn(table: Table) -> None:
    turn = table.play.state.turn
    while table.play.state.turn == turn:
        table_bot.one_answer(table, Random(3))


def test_a_walk_ends_in_an_event_and_the_position_stays(table: Table) -> None:
    before = table.play.digest()
    table.begin_board_check("white")
    event = walk(table)
    assert event.kind == "board_check" and event.seat == "white"
    assert event.answer == {
        "places": ["north", "south"], "mended": [], "differing": [], "complete": True, "skipped": False,
    }  # fmt: skip
    assert table.play.digest() == before
    rechecked(table)


def test_while_board_and_record_are_compared_no_answer_is_taken(table: Table) -> None:
    table.begin_board_check("black")
    with pytest.raises(Frozen):
        table.answer("white", "east", revision=table.revision)
    with pytest.raises(Frozen):
        table.preview("white", ["east"])
    with pytest.raises(NotPossible):
        table.begin_board_check("white")
    table.end_board_check("white")
    table.answer("white", "east", revision=table.revision)


def test_only_what_changed_is_visited_the_next_time(table: Table) -> None:
    table.begin_board_check("white")
    walk(table)
    with pytest.raises(NotPossible) as nothing:
        table.begin_board_check("white")
    assert "trotzdem" in nothing.value.sentence_de
    assert table.begin_board_check("white", everything=True).places == ("north", "south")
    walk(table)
    was = table.play.state.at["white"]
    one_turn(table)
    now = table.play.state.at["white"]
    assert set(table.begin_board_check("arbiter").places) == {was, now}


def test_a_walk_broken_off_does_not_count_as_a_check(table: Table) -> None:
    table.begin_board_check("white")
    table.answer_board_check("white", "north", "right")
    event = table.end_board_check("black")
    assert event.answer["places"] == ["north"] and not event.answer["complete"]
    assert table.begin_board_check("white").places == ("north", "south")


def test_two_taps_at_once_answer_one_place_and_back_goes_back(table: Table) -> None:
    table.begin_board_check("white")
    table.answer_board_check("white", "north", "mended")
    assert table.answer_board_check("black", "north", "differs") is None, "north is lit no longer"
    table.back_in_board_check("white")
    assert table.board_check is not None and table.board_check.current == "north"
    assert walk(table, {"north": "differs"}).answer["mended"] == []
    with pytest.raises(NotPossible):
        table.back_in_board_check("white")


def test_what_differs_is_remembered_and_visited_again(table: Table) -> None:
    table.begin_board_check("white")
    event = walk(table, {"south": "differs", "north": "mended"})
    assert event.answer["mended"] == ["north"]
    assert table.standing.differing == ("south",)
    assert table.begin_board_check("white").places == ("south",)
    walk(table)
    assert table.standing.differing == ()
    rechecked(table)


def test_only_the_place_that_is_compared_is_lit(table: Table) -> None:
    table.begin_board_check("white")
    assert table.lights() == {
        "north": PALETTE[Meaning.AUDIT],
        "south": PALETTE[Meaning.CONTROL_B],
    }


def test_what_differs_survives_a_restart(new_table: Callable[..., Table]) -> None:
    table = new_table()
    table.begin_board_check("white")
    walk(table, {"south": "differs"})
    store, game_id = table.live_game.store, table.id
    table.close()
    with Table.open(store, game_id) as again:
        again.offer_board_check()
        assert again.holding.offered and again.standing.differing == ("south",)
        assert again.begin_board_check("white").places == ("south",)
        assert not again.holding.offered


def test_players_put_the_record_right_by_consent(table: Table) -> None:
    one_turn(table)
    form = {item.key: item for item in table.correction_form("south")}
    assert form["black"].count == 1 and form["white"].count == 0
    primitives = table.primitives_for("south", {"white": 1})
    assert primitives == [PUT]
    before = table.play.digest()
    asked = table.propose_correction("black", primitives, "stood there all along", revision=table.revision)
    assert asked.kind == "correction_asked" and table.play.digest() == before
    with pytest.raises(NotPossible):
        table.consent("black", True, revision=table.revision)
    event = table.consent("white", True, revision=table.revision)
    assert (event.kind, event.seat, event.answer["reason"]) == (
        "correction",
        "black",
        "stood there all along",
    )
    assert table.play.state.at["white"] == "south"
    assert table.standing.asked is None
    rechecked(table)
    table_bot.play(table, Random(2), 4)
    rechecked(table)


def test_a_refused_correction_changes_nothing(table: Table) -> None:
    before = table.play.digest()
    table.propose_correction("black", [PUT], "so it stands", revision=0)
    table.consent("white", False, revision=table.revision)
    assert table.play.digest() == before and table.standing.asked is None
    rechecked(table)


def test_corrected_places_differ_no_longer(table: Table) -> None:
    table.begin_board_check("white")
    walk(table, {"south": "differs", "north": "differs"})
    table.propose_correction("white", [PUT], "see the board", revision=table.revision)
    table.consent("black", True, revision=table.revision)
    assert table.standing.differing == ("north",)


def test_what_cannot_be_is_not_even_asked(table: Table) -> None:
    with pytest.raises(NotPossible):
        table.propose_correction(
            "white", [{"do": "tokens", "seat": "white", "item": "men", "value": -1}], "x", revision=0
        )
    with pytest.raises(InvalidAnswer):
        table.propose_correction("white", [PUT], " ", revision=0)
    with pytest.raises(InvalidAnswer):
        table.primitives_for("south", {"white": 7})
    with pytest.raises(InvalidAnswer):
        table.primitives_for("south", {"red": 1})
    with pytest.raises(InvalidAnswer):
        table.primitives_for("south", {"black": 1})


def test_in_a_tournament_only_the_arbiter_corrects(new_table: Callable[..., Table]) -> None:
    table = new_table(tournament=True)
    with pytest.raises(NotAllowed):
        table.propose_correction("white", [PUT], "so it stands", revision=0)
    table.correct([PUT], "so it stands", revision=0)


def test_an_arbiters_correction_ends_a_walk(table: Table) -> None:
    table.begin_board_check("white")
    table.correct([PUT], "seen by the arbiter", revision=0)
    assert table.board_check is None


def test_a_correction_nobody_agreed_to_is_found(table: Table) -> None:
    table.propose_correction("black", [PUT], "so it stands", revision=0)
    table.consent("white", True, revision=table.revision)
    asked, _, corrected = table.events()
    recheck = Recheck(table.game, table.header)
    recheck.take(asked)
    with pytest.raises(Illegal):
        recheck.take(corrected)


def test_every_place_of_a_real_game_can_be_said_to_stand_otherwise(store: Store) -> None:
    game: Any = load_game("five_armies")
    state = game.new_state({"setup": "suggested"})
    places = [*game.board().places]
    with Table.create(store, game, options={"setup": "suggested"}) as table:
        for place in places:
            for item in table.correction_form(place):
                assert game.messages.find(item.label, "de") and game.messages.find(item.label, "en"), item
                assert item.least <= item.count <= item.most
        assert table.correction_form("nowhere") == ()
        with pytest.raises(InvalidAnswer):
            game.corrections(state, "camp", {"unit.orcs": 1, "unit.lake_men": 1})
    assert toy_game.GAME.id == "toy"


# -- the power goes during the walk -----------------------------------------------------------------------


def after_power_cut(table: Table) -> Table:
    """The table as it comes up again; nothing was said good-bye to."""
    table.close()
    again = Table.open(table.live_game.store, table.id)
    again.offer_board_check()
    return again


def test_a_walk_goes_on_where_it_was_after_a_power_cut(table: Table) -> None:
    table_bot.play(table, Random(2), 6)
    table.begin_board_check("white", everything=True)
    first, second = table.board_check.places[:2]  # type: ignore[union-attr]
    table.answer_board_check("white", first, "mended")
    table.note("arbiter", "noch einen Augenblick")  # a remark in between moves nothing
    again = after_power_cut(table)
    assert again.board_check is not None and not again.holding.offered
    assert again.board_check.current == second and again.board_check.mended == [first]
    with pytest.raises(Frozen):
        table_bot.one_answer(again, Random(1))
    again.back_in_board_check("black")
    again = after_power_cut(again)
    assert again.board_check is not None and again.board_check.current == first
    event = walk(again, {first: "differs"})
    assert event.answer["differing"] == [first] and event.answer["complete"]
    # it is over for good: only the usual offer remains
    again = after_power_cut(again)
    assert again.board_check is None and again.holding.offered
    again.close()


def test_a_walk_that_counts_no_more_is_not_taken_up(table: Table) -> None:
    table_bot.play(table, Random(2), 6)
    table.begin_board_check("white")
    kept = table.walk_path.read_text()  # type: ignore[union-attr]
    # as if the power had gone after the event was recorded, before the file was removed
    table.end_board_check("white")
    table.walk_path.write_text(kept)  # type: ignore[union-attr]
    again = after_power_cut(table)
    assert again.board_check is None and again.holding.offered
    again.end_board_check("white")
    # a decision of the arbiter moved the position: the walk is over, and its file with it
    again.begin_board_check("white")
    again.correct([PUT], "as agreed", revision=again.revision)
    assert again.board_check is None and not again.walk_path.exists()  # type: ignore[union-attr]
    again.begin_board_check("white")
    again.end_board_check("black")
    again.walk_path.write_text(kept)  # type: ignore[union-attr]
    third = after_power_cut(again)
    assert third.board_check is None, "something has moved since"
    third.close()


@pytest.mark.parametrize("damage", ["", "[]", '{"places": 1}', "says", "bytes"])
def test_a_damaged_file_of_the_walk_costs_a_new_walk_only(table: Table, damage: str) -> None:
    table_bot.play(table, Random(2), 6)
    table.begin_board_check("white")
    path = table.walk_path
    assert path is not None
    table.answer_board_check("white", table.board_check.current, "right")  # type: ignore[union-attr, arg-type]
    if damage == "bytes":
        path.write_bytes(b"\xff\xfe\x00")
    else:
        path.write_text(path.read_text().replace('"right"', '"fine"') if damage == "says" else damage)
    again = after_power_cut(table)
    assert again.board_check is None and again.holding.offered
    again.close()


def test_a_full_disk_does_not_end_the_walk(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table_bot.play(table, Random(2), 6)
    table.begin_board_check("white")

    def refuse(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    def full() -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    with monkeypatch.context() as patch:
        patch.setattr("referee.kernel.files.os.fsync", refuse)
        table.answer_board_check("white", table.board_check.current, "right")  # type: ignore[union-attr, arg-type]
        # the last place: its event cannot be recorded, so that place stays lit
        real = table.live_game.store.engine.begin
        patch.setattr(table.live_game.store.engine, "begin", full)
        last = table.board_check.current  # type: ignore[union-attr]
        with pytest.raises(StoreUnwritable):
            table.answer_board_check("white", last, "right")  # type: ignore[arg-type]
        patch.setattr(table.live_game.store.engine, "begin", real)
    assert table.board_check is not None
    walk(table)
    assert table.events()[-1].kind == "board_check"


def test_after_a_set_up_that_both_confirmed_only_what_changed_since_is_compared(tmp_path: Path) -> None:
    game, chance = load_game("five_armies"), Random(2)
    with Store.open(tmp_path / "five.sqlite") as store, Table.create(store, game) as table:
        while table.view(None, "en")["phase"]["id"] == "setup":
            table_bot.one_answer(table, chance)
        stood = contents(table.view(None, "en")["places"])
        while contents(table.view(None, "en")["places"]) == stood:
            table_bot.one_answer(table, chance)
        now = contents(table.view(None, "en")["places"])
        changed = {place for place in stood.keys() | now.keys() if stood.get(place) != now.get(place)}
        assert set(table.begin_board_check("free").places) == changed
