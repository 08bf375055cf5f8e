"""Programs of primitives: checking, documenting, an owner's own, and restarting inside a general's combat."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fighting import Fight, armies

from referee.games.five_armies.box.components import CHARACTER, FACE, FREE, SHADOW
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.cards import card_play
from referee.games.five_armies.cards.programs import document, problems
from referee.games.five_armies.game import GAME
from referee.games.five_armies.rules import abilities, ranged
from referee.games.five_armies.rules.fate import FATE_CARDS_BY_ID, draw_fate_card
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.card_data import CARDS
from referee.games.five_armies.state.state import ELIMINATED, NOT_IN_PLAY, State
from referee.kernel.errors import InvalidAnswer
from referee.kernel.play import Play

DOCUMENT = Path(__file__).parents[4] / "docs" / "five_armies_cards.md"


@pytest.mark.parametrize("card", CARDS)
def test_every_card_is_a_sound_program(card: str) -> None:
    assert problems(list(CARDS[card].program)) == []


BAD: list[tuple[Any, str]] = [
    ([], "a program is a list of steps"),
    ("draw_event", "a program is a list of steps"),
    ([{"do": "fly"}], "is no primitive"),
    ([{"dice": 3}], "is no primitive"),
    ([{"do": "heal", "army": "led_army"}], "`damage` is missing"),
    ([{"do": "heal", "army": "nobody", "damage": 1}], "is not one of"),
    ([{"do": "heal", "army": "led_army", "damage": "two"}], "is not one of"),
    ([{"do": "draw_event", "cards": 2}], "is not taken here"),
    ([{"do": "recruit", "where": "own_army", "units": {"trolls": 1}}], "is not one of"),
    ([{"do": "march_and_attack", "superiority": "yes"}], "is not one of"),
    ([{"do": "march_and_attack"}, {"do": "draw_event"}], "must be the last"),
]


@pytest.mark.parametrize(("program", "sentence"), BAD)
def test_what_is_wrong_is_said_in_both_languages(program: Any, sentence: str) -> None:
    found = problems(program)
    assert any(sentence in text.in_words("en") for text in found), found
    assert all(text.in_words("de") != text.in_words("en") for text in found)


def test_the_document_is_written_from_the_code() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_an_owners_printing_of_a_card_is_used() -> None:
    state = armies(camp="free lake_men 1")
    state.hand_event, state.event_deck, state.phase = [1, 0], 29, 5
    state.values["card.troop_leader"] = [{"do": "leadership", "tokens": 3}]
    Fight(state, card_play.play_card(state, FREE, FACE["event"])).answer("troop_leader")
    assert state.leaders[PLACE["camp"]] == 3


@pytest.mark.parametrize(
    ("reach", "regions"), [("next", {"eb_north_plain"}), ("any", {"eb_north_plain", "v_west_plain"})]
)
def test_shooting_reaches_as_far_as_the_program_says(reach: str, regions: set[str]) -> None:
    state = armies(
        camp="free lake_men 1; gandalf", eb_north_plain="shadow orcs 3", v_west_plain="shadow orcs 1"
    )
    step = {"do": "shoot", "dice": 2, "target": 4, "by": "gandalf", "reach": reach}
    assert problems([step]) == []
    state.values["ability.gandalf"] = [step]
    state.activated = 1 << CHARACTER["gandalf"]
    fight = Fight(state, abilities.use(state, "gandalf"))
    assert set(fight.offered()) == {*regions, "no_attack"}
    fight.answer("eb_north_plain").answer({"combat_white": ["4", "3"]}).until("*")
    assert fight.damage("eb_north_plain") == 1


def test_shooting_by_the_ruler_asks_once_whether_it_reaches() -> None:
    state = armies(camp="free lake_men 1; gandalf", eb_north_plain="shadow orcs 3")
    state.values["ability.gandalf"] = [
        {"do": "shoot", "dice": 1, "target": 4, "by": "gandalf", "reach": "ruler"}
    ]
    fight = Fight(state, abilities.use(state, "gandalf")).answer("eb_north_plain")
    assert fight.asked == "free ask_reach"
    fight.answer("no")
    assert fight.asked == "" and fight.damage("eb_north_plain") == 0
    assert state.values[ranged.reach_key(PLACE["camp"], PLACE["eb_north_plain"])] == "no"


def in_action_phase() -> State:
    state = armies(camp="free lake_men 3; bard", eb_north_plain="shadow orcs 3")
    state.turn, state.phase, state.step = 2, 5, "act"
    state.unused[FREE][FACE["character"]] = 1
    state.unused[SHADOW][FACE["army"]] = 1
    state.activated, state.generals_count = 1 << CHARACTER["bard"], 1
    state.values["ability.bard"] = [{"do": "march_and_attack"}]
    return state


def test_a_combat_in_an_ability_may_be_restarted_and_a_die_still_follows() -> None:
    play = Play(GAME, in_action_phase())
    for value in ("ability:bard", "camp", "no_move", "eb_north_plain"):
        play.answer(value)
    rng = Random(4)
    asked = []
    while play.request is not None and play.state.combat is not None:
        twin = play.fork()
        assert twin.digest() == play.digest()
        play.answer(play.request.sample(rng))
    request = play.request
    while request is not None and request.prompt != "prompt.choose_action":
        asked.append(request.prompt)
        play.answer(request.sample(rng))
        request = play.request
    assert request is not None and request.seat == "free", asked
    assert request.about["face"] == "character"
    again = play.fork()
    assert again.digest() == play.digest()


# --- Fate cards ------------------------------------------------------------------------------------

FATE = [
    ("giant_size", {"wrath": 2, "stays": True}),
    ("redoubled_in_wrath", {"wrath": 4, "stays": False}),
    ("roaring_voice", {"wrath": 2, "stays": True}),
    ("the_eagles_are_coming", {"eagles": 2, "stays": False}),
    ("where_are_the_eagles", {"eagles": 1, "lord_space": 7, "stays": False}),
    ("eagles_are_not_kindly_birds", {"stays": True}),
    ("fury_of_the_dwarves", {"thorin": 4, "stays": True}),
    ("mighty_strokes", {"stays": True}),
    ("shining_armour", {"stays": True}),
]


@pytest.mark.parametrize(("card", "expected"), FATE)
def test_fate_cards_are_sound_programs_and_do_what_they_say(card: str, expected: dict[str, Any]) -> None:
    on, program = FATE_CARDS_BY_ID[card]
    assert problems(list(program)) == []
    state = armies(camp="free lake_men 1")
    state.fate = 8
    fight = Fight(state, draw_fate_card(state)).answer(card)
    assert fight.asked == ""
    seen = {
        "wrath": state.wrath,
        "eagles": state.eagles[4],
        "lord_space": state.fate_space[CHARACTER["lord_of_the_eagles"]],
        "thorin": state.ratings[CHARACTER["thorin"]],
        "stays": card in state.table_cards,
    }
    assert seen == {"wrath": 0, "eagles": 0, "lord_space": 8, "thorin": 2, **expected}
    assert state.where[CHARACTER["lord_of_the_eagles"]] == NOT_IN_PLAY  # moved, but not brought in by it
    if on in CHARACTER:
        gone = armies(camp="free lake_men 1")
        gone.where[CHARACTER[on]] = ELIMINATED
        Fight(gone, draw_fate_card(gone)).answer(card)
        assert not gone.table_cards and not gone.wrath and gone.fate_deck == 8


def test_where_are_the_eagles_with_their_lord_in_play() -> None:
    state = armies(camp="free lake_men 1")
    put_character(state, CHARACTER["lord_of_the_eagles"], PLACE["eyrie"])
    Fight(state, draw_fate_card(state)).answer("where_are_the_eagles")
    assert state.eagles[4] == 2


@pytest.mark.parametrize(
    ("box", "sentence"),
    [
        ({"ability.sauron": [{"do": "draw_event"}]}, "there is no 'sauron'"),
        ({"card.sunshine": [{"do": "draw_event"}]}, "there is no 'sunshine'"),
        ({"ability.bard": [{"do": "shoot", "dice": 3}]}, "ability.bard: step 1: `target` is missing"),
    ],
)
def test_a_box_book_with_a_wrong_program_is_refused_in_words(box: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidAnswer, match=re.escape(sentence)) as caught:
        GAME.new_state({"box": box})
    assert caught.value.sentence("de") != caught.value.sentence("en")


def test_a_box_book_with_sound_programs_is_taken() -> None:
    box = {"ability.bard": [{"do": "draw_event"}], "card.dismay": [{"do": "draw_event"}], "movement.bard": 3}
    assert GAME.new_state({"box": box}).values == box
