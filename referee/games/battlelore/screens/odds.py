"""The odds of a blow, exactly, by the rules themselves: every roll is played out, nobody plays a card.

Faces that do the same to this target are rolled as one.  Flags are ignored as far as boldness allows, a
retreat takes the way that costs least, whoever may battles back, and nobody follows up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from math import comb
from typing import Any

from referee.games.battlelore.box.components import BACK, BONUS, FACES, FLAG, HELMETS, PLACE, PLACES, SEATS
from referee.games.battlelore.rules import combat, dice
from referee.games.battlelore.rules.targeting import targets
from referee.games.battlelore.state.fight import ATTACK, Fight
from referee.games.battlelore.state.state import SCHEMA, State
from referee.games.kit import odds as kit
from referee.games.kit.places import places_in
from referee.games.kit.turn import GameEnds
from referee.kernel.requests import ChooseOne, Request, RollDice

WITHOUT = ("cards", "flags", "ground")
MOST_FIGHTS = 12
"""Blows that are reckoned for one question."""
ASIDE = ("no", "no_card", "no_power", "no_attack", "done")
"""What is answered where something might be done besides."""
Rolled = tuple[str, ...]


def fights(state: State, request: Request | None) -> Iterator[kit.ReckonedFight]:
    """The blow that is struck, or those that may be by the answer to a question."""
    found = (
        [state.fight]
        if state.fight is not None and state.fight.step == "roll"
        else list(_choices(state, request))
    )
    for fight in found[:MOST_FIGHTS]:
        yield _told(state, fight)


def _choices(state: State, request: Request | None) -> Iterator[Fight]:
    if not isinstance(request, ChooseOne):
        return
    if request.prompt == "prompt.choose_target":
        unit = state.unit_at[PLACE[request.about["from"]]]
        for place in request.options:
            yield combat.blow(state, unit, state.unit_at[PLACE[place]], ATTACK)
    if request.prompt == "prompt.choose_fighter":
        for place in request.options:
            if place in PLACE:
                unit = state.unit_at[PLACE[place]]
                for target in places_in(targets(state, unit)):
                    yield combat.blow(state, unit, state.unit_at[target], ATTACK)


def _told(state: State, fight: Fight) -> kit.ReckonedFight:
    seat = state.field.units[fight.attacker].seat
    return kit.ReckonedFight(
        SEATS[seat],
        SEATS[1 - seat],
        PLACES[fight.where],
        PLACES[fight.hex],
        lambda: told_blow(state, fight),
        WITHOUT,
    )


def told_blow(state: State, fight: Fight) -> Mapping[str, Any]:
    """The chances of its hits, and of who stands when it is over, battle back and all."""
    hits: Counter[int] = Counter()
    back: Counter[int] = Counter()
    ends = dict.fromkeys(kit.ENDS, 0.0)
    for likely, first, second, (attacker, target) in outcomes(state, fight):
        hits[first] += likely  # type: ignore[assignment]
        back[second] += likely  # type: ignore[assignment]
        standing = kit.BOTH if attacker and target else kit.ATTACKER if attacker else kit.DEFENDER
        ends[standing if attacker or target else kit.NEITHER] += likely
    round_hits = [[side[number] for number in range(max(side) + 1)] for side in (hits, back)]
    return {"round": {"hits": round_hits, "ends": ends}, "fight": None}


def outcomes(state: State, fight: Fight) -> Iterator[tuple[float, int, int, tuple[bool, bool]]]:
    """Every way that a blow can take: its chance, hits of the blow, hits of the battle back, who stands."""
    waiting: list[tuple[float, list[Any]]] = [(1.0, [])]
    while waiting:
        likely, answers = waiting.pop()
        here, request, struck = _play(state, fight, answers)
        if request is None:
            alive = here.at[fight.attacker] >= 0, here.at[fight.target] >= 0
            yield likely, struck.get("attack", 0), struck.get("back", 0), alive
        elif isinstance(request, RollDice):
            for rolled, chance in _rolls(here, sum(request.dice.values())):
                waiting.append((likely * chance, [*answers, {"battle": list(rolled)}]))
        else:
            waiting.append((likely, [*answers, _policy(here, request)]))


def _play(state: State, fight: Fight, answers: list[Any]) -> tuple[State, Request | None, dict[str, int]]:
    """A copy of the state after some answers, the next question, and the hits so far by kind of blow."""
    here = SCHEMA.copy(state)
    here.fight = combat.blow(here, fight.attacker, fight.target, fight.kind)
    flow, given, struck = combat.carry_on(here), iter(answers), dict[str, int]()
    value = None
    try:
        while True:
            asked = flow.send(value)
            value = None
            if isinstance(asked, Request):
                try:
                    value = next(given)
                except StopIteration:
                    return here, asked, struck
                if isinstance(asked, RollDice) and asked.prompt.startswith("prompt.roll_"):
                    kind = "back" if asked.prompt.endswith("_back") else "attack"
                    struck[kind] = _hits_of(here, value["battle"])
    except (StopIteration, GameEnds):
        return here, None, struck


def _hits_of(state: State, faces: list[str]) -> int:
    fight = state.fight
    assert fight is not None
    trial = combat.blow(state, fight.attacker, fight.target, fight.kind)
    trial.shield, trial.faces = fight.shield, faces
    return dice.hits(state, trial)


def _rolls(state: State, number: int) -> Iterator[tuple[Rolled, float]]:
    """What so many dice may show, with its chance; faces without any effect count as one another."""
    target = state.fight.target if state.fight is not None else -1
    kinds = (HELMETS[state.colour[target]], BONUS, FLAG)
    blank = next(face for face in FACES if face not in kinds)
    weights = (*(1 for _ in kinds), len(FACES) - len(kinds))
    for counts, chance in _partitions(number, weights):
        yield (
            tuple(face for face, count in zip((*kinds, blank), counts, strict=True) for _ in range(count)),
            chance,
        )


@cache
def _partitions(number: int, weights: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Counts of each kind of face among so many dice, with their chances."""
    if len(weights) == 1:
        return (((number,), (weights[0] / len(FACES)) ** number),)
    found = []
    first = weights[0] / len(FACES)
    for count in range(number + 1):
        for rest, chance in _partitions(number - count, weights[1:]):
            found.append(((count, *rest), comb(number, count) * first**count * chance))
    return tuple(found)


def _policy(state: State, request: Request) -> Any:
    """What is answered on the way, see above."""
    assert isinstance(request, ChooseOne), request
    if request.prompt == "prompt.retreat_to":
        unit = state.unit_at[PLACE[request.about["from"]]]
        return max(
            request.options, key=lambda at: _free_way(state, state.field.units[unit].seat, PLACE[at], 12)
        )
    aside = [option for option in request.options if option in ASIDE]
    return aside[0] if aside else request.options[0]


def _free_way(state: State, seat: int, place: int, most: int) -> int:
    """How many hexes a retreat could go on from a hex."""
    barred = state.stand[0] | state.stand[1] | state.ground.closed
    ways = [at for at in BACK[place][seat] if not barred >> at & 1]
    return max((1 + _free_way(state, seat, at, most - 1) for at in ways), default=0) if most else 0
