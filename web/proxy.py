"""A reverse proxy in front of the table, for HTTPS with a name of one's own: whose word is believed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from werkzeug.middleware.proxy_fix import ProxyFix

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def behind(application: WSGIApplication, proxy: str) -> WSGIApplication:
    """``application`` behind the proxy at the address ``proxy``.

    Of what comes from there X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are believed, one value
    each (the last, which the proxy itself wrote).  From everybody else they mean nothing: who could write
    them could pass for another address, or for the table's own page.
    """
    believed = ProxyFix(application, x_for=1, x_proto=1, x_host=1)

    def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        chosen: Any = believed if environ.get("REMOTE_ADDR") == proxy else application
        answer: Iterable[bytes] = chosen(environ, start_response)
        return answer

    return serve
