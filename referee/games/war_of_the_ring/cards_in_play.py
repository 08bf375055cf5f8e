"""Event cards that stay in play: what they forbid, lift and offer while they lie there.

The chapters ask here at the points where a card may speak; which cards lie
there is ``state.table_cards``.
"""

from __future__ import annotations

from referee.games.war_of_the_ring.components import ROHAN
from referee.games.war_of_the_ring.map import PLACE, mask_of
from referee.games.war_of_the_ring.state import State

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
