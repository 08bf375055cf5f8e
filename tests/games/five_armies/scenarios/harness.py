"""Plays the scenarios: position, written moves, verdict, numbers, what is offered.

``scenarios_open.yaml`` says in prose what is done and what is expected.
``steps*.yaml`` beside it translate each case by hand:

``do``       the move, in the notation of the game (a list: one after the other)
``after``    the cases (in order) whose moves come before, on the same play
``change``   what this case changes in the position; ``null`` takes an entry away
``place``    the position is read with this entry of ``places`` instead
``here``     the place that bare numbers (``units``, ``damage``) speak of
``rule``     the rule that must refuse it (or the rule a player sees it as)
``probe``    for a number: an expression over :class:`Case` (see there)
``offer``    an expression for what is offered, instead of the open request's options
``allows``   further moves from the same position that are allowed
``refuses``  further moves from the same position, each with the rule that refuses it
``names``    what the prose calls an option: prose to option
``xfail``    why the engine cannot do this yet
"""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml
from combat_probes import CombatProbes

from referee.games.five_armies.box.components import CHARACTER, CHARACTERS, FACE, SEATS
from referee.games.five_armies.box.map import (
    EYRIE,
    FORTIFICATION_INDEX,
    PASS_NORTH,
    PASS_WEST,
    PLACE,
    PLACES,
    TERRITORIES,
)
from referee.games.five_armies.catalogue.loading import FILES
from referee.games.five_armies.game import GAME
from referee.games.five_armies.position.position import read_position
from referee.games.five_armies.rules.pieces import leadership
from referee.games.five_armies.rules.victory import points
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.battle import CARDS
from referee.games.five_armies.state.state import ELIMINATED, IN_TERRITORY_OF, State
from referee.games.five_armies.words.explaining import WORDS
from referee.kernel.explain import Explanation, attempt
from referee.kernel.play import Play
from referee.kernel.requests import ChooseOne, ChooseSome

FOLDER = Path(__file__).parent
_ROLLS = ("prompt.combat_roll", "prompt.combat_reroll_dice")


@cache
def scenarios() -> dict[str, dict[str, Any]]:
    """The scenarios by id."""
    data = yaml.load((FOLDER / "scenarios_open.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return {scenario["id"]: scenario for scenario in data["scenarios"]}


@cache
def steps() -> dict[str, dict[str, Any]]:
    """The translated cases by scenario id."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(FOLDER.glob("steps*.yaml")):
        for scenario, cases in yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader).items():
            assert scenario not in found, scenario
            found[scenario] = {str(n): case or {} for n, case in cases.items()}
    return found


def case_ids() -> list[str]:
    """Every expectation as ``open_14-2``."""
    return [f"{sid}-{expect['n']}" for sid, scenario in scenarios().items() for expect in scenario["expect"]]


def merged(base: Any, change: Any) -> Any:
    """``base`` with ``change`` laid over it; None takes an entry away."""
    if not isinstance(base, dict) or not isinstance(change, dict):
        return deepcopy(change)
    result = deepcopy(base)
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


class Case(CombatProbes):
    """One case, played.  Its methods and attributes are what ``probe`` and ``offer`` may use."""

    def __init__(self, scenario: str, n: str) -> None:
        self.scenario = scenarios()[scenario]
        self.n = n
        self.step = steps()[scenario][n]
        self.expect = next(e for e in self.scenario["expect"] if str(e["n"]) == n)
        self.all_steps = steps()[scenario]
        read = read_position(yaml.safe_dump(self._position(), sort_keys=False))
        self.read = read
        self.play: Play[State] = Play(GAME, read.state)
        self.start = self.before = GAME.copy(read.state)
        read.lead_in(self.play)
        self.pairs: list[Any] = []
        self.last: Explanation | None = None

    def _chain(self) -> list[str]:
        after = self.step.get("after", [])
        return [str(n) for n in (after if isinstance(after, list) else [after])]

    def _position(self) -> dict[str, Any]:
        """The scenario's position with the changes for all cases, of the chain's start, and of this case."""
        position: dict[str, Any] = self.scenario["position"]
        chain = self._chain()
        start = self.all_steps[chain[0]].get("change", {}) if chain and "change" not in self.step else {}
        for change in (self.all_steps.get("all", {}).get("change", {}), start, self.step.get("change", {})):
            position = merged(position, change)
        return position

    def run(self) -> Case:
        """Play the moves before, then the case's own."""
        for n in self._chain():
            own = self.all_steps[n]
            self._moves(own.get("do", []), finish=False, must=own.get("must", True))
        self.before = GAME.copy(self.play.state)
        self._moves(self.step.get("do", []), finish=not self.step.get("open", False), must=False)
        return self

    def _moves(self, moves: Any, *, finish: bool, must: bool) -> None:
        for move in moves if isinstance(moves, list) else [moves]:
            if self.last is not None:
                assert self.last.allowed, f"{self.last.said} | {self.last.at}: {self.why()}"
            self.last = attempt(self.play, move, WORDS, finish=finish, history=self.pairs)
            self.pairs += self.last.pairs
        if must and self.last is not None:
            assert self.last.allowed, f"{self.last.said} | {self.last.at}: {self.why()}"

    def why(self) -> str:
        """What came of the last move, for messages."""
        return "" if self.last is None else f"{self.last.verdict}: {self.last.sentence('en', GAME)}"

    # --- for probes ------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The state now."""
        return self.play.state

    @property
    def request(self) -> Any:
        """The open request."""
        return self.play.request

    def units(self, place: str) -> int:
        """Number of units in a place."""
        return ARMY[self.state.units[PLACE[place]]].size

    def counts(self, place: str) -> dict[str, int]:
        """Units of a place by type."""
        return dict(ARMY[self.state.units[PLACE[place]]].counts)

    def damage(self, place: str) -> int:
        """Damage on the army of a place."""
        return self.state.damage[PLACE[place]]

    def tokens(self, place: str) -> int:
        """Leadership tokens in a place."""
        return self.state.leaders[PLACE[place]]

    def leadership(self, place: str, seat: str) -> int:
        """Leadership of the army in a place."""
        return leadership(self.state, PLACE[place], SEATS.index(seat))

    def recruits(self, place: str) -> int:
        """Face-down recruitment tokens in a place."""
        return sum(places.get(PLACE[place], 0) for places in self.state.tokens)

    def control(self, place: str) -> str:
        """Who controls a settlement or fortification."""
        return "shadow" if self.state.control >> PLACE[place] & 1 else "free"

    def fort(self, place: str) -> int:
        """Damage on a fortification."""
        return self.state.fort_damage[FORTIFICATION_INDEX[PLACE[place]]]

    def fort_stands(self, place: str) -> str:
        """``broken`` or ``unbroken``."""
        index = FORTIFICATION_INDEX[PLACE[place]]
        return "broken" if self.state.fort_damage[index] >= self.state.fort_values[index] else "unbroken"

    def winner(self) -> str:
        """``free``, ``shadow`` or ``none``."""
        return "none" if self.state.winner < 0 else SEATS[self.state.winner]

    def where(self, character: str) -> str:
        """``eliminated``, ``not in play`` or ``in play``."""
        at = self.state.where[CHARACTER[character]]
        return "eliminated" if at == ELIMINATED else "in play" if at >= 0 else "not in play"

    def ready(self) -> list[str]:
        """Characters who may be brought in now."""
        from referee.games.five_armies.rules.characters import is_ready

        return [name for name in CHARACTERS if is_ready(self.state, CHARACTER[name])]

    def unused(self, seat: str) -> int:
        """Unused action dice of a seat, one whose action is still to be named among them."""
        request = self.play.request
        forced = request is not None and request.prompt == "prompt.choose_action" and request.seat == seat
        return sum(self.state.unused[SEATS.index(seat)]) + forced

    def dice(self, seat: str, face: str) -> int:
        """Unused dice of a seat with a face."""
        return self.state.unused[SEATS.index(seat)][FACE[face]]

    def hand(self, seat: str) -> int:
        """Cards in hand."""
        index = SEATS.index(seat)
        return self.state.hand_event[index] + self.state.hand_story[index]

    def drawn(self, seat: str) -> int:
        """Cards in hand now beyond those before this case."""
        index = SEATS.index(seat)
        return self.hand(seat) - self.before.hand_event[index] - self.before.hand_story[index]

    def ready_free(self) -> list[str]:
        """Ready characters of the Free Peoples in the order of the Fate track."""
        space = self.state.fate_space
        return sorted((c for c in self.ready() if c != "bolg"), key=lambda c: space[CHARACTER[c]])

    def newly_ready(self) -> list[str]:
        """Those of :meth:`ready_free` who were not ready before the case."""
        return [c for c in self.ready_free() if self.before.fate < self.state.fate_space[CHARACTER[c]]]

    def later(self, *moves: str) -> State:
        """The state after further moves, tried on a copy."""
        play = self.play.fork()
        for move in moves:
            result = attempt(play, move, WORDS)
            assert result.allowed, f"{move}: {result.at} {result.sentence('en', GAME)}"
        return play.state

    def shooters(self) -> list[str]:
        """The archers that may take part, as ``camp: lake_men 2``."""
        found = []
        for place in self.options():
            units = {u: n for u, n in self.counts(place).items() if u in ("lake_men", "elven_archers")}
            found.append(f"{place}: " + ", ".join(f"{unit} {number}" for unit, number in units.items()))
        return found

    def tries(self, move: str) -> bool:
        """Whether a move would have been allowed from the position of the case."""
        return attempt(Play(GAME, GAME.copy(self.before)), move, WORDS).allowed

    def refusing_rule(self, move: str) -> str:
        """The rule that refuses a move from the position of the case ("" where none does)."""
        result = attempt(Play(GAME, GAME.copy(self.before)), move, WORDS)
        return result.rule.id if result.rule is not None else ""

    def ended(self, seat: str) -> str:
        """The place where an army of a seat stands now and stood not before the case."""
        index = SEATS.index(seat)
        new = self.state.armies[index] & ~self.before.armies[index]
        assert new.bit_count() == 1, new
        return PLACES[new.bit_length() - 1]

    def strength(self, place: str) -> int:
        """Summed combat strength of the units in a place."""
        return ARMY[self.state.units[PLACE[place]]].strength

    def units_when(self, place: str, change: int) -> int:
        """Units in a place after the open question took or gave ``change`` of them, tried on a copy."""
        play = self.play.fork()
        assert isinstance(play.request, ChooseOne | ChooseSome)
        play.answer(play.request.sample(Random(1)))
        found = ARMY[play.state.units[PLACE[place]]].size
        assert found == self.units(place) + change
        return found

    def removal_choices(self) -> list[str]:
        """What may be taken off now: ``n of types; damage ...``."""
        request = self.request
        assert isinstance(request, ChooseSome)
        units = [item for item in request.limits if item != "damage"]
        damage = [
            n
            for n in range(request.limits.get("damage", 0) + 2)
            if all(self._may_remove({unit: request.minimum} | ({"damage": n} if n else {})) for unit in units)
        ]
        return [f"{request.minimum} of {', '.join(sorted(units))}; damage {', '.join(map(str, damage))}"]

    def _may_remove(self, counts: dict[str, int]) -> bool:
        return self.request is not None and self.request.why_not(counts) is None

    def damage_removable(self) -> int:
        """The most damage that may go along with what is taken off now."""
        return int(self.request.limits.get("damage", 0))

    def leadership_along(self) -> list[int]:
        """How many leadership tokens may go with the two Great Orcs of open_21's fast move."""
        move = "character: fast bl_upper_plain > bl_spur_plain > eb_east_plain 2 great_orcs"
        return [n for n in range(3) if self.tries(f"{move} {n} leadership" if n else move)]

    def splits(self) -> list[list[int]]:
        """Damage (first part, second part, staying) of open_20's double split, all that are allowed."""
        found = []
        for first in range(5):
            for second in range(5):
                move = (
                    f"army: move bl_east_plain > bl_middle_plain 2 orcs damage {first}; "
                    f"bl_east_plain > bl_southwest_plain 2 orcs damage {second}"
                )
                if self.tries(move):
                    found.append([first, second, 4 - first - second])
        return sorted(found, reverse=True)

    def rally_dice(self) -> int:
        """Dice of the last rally roll."""
        return len(self.answer("prompt.rally_roll")["combat_white"])

    # --- for probes: combat ----------------------------------------------------------------------

    def options(self) -> list[Any]:
        """What the open request allows."""
        if isinstance(self.play.request, ChooseSome):
            return [item for item, most in self.play.request.limits.items() if most]
        return [c.value for c in self.play.request.candidates() if c.allowed] if self.play.request else []

    def refused(self, move: str) -> bool:
        """Whether a further move would be refused."""
        return attempt(self.play.fork(), move, WORDS, history=self.pairs).verdict == "refused"

    def allowed(self, move: str) -> bool:
        """Whether a further move would be allowed."""
        return attempt(self.play.fork(), move, WORDS, history=self.pairs).allowed

    def answer(self, prompt: str) -> Any:
        """The last answer to a prompt."""
        return next(answer for request, answer in reversed(self.pairs) if request.prompt == prompt)

    def asked(self, prompt: str) -> bool:
        """Whether a prompt came up in the moves so far."""
        return any(request.prompt == prompt for request, _ in self.pairs)

    def number(self, key: str, wanted: Any) -> Any:
        """What the game says for a number of the expectation."""
        probe = self.step.get("probe", {}).get(key) or self.all_steps.get("all", {}).get("probe", {}).get(key)
        if probe is not None:
            return eval(probe, {"CARDS": CARDS, "PLACE": PLACE, "GAME": GAME}, _Names(self))
        return self._standard(key, wanted)

    def _standard(self, key: str, wanted: Any) -> Any:
        state = self.state
        here = self.step.get("here") or self.all_steps.get("all", {}).get("here")
        plain = {
            "vp": lambda: points(state),
            "winner": self.winner,
            "fate_marker": lambda: state.fate,
            "wrath": lambda: state.wrath,
            "bodyguards": lambda: state.bodyguards,
            "shadow_pool": lambda: state.pool[1],
            "free_pool": lambda: state.pool[0],
            "fate_pool_tiles": lambda: state.fate_tiles,
            "pass_west": lambda: "closed" if state.closed_passes >> PASS_WEST & 1 else "open",
            "pass_north": lambda: "closed" if state.closed_passes >> PASS_NORTH & 1 else "open",
            "ready": self.ready,
            "hand_free": lambda: self.hand("free"),
            "hand_shadow": lambda: self.hand("shadow"),
            "bats": lambda: sum(state.bats),
            "units_to_remove": lambda: self.request.minimum if self._reducing() else 0,
            "fort_damage": lambda: self.fort(here),
            "fort": lambda: self.fort_stands(here),
            "combat": lambda: "over" if state.combat is None else "running",
            "ability_usable": lambda: self.request.prompt == "prompt.use_ability",
            "shadow_hits": lambda: self.hits("shadow"),
            "free_hits": lambda: self.hits("free"),
            "shadow_target": lambda: self.target("shadow"),
            "free_target": lambda: self.target("free"),
        }
        if key in plain:
            return plain[key]()
        found = self._of_place(key, wanted, here)
        if found is None:
            raise AssertionError(f"nothing says what {key!r} is in {self.scenario['id']}-{self.n}")
        return found

    def _of_place(self, key: str, wanted: Any, here: str | None) -> Any:
        """A number of a place, a territory or a character; None where the key is none."""
        state = self.state
        what, _, place = key.partition("_")
        if place in PLACE and what in ("control", "damage", "tokens", "leadership"):
            return {
                "control": self.control,
                "damage": self.damage,
                "tokens": self.recruits,
                "leadership": self.tokens,
            }[what](place)
        if what == "bats" and place in TERRITORIES:
            return state.bats[TERRITORIES.index(place)]
        if key.endswith("_eagles") and key.removesuffix("_eagles") in TERRITORIES:
            return self._over(key.removesuffix("_eagles"))
        if what == "activation":
            return state.activated >> CHARACTER[place] & 1
        if key in CHARACTER:
            return self.where(key)
        if key in PLACE:
            return self._place(key, wanted)
        if here is not None:
            if key in ("units", "army_damage", "damage"):
                return self.units(here) if key == "units" else self.damage(here)
            if key in ("orcs", "wargs", "goblins", "great_orcs"):
                return self.counts(here).get(key, 0)
        return None

    def _reducing(self) -> bool:
        return self.request is not None and self.request.prompt in (
            "prompt.reduce",
            "prompt.reduce_army",
            "prompt.overflow",
        )

    def _over(self, territory: str) -> int:
        index = TERRITORIES.index(territory)
        lord = self.state.where[CHARACTER["lord_of_the_eagles"]] == IN_TERRITORY_OF + index
        return self.state.eagles[index] + lord

    def eyrie(self) -> int:
        """Figures in the Eyrie."""
        return self.state.eagles[-1] + (self.state.where[CHARACTER["lord_of_the_eagles"]] == EYRIE)

    def _place(self, place: str, wanted: Any) -> Any:
        if not isinstance(wanted, dict):
            return self.units(place)
        found: dict[str, Any] = {}
        for key in wanted:
            if key == "units":
                found[key] = self.units(place)
            elif key == "damage":
                found[key] = self.damage(place)
            elif key == "leadership":
                found[key] = self.tokens(place)
            else:
                found[key] = self.counts(place).get(key, 0)
        named = {key for key in wanted if key not in ("units", "damage", "leadership")}
        if named:
            extra = {unit: n for unit, n in self.counts(place).items() if unit not in named}
            if extra and not self.step.get("more_units"):
                found["also"] = extra
        return found


class _Names(dict[str, Any]):
    """Names in a probe are attributes of the case."""

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.case = case

    def __missing__(self, name: str) -> Any:
        if name == "case":
            return self.case
        try:
            return getattr(self.case, name)
        except AttributeError:
            raise KeyError(name) from None


def sees(rule: str, refused_by: str) -> bool:
    """Whether a refusal by one rule is a refusal by the other, as a player sees them."""
    shown = FILES.seen_as
    return shown.get(rule, rule) == shown.get(refused_by, refused_by)
