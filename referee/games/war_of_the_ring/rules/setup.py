"""Chapter III: setting up the board."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.components import box_data
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.rules.pieces import add_figures, put_character
from referee.games.war_of_the_ring.state.armies import pack
from referee.games.war_of_the_ring.state.state import IN_FELLOWSHIP, SCHEMA, STARTING_COMPANIONS, State
from referee.kernel.requests import BoxQuestion

KINDS = ("regular", "elite", "leader", "nazgul")
"""The order of the numbers in the lists of the box data."""


def starting_figures(nation: str) -> dict[str, dict[str, int]]:
    """Where the figures of a nation start, by the second edition: ``{region: {figure: count}}``."""
    found = {}
    for region, numbers in box_data("nations")["nations"][nation]["start"].items():
        found[region] = {
            "nazgul" if kind == "nazgul" else f"{nation}_{kind}": number
            for kind, number in zip(KINDS, numbers, strict=True)
            if number
        }
    return found


SUGGESTED, ASK = "suggested", "ask"
UNKNOWN_STARTS = {"erebor": "dwarves"}
"""Regions whose units at the start are not known for the first edition, with their nation."""


def set_up(state: State) -> Ask:
    """Place every figure of the chart, the Fellowship in Rivendell; nothing is left to choose.

    What no source tells of the first edition is read off the owner's rulebook.
    """
    if state.step == ASK:
        for region, nation in UNKNOWN_STARTS.items():
            yield from _learn_start(state, region, nation)
    place_figures(state)
    state.turn = 1
    state.phase = 1
    state.step = ""


def _learn_start(state: State, region: str, nation: str) -> Ask:
    """Ask for the numbers of a region that the box book does not tell."""
    units = 0
    for figure, most in start_limits(region, nation).items():
        key = f"setup.{region}.{figure}"
        if key not in state.values:
            leader_alone = box.FIGURE[figure] >= box.UNIT_COUNT and not units
            state.values[key] = yield BoxQuestion(
                "free",
                "prompt.ask_start",
                tuple(map(str, range(1 if leader_alone else most + 1))),
                domain="box_book",
                about={"place": region, "figure": figure, "key": key},
                rule="setup.armies",
            )
        units += int(state.values[key])


def start_limits(region: str, nation: str) -> dict[str, int]:
    """The most of each figure of a nation that may start in a region, given where the others start."""
    starts = starting_figures(nation)
    found = {}
    for kind in KINDS[:3]:
        figure = f"{nation}_{kind}"
        elsewhere = sum(counts.get(figure, 0) for place, counts in starts.items() if place != region)
        found[figure] = box.FIGURES_IN_BOX[box.FIGURE[figure]] - elsewhere
    return found


def place_figures(state: State) -> None:
    """Put the figures of the chart on an empty board; what the owner's box tells goes before."""
    for nation in box.NATIONS:
        for region, counts in starting_figures(nation).items():
            told = {name: told_number(state, region, name, number) for name, number in counts.items()}
            add_figures(state, PLACE[region], pack(told))
    for character in STARTING_COMPANIONS:
        put_character(state, character, IN_FELLOWSHIP)


def standing(state: State) -> State:
    """The position as it stands on the board: while a few numbers are asked for, all others stand there."""
    if state.turn or state.step != ASK:
        return state
    shown = SCHEMA.copy(state)
    for region, nation in UNKNOWN_STARTS.items():
        shown.values = {f"setup.{region}.{name}": "0" for name in start_limits(region, nation)} | shown.values
    place_figures(shown)
    return shown


def told_number(state: State, region: str, figure: str, shipped: int) -> int:
    """How many of a figure start in a region: as the box book says, else as the second edition does."""
    return int(state.values.get(f"setup.{region}.{figure}", shipped))
