"""Take the silhouettes of our figures out of an open set of icons.

Usage: ``python scripts/make_silhouettes.py NODE_MODULES``, where that folder holds the package
``@iconify-json/game-icons`` (1.2.4): icons of game-icons.net by Lorc, Delapouite and contributors, under
CC BY 3.0 (https://creativecommons.org/licenses/by/3.0/).

Writes ``referee/drawing/silhouettes.json``: the path of each icon that a game names, in a square of 512.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "referee" / "drawing" / "silhouettes.json"
SPARE = (
    "archer",
    "bad-gnome",
    "broadsword",
    "card-discard",
    "card-draw",
    "card-play",
    "cavalry",
    "cave-entrance",
    "crossed-swords",
    "crystal-cluster",
    "droplets",
    "dungeon-gate",
    "flanged-mace",
    "flat-hammer",
    "giant",
    "hyena-head",
    "laurel-crown",
    "minotaur",
    "moon",
    "mushroom-gills",
    "ogre",
    "open-book",
    "pikeman",
    "primitive-torch",
    "rally-the-troops",
    "rock-golem",
    "small-fire",
    "spider-alt",
    "stone-block",
    "surrounded-eye",
    "swordman",
    "throne-king",
    "volcano",
    "walk",
)
"""Icons that screens draw without a game naming them, and those of games that are being built."""


def wanted() -> set[str]:
    """All icons that are named."""
    from referee.kernel.capabilities import DrawsFigures
    from referee.kernel.registry import game_ids, load_game

    games = [load_game(game) for game in game_ids()]
    named = {
        figure.sign for game in games if isinstance(game, DrawsFigures) for figure in game.figures.values()
    }
    return named | set(SPARE)


def main() -> None:
    """Write the file; an icon that the package does not have is an error."""
    package = Path(sys.argv[1]) / "@iconify-json" / "game-icons" / "icons.json"
    icons = json.loads(package.read_text(encoding="utf-8"))["icons"]
    found = {name: " ".join(re.findall(r' d="([^"]+)"', icons[name]["body"])) for name in sorted(wanted())}
    TARGET.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {len(found)} silhouettes, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
