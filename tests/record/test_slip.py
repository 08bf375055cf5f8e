"""The match slip: one page, every letter, and a code that can be checked."""

from __future__ import annotations

import gc
import re
import shutil
import subprocess
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import five_game
import pytest
import segno
import table_bot
import toy_game
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fpdf import FPDF
from message_checks import missing

from referee.archive.exchange import result_json, write
from referee.archive.results import outcome_of
from referee.archive.slip import TEXTS, _greatest, _Slip, make_slip
from referee.archive.slip_code import slip_code, verify_slip
from referee.archive.summary import ScoreChange, summarise, together
from referee.archive.verify import verify_file
from referee.commands.verify import verify
from referee.hall.table import Table
from referee.journal.events import digest_of
from referee.journal.signing import TableKey, is_signed
from referee.kernel.at_table import game_of
from referee.kernel.play import Outcome
from referee.kernel.registry import load_game
from referee.store.recover import Loaded
from referee.store.store import Store

KEY = TableKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))
NAMES = {"white": "Änne Größe-Łukasiewicz", "black": "Dáin Eisenfuß Þórr Œuvre Ğöçü"}


@pytest.fixture
def played() -> Iterator[Callable[..., Loaded]]:
    """Plays a game on a table and gives its record: ``played(act, turns=9)``."""
    toy_game.register()
    folder = table_bot.quick_folder()
    with Store.open(folder / "games.sqlite") as store:

        def play(act: Callable[[Table], object], turns: int = 9, **more: Any) -> Loaded:
            options = {"turns": turns}
            with Table.create(store, toy_game.GAME, options=options, players=NAMES, **more) as table:
                act(table)
                return store.load(table.id)

        yield play
    shutil.rmtree(folder)


def slip_pdf(loaded: Loaded, outcome: Outcome | None, key: TableKey, language: str) -> bytes:
    return make_slip(loaded, outcome, key, language).pdf


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def text_of(pdf: bytes, folder: Path) -> str:
    """The text of a PDF, by poppler."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext (poppler-utils) is not installed")
    (folder / "slip.pdf").write_bytes(pdf)
    done = subprocess.run(
        ["pdftotext", "-layout", "slip.pdf", "-"], cwd=folder, capture_output=True, check=True
    )
    return done.stdout.decode()


def to_the_end(table: Table) -> None:
    table_bot.play(table, Random(1))
    for seat in toy_game.SEATS:
        table.confirm_result(seat)


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_finished_game_is_one_page_with_every_letter(
    played: Callable[..., Loaded], tmp_path: Path, language: str
) -> None:
    loaded = played(to_the_end, table_name="Tisch 3", house_rules=["Kein Orkan"])
    outcome = outcome_of(loaded)
    pdf = slip_pdf(loaded, outcome, KEY, language)
    assert pages(pdf) == 1
    text = text_of(pdf, tmp_path)
    for word in (*NAMES.values(), "Tisch 3", "Kein Orkan", loaded.header["id"]):
        assert word in text, word
    assert TEXTS.text("slip.winner", language) in text
    assert ("bestätigt" if language == "de" else "confirmed") in text


def test_a_long_stormy_game_is_one_page_too(played: Callable[..., Loaded], tmp_path: Path) -> None:
    def stormy(table: Table) -> None:
        rng = Random(2)
        for number in range(12):
            table_bot.play(table, rng, 6)
            table.raise_objection("black", "Das stimmt nicht.")
            table.rule(
                f"Entscheidung {number}, die ziemlich lang ist und gewiss nicht auf eine Zeile passt " * 2
            )
            table.note("arbiter", "Zu langsam", kind="time", about="white", value=-60)
        table.resign("white")

    loaded = played(stormy, turns=200)
    pdf = slip_pdf(loaded, outcome_of(loaded), KEY, "de")
    assert pages(pdf) == 1
    text = text_of(pdf, tmp_path)
    assert "durch Aufgabe" in text and "weitere im Protokoll" in text
    assert " ".join(text.split()).count("Entscheidung 0, die ziemlich lang ist") == 2, "the reason is whole"


WRITINGS = {
    "Greek": "Ελευθερία Νίκου",
    "Cyrillic": "Юрий Лесной-Щербаков",
    "Hebrew": "אריאל כהן",
    "Arabic": "ليلى المصري",
    "Vietnamese": "Nguyễn Thị Ánh",
}


@pytest.mark.parametrize("writing", WRITINGS)
def test_names_in_other_writings_were_empty_boxes(
    played: Callable[..., Loaded], tmp_path: Path, writing: str, caplog: pytest.LogCaptureFixture
) -> None:
    loaded = played(lambda table: None)
    loaded.header["players"] = {"white": WRITINGS[writing], "black": "Bo"}
    slip = make_slip(loaded, None, KEY, "en")
    assert slip.remarks == () and "[U+" not in text_of(slip.pdf, tmp_path)
    # which letter comes first is the viewer's affair
    text = "".join(unicodedata.normalize("NFKC", text_of(slip.pdf, tmp_path)).split())
    for word in WRITINGS[writing].split():
        assert word in text or word[::-1] in text, (word, text)
    assert "missing" not in caplog.text.lower()


def test_a_character_that_no_font_has_is_printed_as_its_code_point_and_said(
    played: Callable[..., Loaded], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.archive.slip_fonts.system_folders", lambda: [tmp_path])
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    loaded = played(lambda table: None)
    loaded.header["players"] = {"white": "王\u202e", "black": "Bo"}
    slip = make_slip(loaded, None, KEY, "de")
    text = text_of(slip.pdf, tmp_path)
    assert "[U+738B][U+202E]" in text, "what hides the direction of a name is shown, too"
    assert "U+202E, U+738B" in slip.remarks[0] and "U+202E, U+738B" in text


def test_chinese_and_japanese_come_from_a_font_of_the_system(
    played: Callable[..., Loaded], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A font of this test has the two characters: which one a machine has is its own affair."""
    builder = FontBuilder(1000, isTTF=True)
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for point in ((0, 800), (800, 800), (800, 0)):
        pen.lineTo(point)
    pen.closePath()
    builder.setupGlyphOrder([".notdef", "one", "two"])
    builder.setupCharacterMap({0x738B: "one", 0x6771: "two"})
    builder.setupGlyf({name: pen.glyph() for name in (".notdef", "one", "two")})
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", "one", "two"), (1000, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    (tmp_path / "fonts").mkdir()
    builder.save(tmp_path / "fonts" / "boxes.ttf")
    monkeypatch.setattr("referee.archive.slip_fonts.system_folders", lambda: [tmp_path / "fonts"])
    loaded = played(lambda table: None)
    loaded.header["players"] = {"white": "王 東", "black": "Bo"}
    slip = make_slip(loaded, None, KEY, "en")
    text = text_of(slip.pdf, tmp_path)
    assert slip.remarks == () and "王" in text and "東" in text


@pytest.mark.parametrize("name", ["W" * 40, "Maximiliane-Konstantine von und zu Hohenfels", "Ä b" * 13])
def test_long_names_were_cut_without_a_word(played: Callable[..., Loaded], tmp_path: Path, name: str) -> None:
    loaded = played(lambda table: None)
    loaded.header["players"] = {"white": name, "black": "Bo"}
    slip = make_slip(loaded, None, KEY, "en")
    assert "".join(name.split()) in "".join(text_of(slip.pdf, tmp_path).split())


def test_what_finds_no_room_is_said(played: Callable[..., Loaded], tmp_path: Path) -> None:
    def ruled(table: Table) -> None:
        table_bot.play(table, Random(2), 4)
        table.raise_objection("black", "x")
        table.rule("Gründe " * 400)

    slip = make_slip(played(ruled), None, KEY, "de")
    assert pages(slip.pdf) == 1
    assert len(slip.remarks) == 1 and "Protokoll" in slip.remarks[0]
    assert slip.remarks[0] in " ".join(text_of(slip.pdf, tmp_path).split())


def test_an_unfinished_game_and_a_draw_have_slips(played: Callable[..., Loaded], tmp_path: Path) -> None:
    loaded = played(lambda table: None)
    assert "Not finished" in text_of(slip_pdf(loaded, outcome_of(loaded), KEY, "en"), tmp_path)

    draw = played(to_the_end)
    assert "Unentschieden" in text_of(slip_pdf(draw, Outcome((), "win"), KEY, "de"), tmp_path)


def test_the_code_can_be_checked_with_the_tables_key(played: Callable[..., Loaded], tmp_path: Path) -> None:
    loaded = played(to_the_end)
    stated = slip_code(loaded, outcome_of(loaded), KEY)
    body, _, signature = stated.rpartition(" ")
    digests = f"{digest_of(NAMES)} {digest_of(result_json(outcome_of(loaded)))}"
    assert body == f"TR2 {loaded.header['id']} {len(loaded.events)} {loaded.events[-1].hash} {digests}"
    assert is_signed(KEY.public, signature, body.encode())
    assert not is_signed(KEY.public, signature, body.replace("TR2", "TR1").encode())
    assert not is_signed("zz", signature, body.encode())
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm (poppler-utils) is not installed")
    import cv2
    import zxingcpp

    (tmp_path / "slip.pdf").write_bytes(slip_pdf(loaded, outcome_of(loaded), KEY, "de"))
    read = set()
    for dpi in ("150", "200", "300"):  # a phone looks more than once, too; one size in some hundred is missed
        subprocess.run(["pdftoppm", "-r", dpi, "-png", "slip.pdf", dpi], cwd=tmp_path, check=True)
        image = cv2.imread(str(next(tmp_path.glob(f"{dpi}*.png"))))
        read |= {code.text for code in zxingcpp.read_barcodes(image)}
    assert read == {stated}


def exported(loaded: Loaded, folder: Path) -> Path:
    path = folder / f"{loaded.header['id']}.jsonl"
    text = write(loaded.header, loaded.events, result_json(outcome_of(loaded)), KEY)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_slip_is_checked_against_its_game(played: Callable[..., Loaded], tmp_path: Path) -> None:
    loaded = played(to_the_end)
    outcome = outcome_of(loaded)
    assert outcome is not None
    path = exported(loaded, tmp_path)
    games = [(path, verify_file(path))]
    code = slip_code(loaded, outcome, KEY)
    good = verify_slip(code, games, ())
    assert good.ok and good.players == NAMES and good.result == outcome.as_json(), good.findings
    assert verify_slip(code, [], {KEY.public}).ok

    other = TableKey(Ed25519PrivateKey.from_private_bytes(bytes(32)))
    loser = next(seat for seat in NAMES if seat not in outcome.winners)
    renamed = Loaded({**loaded.header, "players": {**NAMES, loser: "Somebody Else"}}, loaded.events, {})
    longer = Loaded(loaded.header, [*loaded.events, *loaded.events[:1]], {})
    earlier = Loaded(loaded.header, loaded.events[:3], {})
    told = {
        code.replace("TR2", "TR3"): "not the code",
        code.rsplit(" ", 1)[0]: "not the code",
        "": "not the code",
        code[:-2] + ("00" if code[-2:] != "00" else "11"): "no table that is trusted",
        slip_code(loaded, outcome, other): "no table that is trusted",
        slip_code(loaded, Outcome((loser,), "win"), KEY): "another result",
        slip_code(renamed, outcome, KEY): "other players",
        slip_code(longer, outcome, KEY): "has only",
        slip_code(earlier, outcome, KEY): "another result",
    }
    for text, word in told.items():
        assert any(word in str(one.text) for one in verify_slip(text, games, ()).findings), word
    assert verify_slip(slip_code(earlier, None, KEY), games, ()).ok
    assert not verify_slip(code, [], ()).ok


def test_a_slip_of_an_earlier_program_is_still_checked(played: Callable[..., Loaded], tmp_path: Path) -> None:
    loaded = played(to_the_end)
    path = exported(loaded, tmp_path)
    games = [(path, verify_file(path))]

    def code(head: str) -> str:
        stated = f"TR1 {loaded.header['id']} {len(loaded.events)} {head}"
        return f"{stated} {KEY.sign(stated.encode())}"

    verdict = verify_slip(code(loaded.events[-1].hash), games, ())
    assert verdict.ok and "earlier program" in " ".join(map(str, verdict.remarks))
    assert "another course" in str(verify_slip(code("0" * 64), games, ()).findings[0].text)


def test_the_command_reads_a_slip_as_text_from_a_file_and_from_a_picture(
    played: Callable[..., Loaded], tmp_path: Path
) -> None:
    loaded = played(to_the_end)
    path = exported(loaded, tmp_path)
    code = slip_code(loaded, outcome_of(loaded), KEY)
    (tmp_path / "code.txt").write_text(code + "\n")
    segno.make(code, error="m").save(str(tmp_path / "code.png"), scale=6, border=4)
    for given in (code, str(tmp_path / "code.txt"), str(tmp_path / "code.png")):
        done = CliRunner().invoke(verify, ["--slip", given, str(path)])
        assert done.exit_code == 0, done.output
        assert "slip: ok" in done.output and NAMES["white"] in done.output
    done = CliRunner().invoke(verify, ["--slip", code.replace("TR2", "TR1"), str(path)])
    assert done.exit_code == 1 and "not the code" in done.output
    assert CliRunner().invoke(verify, []).exit_code == 2


def test_the_summary_counts_what_happened(played: Callable[..., Loaded]) -> None:
    loaded = played(to_the_end)
    found = summarise(loaded, "de")
    assert found.answers == sum(event.kind == "answer" for event in loaded.events)
    rolled = [event for event in loaded.events if event.request and event.request["kind"] == "roll_dice"]
    assert found.typed == len(rolled) and found.read == 0
    for one in found.dice:
        wanted = [face for event in rolled if event.seat == one.seat for face in event.answer[one.die]]
        assert sorted(one.faces.elements()) == sorted(wanted)
    assert found.confirmed == ["black", "white"]


def test_both_languages_have_every_text() -> None:
    assert missing(TEXTS) == []


def test_a_long_game_shows_its_greatest_changes_in_order() -> None:
    """One corruption of five weighs more than many steps of one; the order stays the game's."""
    big = ScoreChange(4, 1, "Corruption", 0, 5)
    steps = [ScoreChange(number, 2, "Victory points", number, number + 1) for number in range(10, 30)]
    last = ScoreChange(31, 3, "Victory points", 30, 34)
    shown = _greatest([big, *steps, last], 9)
    assert shown == [big, *steps[-7:], last]


def test_a_turn_is_called_as_on_the_tablets(played: Callable[..., Loaded]) -> None:
    loaded = played(to_the_end)
    for game_id, german, english in (
        ("five_armies", "Zug 4", "Turn 4"),
        ("war_of_the_ring", "Runde 4", "Turn 4"),
    ):
        game = load_game(game_id)
        said = [_Slip(loaded, game, None, KEY, language).turn(4) for language in ("de", "en")]
        assert said == [german, english]


def test_symbols_have_their_names(tmp_path: Path) -> None:
    """No id of a face stands on the slip, in either language."""
    game = load_game("five_armies")
    with Store.open(tmp_path / "games.sqlite") as store:
        with Table.create(store, game, options={}, players=NAMES) as table:
            table_bot.play(table, Random(3), 120)
            loaded = store.load(table.id)
        for language, word in (("de", "Musterung"), ("en", "Muster")):
            text = text_of(slip_pdf(loaded, None, KEY, language), tmp_path)
            assert word in text
            assert "muster_army" not in text and "lidless_eye" not in text


def test_the_fonts_are_closed_again(played: Callable[..., Loaded]) -> None:
    """An open file would be complained of when the collector comes by, in another test or on the table."""
    loaded = played(lambda table: None)
    with warnings.catch_warnings(record=True) as complaints:
        warnings.simplefilter("always", ResourceWarning)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.unraisablehook", lambda _: None)
            slip_pdf(loaded, None, KEY, "de")
            gc.collect()
    assert [str(one.message) for one in complaints if "TableReferee" in str(one.message)] == []


# -- more than two seats -----------------------------------------------------------------------------------


@pytest.fixture
def five_played() -> Iterator[Callable[..., Loaded]]:
    """Plays the game of five seats and gives its record."""
    five_game.register()
    folder = table_bot.quick_folder()
    names = ("Friederike Großmann-Öz", "Þórður", "Cäcilie", "Dmytro Łukasiewicz", "Eulalia von der Höhe")
    with Store.open(folder / "games.sqlite") as store:

        def play(act: Callable[[Table], object], seats: list[str] | None = None, **options: Any) -> Loaded:
            players = dict(zip(five_game.SEATS, names, strict=True))
            with Table.create(store, five_game.GAME, options=options, players=players, seats=seats) as table:
                act(table)
                return store.load(table.id)

        yield play
    shutil.rmtree(folder)


def test_five_sign_on_the_paper(
    five_played: Callable[..., Loaded], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act(table: Table) -> None:
        table_bot.play(table, Random(4))
        for seat in five_game.SEATS:
            table.confirm_result(seat)

    loaded = five_played(act, waves=2)
    drawn: list[tuple[float, float, float]] = []

    def line(pdf: FPDF, x1: float, y1: float, x2: float, y2: float) -> None:
        drawn.append((x1, x2, y1))

    foot = _Slip(loaded, game_of(loaded.header), outcome_of(loaded), KEY, "de").foot
    with monkeypatch.context() as patched:
        patched.setattr(FPDF, "line", line)
        slip_pdf(loaded, outcome_of(loaded), KEY, "de")
    signed = [one for one in drawn if one[2] > foot]
    assert len(signed) == 5
    assert all(16 <= x1 < x2 - 25 and x2 <= 194 and y <= 288 for x1, x2, y in signed), "on the paper"
    assert len({(round(x1), round(y)) for x1, _, y in signed}) == 5, "each has a line of its own"
    pdf = slip_pdf(loaded, outcome_of(loaded), KEY, "de")
    assert pages(pdf) == 1
    text = text_of(pdf, tmp_path)
    outcome = outcome_of(loaded)
    assert outcome is not None
    assert text.count(TEXTS.text("slip.winner", "de")) >= len(outcome.winners)
    for name in loaded.header["players"].values():
        assert text.count(name.split()[0]) >= 2, name


def test_a_shared_victory_and_a_place_are_said(five_played: Callable[..., Loaded], tmp_path: Path) -> None:
    loaded = five_played(lambda table: table_bot.play(table, Random(4)), ["green", "blue", "pink"], waves=1)
    outcome = Outcome(("green", "pink"), "win", ranking=(("green", "pink"), ("blue",)))
    for language, shared, place in (("de", "teilen sich den Sieg", "Platz 3"), ("en", "share", "place 3")):
        text = text_of(slip_pdf(loaded, outcome, KEY, language), tmp_path)
        assert shared in text and place in text


def test_many_seats_dice_are_summed(five_played: Callable[..., Loaded]) -> None:
    loaded = five_played(lambda table: table_bot.play(table, Random(4)), waves=3)
    summary = summarise(loaded, "en")
    (one,) = together(summary.dice)
    assert one.seat == "" and one.total == sum(count.total for count in summary.dice)
    names = {moment.name for moment in summary.moments}
    assert {"Honour (Green)", "Honour (Pink)"} <= names, "scores of one name are told apart"
