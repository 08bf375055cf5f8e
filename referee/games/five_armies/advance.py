"""Chapter X: advancing after a combat (p. 30)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from referee.games.five_armies.battle import Battle
from referee.games.five_armies.components import BEORN, FREE, SEATS
from referee.games.five_armies.map import OPTIONS, PLACE, PLACES, STRONGHOLDS
from referee.games.five_armies.parts import choose_part, march
from referee.games.five_armies.pieces import put_character
from referee.games.five_armies.state import State
from referee.kernel.requests import ChooseOne, Request

Step = Generator[Request, Any, None]


def advance(state: State, battle: Battle) -> Step:
    """The winning attacker may move into the emptied region: one army, whole or in part, or Beorn.

    There is no advance while the defender still stands there (broken off, fog).
    """
    attacker, target = battle.attacker, battle.target
    if defender_stands(state, battle):
        return
    if battle.beorn and attacker == FREE:
        if state.where[BEORN] == battle.source:
            yield from _beorn_advances(state, battle)
        return
    standing = battle.armies & state.armies[attacker]
    if not standing:
        return
    source = standing.bit_length() - 1
    if standing & (standing - 1):
        answer = yield ChooseOne(
            SEATS[attacker],
            "prompt.advance_from",
            (*OPTIONS[standing], "no_advance"),
            domain="place",
            about={"to": PLACES[target]},
            rule="combined.advance_one_army",
        )
        if answer == "no_advance":
            return
        source = PLACE[answer]
    part = yield from choose_part(
        state,
        attacker,
        source,
        "prompt.advance",
        rule="advance.optional",
        damage_rule="advance.split_damage",
        about={"from": PLACES[source], "to": PLACES[target]},
    )
    if part.units:
        yield from march(state, attacker, source, target, part)


def defender_stands(state: State, battle: Battle) -> bool:
    """Whether the attacked army (or Beorn) is still in its region."""
    if state.armies[1 - battle.attacker] >> battle.target & 1:
        return True
    return battle.beorn and battle.attacker != FREE and state.where[BEORN] == battle.target


def _beorn_advances(state: State, battle: Battle) -> Step:
    answer = yield ChooseOne(
        SEATS[FREE],
        "prompt.beorn_advance",
        ("advance", "no_advance"),
        about={"to": PLACES[battle.target]},
        rule="advance.optional",
    )
    if answer == "advance":
        put_character(state, BEORN, battle.target)
        beorn_enters(state, battle.target)


def beorn_enters(state: State, place: int) -> None:
    """Beorn frees a settlement under Shadow control by moving through it."""
    if STRONGHOLDS >> place & 1:
        state.control &= ~(1 << place)
