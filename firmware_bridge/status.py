"""How the lights are: states with words, never exceptions that cross rooms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from referee.kernel.lights import Lights
from referee.kernel.messages import Text, joined
from referee.kernel.said import Said


class LinkState(Enum):
    """What the bridge is doing."""

    SEARCHING = "searching"
    FORBIDDEN = "forbidden"
    BUSY = "busy"
    CONNECTING = "connecting"
    SILENT = "silent"
    WRONG_VERSION = "wrong_version"
    READY = "ready"
    POOR = "poor"
    OFF = "off"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class StatusSentence(Said):
    """A sentence, and a way out where something is wrong."""

    text: Text
    way_out: Text | None = None

    @property
    def both(self) -> Text:
        """The sentence and the way out."""
        return self.text if self.way_out is None else joined((self.text, self.way_out))


WITH_WAY_OUT = frozenset(
    {
        LinkState.SEARCHING,
        LinkState.FORBIDDEN,
        LinkState.BUSY,
        LinkState.SILENT,
        LinkState.WRONG_VERSION,
        LinkState.POOR,
    }
)
"""States in which a person can do something: ``firmware_bridge.do_*`` beside ``firmware_bridge.state_*``."""

DIMMED = StatusSentence(Text("firmware_bridge.state_dimmed"), Text("firmware_bridge.do_dimmed"))
"""For READY while the budget is at work."""


@dataclass(frozen=True, slots=True)
class LightsStatus:
    """A snapshot for the screens.

    `wanted` and `acknowledged` are numbers that `show` gave out; latencies in
    milliseconds from `show` to the acknowledged frame; `counters` by name.
    """

    state: LinkState
    words: StatusSentence
    port: str = ""
    firmware: str = ""
    leds: int = 0
    wanted: int = 0
    acknowledged: int = 0
    last_ack_ms: float | None = None
    quality: float = 1.0
    power_limited: bool = False
    counters: Mapping[str, int] = field(default_factory=dict)

    @property
    def working(self) -> bool:
        """Whether what `show` is given reaches LEDs (or is not meant to)."""
        return self.state in (LinkState.READY, LinkState.POOR, LinkState.OFF)


def words_for(state: LinkState, detail: str = "") -> StatusSentence:
    """The words of a state with its detail filled in."""
    way_out = Text(f"firmware_bridge.do_{state.value}") if state in WITH_WAY_OUT else None
    return StatusSentence(Text(f"firmware_bridge.state_{state.value}", detail=detail), way_out)


class LightsSink(Protocol):
    """Where lights go: the own controller, other people's, a terminal, or nowhere."""

    def show(self, lights: Lights) -> int:
        """Show this picture as soon as possible; returns its number; never blocks or raises."""

    def status(self) -> LightsStatus:
        """How things stand; never blocks."""

    def close(self) -> None:
        """Dark, and the hardware let go."""
