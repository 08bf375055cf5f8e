"""Open scenarios 1 to 8: set-up, laying cards, supply, covering symbols."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from mountain_driving import BOARD, BOX, ON_BOARD, SEATS, Mountain, at, cell, cells, place

from referee.games.mountain_king.box.symbols import codes
from referee.games.mountain_king.rules.ancestry import cell_at, receiver
from referee.games.mountain_king.state import grid
from referee.games.mountain_king.state.grid import FRAME, cells_of, edges, laid, spots, why_no_spot
from referee.games.mountain_king.state.state import ANCESTRY, State
from referee.kernel.errors import IllegalAnswer
from referee.kernel.play import Play


def set_up(seats: int, seed: int = 1) -> Play[State]:
    """A game that is set up at random."""
    play: Play[State] = Play(ON_BOARD, ON_BOARD.new_state({"board": BOARD, "seats": SEATS[:seats]}))
    rng = Random(seed)
    while play.state.phase < ANCESTRY:
        assert play.request is not None
        play.answer(play.request.sample(rng))
    return play


@pytest.mark.rule(
    *("setup.champion_display", "setup.first_gnomes", "setup.gate_card_row", "setup.lair_trolls"),
    *(
        "setup.player_pieces",
        "setup.hall_tokens",
        "setup.vote_tiles",
        "setup.start_champion",
        "setup.start_votes",
    ),
    *("setup.start_card", "setup.honour_zero", "setup.boost_start", "setup.wheel_pawn"),
    *("setup.swarm_start", "setup.start_player", "setup.lair_order"),
)
@pytest.mark.parametrize("seats, row", [(2, 3), (3, 3), (4, 4), (5, 5)])
def test_open_01_counts_depend_on_the_players(seats: int, row: int) -> None:
    state = set_up(seats).state
    assert len(state.display) == seats + 1
    assert state.overrun.bit_count() == seats + 1 and sum(n > 0 for n in state.gnomes) == seats + 1
    assert state.gate_row == [-1] * row
    assert state.honour == state.boost == [0] * 5 and state.pawn == BOX.star
    for seat in range(seats):
        assert sum(state.trolls[seat]) == 8 and state.stock[seat] == 17
        assert len(state.won[seat]) == 1 and sum(map(len, state.votes)) >= 1
    assert all(state.halls[: len(BOX.halls)]) and -1 not in state.tiles


def set_up_to(prompt: str, seed: int) -> Play[State]:
    """A game of three at the first question of a kind."""
    options = {"board": BOARD, "seats": SEATS[:3]}
    play: Play[State] = Play(ON_BOARD, ON_BOARD.new_state(options), audit=False)
    rng = Random(seed)
    while play.request is not None and play.request.prompt != prompt:
        play.answer(play.request.sample(rng))
    return play


def test_open_01_the_troll_beside_a_lair_avoids_gnomes() -> None:
    play = set_up_to("prompt.lair_pair", 1)
    state = play.state
    while not state.overrun >> at("M2") & 1:
        state.gnomes[at("M2")], state.overrun, state.in_stock = (
            10,
            state.overrun | 1 << at("M2"),
            state.in_stock - 1,
        )
    play.answer(place("pinkA"))
    while play.request is not None and play.request.prompt != "prompt.lair_pair":  # M3 is the only one left
        refusal = play.request.why_not(place("M2"))
        assert refusal is not None and refusal.rule == "setup.lair_neighbours"
        play.answer(play.request.sample(Random(1)))
    assert state.units[state.start][at("M3")] == 1 and not state.units[state.start][at("M2")]


@pytest.mark.rule("setup.lair_neighbours", refuses=True)
def test_the_troll_beside_a_lair_stays_beside_it() -> None:
    play = set_up_to("prompt.lair_neighbour", 4)
    assert play.request is not None
    far = [c for c in play.request.candidates() if c.refusal is not None]
    refusal = play.request.why_not(far[0].value)
    assert refusal is not None and refusal.rule == "setup.lair_neighbours"


@pytest.mark.rule("setup.lair_pair", refuses=True)
def test_a_pair_of_lairs_is_taken_once() -> None:
    play = set_up_to("prompt.lair_pair", 2)
    rng = Random(0)
    first = play.request
    while play.request is first or (play.request is not None and play.request.prompt != "prompt.lair_pair"):
        assert play.request is not None
        play.answer(place("pinkA") if play.request is first else play.request.sample(rng))
    assert play.request is not None
    refusal = play.request.why_not(place("pinkB"))
    assert refusal is not None and refusal.reason == "pair_taken"


@pytest.mark.rule("setup.start_figure")
@pytest.mark.rule("setup.lair_figure", refuses=True)
def test_a_start_figure_stands_beside_a_lair() -> None:
    for seed in range(30):
        play = set_up_to("prompt.start_figure", seed)
        if play.request is not None:
            refusal = play.request.why_not(place("L1"))
            assert refusal is None or refusal.rule == "setup.lair_figure"
            far = [c for c in play.request.candidates() if c.refusal is not None]
            assert far and play.request.why_not(far[0].value) is not None
            return
    raise AssertionError("no start figure in thirty games")


@pytest.mark.rule("setup.board_side")
def test_a_board_side_is_made_for_some_numbers_of_players() -> None:
    with pytest.raises(IllegalAnswer) as told:
        ON_BOARD.new_state({"board": {**BOARD, "players": [4, 5]}, "seats": SEATS[:3]})
    assert told.value.refusal is not None and told.value.refusal.rule == "setup.board_side"


ROWS_02 = ["A B - - - -", "E I G W - -", "- - A S I B"]


@pytest.mark.rule("pedigree.must_overlap", "pedigree.no_elder_cover", "pedigree.frame", refuses=True)
def test_open_02_where_a_card_may_lie() -> None:
    m = Mountain(phase=1, ancestry={"pink": [*[""] * 4, *("- - " + row for row in ROWS_02)]})
    m.play.fork()
    draft = m.request.of["pink"]  # type: ignore[attr-defined]
    first = draft.following(())
    card = first.options[0]
    question = draft.following([card])

    def spot(row: int, column: int) -> str:
        return f"pink_{(row + 4) * grid.STRIDE + column + 2}"

    assert question.why_not(spot(0, 2)) is None and question.why_not(spot(1, 3)) is None
    for where, rule in (((1, 0), "no_elder_cover"), ((1, 5), "frame"), ((3, 0), "must_overlap")):
        refusal = question.why_not(spot(*where))
        assert refusal is not None and refusal.rule == f"pedigree.{rule}"
        with pytest.raises(IllegalAnswer):
            draft.check([card, spot(*where)])


def test_spots_are_what_the_rules_say() -> None:
    rng = Random(5)
    for _ in range(40):
        shown = grid.new_grid(codes("ABIG"))
        for _ in range(9):
            cells_ = cells_of(shown)
            free = spots(cells_.cards & grid.WINDOW, cells_.elder)
            for cell_ in range(grid.STRIDE * 9):
                if cell_ % grid.STRIDE > 8:
                    continue
                card = grid.CARD << cell_
                covers, elder = card & cells_.cards, card & cells_.elder
                top, bottom, left, right = edges((cells_.cards | card) & grid.WINDOW)
                fits = max(bottom - top, right - left) < FRAME
                assert bool(free >> cell_ & 1) == bool(covers and not elder and fits)
                if not free >> cell_ & 1:
                    assert why_no_spot(cells_.cards & grid.WINDOW, cells_.elder, cell_)
            options = [one for one in range(110) if free >> one & 1]
            if not options:
                break
            words = [rng.choice(["A", "B2", "I", "G", "W", "S", "E", "."]) for _ in range(4)]
            shown = laid(shown, codes(words), rng.choice(options))


@pytest.mark.rule("pedigree.pass_1_3", "pedigree.pass_2", "pedigree.simultaneous", "pedigree.three_cards")
def test_open_02_the_rest_goes_round() -> None:
    state = set_up(4).state
    ways = {}
    for wave in (1, 2, 3):
        state.turn = wave
        ways[wave] = [receiver(state, seat) for seat in range(4)]
    assert ways[1] == ways[3] == [1, 2, 3, 0] and ways[2] == [3, 0, 1, 2]
    play = set_up(4)
    rng = Random(2)
    left = []
    while play.request is not None and play.request.prompt == "prompt.draft":
        left.append(play.request.about["count"])
        play.answer(play.request.sample(rng))
    assert left == [3, 2, 1] and all(cells_of(play.state.grids[seat]).cards for seat in range(4))


@pytest.mark.rule(
    *("supply.base", "supply.symbols", "supply.cap", "supply.desperation"),
    *("supply.wild_order", "pedigree.wild_pair", "supply.desperation_after"),
)
@pytest.mark.parametrize(
    "wave, row, pairs, supply, desperation",
    [
        (1, "S W", 0, 7, 1),
        (1, "W W", 1, 7, 1),
        (1, "W W", 0, 6, 1),
        (1, "S S S S", 0, 8, 0),
        (1, "W W W W W", 2, 8, 0),
        (2, "A B", 0, 5, 2),
    ],
)
def test_open_03_supply(wave: int, row: str, pairs: int, supply: int, desperation: int) -> None:
    m = Mountain(grid=[row], phase=1, wave=wave, details={"step": "supply"}, supply={})
    if row.count("W") >= 2:
        wilds = [column for column, word in enumerate(row.split()) if word == "W"]
        m.do(cells("pink", *((0, column) for column in wilds[: 2 * pairs])))
        if not pairs:
            assert m.state.covered[0] == 0
    assert (m.state.supply[0], m.state.desperation[0]) == (supply - 1, desperation)  # the first turn is paid
    assert m.state.covered[0].bit_count() == 2 * pairs


@pytest.mark.rule("supply.wild_pairs", "supply.cap", refuses=True)
def test_open_03_a_single_wild_brings_nothing() -> None:
    m = Mountain(grid=["W W S"], phase=1, details={"step": "supply"}, supply={})
    assert m.refused(cells("pink", (0, 0))) == "supply.wild_pairs"
    m = Mountain(grid=["W W W W S"], phase=1, details={"step": "supply"}, supply={})
    assert m.refused(cells("pink", *((0, column) for column in range(4)))) == "supply.cap"


GRID_04 = ["G G A2", "W S E", ". B I"]


def weak(**more: object) -> Mountain:
    """The position of the fourth scenario."""
    covered = {"pink": [grid.cell_name(cell_at(cell("pink", 2, 2)))]}
    position = {"supply": {"pink": 4}, "desperation": {"pink": 3}, "covered": covered, **more}
    return Mountain({"pinkA": {"pink": 3}}, grid=GRID_04, display=["c11"], **position)


@pytest.mark.rule(
    *(
        "weak.cover",
        "weak.second",
        "weak.second_free",
        "weak.second_optional",
        "desperation.spend",
        "turn.pay_first",
    ),
    *("weak.independent", "turn.choice", "desperation.several", "desperation.stays_weak"),
)
def test_open_04_two_weak_actions_cost_one_supply() -> None:
    m = weak().do("weak_gnome", cell("pink", 0, 0), "0")
    assert m.request.about == {"strength": 1} or m.asked == "pink scout_gate"  # one space is all
    m.do("none")
    while m.asked != "pink second_action":
        m.do(m.offered()[-1])
    m.do("weak_gnome", cell("pink", 0, 1), "1")
    assert m.request.about["strength"] == 2 and m.state.supply[0] == 3 and m.state.desperation[0] == 2
    m = weak().do("weak_bolster", cell("pink", 2, 1), "3")
    assert m.request.about["strength"] == 4 and m.state.desperation[0] == 0
    m.do(place("pinkA"), "4")
    assert m.refused("strong_advance") == "turn.choice"
    m.do("stop")
    assert (m.state.supply[0] == 3 and m.state.active != 0) or m.asked.startswith("pink action")


@pytest.mark.rule("weak.not_strong", "weak.not_dead", "weak.cover", refuses=True)
def test_open_04_what_a_weak_action_cannot_cover() -> None:
    m = weak().do("weak_gnome")
    assert m.refused(cell("pink", 0, 2)) == "weak.not_strong"
    for dead in ((1, 1), (1, 2), (2, 0)):
        assert m.refused(cell("pink", *dead)) == "weak.not_dead"
    assert m.refused(cell("pink", 2, 2)) == "weak.cover"
    assert m.reason(cell("pink", 2, 1)) == "other_kind"


@pytest.mark.rule("weak.wild", "pedigree.wild_single", "strong.single", "pedigree.symbol_value")
def test_open_04_a_wild_is_any_symbol_and_a_number_its_strength() -> None:
    m = weak().do("weak_advance", "0")
    assert m.request.about["strength"] == 1 and m.state.covered[0] >> cell_at(cell("pink", 1, 0)) & 1
    m = weak().do("strong_advance", cells("pink", (0, 2)), "1")
    assert m.request.about["strength"] == 3 and m.state.supply[0] == 2 and m.state.desperation[0] == 3


@pytest.mark.rule("turn.first_action", "turn.choice", refuses=True)
def test_the_first_action_is_compulsory() -> None:
    m = weak()
    assert m.refused("stop") == "turn.first_action"
    m.do("weak_bolster", cell("pink", 2, 1), "0", place("pinkA"), "1")
    assert m.refused("strong_gnome") == "turn.choice"


def strong(rows: list[str], covered: Sequence[tuple[int, int]] = (), **more: object) -> Mountain:
    """Strong actions with one's trolls in a lair."""
    names = [grid.cell_name(cell_at(cell("pink", *one))) for one in covered]
    entries = {"supply": {"pink": 5}, "covered": {"pink": names}, **more}
    return Mountain({"pinkA": {"pink": 3}}, grid=rows, display=["c11", "c12"], **entries)


def strength(m: Mountain, kind: str, *group: tuple[int, int]) -> int:
    """The strength of an action with a group."""
    m.do(f"strong_{kind}", cells("pink", *group))
    return int(m.request.about["strength"])


@pytest.mark.rule("strong.group", "group.wild", "group.partial", "group.connected")
def test_open_05_groups() -> None:
    rows = ["A A A", ". W E"]
    assert strength(strong(rows), "advance", (0, 0), (0, 1), (0, 2), (1, 1)) == 4
    m = strong(rows)
    assert strength(m, "advance", (0, 0), (0, 1), (0, 2)) == 3
    assert not m.state.covered[0] >> cell_at(cell("pink", 1, 1)) & 1
    assert strength(strong(rows), "advance", (0, 1), (1, 1)) == 2


@pytest.mark.rule("strong.group", "group.connected", "weak.not_dead", refuses=True)
def test_open_05_what_is_no_group() -> None:
    m = strong(["A A A", ". W E"]).do("strong_advance")
    assert m.refused(cells("pink", (0, 0), (0, 2))) == "group.connected"
    assert m.refused(cells("pink", (0, 0))) == "strong.group"
    assert m.refused(cells("pink", (1, 0))) == "weak.not_dead"


BRIDGE = [(0, 1), (0, 2), (0, 3)]
ROWS_06 = ["B A A A B2", ". W E - -"]


@pytest.mark.rule("group.bridge", "group.mix")
@pytest.mark.parametrize(
    "group, worth", [(((0, 0), (1, 1), (0, 4)), 4), (((0, 0), (0, 4)), 3), (((0, 0), (1, 1)), 2)]
)
def test_open_06_covered_symbols_join(group: tuple[tuple[int, int], ...], worth: int) -> None:
    assert strength(strong(ROWS_06, BRIDGE), "bolster", *group) == worth


@pytest.mark.rule("group.connected", refuses=True)
def test_open_06_open_symbols_do_not() -> None:
    m = strong(ROWS_06).do("strong_bolster")
    assert m.refused(cells("pink", (0, 0), (1, 1), (0, 4))) == "group.connected"


@pytest.mark.rule("strong.supply_boost", "influence.first_bonus", "influence.amount")
def test_open_07_further_supply() -> None:
    rows = ["B A A A B2", "I W E I2 I", "- I . E -"]
    covered = [(0, 0), *BRIDGE, (0, 4), (1, 1)]
    group = ((1, 0), (1, 3), (1, 4), (2, 1))

    def influenced(more: str, champion: str) -> Mountain:
        m = strong(rows, covered, supply={"pink": 3, "green": 1}, influence=[[], [["green", 2]]])
        m.do("strong_influence", cells("pink", *group))
        assert m.request.about["strength"] == 5 and m.refused("3") == "strong.supply_boost"
        return m.do(more, champion)

    m = influenced("0", "c12")
    assert m.state.influence[1] == [[0, 5], [1, 2]] and m.state.supply[0] == 2
    m = influenced("2", "c12")
    assert m.state.influence[1][0] == [0, 7] and m.state.supply[0] == 0
    assert influenced("2", "c11").state.influence[0] == [[0, 8]]


@pytest.mark.rule("group.no_diagonal", "group.connected")
def test_open_08_corners_do_not_join_covered_cells_do() -> None:
    rows = ["G .", "A G", "G2 E", "E G"]

    def refused(covered: list[tuple[int, int]], *wanted: tuple[int, int]) -> str:
        return strong(rows, covered).do("strong_gnome").refused(cells("pink", *wanted))

    assert strength(strong(rows, [(1, 0)]), "gnome", (0, 0), (1, 1)) == 2
    assert strength(strong(rows, [(1, 0)]), "gnome", (1, 1), (2, 0)) == 3
    for wanted in (((2, 0), (3, 1)), ((0, 0), (1, 1), (2, 0), (3, 1))):
        assert refused([(1, 0)], *wanted) == "group.connected"
    assert strength(strong(rows, [(1, 0)]), "gnome", (0, 0), (1, 1), (2, 0)) == 4
    assert refused([], (0, 0), (1, 1)) == "group.connected"
