"""Scenarios of our own from headings that the open ones do not touch: material, set-up, drafting, waves."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from mountain_driving import BOARD, ON_BOARD, SEATS, Mountain, at, place

from referee.games.mountain_king.box.box import box_of
from referee.games.mountain_king.box.components import CLANS, HALLS
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.play.bots import play_random
from referee.games.mountain_king.rules.ancestry import receiver
from referee.games.mountain_king.state.state import ANCESTRY, SETUP, State, playing
from referee.kernel.errors import IllegalAnswer, InvalidAnswer
from referee.kernel.play import Play


class SetUp:
    """A game from its very beginning; what chance brings is told as wanted, or the first that may come."""

    def __init__(self, seats: int = 3, game: Any = ON_BOARD, **options: Any) -> None:
        board = {"board": BOARD} if game is ON_BOARD else {}
        self.play: Play[State] = Play(game, game.new_state({"seats": SEATS[:seats], **board, **options}))

    @property
    def state(self) -> State:
        return self.play.state

    @property
    def asked(self) -> str:
        assert self.play.request is not None
        return self.play.request.prompt.removeprefix("prompt.")

    def to(self, prompt: str) -> SetUp:
        """Answer with the first option until this is asked."""
        while self.asked != prompt:
            self.do(self.offered()[0])
        return self

    def do(self, *answers: Any) -> SetUp:
        for answer in answers:
            self.play.answer(answer)
        return self

    def offered(self) -> list[Any]:
        assert self.play.request is not None
        return [one.value for one in self.play.request.candidates() if one.allowed]

    def refused(self, answer: Any) -> str:
        assert self.play.request is not None
        refusal = self.play.request.why_not(answer)
        return "" if refusal is None else refusal.rule


# --- Spielmaterial --------------------------------------------------------------------------------------


@pytest.mark.rule("setup.player_limit")
def test_own_01_one_player_or_six_are_no_game() -> None:
    for seats in (["pink"], [*SEATS, "violet"]):
        with pytest.raises(InvalidAnswer):
            GAME.new_state({"seats": seats})


@pytest.mark.rule("setup.board_side")
def test_own_02_the_side_for_four_and_five_is_not_played_by_three() -> None:
    side = {**BOARD, "players": [4, 5]}
    with pytest.raises(IllegalAnswer) as found:
        GAME.new_state({"board": side, "seats": SEATS[:3]})
    assert found.value.refusal is not None and found.value.refusal.rule == "setup.board_side"
    assert GAME.new_state({"board": side, "seats": SEATS[:4]}).box.players == (4, 5)


def test_own_03_the_volcano_is_no_cavern_and_domains_are_seven() -> None:
    side = box_of()
    assert len(side.domains) == len(side.ring) == len(CLANS) == 7
    assert sum(side.domains) == side.caverns and "volcano" not in GAME.holders(GAME.new_state({}))
    drawn = GAME.board({}).places["volcano"]
    assert drawn.kind == "rock"


def test_own_04_every_gate_lies_in_its_domain() -> None:
    for side in (box_of(), box_of(BOARD)):
        for clan, gates in enumerate(side.gates):
            assert gates and not gates & ~side.domains[clan]


# --- Allgemeiner Aufbau ---------------------------------------------------------------------------------


@pytest.mark.rule("setup.hall_tokens")
def test_own_05_a_hall_value_comes_four_times_at_most() -> None:
    m = SetUp(game=GAME)
    assert m.asked == "hall_token" and m.offered() == ["4", "8", "12"]
    m.do("8", "8", "8", "8")
    assert m.offered() == ["4", "12"] and [*m.state.halls][:4] == [8, 8, 8, 8]


@pytest.mark.rule("setup.hall_tokens")
def test_own_06_each_hall_of_the_side_gets_one_token_and_no_other() -> None:
    m = SetUp()
    told = []
    while m.asked == "hall_token":
        told.append(m.play.request.about["hall"])  # type: ignore[union-attr]
        m.do("4" if len(told) < 3 else "12")
    assert told == [*HALLS[:4]] and m.state.halls[4:] == [0] * len(m.state.halls[4:])


@pytest.mark.rule("setup.vote_tiles")
def test_own_07_a_vote_tile_lies_on_one_track_from_the_top_down() -> None:
    m = SetUp().to("vote_tile")
    told: list[str] = []
    while m.asked == "vote_tile":
        assert m.play.request.about["clan"] == CLANS[m.state.box.tracks[len(told)]]  # type: ignore[union-attr]
        assert len(m.offered()) == 7 - len(told) and not set(told) & set(m.offered())
        told.append(m.offered()[-1])
        m.do(told[-1])
    assert sorted(m.state.tiles) == [*range(7)], "the last goes without saying"


@pytest.mark.rule("setup.champion_display")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_own_08_champions_of_the_second_deck_lie_open_one_more_than_players(seats: int) -> None:
    m = SetUp(seats).to("first_gnome")
    assert len(m.state.display) == seats + 1
    assert {m.state.box.champions[one].deck for one in m.state.display} == {1}


def test_own_09_the_pawn_stands_on_the_star_and_nobody_has_anything() -> None:
    m = SetUp().to("first_gnome")
    assert m.state.pawn == m.state.box.star and m.state.phase == SETUP
    assert set(m.state.honour) == set(m.state.boost) == set(m.state.supply) == {0}
    assert len({m.state.grids[seat] for seat in playing(m.state)}) == 1, "all begin with the start card"


# --- Zwergenaufbau --------------------------------------------------------------------------------------


@pytest.mark.rule("setup.first_gnomes", refuses=True)
def test_own_10_a_gate_card_that_was_drawn_is_not_drawn_again() -> None:
    m = SetUp().to("first_gnome").do("moss")
    assert m.asked == "first_gnome" and m.refused("moss") == "setup.first_gnomes"
    assert m.state.gnomes[0] and m.state.in_stock == 29


@pytest.mark.rule("setup.first_gnomes_two_gates")
def test_own_11_of_two_gates_chance_takes_one() -> None:
    m = SetUp().to("first_gnome").do("ice")
    assert m.asked == "first_gnome_gate" and set(m.offered()) == {place("I1"), place("I2")}
    assert m.refused(place("I3")) == "setup.first_gnomes"
    m.do(place("I2"))
    assert m.state.overrun.bit_count() == 1


@pytest.mark.rule("setup.first_gnomes", "setup.swarm_start")
@pytest.mark.parametrize("seats", [2, 4])
def test_own_12_one_gnome_more_than_players_then_the_swarm(seats: int) -> None:
    m = SetUp(seats).to("first_swarm")
    assert m.state.overrun.bit_count() == seats + 1 and m.state.in_stock == 30 - seats - 1
    taken = [clan for clan in CLANS if m.refused(clan)]
    assert len(taken) == seats + 1 and m.refused(taken[0]) == "setup.swarm_start"
    m.do(m.offered()[0])
    assert len(m.state.gate_row) == {2: 3, 4: 4}[seats] and set(m.state.gate_row) == {-1}
    assert not any(m.state.gate_looks) and not any(m.state.looked), "nobody has looked at anything"


# --- Spieleraufbau --------------------------------------------------------------------------------------


@pytest.mark.rule("setup.start_champion", "setup.start_votes")
def test_own_13_each_keeps_one_of_two_and_its_votes_count() -> None:
    m = SetUp(game=GAME).to("start_champions").do("c03", "c05")
    assert m.asked == "keep_champion" and set(m.offered()) == {"c03", "c05"}
    m.do("c03")
    assert m.state.won[0] == [2] and m.state.votes[CLANS.index("moon")] == [[0, 2]]
    assert "c05" not in m.offered(), "what was not kept is out of the game"


@pytest.mark.rule("champion.outsider")
@pytest.mark.ruling("amb_46")
def test_own_14_an_outsider_at_the_start_votes_for_a_clan_of_choice() -> None:
    m = SetUp(game=GAME).to("start_champions").do("c08", "c05", "c08")
    assert set(m.offered()) == set(CLANS)
    m.do("fire")
    assert m.state.votes[CLANS.index("fire")] == [[0, 2]]


# --- Aufbau der Heimstatt -------------------------------------------------------------------------------


@pytest.mark.rule("setup.start_player", "setup.lair_order")
def test_own_15_lairs_are_chosen_clockwise_from_the_start_player() -> None:
    m = SetUp(4).to("start_player").do("blue")
    order = []
    while m.state.phase == SETUP:
        if m.asked == "lair_pair":
            order.append(m.play.request.seat)  # type: ignore[union-attr]
        m.do(m.offered()[0])
    assert order == ["blue", "yellow", "pink", "green"] and m.state.phase == ANCESTRY


@pytest.mark.rule("setup.lair_pair", refuses=True)
def test_own_16_a_pair_that_is_taken_cannot_be_chosen() -> None:
    m = SetUp().to("lair_pair")
    first = m.offered()[0]
    m.do(first).to("lair_pair")
    assert m.refused(first) == "setup.lair_pair"
    pair = (int(m.state.lairs[0]),)
    assert m.state.trolls[0][56 + 2 * pair[0]] == m.state.trolls[0][57 + 2 * pair[0]] == 3


@pytest.mark.rule("setup.lair_neighbours", refuses=True)
def test_own_17_the_troll_beside_a_lair_stands_beside_it_and_by_no_gnome() -> None:
    m = SetUp().to("first_gnome").do("granite", "moss", "fire", "mud")
    m.to("start_player").do("pink").to("lair_pair").do(place("pinkA"))
    assert m.asked == "lair_neighbour" and set(m.offered()) == {place("M2"), place("M3")}
    assert m.refused(place("M1")) == m.refused(place("G2")) == "setup.lair_neighbours"
    m.do(place("M3"))
    assert m.state.trolls[0][at("M3")] == m.state.trolls[0][at("G2")] == 1, (
        "beside the other lair is one only"
    )


# --- Baut eure Ahnentafel -------------------------------------------------------------------------------


@pytest.mark.rule("pedigree.layouts")
def test_own_18_hands_go_round_by_the_wave() -> None:
    m = SetUp(4)
    for wave, to in ((1, 1), (2, 3), (3, 1)):
        m.state.turn = wave
        assert receiver(m.state, 0) == to


# --- Spielablauf, Das Gefecht ---------------------------------------------------------------------------


@pytest.mark.rule("turn.waves", "turn.phases")
def test_own_19_three_waves_are_played_and_no_fourth() -> None:
    waves = set()
    play = Play(GAME, GAME.new_state({"seats": SEATS[:2]}), audit=False)
    rng = Random(5)
    while play.request is not None:
        waves.add(play.state.turn)
        play.answer(play.request.sample(rng))
    assert waves == {0, 1, 2, 3} and play.outcome is not None


@pytest.mark.rule("turn.order", "turn.unequal_turns")
def test_own_20_who_has_no_supply_is_passed_over() -> None:
    m = Mountain({}, grid=["I"], supply={"pink": 1, "blue": 2}).do("weak_influence")
    while m.asked.startswith("pink"):
        m.do(m.offered()[0])
    assert m.asked.startswith("blue") and m.state.supply[:4] == [0, 0, 1, 0]


@pytest.mark.rule("turn.battle_end")
def test_own_21_the_fray_ends_with_the_last_supply() -> None:
    m = Mountain({}, grid=["I"], supply={"pink": 1}, display=["c12"]).do("weak_influence")
    while m.asked.startswith("pink") and not m.asked.endswith("gate_card"):
        m.do(m.offered()[0])
    assert set(m.state.supply) == {0} and m.asked.endswith("gate_card"), m.asked


@pytest.mark.rule("refresh.start_marker")
def test_own_22_the_start_marker_goes_on_with_each_wave() -> None:
    starts = []
    for seed in range(3):
        played = play_random(seed, options={"seats": SEATS[:3]}, audit=False)
        starts.append(played.play.state.start)
    first = [play_random(seed, options={"seats": SEATS[:3]}, audit=False).play.state for seed in range(3)]
    assert [one.start for one in first] == starts and {one.turn for one in first} == {3}
