"""Box book, house rules and explanations: every entry named in both languages, and every value playable."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from message_checks import missing

from referee.games.five_armies.box.house import HOUSE_RULES
from referee.games.five_armies.box.map import REGION_COUNT
from referee.games.five_armies.cards.programs import FIGHTING
from referee.games.five_armies.game import GAME
from referee.games.five_armies.screens.forms import (
    as_asked,
    box_book_form,
    box_book_problems,
    house_rules_form,
)
from referee.kernel.errors import InvalidAnswer
from referee.kernel.forms import SOME, STEPS, Field, Slot, StepKind, box_book_form_of, check_value
from referee.kernel.messages import Messages
from referee.kernel.play import Play

BOX_BOOK = box_book_form()
ID = re.compile(r"[a-z]+[._][a-z]")


def test_keys_are_unique_and_values_shipped_are_possible() -> None:
    keys = [field.key for field in BOX_BOOK]
    assert len(set(keys)) == len(keys) > 60
    for field in BOX_BOOK:
        if field.kind == STEPS:
            assert field.steps and not field.options and field.shipped in (None, "shipped"), field.key
            continue
        assert field.options and len(set(field.options)) == len(field.options), field.key
        assert field.shipped is None or field.shipped in field.options, field.key


def test_every_question_that_play_asks_of_the_box_has_its_entry() -> None:
    """What random games ask of the components the box book can answer."""
    known = {field.key: field for field in BOX_BOOK}
    asked = 0
    for seed in range(4):
        rng = random.Random(seed)
        play = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False, keep=False)
        while play.request is not None and play.answered < 2500:
            request = play.request
            if request.domain == "box_book" or getattr(request, "about", {}).get("key"):
                key = str(request.about["key"])
                asked += 1
                if key.startswith("reach."):
                    _, origin, target = key.split(".")
                    assert target in known[f"reach.{origin}"].options
                else:
                    assert set(request.options) <= set(known[key].options), key
            play.answer(request.sample(rng))
    assert asked >= 8


def anything(field: Field, rng: random.Random) -> Any:
    """Any value that the form takes, programs of up to three steps among them."""
    if field.kind == SOME:
        return rng.sample(field.options, rng.randint(0, len(field.options)))
    if field.kind != STEPS:
        return rng.choice(field.options)
    kinds = list(field.steps)
    last = rng.choice(kinds)
    first = [kind for kind in kinds if kind.id not in FIGHTING]
    return [filled(kind, rng) for kind in (*rng.sample(first, rng.randint(0, 2)), last)]


def filled(kind: StepKind, rng: random.Random) -> dict[str, Any]:
    """A step with everything that it must and some of what it may be given."""
    step: dict[str, Any] = {"do": kind.id}
    for slot in kind.slots:
        if slot.required or rng.random() < 0.5:
            step[slot.id] = given(slot, rng)
    return step


def given(slot: Slot, rng: random.Random) -> Any:
    if slot.kind == "number":
        return rng.randint(slot.least, slot.most)
    if slot.kind == "flag":
        return True
    if slot.kind == "counts":
        return {str(rng.choice(slot.options)): rng.randint(1, slot.most)}
    return rng.choice(slot.options)


@pytest.mark.parametrize("seed", range(6))
def test_any_box_book_can_be_played(seed: int) -> None:
    """A filled book at random: no question about it comes up any more, and no audit fails."""
    rng = random.Random(seed)
    box = {field.key: anything(field, rng) for field in BOX_BOOK if not field.key.startswith("setup.")}
    assert all(check_value(BOX_BOOK, key, value) == value for key, value in box.items())
    asked_of = as_asked(box)
    house = {field.key: rng.choice(field.options) for field in house_rules_form()}
    play = Play(GAME, GAME.new_state({"box": box, "house": house, "setup": "suggested"}), keep=False)
    while play.request is not None and play.answered < 1200:
        key = getattr(play.request, "about", {}).get("key", "")
        assert key not in asked_of, key
        play.answer(play.request.sample(rng))
    assert play.answered > 20  # a program may well end the game soon


def test_an_ability_from_the_form_is_carried_out_in_play() -> None:
    """Bard's ability as an owner describes it: three dice hitting on five against an army within reach."""
    program = [{"do": "shoot", "dice": 3, "target": 5, "by": "bard", "reach": "ruler"}]
    field = next(field for field in BOX_BOOK if field.key == "ability.bard")
    assert check_value(BOX_BOOK, field.key, program) == program
    rng = random.Random(5)
    asked: list[tuple[str, Any]] = []
    play = Play(GAME, GAME.new_state({"box": {"ability.bard": program}, "setup": "suggested"}), keep=False)
    while play.request is not None and play.answered < 3000:
        about = play.request.about
        if about.get("card") == "ability.bard":
            asked.append((play.request.prompt, getattr(play.request, "dice", None)))
        play.answer(play.request.sample(rng))
    assert ("prompt.card_shoot", None) in asked
    assert not any(prompt.startswith("prompt.by_hand") for prompt, _ in asked)


@pytest.mark.parametrize(
    ("key", "program"),
    [
        ("ability.bard", []),
        ("ability.bard", [{"do": "stay"}]),
        ("ability.dain", [{"do": "beorn"}, {"do": "draw_event"}]),
        ("ability.dain", [{"do": "shoot", "dice": 3}]),
        ("card.the_eagles_are_coming", [{"do": "orcs_on_card", "number": 3}]),
        ("reach.camp", ["camp"]),
        ("reach.camp", ["front_gate", "front_gate"]),
        ("reach.camp", "front_gate"),
    ],
)
def test_what_cannot_be_carried_out_is_no_entry(key: str, program: Any) -> None:
    with pytest.raises(InvalidAnswer):
        check_value(BOX_BOOK, key, program)


def test_what_the_ruler_reaches_answers_for_every_pair() -> None:
    box = as_asked({"reach.camp": ["ravenhill"], "archery.dice": "2"})
    assert (box["reach.camp.ravenhill"], box["reach.camp.front_gate"]) == ("yes", "no")
    assert box["archery.dice"] == "2" and "reach.camp" not in box and len(box) == REGION_COUNT


def test_house_rules_are_those_that_the_game_knows() -> None:
    assert {field.key: field.options for field in house_rules_form()} == dict(HOUSE_RULES)


def test_two_groups_never_share_a_region() -> None:
    assert box_book_problems({}) == []
    assert len(box_book_problems({"setup.free_1": "camp"})) == 1
    assert box_book_problems({"setup.free_1": "camp", "setup.free_4": "front_gate"}) == []


def test_the_form_takes_what_it_offers_only() -> None:
    form = box_book_form_of(GAME)
    assert check_value(form, "leadership.gandalf", "3") == "3"
    for key, value in (("leadership.gandalf", "9"), ("leadership.gandalf", 3), ("nothing", "1")):
        with pytest.raises(InvalidAnswer):
            check_value(form, key, value)
    assert box_book_form_of(object()) == ()


def test_the_words_of_forms_and_help_are_complete() -> None:
    (help_messages,) = GAME.messages.parents
    assert isinstance(help_messages, Messages)
    assert missing(help_messages) == []


@pytest.mark.parametrize("language", ["de", "en"])
def test_everything_explained_has_words_and_a_rule(language: str) -> None:
    for kind, name in GAME.explained():
        found = GAME.explain_piece(kind, name, language)
        assert found is not None and found["rule"] in GAME.catalogue, (kind, name)
        assert found["title"] and len(found["text"]) > 20, (kind, name)
        assert "{" not in found["text"] and not ID.search(found["text"]), found["text"]
    assert GAME.explain_piece("unit", "balrog", language) is None


def test_all_units_characters_cards_and_faces_are_explained() -> None:
    known = set(GAME.explained())
    for prefix in ("unit", "character", "special", "marker", "face", "terrain"):
        ids = {
            key.split(".", 1)[1]
            for key in GAME.messages.raw("en")
            if key.startswith(f"{prefix}.") and not key.endswith(".short")
        }
        assert {(prefix, name) for name in ids} <= known, prefix
    assert sum(kind == "card" for kind, _ in known) > 50
