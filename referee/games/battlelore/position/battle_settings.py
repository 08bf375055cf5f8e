"""What a scenario says beside its map, as a form: kind, first side, banners, hands, councils, places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.games.battlelore.box.components import (
    CAMPS,
    COUNCIL,
    HIGHEST_LEVEL,
    LAYOUTS,
    LEVELS_SHARED,
    SEATS,
)
from referee.games.battlelore.box.scenario import BOARD, BY_COMMANDER, IN_SECRET, LORE, PLAIN, PRINTED
from referee.kernel.forms import Field, check_value

OWN_LINES, SHARED = "own_lines", "shared"
NO, YES = "no", "yes"
GROUP = "form.group.making"
MOST_BANNERS, MOST_HAND, MOST_LEVELS = 12, 8, 12


def settings(data: Mapping[str, Any]) -> Iterator[tuple[Field, str]]:
    """Each field with its value, as far as the battle has it."""
    lore = data.get("kind", PLAIN) == LORE
    yield _choice("kind", (PLAIN, LORE)), data.get("kind", PLAIN)
    yield _choice("first", SEATS, "seat"), data.get("first", SEATS[0])
    told = data.get("sections", BOARD)
    layouts = (BOARD, *LAYOUTS) if isinstance(told, str) else (BOARD, *LAYOUTS, OWN_LINES)
    yield _choice("sections", layouts), told if isinstance(told, str) else OWN_LINES
    camps = data.get("camps", {})
    yield _choice("camp_south", CAMPS), camps.get(SEATS[0], CAMPS[0])
    for seat in SEATS:
        yield _number("goal", seat, 1, MOST_BANNERS), str(data["victory_banners"][seat])
    if not lore:
        hands = data.get("command_hand", {})
        for seat in SEATS:
            hand = hands.get(seat, 4) if isinstance(hands, Mapping) else 4
            yield _number("hand", seat, 1, MOST_HAND), str(hand)
        return
    yield from _council(data.get("council", {}))
    for key in ("master_landmarks", "lairs"):
        yield _choice(key, (NO, YES)), YES if data.get("landmarks", {}).get(key) else NO


def _council(told: Mapping[str, Any]) -> Iterator[tuple[Field, str]]:
    made = PRINTED if told.get("made") == PRINTED else SHARED
    yield _choice("council", (PRINTED, SHARED)), made
    for seat in SEATS:
        if made == SHARED:
            yield (
                _number("levels", seat, 1, MOST_LEVELS),
                str(told.get("levels", {}).get(seat, LEVELS_SHARED)),
            )
            continue
        for one in COUNCIL:
            yield _number("level", seat, 0, HIGHEST_LEVEL, one), str(told.get(seat, {}).get(one, 0))


def _choice(key: str, options: tuple[str, ...], domain: str = "making") -> Field:
    return Field(key, options, f"making.{key}", GROUP, domain=domain)


def _number(key: str, seat: str, least: int, most: int, council: str = "") -> Field:
    about = {"seat": seat, **({"council": council} if council else {})}
    name = ".".join(filter(None, (key, seat, council)))
    label = "making.council_level" if council else f"making.{key}"
    return Field(name, tuple(map(str, range(least, most + 1))), label, GROUP, about)


def change(data: dict[str, Any], key: str, value: Any) -> None:
    """Set one field.  Raises :class:`referee.kernel.errors.InvalidAnswer`."""
    check_value([field for field, _ in settings(data)], key, value)
    what, _, of = key.partition(".")
    if what == "kind":
        _kind(data, value)
    elif what in ("first", "sections"):
        if value != OWN_LINES:
            data[what] = value
    elif what == "camp_south":
        other = next(camp for camp in CAMPS if camp != value)
        data["camps"] = dict(zip(SEATS, (value, other), strict=True))
    elif what == "goal":
        data["victory_banners"][of] = int(value)
    elif what == "hand":
        data["command_hand"][of] = int(value)
    elif what in ("master_landmarks", "lairs"):
        data["landmarks"] = {**data.get("landmarks", {}), what: value == YES}
    else:
        _set_council(data, what, of, value)


def _kind(data: dict[str, Any], value: str) -> None:
    """Hands are the scenario's in a plain battle and the commanders' in a lore battle."""
    data["kind"] = value
    if value == LORE:
        data["command_hand"] = BY_COMMANDER
        data.setdefault("council", {"made": IN_SECRET, "levels": dict.fromkeys(SEATS, LEVELS_SHARED)})
    else:
        data["command_hand"] = dict.fromkeys(SEATS, 5)
        data["landmarks"] = {"master_landmarks": False, "lairs": False}
        data.pop("council", None)


def _set_council(data: dict[str, Any], what: str, of: str, value: str) -> None:
    if what == "council":
        levels = dict.fromkeys(SEATS, LEVELS_SHARED)
        usual = {"commander": 2, "warrior": 2, "wizard": 1, "rogue": 1}
        printed = {"made": PRINTED, **{seat: dict(usual) for seat in SEATS}}
        data["council"] = printed if value == PRINTED else {"made": IN_SECRET, "levels": levels}
    elif what == "levels":
        data["council"]["levels"][of] = int(value)
    else:
        seat, _, one = of.partition(".")
        data["council"][seat] = {**data["council"][seat], one: int(value)}
