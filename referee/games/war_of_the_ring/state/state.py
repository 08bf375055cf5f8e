"""Everything that matters in a game of War of the Ring: the one declaration of each field.

The state is mutable and compact: places, figures, characters, dice faces and
tiles are small integers, sets of places are bit masks, the figures in a place
are one integer (:mod:`armies`).

Who changes what: figures and characters are moved with :mod:`pieces`, which
keeps the masks and the supply right; everything else is set directly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.kit import codecs
from referee.games.kit.codecs import counts, each, flag, index, listed, mask, number, sparse, text
from referee.games.kit.schema import Schema, declare
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.components import box_data
from referee.games.war_of_the_ring.box.editions import EDITIONS, SECOND, Edition
from referee.games.war_of_the_ring.box.house import house_rules
from referee.games.war_of_the_ring.box.map import PLACE, PLACE_COUNT, PLACES, REGIONS
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS, UNIT_BITS, pack
from referee.games.war_of_the_ring.state.battle import BATTLE, Battle
from referee.games.war_of_the_ring.state.card_data import CARD_IDS

NOT_IN_PLAY, ELIMINATED, IN_FELLOWSHIP = -1, -2, -3
"""``where[character]`` of one who waits to enter, is out of the game, travels with the Ring-bearers."""
_TRACKS = box_data("hunt")["tracks"]
FELLOWSHIP_START = PLACE[_TRACKS["fellowship_start"]]
STARTING_COMPANIONS = tuple(box.CHARACTER[name] for name in _TRACKS["companions"])
FIRST_GUIDE = box.CHARACTER[_TRACKS["guide"]]


ELSEWHERE = {NOT_IN_PLAY: "", ELIMINATED: "eliminated", IN_FELLOWSHIP: "fellowship"}
FIGURES_THERE = codecs.Packed(box.FIGURES, lambda figures: GROUP[figures].counts, pack, box.FIGURES_IN_BOX)
TILE_IDS = tuple(tile.id for tile in box.TILES)
SPECIAL = tuple(tile.id for tile in box.TILES if tile.seat >= 0)
SPECIAL_MASK = sum(1 << index for index, tile in enumerate(box.TILES) if tile.seat >= 0)
GUIDES = box.CHARACTERS[: box.GOLLUM + 1]
"""Who may guide the Fellowship."""
FURTHEST = 3
"""Steps from At War at the most."""
MOST_DICE = 10
FACE_ALIASES = {"eye": "lidless_eye", "west": "will_of_the_west", "muster/army": "muster_army"}
DICE_BY_FACE = each(
    box.SEATS,
    *(listed(box.FACES, [box.FACES[face] for face in faces], FACE_ALIASES) for faces in box.FACES_OF_SEAT),
)


MEMORY = codecs.Memory({card: codecs.Memory({}) for ids in CARD_IDS for card in ids})
"""Every card, with what it remembers in play: none remembers anything."""


@dataclass(slots=True, eq=False)
class State:
    """One position.  Lists and dicts are owned by the state; tuples and mappings are never changed in place.

    Indices: ``place`` of :mod:`map`; ``figure``, ``nation``, ``character``,
    ``seat``, ``face``, ``tile``, ``deck`` of :mod:`components`.
    """

    edition: Edition = declare(codecs.OneOf(EDITIONS), start=SECOND, file="edition", always=True)

    # where the game stands
    turn: int = declare(number())
    phase: int = declare(number(0, 6))
    """0 while setting up, then 1 to 6."""
    step: str = declare(text(("", "ask", "act", "action", "fight")))
    """Where the flow goes on inside a phase; see :mod:`turn` and :mod:`action_dice`."""
    active: int = declare(number(0, 1))
    """The seat whose action it is in phase 5."""
    pending: list[Any] = declare(codecs.Json(list, codecs.Row(())))
    """What is still to be done after a running battle, as JSON: ``[[what, ...], ...]``, next first."""
    winner: int = declare(number(-1, 1), start=-1)
    winning_rule: str = declare(text())

    # the board
    figures: list[int] = declare(sparse(PLACES, FIGURES_THERE), key="places")
    """Packed figures (units, leaders, Nazgul) of each place (:mod:`armies`)."""
    chars: list[int] = declare(codecs.Derived(), start=[0] * PLACE_COUNT)
    """Bit mask of the characters in each place (those in the Fellowship are not among them)."""
    where: list[int] = declare(
        codecs.Locations(box.CHARACTERS, PLACES, ELSEWHERE, NOT_IN_PLAY), key="characters"
    )
    armies: list[int] = declare(codecs.Derived(), start=[0, 0])
    """For each seat the mask of the places (siege boxes too) with army units of it."""
    supply: list[int] = declare(counts(box.FIGURES), start=box.FIGURES_IN_BOX)
    """Reinforcements: figures that can still be recruited."""
    fallen: list[int] = declare(counts(box.FIGURES, box.FIGURES_IN_BOX), file="fallen")
    """Figures out of the game: casualties of the Free Peoples, and what cards remove for good."""
    captured: int = declare(mask(PLACES))
    """Mask of the settlements under the control of the enemy of their nation."""

    # politics
    steps: list[int] = declare(each(box.NATIONS, number(0, FURTHEST)), start=box.START_STEPS)
    """Steps of each nation from At War; 0 is At War."""
    awake: int = declare(mask(box.NATIONS), start=box.START_ACTIVE)
    """Mask of the active nations."""

    # the Fellowship
    ring: int = declare(
        index(PLACES), start=FELLOWSHIP_START, file="fellowship.at", form=index(REGIONS), always=True
    )
    """The region of the Ring-bearers' figure: their last known position."""
    progress: int = declare(number(0, box.PROGRESS_END), file="fellowship.progress", always=True)
    hidden: bool = declare(flag(), start=True, file="fellowship.hidden", always=True)
    corruption: int = declare(number(0, box.CORRUPTION_LIMIT), file="fellowship.corruption", always=True)
    guide: int = declare(
        index(box.CHARACTERS, {-1: ""}),
        start=FIRST_GUIDE,
        file="fellowship.guide",
        form=index(GUIDES, {-1: ""}),
        always=True,
    )
    mordor: int = declare(
        number(-1, box.CRACK_OF_DOOM), start=-1, file="fellowship.mordor", form=number(0, box.CRACK_OF_DOOM)
    )
    """The step on the Mordor track, -1 before it is entered."""
    ring_moved: bool = declare(flag(), file="fellowship.moved")
    """Whether the Fellowship moved or tried to hide this turn."""
    declared: bool = declare(flag(), file="fellowship.declared")
    """Whether its position was declared this turn."""

    # the hunt
    tiles: list[int] = declare(
        counts(TILE_IDS),
        start=[tile.count if tile.seat < 0 else 0 for tile in box.TILES],
        file="tiles.special_in_pool",
        form=listed(TILE_IDS, SPECIAL),
    )
    """Hunt tiles of each kind in the pool."""
    tiles_out: list[int] = declare(listed(TILE_IDS), file="tiles.out")
    """Tiles of each kind that were drawn and may come back."""
    tiles_gone: list[int] = declare(listed(TILE_IDS), file="tiles.gone")
    """Tiles of each kind that were removed for good."""
    tiles_ready: list[int] = declare(counts(TILE_IDS), file="tiles.ready", form=listed(TILE_IDS, SPECIAL))
    """Special tiles put in play that wait for the Mordor track."""
    hunt_dice: list[int] = declare(each(box.SEATS, number(0, MOST_DICE)), file="hunt_box")
    """Dice in the Hunt Box: those of the Free Peoples, those of the Shadow."""
    free_die_in_box: bool = declare(flag(), file="free_die_was_in_hunt_box")
    """Whether a die of the Free Peoples lay in the Hunt Box when the last turn ended."""

    # dice and rings
    pool: list[int] = declare(
        each(box.SEATS, number(0, MOST_DICE)), start=box.BASE_POOL, file="pools", always=True
    )
    unused: list[list[int]] = declare(DICE_BY_FACE, file="unused_dice")
    """For each seat, unused action dice by face."""
    used: list[list[int]] = declare(DICE_BY_FACE, file="used_dice")
    """For each seat, used action dice by face (those in the Hunt Box are not among them)."""
    rings: list[int] = declare(
        each(box.SEATS, number(0, box.RINGS_AT_START)),
        start=[box.RINGS_AT_START, 0],
        file="rings",
        always=True,
    )
    """Elven rings that each seat may still use."""
    ring_used: list[bool] = declare(each(box.SEATS, flag()), file="ring_used")
    """Whether each seat used a ring this turn."""
    mouth_used: bool = declare(flag(), file="mouth_used")
    """Whether the Mouth of Sauron turned a Muster die into an Army die this turn."""

    # cards: hands are physical, so they are counts by the backs; faces are known once a card was played
    hand: list[list[int]] = declare(each(box.SEATS, counts(box.DECKS, 12)), file="hands", always=True)
    """``hand[seat][deck]``: cards in hand by their backs."""
    deck: list[list[int]] = declare(each(box.SEATS, counts(box.DECKS)), start=[[box.DECK_SIZE] * 2] * 2)
    """``deck[seat][deck]``: cards left to draw."""
    shown: list[int] = declare(each(box.SEATS, *map(mask, CARD_IDS)))
    """For each seat the mask of its cards (index in :mod:`card_data`) that were played or seen discarded."""
    unseen_discards: list[list[int]] = declare(
        each(box.SEATS, counts(box.DECKS, box.DECK_SIZE)), file="discarded"
    )
    """Cards discarded face down, by seat and deck."""
    table_cards: dict[str, dict[str, Any]] = declare(codecs.Json(shape=MEMORY))
    """Cards that stay in play: card id to what the card remembers (``{}`` for most)."""

    battle: Battle | None = declare(codecs.Part(BATTLE), file="battle")
    """A running battle, owned by :mod:`battle`."""

    # what the owner's box tells, and house rules
    values: dict[str, Any] = declare(codecs.Flat())
    house: Mapping[str, str] = declare(codecs.Flat(house_rules))


def _derive(state: State) -> None:
    """What follows from where figures and characters are."""
    for place, figures in enumerate(state.figures):
        for seat in range(2):
            if figures & UNIT_BITS & SEAT_BITS[seat]:
                state.armies[seat] |= 1 << place
    for character, where in enumerate(state.where):
        if where >= 0:
            state.chars[where] |= 1 << character


SCHEMA = Schema(State, derive=_derive)
