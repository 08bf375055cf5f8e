"""Taking back, objections, rulings, corrections: all are events, and all replay."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
import table_bot
import toy_game
from table_bot import advance_to, restarted

from referee.hall.table import Table
from referee.journal.errors import Frozen, GameStopped, NotAllowed, NotPossible
from referee.kernel.errors import InvalidAnswer, StaleAnswer
from referee.kernel.requests import RollDice
from referee.store.store import Store


def test_taking_back_is_free_until_something_is_revealed(table: Table) -> None:
    start = table.play.digest()
    table.answer("white", "east", revision=0)
    undo = table.undo_class("white")
    assert undo is not None and (undo.kind, undo.to) == ("free", 1)
    event = table.take_back("white", revision=1)
    assert event.kind == "take_back" and event.answer["class"] == "free"
    assert table.play.digest() == start and event.digest == start
    assert [one.kind for one in table.events()] == ["answer", "take_back"]  # nothing is removed
    table.answer("white", "west", revision=2)


def test_taking_back_a_confirmed_draft_takes_all_of_it(table: Table) -> None:
    start = table.play.digest()
    table.answer_many("white", ["east", {"men": 2}], revision=0)
    table.take_back("white", revision=2)
    assert table.play.digest() == start


def test_taking_back_reaches_further_back_while_it_is_free(table: Table) -> None:
    start = table.play.digest()
    table.answer("white", "east", revision=0)
    table.answer("white", {"men": 1}, revision=1)
    table.take_back("white", revision=2, to=1)
    assert table.play.digest() == start


def test_dice_need_the_opponents_consent(table: Table) -> None:
    advance_to(table, RollDice)
    before = table.play.digest()
    table_bot.play(table, Random(1), 1)
    undo = table.undo_class("white")
    assert undo is not None and undo.kind == "consent" and "Würfel" in undo.text.in_words("de")
    asked = table.take_back("white", revision=table.revision)
    assert asked.kind == "take_back_asked" and table.play.digest() != before
    with pytest.raises(NotPossible):
        table.consent("white", True, revision=table.revision)  # not by oneself
    again = restarted(table)  # the request survives
    done = again.consent("black", True, revision=again.revision)
    assert done.kind == "take_back" and done.answer["class"] == "consent"
    assert again.play.digest() == before
    again.close()


def test_a_refused_consent_leaves_everything(table: Table) -> None:
    advance_to(table, RollDice)
    table_bot.play(table, Random(1), 1)
    digest = table.play.digest()
    table.take_back("white", revision=table.revision)
    assert table.consent("black", False, revision=table.revision).kind == "consent"
    assert table.play.digest() == digest and table.standing.asked is None


def test_a_request_to_take_back_lapses_when_the_game_moves_on(table: Table) -> None:
    advance_to(table, RollDice)
    table_bot.play(table, Random(1), 1)
    table.take_back("white", revision=table.revision)
    table_bot.play(table, Random(1), 1)
    with pytest.raises(NotPossible):
        table.consent("black", True, revision=table.revision)


def test_anothers_answer_needs_consent(table: Table) -> None:
    table.answer("white", "east", revision=0)
    undo = table.undo_class("black")
    assert undo is not None and (undo.kind, undo.why) == ("consent", "others")


def test_in_a_tournament_only_the_arbiter_takes_dice_back(new_table: Callable[..., Table]) -> None:
    table = new_table(tournament=True)
    advance_to(table, RollDice)
    before = table.play.digest()
    table_bot.play(table, Random(1), 1)
    undo = table.undo_class("white")
    assert undo is not None and undo.kind == "arbiter"
    with pytest.raises(NotAllowed):
        table.take_back("white", revision=table.revision)
    event = table.take_back("arbiter", revision=table.revision)
    assert event.source == "arbiter" and table.play.digest() == before


def test_there_is_nothing_to_take_back_at_the_start(table: Table) -> None:
    assert table.undo_class("white") is None
    with pytest.raises(NotPossible):
        table.take_back("white", revision=0)
    with pytest.raises(NotPossible):
        table.take_back("white", revision=0, to=5)


def test_a_stale_take_back_is_refused(table: Table) -> None:
    table_bot.play(table, Random(1), 2)
    with pytest.raises(StaleAnswer):
        table.take_back("white", revision=0)


def test_an_objection_freezes_until_the_ruling(table: Table) -> None:
    table_bot.play(table, Random(1), 3)
    table.raise_objection("black", "Der Würfel lag schief.", about=3)
    with pytest.raises(Frozen):
        table_bot.one_answer(table, Random(1))
    with pytest.raises(NotPossible):
        table.raise_objection("white", "Me too.")
    again = restarted(table)
    with pytest.raises(Frozen):
        table_bot.one_answer(again, Random(1))
    with pytest.raises(NotAllowed):
        again.rule("I decide", seat="white")
    with pytest.raises(InvalidAnswer):
        again.rule(" ")
    ruling = again.rule("Der Wurf gilt.")
    assert ruling.answer["settles"] == 4
    table_bot.one_answer(again, Random(1))
    again.close()


def test_an_objection_can_be_withdrawn_by_who_made_it(table: Table) -> None:
    table.raise_objection("black", "?")
    with pytest.raises(NotPossible):
        table.withdraw_objection("white")
    table.withdraw_objection("black")
    table.answer("white", "east", revision=0)


def test_illegal_but_it_stands(table: Table) -> None:
    event = table.let_stand("south", "Nobody noticed in time.", revision=0)
    assert event.kind == "stands" and event.answer["rule"] == "step"
    assert table.play.state.at["white"] == "south"
    digest = table.play.digest()
    again = restarted(table)
    assert again.play.digest() == digest
    table_bot.play(again, Random(1), 5)
    undo = again.undo_class("white", to=1)
    assert undo is not None and undo.kind == "arbiter"
    again.close()


def test_what_is_legal_needs_no_arbiter_and_what_breaks_the_rules_cannot_stand(table: Table) -> None:
    with pytest.raises(NotPossible, match="legal"):
        table.let_stand("east", "why not", revision=0)
    with pytest.raises(InvalidAnswer):
        table.let_stand("atlantis", "why not", revision=0)
    table.answer("white", "east", revision=0)
    before = table.play.digest()
    with pytest.raises(NotPossible, match="Correct the position"):
        table.let_stand({"men": 70_000}, "too many", revision=1)
    assert table.play.digest() == before and table.revision == 1
    table.note_that_stands(1, "It was illegal, but it stands.")


def test_a_correction_changes_the_position_at_the_last_milestone(table: Table) -> None:
    table_bot.play(table, Random(1), 4)  # in the middle of the second turn
    event = table.correct(
        [{"do": "put", "seat": "white", "place": "south"}, {"do": "points", "seat": "black", "value": 9}],
        "The figure fell over.",
        revision=table.revision,
    )
    assert event.answer["to"] == 4
    assert table.play.state.at["white"] == "south" and table.play.state.points["black"] == 9
    assert table.play.since == [] and table.request is not None
    digest = table.play.digest()
    again = restarted(table)
    assert again.play.digest() == digest
    table_bot.play(again, Random(2), 30)
    assert again.events()[-1].digest == again.play.digest()
    final = again.play.digest()
    third = restarted(again)
    assert third.play.digest() == final
    third.close()


def test_a_correction_is_checked_by_the_audit_and_by_the_game(table: Table) -> None:
    before = table.play.digest()
    with pytest.raises(NotPossible, match="white has -1 men"):
        table.correct([{"do": "tokens", "seat": "white", "item": "men", "value": -1}], "x", revision=0)
    with pytest.raises(InvalidAnswer):
        table.correct([{"do": "dance", "seat": "white"}], "x", revision=0)
    with pytest.raises(NotAllowed):
        table.correct([], "x", revision=0, seat="white")
    assert table.revision == 0 and table.play.digest() == before


def test_a_game_without_primitives_says_so(store: Store) -> None:
    class Rigid(toy_game.ToyGame):
        id = "rigid"
        correct = None  # type: ignore[assignment]

    with (
        Table.create(store, Rigid(), options={"turns": 3}) as table,  # type: ignore[arg-type]
        pytest.raises(NotPossible, match="cannot be corrected"),
    ):
        table.correct([], "x", revision=0)


def test_penalties_and_times_are_the_arbiters_notes_are_everyones(table: Table) -> None:
    table.note("white", "Pause")
    table.note("arbiter", "Late", kind="penalty", about="black", value=1)
    table.note("arbiter", "Clock", kind="time", about="white", value=-120)
    with pytest.raises(NotAllowed):
        table.note("white", "Late", kind="penalty", about="black", value=1)
    assert [event.kind for event in table.events()] == ["note", "penalty", "time"]
    table.answer("white", "east", revision=0)


def test_a_resignation_ends_the_game_and_can_be_reopened_by_a_ruling(table: Table) -> None:
    table_bot.play(table, Random(1), 3)
    table.resign("white")
    assert table.outcome is not None
    assert (table.outcome.winner, table.outcome.rule) == ("black", "table.resignation")
    assert table.request is None
    with pytest.raises(NotPossible):
        table.resign("black")
    again = restarted(table)
    assert again.outcome is not None and again.outcome.winner == "black"
    again.rule("It was said in jest.", reopens=True)
    assert again.outcome is None
    table_bot.one_answer(again, Random(1))
    again.close()


def test_the_result_is_confirmed_by_both_and_undone_by_consent(table: Table) -> None:
    with pytest.raises(NotPossible):
        table.confirm_result("white")
    table_bot.play(table, Random(1))
    table.confirm_result("white")
    table.confirm_result("black")
    assert table.standing.confirmed == {"white", "black"}
    assert "7" not in table.status("en")["confirmed"]
    table.take_back("white", revision=table.revision)
    table.consent("black", True, revision=table.revision)
    assert table.outcome is None and table.standing.confirmed == set()


class Faulty(toy_game.ToyGame):
    """A game with a bug: going west in the second turn breaks an invariant, north raises."""

    id = "faulty"

    def audit(self, state: toy_game.State) -> list[str]:
        return ["the west is broken"] if state.turn == 1 and state.at["black"] == "west" else []

    def copy(self, state: toy_game.State) -> toy_game.State:
        return super().copy(state)

    def _turn(self, state: toy_game.State, seat: str) -> toy_game.Flow:
        yield from super()._turn(state, seat)
        if state.turn == 2 and state.at[seat] == "north":
            raise KeyError("north")


def test_a_fault_in_the_rules_stops_the_game_keeps_the_record_and_says_where(store: Store) -> None:
    from referee.kernel.registry import register

    register(Faulty())  # type: ignore[arg-type]
    table = Table.create(store, Faulty(), options={"turns": 6})  # type: ignore[arg-type]
    table_bot.play(table, Random(1), 3)
    before = table.play.digest()
    with pytest.raises(GameStopped, match="the west is broken"):
        table.answer("black", "west", revision=table.revision)
    assert table.play.digest() == before
    assert table.events()[-1].kind == "stopped"
    with pytest.raises(GameStopped):
        table.answer("black", "east", revision=table.revision)
    again = restarted(table)
    with pytest.raises(GameStopped):
        again.answer("black", "east", revision=again.revision)
    again.rule("Go east instead.")
    again.answer("black", "east", revision=again.revision)
    again.close()


def test_a_crash_in_the_rules_is_a_stop_too(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    from referee.kernel.registry import register

    register(Faulty())  # type: ignore[arg-type]
    with Table.create(store, Faulty(), options={"turns": 6}) as table:  # type: ignore[arg-type]
        rng = Random(4)
        with pytest.raises(GameStopped, match=r"KeyError|the west"):
            for _ in range(40):
                request = table.request
                assert request is not None
                if request.prompt == "prompt.place" and request.seat == "black":
                    table.answer("black", "east" if "east" in request.options else "north",  # type: ignore[attr-defined]
                                 revision=table.revision)  # fmt: skip
                elif request.prompt == "prompt.place" and "north" in request.options:  # type: ignore[attr-defined]
                    table.answer("white", "north", revision=table.revision)
                else:
                    table_bot.one_answer(table, rng)
        assert table.events()[-1].kind == "stopped"
        assert "the rules of faulty failed" in caplog.text
