"""Keeping memory flat over a long evening.

The C library gives threads memory pools of their own, up to eight a core.  Reading
dice needs large pictures for moments, in ever other threads, and each pool keeps the
most that it ever held: over an evening that looks like a leak.  Two pools are enough
here, as the threads mostly wait.
"""

from __future__ import annotations

import ctypes
import logging

log = logging.getLogger(__name__)

M_ARENA_MAX = -8
"""The parameter's number in glibc's malloc.h; see mallopt(3)."""
POOLS = 2


def few_pools(library: str | None = None) -> bool:
    """Limit the pools of this process; False where the C library has no such thing (musl, macOS)."""
    try:
        mallopt = ctypes.CDLL(library).mallopt
    except (OSError, AttributeError):
        log.info("this C library does not limit its memory pools")
        return False
    return bool(mallopt(M_ARENA_MAX, POOLS))
