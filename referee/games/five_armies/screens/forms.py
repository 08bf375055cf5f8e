"""What the owner may tell of his box, and where tables may choose: as forms for screens.

Each key is one that the rules ask for when it is absent (:func:`asking.box_value`),
or by which they check what is drawn (``copies``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import CHARACTERS, FREE, LORD, SEATS, box_data
from referee.games.five_armies.box.house import HOUSE_RULES
from referee.games.five_armies.box.map import ALL_REGIONS, OPTIONS, PLACES
from referee.games.five_armies.cards.programs import out_of_place, problems
from referee.games.five_armies.rules.asking import NUMBERS
from referee.games.five_armies.rules.characters import DIE_OF_SEAT, ENTRY_PLACES
from referee.games.five_armies.rules.ranged import KNOWN_TERRAIN, YES_NO
from referee.games.five_armies.screens.program_form import step_kinds
from referee.games.five_armies.state.card_data import CARDS
from referee.games.kit.house import form_of_ways
from referee.kernel.forms import SOME, STEPS, Field
from referee.kernel.messages import Text

SHIPPED = "shipped"
"""What stands for a card's own program in the form."""


def box_book_form() -> tuple[Field, ...]:
    """All entries of the box book, in the order in which an owner goes through the box."""
    parts = (_characters, _abilities, _fortifications, _reach, _copies, _set_up, _cards)
    return tuple(field for part in parts for field in part())


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
    for character, (name, known) in enumerate(box_data("characters")["characters"].items()):
        about, asked = {"character": name}, 1 if character == LORD else 2
        for what, numbers in (("leadership", NUMBERS[:6]), ("movement", NUMBERS[:9]))[:asked]:
            yield Field(
                f"{what}.{name}", numbers, f"prompt.ask_{what}", group, about, **_shipped(known.get(what))
            )
        if box.FATE_SPACE[character] < 0 and known.get("starts_in_play"):
            continue
        dice = DIE_OF_SEAT[box.SEAT_OF_CHARACTER[character]]
        for what, options in (("entry_die", dice), ("entry_place", ENTRY_PLACES))[:asked]:
            yield Field(f"{what}.{name}", options, f"prompt.ask_{what}", group, about, "box_book")


def _abilities() -> Iterator[Field]:
    group = "form.group.abilities"
    for general in box.GENERALS:
        if general != LORD:
            name = CHARACTERS[general]
            yield _program(f"ability.{name}", "form.ability", group, {"character": name})
    for key, numbers, prompt in (
        ("eagles_mustered", NUMBERS[1 : box.EAGLES_IN_BOX + 1], "eagles_mustered"),
        ("archery.dice", NUMBERS[1:6], "archery_dice"),
        ("archery.target", NUMBERS[2:7], "archery_number"),
        ("blast.dice", NUMBERS[1:11], "blast_dice"),
        ("blast.target", NUMBERS[2:7], "blast_number"),
    ):
        yield Field(key, numbers, f"prompt.ask_{prompt}", group)


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
    group = "form.group.reach"
    for terrain in sorted(set(board.TERRAIN)):
        key, about, known = f"archery.terrain.{terrain}", {"terrain": terrain}, KNOWN_TERRAIN.get(terrain)
        source: Any = {"shipped": known, "source": "rulebook", "certainty": "high"} if known else {}
        yield Field(key, YES_NO, "prompt.ask_archery_terrain", group, about, "option", **source)
    for region in OPTIONS[ALL_REGIONS]:
        key, about, others = f"reach.{region}", {"place": region}, _nearest_first(region)
        yield Field(key, others, "form.reach", group, about, "place", kind=SOME)


def _nearest_first(region: str) -> tuple[str, ...]:
    """All other regions, neighbours first: what a ruler may reach comes early in a list."""
    edge = seen = 1 << board.PLACE[region]
    found: list[str] = []
    while edge:
        edge = board.NEAR[edge] & ALL_REGIONS & ~seen
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
    for place, value in zip(board.FORTIFICATIONS, board.FORTIFICATION_VALUES, strict=True):
        key, about = f"fortification.{PLACES[place]}", {"place": PLACES[place]}
        yield Field(key, NUMBERS[1:10], "form.fortification", "form.group.board", about, shipped=str(value))


def _copies() -> Iterator[Field]:
    group, tiles = "form.group.copies", NUMBERS[: box.STANDARD_TILES + 1]
    for face in box.STANDARD_TILE_FACES:
        yield Field(f"copies.{face}", tiles, "form.copies_tile", group, {"tile": face})
    for name, total, faces in zip(box.TOKEN_GROUPS, box.TOKENS_IN_BOX, box.TOKEN_FACES, strict=True):
        for face in faces:
            key, about = f"copies.{name}:{face}", {"token": face, "group": name}
            yield Field(key, NUMBERS[: total + 1], "form.copies_token", group, about)


def _set_up() -> Iterator[Field]:
    for name, group in box_data("setup")["groups"].items():
        if name.startswith(SEATS[FREE]):
            regions = ALL_REGIONS & ~board.MUSTERING
        else:
            regions = board.MUSTERING if group.get("tokens") else board.GOBLIN_MUSTERS
        key, about, heading = f"setup.{name}", {"setup_group": name}, "form.group.setup"
        told = ("place", str(group["suggested"]), "suggested", "low")
        yield Field(key, OPTIONS[regions], "form.setup_group", heading, about, *told)


def box_book_problems(values: Mapping[str, str]) -> list[Text]:
    """What entries of the box book cannot stand together, in English and German."""
    stands: dict[str, str] = {}
    problems = []
    for name, group in box_data("setup")["groups"].items():
        place = values.get(f"setup.{name}", group["suggested"])
        if place in stands:
            problems.append(Text("five_armies.two_groups_set_up", stands=stands[place], name=name))
        stands[place] = name
    return problems
