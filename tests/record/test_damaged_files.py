"""What people do to exported files: each file gets its verdict, whatever is in it."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
import table_bot
import toy_game
from click.testing import CliRunner
from exporting import KEY, codes, find, reseal

from referee.archive.exchange import FILE_LIMIT, LINE_LIMIT, SCHEMA, result_json, write
from referee.archive.rechecking import Recheck
from referee.archive.verify import Verdict, verify_file
from referee.commands.verify import _in_processes, verify
from referee.hall.table import Table
from referee.journal.events import MOVES
from referee.journal.kinds import KINDS, SOURCES
from referee.journal.signing import fingerprint
from referee.store.pictures import Pictures
from referee.store.store import Store

Lines = list[dict[str, Any]]
Check = Callable[..., Verdict]


def as_text(some: Lines) -> list[str]:
    return [json.dumps(one, ensure_ascii=False) for one in some]


def put(path: Path, texts: list[str]) -> Path:
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def only_format(path: Path, word: str, line: int) -> None:
    """One fault of form, at its line, and its sentence can be written anywhere."""
    verdict = verify_file(path)
    assert codes(verdict) == ["format"]
    assert verdict.findings[0].line == line and word in verdict.findings[0].text.in_words("en")
    json.dumps(verdict.as_json(), ensure_ascii=False).encode()


@pytest.mark.parametrize("depth", [70, 900, 100_000])
@pytest.mark.parametrize("place", [0, -1])
def test_a_line_nested_deep_is_refused_with_its_number(
    lines: Lines, tmp_path: Path, depth: int, place: int
) -> None:
    texts = as_text(lines)
    texts[place] = '{"answer": ' + "[" * depth + "]" * depth + "}"
    only_format(put(tmp_path / "x.jsonl", texts), "nested", place % len(texts) + 1)


@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize("what", ['"\\ud800"', '{"\\uDFff": 1}', '["\\ud83d x"]'])
def test_half_a_character_is_refused_wherever_it_stands(
    lines: Lines, tmp_path: Path, place: int, what: str
) -> None:
    texts = as_text(lines)
    texts[place] = texts[place][:-1] + f', "more": {what}}}'
    only_format(put(tmp_path / "x.jsonl", texts), "half a character", place % len(texts) + 1)


def test_a_whole_character_in_two_halves_is_none_of_these(lines: Lines, tmp_path: Path) -> None:
    changed = copy.deepcopy(lines)
    changed[find(changed, "note")]["answer"]["text"] = "🎲"
    texts = [json.dumps(one) for one in reseal(changed)]  # json writes it as two escapes
    assert any("\\ud83c" in one for one in texts)
    assert verify_file(put(tmp_path / "x.jsonl", texts)).ok


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        (0, '"players": {', '"players": {"white": "x", '),
        (0, '"record": ', '"header": {}, "record": '),
        (3, '"seat": ', '"seat": "black", "seat": '),
        (3, '"request": {', '"request": {"prompt": "x", '),
        (-1, '"events": ', '"events": 1, "events": '),
    ],
)
def test_a_key_that_stands_twice_is_refused(
    lines: Lines, tmp_path: Path, place: int, old: str, new: str
) -> None:
    texts = as_text(lines)
    assert old in texts[place]
    texts[place] = texts[place].replace(old, new, 1)
    only_format(put(tmp_path / "x.jsonl", texts), "stands twice", place % len(texts) + 1)


def test_a_key_beside_the_header_is_refused_as_nothing_covers_it(lines: Lines, check: Check) -> None:
    changed = [{**lines[0], "note": "x"}, *lines[1:]]
    verdict = check(changed)
    assert codes(verdict) == ["format"] and "note" in verdict.findings[0].text.in_words("en")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_a_number_that_is_none_is_refused(lines: Lines, tmp_path: Path, number: str) -> None:
    texts = as_text(lines)
    texts[2] = texts[2].replace('"number": 2', f'"number": {number}', 1)
    only_format(put(tmp_path / "x.jsonl", texts), "JSON", 3)


STRANGE: list[Any] = [None, True, -1, "x", ["x", 1], {"x": None}]


@pytest.mark.parametrize("value", STRANGE, ids=repr)
def test_a_header_of_wrong_types_gets_a_verdict(lines: Lines, check: Check, value: Any) -> None:
    for name in [*lines[0]["header"], "", "header"]:
        changed = copy.deepcopy(lines)
        if name == "header":
            changed[0]["header"] = value
        elif name:
            changed[0]["header"][name] = value
        else:
            changed[0] = value
        if changed == lines:
            continue
        verdict = check(reseal(changed) if name not in ("", "header") else changed)
        assert verdict.findings or type(value) is type(lines[0]["header"].get(name)) or name == "options"


@pytest.mark.parametrize("value", STRANGE, ids=repr)
def test_events_of_wrong_types_get_a_verdict(lines: Lines, check: Check, value: Any) -> None:
    """Each field of one event of each kind, and each field of its answer, in a chain made anew."""
    for kind in sorted({one["kind"] for one in lines[1:-1]}):
        place = find(lines, kind)
        for name in ("seat", "request", "answer", "evidence"):
            changed = copy.deepcopy(lines)
            changed[place][name] = value
            check(reseal(changed)).as_json()
        answer = lines[place]["answer"]
        for name in answer if isinstance(answer, dict) else ():
            changed = copy.deepcopy(lines)
            changed[place]["answer"][name] = value
            verdict = check(reseal(changed))
            needed = name in (KINDS[kind].needs or {})
            assert verdict.findings or not needed or type(value) is type(answer[name]), (kind, name)


def test_a_signature_of_wrong_types_gets_a_verdict(lines: Lines, check: Check) -> None:
    for name in lines[-1]["signature"]:
        for value in STRANGE:
            changed = copy.deepcopy(lines)
            changed[-1]["signature"][name] = value
            assert codes(check(changed)), (name, value)


def test_a_gigantic_line_is_refused_at_bounded_memory(tmp_path: Path, lines: Lines) -> None:
    path = tmp_path / "x.jsonl"
    with path.open("w") as file:
        file.write(as_text(lines)[0] + "\n")
        file.truncate(600 * LINE_LIMIT)  # a hole: one line of 2.4 GB
    script = (
        "import resource, sys; from pathlib import Path; from referee.archive.verify import verify_file; "
        "had = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; "
        "print(verify_file(Path(sys.argv[1])).findings[0].code, "
        "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - had)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, path], capture_output=True, text=True, check=True, timeout=120
    )
    code, more = done.stdout.split()
    assert code == "format" and int(more) < 8 * LINE_LIMIT // 1024


def test_a_file_of_endless_lines_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert FILE_LIMIT > 4 * LINE_LIMIT
    monkeypatch.setattr("referee.archive.exchange.FILE_LIMIT", 1000)
    path = put(tmp_path / "x.jsonl", [""] * 1001)
    only_format(path, "longer", 1001)


def test_a_byte_order_mark_and_blank_lines_anywhere_pass_with_a_remark(lines: Lines, tmp_path: Path) -> None:
    path = put(tmp_path / "x.jsonl", ["", *"\n  \n".join(as_text(lines)).split("\n"), "", ""])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    verdict = verify_file(path, (KEY.public,))
    assert verdict.ok, verdict.findings
    assert [one.id or str(one)[:12] for one in verdict.remarks] and "byte order mark" in str(
        verdict.remarks[0]
    )
    assert f"{len(lines) + 2} blank lines" in str(verdict.remarks[1])


def test_a_fault_after_blank_lines_is_told_at_its_own_line(lines: Lines, tmp_path: Path) -> None:
    changed = copy.deepcopy(lines)
    changed[5]["answer"] = "atlantis"
    texts = as_text(changed)
    verdict = verify_file(put(tmp_path / "x.jsonl", [*texts[:3], "", "", *texts[3:]]))
    assert codes(verdict)[0] == "chain" and verdict.findings[0].line == 8


def test_a_kind_that_is_named_like_something_within_the_program_is_none(lines: Lines, check: Check) -> None:
    for kind in ("maybe_snapshot", "undo", "open", "go", "init__", "take", "", "answer "):
        changed = copy.deepcopy(lines)
        changed[find(changed, "note")]["kind"] = kind
        verdict = check(reseal(changed))
        assert codes(verdict) == ["illegal"] and "there is no kind" in str(verdict.findings[0].text)


def test_event_kinds_come_from_one_table() -> None:
    toy = Recheck(toy_game.GAME, {"options": {}, "players": {}, "tournament": False})
    assert set(toy._handlers) <= set(KINDS)
    assert {"answer", "stands", "correction"} == MOVES
    event = json.loads(SCHEMA.read_text())["$defs"]["event"]["properties"]
    assert set(event["kind"]["enum"]) == set(KINDS) and set(event["source"]["enum"]) == SOURCES


def test_a_result_confirmed_by_a_stranger_is_found(lines: Lines, check: Check) -> None:
    for seat in ("nobody", "arbiter", "*", ""):
        changed = copy.deepcopy(lines)
        changed[find(changed, "result_confirmed")]["seat"] = seat
        assert codes(check(reseal(changed))) == ["illegal"]


def test_an_objection_withdrawn_by_another_is_found(lines: Lines, check: Check) -> None:
    place = find(lines, "ruling")
    number = lines[find(lines, "objection")]["number"]
    good = {**lines[place], "kind": "withdrawal", "source": "tablet", "seat": "black"}
    for change, ok in [
        ({"answer": {"objection": number}}, True),
        ({"answer": {"objection": number}, "seat": "white"}, False),
        ({"answer": {"objection": number}, "seat": "arbiter"}, False),
        ({"answer": {"objection": number - 1}}, False),
        ({"answer": {}}, False),
    ]:
        changed = copy.deepcopy(lines)
        changed[place] = {**good, **change}
        assert check(reseal(changed)).ok is ok, change


def test_a_withdrawal_where_nothing_is_open_is_found(lines: Lines, check: Check) -> None:
    changed = copy.deepcopy(lines)
    note = find(changed, "note")
    changed[note] |= {"kind": "withdrawal", "answer": {"objection": 1}}
    assert codes(check(reseal(changed))) == ["illegal"]


def test_a_note_by_nobody_of_this_table_is_found(lines: Lines, check: Check) -> None:
    changed = copy.deepcopy(lines)
    changed[find(changed, "note")]["seat"] = "green"
    assert codes(check(reseal(changed))) == ["illegal"]


def test_a_ruling_that_settles_what_was_not_open_is_found(lines: Lines, check: Check) -> None:
    changed = copy.deepcopy(lines)
    changed[find(changed, "ruling")]["answer"]["settles"] = 1
    assert codes(check(reseal(changed))) == ["illegal"]


def camera(faces: dict[str, list[str]], **more: Any) -> dict[str, Any]:
    dice = [{"type": die, "face": face} for die, some in faces.items() for face in some]
    return {
        "manual": False, "corrections": [], "picture": None,
        "reading": {"status": "sure", "dice": dice}, **more,
    }  # fmt: skip


def test_evidence_that_says_otherwise_than_the_answer_is_found(lines: Lines, check: Check) -> None:
    place = next(n for n, one in enumerate(lines) if (one.get("request") or {}).get("kind") == "roll_dice")
    faces = lines[place]["answer"]
    (die, first), *_ = faces.items()
    other = next(face for face in toy_game.GAME.dice[die].distinct_faces if face != first[0])
    wrong = {**faces, die: [other, *first[1:]]}
    mended = [{"die": 0, "face": first[0]}]

    def with_evidence(evidence: Any, **more: Any) -> Verdict:
        changed = copy.deepcopy(lines)
        changed[place] |= {"source": "camera", "evidence": evidence, **more}
        return check(reseal(changed))

    assert with_evidence(camera(faces)).ok
    assert with_evidence(camera(wrong, corrections=mended)).ok
    for evidence in (
        camera(wrong),
        camera({}),
        camera(faces, corrections=[{"die": 0, "face": other}]),
        camera(faces, corrections=[{"die": 99, "face": other}]),
        camera(faces, manual=True),
        camera(faces, picture="../../etc/passwd"),
        camera(faces, reading={"status": "refused", "dice": camera(faces)["reading"]["dice"]}),
        camera(faces, reading={"status": "sure", "dice": 3}),
        camera(faces, reading=[]),
        {"manual": True},
        None,
    ):
        assert codes(with_evidence(evidence)) == ["illegal"], evidence
    assert codes(with_evidence(camera(faces), source="tablet")) == ["illegal"]
    for part in (
        {"confidence": "sure"},
        {"confidence": 2},
        {"quad": 3},
        {"quad": [[0, "x"]]},
        {"quad": [[1e9, 0]]},
    ):
        evidence = camera(faces)
        evidence["reading"]["dice"][0] |= part
        assert codes(with_evidence(evidence)) == ["illegal"], "no reader writes that"


def test_a_reading_of_dice_for_what_is_no_roll_is_found(lines: Lines, check: Check) -> None:
    changed = copy.deepcopy(lines)
    changed[1] |= {"source": "camera", "evidence": camera({"pip": ["1"]})}
    assert changed[1]["request"]["kind"] != "roll_dice"
    assert codes(check(reseal(changed))) == ["illegal"]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda some: some[4].update(at="yesterday"), "is none (yesterday)"),
        (lambda some: some[4].update(at="2026-13-45T00:00:00Z"), "is none"),
        (lambda some: some[4].update(at="3026-01-01T00:00:00Z"), "hard to believe"),
        (lambda some: some[4].update(at="1970-01-01T00:00:07Z"), "hard to believe"),
        (lambda some: some[4].update(at="1970-01-01T00:00:07Z"), "the clock went back"),
        (lambda some: some[0]["header"].update(created="2100-01-01T00:00:00Z"), "earlier than the header"),
        (lambda some: some[4].update(boot="my computer"), "as no computer does (my computer)"),
        (lambda some: some[4].update(boot="0" * 32), "comes back"),
    ],
)
def test_a_time_or_a_boot_id_that_cannot_be_is_remarked(
    lines: Lines, check: Check, change: Callable[[Lines], object], word: str
) -> None:
    changed = copy.deepcopy(lines)
    change(changed)
    verdict = check(reseal(changed), (KEY.public,))
    assert verdict.ok, verdict.findings
    assert any(word in one.in_words("en") for one in verdict.remarks), list(map(str, verdict.remarks))


# -- several files in one run --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder: a game's export, one of some events earlier, and another continuation after the latter."""
    toy_game.register()
    folder = tmp_path_factory.mktemp("forked")
    with (
        Store.open(folder / "games.sqlite") as store,
        Table.create(store, toy_game.GAME, options={"turns": 60}, game_id="toy-fork") as table,
    ):
        table_bot.play(table, Random(1), 20)
    shutil.copytree(folder, folder / "twin", ignore=shutil.ignore_patterns("twin"))
    for name, where, seed, more in (
        ("early", folder, 0, 0),
        ("one", folder, 3, 9),
        ("two", folder / "twin", 4, 6),
    ):
        with Store.open(where / "games.sqlite") as store, Table.open(store, "toy-fork") as table:
            table_bot.play(table, Random(seed), more)
            text = write(table.header, table.events(), result_json(table.outcome), KEY)
            (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    shutil.copy(folder / "one.jsonl", folder / "copy.jsonl")
    return folder


def run(*args: object) -> tuple[int, str]:
    done = CliRunner(env={"LANG": "C.UTF-8"}).invoke(verify, [*map(str, args), "--jobs", "1"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_two_continuations_of_one_game_are_named_and_give_exit_1(forked: Path) -> None:
    code, said = run(forked / "one.jsonl", forked / "two.jsonl")
    assert code == 1
    assert said.count("two continuations of one game") == 2 and "goes on otherwise from event" in said
    one, two = ((forked / name).read_text().splitlines() for name in ("one.jsonl", "two.jsonl"))
    line = next(n for n, (left, right) in enumerate(zip(one, two, strict=False), 1) if left != right)
    assert f"{forked / 'one.jsonl'}:{line}: fork: {forked / 'two.jsonl'}" in said
    assert run(forked / "one.jsonl")[0] == run(forked / "two.jsonl")[0] == 0


def test_the_same_game_twice_or_an_earlier_export_is_only_remarked(forked: Path) -> None:
    code, said = run(forked / "one.jsonl", forked / "copy.jsonl", forked / "early.jsonl")
    assert code == 0
    assert said.count("the same game as") == 2 and "holds more of this game" in said


def test_a_forged_file_does_not_condemn_the_honest_one(forked: Path, tmp_path: Path) -> None:
    forged = [json.loads(one) for one in (forked / "one.jsonl").read_text().splitlines()]
    forged[15]["seat"] = "nobody"
    path = put(tmp_path / "forged.jsonl", as_text(reseal(forged)))
    code, said = run(forked / "one.jsonl", path)
    assert code == 1 and f"{forked / 'one.jsonl'}: ok" in said and "two continuations" not in said


def test_one_bad_file_does_not_end_the_run(lines: Lines, tmp_path: Path) -> None:
    """In several processes too: a sentence about an illegal answer has to come back from them."""
    good = as_text(lines)
    illegal = copy.deepcopy(lines)
    illegal[1]["answer"] = "south"
    files = [
        put(tmp_path / "good.jsonl", good),
        put(tmp_path / "illegal.jsonl", as_text(reseal(illegal))),
        put(tmp_path / "deep.jsonl", [good[0], "[" * 100_000]),
        put(tmp_path / "half.jsonl", [good[0], '{"\\ud800": 1}']),
        tmp_path / "gone.jsonl",
    ]
    with ProcessPoolExecutor(max_workers=1) as pool:
        verdicts = list(pool.map(verify_file, files))
    assert [codes(one) for one in verdicts] == [[], ["illegal"], ["format"], ["format"], ["unreadable"]]
    assert "One step" in verdicts[1].findings[0].text.in_words("en")
    code, said = run(*files)
    assert code == 1 and "5 games checked, 4 with faults" in said


def test_a_process_that_dies_of_a_file_takes_no_other_with_it(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a", "b", "deadly", "c", "d")]
    verdicts = list(_in_processes(files, _dies, 2))
    assert [codes(one) for one in verdicts] == [[], [], ["unchecked"], [], []]


def _dies(path: Path) -> Verdict:
    if path.name == "deadly":
        os._exit(9)
    return Verdict(str(path))


def test_a_file_with_a_strange_name_is_told_and_obeyed_by_no_terminal(tmp_path: Path, lines: Lines) -> None:
    path = os.fsencode(tmp_path) + b"/x\xff\x1b[31m.jsonl"
    with open(path, "w") as file:
        file.write("[]\n")
    verdict = verify_file(Path(os.fsdecode(path)))
    assert verdict.file.endswith("x\\xff\\x1b[31m.jsonl")
    changed = copy.deepcopy(lines)
    changed[0]["header"]["players"]["white"] = "\x1b[2J"
    code, said = run(put(tmp_path / "y.jsonl", as_text(reseal(changed))))
    assert code == 0 and "\x1b" not in said and "\\x1b[2J" in said


def test_the_text_says_who_played_and_what_came_of_it(lines: Lines, tmp_path: Path) -> None:
    code, said = run(put(tmp_path / "x.jsonl", as_text(lines)))
    assert code == 0
    assert "White: Änne Größe, Black: José Ñandú" in said and " wins: " in said
    assert fingerprint(KEY.public) in said


def test_pictures_are_compared_and_one_that_changed_is_found(lines: Lines, tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "pictures")
    digests = [pictures.keep(name) for name in (b"first", b"second")]
    changed = copy.deepcopy(lines)
    rolls = [n for n, one in enumerate(lines) if (one.get("request") or {}).get("kind") == "roll_dice"]
    for place, digest in zip(rolls, digests, strict=False):
        evidence = camera(changed[place]["answer"], picture=digest)
        changed[place] |= {"source": "camera", "evidence": evidence}
    path = put(tmp_path / "x.jsonl", as_text(reseal(changed)))
    assert run("--pictures", pictures.folder, path)[0] == 0
    first = pictures.find(digests[0])
    assert first is not None
    first.write_bytes(b"forged")
    code, said = run("--pictures", pictures.folder, path)
    assert code == 1 and f":{rolls[0] + 1}: picture: the picture of event {rolls[0]} is not" in said
    assert run(path)[0] == 0
    first.unlink()
    code, said = run("--pictures", pictures.folder, path)
    assert code == 0 and "1 picture of a roll is not kept here" in said


def test_a_digest_that_leads_out_of_the_folder_of_pictures_finds_nothing(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "pictures")
    for digest in ("../" * 9 + "etc/passwd", "*", "?" * 64, "..", "a" * 65, "A" * 64):
        assert pictures.find(digest) is None
