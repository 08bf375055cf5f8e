"""What a unit, a face of the die, a terrain, a place or a card does: a few words, and the rule to read on
at."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.decks import REACTIONS, CommandCard, LoreCard, deck_ids, deck_of
from referee.games.battlelore.box.scenario import load, shipped
from referee.kernel.naming import Namer

_DECKS = [deck_of(name) for name in deck_ids()]
COMMAND = {card.id: card for deck in _DECKS for card in deck.command.values()}
LORE = {card.id: card for deck in _DECKS for card in deck.lore.values()}
UNITS = {unit.name: unit for name in shipped() for unit in load(name).units}
"""Every unit of the shipped battles by what it is called."""
_RULE_OF_CLASS = ("move.allowance_by_colour_and_type", "move.mounted_values", "creature.card_values")
_KIND_RULES = ("command.section_card", "command.tactic_card")
_WHEN_RULES = ("lore.printed_phase", "lore.reaction_cards")
_TERRAIN_RULES = {"woods": "move.woods_stop", "water": "move.water_impassable"}
_FACES = {
    "sword_on_shield": "hit.bonus_strike_default_miss",
    "flag": "retreat.one_hex_per_flag",
    "lore": "lore.token_per_symbol",
}


def _terrain_rule(kind: str) -> str:
    place = box.TERRAIN[kind].get("place")
    return _TERRAIN_RULES.get(kind, "landmark.stop_on_entry" if place else "terrain.card_rules")


RULES: Mapping[tuple[str, str], str] = {
    **{("unit", name): _RULE_OF_CLASS[unit.kind] for name, unit in UNITS.items()},
    **{("face", face): _FACES.get(face, "hit.helmet_of_target_colour") for face in box.FACES},
    **{("terrain", kind): _terrain_rule(kind) for kind in box.TERRAIN},
    **{("special_place", place): "landmark.benefit_owner_only" for place in box.MASTER_PLACE.values()},
    **{("card", name): _KIND_RULES[card.orders is None] for name, card in COMMAND.items()},
    **{("card", name): _WHEN_RULES[card.when in REACTIONS] for name, card in LORE.items()},
    ("track", "banners"): "victory.scenario_banner_goal",
}
"""Everything that can be explained, as (kind, id), and the rule of the catalogue to read on at."""


def explain(names: Namer, kind: str, name: str) -> dict[str, str] | None:
    """``{"title", "text", "rule"}``; None for what is not known here."""
    rule = RULES.get((kind, name))
    if rule is None:
        return None
    title = names.name(name, kind)
    if kind == "unit":
        return {"title": title, "text": _unit(names, name), "rule": rule}
    if kind == "card":
        text = _command(names, COMMAND[name]) if name in COMMAND else _lore(names, LORE[name])
        return {"title": title, "text": text, "rule": rule}
    return {"title": title, "text": names.sentence(f"help.{kind}.{name}"), "rule": rule}


def _unit(names: Namer, name: str) -> str:
    """Moves, dice and race of a unit."""
    unit = UNITS[name]
    kind = box.FOOT if unit.kind == box.CREATURE else unit.kind
    most, fighting = box.MOVES[kind, unit.colour]
    parts = [
        names.sentence("help.unit", {"count": most, "fighting": fighting, "dice": box.BASE_DICE[unit.colour]})
    ]
    if unit.race:
        parts.append(names.sentence(f"help.race.{unit.race}"))
    if unit.kind == box.CREATURE:
        parts.append(names.sentence("help.creature"))
    return " ".join(parts)


def _command(names: Namer, card: CommandCard) -> str:
    """A section card by its orders, a tactic card by a sentence of its own."""
    if card.orders is None:
        return names.sentence(f"help.card.{card.id}")
    parts = []
    for section, number in card.orders.items():
        key = "help.orders_held" if number == "held" else "help.orders"
        parts.append(names.sentence(key, {"section": section, "count": number if number != "held" else 0}))
    return " ".join(parts)


def _lore(names: Namer, card: LoreCard) -> str:
    """Class, cost and moment of a lore card, then what it does."""
    head = names.sentence("help.lore", {"council": card.of, "count": card.cost, "when": card.when})
    return f"{head} {names.sentence(f'help.card.{card.id}')}"
