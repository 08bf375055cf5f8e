"""Chapter "Baut eure Ahnentafel": cards drafted at once, laid over one another, and the wave's supply."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from referee.games.kit.asking import Ask
from referee.games.mountain_king.box import symbols
from referee.games.mountain_king.box.box import CARD
from referee.games.mountain_king.box.components import DRAFTED, HAND, MOST_SUPPLY, SEATS
from referee.games.mountain_king.state import grid
from referee.games.mountain_king.state.grid import Cells, cells_of, laid, spots, why_no_spot
from referee.games.mountain_king.state.state import FRAY, State, next_seat, players, playing
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Counts, Request
from referee.kernel.together import ChooseInSteps

RULE_OF = {
    grid.ON_ELDER: "pedigree.no_elder_cover",
    grid.NOTHING_COVERED: "pedigree.must_overlap",
    grid.OFF_FRAME: "pedigree.frame",
}
Laid = tuple[str, bytes, int]
"""A card's id, its cells and where it is laid; -1: it fits nowhere."""


def cell_id(seat: int, cell: int) -> str:
    """The id of a cell of a seat's ancestry."""
    return f"{SEATS[seat]}_{cell}"


def cell_at(name: str) -> int:
    """The cell of an id."""
    return int(name.rpartition("_")[2])


# --- drafting -------------------------------------------------------------------------------------------


def draft(state: State) -> Ask:
    """All add one card of their hands, in secret; the rest goes on to the next."""
    chosen = yield from _choices(state)
    for seat, (front, cells, at) in chosen.items():
        state.fronts[front] = state.fronts.get(front, 0) + 1
        if at >= 0:
            state.grids[seat] = laid(state.grids[seat], cells, at)
    state.at += 1
    if state.at == DRAFTED:
        state.step, state.at = "supply", 0


def _choices(state: State) -> Generator[Request, Any, dict[int, Laid]]:
    """What each seat lays.  Where more claim a card than there are copies, those who do are asked again."""
    chosen: dict[int, Laid] = {}
    cards = cards_left(state)
    while True:
        asked = [seat for seat in playing(state) if seat not in chosen]
        parts: dict[str, Request] = {SEATS[seat]: _part(state, seat, cards) for seat in asked}
        answers = yield ChooseSecretly(
            "prompt.draft", parts, about=_pass(state), rule="pedigree.simultaneous"
        )
        for seat in asked:
            chosen[seat] = _laid(state, answers[SEATS[seat]])
        again = _claimed_too_often(state, chosen)
        if not again:
            return chosen
        for seat in again:
            del chosen[seat]


def _claimed_too_often(state: State, chosen: dict[int, Laid]) -> list[int]:
    claims: dict[str, list[int]] = {}
    for seat, (front, _, _) in chosen.items():
        claims.setdefault(front, []).append(seat)
    return [
        seat
        for front, seats in claims.items()
        if front in state.box.fronts and state.fronts.get(front, 0) + len(seats) > state.box.copies[front]
        for seat in seats
    ]


def _pass(state: State) -> dict[str, Any]:
    return {"number": state.at + 1, "count": HAND - state.at - 1}


def receiver(state: State, seat: int) -> int:
    """Who gets the rest of a seat's hand: clockwise in waves I and III, the other way in wave II."""
    return next_seat(state, seat, -1 if state.turn == 2 else 1)


def _laid(state: State, answers: list[str]) -> Laid:
    """What the answers to the steps mean: a card, or its four cells, and perhaps where it is laid."""
    told = 1 if CARD in answers[0] else HAND
    card = answers[0] if told == 1 else CARD.join(answers[:told])
    shown = state.box.fronts.get(card) or symbols.codes(card.split(CARD))
    return card, shown, cell_at(answers[told]) if len(answers) > told else -1


def _part(state: State, seat: int, cards: tuple[str, ...]) -> ChooseInSteps:
    about = {**_pass(state), "to": SEATS[receiver(state, seat)]}
    return ChooseInSteps(
        SEATS[seat],
        "prompt.draft",
        lambda: _steps(state, seat, cards, about),
        about=about,
        rule="pedigree.three_cards",
    )


def _steps(
    state: State, seat: int, left: tuple[str, ...], about: dict[str, Any]
) -> Generator[Request, Any, None]:
    cells = cells_of(state.grids[seat])
    front = yield from _card(state, seat, left, about)
    cards, elder = cells.cards & grid.WINDOW, cells.elder & grid.WINDOW
    free = spots(cards, elder)
    if not free:  # nothing fits: the card is discarded
        return

    def refused() -> list[tuple[str, Refusal]]:
        shown = grid.window_cells(cards) & ~free
        whys = ((at, why_no_spot(cards, elder, at)) for at in grid.cells_in(shown))
        return [(cell_id(seat, at), Refusal(RULE_OF[why], why)) for at, why in whys]

    yield ChooseOne(
        SEATS[seat],
        "prompt.lay_card",
        CELLS[seat][free],
        domain="cell",
        about={"ancestry_card": front},
        rule="pedigree.must_overlap",
        refused=refused,
    )


_IDS = [[cell_id(seat, cell) for cell in range(grid.LENGTH)] for seat in range(len(SEATS))]


class _CellNames(dict[int, tuple[str, ...]]):
    """Masks of cells to their ids, for one seat."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.seat = seat

    def __missing__(self, mask: int) -> tuple[str, ...]:
        if len(self) > 20_000:
            self.clear()
        ids = _IDS[self.seat]
        names = self[mask] = tuple([ids[cell] for cell in grid.cells_in(mask)])
        return names


CELLS = [_CellNames(seat) for seat in range(len(SEATS))]


def cards_left(state: State) -> tuple[str, ...]:
    """The known cards of which there are copies that nobody has laid."""
    used, copies = state.fronts, state.box.copies
    return tuple([front for front in state.box.fronts if used.get(front, 0) < copies[front]])


def _card(
    state: State, seat: int, left: tuple[str, ...], about: dict[str, Any]
) -> Generator[Request, Any, str]:
    """Which card: one that the box knows, or told cell by cell."""
    if not state.box.fronts:
        cells = yield from _told_cell_by_cell(seat)
        return CARD.join(cells)
    front: str = yield ChooseOne(
        SEATS[seat],
        "prompt.draft_card",
        left,
        domain="ancestry_card",
        about=about,
        rule="pedigree.three_cards",
        refused=lambda: [
            (one, Refusal("pedigree.hand", "no_copies", {"ancestry_card": one}))
            for one in state.box.fronts
            if one not in left
        ],
    )
    return front


def _told_cell_by_cell(seat: int) -> Generator[Request, Any, list[str]]:
    cells = []
    for corner in ("top_left", "top_right", "bottom_left", "bottom_right"):
        cell = yield ChooseOne(
            SEATS[seat],
            "prompt.card_cell",
            symbols.PRINTED,
            domain="symbol",
            about={"corner": corner},
            rule="pedigree.layouts",
        )
        cells.append(cell)
    return cells


# --- supply ---------------------------------------------------------------------------------------------


def supply(state: State) -> Ask:
    """Each in turn order: the wave's base, supply symbols, pairs of wilds, then desperation tokens."""
    order = players(state)
    seat = order[state.at]
    if not state.left >> seat & 1:
        cells = cells_of(state.grids[seat])
        base = min(MOST_SUPPLY, state.box.supply[state.turn] + cells.supply.bit_count())
        covered = yield from cover_wilds(state, seat, cells, MOST_SUPPLY - base)
        state.covered[seat] |= covered
        state.supply[seat] = base + covered.bit_count() // 2
        state.desperation[seat] = (state.box.desperation >> state.supply[seat] + 1).bit_count()
    state.at += 1
    if state.at == len(order):
        state.phase, state.step, state.at = FRAY, "", 0
        state.active = playing(state)[0]


def cover_wilds(state: State, seat: int, cells: Cells, room: int) -> Ask:
    """The wilds that a seat covers in pairs for supply, as a mask."""
    wild = cells.wild
    pairs = min(wild.bit_count() // 2, room, 1 if state.house["wild_pairs"] == "one" else 99)
    if not pairs:
        return 0
    names = {cell_id(seat, cell): 1 for cell in range(grid.LENGTH) if wild >> cell & 1}

    def refuses(counts: Counts) -> Refusal | None:
        return Refusal("supply.wild_pairs", "no_pair", {"count": len(counts)}) if len(counts) % 2 else None

    answer = yield WildPairs(
        SEATS[seat],
        "prompt.wild_pairs",
        names,
        maximum=2 * pairs,
        refuses=refuses,
        default={},
        domain="cell",
        about={"count": pairs},
        rule="supply.wild_pairs",
        too_many=Refusal("supply.cap", "no_room", {"count": room}),
    )
    return sum(1 << cell_at(name) for name in answer)


class WildPairs(ChooseSome):
    """An even number of wilds, at random half of the time none."""

    __slots__ = ()

    def sample(self, rng: Any) -> Counts:
        if rng.random() < 0.5:
            return {}
        return dict.fromkeys(rng.sample([*self.limits], 2), 1)
