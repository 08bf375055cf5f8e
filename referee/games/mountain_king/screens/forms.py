"""What the owner may tell of his box, and where tables may choose: as forms for screens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.games.kit.house import form_of_ways
from referee.games.kit.typed_cards import PRACTICE, PRINTED
from referee.games.mountain_king.box.components import CHAMPIONS, CLANS
from referee.games.mountain_king.box.house import HOUSE_RULES
from referee.games.mountain_king.box.symbols import PRINTED as SYMBOLS
from referee.games.mountain_king.cards import own_cards as own
from referee.kernel.forms import SOME, STEPS, Field
from referee.kernel.messages import Text

CHAMPION_STEPS, TILE_STEPS = own.champion_steps(), own.tile_steps()
"""Made once: screens send each of them once."""
CHECK_CHAMPION, CHECK_TILES = own.champion_check(CHAMPION_STEPS), own.tiles_check(TILE_STEPS)


def house_rules_form() -> tuple[Field, ...]:
    """Each house rule; its first way is the ruling that stands."""
    return form_of_ways(HOUSE_RULES)


def box_book_form() -> tuple[Field, ...]:
    """All entries of the box book: boards are captured and ancestry cards looked at; the rest is typed."""
    return tuple(replace(field, asked=False) for field in _fields())


def _fields() -> Iterator[Field]:
    yield Field(
        own.USED, (PRACTICE, PRINTED), "prompt.cards_used", "form.group.cards",
        domain=own.DOMAIN, shipped=PRACTICE,
    )  # fmt: skip
    for number, key in enumerate(own.START_CELLS, 1):
        about = {"number": number}
        yield Field(key, SYMBOLS, "prompt.start_cell", "form.group.cards", about, domain=own.SYMBOL)
    for wave, key in own.SUPPLY.items():
        yield Field(key, own.NUMBERS, "prompt.supply_base", "form.group.tracks", {"wave": wave})
    yield Field(own.DESPERATION, own.NUMBERS, "prompt.desperation_on", "form.group.tracks", kind=SOME)
    for number, (key, clan) in enumerate(zip(own.TRACKS, CLANS, strict=True), 1):
        yield Field(
            key, CLANS, "prompt.track_clan", "form.group.tracks", {"number": number},
            domain="clan", shipped=clan, certainty="low",
        )  # fmt: skip
    yield Field(
        own.VOTE_TILES, (), "prompt.own_tiles", "form.group.tracks",
        kind=STEPS, steps=TILE_STEPS, check=CHECK_TILES,
    )  # fmt: skip
    for champion in CHAMPIONS:
        yield Field(
            own.champion_key(champion), (), "prompt.own_champion", "form.group.champions",
            {"champion": champion}, kind=STEPS, steps=CHAMPION_STEPS, check=CHECK_CHAMPION,
        )  # fmt: skip


def box_book_problems(values: Mapping[str, Any]) -> list[Text]:
    """What entries of the box book cannot stand together."""
    return own.problems(values)
