"""What a piece, symbol, marker, track or card does: a few words of our own, and the rule to read on at.

Facts come from the box data and the card programs; the sentences are messages ``help.<kind>.<id>``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.map import TERRAIN
from referee.games.five_armies.cards.programs import SPECS
from referee.games.five_armies.catalogue.loading import FILES
from referee.games.five_armies.state.card_data import CARDS, COMBAT_EFFECTS
from referee.kernel.messages import Messages
from referee.kernel.naming import Namer

TERRAINS = tuple(sorted(set(TERRAIN)))
RULES: Mapping[tuple[str, str], str] = FILES.piece_rules(
    {"unit": box.UNITS, "terrain": TERRAINS, "card": (*CARDS, *COMBAT_EFFECTS)}
)
"""Everything that can be explained, as (kind, id), and the rule of the catalogue to read on at."""


def explain(names: Namer, kind: str, name: str) -> dict[str, str] | None:
    """``{"title", "text", "rule"}``; None for what is not known here."""
    rule = RULES.get((kind, name))
    if rule is None:
        return None
    messages, language = names.messages, names.language
    text = _card(names, name) if kind == "card" else messages.text(f"help.{kind}.{name}", language)
    if kind == "unit":
        text = f"{text} {_values(messages, name, language)}"
    return {"title": messages.text(f"{kind}.{name}", language), "text": text, "rule": rule}


def _values(messages: Messages, name: str, language: str) -> str:
    unit = box.UNIT[name]
    favoured = [
        messages.text(f"terrain.{one}", language) for one in TERRAINS if one in box.FAVOURED_ATTACKING[unit]
    ]
    params = {
        "strength": box.COMBAT_STRENGTH[unit],
        "terrain": ", ".join(favoured) or messages.text("help.no_terrain", language),
        "ability": messages.text(f"ability.{box.MANOEUVRE[unit]}", language),
    }
    return messages.text("help.unit_values", language, params)


def _card(names: Namer, name: str) -> str:
    card, messages, language = CARDS.get(name), names.messages, names.language
    if card is None:
        return messages.text("help.combat_effect", language)
    steps = [_step(names, step) for step in card.program]
    what = " ".join(steps) or messages.text("help.by_hand", language)
    kind = messages.text(f"help.card_{card.type}", language)
    return messages.text("help.card", language, {"type": kind, "steps": what})


def _step(names: Namer, step: Mapping[str, Any]) -> str:
    """A step in words: what its primitive does, and the amounts it is given."""
    spec = SPECS[step["do"]]
    sentence = spec.text.in_words(names.language)
    given = [_given(names, key, value) for key, value in step.items() if key != "do"]
    said = ", ".join(one for one in given if one)
    return f"{sentence} ({said})" if said else sentence


def _given(names: Namer, key: str, value: Any) -> str:
    """One argument of a step, where it can be said in the game's own names."""
    if isinstance(value, Mapping):
        return names.counts(value, "unit")
    label = names.messages.text(f"help.argument.{key}", names.language)
    if isinstance(value, bool) or names.messages.find(f"help.argument.{key}", names.language) is None:
        return ""
    if isinstance(value, int):
        return f"{label}: {value}"
    named = names.find(str(value), "argument")
    return "" if named is None else f"{label}: {named}"
