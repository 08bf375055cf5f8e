"""What the owner may tell of his box, and where tables may choose: as forms for screens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.battlelore.box import own_deck, supply
from referee.games.battlelore.box.components import BONUS_WAYS, LORE_CLASSES, TERRAIN, TERRAIN_FIELDS, WEAPONS
from referee.games.battlelore.box.house import HOUSE_RULES
from referee.games.battlelore.box.scenario import shipped
from referee.games.battlelore.rules.setup import CUTS, LINES
from referee.games.battlelore.state.ground import unread
from referee.games.kit.house import form_of_ways
from referee.games.kit.typed_cards import PRACTICE, PRINTED, checked
from referee.kernel.forms import STEPS, Field, StepKind
from referee.kernel.messages import Text


def box_book_form() -> tuple[Field, ...]:
    """All entries of the box book: the board's lines, terrain and weapon cards that nobody has read."""
    return tuple(_fields())


def _fields() -> Iterator[Field]:
    yield Field(LINES, CUTS, "prompt.ask_sections", "form.group.board", domain="box_book")
    for kind, card in TERRAIN.items():
        for name in unread(kind, card):
            yield Field(
                f"terrain.{kind}.{name}", TERRAIN_FIELDS[name], f"prompt.ask_terrain_{name}",
                "form.group.terrain",
                {"terrain": kind}, domain="box_book",
            )  # fmt: skip
    for weapon, card in WEAPONS.items():
        if "bonus" not in card:
            yield Field(
                f"weapon.{weapon}.bonus", BONUS_WAYS, "prompt.ask_weapon_bonus", "form.group.weapons",
                {"weapon": weapon}, domain="box_book",
            )  # fmt: skip

    yield from _deck()
    for key, camp, kind in supply.told_keys():
        if camp:
            about = {"unit": kind, "making": camp}
            yield Field(key, supply.NUMBERS, "prompt.supply_bearer", "form.group.supply", about)
        else:
            yield Field(key, supply.NUMBERS, "prompt.supply_tile", "form.group.supply", {"terrain": kind})


def _deck() -> Iterator[Field]:
    """The printed decks, card by card."""
    ways = (PRACTICE, PRINTED)
    yield Field(
        own_deck.USED, ways, "prompt.deck_used", "form.group.command", domain="making", shipped=PRACTICE
    )
    for number in range(1, own_deck.COMMAND_FRONTS + 1):
        yield _card(
            own_deck.command_key(number), "form.group.command", own_deck.command_id(number), COMMAND_STEPS
        )
    for of in LORE_CLASSES:
        for number in range(1, own_deck.LORE_FRONTS + 1):
            yield _card(
                own_deck.lore_key(of, number), "form.group.lore", own_deck.lore_id(of, number), LORE_STEPS
            )


def _card(key: str, group: str, card: str, steps: tuple[StepKind, ...]) -> Field:
    check = checked(steps)
    return Field(
        key, (), "prompt.own_card", group, {"card": card}, kind=STEPS, steps=steps, check=check, asked=False
    )


COMMAND_STEPS, LORE_STEPS = own_deck.command_steps(), own_deck.lore_steps()
"""Made once: screens send each of them once."""


def box_book_problems(values: Mapping[str, str]) -> list[Text]:
    """What entries of the box book cannot stand together: nothing can."""
    return []


def house_rules_form() -> tuple[Field, ...]:
    """The battle, then each house rule; its first way is the ruling that stands."""
    battles = tuple(shipped())
    scenario = Field(
        "scenario", battles, "form.scenario", "form.group.house", domain="scenario", shipped=battles[0]
    )
    return (scenario, *form_of_ways(HOUSE_RULES))
