"""``rules_version`` goes up whenever a record made before could mean something else afterwards.

The fingerprint holds what can be compared without judgement: the form of a state (fields,
and the JSON of fixed positions) and the catalogue's rules (ids and pages; sentences may be
worded better at any time) with the ways of each house rule.  A rule that is merely reckoned
differently does not show here: for that the version has to be raised by hand.

    python tests/games/five_armies/test_rules_version.py     writes it after a bump
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

from referee.games.five_armies.state import State
from referee.kernel.forms import form_of
from referee.kernel.play import canonical_json
from referee.kernel.registry import load_game

KEPT = Path(__file__).with_name("rules_fingerprint.json")
WRITE = "python tests/games/five_armies/test_rules_version.py"

POSITION = """\
game: five_armies
position:
  turn: 3
  phase: 5
  to_act: shadow
  unused_dice: {free: [muster, event], shadow: [army, army, eye]}
  regions:
    v_west_plain:  {side: shadow, units: {orcs: 2}, leadership: 1, damage: 1}
    fallen_bridge: {tokens: {dwarves_and_men: 1}}
    camp:          {side: free, units: {lake_men: 2}, characters: [bard]}
"""


def digest(data: Any) -> str:
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()[:16]


def fingerprint(game: Any) -> dict[str, str]:
    """What must not change while ``rules_version`` stays."""
    states = [game.to_json(game.new_state(options)) for options in ({}, {"position": POSITION})]
    fields = [[one.name, str(one.type)] for one in dataclasses.fields(State)]
    rules = {rule.id: [rule.page_de, rule.page_en] for rule in game.catalogue.values()}
    house = {field.key: [list(field.options), field.shipped] for field in form_of(game, "house_rules_form")}
    return {
        "rules_version": game.rules_version,
        "state": digest([fields, states]),
        "catalogue": digest([rules, house]),
    }


def what_is_wrong(kept: dict[str, str], now: dict[str, str]) -> str:
    """A sentence, "" where all is well."""
    changed = sorted(key for key in ("state", "catalogue") if kept[key] != now[key])
    if kept["rules_version"] != now["rules_version"]:
        return f"rules_version was raised to {now['rules_version']}: run {WRITE}"
    if changed:
        return f"changed without a new rules_version: {', '.join(changed)}. Raise it in game.py, then {WRITE}"
    return ""


def test_what_old_records_rest_on_changes_only_with_the_version() -> None:
    assert what_is_wrong(json.loads(KEPT.read_text()), fingerprint(load_game("five_armies"))) == ""


def test_a_changed_field_rule_or_house_rule_is_found() -> None:
    game = load_game("five_armies")
    kept = fingerprint(game)

    class Changed:
        """The game with one thing else."""

        def __init__(self, **other: Any) -> None:
            self.other = other

        def __getattr__(self, name: str) -> Any:
            return self.other[name] if name in self.other else getattr(game, name)

    less = dict(list(game.catalogue.items())[1:])
    assert "catalogue" in what_is_wrong(kept, fingerprint(Changed(catalogue=less)))
    assert "catalogue" in what_is_wrong(kept, fingerprint(Changed(house_rules_form=lambda: ())))
    renamed = Changed(to_json=lambda state: {**game.to_json(state), "extra": 1})
    assert "state" in what_is_wrong(kept, fingerprint(renamed))
    raised = what_is_wrong(kept, fingerprint(Changed(rules_version="99", catalogue=less)))
    assert raised.startswith("rules_version was raised")


def write() -> None:
    """Write the fingerprint; refuses while something changed and the version did not."""
    now = fingerprint(load_game("five_armies"))
    if KEPT.exists():
        wrong = what_is_wrong(json.loads(KEPT.read_text()), now)
        if wrong.startswith("changed"):
            raise SystemExit(wrong)
    KEPT.write_text(json.dumps(now, indent=2) + "\n")


if __name__ == "__main__":
    write()
