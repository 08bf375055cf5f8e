"""A position played through the public interface: what tests of the turn and the armies share."""

from __future__ import annotations

from game_board import PlayedPosition

from referee.games.war_of_the_ring.box.components import CHARACTER, FIGURE, NATION
from referee.games.war_of_the_ring.box.map import PLACE, PLACES, places_in
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.state.armies import GROUP
from referee.games.war_of_the_ring.state.state import State


class Table(PlayedPosition[State]):
    """A running game from a written position."""

    game = GAME

    # --- looking -------------------------------------------------------------------------------

    def units(self, place: str) -> dict[str, int]:
        return dict(GROUP[self.state.figures[PLACE[place]]].counts)

    def characters(self, place: str) -> set[str]:
        names = list(CHARACTER)
        return {names[c] for c in places_in(self.state.chars[PLACE[place]])}

    def steps(self, nation: str) -> int:
        return self.state.steps[NATION[nation]]

    def active(self, nation: str) -> bool:
        return bool(self.state.awake >> NATION[nation] & 1)

    def supply(self, figure: str) -> int:
        return self.state.supply[FIGURE[figure]]

    def fallen(self, figure: str) -> int:
        return self.state.fallen[FIGURE[figure]]

    @property
    def captured(self) -> set[str]:
        return {PLACES[place] for place in places_in(self.state.captured)}


ALL_AT_WAR = """\
politics: {dwarves: at_war, elves: at_war, gondor: at_war, north: at_war, rohan: at_war,
           isengard: at_war, sauron: at_war, southrons_easterlings: at_war}
"""
