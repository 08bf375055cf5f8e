"""Edges that whole games seldom reach: the map's first region, walls at a retreat's end, used-up cards."""

from __future__ import annotations

import pytest
from fighting import Fight, armies

from referee.games.five_armies.box.components import BEORN, DWARF_REGULARS, FREE, SHADOW, THORIN
from referee.games.five_armies.box.map import PLACE, PLACES, TERRITORY
from referee.games.five_armies.rules import combat, combat_roll, damage, manoeuvres, movement, retreat
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state import battle
from referee.games.five_armies.state.battle import Battle
from referee.games.five_armies.state.card_data import COMBAT_EFFECTS, COPIES, show_event

FIRST = 0
"""The map's first place: its number is zero, and it is a region like any other."""


def test_beorn_in_the_maps_first_region_is_there() -> None:
    state = armies(camp="free lake_men 1")
    put_character(state, BEORN, FIRST)
    assert movement.closed_to(state, FREE) & 1
    assert retreat._closed(state, FREE, False) == 1 and retreat._closed(state, SHADOW, False) == 0


def test_thorin_in_the_maps_first_region_takes_part() -> None:
    state = armies(**{PLACES[FIRST]: "free dwarf_regulars 1"})
    put_character(state, THORIN, FIRST)
    assert manoeuvres._thorin_takes_part(state, Battle(SHADOW, 1 << PLACE["camp"], FIRST))
    assert not manoeuvres._thorin_takes_part(state, Battle(SHADOW, 1 << FIRST, PLACE["camp"]))


def test_a_card_may_set_leadership_to_nothing() -> None:
    state = armies(camp="free lake_men 1; leadership 2", ravenhill="shadow orcs 1")
    one = Battle(FREE, 1 << PLACE["camp"], PLACE["ravenhill"])
    assert combat_roll.leadership_in_combat(state, one, FREE) == 2
    one.sides[FREE].leadership = 0
    assert combat_roll.leadership_in_combat(state, one, FREE) == 0


def test_an_event_of_which_all_copies_are_played_cannot_lie_there() -> None:
    state = armies(camp="free lake_men 1", ravenhill="shadow orcs 1")
    state.hand_event = [1, 0]
    one = Battle(FREE, 1 << PLACE["camp"], PLACE["ravenhill"])
    gone = COMBAT_EFFECTS[0]
    for _ in range(COPIES[gone][1].bit_length()):
        show_event(state, gone)
    request = next(manoeuvres._name_event(state, one, FREE))
    refusal = request.why_not(gone)
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("cards.event_reshuffle", "all_copies_played")
    assert dict(refusal.params) == {"card": gone}
    assert list(request.options) == list(COMBAT_EFFECTS[1:])
    assert [c.value for c in request.candidates() if c.refusal is not None] == [gone]


@pytest.mark.parametrize(("on_card", "stays"), [({}, True), ({"damage": 5}, True), ({"damage": 6}, False)])
def test_shining_armour_breaks_with_more_than_five(on_card: dict[str, int], stays: bool) -> None:
    state = armies(camp="free lake_men 1")
    state.table_cards = {"shining_armour": dict(on_card)}
    damage.armour_breaks(state)
    assert ("shining_armour" in state.table_cards) is stays


def test_a_forced_retreat_hurts_behind_walls_too() -> None:
    """The extra damage of a retreat that the attacker chose is no attack: no fortification takes it."""
    state = armies(ravenhill="shadow orcs 2; damage 1", camp="free lake_men 1")
    one = Battle(FREE, 1 << PLACE["camp"], PLACE["ss_middle"])
    fight = Fight(state, retreat._forced_damage(state, one, SHADOW, PLACE["ravenhill"]))
    assert (fight.asked, fight.damage("ravenhill"), max(state.fort_damage)) == ("", 2, 0)


def test_a_forced_retreat_asks_who_falls() -> None:
    state = armies(ravenhill="shadow orcs 1, wargs 1; damage 2", camp="free lake_men 1")
    one = Battle(FREE, 1 << PLACE["camp"], PLACE["ss_middle"])
    fight = Fight(state, retreat._forced_damage(state, one, SHADOW, PLACE["ravenhill"]))
    assert fight.asked == "shadow casualties"


def test_beorn_loses_wrath_behind_walls_after_a_forced_retreat(monkeypatch: pytest.MonkeyPatch) -> None:
    state = armies(camp="shadow orcs 1")
    put_character(state, BEORN, PLACE["ss_middle"])
    state.wrath = 3
    one = Battle(SHADOW, 1 << PLACE["camp"], PLACE["ss_middle"])
    one.beorn = True
    monkeypatch.setattr(retreat, "retreat_regions", lambda *_, **__: 0)
    monkeypatch.setattr(retreat, "forced_regions", lambda *_, **__: 1 << PLACE["ravenhill"])
    fight = Fight(state, retreat.withdraw(state, one, rout=False))
    fight.answer("ravenhill")
    assert (state.where[BEORN], state.wrath, max(state.fort_damage)) == (PLACE["ravenhill"], 2, 0)


def test_goblin_charge_hits_walls_before_beorn() -> None:
    state = armies(ss_middle="shadow goblins 3")
    put_character(state, BEORN, PLACE["ravenhill"])
    state.wrath = 3
    one = Battle(SHADOW, 1 << PLACE["ss_middle"], PLACE["ravenhill"])
    one.beorn = True
    Fight(state, manoeuvres._goblin_charge(state, one, SHADOW))
    assert (max(state.fort_damage), state.wrath) == (1, 3)
    one = Battle(FREE, 1 << PLACE["ravenhill"], PLACE["ss_middle"])
    one.beorn = True
    Fight(state, manoeuvres._goblin_charge(state, one, SHADOW))
    assert (max(state.fort_damage), state.wrath) == (1, 2)


@pytest.mark.parametrize(("attacker", "walls", "wrath"), [(SHADOW, 2, 3), (FREE, 0, 1)])
def test_walls_help_beorn_only_where_he_is_attacked(attacker: int, walls: int, wrath: int) -> None:
    state = armies(ss_middle="shadow goblins 3")
    put_character(state, BEORN, PLACE["ravenhill"])
    state.wrath = 3
    source, target = ("ss_middle", "ravenhill") if attacker == SHADOW else ("ravenhill", "ss_middle")
    one = Battle(attacker, 1 << PLACE[source], PLACE[target])
    one.beorn, one.sides[FREE].suffered = True, 2
    Fight(state, combat._suffer(state, one, FREE))
    assert (max(state.fort_damage), state.wrath) == (walls, wrath)


def test_beorn_fights_only_where_he_stands_without_an_army() -> None:
    state = armies(camp="free lake_men 1", ravenhill="shadow orcs 1")
    camp, ravenhill, middle = (PLACE[name] for name in ("camp", "ravenhill", "ss_middle"))
    assert not combat.beorn_fights(state, SHADOW, ravenhill, middle)
    put_character(state, BEORN, middle)
    assert combat.beorn_fights(state, SHADOW, ravenhill, middle)
    assert not combat.beorn_fights(state, SHADOW, ravenhill, camp)
    put_character(state, BEORN, camp)
    assert not combat.beorn_fights(state, FREE, camp, ravenhill)


def test_vampire_like_is_at_hand_only_while_a_bat_is_there() -> None:
    state = armies(camp="free lake_men 1", ravenhill="shadow orcs 1")
    one = Battle(SHADOW, 1 << PLACE["ravenhill"], PLACE["camp"])
    over = TERRITORY[PLACE["camp"]]
    state.hand_event = [0, 0]
    state.bats[over] = 1
    manoeuvres.take_cards(state, one)
    laid = battle.VAMPIRE_LIKE
    cards = manoeuvres.at_hand(state, one, SHADOW)
    assert cards >> laid & 1 and manoeuvres._HANDS[cards][-1] == battle.CARDS[laid]
    assert set(manoeuvres._Hands()[cards]) == {"orcs", "regroup", battle.CARDS[laid]}
    state.bats[over] = 0
    assert manoeuvres.at_hand(state, one, SHADOW) == cards & ~(1 << laid)
    assert manoeuvres.at_hand(state, one, FREE) == one.sides[FREE].hand


@pytest.mark.parametrize(("flow", "hurt", "left"), [("_rearguard_attack", 4, 1), ("_goblin_charge", 3, 1)])
def test_a_redoubtable_regular_takes_three_along_after_the_round_too(flow: str, hurt: int, left: int) -> None:
    state = armies(camp="free dwarf_regulars 3", ravenhill="shadow goblins 3")
    state.damage[PLACE["camp"]] = hurt
    one = Battle(SHADOW, 1 << PLACE["ravenhill"], PLACE["camp"])
    one.sides[FREE].card, one.sides[FREE].uses = DWARF_REGULARS, True
    fight = Fight(state, getattr(manoeuvres, flow)(state, one, SHADOW))
    assert fight.asked == "free casualties"
    fight.answer({"dwarf_regulars": 1})
    assert (fight.units("camp"), fight.damage("camp")) == (2, left)
