"""Makes ``tests/`` importable (``import toy_game``)."""

from hypothesis import settings

# an example that takes longer than a moment is no fault of the code on a busy machine
settings.register_profile("busy", deadline=None)
settings.load_profile("busy")
