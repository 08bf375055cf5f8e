"""The catalogue is complete and bilingual, the code names no rule that it lacks, and rulings have a page."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from referee.games.battlelore.box.house import HOUSE_RULES
from referee.games.battlelore.catalogue.loading import CATALOGUE, FILES
from referee.games.battlelore.catalogue.rulings import PAGE, document
from referee.games.battlelore.game import GAME

PLACES = GAME.rule_places
KINDS = {"procedure", "permission", "prohibition", "obligation", "limit", "timing", "value"}
PREFIXES = {rule.partition(".")[0] for rule in CATALOGUE}
_RULE = re.compile(rf'(?<!file=)"((?:{"|".join(sorted(PREFIXES))})\.[a-z_]+)"')
NAMED = {
    rule
    for path in FILES.folder.parent.rglob("*.py")
    for rule in _RULE.findall(path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("chapter", FILES.chapters)
def test_every_rule_has_titles_sentences_and_a_heading(chapter: str) -> None:
    rules = [rule for rule in CATALOGUE.values() if rule.chapter == chapter]
    assert rules
    for rule in rules:
        for text in (rule.title_en, rule.title_de, rule.sentence_en, rule.sentence_de, rule.heading):
            assert text.strip() == text and text, rule.id
        assert len(rule.title_en) <= 60 and len(rule.title_de) <= 70, rule.id
        assert rule.sentence_en.endswith(".") and rule.sentence_de.endswith("."), rule.id
        assert FILES.entries[rule.id]["kind"] in KINDS, rule.id


def test_all_rules_are_there_and_titles_tell_them_apart() -> None:
    own = {"victory.nobody_left"}
    assert len(CATALOGUE.keys() - own) == 241
    for titles in (Counter(rule.title_en for rule in CATALOGUE.values()),
                   Counter(rule.title_de for rule in CATALOGUE.values())):  # fmt: skip
        assert [title for title, count in titles.items() if count > 1] == []


def test_a_refusal_cites_the_heading_and_an_english_page_where_one_is_known() -> None:
    assert CATALOGUE["bold.battle_back"].where("en") == "German summary, “Mutig”"
    assert (
        CATALOGUE["retreat.owner_chooses_hex"].where("de").endswith("„Rückzug“; englisches Regelbuch S. 25")
    )


def test_rules_seen_as_another_lead_to_a_rule_of_its_own() -> None:
    for rule_id, target in FILES.seen_as.items():
        assert FILES.seen_as[target] == target, rule_id
        assert rule_id in CATALOGUE[target].atoms


def test_the_code_names_no_rule_that_is_not_there() -> None:
    assert sorted(NAMED - set(CATALOGUE)) == []


def test_no_rule_is_a_dead_letter() -> None:
    """Every rule is asked by, refused by, or carried out by a function that is named."""
    assert [rule for rule in CATALOGUE if rule not in NAMED and rule not in PLACES] == []


def test_rules_name_functions_that_exist() -> None:
    for rule in PLACES:
        assert rule in CATALOGUE and PLACES[rule], rule


def test_rulings_name_rules_and_the_page_is_up_to_date() -> None:
    own = {"victory_nobody_left"}
    assert len(FILES.rulings.keys() - own) == 82
    for name, entry in FILES.rulings.items():
        assert entry["stands"] in entry["readings"], name
        assert set(entry["rules"]) <= set(CATALOGUE), name
    assert PAGE.read_text(encoding="utf-8") == document(), "run the module rulings"
    assert {entry["house"] for entry in FILES.rulings.values() if "house" in entry} == set(HOUSE_RULES)
