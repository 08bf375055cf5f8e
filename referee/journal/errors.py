"""What the hall and its record refuse, each with a sentence and a way out."""

from __future__ import annotations

from referee.kernel.errors import RefereeError


class Frozen(RefereeError):
    """An objection is open: nothing moves before the arbiter's ruling."""

    code = "frozen"


class GameStopped(RefereeError):
    """The rules' own check failed: a fault in the program.  The record is kept, an arbiter goes on."""

    code = "stopped"


class GameOver(RefereeError):
    """The game has ended."""

    code = "over"


class NotPossible(RefereeError):
    """What was asked of the hall is not possible now; the sentence says why and what is."""

    code = "not_possible"


class NotAllowed(RefereeError):
    """Only somebody else may do this (an arbiter, the opponent)."""

    code = "not_allowed"


class StoreError(RefereeError):
    """The store cannot be opened, read or written."""

    code = "store"


class InUse(StoreError):
    """Another process writes this store or game; the sentence names it."""

    code = "in_use"


class NoSuchGame(StoreError):
    """There is no game of this id in the store."""

    code = "no_game"


class StoreUnwritable(StoreError):
    """The disk is full, read-only or failing: the answer was not taken, the game stands where it stood."""

    code = "unwritable"
