"""Chapters "Allgemeiner Aufbau", "Zwergenaufbau", "Spieleraufbau" and "Aufbau der Heimstatt"."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.components import (
    CHAMPIONS,
    CLANS,
    GATE_CARDS,
    HALL_VALUES,
    HALLS,
    LAIR_TROLLS,
    OPTIONS,
    PLACE,
    PLACES,
    SEATS,
)
from referee.games.mountain_king.rules.asking import choose, choose_place, report, why_each
from referee.games.mountain_king.rules.champions import draw_champion, fill_display, win, winners_clan
from referee.games.mountain_king.rules.pieces import add_gnome, add_trolls, place_figure
from referee.games.mountain_king.state.grid import new_grid
from referee.games.mountain_king.state.state import ANCESTRY, State, players
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne


def hall_tokens(state: State) -> Ask:
    """A random hall token on every great hall."""
    for hall in range(len(state.box.halls)):
        left = {value: box.HALL_TOKENS_EACH - state.halls.count(int(value)) for value in HALL_VALUES}
        values = [value for value in HALL_VALUES if left[value]]
        drawn = yield from report(
            state,
            "prompt.hall_token",
            values,
            rule="setup.hall_tokens",
            domain="number",
            about={"hall": HALLS[hall]},
            weights=[left[value] for value in values],
        )
        state.halls[hall] = int(drawn)


def vote_tiles(state: State) -> Ask:
    """A random vote tile on every clan track, from the top down."""
    for clan in state.box.tracks:
        left = {tile_id(tile): n for n, tile in enumerate(state.box.tiles) if n not in state.tiles}
        drawn = yield from report(
            state,
            "prompt.vote_tile",
            tuple(left),
            rule="setup.vote_tiles",
            domain="vote_tile",
            about={"clan": CLANS[clan]},
            otherwise=lambda tile: laid_before(state, tile),
        )
        state.tiles[clan] = left[drawn]


def laid_before(state: State, tile: str) -> Refusal | None:
    """Why not a vote tile that lies on a track already."""
    for clan, n in enumerate(state.tiles):
        if n >= 0 and tile_id(state.box.tiles[n]) == tile:
            return Refusal("setup.vote_tiles", "laid_before", {"clan": CLANS[clan]})
    return None


def tile_id(tile: tuple[int, int, int]) -> str:
    """A vote tile's id: what its three places are worth."""
    return "tile_" + "_".join(map(str, tile))


def first_display(state: State) -> Ask:
    """Champions of the first deck to influence."""
    yield from fill_display(state, 1)


def first_gnomes(state: State) -> Ask:
    """A hidden gnome behind a gate for each of so many gate cards, one more than players."""
    drawn: list[str] = []
    for _ in range(len(players(state)) + 1):
        clan = yield from _gate_card(state, drawn, "prompt.first_gnome", "setup.first_gnomes")
        gates = state.box.gates[clan]
        place = yield from report(
            state,
            "prompt.first_gnome_gate",
            OPTIONS[gates],
            rule="setup.first_gnomes_two_gates",
            domain="place",
            about={"clan": CLANS[clan]},
            refused=why_each(
                state.box.domains[clan] & ~gates,
                lambda place: Refusal("setup.first_gnomes", "no_gate", {"place": PLACES[place]}),
            ),
        )
        add_gnome(state, PLACE[place])
    state.swarm = yield from _gate_card(state, drawn, "prompt.first_swarm", "setup.swarm_start")
    lay_gate_cards(state)


def _gate_card(state: State, drawn: list[str], prompt: str, rule: str) -> Ask:
    left = [clan for clan in CLANS if clan not in drawn]
    clan = yield from report(
        state,
        prompt,
        left,
        rule=rule,
        domain="clan",
        refused=lambda: [(one, Refusal(rule, "drawn_before", {"clan": one})) for one in drawn],
    )
    drawn.append(clan)
    return CLANS.index(clan)


def lay_gate_cards(state: State) -> None:
    """All gate cards are shuffled, and some laid out face down."""
    number = GATE_CARDS[len(players(state))]
    state.gate_row = [-1] * number
    state.gate_looks = [0] * number


def start_champions(state: State) -> Ask:
    """Each keeps one of two champions of the first deck; its votes count at once."""
    for seat in players(state):
        if state.won[seat]:
            continue
        drawn = []
        for _ in range(2):
            champion = yield from draw_champion(
                state, 0, "prompt.start_champions", "setup.start_champion", seat
            )
            drawn.append(CHAMPIONS[champion])
        kept = yield from choose(
            seat, "prompt.keep_champion", drawn, rule="setup.start_champion", domain="champion"
        )
        champion = box.CHAMPION[kept]
        clan = yield from winners_clan(state, seat, champion)
        win(state, seat, champion, clan)


def start_player(state: State) -> Ask:
    """Chance tells who begins."""
    drawn = yield from report(
        state,
        "prompt.start_player",
        [SEATS[seat] for seat in places_in(state.seats)],
        rule="setup.start_player",
        domain="seat",
    )
    state.start = state.active = SEATS.index(drawn)


def lairs(state: State) -> Ask:
    """Clockwise from the start player: a pair of lairs, trolls there and beside."""
    for seat in players(state):
        if state.lairs[seat] >= 0:
            continue
        pair = yield from _choose_pair(state, seat)
        state.lairs[seat] = pair
        beside = []
        for lair in box.lairs_of(pair):
            add_trolls(state, seat, lair, LAIR_TROLLS)
            place = yield from _beside(state, seat, lair)
            if place >= 0:
                add_trolls(state, seat, place, 1)
                beside.append(place)
        yield from _start_figure(state, seat, beside)


def _choose_pair(state: State, seat: int) -> Ask:
    offered = state.box.pairs[len(players(state))]
    free = [pair for pair in offered if pair not in state.lairs]
    mask = sum(3 << box.lairs_of(pair)[0] for pair in free)

    def why(place: int) -> Refusal:
        taken = (place - box.FIRST_LAIR) // 2 in state.lairs
        return Refusal(
            "setup.lair_pair", "pair_taken" if taken else "pair_not_offered", {"place": PLACES[place]}
        )

    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.lair_pair",
        OPTIONS[mask],
        domain="place",
        rule="setup.lair_pair",
        refused=why_each(state.box.lairs & ~mask, why),
    )
    return (PLACE[chosen] - box.FIRST_LAIR) // 2


def _beside(state: State, seat: int, lair: int) -> Ask:
    near = state.box.lairs_beside(lair)
    mask = near & ~state.overrun
    if state.house["shared_start"] == "refused":
        for there in state.there:
            mask = mask & ~there or mask
    if not mask:
        return -1

    def why(place: int) -> Refusal:
        reason = "overrun" if state.overrun >> place & 1 else "not_beside_lair"
        return Refusal("setup.lair_neighbours", reason, {"place": PLACES[place]})

    place = yield from choose_place(
        seat,
        "prompt.lair_neighbour",
        mask,
        rule="setup.lair_neighbours",
        about={"from": PLACES[lair]},
        refused=why_each(state.box.caverns & ~mask, why),
    )
    return place


def _start_figure(state: State, seat: int, beside: list[int]) -> Ask:
    for champion in state.won[seat]:
        if state.box.champions[champion].is_figure and beside:
            mask = 0
            for place in beside:
                mask |= 1 << place
            place = yield from choose_place(
                seat,
                "prompt.start_figure",
                mask,
                rule="setup.lair_figure",
                about={"champion": CHAMPIONS[champion]},
                refused=why_each(
                    state.box.caverns & ~mask,
                    lambda place: Refusal("setup.lair_figure", "not_beside_lair", {"place": PLACES[place]}),
                ),
            )
            place_figure(state, seat, champion, place)


STEPS: tuple[tuple[str, Callable[[State], Ask]], ...] = (
    ("", hall_tokens),
    ("vote_tiles", vote_tiles),
    ("display", first_display),
    ("gnomes", first_gnomes),
    ("champions", start_champions),
    ("start_player", start_player),
    ("lairs", lairs),
)


def set_up(state: State) -> Ask:
    """The next part of the set-up."""
    names = [name for name, _ in STEPS]
    at = names.index(state.step)
    if not at:
        prepare(state)
    yield from STEPS[at][1](state)
    if at + 1 < len(STEPS):
        state.step = names[at + 1]
    else:
        state.phase, state.step, state.turn = ANCESTRY, "", 1


def prepare(state: State) -> None:
    """What lies ready before anything is drawn: start cards, the pawn on the star."""
    state.pawn = state.box.star
    for seat in players(state):
        state.grids[seat] = new_grid(state.box.start)
