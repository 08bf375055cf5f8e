"""Laws that hold for every game; each game's tests say with which options and players they are tried.

Invariants are audited after every answer; an answer taken back and given again
leads to the same position; a state survives JSON, and a game restarts from it;
the same answers give the same game; everything that is asked has words and rules.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from told import listen

from referee.games.kit.bots import Played, Player, at_random
from referee.kernel.messages import languages
from referee.kernel.naming import namer
from referee.kernel.play import Game, Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice
from referee.kernel.together import ChooseInSteps

Options = Mapping[str, Any]


def endings(plays: Iterable[Played[Any]]) -> Counter[str]:
    """By which rules some games ended; each must have an outcome."""
    rules: Counter[str] = Counter()
    for played in plays:
        outcome = played.play.outcome
        assert outcome is not None
        rules[outcome.rule] += 1
    return rules


def taking_back_and_redoing_gives_the_same_digest(
    game: Game[Any], options: Options, seed: int, often: float
) -> None:
    """Tried at the share ``often`` of the answers of a random game."""
    rng = Random(seed)
    play: Play[Any] = Play(game, game.new_state(options), audit=False)
    while play.request is not None:
        value = play.request.sample(rng)
        if rng.random() < often:
            before = play.digest()
            twin = play.fork()
            twin.answer(value)
            again = play.fork()  # the answer taken back
            assert again.digest() == before
            again.answer(value)
            assert again.digest() == twin.digest()
        play.answer(value)


def states_survive_json_and_games_restart_from_it(
    game: Game[Any],
    options: Options,
    seed: int,
    often: float,
    players: Mapping[str, Player[Any]] | None = None,
) -> None:
    """Tried at the share ``often`` of the answers of a game by ``players``, at random where none is named."""
    rng = Random(seed)
    play: Play[Any] = Play(game, game.new_state(options), audit=False)
    while play.request is not None:
        if rng.random() < often:
            _survives(game, play)
        player = (players or {}).get(play.request.seat, at_random)
        play.answer(player(play.request, rng, play.state))


def _survives(game: Game[Any], play: Play[Any]) -> None:
    data = game.to_json(play.state)
    assert game.to_json(game.from_json(json.loads(json.dumps(data)))) == data
    assert game.to_json(game.copy(play.state)) == data
    assert play.kept is not None
    kept = json.loads(json.dumps(game.to_json(play.kept)))
    restarted: Play[Any] = Play(game, game.from_json(kept), audit=False)
    for value in play.since:
        restarted.answer(value)
    assert restarted.digest() == play.digest()


def the_same_answers_give_the_same_game(
    game: Game[Any], play_random: Callable[..., Played[Any]], options: Options, seed: int = 7
) -> None:
    """A recorded random game played again."""
    first = play_random(seed, record=True)
    play: Play[Any] = Play(game, game.new_state(options))
    for answer in first.answers:
        play.answer(answer)
    assert play.digest() == first.play.digest() and play.outcome == first.play.outcome


def steps_of(request: ChooseInSteps, rng: Random) -> Iterator[Request]:
    """The questions of a choice in steps, each answered by drawing."""
    values: list[Any] = []
    while (step := request.following(values)) is not None:
        yield step
        values.append(step.sample(rng))


def has_an_answer(request: Request, rng: Random) -> bool:
    """Whether a request can be answered: with an option, by drawing, and as it proposes itself."""
    if isinstance(request, ChooseSecretly):
        return all(has_an_answer(own, rng) for own in request.of.values())
    if isinstance(request, ChooseInSteps):
        return all(has_an_answer(step, rng) for step in steps_of(request, rng))
    if isinstance(request, ChooseOne):
        return bool(request.options)
    if isinstance(request, ChooseSome):
        proposed = () if request.default is None else (request.default,)
        return all(request.why_not(counts) is None for counts in (*proposed, request.sample(rng)))
    return isinstance(request, RollDice) and any(request.dice.values())


class Looking:
    """Looks at every request as the screens do and notes what is missing."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.missing: set[str] = set()
        self.asked: set[str] = set()
        self.refused: Counter[str] = Counter()

    def look(self, request: Request) -> None:
        """Texts in both languages, rules, names of options, an answer, and no candidate twice."""
        if isinstance(request, ChooseSecretly):
            for part in request.of.values():
                self.look(part)
        if isinstance(request, ChooseInSteps):
            for step in steps_of(request, Random(0)):
                self.look(step)
        self.asked.add(request.prompt)
        self._text(request.prompt, set(request.about))
        self._text("log." + request.prompt.removeprefix("prompt."), {*request.about, "answer"})
        self._rule(request.rule, request.prompt)
        if not has_an_answer(request, Random(0)):
            self.missing.add(f"{request.prompt}: no answer")
        if isinstance(request, ChooseSecretly | ChooseInSteps):
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

    def _rule(self, rule: str, of: str) -> None:
        if rule not in self.game.catalogue:
            self.missing.add(f"rule {rule!r} of {of}")

    def _text(self, message_id: str, params: set[str]) -> None:
        for language in ("de", "en"):
            text = self.game.messages.find(message_id, language)
            if text is None:
                self.missing.add(f"{language} {message_id}")
                continue
            for name in re.findall(r"{(\w+)}", text):
                if name not in params:
                    told = ", ".join(sorted(params))
                    self.missing.add(f"{language} {message_id}: {{{name}}} is not told, only {told}")

    def _refusal(self, refusal: Refusal) -> None:
        self.refused[refusal.rule] += 1
        self._rule(refusal.rule, f"a refusal ({refusal.reason})")
        if refusal.reason:
            self._text(f"reason.{refusal.reason.removeprefix('reason.')}", set(refusal.params))

    def _name(self, domain: str, option: str) -> None:
        if any(namer(self.game, language).find(option, domain) is None for language in languages()):
            self.missing.add(f"no name for {option!r} ({domain})")


def both_languages_are_complete(game: Game[Any]) -> None:
    """Every folder of messages has each message in German and English, and none says "unit(s)"."""
    for messages in (game.messages, *game.messages.parents):
        assert messages.missing() == []
    halves = re.compile(r"\w\((s|es|e|n|en)\)")
    for language in languages():
        for message_id in game.messages.ids(language):
            assert not halves.search(game.messages.find(message_id, language) or ""), message_id


def nothing_is_told_in_ids(
    game: Game[Any], options: Sequence[Options], language: str, answers: int = 160
) -> None:
    """No question, option, refusal, view, log, record, story or moment of random games (one for each of
    ``options``) holds an id, a bracketed list, "(s)" or a particular that was not put into words."""
    listener = listen(game, options, language, answers)
    missing = {"prompt", "view", "log", "events", "moment"} - set(listener.heard)
    assert not missing, missing
    assert not listener.faults, "\n".join(f"{where}\n    {text}" for where, text in listener.faults.items())
