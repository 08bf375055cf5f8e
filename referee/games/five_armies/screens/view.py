"""What screens show of a position, in the house's generic form.

Hands are physical, so nothing in a state is secret from either seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import CHARACTERS, FREE, LORD, SEATS, SHADOW, TOKEN_GROUPS
from referee.games.five_armies.box.house import DEFAULT_HOUSE_RULES
from referee.games.five_armies.box.map import PLACE, PLACES, places_in
from referee.games.five_armies.rules.characters import is_ready
from referee.games.five_armies.rules.victory import POINTS_TO_WIN, points
from referee.games.five_armies.screens.combat_view import combat_view
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import IN_TERRITORY_OF, NOT_IN_PLAY, State
from referee.games.kit.view import MarkerRow, PieceRow, Shown, Text, counters, dice, notes_of_house, track
from referee.kernel.messages import Messages

OVER_TERRITORY: dict[int, int] = {
    PLACE[name]: territory
    for territory, name in enumerate(("bl_upper_plain", "v_northeast_plain", "eb_north_plain", "ss_middle"))
}
"""Where screens draw Eagles and bats that are over a territory (the exact region does not matter)."""
PHASE_RULES = (
    "setup.starting_armies",
    "turn.p1_take_dice",
    *("turn.six_phases",) * 3,
    "turn.p5_alternate",
    "turn.p6_victory_check",
)
_NUMBERS = ("hand_event", "hand_story", "story_deck", "event_deck", "pool")
_NUMBERS_OF_SEAT = (("wrath",), ("bodyguards", "fate_tiles"))


def view(messages: Messages, state: State, seat: str | None, language: str) -> dict[str, Any]:
    """The view as JSON; ``seat`` makes no difference in this game."""
    show = Shown(messages, language, SEATS)
    text = show.text
    score = {"name": text("score.vp"), "value": points(state), "target": POINTS_TO_WIN, "seat": SEATS[SHADOW]}
    return {
        **show.frame(state, PHASE_RULES),
        "turn_title": text("turn.title", turn=state.turn),
        "places": show.places(state, PLACES, partial(_pieces, state), partial(_markers, state, text)),
        "seats": {name: _seat(state, index, show) for index, name in enumerate(SEATS)},
        "tracks": [_fate_track(state, text)],
        "scores": [{"id": "vp", **score}],
        "focus": combat_view(state, language, text),
        "notes": _notes(state, text),
    }


def _pieces(state: State, place: int) -> Iterator[PieceRow]:
    army = ARMY[state.units[place]]
    for unit, number in army.counts.items():
        yield "unit", unit, number, army.seat
    for character in places_in(state.chars[place]):
        yield "character", CHARACTERS[character], 1, box.SEAT_OF_CHARACTER[character]
    if place == board.EYRIE:
        yield "special", "eagles", state.eagles[-1], FREE
    territory = OVER_TERRITORY.get(place)
    if territory is not None:
        yield "special", "eagles", state.eagles[territory], FREE
        yield "character", CHARACTERS[LORD], int(state.where[LORD] == IN_TERRITORY_OF + territory), FREE
        yield "special", "great_bats", state.bats[territory], SHADOW


def _markers(state: State, text: Text, place: int) -> Iterator[MarkerRow]:
    owner = FREE if state.armies[FREE] >> place & 1 else SHADOW
    yield "damage", state.damage[place], owner, ""
    yield "leadership", state.leaders[place], owner, ""
    yield "control", state.control >> place & 1, SHADOW, ""
    for group, laid in enumerate(state.tokens):
        if place in laid:
            name = f"{text('marker.token')}: {text(f'token_group.{TOKEN_GROUPS[group]}')}"
            yield "token", laid[place], box.SEAT_OF_GROUP[group], name
    fort = board.FORTIFICATION_INDEX.get(place)
    yield "fortification", 0 if fort is None else state.fort_damage[fort], None, ""
    yield "closed_pass", board.PASSES & state.closed_passes & 1 << place and 1, None, ""
    yield "wrath", state.wrath * (state.where[box.BEORN] == place), FREE, ""
    yield "bodyguard", state.bodyguards * (state.where[box.BOLG] == place), SHADOW, ""


def _seat(state: State, seat: int, show: Shown) -> dict[str, Any]:
    text = show.text
    values = ((name, getattr(state, name)) for name in (*_NUMBERS, *_NUMBERS_OF_SEAT[seat]))
    numbers = ((name, value if isinstance(value, int) else value[seat]) for name, value in values)
    tokens = [
        {
            "id": f"token_pool.{TOKEN_GROUPS[group]}",
            "name": text("counter.token_pool", group=text(f"token_group.{TOKEN_GROUPS[group]}")),
            "value": state.token_pool[group],
        }
        for group in box.GROUPS_OF_SEAT[seat]
    ]
    return {
        "name": text(f"seat.{SEATS[seat]}"),
        "dice": dice(state.unused[seat], state.used[seat], box.FACES, text),
        "counters": counters(numbers, text) + tokens,
        "pieces_off_board": show.pieces(_off_board(state, seat)),
    }


def _off_board(state: State, seat: int) -> Iterator[PieceRow]:
    for unit in box.UNITS_OF_SEAT[seat]:
        yield "unit", box.UNITS[unit], state.supply[unit], seat
    for character, where in enumerate(state.where):
        if box.SEAT_OF_CHARACTER[character] == seat and where == NOT_IN_PLAY:
            yield "character", CHARACTERS[character], 1, seat
    if seat == FREE:
        yield "special", "eagles", box.EAGLES_IN_BOX - sum(state.eagles), seat
    else:
        yield "special", "great_bats", box.BATS_IN_BOX - sum(state.bats), seat


def _fate_track(state: State, text: Text) -> dict[str, Any]:
    waiting = ((space, c) for c, space in enumerate(state.fate_space) if state.where[c] == NOT_IN_PLAY)
    marks = [
        {
            "at": space,
            "name": text(f"character.{CHARACTERS[c]}"),
            "short": text(f"track.fate.{CHARACTERS[c]}"),
            "id": CHARACTERS[c],
        }
        for space, c in sorted(waiting)
        if space >= 0
    ]
    return track("fate", box.FATE_END, text, marker=state.fate, marks=marks)


def _notes(state: State, text: Text) -> list[str]:
    def names(characters: Any) -> str:
        return ", ".join(text(f"character.{CHARACTERS[character]}") for character in characters)

    notes = [text("note.card", card=text(f"card.{card}")) for card in state.table_cards]
    if state.activated:
        notes.append(text("note.activated", characters=names(places_in(state.activated))))
    ready = [character for character in range(len(CHARACTERS)) if is_ready(state, character)]
    if ready:
        notes.append(text("note.ready", characters=names(ready)))
    for place in places_in(board.PASSES & ~state.closed_passes):
        notes.append(text("note.pass_open", place=text(f"place.{PLACES[place]}")))
    return notes + notes_of_house(state.house, DEFAULT_HOUSE_RULES, text)
