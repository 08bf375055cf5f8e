"""The catalogue is whole, attempts that no question asks for are refused, rulings are listed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from mountain_driving import SEATS, Mountain, place

from referee.games.kit.odds import ODDS_FIELD
from referee.games.mountain_king.catalogue.loading import CATALOGUE, FILES
from referee.games.mountain_king.catalogue.rulings import document
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.words.explaining import ATTEMPTS, attempt_rules
from referee.kernel.explain import explain
from referee.kernel.messages import languages
from referee.kernel.naming import namer

DOCS = Path(__file__).parents[3] / "docs"
BY_WORD = attempt_rules()


def test_the_catalogue_is_whole() -> None:
    assert len(CATALOGUE) == 248
    for rule in CATALOGUE.values():
        for text in (rule.title_en, rule.title_de, rule.sentence_en, rule.sentence_de, rule.heading):
            assert text == text.strip() and text, rule.id
        assert rule.sentence_en.endswith(".") and rule.sentence_de.endswith("."), rule.id


def test_rules_are_cited_by_heading_and_where_known_by_page() -> None:
    assert CATALOGUE["advance.path"].where("en") == "German rulebook, “Die Aktionen / Vorstoß”, p. 9"
    assert CATALOGUE["supply.cap"].where("de") == "Regelbuch, „Baut eure Ahnentafel“"


def test_the_code_names_no_rule_that_is_not_there() -> None:
    heads = "|".join(sorted({rule.partition(".")[0] for rule in CATALOGUE}))
    named = re.compile(rf'"((?:{heads})\.[a-z][a-z0-9_]+)"')
    for path in FILES.folder.parent.rglob("*.py"):
        for rule in named.findall(path.read_text(encoding="utf-8")):
            message = GAME.messages.find(rule, "en") is not None
            assert rule in CATALOGUE or message, f"{path.name}: {rule}"
    assert set(GAME.rule_places) <= set(CATALOGUE) and set(BY_WORD.values()) <= set(CATALOGUE)


def test_the_page_of_rulings_is_up_to_date() -> None:
    assert (DOCS / "mountain_king_rulings.md").read_text(encoding="utf-8") == document()
    houses = {entry["house"] for entry in FILES.rulings.values() if "house" in entry}
    assert houses | {ODDS_FIELD.key} == {field.key for field in GAME.house_rules_form()}


def test_every_refusable_rule_can_be_refused() -> None:
    """By a candidate of a question (the scenarios), or by a word for the attempt."""
    in_code = "".join(path.read_text(encoding="utf-8") for path in FILES.folder.parent.rglob("*.py"))
    for rule, entry in FILES.entries.items():
        if entry["refusable"]:
            assert rule in BY_WORD.values() or f'"{rule}"' in in_code, rule


@pytest.mark.rule(*BY_WORD.values(), refuses=True)
def test_attempts_are_refused_by_their_rules() -> None:
    m = Mountain({"pinkA": {"pink": 3}}, grid=["A G2"])
    assert set(BY_WORD) == set(ATTEMPTS)
    for word, rule in BY_WORD.items():
        told = explain(m.play, f"pink: {word}", GAME.words)
        assert told.refusal is not None and told.refusal.rule == rule, word
        for language in languages():
            assert CATALOGUE[rule].sentence(language) in told.sentence(language, m.game)


@pytest.mark.rule("setup.player_limit")
def test_at_most_five_play() -> None:
    with pytest.raises(Exception, match="sixth"):
        GAME.new_state({"seats": [*SEATS, "sixth"]})


@pytest.mark.rule("turn.order", "turn.unequal_turns", "weak.second_impossible", "turn.pay_first")
def test_turns_go_round_while_anybody_has_supply() -> None:
    m = Mountain(seats=3, supply={"pink": 2, "green": 1, "blue": 0}, grid=["B"], phase=2)
    m.do("weak_bolster", place("pinkA"), "0")
    assert m.asked == "green action" and m.state.supply[:3] == [1, 0, 0]
    m.do("weak_bolster", place("greenA"), "0", "stop")
    assert m.state.phase == 3 and m.state.supply[:3] == [0, 0, 0]  # pink paid and had nothing to cover


@pytest.mark.rule("control.gain_not_empty")
@pytest.mark.ruling("amb_01")
@pytest.mark.parametrize("way, votes", [("turn_and_action", []), ("action", [["pink", 1]]), ("turn", [])])
def test_control_of_a_cavern_that_was_empty_as_the_turn_began(way: str, votes: list[list[Any]]) -> None:
    there: dict[str, dict[str, Any]] = {"G2": {"pink": 3, "green": 1}}
    m = Mountain(there, grid=["A G"], pawn=2, house_rules={"gain_occupied": way}, swarm="moon",
                 desperation={"pink": 1})  # fmt: skip
    # the wheel's move space: green is moved into the empty O2, then pink takes it with two
    m.do("weak_gnome", "0", "none", place("G2"), "green_troll", place("O2"))
    m.do("weak_advance", "1", place("O2"), {f"trolls@{place('G2')}": 2})
    assert m.units("O2") == {"green": 1, "pink": 2} and m.votes("moon") == votes


def names(item: str, domain: str, language: str) -> str | None:
    """What an id is called."""
    return namer(GAME, language).find(item, domain)


def test_ids_that_are_put_together_have_names() -> None:
    assert names("A2/./A/B", "ancestry_card", "en") == "Adv2 – / Adv Bol"
    assert names("tile_9_5_3", "vote_tile", "de") == "9 / 5 / 3"
    assert names("pink_48", "cell", "en") == "E5" and names("gate_2", "gate_card", "de") == "Torkarte 2"
