"""Who is connected, by address: where there are too many, a crowd makes room, not a player."""

from __future__ import annotations

from collections import Counter
from typing import Protocol


class Guest(Protocol):
    """A connection."""

    @property
    def address(self) -> str:
        """Where it comes from."""

    @property
    def waits(self) -> bool:
        """Whether it is only waited for: no request of it is at work, no answer is being read."""

    def drop(self) -> None:
        """End it at once."""


class Crowd:
    """At most ``most`` connections.  One too many costs the oldest that is only waited for, of the address
    that has most of these.  A newcomer is waited for, too, so that somebody always is.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._guests: dict[Guest, None] = {}

    def __len__(self) -> int:
        return len(self._guests)

    def enter(self, guest: Guest) -> None:
        """One more, perhaps in place of another."""
        self._guests[guest] = None
        if len(self._guests) > self.most:
            waiting = [one for one in self._guests if one.waits or one is guest]
            crowded = Counter(one.address for one in waiting).most_common(1)[0][0]
            goes = next(one for one in waiting if one.address == crowded)
            del self._guests[goes]
            goes.drop()

    def leave(self, guest: Guest) -> None:
        """It has gone.  May be said twice."""
        self._guests.pop(guest, None)

    def clear(self) -> None:
        """All go."""
        for guest in list(self._guests):
            self.leave(guest)
            guest.drop()
