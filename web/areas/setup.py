"""Set-up and calibration, reachable from the start page: box book, house rules; camera, dice, lights.

Looking is free for whoever may start a game here; so is changing (see :func:`web.areas.start.may_start`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from calibration.boxbook import BoxBook, Entry
from referee.kernel.capabilities import MakesBattles
from referee.kernel.forms import CERTAINTIES, STEPS, Field, Slot, StepKind, house_rules_form_of
from referee.kernel.messages import said_in
from web.areas.start import BATTLE, may_start
from web.battles import kept_battles
from web.boards import game_board_json
from web.context import RequestRefused, Web, body
from web.host import workbench
from web.words import name_of, sentence, ui

SHEETS = {
    "book": "book",
    "camera": "camera",
    "dice": "teach",
    "leds": "leds",
    "battles": "battles",
    "board": "capture",
}
"""Pages of this area and the script of each."""
MOST_CHANGES = 200
MOST_TEXT = 8_000
"""Characters of one value as JSON: a long program of steps takes a tenth of it."""


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("setup", __name__)

    @area.get("/setup")
    def page() -> str:
        web.page_session()
        return render_template("setup.html", page="setup")

    @area.get("/setup/<sheet>")
    def sheet_page(sheet: str) -> str:
        if sheet not in SHEETS:
            raise RequestRefused("not_found", 404)
        web.page_session()
        return render_template("sheet.html", page=f"setup-{sheet}", script=SHEETS[sheet])

    @area.get("/api/setup")
    def overview() -> Response:
        language = web.language()
        games = [{"id": g.id, "title": said_in(g.title, language)} for g in web.hall.games()]
        making = any(isinstance(game, MakesBattles) for game in web.hall.games())
        ready = workbench(web.hall) is not None
        # pages that are about one game begin with the one on the table
        game = "" if web.hall.table is None else web.hall.table.header["game"]
        return jsonify(games=games, game=game, battles=making, ready=ready, may_change=may_start(web))

    @area.get("/api/setup/board/<game_id>")
    def board(game_id: str) -> Response:
        game = known_game(web, game_id)
        return jsonify(game_board_json(game, options_on_table(web, game), web.language()))

    @area.get("/api/setup/house/<game_id>")
    def house(game_id: str) -> Response:
        game = known_game(web, game_id)
        language = web.language()
        rules = [field_json(game, field, language) for field in house_rules_form_of(game)]
        for one in rules:
            if one["key"] == BATTLE:
                one["options"] += kept_battles(web, game, language)
        return jsonify(rules=rules)

    _book(area, web)
    return area


def _book(area: Blueprint, web: Web) -> None:
    @area.get("/api/setup/book/<game_id>")
    def look(game_id: str) -> Response:
        game = known_game(web, game_id)
        return jsonify(book_json(game, open_bench(web).book(game), web.language()))

    @area.post("/api/setup/book/<game_id>/write")
    def write(game_id: str) -> Response:
        owner(web)
        game = known_game(web, game_id)
        book = open_bench(web).book(game)
        book.write(_changes(body().get("changes")))
        return jsonify(book_json(game, book, web.language()))


def options_on_table(web: Web, game: Any) -> Mapping[str, Any]:
    """The options of the game on the table where it is ``game``; none where it is not: the usual board."""
    table = web.hall.table
    return table.header["options"] if table is not None and table.header["game"] == game.id else {}


def open_bench(web: Web) -> Any:
    """The hall's workbench.  Raises :class:`RequestRefused` where there is none."""
    bench = workbench(web.hall)
    if bench is None:
        raise RequestRefused("no_workbench", 409)
    return bench


def owner(web: Web) -> None:
    """Only who may start a game here changes what belongs to the table.  Raises :class:`RequestRefused`."""
    if not may_start(web):
        raise RequestRefused("may_not_set_up", 403)


def known_game(web: Web, game_id: str) -> Any:
    """An installed game.  Raises :class:`RequestRefused`."""
    game = next((g for g in web.hall.games() if g.id == game_id), None)
    if game is None:
        raise RequestRefused("no_such_game", 404)
    return game


def _changes(raw: Any) -> dict[str, Entry | None]:
    if not isinstance(raw, dict) or len(raw) > MOST_CHANGES:
        raise RequestRefused("bad_body")
    changes: dict[str, Entry | None] = {}
    for key, one in raw.items():
        if one is None:
            changes[key] = None
        elif (
            isinstance(one, dict)
            and len(json.dumps(one.get("value", ""))) <= MOST_TEXT
            and all(
                isinstance(one.get(part, ""), str) and len(one.get(part, "")) <= 200
                for part in ("certainty", "source")
            )
        ):
            changes[key] = Entry(one.get("value", ""), one.get("certainty", "high"), one.get("source", ""))
        else:
            raise RequestRefused("bad_body")
    return changes


def option_name(game: Any, field: Field, value: str, language: str) -> str:
    """How an option of a field is called."""
    if not field.domain:
        return value
    for message_id in (f"{field.domain}.{value}", f"{field.key}.{value}"):
        text = game.messages.find(message_id, language)
        if text is not None:
            return str(text)
    kind = "face" if field.key.startswith("entry_die") else field.domain
    return name_of(game, value, language, kind)


def field_json(game: Any, field: Field, language: str) -> dict[str, Any]:
    """A field for screens."""
    shipped = None
    if field.shipped is not None:
        shipped = {
            "value": field.shipped,
            "text": option_name(game, field, field.shipped, language),
            "certainty": ui(f"certainty.{field.certainty}", language)
            if field.certainty in CERTAINTIES
            else "",
        }
    return {
        "key": field.key,
        "kind": field.kind,
        "label": sentence(game, field.label, language, field.params),
        "options": [{"value": v, "text": option_name(game, field, v, language)} for v in field.options],
        "shipped": shipped,
        "asked": field.asked,
    }


def step_kind_json(game: Any, kind: StepKind, language: str) -> dict[str, Any]:
    """A kind of step for screens."""
    slots = [_slot_json(game, slot, language) for slot in kind.slots]
    return {"id": kind.id, "text": kind.text.in_words(language), "slots": slots, "begins": kind.begins}


def _slot_json(game: Any, slot: Slot, language: str) -> dict[str, Any]:
    def named(option: Any) -> str:
        return name_of(game, option if isinstance(option, list) else str(option), language, slot.domain)

    return {
        "id": slot.id,
        "kind": slot.kind,
        "label": game.messages.text(slot.label, language),
        "required": slot.required,
        "options": [{"value": option, "text": named(option)} for option in slot.options],
        "least": slot.least,
        "most": slot.most,
    }


def book_json(game: Any, book: BoxBook, language: str) -> dict[str, Any]:
    """The whole box book for screens, entries by group."""
    groups: dict[str, list[dict[str, Any]]] = {}
    # many fields share one tuple of step kinds: it is sent once
    kinds: dict[int, tuple[StepKind, ...]] = {}
    for field in book.form:
        data = field_json(game, field, language)
        if field.kind == STEPS:
            kinds.setdefault(id(field.steps), field.steps)
            data["steps"] = list(kinds).index(id(field.steps))
        entry = book.entries.get(field.key)
        data["entry"] = None if entry is None else _entry_json(entry)
        groups.setdefault(field.group, []).append(data)
    return {
        "title": said_in(game.title, language),
        "known": len(book.entries),
        "digest": book.digest,
        "steps": [[step_kind_json(game, kind, language) for kind in one] for one in kinds.values()],
        "trouble": [trouble.in_words(language) for trouble in book.trouble],
        "groups": [
            {"id": group, "title": game.messages.text(group, language), "fields": fields}
            for group, fields in groups.items()
        ],
    }


def _entry_json(entry: Entry) -> Mapping[str, Any]:
    return {"value": entry.value, "certainty": entry.certainty, "source": entry.source}
