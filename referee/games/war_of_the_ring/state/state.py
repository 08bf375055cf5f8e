"""Everything that matters in a game of War of the Ring.

The state is mutable and compact: places, figures, characters, dice faces and
tiles are small integers, sets of places are bit masks, the figures in a place
are one integer (:mod:`armies`).  :func:`copy` is here, :mod:`state_json` writes
and reads JSON.

Who changes what: figures and characters are moved with :mod:`pieces`, which
keeps the masks and the supply right; everything else is set directly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.games.kit.copying import copy_json, plain_fields
from referee.games.war_of_the_ring.box.components import (
    BASE_POOL,
    CHARACTER,
    CHARACTERS,
    DECK_SIZE,
    FACES,
    FIGURES_IN_BOX,
    RINGS_AT_START,
    START_ACTIVE,
    START_STEPS,
    TILES,
    box_data,
)
from referee.games.war_of_the_ring.box.editions import SECOND, Edition
from referee.games.war_of_the_ring.box.house import DEFAULT_HOUSE_RULES
from referee.games.war_of_the_ring.box.map import PLACE, PLACE_COUNT

if TYPE_CHECKING:
    from referee.games.war_of_the_ring.state.battle import Battle

NOT_IN_PLAY, ELIMINATED, IN_FELLOWSHIP = -1, -2, -3
"""``where[character]`` of one who waits to enter, is out of the game, travels with the Ring-bearers."""
_TRACKS = box_data("hunt")["tracks"]
FELLOWSHIP_START = PLACE[_TRACKS["fellowship_start"]]
STARTING_COMPANIONS = tuple(CHARACTER[name] for name in _TRACKS["companions"])
FIRST_GUIDE = CHARACTER[_TRACKS["guide"]]


@dataclass(slots=True, eq=False)
class State:
    """One position.  Lists and dicts are owned by the state; tuples and mappings are never changed in place.

    Indices: ``place`` of :mod:`map`; ``figure``, ``nation``, ``character``,
    ``seat``, ``face``, ``tile``, ``deck`` of :mod:`components`.
    """

    edition: Edition = SECOND

    # where the game stands
    turn: int = 0
    phase: int = 0
    """0 while setting up, then 1 to 6."""
    step: str = ""
    """Where the flow goes on inside a phase; see :mod:`turn` and :mod:`action_dice`."""
    active: int = 0
    """The seat whose action it is in phase 5."""
    pending: list[Any] = field(default_factory=list)
    """What is still to be done after a running battle, as JSON: ``[[what, ...], ...]``, next first."""
    winner: int = -1
    winning_rule: str = ""

    # the board
    figures: list[int] = field(default_factory=lambda: [0] * PLACE_COUNT)
    """Packed figures (units, leaders, Nazgul) of each place (:mod:`armies`)."""
    chars: list[int] = field(default_factory=lambda: [0] * PLACE_COUNT)
    """Bit mask of the characters in each place (those in the Fellowship are not among them)."""
    where: list[int] = field(default_factory=lambda: [NOT_IN_PLAY] * len(CHARACTERS))
    armies: list[int] = field(default_factory=lambda: [0, 0])
    """For each seat the mask of the places (siege boxes too) with army units of it."""
    supply: list[int] = field(default_factory=lambda: list(FIGURES_IN_BOX))
    """Reinforcements: figures that can still be recruited."""
    fallen: list[int] = field(default_factory=lambda: [0] * len(FIGURES_IN_BOX))
    """Figures out of the game: casualties of the Free Peoples, and what cards remove for good."""
    captured: int = 0
    """Mask of the settlements under the control of the enemy of their nation."""

    # politics
    steps: list[int] = field(default_factory=lambda: list(START_STEPS))
    """Steps of each nation from At War; 0 is At War."""
    awake: int = START_ACTIVE
    """Mask of the active nations."""

    # the Fellowship
    ring: int = FELLOWSHIP_START
    """The region of the Ring-bearers' figure: their last known position."""
    progress: int = 0
    hidden: bool = True
    corruption: int = 0
    guide: int = FIRST_GUIDE
    mordor: int = -1
    """The step on the Mordor track, -1 before it is entered."""
    ring_moved: bool = False
    """Whether the Fellowship moved or tried to hide this turn."""
    declared: bool = False
    """Whether its position was declared this turn."""

    # the hunt
    tiles: list[int] = field(default_factory=lambda: [tile.count if tile.seat < 0 else 0 for tile in TILES])
    """Hunt tiles of each kind in the pool."""
    tiles_out: list[int] = field(default_factory=lambda: [0] * len(TILES))
    """Tiles of each kind that were drawn and may come back."""
    tiles_gone: list[int] = field(default_factory=lambda: [0] * len(TILES))
    """Tiles of each kind that were removed for good."""
    tiles_ready: list[int] = field(default_factory=lambda: [0] * len(TILES))
    """Special tiles put in play that wait for the Mordor track."""
    hunt_dice: list[int] = field(default_factory=lambda: [0, 0])
    """Dice in the Hunt Box: those of the Free Peoples, those of the Shadow."""
    free_die_in_box: bool = False
    """Whether a die of the Free Peoples lay in the Hunt Box when the last turn ended."""

    # dice and rings
    pool: list[int] = field(default_factory=lambda: list(BASE_POOL))
    unused: list[list[int]] = field(default_factory=lambda: [[0] * len(FACES), [0] * len(FACES)])
    """For each seat, unused action dice by face."""
    used: list[list[int]] = field(default_factory=lambda: [[0] * len(FACES), [0] * len(FACES)])
    """For each seat, used action dice by face (those in the Hunt Box are not among them)."""
    rings: list[int] = field(default_factory=lambda: [RINGS_AT_START, 0])
    """Elven rings that each seat may still use."""
    ring_used: list[bool] = field(default_factory=lambda: [False, False])
    """Whether each seat used a ring this turn."""
    mouth_used: bool = False
    """Whether the Mouth of Sauron turned a Muster die into an Army die this turn."""

    # cards: hands are physical, so they are counts by the backs; faces are known once a card was played
    hand: list[list[int]] = field(default_factory=lambda: [[0, 0], [0, 0]])
    """``hand[seat][deck]``: cards in hand by their backs."""
    deck: list[list[int]] = field(default_factory=lambda: [[DECK_SIZE] * 2, [DECK_SIZE] * 2])
    """``deck[seat][deck]``: cards left to draw."""
    shown: list[int] = field(default_factory=lambda: [0, 0])
    """For each seat the mask of its cards (index in :mod:`card_data`) that were played or seen discarded."""
    unseen_discards: list[list[int]] = field(default_factory=lambda: [[0, 0], [0, 0]])
    """Cards discarded face down, by seat and deck."""
    table_cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Cards that stay in play: card id to what the card remembers (``{}`` for most)."""

    battle: Battle | None = None
    """A running battle, owned by :mod:`battle`."""

    # what the owner's box tells, and house rules
    values: dict[str, Any] = field(default_factory=dict)
    house: Mapping[str, str] = field(default_factory=lambda: DEFAULT_HOUSE_RULES)


def copy(state: State) -> State:
    """An independent copy."""
    new = State.__new__(State)
    for name in _PLAIN:
        setattr(new, name, getattr(state, name))
    for name in _LISTS:
        setattr(new, name, getattr(state, name)[:])
    for name in _NESTED:
        setattr(new, name, [part[:] for part in getattr(state, name)])
    new.values = dict(state.values)
    new.table_cards = {card: copy_json(memory) for card, memory in state.table_cards.items()}
    new.pending = copy_json(state.pending)
    new.battle = None if state.battle is None else state.battle.copy()
    return new


_NESTED = ("deck", "hand", "unseen_discards", "unused", "used")
_OTHER = ("battle", "pending", "table_cards", "values")
_LISTS = (
    "armies",
    "chars",
    "fallen",
    "figures",
    "hunt_dice",
    "pool",
    "ring_used",
    "rings",
    "shown",
    "steps",
    "supply",
    "tiles",
    "tiles_gone",
    "tiles_out",
    "tiles_ready",
    "where",
)
_PLAIN = plain_fields(State, _LISTS, _NESTED, _OTHER)
"""Numbers, strings, tuples and mappings that are never changed in place."""
