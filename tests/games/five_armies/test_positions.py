"""Position files: mistakes are named with their line, and every position can be written and read back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from five_armies_positions import BRIDGE

from referee.commands.position import explain_command, position
from referee.games.five_armies import GAME
from referee.kernel.located import FileProblems

WRONG = {
    "a region that does not exist": ("v_west_plain:", "v_west_plan:", 9, "v_west_plain"),
    "a unit that does not exist": ("orcs: 2", "trolls: 2", 9, "trolls"),
    "a phase that does not exist": ("phase: 5", "phase: 7", 5, "1 to 6"),
    "more damage than units": ("damage: 1", "damage: 3", 9, "3 damage on 2 units"),
    "an army over its limit": ("lake_men: 2", "lake_men: 6", 11, "5 units at most"),
    "both sides in one place": ("lake_men: 2", "lake_men: 2, orcs: 1", 11, "both sides"),
    "a face no die has": ("army, army, eye", "army, will_of_the_west", 7, "will_of_the_west"),
    "tokens under the enemy": ("tokens: {dwarves", "units: {orcs: 1}, tokens: {dwarves", 10, "enemy army"),
    "no YAML at all": ("regions:", "regions: [", 10, "not YAML"),
    "an entry given twice": ("  turn: 3", "  turn: 3\n  turn: 4", 5, "twice"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_named_with_its_line(name: str) -> None:
    old, new, line, words = WRONG[name]
    assert old in BRIDGE
    with pytest.raises(FileProblems) as caught:
        GAME.read_position(BRIDGE.replace(old, new))
    problem = caught.value.problems[0]
    assert words in problem.text.in_words("en")
    assert problem.line == line, problem
    assert problem.text.in_words("de") != problem.text.in_words("en")


def test_all_mistakes_are_told_at_once() -> None:
    text = BRIDGE.replace("phase: 5", "phase: 9").replace("orcs: 2", "trolls: 2")
    with pytest.raises(FileProblems) as caught:
        GAME.read_position(text)
    assert [problem.line for problem in caught.value.problems][:2] == [5, 9]


def test_too_many_figures_are_noticed() -> None:
    text = "regions:\n  camp: {units: {dwarf_veterans: 3}}\n  ravenhill: {units: {dwarf_veterans: 3}}\n"
    with pytest.raises(FileProblems, match="Dwarf Veterans: there are 5 figures"):
        GAME.read_position(text)


def test_command_checks_writes_and_draws(tmp_path: Path) -> None:
    file = tmp_path / "bridge.yaml"
    file.write_text(BRIDGE, encoding="utf-8")
    svg = tmp_path / "bridge.svg"
    result = CliRunner().invoke(position, [str(file), "--json", "--svg", str(svg)])
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["to_act"] == "shadow"
    assert "Fallen Bridge" in svg.read_text(encoding="utf-8")
    written = CliRunner().invoke(position, [str(file), "--write"])
    file.write_text(written.output, encoding="utf-8")
    assert CliRunner().invoke(position, [str(file), "--write"]).output == written.output
    file.write_text(BRIDGE.replace("phase: 5", "phase: 7"), encoding="utf-8")
    refused = CliRunner().invoke(position, [str(file), "--lang", "de"])
    assert refused.exit_code == 1
    assert "Zeile 5" in refused.output


def test_a_game_starts_from_a_position_in_the_middle_of_a_combat(tmp_path: Path) -> None:
    from referee.hall.table import Table
    from referee.store.store import Store

    file = tmp_path / "swamp.yaml"
    file.write_text(
        """\
phase: 5
regions:
  v_northeast_plain: {side: shadow, units: {orcs: 4}}
  v_north_swamp: {side: free, units: {lake_men: 2}, damage: 1}
combat: {attacker: v_northeast_plain, defender: v_north_swamp, step: end of round 1, free_card: Regroup}
""",
        encoding="utf-8",
    )
    store_file = tmp_path / "games.db"
    result = CliRunner().invoke(position, [str(file), "--json", "--start", str(store_file)])
    assert result.exit_code == 0, result.output
    game_id = json.loads(result.output)["game_id"]
    with Store.open(str(store_file)) as store:
        table = Table.open(store, game_id)
        assert table.request is not None and table.request.prompt == "prompt.break_off"
        table.close()


ATTEMPTS = {
    "army: move v_west_plain > fallen_bridge 2 orcs": (0, ""),
    "army: move v_west_plain > eb_south_hill": (1, "move.no_cross_impassable"),
    "eye: move v_west_plain > fallen_bridge": (1, "move.eye_needs_goblin"),
    "muster: rally v_west_plain": (1, "dice.match_symbol"),
    "pass": (1, "dice.pass_condition"),
    "free: muster: rally camp": (1, "turn.p5_alternate"),
    "army: dance v_west_plain": (2, ""),
}


@pytest.mark.parametrize("move", ATTEMPTS)
def test_explain_says_allowed_refused_or_not_understood(move: str, tmp_path: Path) -> None:
    file = tmp_path / "bridge.yaml"
    file.write_text(BRIDGE, encoding="utf-8")
    result = CliRunner().invoke(explain_command, [str(file), move, "--json"])
    code, rule = ATTEMPTS[move]
    answer = json.loads(result.output)
    assert result.exit_code == code, result.output
    assert (answer["rule"] or "") == rule
    if rule:
        assert answer["page"]["de"] and answer["sentence"]["de"] != answer["sentence"]["en"]


def test_files_that_cannot_be_read_or_written_get_a_sentence(tmp_path: Path) -> None:
    """A broken file is not *refused* (1) but *not understood* (2) for ``explain``."""
    broken, strange, good = tmp_path / "a.yaml", tmp_path / "b.yaml", tmp_path / "c.yaml"
    broken.write_text("position: {turn: nine}", encoding="utf-8")
    strange.write_bytes(b"\xff\xfe\x00")
    good.write_text("position: {phase: 5, unused_dice: {free: [muster]}}", encoding="utf-8")
    assert CliRunner().invoke(explain_command, [str(broken), "pass"]).exit_code == 2
    assert CliRunner().invoke(position, [str(broken)]).exit_code == 1
    nowhere = str(tmp_path / "none" / "x")
    for arguments in ([str(strange)], [str(good), "--svg", nowhere], [str(good), "--start", "/proc/none/x"]):
        result = CliRunner().invoke(position, arguments)
        assert result.exit_code == 1 and isinstance(result.exception, SystemExit)
        assert result.output.splitlines()[-1].startswith("Error: ")
