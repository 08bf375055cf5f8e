"""The readable record of a game: what happened, as a player would tell it, in German or English.

What came of each stretch of play is told here; see :mod:`referee.games.kit.story`.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.kit.report import Sentences
from referee.games.kit.story import Story
from referee.games.war_of_the_ring.box.components import CHARACTERS, NATIONS
from referee.games.war_of_the_ring.box.map import PLACES, SEAT_OF_REGION, places_in
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS
from referee.games.war_of_the_ring.state.state import ELIMINATED, IN_FELLOWSHIP, State


class Tale(Story[State, Sentences]):
    """A paragraph for each action and each combat round."""

    def changes(self, before: State, state: State) -> Iterator[str]:
        """Losses, characters, politics, the Ring-bearers and what was captured."""
        if not before.phase:
            return
        yield from self._losses(before, state)
        yield from self._characters(before, state)
        yield from self._politics(before, state)
        yield from self._ring(before, state)
        for place in places_in(before.captured ^ state.captured):
            holder = SEAT_OF_REGION[place] if before.captured >> place & 1 else 1 - SEAT_OF_REGION[place]
            yield self.tell("captured", seat=self.seat(holder), place=self.tell.name(PLACES[place]))

    def _losses(self, before: State, state: State) -> Iterator[str]:
        """Figures that left the board and figures that came, by side."""
        was, now = sum(before.figures), sum(state.figures)
        for seat, bits in enumerate(SEAT_BITS):
            old, new = GROUP[was & bits].counts, GROUP[now & bits].counts
            for key, first, second in (("lost", old, new), ("came", new, old)):
                more = {name: n - second.get(name, 0) for name, n in first.items() if n > second.get(name, 0)}
                if more:
                    yield self.tell(key, seat=self.seat(seat), figures=self.tell.counts(more))

    def _characters(self, before: State, state: State) -> Iterator[str]:
        for character, name in enumerate(CHARACTERS):
            was, now = before.where[character], state.where[character]
            if was == now:
                continue
            who = self.tell.name(name)
            if now == ELIMINATED:
                yield self.tell("fallen", name=who)
            elif now >= 0:
                key = "separated" if was == IN_FELLOWSHIP else "entered" if was < 0 else "walked"
                yield self.tell(key, name=who, place=self.tell.name(PLACES[now]))
        if state.guide != before.guide and state.guide >= 0:
            yield self.tell("guide", name=self.tell.name(CHARACTERS[state.guide]))

    def _politics(self, before: State, state: State) -> Iterator[str]:
        for nation, name in enumerate(NATIONS):
            called = self.tell.name(name)
            if state.awake >> nation & 1 and not before.awake >> nation & 1:
                yield self.tell("awake", nation=called)
            if state.steps[nation] != before.steps[nation]:
                key = "at_war" if not state.steps[nation] else "steps"
                yield self.tell(key, nation=called, steps=state.steps[nation])

    def _ring(self, before: State, state: State) -> Iterator[str]:
        if before.hidden and not state.hidden:
            yield self.tell("revealed", place=self.tell.name(PLACES[state.ring]))
        elif state.ring != before.ring:
            yield self.tell("ring_at", place=self.tell.name(PLACES[state.ring]))
        if state.mordor != before.mordor:
            yield self.tell("mordor", step=state.mordor)
        if state.corruption != before.corruption:
            yield self.tell("corruption", points=state.corruption)
