"""A seat's page: drafts, confirming, taking back, handing a secret choice in."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from referee.hall.table import Table
from referee.kernel.errors import IllegalAnswer
from referee.kernel.lights import Selection
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseSecretly
from referee.kernel.together import ChooseInSteps
from web.areas import positions
from web.context import RequestRefused, Web, body, require_int, require_text, require_values
from web.drafts import uses_at, walk
from web.host import workbench
from web.odds import odds_at
from web.snapshot import lights_json, lights_with_cells
from web.words import refusal_json, ui


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("seat", __name__)
    _look(area, web)
    _try(area, web)
    _act(area, web)
    _components(area, web)
    _disputes(area, web)
    positions.at_seat(area, web)
    return area


def json_text(text: str) -> Response:
    """JSON that is text already."""
    return Response(text, mimetype="application/json")


def _look(area: Blueprint, web: Web) -> None:
    @area.get("/seat/<seat>")
    def page(seat: str) -> tuple[str, int] | str:
        session = web.page_session()
        if seat not in session.seats:
            return render_template("join.html", page="join", lost=True), 403
        return render_template("game.html", page="seat", who=f"seat:{seat}", seat=seat, both=session.seats)

    @area.get("/api/seat/<seat>/state")
    def state(seat: str) -> Response:
        web.seat_session(seat)
        return json_text(web.hub.snapshot((f"seat:{seat}", web.language()))[1])


def _as_it_stands(web: Web, data: dict[str, Any]) -> Table:
    """The table, where the device speaks of what is asked now.  The caller holds the hub's lock."""
    table = web.table()
    if require_int(data, "revision") != table.revision:
        raise RequestRefused("stale", 409)
    return table


def _try(area: Blueprint, web: Web) -> None:
    """What an answer would be, before it is one."""

    @area.post("/api/seat/<seat>/preview")
    def preview(seat: str) -> Response:
        web.seat_session(seat)
        data = body()
        values, stop = require_values(data), data.get("stop")
        if stop is not None and (isinstance(stop, bool) or not isinstance(stop, int)):
            raise RequestRefused("bad_body")
        with web.hub.lock:
            table = _as_it_stands(web, data)
            game = table.play.game
            try:
                found, draft = walk(table, game, seat, values, web.language(), stop)
            except IllegalAnswer as error:
                if error.refusal is None:
                    raise
                return jsonify(_refused(web, table, values, error.refusal))
            # what is chosen in secret lights up nothing and moves no screen
            secret = isinstance(table.request, ChooseSecretly)
            if not secret:
                show_draft(web, values, draft)
            lights = lights_with_cells(web.hall.shown_lights(), found["view"])
            found["lights"] = lights_json(lights, web.language(), game)
        if not secret:
            web.hub.changed()
        return jsonify(found)

    @area.post("/api/seat/<seat>/army")
    def army(seat: str) -> Response:
        web.seat_session(seat)
        data = body()
        values, place = require_values(data), require_text(data, "place", 80)
        with web.hub.lock:
            table = _as_it_stands(web, data)
            return jsonify(uses=uses_at(table, table.play.game, seat, values, place, web.language()))

    @area.post("/api/seat/<seat>/odds")
    def odds(seat: str) -> Response:
        web.seat_session(seat)
        data = body()
        values = require_values(data)
        with web.hub.lock:
            table = _as_it_stands(web, data)
            fights = odds_at(table, seat, values, web.language())
        if fights is None:
            raise RequestRefused("no_odds", 403)
        return jsonify(fights=fights)


def _refused(web: Web, table: Table, values: list[Any], refusal: Refusal) -> dict[str, Any]:
    """Why not, with the lights of the place that was tapped and of those that are in its way."""
    language = web.language()
    if not isinstance(table.request, ChooseSecretly):
        tapped = values[-1] if values and isinstance(values[-1], str) else None
        way = tuple(place for place in refusal.params.get("places", ()) if isinstance(place, str))
        chosen = tuple(value for value in values[:-1] if isinstance(value, str))
        web.hall.show_draft(Selection(selected=chosen, refused=tapped, way=way), None)
    lights = lights_with_cells(web.hall.shown_lights(), table.view(None, language))
    return {
        "refused": refusal_json(table.play.game, refusal, language),
        "lights": lights_json(lights, language, table.play.game),
    }


def show_draft(web: Web, values: list[Any], draft: Any) -> None:
    """Light up what the draft has touched so far; an empty draft shows the open question again."""
    places = draft.view.get("places", {})
    touched = tuple(value for value in values if isinstance(value, str) and value in places)
    web.hall.show_draft(Selection(selected=touched) if values else None, draft if values else None)


def _act(area: Blueprint, web: Web) -> None:
    @area.post("/api/seat/<seat>/answer")
    def answer(seat: str) -> Response:
        web.seat_session(seat)
        data = body()
        values, revision = require_values(data), require_int(data, "revision")
        if not values:
            raise RequestRefused("bad_body")
        with web.hub.lock:
            confirm(web, seat, values, revision)
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/wish")
    def wish(seat: str) -> Response:
        web.seat_session(seat)
        data = body()
        with web.hub.lock:
            web.table().wish(seat, require_text(data, "wish", 60), require_text(data, "says", 60))
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/take_back")
    def take_back(seat: str) -> Response:
        web.seat_session(seat)
        with web.hub.lock:
            web.table().take_back(seat, revision=require_int(body(), "revision"))
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/consent")
    def consent(seat: str) -> Response:
        web.seat_session(seat)
        data = body()
        with web.hub.lock:
            agree(web, seat, data)
        return jsonify(ok=True)


def _components(area: Blueprint, web: Web) -> None:
    @area.post("/api/seat/<seat>/lots")
    def lots(seat: str) -> Response:
        web.seat_session(seat)
        with web.hub.lock:
            web.hall.show_draft(None, None)
            web.table().draw_lots(seat, revision=require_int(body(), "revision"))
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/keep_box")
    def keep_box(seat: str) -> Response:
        web.seat_session(seat)
        with web.hub.lock:
            source = ui("box.source", web.language())
            web.snapshots.box.keep(web.table(), workbench(web.hall), source)
        web.hub.changed()
        return jsonify(ok=True)


def _disputes(area: Blueprint, web: Web) -> None:
    @area.post("/api/seat/<seat>/object")
    def objection(seat: str) -> Response:
        web.seat_session(seat)
        with web.hub.lock:
            web.table().raise_objection(seat, require_text(body(), "text", 300))
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/appeal")
    def appeal(seat: str) -> Response:
        web.seat_session(seat)
        data = body()
        with web.hub.lock:
            web.table().appeal(seat, require_text(data, "text", 300), about=require_int(data, "about"))
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/withdraw")
    def withdraw(seat: str) -> Response:
        web.seat_session(seat)
        with web.hub.lock:
            web.table().withdraw_objection(seat)
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/resign")
    def resign(seat: str) -> Response:
        web.seat_session(seat)
        with web.hub.lock:
            web.table().resign(seat)
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/draw")
    def draw(seat: str) -> Response:
        web.seat_session(seat)
        with web.hub.lock:
            web.table().ask_for_draw(seat, revision=require_int(body(), "revision"))
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/confirm_result")
    def confirm_result(seat: str) -> Response:
        web.seat_session(seat)
        with web.hub.lock:
            web.table().confirm_result(seat)
        return jsonify(ok=True)


def agree(web: Web, seat: str, data: dict[str, Any]) -> None:
    """The yes or no of ``seat`` (or the arbiter) to what is asked; ``asks`` names the question seen."""
    asks = require_int(data, "asks") if "asks" in data else None
    web.table().consent(seat, data.get("yes") is True, revision=require_int(data, "revision"), asks=asks)


def confirm(web: Web, seat: str, values: list[Any], revision: int) -> None:
    """Give the values of a confirmed draft to the table."""
    table = web.table()
    web.hall.show_draft(None, None)
    request = table.request
    part = request.of.get(seat) if isinstance(request, ChooseSecretly) else request
    if isinstance(part, ChooseInSteps):
        table.answer(seat, values, revision=revision)
    elif len(values) == 1 or isinstance(request, ChooseSecretly):
        table.answer(seat, values[0], revision=revision)
    else:
        table.answer_many(seat, values, revision=revision)
