"""What screens show of a position, in the house's generic form.

Hands are physical, so nothing in a state is secret from either seat.
"""

from __future__ import annotations

from typing import Any

from referee.games.five_armies.box.components import (
    BATS_IN_BOX,
    BEORN,
    BOLG,
    CHARACTERS,
    EAGLES_IN_BOX,
    FACES,
    FATE_END,
    FREE,
    GROUPS_OF_SEAT,
    LORD,
    SEAT_OF_CHARACTER,
    SEAT_OF_GROUP,
    SEATS,
    SHADOW,
    TOKEN_GROUPS,
    UNITS,
    UNITS_OF_SEAT,
)
from referee.games.five_armies.box.house import DEFAULT_HOUSE_RULES
from referee.games.five_armies.box.map import (
    EYRIE,
    FORTIFICATION_INDEX,
    MUSTER_OF_PASS,
    PASSES,
    PLACE,
    PLACES,
    places_in,
)
from referee.games.five_armies.rules.characters import is_ready
from referee.games.five_armies.rules.victory import POINTS_TO_WIN, points
from referee.games.five_armies.screens.combat_view import combat_view
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import ELIMINATED, IN_TERRITORY_OF, State
from referee.games.kit.view import (
    Text,
    counters,
    dice,
    in_language,
    notes_of_house,
    owner_of,
    phase_id,
    piece,
    places,
)
from referee.kernel.messages import Messages

OVER_TERRITORY: dict[int, int] = {
    t: PLACE[name]
    for t, name in enumerate(("bl_upper_plain", "v_northeast_plain", "eb_north_plain", "ss_middle"))
}
"""Where screens draw Eagles and bats that are over a territory (the exact region does not matter)."""
PHASE_RULES = (
    "setup.starting_armies",
    *(
        f"turn.{rule}"
        for rule in (
            "p1_take_dice",
            "six_phases",
            "six_phases",
            "six_phases",
            "p5_alternate",
            "p6_victory_check",
        )
    ),
)


def view(messages: Messages, state: State, seat: str | None, language: str) -> dict[str, Any]:
    """The view as JSON; ``seat`` makes no difference in this game."""

    text = in_language(messages, language)
    over = state.winner >= 0
    phase = phase_id(state.phase, over)
    return {
        "turn": state.turn,
        "turn_title": text("turn.title", turn=state.turn),
        "phase": {"id": phase, "title": text(f"phase.{phase}"), "rule": _phase_rule(state)},
        "to_act": SEATS[state.active] if state.phase == 5 and state.step and not over else None,
        "places": _places(state, text),
        "seats": {name: _seat(state, index, text) for index, name in enumerate(SEATS)},
        "tracks": [_fate_track(state, text)],
        "scores": [
            {
                "id": "vp",
                "name": text("score.vp"),
                "value": points(state),
                "target": POINTS_TO_WIN,
                "seat": SEATS[SHADOW],
            }
        ],
        "focus": combat_view(state, language, text),
        "notes": _notes(state, text),
    }


def _phase_rule(state: State) -> str:
    if state.winner >= 0:
        return state.winning_rule
    return PHASE_RULES[state.phase]


def _places(state: State, text: Text) -> dict[str, Any]:
    return places(
        PLACES,
        lambda place: owner_of(state.armies, SEATS, place),
        lambda place: _pieces(state, place, text),
        lambda place: _markers(state, place, text),
    )


def _pieces(state: State, place: int, text: Text) -> list[dict[str, Any]]:
    pieces = []
    if state.units[place]:
        army = ARMY[state.units[place]]
        pieces = [piece("unit", unit, number, SEATS[army.seat], text) for unit, number in army.counts.items()]
    for character in places_in(state.chars[place]):
        pieces.append(piece("character", CHARACTERS[character], 1, SEATS[SEAT_OF_CHARACTER[character]], text))
    if place == EYRIE and state.eagles[4]:
        pieces.append(piece("special", "eagles", state.eagles[4], SEATS[FREE], text))
    for territory, drawn_at in OVER_TERRITORY.items():
        if drawn_at != place:
            continue
        if state.eagles[territory]:
            pieces.append(piece("special", "eagles", state.eagles[territory], SEATS[FREE], text))
        if state.where[LORD] == IN_TERRITORY_OF + territory:
            pieces.append(piece("character", CHARACTERS[LORD], 1, SEATS[FREE], text))
        if state.bats[territory]:
            pieces.append(piece("special", "great_bats", state.bats[territory], SEATS[SHADOW], text))
    return pieces


def _markers(state: State, place: int, text: Text) -> list[dict[str, Any]]:
    markers: list[dict[str, Any]] = []

    def add(marker: str, number: int, seat: int | None = None, name: str = "") -> None:
        if number:
            markers.append(
                {
                    "id": marker,
                    "name": name or text(f"marker.{marker}"),
                    "count": number,
                    "seat": None if seat is None else SEATS[seat],
                }
            )

    bit = 1 << place
    owner = FREE if state.armies[FREE] & bit else SHADOW
    add("damage", state.damage[place], owner)
    add("leadership", state.leaders[place], owner)
    add("control", 1 if state.control & bit else 0, SHADOW)
    for group, laid in enumerate(state.tokens):
        name = f"{text('marker.token')}: {text(f'token_group.{TOKEN_GROUPS[group]}')}"
        add("token", laid.get(place, 0), SEAT_OF_GROUP[group], name)
    if place in FORTIFICATION_INDEX:
        add("fortification", state.fort_damage[FORTIFICATION_INDEX[place]])
    if place in MUSTER_OF_PASS and state.closed_passes & bit:
        add("closed_pass", 1)
    if state.where[BEORN] == place:
        add("wrath", state.wrath, FREE)
    if state.where[BOLG] == place:
        add("bodyguard", state.bodyguards, SHADOW)
    return markers


def _seat(state: State, seat: int, text: Text) -> dict[str, Any]:
    numbers = [
        ("hand_event", state.hand_event[seat]),
        ("hand_story", state.hand_story[seat]),
        ("story_deck", state.story_deck[seat]),
        ("event_deck", state.event_deck),
        ("pool", state.pool[seat]),
    ]
    if seat == FREE:
        numbers.append(("wrath", state.wrath))
    else:
        numbers += [("bodyguards", state.bodyguards), ("fate_tiles", state.fate_tiles)]
    shown = counters(numbers, text)
    for group in GROUPS_OF_SEAT[seat]:
        name = TOKEN_GROUPS[group]
        shown.append(
            {
                "id": f"token_pool.{name}",
                "name": text("counter.token_pool", group=text(f"token_group.{name}")),
                "value": state.token_pool[group],
            }
        )
    return {
        "name": text(f"seat.{SEATS[seat]}"),
        "dice": dice(state.unused[seat], state.used[seat], FACES, text),
        "counters": shown,
        "pieces_off_board": _off_board(state, seat, text),
    }


def _off_board(state: State, seat: int, text: Text) -> list[dict[str, Any]]:
    pieces = [
        piece("unit", UNITS[unit], state.supply[unit], SEATS[seat], text)
        for unit in UNITS_OF_SEAT[seat]
        if state.supply[unit]
    ]
    for character, where in enumerate(state.where):
        if SEAT_OF_CHARACTER[character] == seat and where < 0 and where != ELIMINATED:
            pieces.append(piece("character", CHARACTERS[character], 1, SEATS[seat], text))
    name, left = ("eagles", EAGLES_IN_BOX - sum(state.eagles))
    if seat == SHADOW:
        name, left = ("great_bats", BATS_IN_BOX - sum(state.bats))
    if left:
        pieces.append(piece("special", name, left, SEATS[seat], text))
    return pieces


def _fate_track(state: State, text: Text) -> dict[str, Any]:
    marks = [
        {"at": space, "name": text(f"character.{CHARACTERS[character]}"), "id": CHARACTERS[character]}
        for character, space in enumerate(state.fate_space)
        if space >= 0 and state.where[character] == -1
    ]
    return {
        "id": "fate",
        "name": text("track.fate"),
        "length": FATE_END,
        "marker": state.fate,
        "marks": sorted(marks, key=lambda mark: mark["at"]),
    }


def _notes(state: State, text: Text) -> list[str]:
    notes = [text("note.card", card=text(f"card.{card}")) for card in state.table_cards]
    if state.activated:
        names = ", ".join(text(f"character.{CHARACTERS[c]}") for c in places_in(state.activated))
        notes.append(text("note.activated", characters=names))
    ready = [text(f"character.{name}") for c, name in enumerate(CHARACTERS) if is_ready(state, c)]
    if ready:
        notes.append(text("note.ready", characters=", ".join(ready)))
    for place in places_in(PASSES & ~state.closed_passes):
        notes.append(text("note.pass_open", place=text(f"place.{PLACES[place]}")))
    return notes + notes_of_house(state.house, DEFAULT_HOUSE_RULES, text)
