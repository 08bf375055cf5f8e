"""The lights under the board of one table: opened for a game's board, shown, lent to the set-up pages."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from referee.config.settings import Config
from referee.kernel.at_table import layout_name
from referee.kernel.lights import Lights, lit_places
from referee.kernel.messages import Text
from referee.kernel.play import Game
from referee.serving.hosting import Device, Health

log = logging.getLogger(__name__)

Lit = tuple[Game[Any], Mapping[str, Any]]
"""A game whose board the lights show, and its options."""


class TableLights:
    """One driver at a time, opened in a thread: the emulator may have to be built first.

    ``wanted`` tells what is to be shown now, ``changed`` is called when lights came or failed to come.
    """

    def __init__(self, config: Config, wanted: Callable[[], Lights], changed: Callable[[], None]) -> None:
        self.config = config
        self.sink: Any = None
        """The driver that shows the game; None while there is none."""
        self.lent: Any = None
        """The driver that shows single LEDs meanwhile; None unless the lights are lent."""
        self._wanted = wanted
        self._changed = changed
        self._lit: Lit | None = None
        self._trouble: Device | None = None
        self._lock = threading.RLock()
        self._closing = False

    def wake(self, game: Game[Any], options: Mapping[str, Any]) -> None:
        """Open the lights of this game's board, unless they are."""
        if self._lit is not None and layout_name(*self._lit) == layout_name(game, options):
            return
        lit = self._lit = game, options
        threading.Thread(target=self._open, args=(lit,), name="open-lights", daemon=True).start()

    def _open(self, lit: Lit) -> None:
        from firmware_bridge.drivers import open_lights
        from firmware_bridge.led_map import LedMap

        section = self._section()
        try:
            led_map = None
            if "map" not in section and self.map_path().exists():
                led_map = LedMap.load(self.map_path())
            fresh = open_lights(section, lit_places(*lit), folder=self.config.folder, led_map=led_map)
        except Exception as error:  # the top of a thread: the game goes on without lights, and is told why
            log.exception("the lights could not be opened")
            self._trouble = Device("lights", "away", Text("serving.no_lights", why=error))
            return
        with self._lock:
            if self._closing or self._lit is not lit:
                fresh.close()
                return
            old, self.sink = self.sink, fresh
            self._trouble = None
        if old is not None:
            old.close()
        self.show()
        self._changed()

    def _section(self) -> dict[str, Any]:
        """``[lights]`` of the configuration."""
        return dict(self.config.lights) or {"driver": "emulator"}

    def map_path(self, layout: str = "") -> Path:
        """The map of a board's LEDs that was made here; ``map`` in ``[lights]`` goes before it.

        ``layout``: the board's name (:func:`referee.kernel.at_table.layout_name`); "": that of the lights.
        """
        if not layout and self._lit is not None:
            layout = layout_name(*self._lit)
        return self.config.data_folder / f"led_map-{layout}.toml"

    def lend(self, led_map: Any) -> Callable[[Any], object]:
        """The lights, LED by LED, until they are given back; gives what shows a picture."""
        from firmware_bridge.drivers import open_lights

        with self._lock:
            if self.sink is not None:
                self.sink.close()
                self.sink = None
            if self.lent is not None:
                self.lent.close()
            lent = self.lent = open_lights(self._section(), folder=self.config.folder, led_map=led_map)
            return lent.show

    def give_back(self) -> None:
        """Show the game again, by the newest map."""
        with self._lock:
            if self.lent is not None:
                self.lent.close()
                self.lent = None
            lit, self._lit = self._lit, None
        if lit is not None:
            self.wake(*lit)

    def show(self) -> None:
        """Show what is wanted now."""
        if self.sink is not None:
            self.sink.show(self._wanted())

    def device(self) -> Device | None:
        """How the lights are; None while nobody knows yet."""
        if self.sink is None:
            return self._trouble
        status = self.sink.status()
        health: Health = "ok" if status.working else "away"
        if status.power_limited or status.state.name == "POOR":
            health = "warn"
        return Device("lights", health, status.words.both)

    def close(self) -> None:
        """Dark; whatever is still being opened is closed at once."""
        with self._lock:
            self._closing = True
            for sink in (self.sink, self.lent):
                if sink is not None:
                    sink.close()
