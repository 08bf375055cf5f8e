"""Makes ``tests/`` importable (``import toy_game``); no property is held to a time."""

from __future__ import annotations

from hypothesis import settings

# how long an example takes says how busy the machine is, not whether the code is right
settings.register_profile("any_machine", deadline=None)
settings.load_profile("any_machine")
