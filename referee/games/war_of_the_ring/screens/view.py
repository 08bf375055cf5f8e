"""What screens show of a position, in the house's generic form.

Hands are physical, so nothing in a state is secret from either seat.
"""

from __future__ import annotations

from typing import Any

from referee.games.kit import view as kit
from referee.games.kit.view import Text
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.house import DEFAULT_HOUSE_RULES
from referee.games.war_of_the_ring.box.map import PLACES, SEAT_OF_REGION, places_in
from referee.games.war_of_the_ring.rules.setup import standing
from referee.games.war_of_the_ring.rules.victory import POINTS_TO_WIN, points
from referee.games.war_of_the_ring.screens.combat_view import combat_focus
from referee.games.war_of_the_ring.state.armies import GROUP
from referee.games.war_of_the_ring.state.state import ELIMINATED, IN_FELLOWSHIP, SCHEMA, State
from referee.kernel.messages import Messages

PHASE_RULES = (
    "setup.armies",
    "turn.recover_dice",
    "fellowship.declare",
    "hunt.allocation",
    "turn.action_roll",
    "turn.alternate",
    "victory.order",
)


ALWAYS_SEEN = ("rings", "hunt_dice", "hunt_tiles")
"""Counters that stand on the screen of every size, by their short names."""


def view(messages: Messages, state: State, seat: str | None, language: str) -> dict[str, Any]:
    """The view as JSON; ``seat`` makes no difference in this game."""
    state = standing(state)
    text = kit.in_language(messages, language)
    over = state.winner >= 0
    phase = kit.phase_id(state.phase, over)
    return {
        "turn": state.turn,
        "phase": {
            "id": phase,
            "title": text(f"phase.{phase}"),
            "rule": state.winning_rule if over else PHASE_RULES[state.phase],
        },
        "to_act": box.SEATS[state.active] if state.phase == 5 and state.step and not over else None,
        "places": _places(state, text),
        "seats": {name: _seat(state, index, text) for index, name in enumerate(box.SEATS)},
        "tracks": _tracks(state, text),
        "scores": kit.scores([points(state, seat) for seat in (0, 1)], POINTS_TO_WIN, box.SEATS, text),
        "focus": combat_focus(state, language, messages),
        "notes": _notes(state, text),
    }


def _places(state: State, text: Text) -> dict[str, Any]:
    return kit.places(
        PLACES,
        lambda place: kit.owner_of(state.armies, box.SEATS, place),
        lambda place: _pieces(state, place, text),
        lambda place: _markers(state, place, text),
    )


def _pieces(state: State, place: int, text: Text) -> list[dict[str, Any]]:
    group = GROUP[state.figures[place]]
    pieces = [
        kit.piece(
            "unit",
            box.FIGURES[figure],
            group.counts[box.FIGURES[figure]],
            box.SEATS[box.SEAT_OF[figure]],
            text,
        )
        for figure in group.kinds
    ]
    for character in places_in(state.chars[place]):
        pieces.append(
            kit.piece(
                "character", box.CHARACTERS[character], 1, box.SEATS[box.SEAT_OF_CHARACTER[character]], text
            )
        )
    if state.ring == place and state.mordor < 0:
        pieces.append(kit.piece("character", "ring_bearers", 1, box.SEATS[box.FREE], text))
    return pieces


def _markers(state: State, place: int, text: Text) -> list[dict[str, Any]]:
    if not state.captured >> place & 1:
        return []
    holder = 1 - SEAT_OF_REGION[place]
    return [{"id": "control", "name": text("marker.control"), "count": 1, "seat": box.SEATS[holder]}]


def _seat(state: State, seat: int, text: Text) -> dict[str, Any]:
    numbers = list(SCHEMA.counters(state, seat, ("hand", "deck", "pool", "rings", "hunt_dice")))
    if seat == box.SHADOW:
        numbers.append(("hunt_tiles", sum(state.tiles)))
    return {
        "name": text(f"seat.{box.SEATS[seat]}"),
        "dice": kit.dice(state.unused[seat], state.used[seat], box.FACES, text),
        "counters": kit.counters(numbers, text, short=ALWAYS_SEEN),
        "pieces_off_board": _off_board(state, seat, text),
    }


def _off_board(state: State, seat: int, text: Text) -> list[dict[str, Any]]:
    pieces = [
        kit.piece("unit", name, state.supply[figure], box.SEATS[seat], text)
        for figure, name in enumerate(box.FIGURES)
        if box.SEAT_OF[figure] == seat and state.supply[figure]
    ]
    for character in places_in(box.CHARACTERS_OF_SEAT[seat]):
        if state.where[character] < 0 and state.where[character] != ELIMINATED:
            pieces.append(kit.piece("character", box.CHARACTERS[character], 1, box.SEATS[seat], text))
    return pieces


# --- tracks -----------------------------------------------------------------------------------------


def _tracks(state: State, text: Text) -> list[dict[str, Any]]:
    return [_fellowship_track(state, text), *_mordor_track(state, text), _political_track(state, text)]


def _fellowship_track(state: State, text: Text) -> dict[str, Any]:
    """Progress and corruption share one track, 0 to 12."""
    limit = box.CORRUPTION_LIMIT
    progress = text("track.progress_hidden" if state.hidden else "track.progress_revealed")
    corruption = text("track.corruption"), text("track.corruption.short")
    markers = [
        kit.on_track(progress, text("track.progress.short"), min(state.progress, limit), box.SEATS[box.FREE]),
        kit.on_track(*corruption, min(state.corruption, limit), box.SEATS[box.SHADOW]),
    ]
    return kit.track("fellowship", limit + 1, text, markers=markers)


def _mordor_track(state: State, text: Text) -> list[dict[str, Any]]:
    if state.mordor < 0:
        return []
    end = box.CRACK_OF_DOOM
    marks = [{"at": end, "name": text("track.crack_of_doom"), "id": "crack_of_doom"}]
    return [kit.track("mordor", end + 1, text, marker=state.mordor, marks=marks)]


def _political_track(state: State, text: Text) -> dict[str, Any]:
    """Four boxes: three steps away, two, one, At War; passive nations are dim."""
    markers = [
        kit.on_track(
            text(f"nation.{name}"),
            text(f"nation.{name}.short"),
            3 - state.steps[nation],
            box.SEATS[box.SEAT_OF_NATION[nation]],
            dim=not state.awake >> nation & 1,
        )
        for nation, name in enumerate(box.NATIONS)
    ]
    spaces = [text(f"track.politics.{steps}") for steps in (3, 2, 1, 0)]
    return kit.track("politics", 4, text, spaces=spaces, markers=markers)


def _notes(state: State, text: Text) -> list[str]:
    notes = [text("note.edition", edition=text(f"edition.{state.edition.id}"))]
    companions = [box.CHARACTERS[c] for c, where in enumerate(state.where) if where == IN_FELLOWSHIP]
    names = ", ".join(text(f"character.{name}") for name in companions)
    notes.append(text("note.companions", names=names) if names else text("note.alone"))
    if state.guide >= 0:
        notes.append(text("note.guide", name=text(f"character.{box.CHARACTERS[state.guide]}")))
    notes += [text("note.card", card=text(f"card.{card}")) for card in state.table_cards]
    waiting = [text(f"tile.{tile.id}") for t, tile in enumerate(box.TILES) if state.tiles_ready[t]]
    if waiting:
        notes.append(text("note.tiles_ready", tiles="; ".join(waiting)))
    fallen = sum(state.fallen[: box.UNIT_COUNT])
    if fallen:
        notes.append(text("note.fallen", count=fallen))
    return notes + kit.notes_of_house(state.house, DEFAULT_HOUSE_RULES, text)
