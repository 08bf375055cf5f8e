"""Keeping memory flat over a long evening, and the search for garbage short.

The C library gives threads memory pools of their own, up to eight a core.  Reading
dice needs large pictures for moments, in ever other threads, and each pool keeps the
most that it ever held: over an evening that looks like a leak.  Two pools are enough
here, as the threads mostly wait.
"""

from __future__ import annotations

import ctypes
import gc
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


def keep_for_good() -> None:
    """What is loaded now stays for long: searches for garbage pass it over from here on.

    A whole search through the 100,000 objects of rules, screens and record holds up every thread for 60 ms,
    once in some hundred taps.  What has become garbage since the last call is let go first.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
