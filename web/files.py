"""Static files under an address that holds their version: ``/static/v-<version>/js/game.js``.

A browser keeps what it was sent so and never asks again, since other files have another address.  Scripts
import each other by relative addresses, so that a page is of one version from its first script to its last.
By any other address (none, or the version of a page from before an update) it is the file that is there
now, asked for anew each time: a table updated in place never shows half of an old page.
"""

from __future__ import annotations

import hashlib
import threading
import time
from pathlib import Path

from flask import Flask, Response, request, send_from_directory

PREFIX = "/static/"
LASTING = "private, max-age=31536000, immutable"
"""RFC 9111 and RFC 8246: a year, and never asked about meanwhile.  A proxy, which would keep a cookie too,
keeps nothing."""
LOOK_EVERY_S = 1.0
"""Whether files were changed is looked up so often at most: each page has some seventy."""

Stamp = tuple[int, int]
"""What tells that a file was changed: nanoseconds of its last change, and its size in bytes."""


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


class StaticFiles:
    """The static files of a folder and what version they are.  Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._stamps: dict[str, Stamp] = {}
        self._version = "unknown"
        self._looked = -LOOK_EVERY_S

    def version(self) -> str:
        """Twelve hexadecimal digits that are others once a file is another."""
        with self._lock:
            if time.monotonic() - self._looked >= LOOK_EVERY_S:
                self._look()
            return self._version

    def _look(self) -> None:
        try:
            paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
            stamps = {path.relative_to(self.folder).as_posix(): _stamp(path) for path in paths}
            if stamps != self._stamps:
                digest = hashlib.sha256()
                for name in stamps:
                    content = (self.folder / name).read_bytes()
                    digest.update(f"{name} {len(content)}\n".encode() + content)
                self._stamps, self._version = stamps, digest.hexdigest()[:12]
        except OSError:
            return  # a file is being replaced just now: looked at again for the next request
        self._looked = time.monotonic()

    def address(self, name: str) -> str:
        """Where a page finds the file ``name`` ("js/game.js")."""
        return f"{PREFIX}v-{self.version()}/{name}"

    def lasts(self, path: str) -> bool:
        """Whether what is sent by this address may be kept: it is of the version that is named there."""
        version, _, name = path.removeprefix(f"{PREFIX}v-").partition("/")
        if version != self.version():
            return False
        try:
            return self._stamps.get(name) == _stamp(self.folder / name)
        except OSError:
            return False


def serve_files(app: Flask) -> StaticFiles:
    """Serves the app's static files by their version too; templates get that address by ``static``."""
    files = StaticFiles(Path(str(app.static_folder)))

    def versioned(version: str, name: str) -> Response:
        return send_from_directory(files.folder, name)

    def for_how_long(response: Response) -> Response:
        if request.path.startswith(PREFIX):
            lasts = response.status_code in (200, 206, 304) and files.lasts(request.path)
            response.headers["Cache-Control"] = LASTING if lasts else "no-cache"
        return response

    app.add_url_rule(f"{PREFIX}v-<version>/<path:name>", "versioned", versioned)
    app.after_request(for_how_long)
    app.context_processor(lambda: {"static": files.address})
    return files
