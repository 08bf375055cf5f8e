"""What the owner may tell of his box, and where tables may choose: as forms for screens.

Each key is one that the rules ask for when it is absent (:func:`asking.box_value`),
or by which they check what is drawn (``copies``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from referee.games.five_armies.box.components import (
    CHARACTERS,
    EAGLES_IN_BOX,
    FATE_SPACE,
    FREE,
    GENERALS,
    LORD,
    SEAT_OF_CHARACTER,
    SEATS,
    STANDARD_TILE_FACES,
    STANDARD_TILES,
    TOKEN_FACES,
    TOKEN_GROUPS,
    TOKENS_IN_BOX,
    box_data,
)
from referee.games.five_armies.box.house import HOUSE_RULES
from referee.games.five_armies.box.map import (
    ALL_REGIONS,
    FORTIFICATION_VALUES,
    FORTIFICATIONS,
    GOBLIN_MUSTERS,
    MUSTERING,
    NEAR,
    OPTIONS,
    PLACE,
    PLACES,
    REGION_COUNT,
    TERRAIN,
)
from referee.games.five_armies.cards.programs import out_of_place, problems
from referee.games.five_armies.rules.asking import NUMBERS
from referee.games.five_armies.rules.characters import DIE_OF_SEAT, ENTRY_PLACES
from referee.games.five_armies.rules.ranged import KNOWN_TERRAIN, YES_NO
from referee.games.five_armies.screens.program_form import step_kinds
from referee.games.five_armies.state.card_data import CARDS
from referee.games.kit.house import form_of_ways
from referee.kernel.forms import SOME, STEPS, Field

SHIPPED = "shipped"
"""What stands for a card's own program in the form."""


def box_book_form() -> tuple[Field, ...]:
    """All entries of the box book, in the order in which an owner goes through the box."""
    return (
        *_characters(),
        *_abilities(),
        *_fortifications(),
        *_reach(),
        *_copies(),
        *_set_up(),
        *_cards(),
    )


def house_rules_form() -> tuple[Field, ...]:
    """Each house rule; its first way is the ruling that stands."""
    return form_of_ways(HOUSE_RULES, "form.house")


def _shipped(entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict) or "value" not in entry:
        return {}
    return {
        "shipped": str(entry["value"]),
        "source": str(entry.get("source", "")),
        "certainty": str(entry.get("certainty", "")),
    }


def _characters() -> Iterator[Field]:
    group = "form.group.characters"
    data = box_data("characters")["characters"]
    for character, name in enumerate(CHARACTERS):
        about = {"character": name}
        known = data[name]
        yield Field(
            f"leadership.{name}", NUMBERS[:6], "prompt.ask_leadership", group, about,
            **_shipped(known.get("leadership")),
        )  # fmt: skip
        if character != LORD:
            yield Field(
                f"movement.{name}", NUMBERS[:9], "prompt.ask_movement", group, about,
                **_shipped(known.get("movement")),
            )  # fmt: skip
        if FATE_SPACE[character] < 0 and known.get("starts_in_play"):
            continue
        dice = DIE_OF_SEAT[SEAT_OF_CHARACTER[character]]
        yield Field(f"entry_die.{name}", dice, "prompt.ask_entry_die", group, about, "box_book")
        if character != LORD:
            yield Field(
                f"entry_place.{name}", ENTRY_PLACES, "prompt.ask_entry_place", group, about, "box_book"
            )


def _abilities() -> Iterator[Field]:
    group = "form.group.abilities"
    for general in GENERALS:
        if general != LORD:
            name = CHARACTERS[general]
            yield _program(f"ability.{name}", "form.ability", group, {"character": name})
    eagles = NUMBERS[1 : EAGLES_IN_BOX + 1]
    yield Field("eagles_mustered", eagles, "prompt.ask_eagles_mustered", group)
    yield Field("archery.dice", NUMBERS[1:6], "prompt.ask_archery_dice", group)
    yield Field("archery.target", NUMBERS[2:7], "prompt.ask_archery_number", group)
    yield Field("blast.dice", NUMBERS[1:11], "prompt.ask_blast_dice", group)
    yield Field("blast.target", NUMBERS[2:7], "prompt.ask_blast_number", group)


def _program(key: str, label: str, group: str, about: Mapping[str, Any]) -> Field:
    without = out_of_place(key)
    check = partial(problems, without=without)
    return Field(key, (), label, group, about, kind=STEPS, steps=step_kinds(without), check=check)


def _cards() -> Iterator[Field]:
    """Only for a box whose cards read differently: the referee knows the others."""
    for name in CARDS:
        field = _program(f"card.{name}", "form.card", "form.group.cards", {"card": name})
        yield replace(field, shipped=SHIPPED, domain="form.program", certainty="high")


def _reach() -> Iterator[Field]:
    """What the ruler reaches, region by region, and where archers may shoot from."""
    regions = OPTIONS[ALL_REGIONS]
    for terrain in sorted(set(TERRAIN[:REGION_COUNT])):
        known = KNOWN_TERRAIN.get(terrain)
        yield Field(
            f"archery.terrain.{terrain}", YES_NO, "prompt.ask_archery_terrain", "form.group.reach",
            {"terrain": terrain}, "option", known, "rulebook" if known else "", "high" if known else "",
        )  # fmt: skip
    for region in regions:
        yield Field(
            f"reach.{region}",
            _nearest_first(region),
            "form.reach",
            "form.group.reach",
            {"place": region},
            "place",
            kind=SOME,
        )


def _nearest_first(region: str) -> tuple[str, ...]:
    """All other regions, neighbours first: what a ruler may reach comes early in a list."""
    edge = seen = 1 << PLACE[region]
    found: list[str] = []
    while edge:
        edge = NEAR[edge] & ALL_REGIONS & ~seen
        seen |= edge
        found.extend(OPTIONS[edge])
    return tuple(found)


def as_asked(box: Mapping[str, Any]) -> dict[str, Any]:
    """The box book's values as play asks for them: what the ruler reaches, pair by pair."""
    found = dict(box)
    for region in OPTIONS[ALL_REGIONS]:
        within = found.pop(f"reach.{region}", None)
        if within is not None:
            others = (other for other in OPTIONS[ALL_REGIONS] if other != region)
            found.update({f"reach.{region}.{other}": YES_NO[other not in within] for other in others})
    return found


def _fortifications() -> Iterator[Field]:
    for place, value in zip(FORTIFICATIONS, FORTIFICATION_VALUES, strict=True):
        yield Field(
            f"fortification.{PLACES[place]}",
            NUMBERS[1:10],
            "form.fortification",
            "form.group.board",
            {"place": PLACES[place]},
            shipped=str(value),
        )


def _copies() -> Iterator[Field]:
    group = "form.group.copies"
    for face in STANDARD_TILE_FACES:
        yield Field(
            f"copies.{face}", NUMBERS[: STANDARD_TILES + 1], "form.copies_tile", group, {"tile": face}
        )
    for index, name in enumerate(TOKEN_GROUPS):
        for face in TOKEN_FACES[index]:
            yield Field(
                f"copies.{name}:{face}",
                NUMBERS[: TOKENS_IN_BOX[index] + 1],
                "form.copies_token",
                group,
                {"token": face, "group": name},
            )


def _set_up() -> Iterator[Field]:
    for name, group in box_data("setup")["groups"].items():
        if name.startswith(SEATS[FREE]):
            regions = ALL_REGIONS & ~MUSTERING
        else:
            regions = MUSTERING if group.get("tokens") else GOBLIN_MUSTERS
        yield Field(
            f"setup.{name}", OPTIONS[regions], "form.setup_group", "form.group.setup", {"setup_group": name},
            "place", str(group["suggested"]), "suggested", "low",
        )  # fmt: skip


def box_book_problems(values: Mapping[str, str]) -> list[tuple[str, str]]:
    """What entries of the box book cannot stand together, in English and German."""
    stands: dict[str, str] = {}
    problems = []
    for name, group in box_data("setup")["groups"].items():
        place = values.get(f"setup.{name}", group["suggested"])
        if place in stands:
            problems.append(
                (
                    f"Two groups of the set-up would stand in one region: {stands[place]} and {name}.",
                    f"Zwei Gruppen des Aufbaus stünden in einer Region: {stands[place]} und {name}.",
                )
            )
        stands[place] = name
    return problems
