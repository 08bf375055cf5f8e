"""WebKitGTK, the engine nearest to the tablets' Safari.  Needs ``webkit2gtk-driver`` and ``xvfb``."""

from __future__ import annotations

import os
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from driving import Seat
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

DRIVER = shutil.which("WebKitWebDriver")
XVFB = shutil.which("Xvfb")
MINIBROWSER = next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), reverse=True)), None)
LISTEN = """
const noted = window.problemsNoted ||= [];
addEventListener('error', (event) => noted.push(`error: ${event.message} ${event.filename}:${event.lineno}`));
addEventListener('unhandledrejection', (event) => noted.push(`rejection: ${event.reason}`));
addEventListener('securitypolicyviolation', (event) => noted.push(`policy: ${event.violatedDirective}`));
for (const kind of ['error', 'warn']) {
  const say = console[kind];
  console[kind] = (...words) => { noted.push(`${kind}: ${words.join(' ')}`); say.apply(console, words); };
}
"""
SOFTWARE = {"WEBKIT_SKIA_ENABLE_CPU_RENDERING": "1"}
"""There is no graphics card, and what stands in for one (Mesa's llvmpipe) crashes once in some hundred pages
when several threads draw: WebKit's own painter draws everything."""
DESKTOP = "[Settings]\ngtk-enable-animations=0\n"
"""What moves is painted anew by the processor, frame by frame: pages are still, as some people want them."""
PAGE_LOAD_S = 60
"""A page that takes longer hangs, and with it the browser."""
TOOLBAR = 38
"""Height of MiniBrowser's toolbar in pixels."""


class WebKitSeat(Seat):
    """A seat whose browser speaks no Chrome protocol: sizes are window sizes.

    Its console is not read: WebKitWebDriver (2.50) has no log command and refuses ``webSocketUrl`` ("Failed
    to match capabilities"), so there is no BiDi either, and MiniBrowser prints nothing even with
    ``--enable-write-console-messages-to-stdout=true``.  What goes wrong in the page once a seat sits there
    (errors that nobody caught, console errors and warnings) is therefore noted in the page itself.
    """

    engine = "webkit"

    def __init__(self, open_anew: Callable[[], Any]) -> None:
        super().__init__(open_anew())
        self.open_anew = open_anew
        self.suspect = False
        """Whether a test failed with it: it may hang, so the next one gets another."""

    @property
    def lives(self) -> bool:
        """Whether there is still a browser.  That of Debian 13 (2.54.3) dies now and then where a server is
        killed while it waits for it: its network process meets memory that it gave back."""
        try:
            return bool(self.driver.window_handles)
        except WebDriverException:
            return False

    def size(self, width: int, height: int) -> None:
        self.driver.set_window_rect(0, 0, width, height + TOOLBAR)

    def theme(self, name: str) -> None:
        self.wanted_theme = name
        self.dress()

    def dress(self) -> None:
        """The theme lies in the page here: it is set anew after each load."""
        self.driver.execute_script("document.documentElement.dataset.theme = arguments[0]", self.wanted_theme)

    def still(self, wanted: bool = True) -> None:
        """WebKit asks the desktop, which prefers reduced motion always (:data:`DESKTOP`)."""

    def cdp(self, command: str, data: dict[str, Any]) -> Any:
        raise NotImplementedError(command)

    def forget(self) -> None:
        """An empty page: each test's table has a port, so a storage, of its own, and knows no old cookie."""
        if self.suspect or not self.lives:
            self.quit()
            self.driver = self.open_anew()
            self.suspect = False
        self.leave()
        self.known = None
        self.taps = 0
        self.expected = []
        self.wanted_theme = "light"

    def sit(self, table: Any, seat: str, language: str, size: tuple[int, int]) -> None:
        super().sit(table, seat, language, size)
        self.driver.execute_script(LISTEN)

    def sit_by_hand(self, table: Any, seat: str, language: str, size: tuple[int, int]) -> None:
        super().sit_by_hand(table, seat, language, size)
        self.driver.execute_script(LISTEN)

    def bring_cookie(self, url: str, name: str, value: str) -> None:
        self.driver.get(f"{url}/static/icon.svg")  # a cookie is given on one of its own pages
        # as the table gives it: WebKitWebDriver 2.54 drops one that does not say to which sites it goes
        self.driver.add_cookie({"name": name, "value": value, "path": "/", "sameSite": "Lax"})

    def leave(self) -> None:
        if not self.suspect and self.lives:
            super().leave()

    def quit(self) -> None:
        """Close the browser, or what is left of it: one that hangs listens to nobody."""
        if self.suspect:
            subprocess.run(["pkill", "-KILL", "-P", str(self.driver.service.process.pid)], check=False)
        with suppress(WebDriverException):
            self.driver.quit()
        self.driver.service.stop()

    def problems(self) -> list[str]:
        """What the page noted since it was loaded (``sit``) last."""
        if self.suspect or not self.lives:
            return []
        noted = self.driver.execute_script("return window.problemsNoted || []")
        return [str(line) for line in noted if not any(text in line for text in self.expected)]


def missing() -> str:
    """What is not installed, in a sentence; "" where all is there."""
    lacking = [
        name for name, found in (("webkit2gtk-driver", DRIVER and MINIBROWSER), ("xvfb", XVFB)) if not found
    ]
    return f"not installed: {', '.join(lacking)} (scripts/system_packages.sh)" if lacking else ""


@contextmanager
def screen() -> Iterator[str]:
    """A display that nobody sees."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        [str(XVFB), "-displayfd", str(writer), "-screen", "0", "1600x1400x24", "-nolisten", "tcp"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as told:
        number = told.readline().strip()
    assert number, "Xvfb did not start"
    try:
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(10)


def open_webkit(display: str, home: Path) -> WebKitSeat:
    """A fresh MiniBrowser on ``display``, with ``home`` for what its desktop prefers."""
    options = Options()
    options.binary_location = str(MINIBROWSER)
    options.add_argument("--automation")
    (home / "gtk-3.0").mkdir(parents=True, exist_ok=True)
    (home / "gtk-3.0" / "settings.ini").write_text(DESKTOP, encoding="utf-8")
    desktop = {"DISPLAY": display, "XDG_CONFIG_HOME": str(home), "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"}
    environment = {**os.environ, **SOFTWARE, **desktop}

    def open_anew() -> webdriver.WebKitGTK:
        service = Service(executable_path=str(DRIVER), env=environment)
        with warnings.catch_warnings():
            # selenium's own driver for WebKitGTK still uses what selenium has deprecated
            warnings.filterwarnings("ignore", "setting remote_server_addr", DeprecationWarning)
            driver = webdriver.WebKitGTK(options=options, service=service)
        driver.set_page_load_timeout(PAGE_LOAD_S)
        return driver

    return WebKitSeat(open_anew)
