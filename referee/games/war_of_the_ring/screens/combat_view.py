"""What screens show of a running battle: the generic view's ``focus``."""

from __future__ import annotations

from typing import Any

from referee.games.kit.view import in_language, piece
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.components import CHARACTERS, COMBAT_DIE, FIGURE, SEATS, UNIT_COUNT
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.catalogue.loading import CATALOGUE
from referee.games.war_of_the_ring.rules.fighting import (
    characters,
    combat_dice,
    force,
    leadership,
    strength,
    target_number,
)
from referee.games.war_of_the_ring.state.armies import GROUP
from referee.games.war_of_the_ring.state.battle import MOST_DICE, Battle
from referee.games.war_of_the_ring.state.card_data import CARDS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.messages import Messages

_KINDS = (
    (board.TOWNS, "town"),
    (board.CITIES, "city"),
    (board.STRONGHOLD_MASK, "stronghold"),
    (board.FORTIFICATIONS, "fortification"),
)
REPLACED, AGAIN = 1, 2
"""Third number of a rolled die: it was rolled again; it shows the re-roll."""


def combat_focus(state: State, language: str, messages: Messages) -> dict[str, Any] | None:
    """The running battle as JSON, None where there is none.  Both seats see the same of it."""
    battle = state.battle
    if battle is None:
        return None
    place = messages.text(f"place.{board.PLACES[battle.region]}", language)
    kind = "siege" if battle.siege else "sortie" if battle.sortie else "field"
    terrain = next((name for mask, name in _KINDS if mask >> battle.region & 1), "open")
    return {
        "kind": "combat",
        "battle": kind,
        "title": messages.text(f"combat.title.{kind}", language, {"place": place}),
        "place": board.PLACES[battle.target],
        "from": [board.PLACES[battle.start]],
        "round": battle.round,
        "step": battle.step,
        "terrain": {"id": terrain, "name": messages.text(f"terrain.{terrain}", language)},
        "sides": {SEATS[seat]: _side(state, battle, seat, language, messages) for seat in (0, 1)},
        "notes": _notes(battle, language, messages),
    }


def _side(state: State, battle: Battle, seat: int, language: str, messages: Messages) -> dict[str, Any]:
    # loaded late: the catalogue reads files that play itself does not need

    side = battle.sides[seat]
    rolled = bool(side.rolled)
    fights = not battle.ended  # who is left may have marched off already
    target, rule = (side.target, side.target_rule) if rolled else target_number(battle, seat)
    why = CATALOGUE[rule]
    return {
        "role": "attacker" if seat == battle.attacker else "defender",
        "place": board.PLACES[battle.place_of(seat)],
        "pieces": _pieces(state, battle, seat, language, messages),
        "rearguard": _counted(battle.rear, battle.rear_chars, seat, language, messages)
        if seat == battle.attacker
        else [],
        "damage": 0,
        "leadership": min(leadership(state, battle, seat), MOST_DICE) if fights else 0,
        "strength": min(strength(state, battle, seat), MOST_DICE) if fights else 0,
        "dice": side.dice if rolled or not fights else combat_dice(state, battle, seat),
        "target": target,
        "modifier": side.add,
        "target_why": {"rule": rule, "text": why.sentence(language)},
        "card": _card(battle, seat, language, messages),
        "rolled": [
            {
                "type": COMBAT_DIE[seat],
                "face": str(pips),
                "hit": bool(hit),
                "rerolled": again == AGAIN,
            }
            for pips, hit, again in side.rolled
            if again != REPLACED
        ],
        "hits": side.hits,
    }


def _pieces(
    state: State, battle: Battle, seat: int, language: str, messages: Messages
) -> list[dict[str, Any]]:
    if battle.ended:
        return []
    return _counted(force(state, battle, seat), characters(state, battle, seat), seat, language, messages)


def _counted(figures: int, chars: int, seat: int, language: str, messages: Messages) -> list[dict[str, Any]]:
    text = in_language(messages, language)
    found = [
        piece("unit", name, number, SEATS[seat], text, "unit" if FIGURE[name] < UNIT_COUNT else "special")
        for name, number in GROUP[figures].counts.items()
    ]
    found.extend(piece("character", CHARACTERS[c], 1, SEATS[seat], text) for c in places_in(chars))
    return found


def _card(battle: Battle, seat: int, language: str, messages: Messages) -> dict[str, Any] | None:
    side = battle.sides[seat]
    if not side.card:
        return None
    name = messages.text(f"card.{side.card}", language)
    effect = messages.text(f"combat_card.{side.effect}", language) if side.card in CARDS else None
    return {"id": side.card, "name": name, "ability": effect, "cancelled": side.cancelled}


def _notes(battle: Battle, language: str, messages: Messages) -> list[str]:
    found = []
    if battle.negated:
        found.append(messages.text("combat.note.white_rider", language))
    if battle.no_cease:
        found.append(messages.text("combat.note.no_cease", language))
    if battle.siege and battle.rounds > 1:
        found.append(messages.text("combat.note.rounds", language, {"rounds": battle.rounds}))
    if battle.shadow_dice_less:
        found.append(messages.text("combat.note.fewer_dice", language, {"dice": battle.shadow_dice_less}))
    return found
