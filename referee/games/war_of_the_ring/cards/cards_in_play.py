"""Event cards that stay in play: what they forbid, lift and offer while they lie there.

The chapters ask here at the points where a card may speak; which cards lie
there is ``state.table_cards``.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import mask_of
from referee.games.war_of_the_ring.cards.conditions import met
from referee.games.war_of_the_ring.rules import characters, decks, hunt, occasions, tiles
from referee.games.war_of_the_ring.rules.asking import Ask, ask_whether, choose
from referee.games.war_of_the_ring.state.card_data import CARDS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.play import Milestone
from referee.kernel.requests import Request

CLOSED_BY = {
    "a_power_too_great": mask_of(*(board.PLACE[name] for name in ("lorien", "rivendell", "grey_havens"))),
    "the_power_of_tom_bombadil": mask_of(
        *(board.PLACE[name] for name in ("old_forest", "the_shire", "buckland"))
    ),
}
"""Regions that Shadow armies may not enter or attack while a card lies there."""
MINAS_TIRITH = board.PLACE["minas_tirith"]
MORIA = 1 << board.PLACE["moria"]
REFUGES = (board.CITIES | board.STRONGHOLD_MASK) & board.OF_SEAT[box.FREE]
"""Cities and strongholds of the Free Peoples."""
BALROG, MITHRIL = "balrog_of_moria", "mithril_coat_and_sting"
RULE = "cards.effects_are_mandatory"


@occasions.closed_to_shadow.answered_by
def closed_to_shadow(state: State) -> int:
    """Mask of the regions that Shadow armies may neither move into nor attack."""
    mask = 0
    for card, regions in CLOSED_BY.items():
        if card in state.table_cards:
            mask |= regions
    return mask


@occasions.dice_stay_out_of_hunt_box.answered_by
def dice_stay_out_of_hunt_box(state: State) -> bool:
    """The Last Battle: dice that move the Fellowship do not go to the Hunt Box."""
    return "the_last_battle" in state.table_cards


@occasions.activation_barred.answered_by
def activation_barred(state: State, nation: int, cause: str) -> bool:
    """Wormtongue: Rohan wakes only by a companion, the Fellowship, or an attack on a city or stronghold."""
    if nation != box.ROHAN or "wormtongue" not in state.table_cards:
        return False
    return cause not in ("companion", "declared", "attacked_at_home")


@occasions.passive_advance_barred.answered_by
def passive_advance_barred(state: State) -> bool:
    """Threats and Promises: no Muster die of the Free Peoples advances a passive nation."""
    return "threats_and_promises" in state.table_cards


def free_combat_card_barred(state: State, region: int) -> bool:
    """Denethor's Folly: no combat cards of the Free Peoples in battles at Minas Tirith."""
    return region == MINAS_TIRITH and "denethors_folly" in state.table_cards


# --- where a card may speak while the game goes on ----------------------------------------------
#
# The chapters call these with ``yield from``; without a card in play they ask nothing.


@occasions.before_hunt_roll.answered_by
def before_hunt_roll(state: State) -> Generator[Request | Milestone, Any, int]:
    """Before a Hunt roll is made (there are dice to roll): what cards add to each die."""
    if "flocks_of_crebain" in state.table_cards and (yield from _use(state, box.SHADOW, "flocks_of_crebain")):
        return 1
    return 0


@occasions.prevents_tile.answered_by
def prevents_tile(state: State) -> Generator[Request | Milestone, Any, bool]:
    """Before a Hunt tile is drawn, whatever for: whether the Free Peoples prevent it by a card."""
    if "wizards_staff" not in state.table_cards:
        return False
    used = yield from _use(state, box.FREE, "wizards_staff")
    return bool(used)


def draw_for_card(state: State, card: str) -> Ask:
    """The tile that a card of the Shadow has drawn, -1 where the Free Peoples prevent the draw (page 23)."""
    if (yield from prevents_tile(state)):
        return -1
    return (yield from tiles.draw(state, source=card))


SHIELDS = ("axe_and_bow", "horn_of_gondor")
"""Cards that take one from the damage of a tile."""


@occasions.after_tile.answered_by
def after_tile(
    state: State, tile: int, damage: int, *, may_reduce: bool = True
) -> Generator[Request | Milestone, Any, tuple[int, int | None]]:
    """After a tile was drawn: the tile that counts and its damage; one card may speak (page 41).

    Another tile in its place comes with None: its own damage is then worked out.
    ``may_reduce`` False: nothing reduces the damage.
    """
    if not state.table_cards:
        return tile, damage
    about = {"tile": tiles.TILE_IDS[tile], "damage": damage}
    if MITHRIL in state.table_cards and (yield from _use(state, box.FREE, MITHRIL, about)):
        other = yield from tiles.draw(state, source=MITHRIL)
        tiles.put_back(state, tile)
        return other, None
    for card in SHIELDS:
        if not damage or not may_reduce or card not in state.table_cards:
            continue
        if (yield from _use(state, box.FREE, card, about)):
            return tile, damage - 1
    return tile, damage


@occasions.companion_casualty.answered_by
def companion_casualty(state: State, character: int) -> Ask:
    """A companion was just taken as a casualty of the Hunt."""
    if "worn_with_sorrow_and_toil" not in state.table_cards:
        return
    laid = tuple(
        card
        for card in state.table_cards
        if CARDS[card].seat == box.FREE and CARDS[card].deck == box.CHARACTER_DECK
    )
    options = (
        "none",
        *(("from_hand",) if state.hand[box.FREE][box.CHARACTER_DECK] else ()),
        *(("from_table",) if laid else ()),
    )
    way = yield from choose(box.SHADOW, "prompt.worn_with_sorrow", options, rule=RULE)
    if way == "from_hand":
        decks.discard_unseen(state, box.FREE, box.CHARACTER_DECK)
    elif way == "from_table":
        card = yield from choose(box.SHADOW, "prompt.strike_card", laid, rule=RULE, domain="card")
        decks.from_table(state, card)


@occasions.ring_path.answered_by
def ring_path(state: State, regions: int, how: str) -> Ask:
    """The Ring-bearers' figure was moved over these regions, ``how`` declared or revealed.

    ``regions`` is a mask: where the figure was, where it is now, and of the
    regions between them those that :func:`watched_regions` names.
    """
    if BALROG not in state.table_cards or not regions & MORIA:
        return
    if not (yield from _use(state, box.SHADOW, BALROG)):
        return
    tile = yield from draw_for_card(state, BALROG)
    if tile < 0 or box.TILES[tile].value == "eye":
        return
    in_haven = how == "declared" and bool(hunt.havens(state) >> state.ring & 1)
    yield from hunt.resolve(state, tile, heed_reveal=not in_haven)


@occasions.watched_regions.answered_by
def watched_regions(state: State) -> int:
    """Mask of the regions that make a difference to a card when the Ring-bearers' figure passes them."""
    return MORIA if BALROG in state.table_cards else 0


def _use(
    state: State, seat: int, card: str, about: Mapping[str, Any] | None = None
) -> Generator[Request | Milestone, Any, bool]:
    """Whether the owner of a card in play uses it up now."""
    used = yield from ask_whether(
        seat, "prompt.use_table_card", rule="cards.on_the_table", about={**(about or {}), "card": card}
    )
    if used:
        decks.from_table(state, card)
    return used


@occasions.happened.answered_by
def happened(state: State, what: str, **about: Any) -> None:
    """Something happened that may end a card in play: ``declared``, ``revealed``, ``activated``..."""
    if not state.table_cards:
        return
    ended: tuple[str, ...] = ()
    if what in ("declared", "revealed"):
        ended = ("the_last_battle",)
        if what == "declared" and REFUGES & ~state.captured & 1 << state.ring:
            ended += ("worn_with_sorrow_and_toil", "flocks_of_crebain")
    elif what == "activated" and about["nation"] == box.ROHAN:
        ended = ("wormtongue",)
    elif (
        what == "advanced" and about["nation"] in box.FREE_NATIONS and about["cause"] == "attacked"
    ) or what == "advanced_by_ability":
        ended = ("threats_and_promises",)
    for card in ended:
        decks.from_table(state, card)


@occasions.expire.answered_by
def expire(state: State) -> None:
    """Discard the cards in play whose condition ended or whose requirement is no longer met (page 22)."""
    for name in tuple(state.table_cards):
        card = CARDS[name]
        if (card.ends and met(state, card.ends)) or not met(state, card.needs):
            decks.from_table(state, name)


def after_event_die_card(state: State, seat: int, card: str) -> Ask:
    """An Event card was played with an Event die: Gandalf as guide or the Palantir let a card be drawn."""
    if seat == box.FREE:
        yield from characters.guide_draws(state, CARDS[card].deck)
    elif "the_palantir_of_orthanc" in state.table_cards and card != "the_palantir_of_orthanc":
        yield from decks.draw_choice(state, box.SHADOW)
