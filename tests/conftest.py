"""Makes ``tests/`` importable (``import toy_game``)."""
