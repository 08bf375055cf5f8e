"""Sentences that are in no catalogue: what stand-ins in tests say."""

from __future__ import annotations

from referee.kernel.messages import KERNEL, GivenMessages, Text


def given(english: str, german: str) -> Text:
    """A text that is said as ``english`` or ``german``; there is nothing to fill in."""
    words = {"en": english, "de": german}
    plain = {
        language: {"given": text.replace("{", "{{").replace("}", "}}")} for language, text in words.items()
    }
    return GivenMessages(plain, KERNEL).say("given")
