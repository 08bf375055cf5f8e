"""What differs between the first and the second edition, in one place.

The header of a game names its edition; everything that differs asks the
:class:`Edition` of its state.  The values and their sources are in
``editions.toml``.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.war_of_the_ring.box.components import box_data


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition's rules where the two differ.

    ``id`` is what a header names.  ``known_cards``: the effects of its cards are
    in the project; else cards are resolved by hand with the same primitives.
    """

    id: str
    known_cards: bool
    hunt_minimum_after_move: bool
    """A Free Peoples die in the Hunt Box last turn forces at least one Hunt die."""
    most_allocated: int
    """The most dice that the Shadow may put in the Hunt Box, whatever the number of companions."""
    mordor_by_declaring: bool
    """Mordor is entered by declaring the Fellowship there (it stays hidden); else in the Fellowship phase
    where the figure stands there, even revealed."""
    reveal_before_damage: bool
    """A tile that reveals moves the Fellowship before its damage; else damage comes first."""
    one_stronghold_tile: bool
    """A revealed Fellowship's path draws one tile at most; else one for each Shadow stronghold on it."""
    mouth_stops_at_strongholds: bool
    """The Mouth of Sauron moves as a companion does in all: a besieged enemy stronghold stops him."""
    gandalf_guide_character_only: bool
    """Gandalf the Grey as guide lets a Character card be drawn after playing a Character card with an
    Event die or the Will of the West; else a card of the played card's type after any Event die."""
    witch_king_needs_free_at_war: bool
    """The Witch-king waits for a Free Peoples nation At War; else only Sauron At War is needed."""
    witch_king_any_deck: bool
    """A combat card in his first round lets the Shadow draw from either deck; else from the card's own."""


DIFFERENCES = box_data("editions")
"""Each field of :class:`Edition` but its id: what it is in the ``first`` and ``second``, and a ``title``."""
EDITIONS = {
    name: Edition(name, **{field: entry[name] for field, entry in DIFFERENCES.items()})
    for name in ("first", "second")
}
FIRST, SECOND = EDITIONS["first"], EDITIONS["second"]
