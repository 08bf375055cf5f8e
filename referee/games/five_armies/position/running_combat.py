"""Positions in the middle of a combat: how a position file says so, and how play comes there.

A combat restarts at the beginning of a round.  So a position at the end of a
round is one round that is still to be played, with given cards and with dice
that all miss; :func:`lead_in` gives its answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Any

from referee.games.five_armies.box.components import BEORN, FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import PLACE, PLACES, REGION_COUNT
from referee.games.five_armies.rules.manoeuvres import take_cards
from referee.games.five_armies.rules.pieces import add_units
from referee.games.five_armies.state.armies import pack
from referee.games.five_armies.state.battle import CARD, Battle
from referee.games.five_armies.state.state import State
from referee.games.kit.positions import by_title
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text
from referee.kernel.play import Play
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice

_KEYS = ("attacker", "defender", "also", "step", "round", "attacker_breaks_off", "result")
_MORE = ("free_card", "shadow_card", "damage_of_round_already_applied", "die")
_CARD_WORDS = {
    **{name: name for name in CARD},
    "archers": "elven_archers",
    "spearmen": "elven_spearmen",
    "veterans": "dwarf_veterans",
    "regulars": "dwarf_regulars",
}
VICTIM = ("lake_men", "orcs")
"""Who stands in for the defender that has just been destroyed."""


@dataclass(frozen=True, slots=True)
class CombatPoint:
    """Where in a combat the position is: the cards of the round, and how far it is played."""

    cards: tuple[str, str]
    to_end: bool
    past_break_off: bool
    destroyed: bool


def read_combat(spot: LocatedValue, state: State) -> CombatPoint | None:
    """Set up ``state.combat`` from the ``combat`` entry of a position; tells how far to play."""
    for key, _ in spot.entries():
        key.word((*_KEYS, *_MORE))
    source, target = _army(spot, "attacker", state), _army(spot, "defender", state)
    if source is None or target is None:
        return None
    others = 0
    also = spot.get("also")
    for item in also.items() if also is not None else ():
        name = item.word(PLACES[:REGION_COUNT])
        if name is not None:
            others |= 1 << PLACE[name]
    beorn = state.where[BEORN]
    seat = SHADOW if state.armies[SHADOW] >> source & 1 else FREE
    result = spot.get("result")
    destroyed = result is not None and result.word(("defender destroyed",)) is not None
    if destroyed and not (state.armies[FREE] | state.armies[SHADOW]) >> target & 1:
        add_units(state, target, pack({VICTIM[1 - seat]: 1}))
        state.damage[target] = 1
    battle = Battle(seat, 1 << source | others, target)
    battle.source = source
    battle.beorn = beorn in (source, target) and not state.armies[FREE] >> beorn & 1
    battle.round = _round(spot)
    if battle.round > 1:
        battle.fought = battle.armies
    state.active = seat
    state.phase, state.step = 5, "fight"
    state.combat = battle
    take_cards(state, battle)
    cards = (_card(spot, "free_card"), _card(spot, "shadow_card"))
    step = spot.get("step")
    goes_on = spot.get("attacker_breaks_off")
    return CombatPoint(
        cards, step is not None or destroyed, goes_on is not None and not goes_on.flag(), destroyed
    )


def _army(spot: LocatedValue, key: str, state: State) -> int | None:
    entry = spot.get(key)
    if entry is None:
        spot.wrong(Text("five_armies.combat_misses", key=key))
        return None
    if entry.value == "beorn":
        if state.where[BEORN] < 0:
            entry.wrong(Text("five_armies.stands_nowhere", name="beorn"))
            return None
        return state.where[BEORN]
    name = entry.word((*PLACES, "beorn"))
    return None if name is None else PLACE[name]


def _round(spot: LocatedValue) -> int:
    entry, step = spot.get("round"), spot.get("step")
    told = None if step is None else re.fullmatch(r"end[ _]of[ _]round ?(\d?)", str(step.value))
    if step is not None and told is None:
        step.word(("end of round",))
    if entry is not None:
        return entry.number(1, 99)
    return int(told[1] or 1) if told else 1


def _card(spot: LocatedValue, key: str) -> str:
    entry = spot.get(key)
    if entry is None:
        return "regroup"
    name = by_title(entry, _CARD_WORDS)
    return "regroup" if name is None else _CARD_WORDS[name]


# --- playing up to the moment ------------------------------------------------------------------


def lead_in(entry: CombatPoint, play: Play[State]) -> list[Any]:
    """Play the round up to the moment the position describes; returns the answers given."""
    answers: list[Any] = []
    while entry.to_end and play.request is not None:
        request = play.request
        if _arrived(request, entry, play.state):
            break
        answer = _harmless(request, entry, play.state)
        play.answer(answer)
        answers.append(answer)
    return answers


def _arrived(request: Request, entry: CombatPoint, state: State) -> bool:
    if entry.destroyed:
        return request.prompt in ("prompt.advance", "prompt.advance_from") or state.combat is None
    if request.prompt == "prompt.break_off":
        return not entry.past_break_off
    combat = state.combat
    return combat is None or (combat.step == "end" and request.prompt != "prompt.use_ability")


def _harmless(request: Request, entry: CombatPoint, state: State) -> Any:
    if isinstance(request, ChooseSecretly):
        return {seat: entry.cards[SEATS.index(seat)] for seat in request.of}
    if isinstance(request, RollDice):
        hits = entry.destroyed and state.combat is not None and request.seat == SEATS[state.combat.attacker]
        return {die: ["6" if hits else "1"] * number for die, number in request.dice.items() if number}
    if isinstance(request, ChooseSome):
        return {} if request.minimum == 0 else request.sample(Random(0))
    assert isinstance(request, ChooseOne)
    if request.prompt == "prompt.manoeuvre":
        return entry.cards[SEATS.index(request.seat)]
    for quiet in ("go_on", "decline", "take_damage"):
        if quiet in request.options:
            return quiet
    return request.options[0]
