"""A correction that is undone gives back the answers that it had removed, and says so."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
import table_bot
import toy_game
from table_bot import advance_to, restarted

from referee.archive.rechecking import Illegal, Recheck
from referee.archive.show import Narrator
from referee.hall.table import Table
from referee.journal.events import Event
from referee.journal.line import line_of, replay
from referee.kernel.requests import ChooseSecretly

NINE = [{"do": "points", "seat": "black", "value": 9}]


def in_the_middle_of_a_turn(table: Table) -> tuple[str, list[int]]:
    """Play until answers were given since the last milestone; gives the digest and their numbers."""
    while len(table.play.since) < 2:
        table_bot.one_answer(table, Random(1))
    return table.play.digest(), [event.number for event in table.live_game.line[-len(table.play.since) :]]


def rechecked(table: Table, events: list[Event] | None = None) -> Recheck:
    recheck = Recheck(table.game, table.header)
    for event in events or table.events():
        recheck.take(event)
    return recheck


def test_the_answers_that_a_correction_removed_count_again_when_it_is_undone(table: Table) -> None:
    digest, removed = in_the_middle_of_a_turn(table)
    correction = table.correct(NINE, "The marker had slipped.", revision=table.revision)
    assert not set(removed) & {event.number for event in table.live_game.line}
    undo = table.undo_class("arbiter")
    assert undo is not None and undo.kind == "arbiter" and undo.restores == tuple(removed)
    assert "count again" in undo.text.in_words("en") and "gelten dann wieder" in undo.text.in_words("de")
    back = table.take_back("arbiter", revision=table.revision)
    assert back.answer["to"] == correction.number and back.answer["restores"] == removed
    assert table.play.digest() == digest == back.digest
    assert line_of(table.events()) == table.live_game.line
    afresh, _ = replay(table.game, table.header["options"], line_of(table.events()), {})
    assert afresh.digest() == digest
    assert rechecked(table).play.digest() == digest
    again = restarted(table)
    assert again.play.digest() == digest
    table_bot.play(again, Random(2), 5)
    assert rechecked(again).play.digest() == again.play.digest()
    again.close()


def agreed_correction(table: Table) -> Event:
    """White proposes, black agrees; gives the correction."""
    table.propose_correction("white", NINE, "see the board", revision=table.revision)
    return table.consent("black", True, revision=table.revision)


def test_a_correction_that_both_agreed_to_is_undone_by_the_same_consent(table: Table) -> None:
    digest, removed = in_the_middle_of_a_turn(table)
    correction = agreed_correction(table)
    assert correction.kind == "correction" and table.play.digest() != digest
    undo = table.undo_class("black")
    assert undo is not None and (undo.kind, undo.why, undo.restores) == ("consent", "agreed", tuple(removed))
    assert "by agreement" in undo.text.in_words("en") and "einvernehmlich" in undo.text.in_words("de")
    asked = table.take_back("black", revision=table.revision)
    assert asked.kind == "take_back_asked" and table.play.digest() != digest
    back = table.consent("white", True, revision=table.revision)
    assert (back.kind, back.seat, back.answer["restores"]) == ("take_back", "black", removed)
    assert table.play.digest() == digest and rechecked(table).play.digest() == digest
    again = restarted(table)
    assert again.play.digest() == digest
    again.close()


def test_one_side_alone_does_not_undo_what_both_agreed_to(table: Table) -> None:
    in_the_middle_of_a_turn(table)
    agreed_correction(table)
    digest = table.play.digest()
    table.take_back("white", revision=table.revision)
    table.consent("black", False, revision=table.revision)
    assert table.play.digest() == digest and table.standing.asked is None
    undo = table.undo_class("white")
    assert undo is not None
    record = [
        *table.events(),
        replace(table.events()[-1], kind="take_back", seat="white", answer=undo.as_answer()),
    ]
    with pytest.raises(Illegal, match="had not agreed"):
        rechecked(table, record)


def test_what_the_arbiter_decided_stays_with_the_arbiter(table: Table) -> None:
    in_the_middle_of_a_turn(table)
    agreed_correction(table)
    table.correct([{"do": "points", "seat": "white", "value": 3}], "so", revision=table.revision)
    first = next(event for event in table.events() if event.kind == "correction")
    for to in (None, first.number):
        undo = table.undo_class("white", to=to)
        assert undo is not None and undo.kind == "arbiter"


def test_answers_after_the_correction_go_with_it_and_those_before_come_back(table: Table) -> None:
    digest, removed = in_the_middle_of_a_turn(table)
    correction = table.correct(NINE, "slipped", revision=table.revision)
    table_bot.play(table, Random(4), 3)
    back = table.take_back("arbiter", revision=table.revision, to=correction.number)
    assert back.answer["restores"] == removed and table.play.digest() == digest
    rechecked(table)


@pytest.mark.parametrize("place", [0, 1])
def test_going_back_further_than_the_correction_restores_only_what_came_before(
    table: Table, place: int
) -> None:
    _, removed = in_the_middle_of_a_turn(table)
    table.correct(NINE, "slipped", revision=table.revision)
    table_bot.play(table, Random(4), 2)
    back = table.take_back("arbiter", revision=table.revision, to=removed[place])
    assert back.answer.get("restores", []) == removed[:place]
    assert table.live_game.line == line_of(table.events()[: removed[place] - 1])
    rechecked(table)


def test_two_corrections_one_after_the_other_are_undone_one_after_the_other(table: Table) -> None:
    first, removed = in_the_middle_of_a_turn(table)
    one = table.correct(NINE, "first", revision=table.revision)
    second, removed_later = in_the_middle_of_a_turn(table)
    table.correct([{"do": "points", "seat": "white", "value": 3}], "second", revision=table.revision)
    assert table.take_back("arbiter", revision=table.revision).answer["restores"] == removed_later
    assert table.play.digest() == second
    assert table.take_back("arbiter", revision=table.revision, to=one.number).answer["restores"] == removed
    assert table.play.digest() == first
    rechecked(table)


def test_a_sealed_choice_that_a_correction_removed_is_in_again(table: Table) -> None:
    advance_to(table, ChooseSecretly)
    part = table.answer("white", "rock", revision=table.revision)
    table.correct(NINE, "slipped", revision=table.revision)
    assert not table.standing.sealed
    back = table.take_back("arbiter", revision=table.revision)
    assert part.number in back.answer["restores"]
    assert set(table.standing.sealed) == {"white"} and table.asked_seats == ("black",)
    again = restarted(table)
    again.answer("black", "rock", revision=again.revision)
    assert again.events()[-1].answer == {"white": "rock", "black": "rock"}
    rechecked(again)
    again.close()


def test_a_record_that_restores_something_else_is_found(table: Table) -> None:
    _, removed = in_the_middle_of_a_turn(table)
    table.correct(NINE, "slipped", revision=table.revision)
    back = table.take_back("arbiter", revision=table.revision)
    *before, _ = table.events()
    with pytest.raises(Illegal, match="other answers count again"):
        rechecked(table, [*before, replace(back, answer={**back.answer, "restores": removed[1:]})])


def test_a_record_of_an_older_program_left_them_out_and_still_replays(table: Table) -> None:
    in_the_middle_of_a_turn(table)
    table.correct(NINE, "slipped", revision=table.revision)
    before = table.events()
    base, _ = replay(table.game, table.header["options"], line_of(before)[:-1], {})
    back = table.take_back("arbiter", revision=table.revision)
    answer = {key: value for key, value in back.answer.items() if key != "restores"}
    older = replace(back, answer=answer, digest=base.digest())
    assert rechecked(table, [*before, older]).play.digest() == base.digest()
    assert line_of([*before, older]) == line_of(before)[:-1]


def test_the_readable_record_says_which_answers_count_again(table: Table) -> None:
    _, removed = in_the_middle_of_a_turn(table)
    table.correct(NINE, "slipped", revision=table.revision)
    back = table.take_back("arbiter", revision=table.revision)
    numbers = ", ".join(map(str, removed))
    assert f"events {numbers} count again" in Narrator(toy_game.GAME, "en").said(back)  # type: ignore[arg-type]
    assert f"Ereignisse {numbers} gelten wieder" in Narrator(toy_game.GAME, "de").said(back)  # type: ignore[arg-type]
