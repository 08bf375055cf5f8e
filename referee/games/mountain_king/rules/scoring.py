"""Chapters "Die Welle werten", "Welle III" (page 16) and "Spielende"."""

from __future__ import annotations

from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.games.mountain_king.box.components import (
    CLANS,
    ELDER,
    FIRST_CAVERN,
    FIRST_LAIR,
    HALLS,
    NEXT_CAVERN,
    OVERRUN_CAVERN,
    WAVES,
)
from referee.games.mountain_king.rules import occasions
from referee.games.mountain_king.rules.caverns import controller
from referee.games.mountain_king.rules.pieces import gain_honour
from referee.games.mountain_king.state.grid import cells_of
from referee.games.mountain_king.state.state import END_OF_WAVE, NOBODY, REFRESH, State, players, playing
from referee.games.mountain_king.state.tracks import value_of

GNOMES = -2
"""The gnomes as a party in the majority round a hall."""


def score_wave(state: State) -> Ask:
    """Abilities of the end of a wave, then domains (I and II) or halls, elders and votes (III)."""
    for seat in playing(state):
        yield from occasions.end_of_wave(state, seat)
    if state.turn < WAVES:
        for clan in range(len(CLANS)):
            score_domain(state, clan)
        state.phase, state.step = REFRESH, ""
    else:
        for hall in range(len(state.box.halls)):
            score_hall(state, hall)
        score_elders(state)
        for clan in state.box.tracks:
            score_votes(state, clan)
        end_game(state)
    yield from ()


# --- waves I and II -------------------------------------------------------------------------------------


def scored_places(state: State, mask: int) -> int:
    """The places of a domain or round a hall that count; lairs among them unless the table says otherwise."""
    return mask if state.house["lairs_score"] == "yes" else mask & (1 << FIRST_LAIR) - 1


def domain_scores(state: State, clan: int) -> dict[int, int]:
    """Honour of each seat that controls a cavern of a domain."""
    domain = scored_places(state, state.box.domains[clan])
    lost = OVERRUN_CAVERN * (domain & state.overrun).bit_count()
    held: dict[int, int] = {}
    for place in places_in(domain & ~state.overrun):
        owner = controller(state, place)
        if owner != NOBODY:
            held[owner] = held.get(owner, 0) + 1
    return {
        seat: FIRST_CAVERN + NEXT_CAVERN * (number - 1) + lost
        for seat, number in held.items()
        if not state.left >> seat & 1
    }


def score_domain(state: State, clan: int) -> None:
    """Six for the first cavern, two for each other; one less for each overrun one."""
    for seat, number in domain_scores(state, clan).items():
        gain_honour(state, seat, number, "scoring.w12_first", CLANS[clan])


# --- wave III -------------------------------------------------------------------------------------------


def hall_parties(state: State, hall: int) -> list[int]:
    """Who controls most caverns beside a great hall: seats, and the gnomes."""
    held: dict[int, int] = {}
    for place in places_in(scored_places(state, state.box.halls[hall])):
        party = GNOMES if state.overrun >> place & 1 else controller(state, place)
        if party != NOBODY:
            held[party] = held.get(party, 0) + 1
    most = max(held.values(), default=0)
    return [party for party, number in held.items() if number == most]


def score_hall(state: State, hall: int) -> None:
    """The value of a hall, shared by all who tie, the gnomes among them; the rest is lost."""
    parties = hall_parties(state, hall)
    state.halls_scored |= 1 << hall
    if not parties:
        return
    value = state.halls[hall] + (occasions.hall_value(state, hall) if state.stars else 0)
    for party in parties:
        if party != GNOMES:
            rule = "scoring.hall_majority" if len(parties) == 1 else "scoring.hall_tie"
            gain_honour(state, party, value // len(parties), rule, HALLS[hall])


def elder_honour(number: int, beyond: str = "stays") -> int:
    """Honour for so many elder symbols; beyond the table it stays, or grows by its last step."""
    if number < len(ELDER):
        return ELDER[number]
    more = (number - len(ELDER) + 1) * (ELDER[-1] - ELDER[-2]) if beyond == "grows" else 0
    return ELDER[-1] + more


def elders_of(state: State, seat: int) -> int:
    """Elder symbols of a seat, those on its champions too."""
    return cells_of(state.grids[seat]).elder.bit_count()


def score_elders(state: State) -> None:
    """Elder symbols by the table."""
    for seat in playing(state):
        number = elder_honour(elders_of(state, seat), state.house["elder_beyond"])
        gain_honour(state, seat, number, "scoring.elder")


def score_votes(state: State, clan: int) -> None:
    """First, second and third place of a clan's track; the lower disc leads."""
    if state.tiles[clan] < 0:
        return
    values = state.box.tiles[state.tiles[clan]]
    ranked = [seat for seat, _ in state.votes[clan] if not state.left >> seat & 1]
    for seat, number in zip(ranked, values, strict=False):
        gain_honour(state, seat, number, "scoring.votes", CLANS[clan])


# --- the end of the game --------------------------------------------------------------------------------


def all_votes(state: State, seat: int) -> int:
    """Votes of a seat over all tracks."""
    return sum(value_of(track, seat) for track in state.votes)


def standing(state: State) -> list[list[int]]:
    """Seats from the first place on, those that share a place together; who has left comes last."""
    places: dict[tuple[int, int, int], list[int]] = {}
    for seat in players(state):
        here = not state.left >> seat & 1
        key = (here, state.honour[seat], all_votes(state, seat)) if here else (False, 0, 0)
        places.setdefault(key, []).append(seat)
    return [places[key] for key in sorted(places, reverse=True)]


def end_game(state: State) -> None:
    """Most honour wins; among equals most votes; then the victory is shared."""
    first, *_ = standing(state)
    best = max(state.honour[seat] for seat in playing(state))
    level = [seat for seat in playing(state) if state.honour[seat] == best]
    state.winner = first[0]
    state.winners = sum(1 << seat for seat in first)
    if len(first) > 1:
        state.winning_rule = "endgame.shared"
    else:
        state.winning_rule = "endgame.winner" if len(level) == 1 else "endgame.tie_votes"
    state.phase, state.step = END_OF_WAVE, "over"
