"""Checking an exported game: form, chain, signature, legality of every event, result.

Nothing is taken on trust: the game is played again from its header by the
rules installed here, and each event must be what the hall would have recorded.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from referee.archive.clocks import clock_remarks
from referee.archive.exchange import FormatError, RecordFile, read, result_json, shown_at_length
from referee.archive.rechecking import Recheck
from referee.archive.results import told_players, told_result
from referee.archive.rolls import picture_of
from referee.archive.table_checks import Illegal
from referee.hall.live_game import RULES_FAULTS
from referee.journal.events import digest_of, event_hash
from referee.journal.signing import fingerprint, is_signed
from referee.kernel.at_table import game_of
from referee.kernel.messages import Text, each_in, spoken
from referee.kernel.naming import InWords
from referee.kernel.play import Game, Outcome, canonical_json
from referee.store.pictures import Pictures

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: a stable code, the line of the file, the event (0: none), and sentences."""

    code: str
    line: int
    event: int
    text: Text

    def as_json(self) -> dict[str, Any]:
        """For ``--json``: with the sentence in English and German."""
        place = {"code": self.code, "line": self.line, "event": self.event}
        return {**place, "english": self.text.in_words("en"), "german": self.text.in_words("de")}


@dataclass
class Verdict:
    """What a check of one file found.  ``remarks`` are worth knowing but no faults.

    ``players`` by seat and ``result`` are as the file states them; ``told`` says both in words.  ``head``
    is the hash of the last event (of the header, where there is none): where the chain holds it stands for
    the whole game.
    """

    file: str
    game: str = ""
    id: str = ""
    events: int = 0
    key: str = ""
    head: str = ""
    players: dict[str, Any] = field(default_factory=dict)
    result: Any = None
    told: list[Text] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    remarks: list[Text] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """True where all holds."""
        return not self.findings

    @property
    def is_sound(self) -> bool:
        """True where the file is what its table signed, though today's rules or a picture may differ."""
        return all(one.code in ("rules_differ", "no_rules", "picture") for one in self.findings)

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        data = {
            **vars(self),
            "findings": [one.as_json() for one in self.findings],
            "remarks": [(one.in_words("en"), one.in_words("de")) for one in self.remarks],
            "ok": self.ok,
        }
        del data["told"]
        return data

    def wrong(self, code: str, line: int, event: int, text: Text) -> None:
        """Note a fault."""
        self.findings.append(Finding(code, line, event, _said(text)))

    def remark(self, text: Text) -> None:
        """Note what is no fault."""
        self.remarks.append(_said(text))


def _said(text: Text) -> Text:
    """``text`` in words that can go to another process and onto a terminal, whatever a file put into it."""
    try:
        said = spoken(text)
    except RULES_FAULTS as error:  # a value from the file that the game has no words for
        log.debug("no words for %s", text.id, exc_info=True)
        said = spoken(Text("archive.no_words", why=type(error).__name__))
    return each_in(said, shown_at_length)


def verify_file(path: Path, trusted: Collection[str] = (), pictures: Pictures | None = None) -> Verdict:
    """Check one file.  ``trusted``: public keys (hex); empty: any key, which is then only named.

    ``pictures``: also compare the pictures of rolls.  Whatever is in the file, there is a verdict.
    """
    began = time.perf_counter()
    verdict = Verdict(name_of(path))
    try:
        _verify(read(path), verdict, trusted, pictures)
    except OSError as error:
        reason = error.strerror or str(error)
        verdict.wrong("unreadable", 0, 0, Text("archive.cannot_read", reason=reason))
    except FormatError as error:
        verdict.wrong("format", error.line, 0, error.text)
    except (*RULES_FAULTS, MemoryError) as error:
        log.exception("%s cannot be checked", path)
        verdict.wrong("unchecked", 0, 0, Text("archive.cannot_be_checked", why=type(error).__name__))
    verdict.seconds = time.perf_counter() - began
    return verdict


def name_of(path: Path) -> str:
    """The name of a file as it may be shown, whatever bytes or control characters it is made of."""
    return shown_at_length(os.fsencode(path).decode("utf-8", "backslashreplace"))


def _verify(sheet: RecordFile, verdict: Verdict, trusted: Collection[str], pictures: Pictures | None) -> None:
    header = sheet.header
    verdict.game, verdict.id, verdict.events = header["game"], header["id"], len(sheet.events)
    verdict.players = dict(header["players"])
    if sheet.byte_order_mark:
        verdict.remark(Text("archive.byte_order_mark"))
    if sheet.blank:
        verdict.remark(Text("archive.blank_lines", n=len(sheet.blank), first=sheet.blank[0]))
    _chain(sheet, verdict)
    _signature(sheet, verdict, trusted)
    for remark in clock_remarks(header, sheet.events, datetime.now(UTC)):
        verdict.remark(remark)
    if pictures is not None:
        _pictures(sheet, verdict, pictures)
    if not any(one.code == "chain" for one in verdict.findings):
        verdict.head = head_of(sheet)
        _legality(sheet, verdict)


def head_of(sheet: RecordFile) -> str:
    """The hash of the last event, or of the header where there is none."""
    return sheet.events[-1].hash if sheet.events else digest_of(sheet.header)


def _pictures(sheet: RecordFile, verdict: Verdict, pictures: Pictures) -> None:
    """Whether the pictures of rolls are what they were; one that made way for newer ones is no fault."""
    missing = 0
    for event, line in zip(sheet.events, sheet.lines, strict=True):
        digest = picture_of(event)
        if digest is None:
            continue
        if pictures.find(digest) is None:
            missing += 1
        elif not pictures.is_as_it_was(digest):
            verdict.wrong("picture", line, event.number, Text("archive.picture_changed", number=event.number))
    if missing:
        verdict.remark(Text("archive.pictures_missing", n=missing))


def _chain(sheet: RecordFile, verdict: Verdict) -> None:
    """The first break, as precisely as it can be told what was done to the file."""
    previous = digest_of(sheet.header)
    hashes = {event.hash: event.number for event in sheet.events}
    for place, event in enumerate(sheet.events, start=1):
        line = sheet.lines[place - 1]
        own = event_hash(event)
        if own != event.hash:
            verdict.wrong(
                "chain", line, event.number,
                Text("archive.event_changed", number=event.number),
            )  # fmt: skip
        elif event.number != place:
            _misplaced(event.number, place, line, verdict, {one.number for one in sheet.events})
        elif event.game != sheet.header["id"]:
            verdict.wrong(
                "chain", line, event.number,
                Text("archive.event_of_other_game", number=event.number, game=event.game),
            )  # fmt: skip
        elif event.previous != previous:
            _unjoined(event.number, line, verdict, event.previous in hashes)
        else:
            previous = event.hash
            continue
        return


def _misplaced(number: int, place: int, line: int, verdict: Verdict, numbers: set[int]) -> None:
    if place in numbers:
        why = Text("archive.events_out_of_order")
    else:
        why = Text("archive.event_missing", place=place)
    verdict.wrong("chain", line, number, Text("archive.misplaced", number=number, place=place, why=why))


def _unjoined(number: int, line: int, verdict: Verdict, elsewhere: bool) -> None:
    if number == 1:
        why = Text("archive.header_changed")
    elif elsewhere:
        why = Text("archive.events_swapped")
    else:
        why = Text("archive.event_replaced", before=number - 1)
    verdict.wrong("chain", line, number, Text("archive.unjoined", number=number, why=why))


def _signature(sheet: RecordFile, verdict: Verdict, trusted: Collection[str]) -> None:
    signature = sheet.signature
    line = sheet.last_line
    if signature is None:
        verdict.wrong("unsigned", line, 0, Text("archive.signature_missing"))
        return
    verdict.key, verdict.result = signature["key"], signature["result"]
    body = {key: value for key, value in signature.items() if key != "value"}
    message = canonical_json(body).encode()
    if signature["algorithm"] != "Ed25519" or not is_signed(verdict.key, signature["value"], message):
        verdict.wrong(
            "signature", line, 0,
            Text("archive.signature_of_other_key"),
        )  # fmt: skip
        return
    if signature["events"] != len(sheet.events) or signature["head"] != head_of(sheet):
        why = Text("archive.signature_of_other_events", signed=signature["events"], events=len(sheet.events))
        verdict.wrong("signature", line, 0, why)
    if trusted and verdict.key not in trusted:
        verdict.wrong(
            "wrong_key", line, 0,
            Text("archive.signed_by_other_key", fingerprint=fingerprint(verdict.key)),
        )  # fmt: skip
    elif not trusted:
        name = fingerprint(verdict.key)
        verdict.remark(Text("archive.signed_key", name=name))


def _legality(sheet: RecordFile, verdict: Verdict) -> None:
    was, today = str(sheet.header["rules_version"]), ""
    try:
        game = game_of(sheet.header)
        today = game.rules_version
        check = Recheck(game, sheet.header)
    except RULES_FAULTS as error:
        log.debug("%s cannot begin", verdict.file, exc_info=True)
        _cannot_begin(verdict, error, was, today)
        return
    verdict.told.append(_said(_players_told(game, sheet.header)))
    older = was != today
    for place, event in enumerate(sheet.events):
        try:
            check.take(event)
        except Illegal as illegal:
            _report(verdict, sheet, place, illegal, older, game.rules_version)
            return
    verdict.told.append(_said(_result_told(game, sheet.header, check.outcome)))
    outcome = result_json(check.outcome)
    if sheet.signature is not None and outcome != sheet.signature["result"]:
        verdict.wrong(
            "rules_differ" if older else "result", sheet.last_line, 0,
            Text("archive.result_stated", signature=sheet.signature['result'], outcome=outcome),
        )  # fmt: skip
    elif older:
        verdict.remark(Text("archive.played_rules_version", was=was, rules_version=game.rules_version))


def _players_told(game: Game[Any], header: Mapping[str, Any]) -> Text:
    return InWords(game, lambda names: told_players(game, header, names.language))


def _result_told(game: Game[Any], header: Mapping[str, Any], outcome: Outcome | None) -> Text:
    return InWords(game, lambda names: told_result(game, header, outcome, names.language))


def _cannot_begin(verdict: Verdict, error: Exception, was: str, today: str) -> None:
    """The game is not installed, or today's rules do not take its options."""
    if today and was != today:
        why = Text("archive.rules_cannot_begin", was=was, today=today, why=error)
        verdict.wrong("rules_differ", 1, 0, why)
    else:
        verdict.wrong("no_rules", 1, 0, Text("archive.not_replayable", why=error))


def _report(
    verdict: Verdict, sheet: RecordFile, place: int, illegal: Illegal, older: bool, today: str
) -> None:
    event = sheet.events[place]
    why = illegal.text
    if older:
        why = Text("archive.rules_differ", today=today, was=sheet.header["rules_version"], why=why)
    verdict.wrong(
        "rules_differ" if older else "illegal",
        sheet.lines[place],
        event.number,
        Text("archive.event_illegal", number=event.number, kind=event.kind, seat=event.seat, why=why),
    )
