"""A record of five seats: killed in the middle of a secret draft, corrected, shown, verified, its slip."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from random import Random

import table_bot
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from mountain_driving import BOARD, SEATS

from referee.archive.exchange import result_json, write
from referee.archive.results import outcome_of
from referee.archive.show import events_in_words, moment_in_words
from referee.archive.slip import make_slip
from referee.archive.verify import verify_file
from referee.hall.table import Table
from referee.journal.signing import TableKey
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseSecretly
from referee.store.store import Store

PLAYERS = dict(zip(SEATS, ("Änne", "Bo Kraft", "Cyryl", "Dóra", "Eli"), strict=True))
KEY = TableKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def to_a_draft_that_three_have_sealed(table: Table, rng: Random) -> None:
    while not (isinstance(table.request, ChooseSecretly) and len(table.standing.sealed) == 3):
        table_bot.one_answer(table, rng)


def test_five_are_killed_in_a_draft_corrected_shown_verified_and_signed_for(tmp_path: Path) -> None:
    game, rng = load_game("mountain_king"), Random(3)
    (tmp_path / "table").mkdir()
    with Store.open(tmp_path / "table" / "games.sqlite") as store:
        table = Table.create(store, game, options={"board": BOARD}, players=PLAYERS)
        to_a_draft_that_three_have_sealed(table, rng)
        revision, digest, sealed = table.revision, table.play.digest(), set(table.standing.sealed)
        shutil.copytree(tmp_path / "table", tmp_path / "cut")  # as a power cut leaves it: nothing was closed
        table.close()
    with Store.open(tmp_path / "cut" / "games.sqlite") as store:
        table = Table.open(store, table.id)
        assert (table.revision, table.play.digest(), set(table.standing.sealed)) == (revision, digest, sealed)
        table_bot.play(table, rng, 150)
        honour = next(item for item in game.correction_form(table.play.kept, "") if "honour" in item.key)
        made = table.primitives_for("", {honour.key: honour.count + 1})
        table.correct(made, "there stands one more", revision=table.revision)
        table_bot.play(table, rng)
        outcome = table.outcome
        assert outcome is not None and len([seat for rank in outcome.ranking for seat in rank]) == 5
        for seat in SEATS:
            table.confirm_result(seat)
        table.close()
        loaded = store.load(table.id)
        assert outcome_of(loaded) == outcome
        for language in ("de", "en"):
            told = "\n".join(events_in_words(loaded, language))
            assert all(name in told for name in PLAYERS.values()) and not re.search(r"\{\w+\}", told)
            then = "\n".join(moment_in_words(store, loaded, revision + 20, language))
            assert "moss_" not in told + then and "lair_" not in told + then
            slip = make_slip(loaded, outcome, KEY, language).pdf
            assert len(re.findall(rb"/Type\s*/Page\b", slip)) == 1
        path = tmp_path / "game.jsonl"
        text = write(loaded.header, loaded.events, result_json(outcome), KEY)
        path.write_text(text, encoding="utf-8")
    verdict = verify_file(path)
    assert verdict.ok, verdict
    spoilt = path.read_text(encoding="utf-8").replace("Bo Kraft", "Bo Graft", 1)
    path.write_text(spoilt, encoding="utf-8")
    assert not verify_file(path).ok


def test_a_sealed_card_is_not_told_before_all_have_chosen(tmp_path: Path) -> None:
    with Store.open(tmp_path / "games.sqlite") as store:
        table = Table.create(store, load_game("mountain_king"))
        rng = Random(9)
        while not isinstance(table.request, ChooseSecretly):
            table_bot.one_answer(table, rng)

        def told() -> str:
            return json.dumps([event.as_json() for event in table.events()])

        cards = {seat: part.sample(rng) for seat, part in table.request.of.items()}
        before = told()
        unlike = next(seat for seat, card in cards.items() if card[0] not in before)
        for seat in sorted(cards, key=lambda one: one != unlike):
            assert cards[unlike][0] not in told()
            table.answer(seat, cards[seat], revision=table.revision)
        assert cards[unlike][0] in told()
        table.close()
