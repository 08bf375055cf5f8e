"""Exported games: what a checker finds when somebody helped them along."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import toy_game
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from exporting import KEY, codes, find, reseal

from referee.archive.exchange import SCHEMA
from referee.archive.verify import Verdict, verify_file
from referee.journal.events import digest_of
from referee.journal.signing import TableKey, fingerprint, load_or_make
from referee.kernel.registry import load_game, register


def test_an_untouched_game_holds(lines: list[dict[str, Any]], check: Callable[..., Verdict]) -> None:
    verdict = check(lines, (KEY.public,))
    assert verdict.ok, verdict.findings
    assert verdict.events == len(lines) - 2 and verdict.remarks == []
    kinds = {line["kind"] for line in lines[1:-1]}
    assert kinds >= {
        "answer", "sealed_part", "note", "objection", "ruling", "take_back_asked", "consent", "take_back",
        "stands", "correction", "penalty", "result_confirmed",
    }  # fmt: skip


def test_every_line_is_as_the_schema_says(lines: list[dict[str, Any]]) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = json.loads(SCHEMA.read_text())
    validator = jsonschema.Draft202012Validator(schema)
    for line in lines:
        assert not list(validator.iter_errors(line)), line
    assert list(validator.iter_errors({**lines[1], "colour": "red"}))


@pytest.mark.parametrize("place", range(0, 100, 3))
def test_a_flipped_bit_anywhere_is_found(lines: list[dict[str, Any]], tmp_path: Path, place: int) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    raw = bytearray(text)
    at = place * len(raw) // 100 + 7
    raw[at] ^= 1 << (place % 8)
    path = tmp_path / "flipped.jsonl"
    path.write_bytes(bytes(raw))
    verdict = verify_file(path, (KEY.public,))
    line = text[:at].count(b"\n") + 1
    # a flip in white space between two JSON words may leave the same JSON: then nothing was changed
    assert not verdict.ok or [json.loads(one) for one in raw.decode().splitlines()] == lines
    if not verdict.ok and verdict.findings[0].line:
        assert abs(verdict.findings[0].line - line) <= 1 or verdict.findings[0].code == "signature"


def test_a_dropped_event_is_found_where_it_was(
    lines: list[dict[str, Any]], check: Callable[..., Verdict]
) -> None:
    verdict = check(lines[:20] + lines[21:])
    assert "chain" in codes(verdict)
    finding = verdict.findings[0]
    assert (
        finding.line == 21
        and "event 20 is missing" in finding.text.in_words("en")
        and "fehlt" in finding.text.in_words("de")
    )


def test_a_dropped_tail_is_found(lines: list[dict[str, Any]], check: Callable[..., Verdict]) -> None:
    assert "signature" in codes(check(lines[:-4] + lines[-1:]))


def test_swapped_events_are_found(lines: list[dict[str, Any]], check: Callable[..., Verdict]) -> None:
    swapped = [*lines]
    swapped[10], swapped[11] = swapped[11], swapped[10]
    verdict = check(swapped)
    assert "chain" in codes(verdict) and "swapped" in verdict.findings[0].text.in_words("en")


def test_an_invented_event_is_found(lines: list[dict[str, Any]], check: Callable[..., Verdict]) -> None:
    fake = {**lines[9], "answer": "east", "number": 10}
    fake["hash"] = digest_of({k: v for k, v in fake.items() if k != "hash"})
    assert "chain" in codes(check([*lines[:10], fake, *lines[11:]]))
    assert "chain" in codes(check([*lines[:10], fake, *lines[10:]]))


@pytest.mark.parametrize(
    ("key", "value"),
    [("players", {"white": "Someone Else", "black": "José Ñandú"}), ("table", "Tisch 4"),
     ("tournament", True), ("created", "2020-01-01T00:00:00Z"), ("box_book", "0" * 64)],
)  # fmt: skip
def test_a_changed_header_is_found(
    lines: list[dict[str, Any]], check: Callable[..., Verdict], key: str, value: Any
) -> None:
    changed = copy.deepcopy(lines)
    changed[0]["header"][key] = value
    verdict = check(changed)
    assert "chain" in codes(verdict) and "header was changed" in verdict.findings[0].text.in_words("en")


def test_a_wrong_key_is_found(lines: list[dict[str, Any]], check: Callable[..., Verdict]) -> None:
    other = TableKey(Ed25519PrivateKey.from_private_bytes(bytes(32)))
    forged = reseal(lines, other)
    assert check(forged).ok  # without a known key it can only be named
    assert fingerprint(other.public) in str(check(forged).remarks[0])
    assert codes(check(forged, (KEY.public,))) == ["wrong_key"]


def test_another_key_than_the_one_that_signed_is_found(
    lines: list[dict[str, Any]], check: Callable[..., Verdict]
) -> None:
    changed = copy.deepcopy(lines)
    changed[-1]["signature"]["key"] = "11" * 32
    assert codes(check(changed)) == ["signature"]
    del changed[-1]
    assert codes(check(changed)) == ["unsigned"]


def test_a_changed_result_is_found_even_with_the_right_key(
    lines: list[dict[str, Any]], check: Callable[..., Verdict]
) -> None:
    changed = copy.deepcopy(lines)
    winner = changed[-1]["signature"]["result"]["winner"]
    changed[-1]["signature"]["result"]["winner"] = "white" if winner == "black" else "black"
    assert codes(check(changed)) == ["signature", "result"]
    assert codes(check(reseal(changed))) == ["result"]


def test_an_illegal_answer_is_found_even_in_a_chain_made_anew(
    lines: list[dict[str, Any]], check: Callable[..., Verdict]
) -> None:
    changed = copy.deepcopy(lines)
    assert changed[1]["answer"] in ("east", "west")
    changed[1]["answer"] = "south"
    verdict = check(reseal(changed))
    assert codes(verdict) == ["illegal"]
    assert verdict.findings[0].event == 1 and "One step" in verdict.findings[0].text.in_words("en")


@pytest.mark.parametrize(
    ("kind", "change", "word"),
    [
        ("answer", {"seat": "black"}, "was asked"),
        ("answer", {"answer": "atlantis"}, "not an answer"),
        ("answer", {"digest": "0" * 64}, "position afterwards"),
        ("answer", {"request": None}, "another question"),
        ("consent", {"seat": "white"}, "nobody had asked"),
        ("take_back", {"seat": "black"}, "had not agreed"),
        ("take_back", {"answer": {"to": 999, "class": "free", "why": "own"}}, "nothing to take back"),
        ("ruling", {"seat": "black"}, "only an arbiter"),
        ("correction", {"seat": "white"}, "only an arbiter"),
        ("correction", {"answer": {"to": 1, "primitives": [], "reason": "x"}}, "goes back to before"),
        ("correction", {"answer": {"primitives": [], "reason": "x"}}, "form"),
        ("stands", {"answer": {"value": "atlantis", "reason": "x", "rule": ""}}, "not an answer"),
        ("note", {"kind": "gossip"}, "there is no kind"),
        ("sealed_part", {"answer": {"sealed": "0" * 64}}, "sealed another choice"),
        ("result_confirmed", {"answer": {"winner": None, "rule": "win"}}, "not the result"),
    ],
)
def test_whatever_the_hall_would_not_have_recorded_is_found(
    lines: list[dict[str, Any]], check: Callable[..., Verdict], kind: str, change: dict[str, Any], word: str
) -> None:
    changed = copy.deepcopy(lines)
    place = find(changed, kind)
    if kind == "sealed_part":  # the last one: an earlier one may have been taken back before it was opened
        place = max(place for place, line in enumerate(lines) if line.get("kind") == kind)
    changed[place].update(change)
    verdict = check(reseal(changed))
    assert codes(verdict) == ["illegal"]
    assert word in verdict.findings[0].text.in_words("en")


@pytest.mark.parametrize("batch", [0, 2, 10**30])
def test_events_that_were_not_recorded_together_passed_for_one_step(
    lines: list[dict[str, Any]], check: Callable[..., Verdict], batch: int
) -> None:
    changed = copy.deepcopy(lines)
    changed[5]["batch"] = batch
    assert codes(check(reseal(changed))) == ["illegal"]


def test_an_answer_during_an_objection_is_found(
    lines: list[dict[str, Any]], check: Callable[..., Verdict]
) -> None:
    """A note stands where the arbiter ruled, so that the numbers of what follows stay."""
    changed = copy.deepcopy(lines)
    changed[find(lines, "ruling")].update(
        {key: lines[find(lines, "note")][key] for key in ("kind", "seat", "source", "answer")}
    )
    verdict = check(reseal(changed))
    assert codes(verdict) == ["illegal"] and "frozen" in verdict.findings[0].text.in_words("en")


class Changed(toy_game.ToyGame):
    """The toy game under newer rules: a sun is worth two points."""

    rules_version = "2"

    def __init__(self, differs: bool) -> None:
        self.differs = differs

    def _turn(self, state: toy_game.State, seat: str) -> toy_game.Flow:
        before = state.points[seat]
        yield from super()._turn(state, seat)
        if self.differs and state.turn >= 2:
            state.points[seat] += int(state.points[seat] > before)


def test_a_record_made_under_older_rules_says_where_todays_differ(
    lines: list[dict[str, Any]], check: Callable[..., Verdict]
) -> None:
    try:
        register(Changed(differs=True))  # type: ignore[arg-type]
        verdict = check(lines, (KEY.public,))
        assert codes(verdict) == ["rules_differ"]
        assert "version 2" in verdict.findings[0].text.in_words("en") and verdict.findings[0].event > 5
        register(Changed(differs=False))  # type: ignore[arg-type]
        verdict = check(lines, (KEY.public,))
        assert verdict.ok and "agrees at every event" in str(verdict.remarks[0])
    finally:
        toy_game.register()


def test_options_that_todays_rules_do_not_take_are_no_cheating(
    lines: list[dict[str, Any]], check: Callable[..., Verdict]
) -> None:
    """Made under other rules, a game that cannot even begin today is said to differ from its first line."""
    changed = copy.deepcopy(lines)
    changed[0]["header"].update(
        game="five_armies", rules_version="0", options={"house": {"rally_reroll": "none"}}
    )
    verdict = check(reseal(changed))
    assert codes(verdict) == ["rules_differ"]
    assert "version 0" in verdict.findings[0].text.in_words("en") and "rally_reroll" in verdict.findings[
        0
    ].text.in_words("de")
    changed[0]["header"]["rules_version"] = load_game("five_armies").rules_version
    assert codes(check(reseal(changed))) == ["no_rules"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("[]\n", "not a JSON object"),
        ("{}\n", "no record"),
        ('{"record": "table-referee", "format": 99, "header": {}}\n', "format 99"),
        ('{"record": "table-referee", "format": 1, "header": {}}\n', "header is not complete"),
    ],
)
def test_a_file_of_another_form_is_refused_in_words(tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    verdict = verify_file(path)
    assert codes(verdict) == ["format"] and word in verdict.findings[0].text.in_words("en")


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda lines: lines.append(lines[-1]), "follows the signature"),
        (lambda lines: lines[-1]["signature"].pop("key"), "signature is not complete"),
        (lambda lines: lines[-1].update(signature="none"), "signature is not complete"),
        (lambda lines: lines[2].update(seat=7), "wrong type"),
        (lambda lines: lines[2].update(number="2"), "wrong type"),
    ],
)
def test_a_line_of_another_form_is_refused_with_its_number(
    lines: list[dict[str, Any]], tmp_path: Path, spoil: Callable[[list[Any]], object], word: str
) -> None:
    changed: list[Any] = copy.deepcopy(lines)
    spoil(changed)
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, changed)))  # no line break at the end: no harm by itself
    verdict = verify_file(path)
    assert codes(verdict) == ["format"] and word in verdict.findings[0].text.in_words("en")


def test_a_file_that_is_not_there_or_not_text_is_refused_in_words(tmp_path: Path) -> None:
    assert codes(verify_file(tmp_path / "nothing.jsonl")) == ["unreadable"]
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    assert codes(verify_file(path)) == ["format"]


def test_a_game_that_is_not_installed_is_named(
    lines: list[dict[str, Any]], check: Callable[..., Verdict]
) -> None:
    changed = copy.deepcopy(lines)
    changed[0]["header"]["game"] = "chess"
    assert codes(check(reseal(changed))) == ["no_rules"]


def test_the_tables_key_is_made_once_and_private(tmp_path: Path) -> None:
    first = load_or_make(tmp_path / "key.pem")
    assert load_or_make(tmp_path / "key.pem").public == first.public
    assert (tmp_path / "key.pem").stat().st_mode & 0o077 == 0
    (tmp_path / "key.pem").write_text("rubbish")
    from referee.journal.errors import StoreError

    with pytest.raises(StoreError, match="spoiled"):
        load_or_make(tmp_path / "key.pem")
