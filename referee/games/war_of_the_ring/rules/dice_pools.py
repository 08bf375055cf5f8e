"""Chapter IV: how many action dice each side has, and when an additional one counts."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.requests import RollDice


def free_pool(state: State) -> int:
    """Action dice of the Free Peoples by who is in play: Aragorn and Gandalf the White bring one each."""
    return box.BASE_POOL[box.FREE] + (state.where[box.ARAGORN] >= 0) + (state.where[box.GANDALF_WHITE] >= 0)


def shadow_pool(state: State) -> int:
    """Action dice of the Shadow by who is in play: each minion brings one."""
    return box.BASE_POOL[box.SHADOW] + sum(
        state.where[minion] >= 0 for minion in (box.WITCH_KING, box.SARUMAN, box.MOUTH)
    )


def join_dice(state: State, seat: int) -> Ask:
    """By the house rule that a gained die counts at once, it is rolled and joins the unused dice."""
    if state.house["die_change"] != "at_once":
        return
    die = box.ACTION_DIE[seat]
    rolled = yield RollDice(
        box.SEATS[seat], "prompt.roll_new_die", {die: 1}, box.DICE, rule="char.additional_die"
    )
    face = box.FACE[rolled[die][0]]
    state.pool[seat] += 1
    if face == box.F_EYE:
        state.hunt_dice[box.SHADOW] += 1
    else:
        state.unused[seat][face] += 1
