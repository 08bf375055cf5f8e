"""The odds of a battle without cards: nobody ceases or leaves, losses as a screen proposes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.kit.odds import Duel, ReckonedFight, duel_fight
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import PLACE, PLACES
from referee.games.war_of_the_ring.rules import attacks, casualties, fighting, pieces
from referee.games.war_of_the_ring.state.armies import GROUP, ONE, SEAT_BITS, UNIT_BITS, count
from referee.games.war_of_the_ring.state.battle import MOST_DICE, Battle
from referee.games.war_of_the_ring.state.state import SCHEMA, State
from referee.kernel.requests import ChooseOne, Request

WITHOUT = ("cards", "leaving", "losses", "rerolls")
Side = tuple[int, tuple[tuple[int, int], ...]]
"""The figures that fight (packed), and for each kind of elite how many regulars could replace it."""


class Conflict(Duel[Side]):
    """A battle from the next round on; a siege battle has as many rounds as it may without a price."""

    def __init__(self, state: State, battle: Battle) -> None:
        super().__init__()
        self.state = SCHEMA.copy(state)
        fresh = Battle(battle.attacker, battle.start, battle.target)
        for name in ("rear", "rear_chars", "shadow_dice_less", "negated"):
            setattr(fresh, name, getattr(battle, name))
        self.over = battle.round if battle.step == "end" else max(0, battle.round - 1)
        self.battle = fresh
        self.seats = battle.attacker, battle.defender
        self.rounds = max(1, battle.rounds - self.over) if battle.siege else 0
        self.start = self._side(0), self._side(1)

    def _side(self, which: int) -> Side:
        figures = fighting.force(self.state, self.battle, self.seats[which])
        left = {f: pieces.regulars_left(self.state, f) for f in GROUP[figures & UNIT_BITS].kinds if f & 1}
        return _counting(figures, left)

    def rolls_by(self, which: int, sides: tuple[Side, Side]) -> int:
        return sides[which][0]

    def roll(self, first: bool, which: int, sides: tuple[Side, Side]) -> tuple[int, int, int]:
        state, battle, seat = self.state, self.battle, self.seats[which]
        battle.round = self.over + 1 if first else self.over + 2
        place = battle.place_of(seat)
        others = state.figures[place] & ~SEAT_BITS[seat]
        state.figures[place] = others + sides[which][0] + (0 if which else battle.rear)
        led = min(MOST_DICE, fighting.leadership(state, battle, seat))
        return fighting.combat_dice(state, battle, seat), fighting.target_number(battle, seat)[0], led

    def after(self, which: int, side: Side, suffered: int) -> Side | None:
        figures, replacing = side
        units, left = figures & UNIT_BITS, dict(replacing)
        gone = casualties.usual_losses(units, suffered, left)
        for name, number in gone.items():
            reduced = name.startswith(casualties.REDUCE)
            figure = box.FIGURE[name.removeprefix(casualties.REDUCE)]
            elite = figure | 1
            figures -= ONE[figure] * number
            if reduced:
                figures += ONE[figure - 1] * number
            if elite in left and (reduced or not figure & 1):
                left[elite] += -number if reduced else number
        return _counting(figures, left) if figures & UNIT_BITS else None

    def units(self, which: int, side: Side) -> int:
        return GROUP[side[0] & UNIT_BITS].units


def _counting(figures: int, left: Mapping[int, int]) -> Side:
    """A side by what its losses depend on: no more regulars count than there are elites to replace."""
    return figures, tuple((f, min(n, count(figures, f))) for f, n in left.items() if count(figures, f))


def fights(state: State, request: Request | None) -> Iterator[ReckonedFight]:
    """The battle that runs, between two of its rounds; or an attack on each target and each answer to it."""
    battle = state.battle
    if battle is not None:
        if not battle.ended and fighting.both_alive(state, battle) and battle.step in ("", "card", "end"):
            yield _fight(state, battle)
    elif isinstance(request, ChooseOne) and request.prompt == "prompt.choose_target":
        seat, start = box.SEATS.index(request.seat), PLACE[request.about["from"]]
        for target in (PLACE[name] for name in request.options):
            yield _fight(state, _begun(state, seat, start, target))
            back = attacks.can_attack(state, 1 - seat) >> target & 1
            if back and attacks.targets(state, 1 - seat, target) >> start & 1:
                yield _fight(state, _begun(state, 1 - seat, target, start))


def _begun(state: State, seat: int, start: int, target: int) -> Battle:
    figures, chars = attacks.proposed_force(state, seat, start)
    battle = Battle(seat, start, target)
    battle.rear = (state.figures[start] & SEAT_BITS[seat]) - figures
    battle.rear_chars = state.chars[start] & box.CHARACTERS_OF_SEAT[seat] & ~chars
    return battle


def _fight(state: State, battle: Battle) -> ReckonedFight:
    who = battle.attacker, battle.start, battle.target
    without = (*WITHOUT, *(("siege",) if battle.siege else ()))
    return duel_fight(box.SEATS, PLACES, who, lambda: Conflict(state, battle), without)
