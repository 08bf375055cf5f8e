"""The start page, joining a seat, handing one over, languages, starting and continuing games."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, jsonify, render_template, request

from referee.hall.table import Table
from referee.kernel.capabilities import CapturesBoards
from referee.kernel.forms import check_value, house_rules_form_of
from referee.kernel.messages import languages, said_in
from referee.kernel.odds import ODDS
from referee.kernel.seats import least_seats, taken_seats
from referee.serving.hosting import NewGame, SavedGame, Stand
from referee.serving.networks import is_this_machine
from referee.serving.saved import NEWEST
from web.battles import KEPT, chosen_battle
from web.context import RequestRefused, Web, body, require_int, require_text
from web.seats import NAME_LENGTH, DeviceSession
from web.snapshot import looks_json
from web.words import UI, name_of, ui

BATTLE = "scenario"
OWN_OPTIONS = ("edition", BATTLE)
"""Keys of a form's fields that choose an edition or a battle: options of their own, no house rules."""


def blueprint(web: Web) -> Blueprint:
    """Routes of this area."""
    area = Blueprint("start", __name__)
    _pages(area, web)
    _links(area, web)
    _seats(area, web)
    _games(area, web)
    return area


def _pages(area: Blueprint, web: Web) -> None:
    @area.get("/")
    def start() -> str:
        web.page_session()
        return render_template("start.html", page="start")

    @area.get("/join")
    def join_page() -> str:
        web.page_session()
        return render_template("join.html", page="join")

    @area.get("/i18n/<language>.json")
    def catalogue(language: str) -> Response:
        if language not in languages():
            raise RequestRefused("not_found", 404)
        response = jsonify(UI.for_scripts(language))
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    @area.post("/api/language")
    def set_language() -> Response:
        session = web.known_session()
        data = body()
        wanted, who = require_text(data, "language", 10), require_text(data, "who", 60).removeprefix("seat:")
        if wanted not in languages() or not (who in ("", "watch", "arbiter") or who in session.seats):
            raise RequestRefused("bad_body")
        web.seats.set_language(session, who, wanted)
        return jsonify(language=wanted)

    @area.get("/api/address")
    def table_address() -> Response:
        return jsonify(shared_json(web))

    @area.get("/api/start")
    def overview() -> Response:
        return jsonify(overview_json(web))


def overview_json(web: Web) -> dict[str, Any]:
    """All that the start page shows."""
    language = web.language()
    session = web.session()
    table, saved = web.hall.running_and_saved()
    return {
        "running": None if table is None else _running(web, table),
        "open_seats": web.seats.open_seats,
        "arbiter": session is not None and session.arbiter,
        "may_start": may_start(web),
        "always_tournament": web.hall.always_tournament,
        "virtual": web.hall.virtual_table is not None,
        "games": [
            {
                "id": g.id,
                "title": said_in(g.title, language),
                "seats": [
                    {"id": s, "name": name_of(g, s, language, "seat"), "look": looks[s]} for s in g.seats
                ],
                "least": least_seats(g),
                "boards": captured_boards(web, g),
            }
            for g in web.hall.games()
            for looks in [looks_json(g)]
        ],
        "saved": [
            {
                "id": info.id,
                "title": said_in(info.title, language),
                "table_name": info.table_name,
                "revision": info.revision,
                "finished": info.finished,
                "players": list(info.players),
                "began": info.began,
                "stand": None if info.stand is None else _stand(web, info, info.stand),
            }
            for info in saved[:NEWEST]
        ],
    }


def _stand(web: Web, info: SavedGame, stand: Stand) -> dict[str, Any]:
    """Where a saved game stands, in words."""
    language = web.language()
    game = next(one for one in web.hall.games() if one.id == info.game)
    turn = stand.titles.get(language) or ui("bar.turn", language, turn=stand.turn)
    return {
        "turn": turn if stand.turn else "",  # none while the game is set up
        "asked": [name_of(game, seat, language, "seat") for seat in stand.asked],
    }


def _running(web: Web, table: Table) -> dict[str, Any]:
    """The game on the table, and who sits at it."""
    game, language, session = table.play.game, web.language(), web.session()
    looks = looks_json(game)
    return {
        "title": said_in(game.title, language),
        "revision": table.revision,
        "finished": table.outcome is not None,
        "tournament": bool(table.header["tournament"]),
        "closed": table.is_closed,
        "seats": [
            {
                "id": seat,
                "name": name_of(game, seat, language, "seat"),
                "held": web.seats.holder(seat) is not None,
                "connected": web.is_there(seat),
                "mine": session is not None and seat in session.seats,
                "look": looks[seat],
                "player": str(table.header.get("players", {}).get(seat, "")),
            }
            for seat in table.seats
        ],
    }


def may_start(web: Web) -> bool:
    """Whether the device that asks may start or continue a game: at a running table who sits there, while a
    tournament game runs only the arbiter."""
    session = web.session()
    if session is None:
        return False
    table = web.hall.table
    if table is not None and table.is_closed:
        return False
    if session.arbiter or (table is None and web.seats.open_seats):
        return True
    if table is None or (table.header["tournament"] and table.outcome is None):
        return False
    held = [web.seats.holder(seat) for seat in table.seats]
    return session in held or (web.seats.open_seats and not any(held))


def _links(area: Blueprint, web: Web) -> None:
    @area.post("/api/join")
    def join() -> Response:
        session = web.known_session()
        _door(web)
        joined = web.seats.join(session, require_text(body(), "token", 100))
        if joined is None:
            raise RequestRefused("bad_link", 403)
        seat, state = joined
        if state == "asked":
            web.watch_wish(seat)
        web.hub.changed()
        return jsonify(seat=seat, state=state)

    @area.post("/api/join/look")
    def look() -> Response:
        """Whose seat a link opens, before it is taken."""
        web.known_session()
        _door(web)
        seat = web.seats.seat_of_link(require_text(body(), "token", 100))
        if seat is None:
            raise RequestRefused("bad_link", 403)
        game = web.table().play.game
        language = web.language()
        return jsonify(
            seat=seat, name=name_of(game, seat, language, "seat"), title=said_in(game.title, language)
        )


def _seats(area: Blueprint, web: Web) -> None:
    @area.post("/api/sit")
    def sit() -> Response:
        session = web.known_session()
        seat = web.known_seat(body().get("seat"))
        if seat not in session.seats and not web.seats.open_seats:
            raise RequestRefused("link_only", 403)
        state = web.seats.take(session, seat)
        if state == "asked":
            web.watch_wish(seat)
        web.hub.changed()
        return jsonify(seat=seat, state=state)

    @area.get("/api/wish/<seat>")
    def wish(seat: str) -> Response:
        session = web.known_session()
        had = seat in session.seats
        state = web.seats.wish_state(session, web.known_seat(seat))
        if state == "taken" and not had:
            web.hub.changed()
        return jsonify(state=state)

    @area.post("/api/seat/<seat>/handover")
    def handover(seat: str) -> Response:
        return decide_handover(web, web.seat_session(seat))

    @area.post("/api/seat/<seat>/leave")
    def leave(seat: str) -> Response:
        web.seats.leave(web.seat_session(seat), seat)
        web.hub.changed()
        return jsonify(ok=True)

    @area.post("/api/seat/<seat>/link")
    def link(seat: str) -> Response:
        session = web.known_session()
        if not session.arbiter:
            web.seat_session(seat)
        return jsonify(link_json(web, web.known_seat(seat)))


def decide_handover(web: Web, session: DeviceSession) -> Response:
    """The answer of whoever is asked for a seat: its holder, or where that is away the others."""
    data = body()
    seat = web.seats.asked_of(session)
    # the seat and the wish that the question named: another may have come up since
    wish = require_text(data, "wish", 40)
    if (
        seat is None
        or data.get("seat", seat) != seat
        or not web.seats.decide(seat, data.get("yes") is True, wish)
    ):
        raise RequestRefused("no_wish", 409)
    web.hub.changed()
    return jsonify(ok=True)


def link_json(web: Web, seat: str) -> dict[str, Any]:
    """A fresh link for ``seat``, as :func:`shared_json`.  The token stands after ``#``."""
    return shared_json(web, f"/join#{web.seats.new_link(seat)}")


def shared_json(web: Web, path: str = "") -> dict[str, Any]:
    """An address of this table for other devices: ``url``, its ``qr`` code as a data URI, and the same of
    the table's ``others`` networks.  In no network ``qr`` is "" and ``url`` for this machine alone: a code
    that leads another device to itself would be a trap."""
    here, *others = addresses(web) or [""]
    if not here:
        return {"url": request.host_url.rstrip("/") + path, "qr": "", "others": []}
    return {
        "url": here + path,
        "qr": qr_code(here + path),
        "others": [{"url": other + path, "qr": qr_code(other + path)} for other in others],
    }


def qr_code(url: str) -> str:
    """The QR code of an address as a data URI (error correction M)."""
    return str(segno.make(url, error="m").svg_data_uri(scale=6, border=2, light="#fff"))


def addresses(web: Web) -> list[str]:
    """This table's addresses as other devices reach it, the likeliest first; none where only this machine
    does.  A device that came by an address of the network hands on that one; a screen at the table itself
    knows "localhost" only, and hands on what the table found."""
    asked = urlsplit(request.host_url).hostname or ""
    if is_this_machine(asked):
        return [one.rstrip("/") for one in web.hall.addresses]
    return [request.host_url.rstrip("/")]


def _door(web: Web) -> None:
    if not web.doors.allows(request.remote_addr or "?"):
        raise RequestRefused("too_many", 429)


def _games(area: Blueprint, web: Web) -> None:
    @area.post("/api/games/new")
    def new() -> Response:
        _check_may_start(web)
        data = body()
        game_id = require_text(data, "game", 60)
        game = next((g for g in web.hall.games() if g.id == game_id), None)
        if game is None:
            raise RequestRefused("no_such_game", 404)
        names = data.get("players")
        if not isinstance(names, dict):
            raise RequestRefused("bad_body")
        players = {seat: require_text(names, seat, NAME_LENGTH) for seat in game.seats}
        seats = _taken(data, game)
        tournament = _tournament(web, data)
        with web.hub.lock:
            options = _options(web, game, data.get("house", {})) | _board(web, game, data)
            name = require_text(data, "table_name", NAME_LENGTH)
            web.hall.start(NewGame(game_id, players, name, options, tournament, seats))
        web.follow()
        web.clock.set(require_int(data, "clock") if "clock" in data else 0)
        return jsonify(ok=True)

    @area.post("/api/games/resume")
    def resume() -> Response:
        _check_may_start(web)
        with web.hub.lock:
            web.hall.resume(require_text(body(), "id", 80))
        web.follow()
        return jsonify(ok=True)


def _check_may_start(web: Web) -> None:
    """Raises :class:`RequestRefused` where the device that asks may not begin or continue a game."""
    table = web.hall.table
    if table is not None and table.is_closed:
        raise RequestRefused("table_closed", 409)
    if not may_start(web):
        raise RequestRefused("may_not_start", 403)


def _taken(data: dict[str, Any], game: Any) -> tuple[str, ...]:
    """Who plays: the seats that were sent, or all.  Raises ``InvalidAnswer`` where they cannot play it."""
    wanted = data.get("seats")
    if wanted is None:
        return taken_seats(game, None)
    if not isinstance(wanted, list) or not all(isinstance(seat, str) for seat in wanted):
        raise RequestRefused("bad_body")
    return taken_seats(game, wanted)


def _tournament(web: Web, data: dict[str, Any]) -> bool:
    """Whether a tournament game is wanted; only the arbiter, or who has the arbiter's key, may want one."""
    if data.get("tournament") is not True:
        return False
    if not web.known_session().arbiter:
        _door(web)
        if not web.seats.is_arbiters(require_text(data, "key", 100)):
            raise RequestRefused("wrong_key", 403)
    return True


def _options(web: Web, game: Any, chosen: Any) -> dict[str, Any]:
    """A game's options from what was chosen: edition or battle, where a game has several, and house rules."""
    kept = {}
    if isinstance(chosen, dict) and str(chosen.get(BATTLE, "")).startswith(KEPT):
        kept = {BATTLE: chosen_battle(web, game, str(chosen[BATTLE]))}
        chosen = {key: way for key, way in chosen.items() if key != BATTLE}
    house = _house(game, chosen)
    own = {field.key: field.shipped for field in house_rules_form_of(game) if field.key in OWN_OPTIONS}
    found = {key: house.pop(key, usual) for key, usual in own.items()} | kept
    if ODDS in house:
        found[ODDS] = house.pop(ODDS)
    return ({"house": house} if house else {}) | {key: value for key, value in found.items() if value}


def captured_boards(web: Web, game: Any) -> list[str]:
    """The boards of ``game`` that the owner captured."""
    bench = getattr(web.hall, "workbench", None)
    if bench is None or not isinstance(game, CapturesBoards):
        return []
    names: list[str] = bench.captures.shelf(game).names()
    return names


def _board(web: Web, game: Any, data: dict[str, Any]) -> dict[str, Any]:
    """The captured board that was chosen; none: the usual one."""
    name = require_text(data, "board", 40)
    if not name:
        return {}
    if name not in captured_boards(web, game):
        raise RequestRefused("bad_body")
    return {"board": web.hall.workbench.captures.shelf(game).data(name)}  # type: ignore[attr-defined]


def _house(game: Any, chosen: Any) -> dict[str, str]:
    """House rules that were chosen, those that differ from the ruling that stands."""
    if not isinstance(chosen, dict) or len(chosen) > 60:
        raise RequestRefused("bad_body")
    form = house_rules_form_of(game)
    ways = {key: check_value(form, key, way) for key, way in chosen.items()}
    usual = {field.key: field.shipped for field in form}
    return {key: way for key, way in ways.items() if way != usual[key]}
