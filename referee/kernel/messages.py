"""Message catalogues: every sentence on screen, in German and English.

Catalogues are gettext ``.po`` files, ``<folder>/<language>.po``, whose message
ids are stable keys (``prompt.choose_die``) and whose texts take
``str.format`` fields.  They are read with Babel as they stand, so nothing has
to be compiled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po

LANGUAGES = ("de", "en")


class Messages:
    """The messages of one room or game.  ``parents`` are asked for what is missing here."""

    def __init__(self, folder: Path, parents: Iterable[Messages] = ()) -> None:
        self.folder = folder
        self.parents = tuple(parents)

    @cached_property
    def texts(self) -> Mapping[str, Mapping[str, str]]:
        """``{language: {message id: text}}``."""
        return {language: _read(self.folder / f"{language}.po") for language in LANGUAGES}

    def find(self, message_id: str, language: str) -> str | None:
        """The raw text, or None where no catalogue has it."""
        text = self.texts[language].get(message_id)
        if text is not None:
            return text
        for parent in self.parents:
            text = parent.find(message_id, language)
            if text is not None:
                return text
        return None

    def ids(self, language: str) -> list[str]:
        """The ids of all messages, those of ``parents`` last; each once."""
        own = dict.fromkeys(self.texts[language])
        for parent in self.parents:
            own |= dict.fromkeys(parent.ids(language))
        return list(own)

    def text(self, message_id: str, language: str, params: Mapping[str, Any] | None = None) -> str:
        """The sentence with its fields filled.  A missing message shows its id: a test looks for those."""
        raw = self.find(message_id, language)
        if raw is None:
            return message_id
        try:
            return raw.format_map(params or {})
        except (KeyError, IndexError):
            return raw

    def missing(self) -> list[str]:
        """Message ids that one language has and the other lacks, or leaves empty."""
        ids = {message_id for texts in self.texts.values() for message_id in texts}
        return sorted(
            f"{language}: {key}" for language in LANGUAGES for key in ids if not self.texts[language].get(key)
        )


def _read(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        catalogue = read_po(file)
    return {str(message.id): str(message.string) for message in catalogue if message.id}
