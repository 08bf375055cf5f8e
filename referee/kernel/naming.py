"""What the ids of a game are called: the one place that finds a name, in one language.

A flow, a record and a state speak in ids (``bl_north_plain``, ``will_of_the_west``,
``3``).  Their names are messages ``<kind>.<id>``; one id may be several things (the
die's face ``character`` and the deck ``character``), so whoever has an id says in
which *domain* it stands: the domain of the request that it answers, or the key of
the particular that it is (``{"from": "edoras"}``).  A domain's own kinds are asked
first, then all others in a fixed order.  A number stands for itself unless its own
domain names it: "3" is no phase because there is a phase 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from referee.kernel.capabilities import NamesItsThings
from referee.kernel.messages import Messages, Name, Text
from referee.kernel.play import Game
from referee.kernel.refusals import Refusal, Rule
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseSecretly, Request

KINDS = (
    *("option", "action", "place", "unit", "character", "card", "seat", "face", "die", "deck", "marker"),
    *("token", "tile", "nation", "territory", "terrain", "ability", "special", "counter", "track"),
)
"""Where names are looked up whose domain says nothing, in this order."""

DOMAINS: Mapping[str, Sequence[str]] = {
    "die": ("die", "face", "option"),
    "deck": ("deck", "card"),
    "by_hand": ("option",),
    "from": ("place",),
    "to": ("place",),
    "region": ("place",),
    "first": ("place",),
    "second": ("place",),
    "step": ("option", "action"),
    "new_face": ("face",),
    "type": ("face",),
    "unused": ("face",),
    "used": ("face",),
    "units": ("unit", "character"),
    "winner": ("seat",),
    "phase": ("phase",),
}
"""Kinds of a domain that is not called like the one kind of its ids.  A game adds its own."""

WRITTEN = frozenset({"path", "key", "edition"})
"""Particulars that are words of a file or of a person, told as they were written."""

ONE_OF_A_KIND = frozenset({"place", "character", "card"})
"""Domains of which nobody counts: "Bard; Gandalf", not "1 × Bard; 1 × Gandalf"."""

NONE = "–"
"""What stands for no thing at all."""


class Namer:
    """Names of one game's things in one language.

    ``messages`` are asked instead of the game's own where a caller has a catalogue
    in front of it.
    """

    def __init__(self, game: Game[Any], language: str, messages: Messages | None = None) -> None:
        self.game = game
        self.language = language
        self.messages = game.messages if messages is None else messages
        self._names: dict[tuple[str, str], str | None] = {}

    # --- one thing -------------------------------------------------------------------------------------

    def find(self, item: str, domain: str = "") -> str | None:
        """The name of an id, None where nothing names it (a number that stands for itself is named)."""
        key = item, domain
        if key not in self._names:
            self._names[key] = self._found(item, domain)
        return self._names[key]

    def name(self, item: Any, domain: str = "") -> str:
        """The name of an id; a number, and what nothing names, is itself."""
        if not isinstance(item, str):
            return self._value(item, domain)
        found = self.find(item, domain)
        return item if found is None else found

    def seat(self, seat: str) -> str:
        """The name of a seat."""
        return self.name(seat, "seat")

    def face(self, die: str, face: str) -> str:
        """The name of a die's face: of this die, of this symbol on any die, or the number of pips."""
        own = self.messages.find(f"face.{die}.{face}", self.language)
        return own if own is not None else self.name(face, "face")

    def faces(self, die: str, faces: Iterable[Any]) -> str:
        """Rolled faces in their order: ``Army, Army, Muster``."""
        return ", ".join(self.face(die, str(face)) for face in faces)

    def _found(self, item: str, domain: str) -> str | None:
        if isinstance(self.game, NamesItsThings) and domain != "":
            put_together = self.game.composite_name(domain, item, self.language)
            if put_together is not None:
                return put_together
        if item.lstrip("-+").isdigit():
            return self._first(self._own_kinds(domain), item) or item
        return self._first((*self._own_kinds(domain), *self._all_kinds), item)

    def _first(self, kinds: Iterable[str], item: str) -> str | None:
        for kind in kinds:
            text = self.messages.find(f"{kind}.{item}", self.language)
            if text is not None and "{" not in text:
                return self.messages.name(f"{kind}.{item}", self.language)
        return None

    @cached_property
    def _kinds_of(self) -> Mapping[str, Sequence[str]]:
        own = self.game.kinds if isinstance(self.game, NamesItsThings) else {}
        return {**DOMAINS, **own}

    @cached_property
    def _all_kinds(self) -> Sequence[str]:
        more = (kind for kinds in self._kinds_of.values() for kind in kinds if kind != "phase")
        return tuple(dict.fromkeys((*KINDS, *more)))

    def _own_kinds(self, domain: str) -> Sequence[str]:
        return self._kinds_of.get(domain, (domain,) if domain else ())

    # --- several things --------------------------------------------------------------------------------

    def names(self, items: Iterable[Any], domain: str = "") -> str:
        """``Boromir, Legolas``; a dash where there are none."""
        return ", ".join(self.name(item, domain) for item in items) or NONE

    def counts(self, counts: Mapping[str, int], domain: str = "") -> str:
        """How many of each: ``2 × Orcs, 1 × Wargs``; a dash where there are none."""
        return ", ".join(f"{number} × {self.name(item, domain)}" for item, number in counts.items()) or NONE

    def _value(self, value: Any, domain: str) -> str:
        if isinstance(value, Mapping):
            if all(isinstance(number, int) and not isinstance(number, bool) for number in value.values()):
                return self.counts(value, domain)
            return "; ".join(f"{self.name(key)}: {self.name(one, domain)}" for key, one in value.items())
        if isinstance(value, Iterable):
            return self.names(value, domain)
        return NONE if value is None else str(value)

    # --- sentences -------------------------------------------------------------------------------------

    def particulars(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a message in words, each by its key's domain; numbers stay numbers.

        Names keep their forms (``{place:acc}``), also within a list.
        """
        return {key: self._particular(value, key) for key, value in params.items()}

    def _particular(self, value: Any, domain: str) -> Any:
        if isinstance(value, int | float | Text) or domain in WRITTEN:
            return value
        if isinstance(value, list | tuple) and value:
            return [self._particular(one, domain) for one in value]
        return self.name(value, domain)

    def sentence(self, message_id: str, params: Mapping[str, Any] | None = None) -> str:
        """A message with its particulars in words."""
        return self.messages.text(message_id, self.language, self.particulars(params or {}))

    def question(self, prompt: str, about: Mapping[str, Any]) -> str:
        """What a request asks."""
        return self.sentence(prompt, about)

    def option(self, prompt: str, value: str, domain: str, about: Mapping[str, Any] | None = None) -> str:
        """One option of a question: the question's own wording first, then the thing's name."""
        prompt = prompt.removeprefix("prompt.")
        for message_id in (f"option.prompt.{prompt}.{value}", f"option.{prompt}.{value}"):
            if self.messages.find(message_id, self.language) is not None:
                return self.sentence(message_id, about)
        return self.name(value, domain)

    def answer(self, value: Any, prompt: str = "", domain: str = "") -> str:
        """An answer in words, whichever the kind of question it was given to."""
        if isinstance(value, str):
            return self.option(prompt, value, domain)
        if not isinstance(value, Mapping):
            return self.name(value, domain)
        parts = []
        once = domain in ONE_OF_A_KIND and all(one == 1 for one in value.values())
        for key, one in value.items():
            if isinstance(one, bool) or not isinstance(one, int | list | str):
                parts.append(f"{self.name(key)}: {self.answer(one, prompt, domain)}")
            elif isinstance(one, int):
                name = self.option(prompt, key, domain)
                parts.append(name if once else f"{one} × {name}")
            elif isinstance(one, str):
                parts.append(f"{self.seat(key)}: {self.option(prompt, one, domain)}")
            elif key in self.game.seats:  # the steps of a secret choice
                steps = ", ".join(self.answer(step, prompt, domain) for step in one)
                parts.append(f"{self.seat(key)}: {steps}")
            else:
                parts.append(f"{self.name(key, 'die')}: {self.faces(key, one)}")
        return "; ".join(parts) or NONE

    def correction(self, primitive: Mapping[str, Any]) -> str:
        """What a primitive of a correction changes.

        A game words its primitives as ``correction.<do>``, or ``correction.<do>.true`` and ``.false`` where
        one of the fields is yes or no.  A value may have its own words: ``correction.<do>.<field>.<value>``.
        """
        do = str(primitive.get("do", ""))
        fields = {key: value for key, value in primitive.items() if key != "do"}
        flag = next((value for value in fields.values() if isinstance(value, bool)), None)
        message_id = f"correction.{do}" if flag is None else f"correction.{do}.{str(flag).lower()}"
        params = {key: self._corrected(do, key, value) for key, value in fields.items()}
        if self.messages.find(message_id, self.language) is not None:
            return self.messages.text(message_id, self.language, params)
        return f"{self.name(do)} {', '.join(map(str, params.values()))}".strip()

    def _corrected(self, do: str, field: str, value: Any) -> Any:
        for message_id in (f"correction.{do}.{field}.{value}", f"correction.where.{value}"):
            own = None if isinstance(value, Mapping | list) else self.messages.find(message_id, self.language)
            if own is not None and "{" not in own:
                return own
        return self._particular(value, field)

    def reason(self, refusal: Refusal, otherwise: Messages | None = None) -> str:
        """The particular reason of a refusal, empty where it has none; ``otherwise`` are asked last."""
        if not refusal.reason:
            return ""
        for message_id in (f"reason.{refusal.reason.removeprefix('reason.')}", refusal.reason):
            for messages in (self.messages, otherwise):
                if messages is not None and messages.find(message_id, self.language) is not None:
                    return messages.text(message_id, self.language, self.particulars(refusal.params))
        return ""

    def rule_line(self, rule: Rule) -> str:
        """A rule by its title and where it stands in this language's book."""
        title = rule.title(self.language)
        where = rule.where(self.language)
        return f"{title}, {where}" if where else title


def namer(game: Game[Any], language: str) -> Namer:
    """The names of a game in ``language``; made once, as screens ask for thousands of them."""
    key: Any = game  # a protocol does not promise a hash; games are single objects and have one
    return _made_once(key, language)


@lru_cache(maxsize=64)
def _made_once(game: Any, language: str) -> Namer:
    return Namer(game, language)


def domain_of(request: Request) -> str:
    """In which domain the answers of a request stand; for secrets that of the seats' own questions."""
    if isinstance(request, ChooseSecretly):
        domains = {part.domain for part in request.of.values()}
        return domains.pop() if len(domains) == 1 else ""
    return request.domain


class InWords(Text):
    """Something of a game that is put into words where it is shown, as a particular of another text."""

    __slots__ = ("_game", "_say")

    def __init__(self, game: Game[Any], say: Callable[[Namer], str]) -> None:
        super().__init__("")
        self._game = game
        self._say = say

    def in_words(self, language: str) -> str:
        """The words in ``language``."""
        return self._say(namer(self._game, language))

    def form(self, form: str, language: str) -> str:
        """A name in one of its forms; other words as they are."""
        said = self.in_words(language)
        return said.form(form) if isinstance(said, Name) else said

    def is_plural(self, language: str) -> bool:
        """Whether this is a name that takes verbs in the plural."""
        said = self.in_words(language)
        return isinstance(said, Name) and said.is_plural


def named(game: Game[Any], item: str, domain: str) -> InWords:
    """The name of an id."""
    return InWords(game, lambda names: names.name(item, domain))


def told_rule(game: Game[Any], rule: str) -> InWords:
    """A rule by its title and where it stands; its id where the catalogue has no such rule any more."""
    known = game.catalogue.get(rule)
    return InWords(game, lambda names: rule if known is None else names.rule_line(known))


class GameTexts(Messages):
    """Texts of a game that are passed about, complaints above all: ids among their particulars are named."""

    def __init__(self, folder: Path, game_id: str) -> None:
        super().__init__(folder)
        self._game_id = game_id

    def text(self, message_id: str, language: str, params: Mapping[str, Any] | None = None) -> str:
        """The sentence, its particulars in words."""
        names = namer(load_game(self._game_id), language)
        return super().text(message_id, language, names.particulars(params or {}))
