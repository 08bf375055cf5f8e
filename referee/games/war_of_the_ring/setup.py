"""Chapter III: setting up the board."""

from __future__ import annotations

from referee.games.war_of_the_ring.armies import pack
from referee.games.war_of_the_ring.asking import Ask
from referee.games.war_of_the_ring.components import NATIONS, box_data
from referee.games.war_of_the_ring.map import PLACE
from referee.games.war_of_the_ring.pieces import add_figures, put_character
from referee.games.war_of_the_ring.state import IN_FELLOWSHIP, STARTING_COMPANIONS, State

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


def set_up(state: State) -> Ask:
    """Place every figure of the chart, the Fellowship in Rivendell; nothing is left to choose."""
    place_figures(state)
    state.turn = 1
    state.phase = 1
    state.step = ""
    return
    yield


def place_figures(state: State) -> None:
    """Put the figures of the chart on an empty board; what the owner's box tells goes before."""
    for nation in NATIONS:
        for region, counts in starting_figures(nation).items():
            told = {name: told_number(state, region, name, number) for name, number in counts.items()}
            add_figures(state, PLACE[region], pack(told))
    for character in STARTING_COMPANIONS:
        put_character(state, character, IN_FELLOWSHIP)


def told_number(state: State, region: str, figure: str, shipped: int) -> int:
    """How many of a figure start in a region: as the box book says, else as the second edition does."""
    return int(state.values.get(f"setup.{region}.{figure}", shipped))
