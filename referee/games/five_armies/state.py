"""Everything that matters in a game of The Battle of Five Armies.

The state is mutable and compact: places, units, characters and dice faces are
small integers, sets of places are bit masks, an army's units are one integer
(:mod:`armies`).  :func:`copy` is here, :mod:`state_json` writes and reads JSON.

Who changes what: pieces on the board are moved with :mod:`pieces`, which keeps
the masks and the supply right; everything else is set directly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.games.five_armies.components import (
    BASE_POOL,
    CHARACTERS,
    EVENT_CARDS,
    FACES,
    FATE_CARDS,
    FATE_SPACE,
    FIGURES,
    LEADERSHIP,
    STANDARD_TILES,
    STORY_CARDS,
    TOKENS_IN_BOX,
)
from referee.games.five_armies.house import DEFAULT_HOUSE_RULES
from referee.games.five_armies.map import FORTIFICATION_VALUES, PASSES, PLACE_COUNT

if TYPE_CHECKING:
    from referee.games.five_armies.battle import Battle

NOT_IN_PLAY = -1
"""``where[character]`` of one who has not entered play."""
ELIMINATED = -2
"""``where[character]`` of one who is out of the game for good."""
IN_TERRITORY_OF = 60
"""``where[LORD]`` is this plus a territory once he has left the Eyrie."""
ASIDE, IN_POOL, OUT = 0, 1, 2
"""Where a special Fate tile is."""


class State:
    """One position.  Lists are owned by the state; tuples and mappings in it are never changed in place.

    Indices: ``place`` of :mod:`map`, ``unit``, ``character``, ``seat``, ``face``,
    ``group`` of :mod:`components`, ``territory`` of :mod:`map`.
    """

    __slots__ = (
        "ability_used",
        "activated",
        "active",
        "armies",
        "bats",
        "bodyguards",
        "chars",
        "closed_passes",
        "combat",
        "concentration",
        "control",
        "damage",
        "eagles",
        "event_deck",
        "event_discard",
        "event_shown",
        "fate",
        "fate_deck",
        "fate_shown",
        "fate_space",
        "fate_tiles",
        "fate_tiles_out",
        "fort_damage",
        "fort_values",
        "generals_count",
        "hand_event",
        "hand_story",
        "house",
        "leaders",
        "pending",
        "phase",
        "pool",
        "ratings",
        "rings",
        "special_tiles",
        "step",
        "story_deck",
        "story_gone",
        "story_shown",
        "supply",
        "table_cards",
        "token_pool",
        "tokens",
        "tokens_shown",
        "turn",
        "units",
        "unused",
        "used",
        "values",
        "where",
        "winner",
        "winning_rule",
        "wrath",
    )

    def __init__(self) -> None:
        # where the game stands
        self.turn: int = 0
        self.phase: int = 0
        """0 while setting up, then 1 to 6."""
        self.step: str = ""
        """Where the flow goes on inside a phase; see :mod:`flow`."""
        self.active: int = 0
        """The seat whose action it is in phase 5."""
        self.pending: list[Any] = []
        """What is still to be done after a running combat, as JSON: ``[[what, ...], ...]``, next first."""
        self.winner: int = -1
        self.winning_rule: str = ""

        # the board
        self.units: list[int] = [0] * PLACE_COUNT
        """Packed units of each place (:mod:`armies`)."""
        self.damage: list[int] = [0] * PLACE_COUNT
        """Damage tokens on the army of each place."""
        self.leaders: list[int] = [0] * PLACE_COUNT
        """Leadership tokens with the army of each place."""
        self.chars: list[int] = [0] * PLACE_COUNT
        """Bit mask of the characters in each place (Beorn too; the Lord only in the Eyrie)."""
        self.where: list[int] = [NOT_IN_PLAY] * len(CHARACTERS)
        self.armies: list[int] = [0, 0]
        """For each seat the mask of the places with units of it (Beorn not among them)."""
        self.supply: list[int] = list(FIGURES)
        """Figures of each unit type that are off the board."""
        self.control: int = 0
        """Mask of settlements and fortifications under Shadow control."""
        self.fort_damage: list[int] = [0] * len(FORTIFICATION_VALUES)
        self.fort_values: tuple[int, ...] = FORTIFICATION_VALUES
        self.tokens: list[dict[int, int]] = [{}, {}, {}]
        """For each group: place to face-down recruitment tokens there (no zeros)."""
        self.token_pool: list[int] = list(TOKENS_IN_BOX)
        """Unplaced tokens of each group."""
        self.tokens_shown: dict[str, int] = {}
        """``group:face`` to how often it was turned up (those tokens are out of the game)."""
        self.closed_passes: int = PASSES
        self.eagles: list[int] = [0] * 5
        """Eagles in each territory, then in the Eyrie."""
        self.bats: list[int] = [0] * 4
        """Great Bats in each territory."""

        # characters
        self.ratings: tuple[int, ...] = tuple(-1 if v is None else v for v in LEADERSHIP)
        """Leadership of each character, -1 while unknown; Fate cards may raise it."""
        self.fate_space: tuple[int, ...] = FATE_SPACE
        """Where on the Fate track each character waits (cards shift them)."""
        self.activated: int = 0
        """Mask of generals with an activation token on their card."""
        self.generals_count: int = 0
        """How many generals were activated this turn."""
        self.ability_used: bool = False
        """Whether a general's ability was used since the last Free Peoples die."""
        self.wrath: int = 0
        self.bodyguards: int = 0
        self.rings: int = 0
        self.concentration: int = 0

        # dice
        self.pool: list[int] = list(BASE_POOL)
        self.unused: list[list[int]] = [[0] * len(FACES), [0] * len(FACES)]
        """For each seat, unused action dice by face."""
        self.used: list[list[int]] = [[0] * len(FACES), [0] * len(FACES)]

        # cards: hands are physical, so they are counts; faces are known once a card was played
        self.hand_event: list[int] = [0, 0]
        self.hand_story: list[int] = [0, 0]
        self.event_deck: int = EVENT_CARDS
        self.event_discard: int = 0
        self.event_shown: int = 0
        """Mask of event cards known to lie in the discard pile (bit n for card n)."""
        self.story_deck: list[int] = [STORY_CARDS, STORY_CARDS]
        self.story_gone: list[int] = [0, 0]
        """Story cards played to the end or discarded."""
        self.story_shown: list[int] = [0, 0]
        """Masks of story cards that were played (on the table or gone)."""
        self.fate_deck: int = FATE_CARDS
        self.fate_shown: int = 0
        """Mask of Fate cards that were drawn."""
        self.table_cards: dict[str, dict[str, Any]] = {}
        """Cards that stay in play: card id to what the card remembers (``{}`` for most)."""

        # fate
        self.fate: int = 0
        """The Fate marker's space."""
        self.fate_tiles: int = STANDARD_TILES
        """Standard tiles in the pool."""
        self.fate_tiles_out: dict[str, int] = {}
        """Applied tiles (out of the game): face to how many."""
        self.special_tiles: list[int] = [ASIDE, ASIDE]

        # a running combat, owned by :mod:`combat`
        self.combat: Battle | None = None

        # what the owner's box tells, and house rules
        self.values: dict[str, Any] = {}
        """Answers from the box book or given at the table: ``movement.bard`` to 3."""
        self.house: Mapping[str, str] = DEFAULT_HOUSE_RULES


def copy(state: State) -> State:
    """An independent copy."""
    new = State.__new__(State)
    for name in _PLAIN:
        setattr(new, name, getattr(state, name))
    for name in _LISTS:
        setattr(new, name, getattr(state, name)[:])
    new.tokens = [dict(places) for places in state.tokens]
    new.unused = [dice[:] for dice in state.unused]
    new.used = [dice[:] for dice in state.used]
    new.tokens_shown = dict(state.tokens_shown)
    new.fate_tiles_out = dict(state.fate_tiles_out)
    new.values = dict(state.values)
    new.table_cards = {card: copy_json(memory) for card, memory in state.table_cards.items()}
    new.pending = copy_json(state.pending)
    new.combat = None if state.combat is None else state.combat.copy()
    return new


def copy_json(value: Any) -> Any:
    """A deep copy of plain JSON data."""
    if isinstance(value, dict):
        return {key: copy_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy_json(item) for item in value]
    return value


_LISTS = (
    "armies",
    "bats",
    "chars",
    "damage",
    "eagles",
    "fort_damage",
    "hand_event",
    "hand_story",
    "leaders",
    "pool",
    "special_tiles",
    "story_deck",
    "story_gone",
    "story_shown",
    "supply",
    "token_pool",
    "units",
    "where",
)
_OTHER = (
    "combat",
    "fate_tiles_out",
    "pending",
    "table_cards",
    "tokens",
    "tokens_shown",
    "unused",
    "used",
    "values",
)
_PLAIN = tuple(sorted(set(State.__slots__) - set(_LISTS) - set(_OTHER)))
"""Numbers, strings, tuples and mappings that are never changed in place."""
