"""What may be said to stand in a place or beside the board, and the primitives for it; see :mod:`correct`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.games.war_of_the_ring.box.components import (
    ACTION_DIE,
    CHARACTERS,
    CORRUPTION_LIMIT,
    CRACK_OF_DOOM,
    DECKS,
    DICE,
    FACES,
    FIGURES,
    GOLLUM,
    NATIONS,
    PROGRESS_END,
    RINGS_AT_START,
    SEAT_OF,
    SEAT_OF_NATION,
    SEATS,
    SHADOW,
    TILES,
    UNIT_COUNT,
)
from referee.games.war_of_the_ring.box.map import OF_SEAT, PLACES, REGIONS, SETTLEMENTS
from referee.games.war_of_the_ring.position.correct import FALLEN, MOST_DICE, OFF_BOARD, TILE_PLACES
from referee.games.war_of_the_ring.state.armies import count
from referee.games.war_of_the_ring.state.state import FURTHEST, State
from referee.kernel.corrections import Item
from referee.kernel.errors import InvalidAnswer

WHERE = (*OFF_BOARD, *PLACES)
"""Where a character may be, numbered for the form."""
MORDOR = ("outside", *map(str, range(CRACK_OF_DOOM)))
POLITICS = (
    *(f"{side}_{n}" for side in ("active", "passive") for n in range(FURTHEST, 0, -1)),
    "at_war",
)
HIDDEN = ("revealed", "hidden")
GUIDES = CHARACTERS[: GOLLUM + 1]
Corrections = list[dict[str, Any]]


# --- a place ------------------------------------------------------------------------------------------


def correction_form(state: State, place: str) -> Sequence[Item]:
    """Everything that may stand at ``place``, beside the board for ""; empty for an unknown place.

    A character has no row to go away with: he leaves by being put where he is.
    """
    if not place:
        return tuple(_beside(state))
    return tuple(_at(state, PLACES.index(place))) if place in PLACES else ()


def _at(state: State, place: int) -> Iterator[Item]:
    for figure, name in enumerate(FIGURES):
        here = count(state.figures[place], figure)
        if here + state.supply[figure]:
            yield Item(f"unit.{name}", f"unit.{name}", here, here + state.supply[figure])
    for character, name in enumerate(CHARACTERS):
        here = state.chars[place] >> character & 1
        yield Item(f"character.{name}", f"character.{name}", here, 1, here)
    if SETTLEMENTS >> place & 1:
        yield Item("control", "marker.control", state.captured >> place & 1, 1)


def corrections(state: State, place: str, wanted: Mapping[str, int]) -> Corrections:
    """The primitives that make ``wanted`` (by the form's keys) stand at ``place``."""
    form = correction_form(state, place)
    counts = {item.key: wanted.get(item.key, item.count) for item in form}
    changed = [item.key for item in form if counts[item.key] != item.count]
    if not place:
        return _beside_corrections(state, counts, changed)
    found: Corrections = []
    if any(key.startswith("unit.") for key in changed):
        figures = {name: counts[f"unit.{name}"] for name in FIGURES if counts.get(f"unit.{name}")}
        if len({SEAT_OF[FIGURES.index(name)] for name in figures if FIGURES.index(name) < UNIT_COUNT}) > 1:
            raise InvalidAnswer(
                "Units of both sides cannot stand in one place; a besieged garrison stands in its box.",
                "Einheiten beider Seiten können nicht am selben Ort stehen; "
                "eine Besatzung steht in ihrem Feld.",
            )
        found.append({"do": "figures", "place": place, "figures": figures})
    for key in changed:
        kind, _, name = key.partition(".")
        if kind == "character":
            found.append({"do": "character", "character": name, "place": place})
        elif kind == "control":
            owner = 0 if OF_SEAT[0] >> PLACES.index(place) & 1 else 1
            seat = 1 - owner if counts[key] else owner
            found.append({"do": "control", "place": place, "seat": SEATS[seat]})
    return found


# --- beside the board -----------------------------------------------------------------------------------


def _beside(state: State) -> Iterator[Item]:
    yield Item("to_act", "correction.label.to_act", state.active, 1, options=SEATS, domain="seat")
    yield from _fellowship(state)
    for number, name in enumerate(CHARACTERS):
        yield Item(
            f"character.{name}",
            f"character.{name}",
            _where(state.where[number]),
            len(WHERE) - 1,
            options=WHERE,
            domain="correction.where",
        )
    for nation, name in enumerate(NATIONS):
        options = POLITICS if SEAT_OF_NATION[nation] != SHADOW else (*POLITICS[:FURTHEST], POLITICS[-1])
        stands = options.index(_stance(state, nation))
        yield Item(
            f"politics.{name}",
            f"nation.{name}",
            stands,
            len(options) - 1,
            options=options,
            domain="correction.politics",
        )
    yield from _seats(state)
    for name in FALLEN:
        figure = FIGURES.index(name)
        most = state.fallen[figure] + state.supply[figure]
        if most:
            label = ("correction.label.fallen",)
            yield Item(f"fallen.{name}", f"unit.{name}", state.fallen[figure], most, of=label)
    for index, tile in enumerate(TILES):
        lists = (state.tiles, state.tiles_out, state.tiles_gone, state.tiles_ready)
        for kind, numbers in zip(TILE_PLACES, lists, strict=True):
            of = (f"correction.label.tile_{kind}",)
            yield Item(f"tile.{tile.id}.{kind}", f"tile.{tile.id}", numbers[index], tile.count, of=of)


def _fellowship(state: State) -> Iterator[Item]:
    last = len(REGIONS) - 1
    yield Item("ring_bearers", "character.ring_bearers", state.ring, last, options=REGIONS, domain="place")
    yield Item("progress", "correction.label.progress", state.progress, PROGRESS_END)
    yield Item("corruption", "track.corruption", state.corruption, CORRUPTION_LIMIT - 1)
    yield Item(
        "mordor",
        "track.mordor",
        min(state.mordor + 1, CRACK_OF_DOOM),
        CRACK_OF_DOOM,
        options=MORDOR,
        domain="correction.mordor",
    )
    yield Item(
        "hidden", "track.fellowship", int(state.hidden), 1, options=HIDDEN, domain="correction.fellowship"
    )
    yield Item("ring_moved", "correction.label.ring_moved", int(state.ring_moved), 1)
    guide = max(state.guide, 0)
    yield Item("guide", "correction.label.guide", guide, len(GUIDES) - 1, options=GUIDES, domain="character")


def _seats(state: State) -> Iterator[Item]:
    for number, seat in enumerate(SEATS):
        of = (f"seat.{seat}",)
        yield Item(f"rings.{seat}", "counter.rings", state.rings[number], RINGS_AT_START, of=of)
        for deck, name in enumerate(DECKS):
            here = state.hand[number][deck]
            most = here + state.deck[number][deck]
            yield Item(f"hand.{seat}.{name}", f"counter.hand_{name}", here, most, of=of)
        die = ACTION_DIE[number]
        for kind in ("unused", "used"):
            for face in DICE[die].distinct_faces:
                lie = getattr(state, kind)[number][FACES.index(face)]
                labels = (f"die.{die}", f"correction.label.{kind}")
                yield Item(f"dice.{seat}.{kind}.{face}", f"face.{face}", lie, MOST_DICE, of=labels)
        yield Item(f"dice.{seat}.hunt_box", "counter.hunt_dice", state.hunt_dice[number], MOST_DICE, of=of)


def _where(place: int) -> int:
    """The number in :data:`WHERE` of a character's place."""
    if place >= 0:
        return len(OFF_BOARD) + place
    return list(OFF_BOARD.values()).index(place)


def _stance(state: State, nation: int) -> str:
    if not state.steps[nation]:
        return "at_war"
    return f"{'active' if state.awake >> nation & 1 else 'passive'}_{state.steps[nation]}"


def _beside_corrections(state: State, counts: Mapping[str, int], changed: Sequence[str]) -> Corrections:
    found = [_one(key, counts[key]) for key in changed if not key.startswith(_TOGETHER)]
    for seat in SEATS:
        if any(key.startswith(f"hand.{seat}.") for key in changed):
            found.append(
                {"do": "hand", "seat": seat, **{name: counts[f"hand.{seat}.{name}"] for name in DECKS}}
            )
        if any(key.startswith(f"dice.{seat}.") for key in changed):
            found.append(_dice(seat, counts))
    for tile in dict.fromkeys(key.split(".")[1] for key in changed if key.startswith("tile.")):
        found.append(
            {"do": "tile", "tile": tile, **{kind: counts[f"tile.{tile}.{kind}"] for kind in TILE_PLACES}}
        )
    return found


_TOGETHER = ("hand.", "dice.", "tile.")


def _dice(seat: str, counts: Mapping[str, int]) -> dict[str, Any]:
    faces = DICE[ACTION_DIE[SEATS.index(seat)]].distinct_faces
    lie = {
        kind: {f: counts[f"dice.{seat}.{kind}.{f}"] for f in faces if counts[f"dice.{seat}.{kind}.{f}"]}
        for kind in ("unused", "used")
    }
    return {"do": "dice", "seat": seat, **lie, "hunt_box": counts[f"dice.{seat}.hunt_box"]}


def _one(key: str, value: int) -> dict[str, Any]:
    do, _, name = key.partition(".")
    if do == "character":
        return {"do": do, "character": name, "place": WHERE[value]}
    if do == "politics":
        at_peace = POLITICS[:FURTHEST] if SEAT_OF_NATION[NATIONS.index(name)] == SHADOW else POLITICS[:-1]
        side, _, steps = (*at_peace, POLITICS[-1])[value].partition("_")
        at_war = steps == "war"
        return {
            "do": do,
            "nation": name,
            "steps": 0 if at_war else int(steps),
            "active": int(side != "passive"),
        }
    if do == "fallen":
        return {"do": do, "figure": name, "value": value}
    if do == "rings":
        return {"do": do, "seat": name, "value": value}
    if do == "to_act":
        return {"do": do, "seat": SEATS[value]}
    if do == "ring_bearers":
        return {"do": do, "place": REGIONS[value]}
    if do == "guide":
        return {"do": do, "character": GUIDES[value]}
    return {"do": do, "value": value - 1 if do == "mordor" else value}
