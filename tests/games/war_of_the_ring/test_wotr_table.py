"""The whole house with this game: recorded, resumed, taken back, from a position, read as a file."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from referee.commands.position import explain_command, position
from referee.games.war_of_the_ring.game import GAME
from referee.hall.table import Table
from referee.kernel.located import FileProblems
from referee.kernel.registry import game_ids, load_game
from referee.store.store import Store

POSITION = """\
game: war_of_the_ring
title: The fords
options: {die_change: at_once}
position:
  politics: {rohan: at_war, isengard: at_war}
  unused_dice: {free: [muster_army, event], shadow: [army, muster]}
  rings: {free: 2, shadow: 1}
  eliminated: [boromir]
  fallen: {rohan_regular: 2}
  tiles: {out: [three, eye_reveal], ready: [phial]}
  regions:
    edoras: {units: {rohan_regular: 3, rohan_leader: 1}}
    fords_of_isen: {units: {isengard_regular: 2}}
    helms_deep: {units: {isengard_elite: 1}, besieged: {units: {rohan_regular: 1}, characters: [strider]}}
"""


def test_the_game_is_installed() -> None:
    assert "war_of_the_ring" in game_ids()
    assert load_game("war_of_the_ring") is GAME


def test_a_recorded_game_is_resumed_and_taken_back(tmp_path: Path) -> None:
    rng = Random(9)
    with Store.open(str(tmp_path / "games.db")) as store:
        table = Table.create(store, GAME, options={"edition": "second"}, players={})
        for _ in range(120):
            request = table.request
            assert request is not None
            table.answer(request.seat, request.sample(rng), revision=table.revision)
        digest, game_id = table.play.digest(), table.id
        table.close()
        table = Table.open(store, game_id)
        assert table.play.digest() == digest
        while table.request is not None and (table.request.is_chance or not table.play.since):
            table.answer(table.request.seat, table.request.sample(rng), revision=table.revision)
        table.close()


def test_a_game_begins_from_a_position(tmp_path: Path) -> None:
    file = tmp_path / "fords.yaml"
    file.write_text(POSITION, encoding="utf-8")
    run = CliRunner()
    told = run.invoke(
        position, [str(file), "--start", str(tmp_path / "games.db"), "--svg", str(tmp_path / "a.svg")]
    )
    assert told.exit_code == 0, told.output
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")
    written = run.invoke(position, [str(file), "--write"])
    assert written.exit_code == 0 and "fords_of_isen" in written.output
    again = GAME.read_position(written.output)
    assert again.title == "The fords"
    first = GAME.read_position(POSITION).state
    assert GAME.to_json(again.state) == GAME.to_json(first)
    assert first.house["die_change"] == "at_once" and first.fallen[8] == 2


def test_explain_answers_in_both_languages(tmp_path: Path) -> None:
    file = tmp_path / "fords.yaml"
    file.write_text(POSITION, encoding="utf-8")
    run = CliRunner()
    allowed = run.invoke(explain_command, [str(file), "muster_army: edoras > westemnet"])
    assert allowed.exit_code == 0, allowed.output
    refused = run.invoke(explain_command, [str(file), "muster_army: edoras > helms_deep", "--lang", "de"])
    assert refused.exit_code == 1 and "Nicht erlaubt" in refused.output
    unclear = run.invoke(explain_command, [str(file), "sing"])
    assert unclear.exit_code == 2


@pytest.mark.parametrize("lang", ["de", "en"])
def test_explain_cites_the_book_of_the_edition(lang: str, tmp_path: Path) -> None:
    file = tmp_path / "fords.yaml"
    told = {}
    for edition in ("second", "first"):
        file.write_text(
            POSITION.replace("  politics:", f"  edition: {edition}\n  politics:", 1), encoding="utf-8"
        )
        move = "muster_army: edoras > helms_deep"
        told[edition] = CliRunner().invoke(explain_command, [str(file), move, "--lang", lang]).output
    assert "S. " in told["second"] or "p. " in told["second"]
    assert "S. " not in told["first"] and "p. " not in told["first"]
    assert told["first"].split("(")[0] == told["second"].split("(")[0]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("  regions: {narnia: {}}", "narnia"),
        ("  regions: {edoras: {units: {rohan_regular: 11}}}", "0 to 10"),
        ("  regions: {edoras: {units: {rohan_regular: 9, rohan_elite: 3}}}", "at most 10 units"),
        ("  regions: {edoras: {units: {rohan_regular: 1, sauron_regular: 1}}}", "both sides"),
        ("  regions: {edoras: {units: {rohan_leader: 1}}}", "leaders need an army"),
        ("  regions: {edoras: {besieged: {units: {rohan_regular: 1}}}}", "besieged"),
        ("  regions: {helms_deep: {besieged: {units: {rohan_regular: 1}}}}", "a siege needs"),
        ("  regions: {fangorn: {control: shadow}}", "no settlement"),
        ("  regions: {edoras: {characters: [strider]}, folde: {characters: [strider]}}", "two places"),
        ("  fallen: {nazgul: 1}", "reinforcements"),
        ("  fellowship: {guide: meriadoc}", "highest level"),
        ("  politics: {sauron: passive 1}", "always active"),
        ("  rings: {free: 3, shadow: 1}", "3 Elven rings"),
        ("  tiles: {out: [three, three, three, three]}", "only 3 tiles"),
        (
            "  hands: {free: {character: 12}}\n  discarded: {free: {character: 20}}",
            "Character deck: there are only 24 cards",
        ),
        ("  table_cards: [elven_rope]", "does not stay"),
        ("  house_rules: {dragons: many}", "house rule"),
        ("  weather: rain", "weather"),
        ("  phase: 9", "1 to 6"),
    ],
)
def test_mistakes_in_a_position_are_named_with_their_line(line: str, complaint: str) -> None:
    with pytest.raises(FileProblems) as caught:
        GAME.read_position("position:\n" + line + "\n")
    assert complaint in str(caught.value), str(caught.value)
    assert all(problem.line >= 1 for problem in caught.value.problems)
