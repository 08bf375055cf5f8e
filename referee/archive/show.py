"""What is told of a record: as a whole, and any moment of it: position, question, what was allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.archive import TEXTS
from referee.archive.happenings import by_whom, happened, roll_remarks
from referee.archive.rolls import picture_of
from referee.hall.base import request_in_short
from referee.journal.errors import NotPossible
from referee.journal.events import ARBITER, Event, moves
from referee.journal.line import apply, line_of, replay
from referee.kernel.at_table import game_of
from referee.kernel.capabilities import Narrated
from referee.kernel.messages import Text
from referee.kernel.naming import NONE, namer
from referee.kernel.play import Game, Play
from referee.kernel.requests import Request
from referee.kernel.seats import seats_of
from referee.store.pictures import Pictures
from referee.store.recover import Loaded
from referee.store.store import Store


@dataclass(frozen=True)
class PointInGame:
    """A game as it stood after event ``number``: the play, and the last event (None at the beginning)."""

    number: int
    event: Event | None
    play: Play[Any]

    @property
    def request(self) -> Request | None:
        """What was asked then."""
        return self.play.request


def moment(
    loaded: Loaded, number: int, snapshots: Mapping[int, tuple[str, str]] | None = None
) -> PointInGame:
    """The game after event ``number`` (0: the beginning).  Raises ``NotPossible`` beyond its end."""
    if not 0 <= number <= len(loaded.events):
        raise NotPossible(
            Text("archive.no_event", number=number, events=len(loaded.events)),
        )
    events = loaded.events[:number]
    game = game_of(loaded.header)
    play, _ = replay(game, loaded.header["options"], line_of(events), snapshots or {})
    return PointInGame(number, events[-1] if events else None, play)


class Narrator:
    """Puts events and moments into words of one game and language."""

    def __init__(self, game: Game[Any], lang: str) -> None:
        self.game = game
        self.lang = lang
        self.names = namer(game, lang)

    def t(self, message: str, **params: Any) -> str:
        """One of the record's own texts."""
        return TEXTS.text(f"show.{message}", self.lang, params)

    def question(self, request: Mapping[str, Any] | None) -> str:
        """The question that an event answers."""
        return "" if request is None else self.names.question(str(request["prompt"]), request["about"])

    def answer(self, request: Mapping[str, Any] | None, value: Any) -> str:
        """``value`` as an answer to a recorded question."""
        asked = request or {}
        return self.names.answer(value, str(asked.get("prompt", "")), str(asked.get("domain", "")))

    def seat(self, seat: str) -> str:
        """Who answered or was asked: a seat, the arbiter, or ``*`` for all."""
        return self.t(f"seat_{seat.strip('*') or 'all'}") if seat in ("*", ARBITER) else self.names.seat(seat)

    def line(self, event: Event, undone: bool) -> str:
        """One event as one line of the readable record; ``~`` marks what was taken back."""
        seat = " ".join(filter(None, (self.seat(event.seat), by_whom(event))))
        said = self.said(event)
        source = ", ".join((self.t(f"source_{event.source}"), *self.roll(event)))
        return f"{'~' if undone else ' '}{event.number:>5}  {event.at[11:19]}  {seat:<16} {said}  [{source}]"

    def roll(self, event: Event) -> Iterator[str]:
        """That a roll was typed in, or that its reading was corrected."""
        evidence = event.evidence or {}
        if evidence.get("manual"):
            yield self.t("manual")
        if evidence.get("corrections"):
            yield self.t("corrected", n=len(evidence["corrections"]))
        if event.kind == "answer":
            yield from roll_remarks(evidence, self.lang)

    def _compared(self, data: Mapping[str, Any]) -> str:
        """What came of comparing board and record."""
        if data["skipped"]:
            return self.t("check_skipped")
        parts = [
            f"{self.t(message)} {self.names.names(data[key], 'place')}"
            for key, message in (("mended", "check_mended"), ("differing", "check_differs"))
            if data[key]
        ]
        if data.get("laid"):
            parts.append(f"{self.t('check_laid')} {self.names.names(data['laid'], 'seat')}")
        if not data["complete"]:
            parts.append(self.t("check_broken_off"))
        return "; ".join(parts) or self.t("check_all_well")

    def _wish(self, data: Mapping[str, Any]) -> str:
        wish, says = data["wish"], data["says"]
        own = self.game.messages.find(f"wish.{wish}.{says}", self.lang)
        return f"{self.game.messages.text(f'wish.{wish}', self.lang)}: {own or self.t(f'wish_{says}')}"

    def said(self, event: Event) -> str:
        """What an event says, without who and when."""
        if event.kind == "answer":
            return f"{self.question(event.request)} → {self.answer(event.request, event.answer)}"
        if event.kind == "sealed_part":
            return f"{self.question(event.request)} → {self.t('sealed')}"
        told_elsewhere = happened(self.game, event, self.lang)
        if told_elsewhere is not None:
            return told_elsewhere
        words = self.t(f"kind_{event.kind}")
        data = event.answer if isinstance(event.answer, Mapping) else {}
        told = data.get("text") or data.get("reason") or ""
        if event.kind in ("correction", "correction_asked"):
            told = ": ".join(filter(None, ("; ".join(map(self.names.correction, data["primitives"])), told)))
        if event.kind == "ruling" and data.get("beside"):
            told = TEXTS.text("happened.beside", self.lang, {"n": data["beside"], "text": told})
        if event.kind == "stands":
            told = f"{self.answer(event.request, data['value'])} ({told})"
        if "to" in data and event.kind in ("take_back", "take_back_asked", "correction"):
            words = f"{words} ({self.t('before', n=data['to'])})"
        if data.get("restores"):
            told = self.t("restores", numbers=", ".join(map(str, data["restores"])))
        if event.kind == "board_check":
            told = self._compared(data)
        if event.kind == "consent":
            silent = "silence_s" in (event.evidence or {})
            told = self.t("by_silence" if silent else "yes" if data["yes"] else "no")
        if event.kind == "resignation" and data.get("plays_on"):
            told = self.t("plays_on")
        if event.kind == "wish":
            told = self._wish(data)
        return f"{words}: {told}" if told else words


def report(loaded: Loaded, lang: str) -> str | None:
    """The game's own readable record; None where the game has none."""
    game = game_of(loaded.header)
    if not isinstance(game, Narrated):
        return None
    teller = Narrator(game, lang)
    names = [f"{teller.seat(seat)}: {name}" for seat, name in _players(game, loaded) if name]
    steps = [_step(teller, event) for event in line_of(loaded.events)]
    return game.tale(game.new_state(loaded.header["options"]), steps, lang, ", ".join(names))


def _players(game: Game[Any], loaded: Loaded) -> list[tuple[str, str]]:
    """Seats and names in the game's order."""
    players = loaded.header["players"]
    return [(seat, str(players.get(seat, ""))) for seat in seats_of(game, loaded.header)]


def _step(teller: Narrator, event: Event) -> dict[str, Any]:
    """An event of the line as the game's tale takes it."""
    if event.kind == "answer":
        return {"answer": event.answer}
    answer = event.answer["value"] if event.kind == "stands" else None
    return {"answer": answer, "note": f"({teller.said(event)}.)", "apply": lambda play: apply(play, event)}


def events_as_json(loaded: Loaded) -> dict[str, Any]:
    """The whole record, as it was written."""
    return {"header": loaded.header, "events": [event.as_json() for event in loaded.events]}


def events_in_words(loaded: Loaded, lang: str) -> Iterator[str]:
    """Event by event, with times and sources; what was taken back is marked."""
    game = game_of(loaded.header)
    teller = Narrator(game, lang)
    yield f"{loaded.header['id']}  {loaded.header['created']}  {loaded.header['table']}"
    for seat, name in _players(game, loaded):
        yield f"  {teller.seat(seat)}: {name or '–'}"
    standing = {event.number for event in line_of(loaded.events)}
    for event in loaded.events:
        undone = moves(event) and event.number not in standing
        yield teller.line(event, undone)
    for remark in loaded.remarks:
        yield remark.in_words(lang)


def moment_as_json(store: Store, loaded: Loaded, number: int, lang: str) -> dict[str, Any]:
    """The game after event ``number``: the event, what is seen, what was asked and what was allowed."""
    then = moment(loaded, number, store.snapshots(loaded.header["id"]))
    picture = _picture(store, then.event)
    return {
        "number": number,
        "event": then.event.as_json() if then.event else None,
        "view": game_of(loaded.header).view(then.play.state, None, lang),
        "request": request_in_short(then.request),
        "candidates": [
            {"value": one.value, "refused": one.refusal.rule if one.refusal else None}
            for one in (then.request.candidates() if then.request else ())
        ],
        "picture": str(picture) if picture else None,
        "picture_is_as_it_was": _is_as_it_was(store, then.event),
    }


def moment_in_words(store: Store, loaded: Loaded, number: int, lang: str) -> Iterator[str]:
    """The game after event ``number``: the event and its evidence, the position, the open question."""
    then = moment(loaded, number, store.snapshots(loaded.header["id"]))
    game = game_of(loaded.header)
    teller = Narrator(game, lang)
    if then.event is not None:
        yield teller.line(then.event, False)
        yield from _evidence(teller, store, then.event)
    yield from _position(game, then.play, game.view(then.play.state, None, lang), lang)
    yield from _question(teller, then.request)


def _pictures(store: Store) -> Pictures | None:
    """Where the pictures of a record's rolls lie; None for a record that has no place of its own."""
    return None if store.path is None else Pictures(store.path.with_name(store.path.name + ".pictures"))


def _picture(store: Store, event: Event | None) -> Path | None:
    digest, pictures = picture_of(event), _pictures(store)
    return pictures.find(digest) if digest and pictures else None


def _is_as_it_was(store: Store, event: Event | None) -> bool | None:
    """Whether the picture of an event is the one that was read; None where there is none to compare."""
    digest, pictures = picture_of(event), _pictures(store)
    if digest is None or pictures is None or pictures.find(digest) is None:
        return None
    return pictures.is_as_it_was(digest)


def _evidence(teller: Narrator, store: Store, event: Event) -> Iterator[str]:
    if picture_of(event) is not None:
        path, as_it_was = _picture(store, event), _is_as_it_was(store, event)
        how = {True: "picture", False: "picture_changed", None: "picture_missing"}[as_it_was]
        yield f"       {teller.t(how, path=path or '')}"


def _position(game: Game[Any], play: Play[Any], view: Mapping[str, Any], lang: str) -> Iterable[str]:
    phase = view.get("phase") or {}
    turn = view.get("turn_title") or TEXTS.text("show.turn", lang, {"n": view.get("turn", "?")})
    yield f"{turn}  {phase.get('title', '')}"
    for place, here in (view.get("places") or {}).items():
        things = [*here.get("pieces", ()), *here.get("markers", ())]
        if things:
            listed = ", ".join(f"{one.get('count', 1)} {one['name']}" for one in things)
            yield f"  {namer(game, lang).name(place, 'place')}: {listed}"
    for seat, one in (view.get("seats") or {}).items():
        counters = ", ".join(f"{counter['name']} {counter['value']}" for counter in one.get("counters", ()))
        dice = " ".join(die["name"] + ("*" if die.get("used") else "") for die in one.get("dice", ()))
        yield f"  {one.get('name', seat)}: {counters}  {dice}".rstrip()
    for one in (*(view.get("scores") or ()), *(view.get("tracks") or ())):
        pawns = ", ".join(f"{pawn['name']} {pawn['at']}" for pawn in one.get("markers", ()))
        yield f"  {one['name']}: {pawns or one.get('value', one.get('marker', NONE))}"


def _question(teller: Narrator, request: Request | None) -> Iterator[str]:
    if request is None:
        yield teller.t("over")
        return
    asked = request_in_short(request)
    yield f"? {teller.seat(request.seat)}: {teller.question(asked)}"
    for one in request.candidates():
        if one.refusal is None:
            yield f"    + {teller.answer(asked, one.value)}"
        else:
            rule = teller.names.rule_line(teller.game.catalogue[one.refusal.rule])
            yield f"    - {teller.answer(asked, one.value)}  ({rule})"
