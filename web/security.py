"""Doors and locks: response headers, CSRF, rate limits, cookies.

State changes only by POST, with a CSRF token in a header (a foreign page cannot
set one) and from our own origin.  Pages load nothing from elsewhere and run no
inline script or style.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from flask import Request, Response

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

COOKIE = "table_device"
"""How devices' cookies begin: browsers keep one jar for all ports of a machine, so each table there has a
name of its own (:func:`cookie_of`)."""
COOKIE_AGE = 60 * 60 * 24 * 90


def new_token() -> str:
    """256 random bits, URL-safe."""
    return secrets.token_urlsafe(32)


def cookie_of(folder: Path) -> str:
    """The name of the devices' cookie of the table whose private folder this is: no two tables share one."""
    return (
        f"{COOKIE}_{hashlib.sha256(str(folder.resolve()).encode(errors='surrogateescape')).hexdigest()[:8]}"
    )


def hashed(token: str) -> str:
    """What is stored of a token: its SHA-256 in hex (tokens are random, so no salt is needed)."""
    return hashlib.sha256(token.encode()).hexdigest()


def csrf_of(device_token: str) -> str:
    """The CSRF token of a device: derived from its secret cookie, useless for finding that."""
    return hmac.new(device_token.encode(), b"csrf", hashlib.sha256).hexdigest()


def same(a: str, b: str) -> bool:
    """Comparison in constant time."""
    return hmac.compare_digest(a.encode(), b.encode())


def harden(response: Response, secure: bool = True) -> Response:
    """Our headers on every response; pages and JSON are never cached, static files as ``web/files.py`` says.

    ``secure``: a secure context, by HTTPS or on this machine.  Elsewhere browsers ignore the opener
    policy and complain about it on every page (HTML standard, cross-origin opener policies).
    """
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if secure:
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def foreign_origin(request: Request) -> bool:
    """True where the browser says that another page sent this request."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = request.headers.get("Origin")
    return origin is not None and origin != request.host_url.rstrip("/")


class RateLimit:
    """A token bucket a key: ``burst`` at once, then ``per_second``.  Thread-safe, bounded memory."""

    def __init__(
        self,
        per_second: float,
        burst: float,
        *,
        keys: int = 4096,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.per_second = per_second
        self.burst = burst
        self.keys = keys
        self.clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, key: str) -> bool:
        """Take one token of ``key``; False where there is none."""
        with self._lock:
            now = self.clock()  # in here: no later than what another thread is about to note
            level, then = self._buckets.pop(key, (self.burst, now))
            level = min(self.burst, level + (now - then) * self.per_second)
            allowed = level >= 1
            self._buckets[key] = (level - 1 if allowed else level, now)
            while len(self._buckets) > self.keys:
                self._buckets.popitem(last=False)
        return allowed
