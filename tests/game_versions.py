"""What old records of a game rest on changes only with its ``rules_version``: one law for all games.

A game says how a seeded game is played along a trail (``tests/game_pins.py``) and in which states its records
may begin (``tests/game_fingerprint.py``); what was kept lies beside its tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from game_fingerprint import Fingerprint
from game_pins import Changed

Marks = Callable[[int, str | None], str]
"""The marks of the game of a seed, compared with those that were kept; None: written down."""


class Versioned:
    """A game whose records are held fast.  ``module`` is its test module, which writes both files anew."""

    def __init__(
        self, game: Any, module: str, starts: Sequence[dict[str, Any]], seeds: Iterable[int], kept: str
    ) -> None:
        self.game = game
        folder = Path(module).parent
        self.write_command = f"python {Path(module).relative_to(Path(__file__).parents[1])}"
        self.fingerprint = Fingerprint(folder / "rules_fingerprint.json", self.write_command, starts)
        self.seeds = seeds
        self.path = folder / kept

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What was kept: the rules version, and the marks of each seed."""
        found: dict[str, Any] = json.loads(self.path.read_text())
        return found

    def goes_as_it_went(self, marks_of: Marks, seed: int) -> None:
        """The seeded game goes as it was kept."""
        marks_of(seed, self.kept["games"][str(seed)])

    def version_is_kept(self) -> None:
        """The marks are those of this rules version."""
        wanted = f"rules_version was raised: run {self.write_command}"
        assert self.kept["rules_version"] == self.game.rules_version, wanted

    def another_way_is_found(self, marks_of: Marks, seed: int = 0) -> None:
        """A game that goes another way, or ends earlier, than it was kept."""
        marks = self.kept["games"][str(seed)]
        with pytest.raises(Changed, match=r"goes another way .* raise rules_version"):
            marks_of(seed, "0000" + marks[4:])
        with pytest.raises(Changed, match="ends earlier"):
            marks_of(seed, marks + "0000")

    def other_reckoning_is_found(
        self, marks_of: Marks, monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, other: Any
    ) -> None:
        """A rule that is reckoned differently shows in one of the games."""
        monkeypatch.setattr(module, name, other)
        with pytest.raises(Changed, match="raise rules_version"):
            for seed in self.seeds:
                self.goes_as_it_went(marks_of, seed)

    def form_is_kept(self) -> None:
        """States, catalogue and house rules are those of this rules version."""
        assert self.fingerprint.check(self.game) == ""

    def other_form_is_found(self) -> None:
        """A changed field, rule or house rule shows."""
        self.fingerprint.check_that_changes_are_found(self.game)

    def write(self, marks_of: Marks) -> None:
        """Write what is kept; refuses while the form of records changed and the version did not."""
        self.fingerprint.write(self.game)
        games = {str(seed): marks_of(seed, None) for seed in self.seeds}
        data = {"rules_version": self.game.rules_version, "games": games}
        self.path.write_text(json.dumps(data, indent=1) + "\n")
