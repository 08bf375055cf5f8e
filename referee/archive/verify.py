"""Checking an exported game: form, chain, signature, legality of every event, result.

Nothing is taken on trust: the game is played again from its header by the
rules installed here, and each event must be what the hall would have recorded.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from referee.archive.exchange import FormatError, Sheet, read, result_json
from referee.archive.rechecking import Illegal, Recheck
from referee.journal.events import digest_of, event_hash
from referee.journal.signing import fingerprint, is_signed
from referee.kernel.at_table import game_of
from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text
from referee.kernel.play import canonical_json


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
    """What a check of one file found.  ``remarks`` are worth knowing but no faults."""

    file: str
    game: str = ""
    id: str = ""
    events: int = 0
    key: str = ""
    result: Any = None
    findings: list[Finding] = field(default_factory=list)
    remarks: list[Text] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """True where all holds."""
        return not self.findings

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            **vars(self),
            "findings": [one.as_json() for one in self.findings],
            "remarks": [(one.in_words("en"), one.in_words("de")) for one in self.remarks],
            "ok": self.ok,
        }

    def wrong(self, code: str, line: int, event: int, text: Text) -> None:
        """Note a fault."""
        self.findings.append(Finding(code, line, event, text))


def verify_file(path: Path, trusted: Collection[str] = ()) -> Verdict:
    """Check one file.  ``trusted``: public keys (hex); empty: any key, which is then only named."""
    began = time.perf_counter()
    verdict = Verdict(str(path))
    try:
        sheet = read(path.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or str(error)
        verdict.wrong("unreadable", 0, 0, Text("archive.cannot_read", reason=reason))
    except UnicodeDecodeError as error:
        verdict.wrong("format", 0, 0, Text("archive.not_utf_text", why=error))
    except FormatError as error:
        verdict.wrong("format", error.line, 0, error.text)
    else:
        _verify(sheet, verdict, trusted)
    verdict.seconds = time.perf_counter() - began
    return verdict


def _verify(sheet: Sheet, verdict: Verdict, trusted: Collection[str]) -> None:
    header = sheet.header
    verdict.game, verdict.id, verdict.events = str(header["game"]), str(header["id"]), len(sheet.events)
    _chain(sheet, verdict)
    _signature(sheet, verdict, trusted)
    _clock(sheet, verdict)
    if not any(one.code in ("chain", "format") for one in verdict.findings):
        _legality(sheet, verdict)


def _chain(sheet: Sheet, verdict: Verdict) -> None:
    """The first break, as precisely as it can be told what was done to the file."""
    previous = digest_of(sheet.header)
    hashes = {event.hash: event.number for event in sheet.events}
    for place, event in enumerate(sheet.events, start=1):
        line = place + 1
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


def _signature(sheet: Sheet, verdict: Verdict, trusted: Collection[str]) -> None:
    signature = sheet.signature
    line = len(sheet.events) + 2
    if signature is None:
        verdict.wrong("unsigned", line, 0, Text("archive.signature_missing"))
        return
    verdict.key, verdict.result = str(signature["key"]), signature["result"]
    body = {key: value for key, value in signature.items() if key != "value"}
    message = canonical_json(body).encode()
    if signature["algorithm"] != "Ed25519" or not is_signed(verdict.key, str(signature["value"]), message):
        verdict.wrong(
            "signature", line, 0,
            Text("archive.signature_of_other_key"),
        )  # fmt: skip
        return
    head = sheet.events[-1].hash if sheet.events else digest_of(sheet.header)
    if signature["events"] != len(sheet.events) or signature["head"] != head:
        why = Text("archive.signature_of_other_events", signed=signature["events"], events=len(sheet.events))
        verdict.wrong("signature", line, 0, why)
    if trusted and verdict.key not in trusted:
        verdict.wrong(
            "wrong_key", line, 0,
            Text("archive.signed_by_other_key", fingerprint=fingerprint(verdict.key)),
        )  # fmt: skip
    elif not trusted:
        name = fingerprint(verdict.key)
        verdict.remarks.append(Text("archive.signed_key", name=name))


def _clock(sheet: Sheet, verdict: Verdict) -> None:
    for before, event in pairwise(sheet.events):
        if event.at < before.at:
            verdict.remarks.append(
                Text("archive.clock_went_back", number=event.number, at=before.at, at2=event.at)
            )


def _legality(sheet: Sheet, verdict: Verdict) -> None:
    was, today = str(sheet.header["rules_version"]), ""
    try:
        game = game_of(sheet.header)
        today = game.rules_version
        check = Recheck(game, sheet.header)
    except (RefereeError, ValueError, TypeError, LookupError) as error:
        _cannot_begin(verdict, error, was, today)
        return
    older = was != today
    for place, event in enumerate(sheet.events):
        try:
            check.take(event)
        except Illegal as illegal:
            _report(verdict, sheet, place, illegal, older, game.rules_version)
            return
    outcome = result_json(check.outcome)
    if sheet.signature is not None and outcome != sheet.signature["result"]:
        verdict.wrong(
            "rules_differ" if older else "result", len(sheet.events) + 2, 0,
            Text("archive.result_stated", signature=sheet.signature['result'], outcome=outcome),
        )  # fmt: skip
    elif older:
        verdict.remarks.append(
            Text("archive.played_rules_version", was=was, rules_version=game.rules_version)
        )


def _cannot_begin(verdict: Verdict, error: Exception, was: str, today: str) -> None:
    """The game is not installed, or today's rules do not take its options."""
    if today and was != today:
        why = Text("archive.rules_cannot_begin", was=was, today=today, why=error)
        verdict.wrong("rules_differ", 1, 0, why)
    else:
        verdict.wrong("no_rules", 1, 0, Text("archive.not_replayable", why=error))


def _report(verdict: Verdict, sheet: Sheet, place: int, illegal: Illegal, older: bool, today: str) -> None:
    event = sheet.events[place]
    why = illegal.text
    if older:
        why = Text("archive.rules_differ", today=today, was=sheet.header["rules_version"], why=why)
    verdict.wrong(
        "rules_differ" if older else "illegal",
        place + 2,
        event.number,
        Text("archive.event_illegal", number=event.number, kind=event.kind, seat=event.seat, why=why),
    )
