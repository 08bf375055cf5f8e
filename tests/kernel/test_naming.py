"""Names of ids: the domain decides first, a number stands for itself, and a game's own kinds are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import five_game
import game_laws
import pytest
import toy_game
import wide_game

from referee.games.five_armies.game import GAME as FIVE_ARMIES
from referee.games.war_of_the_ring.game import GAME as WAR_OF_THE_RING
from referee.kernel.naming import NONE, Namer, namer
from referee.kernel.refusals import Refusal, Rule

RULE = Rule("r", "c", "Moving", "Bewegen", "3", "", "s", "s", book_en="")


@pytest.fixture
def armies() -> Namer:
    return Namer(FIVE_ARMIES, "en")


@pytest.fixture
def ring() -> Namer:
    return Namer(WAR_OF_THE_RING, "en")


@pytest.mark.parametrize("domain", ["number", "box_book", "count", "", "place"])
def test_a_number_is_no_phase(armies: Namer, domain: str) -> None:
    assert [armies.name(number, domain) for number in ("1", "3", "-2")] == ["1", "3", "-2"]
    assert armies.answer("1", "prompt.ask_leadership", "box_book") == "1"
    assert armies.name("3", "phase") == "Phase 3: Fate"  # its own domain does name it


@pytest.mark.parametrize(
    ("item", "domain", "name"),
    [
        ("character", "die", "Character"),
        ("character", "face", "Character"),
        ("character", "deck", "Character deck"),
        ("character", "card", "Character card"),
        ("boromir", "unit", "Boromir"),
        ("rohan", "nation", "Rohan"),
        ("rohan_regular@edoras", "figure", "Regular unit (Rohan), Edoras"),
        ("via:moria", "way", "Moria"),
        ("edoras", "from", "Edoras"),
        ("will_of_the_west", "new_face", "Will of the West"),
    ],
)
def test_the_domain_decides_what_an_id_is(ring: Namer, item: str, domain: str, name: str) -> None:
    assert ring.name(item, domain) == name


def test_particulars_are_put_into_words_by_their_keys(ring: Namer) -> None:
    about = {"from": "rivendell", "level": 4, "characters": ["gandalf_the_grey", "strider"]}
    assert ring.question("prompt.companions_to", about) == (
        "Where to from Rivendell? Up to 4 regions. (Gandalf the Grey, Strider)"
    )
    assert ring.particulars({"steps": {"attack_before": 2}, "nothing": [], "none": None}) == {
        "steps": f"2 × {ring.name('attack_before', 'option')}",
        "nothing": NONE,
        "none": NONE,
    }


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"free_action": ["muster_army", "event"]}, "Muster/Army, Event"),
        ({"orcs": 2, "bolg": 1}, "2 × Orcs; 1 × Bolg"),
        ({"free": "ill_chance", "shadow": "orcs"}, "Free Peoples: "),
        ({}, NONE),
    ],
)
def test_answers_of_every_kind_are_told(armies: Namer, answer: Any, words: str) -> None:
    told = armies.answer(answer, "prompt.any", "unit")
    assert words in told and "_" not in told


def test_what_there_is_one_of_is_not_counted(armies: Namer) -> None:
    assert armies.answer({"bard": 1, "gandalf": 1}, "prompt.any", "character") == "Bard; Gandalf"
    assert armies.answer({"camp": 1}, "prompt.any", "place") == "Camp"
    assert armies.answer({"camp": 1, "ravenhill": 2}, "prompt.any", "place") == "1 × Camp; 2 × Ravenhill"
    assert armies.answer({"orcs": 1}, "prompt.any", "unit") == "1 × Orcs"


def test_a_refusal_tells_its_reason_and_a_rule_where_it_stands(armies: Namer) -> None:
    assert armies.reason(Refusal("r")) == "" == armies.reason(Refusal("r", "no_such_reason"))
    told = armies.reason(Refusal("r", "character_alone", {"place": "camp", "character": "bard"}))
    assert "Camp" in told or "Bard" in told
    assert armies.rule_line(RULE) == "Moving, German rulebook p. 3"
    assert Namer(FIVE_ARMIES, "de").rule_line(RULE) == "Bewegen, S. 3"


def test_names_are_made_once() -> None:
    assert namer(FIVE_ARMIES, "de") is namer(FIVE_ARMIES, "de") is not namer(FIVE_ARMIES, "en")


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(
    ("module", "options"), [(toy_game, {"turns": 12}), (wide_game, {"turns": 12}), (five_game, {})]
)
def test_nothing_is_told_in_ids(module: Any, options: Mapping[str, Any], language: str) -> None:
    game_laws.nothing_is_told_in_ids(module.register(), [options], language, answers=60)
