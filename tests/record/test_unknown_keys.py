"""A key that no version of the program writes is refused wherever it stands in a record."""

from __future__ import annotations

import copy
import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import fields
from random import Random
from typing import Any

import five_game
import pytest
import table_bot
import toy_game
from exporting import KEY, codes, complete_reading, reseal

from referee.archive import forms
from referee.archive.exchange import SCHEMA, result_json, write
from referee.archive.verify import Verdict
from referee.hall.base import Acting
from referee.hall.table import Table
from referee.journal.kinds import ACTING, KINDS
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text
from referee.kernel.requests import ChooseOne, RollDice
from referee.store.store import Store
from vision.reading import DiceReading, Die, Reason

Lines = list[dict[str, Any]]
Check = Callable[..., Verdict]


def exported(table: Table) -> Lines:
    text = write(table.header, table.events(), result_json(table.outcome), KEY)
    return [json.loads(line) for line in text.splitlines()]


def quarrelsome(table: Table) -> Lines:
    """A tournament game with two throws, a typed roll, an arbiter by name, a fork, and an end by award."""
    rng = Random(4)
    table.camera_reads = lambda: False
    table_bot.advance_to(table, RollDice, rng)
    table.camera_reads = lambda: True
    request = table.request
    assert isinstance(request, RollDice)
    for at in (0, 90):
        table.offer_reading(complete_reading(request, at))
    asked = table.accept_dice(request.seat, revision=table.revision)
    with table.acting(Acting("Berta", head=True)):
        table.consent("arbiter", True, revision=table.revision, asks=asked.number)
        table.note("arbiter", "Fünf Minuten", kind="time", about="black", value=300)
        table.live_game.mark_fork(3, "0" * 64)
        table.rule("Es gilt das Protokoll.")
        table.end_game("award", ["white"], "Schwarz ging.", revision=table.revision)
        table.hand_over("slip")
    return exported(table)


def at_home(table: Table) -> Lines:
    """A game whose board is compared and put right by agreement, and that one resigns."""
    table_bot.advance_to(table, ChooseOne, Random(5))
    table.begin_board_check("white", everything=True)
    table.end_board_check("white")
    primitives = table.primitives_for("south", {"white": 1})
    table.propose_correction("white", primitives, "Stand da.", revision=table.revision)
    table.consent("black", True, revision=table.revision)
    table.resign("black")
    return exported(table)


def of_five(table: Table) -> Lines:
    """A game that goes on without a player while others have chosen in secret, and a standing wish."""
    for seat in ("green", "blue"):
        table.answer(seat, ["rest"], revision=table.revision)
    table.resign("pink")
    table.wish("yellow", "react", "never")
    rng = Random(2)
    while not any(event.source == "wish" for event in table.events()):
        table_bot.one_answer(table, rng)
    return exported(table)


@pytest.fixture(scope="module")
def games(lines: Lines) -> Iterator[list[Lines]]:
    folder = table_bot.quick_folder()
    toy_game.register()
    five_game.register()
    with Store.open(folder / "games.sqlite") as store:
        of_toy = [(quarrelsome, True), (at_home, False)]
        made = [lines]
        for play, tournament in of_toy:
            with Table.create(store, toy_game.GAME, options={"turns": 14}, tournament=tournament) as table:
                made.append(play(table))
        with Table.create(store, five_game.GAME, players=dict.fromkeys(five_game.SEATS, "A")) as table:
            made.append(of_five(table))
    shutil.rmtree(folder)
    yield made


def objects(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in ``data`` an object stands, at every depth."""
    if isinstance(data, dict):
        yield path
        for key, value in data.items():
            yield from objects(value, (*path, key))
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from objects(value, (*path, place))


def test_all_kinds_of_events_are_tried(games: list[Lines], check: Check) -> None:
    assert {one["kind"] for lines in games for one in lines[1:-1]} == set(KINDS)
    for lines in games:
        assert codes(check(lines)) == []


def test_a_key_that_nothing_writes_was_taken_within_answers_and_evidence(
    games: list[Lines], check: Check
) -> None:
    """At each kind of place, of each kind of event, in a chain made and signed anew."""
    tried: dict[tuple[Any, ...], int] = defaultdict(int)
    for lines in games:
        for path in objects(lines[:-1]):
            line = lines[path[0]] if path else {}
            place = (line.get("kind"), *(key for key in path[1:] if type(key) is str))
            if not path or place == (None,) or tried[place] >= 2:
                continue
            tried[place] += 1
            changed = copy.deepcopy(lines)
            at: Any = changed
            for key in path:
                at = at[key]
            at["more"] = 1
            assert codes(check(reseal(changed))), place
    assert len(tried) > 60


def test_a_question_or_evidence_where_an_event_has_none_is_refused(games: list[Lines], check: Check) -> None:
    seen = set()
    for lines in games:
        for number, one in enumerate(lines[1:-1], start=1):
            for name, value in (("request", {"prompt": "x"}), ("evidence", {"more": 1})):
                if one[name] is not None or (one["kind"], name) in seen:
                    continue
                seen.add((one["kind"], name))
                changed = copy.deepcopy(lines)
                changed[number][name] = value
                assert codes(check(reseal(changed))) == ["illegal"], (one["kind"], name)


def test_evidence_of_a_roll_does_not_stand_beside_another_answer(games: list[Lines], check: Check) -> None:
    for more in ({"manual": True}, {"throw": 2}, {"opened": {}}, {"wish": "never"}, {"silence_s": 60}):
        changed = copy.deepcopy(games[0])
        place = next(
            n
            for n, one in enumerate(changed)
            if one.get("kind") == "answer" and one["request"]["kind"] == "choose_one"
        )
        changed[place]["evidence"] = more
        assert codes(check(reseal(changed))) == ["illegal"], more


def test_an_answer_is_written_as_its_question_has_it(games: list[Lines], check: Check) -> None:
    """Same faces in another form: once verified, though the hall would never have written it."""
    changed = copy.deepcopy(games[0])
    place = next(n for n, one in enumerate(changed) if (one.get("request") or {}).get("kind") == "roll_dice")
    changed[place]["answer"]["none"] = []
    assert codes(check(reseal(changed))) == ["illegal"]


def test_the_forms_are_those_that_the_program_writes(games: list[Lines]) -> None:
    for written, known in ((DiceReading, forms.READING), (Die, forms.DIE)):
        assert {one.name for one in fields(written)} == set(known)
    assert set(Reason("x", Text("hall.no_such_clock")).as_json()) == set(forms.REASON)
    assert {name for one in games[0][1:-1] for name in one["request"] or ()} == set(forms.REQUEST)
    schema = json.loads(SCHEMA.read_text())["$defs"]
    event = schema["event"]["properties"]
    evidence = {name for kind in KINDS.values() for name in kind.evidence} | set(ACTING)
    assert set(event["evidence"]["properties"]) == evidence
    assert set(event["request"]["oneOf"][1]["properties"]) == set(forms.REQUEST)
    closed = (event["evidence"], event["request"]["oneOf"][1], schema["header"])
    assert not any(one["additionalProperties"] for one in closed)


def test_a_correction_with_a_field_that_says_nothing_is_refused_at_the_table(lines: Lines) -> None:
    folder = table_bot.quick_folder()
    toy_game.register()
    with (
        Store.open(folder / "games.sqlite") as store,
        Table.create(store, toy_game.GAME, options={"turns": 3}) as table,
    ):
        wanted = {"do": "points", "seat": "white", "value": 3}
        with pytest.raises(InvalidAnswer, match="more"):
            table.correct([{**wanted, "more": 1}], "Verzählt.", revision=table.revision)
        assert table.correct([wanted], "Verzählt.", revision=table.revision).answer["primitives"] == [wanted]
        with pytest.raises(InvalidAnswer, match="turn "):
            Table.create(store, toy_game.GAME, options={"turn ": 3})
    shutil.rmtree(folder)


def test_a_forger_took_away_that_a_roll_was_typed_in(games: list[Lines], check: Check) -> None:
    changed = copy.deepcopy(games[0])
    place = next(n for n, one in enumerate(changed) if (one.get("evidence") or {}).get("manual"))
    for evidence in (None, {}, {"manual": False}):
        changed[place]["evidence"] = evidence
        assert codes(check(reseal(changed))) == ["illegal"], evidence


def test_a_forger_called_the_second_throw_the_first(games: list[Lines], check: Check) -> None:
    changed = copy.deepcopy(games[0])
    place = next(n for n, one in enumerate(changed) if (one.get("evidence") or {}).get("throw") == 2)
    for throw in (1, 3):
        changed[place]["evidence"]["throw"] = throw
        assert codes(check(reseal(changed))) == ["illegal"], throw
    del changed[place]["evidence"]["throw"]
    assert codes(check(reseal(changed))) == ["illegal"]


def test_a_forger_had_the_table_answer_for_a_player(games: list[Lines], check: Check) -> None:
    changed = copy.deepcopy(games[0])
    place = next(
        n
        for n, one in enumerate(changed)
        if one.get("kind") == "answer" and one["request"]["kind"] == "choose_one"
    )
    changed[place]["source"] = "table"
    assert codes(check(reseal(changed))) == ["illegal"]
