"""Event cards that stay in play: what they forbid, lift and offer while they lie there.

The chapters ask here at the points where a card may speak; which cards lie
there is ``state.table_cards``.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from referee.games.war_of_the_ring.asking import Ask
from referee.games.war_of_the_ring.components import ROHAN
from referee.games.war_of_the_ring.map import PLACE, mask_of
from referee.games.war_of_the_ring.state import State
from referee.kernel.play import Milestone
from referee.kernel.requests import Request

CLOSED_BY = {
    "a_power_too_great": mask_of(*(PLACE[name] for name in ("lorien", "rivendell", "grey_havens"))),
    "the_power_of_tom_bombadil": mask_of(*(PLACE[name] for name in ("old_forest", "the_shire", "buckland"))),
}
"""Regions that Shadow armies may not enter or attack while a card lies there."""
MINAS_TIRITH = PLACE["minas_tirith"]


def closed_to_shadow(state: State) -> int:
    """Mask of the regions that Shadow armies may neither move into nor attack."""
    mask = 0
    for card, regions in CLOSED_BY.items():
        if card in state.table_cards:
            mask |= regions
    return mask


def dice_stay_out_of_hunt_box(state: State) -> bool:
    """The Last Battle: dice that move the Fellowship do not go to the Hunt Box."""
    return "the_last_battle" in state.table_cards


def activation_barred(state: State, nation: int) -> bool:
    """Wormtongue: Rohan stays passive but for the causes that the card names."""
    return nation == ROHAN and "wormtongue" in state.table_cards


def passive_advance_barred(state: State) -> bool:
    """Threats and Promises: no Muster die of the Free Peoples advances a passive nation."""
    return "threats_and_promises" in state.table_cards


def free_combat_card_barred(state: State, region: int) -> bool:
    """Denethor's Folly: no combat cards of the Free Peoples in battles at Minas Tirith."""
    return region == MINAS_TIRITH and "denethors_folly" in state.table_cards


# --- where a card may speak while the game goes on ----------------------------------------------
#
# The chapters call these with ``yield from``; without a card in play they ask nothing.


def before_hunt_roll(state: State) -> Generator[Request | Milestone, Any, int]:
    """Before a Hunt roll is made (there are dice to roll): what cards add to each die."""
    return 0
    yield


def prevents_tile(state: State) -> Generator[Request | Milestone, Any, bool]:
    """Before a Hunt tile is drawn, whatever for: whether the Free Peoples prevent it by a card."""
    return False
    yield


def after_tile(
    state: State, tile: int, damage: int | None
) -> Generator[Request | Milestone, Any, tuple[int, int | None]]:
    """After a tile was drawn: the tile that counts and its damage.

    ``damage`` is None where it is not known yet (the die of a tile with a die is
    rolled later); returning another tile with None has its own damage worked out.
    """
    return tile, damage
    yield


def companion_casualty(state: State, character: int) -> Ask:
    """A companion was just taken as a casualty of the Hunt."""
    return
    yield


def ring_path(state: State, regions: int, how: str) -> Ask:
    """The Ring-bearers' figure was moved (or stayed) over these regions, ``how`` declared or revealed.

    ``regions`` is a mask: where the figure was, where it is now, and of the
    regions between them those that :func:`watched_regions` names.
    """
    return
    yield


def watched_regions(state: State) -> int:
    """Mask of the regions that make a difference to a card when the Ring-bearers' figure passes them."""
    return 0


def happened(state: State, what: str, **about: Any) -> None:
    """Something happened that may end a card in play (``declared``, ``revealed``, ``activated``...)."""


def expire(state: State) -> None:
    """Discard the cards in play whose condition ended."""


def after_event_die_card(state: State, seat: int, card: str) -> Ask:
    """An Event card was played with an Event die."""
    return
    yield
