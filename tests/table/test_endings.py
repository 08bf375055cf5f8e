"""Ending a game before its rules do; a tournament table stays closed until its slip was handed over."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import table_bot
from click.testing import CliRunner

from referee.archive.exchange import result_json, write
from referee.archive.results import outcome_of, told_result
from referee.archive.show import events_in_words
from referee.archive.slip import make_slip
from referee.archive.verify import Verdict, verify_file
from referee.cli import main
from referee.hall.table import Table
from referee.journal.errors import GameOver, NotPossible
from referee.journal.signing import load_or_make
from referee.kernel.errors import InvalidAnswer, StaleAnswer

sys.path.insert(0, str(Path(__file__).parent.parent / "record"))

from exporting import reseal


def lines_of(table: Table, tmp_path: Path) -> list[dict[str, Any]]:
    key = load_or_make(tmp_path / "key.pem")
    text = write(table.header, table.events(), result_json(table.outcome), key)
    return [json.loads(line) for line in text.splitlines()]


def checked(lines: list[dict[str, Any]], tmp_path: Path) -> Verdict:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return verify_file(path)


def end(table: Table, how: str, winners: list[str], seat: str | None = None, reason: str = "so") -> None:
    table.end_game(how, winners, reason, seat=seat, revision=table.revision)


WAYS = [
    ("time", ["white"], None, "ended by time; Änne wins: so"),
    ("time", [], None, "ended by time; nobody wins: so"),
    ("draw", [], None, "a draw by agreement or decision: so"),
    ("award", ["black"], None, "awarded; José wins: so"),
    ("forfeit", ["white"], "black", "José forfeits; Änne wins: so"),
    ("left", ["white"], "black", "José left; Änne wins: so"),
    ("absent", [], "white", "Änne never came; nobody wins: so"),
]


@pytest.mark.parametrize(("how", "winners", "seat", "told"), WAYS, ids=lambda one: str(one))
def test_a_player_left_and_the_game_could_not_be_ended(
    table: Table, tmp_path: Path, how: str, winners: list[str], seat: str | None, told: str
) -> None:
    table_bot.play(table, Random(3), 4)
    end(table, how, winners, seat)
    outcome = table.outcome
    assert outcome is not None and table.request is None
    assert (outcome.rule, list(outcome.winners)) == (f"table.{how}", winners)
    with pytest.raises(GameOver):
        table.answer("white", "east", revision=table.revision)
    table.confirm_result("white")
    lines = lines_of(table, tmp_path)
    assert lines[-1]["signature"]["result"]["reason"] == "so"
    verdict = checked(lines, tmp_path)
    assert verdict.ok, verdict.findings
    assert [text.in_words("en") for text in verdict.told][-1].endswith(told)
    loaded = table.live_game.store.load(table.id)
    assert told_result(table.game, table.header, outcome_of(loaded), "en") == told
    assert make_slip(loaded, outcome, load_or_make(tmp_path / "key.pem"), "de").pdf.startswith(b"%PDF")
    assert any("beendet die Partie" in line for line in events_in_words(loaded, "de"))


def test_a_draw_is_offered_and_agreed_to(table: Table, tmp_path: Path) -> None:
    table_bot.play(table, Random(3), 4)
    asked = table.ask_for_draw("white", revision=table.revision)
    with pytest.raises(NotPossible):
        table.ask_for_draw("black", revision=table.revision)
    table.consent("black", False, revision=table.revision)
    assert table.outcome is None
    second = table.ask_for_draw("white", revision=table.revision)
    with pytest.raises(StaleAnswer):
        table.consent("black", True, revision=table.revision, asks=asked.number)
    table.consent("black", True, revision=table.revision, asks=second.number)
    assert table.outcome is not None and table.outcome.winners == ()
    with pytest.raises(NotPossible):
        table.ask_for_draw("white", revision=table.revision)
    assert checked(lines_of(table, tmp_path), tmp_path).ok


def test_an_offer_of_a_draw_lapses_with_the_next_answer(table: Table) -> None:
    table_bot.play(table, Random(3), 4)
    table.ask_for_draw("white", revision=table.revision)
    table_bot.play(table, Random(3), 1)
    with pytest.raises(NotPossible):
        table.consent("black", True, revision=table.revision)


@pytest.mark.parametrize(
    ("how", "winners", "seat"),
    [
        ("won", ["white"], None),
        ("draw", ["white"], None),
        ("award", [], None),
        ("time", ["white", "white"], None),
        ("time", ["green"], None),
        ("time", [], "white"),
        ("left", ["white"], "white"),
        ("left", ["white"], None),
        ("absent", [], "green"),
    ],
)
def test_a_game_cannot_end_so(table: Table, how: str, winners: list[str], seat: str | None) -> None:
    with pytest.raises(InvalidAnswer):
        end(table, how, winners, seat)
    with pytest.raises(InvalidAnswer):
        end(table, "time", [], None, reason="  ")
    assert table.outcome is None


def test_a_ruling_takes_an_end_back(table: Table, tmp_path: Path) -> None:
    table_bot.play(table, Random(3), 4)
    end(table, "left", ["white"], "black")
    with pytest.raises(NotPossible):
        end(table, "time", [])
    table.confirm_result("white")
    table.rule("Er kam wieder.", reopens=True)
    assert table.outcome is None and table.request is not None and not table.standing.confirmed
    table_bot.play(table, Random(3))
    assert checked(lines_of(table, tmp_path), tmp_path).ok


def test_an_end_that_nobody_agreed_to_is_found(table: Table, tmp_path: Path) -> None:
    table_bot.play(table, Random(3), 4)
    table.ask_for_draw("white", revision=table.revision)
    table.consent("black", True, revision=table.revision)
    lines = lines_of(table, tmp_path)
    no = json.loads(json.dumps(lines))
    no[-3]["answer"]["yes"] = False
    won = json.loads(json.dumps(lines))
    won[-2]["answer"] |= {"how": "award", "winners": ["white"]}
    other = json.loads(json.dumps(lines))
    other[-2]["seat"] = "black"
    unasked = [*lines[:-4], *lines[-2:]]
    for forged in (no, won, other, unasked):
        assert "illegal" in [one.code for one in checked(reseal(forged), tmp_path).findings]


def test_a_tournament_table_was_cleared_before_its_slip_was_handed_over(
    new_table: Callable[..., Table], tmp_path: Path
) -> None:
    table = new_table(tournament=True)
    with pytest.raises(NotPossible):
        table.hand_over("slip")
    assert not table.is_closed
    end(table, "time", ["white"])
    assert table.is_closed
    with pytest.raises(NotPossible):
        table.hand_over("flowers")
    table.rule("Doch weiter.", reopens=True)
    end(table, "time", ["black"])
    assert table.is_closed
    table.hand_over("export")
    assert not table.is_closed
    with pytest.raises(NotPossible):
        table.hand_over("slip")
    lines = lines_of(table, tmp_path)
    assert checked(lines, tmp_path).ok
    forged = json.loads(json.dumps(lines))
    forged[-2]["seat"] = "white"
    assert [one.code for one in checked(reseal(forged), tmp_path).findings] == ["illegal"]


def test_the_list_of_games_tells_winners_players_and_dates(
    table: Table, new_table: Callable[..., Table], tmp_path: Path
) -> None:
    end(table, "award", ["white"], reason="Regel 5")
    other = new_table()
    path = str(table.live_game.store.path)
    run = CliRunner().invoke(main, ["games", "--store", path], env={"LANG": "en_GB.UTF-8"})
    assert run.exit_code == 0, run.output
    first, second = run.output.splitlines()
    assert "Änne – José" in first and first.endswith("awarded; Änne wins: Regel 5")
    assert str(table.header["created"])[:10] in first and second.endswith("Not finished")
    rows = json.loads(CliRunner().invoke(main, ["games", "--store", path, "--json"]).output)
    assert rows[0]["result"] == {"winner": "white", "rule": "table.award", "reason": "Regel 5"}
    assert rows[1]["result"] is None and rows[1]["id"] == other.id
    out = tmp_path / "all games"
    done = CliRunner().invoke(main, ["export", "--all", "-o", str(out), "--store", path])
    assert done.exit_code == 0, done.output
    assert {one.name for one in out.iterdir()} == {f"{table.id}.jsonl", f"{other.id}.jsonl"}
    assert all(verify_file(one).ok for one in out.iterdir())
    both = CliRunner().invoke(main, ["export", table.id, "--all", "--store", path])
    assert both.exit_code == 2 and CliRunner().invoke(main, ["export", "--store", path]).exit_code == 2


def test_the_list_of_games_names_one_that_cannot_be_played_again_and_exports_the_others(
    table: Table, new_table: Callable[..., Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new_table(turns=7)
    table_bot.play(other, Random(1), 2)

    def broken(options: Any) -> Any:
        if options["turns"] == 7:
            raise ValueError("today's rules know no seven")
        return new_state(options)

    new_state = table.game.new_state
    monkeypatch.setattr(table.game, "new_state", broken)
    path = str(table.live_game.store.path)
    run = CliRunner().invoke(main, ["games", "--store", path], env={"LANG": "en_GB.UTF-8"})
    assert run.exit_code == 0 and "no seven" in run.output.splitlines()[1]
    done = CliRunner().invoke(main, ["export", "--all", "-o", str(tmp_path / "out"), "--store", path])
    assert done.exit_code == 1 and [one.stem for one in (tmp_path / "out").iterdir()] == [table.id]
