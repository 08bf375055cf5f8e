"""What a catalogue lacks: messages that another language has, forms of names that sentences ask for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.kernel.messages import FORMS, Messages, languages


def missing(messages: Messages) -> list[str]:
    """Message ids that one of our languages has and another lacks, or leaves empty.

    Forms of names are not among them: not every language has them (:func:`missing_forms`).
    """
    every = languages()
    ids = {
        message_id
        for language in every
        for message_id in messages.language_file(language).messages
        if message_id.rpartition(".")[2] not in (*FORMS, "number")
    }
    found = []
    for language in every:
        known = messages.language_file(language).messages
        found += [f"{language}: {key}" for key in ids if key not in known or not all(known[key].forms)]
    return sorted(found)


def forms_asked(messages: Messages, language: str) -> dict[str, set[str]]:
    """``{field: forms}`` that sentences of this catalogue and its parents ask for."""
    found: dict[str, set[str]] = {}
    for message in messages.language_file(language).messages.values():
        for part in (part for sentence in message.sentences for part in sentence):
            if not isinstance(part, str) and part.spec.lower() in FORMS:
                found.setdefault(part.name, set()).add(part.spec.lower())
    for parent in messages.parents:
        for name, forms in forms_asked(parent, language).items():
            found.setdefault(name, set()).update(forms)
    return found


def missing_forms(messages: Messages, language: str, kinds: Mapping[str, Iterable[str]]) -> list[str]:
    """Forms of names that sentences ask for and no catalogue has, as ``place.x.acc``.

    ``kinds`` tells for a field what it may hold, as the first parts of ids: ``{"from": ["place"]}``;
    a field that it does not mention holds names of its own kind.
    """
    asked: dict[str, set[str]] = {}
    for name, forms in forms_asked(messages, language).items():
        for kind in kinds.get(name, (name,)):
            asked.setdefault(kind, set()).update(forms)
    known = set(messages.ids(language))
    return sorted(
        f"{name}.{form}"
        for name in known
        if name.count(".") == 1
        for form in asked.get(name.partition(".")[0], ())
        if f"{name}.{form}" not in known
    )
