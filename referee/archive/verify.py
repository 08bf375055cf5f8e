"""Checking an exported game: form, chain, signature, legality of every event, result.

Nothing is taken on trust: the game is played again from its header by the
rules installed here, and each event must be what the hall would have recorded.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from referee.archive.exchange import FormatError, Sheet, read, result_json
from referee.archive.rechecking import Illegal, Recheck
from referee.journal.events import digest_of, event_hash
from referee.journal.signing import fingerprint, is_signed
from referee.kernel.at_table import game_of
from referee.kernel.errors import RefereeError
from referee.kernel.play import canonical_json


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: a stable code, the line of the file, the event (0: none), and sentences."""

    code: str
    line: int
    event: int
    english: str
    german: str


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
    remarks: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """True where all holds."""
        return not self.findings

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {**asdict(self), "ok": self.ok}

    def wrong(self, code: str, line: int, event: int, english: str, german: str) -> None:
        """Note a fault."""
        self.findings.append(Finding(code, line, event, english, german))


def verify_file(path: Path, trusted: Collection[str] = ()) -> Verdict:
    """Check one file.  ``trusted``: public keys (hex); empty: any key, which is then only named."""
    began = time.perf_counter()
    verdict = Verdict(str(path))
    try:
        sheet = read(path.read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or str(error)
        verdict.wrong("unreadable", 0, 0, f"cannot be read ({reason})", f"nicht lesbar ({reason})")
    except UnicodeDecodeError as error:
        verdict.wrong("format", 0, 0, f"is not UTF-8 text ({error})", f"ist kein UTF-8-Text ({error})")
    except FormatError as error:
        verdict.wrong("format", error.line, 0, error.english, error.german)
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
                f"event {event.number} was changed: its content does not give its hash",
                f"Ereignis {event.number} wurde verändert: Sein Inhalt ergibt nicht seinen Hash",
            )  # fmt: skip
        elif event.number != place:
            _misplaced(event.number, place, line, verdict, {one.number for one in sheet.events})
        elif event.game != sheet.header["id"]:
            verdict.wrong(
                "chain", line, event.number,
                f"event {event.number} belongs to another game ({event.game})",
                f"Ereignis {event.number} gehört zu einer anderen Partie ({event.game})",
            )  # fmt: skip
        elif event.previous != previous:
            _unjoined(event.number, line, verdict, event.previous in hashes)
        else:
            previous = event.hash
            continue
        return


def _misplaced(number: int, place: int, line: int, verdict: Verdict, numbers: set[int]) -> None:
    if place in numbers:
        english, german = "events were swapped or repeated", "Ereignisse wurden vertauscht oder wiederholt"
    else:
        english, german = f"event {place} is missing", f"Ereignis {place} fehlt"
    verdict.wrong(
        "chain", line, number,
        f"event {number} stands where event {place} belongs: {english}",
        f"Ereignis {number} steht, wo Ereignis {place} hingehört: {german}",
    )  # fmt: skip


def _unjoined(number: int, line: int, verdict: Verdict, elsewhere: bool) -> None:
    if number == 1:
        english = "the header was changed after the game began (players, table, versions or options)"
        german = "der Kopf wurde nach Beginn der Partie verändert (Spieler, Tisch, Fassungen oder Optionen)"
    elif elsewhere:
        english, german = "events were swapped", "Ereignisse wurden vertauscht"
    else:
        english = f"event {number - 1} is not the one it followed: one of both was invented or replaced"
        german = (
            f"Ereignis {number - 1} ist nicht sein Vorgänger: Eines der beiden wurde erfunden oder ersetzt"
        )
    verdict.wrong(
        "chain", line, number,
        f"event {number} does not join what stands before it: {english}",
        f"Ereignis {number} schließt nicht an das vorige an: {german}",
    )  # fmt: skip


def _signature(sheet: Sheet, verdict: Verdict, trusted: Collection[str]) -> None:
    signature = sheet.signature
    line = len(sheet.events) + 2
    if signature is None:
        verdict.wrong("unsigned", line, 0, "the signature is missing", "die Unterschrift fehlt")
        return
    verdict.key, verdict.result = str(signature["key"]), signature["result"]
    body = {key: value for key, value in signature.items() if key != "value"}
    message = canonical_json(body).encode()
    if signature["algorithm"] != "Ed25519" or not is_signed(verdict.key, str(signature["value"]), message):
        verdict.wrong(
            "signature", line, 0,
            "the signature is not that of the key named in it: the file was changed after it was signed",
            "die Unterschrift stammt nicht von ihrem Schlüssel: Die Datei wurde danach verändert",
        )  # fmt: skip
        return
    head = sheet.events[-1].hash if sheet.events else digest_of(sheet.header)
    if signature["events"] != len(sheet.events) or signature["head"] != head:
        verdict.wrong(
            "signature", line, 0,
            f"the signature is for {signature['events']} events, the file has {len(sheet.events)} or others",
            f"die Unterschrift gilt {signature['events']} Ereignissen, die Datei hat {len(sheet.events)} "
            "oder andere",
        )  # fmt: skip
    if trusted and verdict.key not in trusted:
        verdict.wrong(
            "wrong_key", line, 0,
            f"signed by another table's key ({fingerprint(verdict.key)})",
            f"mit dem Schlüssel eines anderen Tisches unterschrieben ({fingerprint(verdict.key)})",
        )  # fmt: skip
    elif not trusted:
        name = fingerprint(verdict.key)
        verdict.remarks.append(
            (
                f"signed by key {name}; compare it, or give --key",
                f"Schlüssel {name}; bitte vergleichen, oder --key",
            )
        )


def _clock(sheet: Sheet, verdict: Verdict) -> None:
    for before, event in pairwise(sheet.events):
        if event.at < before.at:
            verdict.remarks.append(
                (
                    f"the clock went back before event {event.number} ({before.at} to {event.at})",
                    f"vor Ereignis {event.number} ging die Uhr zurück ({before.at} auf {event.at})",
                )
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
            f"the result stated ({sheet.signature['result']}) is not the one reached ({outcome})",
            f"das angegebene Ergebnis ({sheet.signature['result']}) ist nicht das erreichte ({outcome})",
        )  # fmt: skip
    elif older:
        verdict.remarks.append(
            (
                f"played by rules version {was}; version {game.rules_version} agrees at every event",
                f"gespielt nach Regelfassung {was}; Fassung {game.rules_version} stimmt überall überein",
            )
        )


def _cannot_begin(verdict: Verdict, error: Exception, was: str, today: str) -> None:
    """The game is not installed, or today's rules do not take its options."""
    german = error.sentence_de if isinstance(error, RefereeError) else str(error)
    if today and was != today:
        verdict.wrong(
            "rules_differ", 1, 0,
            f"played by rules version {was}; today's rules (version {today}) cannot begin it: {error}",
            f"gespielt nach Regelfassung {was}; die heutigen Regeln (Fassung {today}) können die Partie "
            f"nicht beginnen: {german}",
        )  # fmt: skip
    else:
        verdict.wrong("no_rules", 1, 0, f"cannot be played again: {error}", f"nicht nachspielbar: {german}")


def _report(verdict: Verdict, sheet: Sheet, place: int, illegal: Illegal, older: bool, today: str) -> None:
    event = sheet.events[place]
    english, german = illegal.english, illegal.german
    if older:
        was = sheet.header["rules_version"]
        english = f"today's rules (version {today}) differ from version {was} here: {english}"
        german = f"hier weichen die heutigen Regeln (Fassung {today}) von Fassung {was} ab: {german}"
    verdict.wrong(
        "rules_differ" if older else "illegal", place + 2, event.number,
        f"event {event.number} ({event.kind}, {event.seat}): {english}",
        f"Ereignis {event.number} ({event.kind}, {event.seat}): {german}",
    )  # fmt: skip
