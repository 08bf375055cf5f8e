"""A third language is a folder of catalogues: pages, records, slips and commands speak it alone."""

from __future__ import annotations

import ast
import html
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any

import pseudo_language
import pytest
import table_bot
import toy_game
from click.testing import CliRunner
from pseudo_language import CODE, PLAIN, ROOT, accented, plain

from referee.archive.results import outcome_of
from referee.archive.show import events_in_words, moment_in_words
from referee.archive.slip import make_slip
from referee.cli import main
from referee.games.mountain_king.box.drawing import drawn
from referee.hall.table import Table
from referee.journal.signing import load_or_make
from referee.kernel.messages import FOLDERS, Text, catalogue_of, languages
from referee.kernel.play import Game
from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from referee.store.store import Store
from web.app import create_app

sys.path.insert(0, str(Path(__file__).parent / "web"))

from fake_hall import FakeHall, open_wide
from screens import Screen

GAMES = ("five_armies", "war_of_the_ring", "battlelore", "mountain_king")
NAMES = frozenset(
    {"Anna Berg", "Table Referee", "Table One", "The camera sees the tray", "The lights answer"}
)
"""What is called the same in every language; the last are what the stand-ins of the devices say."""
DATA = {
    "battlelore": "box/scenarios/*.yaml",
    "mountain_king": "box/practice_board.yaml",
}
"""Names that come with a board or a battle are in its file, in the languages of whoever made it."""


def own_names(game: Game[Any]) -> frozenset[str]:
    """What a game is called by others: names of its boards and battles, headings of the German book."""
    files = (ROOT / "referee/games" / game.id).glob(DATA[game.id]) if game.id in DATA else ()
    texts = [path.read_text(encoding="utf-8") for path in files]
    named = [re.findall(r'\{en: "?([^",}]+)"?,', text) for text in texts]
    headings = {rule.heading for rule in game.catalogue.values() if rule.heading}
    return frozenset().union(*named, headings)


NOT_SAID = frozenset(
    {"id", "board", "looks", "outline", "kind", "href", "qr", "url", "digest", "prompt", "csrf", "svg"}
)
"""Keys of JSON that hold ids and drawings, no words."""


@pytest.fixture
def third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The pseudo-language, spoken until the test is over."""
    games = {name: load_game(name) for name in GAMES}
    pseudo_language.make(tmp_path / "catalogues", games)
    monkeypatch.setenv(FOLDERS, str(tmp_path / "catalogues"))
    boards = [vars(game) for game in games.values()]

    def forget() -> None:
        """Boards keep the names of their places."""
        drawn.cache_clear()
        for kept in boards:
            kept.pop("_board", None)

    forget()
    yield CODE
    forget()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "games.sqlite") as store:
        yield store


def test_languages_are_found_where_their_catalogues_lie(third: str) -> None:
    assert languages() == ("de", "en", third)
    assert Text("kernel.language").in_words(third) == accented("English")


@pytest.mark.parametrize("name", GAMES)
def test_a_record_is_told_in_the_third_language(third: str, store: Store, name: str) -> None:
    with Table.create(store, load_game(name), players={}, game_id="one") as table:
        table_bot.play(table, Random(3), 60)
    loaded = store.load("one")
    told = "\n".join([*events_in_words(loaded, third), *moment_in_words(store, loaded, 40, third)])
    left = set(plain(told, NAMES | own_names(load_game(name))))
    assert not left, [line for line in told.splitlines() if any(one in line for one in left)]


@pytest.mark.parametrize("name", GAMES)
def test_screens_speak_the_third_language(third: str, tmp_path: Path, name: str) -> None:
    game = load_game(name)
    hall = FakeHall(tmp_path, [game])
    hall.start(NewGame(name, dict.fromkeys(game.seats, "Anna Berg")))
    screen = Screen(open_wide(create_app(hall)))
    seat = hall.table.request.seat  # type: ignore[union-attr]
    screen.sit(seat, third)
    assert screen.post("/api/language", {"language": third, "who": ""}).status_code == 200
    rng, found = Random(5), set[str]()
    for _ in range(8):
        state = screen.state(seat)
        found |= set(plain(state, NAMES | NOT_SAID | own_names(game)))
        if not screen.act(seat, state, rng):
            break
    for page in ("/", "/join", "/health"):
        text = screen.client.get(page).get_data(as_text=True)
        text = re.sub(r"<(script|style).*?</\1>|<[^>]*>", "\n", text, flags=re.DOTALL)
        found |= set(plain(html.unescape(text), NAMES))
    words = screen.client.get(f"/i18n/{third}.json").json
    found |= set(plain(words["texts"], NAMES))
    hall.close()
    assert sorted(found) == []


def test_a_slip_is_printed_in_the_third_language(third: str, store: Store, tmp_path: Path) -> None:
    from shutil import which
    from subprocess import run

    if which("pdftotext") is None:
        pytest.skip("pdftotext (poppler-utils) is not installed")
    game = load_game("five_armies")
    with Table.create(store, game, players={}, game_id="one") as table:
        table_bot.play(table, Random(3), 40)
        table.resign(game.seats[0])
    loaded = store.load("one")
    (tmp_path / "slip.pdf").write_bytes(
        make_slip(loaded, outcome_of(loaded), load_or_make(tmp_path / "key.pem"), third).pdf
    )
    done = run(["pdftotext", str(tmp_path / "slip.pdf"), "-"], capture_output=True, check=True)
    assert sorted(set(plain(done.stdout.decode(), NAMES))) == []


def test_commands_speak_the_third_language(
    third: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", f"{third}_XX.UTF-8")
    file = tmp_path / "position.yaml"
    file.write_text("nonsense: 1\n", encoding="utf-8")
    for words in (
        ["rules", "five_armies", "--lang", third],
        ["doctor", "--lang", third],
        ["position", str(file), "--game", "five_armies", "--lang", third],
        ["show", "nothing", "--store", str(tmp_path / "none.sqlite")],
        ["verify", str(tmp_path)],
        ["restore", str(tmp_path / "none.sqlite"), "--store", str(tmp_path / "other.sqlite")],
    ):
        said = CliRunner().invoke(main, words)
        found = sorted(set(plain(said.output, NAMES | {str(tmp_path)})))
        assert said.output and found == [], (words, found)


def test_a_language_that_nobody_speaks_is_refused(third: str) -> None:
    said = CliRunner().invoke(main, ["rules", "five_armies", "--lang", "xx"])
    assert said.exit_code == 2 and third in said.output


def test_the_detector_finds_what_another_language_says() -> None:
    assert list(plain({"a": ["Nothing was revealed"]})) == ["Nothing was revealed"]
    assert list(plain(accented("Nothing was revealed: {count} {count:card|cards}"))) == []
    assert PLAIN.search("Keine Karte")


# --- no sentence stands in code twice -----------------------------------------------------------------------

GERMAN = re.compile(
    r"[äöüÄÖÜß„]|\b(?:der|das|den|dem|ist|nicht|kein|keine|und|oder|wird|werden|auf|für|bitte|Bitte)\b"
)
ROOMS = ("referee", "web", "calibration", "vision", "firmware_bridge")
AS_DATA = {"referee/kernel/naming.py", "referee/kernel/messages.py"}


def _words(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_words(part) for part in node.values)
    return ""


def _said_twice(tree: ast.AST) -> Iterator[int]:
    """Lines of a German sentence beside another sentence, and of choices by language."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call | ast.Tuple | ast.List):
            said = [_words(one) for one in (node.args if isinstance(node, ast.Call) else node.elts)]
            for first, second in pairwise(said):
                if (
                    " " in first.strip()
                    and " " in second.strip()
                    and bool(GERMAN.search(first)) != bool(GERMAN.search(second))
                ):
                    yield node.lineno
        elif isinstance(node, ast.Compare):
            asked = [_words(one) for one in (node.left, *node.comparators)]
            if any(one in ("de", "en") for one in asked):
                yield node.lineno


@pytest.mark.parametrize("room", ROOMS)
def test_no_sentence_stands_in_code_in_two_languages(room: str) -> None:
    found = []
    for path in sorted((ROOT / room).rglob("*.py")):
        if str(path.relative_to(ROOT)) not in AS_DATA:
            lines = sorted(set(_said_twice(ast.parse(path.read_text(encoding="utf-8")))))
            found += [f"{path.relative_to(ROOT)}:{line}" for line in lines]
    assert found == []


def test_the_scan_finds_pairs_and_choices() -> None:
    pair = "raise Error('The game is over.', 'Die Partie ist zu Ende.')\nx = 1 if language == 'de' else 2\n"
    dice = "raise Error('No die is being taught.', 'Es wird gerade kein Würfel gelernt.')"
    assert sorted(set(_said_twice(ast.parse(pair + dice)))) == [1, 2, 3]


def _texts_named(room: Path) -> Iterator[tuple[str, set[str]]]:
    """Ids of all ``Text("...")`` with a literal id, and the fields that are given."""
    for path in room.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "Text" or not node.args:
                continue
            if isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value), {str(one.arg) for one in node.keywords}


@pytest.mark.parametrize("room", ROOMS)
def test_every_text_that_code_names_has_its_sentence_and_all_its_fields(room: str) -> None:
    for package in ("referee.commands", "referee.config", "referee.games.kit", *ROOMS):
        import_module(package)
    for name in GAMES:
        load_game(name)
    wrong = set()
    for message_id, given in _texts_named(ROOT / room):
        for language in ("de", "en"):
            raw = catalogue_of(message_id).raw(language).get(message_id, "{nowhere}")
            wanted = {name for _, name, _, _ in Formatter().parse(raw) if name is not None}
            wrong |= {f"{language} {message_id}: {name}" for name in wanted - given}
    assert sorted(wrong) == []


def test_no_catalogue_leaves_a_plural_to_the_reader() -> None:
    """No "card(s)", no "army/armies": a number takes its form."""
    found = []
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.po"):
            found += re.findall(r"\w+\((?:s|n|e|en)\)|army/armies", path.read_text(encoding="utf-8"))
    assert found == []


COUNTED = {
    "en": r"\{(?:count|dice)\} (?:hits|misses|trolls|gnomes|caverns|swarm points)\b",
    "de": r"\{(?:count|dice)\} (?:Große|frühere|Fehlwürfe|Trolle|Zwerge|Höhlen|Schwarmpunkte|Vorräte)\b",
}
"""What there may be one of, in a form that is for several."""


@pytest.mark.parametrize("language", COUNTED)
def test_one_hit_is_no_hits(language: str) -> None:
    texts = [
        path.read_text(encoding="utf-8") for room in ROOMS for path in (ROOT / room).rglob(f"{language}.po")
    ]
    # a form for several stands beside one for one, or in the second form of a plural of its own
    lines = [line for text in texts for line in text.splitlines() if not line.startswith("msgstr[1]")]
    assert [line for line in lines if re.search(COUNTED[language], line)] == []


@pytest.mark.parametrize("game", GAMES)
def test_an_id_has_one_sentence_in_a_game(game: str) -> None:
    """Of two the catalogue that is read last would win, whichever is meant."""
    folder = ROOT / "referee/games" / game / "texts"
    said = Counter(
        one
        for path in folder.rglob("en.po")
        for one in re.findall(r'^msgid "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert [one for one, times in said.items() if times > 1] == []


BARE = re.compile(
    r"[^\n]*\b(?:auf|an|gegen|greift|greifen|durch|für|um|nach|in|aus|von|über|verlässt)"
    r" \{(?:place|to|from|answer)\}[^\n]*"
)


@pytest.mark.parametrize("game", ["five_armies", "war_of_the_ring"])
def test_a_place_stands_in_its_case_in_german(game: str) -> None:
    """Not "auf Zerklüftete Ebene", "nach Alte Waldstraße": many names change with the case."""
    texts = sorted((ROOT / "referee/games" / game / "texts").glob("*/de.po"))
    found = [
        line
        for path in texts
        if path.parent.name != "report"
        for line in BARE.findall(path.read_text("utf-8"))
    ]
    assert found == []


OTHER_WORDS = {
    "Aufzeichnung": ("",),
    "Brett": ("referee/games/five_armies/", "referee/games/battlelore/", "referee/games/war_of_the_ring/"),
    r"Gebiete?s?\b": ("referee/games/five_armies/", "referee/games/war_of_the_ring/"),
    "Neben der Karte": ("web/",),
    "den Schiedsrichter": ("",),
}
"""German words for which another one stands there: Protokoll, Spielplan, Territorium, Spielleitung."""


def test_one_thing_has_one_word_in_german() -> None:
    """The words of docs/glossary.md, as the German rulebooks have them."""
    found = []
    for path in sorted(
        one for room in ROOMS for kind in ("de.po", "*.yaml") for one in (ROOT / room).rglob(kind)
    ):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        for word, rooms in OTHER_WORDS.items():
            if name.startswith(rooms):
                found += [(name, one) for one in re.findall(rf"[^\n]*\b{word}[^\n]*", text)]
    assert found == []


def test_json_of_the_pseudo_language_is_the_same_json(third: str, tmp_path: Path) -> None:
    """Words change with the language, ids do not."""
    toy = toy_game.register()
    with Store.open(tmp_path / "toy.sqlite") as store, Table.create(store, toy, game_id="t") as table:  # type: ignore[arg-type]
        views = [json.dumps(table.view(None, language), sort_keys=True) for language in ("en", third)]
    assert views[0] == views[1]
