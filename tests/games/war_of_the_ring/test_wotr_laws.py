"""Laws that hold for every game: invariants, the undo law, JSON, restarts, texts; checked on whole games."""

from __future__ import annotations

import json
import re
from collections import Counter
from random import Random

import pytest

from referee.games.war_of_the_ring import bots
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.position import read_position, write_position
from referee.games.war_of_the_ring.state import State
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, Request

EDITIONS = ("second", "first")


@pytest.mark.parametrize("edition", EDITIONS)
def test_whole_games_end_with_every_invariant_held(edition: str) -> None:
    """The audit runs after every answer and raises."""
    rules: Counter[str] = Counter()
    for seed in range(8):
        free, shadow = ("random", "eager")[seed % 2], ("eager", "random")[seed // 2 % 2]
        played = bots.play_random(seed, options={"edition": edition}, free=free, shadow=shadow)
        assert played.play.outcome is not None
        rules[played.play.outcome.rule] += 1
    assert len(rules) > 1 and set(rules) <= set(GAME.catalogue)


@pytest.mark.parametrize("edition", EDITIONS)
def test_taking_back_and_redoing_gives_the_same_digest(edition: str) -> None:
    rng = Random(31)
    play: Play[State] = Play(GAME, GAME.new_state({"edition": edition}), audit=False)
    while play.request is not None:
        value = play.request.sample(rng)
        if rng.random() < 0.05:
            before = play.digest()
            twin = play.fork()
            twin.answer(value)
            again = play.fork()  # the answer taken back
            assert again.digest() == before
            again.answer(value)
            assert again.digest() == twin.digest()
        play.answer(value)


@pytest.mark.parametrize("edition", EDITIONS)
def test_states_survive_json_and_games_restart_from_it(edition: str) -> None:
    rng = Random(32)
    play: Play[State] = Play(GAME, GAME.new_state({"edition": edition}), audit=False)
    while play.request is not None:
        if rng.random() < 0.05:
            data = GAME.to_json(play.state)
            text = json.dumps(data)
            assert GAME.to_json(GAME.from_json(json.loads(text))) == data
            assert GAME.to_json(GAME.copy(play.state)) == data
            assert play.kept is not None
            kept = json.loads(json.dumps(GAME.to_json(play.kept)))
            restarted: Play[State] = Play(GAME, GAME.from_json(kept), audit=False)
            for value in play.since:
                restarted.answer(value)
            assert restarted.digest() == play.digest()
        play.answer(play.request.sample(rng))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_milestone_can_be_written_as_a_position_file(edition: str) -> None:
    rng = Random(33)
    play: Play[State] = Play(GAME, GAME.new_state({"edition": edition}), audit=False)
    written = 0
    while play.request is not None and written < 20:
        if rng.random() < 0.01 and play.kept is not None and play.kept.phase:
            again = read_position(write_position(play.kept, "a game")).state
            assert GAME.to_json(again) == GAME.to_json(play.kept)
            written += 1
        play.answer(play.request.sample(rng))
    assert written > 5


def test_the_same_answers_give_the_same_game() -> None:
    first = bots.play_random(7, record=True)
    play: Play[State] = Play(GAME, GAME.new_state({}))
    for answer in first.answers:
        play.answer(answer)
    assert play.digest() == first.play.digest() and play.outcome == first.play.outcome


class _Looking:
    """Looks at every request as the screens do and notes what is missing."""

    def __init__(self) -> None:
        self.missing: set[str] = set()
        self.asked: set[str] = set()

    def look(self, request: Request) -> None:
        if isinstance(request, ChooseSecretly):
            for part in request.of.values():
                self.look(part)
            return
        self.asked.add(request.prompt)
        self._text(request.prompt, set(request.about))
        self._text("log." + request.prompt.removeprefix("prompt."), {*request.about, "answer"})
        if request.rule not in GAME.catalogue:
            self.missing.add(f"rule {request.rule!r} of {request.prompt}")
        candidates = request.candidates()
        for candidate in candidates:
            if candidate.refusal is not None:
                self._refusal(candidate.refusal)
        if len({json.dumps(candidate.value) for candidate in candidates}) < len(candidates):
            self.missing.add(f"{request.prompt}: a candidate twice")
        if isinstance(request, ChooseOne) and request.domain not in ("number", "card"):
            for option in request.options:
                if GAME.option_text(request, option, "de") is None:
                    self._name(request.domain, option)

    def _text(self, message_id: str, params: set[str]) -> None:
        for language in ("de", "en"):
            text = GAME.messages.find(message_id, language)
            if text is None:
                self.missing.add(f"{language} {message_id}")
                continue
            for name in re.findall(r"{(\w+)}", text):
                if name not in params:
                    self.missing.add(
                        f"{language} {message_id}: {{{name}}} is not told, only {sorted(params)}"
                    )

    def _refusal(self, refusal: Refusal) -> None:
        if refusal.rule not in GAME.catalogue:
            self.missing.add(f"rule {refusal.rule!r} of a refusal ({refusal.reason})")
        if refusal.reason:
            self._text(f"reason.{refusal.reason}", set(refusal.params))

    def _name(self, domain: str, option: str) -> None:
        kinds = (domain, "option", "action", "place", "unit", "character", "face", "deck", "nation", "tile")
        if option.isdigit():
            return
        if not any(GAME.messages.find(f"{kind}.{option}", "de") for kind in kinds):
            self.missing.add(f"no name for {option!r} ({domain})")


def test_every_question_and_refusal_has_its_texts_and_rules() -> None:
    looking = _Looking()
    for seed in range(6):
        rng = Random(seed)
        edition = EDITIONS[seed % 2]
        play: Play[State] = Play(GAME, GAME.new_state({"edition": edition}), audit=False, keep=False)
        while play.request is not None:
            if play.request.prompt not in looking.asked or rng.random() < 0.1:
                looking.look(play.request)
            play.answer_unchecked(play.request.sample(rng))
    assert sorted(looking.missing) == []
    assert len(looking.asked) > 60


def test_both_languages_have_every_message() -> None:
    for messages in (GAME.messages, *GAME.messages.parents):
        assert messages.missing() == []
