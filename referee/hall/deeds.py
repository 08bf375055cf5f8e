"""What hands have to do at the table so that it shows another position: the difference between two views.

Everything comes from what screens show of a position to everybody (``Game.view``): figures and markers on
places and cells, counters of seats, markers on tracks, dice.  So every game has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.kernel.capabilities import TellsHands
from referee.kernel.messages import Text
from referee.kernel.naming import named
from referee.kernel.play import Game

Thing = tuple[str, str, bool]
"""What lies somewhere: whose it is ("": nobody's), its name, and whether there are others like it."""
ThingsByPlace = dict[str, Counter[Thing]]
"""Things by place."""
View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Deed:
    """One line of what is to be done: ``key`` names it in every language, ``places`` are where."""

    key: str
    text: str
    places: tuple[str, ...] = ()


def deeds(game: Game[Any], before: View, now: View, language: str) -> list[Deed]:
    """What makes ``now`` of ``before``, both in ``language``; empty where hands have nothing to do."""
    left_out = game.only_counted if isinstance(game, TellsHands) else ()
    return [
        *_on_places(game, before, now, language, left_out),
        *_on_tracks(before, now, language, left_out),
        *_of_seats(before, now, language, left_out),
    ]


# -- places and cells -------------------------------------------------------------------------------------


def _surfaces(view: View) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from view.get("places", {}).items()
    for sheet in view.get("sheets", ()):
        for cell in sheet["cells"]:
            yield cell["id"], cell


def _standing(view: View, left_out: Collection[str]) -> ThingsByPlace:
    found: ThingsByPlace = {}
    for place, shown in _surfaces(view):
        things = Counter[Thing]()
        for item in (*shown["pieces"], *shown["markers"]):
            if item["id"] in left_out:
                continue
            many = item.get("kind") == "unit" or item["count"] > 1
            things[item["seat"] or "", item["name"], many] += item["count"]
        found[place] = things
    return found


def _on_places(
    game: Game[Any], before: View, now: View, language: str, left_out: Collection[str]
) -> Iterator[Deed]:
    was, is_now = _standing(before, left_out), _standing(now, left_out)
    names = {
        cell["id"]: f"{sheet['title']}, {cell['name']}"
        for view in (before, now)
        for sheet in view.get("sheets", ())
        for cell in sheet["cells"]
    }
    gone: ThingsByPlace = {place: things - is_now.get(place, Counter()) for place, things in was.items()}
    come: ThingsByPlace = {place: things - was.get(place, Counter()) for place, things in is_now.items()}
    for origin, goal, things in [*_moved(gone, come), *_left(gone, come)]:
        what = [f"{number} × {name}" if many else name for (_, name, many), number in things.items()]
        place = names.get(goal or origin) or named(game, goal or origin, "place")
        if origin and goal:
            from_where = names.get(origin) or named(game, origin, "place")
            text = Text("hall.hands_moved", what=what, origin=from_where, place=place)
        elif origin:
            text = Text("hall.hands_off", what=what, place=place)
        else:
            text = Text("hall.hands_on", what=what, place=place)
        # the same in every language: whose and how many, not what they are called
        key = f"{origin} > {goal} " + ",".join(f"{seat}{n}" for (seat, _, _), n in things.items())
        yield Deed(key, text.in_words(language), tuple(one for one in (origin, goal) if one))


def _moved(gone: ThingsByPlace, come: ThingsByPlace) -> list[tuple[str, str, Counter[Thing]]]:
    """What went from place to place, taken out of both; nothing is guessed where several are possible."""
    moves: dict[tuple[str, str], Counter[Thing]] = {}
    for thing in dict.fromkeys(thing for things in gone.values() for thing in things):
        origins = [place for place, things in gone.items() if things[thing]]
        goals = [place for place, things in come.items() if things[thing]]
        if len(origins) != 1 and len(goals) != 1:
            continue
        for origin in origins:
            for goal in goals:
                number = min(gone[origin][thing], come[goal][thing])
                if number:
                    moves.setdefault((origin, goal), Counter())[thing] += number
                    gone[origin][thing] -= number
                    come[goal][thing] -= number
    return [(*way, things) for way, things in moves.items()]


def _left(gone: ThingsByPlace, come: ThingsByPlace) -> Iterator[tuple[str, str, Counter[Thing]]]:
    for place, things in gone.items():
        if +things:
            yield place, "", +things
    for place, things in come.items():
        if +things:
            yield "", place, +things


# -- beside the board -------------------------------------------------------------------------------------


def _markers(view: View, left_out: Collection[str]) -> dict[tuple[str, str], tuple[str, int, str]]:
    """(track, number of the marker) to its name, the space and what that is called."""
    found = {}
    for track in view.get("tracks", ()):
        if track["id"] in left_out:
            continue
        spaces = track.get("spaces") or ()
        plain = [] if track.get("marker") is None else [{"name": track["name"], "at": track["marker"]}]
        for number, marker in enumerate((*plain, *track.get("markers", ()))):
            at = marker["at"]
            space = spaces[at] if 0 <= at < len(spaces) else str(at)
            name = marker["name"] if marker["name"] == track["name"] else f"{track['name']}, {marker['name']}"
            found[track["id"], str(number)] = (name, at, space)
    return found


def _on_tracks(before: View, now: View, language: str, left_out: Collection[str]) -> Iterator[Deed]:
    was, is_now = _markers(before, left_out), _markers(now, left_out)
    for (track, number), (name, at, space) in is_now.items():
        if (track, number) in was and was[track, number][1] != at:
            text = Text("hall.hands_track", what=name, space=space).in_words(language)
            yield Deed(f"track {track} {number} {at}", text)


def _of_seats(before: View, now: View, language: str, left_out: Collection[str]) -> Iterator[Deed]:
    for seat, shown in now.get("seats", {}).items():
        earlier = before.get("seats", {}).get(seat, {})
        values = {one["id"]: one["value"] for one in earlier.get("counters", ())}
        for one in shown.get("counters", ()):
            name, value = one["id"], one["value"]
            was = values.get(name, value)
            if was != value and name.partition(".")[0] not in left_out:
                text = Text("hall.hands_counter", seat=shown["name"], what=one["name"], before=was, now=value)
                yield Deed(f"counter {seat} {name} {value}", text.in_words(language))
        back = len(earlier.get("dice", ())) - len(shown.get("dice", ()))
        if back > 0:
            text = Text("hall.hands_dice", seat=shown["name"], count=back)
            yield Deed(f"dice {seat} {back}", text.in_words(language))
