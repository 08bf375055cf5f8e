"""Check the board by light: place after place, what should stand there, and does it?

Only places whose contents changed since the last check are visited.  The
contents come from a game's view (``view["places"]``: owner, pieces, markers),
so every game can be checked.  Which places differ goes to the correction flow;
nothing here changes a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.kernel.lights import HOLDING, PALETTE, Lights, Meaning

Contents = frozenset[tuple[str, str, str | None, int]]
"""What stands on a place: (``piece`` or ``marker``, id, seat, count), whatever its name in a language."""

UNSURE: Contents = frozenset({("unknown", "", None, 0)})
"""What stood where the board was found to differ: nobody knows, so the place is looked at again."""

STAYING = frozenset(PALETTE[meaning] for meaning in HOLDING)
"""What stays lit around the place that is checked."""


def contents(places: Mapping[str, Any]) -> dict[str, Contents]:
    """Contents of each place of a view that has any; also what to keep until the next check."""
    found = {}
    for place, shown in places.items():
        items = Counter[tuple[str, str, str | None]]()
        for kind, key in (("piece", "pieces"), ("marker", "markers")):
            for item in shown[key]:
                # a view may list figures one by one: two of a kind are two, not one
                items[kind, item["id"], item["seat"]] += item["count"]
        if items:
            found[place] = frozenset((*thing, count) for thing, count in items.items())
    return found


@dataclass
class BoardCheck:
    """One walk over the board.  ``places`` are visited in their order; answers can be taken back."""

    places: tuple[str, ...]
    answers: list[bool] = field(default_factory=list)
    """For each visited place whether it stood as it should."""
    mended: list[str] = field(default_factory=list)
    """Places where the figures, not the record, were put right."""
    tiles: int | None = None
    """Where the board is laid for a new game: so many of the first places get their tiles; None: compared."""
    confirmed: list[str] = field(default_factory=list)
    """Seats that say of the finished position that it stands."""
    at_once: int = 1
    """How many places are lit and looked at together."""

    @classmethod
    def since(
        cls,
        before: Mapping[str, Contents] | None,
        now: Mapping[str, Contents],
        order: Sequence[str],
    ) -> BoardCheck:
        """A walk over what changed since ``before`` (None: never checked, so everything that stands)."""
        old = before or {}
        changed = tuple(place for place in order if old.get(place) != now.get(place))
        return cls(changed)

    @classmethod
    def laying(cls, tiles: Sequence[str], figures: Sequence[str]) -> BoardCheck:
        """The hands are led: tile by tile, then hex by hex what stands there."""
        return cls((*tiles, *figures), tiles=len(tiles))

    @property
    def is_tile(self) -> bool:
        """Whether a tile is to be laid at the lit place."""
        return self.tiles is not None and len(self.answers) < self.tiles

    @property
    def current(self) -> str | None:
        """The place that is lit, None when all are answered."""
        return self.places[len(self.answers)] if len(self.answers) < len(self.places) else None

    @property
    def lit(self) -> tuple[str, ...]:
        """The places that are lit: the current one and those that are looked at with it."""
        done = len(self.answers)
        return self.places[done : done + self.at_once]

    def answer(self, as_it_should: bool, *, mended: bool = False) -> None:
        """What the players say of the lit place; nothing happens when the walk is over.

        ``mended``: it stands as it should now, because figures were moved.
        """
        if self.current is not None:
            if mended:
                self.mended.append(self.current)
            self.answers.append(as_it_should)

    def back(self) -> None:
        """Take the last answer back."""
        if self.answers:
            self.answers.pop()
            if self.mended and self.mended[-1] == self.current:
                self.mended.pop()

    @property
    def differing(self) -> tuple[str, ...]:
        """Places that do not stand as they should, for the correction flow."""
        return tuple(place for place, good in zip(self.places, self.answers, strict=False) if not good)

    def lights(self, usual: Lights) -> Lights:
        """The places that are checked, and of the usual lights only who holds what."""
        if self.current is None:
            return usual
        around = {place: light for place, light in usual.items() if light in STAYING}
        return around | dict.fromkeys(self.lit, PALETTE[Meaning.AUDIT])
