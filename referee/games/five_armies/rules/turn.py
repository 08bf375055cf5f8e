"""Chapter IV: the turn in its six phases."""

from __future__ import annotations

from referee.games.five_armies.box.components import FACES, FREE, LORD, SHADOW
from referee.games.five_armies.box.map import EYRIE
from referee.games.five_armies.rules.action_dice import action_phase, free_pool, shadow_pool
from referee.games.five_armies.rules.asking import Ask
from referee.games.five_armies.rules.decks import draw_one_of_each
from referee.games.five_armies.rules.eagles import AT_HOME
from referee.games.five_armies.rules.fate import draw_tiles
from referee.games.five_armies.rules.generals import activate_generals
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.rules.setup import learn_leadership
from referee.games.five_armies.rules.shadow_leadership import shadow_leadership
from referee.games.five_armies.rules.victory import check_end_of_turn
from referee.games.five_armies.state.state import IN_TERRITORY_OF, State
from referee.games.kit.turn import turns


def play_turns(state: State) -> Ask:
    """Turn after turn, each from the phase the state stands in, until somebody wins."""
    return turns(state, PHASES)


def recovery(state: State) -> Ask:
    """Phase 1: the pools are set by what holds now, then each player draws an Event and a Story card."""
    yield from learn_leadership(state)  # asked already, unless the game started from a written position
    state.pool = [free_pool(state), shadow_pool(state)]
    for seat in (FREE, SHADOW):
        yield from draw_one_of_each(state, seat)


def end_of_turn(state: State) -> Ask:
    """Phase 6: who has won by points; then what was there for this turn only leaves the board."""
    check_end_of_turn(state)
    clear_turn(state)
    return
    yield


def clear_turn(state: State) -> None:
    """Leadership and activation tokens go, bats leave the board, Eagles fly home, dice are taken back."""
    state.leaders = [0] * len(state.leaders)
    state.bats = [0] * len(state.bats)
    home = sum(state.eagles)
    state.eagles = [0] * len(state.eagles)
    state.eagles[AT_HOME] = home
    if state.where[LORD] >= IN_TERRITORY_OF:
        put_character(state, LORD, EYRIE)
    state.activated = 0
    state.generals_count = 0
    state.ability_used = False
    state.unused = [[0] * len(FACES), [0] * len(FACES)]
    state.used = [[0] * len(FACES), [0] * len(FACES)]


PHASES = (recovery, activate_generals, draw_tiles, shadow_leadership, action_phase, end_of_turn)
