"""Take the pictures of the documentation from the running product.

Usage: ``python scripts/take_pictures.py [FOLDER]`` (default ``docs/pictures``).
Starts ``referee serve --virtual``, sits down twice in Chromium and plays by the
virtual dice until each picture has come up.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
# the rooms before tests/vision
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / part) for part in ("browser", "web", ""))]

from driving import Seat, open_browser  # noqa: E402  (a module of the browser tests)
from fake_devices import Bench  # noqa: E402
from tables import RunningTable, free_port  # noqa: E402

from calibration.workbench import Workbench  # noqa: E402

WIDE, TALL = (1180, 820), (820, 1180)
BIG_SCREEN = (1920, 1080)
BIG = {"ring_table": "dark", "combat": "light"}
"""Moments that are taken on the big screen, too, and in which colours."""
LINES = {"sections": "fifth"}
OPTIONS = {
    "battlelore": {"scenario": "own_03", "box": LINES},
    "battlelore_lore": {"scenario": "own_06", "box": LINES},
    "battlelore_fight": {"scenario": "own_04", "box": LINES},
}
"""What a picture's game is begun with."""
EVENING = ("battlelore_lore",)
"""Pictures of a tall tablet in the evening."""
SETTLES_S = 4
"""Until a board is painted and its names are placed, on a slow machine."""
PATIENCE_S = 600


class Photographer:
    """Two seats at one table, and what has been photographed so far."""

    def __init__(self, url: str, folder: Path, profiles: Path) -> None:
        self.folder = folder
        self.taken: set[str] = set()
        table: Any = SimpleNamespace(url=url)
        self.free = open_browser(profiles / "free")
        self.shadow = open_browser(profiles / "shadow")
        self.shadow.theme("dark")
        self.free.size(*WIDE)
        self.free.driver.get(url)
        if self.free.language() != "en":
            self.free.tap("language-en")
            self.free.until(lambda: self.free.language() == "en")
        self.free.until(lambda: self.free.find('[data-key="new-game"], [data-key="game-five_armies"]'))
        if self.free.find('[data-key="game-five_armies"]'):
            self.free.tap("game-five_armies")
        self.free.tap("new-game")
        self.free.until(lambda: self.free.find('[data-key="sit-free"]'))
        self.free.sit(table, "free", "en", WIDE)
        self.shadow.sit(table, "shadow", "de", TALL)

    def shot(self, seat: Seat, name: str) -> None:
        """Save one screen, once."""
        if name in self.taken:
            return
        time.sleep(0.8)  # animations end
        self.taken.add(name)
        save(seat, self.folder / f"{name}.png")

    def look(self, seat: Seat, wide: bool) -> None:
        """Photograph what is on screen if it is wanted."""
        if seat.find("#learn [data-key]") and "learning" not in self.taken:
            seat.tap("learn-open")
            self.shot(seat, "learning")
        if "learning" in self.taken and seat.find('#learn [data-key="learn-off"]'):
            seat.tap("learn-off")
        if seat.find('#ask [data-key="accept"]:not(:disabled)') and seat.find(".tray .photo"):
            self.shot(seat, "dice")
        if seat.find(".focus") and seat.find("#ask .option"):
            self.shot(seat, "combat")
        if seat.find(".hit.can") and seat.find('#ask [data-key="back"]') and seat.find(".dice-left"):
            self.shot(seat, "table" if wide else "portrait")

    def play(self, wanted: set[str]) -> None:
        """Do whatever is sensible until all wanted pictures are taken."""
        end = time.monotonic() + PATIENCE_S
        while not wanted <= self.taken:
            if time.monotonic() > end:
                raise SystemExit(f"not seen in time: {', '.join(sorted(wanted - self.taken))}")
            for seat, wide in ((self.free, True), (self.shadow, False)):
                self.look(seat, wide)
                self.settle(seat, seat.sensible(), wide)

    def settle(self, seat: Seat, done: str, wide: bool) -> None:
        """Wait for what follows a tap; thrown dice need their time to be drawn and read."""
        if done != "throw":
            time.sleep(0.25)
            return
        for _ in range(60):
            time.sleep(0.25)
            if seat.find('#ask [data-key="accept"]:not(:disabled)'):
                self.look(seat, wide)
                return

    def virtual_table(self, url: str) -> None:
        """The tray and the LEDs of a table without hardware."""
        self.free.size(*WIDE)
        self.free.driver.get(f"{url}/virtual")
        self.free.until(lambda: self.free.find(".bead") and self.free.find(".wrongs button"))
        time.sleep(SETTLES_S)
        save(self.free, self.folder / "virtual_table.png")

    def close(self) -> None:
        """Close both browsers."""
        self.free.driver.quit()
        self.shadow.driver.quit()


def main() -> None:
    """Serve, play, photograph."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    with tempfile.TemporaryDirectory() as place:
        command = [str(Path(sys.executable).with_name("referee")), "serve", "--virtual"]
        server = subprocess.Popen([*command, "--port", str(port), "--data", f"{place}/data"])
        try:
            wait_for(f"http://localhost:{port}/")
            photographer = Photographer(f"http://localhost:{port}", folder, Path(place))
            try:
                photographer.play({"table", "dice", "portrait", "learning"})
                photographer.virtual_table(f"http://localhost:{port}")
            finally:
                photographer.close()
        finally:
            server.terminate()
            server.wait(20)
    take_the_others(folder)
    take_the_editor(folder)


VIVID = 24
"""Colours kept for small things: banners, lamps, marks."""


def save(seat: Seat, path: Path) -> None:
    """Write what is on a screen; 256 colours are enough for it."""
    seat.driver.save_screenshot(str(path))
    with Image.open(path) as picture:
        whole = picture.convert("RGB")
    palette = Image.new("P", (1, 1))
    ground = whole.quantize(256 - VIVID, dither=Image.Dither.NONE).getpalette() or []
    palette.putpalette([*ground[: 3 * (256 - VIVID)], *(part for one in vivid(whole) for part in one)])
    whole.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path.name, path.stat().st_size // 1024, "kB")


def vivid(picture: Image.Image) -> list[tuple[int, int, int]]:
    """The commonest strong colours, each unlike the others: a palette by area alone would lose them."""
    found: list[tuple[int, int, int]] = []
    colours: Any = picture.getcolors(1 << 24)
    for _, colour in sorted(colours, reverse=True):
        apart = all(sum((a - b) ** 2 for a, b in zip(colour, one, strict=True)) > 900 for one in found)
        if max(colour) - min(colour) > 60 and apart:
            found.append(colour)
        if len(found) == VIVID:
            break
    return found


def take_the_others(folder: Path) -> None:
    """The other games at moments of random games: an army's way, a Hunt tile, a unit's hexes."""
    with tempfile.TemporaryDirectory() as place:
        seat = open_browser(Path(place) / "ring")
        for game, prompt, side, seed, name in (
            ("war_of_the_ring", "choose_destination", "free", 5, "ring_table"),
            ("war_of_the_ring", "draw_tile", "shadow", 3, "ring_tile"),
            ("battlelore", "move_to", "", 5, "battlelore"),
            ("battlelore", "take_lore", "", 3, "battlelore_lore"),
            ("battlelore", "ignore_flags", "", 3, "battlelore_fight"),
            ("mountain_king", "prompt.advance", "", 2, "mountain_king"),
            ("five_armies", "break_off", "", 7, "combat"),
        ):
            table = RunningTable(Path(place) / name, game, until=prompt, seed=seed, options=OPTIONS.get(name))
            running = table.hall.table
            assert running is not None
            seat.forget()
            seat.sit(table, side or running.asked_seats[0], "en", WIDE)
            time.sleep(SETTLES_S)
            if seat.find('#learn [data-key="learn-off"]'):
                seat.tap("learn-off")
                time.sleep(0.8)
            if name in EVENING:
                seat.theme("dark")
                seat.size(*TALL)
                time.sleep(SETTLES_S)
            save(seat, folder / f"{name}.png")
            seat.theme("light")
            if name == "combat":
                seat.tap("odds")
                seat.until(lambda: seat.find("[data-odds]"))
                save(seat, folder / "odds.png")
            if name in BIG:
                seat.theme(BIG[name])
                seat.size(*BIG_SCREEN)
                seat.driver.get(f"{table.url}/watch?language=en")
                seat.until(lambda: seat.find(".board .place-name") or seat.find(".fights .focus"))
                time.sleep(SETTLES_S)
                save(seat, folder / f"big_screen_{BIG[name]}.png")
                seat.theme("light")
            seat.driver.get("about:blank")
            table.close()
        seat.driver.quit()


def take_the_editor(folder: Path) -> None:
    """The editor of battles with a shipped battle, a unit in the hand; and its sheet."""
    with tempfile.TemporaryDirectory() as place:
        table = RunningTable(Path(place) / "battles", "battlelore")
        bench = Bench(Path(place) / "bench")
        table.hall.workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
        making = table.game.battles
        shelf = table.hall.workbench.battles(table.game)  # type: ignore[attr-defined]
        data = {**table.game.new_state({"scenario": "own_03"}).field.data, "sections": "inward"}
        shelf.take_in(making.write(data))
        seat = open_browser(Path(place) / "editor")
        seat.sit(table, "south", "en", WIDE)
        seat.driver.get(f"{table.url}/setup/battles")
        seat.until(lambda: seat.find('.hit[data-place="e7"]') and seat.find("[data-stack]"))
        seat.tap_place("c5")
        time.sleep(1.5)
        save(seat, folder / "battlelore_editor.png")
        seat.driver.quit()
        table.close()


def wait_for(url: str) -> None:
    """Until the table answers."""
    for _ in range(120):
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise SystemExit("the table did not start")


if __name__ == "__main__":
    main()
