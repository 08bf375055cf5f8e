"""What old records of Five Armies rest on changes only with ``rules_version``: ``game_fingerprint.py``.

python tests/games/five_armies/test_rules_version.py     writes it after a bump
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from five_armies_positions import BRIDGE
from game_fingerprint import Fingerprint

from referee.kernel.registry import load_game

FINGERPRINT = Fingerprint(
    Path(__file__).with_name("rules_fingerprint.json"),
    "python tests/games/five_armies/test_rules_version.py",
    ({}, {"position": BRIDGE}),
)


def test_what_old_records_rest_on_changes_only_with_the_version() -> None:
    assert FINGERPRINT.check(load_game("five_armies")) == ""


def test_a_changed_field_rule_or_house_rule_is_found() -> None:
    FINGERPRINT.check_that_changes_are_found(load_game("five_armies"))


if __name__ == "__main__":
    FINGERPRINT.write(load_game("five_armies"))
