"""Chapter VIII: companions leave the Fellowship, of their own will or as its hobbits do."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import PLACES, places_in
from referee.games.war_of_the_ring.rules import occasions
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault, choose_place
from referee.games.war_of_the_ring.rules.company import (
    CHARACTER_OPTIONS,
    choose_guide,
    companions_in,
    stand_in,
)
from referee.games.war_of_the_ring.rules.pieces import eliminate, put_character
from referee.games.war_of_the_ring.rules.walking import (
    arrive,
    companion_walk,
    group_about,
    group_level,
    standing_place,
    why_not_walk,
)
from referee.games.war_of_the_ring.state.state import IN_FELLOWSHIP, State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Counts, Forced

# --- by a die or a card ---------------------------------------------------------------------------


def can_separate(state: State) -> bool:
    """Whether a Character die can separate companions."""
    return state.mordor < 0 and bool(companions_in(state))


def why_not_separate(state: State) -> Refusal | None:
    """Why no companion can be separated by a die."""
    if state.mordor >= 0:
        return Refusal("mordor.no_separation", "on_mordor_track")
    if not companions_in(state):
        return Refusal("fellowship.separate", "no_companion_left")
    return None


def separate(
    state: State, *, bonus: int = 0, level: int | None = None, into_siege: bool = False, rule: str = ""
) -> Ask:
    """The Free Peoples separate one companion or a group, which moves together; returns the group's mask.

    They go as many borders as the progress, the highest level among them (or
    ``level``, by a card) and ``bonus`` add up to.  On the Mordor track, where
    only cards separate, they are removed from the game.
    """
    group = yield from _choose_group(state, rule or "fellowship.separate")
    _depart(state, group)
    if state.mordor < 0:
        yield from set_out(state, group, bonus=bonus, level=level, into_siege=into_siege)
    yield from _after_departure(state)
    return group


def _choose_group(state: State, rule: str) -> Ask:
    companions = companions_in(state)
    names = CHARACTER_OPTIONS[companions]
    request = ChooseWithDefault(
        box.SEATS[box.FREE],
        "prompt.separate_companions",
        dict.fromkeys(names, 1),
        minimum=1,
        default={names[-1]: 1},
        domain="character",
        about={"progress": state.progress, "place": PLACES[state.ring]},
        rule=rule,
        too_few=Refusal("fellowship.separate", "choose_a_companion"),
        refused=lambda: [
            (
                box.CHARACTERS[character],
                Refusal(
                    "fellowship.never_rejoins", "not_in_fellowship", {"character": box.CHARACTERS[character]}
                ),
            )
            for character in places_in((box.COMPANIONS | 1 << box.GOLLUM) & ~companions)
        ],
    )
    chosen: Counts = yield request if len(names) > 1 else Forced(request, dict.fromkeys(names, 1))
    return sum(1 << box.CHARACTER[name] for name in chosen)


def _depart(state: State, group: int) -> None:
    """A group goes to the figure's place, or out of the game on the Mordor track; a stand-in guides."""
    place = standing_place(state, state.ring, box.FREE)
    for character in places_in(group):
        if state.mordor >= 0:
            eliminate(state, character)
        else:
            put_character(state, character, place)
    stand_in(state)


def _after_departure(state: State) -> Ask:
    yield from choose_guide(state)
    occasions.expire(state)


def leave_fellowship(state: State, group: int) -> Ask:
    """A group leaves the Fellowship and stands with the Ring-bearers' figure; then a new guide is named.

    On the Mordor track nobody can leave: they are removed from the game.
    """
    _depart(state, group)
    yield from _after_departure(state)


def separate_here(state: State, group: int) -> Ask:
    """A card separates a group into the region of the figure, where they enter play."""
    yield from leave_fellowship(state, group)
    if state.mordor < 0:
        arrive(state, group, state.ring)


def set_out(
    state: State, group: int, *, bonus: int = 0, level: int | None = None, into_siege: bool = False
) -> Ask:
    """A group that stands with the Ring-bearers' figure moves on from there, or stays."""
    start = state.ring
    steps = state.progress + (group_level(group) if level is None else max(level, group_level(group))) + bonus
    reached = companion_walk(state, start, steps, into_siege=into_siege)
    region = yield from choose_place(
        box.FREE,
        "prompt.separated_move",
        reached,
        rule="fellowship.separated_range",
        about={**group_about(group), "from": PLACES[start], "level": steps},
        refused=lambda: why_not_walk(state, start, steps, reached, into_siege=into_siege),
    )
    arrive(state, group, region)


# --- as losses of the Hunt, or by a card -----------------------------------------------------------


def lose(state: State, character: int) -> Ask:
    """A companion in the Fellowship is eliminated; returns his bit if he is separated instead, else 0.

    Hobbits are taken alive: off the Mordor track they leave the Fellowship, and
    whoever calls this has them set out (:func:`set_out`).
    """
    if box.HOBBITS >> character & 1 and state.mordor < 0:
        yield from leave_fellowship(state, 1 << character)
        return 1 << character
    eliminate(state, character)
    stand_in(state)
    yield from _after_departure(state)
    return 0


def eliminate_companion(state: State, character: int) -> Ask:
    """A card eliminates a companion, who may be in the Fellowship; a hobbit taken alive there sets out."""
    if state.where[character] != IN_FELLOWSHIP:
        eliminate(state, character)
        return
    alive = yield from lose(state, character)
    if alive:
        yield from set_out(state, alive)
