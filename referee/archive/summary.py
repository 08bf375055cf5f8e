"""What a game was like, from its record: moments, dice, decisions.  For slips and screens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any

from referee.journal.clocks import ClockState
from referee.journal.events import Event
from referee.journal.line import apply, line_of
from referee.journal.pending import PendingMatters
from referee.kernel.at_table import game_of
from referee.kernel.play import Game, Play
from referee.store.recover import Loaded

DECISIONS = ("ruling", "stands", "correction", "penalty", "time", "ended")
"""Kinds of events that a slip lists with their reasons."""


@dataclass(frozen=True)
class ScoreChange:
    """Something that changed on a score or a track: in which turn, what, from and to, at which event."""

    event: int
    turn: int
    name: str
    before: int
    after: int


@dataclass
class DiceCount:
    """The faces that one seat rolled with one type of die."""

    seat: str
    die: str
    faces: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """How many dice were rolled."""
        return self.faces.total()


@dataclass
class Summary:
    """Everything that a slip shows besides the header and the outcome."""

    minutes: int
    answers: int
    turns: int
    moments: list[ScoreChange]
    dice: list[DiceCount]
    kinds: Counter[str]
    rulings: list[Event]
    confirmed: list[str]
    read: int
    corrected: int
    typed: int
    clock: ClockState
    thrown_again: int


def summarise(loaded: Loaded, language: str) -> Summary:
    """Play the game again and note what happened."""
    game = game_of(loaded.header)
    line = line_of(loaded.events)
    moments, turns = _moments(game, loaded.header["options"], line, language)
    kinds = Counter(event.kind for event in loaded.events)
    rolls = [event for event in line if event.request and event.request["kind"] == "roll_dice"]
    evidence = [event.evidence or {} for event in rolls]
    return Summary(
        minutes=_minutes(loaded.events),
        answers=kinds["answer"],
        turns=turns,
        moments=moments,
        dice=_dice(rolls),
        kinds=kinds,
        rulings=[one for one in loaded.events if one.kind in DECISIONS],
        confirmed=sorted({one.seat for one in loaded.events if one.kind == "result_confirmed"}),
        read=sum(not one.get("manual", False) for one in evidence),
        corrected=sum(bool(one.get("corrections")) for one in evidence),
        typed=sum(bool(one.get("manual")) for one in evidence),
        clock=PendingMatters.of(loaded.events).clock,
        thrown_again=sum(
            one.kind == "reading_discarded" and one.answer["why"] != "read_again" for one in loaded.events
        ),
    )


def _moments(
    game: Game[Any], options: Mapping[str, Any], line: Sequence[Event], language: str
) -> tuple[list[ScoreChange], int]:
    play: Play[Any] = Play(game, game.new_state(options), audit=False)
    seen = _values(game, play, language)
    moments: list[ScoreChange] = []
    turn = 1
    for place, event in enumerate(line):
        play = apply(play, event)
        # looking at every position would take long; at milestones everything is in the state
        if play.since and place + 1 < len(line):
            continue
        view = game.view(play.state, None, language)
        now = _read(view)
        turn = int(view.get("turn") or turn)
        for name, value in now.items():
            if name in seen and seen[name] != value:
                moments.append(ScoreChange(event.number, turn, name, seen[name], value))
        seen = now
    return moments, turn


def _values(game: Game[Any], play: Play[Any], language: str) -> dict[str, int]:
    return _read(game.view(play.state, None, language))


def _read(view: Mapping[str, Any]) -> dict[str, int]:
    scores = {_score_name(view, one): one["value"] for one in view.get("scores", ())}
    tracks: dict[str, Any] = {}
    for one in view.get("tracks", ()):
        # a track has one nameless marker, or several with names
        tracks |= {str(pawn["name"]): pawn["at"] for pawn in one.get("markers", ())}
        if "marker" in one:
            tracks[str(one["name"])] = one["marker"]
    return {name: value for name, value in {**tracks, **scores}.items() if isinstance(value, int)}


def _score_name(view: Mapping[str, Any], score: Mapping[str, Any]) -> str:
    """The name of a score, with its seat's where several seats have one of that name."""
    name = str(score["name"])
    if sum(one["name"] == score["name"] for one in view["scores"]) == 1:
        return name
    seat = view.get("seats", {}).get(score.get("seat"), {}).get("name", score.get("seat"))
    return f"{name} ({seat})"


def together(counts: Iterable[DiceCount]) -> list[DiceCount]:
    """The faces of all seats together, die by die; their ``seat`` is empty."""
    found: dict[str, DiceCount] = {}
    for count in counts:
        found.setdefault(count.die, DiceCount("", count.die)).faces.update(count.faces)
    return list(found.values())


def _dice(rolls: Sequence[Event]) -> list[DiceCount]:
    counts: dict[tuple[str, str], DiceCount] = {}
    for event in rolls:
        for die, faces in event.answer.items():
            one = counts.setdefault((event.seat, die), DiceCount(event.seat, die))
            one.faces.update(faces)
    return [counts[key] for key in sorted(counts)]


def _minutes(events: Sequence[Event]) -> int:
    """Minutes of play: pauses over half an hour, restarts and clocks that went back do not count."""
    seconds = 0.0
    for before, event in pairwise(events):
        if before.boot != event.boot:
            continue
        step = (_time(event.at) - _time(before.at)).total_seconds()
        if 0 < step < 1800:
            seconds += step
    return round(seconds / 60)


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return datetime.fromisoformat("1970-01-01T00:00:00+00:00")
