"""All that a person reads or hears of a game: questions, answers, refusals, views, log, record, moments.

:class:`Listener` looks at each line while the catalogues are marked (``marking.py``): what is in plain
letters then has no message behind it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import table_bot
from marking import marked_catalogues

from referee.archive.show import events_in_words, moment_in_words, report
from referee.hall.table import Table
from referee.kernel.at_table import at_table, board_of
from referee.kernel.capabilities import CorrectionForms, ExplainsPieces, NamesItsThings, PositionFiles
from referee.kernel.errors import InvalidAnswer
from referee.kernel.explain import refusal_sentence
from referee.kernel.forms import house_rules_form_of
from referee.kernel.located import FileProblems
from referee.kernel.naming import namer
from referee.kernel.play import Game, Play
from referee.kernel.requests import ChooseSecretly, Request
from referee.store.store import Store
from web.asks import ask_json
from web.history import recent, undo_json
from web.moments import moment_json
from web.snapshot import outcome_json, waiting_json
from web.told import corrections_text

NO_WORDS = frozenset(
    {
        *("id", "kind", "seat", "domain", "value", "key", "face", "type", "body", "terrain", "territory"),
        *(
            "owner",
            "to_act",
            "shape",
            "tone",
            "signs",
            "about",
            "values",
            "default",
            "tags",
            "picture",
            "sign",
            "class",
        ),
        *("source", "rule", "phase_rule", "who", "digest", "at", "shows", "group", "sort", "side", "winner"),
        *(
            "autos",
            "result",
            "colour",
            "chapter",
            "seats",
            "used_by",
            "doing",
            "class",
            "order",
            "winners",
            "light",
        ),
    }
)
"""Keys of a screen's JSON that are for the program: no person reads their values."""


OF_A_FIGHT = frozenset({"battle", "place", "from", "step", "role"})
"""Such keys of a fight that is shown."""


class Told(NamedTuple):
    """A line somebody reads, and where."""

    where: str
    text: str


def words_in(where: str, data: Any) -> Iterator[Told]:
    """All texts in a screen's JSON but those for the program."""
    if isinstance(data, str):
        yield Told(where, data)
    elif isinstance(data, Mapping):
        silent = NO_WORDS | (OF_A_FIGHT if ".focus" in where else set())
        for key, value in data.items():
            if key not in silent:
                yield from words_in(f"{where}.{key}", value)
    elif isinstance(data, list | tuple):
        for one in data:
            yield from words_in(where, one)


def asked(game: Game[Any], request: Request, language: str) -> Iterator[Told]:
    """What a question says: on a tablet, and where a written move is explained."""
    if isinstance(request, ChooseSecretly):
        for part in request.of.values():
            yield from asked(game, part, language)
        return
    where = request.prompt
    yield from words_in(where, ask_json(game, request, language, 0, False))
    for candidate in request.candidates():
        refusal = candidate.refusal
        if refusal is not None:
            rule = game.catalogue.get(refusal.rule)
            yield Told(f"{where} refuses", refusal_sentence(refusal, rule, language, game))


def screens(table: Table, language: str) -> Iterator[Told]:
    """What the screens of a table show besides its question."""
    game = table.play.game
    for seat in (*game.seats, None):
        yield from words_in("view", table.view(seat, language))
        yield from words_in("undo", undo_json(table, seat, language))
    yield from words_in("log", recent(table, language, 60))
    yield from words_in("waiting", waiting_json(game, table, table.request, language))
    yield from words_in("outcome", outcome_json(table, language))


def explanations(game: Game[Any], language: str) -> Iterator[Told]:
    """What pieces, symbols, tracks and cards do."""
    if isinstance(game, ExplainsPieces):
        for kind, name in game.explained():
            yield from words_in(f"help {kind}", game.explain_piece(kind, name, language))


def corrections(game: Game[Any], state: Any, language: str, rng: Random) -> Iterator[Told]:
    """What may be said to stand at each place, and the corrections that a random wish comes to."""
    if not isinstance(game, CorrectionForms):
        return
    board = board_of(game, {})
    names = namer(game, language)
    for place in ("", *(() if board is None else board.places)):
        items = game.correction_form(state, place)
        for item in items:
            for label in (*item.of, item.label):
                yield Told("correction form", names.sentence(label))
            yield Told("correction form", names.names(item.options, item.domain))
        wanted = {item.key: rng.randint(item.least, min(item.most, item.count + 2)) for item in items}
        try:
            primitives = game.corrections(state, place, wanted)
        except InvalidAnswer as error:
            yield Told("correction refused", error.sentence(language))
        else:
            yield Told("correction", corrections_text(game, primitives, language))


def complaints(game: Game[Any], state: Any, language: str, rng: Random) -> Iterator[Told]:
    """What is wrong with position files in which a number was changed; what is wrong with their form, or
    cannot be together, is told in words of the file."""
    if not isinstance(game, PositionFiles):
        return
    lines = game.write_position(state).splitlines()
    for _ in range(12):
        number = rng.choice([at for at, line in enumerate(lines) if re.search(r": \d", line)])
        changed = re.sub(r"(?<=: )\d+", str(rng.choice((0, 1, 3, 9))), lines[number])
        try:
            game.read_position("\n".join([*lines[:number], changed, *lines[number + 1 :]]) + "\n")
        except FileProblems as error:
            for problem in error.problems:
                said = problem.sentence(language)
                in_words_of_the_file = "position." in said or "battle:" in said
                if not in_words_of_the_file and problem.text.id != "kernel.audit_problem":
                    yield Told("position", said)


def record(store: Store, table: Table, language: str, moments: int) -> Iterator[Told]:
    """What is told of the record: event by event, as a story, and some moments in full."""
    loaded = store.load(table.id)
    for line in events_in_words(loaded, language):
        yield Told("events", line)
    for line in (report(loaded, language) or "").splitlines():
        if not line.startswith(
            "    ["
        ):  # the action in the notation of moves, which is a language of its own
            yield Told("story", line)
    numbers = Random(1).sample(range(1, len(loaded.events) + 1), min(moments, len(loaded.events)))
    for number in [0, *numbers]:
        for line in moment_in_words(store, loaded, number, language):
            yield Told(f"moment {number}", line)
    for number in numbers[: moments // 4]:
        yield from words_in(f"moment page {number}", moment_json(table, number, "arbiter", language))


PLAIN = re.compile(r"[\w.:@+]*[a-z]{2,}[\w.:@+]*|[\[\]{}]|\(s\)")
"""Something that no message put into words: a word in plain letters, a list, a field, a plural by halves."""
IDS = re.compile(r"\w+_\w+|[\[\]{}]|\(s\)")
INLINE = ("help card", "correction refused")
"""Where sentences are told that lie in no catalogue: only what looks like an id is heard there."""
SOURCE = re.compile(r"  \[[^\[\]]*\]$")
"""How a line of the record ends: where the answer came from."""
SENTENCES = (
    *("Refused.", "Nicht erlaubt.", "German rulebook", "Dice or something hidden were seen since"),
    *("Seitdem waren Würfel oder Verdecktes zu sehen", "Seitdem wurde nichts aufgedeckt"),
    *("Nothing was revealed since: you may take this back freely", "Das kann frei zurückgenommen werden"),
    *("This would undo another seat's answer too", "Das nähme auch die Antwort eines anderen zurück"),
    *("the others have to agree", "Die anderen müssen zustimmen"),
)
"""Sentences that are in no catalogue."""


def _brought_along(game: Game[Any]) -> Iterator[str]:
    """Names that come with a game's data, as those of its battles."""
    if isinstance(game, NamesItsThings):
        for field in house_rules_form_of(game):
            for option in field.options:
                for language in ("de", "en"):
                    name = game.composite_name(field.domain, option, language)
                    if name is not None:
                        yield name


class Listener:
    """Hears what is told of a game and notes what was not put into words, by where it was told."""

    def __init__(self, game: Game[Any], options: Sequence[Mapping[str, Any]]) -> None:
        self.game = game
        self.heard: dict[str, int] = {}
        self.faults: dict[str, str] = {}
        printed = (
            text
            for one in (game, *(at_table(game, chosen) for chosen in options))
            for rule in one.catalogue.values()
            for language in ("de", "en")
            for text in (
                *(getattr(rule, f"{part}_{language}") for part in ("title", "sentence", "note", "page")),
                *(rule.book_en, rule.heading, rule.where(language)),
            )
        )
        board = board_of(game, {})
        places = () if board is None else board.places.values()  # a board may bring names along
        named = (name for place in places for name in (place.name_de, place.name_en))
        told = {*filter(None, printed), *SENTENCES, *game.title.values(), *named, *_brought_along(game)}
        known = sorted(told, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, known)))
        self._seen: set[str] = set()

    def hear(self, lines: Iterator[Told]) -> None:
        """Look at some lines."""
        for where, text in lines:
            kind = where.partition(" ")[0].partition(".")[0]
            self.heard[kind] = self.heard.get(kind, 0) + 1
            if text in self._seen:
                continue
            self._seen.add(text)
            pattern = IDS if where.startswith(INLINE) else PLAIN
            found = pattern.search(self._known.sub("", SOURCE.sub("", text)))
            if found is not None:
                self.faults.setdefault(f"{where}: {found[0]}", text)


def listen(game: Game[Any], options: Sequence[Mapping[str, Any]], language: str, answers: int) -> Listener:
    """Random games with each of ``options``: alone to the end, and ``answers`` of them at a table."""
    listener = Listener(game, options)
    with marked_catalogues(game):
        listener.hear(explanations(game, language))
        for seed, chosen in enumerate(options):
            here = at_table(game, chosen)
            _listen_to_questions(listener, Play(here, here.new_state(chosen), audit=False), language, seed)
            _listen_to_table(listener, chosen, language, answers, seed)
    return listener


def _listen_to_questions(listener: Listener, play: Play[Any], language: str, seed: int) -> None:
    rng, known = Random(seed), set[str]()
    while play.request is not None:
        request = play.request
        if request.prompt not in known or rng.random() < 0.02:
            known.add(request.prompt)
            listener.hear(asked(play.game, request, language))
        play.answer_unchecked(request.sample(rng))


def _listen_to_table(
    listener: Listener, options: Mapping[str, Any], language: str, answers: int, seed: int
) -> None:
    folder = table_bot.quick_folder()
    with (
        Store.open(folder / "games.sqlite") as store,
        Table.create(store, listener.game, options=options, game_id=f"1-{seed}") as table,
    ):
        for part in range(2):
            table_bot.play(table, Random(10 * seed + part), answers // 2)
            listener.hear(screens(table, language))
            listener.hear(corrections(table.game, table.play.state, language, Random(seed)))
            listener.hear(complaints(table.game, table.play.kept, language, Random(part)))
        listener.hear(record(store, table, language, 12))
    shutil.rmtree(folder)
