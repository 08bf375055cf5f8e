"""What the screens need of the table's host: the running table, the dice desk, the lights, the devices.

Protocols only.  The host that owns the hardware implements them; the web room
decides nothing about rules, reads no camera and opens no port.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from referee.hall.answers import Preview
from referee.hall.table import Table
from referee.kernel.lights import Lights, Selection
from referee.kernel.play import Game
from referee.serving.hosting import Device, NewGame, SavedGame
from referee.serving.virtual import SentLights

Unsubscribe = Callable[[], None]


class DiceDesk(Protocol):
    """Where dice are rolled and read.  ``virtual``: the tray exists only here and can throw by itself.

    Whatever it reads it offers to the table (``Table.offer_reading``) and then tells
    its listeners.  It may have a ``state`` (``empty``, ``moving``...), shown in words.
    """

    @property
    def virtual(self) -> bool: ...

    def throw(self) -> None:
        """Throw the wanted dice (virtual trays only); the reading arrives as a new offer."""

    def look(self) -> None:
        """Look into the tray again now."""

    def photograph(self, data: bytes) -> None:
        """Offer the reading of a JPEG picture that a player's device took of this roll.  Takes a second.

        Raises ``NotPossible``.
        """

    def subscribe(self, listener: Callable[[], None]) -> Unsubscribe:
        """Call ``listener`` after each new or withdrawn offer, from any thread."""


class VirtualDesk(Protocol):
    """A table without hardware: what its camera sees, what its LEDs were sent, what goes wrong there."""

    @property
    def disturbed(self) -> frozenset[str]: ...

    def disturb(self, kind: str, on: bool) -> None:
        """Let something go wrong, or no longer.  Raises KeyError for what it does not know."""

    def strip(self) -> SentLights | None:
        """The LEDs as they were sent last."""

    def picture(self) -> bytes | None:
        """What the camera sees (JPEG)."""


class TableHost(Protocol):
    """The host of the table as the screens see it."""

    @property
    def folder(self) -> Path:
        """A private folder of this table for what must survive a restart (seats and keys, hashed)."""

    @property
    def addresses(self) -> Sequence[str]:
        """How tablets reach this table now, the likeliest first; none where only this machine does."""

    @property
    def table(self) -> Table | None:
        """The running table, or None before a game is started."""

    @property
    def always_tournament(self) -> bool:
        """Whether each game of this table is a tournament game, whatever is chosen when it is set up."""

    @property
    def dice(self) -> DiceDesk: ...

    @property
    def virtual_table(self) -> VirtualDesk | None:
        """What only a table without camera has."""

    def games(self) -> Sequence[Game[Any]]:
        """The games that can be started."""

    def running_and_saved(self) -> tuple[Table | None, Sequence[SavedGame]]:
        """:attr:`table` and the other games of this table, the newest first, as they are at one moment."""

    def start(self, new: NewGame) -> None:
        """Start a game; it becomes :attr:`table`."""

    def resume(self, game_id: str) -> None:
        """Continue a saved game; it becomes :attr:`table`."""

    def subscribe(self, listener: Callable[[], None]) -> Unsubscribe:
        """Call ``listener`` whenever :attr:`table` is another one, or a device changed its health."""

    def examine(self) -> Sequence[Device]:
        """Machine, disk, record and tray in words, as ``referee doctor`` says them; may take a moment."""

    def devices(self) -> Sequence[Device]:
        """Camera, lights and whatever else there is."""

    def show_draft(self, selection: Selection | None, preview: Preview | None) -> None:
        """What a seat has under its finger, so that the lights under the board show it; None: no draft."""

    def shown_lights(self) -> Lights:
        """What the lights under the board show now."""


def workbench(hall: Any) -> Any:
    """The hall's workbench; None at a table that has none."""
    return getattr(hall, "workbench", None)
