"""Chapter XII: Great Bats.  Bat Cloud; what they do in a combat is in :mod:`manoeuvres`."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.five_armies.box.components import SHADOW
from referee.games.five_armies.box.map import IN_TERRITORY, PLACES, TERRITORY
from referee.games.five_armies.rules.asking import Ask
from referee.games.five_armies.rules.marchers import ANY
from referee.games.five_armies.rules.movement import choose_army, long_move, prospects
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal


def cloud_armies(state: State) -> int:
    """Mask of the Shadow armies that Bat Cloud can move: a bat is over their territory."""
    under = 0
    for territory, number in enumerate(state.bats):
        if number:
            under |= IN_TERRITORY[territory]
    under &= state.armies[SHADOW]
    return prospects(state, SHADOW, under)[0] if under else 0


def why_not_cloud(state: State) -> Refusal:
    """Why Bat Cloud cannot be used now."""
    if not any(state.bats):
        return Refusal("bats.cloud", "no_bat")
    return Refusal("bats.cloud_same_territory", "no_army_under_bats")


def _no_bat(state: State) -> Callable[[int], Refusal | None]:
    def why_not(place: int) -> Refusal | None:
        territory = TERRITORY[place]
        if territory >= 0 and state.bats[territory]:
            return None
        return Refusal("bats.cloud_same_territory", "no_bat_over", {"place": PLACES[place]})

    return why_not


def bat_cloud(state: State) -> Ask:
    """A bat leaves the board; a Shadow army in its territory moves one region."""
    rule = "bats.cloud_same_territory"
    origin = yield from choose_army(state, SHADOW, cloud_armies(state), ANY, rule, why_not=_no_bat(state))
    state.bats[TERRITORY[origin]] -= 1
    yield from long_move(state, SHADOW, origin, 1, ANY, "bats.cloud")
