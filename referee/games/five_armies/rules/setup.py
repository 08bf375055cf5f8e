"""Chapter II: setting up.  What each group of the chart holds is known; where it stands is suggested.

The chart's picture was not to be had, so the players compare the suggested
regions with their rulebook and change what differs before the first turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import CHARACTERS, FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES
from referee.games.five_armies.rules.asking import NUMBERS, Ask, refuse_all
from referee.games.five_armies.rules.characters import set_rating
from referee.games.five_armies.rules.pieces import add_units, put_character
from referee.games.five_armies.rules.recruiting import lay_tokens
from referee.games.five_armies.state.armies import pack
from referee.games.five_armies.state.state import NOT_IN_PLAY, State
from referee.kernel.play import MILESTONE
from referee.kernel.refusals import Refusal
from referee.kernel.requests import BoxQuestion, ChooseOne

SUGGESTED, ASK = "suggested", "ask"


def groups(state: State) -> Mapping[str, Any]:
    """The groups of the chart, by the reading that the table plays."""
    data = box.box_data("setup")
    found = dict(data["groups"])
    if state.house["setup_groups"] == "b":
        for name, changed in data["reading_b"].items():
            found[name] = {**changed, "suggested": found[name]["suggested"]}
    return found


def set_up(state: State) -> Ask:
    """Place the groups by the chart; where asked to, the players look at the suggestion and change it."""
    for name, group in groups(state).items():
        state.values.setdefault(f"setup.{name}", group["suggested"])
    place_groups(state)
    if state.step == ASK:
        yield MILESTONE
        for seat in (FREE, SHADOW):
            yield from _confirm(state, seat)
    yield from learn_leadership(state)
    state.turn = 1
    state.phase = 1
    state.step = ""


def place_groups(state: State) -> None:
    """Put every group where it stands now; whatever was on the board before the first turn is taken off."""
    state.units = [0] * board.PLACE_COUNT
    state.armies = [0, 0]
    state.supply = list(box.FIGURES)
    state.chars = [0] * board.PLACE_COUNT
    state.where = [NOT_IN_PLAY] * len(CHARACTERS)
    state.tokens = [{} for _ in box.TOKEN_GROUPS]
    state.token_pool = list(box.TOKENS_IN_BOX)
    for name, group in groups(state).items():
        _place_group(state, group, PLACE[state.values[f"setup.{name}"]])


def _confirm(state: State, seat: int) -> Ask:
    mine = tuple(name for name in groups(state) if name.startswith(SEATS[seat]))
    while True:
        chosen = yield ChooseOne(
            SEATS[seat],
            "prompt.setup_confirm",
            ("ready", *mine),
            domain="setup_group",
            about={name: state.values[f"setup.{name}"] for name in mine},
            rule="setup.starting_armies",
        )
        if chosen == "ready":
            return
        place = yield from _choose_region(chosen, _places_for(groups(state)[chosen], seat))
        _swap(state, mine, chosen, place)
        place_groups(state)


def _choose_region(group: str, allowed: int) -> Ask:
    place = yield ChooseOne(
        group.split("_")[0],
        "prompt.setup_region",
        OPTIONS[allowed],
        domain="place",
        about={"group": group},
        rule="setup.starting_armies",
        refused=lambda: refuse_all(PLACES, lambda p: _why_not(p, allowed)),
    )
    return place


def _swap(state: State, mine: tuple[str, ...], chosen: str, place: str) -> None:
    """Two groups never share a region: the one that stood there takes the other's place."""
    before = state.values[f"setup.{chosen}"]
    for name in mine:
        if state.values[f"setup.{name}"] == place:
            state.values[f"setup.{name}"] = before
    state.values[f"setup.{chosen}"] = place


def _places_for(group: Mapping[str, Any], seat: int) -> int:
    if seat == SHADOW:
        return board.MUSTERING if group.get("tokens") else board.GOBLIN_MUSTERS
    return board.ALL_REGIONS & ~board.MUSTERING


def _why_not(place: int, allowed: int) -> Refusal | None:
    if allowed >> place & 1:
        return None
    return Refusal("setup.starting_armies", "not_for_this_group", {"place": PLACES[place]})


def _place_group(state: State, group: Mapping[str, Any], place: int) -> None:
    add_units(state, place, pack(group.get("units", {})))
    for name in group.get("characters", ()):
        put_character(state, box.CHARACTER[name], place)
    for name, number in group.get("tokens", {}).items():
        lay_tokens(state, box.TOKEN_GROUPS.index(name), place, number)


def learn_leadership(state: State) -> Ask:
    """Leadership is needed from the first turn on, so what no source gives is asked for now."""
    for character, rating in enumerate(state.ratings):
        if rating >= 0 or state.where[character] < 0:
            continue
        name = CHARACTERS[character]
        value = yield BoxQuestion(
            "free",
            "prompt.ask_leadership",
            NUMBERS[:6],
            domain="box_book",
            about={"character": name, "key": f"leadership.{name}"},
            rule="char.printed_values",
        )
        state.values[f"leadership.{name}"] = value
        set_rating(state, name, int(value))
