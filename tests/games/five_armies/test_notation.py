"""Every line that the referee writes can be read again and gives the same answers."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from referee.games.five_armies import GAME
from referee.games.five_armies.screens.report import Tale, written
from referee.games.five_armies.words.notation import STYLES
from referee.games.kit.report import NarrativeStep
from referee.kernel.explain import attempt
from referee.kernel.naming import Namer
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.requests import ChooseSome, Request


def stretches(seed: int, most: int) -> list[tuple[Any, list[tuple[Request, Any]]]]:
    """States at milestones of a random game, each with the requests and answers up to the next."""
    rng = Random(seed)
    found: list[tuple[Any, list[tuple[Request, Any]]]] = []
    play = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False)
    pairs: list[tuple[Request, Any]] = []
    while play.request is not None and play.answered < most:
        request, answer = play.request, play.request.sample(rng)
        start = play.kept
        pairs.append((request, answer))
        play.answer(answer)
        if not play.since or play.request is None:
            found.append((start, pairs))
            pairs = []
    return found


@pytest.mark.parametrize("seed", range(5))
def test_written_lines_are_read_back(seed: int) -> None:
    wrong = []
    for start, pairs in stretches(seed, 1500):
        line = written(pairs)
        play = Play(GAME, GAME.copy(start), audit=False)
        result = attempt(play, line, GAME.words)
        answers = [answer for _, answer in pairs]
        read = [answer for _, answer in result.pairs]
        if read[: len(answers)] != answers or not result.allowed:
            wrong.append((line, result.verdict, result.at, result.said))
    assert wrong == []


def test_every_prompt_has_a_style() -> None:
    prompts = {
        request.prompt for seed in range(4) for _, pairs in stretches(seed, 3000) for request, _ in pairs
    }
    plain = {prompt for prompt in prompts if prompt not in STYLES and not prompt.startswith("prompt.by_hand")}
    assert plain <= {
        "prompt.last_goblin",
        "prompt.orc_from_card",
        "prompt.card_flip_or_place",
        "prompt.card_general",
    }


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_report_names_everything(language: str) -> None:
    from referee.games.five_armies.play.bots import play_random

    played = play_random(2, record=True)
    steps = [NarrativeStep(answer) for answer in played.answers]
    tell = Tale.SENTENCES(Namer(GAME, language, GAME.report_texts))
    text = Tale(GAME, GAME.new_state({"setup": "suggested"}), steps, tell, notation=False).text("")
    assert "report." not in text and "_" not in text
    assert text.count("\n\n") >= 2
    assert ("Sieg:" if language == "de" else "Victory:") in text


def test_show_tells_a_recorded_game_as_a_report(tmp_path: Path) -> None:
    from referee.commands.show import show
    from referee.hall.table import Table
    from referee.store.store import Store

    file, rng = tmp_path / "games.db", Random(5)
    with Store.open(str(file)) as store:
        table = Table.create(
            store, GAME, options={"setup": "suggested"}, players={"free": "Anna", "shadow": "Ben"}
        )
        for _ in range(60):
            request = table.request
            assert request is not None
            answer = request.sample(rng)
            for seat in getattr(request, "of", (request.seat,)):
                own = answer[seat] if request.kind == "choose_secretly" else answer
                table.answer(seat, own, revision=table.revision)
        table.close()
    told = CliRunner().invoke(show, ["last", "--store", str(file), "--lang", "de"])
    assert told.exit_code == 0, told.output
    assert "Anna" in told.output and "Zug 1" in told.output and "Würfel:" in told.output
    assert "Die Partie ist noch nicht zu Ende." in told.output
    listed = CliRunner().invoke(show, ["last", "--store", str(file), "--events"])
    assert listed.exit_code == 0 and len(listed.output.splitlines()) > 60


def test_a_number_alone_is_said_once_of_the_only_thing() -> None:
    """``remove 2 1`` was read as three of them: the second number is said of something else."""
    request = ChooseSome("shadow", "prompt.casualties", {"goblins": 3}, minimum=1, maximum=3, domain="unit")
    words = Words("remove 2 1")
    assert GAME.words.notation.read(request, words) == {"goblins": 2} and words.peek() == "1"
