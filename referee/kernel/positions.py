"""Positions written by hand: which game a file is of, what is wrong with it, and a game that begins from it.

Used by ``referee position`` and by the arbiter's desk.  A game takes part by
``read_position(text)`` (raising :class:`referee.kernel.located.FileProblems`)
and ``write_position(state, title, answers)``; see ``docs/adding_a_game.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from referee.kernel.capabilities import PositionFiles
from referee.kernel.errors import AuditFailed, RefereeError
from referee.kernel.located import FileProblems, Problem
from referee.kernel.messages import Text
from referee.kernel.play import Game, Play, SeatLeft
from referee.kernel.requests import ChooseSecretly


class NoPositions(RefereeError):
    """The game has no position files."""

    code = "no_positions"

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(Text("kernel.no_position_files", game=game.title))


@dataclass(frozen=True, slots=True)
class Checked:
    """A position file that was looked at: its ``problems``, or else its title, what the game read in it,
    and the game from there."""

    problems: tuple[Problem, ...]
    title: str = ""
    position: Any = None
    play: Play[Any] | None = None


def game_named(text: str) -> str:
    """The game that a file names in a line ``game: ...``; "" where it names none."""
    for line in text.splitlines():
        if line.startswith("game:"):
            return line.partition(":")[2].strip()
    return ""


def reader_of(game: Game[Any]) -> Callable[[str], Any]:
    """What reads the game's position files.  Raises :class:`NoPositions`."""
    if not isinstance(game, PositionFiles):
        raise NoPositions(game)
    return game.read_position


def play_from(game: Game[Any], position: Any) -> Play[Any]:
    """The game at the moment the position describes."""
    play: Play[Any] = Play(game, game.copy(position.state))
    position.lead_in(play)
    return play


def check(game: Game[Any], text: str) -> Checked:
    """Everything that is wrong with a position file, and the game from it where nothing is."""
    try:
        position = reader_of(game)(text)
        return Checked((), position.title, position, play_from(game, position))
    except FileProblems as error:
        return Checked(tuple(error.problems))
    except AuditFailed as error:
        return Checked(
            tuple(Problem(1, Text("kernel.audit_problem", problem=problem)) for problem in error.problems)
        )


def write(game: Game[Any], play: Play[Any]) -> str:
    """The position file of this moment: where the running action began, and what was answered since
    (until a seat left, where one did)."""
    if not isinstance(game, PositionFiles):
        raise NoPositions(game)
    if play.kept is None:
        return game.write_position(play.state)
    answers = tuple(takewhile(lambda answer: not isinstance(answer, SeatLeft), play.since))
    return game.write_position(play.kept, answers=answers)


def lead_in(table: Any) -> None:
    """Answer what leads a new table, made with the option ``position``, into a running combat; recorded."""
    position = reader_of(table.game)(table.header["options"]["position"])
    for answer in position.lead_in(table.play.fork()):
        request = table.request
        if isinstance(request, ChooseSecretly):
            for seat in request.of:
                table.answer(seat, answer[seat], revision=table.revision, source="arbiter")
        else:
            table.answer(request.seat, answer, revision=table.revision, source="arbiter")
