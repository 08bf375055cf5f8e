"""What may be said of all that is beside the board, and the primitives for it; see :mod:`correct`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.games.five_armies.box.components import CHARACTERS, DICE, FACES, FATE_END, SEATS, WRATH_MOST
from referee.games.five_armies.box.map import PLACES, TERRITORIES
from referee.games.five_armies.state.state import IN_TERRITORY_OF, NOT_IN_PLAY, State
from referee.kernel.corrections import Item

OFF = ("not_in_play", "eliminated")
WHERE = (*OFF, *PLACES, *TERRITORIES)
MOST_DICE, MOST_FLYING, MOST_BODYGUARDS = 9, 6, 3
FLYING = {"eagles": (*TERRITORIES, "eyrie"), "bats": TERRITORIES}
LABELS = {"eagles": "special.eagles", "bats": "special.great_bats"}


def beside_form(state: State) -> Sequence[Item]:
    """Everything beside the board that a primitive can change, except what the box book tells."""
    return (*_plain(state), *_flying(state), *_characters(state), *_dice(state))


def _plain(state: State) -> Iterator[Item]:
    yield Item("to_act", "correction.label.to_act", state.active, 1, options=SEATS, domain="seat")
    yield Item("fate", "track.fate", state.fate, FATE_END - 1)
    yield Item("wrath", "counter.wrath", state.wrath, WRATH_MOST)
    yield Item("bodyguards", "counter.bodyguards", state.bodyguards, MOST_BODYGUARDS)
    for number, seat in enumerate(SEATS):
        decks = {"event": (state.hand_event, state.event_deck), "story": (state.hand_story, None)}
        for kind, (hands, deck) in decks.items():
            left = state.story_deck[number] if deck is None else deck
            most = hands[number] + left
            yield Item(
                f"hand.{seat}.{kind}", f"counter.hand_{kind}", hands[number], most, of=(f"seat.{seat}",)
            )


def _flying(state: State) -> Iterator[Item]:
    for kind, over in FLYING.items():
        for count, where in zip(getattr(state, kind), over, strict=True):
            place = f"territory.{where}" if where in TERRITORIES else f"place.{where}"
            yield Item(f"{kind}.{where}", place, count, MOST_FLYING, of=(LABELS[kind],))


def _characters(state: State) -> Iterator[Item]:
    for number, name in enumerate(CHARACTERS):
        label = f"character.{name}"
        here = _where(state.where[number])
        yield Item(f"character.{name}", label, here, len(WHERE) - 1, options=WHERE, domain="correction.where")
        yield Item(f"activated.{name}", "marker.activation", state.activated >> number & 1, 1, of=(label,))


def _where(place: int) -> int:
    """The number in :data:`WHERE` of a character's place."""
    if place < 0:
        return 0 if place == NOT_IN_PLAY else 1
    if place >= IN_TERRITORY_OF:
        return len(OFF) + len(PLACES) + place - IN_TERRITORY_OF
    return len(OFF) + place


def _dice(state: State) -> Iterator[Item]:
    for number, seat in enumerate(SEATS):
        die = f"{seat}_action"
        for kind in ("unused", "used"):
            for face in DICE[die].distinct_faces:
                count = getattr(state, kind)[number][FACES.index(face)]
                of = (f"die.{die}", f"correction.label.{kind}")
                yield Item(f"dice.{seat}.{kind}.{face}", f"face.{face}", count, MOST_DICE, of=of)


def beside_corrections(state: State, wanted: Mapping[str, int]) -> list[dict[str, Any]]:
    """The primitives that make ``wanted`` (by the form's keys) true."""
    form = beside_form(state)
    counts = {item.key: wanted.get(item.key, item.count) for item in form}
    changed = [item.key for item in form if counts[item.key] != item.count]
    found = [_one(key, counts[key]) for key in changed if not key.startswith(("dice.", "hand."))]
    for seat in SEATS:
        if any(key.startswith(f"hand.{seat}.") for key in changed):
            cards = {kind: counts[f"hand.{seat}.{kind}"] for kind in ("event", "story")}
            found.append({"do": "hand", "seat": seat, **cards})
        if any(key.startswith(f"dice.{seat}.") for key in changed):
            faces = DICE[f"{seat}_action"].distinct_faces
            lie = {kind: _some(counts, f"dice.{seat}.{kind}.", faces) for kind in ("unused", "used")}
            found.append({"do": "dice", "seat": seat, **lie})
    return found


def _some(counts: Mapping[str, int], prefix: str, faces: Sequence[str]) -> dict[str, int]:
    return {face: counts[prefix + face] for face in faces if counts[prefix + face]}


def _one(key: str, value: int) -> dict[str, Any]:
    do, _, name = key.partition(".")
    if do in FLYING:
        return {"do": do, "territory": name, "value": value}
    if do == "character":
        return {"do": do, "character": name, "place": WHERE[value]}
    if do == "activated":
        return {"do": do, "character": name, "value": value}
    if do == "to_act":
        return {"do": do, "seat": SEATS[value]}
    return {"do": do, "value": value}
