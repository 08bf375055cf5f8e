"""The odds of a combat without cards: nobody leaves, only units that must go go, the weakest first."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.five_armies.box.components import COMBAT_STRENGTH, FREE, SEATS
from referee.games.five_armies.box.map import FORTIFICATION_INDEX, PLACE, PLACES
from referee.games.five_armies.rules import combat, combat_roll
from referee.games.five_armies.rules.damage import LIFTED, least_casualties
from referee.games.five_armies.state.armies import ARMY, ONE
from referee.games.five_armies.state.battle import Battle
from referee.games.five_armies.state.state import SCHEMA, State
from referee.games.kit.odds import Duel, ReckonedFight, duel_fight
from referee.kernel.requests import ChooseOne, Request

WITHOUT = ("cards", "leaving", "losses", "rerolls")
Side = tuple[int, int, int]
"""Units (packed), damage and the damage of the fortification around them; Beorn's Wrath as damage."""


class Combat(Duel[Side]):
    """A combat of two armies, or of one with Beorn, from the next round on."""

    def __init__(self, state: State, battle: Battle) -> None:
        super().__init__()
        self.state = SCHEMA.copy(state)
        self.battle = Battle(battle.attacker, 1 << battle.source, battle.target)
        self.battle.beorn, self.fought = battle.beorn, battle.fought
        for mine, its in zip(self.battle.sides, battle.sides, strict=True):
            mine.leadership = its.leadership
        self.seats = battle.attacker, battle.defender
        self.places = battle.source, battle.target
        self.fort = FORTIFICATION_INDEX.get(battle.target)
        self.fort_value = 0 if self.fort is None else state.fort_values[self.fort]
        stood = 0 if self.fort is None else state.fort_damage[self.fort]
        self.start = self._side(0, 0), self._side(1, stood)

    def _is_beorn(self, which: int) -> bool:
        return self.battle.beorn and self.seats[which] == FREE

    def _side(self, which: int, fort: int) -> Side:
        place = self.places[which]
        if self._is_beorn(which):
            return 0, self.state.wrath, fort
        return self.state.units[place], self.state.damage[place], fort

    def rolls_by(self, which: int, sides: tuple[Side, Side]) -> tuple[int, bool]:
        return sides[which][0], sides[1][2] < self.fort_value

    def roll(self, first: bool, which: int, sides: tuple[Side, Side]) -> tuple[int, int, int]:
        state, battle, seat = self.state, self.battle, self.seats[which]
        battle.fought = self.fought if first else ~0
        if self.fort is not None:
            state.fort_damage[self.fort] = sides[1][2]
        if not self._is_beorn(which):
            state.units[self.places[which]] = sides[which][0]
        dice = combat_roll.dice_count(state, battle, seat)
        led = dice if self._is_beorn(which) else combat_roll.leadership_in_combat(state, battle, seat)
        return dice, combat_roll.target_number(state, battle, seat)[0], led

    def after(self, which: int, side: Side, suffered: int) -> Side | None:
        units, damage, fort = side
        if which:
            absorbed = min(suffered, max(0, self.fort_value - fort))
            fort, suffered = fort + absorbed, suffered - absorbed
        if self._is_beorn(which):
            return (0, damage - suffered, fort) if damage > suffered else None
        size, damage = ARMY[units].size, damage + suffered
        fallen = least_casualties(size, damage, None)
        if fallen >= size:
            return None
        for _ in range(fallen):
            units -= ONE[min(ARMY[units].types, key=COMBAT_STRENGTH.__getitem__)]
        return units, max(0, damage - LIFTED * fallen), fort

    def units(self, which: int, side: Side) -> int:
        return 1 if self._is_beorn(which) else ARMY[side[0]].size


def fights(state: State, request: Request | None) -> Iterator[ReckonedFight]:
    """The combat that runs, between two of its rounds; or an attack on each target and each answer to it."""
    battle = state.combat
    if battle is not None:
        both = combat.alive(state, battle, FREE) and combat.alive(state, battle, 1 - FREE)
        if both and battle.step in ("", "manoeuvre", "end"):
            yield _fight(state, battle)
    elif isinstance(request, ChooseOne) and request.prompt == "prompt.choose_target":
        seat, source = SEATS.index(request.seat), PLACE[request.about["from"]]
        for target in map(PLACE.get, request.options):
            if target is not None:
                yield _fight(state, _begun(state, seat, source, target))
                if combat.why_not_attack(state, 1 - seat, target, source) is None:
                    yield _fight(state, _begun(state, 1 - seat, target, source))


def _begun(state: State, seat: int, source: int, target: int) -> Battle:
    battle = Battle(seat, 1 << source, target)
    battle.beorn = combat.beorn_fights(state, seat, source, target)
    return battle


def _fight(state: State, battle: Battle) -> ReckonedFight:
    who = battle.attacker, battle.source, battle.target
    without = (*WITHOUT, *(("combined",) if battle.combined else ()))
    return duel_fight(SEATS, PLACES, who, lambda: Combat(state, battle), without, whole=not battle.combined)
