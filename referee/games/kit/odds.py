"""The odds of a fight, exactly: what the dice of its next round bring, and how it ends.

A game describes a fight as a :class:`Duel`: how many hits each side may score in a round, and what is left of
a side after so many.  :func:`reckon` follows every way that it can take (a finite absorbing Markov chain: a
round without a hit leads back to where it began, every other one onwards) and never throws a die.
:func:`hits` gives the chances of one roll, which also serves games whose fights are no duels.

A game offers its fights in ``screens/odds.py`` (``fights(state, request)``) and inherits :class:`TellsOdds`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from referee.games.kit.view import Text, in_language
from referee.kernel.forms import Field
from referee.kernel.odds import NEVER, ODDS, ON_REQUEST

if TYPE_CHECKING:
    from referee.kernel.messages import Messages
    from referee.kernel.requests import Request

Hits = tuple[float, ...]
"""``hits[n]``: the chance of exactly n hits."""
NO_HITS: Hits = (1.0,)
ATTACKER, DEFENDER, BOTH, NEITHER = "attacker", "defender", "both", "neither"
ENDS = (ATTACKER, DEFENDER, BOTH, NEITHER)
"""Who still stands."""


@cache
def hits(dice: int, chance: float, again: int = 0, chance_again: float | None = None) -> Hits:
    """The chances of 0 to ``dice`` hits where each die hits with ``chance``.

    Up to ``again`` misses are rolled once more, hitting with ``chance_again`` (None: the same chance).
    """
    once = [comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(dice + 1)]
    if not again:
        return tuple(once)
    found = [0.0] * (dice + 1)
    for first, likely in enumerate(once):
        second = hits(min(again, dice - first), chance if chance_again is None else chance_again)
        for more, as_well in enumerate(second):
            found[first + more] += likely * as_well
    return tuple(found)


def chance_of(number: int, sides: int = 6) -> float:
    """The chance that a die of so many sides shows ``number`` or more."""
    return max(0, min(sides, sides + 1 - number)) / sides


S = TypeVar("S", bound=Hashable)


class Duel(Generic[S]):
    """A fight of two sides that strike at once, round by round, until one has fallen.

    Side 0 attacks, side 1 defends.  What is left of a side is any hashable value, None where it has fallen.
    ``rounds`` is the most that are fought (0: until somebody falls); the first differs from the others.
    """

    start: tuple[S, S]
    rounds = 0

    def __init__(self) -> None:
        self._known: dict[tuple[bool, int, Hashable], Hits] = {}

    def roll(self, first: bool, which: int, sides: tuple[S, S]) -> tuple[int, int, int]:
        """What a side rolls in a round: how many six-sided dice, from which number they hit, how many misses
        are rolled again."""
        raise NotImplementedError

    def rolls_by(self, which: int, sides: tuple[S, S]) -> Hashable:
        """What :meth:`roll` depends on, besides the round."""
        return sides

    def strike(self, first: bool, sides: tuple[S, S]) -> tuple[Hits, Hits]:
        """What the attacker and the defender may score in a round."""
        return self._hits(first, 0, sides), self._hits(first, 1, sides)

    def _hits(self, first: bool, which: int, sides: tuple[S, S]) -> Hits:
        key = first, which, self.rolls_by(which, sides)
        found = self._known.get(key)
        if found is None:
            dice, number, again = self.roll(first, which, sides)
            found = self._known[key] = hits(dice, chance_of(number), min(again, dice))
        return found

    def after(self, which: int, side: S, suffered: int) -> S | None:
        """What is left of a side after so many hits."""
        raise NotImplementedError

    def units(self, which: int, side: S) -> int:
        """How many units a side still has."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Odds:
    """What may become of a duel."""

    hits: tuple[Hits, Hits]
    """What the attacker and the defender may score in the next round."""
    next_round: Mapping[str, float]
    """Chance by who stands after it, one of :data:`ENDS`."""
    fight: Mapping[str, float]
    """The same of the whole fight."""
    rounds: float
    """How many rounds are fought, on average."""
    units: tuple[float, float]
    """How many units of each side are left in the end, on average."""
    units_before: tuple[int, int]


Outlook = tuple[float, ...]
"""The chances of :data:`ENDS`, then rounds and both sides' units on average."""


def reckon(duel: Duel[Any]) -> Odds:
    """The odds of a duel."""
    chain = _Chain(duel)
    first, second = duel.start
    ways = chain.ways(True, first, second)
    soon = dict.fromkeys(ENDS, 0.0)
    for (one, other), likely in ways.items():
        soon[_standing(one, other)] += likely
    whole = chain.outlook(True, duel.rounds, first, second)
    return Odds(
        duel.strike(True, duel.start),
        soon,
        dict(zip(ENDS, whole, strict=False)),
        whole[4],
        (whole[5], whole[6]),
        (duel.units(0, first), duel.units(1, second)),
    )


def _standing(one: Any, other: Any) -> str:
    if one is None:
        return NEITHER if other is None else DEFENDER
    return ATTACKER if other is None else BOTH


class _Chain:
    def __init__(self, duel: Duel[Any]) -> None:
        self.duel = duel
        self.known: dict[tuple[bool, int, Any, Any], Outlook] = {}
        self.left: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})

    def ways(self, first: bool, one: Any, other: Any) -> dict[tuple[Any, Any], float]:
        """What a round may lead to, each with its chance."""
        struck, back = self.duel.strike(first, (one, other))
        mine, theirs = self._left(0, one, back), self._left(1, other, struck)
        return {(a, d): p * q for a, p in mine.items() for d, q in theirs.items() if p and q}

    def _left(self, which: int, side: Any, suffered: Hits) -> dict[Any, float]:
        found: dict[Any, float] = {}
        known = self.left[which]
        for number, likely in enumerate(suffered):
            key = side, number
            if key not in known:
                known[key] = self.duel.after(which, side, number) if number else side
            left = known[key]
            found[left] = found.get(left, 0.0) + likely
        return found

    def outlook(self, first: bool, rounds: int, one: Any, other: Any) -> Outlook:
        """From a round with both sides standing; ``rounds`` more are fought (0: no limit)."""
        key = first, rounds, one, other
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._outlook(first, rounds, one, other)
        return found

    def _outlook(self, first: bool, rounds: int, one: Any, other: Any) -> Outlook:
        same = a = d = both = none = mine = theirs = 0.0
        fought = 1.0
        for (left, right), likely in self.ways(first, one, other).items():
            if left is None or right is None or rounds == 1:
                then = self._end(left, right)
            elif not (first or rounds) and left == one and right == other:
                same += likely
                continue
            else:
                then = self.outlook(False, max(0, rounds - 1), left, right)
            # written out: it is done some ten thousand times for two great armies
            a += likely * then[0]
            d += likely * then[1]
            both += likely * then[2]
            none += likely * then[3]
            fought += likely * then[4]
            mine += likely * then[5]
            theirs += likely * then[6]
        if same >= 1.0:  # nobody can hit: it would never end
            return self._end(one, other)
        return tuple(value / (1 - same) for value in (a, d, both, none, fought, mine, theirs))

    def _end(self, one: Any, other: Any) -> Outlook:
        stands = _standing(one, other)
        mine, theirs = (
            0.0 if side is None else float(self.duel.units(which, side))
            for which, side in enumerate((one, other))
        )
        return (*(float(end == stands) for end in ENDS), 0.0, mine, theirs)


# --- what screens show ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReckonedFight:
    """A fight that may be reckoned: who attacks from where to where.

    ``tell`` gives what is shown of it: ``round`` and ``fight`` (None where only a round is reckoned), see
    :func:`told_duel`.  ``without`` are the messages ``odds.without.<id>`` of the game: what is left out.
    """

    attacker: str
    defender: str
    start: str
    target: str
    tell: Callable[[], Mapping[str, Any]]
    without: Sequence[str] = field(default=())

    def as_json(self, messages: Messages, language: str) -> dict[str, Any]:
        """The fight for screens."""
        return {
            "attacker": self.attacker,
            "defender": self.defender,
            "from": self.start,
            "to": self.target,
            **self.tell(),
            "without": [messages.text(f"odds.without.{one}", language) for one in self.without],
        }


@dataclass(frozen=True, slots=True)
class Draw:
    """What a draw may bring.  ``tell`` gives in one language what it is of, and each outcome with its chance;
    ``without`` are messages as those of a :class:`Fight`."""

    tell: Callable[[Text], tuple[str, Sequence[tuple[str, float]]]]
    without: Sequence[str] = field(default=())

    def as_json(self, messages: Messages, language: str) -> dict[str, Any]:
        """The draw for screens."""
        text = in_language(messages, language)
        title, chances = self.tell(text)
        return {
            "draw": title,
            "chances": [{"text": one, "chance": chance} for one, chance in chances],
            "without": [text(f"odds.without.{one}") for one in self.without],
        }


def told_duel(duel: Duel[Any], *, whole: bool = True) -> dict[str, Any]:
    """The odds of a duel as JSON; ``whole``: not only of its next round."""
    odds = reckon(duel)
    fight = None
    if whole:
        fight = {
            "ends": dict(odds.fight),
            "rounds": odds.rounds,
            "units": [list(pair) for pair in zip(odds.units, odds.units_before, strict=True)],
        }
    next_round = {"hits": [list(side) for side in odds.hits], "ends": dict(odds.next_round)}
    return {"round": next_round, "fight": fight}


def duel_fight(
    seats: Sequence[str],
    places: Sequence[str],
    who: tuple[int, int, int],
    duel: Callable[[], Duel[Any]],
    without: Sequence[str],
    *,
    whole: bool = True,
) -> ReckonedFight:
    """A fight of two seats; ``who``: the numbers of the attacker, of its place and of the place attacked."""
    attacker, start, target = who
    return ReckonedFight(
        seats[attacker],
        seats[1 - attacker],
        places[start],
        places[target],
        lambda: told_duel(duel(), whole=whole),
        without,
    )


class TellsOdds:
    """What a game inherits that has ``screens/odds.py``: :class:`referee.kernel.capabilities.ReckonsOdds`."""

    messages: Messages
    part: Callable[[str], Any]

    def odds_known(self, state: Any, request: Request | None) -> bool:
        """Whether there is a fight to reckon."""
        return bool(self._fights(state, request))

    def odds(self, state: Any, request: Request | None, language: str) -> list[dict[str, Any]]:
        """Every fight that is on, or that this question may begin, each reckoned."""
        return [one.as_json(self.messages, language) for one in self._fights(state, request)]

    def _fights(self, state: Any, request: Request | None) -> list[ReckonedFight | Draw]:
        found: Iterable[ReckonedFight | Draw] = self.part("screens.odds").fights(state, request)
        return list(found)


ODDS_FIELD = Field(
    ODDS,
    (ON_REQUEST, NEVER),
    "house.odds",
    "form.group.house",
    domain="house.odds",
    shipped=ON_REQUEST,
)
"""The house rule of a game that tells odds."""
