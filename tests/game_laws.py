"""Laws that hold for every game; each game's tests say with which options and players they are tried.

Invariants are audited after every answer; an answer taken back and given again
leads to the same position; a state survives JSON, and a game restarts from it;
the same answers give the same game; everything that is asked has words and rules.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from random import Random
from typing import Any

import yaml
from message_checks import missing
from told import listen

from referee.games.kit.bots import Played, Player, at_random
from referee.games.kit.fuzzing import has_an_answer as has_an_answer
from referee.games.kit.fuzzing import steps_of
from referee.kernel import positions
from referee.kernel.located import read_yaml
from referee.kernel.messages import languages
from referee.kernel.naming import namer
from referee.kernel.play import Game, Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice, same_question
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


def every_moment_is_given_back_by_its_position_file(
    game: Any, options: Options, seed: int, often: float, most: int, players: Mapping[str, Player[Any]]
) -> int:
    """At the share ``often`` of the moments of a game, ``most`` at the most: write, read, write gives the
    same file and the same next question.  Returns how many were tried."""
    rng = Random(seed)
    play: Play[Any] = Play(game, game.new_state(options), audit=False)
    tried = 0
    while True:
        if play.request is None or rng.random() < often:
            tried += 1
            _is_given_back(game, play)
        if play.request is None or tried == most:
            return tried
        player = players.get(play.request.seat, at_random)
        play.answer(player(play.request, rng, play.state))


def _is_given_back(game: Any, play: Play[Any]) -> None:
    text = positions.write(game, play)
    checked = positions.check(game, text)
    assert checked.play is not None, (checked.problems, text)
    again = checked.position
    assert game.write_position(again.state, again.title, again.answers) == text
    assert checked.play.digest() == play.digest()
    if play.request is None or checked.play.request is None:
        assert play.request is checked.play.request and play.outcome == checked.play.outcome
    else:
        assert same_question(play.request, checked.play.request)


WRONG_SHAPES: Sequence[Any] = (
    *("spam", "", 7, -1, 10**12, 2.5, True, None, [], ["spam"], [[1]], {}, {"spam": 1}, {1: {}}),
    *([{}], date(2020, 1, 1), {"spam": {"spam": []}}, [None]),
)
ANY_SHAPE = ("note",)
"""Keys for people, which may hold anything."""


def wrong_shapes_are_named_with_their_line(game: Any, texts: Iterable[str], rng: Random, tries: int) -> int:
    """Each of some position files ``tries`` times with one value of another shape: it is named with its line,
    and whatever is taken can be played and written.  Returns how many were refused."""
    refused = 0
    for text in texts:
        for _ in range(tries):
            data = yaml.safe_load(text)
            path = _a_path(data, rng)
            before, after = _replaced(data, path, rng.choice(WRONG_SHAPES))
            changed = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
            about = f"{'.'.join(map(str, path))} = {after!r}\n{changed}"
            try:
                checked = positions.check(game, changed)
            except Exception as error:
                raise AssertionError(about) from error
            if checked.problems:
                refused += 1
                named = {one.line for one in checked.problems} & _lines(changed, path)
                assert named or after in (None, [], {}) or type(before) is type(after), about
            else:
                nothing = after in (None, [], {})  # cards in play may be a list or a mapping
                assert type(before) is type(after) or nothing or path[-1] in ANY_SHAPE, about
                position = checked.position
                written = game.write_position(position.state, position.title, position.answers)
                assert not positions.check(game, written).problems, about
    return refused


def _a_path(data: Any, rng: Random) -> list[Any]:
    """Keys and indices down to some value of a file's position."""
    path: list[Any] = ["position"]
    here = data["position"]
    while True:
        step = rng.choice(list(here) if isinstance(here, dict) else range(len(here)))
        path.append(step)
        here = here[step]
        if not isinstance(here, dict | list) or not here or rng.random() < 0.3:
            return path


def _replaced(data: Any, path: Sequence[Any], value: Any) -> tuple[Any, Any]:
    here = data
    for step in path[:-1]:
        here = here[step]
    before, here[path[-1]] = here[path[-1]], value
    return before, value


def _lines(text: str, path: Sequence[Any]) -> set[int]:
    """The lines of a value of a file, of what is in it and of what holds it, up to the position's keys."""
    found: set[int] = set()
    here = read_yaml(text)
    for depth, step in enumerate(path):
        here = here.value[step]
        if depth:
            found.add(here.line)
    return found | set(range(here.line, here.line + yaml.safe_dump(here.plain()).count("\n") + 1))


def the_same_answers_give_the_same_game(
    game: Game[Any], play_random: Callable[..., Played[Any]], options: Options, seed: int = 7
) -> None:
    """A recorded random game played again."""
    first = play_random(seed, record=True)
    play: Play[Any] = Play(game, game.new_state(options))
    for answer in first.answers:
        play.answer(answer)
    assert play.digest() == first.play.digest() and play.outcome == first.play.outcome


OUT = {"skip", "pass", "done", "decline", "stay", "keep", "no_attack", "no_move"}
"""Answers by which a player leaves undone what he could do."""


class Doing:
    """Notes actions that spent a die or a card for nothing, though their player left nothing out.

    ``spent`` are the keys of a state's JSON that tell of dice, cards and where the flow stands, ``cards``
    those that tell what a played card leaves behind; ``by_rule`` are options that the rules let do nothing.
    """

    def __init__(self, game: Any, spent: Iterable[str], cards: Iterable[str], by_rule: Iterable[str]) -> None:
        self.game, self.spent, self.cards, self.by_rule = game, set(spent), set(cards), set(by_rule)
        self.idle: Counter[str] = Counter()
        self.actions = 0

    def play(self, options: Options, seed: int) -> None:
        """Look at every action of a random game."""
        rng = Random(seed)
        play: Play[Any] = Play(self.game, self.game.new_state(options), audit=False, keep=False)
        before: dict[str, Any] = {}
        answers: list[Any] | None = None
        while (request := play.request) is not None:
            if request.prompt == "prompt.choose_die":
                if answers is not None:
                    self._look(before, self.game.to_json(play.state), answers)
                before, answers = self.game.to_json(play.state), []
            value = request.sample(rng)
            if answers is not None:
                free = isinstance(request, RollDice | ChooseSecretly) or value in ({}, *OUT)
                answers.append(OUT if free else value)
            play.answer_unchecked(value)

    def _look(self, before: dict[str, Any], after: dict[str, Any], answers: Sequence[Any]) -> None:
        self.actions += 1
        there_and_back = len(set(map(str, answers))) < len(answers)
        nothing_to_choose = len(answers) < 2  # no action fits the die but leaving it
        if OUT in answers or there_and_back or nothing_to_choose:
            return
        if self.by_rule & {value for value in answers if isinstance(value, str)}:
            return
        played = self.cards if "play_card" in answers else set()
        if all(after[key] == value for key, value in before.items() if key not in self.spent | played):
            self.idle[" > ".join(map(str, answers))] += 1


class Looking:
    """Looks at every request as the screens do and notes what is missing."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.missing: set[str] = set()
        self.asked: set[str] = set()
        self.proposed: set[str] = set()
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
        if isinstance(request, ChooseSome) and request.proposal is not None:
            self._proposal(request, request.proposal)
        candidates = request.candidates()
        for candidate in candidates:
            if candidate.refusal is not None:
                self._refusal(candidate.refusal)
        if len({json.dumps(candidate.value) for candidate in candidates}) < len(candidates):
            self.missing.add(f"{request.prompt}: a candidate twice")
        if isinstance(request, ChooseOne) and request.domain not in ("number", "card"):
            for option in request.options:
                self._name(request.domain, option)
                for note, about in request.notes(option) if request.notes is not None else ():
                    self._text(note, set(about))

    def _proposal(self, request: ChooseSome, proposal: Mapping[str, int]) -> None:
        """It may be given as it stands and leaves nothing out: a part, or nothing, would be a choice."""
        if not request.is_forced():
            self.proposed.add(request.prompt)
        given = request.sample(Random(len(self.proposed)))
        beyond = any(number > proposal.get(item, 0) for item, number in given.items())
        if beyond or request.why_not(dict(proposal)) is not None:
            self.missing.add(f"{request.prompt}: proposes {proposal}, though {given} may be given")

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
        assert missing(messages) == []
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
