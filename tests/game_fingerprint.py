"""``rules_version`` goes up whenever a record made before could mean something else afterwards.

The fingerprint of a game holds what can be compared without judgement: the form
of a state (its fields, and the JSON of fixed positions) and the catalogue's
rules (ids and pages; sentences may be worded better at any time) with the ways
of each house rule.  A rule that is merely reckoned differently does not show
here; the pinned games find it (``game_pins.py``).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.kernel.forms import house_rules_form_of
from referee.kernel.odds import ODDS
from referee.kernel.play import canonical_json


def digest(data: Any) -> str:
    """Sixteen hex digits."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()[:16]


class Fingerprint:
    """The fingerprint of a game, kept in ``file``; ``write`` is the command that writes it after a bump.

    ``starts`` are options of new states whose JSON is held fast.
    """

    def __init__(self, file: Path, write: str, starts: Sequence[dict[str, Any]]) -> None:
        self.file = file
        self.write_command = write
        self.starts = starts

    def of(self, game: Any) -> dict[str, str]:
        """What must not change while ``rules_version`` stays."""
        states = [game.new_state(options) for options in self.starts]
        fields = [[one.name, str(one.type)] for one in dataclasses.fields(type(states[0]))]
        rules = {rule.id: [rule.page_de, rule.page_en] for rule in game.catalogue.values()}
        form = [field for field in house_rules_form_of(game) if field.key != ODDS]  # no play depends on it
        house = {field.key: [list(field.options), field.shipped] for field in form}
        return {
            "rules_version": game.rules_version,
            "state": digest([fields, [game.to_json(state) for state in states]]),
            "catalogue": digest([rules, house]),
        }

    def what_is_wrong(self, kept: dict[str, str], now: dict[str, str]) -> str:
        """A sentence, "" where all is well."""
        changed = sorted(key for key in ("state", "catalogue") if kept[key] != now[key])
        if kept["rules_version"] != now["rules_version"]:
            return f"rules_version was raised to {now['rules_version']}: run {self.write_command}"
        if changed:
            return (
                f"changed without a new rules_version: {', '.join(changed)}. "
                f"Raise it in game.py, then {self.write_command}"
            )
        return ""

    def check(self, game: Any) -> str:
        """What is wrong with the game against what is kept, "" where all is well."""
        return self.what_is_wrong(json.loads(self.file.read_text()), self.of(game))

    def check_that_changes_are_found(self, game: Any) -> None:
        """A field, a rule or a house rule more or less shows, and a raised version asks for writing."""
        kept = self.of(game)
        less = dict(list(game.catalogue.items())[1:])

        def wrong(**other: Any) -> str:
            return self.what_is_wrong(kept, self.of(_But(game, other)))

        assert "catalogue" in wrong(catalogue=less)
        assert "catalogue" in wrong(house_rules_form=lambda: ())
        assert "state" in wrong(to_json=lambda state: {**game.to_json(state), "extra": 1})
        assert wrong(rules_version="99", catalogue=less).startswith("rules_version was raised")

    def write(self, game: Any) -> None:
        """Write the fingerprint; refuses while something changed and the version did not."""
        now = self.of(game)
        if self.file.exists():
            wrong = self.what_is_wrong(json.loads(self.file.read_text()), now)
            if wrong.startswith("changed"):
                raise SystemExit(wrong)
        self.file.write_text(json.dumps(now, indent=2) + "\n")


class _But:
    """The game with something else in it."""

    def __init__(self, game: Any, other: dict[str, Any]) -> None:
        self.game = game
        self.other = other

    def __getattr__(self, name: str) -> Any:
        return self.other[name] if name in self.other else getattr(self.game, name)
