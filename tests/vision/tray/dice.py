"""Die types that the tests throw: those of the bench."""

from __future__ import annotations

from vision.throws_bench import THROWN as TYPES

__all__ = ["TYPES"]
