"""Names of ids that are put together from others: cards, tiles, units and where they stand."""

from __future__ import annotations

import re
from typing import Any

from referee.games.mountain_king.box.box import CARD
from referee.games.mountain_king.box.components import CHAMPION, CHAMPIONS, PLACE, SEATS
from referee.games.mountain_king.box.symbols import PRINTED
from referee.games.mountain_king.rules.pieces import AT, TROLLS

_CARD_ID = re.compile(rf"[^{CARD}]+(?:{CARD}[^{CARD}]+){{3}}")


def composite(game: Any, domain: str, item: str, language: str) -> str | None:
    """The name of such an id, None for all others."""

    def text(message: str, **params: Any) -> str:
        return str(game.messages.text(message, language, params))

    if item in CHAMPION:
        return text("champion.number", number=CHAMPIONS.index(item) + 1)
    if _CARD_ID.fullmatch(item):
        a, b, c, d = (symbol_name(game, word, language) for word in item.split(CARD))
        return f"{a} {b} / {c} {d}"
    if domain == "symbol" and item in PRINTED:
        return symbol_name(game, item, language)
    kind, _, rest = item.partition("_")
    if kind == "tile" and rest:
        return rest.replace("_", " / ")
    if kind == "hall" and rest.isdigit():
        return text("place.hall", number=int(rest))
    if kind == "gate" and rest.isdigit():
        return text("gate_card.number", number=int(rest))
    if kind == "use" and rest in CHAMPION:
        return text("action.use_champion", number=CHAMPIONS.index(rest) + 1)
    what, _, place = item.partition(AT)
    if what == TROLLS and place in PLACE:
        return text("unit.trolls_at", place=text(f"place.{place}"))
    if kind in SEATS and rest in ("troll", "trolls"):
        return text(f"unit.{rest}_of", seat=game.messages.name(f"seat.{kind}", language))
    return None


def symbol_name(game: Any, word: str, language: str) -> str:
    """A symbol in a few letters, with its number."""
    name = str(game.messages.text(f"symbol.{'blank' if word == '.' else word[0]}", language))
    return f"{name}{word[1:]}"
