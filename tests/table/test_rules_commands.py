"""``referee rules``, ``position`` and ``explain`` as people read them in a terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import toy_game
from click.testing import CliRunner, Result

from referee.cli import main
from referee.games.kit.positions import Position
from referee.hall.table import Table
from referee.kernel.play import Play
from referee.kernel.registry import load_game
from referee.store.store import Store


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


# -- rules -----------------------------------------------------------------------------------------------


@pytest.fixture
def toy() -> None:
    toy_game.register()


def test_rules_are_listed_by_chapter_in_either_language(toy: None) -> None:
    english, german = run("rules", "toy"), run("rules", "toy", "--lang", "de")
    assert english.exit_code == german.exit_code == 0
    assert "== Moving ==" in english.output and "step *  One step (p. 3; summary: 4)" in english.output
    assert "Ein Schritt (S. 3)" in german.output and "3 von 3 Regeln" in german.output
    assert "roll  Roll" in english.output, "no star: nobody can try to break it"


def test_every_rule_of_the_real_game_is_listed_with_notes_and_parts() -> None:
    game = load_game("five_armies")
    said = run("rules", "five_armies")
    assert said.exit_code == 0
    lines = said.output.splitlines()
    for rule in game.catalogue.values():
        assert any(line.startswith(rule.id) for line in lines), rule.id
        if rule.note_en:
            assert f"    [{rule.note_en}]" in lines
    assert any(line.startswith("    (also: ") for line in lines)


def test_rules_are_found_by_a_word_of_theirs(toy: None) -> None:
    found = json.loads(run("rules", "toy", "--find", "NACHBAR", "--json").output)
    assert [one["id"] for one in found] == ["step"] and found[0]["refusable"] is True
    nothing = run("rules", "toy", "--find", "zeppelin")
    assert nothing.exit_code == 1 and "'zeppelin'" in nothing.output
    unknown = run("rules", "chess")
    assert unknown.exit_code == 1 and "chess" in unknown.output


def entry(test: str, **rules: list[str]) -> str:
    return json.dumps({"test": test, "met": [], "refused": [], "marked": [], **rules})


def test_coverage_says_what_no_test_exercises_or_refuses(toy: None, tmp_path: Path) -> None:
    out = tmp_path / "rules.jsonl"
    out.write_text(
        entry("test_a", met=["step"]) + "\n" + entry("test_b", met=["step"], marked=["roll"]) + "\n"
    )
    said = run("rules", "toy", "--coverage", "--games", "1", "--from", str(out))
    assert said.exit_code == 1, said.output
    step, roll, win, total = said.output.splitlines()
    assert step.startswith("!! step") and " ? " in step, "it can be broken, and no test has it refused"
    assert roll.startswith("   roll") and roll.endswith("test_b")
    assert win.startswith("!! win") and win.endswith("no test")
    assert total == "3 rules, 2 with something missing."
    out.write_text(out.read_text() + entry("test_c", refused=["step"], met=["win"]) + "\n")
    whole = run("rules", "toy", "--coverage", "--games", "1", "--from", str(out), "--json")
    assert whole.exit_code == 0
    facts = json.loads(whole.output)
    assert (facts["missing"], facts["games"], facts["tests_failed"]) == (0, 1, False)
    rows = {row["rule"]: row for row in facts["rows"]}
    assert rows["step"]["refused_by"] == "test_c" and rows["step"]["tests"] == 3
    assert rows["step"]["random_play"] > 0 and rows["win"]["random_play"] == 1
    german = run("rules", "toy", "--coverage", "--games", "0", "--from", str(out), "--lang", "de")
    assert german.exit_code == 0 and "3 Regeln, 0 unvollständig." in german.output


def test_coverage_runs_the_games_own_tests_and_tells_that_they_fail(
    toy: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = run("rules", "toy", "--coverage", "--games", "0")
    assert missing.exit_code == 1 and "No tests at" in missing.output
    folder = tmp_path / "tests" / "games" / "toy"
    folder.mkdir(parents=True)
    # as tests/games/five_armies/conftest.py does it
    line = entry("test_all", met=["step", "roll", "win"], refused=["step"])
    (folder / "test_all.py").write_text(
        "import os\nfrom pathlib import Path\n\n"
        f"def test_all():\n    Path(os.environ['REFEREE_RULES_OUT']).write_text({line + chr(10)!r})\n"
        "    assert FAILS is False\n"
    )
    here = tmp_path / "referee" / "commands" / "rule_coverage.py"
    monkeypatch.setattr("referee.commands.rule_coverage.__file__", str(here))
    text = (folder / "test_all.py").read_text()
    sentences = {"en": "Tests have failed.", "de": "Tests sind fehlgeschlagen."}
    for fails, language in ((False, "en"), (True, "en"), (True, "de")):
        (folder / "test_all.py").write_text(f"FAILS = {fails}\n{text}")
        said = run("rules", "toy", "--coverage", "--games", "0", "--lang", language)
        assert said.exit_code == int(fails), said.output
        assert (sentences[language] in said.output) == fails


# -- positions -------------------------------------------------------------------------------------------

POSITION = """\
phase: 5
to_act: shadow
unused_dice: {shadow: [army], free: [event]}
regions:
  v_west_plain: {side: shadow, units: {orcs: 2}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "position.yaml"
    path.write_text(POSITION, encoding="utf-8")
    return path


def test_a_position_is_told_drawn_and_begun_in_words(file: Path, tmp_path: Path) -> None:
    drawing, record = tmp_path / "board.svg", tmp_path / "games.sqlite"
    said = run("position", str(file), "--svg", str(drawing), "--start", str(record))
    assert said.exit_code == 0, said.output
    good, asked, drawn, begun = said.output.splitlines()
    assert good == "The position is in order." and asked.startswith("Shadow: ")
    assert drawn == f"Drawn: {drawing}" and drawing.read_text().startswith("<svg")
    with Store.open(record) as store, Table.open(store, begun.removeprefix("Game begun: ")) as table:
        assert table.request is not None and table.request.seat == "shadow"
    german = run("position", str(file), "--lang", "de", "--svg", str(drawing), "--start", str(record))
    assert german.output.startswith("Die Stellung ist in Ordnung.")
    assert f"Gezeichnet: {drawing}" in german.output and "Partie begonnen: " in german.output


def test_a_position_that_is_over_asks_nothing(tmp_path: Path) -> None:
    game: Any = load_game("five_armies")
    state = Play(game, game.new_state({})).state
    first = tmp_path / "first.yaml"
    first.write_text(game.write_position(state, "Anfang"), encoding="utf-8")
    assert run("position", str(first), "--json").exit_code == 0


def test_a_position_from_standard_input_and_by_name() -> None:
    said = CliRunner().invoke(main, ["position", "-", "--game", "five_armies"], input=POSITION)
    assert said.exit_code == 0 and "in order" in said.output
    wrong = CliRunner().invoke(main, ["position", "-", "--game", "chess"], input=POSITION)
    assert wrong.exit_code == 1 and "chess" in wrong.output


def test_mistakes_of_a_position_are_named_in_words_and_as_json(file: Path, tmp_path: Path) -> None:
    file.write_text(POSITION.replace("phase: 5", "phase: 50"), encoding="utf-8")
    said = run("position", str(file))
    assert said.exit_code == 1 and str(file) in said.output
    facts = json.loads(run("position", str(file), "--json").output)
    assert facts["valid"] is False and facts["problems"][0]["de"] != facts["problems"][0]["en"]
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("title: Größe".encode("latin-1"))
    for language, word in (("en", "no text file"), ("de", "keine Textdatei")):
        refused = run("position", str(latin), "--lang", language)
        assert refused.exit_code == 1 and word in refused.output
    nowhere = run("position", str(file), "--svg", str(tmp_path))
    assert nowhere.exit_code == 2, "a folder is no file to draw into"


def test_a_position_that_breaks_an_invariant_is_told_and_not_begun(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game("five_armies")
    monkeypatch.setattr(type(game), "audit", lambda self, state: ["a figure is missing"])
    record = tmp_path / "games.sqlite"
    said = run("position", str(file), "--start", str(record))
    assert said.exit_code == 1 and "a figure is missing" in said.output and not record.exists()


def test_an_explanation_says_how_far_a_move_was_in_order(file: Path) -> None:
    allowed = run("explain", str(file), "army: move v_west_plain > fallen_bridge 2 orcs")
    assert allowed.exit_code == 0 and "in order up to here" not in allowed.output
    for language, words in (("en", "in order up to here"), ("de", "bis hier in Ordnung")):
        said = run("explain", str(file), "army: move v_west_plain > eb_south_hill", "--lang", language)
        assert said.exit_code == 1 and words in said.output


def test_a_game_without_notation_says_so(toy: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "toy.yaml"
    path.write_text("x", encoding="utf-8")
    read_in = lambda text: Position(toy_game.GAME.new_state({}))  # noqa: E731
    monkeypatch.setattr("referee.kernel.positions.reader_of", lambda game: read_in)
    read_in = lambda text: Position(toy_game.GAME.new_state({}))  # noqa: E731
    monkeypatch.setattr("referee.kernel.positions.reader_of", lambda game: read_in)
    said = run("explain", str(path), "north", "--game", "toy")
    assert said.exit_code == 1 and "no notation" in said.output


def test_a_battle_is_played_out_by_the_command(tmp_path: Path) -> None:
    """In words in either language; what cannot be played is said with its line."""
    battles = load_game("battlelore").battles  # type: ignore[attr-defined]
    file = tmp_path / "battle.yaml"
    file.write_text(battles.write(battles.random(5)), encoding="utf-8")
    told = run("play-outs", "battlelore", str(file), "--games", "2", "--lang", "de")
    assert told.exit_code == 0 and re.fullmatch(
        r"2 Schlachten: Süd gewinnt \d+ %, Nord gewinnt \d+ %, \d+,\d Züge\n", told.output
    ), told.output
    file.write_text("scenario:\n  units: {}\n", encoding="utf-8")
    wrong = run("play-outs", "battlelore", str(file))
    assert wrong.exit_code == 1 and "line 2" in wrong.output
    assert run("play-outs", "toy", str(file)).exit_code == 1
