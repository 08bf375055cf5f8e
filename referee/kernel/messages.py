"""Message catalogues: every sentence on screen, in every language that has a catalogue.

Catalogues are gettext ``.po`` files, ``<folder>/<language>.po``, whose message
ids are stable keys (``prompt.choose_die``) and whose texts take fields in
braces.  They are read with Babel as they stand, so nothing has to be compiled.

**Plural forms** are gettext's.  As ids are keys, ``msgid_plural`` names the
field that is counted; the header's ``Plural-Forms`` says which form a number
takes::

    msgid "log.draw"
    msgid_plural "{count}"
    msgstr[0] "draws a card"
    msgstr[1] "draws {count} cards"

Where a sentence counts two things, each word stands in its field, one form for
each plural form of the language: ``{dice} {dice:die|dice} and {hits}
{hits:hit|hits}``.

**Forms of names.**  ``place.rough_hill`` is the name as it stands alone.  Beside
it a catalogue may keep the forms that the name takes within a sentence, article
included: ``place.rough_hill.nom`` ("der Zerklüftete Hügel"), ``.acc`` ("den
Zerklüfteten Hügel"), ``.dat``, ``.gen``.  A sentence asks with ``{place:acc}``;
``{place:Acc}`` begins with a capital letter.  A form that a catalogue does not
have falls back to ``.nom``, then to the name (``tests/message_checks.py`` looks
for those).  A name that takes verbs in the plural says so by
``seat.free.number`` = ``plural``; then ``{seat:hat|haben}`` gives "haben".

**Numbers** with decimals are written as the language does where the field gives a
pattern: ``{room:0.0}`` is "1.5" or "1,5".

**Languages** are discovered: the program speaks those in which the kernel's own
catalogue is there.  A further language is a folder of catalogues, laid out like
the program's (``referee/kernel/texts/fr.po``, ``web/translations/fr.po``...) and
named by the environment variable ``TABLE_REFEREE_TEXTS``, or the same files
beside the program's own.  What it leaves out is said in English.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.numbers import format_decimal

from referee.kernel.message_files import Language, Message, Placeholder

SOURCE = "en"
"""The language of log lines and of whatever a catalogue leaves out."""
FORMS = ("nom", "acc", "dat", "gen")
"""Forms of a name within a sentence; the name alone has none of these."""
FOLDERS = "TABLE_REFEREE_TEXTS"
"""Environment variable: folders of further catalogues, separated as in ``PATH``."""

MOST_LOOKED_UP = 20_000
"""Messages whose place is remembered, for each catalogue; ids of strangers must not fill the memory."""

ROOT = Path(__file__).resolve().parents[2]


def languages() -> tuple[str, ...]:
    """The languages that the program speaks, in alphabetical order of their codes."""
    return KERNEL.languages()


class Messages:
    """The messages of one room or game.  ``parents`` are asked for what is missing here."""

    def __init__(self, folder: Path, parents: Iterable[Messages] = ()) -> None:
        self.folder = folder
        self.parents = tuple(parents)
        self._read: dict[str, Language] = {}
        self._looked_up: dict[tuple[str, str], tuple[Message, Language] | None] = {}
        self._named: dict[tuple[str, str], Name] = {}
        self._said: dict[tuple[Any, ...], str] = {}

    def _folders(self) -> list[Path]:
        """Where catalogues of this room may lie: its own folder, and its place in each further folder."""
        folders = [self.folder]
        own = self.folder.resolve()
        inside = own.relative_to(ROOT) if own.is_relative_to(ROOT) else Path(own.name)
        for more in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
            folders.append(Path(more) / inside)
        return folders

    def languages(self) -> tuple[str, ...]:
        """The languages in which this catalogue is there."""
        return tuple(sorted({path.stem for folder in self._folders() for path in folder.glob("*.po")}))

    def language_file(self, language: str) -> Language:
        """The messages of this catalogue alone in ``language``; none where it has no such file."""
        known = self._read.get(language)
        if known is None:
            paths = [folder / f"{language}.po" for folder in self._folders()]
            known = self._read[language] = Language(path for path in paths if path.is_file())
        return known

    def _find(self, message_id: str, language: str) -> tuple[Message, Language] | None:
        # a screen looks up hundreds, mostly the same as the one before it
        key = message_id, language
        try:
            return self._looked_up[key]
        except KeyError:
            pass
        if len(self._looked_up) >= MOST_LOOKED_UP:
            self._looked_up.clear()
        found = self._looked_up[key] = self._look_up(message_id, language)
        return found

    def _look_up(self, message_id: str, language: str) -> tuple[Message, Language] | None:
        own = self.language_file(language)
        message = own.messages.get(message_id)
        if message is not None:
            return message, own
        for parent in self.parents:
            found = parent._find(message_id, language)
            if found is not None:
                return found
        return None

    def find(self, message_id: str, language: str) -> str | None:
        """The raw text (of several the last plural form), or None where no catalogue has it."""
        found = self._find(message_id, language)
        if found is None and language != SOURCE:
            found = self._find(message_id, SOURCE)
        return None if found is None else found[0].forms[-1]

    def raw(self, language: str) -> dict[str, str]:
        """``{message id: raw text}`` of this catalogue alone (of several plural forms the last)."""
        return {key: message.forms[-1] for key, message in self.language_file(language).messages.items()}

    def for_scripts(self, language: str) -> dict[str, Any]:
        """The catalogue for a browser.

        ``texts`` are ``{message id: text}``, or ``{message id: {"counted": field, "forms": [...]}}`` with
        plural forms; what ``language`` leaves out is there in English.  ``plurals`` tells the form of the
        numbers 0 to 199; whatever is larger goes as the last two digits after a hundred do.
        """
        own = self.language_file(language)
        return {
            "texts": {
                key: one.forms[0] if not one.counted else {"counted": one.counted, "forms": one.forms}
                for key, one in {**self.language_file(SOURCE).messages, **own.messages}.items()
            },
            "plurals": [own.plural(number) for number in range(200)],
        }

    def ids(self, language: str) -> list[str]:
        """The ids of all messages, those of ``parents`` last; each once."""
        own = dict.fromkeys(self.language_file(language).messages)
        for parent in self.parents:
            own |= dict.fromkeys(parent.ids(language))
        return list(own)

    def text(self, message_id: str, language: str, params: Mapping[str, Any] | None = None) -> str:
        """The sentence with its fields filled.  A missing message shows its id: a test looks for those.

        ``params`` are numbers, words, :class:`Name`, :class:`Text` or lists of these.  Where a field is
        missing the sentence is shown with its braces.
        """
        given = params or {}
        found = self._find(message_id, language)
        if found is None:
            return message_id if language == SOURCE else self.text(message_id, SOURCE, given)
        message, own = found
        number = _number(given.get(message.counted)) if message.counted else None
        at = 0 if len(message.forms) == 1 else own.plural(2 if number is None else number)
        try:
            return "".join(
                part if isinstance(part, str) else _filled(given[part.name], part, language, own.plural)
                for part in message.sentences[at]
            )
        except KeyError:
            return message.forms[at]

    def text_again(self, message_id: str, language: str, params: Mapping[str, Any]) -> str:
        """What :meth:`text` gives; kept for the next time where all particulars are numbers, words or names
        of this catalogue."""
        key: list[Any] = [message_id, language]
        for field, value in params.items():
            kind = type(value)
            if kind is Name and value.messages is self:
                key += field, kind, value.message_id, value.language
            elif kind is str or kind is int:
                key += field, kind, value
            else:
                return self.text(message_id, language, params)
        known = tuple(key)
        said = self._said.get(known)
        if said is None:
            said = self.text(message_id, language, params)
            if len(self._said) < MOST_LOOKED_UP:
                self._said[known] = said
        return said

    def name(self, message_id: str, language: str) -> Name:
        """The name that ``message_id`` is, knowing its forms.  Raises KeyError where there is none."""
        key = message_id, language
        named = self._named.get(key)
        if named is None:
            text = self.find(message_id, language)
            if text is None:
                raise KeyError(message_id)
            named = Name(text, self, message_id, language)
            if len(self._named) < MOST_LOOKED_UP:
                self._named[key] = named
        return named

    def say(self, message_id: str, /, **params: Any) -> Text:
        """A message of this catalogue, to be put into words where it is shown."""
        return Text.of(self, message_id, params)

    # forms of names

    def form(self, message_id: str, form: str, language: str) -> str | None:
        """The name in a form of :data:`FORMS`, by fallback the nominative; None where there is neither."""
        for one in (form, "nom"):
            text = self._find(f"{message_id}.{one}", language)
            if text is not None:
                return text[0].forms[-1]
        return None

    def is_plural(self, message_id: str, language: str) -> bool:
        """Whether the name takes verbs in the plural."""
        found = self._find(f"{message_id}.number", language)
        return found is not None and found[0].forms[-1] == "plural"


class Name(str):
    """A name in words that still knows its forms.  Everywhere else it is a string like any other."""

    __slots__ = ("language", "message_id", "messages")

    messages: Messages
    message_id: str
    language: str

    def __new__(cls, text: str, messages: Messages, message_id: str, language: str) -> Name:
        name = super().__new__(cls, text)
        name.messages, name.message_id, name.language = messages, message_id, language
        return name

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)

    def form(self, form: str) -> str:
        """The name in a form of :data:`FORMS`; the name alone where it has none."""
        return self.messages.form(self.message_id, form, self.language) or str(self)

    @property
    def is_plural(self) -> bool:
        """Whether the name takes verbs in the plural."""
        return self.messages.is_plural(self.message_id, self.language)


class Text:
    """Something to be said: a message's id and its particulars, put into words where it is shown.

    ``Text("hall.frozen", seat=name)``: the first part of the id names the room whose catalogue
    (:func:`register`) has the message; :meth:`Messages.say` makes one of a game's messages.  Particulars
    are numbers, words that are the same in every language (file names, ids on the command line), words by
    language (a game's title), other texts, errors (said in their own words), or lists of these.
    """

    __slots__ = ("_messages", "id", "params")

    id: str
    params: Mapping[str, Any]

    def __init__(self, message_id: str, /, **params: Any) -> None:
        self.id, self.params = message_id, params
        self._messages: Messages | None = None

    @classmethod
    def of(cls, messages: Messages, message_id: str, params: Mapping[str, Any]) -> Text:
        """A message of a catalogue that no id names."""
        text = cls(message_id, **params)
        text._messages = messages
        return text

    def _catalogue(self) -> Messages:
        return self._messages if self._messages is not None else catalogue_of(self.id)

    def in_words(self, language: str) -> str:
        """The sentence in ``language``."""
        return self._catalogue().text(self.id, language, self.params)

    def form(self, form: str, language: str) -> str:
        """A name in a form of :data:`FORMS`."""
        return self._catalogue().form(self.id, form, language) or self.in_words(language)

    def is_plural(self, language: str) -> bool:
        """Whether this is a name that takes verbs in the plural."""
        return self._catalogue().is_plural(self.id, language)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and (self.id, self.params) == (other.id, other.params)

    def __hash__(self) -> int:
        return hash(self.id)

    def __str__(self) -> str:
        return self.in_words(SOURCE)

    def __repr__(self) -> str:
        params = "".join(f", {key}={value!r}" for key, value in self.params.items())
        return f"Text({self.id!r}{params})"


class _Joined(Text):
    """Texts one after the other."""

    __slots__ = ()

    def in_words(self, language: str) -> str:
        between: str = self.params["between"]
        return between.join(text.in_words(language) for text in self.params["texts"])


def joined(texts: Iterable[Text], between: str = " ") -> Text:
    """Texts one after the other, as one."""
    return _Joined("", texts=tuple(texts), between=between)


class _Fixed(Text):
    """Words that are fixed in every language, whatever they were made of."""

    __slots__ = ()

    def in_words(self, language: str) -> str:
        return str(self.params.get(language, self.params[SOURCE]))


def worded(words: Mapping[str, str]) -> Text:
    """Words that are given by language (English among them), as a text."""
    return _Fixed("", **words)


class ByLanguage(Mapping[str, str]):
    """A message in every language that the program speaks: what is asked by language as of a dictionary."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __getitem__(self, language: str) -> str:
        return self._text.in_words(language)

    def __iter__(self) -> Iterator[str]:
        return iter(languages())

    def __len__(self) -> int:
        return len(languages())


def spoken(text: Text) -> Text:
    """``text`` with its words in every language fixed, whatever it was made of (to cross processes)."""
    return each_in(text, str)


def each_in(text: Text, change: Callable[[str], str]) -> Text:
    """``text`` with its words in every language fixed as ``change`` makes them."""
    return _Fixed("", **{language: change(text.in_words(language)) for language in languages()})


def said_in(words: Mapping[str, str], language: str) -> str:
    """Words that are given by language: in ``language``, or else in English."""
    return words.get(language) or words[SOURCE]


def _number(value: Any) -> int | None:
    try:
        return int(value)
    except (TypeError, ValueError):
        return None


def _filled(value: Any, field: Placeholder, language: str, plural: Callable[[int], int]) -> str:
    """One field of a sentence in words."""
    spec = field.spec
    if field.quoted:
        return repr(value)
    if not spec and type(value) is str:
        return value
    if "|" in spec:
        words = spec.split("|")
        return words[min(plural(_how_many(value, language)), len(words) - 1)]
    if isinstance(value, list | tuple):
        return ", ".join(_filled(one, field, language, plural) for one in value)
    if isinstance(value, Exception):
        value = getattr(value, "text", value)
    if isinstance(value, Mapping):
        value = said_in(value, language)
    form = spec.lower()
    if form not in FORMS:
        return value.in_words(language) if isinstance(value, Text) else _formatted(value, spec, language)
    if isinstance(value, Text):
        text = value.form(form, language)
    else:
        text = value.form(form) if isinstance(value, Name) else str(value)
    return text[:1].upper() + text[1:] if spec[0].isupper() else text


def _formatted(value: Any, spec: str, language: str) -> str:
    """A number as the language writes it where ``spec`` is a pattern like ``0.0``; else Python's format."""
    if not spec or not re.fullmatch(r"0\.0+", spec):
        return format(value, spec)
    try:
        return str(format_decimal(value, spec, Locale.parse(language)))
    except UnknownLocaleError:
        return str(format_decimal(value, spec, SOURCE))


def _how_many(value: Any, language: str) -> int:
    """The number by which words that go with ``value`` are chosen."""
    if isinstance(value, Text):
        return 2 if value.is_plural(language) else 1
    if isinstance(value, Name):
        return 2 if value.is_plural else 1
    if isinstance(value, list | tuple):
        return len(value) if len(value) != 1 else _how_many(value[0], language)
    number = _number(value)
    return 1 if number is None else number


KERNEL = Messages(Path(__file__).with_name("texts"))
_ROOMS: dict[str, Messages] = {"kernel": KERNEL}


def register(room: str, messages: Path | Messages) -> Messages:
    """Say which catalogue is that of ``room``, whose message ids begin with its name, or in which folder it
    lies; done by the room."""
    _ROOMS[room] = Messages(messages) if isinstance(messages, Path) else messages
    return _ROOMS[room]


def load_rooms() -> None:
    """Read the catalogues of all rooms that are loaded now: later the disk may fail, which has to be said."""
    for messages in _ROOMS.values():
        for language in messages.languages():
            messages.ids(language)


def registered() -> Mapping[str, Messages]:
    """The catalogues of all rooms that are loaded, by room."""
    return dict(_ROOMS)


@cache
def _room_of(message_id: str) -> str:
    return message_id.partition(".")[0]


def catalogue_of(message_id: str) -> Messages:
    """The catalogue that a message's id names.  Raises KeyError where no such room is loaded."""
    return _ROOMS[_room_of(message_id)]


class GivenMessages(Messages):
    """Messages that come with data (names on a board) instead of a catalogue; ``behind`` has all others."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]], behind: Messages) -> None:
        super().__init__(behind.folder, (behind,))
        for language, own in texts.items():
            given = self._read[language] = Language(())
            given.messages = {key: Message((text,)) for key, text in own.items()}
