"""The readable record: every kind of event in words, and any moment of a game in full."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
import table_bot
import toy_game
from click.testing import CliRunner, Result

from referee.archive.show import Narrator, moment
from referee.cli import main
from referee.hall.table import Table
from referee.journal.errors import NotPossible
from referee.kernel.naming import NONE, Namer
from referee.kernel.registry import load_game
from referee.store.store import Store

PLAYERS = {"white": "Änne", "black": "José"}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store in a folder of this test, with pictures kept beside it."""
    monkeypatch.setenv("LANG", "C")
    with Store.open(tmp_path / "games.sqlite") as store:
        yield store


@pytest.fixture
def table(store: Store) -> Iterator[Table]:
    with Table.create(store, toy_game.register(), players=PLAYERS, game_id="toy-1") as table:  # type: ignore[arg-type]
        yield table


@pytest.fixture
def run(store: Store) -> Callable[..., Result]:
    def invoked(*words: str) -> Result:
        assert store.path is not None
        return CliRunner().invoke(main, ["show", "toy-1", "--store", str(store.path), *words])

    return invoked


def walked(table: Table) -> None:
    """Compare board and record three times: all well, with differences, broken off; then skip one."""
    for says in (["right", "right"], ["mended", "differs"], ["right"]):
        table.begin_board_check("white", everything=True)
        for one in says:
            table.answer_board_check("black", table.board_check.current, one)  # type: ignore[union-attr, arg-type]
        if table.board_check is not None:
            table.end_board_check("white")
    table.answer("white", "east", revision=table.revision)
    table.offer_board_check()
    table.end_board_check("black")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["as it should", "figures put right at", "differs at", "broken off", "skipped"]),
        (
            "de",
            ["alles wie es soll", "Figuren zurechtgestellt auf", "anders auf", "abgebrochen", "übersprungen"],
        ),
    ],
)
def test_what_came_of_comparing_board_and_record(table: Table, language: str, words: list[str]) -> None:
    walked(table)
    told = "\n".join(Narrator(table.game, language).line(event, False) for event in table.events())
    for word in words:
        assert word in told, told


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_decision_is_told_with_its_reason(table: Table, language: str) -> None:
    table.raise_objection("white", "der Würfel lag schief")
    table.rule("er gilt")
    table.let_stand("south", "nobody saw", revision=table.revision)
    table.propose_correction(
        "white", [{"do": "points", "seat": "white", "value": 2}], "miscounted", revision=table.revision
    )
    table.consent("black", False, revision=table.revision)
    table.note("arbiter", "late", kind="penalty", about="black", value=1)
    teller = Narrator(table.game, language)
    told = [teller.line(event, event.number == 3) for event in table.events()]
    assert told[2].startswith("~")
    for line, word in zip(told, ("schief", "er gilt", "nobody saw", "miscounted", "", "late"), strict=True):
        assert word in line and "show." not in line, line
    assert told[4] != told[4].replace(teller.t("no"), "")


def test_one_moment_in_text_and_as_json(table: Table, run: Callable[..., Result]) -> None:
    table_bot.play(table, Random(2), 8)
    table.close()
    for number in range(9):
        text = run("--at", str(number), "--lang", "en")
        assert text.exit_code == 0 and "?" in text.output, text.output
        data = json.loads(run("--at", str(number), "--json").output)
        assert data["number"] == number and data["request"]["prompt"]
        assert (data["event"] is None) == (number == 0)
    first = run("--at", "0", "--lang", "de").output
    assert "    + " in first and "    - " in first and "Wohin" in first
    beyond = run("--at", "99")
    assert beyond.exit_code == 2 and "99" in beyond.output


def test_the_end_of_a_game_asks_nothing(table: Table, run: Callable[..., Result]) -> None:
    table_bot.play(table, Random(2))
    last = table.revision
    table.close()
    said = run("--at", str(last), "--lang", "en")
    assert said.exit_code == 0 and "?" not in said.output.splitlines()[-1]


def test_dice_typed_in_read_and_corrected(table: Table, store: Store, run: Callable[..., Result]) -> None:
    rng = Random(2)
    while table.request.kind != "roll_dice":  # type: ignore[union-attr]
        table_bot.one_answer(table, rng)
    assert table.pictures is not None
    picture = table.pictures.keep(b"picture of dice")
    evidence = {"manual": True, "corrections": [{"die": 0, "face": "2"}], "picture": picture}
    request = table.request
    assert request is not None
    table.answer(request.seat, request.sample(rng), revision=table.revision, evidence=evidence)
    number = table.revision
    table.close()
    said = run("--at", str(number), "--lang", "en").output
    assert picture[:12] in said and len(said.splitlines()) > 4
    kept = json.loads(run("--at", str(number), "--json").output)["picture"]
    assert Path(kept).read_bytes() == b"picture of dice"
    logged = next(one for one in run("--events", "--lang", "en").output.splitlines() if f" {number}  " in one)
    assert "entered by hand, reading corrected in 1 place]" in logged
    Path(kept).write_bytes(b"another picture")
    assert "not the one that was read" in run("--at", str(number), "--lang", "en").output
    assert json.loads(run("--at", str(number), "--json").output)["picture_is_as_it_was"] is False
    Path(kept).unlink()
    assert "not kept here" in run("--at", str(number), "--lang", "en").output


def test_all_events_in_a_list(table: Table, run: Callable[..., Result]) -> None:
    walked(table)
    table.take_back("white", revision=table.revision)
    table.close()
    said = run("--events", "--lang", "de")
    assert said.exit_code == 0 and "Änne" in said.output and "~" in said.output
    data = json.loads(run("--json").output)
    assert data["header"]["players"] == PLAYERS and len(data["events"]) == said.output.count("[")


def test_a_moment_before_the_beginning_is_none(table: Table, store: Store) -> None:
    loaded = store.load("toy-1")
    assert moment(loaded, 0).event is None and moment(loaded, 0).request is not None
    with pytest.raises(NotPossible):
        moment(loaded, -1)


def test_a_game_with_a_tale_of_its_own_tells_it(store: Store) -> None:
    """Five Armies from a position, one thing let stand and one corrected, as a report and a moment."""
    game = load_game("five_armies")
    with Table.create(store, game, players={"free": "Anna", "shadow": "Bert"}, game_id="five-1") as table:
        for _ in range(3):
            table_bot.one_answer(table, Random(1))
        table.correct([{"do": "fate", "value": 2}], "moved by a sleeve", revision=table.revision)
    for language, word in (("en", "moved by a sleeve"), ("de", "moved by a sleeve")):
        words = ["show", "five-1", "--store", str(store.path), "--lang", language]
        said = CliRunner().invoke(main, words)
        assert said.exit_code == 0, said.output
        assert word in said.output and "Anna" in said.output
        at = CliRunner().invoke(main, [*words, "--at", "4"])
        assert at.exit_code == 0 and word in at.output and "show." not in at.output


def test_an_answer_of_names_numbers_and_lists() -> None:
    names = Namer(toy_game.register(), "en")  # type: ignore[arg-type]
    assert names.answer(["white", "black"]) == "White, Black"
    assert names.answer({"men": 2}) == f"2 × {names.name('men')}"
    assert names.answer({"white": {"men": 1}}).startswith("White: 1")
    assert names.answer({}) == NONE
    assert Narrator(load_game("toy"), "en").question(None) == ""
