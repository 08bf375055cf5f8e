"""The code on a match slip: what it says, and whether it says so of a game.

    TR2 <game> <events> <hash of the last event> <digest of the players> <digest of the result> <signature>

Hashes and digests are SHA-256 over canonical JSON, the signature (Ed25519, hex) is over everything before
it.  Slips of earlier programs begin with TR1 and lack the two digests.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.archive.exchange import RecordFile, read, result_json
from referee.archive.results import outcome_of
from referee.archive.verify import Verdict
from referee.journal.events import digest_of
from referee.journal.signing import TableKey, fingerprint, is_signed
from referee.kernel.messages import Text
from referee.kernel.play import Outcome
from referee.store.recover import Loaded

PARTS = {"TR1": 5, "TR2": 7}


@dataclass(frozen=True)
class SlipCode:
    """What a slip's code states; ``players`` and ``result`` are digests, "" on earlier slips."""

    stated: str
    game: str
    events: int
    head: str
    players: str
    result: str
    signature: str


def slip_code(loaded: Loaded, outcome: Outcome | None, key: TableKey) -> str:
    """The text of the code, signed by the table's ``key``."""
    head = loaded.events[-1].hash if loaded.events else digest_of(loaded.header)
    digests = _digests(loaded.header, result_json(outcome))
    stated = " ".join(("TR2", loaded.header["id"], str(len(loaded.events)), head, *digests))
    return f"{stated} {key.sign(stated.encode())}"


def _digests(header: Mapping[str, Any], result: Mapping[str, Any] | None) -> tuple[str, str]:
    """The digests of players and result."""
    return digest_of(header["players"]), digest_of(result)


def parsed(text: str) -> SlipCode | None:
    """What ``text`` states, or None where it is not the code of a slip."""
    parts = text.split()
    if not parts or len(parts) != PARTS.get(parts[0]) or not (parts[2].isascii() and parts[2].isdigit()):
        return None
    if len(parts[2]) > 9:
        return None
    players, result = parts[4:6] if len(parts) == 7 else ("", "")
    stated = " ".join(parts[:-1])
    return SlipCode(stated, parts[1], int(parts[2]), parts[3], players, result, parts[-1])


def verify_slip(text: str, games: Sequence[tuple[Path, Verdict]], trusted: Collection[str]) -> Verdict:
    """Check the code of a slip against exported ``games`` that were checked themselves.

    It has to be signed by a ``trusted`` key (none given: by that of its game), and to state the events,
    the players and the result of that game.
    """
    verdict = Verdict("slip")
    code = parsed(text)
    if code is None:
        verdict.wrong("slip", 0, 0, Text("archive.not_a_slip"))
        return verdict
    verdict.id, verdict.events = code.game, code.events
    own = [(path, game) for path, game in games if game.id == code.game and game.is_sound]
    keys = set(trusted) or {game.key for _, game in own}
    if not keys:
        verdict.wrong("slip", 0, 0, Text("archive.slip_no_key"))
        return verdict
    by = next((key for key in sorted(keys) if is_signed(key, code.signature, code.stated.encode())), None)
    if by is None:
        verdict.wrong("signature", 0, 0, Text("archive.slip_not_signed"))
        return verdict
    verdict.key = by
    verdict.remark(Text("archive.signed_by", name=fingerprint(by)))
    if not code.players:
        verdict.remark(Text("archive.slip_of_earlier_form"))
    if not own:
        verdict.remark(Text("archive.slip_without_game", game=code.game))
    for path, game in own:
        _compare(code, read(path), game, verdict)
    return verdict


def _compare(code: SlipCode, sheet: RecordFile, game: Verdict, verdict: Verdict) -> None:
    """Whether the slip is one of the game in ``sheet``, as it stood after as many events."""
    if len(sheet.events) < code.events:
        why = Text("archive.slip_after_file", file=game.file, events=len(sheet.events), stated=code.events)
        verdict.wrong("slip", 0, code.events, why)
        return
    events = sheet.events[: code.events]
    head = events[-1].hash if events else digest_of(sheet.header)
    if head != code.head:
        verdict.wrong("slip", 0, code.events, Text("archive.slip_of_other_events", file=game.file))
        return
    verdict.game, verdict.players, verdict.told = game.game, game.players, game.told[:1]
    if not code.players:
        return
    outcome = outcome_of(Loaded(sheet.header, events, {}))
    verdict.result = result_json(outcome)
    players, result = _digests(sheet.header, verdict.result)
    if players != code.players:
        verdict.wrong("slip", 0, 0, Text("archive.slip_of_other_players", file=game.file))
    if result != code.result:
        verdict.wrong("slip", 0, code.events, Text("archive.slip_of_other_result", file=game.file))
    if len(events) == len(sheet.events):
        verdict.told = game.told
