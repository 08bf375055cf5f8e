"""The readable record of a game: what happened, as a player would tell it, in German or English."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games.kit.places import places_in
from referee.games.kit.report import Sentences
from referee.games.kit.story import Story
from referee.games.mountain_king.box.components import CHAMPION, CHAMPIONS, CLANS, PLACES
from referee.games.mountain_king.state.state import State
from referee.games.mountain_king.state.tokens import COUNT
from referee.games.mountain_king.state.tracks import value_of


class Tale(Story[State, Sentences]):
    """A paragraph for each action, invasion, champion and scoring."""

    def changes(self, before: State, state: State) -> Iterator[str]:
        """Honour with its rules, votes gained, gnomes that came, champions won."""
        yield from self._gnomes(before, state)
        yield from self._won(before, state)
        yield from self._votes(before, state)
        for wave, rule, what, seat, number in state.ledger[len(before.ledger) :]:
            about = f" ({self._what(what)})" if what else ""
            told = self.tell(f"rule.{rule}")
            yield self.tell("honour", seat=self.seat(seat), number=number, rule=told + about, wave=wave)

    def _gnomes(self, before: State, state: State) -> Iterator[str]:
        came = [
            PLACES[place]
            for place in places_in(state.overrun)
            if COUNT[state.gnomes[place]] > COUNT[before.gnomes[place]]
        ]
        if came and before.phase:
            yield self.tell("gnomes", places=self.tell.all(self.tell.name(one, "place") for one in came))

    def _won(self, before: State, state: State) -> Iterator[str]:
        for seat in places_in(state.seats):
            for champion in state.won[seat][len(before.won[seat]) :]:
                name = self.tell.name(CHAMPIONS[champion], "champion")
                yield self.tell("won", seat=self.seat(seat), champion=name)

    def _votes(self, before: State, state: State) -> Iterator[str]:
        for clan, name in enumerate(CLANS):
            for seat in places_in(state.seats):
                more = value_of(state.votes[clan], seat) - value_of(before.votes[clan], seat)
                if more > 0:
                    told = self.tell.name(name, "clan")
                    yield self.tell("votes", seat=self.seat(seat), count=more, clan=told)

    def _what(self, what: str) -> str:
        domain = "champion" if what in CHAMPION else "clan" if what in CLANS else "place"
        return self.tell.name(what, "hall" if what.startswith("hall_") else domain)

    def _end(self) -> Iterator[str]:
        """Who won or shares the victory, everybody's honour, and by which rule."""
        state: Any = self.play.state
        if state.winner < 0:
            yield from super()._end()
            return
        yield ""
        why = self.game.catalogue[state.winning_rule].sentence(self.tell.language)
        winners = self.tell.all(self.seat(seat) for seat in places_in(state.winners))
        honour = ", ".join(f"{self.seat(seat)} {state.honour[seat]}" for seat in places_in(state.seats))
        yield self.tell("end", seat=winners, why=why)
        yield self.tell("final", honour=honour)
