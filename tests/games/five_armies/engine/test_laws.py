"""Laws that hold for every game: invariants, the undo law, JSON, restarts, texts; checked on whole games."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from referee.games.five_armies import bots
from referee.games.five_armies.game import GAME
from referee.games.five_armies.state import State
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, Request

GAMES = 200
VICTORIES = {
    "victory.fp_fate_end",
    "victory.fp_beorn_enters",
    "victory.fp_bolg_eliminated",
    "victory.shadow_end_of_turn",
    "victory.shadow_immediate_front_gate",
}


def test_random_games_end_with_every_invariant_held() -> None:
    """The audit runs after every answer and raises; both sides win by every condition there is."""
    rules: Counter[str] = Counter()
    for seed in range(GAMES):
        free = "eager" if seed % 4 == 1 else "random"
        shadow = "random" if seed % 4 == 0 else "eager"
        outcome = bots.play_random(seed, free=free, shadow=shadow).play.outcome
        assert outcome is not None
        rules[outcome.rule] += 1
    assert set(rules) == VICTORIES


@pytest.mark.parametrize("seed", range(4))
def test_taking_back_and_redoing_gives_the_same_digest(seed: int) -> None:
    rng = Random(seed)
    play: Play[State] = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False)
    while play.request is not None:
        value = play.request.sample(rng)
        if rng.random() < 0.1:
            before = play.digest()
            twin = play.fork()
            twin.answer(value)
            again = play.fork()  # the answer taken back
            assert again.digest() == before
            again.answer(value)
            assert again.digest() == twin.digest()
        play.answer(value)


@pytest.mark.parametrize("seed", range(4))
def test_states_survive_json_and_games_restart_from_it(seed: int) -> None:
    rng = Random(seed + 100)
    play: Play[State] = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False)
    while play.request is not None:
        if rng.random() < 0.15:
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
        player = bots.PLAYERS["eager" if play.request.seat == "shadow" else "random"]
        play.answer(player(play.request, rng, play.state))


def test_the_same_answers_give_the_same_game() -> None:
    first = bots.play_random(7, record=True)
    play: Play[State] = Play(GAME, GAME.new_state({"setup": "suggested"}))
    for answer in first.answers:
        play.answer(answer)
    assert play.digest() == first.play.digest() and play.outcome == first.play.outcome


class _Looking:
    """Looks at every request as the screens do and notes what is missing."""

    def __init__(self) -> None:
        self.missing: set[str] = set()
        self.texts = GAME.messages.texts["de"]
        self.refused: Counter[str] = Counter()

    def look(self, request: Request) -> None:
        if isinstance(request, ChooseSecretly):
            for part in request.of.values():
                self.look(part)
        self._text(request.prompt, request.about)
        self._need("log." + request.prompt.removeprefix("prompt."))
        if request.rule not in GAME.catalogue:
            self.missing.add(f"rule {request.rule} of {request.prompt}")
        if isinstance(request, ChooseSecretly):
            return
        candidates = request.candidates()
        for candidate in candidates:
            if candidate.refusal is not None:
                self._refusal(candidate.refusal)
        if len({json.dumps(candidate.value) for candidate in candidates}) < len(candidates):
            self.missing.add(f"{request.prompt}: a candidate twice")
        if isinstance(request, ChooseOne) and request.domain not in ("number", "card"):
            for option in request.options:
                self._name(request.domain, option)

    def _need(self, message_id: str) -> None:
        if message_id not in self.texts:
            self.missing.add(message_id)

    def _text(self, message_id: str, params: object) -> None:
        self._need(message_id)
        for language in ("de", "en"):
            text = GAME.messages.find(message_id, language) or ""
            try:
                text.format_map(params)  # type: ignore[arg-type]
            except KeyError as field:
                self.missing.add(f"{message_id}: field {field}")

    def _refusal(self, refusal: Refusal) -> None:
        self.refused[refusal.rule] += 1
        if refusal.rule not in GAME.catalogue:
            self.missing.add(f"rule {refusal.rule}")
        if refusal.reason:
            reason = refusal.reason
            self._text(reason if reason.startswith("reason.") else f"reason.{reason}", refusal.params)

    def _name(self, domain: str, option: str) -> None:
        kinds = (domain, "option", "place", "unit", "character", "face", "card", "seat")
        if not option.isdigit() and not any(f"{kind}.{option}" in self.texts for kind in kinds):
            self.missing.add(f"name of {option} ({domain})")


def test_everything_that_is_asked_has_its_words_and_rules() -> None:
    looking = _Looking()
    for seed in range(12):
        rng = Random(seed)
        play: Play[State] = Play(
            GAME, GAME.new_state({"setup": "ask" if seed % 3 else "suggested"}), audit=False
        )
        while play.request is not None:
            looking.look(play.request)
            player = bots.PLAYERS["eager" if seed % 2 else "random"]
            play.answer(player(play.request, rng, play.state))
            if play.answered % 9 == 0:
                for language in ("de", "en"):
                    view = GAME.view(play.state, None, language)
                    assert json.loads(json.dumps(view)) == view
    assert not looking.missing
    assert len(looking.refused) > 50


def test_both_languages_are_complete() -> None:
    assert GAME.messages.missing() == []
