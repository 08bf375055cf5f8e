"""What the browser does for a tap, counted: elements styled, boxes laid out, tiles painted.  Counts depend on
the page alone and never on how busy the machine is, so tests may ask for them (Chromium's own tracing)."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from driving import Seat
from websocket import create_connection  # selenium's own way to the browser

CATEGORIES = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.invalidationTracking",
    "disabled-by-default-devtools.timeline.frame",
]


@dataclass
class Work:
    """Counts of one trace."""

    styled: int = 0
    """Elements whose style was reckoned."""
    laid_out: int = 0
    """Boxes that were laid out."""
    tiles: int = 0
    """Tiles (of 256 pixels square) that were painted."""
    drawing: int = 0
    """Shapes of drawings that were laid out."""
    frames: int = 0
    """Frames that were put together from their layers."""
    events: list[dict[str, Any]] = field(default_factory=list)

    def add(self, event: dict[str, Any]) -> None:
        """Count one event of the trace."""
        name, args = event["name"], event.get("args", {})
        if name == "UpdateLayoutTree" and event["ph"] == "X":
            self.styled += int(args.get("elementCount", 0))
        elif name == "Layout" and event["ph"] == "X":
            self.laid_out += int(args["beginData"]["dirtyObjects"])
        elif name == "RasterTask":
            self.tiles += 1
        elif name == "DrawFrame":
            self.frames += 1
        elif name == "LayoutInvalidationTracking":
            self.drawing += "SVG" in str(args["data"].get("reason"))


class _Line:
    """The browser's own debugging line."""

    def __init__(self, seat: Seat) -> None:
        place = seat.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{place}/json/version", timeout=10) as answer:
            url = json.load(answer)["webSocketDebuggerUrl"]
        self.socket = create_connection(url, timeout=60, suppress_origin=True)
        self.count = 0

    def send(self, method: str, **params: Any) -> None:
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))

    def until(self, method: str, id_: int = 0) -> Iterator[dict[str, Any]]:
        """Messages up to this one."""
        while True:
            message = json.loads(self.socket.recv())
            yield message
            if message.get("method") == method or (id_ and message.get("id") == id_):
                return


@contextmanager
def traced(seat: Seat, but_first: float = 0.0) -> Iterator[Work]:
    """Counts what this browser does within the block; the counts are there after it.

    ``but_first``: so many seconds are not counted, since a trace that begins may have the page painted anew.
    """
    line, work = _Line(seat), Work()
    line.send("Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": CATEGORIES})
    list(line.until("", line.count))
    try:
        yield work
    finally:
        line.send("Tracing.end")
        for message in line.until("Tracing.tracingComplete"):
            if message.get("method") == "Tracing.dataCollected":
                work.events += message["params"]["value"]
        line.socket.close()
    begun = min((event["ts"] for event in work.events if event.get("ts")), default=0)
    for event in work.events:
        if event.get("ts", 0) >= begun + 1_000_000 * but_first:
            work.add(event)
