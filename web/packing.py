"""Files and large answers are packed on the wire (gzip): a tablet in a weak network gets its page sooner.

Only what holds no secret is packed: static files, words, boards.  Snapshots and pages bear names and tokens,
and what is packed together with words of a stranger can be guessed by its length (BREACH, CVE-2013-3587).
"""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict

from flask import Request, Response

OPEN = ("/static/", "/i18n/", "/api/board", "/api/setup/board/", "/api/learn")
"""Where answers hold nothing but what everybody may know."""
TEXTS = ("text/", "application/json", "application/javascript", "image/svg+xml")
WORTH = 600
"""Bytes from which packing is worth its work."""
KEPT = 160
"""Packed answers that are kept: all static files, words and boards of one table."""


class Packer:
    """Packs answers and keeps what it packed by its validator.  Thread-safe."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def pack(self, request: Request, response: Response) -> Response:
        """The response packed, where it is open, worth it, and the browser takes it."""
        if not request.path.startswith(OPEN) or not (response.mimetype or "").startswith(TEXTS):
            return response
        response.vary.add("Accept-Encoding")
        etag, _ = response.get_etag()
        if etag is None or response.status_code != 200 or request.method == "HEAD":
            return response
        if not request.accept_encodings.quality("gzip") or "Content-Range" in response.headers:
            return response
        response.direct_passthrough = False  # a file is sent in pieces otherwise
        data = response.get_data()
        if len(data) < WORTH:
            return response
        response.set_data(self._packed(f"{request.path} {etag}", data))
        response.content_encoding = "gzip"
        response.set_etag(etag, weak=True)  # the same words in other bytes
        return response

    def _packed(self, key: str, data: bytes) -> bytes:
        with self._lock:
            found = self._kept.pop(key, None)
        if found is None:
            found = gzip.compress(data, 9, mtime=0)
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found
