"""What screens show of a position, in the house's generic form.

Hands are physical, so nothing in a state is secret from either seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games.battlelore.box.components import COUNCIL, FLAG, PLACES, SEATS
from referee.games.battlelore.box.house import DEFAULT_HOUSE_RULES
from referee.games.battlelore.box.scenario import Unit
from referee.games.battlelore.catalogue.loading import CATALOGUE
from referee.games.battlelore.rules import dice, morale
from referee.games.battlelore.rules.combat import may_fight
from referee.games.battlelore.state.fight import Fight
from referee.games.battlelore.state.state import State
from referee.games.kit.view import MarkerRow, PieceRow, Shown, Text, counters, notes_of_house, on_track, track
from referee.kernel.messages import Messages

PHASE_RULES = (
    "setup.scenario_layout",
    "command.play_one_card",
    "activate.announce_after_card",
    "move.one_after_another",
    "dice.fights_one_by_one",
    "end.draw_command_card",
)
TRACK = 10
"""Spaces of a victory track, where a battle does not need more."""


def view(messages: Messages, state: State, seat: str | None, language: str) -> dict[str, Any]:
    """The view as JSON; ``seat`` makes no difference in this game."""
    show = Shown(messages, language, SEATS)
    text = show.text
    frame = show.frame(state, PHASE_RULES)
    if state.phase and state.winner < 0:
        frame["to_act"] = SEATS[state.active]
    goals = state.field.goals
    return {
        **frame,
        "turn_title": text("turn.title", turn=state.turn),
        "places": _places(state, show),
        "seats": {name: _seat(state, number, show) for number, name in enumerate(SEATS)},
        "tracks": [_banners(state, text)],
        "scores": [
            {"id": f"banners_{name}", "name": text("score.banners"), "value": state.banners[number],
             "target": goals[number], "seat": name}
            for number, name in enumerate(SEATS)
        ],
        "focus": _fight(state, language, show),
        "notes": _notes(state, language, text),
    }  # fmt: skip


def unit_name(state: State, number: int) -> str:
    """The message id of what a unit is called now: its colour may have risen."""
    known = state.field.units[number]
    if known.colour == state.colour[number]:
        return known.name
    risen = Unit(
        known.id, known.seat, known.start, known.kind, state.colour[number], known.figures, race=known.race
    )
    return risen.name


def _places(state: State, show: Shown) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for at, name in enumerate(PLACES):
        unit = state.unit_at[at]
        marks = show.markers(_markers(state, show.text, at))
        if unit < 0 and not marks:
            continue
        pieces = show.pieces(_pieces(state, unit)) if unit >= 0 else []
        owner = SEATS[state.field.units[unit].seat] if unit >= 0 else None
        found[name] = {"owner": owner, "pieces": pieces, "markers": marks}
    return found


def _pieces(state: State, unit: int) -> Iterator[PieceRow]:
    yield "unit", unit_name(state, unit), state.figures[unit], state.field.units[unit].seat


def _markers(state: State, text: Text, at: int) -> Iterator[MarkerRow]:
    placed = state.placed.get(PLACES[at])
    if placed is not None:
        kind = placed["kind"]
        yield kind, 1, SEATS.index(placed["owner"]), text(f"special_place.{kind}")
    unit = state.unit_at[at]
    if unit < 0:
        return
    known = state.field.units[unit]
    if known.weapon not in ("none", "sword"):
        yield f"weapon_{known.weapon}", 1, known.seat, text(f"weapon.{known.weapon}")
    yield "stored", state.store[unit], known.seat, ""
    if state.ordered >> unit & 1:
        spent = state.moved >> unit & 1 and not may_fight(state, unit)
        yield "spent" if spent else "ordered", 1, known.seat, ""


def _seat(state: State, seat: int, show: Shown) -> dict[str, Any]:
    text = show.text
    numbers = [("hand", state.hand[seat])]
    if state.field.lore:
        numbers += [("tokens", state.tokens[seat]), ("lore_hand", state.lore_hand[seat])]
        levels = zip(COUNCIL, state.council[seat], strict=True)
        numbers += [(f"council_{name}", level) for name, level in levels if level]
    return {
        "name": text(f"seat.{SEATS[seat]}"),
        "dice": [],
        "counters": counters(numbers, text, [name for name, _ in numbers] if state.field.lore else ()),
        "pieces_off_board": show.pieces(_lost(state, seat)),
    }


def _lost(state: State, seat: int) -> Iterator[PieceRow]:
    """Whole units that are gone."""
    gone: dict[str, int] = {}
    for number, unit in enumerate(state.field.units):
        if unit.seat == seat and state.at[number] < 0:
            gone[unit.name] = gone.get(unit.name, 0) + 1
    yield from (("unit", name, number, seat) for name, number in gone.items())


def _banners(state: State, text: Text) -> dict[str, Any]:
    length = max(TRACK, *state.field.goals) + 1
    markers = [
        on_track(text(f"seat.{name}"), text(f"seat.{name}.short"), min(state.banners[seat], length - 1), name)
        for seat, name in enumerate(SEATS)
    ]
    marks = [
        {"at": goal, "name": text("track.banners.goal", seat=text(f"seat.{name}")), "id": name}
        for name, goal in zip(SEATS, state.field.goals, strict=True)
    ]
    return track("banners", length, text, markers=markers) | {"marks": marks}


def _notes(state: State, language: str, text: Text) -> list[str]:
    notes = [text("note.scenario", scenario=state.field.name(language))]
    if state.field.data.get("ours"):
        notes.append(text("note.ours"))
    if state.card:
        notes.append(text("note.card", card=text(f"card.{state.card}")))
    notes.append(text("note.deck", count=state.deck))
    return notes + notes_of_house(state.house, DEFAULT_HOUSE_RULES, text)


# --- a fight -----------------------------------------------------------------------------------------


def _fight(state: State, language: str, show: Shown) -> dict[str, Any] | None:
    """A running fight: who, with how many dice and why, what was rolled."""
    fight = state.fight
    if fight is None:
        return None
    text = show.text
    terrain = state.ground.kinds.get(fight.hex, ())
    sides = {}
    for unit, role in ((fight.attacker, "attacker"), (fight.target, "defender")):
        sides[SEATS[state.field.units[unit].seat]] = _side(state, fight, unit, role, language, show)
    return {
        "kind": "combat",
        "title": text(f"combat.{fight.kind}", place=text(f"place.{PLACES[fight.hex]}")),
        "place": PLACES[fight.hex],
        "from": [PLACES[fight.where]],
        "round": 0,
        "step": fight.step,
        "terrain": {"id": terrain[0], "name": text(f"terrain.{terrain[0]}")}
        if terrain and terrain[0] not in {one["kind"] for one in state.placed.values()}
        else {"id": "", "name": ""},
        "sides": sides,
    }


def _side(state: State, fight: Fight, unit: int, role: str, language: str, show: Shown) -> dict[str, Any]:
    text = show.text
    strikes = role == "attacker"
    steps = dice.reckon(state, fight) if strikes else []
    there = state.at[unit] >= 0
    why = [text(f"dice.{step}", count=count) for step, count in steps]
    if not strikes and there:
        why = [text(f"morale.{source}", count=levels) for source, levels in morale.sources(state, unit)]
    rule = "dice.count_by_colour_type" if strikes else "moral.modifiers_add"
    found: dict[str, Any] = {
        "role": role,
        "place": PLACES[fight.where if strikes else fight.hex],
        "pieces": show.pieces(_pieces(state, unit)) if there else [],
        "dice": steps[-1][1] if steps else None,
        "hits": fight.hits if strikes and fight.faces else None,
        "why": why,
        "target_why": {"rule": rule, "text": CATALOGUE[rule].sentence(language)},
        "rolled": [],
    }
    if strikes:
        colour = text(f"colour.{('green', 'blue', 'red')[state.colour[fight.target]]}")
        found["rolled"] = [
            {
                "type": "battle",
                "face": face,
                "text": text(f"face.{face}"),
                "hit": _hits(state, fight, face),
                "flag": face == FLAG,
            }
            for face in fight.faces
        ]
        found["colour"] = colour
    return found


def _hits(state: State, fight: Fight, face: str) -> bool:
    """Whether a face by itself would hit this target."""
    alone = Fight()
    alone.attacker, alone.target, alone.kind = fight.attacker, fight.target, fight.kind
    alone.where, alone.hex, alone.faces = fight.where, fight.hex, [face]
    return dice.hits(state, alone) > 0
