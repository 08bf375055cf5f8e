"""Chapter "Ende der Welle": entrenchment, an invasion for each gate card, champions from left to right."""

from __future__ import annotations

from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.games.mountain_king.box.components import CLANS, GNOMES_A_CARD, MOST_GNOMES, OPTIONS, PLACE
from referee.games.mountain_king.rules.asking import choose, report
from referee.games.mountain_king.rules.champions import award_next
from referee.games.mountain_king.rules.invasion import Invasion, invade
from referee.games.mountain_king.rules.pieces import add_gnome, shuffle_in
from referee.games.mountain_king.state.state import State, playing
from referee.games.mountain_king.state.tokens import COUNT
from referee.kernel.play import SeatLeft
from referee.kernel.refusals import Refusal


def entrenchment(state: State) -> Ask:
    """Every cavern with one gnome gets a second; where the stock is short, the start player says where."""
    alone = single_gnomes(state)
    if alone.bit_count() > state.in_stock:
        shuffle_in(state)
    while alone and state.in_stock:
        place = alone.bit_length() - 1
        if alone.bit_count() > state.in_stock:
            place = yield from _where_first(state, alone)
        add_gnome(state, place)
        alone &= ~(1 << place)
    state.step, state.at = "invasions", 0


def single_gnomes(state: State) -> int:
    """The mask of the caverns with exactly one gnome."""
    return sum(1 << place for place in places_in(state.overrun) if COUNT[state.gnomes[place]] < MOST_GNOMES)


def _where_first(state: State, alone: int) -> Ask:
    while True:
        try:
            chosen = yield from choose(
                playing(state)[0],
                "prompt.entrench",
                OPTIONS[alone],
                rule="entrench.one",
                domain="place",
                about={"count": state.in_stock},
            )
        except SeatLeft:
            continue
        return PLACE[chosen]


def invasion(state: State) -> Ask:
    """The next gate card from the left: the swarm goes there, and gnomes come one by one."""
    left = [name for clan, name in enumerate(CLANS) if clan not in state.gate_row]
    shown = yield from report(
        state,
        "prompt.gate_card",
        left,
        rule="invasion.per_card",
        domain="clan",
        about={"number": state.at + 1},
        refused=lambda: [
            (CLANS[clan], Refusal("invasion.per_card", "drawn_before", {"clan": CLANS[clan]}))
            for clan in state.gate_row
            if clan >= 0
        ],
    )
    clan = CLANS.index(shown)
    state.gate_row[state.at] = state.swarm = clan
    yield from invade(state, Invasion(clan), GNOMES_A_CARD[state.turn])
    state.at += 1
    if state.at == len(state.gate_row):
        state.step, state.at = "champions", 0


def champions(state: State) -> Ask:
    """The next champion of the display."""
    if state.display:
        yield from award_next(state)
    if not state.display:
        state.step = "score"
