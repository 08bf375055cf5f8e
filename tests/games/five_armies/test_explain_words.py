"""What explaining says: no gaps in sentences, the open question in words, actions that go without saying."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

import referee.games.five_armies
from referee.games.five_armies import GAME
from referee.kernel.explain import Explanation, explain
from referee.kernel.play import Play

MARCH = """
phase: 5
to_act: shadow
regions:
  v_west_plain: {side: shadow, units: {orcs: 2}}
  camp: {side: free, units: {lake_men: 1}}
  eb_north_plain: {side: shadow, units: {goblins: 2}}
unused_dice: {shadow: [army, event], free: [muster]}
"""


def tried(line: str) -> Explanation:
    position = GAME.read_position(MARCH)
    play: Play[object] = Play(GAME, GAME.copy(position.state))
    position.lead_in(play)
    return explain(play, line, GAME.words)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("army: v_west_plain > fallen_bridge", "strategic_move"),
        ("army: eb_north_plain x camp", "attack"),
        ("army: move v_west_plain > fallen_bridge", "strategic_move"),
    ],
)
def test_the_action_of_a_march_goes_without_saying(line: str, action: str) -> None:
    found = tried(line)
    assert found.verdict == "allowed", found.sentence("en", GAME)
    assert ("prompt.choose_action", action) in [(r.prompt, a) for r, a in found.pairs]


def test_pass_tells_the_numbers_of_dice() -> None:
    found = tried("pass")
    assert found.rule is not None and found.rule.id == "dice.pass_condition"
    assert "2" in found.sentence("en", GAME) and "1" in found.sentence("de", GAME)


@pytest.mark.parametrize(("language", "name"), [("de", "Strategische"), ("en", "trategic")])
def test_what_is_not_understood_tells_the_question_and_its_answers_by_name(language: str, name: str) -> None:
    found = tried("army: dance")
    sentence = found.sentence(language, GAME)
    assert found.verdict == "unclear"
    assert "dance" in sentence and "prompt." not in sentence and "{" not in sentence
    assert "move (" in sentence and name in sentence


def _refusals() -> list[tuple[str, ast.Call]]:
    folder = Path(referee.games.five_armies.__file__).parent
    return [
        (f"{path.name}:{node.lineno}", node)
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal" and len(node.args) > 1
    ]


def test_every_refusal_in_the_code_gives_what_its_sentence_takes() -> None:
    """As far as the particulars are written out where the refusal is made."""
    gaps, looked_at = [], 0
    for where, call in _refusals():
        given = call.args[2] if len(call.args) > 2 else ast.Dict([], [])
        if not isinstance(given, ast.Dict) or None in given.keys:
            continue
        keys = {key.value for key in given.keys if isinstance(key, ast.Constant)}
        for reason in ast.walk(call.args[1]):
            if isinstance(reason, ast.Constant) and isinstance(reason.value, str):
                for language in ("de", "en"):
                    text = GAME.messages.find(f"reason.{reason.value}", language) or ""
                    wanted = {name for _, name, _, _ in string.Formatter().parse(text) if name}
                    looked_at += 1
                    gaps += [(where, reason.value, language, wanted - keys)] if wanted - keys else []
    assert gaps == []
    assert looked_at > 100
