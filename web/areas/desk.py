"""Decisions at the arbiter's desk: what stands though illegal, penalties, time, notes."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, jsonify

from referee.hall.live_game import RULES_FAULTS
from referee.hall.table import Table
from referee.kernel.capabilities import Notated
from referee.kernel.explain import REFUSED, Explanation, explain
from referee.kernel.requests import ChooseSecretly, ChooseSome, Request, RollDice
from web.asks import ask_json, prompt_text
from web.context import RequestRefused, Web, body, require_int, require_text
from web.moments import candidates
from web.words import name_of

LONGEST_MOVE = 400
MARKS = " :;,=>"
MOST_OF_A_KIND = 30
MOST_SECONDS = 24 * 3600
NOTES = ("note", "penalty", "time")


def at_desk(area: Blueprint, web: Web) -> None:
    """The arbiter's routes."""

    @area.get("/api/arbiter/question")
    def question() -> Response:
        with web.desk() as table:
            return jsonify(question_json(table, web.language()))

    @area.post("/api/arbiter/stands")
    def stands() -> Response:
        web.arbiter_session()
        data = body()
        reason, revision = require_text(data, "reason", 500), require_int(data, "revision")
        with web.desk() as table:
            if "text" in data:
                _written_stands(table, require_text(data, "text", LONGEST_MOVE), reason, revision)
            else:
                table.let_stand(_value(data.get("value")), reason, revision=revision)
            web.hall.show_draft(None, None)
        return jsonify(ok=True)

    @area.post("/api/arbiter/note_stands")
    def stands_later() -> Response:
        web.arbiter_session()
        data = body()
        with web.desk() as table:
            table.note_that_stands(require_int(data, "about"), require_text(data, "reason", 500))
        return jsonify(ok=True)

    @area.post("/api/arbiter/note")
    def note() -> Response:
        web.arbiter_session()
        data = body()
        kind, text = data.get("kind"), require_text(data, "text", 500)
        if kind not in NOTES or not text:
            raise RequestRefused("bad_body")
        about = web.known_seat(data["about"]) if data.get("about") else None
        value, left = _seconds(data, "value"), _seconds(data, "left")
        if kind == "time" and (about is None or (value is None) == (left is None)):
            raise RequestRefused("whose_time", 422)
        with web.desk() as table:
            if left is not None and kind == "time":
                web.clock.set_left(table, str(about), left, text)
            elif kind == "time":
                web.clock.adjust(table, str(about), int(value or 0), text)
            else:
                table.note("arbiter", text, kind=kind, about=about, value=value)
        web.hub.changed()
        return jsonify(ok=True)


def _seconds(data: dict[str, Any], key: str) -> int | None:
    """Seconds, or points; None where nothing is said."""
    value = require_int(data, key) if data.get(key) is not None else None
    if value is not None and abs(value) > MOST_SECONDS:
        raise RequestRefused("bad_body")
    return value


def question_json(table: Table, language: str) -> dict[str, Any]:
    """The open question with what the rules refuse, for choosing what shall stand all the same."""
    game, request = table.play.game, table.request
    if isinstance(request, ChooseSecretly):
        return secret_json(table, request, language)
    if request is None or request.is_chance or isinstance(request, RollDice):
        return {"prompt": "" if request is None else prompt_text(game, request, language), "refused": []}
    ask = ask_json(game, request, language, table.play.answered, False)
    items = ask["some"]["items"] if "some" in ask else []
    return {
        "seat": name_of(game, request.seat, language, "seat"),
        "prompt": ask["prompt"],
        "refused": [one for one in ask.get("options", ()) if one["refused"] is not None],
        "items": items,
        "most": MOST_OF_A_KIND,
        "notation": isinstance(game, Notated),
    }


def secret_json(table: Table, request: ChooseSecretly, language: str) -> dict[str, Any]:
    """What is open to each seat, refusals with their reasons, and whether its choice is in.

    What a seat chose stays under seal for the arbiter too, until all have chosen: nobody can be
    suspected of having passed it on.  The options can show hidden things (a hand of cards), so
    the desk shows them only when the arbiter opens this list.
    """
    game = table.play.game
    sealed = table.standing.sealed
    return {
        "prompt": prompt_text(game, request, language),
        "refused": [],
        "secret": [
            {
                "id": seat,
                "seat": name_of(game, seat, language, "seat"),
                "prompt": prompt_text(game, part, language),
                "sealed": seat in sealed,
                "allowed": candidates(table.play, part, language),
            }
            for seat, part in request.of.items()
        ],
    }


def _value(value: Any) -> Any:
    """An answer as a screen sends it: an id, or counts by id."""
    if isinstance(value, str) and 0 < len(value) <= 200:
        return value
    if isinstance(value, dict) and 0 < len(value) <= 100 and all(map(_is_count, value.values())):
        return value
    raise RequestRefused("bad_body")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_OF_A_KIND


def _written_stands(table: Table, text: str, reason: str, revision: int) -> None:
    """A written move whose last step the rules refuse: the steps before are answered, that one stands.

    Everything is tried on a copy first, so that no half of a move is left where it cannot stand.
    """
    game = table.play.game
    if not isinstance(game, Notated):
        raise RequestRefused("no_notation", 409)
    words = game.words
    found = explain(table.play.fork(), text, words)
    if found.allowed:
        raise RequestRefused("is_allowed", 409)
    if found.verdict != REFUSED or found.request is None or found.request.is_chance:
        raise RequestRefused("not_understood", 422)
    value = _refused_value(found, words)
    seats = {request.seat for request, _ in found.pairs} | {found.request.seat}
    if len(seats) > 1 or any(request.is_chance for request, _ in found.pairs):
        raise RequestRefused("step_by_step", 422)
    twin = table.play.fork(audit=True)
    for _, answer in found.pairs:
        twin.answer(answer)
    try:
        twin.answer_unchecked(value)
    except RULES_FAULTS as error:
        raise RequestRefused("cannot_go_on", 409) from error
    if found.pairs:
        answers = [answer for _, answer in found.pairs]
        table.answer_many(found.request.seat, answers, revision=revision, source="arbiter")
        revision = table.revision
    table.let_stand(value, reason, revision=revision)


def _refused_value(found: Explanation, words: Any) -> Any:
    """The refused candidate that the words name where the move stopped."""
    request: Request = found.request  # type: ignore[assignment]
    rest = found.at.lstrip(MARKS).lower()
    if isinstance(request, ChooseSome):
        raise RequestRefused("choose_from_list", 422)
    for candidate in request.candidates():
        if candidate.refusal is not None and isinstance(candidate.value, str):
            word = str(words.notation.write_option(request, candidate.value)).lstrip(MARKS).rstrip().lower()
            if word and re.match(rf"{re.escape(word)}(?!\w)", rest):
                return candidate.value
    raise RequestRefused("choose_from_list", 422)
