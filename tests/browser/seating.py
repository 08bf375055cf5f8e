"""A device takes a seat without a browser: the requests of the start page, and the cookie that they give."""

from __future__ import annotations

import http.cookies
import json
import ssl
import urllib.request
from typing import Any

from web.security import csrf_of

Cookie = tuple[str, str]
"""Name and value."""


def take_seat(url: str, seat: str, language: str, known: Cookie | None = None) -> Cookie:
    """Sit down at the table at ``url``, as the device that is ``known`` or as a new one; gives its cookie."""
    given = _asked(f"{url}/", known)[1]
    cookie = given or known
    assert cookie is not None
    _asked(f"{url}/api/language", cookie, {"language": language, "who": ""})
    said, _ = _asked(f"{url}/api/sit", cookie, {"seat": seat})
    assert json.loads(said)["state"] == "taken", said
    return cookie


def _asked(
    url: str, cookie: Cookie | None, data: dict[str, Any] | None = None
) -> tuple[bytes, Cookie | None]:
    """What is answered, and the cookie that comes with it."""
    request = urllib.request.Request(url, None if data is None else json.dumps(data).encode())
    if cookie is not None:
        request.add_header("Cookie", "=".join(cookie))
    if data is not None:
        assert cookie is not None
        request.add_header("Content-Type", "application/json")
        request.add_header("X-CSRF-Token", csrf_of(cookie[1]))
    # whether a certificate is to be trusted is nothing that sitting down decides
    trust = ssl._create_unverified_context() if url.startswith("https") else None
    with urllib.request.urlopen(request, timeout=60, context=trust) as answer:
        jar = http.cookies.SimpleCookie(answer.headers.get("Set-Cookie", ""))
        return answer.read(), next(((name, one.value) for name, one in jar.items()), None)
