"""What every box holds, from the German rulebook: ids, counts and tables that no board changes.

Places have fixed ids on every board: ``moss_1`` to ``moss_8`` and so on for the caverns of each domain,
``lair_a1`` and ``lair_a2`` for a pair of lairs.  Their names come with the board.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.kit.box import indices
from referee.games.kit.places import IdTuples

SEATS = ("pink", "green", "blue", "yellow", "fifth")
"""Clockwise.  Four colours are known; the book's pictures do not tell the fifth."""
CLANS = ("moss", "ice", "moon", "granite", "hammer", "mud", "fire")
OUTSIDER = -1
KINDS = ("advance", "bolster", "influence", "gnome")
ADVANCE, BOLSTER, INFLUENCE, GNOME = range(4)

CAVERNS_A_DOMAIN = 8
PAIRS = "abcdefgh"
CAVERNS = tuple(f"{clan}_{number}" for clan in CLANS for number in range(1, CAVERNS_A_DOMAIN + 1))
LAIRS = tuple(f"lair_{pair}{number}" for pair in PAIRS for number in (1, 2))
PLACES = (*CAVERNS, *LAIRS)
PLACE = indices(PLACES)
PLACE_COUNT = len(PLACES)
FIRST_LAIR = len(CAVERNS)
ALL_CAVERNS = (1 << FIRST_LAIR) - 1
OPTIONS = IdTuples(PLACES)
"""Mask of places to their ids."""
CLAN_OF = tuple(place // CAVERNS_A_DOMAIN for place in range(FIRST_LAIR))
HALLS = tuple(f"hall_{number}" for number in range(1, 12))
"""The rulebook: more hall tokens than sites, and there are twelve tokens."""

CHAMPIONS = tuple(f"c{number:02}" for number in range(1, 61))
CHAMPION = indices(CHAMPIONS)
DECKS = ("0", "I/II", "III")

# counts of the box
TROLLS = 25
LAIR_TROLLS = 3
GNOMES_EACH = 10
STRENGTHS = ("1", "2", "3")
GNOME_TOKENS = 30
MOST_GNOMES = 2
"""A third gnome never joins two in a cavern."""
HALL_VALUES = ("4", "8", "12")
HALL_TOKENS_EACH = 4
LAP = 8
"""Spaces of vote and influence tracks before they begin anew with a second disc."""
MOST_SUPPLY = 8
FIRST_SUPPLY = 6
"""At the start of wave I; the box tells the other waves."""
WAVES = 3
DRAFTED = 3
"""Cards that each player adds in a wave."""
HAND = 4

# tables
GATE_CARDS: Mapping[int, int] = {2: 3, 3: 3, 4: 4, 5: 5}
"""Gate cards of a wave by the number of players."""
GNOMES_A_CARD = (0, 2, 3, 4)
FIRST_FALLEN = (0, 3, 4, 5)
OTHER_FALLEN = 2
ELDER = (0, 0, 1, 3, 5, 8, 12, 17, 23, 30)
FIRST_CAVERN, NEXT_CAVERN, OVERRUN_CAVERN = 6, 2, -1
BREACH_GNOMES = 2
SWARM_SHIFT = 2


def lairs_of(pair: int) -> tuple[int, int]:
    """The two places of a pair of lairs."""
    return FIRST_LAIR + 2 * pair, FIRST_LAIR + 2 * pair + 1
