"""The audit: a sound state has no problems, and each kind of damage to a state is found."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playing import Board

from referee.games.five_armies.box.components import BEORN, FREE, GOBLINS, LAKE_MEN, ORCS, SHADOW
from referee.games.five_armies.box.map import PLACE, PLACE_COUNT
from referee.games.five_armies.state.armies import ONE
from referee.games.five_armies.state.audit import audit
from referee.games.five_armies.state.state import State

CAMP, PLAIN, DALE = PLACE["camp"], PLACE["bl_upper_plain"], PLACE["ruins_of_dale"]
POSITION = """\
phase: 5
to_act: free
unused_dice: {free: [muster], shadow: [army, army]}
activation_tokens: [bard]
beorn: {region: front_gate, wrath: 8}
eyrie: {eagles: 2}
bats: {valley: 1}
control_shadow: [lower_slopes]
regions:
  camp: {side: free, units: {lake_men: 4}, characters: [bard], damage: 1, tokens: {elves: 1}}
  bl_upper_plain: {side: shadow, units: {orcs: 4}, leadership: 1}
"""


def sound() -> State:
    return Board(POSITION).state


def test_a_sound_state_has_no_problems() -> None:
    assert audit(sound()) == []


def _supply(state: State) -> None:
    state.supply[ORCS] += 1


def _six_units(state: State) -> None:
    state.units[CAMP] += ONE[LAKE_MEN] * 2
    state.supply[LAKE_MEN] -= 2


def _too_much_damage(state: State) -> None:
    state.damage[CAMP] = 5


def _damage_without_army(state: State) -> None:
    state.damage[DALE] = 1


def _leaders_without_army(state: State) -> None:
    state.leaders[DALE] = 1


def _negative_damage(state: State) -> None:
    state.damage[CAMP] = -1


def _mask(state: State) -> None:
    state.armies[FREE] |= 1 << DALE


def _goblins_in_the_eyrie(state: State) -> None:
    state.units[PLACE["eyrie"]] = ONE[GOBLINS]
    state.supply[GOBLINS] -= 1
    state.armies[SHADOW] |= 1 << PLACE["eyrie"]


def _free_in_a_box(state: State) -> None:
    place = PLACE["pass_north"]
    state.units[place] = ONE[LAKE_MEN]
    state.supply[LAKE_MEN] -= 1
    state.armies[FREE] |= 1 << place


def _control_in_the_open(state: State) -> None:
    state.control |= 1 << PLAIN


def _control_under_a_free_army(state: State) -> None:
    state.tokens[1].clear()
    state.token_pool[1] += 1
    state.control |= 1 << CAMP


def _fortification(state: State) -> None:
    state.fort_damage[0] = 7


def _character_twice(state: State) -> None:
    state.chars[DALE] |= 1


def _activated_though_gone(state: State) -> None:
    state.activated |= 1 << 4


def _no_wrath(state: State) -> None:
    state.wrath = 0


def _beorn_with_units(state: State) -> None:
    state.chars[PLACE["front_gate"]] = 0
    state.chars[CAMP] |= 1 << BEORN
    state.where[BEORN] = CAMP


def _beorn_with_the_shadow(state: State) -> None:
    state.chars[PLACE["front_gate"]] = 0
    state.chars[PLAIN] |= 1 << BEORN
    state.where[BEORN] = PLAIN


def _token_lost(state: State) -> None:
    state.token_pool[0] -= 1


def _token_under_the_enemy(state: State) -> None:
    state.tokens[0][PLAIN] = 1
    state.token_pool[0] -= 1


def _tile_lost(state: State) -> None:
    state.fate_tiles -= 1


def _fate_off_the_track(state: State) -> None:
    state.fate = 16


def _event_card_lost(state: State) -> None:
    state.event_deck -= 1


def _story_card_lost(state: State) -> None:
    state.story_deck[SHADOW] -= 1


def _fate_card_lost(state: State) -> None:
    state.fate_deck -= 1


def _hand_too_big(state: State) -> None:
    state.hand_event[FREE] += 7
    state.event_deck -= 7


def _too_many_dice(state: State) -> None:
    state.unused[FREE][0] += 6


def _eagles(state: State) -> None:
    state.eagles[0] = 4


def _bats(state: State) -> None:
    state.bats[0] = 6


DAMAGES: tuple[Callable[[State], None], ...] = tuple(
    found for name, found in sorted(globals().items()) if name.startswith("_") and callable(found)
)


def test_the_damages_are_many() -> None:
    assert len(DAMAGES) == 28
    assert PLACE_COUNT == 51


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_each_damage_is_found(damage: Callable[[State], None]) -> None:
    state = sound()
    damage(state)
    assert len(audit(state)) >= 1
