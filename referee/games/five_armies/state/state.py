"""Everything that matters in a game of The Battle of Five Armies: the one declaration of each field.

The state is mutable and compact: places, units, characters and dice faces are
small integers, sets of places are bit masks, an army's units are one integer
(:mod:`armies`).

Who changes what: pieces on the board are moved with :mod:`pieces`, which keeps
the masks and the supply right; everything else is set directly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import CHARACTERS, FACES, SEATS, TOKEN_GROUPS
from referee.games.five_armies.box.house import house_rules
from referee.games.five_armies.box.map import PLACE_COUNT, PLACES, TERRITORIES
from referee.games.five_armies.state.armies import ARMY, counts_of, pack
from referee.games.five_armies.state.battle import BATTLE, Battle
from referee.games.five_armies.state.table_cards import FLYING_ARROWS, SHINING_ARMOUR, TROUBLED_MIND
from referee.games.kit import codecs
from referee.games.kit.codecs import counts, each, flag, index, listed, mask, number, sparse, text
from referee.games.kit.schema import Schema, declare
from referee.games.kit.schema_tables import Column, Lying, Pairs, SparseTable
from referee.kernel.located import LocatedValue

NOT_IN_PLAY = -1
"""``where[character]`` of one who has not entered play."""
ELIMINATED = -2
"""``where[character]`` of one who is out of the game for good."""
IN_TERRITORY_OF = 60
"""``where[LORD]`` is this plus a territory once he has left the Eyrie."""
OVER_TERRITORY = {IN_TERRITORY_OF + number: name for number, name in enumerate(TERRITORIES)}
ELSEWHERE = {NOT_IN_PLAY: None, ELIMINATED: "eliminated", **OVER_TERRITORY}
ASIDE, IN_POOL, OUT = 0, 1, 2
"""Where a special Fate tile is."""
TILE_PLACES = ("aside", "pool", "out")
FORTS = tuple(PLACES[place] for place in board.FORTIFICATIONS)
WITH_EYRIE = (*TERRITORIES, "eyrie")
ON_TRACK = tuple(name for name, space in zip(CHARACTERS, box.FATE_SPACE, strict=True) if space >= 0)
GENERAL_NAMES = tuple(CHARACTERS[general] for general in box.GENERALS)
PASS_OF_SIDE = {"north": board.PASS_NORTH, "west": board.PASS_WEST}
PASS_STANDS = ("open", "closed")
_STORIES = ("order_effects", "free_story", "shadow_story", "fate")
MEMORY = codecs.Memory(
    {card: codecs.Memory({}) for group in _STORIES for card in box.box_data("cards")[group]}
    | {FLYING_ARROWS: codecs.Memory({"orcs": number(1, box.FIGURES[box.ORCS])})}
    | {TROUBLED_MIND: codecs.Memory({"general": text(GENERAL_NAMES)})}
    | {SHINING_ARMOUR: codecs.Memory({"damage": number()})}
)
"""Every card that could stay in play, with what it remembers."""
_FACES = zip(TOKEN_GROUPS, box.TOKEN_FACES, strict=True)
TOKENS_TURNED_UP = tuple(f"{name}:{face}" for name, faces in _FACES for face in (*faces, "unknown"))
FACE_ALIASES = {
    "eye": "lidless_eye",
    "west": "will_of_the_west",
    "muster/army": "muster_army",
    "char": "character",
}
DICE_BY_FACE = each(
    SEATS, *(listed(FACES, box.DICE[die].distinct_faces, FACE_ALIASES) for die in box.ACTION_DIE)
)
UNITS_THERE = codecs.Packed(box.UNITS, lambda units: ARMY[units].counts, pack, box.FIGURES, box.UNIT_ALIASES)


class _ClosedPasses(codecs.Without):
    """The mask of the closed passes; position files tell of each whether it is open."""

    def say(self, value: int) -> Any:
        """Whether each is open, by its side of the board."""
        return {side: PASS_STANDS[value >> place & 1] for side, place in PASS_OF_SIDE.items()}

    def hear(self, spot: LocatedValue, now: int) -> int:
        """The mask without those that are open."""
        for key, entry in spot.entries():
            side, stands = key.word(PASS_OF_SIDE), entry.word(PASS_STANDS)
            if side is not None and stands == "open":
                now &= ~(1 << PASS_OF_SIDE[side])
        return now


@dataclass(slots=True, eq=False)
class State:
    """One position.  Lists are owned by the state; tuples and mappings in it are never changed in place.

    Indices: ``place`` of :mod:`map`, ``unit``, ``character``, ``seat``, ``face``,
    ``group`` of :mod:`components`, ``territory`` of :mod:`map`.
    """

    # where the game stands
    turn: int = declare(number())
    phase: int = declare(number(0, 6))
    """0 while setting up, then 1 to 6."""
    step: str = declare(text(("", "ask", "act", "action", "fight")))
    """Where the flow goes on inside a phase; see :mod:`turn` and :mod:`action_dice`."""
    active: int = declare(index(SEATS))
    """The seat whose action it is in phase 5."""
    pending: list[Any] = declare(codecs.Json(list, codecs.Several(codecs.Row((text(("ability",)),)))))
    """What is still to be done after a running combat, as JSON: ``[[what, ...], ...]``, next first."""
    winner: int = declare(index(SEATS, {-1: None}), start=-1)
    winning_rule: str = declare(text())

    # the board
    units: list[int] = declare(sparse(PLACES, UNITS_THERE), key="")
    """Packed units of each place (:mod:`armies`)."""
    damage: list[int] = declare(sparse(PLACES), key="")
    """Damage tokens on the army of each place."""
    leaders: list[int] = declare(sparse(PLACES), key="")
    """Leadership tokens with the army of each place."""
    chars: list[int] = declare(codecs.Derived(), start=[0] * PLACE_COUNT)
    """Bit mask of the characters in each place (Beorn too; the Lord only in the Eyrie)."""
    where: list[int] = declare(codecs.Locations(CHARACTERS, PLACES, ELSEWHERE), key="characters")
    armies: list[int] = declare(codecs.Derived(), start=[0, 0])
    """For each seat the mask of the places with units of it (Beorn not among them)."""
    supply: list[int] = declare(counts(box.UNITS), start=box.FIGURES, key="")
    """Figures of each unit type that are off the board."""
    control: int = declare(mask(PLACES), file="control_shadow")
    """Mask of settlements and fortifications under Shadow control."""
    fort_damage: list[int] = declare(counts(FORTS, board.FORTIFICATION_VALUES), key="", file="fort_damage")
    fort_values: tuple[int, ...] = declare(codecs.Codec(), start=board.FORTIFICATION_VALUES, key="")
    tokens: list[dict[int, int]] = declare(each(TOKEN_GROUPS, codecs.Flat()), key="")
    """For each group: place to face-down recruitment tokens there (no zeros)."""
    token_pool: list[int] = declare(each(TOKEN_GROUPS), start=box.TOKENS_IN_BOX)
    """Unplaced tokens of each group."""
    tokens_shown: dict[str, int] = declare(codecs.Flat(known=TOKENS_TURNED_UP, of=number()))
    """``group:face`` to how often it was turned up (those tokens are out of the game)."""
    closed_passes: int = declare(
        _ClosedPasses(PLACES, all_=board.PASSES),
        start=board.PASSES,
        key="open_passes",
        file="passes",
        always=True,
    )
    eagles: list[int] = declare(counts(WITH_EYRIE, box.EAGLES_IN_BOX, total=box.EAGLES_IN_BOX), file="eagles")
    """Eagles in each territory, then in the Eyrie."""
    bats: list[int] = declare(counts(TERRITORIES, box.BATS_IN_BOX, total=box.BATS_IN_BOX), file="bats")
    """Great Bats in each territory."""

    # characters
    ratings: tuple[int, ...] = declare(
        each(CHARACTERS, number(-1), kept_as=tuple), start=box.RATINGS, key="leadership"
    )
    """Leadership of each character, -1 while unknown; Fate cards may raise it."""
    fate_space: tuple[int, ...] = declare(
        codecs.Some(CHARACTERS, ON_TRACK, box.FATE_END), start=box.FATE_SPACE, key="fate_spaces", file="track"
    )
    """Where on the Fate track each character waits (cards shift them)."""
    activated: int = declare(mask(CHARACTERS), file="activation_tokens", form=mask(GENERAL_NAMES))
    """Mask of generals with an activation token on their card."""
    generals_count: int = declare(number(0, 3), file="generals_activated", always=True)
    """How many generals were activated this turn."""
    ability_used: bool = declare(flag())
    """Whether a general's ability was used since the last Free Peoples die."""
    wrath: int = declare(number(0, box.WRATH_MOST), file="beorn.wrath")
    bodyguards: int = declare(number(0, box.BODYGUARDS_WITH_DALE), file="bolg.bodyguards")
    rings: int = declare(number())
    concentration: int = declare(number())

    # dice
    pool: list[int] = declare(
        each(SEATS), start=box.BASE_POOL, file="pools", form=each(SEATS, number(0, 7)), always=True
    )
    unused: list[list[int]] = declare(DICE_BY_FACE, key="", file="unused_dice")
    """For each seat, unused action dice by face."""
    used: list[list[int]] = declare(DICE_BY_FACE, key="", file="used_dice")

    # cards: hands are physical, so they are counts; faces are known once a card was played
    hand_event: list[int] = declare(each(SEATS))
    hand_story: list[int] = declare(each(SEATS))
    event_deck: int = declare(number(), start=box.EVENT_CARDS)
    event_discard: int = declare(number())
    event_shown: int = declare(codecs.Bits())
    """Effects for which Event cards of the discard pile were played, a bit a card (``card_data.COPIES``)."""
    story_deck: list[int] = declare(each(SEATS), start=[box.STORY_CARDS, box.STORY_CARDS])
    story_gone: list[int] = declare(each(SEATS))
    """Story cards played to the end or discarded."""
    story_shown: list[int] = declare(each(SEATS, codecs.Bits()))
    """Masks of story cards that were played (on the table or gone)."""
    fate_deck: int = declare(number(), start=box.FATE_CARDS)
    fate_shown: int = declare(codecs.Bits())
    """Mask of Fate cards that were drawn."""
    table_cards: dict[str, dict[str, Any]] = declare(codecs.Json(shape=MEMORY))
    """Cards that stay in play: card id to what the card remembers (``{}`` for most)."""

    # fate
    fate: int = declare(number(0, box.FATE_END), file="fate_marker", always=True)
    """The Fate marker's space."""
    fate_tiles: int = declare(
        number(0, box.STANDARD_TILES), start=box.STANDARD_TILES, file="fate_pool_tiles", always=True
    )
    """Standard tiles in the pool."""
    fate_tiles_out: dict[str, int] = declare(codecs.Flat(known=box.TILES, of=number()))
    """Applied tiles (out of the game): face to how many."""
    special_tiles: list[int] = declare(each(box.SPECIAL_TILES, index(TILE_PLACES)), file="special_tiles")

    # a running combat, owned by :mod:`combat`
    combat: Battle | None = declare(codecs.Part(BATTLE))

    # what the owner's box tells, and house rules
    values: dict[str, Any] = declare(codecs.Flat())
    """Answers from the box book or given at the table: ``movement.bard`` to 3."""
    house: Mapping[str, str] = declare(codecs.Flat(house_rules))


def orcs_on_card(state: State) -> int:
    """Orcs that lie on the card Flying Arrows and Wild Spears: neither on the board nor in the supply."""
    return sum(memory.get("orcs", 0) for memory in state.table_cards.values()) if state.table_cards else 0


def reckon(state: State) -> None:
    """What follows from where units and characters are: masks of places, and the supply."""
    standing = counts_of(sum(state.units))
    state.supply = [figures - out for figures, out in zip(box.FIGURES, standing, strict=True)]
    state.supply[box.ORCS] -= orcs_on_card(state)
    state.armies = [0, 0]
    for place, units in enumerate(state.units):
        if units:
            state.armies[ARMY[units].seat] |= 1 << place
    state.chars = [0] * PLACE_COUNT
    for character, place in enumerate(state.where):
        if 0 <= place < PLACE_COUNT:
            state.chars[place] |= 1 << character


PLACES_TABLE = SparseTable(
    PLACES,
    {
        "units": Column("units", UNITS_THERE),
        "damage": Column("damage"),
        "leadership": Column("leaders"),
        "tokens": Lying("tokens", TOKEN_GROUPS),
    },
)
DICE_TABLE = SparseTable(SEATS, {key: Column(key, counts(FACES), full=True) for key in ("unused", "used")})
SCHEMA = Schema(
    State,
    derive=reckon,
    joined={
        "places": PLACES_TABLE,
        "fortifications": Pairs(FORTS, "fort_damage", "fort_values"),
        "dice": DICE_TABLE,
    },
)
