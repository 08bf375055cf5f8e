"""Chapter VI: bringing reinforcements onto the board with a Muster die."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.rules.asking import Ask, choose, choose_place
from referee.games.war_of_the_ring.rules.pieces import add_figures, free_for
from referee.games.war_of_the_ring.state.armies import ONE
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

DONE = "done"
FIGURES_OF_SEAT = tuple(
    tuple(figure for figure in range(len(box.FIGURES)) if box.SEAT_OF[figure] == seat) for seat in range(2)
)


def is_elite(figure: int) -> bool:
    """Whether a figure is an elite unit."""
    return figure < box.UNIT_COUNT and bool(figure & 1)


def open_settlements(state: State, seat: int, nation: int) -> int:
    """Mask of the free settlements of a nation of ``seat`` that its enemy does not control."""
    free = ~(state.armies[1 - seat] | state.captured)
    return board.SETTLEMENTS & board.IN_NATION[nation] & free


def places_for(state: State, figure: int) -> int:
    """Mask of the settlements where a Muster die may place a figure.

    Nazgul come into Sauron's strongholds; a leader of the Free Peoples only to an
    army, as he would be removed at once where none is.
    """
    mask = open_settlements(state, box.SEAT_OF[figure], box.NATION_OF[figure])
    if figure < box.UNIT_COUNT:
        return mask
    return mask & (board.STRONGHOLD_MASK if figure == box.NAZGUL else state.armies[box.FREE])


def recruitable(state: State, seat: int, *, second: bool = False, taken: int = 0) -> list[int]:
    """The figures that a Muster die may bring in; as ``second`` no elite, and not where ``taken`` says."""
    steps, supply = state.steps, state.supply
    return [
        figure
        for figure in FIGURES_OF_SEAT[seat]
        if supply[figure]
        and not steps[box.NATION_OF[figure]]
        and not (second and is_elite(figure))
        and places_for(state, figure) & ~taken
    ]


def can_recruit(state: State, seat: int) -> bool:
    """Whether a Muster die could bring in any figure."""
    steps, supply = state.steps, state.supply
    for figure in FIGURES_OF_SEAT[seat]:
        if not steps[box.NATION_OF[figure]] and supply[figure] and places_for(state, figure):
            return True
    return False


def recruit(state: State, figure: int, place: int, number: int) -> int:
    """Place up to ``number`` figures as the reinforcements hold; returns how many."""
    number = min(number, state.supply[figure])
    if number > 0:
        add_figures(state, place, ONE[figure] * number)
    return max(number, 0)


def recruit_with_die(state: State, seat: int) -> Ask:
    """A Muster die: one elite, or up to two regulars and leaders in two different settlements."""
    taken = 0
    for second in (False, True):
        figures = recruitable(state, seat, second=second, taken=taken)
        figure = yield from _choose_figure(state, seat, figures, second, taken)
        if figure < 0:
            return
        free = places_for(state, figure) & ~taken
        place = yield from choose_place(
            seat,
            "prompt.settlement_for",
            free,
            rule="recruit.where",
            about={"figure": box.FIGURES[figure]},
            refused=lambda figure=figure, free=free: why_not_places(state, seat, figure, free),  # type: ignore[misc]
        )
        recruit(state, figure, place, 1)
        if is_elite(figure):
            return
        taken = 1 << place


def _choose_figure(state: State, seat: int, figures: list[int], second: bool, taken: int) -> Ask:
    options = tuple(box.FIGURES[figure] for figure in figures) + (DONE,) * (second or not figures)
    chosen = yield from choose(
        seat,
        "prompt.choose_second_recruit" if second else "prompt.choose_recruit",
        options,
        domain="unit",
        rule="recruit.two_figures" if second else "recruit.what",
        refused=lambda: why_not_figures(state, seat, figures, second, taken),
    )
    return -1 if chosen == DONE else box.FIGURE[chosen]


# --- why not -----------------------------------------------------------------------------------------


def why_not_figures(
    state: State, seat: int, figures: list[int], second: bool, taken: int
) -> Iterable[tuple[str, Refusal]]:
    """Every other figure of the game, with the reason why it cannot be brought in now."""
    for figure, name in enumerate(box.FIGURES):
        if figure in figures:
            continue
        nation = box.NATIONS[box.NATION_OF[figure]]
        about = {"figure": name, "nation": nation}
        if box.SEAT_OF[figure] != seat:
            yield name, Refusal("recruit.what", "not_your_nation", about)
        elif second and is_elite(figure):
            yield name, Refusal("recruit.two_figures", "elite_alone", about)
        else:
            yield name, why_not_figure(state, figure)


def why_not_figure(state: State, figure: int) -> Refusal:
    """Why a figure of an own nation cannot be brought in with a Muster die."""
    about = {"figure": box.FIGURES[figure], "nation": box.NATIONS[box.NATION_OF[figure]]}
    if state.steps[box.NATION_OF[figure]]:
        return Refusal("recruit.at_war", "nation_not_at_war", about)
    if not state.supply[figure]:
        return Refusal("recruit.reinforcements", "no_figure_left", about)
    if box.UNIT_COUNT <= figure < box.NAZGUL and open_settlements(state, box.FREE, box.NATION_OF[figure]):
        return Refusal("recruit.leader_needs_army", "", about)
    return Refusal("recruit.where", "no_free_settlement", about)


def why_not_places(state: State, seat: int, figure: int, free: int) -> Iterable[tuple[str, Refusal]]:
    """Every other region, with the reason why the figure cannot be placed there."""
    nation = box.NATION_OF[figure]
    own = board.SETTLEMENTS & board.IN_NATION[nation]
    not_free = ~free_for(state, seat)
    for place in places_in(board.ALL_REGIONS & ~free):
        bit = 1 << place
        about = {"figure": box.FIGURES[figure], "place": board.PLACES[place], "nation": box.NATIONS[nation]}
        if not bit & own:
            refusal = Refusal("recruit.where", "not_its_settlement", about)
        elif figure == box.NAZGUL and not bit & board.STRONGHOLD_MASK:
            refusal = Refusal("nazgul.recruited_in_strongholds", "", about)
        elif box.UNIT_COUNT <= figure < box.NAZGUL and not state.armies[box.FREE] & bit:
            refusal = Refusal("recruit.leader_needs_army", "", about)
        elif state.captured & bit:
            refusal = Refusal("recruit.not_captured", "", about)
        elif not_free & bit:
            refusal = Refusal("recruit.free_region", "", about)
        else:
            refusal = Refusal("recruit.two_settlements", "", about)
        yield board.PLACES[place], refusal


assert box.NATION_OF[box.NAZGUL] == box.SAURON
