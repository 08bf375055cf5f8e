"""``create_app(hall)``: the screens of one table, one process, one blueprint an area."""

from __future__ import annotations

import logging
import mimetypes
import re
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, g, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from referee.kernel.errors import AuditFailed, IllegalAnswer, RefereeError, WrongDice
from referee.kernel.messages import Text, languages
from web.areas import (
    arbiter,
    battles,
    boardcheck,
    capture,
    cards,
    clock,
    dice,
    events,
    fairness,
    hands,
    health,
    help,
    moments,
    rules,
    seat,
    setup,
    spectator,
    start,
    virtual,
    workshop,
)
from web.context import RequestRefused, Web
from web.files import serve_files
from web.host import TableHost
from web.packing import Packer
from web.proxy import behind
from web.security import COOKIE_AGE, csrf_of, foreign_origin, harden, same
from web.words import refusal_json, ui

BODY_LIMIT = 64 * 1024
STATUS = {"stale": 409, "not_your_turn": 409, "illegal": 422, "invalid": 400, "frozen": 423, "over": 409}

HOME_NAMES = ("local", "lan", "home", "internal", "home.arpa", "localdomain", "fritz.box", "speedport.ip")
"""What home routers call their networks: mDNS, RFC 8375, OpenWrt, FRITZ!Box, Speedport and others."""
# An address, a name without dots, or a name of a home network: what a table at home is called.  Anything
# else in the Host header that the table was not told of ([web] address) is a page elsewhere whose name was
# pointed at this table (DNS rebinding).
HOST = re.compile(
    r"(localhost|[\d.]+|\[[\da-fA-F:]+\]|[\w-]+|[\w.-]+\.(?:"
    + "|".join(re.escape(name) for name in HOME_NAMES)
    + r"))\.?(:\d+)?",
    re.IGNORECASE,
)

log = logging.getLogger(__name__)


def create_app(hall: TableHost, *, open_seats: bool = True, proxy: str = "") -> Flask:
    """The Flask app of ``hall``.  ``open_seats`` False: seats open only by the arbiter's links.  ``proxy``:
    the address of a reverse proxy whose word about callers is believed (``web/proxy.py``)."""
    mimetypes.add_type("font/woff2", ".woff2")  # neither Python 3.11 nor a bare system knows it
    app = Flask(__name__, static_folder="static", template_folder="templates")
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_options = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True}
    if proxy:
        app.wsgi_app = behind(app.wsgi_app, proxy)  # type: ignore[method-assign, assignment]
    web = Web(hall, open_seats=open_seats)
    app.extensions["table"] = web
    playing = (start, seat, spectator, arbiter, dice, boardcheck, hands, events, moments, rules, help, clock)
    for area in (*playing, fairness, health, setup, virtual, workshop, battles, capture, cards):
        app.register_blueprint(area.blueprint(web))
    app.context_processor(lambda: _page_words(web))
    app.before_request(lambda: _guard(web))
    packer = Packer()
    app.after_request(lambda response: packer.pack(request, _finish(web, response)))
    serve_files(app)  # told last, done first: how long a file lasts is settled before it is packed
    _errors(app, web)
    return app


def _page_words(web: Web) -> dict[str, Any]:
    language = web.language()
    return {
        "language": language,
        "languages": {code: Text("kernel.language").in_words(code) for code in languages()},
        "t": lambda message_id, **params: ui(message_id, language, **params),
        "csrf": web.csrf() if "cookie" in g else "",
    }


def _guard(web: Web) -> None:
    """Every request: our own name; every POST: our own page, its token, and not too many of them."""
    # style sheets of the page that says where the table is
    if not _is_ours(web, request.host) and not request.path.startswith("/static/css/"):
        raise RequestRefused("bad_host", 421)
    session = web.session()
    # a cookie that nobody gave is none: a new one for each request would be no limit
    who = session.id if session is not None else request.remote_addr or "?"
    if request.method in ("GET", "HEAD"):
        if not request.path.startswith("/static/") and not web.pages.allows(who):
            raise RequestRefused("too_many", 429)
        return
    if foreign_origin(request):
        raise RequestRefused("foreign_page", 403)
    if not web.posts.allows(who):
        raise RequestRefused("too_many", 429)
    if session is None:
        raise RequestRefused("no_device", 403)
    if not same(request.headers.get("X-CSRF-Token", ""), csrf_of(web.cookie_value())):
        raise RequestRefused("csrf", 403)
    if request.mimetype != "application/json":
        raise RequestRefused("bad_body", 415)


def _is_ours(web: Web, host: str) -> bool:
    """Whether a Host header names this table: a name of home networks, or one that it was told of."""
    if HOST.fullmatch(host):
        return True
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    return name in [urlsplit(one).hostname for one in web.hall.addresses]


def _finish(web: Web, response: Response) -> Response:
    if "new_cookie" in g:
        response.set_cookie(
            web.cookie,
            g.new_cookie,
            max_age=COOKIE_AGE,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure,
        )
    return harden(response, request.is_secure or request.host.partition(":")[0] in ("localhost", "127.0.0.1"))


def wants_page() -> bool:
    """Whether a person looks at the answer: a browser that opens an address names HTML, scripts of ours take
    anything (``*/*``)."""
    return request.method == "GET" and any(kind == "text/html" for kind, _ in request.accept_mimetypes)


def _said(web: Web, code: str, sentence: str, status: int, **more: Any) -> tuple[Response | str, int]:
    """A refusal: JSON for a script; for a person a page that says why, and where to go on.

    It starts no script.  Who calls the table by a wrong name is led to where it really is, and gets no
    cookie: under this name nobody is known here.
    """
    if not wants_page():
        return jsonify(error={"code": code, "sentence": sentence, **more}), status
    elsewhere = web.hall.addresses if code == "bad_host" else ()
    page = render_template(
        "elsewhere.html", sentence=sentence, elsewhere=elsewhere, known_here=code != "bad_host"
    )
    return page, status


def _errors(app: Flask, web: Web) -> None:
    @app.errorhandler(RefereeError)
    def refused(error: RefereeError) -> tuple[Response | str, int]:
        status = error.status if isinstance(error, RequestRefused) else STATUS.get(error.code, 409)
        language = web.language()
        if isinstance(error, WrongDice) and web.hall.table is not None:
            game = web.hall.table.play.game
            error = error.in_words(lambda die: game.messages.say(f"die.{die}"))
        more: dict[str, Any] = {}
        if isinstance(error, IllegalAnswer) and error.refusal is not None and web.hall.table is not None:
            more["refusal"] = refusal_json(web.hall.table.play.game, error.refusal, language)
        return _said(web, error.code, error.sentence(language), status, **more)

    @app.errorhandler(AuditFailed)
    def stopped(error: AuditFailed) -> tuple[Response | str, int]:
        log.error("the game's own check failed: %s", error)
        sentence = ui("error.audit", web.language(), problems="; ".join(error.problems))
        return _said(web, "audit", sentence, 500)

    @app.errorhandler(HTTPException)
    def plain(error: HTTPException) -> tuple[Response | str, int]:
        known = {404: "not_found", 405: "method", 413: "too_big", 500: "internal"}
        code = known.get(error.code or 500, "bad_request")
        return _said(web, code, ui(f"error.{code}", web.language()), error.code or 500)
