"""How the lights are: states with words, never exceptions that cross rooms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from referee.kernel.lights import Lights


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
class Words:
    """A sentence and a way out, in both languages; {detail} is filled in."""

    sentence_en: str
    sentence_de: str
    way_out_en: str = ""
    way_out_de: str = ""


WORDS: Mapping[LinkState, Words] = {
    LinkState.SEARCHING: Words(
        "No light controller is connected.",
        "Keine Lichtsteuerung angeschlossen.",
        "Plug in its USB cable; the game goes on without lights.",
        "USB-Kabel einstecken; das Spiel geht ohne Lichter weiter.",
    ),
    LinkState.FORBIDDEN: Words(
        "The port {detail} may not be opened by this user.",
        "Der Anschluss {detail} darf von diesem Benutzer nicht geöffnet werden.",
        "Run `referee lights doctor`: it prints the udev rule and the group command.",
        "`referee lights doctor` aufrufen: es zeigt die udev-Regel und den Gruppenbefehl.",
    ),
    LinkState.BUSY: Words(
        "Another program has the light controller open: {detail}.",
        "Ein anderes Programm hält die Lichtsteuerung offen: {detail}.",
        "Close that program; the lights come back by themselves.",
        "Dieses Programm schließen; die Lichter kommen von selbst wieder.",
    ),
    LinkState.CONNECTING: Words(
        "Talking to the light controller for the first time.",
        "Erster Kontakt mit der Lichtsteuerung.",
    ),
    LinkState.SILENT: Words(
        "The port {detail} is there, but no light controller answers.",
        "Der Anschluss {detail} ist da, aber keine Lichtsteuerung antwortet.",
        "Check that the firmware is flashed and the cable carries data.",
        "Prüfen, ob die Firmware aufgespielt ist und das Kabel Daten überträgt.",
    ),
    LinkState.WRONG_VERSION: Words(
        "The light controller speaks another version of the protocol.",
        "Die Lichtsteuerung spricht eine andere Protokollversion.",
        "Flash the firmware that belongs to this program (docs/build/flashing.md).",
        "Die Firmware aufspielen, die zu diesem Programm gehört (docs/build/flashing.md).",
    ),
    LinkState.READY: Words("The lights are connected.", "Die Lichter sind verbunden."),
    LinkState.POOR: Words(
        "The line to the lights is disturbed: {detail} of frames need a second try.",
        "Die Leitung zu den Lichtern ist gestört: {detail} der Nachrichten brauchen einen zweiten Versuch.",
        "Use a shorter USB cable, keep it away from the power supply, check the common ground.",
        "Kürzeres USB-Kabel nehmen, vom Netzteil fernhalten, gemeinsame Masse prüfen.",
    ),
    LinkState.OFF: Words(
        "The lights are switched off in the configuration.",
        "Die Lichter sind in der Konfiguration abgeschaltet.",
    ),
    LinkState.CLOSED: Words("The lights are closed.", "Die Lichter sind geschlossen."),
}


DIMMED = Words(
    "The lights are connected, and dimmed to stay within the power budget.",
    "Die Lichter sind verbunden und gedimmt, damit der Stromrahmen eingehalten wird.",
    "Where the supply can give more, raise budget_ma (docs/build/power.md).",
    "Kann das Netzteil mehr liefern, budget_ma erhöhen (docs/build/power.md).",
)
"""For READY while the budget is at work."""


@dataclass(frozen=True, slots=True)
class LightsStatus:
    """A snapshot for the screens.

    `wanted` and `acknowledged` are numbers that `show` gave out; latencies in
    milliseconds from `show` to the acknowledged frame; `counters` by name.
    """

    state: LinkState
    sentence_en: str
    sentence_de: str
    way_out_en: str = ""
    way_out_de: str = ""
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


def words_for(state: LinkState, detail: str = "") -> Words:
    """The words of a state with its detail filled in."""
    words = WORDS[state]
    return Words(
        words.sentence_en.format(detail=detail),
        words.sentence_de.format(detail=detail),
        words.way_out_en,
        words.way_out_de,
    )


class LightsSink(Protocol):
    """Where lights go: the own controller, other people's, a terminal, or nowhere."""

    def show(self, lights: Lights) -> int:
        """Show this picture as soon as possible; returns its number; never blocks or raises."""

    def status(self) -> LightsStatus:
        """How things stand; never blocks."""

    def close(self) -> None:
        """Dark, and the hardware let go."""
