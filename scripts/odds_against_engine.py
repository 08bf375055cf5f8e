"""Fights of whose odds we say that they are exact, against the engine: the same fights played with dice.

``tests/games/odds_fights.json`` holds the fights, the odds of each and how it went when the engine played it
20,000 times without cards.  ``python scripts/odds_against_engine.py`` plays them all anew and writes the
file; ``--runs N`` plays fewer, ``--fight ID`` one alone, ``--check`` writes nothing.  About ten minutes.

odds.ms_p95
    95th percentile of the time in milliseconds that the odds of such a fight take
odds.engine_worst_z
    the largest |z| of all that the kept runs tell of these fights: who stands after the first round and in
    the end, how many rounds, how many units are left
odds.engine_fights, odds.engine_runs
    how many fights, and how often each was played
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, sqrt
from pathlib import Path
from random import Random
from typing import Any, Protocol

from referee.games.five_armies.box import components as five_box
from referee.games.five_armies.box import map as five_map
from referee.games.five_armies.game import GAME as FIVE_ARMIES
from referee.games.five_armies.rules import combat as five_combat
from referee.games.five_armies.rules import pieces as five_pieces
from referee.games.five_armies.screens import odds as five_odds
from referee.games.five_armies.state import armies as five_armies
from referee.games.five_armies.state.battle import Battle as FiveBattle
from referee.games.five_armies.state.state import SCHEMA as FIVE_SCHEMA
from referee.games.five_armies.state.state import State as FiveState
from referee.games.kit.odds import ENDS, Duel, Odds, reckon
from referee.games.kit.turn import GameEnds
from referee.games.war_of_the_ring.box import components as ring_box
from referee.games.war_of_the_ring.box import map as ring_map
from referee.games.war_of_the_ring.game import GAME as WAR_OF_THE_RING
from referee.games.war_of_the_ring.rules import attacks as ring_attacks
from referee.games.war_of_the_ring.rules import pieces as ring_pieces
from referee.games.war_of_the_ring.screens import odds as ring_odds
from referee.games.war_of_the_ring.state import armies as ring_armies
from referee.games.war_of_the_ring.state.battle import Battle as RingBattle
from referee.games.war_of_the_ring.state.state import SCHEMA as RING_SCHEMA
from referee.games.war_of_the_ring.state.state import State as RingState
from referee.kernel.play import Milestone
from referee.kernel.requests import ChooseSecretly, ChooseSome, Forced, Request
from web.bench import share

FIGHTS = Path(__file__).parents[1] / "tests" / "games" / "odds_fights.json"
RUNS = 20_000
MOST_Z = 4.0
SEED = 20_251
ANSWERS = {
    "prompt.manoeuvre": "regroup",
    "prompt.manoeuvre_both": "regroup",
    "prompt.break_off": "go_on",
    "prompt.cease_or_go_on": "go_on",
    "prompt.stay_or_leave": "stay",
    "prompt.stay_or_retreat": "stay",
    "prompt.field_or_siege": "field_battle",
    "prompt.prolong_siege": "cease",
    "prompt.bodyguard": "take_damage",
}
"""What the odds leave out, answered so that it does not happen."""
PROPOSED = ("prompt.combat_reroll", "prompt.casualties")
"""Questions whose proposal the odds follow, too."""


class Ground(Protocol):
    """A fight of one game, to be reckoned and to be played."""

    def duel(self) -> Duel[Any]:
        """The fight as it is reckoned."""

    def play(self, rng: Random) -> tuple[str, int, tuple[int, int]]:
        """Play it once: who stands, after how many rounds, with how many units each."""


def answered(request: Request, rng: Random) -> Any:
    """The answer of somebody who plays no cards and stays to the end."""
    if isinstance(request, Forced):
        return request.answer
    if request.is_chance:
        return request.sample(rng)
    if isinstance(request, ChooseSecretly):
        return dict.fromkeys(request.of, ANSWERS[request.prompt])
    if isinstance(request, ChooseSome):
        if request.prompt == "prompt.casualties" and request.default is None:
            return weakest(request)
        assert request.prompt in PROPOSED, request.prompt
        return dict(request.default or {})
    return ANSWERS[request.prompt]


def weakest(request: ChooseSome) -> dict[str, int]:
    """The fewest casualties of Five Armies, the weakest units first."""
    found, due = {}, request.minimum
    units = [name for name in request.limits if name in five_box.UNITS]
    for name in sorted(units, key=lambda name: five_box.COMBAT_STRENGTH[five_box.UNITS.index(name)]):
        found[name] = min(due, request.limits[name])
        due -= found[name]
    return {name: number for name, number in found.items() if number}


def stands(units: tuple[int, int]) -> str:
    """Who stands of two sides with so many units."""
    return ENDS[(not units[0]) + (2 if units[0] and units[1] else 0) if any(units) else 3]


class FiveArmies:
    """A combat of Five Armies."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.state = state = FiveState()
        self.source, self.target = (five_map.PLACE[spec[key]] for key in ("from", "to"))
        for place, side in ((self.source, spec["attacker"]), (self.target, spec["defender"])):
            if side["units"]:
                five_pieces.set_down_units(state, place, five_armies.pack(side["units"]))
            state.damage[place] = side.get("damage", 0)
            state.leaders[place] = side.get("leaders", 0)
            for name in side.get("characters", ()):
                five_pieces.put_character(state, five_box.CHARACTER[name], place)
            state.wrath = side.get("wrath", state.wrath)
        if "fort_damage" in spec:
            state.fort_damage[five_map.FORTIFICATION_INDEX[self.target]] = spec["fort_damage"]
        self.seat = five_box.SEATS.index(spec["seat"])

    def battle(self) -> FiveBattle:
        """The combat before its first round."""
        battle = FiveBattle(self.seat, 1 << self.source, self.target)
        battle.beorn = five_combat.beorn_fights(self.state, self.seat, self.source, self.target)
        return battle

    def duel(self) -> Duel[Any]:
        return five_odds.Combat(self.state, self.battle())

    def play(self, rng: Random) -> tuple[str, int, tuple[int, int]]:
        state = FIVE_SCHEMA.copy(self.state)
        flow = five_combat.attack(state, self.seat, self.source, self.target)
        battle = self.battle()
        answer: Any = None
        try:
            while True:
                request = flow.send(answer)
                battle = state.combat or battle
                if isinstance(request, Milestone):
                    answer = None
                elif "advance" in request.prompt:
                    break
                else:
                    answer = answered(request, rng)
        except (StopIteration, GameEnds):
            pass
        sides = (self.seat, self.source), (1 - self.seat, self.target)
        first, second = (self._units(state, battle, seat, place) for seat, place in sides)
        return stands((first, second)), battle.round, (first, second)

    def _units(self, state: FiveState, battle: FiveBattle, seat: int, place: int) -> int:
        if battle.beorn and seat == five_box.FREE:
            return int(state.where[five_box.BEORN] == place)
        units = state.units[place]
        return five_armies.ARMY[units].size if units and five_armies.ARMY[units].seat == seat else 0


class WarOfTheRing:
    """A battle of War of the Ring."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.state = state = RingState()
        state.steps = [0] * len(state.steps)
        self.source, self.target = (ring_map.PLACE[spec[key]] for key in ("from", "to"))
        for place, side in ((self.source, spec["attacker"]), (self.target, spec["defender"])):
            ring_pieces.add_figures(state, place, ring_armies.pack(side["units"]))
            for name in side.get("characters", ()):
                ring_pieces.put_character(state, ring_box.CHARACTER[name], place)
        for name, number in spec.get("supply", {}).items():
            state.supply[ring_box.FIGURE[name]] = number
        self.seat = ring_box.SEATS.index(spec["seat"])
        self.fields = {"rounds": spec["rounds"]} if "rounds" in spec else {}

    def duel(self) -> Duel[Any]:
        battle = RingBattle(self.seat, self.source, self.target, **self.fields)
        return ring_odds.Conflict(self.state, battle)

    def play(self, rng: Random) -> tuple[str, int, tuple[int, int]]:
        state = RING_SCHEMA.copy(self.state)
        figures, chars = ring_attacks.attackers(state, self.seat, self.source)
        flow = ring_attacks.begin(state, self.seat, self.source, self.target, figures, chars, **self.fields)
        rounds, answer = 0, None
        try:
            while True:
                request = flow.send(answer)
                battle = state.battle
                assert battle is not None
                rounds = battle.round
                if battle.ended:
                    break
                answer = None if isinstance(request, Milestone) else answered(request, rng)
        except StopIteration:
            pass
        sides = (self.seat, self.source), (1 - self.seat, self.target)
        first, second = (self._units(state, seat, place) for seat, place in sides)
        return stands((first, second)), rounds, (first, second)

    def _units(self, state: RingState, seat: int, place: int) -> int:
        bits = ring_armies.SEAT_BITS[seat] & ring_armies.UNIT_BITS
        places = {place, ring_map.region_of(place)}  # who has won a sortie stands outside
        return sum(ring_armies.GROUP[state.figures[one] & bits].units for one in places)


GROUNDS = {FIVE_ARMIES.id: FiveArmies, WAR_OF_THE_RING.id: WarOfTheRing}


@dataclass
class Runs:
    """How a fight went, so many times."""

    number: int = 0
    next_round: Counter[str] = field(default_factory=Counter)
    fight: Counter[str] = field(default_factory=Counter)
    sums: list[float] = field(default_factory=lambda: [0.0] * 3)
    squares: list[float] = field(default_factory=lambda: [0.0] * 3)
    """Of rounds and of both sides' units."""

    def note(self, end: str, rounds: int, units: tuple[int, int]) -> None:
        """One run more."""
        self.number += 1
        self.fight[end] += 1
        self.next_round[end if rounds == 1 else "both"] += 1
        for at, value in enumerate((rounds, *units)):
            self.sums[at] += value
            self.squares[at] += value * value

    def deviations(self, odds: Odds) -> Iterator[tuple[str, float]]:
        """How far each thing is from what the odds say, in standard deviations."""
        for name, counted, said in (
            ("next_round", self.next_round, odds.next_round),
            ("fight", self.fight, odds.fight),
        ):
            for end in ENDS:
                off = counted[end] - self.number * said[end]
                spread = sqrt(max(0.0, self.number * said[end] * (1 - said[end])))
                yield f"{name}.{end}", off / spread if spread > 1e-9 else (0.0 if abs(off) < 1e-6 else inf)
        for at, (name, mean) in enumerate(
            (("rounds", odds.rounds), ("units.attacker", odds.units[0]), ("units.defender", odds.units[1]))
        ):
            own = self.sums[at] / self.number
            spread = sqrt(max(0.0, self.squares[at] / self.number - own * own) / self.number)
            # few runs may all be alike: one run more that differs by one is the least that they can tell
            yield name, (own - mean) / max(spread, 1 / self.number)

    def worst(self, odds: Odds) -> float:
        """The largest |z|."""
        return max(abs(z) for _, z in self.deviations(odds))


def ground_of(spec: Mapping[str, Any]) -> Ground:
    """A fight of the file."""
    ground: Ground = GROUNDS[spec["game"]](spec)
    return ground


def played(spec: Mapping[str, Any], runs: int, seed: int = SEED) -> Runs:
    """A fight, played so often by the engine."""
    ground, rng, found = ground_of(spec), Random(f"{seed} {spec['id']}"), Runs()
    for _ in range(runs):
        found.note(*ground.play(rng))
    return found


def exact(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The odds of a fight as the file keeps them."""
    odds = reckon(ground_of(spec).duel())
    return {
        "hits": [list(side) for side in odds.hits],
        "next_round": dict(odds.next_round),
        "fight": dict(odds.fight),
        "rounds": odds.rounds,
        "units": list(odds.units),
    }


def figures() -> dict[str, float]:
    """All figures of this module."""
    kept = json.loads(FIGHTS.read_text(encoding="utf-8"))
    times = []
    for spec in [one for one in kept for _ in range(5)]:
        ground = ground_of(spec)
        start = time.perf_counter()
        reckon(ground.duel())
        times.append((time.perf_counter() - start) * 1000)
    return {
        "odds.ms_p95": share(times, 0.95),
        "odds.engine_fights": len(kept),
        "odds.engine_runs": min(one["engine"]["runs"] for one in kept),
        "odds.engine_worst_z": max(one["engine"]["worst_z"] for one in kept),
    }


def main() -> int:
    """Play the fights anew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--fight", help="one fight alone, by its id")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    kept = json.loads(FIGHTS.read_text(encoding="utf-8"))
    far = 0
    for spec in kept:
        if options.fight not in (None, spec["id"]):
            continue
        start = time.perf_counter()
        odds, runs = reckon(ground_of(spec).duel()), played(spec, options.runs)
        worst = runs.worst(odds)
        far += worst >= MOST_Z
        spec["exact"] = exact(spec)
        spec["engine"] = {
            "runs": runs.number,
            "next_round": {end: runs.next_round[end] for end in ENDS},
            "fight": {end: runs.fight[end] for end in ENDS},
            "rounds": runs.sums[0] / runs.number,
            "units": [total / runs.number for total in runs.sums[1:]],
            "worst_z": worst,
        }
        print(f"{spec['id']:36} |z| {worst:5.2f} in {time.perf_counter() - start:5.1f} s")
        if worst >= MOST_Z:
            off = [f"{name} {z:+.1f}" for name, z in runs.deviations(odds) if abs(z) >= MOST_Z]
            print("   ", ", ".join(off))
    if not options.check:
        FIGHTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 1 if far else 0


if __name__ == "__main__":
    raise SystemExit(main())
