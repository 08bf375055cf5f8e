"""Several files of one game in one run: the same twice, an earlier export, two continuations that differ."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from referee.archive.exchange import FormatError, RecordFile, read
from referee.archive.verify import Verdict
from referee.journal.events import digest_of
from referee.kernel.messages import Text

Checked = tuple[Path, Verdict]


def compare(verdicts: Sequence[Checked]) -> None:
    """Note in ``verdicts`` (with the files that they are of) what they are to each other.

    Only sound files count, so that nobody can spoil an honest one by forging another.  Of two sound ones
    that differ both are at fault: nobody can say from the files which was played.
    """
    games: dict[str, list[Checked]] = {}
    for path, verdict in verdicts:
        if verdict.is_sound:
            games.setdefault(verdict.id, []).append((path, verdict))
    for same_game in games.values():
        if len(same_game) > 1:
            _compare_all(same_game)


def _compare_all(files: list[Checked]) -> None:
    """Each file with the longest: it is the same, stops earlier, or goes on otherwise."""
    path, longest = max(files, key=lambda one: one[1].events)
    sheet = _again(path)
    for other_path, other in files:
        if other is longest:
            continue
        if other.head == longest.head:
            for one, twin in ((longest, other), (other, longest)):
                one.remark(Text("archive.same_game", file=twin.file))
            continue
        parted = _parted(sheet, _again(other_path))
        if parted is None:
            other.remark(Text("archive.goes_on", file=longest.file, events=longest.events))
            continue
        at, lines = parted
        for one, line, twin in ((longest, lines[0], other), (other, lines[1], longest)):
            one.wrong("fork", line, at, Text("archive.two_continuations", file=twin.file, number=at))


def _again(path: Path) -> RecordFile | None:
    """The file read again, so that a run over many games need not keep them all in memory."""
    try:
        return read(path)
    except (OSError, FormatError):  # it changed after it was checked
        return None


def _parted(first: RecordFile | None, second: RecordFile | None) -> tuple[int, tuple[int, int]] | None:
    """The first event (0: the header) at which two games differ, and its lines; None where one goes on."""
    if first is None or second is None or digest_of(first.header) != digest_of(second.header):
        return 0, (1, 1)
    for place, (left, right) in enumerate(zip(first.events, second.events, strict=False)):
        if left.hash != right.hash:
            return left.number, (first.lines[place], second.lines[place])
    return None
