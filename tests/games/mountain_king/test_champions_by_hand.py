"""Champions that nobody has described: declared step by step, checked, agreed to by all others."""

from __future__ import annotations

from random import Random
from typing import Any

import game_laws as laws
import pytest
from mountain_driving import BOARD, SEATS, Mountain, place

from referee.games.mountain_king.box.box import box_of, practice_data
from referee.games.mountain_king.box.components import CHAMPION, MOST_SUPPLY
from referee.games.mountain_king.cards.by_hand import steps
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.play.bots import play_random
from referee.kernel.at_table import at_table
from referee.kernel.play import Play
from referee.kernel.together import ConsentOfAll

MOMENTS = ("passive", "ability", "instant", "end_of_wave", "star")


def undescribed() -> dict[str, Any]:
    """The second board with champions of which only what is printed in numbers is known."""
    champions = {}
    for name, entry in practice_data()["champions"].items():
        champions[name] = {
            key: {"by_hand": 1} if key in MOMENTS and value else value for key, value in entry.items()
        }
    return {**BOARD, "champions": champions}


BY_HAND = undescribed()
ON_IT: Any = at_table(GAME, {"board": BY_HAND})


class Undescribed(Mountain):
    """A running game on that board."""

    game = ON_IT


def holding(champion: str, caverns: dict[str, dict[str, Any]], **more: Any) -> Mountain:
    """Pink has won a champion."""
    own = {"board": box_of(BY_HAND).digest, "champions": {"pink": [champion]}, **more}
    return Undescribed(caverns, grid=["A A"], seats=3, **own)


def agreed(m: Mountain, *answers: str) -> None:
    """The others answer at once."""
    request = m.play.request
    assert isinstance(request, ConsentOfAll)
    assert set(request.of) == {"green", "blue"}
    m.do(dict(zip(("green", "blue"), answers, strict=True)))


@pytest.mark.rule("champion.passive", "champion.claws")
def test_an_ability_with_claws_is_declared_agreed_to_and_carried_out() -> None:
    m = holding("c06", {"G2": {"pink": 2}})
    assert "use_c06" in m.offered()
    m.do("use_c06", "trolls", place("H2"), "3")
    agreed(m, "agree", "agree")
    assert m.units("H2") == {"pink": 3} and m.state.claws[CHAMPION["c06"]] == 1
    m.do("troll_falls", place("G2"))
    agreed(m, "agree", "object")
    assert m.units("G2") == {"pink": 2}, "one objection is enough"
    m.do("votes", "ice", "2")
    agreed(m, "agree", "agree")
    assert m.votes("ice") == [["pink", 2]]
    m.do("done", "use_c06", "done")
    assert "use_c06" not in m.offered(), "both claws are covered"


@pytest.mark.rule("champion.passive")
def test_each_step_does_what_it_says_under_the_ordinary_rules() -> None:
    there: dict[str, dict[str, Any]] = {
        "G2": {"pink": 2, "green": 1}, "H4": {"gnomes": 2}, "O2": {"green": 1}
    }  # fmt: skip
    m = holding("c02", there)
    m.do("use_c02", "gnomes_go")
    assert m.offered() == [place("H4")] or m.asked.endswith("consent")
    while m.asked.endswith("by_hand_place"):
        m.do(place("H4"))
    stock = m.state.in_stock
    agreed(m, "agree", "agree")
    assert m.gnomes("H4") == 0 and m.state.in_stock == stock + 2
    m.do("troll_goes", place("G2"), "green")
    assert m.refused(place("M1")) == "wheel.effect_move"
    m.do(place("H4"))
    agreed(m, "agree", "agree")
    assert m.units("G2") == {"pink": 2} and m.units("H4") == {"green": 1}
    m.do("honour", "5")
    agreed(m, "agree", "agree")
    assert m.honour("pink") == 5 and m.state.ledger[-1][1:3] == ("champion.passive", "c02")
    m.do("supply", "2")
    agreed(m, "agree", "agree")
    m.do("desperation", "1")
    agreed(m, "agree", "agree")
    assert (m.state.supply[0], m.state.desperation[0]) == (2, 1)
    m.state.supply[0] = MOST_SUPPLY
    assert "supply" not in steps(m.state, 0) and "gnomes_go" not in steps(m.state, 0)


def test_whole_games_with_champions_that_nobody_described() -> None:
    for seed in range(8):
        played = play_random(seed, options={"board": BY_HAND, "seats": SEATS[: 2 + seed % 4]})
        assert played.play.outcome is not None


def test_what_is_asked_has_words_and_rules_in_both_languages() -> None:
    looking = laws.Looking(ON_IT)
    rng = Random(3)
    for seed in range(3):
        state = ON_IT.new_state({"board": BY_HAND, "seats": SEATS[: 3 + seed % 2]})
        play: Play[Any] = Play(ON_IT, state, audit=False)
        while play.request is not None:
            if play.request.prompt.startswith("prompt.by_hand"):
                looking.look(play.request)
            play.answer(play.request.sample(rng))
    assert not looking.missing, "\n".join(sorted(looking.missing))
    assert {"prompt.by_hand", "prompt.by_hand_agree.troll_falls"} <= set(looking.asked)


def test_who_leaves_while_the_others_resolve_by_hand_holds_nobody_up() -> None:
    for seed in range(10):
        rng = Random(seed)
        play: Play[Any] = Play(GAME, GAME.new_state({"board": BY_HAND, "seats": SEATS[:4]}))
        gone = False
        while play.request is not None:
            by_hand = play.request.prompt.startswith("prompt.by_hand") and play.state.phase
            if by_hand and not gone and rng.random() < 0.05:
                play.leave(SEATS[rng.randrange(4)])
                gone = True
                continue
            play.answer(play.request.sample(rng))
        assert play.outcome is not None and gone
