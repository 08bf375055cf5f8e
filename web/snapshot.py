"""Everything one audience sees, as one JSON object; streams, loads and refused taps all send it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.archive.happenings import faces_told, nth
from referee.archive.results import told_result
from referee.hall.table import Table
from referee.journal.events import Event
from referee.journal.pending import fork_of
from referee.kernel.capabilities import ReadsCards, TakesReactions
from referee.kernel.lights import PALETTE, Lights, Meaning
from referee.kernel.messages import Text, said_in
from referee.kernel.play import Game
from referee.kernel.requests import ChooseOne, Request, RollDice
from referee.kernel.seats import looks_of
from referee.kernel.together import ALWAYS, NEVER
from referee.serving.hosting import Device
from web.asks import ask_json, by_name, face_text, own_part, prompt_text
from web.boards import digest_of
from web.boxvalues import BoxValues
from web.checks import check_json, differing_json, wish_json
from web.drafts import walk
from web.history import notice_json, recent, roll_notice_json, undo_json
from web.host import TableHost, workbench
from web.hub import Audience, Hub
from web.lastmove import last_move_json
from web.odds import odds_known
from web.seats import DeviceSession, SeatBook
from web.told import wish_text
from web.words import name_of, rule_json, sentence, ui

if TYPE_CHECKING:
    from web.clock import Clock  # which itself asks here who is asked

MEANING_OF = {light: meaning.value for meaning, light in PALETTE.items()}

PICTURES = 4
"""Pictures of the tray that can still be fetched."""


class Snapshots:
    """Builds the snapshots of one hall."""

    def __init__(self, hall: TableHost, seats: SeatBook) -> None:
        self.hall = hall
        self.seats = seats
        self.hub: Hub | None = None
        self.clock: Clock | None = None
        self.pictures: OrderedDict[int, bytes] = OrderedDict()
        self._made: dict[str, tuple[tuple[int, str, int], dict[str, Any]]] = {}
        self.box = BoxValues()

    def build(self, audience: Audience) -> dict[str, Any]:
        """The snapshot of ``audience``.  The caller holds the hub's lock."""
        who, language = audience
        seat = who.removeprefix("seat:") if who.startswith("seat:") else None
        table = self.hall.table
        data: dict[str, Any] = {
            "who": who,
            "seat": seat,
            "language": language,
            "devices": [
                {"id": d.id, "health": d.health, "text": d.text.in_words(language)} for d in self.devices()
            ],
            "handover": self._handover(who, seat),
            "table": None,
        }
        if table is not None:
            data["table"] = self._table(table, seat, who, language)
        return data

    def devices(self) -> list[Device]:
        """The hall's devices, and the files beside the record that could not be read or written."""
        files = [self.seats.file, *([self.clock.file] if self.clock else [])]
        troubles = [text for file in files for text in (file.lost, file.unwritten) if text is not None]
        return [*self.hall.devices(), *(Device("side_files", "warn", text) for text in troubles)]

    def _handover(self, who: str, seat: str | None) -> dict[str, Any] | None:
        """The seat that another device asks for, where this audience is asked whether it may have it."""
        table = self.hall.table
        someone = self.seats.holder(seat) if seat else DeviceSession("", arbiter=who == "arbiter")
        wanted = self.seats.asked_of(someone) if someone is not None else None
        if wanted is None or table is None:
            return None
        wish = self.seats.handover(wanted)
        away = self.seats.absent(wanted) and not self.seats.strict()
        return None if wish is None else {"seat": wanted, "away": away, "wish": wish.id}

    def _table(self, table: Table, seat: str | None, who: str, language: str) -> dict[str, Any]:
        game = table.play.game
        view = table.view(seat, language)
        return {
            **self._alike(table, language),
            "view": view,
            "phase_rule": rule_json(game, str((view.get("phase") or {}).get("rule", "")), language),
            "ask": self._ask(table, game, seat, language),
            "undo": undo_json(table, seat, language),
            "check": check_json(table, view, language),
            "last": last_move_json(table, language) if who == "watch" else None,
            "lights": lights_json(lights_with_cells(self.hall.shown_lights(), view), language, game),
            "clock": self.clock.as_json(table.seats) if self.clock else None,
            "wishes": [] if seat is None else wishes_json(table, seat, language),
        } | self._now_and_then(table, seat, language)

    def _alike(self, table: Table, language: str) -> dict[str, Any]:
        """What all who look in one language see alike, made once a change."""
        now = self.hub.number if self.hub else 0, str(table.header["id"]), table.revision
        kept = self._made.get(language)
        if kept is not None and kept[0] == now:
            return kept[1]
        game, request = table.play.game, table.request
        made = {
            "game": game.id,
            "id": str(table.header["id"]),
            "title": said_in(game.title, language),
            "revision": table.revision,
            "seats": list(table.seats),
            "looks": looks_json(game),
            "board": digest_of(table),
            "people": {s: self._person(table, s) for s in table.seats},
            "watchers": self.hub.connected("watch") if self.hub else 0,
            "waiting": waiting_json(game, table, request, language),
            "log": recent(table, language, 5),
            "notice": notice_json(table, language),
            "roll_notice": roll_notice_json(table, language),
            "standing": standing_json(table, language),
            "halted": halted(table),
            "tournament": bool(table.header["tournament"]),
            "differing": differing_json(table, language),
            "dice": self._dice(table, request, language),
            "outcome": outcome_json(table, language),
        }
        self._made[language] = now, made
        return made

    def _now_and_then(self, table: Table, seat: str | None, language: str) -> dict[str, Any]:
        """What is mostly not there, and then left out."""
        box = None if seat is None else self.box.as_json(table, workbench(self.hall), language)
        odds = seat is not None and odds_known(table, table.play.state, None)
        found = {"hands": hands_json(table, language), "box": box, "odds": odds}
        return {key: value for key, value in found.items() if value}

    def _person(self, table: Table, seat: str) -> dict[str, Any]:
        assert self.hub is not None
        holder = self.seats.holder(seat)
        return {
            "player": str(table.header.get("players", {}).get(seat, "")),
            "held": holder is not None,
            "connected": holder is not None and self.hub.is_connected(holder.id),
            "seen": self.hub.last_seen(holder.id) if holder else None,
        }

    def _keep(self, offer: Any) -> None:
        """Screens fetch a picture a moment after they heard of it: it may be withdrawn by then."""
        self.pictures[offer.number] = offer.picture
        while len(self.pictures) > PICTURES:
            self.pictures.popitem(last=False)

    def _ask(self, table: Table, game: Game[Any], seat: str | None, language: str) -> dict[str, Any] | None:
        """The seat's own question, with the steps that need no tap taken already."""
        request = table.request
        if seat is None or request is None:
            return None
        own = own_part(request, seat)
        if own is None:
            return None
        secret = own is not request
        ask = ask_json(game, own, language, table.play.answered, secret)
        if secret:
            ask["sealed"] = seat in sealed_seats(table)
        steps = game.card_steps(table.play.state, own) if isinstance(game, ReadsCards) else 0
        if steps and workbench(self.hall) is not None:
            ask["cards"] = {"steps": steps, "tray": not self.hall.dice.virtual}
        if table.lots_known(seat) and not halted(table):
            ask["lots"] = True
        # a secret of one tap is not told to the server before it is confirmed
        one_tap = own.is_chance or (secret and isinstance(own, ChooseOne))
        if not one_tap and not ask.get("sealed") and not halted(table) and not table.hands_hold:
            ask["draft"], _ = walk(table, game, seat, [], language)
        return ask

    def _dice(self, table: Table, request: Request | None, language: str) -> dict[str, Any]:
        state = str(getattr(self.hall.dice, "state", "") or "")
        data: dict[str, Any] = {
            "virtual": self.hall.dice.virtual,
            "roll": None,
            "state": state,
            "state_text": ui(f"tray.{state}", language) if state else "",
        }
        offer = table.offer
        if offer is not None and isinstance(request, RollDice):
            if offer.picture is not None:
                self._keep(offer)
            data["roll"] = roll_json(table.play.game, request, offer, language)
            data["roll"]["agree"] = table.why_others_agree()
        first = table.standing.first_throw
        if first is not None and first.evidence is not None:
            data["first"] = faces_told(table.play.game, first.request, first.evidence["reading"], language)
        return data


def hands_json(table: Table, language: str) -> dict[str, Any] | None:
    """What hands have to do now; ``hold``: the game waits for it.  None where nobody follows the hands."""
    if not table.hands_way:
        return None
    ticked = table.hands_ticked()
    return {
        "way": table.hands_way,
        "hold": table.hands_hold,
        "deeds": [
            {"key": one.key, "text": one.text, "places": list(one.places), "done": one.key in ticked}
            for one in table.hands(language)
        ],
    }


def sealed_seats(table: Table) -> tuple[str, ...]:
    """Which seats' secret answers are in."""
    return tuple(table.standing.sealed)


def halted(table: Table) -> bool:
    """Whether an objection, a fault or a comparison with the board holds the game."""
    standing, holding = table.standing, table.holding
    checking = holding.offered or holding.walk is not None
    return standing.objection is not None or standing.stopped is not None or checking


def standing_json(table: Table, language: str) -> dict[str, Any]:
    """What stands between answers: an objection, a wish to take back, a stop, who confirmed the result."""
    standing = table.standing
    objection, asked, stopped = standing.objection, standing.asked, standing.stopped
    return {
        "objection": objection_json(objection),
        "appealable": max(standing.appealable, default=None),
        "asked": wish_json(table, asked, language) if asked else None,
        "stopped": _problems(stopped, language) if stopped else None,
        "resigned": standing.resigned,
        "ended": standing.ended is not None,
        "closed": table.is_closed,
        "left": [seat for seat in table.seats if seat not in table.live_game.playing],
        "confirmed": sorted(standing.confirmed),
    }


def objection_json(event: Event | None) -> dict[str, Any] | None:
    """The open objection; ``appeal``: the event that was put to the head arbiter."""
    if event is None:
        return None
    appeal = event.answer["about"] if event.kind == "appeal" else None
    return {"seat": event.seat, "text": str(event.answer["text"]), "appeal": appeal}


def _problems(stopped: Event, language: str) -> list[str]:
    fork = fork_of(stopped)
    if fork is not None:
        return [Text("hall.fork", after=fork["after"]).in_words(language)]
    return [str(problem) for problem in stopped.answer["problems"]]


def waiting_json(
    game: Game[Any], table: Table, request: Request | None, language: str
) -> dict[str, Any] | None:
    """Whom the table waits for and for what; of a secret choice only who is still to choose."""
    if request is None:
        return None
    sealed = sealed_seats(table)
    asked = [s for s in table.seats if own_part(request, s) is not None and s not in sealed]
    return {
        "seats": asked,
        "kind": request.kind,
        "doing": "box_book" if request.domain == "box_book" else request.kind,
        "prompt": prompt_text(game, request, language),
        "rule": rule_json(game, request.rule, language),
    }


def on_screen(linear: int) -> int:
    """A light's linear channel (0..255) as a screen shows it, by the curve of sRGB (IEC 61966-2-1)."""
    share = linear / 255
    curved = 12.92 * share if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055
    return round(255 * curved)


def lights_json(lights: Lights, language: str, game: Game[Any]) -> dict[str, Any]:
    """Lights for the screen: the same colours and patterns, and their meaning in words."""
    shown = {}
    sides = dict(zip((Meaning.CONTROL_A.value, Meaning.CONTROL_B.value), game.seats, strict=False))
    for place, light in lights.items():
        meaning = MEANING_OF.get(light, "")
        named = {"name": name_of(game, sides[meaning], language, "seat")} if meaning in sides else {}
        shown[place] = {
            "colour": "#" + "".join(f"{on_screen(c):02x}" for c in (light.red, light.green, light.blue)),
            "pattern": light.pattern.name.lower(),
            "meaning": meaning,
            "text": ui(f"light.{meaning}", language, **named) if meaning else "",
        }
    return shown


def lights_with_cells(lights: Lights, view: Mapping[str, Any]) -> Lights:
    """``lights`` of the board and those of cells beside it, which screens alone show."""
    cells = (cell for sheet in view.get("sheets", ()) for cell in sheet["cells"] if cell.get("light"))
    return {**lights, **{cell["id"]: PALETTE[Meaning(cell["light"])] for cell in cells}}


def roll_json(game: Game[Any], request: RollDice, offer: Any, language: str) -> dict[str, Any]:
    """One look into the tray: each die with its faces, the likeliest first."""
    reading = offer.reading
    dice = []
    for die in reading.dice:
        known = request.types.get(die.type)
        faces = list(known.distinct_faces) if known else []
        likely = [face for face, _ in die.alternatives if face in faces]
        order = list(dict.fromkeys([*([die.face] if die.face in faces else []), *likely, *faces]))
        dice.append(
            {
                "type": die.type,
                # of a die that this roll does not ask for the screen knows no more
                "name": name_of(game, die.type, language, "die") if die.type in game.dice else "",
                "face": die.face,
                "text": face_text(game, die.type, die.face, language) if die.face else "?",
                "quad": [list(point) for point in die.quad],
                "confidence": round(die.confidence, 3),
                "pose": die.pose,
                "faces": [{"id": face, "text": face_text(game, die.type, face, language)} for face in order],
            }
        )
    return {
        "number": offer.number,
        "throw": nth(offer.throw, language) if offer.throw > 1 else "",
        "picture": offer.picture is not None,
        "status": reading.status,
        "width": reading.width,
        "height": reading.height,
        "dice": dice,
        "reasons": [
            {
                "code": reason.code,
                "text": _reason(game, request, reason, language),
                "quad": [list(p) for p in reason.quad] if reason.quad else None,
            }
            for reason in reading.reasons
        ],
    }


def _reason(game: Game[Any], request: RollDice, reason: Any, language: str) -> str:
    said = reason.text.in_words(language)
    names_ids = reason.code in ("bumped", "not_taught")
    return by_name(game, request.types, said, language) if names_ids else said


def outcome_json(table: Table, language: str) -> dict[str, Any] | None:
    """How the game ended."""
    outcome = table.outcome
    if outcome is None:
        return None
    game = table.play.game
    rule = rule_json(game, outcome.rule, language)
    text = ""
    if game.messages.find(f"outcome.{outcome.rule}", language) is not None:
        text = sentence(game, f"outcome.{outcome.rule}", language, outcome.params)
    elif table.standing.ended is not None:
        text = told_result(game, table.header, outcome, language)
    return {
        "winners": list(outcome.winners),
        "ranking": [list(place) for place in outcome.ranking],
        "rule": rule,
        "text": text or (rule["sentence"] if rule else ""),
    }


def looks_json(game: Game[Any]) -> dict[str, dict[str, str]]:
    """The colour and the outline of each seat."""
    return {seat: {"colour": look.colour, "shape": look.shape} for seat, look in looks_of(game).items()}


def wishes_json(table: Table, seat: str, language: str) -> list[dict[str, Any]]:
    """When ``seat`` wants to be asked in others' turns, and which ways there are."""
    game = table.play.game
    if not isinstance(game, TakesReactions):
        return []
    said = table.wishes_of(seat)
    return [
        {
            "id": wish,
            "name": game.messages.text(f"wish.{wish}", language),
            "says": said[wish],
            "ways": [
                {"id": way, "text": wish_text(game, wish, way, language)} for way in (ALWAYS, *known, NEVER)
            ],
        }
        for wish, known in game.wishes.items()
    ]
