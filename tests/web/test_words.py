"""Both catalogues are complete, and no sentence stands in code."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from flask import Flask
from message_checks import missing

from referee.kernel.lights import PALETTE, Meaning
from referee.kernel.play import Play
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome
from referee.serving.virtual import DISTURBANCES
from web.asks import option_text, prompt_text
from web.history import event_text
from web.snapshot import lights_json
from web.words import UI, rule_json

WEB = Path(__file__).resolve().parents[2] / "web"
SCRIPTS = sorted((WEB / "static/js").glob("*.js"))
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
SOURCES = sorted(WEB.rglob("*.py"))

CALL = re.compile(r"""(?<![\w.])t\(\s*["'`]([\w.]+)["'`]""")
TERNARY = re.compile(r"""["']([a-z]+\.[a-z_]+)["']""")
PREFIX = re.compile(r"""(?<![\w.])t\(`([a-z]+)\.(\w*)\$""")
PYTHON = re.compile(r"""\bui\(\s*f?"([\w.]+)["{]""")
REFUSED = re.compile(r"""Refused\(\s*"(\w+)\"""")

GROUPS = {
    "device": {"camera", "tray", "lights", "record", "backup", "link", "disk", "side_files"}
    | {"power", "heat", "card", "write", "clock", "permissions", "virtual"},
    "virtual.wrong": set(DISTURBANCES),
    "camera": {"check_markers", "check_size", "check_sharp", "check_bright", "check_even", "check_glare"}
    | {"check_place", "check_border", "check_height"},
    "capture": {f"doubt_{kind}" for kind in ("area", "group", "one", "stone", "touch")}
    | {f"tool_{tool}" for tool in ("merge", "name", "paint", "rock", "split", "touch")}
    | {f"tap_{tool}" for tool in ("group", "mark", "merge", "name", "paint", "rock", "split", "touch")}
    | {"yes", "no"},
    "appeal": {"text"},
    "wait": {"text"},
    "end": {"time", "draw", "award", "forfeit", "left", "absent", "export", "slip"},
    "certainty": {"high", "medium", "low"},
    "decide": {"value_penalty", "value_time", "value_clock"},
    "join": {"refused", "lapsed"},
    "health": {"ok", "warn", "away", "fail"},
    "hands": {"way_listed", "way_line"},
    "doing": {"choose_one", "choose_some", "roll_dice", "report", "box_book", "choose_secretly"},
    "theme": {"auto", "light", "dark"},
    "attention": {"title", "flash", "sound"},
    "focus": {"attacker", "defender"},
    "undo": {"do_now", "do_ask"},
    "light": {meaning.value for meaning in Meaning},
    "tray": {"idle", "empty", "moving", "reading", "settled", "old", "no_camera"},
    "event": {
        *("take_back", "take_back_asked", "consent", "objection", "withdrawal", "ruling", "correction"),
        *("stands", "note", "penalty", "time", "resignation", "result_confirmed", "sealed_part", "stopped"),
        *("board_check", "correction_asked", "wish"),
    },
    "source": {"tablet", "camera", "arbiter", "table", "manual", "bot", "remote", "wish", "obvious"},
    "wish": {"never", "always"},
    "amount": {"penalty", "time"},
    "reason": {"too_few", "too_many", "only_so_many"},
}


def used() -> set[str]:
    """All message ids that scripts, templates and code name."""
    ids: set[str] = set()
    for path in (*SCRIPTS, *TEMPLATES):
        text = path.read_text()
        ids |= set(CALL.findall(text))
        ids |= {one for one in TERNARY.findall(text) if one.split(".")[0] in known_groups()}
    for path in SOURCES:
        text = path.read_text()
        ids |= {one for one in PYTHON.findall(text) if not one.endswith((".", "_"))}
        ids |= {f"error.{code}" for code in REFUSED.findall(text)}
    ids |= {f"{group}.{name}" for group, names in GROUPS.items() for name in names}
    ids |= {
        f"error.{code}" for code in ("not_found", "method", "too_big", "internal", "bad_request", "audit")
    }
    return ids


def known_groups() -> set[str]:
    return {one.split(".")[0] for one in UI.raw("en")}


def test_the_catalogues_are_complete() -> None:
    assert missing(UI) == []


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_id_in_use_has_a_text(language: str) -> None:
    assert sorted(used() - set(UI.raw(language))) == []


def test_no_text_is_left_over() -> None:
    assert sorted(set(UI.raw("en")) - used()) == []


def test_fields_agree_between_languages() -> None:
    def fields(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    for key, english in UI.raw("en").items():
        assert fields(english) == fields(UI.raw("de")[key]), key


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_hold_no_sentence(path: Path) -> None:
    """A string literal of two or more words is a sentence unless it is markup, a path or a class list."""
    code = re.sub(r"//.*|/\*.*?\*/", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    code = re.sub(r"//[^\n]*", "", code)
    for literal in re.findall(r'"([^"\n]+)"', code):
        words = re.findall(r"[A-Za-zÄÖÜäöüß]{2,}", literal)
        if len(words) >= 2 and re.search(r"[a-zäöüß] [A-Za-zÄÖÜäöüß]", literal):
            assert re.fullmatch(r"[a-z0-9 _-]+|[#.\[\]=\w ,*\"'-]+", literal), literal
        assert not re.search(r"[ÄÖÜäöüß]", literal), literal


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_no_sentence(path: Path) -> None:
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>", "", path.read_text(), flags=re.DOTALL)
    text = re.sub(r'[\w-]+="[^"]*"', "", text)
    assert re.findall(r"[A-Za-zÄÖÜäöüß]{3,}", text) == []


def test_languages_are_offered_by_their_own_names(app: Flask) -> None:
    found = re.search(r'data-languages="([^"]*)"', app.test_client().get("/").get_data(as_text=True))
    assert found is not None
    assert json.loads(html.unescape(found[1])) == {"de": "Deutsch", "en": "English"}


def test_a_heading_of_the_german_book_is_said_to_be_one_on_other_screens() -> None:
    battle, ring = load_game("battlelore"), load_game("war_of_the_ring")
    under = next(rule.id for rule in battle.catalogue.values() if rule.heading and not rule.page_de)
    paged = next(rule.id for rule in ring.catalogue.values() if rule.page_de)
    for game, rule, german in ((battle, under, True), (ring, paged, False)):
        told = rule_json(game, rule, "en")
        assert told is not None and told["page"] and told["german"] is german
    assert "German" in UI.text("rule.part_of_german", "en", {"page": "Macht"})
    assert UI.text("rule.part_of_german", "de", {"page": "Macht"}) == UI.text(
        "rule.part", "de", {"page": "Macht"}
    )


@pytest.mark.parametrize("game_id", ["five_armies", "war_of_the_ring", "battlelore", "mountain_king"])
def test_a_button_begins_with_a_capital(game_id: str) -> None:
    """Whatever a name looks like in the midst of a sentence."""
    game = load_game(game_id)
    play, chance, small = Play(game, game.new_state({})), Random(1), set()
    for _ in range(400):
        request = play.request
        if request is None:
            break
        for part in request.of.values() if isinstance(request, ChooseSecretly) else (request,):
            if isinstance(part, ChooseOne):
                for language in ("de", "en"):
                    small |= {
                        text
                        for option in part.options
                        if (text := option_text(game, part, option, language))[:1].islower()
                    }
        play.answer(request.sample(chance))
    assert sorted(small) == []


@pytest.mark.parametrize(
    ("least", "german", "english"),
    [
        (0, "keine Einheit muss fallen", "no unit has to fall"),
        (1, "1 muss fallen", "1 must fall"),
        (2, "2 müssen fallen", "2 must fall"),
    ],
)
def test_nobody_is_told_that_0_must_fall(least: int, german: str, english: str) -> None:
    game = load_game("five_armies")
    about = {"place": "camp", "damage": 2, "least": least}
    asked = ChooseSome("free", "prompt.casualties", {"goblins": 3}, about=about)
    assert german in prompt_text(game, asked, "de") and english in prompt_text(game, asked, "en")


@pytest.mark.parametrize(
    ("about", "german", "english"),
    [
        ({}, "Welche Armee?", "Which army?"),
        (
            {"to": "camp"},
            "Welche Armee greift in dieser Runde das Lager an?",
            "Which army attacks Camp in this round?",
        ),
    ],
)
def test_a_round_of_a_combined_attack_asks_who_fights_in_it(
    about: dict[str, str], german: str, english: str
) -> None:
    game = load_game("five_armies")
    asked = ChooseOne("free", "prompt.choose_army", ("esgaroth",), domain="place", about=about)
    assert prompt_text(game, asked, "de") == german
    assert prompt_text(game, asked, "en") == english


@pytest.mark.parametrize(("language", "words"), [("de", "gehalten von: Schatten"), ("en", "held by Shadow")])
def test_a_light_says_who_holds_a_place(language: str, words: str) -> None:
    """Not "held by one side": with two sides each has a light of its own."""
    lit = {"camp": PALETTE[Meaning.CONTROL_B], "ravenhill": PALETTE[Meaning.TARGET]}
    shown = lights_json(lit, language, load_game("five_armies"))
    assert shown["camp"]["text"] == words and "{" not in shown["ravenhill"]["text"]


@pytest.mark.parametrize(
    ("game_id", "answer", "german", "english"),
    [
        ("five_armies", "pass", "passt", "passes"),
        ("war_of_the_ring", "pass", "passt", "passes"),
        ("war_of_the_ring", "ring", "benutzt einen Elbenring", "uses an Elven ring"),
        ("war_of_the_ring", "event", "setzt ein: Ereignis", "uses: Event"),
    ],
)
def test_who_passes_was_said_to_use_a_pass(game_id: str, answer: str, german: str, english: str) -> None:
    request = {"prompt": "prompt.choose_die", "domain": "die", "kind": "choose_one", "about": {}}
    event = SimpleNamespace(kind="answer", request=request, answer=answer, evidence=None)
    game = load_game(game_id)
    assert [event_text(game, event, language) for language in ("de", "en")] == [german, english]
