"""Parts of what screens show that look alike in every game; the whole is each game's ``view``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.kernel.messages import Messages

Text = Callable[..., str]
"""``text(message id, **fields)``: a sentence in the language of the screen."""


@lru_cache(maxsize=64)
def in_language(messages: Messages, language: str) -> Text:
    """The messages in one language, the same function each time.  Screens say the same sentences again and
    again: they are kept."""

    def text(message_id: str, **fields: Any) -> str:
        if not fields:
            try:
                return messages.name(message_id, language)  # within a sentence it may take another form
            except KeyError:
                pass
        return messages.text_again(message_id, language, fields)

    return text


def phase_id(phase: int, over: bool) -> str:
    """The id of a phase: ``setup``, its number, or ``over``."""
    return "over" if over else str(phase) if phase else "setup"


def piece(kind: str, name: str, number: int, seat: str, text: Text, shown_as: str = "") -> dict[str, Any]:
    """Pieces of one sort: ``kind`` names their messages and, unless ``shown_as`` says else, how they look."""
    return {
        "id": name,
        "name": text(f"{kind}.{name}"),
        "short": text(f"{kind}.{name}.short"),
        "count": number,
        "seat": seat,
        "kind": shown_as or kind,
    }


def places(
    names: Sequence[str],
    owner: Callable[[int], str | None],
    pieces: Callable[[int], list[dict[str, Any]]],
    markers: Callable[[int], list[dict[str, Any]]],
) -> dict[str, Any]:
    """Every place where something is: ``owner`` gives the seat whose army is there."""
    found: dict[str, Any] = {}
    for place, name in enumerate(names):
        here, marks = pieces(place), markers(place)
        if here or marks:
            found[name] = {"owner": owner(place), "pieces": here, "markers": marks}
    return found


def owner_of(armies: Sequence[int], seats: Sequence[str], place: int) -> str | None:
    """The seat with an army at ``place``; ``armies`` has a mask of places for each seat."""
    return next((seat for mask, seat in zip(armies, seats, strict=True) if mask >> place & 1), None)


def dice(
    unused: Sequence[int], used: Sequence[int], faces: Sequence[str], text: Text
) -> list[dict[str, Any]]:
    """Action dice of a seat, from how many show each face."""
    shown: list[dict[str, Any]] = []
    for spent, counts in ((False, unused), (True, used)):
        for face, number in enumerate(counts):
            for _ in range(number):
                name = text(f"face.{faces[face]}")
                shown.append({"id": len(shown), "face": faces[face], "name": name, "used": spent})
    return shown


def counters(
    values: Iterable[tuple[str, int]], text: Text, short: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Numbers of a seat; those in ``short`` are always in sight, by a short name."""
    return [
        {"id": name, "name": text(f"counter.{name}"), "value": value}
        | ({"short": text(f"counter.{name}.short")} if name in short else {})
        for name, value in values
    ]


def notes_of_house(house: Mapping[str, str], usual: Mapping[str, str], text: Text) -> list[str]:
    """A note for each house rule that was chosen otherwise."""
    return [
        text("note.house_rule", rule=text(f"house.{rule}.{way}"))
        for rule, way in house.items()
        if way != usual[rule]
    ]


PieceRow = tuple[str, str, int, int]
"""Pieces of one sort: their kind, id and number, and the seat (as its index) whose they are."""
MarkerRow = tuple[str, int, int | None, str]
"""A marker: its id, how many there are, whose it is, and its name ("": the message of its id)."""


class Shown:
    """What makes up the view of a game with action dice and six phases, in one language.

    The state has ``turn``, ``phase``, ``step``, ``active``, ``winner``,
    ``winning_rule`` and ``armies``.
    """

    def __init__(self, messages: Messages, language: str, seats: Sequence[str]) -> None:
        self.text = in_language(messages, language)
        self.seats = seats

    def frame(self, state: Any, rules: Sequence[str]) -> dict[str, Any]:
        """Turn, phase and who is to act; ``rules`` has the rule of each phase, set-up first."""
        over = state.winner >= 0
        phase = phase_id(state.phase, over)
        rule = state.winning_rule if over else rules[state.phase]
        acts = state.phase == 5 and state.step and not over
        return {
            "turn": state.turn,
            "phase": {"id": phase, "title": self.text(f"phase.{phase}"), "rule": rule},
            "to_act": self.seats[state.active] if acts else None,
        }

    def pieces(self, rows: Iterable[PieceRow]) -> list[dict[str, Any]]:
        """Pieces of which there are some."""
        return [
            piece(kind, name, number, self.seats[seat], self.text)
            for kind, name, number, seat in rows
            if number
        ]

    def markers(self, rows: Iterable[MarkerRow]) -> list[dict[str, Any]]:
        """Markers of which there are some."""
        return [
            {
                "id": marker,
                "name": name or self.text(f"marker.{marker}"),
                "count": number,
                "seat": None if seat is None else self.seats[seat],
            }
            for marker, number, seat, name in rows
            if number
        ]

    def places(
        self,
        state: Any,
        names: Sequence[str],
        pieces: Callable[[int], Iterable[PieceRow]],
        markers: Callable[[int], Iterable[MarkerRow]],
    ) -> dict[str, Any]:
        """Every place where something is."""
        return places(
            names,
            lambda place: owner_of(state.armies, self.seats, place),
            lambda place: self.pieces(pieces(place)),
            lambda place: self.markers(markers(place)),
        )


def scores(
    points: Iterable[int], target: Sequence[int], seats: Sequence[str], text: Text
) -> list[dict[str, Any]]:
    """Victory points of each seat, of the ``target`` that it needs."""
    return [
        {"id": f"vp_{seat}", "name": text("score.vp"), "value": value, "target": wanted, "seat": seat}
        for seat, value, wanted in zip(seats, points, target, strict=True)
    ]


def track(name: str, length: int, text: Text, **more: Any) -> dict[str, Any]:
    """A track of ``length`` spaces, named ``track.<name>``; ``more`` are its markers and marks."""
    return {"id": name, "name": text(f"track.{name}"), "length": length, "marks": [], **more}


def on_track(name: str, short: str, at: int, seat: str, **more: Any) -> dict[str, Any]:
    """A marker of a seat on a track, with its name in full and in short."""
    return {"name": name, "short": short, "at": at, "seat": seat, **more}
