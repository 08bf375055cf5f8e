"""What probes of a scenario may ask about a combat and what comes after it; see ``harness.py``."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from referee.games.five_armies.box.components import CHARACTER, SEATS
from referee.games.five_armies.box.map import (
    PLACE,
    PLACES,
    POINTS,
)
from referee.games.five_armies.rules import combat
from referee.games.five_armies.rules.victory import points
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State
from referee.kernel.requests import ChooseSecretly, ChooseSome, RollDice


class CombatProbes:
    """Part of :class:`harness.Case`, whose play and moves it looks at."""

    play: Any
    pairs: list[tuple[Any, Any]]
    before: State
    start: State
    state: State
    request: Any
    units: Callable[[str], int]
    counts: Callable[[str], dict[str, int]]
    damage: Callable[[str], int]
    allowed: Callable[[str], bool]
    options: Callable[[], list[Any]]
    later: Callable[..., State]
    why: Callable[[], str]

    def favouring(self, seat: str) -> int:
        """Units of a side that favour the terrain of the combat."""
        battle = self.state.combat
        assert battle is not None
        return combat.favouring(self.state, battle, SEATS.index(seat))

    def superior(self) -> str:
        """Who has terrain superiority."""
        battle = self.state.combat
        assert battle is not None
        seat = combat.superior_seat(self.state, battle)
        return "nobody" if seat < 0 else SEATS[seat]

    def cards_of(self, seat: str) -> list[str]:
        """Manoeuvre cards that a side may lay in the round to come."""
        request = self.request
        assert isinstance(request, ChooseSecretly), request.prompt
        return list(request.of[seat].options)

    def _next_roll(self, seat: str) -> int:
        play = self.play.fork()
        for _ in range(20):
            request = play.request
            if (
                isinstance(request, RollDice)
                and request.seat == seat
                and request.prompt == "prompt.combat_roll"
            ):
                return int(request.about["target"])
            play.answer(_harmless(request))
        raise AssertionError("no further roll")

    def next_target(self, seat: str) -> int:
        """Target number of a side's next combat roll, when both sides just go on."""
        return self._next_roll(seat)

    next_round_target = next_target

    def sequence(self, place: str, first: int = 2) -> list[list[int]]:
        """Units and damage step by step while casualties were taken, ``first`` damage with the first unit."""
        seat = "shadow" if self.before.armies[0] >> PLACE[place] & 1 else "free"
        battle_seat = seat
        units = ARMY[self.before.units[PLACE[place]]].size
        damage = self.before.damage[PLACE[place]] + self.hits(battle_seat)
        left = self.units(place)
        found = [[units, damage]]
        while units > left:
            units -= 1
            damage -= first
            first = 2
            if units:
                found.append([units, damage])
        assert damage == self.damage(place) or not units
        return found

    def drawn_in_combat(self) -> int:
        """How often terrain superiority brought a card in all moves of the case and those before it."""
        return self.start.event_deck - self.state.event_deck

    def own_choice(self) -> list[str]:
        """The regions a retreating defender may name himself (none where the attacker is asked)."""
        request = self.request
        return self.options() if request is not None and request.prompt == "prompt.retreat_to" else []

    def offered_before(self, prompt: str) -> list[str]:
        """What a request that was answered had offered."""
        return next(list(r.options) for r, _ in reversed(self.pairs) if r.prompt == prompt)

    def sides(self) -> list[str]:
        """The open options as ``free: rout, stay``, and each by itself as ``free: rout``."""
        seat = self.request.seat
        each = sorted(self.options())
        return [f"{seat}: {', '.join(each)}", *(f"{seat}: {option}" for option in each)]

    def shares(self, word: str, most: int) -> list[int]:
        """Which numbers may follow ``word`` now."""
        return [n for n in range(most + 1) if self.allowed(f"{word} {n}")]

    def advanced(self, what: str) -> Any:
        """Control or points after an advance whose share of damage is chosen at random."""
        play = self.play.fork()
        play.answer(play.request.sample(Random(1)))  # type: ignore[union-attr]
        if what == "vp":
            return points(play.state)
        return "shadow" if play.state.control >> PLACE["ruins_of_dale"] & 1 else "free"

    def units_of(self, seat: str) -> int:
        """All units of a seat on the board."""
        return sum(ARMY[u].size for u in self.state.units if u and ARMY[u].seat == SEATS.index(seat))

    def free_target_uphill(self) -> int:
        """Target number of the defender in the uphill attack of open_32 b1."""
        from harness import Case

        other = Case("open_32", "b1").run()
        return int(other.rolls("free")[0][0].about["target"])

    def rolls(
        self, seat: str, prompt: str = "prompt.combat_roll"
    ) -> list[tuple[RollDice, dict[str, list[str]]]]:
        """Requests and results of a seat's rolls in all moves so far."""
        return [(r, a) for r, a in self.pairs if r.prompt == "prompt.combat_roll" and r.seat == seat]

    def roll_request(self, seat: str) -> RollDice:
        """The last roll of a seat, made or asked for now."""
        request = self.play.request
        if isinstance(request, RollDice) and request.seat == seat:
            return request
        made = self.rolls(seat)
        assert made, f"{seat} has not rolled: {self.why()}"
        return made[-1][0]

    def target(self, seat: str) -> int:
        """Target number of the last combat roll of a seat."""
        return int(self.roll_request(seat).about["target"])

    def dice_count(self, seat: str, colour: str = "") -> int:
        """Dice of the last combat roll of a seat."""
        dice = self.roll_request(seat).dice
        return sum(number for die, number in dice.items() if colour in die)

    def hits(self, seat: str, last: int = 1) -> int:
        """Hits of a seat's last roll and re-roll, counted from the faces."""
        total = 0
        rounds = 0
        for request, answer in reversed(self.pairs):
            if request.seat != seat or request.prompt not in (
                "prompt.combat_roll",
                "prompt.combat_reroll_dice",
            ):
                continue
            total += sum(int(face) >= request.about["target"] for faces in answer.values() for face in faces)
            if request.prompt == "prompt.combat_roll":
                rounds += 1
                if rounds == last:
                    break
        return total

    # --- for probes: what comes after a combat, Beorn, Eagles, victory ------------------------------

    def advances(self) -> list[str]:
        """Every advance that may be chosen: ``none``, ``2 of v_east_hill``."""
        if self.request is None or self.request.prompt not in ("prompt.advance", "prompt.advance_from"):
            return []
        found = ["none"] if self.allowed("advance none") or self.allowed("from none") else []
        assert self.state.combat is not None
        for place in PLACES:
            for number in range(1, 6):
                counts = self.counts(place) if place in PLACE else {}
                for unit, most in counts.items():
                    if number <= most and self._may_advance(place, f"{number} {unit}"):
                        found.append(f"{number} of {place}")
        return found

    def _may_advance(self, place: str, units: str) -> bool:
        if self.request.prompt == "prompt.advance_from":
            return self.allowed(f"from {place} advance {units}")
        return bool(self.request.about.get("from") == place) and self.allowed(f"advance {units}")

    def advance_points(self) -> int:
        """Victory points after any advance (they are the same for all)."""
        found = set()
        for units in ("1 warg", "2 wargs"):
            found.add(points(self.later(f"advance {units}")))
        assert len(found) == 1
        return found.pop()

    def sides_named(self, names: dict[str, str]) -> list[str]:
        """The open options by the names of the prose."""
        return [names.get(option, option) for option in self.options()]

    def beorn_at(self) -> str:
        """Where Beorn stands."""
        return PLACES[self.state.where[CHARACTER["beorn"]]]

    def sequence_hit(self, place: str, seat: str) -> list[list[int]]:
        """As :meth:`sequence`, with the hits of the given seat."""
        units, damage = ARMY[self.before.units[PLACE[place]]].size, self.before.damage[PLACE[place]]
        return [[units, damage + self.hits(seat)], [self.units(place), self.damage(place)]]

    def eagle_hits(self, which: int) -> int:
        """Hits of the n-th Eagle attack, counted from the faces."""
        attacks: list[int] = []
        for request, answer in self.pairs:
            if request.prompt in ("prompt.eagle_roll", "prompt.eagle_again"):
                hits = sum(int(face) >= 4 for faces in answer.values() for face in faces)
                if request.prompt == "prompt.eagle_roll":
                    attacks.append(hits)
                else:
                    attacks[-1] += hits
        return attacks[which]

    def winner_later(self, *moves: str) -> str:
        """Who has won after further moves."""
        state = self.later(*moves)
        return "none" if state.winner < 0 else SEATS[state.winner]

    def possible_points(self) -> list[int]:
        """Every number of victory points that some set of places gives."""
        sums = {0}
        for value in POINTS.values():
            sums |= {total + value for total in sums}
        return sorted(sums)


def _harmless(request: Any) -> Any:
    """An answer that changes nothing, to come to the next roll."""
    if isinstance(request, ChooseSecretly):
        return dict.fromkeys(request.of, "regroup")
    if isinstance(request, RollDice):
        return {die: ["1"] * number for die, number in request.dice.items() if number}
    if isinstance(request, ChooseSome):
        return {} if request.minimum == 0 else request.sample(Random(0))
    for quiet in ("go_on", "stay", "decline"):
        if quiet in request.options:
            return quiet
    return request.options[0]
