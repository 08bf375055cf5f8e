"""The printed decks, typed card by card into the box book: what is no card is told, what is one is played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.battlelore.box.own_deck import CARDS, DECK_SIZE, command_key, deck_told, lore_key
from referee.games.battlelore.game import GAME
from referee.games.battlelore.state.state import State
from referee.kernel.errors import InvalidAnswer
from referee.kernel.forms import check_value
from referee.kernel.naming import namer
from referee.kernel.play import Play
from referee.kernel.requests import ChooseOne

SCOUT = [{"do": "card", "copies": 4}, {"do": "section", "left": "2", "center": "held", "right": "0"}]
BANNERS = [
    {"do": "card", "copies": 2},
    {"do": "order", "number": "held", "colour": "blue", "class": "foot", "free": "yes"},
    {"do": "dice", "number": "1"},
]
SHIELD = [
    {"do": "card", "copies": 3, "cost": 1, "when": "attacked", "names": "defender"},
    {"do": "shield", "number": "level"},
]
TYPED = {
    "deck.used": "printed",
    "sections": "fifth",
    command_key(1): SCOUT,
    command_key(2): BANNERS,
    command_key(7): [{"do": "card", "copies": 1}],
    lore_key("warrior", 3): SHIELD,
}


def test_typed_cards_are_a_deck_with_those_that_are_not_typed_by_hand() -> None:
    deck = deck_told(TYPED)
    assert deck is not None and deck_told({**TYPED, "deck.used": "practice"}) is None
    assert (deck.command_size, list(deck.command)) == (DECK_SIZE, ["command_1", "command_2", "command_7"])
    assert deck.command["command_1"].orders == {"left": 2, "center": "held", "right": 0}
    who = {"colour": "blue", "class": "foot", "free": True}
    orders = {"do": "order", "number": "held", "who": who}
    assert deck.command["command_2"].program == (orders, {"do": "dice", "number": 1})
    card = deck.lore["warrior_3"]
    assert (card.of, card.cost, card.when, card.on, card.copies) == ("warrior", 1, "attacked", "defender", 3)
    assert deck.by_when["attacked"] == (card,)


@pytest.mark.parametrize(
    ("key", "steps"),
    [
        (command_key(1), []),
        (command_key(1), SCOUT[1:]),
        (command_key(1), [*SCOUT, SCOUT[0]]),
        (command_key(1), [SCOUT[0], {"do": "section", "left": "2"}]),
        (command_key(1), [SCOUT[0], {"do": "dance"}]),
        (command_key(1), [SCOUT[0], {"do": "dice", "number": "9"}]),
        (command_key(1), [SCOUT[0], {"do": "stand", "number": "1"}]),
        (command_key(1), [{"do": "card", "copies": True}]),
        (lore_key("rogue", 2), [{"do": "card", "copies": 3}]),
        (command_key(99), SCOUT),
        ("deck.used", "both"),
    ],
)
def test_what_is_no_card_is_told(key: str, steps: Any) -> None:
    with pytest.raises(InvalidAnswer) as told:
        check_value(GAME.box_book_form(), key, steps)
    assert all(told.value.sentence(language) for language in ("de", "en"))


@pytest.mark.parametrize("scenario", ["own_01", "own_05"])
def test_whole_battles_are_played_with_typed_cards(scenario: str) -> None:
    """With their names in both languages, a position file of any moment, and restarts."""
    for key, value in TYPED.items():
        check_value(GAME.box_book_form(), key, value)
    rng, seen = Random(3), set()
    play: Play[State] = Play(GAME, GAME.new_state({"scenario": scenario, "box": TYPED}))
    while play.request is not None:
        request = play.request
        value = request.sample(rng)
        if isinstance(request, ChooseOne) and request.domain == "card":
            seen |= set(request.options) & set(CARDS)
            assert not set(request.options) & {"sec_1", "war_4"}
            if request.prompt == "prompt.command_card" and request.notes is not None:
                assert list(request.notes("command_1")) in (
                    [],
                    [("note.orders", {"left": 2, "center": "held", "right": 0})],
                )
        play.answer(value)
        if play.answered == 40 and play.kept is not None:
            again = GAME.read_position(GAME.write_position(play.kept)).state
            assert GAME.to_json(again) == GAME.to_json(play.kept)
    assert {"command_1", "command_2"} <= seen and ("warrior_3" in seen) is (scenario == "own_05")
    for language, name in (("en", "Lore card: warrior 3"), ("de", "Machtkarte: Krieger 3")):
        assert namer(GAME, language).name("warrior_3", "card").casefold() == name.casefold()
