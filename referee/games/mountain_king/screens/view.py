"""What screens show of a position, in the house's generic form.

Hands, scouted gnomes and gate cards are physical: the state knows who has looked, not what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games.kit.places import places_in
from referee.games.kit.view import Text, counters, in_language, notes_of_house, piece
from referee.games.mountain_king.box.box import PRACTICE
from referee.games.mountain_king.box.components import CHAMPIONS, CLANS, HALLS, LAP, PLACES, SEATS
from referee.games.mountain_king.box.house import DEFAULT_HOUSE_RULES
from referee.games.mountain_king.rules.actions import strongest
from referee.games.mountain_king.rules.ancestry import receiver
from referee.games.mountain_king.rules.caverns import controller
from referee.games.mountain_king.rules.invasion import breach_gnomes
from referee.games.mountain_king.rules.pieces import figures
from referee.games.mountain_king.rules.scoring import all_votes, elders_of
from referee.games.mountain_king.screens.surfaces import surfaces
from referee.games.mountain_king.state.state import ANCESTRY, FRAY, NOBODY, State, playing
from referee.games.mountain_king.state.tokens import HIDDEN, TOKENS
from referee.games.mountain_king.state.tracks import Track
from referee.kernel.messages import Messages

PHASE_RULES = (
    "setup.lair_order",
    "pedigree.simultaneous",
    "turn.order",
    "invasion.wave_end",
    "refresh.cubes",
)


def view(messages: Messages, state: State, seat: str | None, language: str) -> dict[str, Any]:
    """The view as JSON; ``seat`` only puts its own sheets first."""
    text = in_language(messages, language)
    over = state.winner >= 0
    phase = "over" if over else str(state.phase) if state.phase else "setup"
    return {
        "turn": state.turn,
        "turn_title": text("turn.title", turn=state.turn),
        "phase": {
            "id": phase,
            "title": text(f"phase.{phase}"),
            "rule": state.winning_rule if over else PHASE_RULES[state.phase],
        },
        "to_act": SEATS[state.active] if state.phase == FRAY and not over else None,
        "order": [SEATS[one] for one in playing(state)],
        "places": _places(state, text),
        "seats": {SEATS[one]: _seat(state, one, text) for one in places_in(state.seats)},
        "tracks": [_votes(state, clan, text) for clan in state.box.tracks],
        "sheets": surfaces(state, seat, text),
        "scores": [
            {
                "id": f"honour_{SEATS[one]}",
                "name": text("score.honour"),
                "value": state.honour[one],
                "target": None,
                "seat": SEATS[one],
            }
            for one in places_in(state.seats)
        ],
        "focus": None,
        "notes": _notes(state, text),
    }


# --- the board ------------------------------------------------------------------------------------------


def _places(state: State, text: Text) -> dict[str, Any]:
    found = {}
    for place in places_in(state.box.caverns | state.box.lairs):
        pieces, markers = [*_pieces(state, place, text)], [*_gnomes(state, place, text)]
        markers += _stars(state, PLACES[place], text)
        if pieces or markers:
            owner = controller(state, place)
            found[PLACES[place]] = {
                "owner": None if owner == NOBODY else SEATS[owner],
                "pieces": pieces,
                "markers": markers,
            }
    for hall, name in enumerate(HALLS[: len(state.box.halls)]):
        if state.halls[hall]:
            scored = "marker.hall_scored" if state.halls_scored >> hall & 1 else "marker.hall_honour"
            told = _marker("hall", text(scored), state.halls[hall])
            found[name] = {"owner": None, "pieces": [], "markers": [told, *_stars(state, name, text)]}
    if state.swarm >= 0:
        told = _marker("swarm", text("marker.swarm"), 1)
        found[f"swarm_{CLANS[state.swarm]}"] = {"owner": None, "pieces": [], "markers": [told]}
    return found


def _pieces(state: State, place: int, text: Text) -> Iterator[dict[str, Any]]:
    for seat, name in enumerate(SEATS):
        if state.trolls[seat][place]:
            yield piece("unit", "troll", state.trolls[seat][place], name, text)
        for champion in figures(state, seat, place):
            yield {
                "id": CHAMPIONS[champion],
                "name": text("champion.number", number=champion + 1),
                "short": f"C{champion + 1}",
                "count": 1,
                "seat": name,
                "kind": "character",
            }


def _gnomes(state: State, place: int, text: Text) -> Iterator[dict[str, Any]]:
    for token in TOKENS[state.gnomes[place]]:
        if token:
            kind = "gnome" if token == HIDDEN else f"gnome_{token}"
            yield _marker(kind, text(f"marker.{kind}"), 1)
    for seat in places_in(state.looked[place]):
        yield _marker("looked", text("cell.looked", seat=text(f"seat.{SEATS[seat]}")), 1, SEATS[seat])


def _stars(state: State, name: str, text: Text) -> list[dict[str, Any]]:
    return [
        _marker("star", text("cell.star", number=CHAMPIONS.index(champion) + 1), 1)
        for champion, at in state.stars.items()
        if at == name
    ]


def _marker(name: str, title: str, count: int, seat: str | None = None) -> dict[str, Any]:
    return {"id": name, "name": title, "count": count, "seat": seat}


# --- seats and tracks -----------------------------------------------------------------------------------


def _seat(state: State, seat: int, text: Text) -> dict[str, Any]:
    values = [
        ("honour", state.honour[seat]),
        ("supply", state.supply[seat]),
        ("desperation", state.desperation[seat]),
        ("stock", state.stock[seat]),
        ("boost", state.box.boosts[state.boost[seat]]),
        ("votes", all_votes(state, seat)),
        ("elders", elders_of(state, seat)),
    ]
    return {
        "name": text(f"seat.{SEATS[seat]}"),
        "dice": [],
        "counters": counters(values, text),
        "pieces_off_board": [
            piece("unit", "troll", state.stock[seat], SEATS[seat], text),
            *([_marker_piece(state, text)] if seat == state.start else []),
        ],
    }


def _marker_piece(state: State, text: Text) -> dict[str, Any]:
    name = text("marker.start_player")
    return {
        "id": "start",
        "name": name,
        "short": "1",
        "count": 1,
        "seat": SEATS[state.start],
        "kind": "token",
    }


def discs(track: Track, text: Text) -> list[dict[str, Any]]:
    """The discs of a track: its spaces begin anew after eight."""
    return [
        {
            "name": text("track.vote_discs", seat=text(f"seat.{SEATS[seat]}"), count=value),
            "short": str(value),
            "at": (value - 1) % LAP + 1,
            "seat": SEATS[seat],
        }
        for seat, value in track
    ]


def _votes(state: State, clan: int, text: Text) -> dict[str, Any]:
    tile = state.tiles[clan]
    worth = "/".join(map(str, state.box.tiles[tile])) if tile >= 0 else text("track.no_tile")
    return {
        "id": f"votes_{CLANS[clan]}",
        "name": text("track.votes", clan=text(f"clan.{CLANS[clan]}"), tile=worth),
        "length": LAP + 1,
        "marks": [],
        "markers": discs(state.votes[clan], text),
    }


# --- notes ----------------------------------------------------------------------------------------------


def _notes(state: State, text: Text) -> list[str]:
    notes = [text("note.practice")] if state.box.name == PRACTICE else []
    if state.phase == ANCESTRY and not state.step and len(playing(state)) > 1:
        ways = (
            text(
                "note.passes", seat=text(f"seat.{SEATS[one]}"), to=text(f"seat.{SEATS[receiver(state, one)]}")
            )
            for one in playing(state)
        )
        notes.append(text("note.pass", way=", ".join(ways)))
    if state.phase:
        notes.append(
            text("note.gnomes", count=state.in_stock, beside=sum(state.beside), breach=breach_gnomes(state))
        )
    if state.phase == FRAY:
        groups = (
            text("note.group", kind=text(f"kind.{kind}"), strength=strength)
            for kind, strength in strongest(state, state.active)
        )
        told = ", ".join(groups)
        if told:
            notes.append(text("note.groups", seat=text(f"seat.{SEATS[state.active]}"), groups=told))
    notes += [text("note.left", seat=text(f"seat.{SEATS[one]}")) for one in places_in(state.left)]
    return notes + notes_of_house(state.house, DEFAULT_HOUSE_RULES, text)
