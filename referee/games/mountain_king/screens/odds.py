"""The odds of attacks on gnomes and of drawn cubes, exactly, from what lies open to all.

A token is any of those that nobody has seen yet with the same chance; what a seat has scouted stays its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.games.kit.odds import Draw
from referee.games.kit.view import Text
from referee.games.mountain_king.box.components import PLACE, PLACES, SEATS
from referee.games.mountain_king.rules import occasions
from referee.games.mountain_king.rules.pieces import strengths_left
from referee.games.mountain_king.state.state import State
from referee.games.mountain_king.state.tokens import HIDDEN_IN, KNOWN_SUM
from referee.kernel.requests import ChooseOne, ChooseSome, Report, Request

MOST_UNITS = 6
"""Attackers that are reckoned: two tokens show no more."""
Chances = dict[int, float]


def fights(state: State, request: Request | None) -> Iterator[Draw]:
    """The attack that runs, those that may be by the answer to a question, the cube that is drawn."""
    if state.fight >= 0:
        yield _running(state, state.fight)
    elif isinstance(request, ChooseOne) and request.prompt == "prompt.advance":
        for name in request.options:
            if state.overrun >> PLACE[name] & 1:
                yield _by_units(state, PLACE[name], int(request.about["strength"]))
    elif isinstance(request, ChooseSome) and request.prompt == "prompt.advance_units":
        place = PLACE[str(request.about["to"])]
        if state.overrun >> place & 1:
            yield _by_units(state, place, request.maximum or MOST_UNITS)
    elif isinstance(request, Report) and request.prompt == "prompt.falls" and request.weights:
        yield _cube(request.options, request.weights, str(request.about["place"]))


def strengths(state: State, place: int) -> Chances:
    """What the gnomes of a cavern may show together, each with its chance; no token is drawn twice."""
    left = strengths_left(state)
    found: dict[tuple[int, tuple[int, ...]], float] = {(KNOWN_SUM[state.gnomes[place]], tuple(left)): 1.0}
    for _ in range(HIDDEN_IN[state.gnomes[place]]):
        after: dict[tuple[int, tuple[int, ...]], float] = {}
        for (total, tokens), likely in found.items():
            for at, number in enumerate(tokens):
                if number > 0:
                    rest = (*tokens[:at], number - 1, *tokens[at + 1 :])
                    key = total + at + 1, rest
                    after[key] = after.get(key, 0.0) + likely * number / sum(tokens)
        found = after
    chances: Chances = {}
    for (total, _), likely in found.items():
        chances[total] = chances.get(total, 0.0) + likely
    return dict(sorted(chances.items()))


def wins(chances: Chances, trolls: int) -> float:
    """The chance that so many trolls are as many as the gnomes show, or more."""
    return min(1.0, sum(likely for strength, likely in chances.items() if strength <= trolls))


def _by_units(state: State, place: int, most: int) -> Draw:
    chances = strengths(state, place)
    enough = next((n for n in range(1, MOST_UNITS + 1) if wins(chances, n) > 0.999999), MOST_UNITS)

    def tell(text: Text) -> tuple[str, list[tuple[str, float]]]:
        rows = [(text("odds.with", count=n), wins(chances, n)) for n in range(1, min(most, enough) + 1)]
        return text("odds.attack_on", place=text(f"place.{PLACES[place]}")), rows

    return Draw(tell, ("figures", "scouted"))


def _running(state: State, place: int) -> Draw:
    seat = state.active
    trolls = state.units[seat][place]
    if state.powers:
        trolls += occasions.attack_strength(state, seat, place)
    chances = strengths(state, place)

    def tell(text: Text) -> tuple[str, list[tuple[str, float]]]:
        rows = [(text("odds.won", count=trolls), wins(chances, trolls))]
        rows += [(text("odds.strength", count=total), likely) for total, likely in chances.items()]
        return text("odds.attack_on", place=text(f"place.{PLACES[place]}")), rows

    return Draw(tell, ("scouted",))


def _cube(owners: Sequence[str], weights: Sequence[int], place: str) -> Draw:
    def tell(text: Text) -> tuple[str, list[tuple[str, float]]]:
        pairs = zip(owners, weights, strict=True)
        rows = [(text(f"seat.{seat}"), weight / sum(weights)) for seat, weight in pairs]
        return text("odds.falls", place=text(f"place.{place}")), rows

    assert set(owners) <= set(SEATS)
    return Draw(tell)
