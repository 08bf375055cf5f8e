"""What the re-check says of events that the hall would never have recorded, kind by kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import table_bot
import toy_game

from referee.archive.rechecking import Illegal, Recheck
from referee.hall.base import request_in_short
from referee.hall.table import Table
from referee.journal.events import Event, NewEvent, as_read
from referee.kernel.requests import ChooseSecretly
from referee.store.store import Store


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A new toy game."""
    with Store.open(tmp_path / "games.sqlite") as store:
        game = toy_game.register()
        with Table.create(store, game, players={"white": "Anna", "black": "Bert"}) as table:  # type: ignore[arg-type]
            yield table


def rechecked(table: Table) -> Recheck:
    """A re-check that took all that the table recorded."""
    check = Recheck(table.game, table.header)
    for event in table.events():
        check.take(event)
    return check


def refused(check: Recheck, event: Event) -> str:
    """Why ``event`` is none that the hall records."""
    with pytest.raises(Illegal) as caught:
        check.take(event)
    assert caught.value.text.in_words("de") and caught.value.text.in_words(
        "de"
    ) != caught.value.text.in_words("en")
    return caught.value.text.in_words("en")


def invented(table: Table, kind: str, seat: str, answer: Any, *, asked: bool = False) -> Event:
    """An event that comes next in the record, made by hand."""
    request = as_read(request_in_short(table.request)) if asked else None
    draft = NewEvent(seat, "tablet", kind, answer, table.play.digest(), request)
    fields = {
        name: getattr(draft, name) for name in ("seat", "source", "kind", "answer", "digest", "request")
    }
    number = table.revision + 1
    return Event(
        game=table.id, number=number, at="", boot="", evidence=None, batch=number, previous="", hash="",
        **fields,
    )  # fmt: skip


def to_secret(table: Table) -> Table:
    rng = Random(3)
    while not isinstance(table.request, ChooseSecretly):
        table_bot.one_answer(table, rng)
    return table


def test_secret_parts_are_checked(table: Table) -> None:
    assert "no secret choice" in refused(
        rechecked(table), invented(table, "sealed_part", "white", {"sealed": "x"}, asked=True)
    )
    check = rechecked(to_secret(table))
    assert "nobody of this game sits" in refused(
        check, invented(table, "sealed_part", "red", {"sealed": ""}, asked=True)
    )
    assert "has not the form" in refused(
        check, invented(table, "sealed_part", "white", {"sealed": 1}, asked=True)
    )
    both = {"white": "rock", "black": "paper"}
    opened = {seat: {"nonce": ""} for seat in both}
    early = replace(invented(table, "answer", "*", both, asked=True), evidence={"opened": opened})
    assert "not all had chosen" in refused(check, early)
    table.answer("white", "rock", revision=table.revision)
    check = rechecked(table)
    assert "chosen already" in refused(
        check, invented(table, "sealed_part", "white", {"sealed": "x"}, asked=True)
    )
    # one's own part may be taken back before the other's is in
    table.take_back("white", revision=table.revision)
    assert rechecked(table).standing.sealed == {}


def test_what_stands_must_have_been_refused(table: Table) -> None:
    check = rechecked(table)
    near = table.request.options[0]  # type: ignore[union-attr]
    legal = {"value": near, "reason": "x", "rule": ""}
    assert "legal anyway" in refused(check, invented(table, "stands", "arbiter", legal, asked=True))


def test_nothing_is_answered_and_nobody_resigns_after_the_end(table: Table) -> None:
    answer = invented(table, "answer", "white", "east", asked=True)
    table.resign("white")
    check = rechecked(table)
    assert check.outcome is not None and check.outcome.winner == "black"
    assert "was over" in refused(check, replace(answer, number=2))
    assert "resign" in refused(check, invented(table, "resignation", "black", {}))
    wrong = invented(table, "result_confirmed", "black", {"winner": "white", "rule": "win"})
    assert "not the result" in refused(check, wrong)
    table.confirm_result("black")
    rechecked(table)
    stranger = invented(table, "resignation", "red", {})
    assert "nobody of this game sits" in refused(Recheck(table.game, table.header), stranger)


def test_a_forger_gave_time_that_no_arbiter_gave(table: Table) -> None:
    table.set_clock(10)
    check = rechecked(table)

    def given(seat: str | None, value: int | None, white: int, black: int) -> Event:
        answer = {"text": "phone", "seat": seat, "value": value, "left": {"white": white, "black": black}}
        return replace(invented(table, "time", "arbiter", answer), source="arbiter")

    for seat, value, white, black in (
        ("white", 30, 900, 600),
        ("white", 30, 630, 660),
        (None, None, 630, 600),
        ("nobody", 30, 600, 600),
    ):
        refused(check, given(seat, value, white, black))
    refused(
        check, replace(given("white", 30, 630, 600), kind="penalty", answer={"text": "x", "seat": "nobody"})
    )
    check.take(given("white", 30, 630, 600))
    assert check.standing.clock.left == {"white": 630, "black": 600}


def test_what_a_seat_did_passed_for_the_arbiters(table: Table) -> None:
    table_bot.one_answer(table, Random(1))
    check = rechecked(table)
    note = invented(table, "note", "white", {"text": "allowed"})
    assert "arbiter" in refused(check, replace(note, source="arbiter")).lower()
    check.take(note)


def test_asking_to_take_back_needs_something_to_take_back(table: Table) -> None:
    asked = invented(table, "take_back_asked", "white", {"to": 1, "why": "x"})
    assert "nothing to take back" in refused(rechecked(table), asked)
    assert "nobody had asked" in refused(
        rechecked(table), invented(table, "consent", "black", {"yes": True, "asks": 1})
    )


POINTS = [{"do": "points", "seat": "white", "value": 3}]


def test_a_correction_of_a_seat_is_the_one_that_was_agreed_to(table: Table) -> None:
    table.propose_correction("white", POINTS, "miscounted", revision=0)
    check = rechecked(table)
    done = {"to": 2, "primitives": POINTS, "reason": "miscounted"}
    alone = invented(table, "correction", "white", done)
    assert "only an arbiter" in refused(check, alone), "nobody agreed"
    table.consent("black", True, revision=1)
    *before, last = table.events()
    assert last.kind == "correction"
    check = Recheck(table.game, table.header)
    for event in before:
        check.take(event)
    more = [{"do": "points", "seat": "white", "value": 30}]
    other = replace(last, answer={**last.answer, "primitives": more})
    assert "only an arbiter" in refused(check, other)
    for answer in ({"to": 3, "reason": "x"}, None, "all"):
        assert "has not the form" in refused(check, replace(last, answer=answer))
    assert "only an arbiter" in refused(check, replace(last, seat="black"))
    check.take(last)
    assert check.play.state.points["white"] == 3


def test_a_correction_that_cannot_be_is_found(table: Table) -> None:
    check = rechecked(table)
    for primitives in (
        [{"do": "dance", "seat": "white"}],
        [{"do": "tokens", "seat": "white", "item": "men", "value": -1}],
    ):
        answer = {"to": 1, "primitives": primitives, "reason": "x"}
        assert "impossible" in refused(check, invented(table, "correction", "arbiter", answer))


def test_who_may_ask_for_a_correction(table: Table) -> None:
    asked = {"primitives": POINTS, "reason": "x"}
    check = rechecked(table)
    assert "nobody of this game sits" in refused(check, invented(table, "correction_asked", "red", asked))
    nothing = {"primitives": "all", "reason": "x"}
    assert "has not the form" in refused(check, invented(table, "correction_asked", "white", nothing))
    tournament = Recheck(table.game, {**table.header, "tournament": True})
    assert "only an arbiter" in refused(tournament, invented(table, "correction_asked", "white", asked))


def test_a_board_check_tells_only_of_places_that_it_visited(table: Table) -> None:
    check = rechecked(table)
    good = {"places": ["north"], "mended": [], "differing": [], "complete": True, "skipped": False}
    assert "nobody of this game sits" in refused(check, invented(table, "board_check", "red", good))
    for change in ({"mended": ["south"]}, {"differing": ["south"]}, {"places": []}):
        bad = invented(table, "board_check", "white", {**good, **change})
        assert "did not visit" in refused(check, bad), change
    check.take(invented(table, "board_check", "white", good))
