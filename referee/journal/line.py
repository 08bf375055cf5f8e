"""The line: which events the position follows from, and replaying it.

Nothing is ever removed from the record; what was taken back stays in it.  The
line is what is left of it for the position: the events that moved it and were
not undone, in order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.journal.events import Event, moves
from referee.kernel.capabilities import Correctable
from referee.kernel.corrections import no_correction
from referee.kernel.errors import InvalidAnswer
from referee.kernel.fields import FieldsRead
from referee.kernel.messages import Text
from referee.kernel.play import Game, Play, state_digest


def follow(line: list[Event], event: Event, earlier: Sequence[Event]) -> None:
    """Bring ``line`` up to ``event``, which comes next in the record after ``earlier``.

    What a take-back ``restores`` had been removed by a correction that it undoes: it counts again.
    """
    if event.kind in ("take_back", "correction"):
        while line and line[-1].number >= event.answer["to"]:
            line.pop()
    if event.kind == "take_back":
        again = (earlier[number - 1] for number in event.answer.get("restores", ()))
        line.extend(one for one in again if moves(one))
    if moves(event):
        line.append(event)


def left_of(line: Iterable[Event]) -> tuple[str, ...]:
    """The seats that have resigned while the others play on."""
    return tuple(event.seat for event in line if event.kind == "resignation")


def line_of(events: Sequence[Event]) -> list[Event]:
    """The events that the position follows from; ``events`` are a record from its first event on."""
    line: list[Event] = []
    for event in events:
        follow(line, event, events)
    return line


def apply(play: Play[Any], event: Event) -> Play[Any]:
    """One event of the line on ``play``; a correction gives a new play."""
    if event.kind == "answer":
        play.answer(event.answer)
    elif event.kind == "stands":
        play.answer_unchecked(event.answer["value"])
    elif event.kind == "resignation":
        play.leave(event.seat)
    else:
        play = corrected(play, event.answer["primitives"])
    return play


def corrected(
    play: Play[Any], primitives: Sequence[Mapping[str, Any]], *, strictly: bool = False
) -> Play[Any]:
    """A new play from the last milestone of ``play``, its position changed by ``primitives``.

    Raises ``InvalidAnswer`` where the game does not know a primitive or (``strictly``: before it is recorded,
    and when a record is verified) one of its fields, ``AuditFailed`` where the position that comes out breaks
    an invariant.
    """
    game = play.game
    if not isinstance(game, Correctable):
        raise InvalidAnswer(
            Text("journal.position_cannot_corrected", id=game.id),
        )
    state = game.copy(play.kept)
    for primitive in primitives:
        fields = FieldsRead(primitive)
        game.correct(state, fields)
        if strictly and (more := fields.unread()):
            raise no_correction(
                f"{more[0]}: {primitive[more[0]]!r}", [key for key in primitive if key not in more]
            )
    fresh = Play(game, state)
    fresh.answered = play.answered + 1  # as many as the line has events, with or without a snapshot
    return fresh


def replay(
    game: Game[Any],
    options: Mapping[str, Any],
    line: Sequence[Event],
    snapshots: Mapping[int, tuple[str, str]],
) -> tuple[Play[Any], int]:
    """The play after all of ``line``, from the latest usable snapshot.

    Gives the play and the number of the event that it started from (0: from
    the beginning).  A snapshot whose digest is not that of its state is passed over.
    """
    for place in range(len(line), 0, -1):
        found = snapshots.get(line[place - 1].number)
        if found is None:
            continue
        data = _sound(found)
        if data is not None:
            play = Play(game, game.from_json(data))
            play.answered = place
            return _through(play, line[place:]), line[place - 1].number
    return _through(Play(game, game.new_state(options)), line), 0


def _sound(snapshot: tuple[str, str]) -> dict[str, Any] | None:
    """The state of a snapshot, or None where it is not what its digest says."""
    try:
        data = json.loads(snapshot[0])
    except ValueError:
        return None
    return data if isinstance(data, dict) and state_digest(data) == snapshot[1] else None


def _through(play: Play[Any], events: Iterable[Event]) -> Play[Any]:
    for event in events:
        play = apply(play, event)
    return play


def snapshot_of(play: Play[Any]) -> tuple[str, str]:
    """The state kept at the last milestone as JSON text, and its digest.

    Not in canonical form: what stands in the state in an order of its own (cards in play, say)
    has to come back in that order, or a screen shows another list after a restart.
    """
    data = play.game.to_json(play.kept)
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False), state_digest(data)
