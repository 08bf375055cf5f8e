"""What a piece, symbol, marker, track or card does: a few words of our own, and the rule to read on at.

A card's text is put together from its program (``box/cards.toml``), one sentence
a step, and its requirement; what a card in play does is a message of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.catalogue.loading import FILES
from referee.games.war_of_the_ring.state.card_data import CARDS, COMBAT_EFFECTS, Card
from referee.kernel.messages import Messages
from referee.kernel.naming import Namer

RULES: Mapping[tuple[str, str], str] = {
    **FILES.piece_rules({"unit": box.FIGURES, "tile": box.TILE, "nation": box.NATIONS, "card": CARDS}),
    **{("card", effect): "combat_card.effect" for effect in COMBAT_EFFECTS if effect not in CARDS},
}
"""Everything that can be explained, as (kind, id), and the rule of the catalogue to read on at."""


def explain(names: Namer, kind: str, name: str) -> dict[str, str] | None:
    """``{"title", "text", "rule"}``; None for what is not known here."""
    rule = RULES.get((kind, name))
    if rule is None:
        return None

    def text(message_id: str, **fields: Any) -> str:
        return names.messages.text(message_id, names.language, fields)

    if kind == "card":
        title = text(f"card.{name}" if name in CARDS else f"combat_card.{name}")
        body = _card(names, CARDS[name]) if name in CARDS else text(f"help.combat_card.{name}")
    elif kind == "unit":
        title, body = text(f"unit.{name}"), text(f"help.{_figure_help(name)}")
    elif kind == "character":
        title, body = text(f"character.{name}"), text(f"help.character.{name}") + _ratings(name, text)
    else:
        title, body = text(f"help.{kind}.{name}.title"), text(f"help.{kind}.{name}")
        if kind in ("face", "tile", "nation"):
            title = text(f"{kind}.{name}")
            body = text(f"help.{kind}") if kind == "nation" else body
    return {"title": title, "text": body, "rule": rule}


def _figure_help(name: str) -> str:
    figure = box.FIGURE[name]
    if figure == box.NAZGUL:
        return "figure.nazgul"
    return "figure.leader" if figure >= box.UNIT_COUNT else f"figure.{'elite' if figure & 1 else 'regular'}"


def _ratings(name: str, text: Any) -> str:
    if name not in box.CHARACTERS:
        return ""
    character = box.CHARACTERS.index(name)
    if box.MINIONS >> character & 1 and not box.LEVEL[character]:
        return f" {text('help.leadership', leadership=box.LEADERSHIP[character])}"
    return f" {text('help.ratings', level=box.LEVEL[character], leadership=box.LEADERSHIP[character])}"


def _card(names: Namer, card: Card) -> str:
    """Requirement, effects and what ends the card, then its combat effect."""
    messages, language = names.messages, names.language
    parts = []
    if card.needs:
        parts.append(messages.text(f"reason.needs_{card.needs}", language))
    parts += [step_text(names, step) for step in card.program]
    if card.stays:
        parts.append(messages.text(f"help.stays.{card.id}", language))
    combat = messages.text(f"combat_card.{card.combat}", language)
    parts.append(
        messages.text("help.combat", language, {"name": combat})
        + " "
        + messages.text(f"help.combat_card.{card.combat}", language)
    )
    return " ".join(parts)


def step_text(names: Namer, step: Mapping[str, Any]) -> str:
    """One step of a card's program in words."""
    messages, language = names.messages, names.language
    fields = {key: _value(names, value) for key, value in step.items()}
    if step["do"] == "recruit":
        fields["figures"] = _figures(messages, step, language)
        key = "help.step.recruit_places" if "places" in step else "help.step.recruit"
        return messages.text(key, language, fields)
    variant = f"help.step.{step['do']}.{step.get('reduction', '')}"
    if "reduction" in step and messages.find(variant, language):
        return messages.text(variant, language, fields)
    return messages.text(f"help.step.{step['do']}", language, fields)


def _figures(messages: Messages, step: Mapping[str, Any], language: str) -> str:
    nation = messages.text(f"nation.{step['nation']}", language)
    named = [
        messages.text(f"help.count.{kind}", language, {"count": step[kind]})
        for kind in ("unit", "regular", "elite", "leader", "nazgul")
        if step.get(kind)
    ]
    return f"{', '.join(named)} ({nation})"


def _value(names: Namer, value: Any) -> Any:
    """An argument of a step in words: names of places, nations, tiles and selectors."""
    return value if isinstance(value, int | float) else names.name(value, "argument")
