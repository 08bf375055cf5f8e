"""Everything that matters in a game of The Battle of Five Armies.

The state is mutable and compact: places, units, characters and dice faces are
small integers, sets of places are bit masks, an army's units are one integer
(:mod:`armies`).  :func:`copy` is here, :mod:`state_json` writes and reads JSON.

Who changes what: pieces on the board are moved with :mod:`pieces`, which keeps
the masks and the supply right; everything else is set directly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.games.five_armies.box.components import (
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
from referee.games.five_armies.box.house import DEFAULT_HOUSE_RULES
from referee.games.five_armies.box.map import FORTIFICATION_VALUES, PASSES, PLACE_COUNT
from referee.games.kit.copying import copy_json, plain_fields

if TYPE_CHECKING:
    from referee.games.five_armies.state.battle import Battle

NOT_IN_PLAY = -1
"""``where[character]`` of one who has not entered play."""
ELIMINATED = -2
"""``where[character]`` of one who is out of the game for good."""
IN_TERRITORY_OF = 60
"""``where[LORD]`` is this plus a territory once he has left the Eyrie."""
ASIDE, IN_POOL, OUT = 0, 1, 2
"""Where a special Fate tile is."""


@dataclass(slots=True, eq=False)
class State:
    """One position.  Lists are owned by the state; tuples and mappings in it are never changed in place.

    Indices: ``place`` of :mod:`map`, ``unit``, ``character``, ``seat``, ``face``,
    ``group`` of :mod:`components`, ``territory`` of :mod:`map`.
    """

    # where the game stands
    turn: int = 0
    phase: int = 0
    """0 while setting up, then 1 to 6."""
    step: str = ""
    """Where the flow goes on inside a phase; see :mod:`turn` and :mod:`action_dice`."""
    active: int = 0
    """The seat whose action it is in phase 5."""
    pending: list[Any] = field(default_factory=list)
    """What is still to be done after a running combat, as JSON: ``[[what, ...], ...]``, next first."""
    winner: int = -1
    winning_rule: str = ""

    # the board
    units: list[int] = field(default_factory=lambda: [0] * PLACE_COUNT)
    """Packed units of each place (:mod:`armies`)."""
    damage: list[int] = field(default_factory=lambda: [0] * PLACE_COUNT)
    """Damage tokens on the army of each place."""
    leaders: list[int] = field(default_factory=lambda: [0] * PLACE_COUNT)
    """Leadership tokens with the army of each place."""
    chars: list[int] = field(default_factory=lambda: [0] * PLACE_COUNT)
    """Bit mask of the characters in each place (Beorn too; the Lord only in the Eyrie)."""
    where: list[int] = field(default_factory=lambda: [NOT_IN_PLAY] * len(CHARACTERS))
    armies: list[int] = field(default_factory=lambda: [0, 0])
    """For each seat the mask of the places with units of it (Beorn not among them)."""
    supply: list[int] = field(default_factory=lambda: list(FIGURES))
    """Figures of each unit type that are off the board."""
    control: int = 0
    """Mask of settlements and fortifications under Shadow control."""
    fort_damage: list[int] = field(default_factory=lambda: [0] * len(FORTIFICATION_VALUES))
    fort_values: tuple[int, ...] = FORTIFICATION_VALUES
    tokens: list[dict[int, int]] = field(default_factory=lambda: [{}, {}, {}])
    """For each group: place to face-down recruitment tokens there (no zeros)."""
    token_pool: list[int] = field(default_factory=lambda: list(TOKENS_IN_BOX))
    """Unplaced tokens of each group."""
    tokens_shown: dict[str, int] = field(default_factory=dict)
    """``group:face`` to how often it was turned up (those tokens are out of the game)."""
    closed_passes: int = PASSES
    eagles: list[int] = field(default_factory=lambda: [0] * 5)
    """Eagles in each territory, then in the Eyrie."""
    bats: list[int] = field(default_factory=lambda: [0] * 4)
    """Great Bats in each territory."""

    # characters
    ratings: tuple[int, ...] = tuple(-1 if v is None else v for v in LEADERSHIP)
    """Leadership of each character, -1 while unknown; Fate cards may raise it."""
    fate_space: tuple[int, ...] = FATE_SPACE
    """Where on the Fate track each character waits (cards shift them)."""
    activated: int = 0
    """Mask of generals with an activation token on their card."""
    generals_count: int = 0
    """How many generals were activated this turn."""
    ability_used: bool = False
    """Whether a general's ability was used since the last Free Peoples die."""
    wrath: int = 0
    bodyguards: int = 0
    rings: int = 0
    concentration: int = 0

    # dice
    pool: list[int] = field(default_factory=lambda: list(BASE_POOL))
    unused: list[list[int]] = field(default_factory=lambda: [[0] * len(FACES), [0] * len(FACES)])
    """For each seat, unused action dice by face."""
    used: list[list[int]] = field(default_factory=lambda: [[0] * len(FACES), [0] * len(FACES)])

    # cards: hands are physical, so they are counts; faces are known once a card was played
    hand_event: list[int] = field(default_factory=lambda: [0, 0])
    hand_story: list[int] = field(default_factory=lambda: [0, 0])
    event_deck: int = EVENT_CARDS
    event_discard: int = 0
    event_shown: int = 0
    """Effects for which Event cards of the discard pile were played, a bit a card (``card_data.COPIES``)."""
    story_deck: list[int] = field(default_factory=lambda: [STORY_CARDS, STORY_CARDS])
    story_gone: list[int] = field(default_factory=lambda: [0, 0])
    """Story cards played to the end or discarded."""
    story_shown: list[int] = field(default_factory=lambda: [0, 0])
    """Masks of story cards that were played (on the table or gone)."""
    fate_deck: int = FATE_CARDS
    fate_shown: int = 0
    """Mask of Fate cards that were drawn."""
    table_cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Cards that stay in play: card id to what the card remembers (``{}`` for most)."""

    # fate
    fate: int = 0
    """The Fate marker's space."""
    fate_tiles: int = STANDARD_TILES
    """Standard tiles in the pool."""
    fate_tiles_out: dict[str, int] = field(default_factory=dict)
    """Applied tiles (out of the game): face to how many."""
    special_tiles: list[int] = field(default_factory=lambda: [ASIDE, ASIDE])

    # a running combat, owned by :mod:`combat`
    combat: Battle | None = None

    # what the owner's box tells, and house rules
    values: dict[str, Any] = field(default_factory=dict)
    """Answers from the box book or given at the table: ``movement.bard`` to 3."""
    house: Mapping[str, str] = field(default_factory=lambda: DEFAULT_HOUSE_RULES)


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
_PLAIN = plain_fields(State, _LISTS, _OTHER)
"""Numbers, strings, tuples and mappings that are never changed in place."""


class _ByHand:
    """Copy and JSON as this game still writes them by hand, in the form of a schema."""

    copy = staticmethod(copy)

    @staticmethod
    def to_json(state: State) -> dict[str, Any]:
        """The state as JSON."""
        from referee.games.five_armies.state import state_json

        return state_json.to_json(state)

    @staticmethod
    def heard(state: State) -> dict[str, Any]:
        """Position files are read by hand too."""
        return {}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> State:
        """The state that ``to_json`` wrote."""
        from referee.games.five_armies.state import state_json

        return state_json.from_json(data)


SCHEMA: Any = _ByHand()
