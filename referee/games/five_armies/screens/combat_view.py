"""What screens show of a running combat: the generic view's ``focus``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import CHARACTERS, FREE, SEATS, UNITS
from referee.games.five_armies.box.map import FORTIFICATION_INDEX, PLACES, TERRAIN, places_in
from referee.games.five_armies.catalogue.loading import CATALOGUE
from referee.games.five_armies.rules import combat_roll as rolls
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.battle import CARDS, EVENT_CARD, NO_CARD, Battle
from referee.games.five_armies.state.state import State
from referee.games.kit.view import Text, piece


def combat_view(state: State, language: str, text: Text) -> dict[str, Any] | None:
    """The focus of a running combat as JSON, None where there is none.  Both seats see the same of it."""
    battle = state.combat
    if battle is None:
        return None
    target = battle.target
    terrain = TERRAIN[target]
    view: dict[str, Any] = {
        "kind": "combat",
        "title": text("combat.title", place=text(f"place.{PLACES[target]}")),
        "place": PLACES[target],
        "from": [PLACES[place] for place in places_in(battle.armies)],
        "round": battle.round,
        "step": battle.step,
        "terrain": {"id": terrain, "name": text(f"terrain.{terrain}")},
        "sides": {SEATS[seat]: _side(state, battle, seat, language, text) for seat in (0, 1)},
    }
    index = FORTIFICATION_INDEX.get(target)
    if index is not None:
        view["fortification"] = {"damage": state.fort_damage[index], "value": state.fort_values[index]}
    return view


def _side(state: State, battle: Battle, seat: int, language: str, text: Text) -> dict[str, Any]:
    side = battle.sides[seat]
    place = battle.place_of(seat)
    beorn = battle.beorn and seat == FREE
    fights = beorn or bool(state.units[place])
    dice = side.dice or (rolls.dice_count(state, battle, seat) if fights else 0)
    number, rule = (side.target, side.target_rule) if side.dice else rolls.target_number(state, battle, seat)
    why = CATALOGUE[rule]
    return {
        "role": "attacker" if seat == battle.attacker else "defender",
        "place": PLACES[place],
        "pieces": _pieces(state, place, seat, beorn, text),
        "damage": 0 if beorn else state.damage[place],
        "wrath": state.wrath if beorn else None,
        "leadership": 0 if beorn else rolls.leadership_in_combat(state, battle, seat),
        "strength": dice if beorn else rolls.strength(state, battle, seat),
        "dice": dice,
        "black": rolls.black_dice(state, battle, seat, dice),
        "target": number,
        "target_why": {"rule": rule, "text": why.sentence(language)},
        "card": _card(battle, seat, text),
        "used": [{"id": CARDS[card], "name": card_name(card, text)} for card in places_in(side.used)],
        "rolled": [
            {"type": rolls.COLOURS[colour], "face": face, "hit": hit, "rerolled": again}
            for colour, face, hit, again in side.rolled
        ],
        "hits": side.hits,
        "suffered": side.suffered,
    }


def _pieces(state: State, place: int, seat: int, beorn: bool, text: Text) -> list[dict[str, Any]]:
    counts: Mapping[str, int] = {} if beorn else ARMY[state.units[place]].counts
    pieces = [piece("unit", unit, number, SEATS[seat], text) for unit, number in counts.items()]
    there = 1 << box.BEORN if beorn else state.chars[place] & box.CHARACTER_BITS[seat] & ~(1 << box.BEORN)
    if not beorn and not counts:
        there = 0
    pieces.extend(piece("character", CHARACTERS[c], 1, SEATS[seat], text) for c in places_in(there))
    return pieces


def card_name(card: int, text: Text) -> str:
    """A manoeuvre card's name; a unit card is called by its unit and its ability."""
    if card < len(UNITS):
        ability = text(f"ability.{box.MANOEUVRE[card]}")
        return text("card.unit", unit=text(f"unit.{UNITS[card]}"), ability=ability)
    return text(f"card.{CARDS[card]}")


def _card(battle: Battle, seat: int, text: Text) -> dict[str, Any] | None:
    side = battle.sides[seat]
    if side.card == NO_CARD:
        return None
    if side.effect and side.card == EVENT_CARD:
        return {"id": side.effect, "name": text(f"card.{side.effect}"), "ability": None, "uses": None}
    ability = box.MANOEUVRE[side.card] if side.card < len(UNITS) else None
    return {
        "id": CARDS[side.card],
        "name": card_name(side.card, text),
        "ability": ability,
        "uses": side.uses if side.ability else None,
    }
