"""How many lines the house of each game has, and what all games share: non-blank lines of Python.

house.lines_<game>
    everything of a game but its rules and its cards: state, positions, screens, words, box, catalogue...
house.lines_<game>_rules
    its rules and its cards
house.lines_kit
    what all games share
"""

from __future__ import annotations

from pathlib import Path

GAMES = Path(__file__).parents[1] / "referee" / "games"
RULES = ("rules", "cards")
"""Rooms of a game that are no house: the game itself."""


def lines(folder: Path, without: tuple[str, ...] = ()) -> int:
    """Non-blank lines of the Python files below a folder, but not of those in rooms named ``without``."""
    return sum(
        bool(line.strip())
        for path in folder.rglob("*.py")
        if path.relative_to(folder).parts[0] not in without
        for line in path.read_text(encoding="utf-8").splitlines()
    )


def figures(games: Path = GAMES) -> dict[str, float]:
    """All figures of this module."""
    found: dict[str, float] = {"house.lines_kit": lines(games / "kit")}
    for game in sorted(path.parent for path in games.glob("*/game.py") if path.parent.name != "kit"):
        found[f"house.lines_{game.name}"] = lines(game, RULES)
        found[f"house.lines_{game.name}_rules"] = sum(lines(game / room) for room in RULES)
    return found


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:36} {value:8.0f}")
