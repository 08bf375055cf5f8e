"""What a running table tells its screens, and what they ask of it: devices, saved games, a new game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from referee.kernel.messages import Text

Health = Literal["ok", "warn", "away", "fail"]
"""``ok``; ``warn``: works, but look at it; ``away``: not there, the game goes on without it; ``fail``: a part
of the machine that does not do its work."""


@dataclass(frozen=True, slots=True)
class Device:
    """One device and how it is: what is so and, where needed, what to do."""

    id: str
    health: Health
    text: Text


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a game stands: the number of its turn (0 before the first), what the game calls that turn by
    language (empty where it has no name of its own), and the seats whose answer is awaited."""

    turn: int
    titles: Mapping[str, str]
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game on disk that can be continued."""

    id: str
    game: str
    title: Mapping[str, str]
    table_name: str
    revision: int
    finished: bool
    players: tuple[str, ...] = ()
    """Names that were typed in, in the order of the seats."""
    began: str = ""
    """UTC, ISO 8601."""
    closed: bool = False
    """A tournament game that is over, and whose slip or export was not handed over yet."""
    stand: Stand | None = None
    """None where it is not known (yet)."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """What the start page asks for: a game, names per seat, options by id."""

    game: str
    players: Mapping[str, str]
    table_name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    tournament: bool = False
    """What dice or hidden information revealed is taken back by the arbiter only, who alone corrects."""
    seats: Sequence[str] | None = None
    """Who plays, where the game can be played by fewer than all its seats; None: all."""
