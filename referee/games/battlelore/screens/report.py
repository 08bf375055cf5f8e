"""The readable record of a battle: what happened, as a player would tell it, in German or English."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battlelore.box.components import PLACES, SEATS
from referee.games.battlelore.screens.view import unit_name
from referee.games.battlelore.state.state import State
from referee.games.kit.report import Sentences
from referee.games.kit.story import Story


class Tale(Story[State, Sentences]):
    """A paragraph for each phase, each move and each fight."""

    def changes(self, before: State, state: State) -> Iterator[str]:
        """Units that were put elsewhere by no choice, losses, banners and tokens."""
        if not before.phase:
            return
        for unit, known in enumerate(state.field.units):
            was, now = before.at[unit], state.at[unit]
            name, seat = self.tell.name(unit_name(before, unit), "unit"), self.seat(known.seat)
            if was >= 0 > now:
                yield self.tell("destroyed", seat=seat, unit=name, place=self.tell.name(PLACES[was], "place"))
            elif state.figures[unit] < before.figures[unit]:
                lost = before.figures[unit] - state.figures[unit]
                where = self.tell.name(PLACES[was], "place")
                yield self.tell(
                    "lost", seat=seat, unit=name, place=where, figures=lost, left=state.figures[unit]
                )
        for number, name in enumerate(SEATS):
            if state.banners[number] > before.banners[number]:
                goal = state.field.goals[number]
                told = self.tell(f"seat.{name}")
                yield self.tell("banner", seat=told, banners=state.banners[number], goal=goal)
