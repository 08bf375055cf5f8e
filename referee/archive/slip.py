"""The match slip: one page of PDF with players, result, key moments, dice, rulings, and a signed QR code."""

from __future__ import annotations

import io
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

import segno
from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import TTFFont

from referee.archive import TEXTS
from referee.archive.happenings import by_whom, happened, left_told
from referee.archive.results import player_of, told_result
from referee.archive.slip_code import slip_code
from referee.archive.slip_fonts import Letters
from referee.archive.summary import DiceCount, ScoreChange, Summary, summarise, together
from referee.journal.events import digest_of
from referee.journal.line import left_of, line_of
from referee.journal.signing import TableKey, fingerprint
from referee.kernel.at_table import game_of
from referee.kernel.messages import said_in
from referee.kernel.naming import namer
from referee.kernel.play import Game, Outcome
from referee.kernel.seats import seats_of
from referee.store.recover import Loaded

INK = (32, 36, 42)
FAINT = (110, 116, 124)
LINE = (205, 208, 212)
BAND = (38, 62, 88)
BAR = (92, 132, 170)
PAPER = (246, 244, 239)

LEFT, RIGHT, WIDTH = 16.0, 194.0, 178.0
LONGEST_LINE = 400
"""Characters that no line has room for."""
SMALLEST = 0.7
"""How much smaller a text may get to be there whole."""
MOMENTS, RULINGS, DICE_ROWS, DICE_ROWS_RIGHT = 9, 6, 6, 4
"""How many rows each list may take, so that the slip stays one page."""


@dataclass(frozen=True)
class Slip:
    """The PDF, and what whoever hands it over should know of it (characters without a letter, cut texts)."""

    pdf: bytes
    remarks: tuple[str, ...]


def make_slip(loaded: Loaded, outcome: Outcome | None, key: TableKey, language: str) -> Slip:
    """The match slip, signed by ``key``."""
    game = game_of(loaded.header)
    slip = _Slip(loaded, game, outcome, key, language)
    page = slip.made()
    try:
        return Slip(bytes(page.output()), tuple(slip.remarks()))
    finally:
        # fpdf2 reads the fonts lazily and leaves their files open
        for font in page.fonts.values():
            if isinstance(font, TTFFont):
                font.close()


def _greatest(moments: list[ScoreChange], room: int) -> list[ScoreChange]:
    """The ``room`` greatest changes, of equal ones the latest, in the order of the game."""
    chosen = sorted(moments, key=lambda one: (abs(one.after - one.before), one.event))[-room:]
    return sorted(chosen, key=lambda one: one.event)


class _Slip:
    """Draws the page from top to bottom."""

    def __init__(
        self, loaded: Loaded, game: Game[Any], outcome: Outcome | None, key: TableKey, language: str
    ) -> None:
        self.loaded = loaded
        self.header = loaded.header
        self.game = game
        self.outcome = outcome
        self.seats = seats_of(game, loaded.header)
        self.left = left_of(line_of(loaded.events))
        self.key = key
        self.language = language
        self.names = namer(game, language)
        self.summary: Summary = summarise(loaded, language)
        self.pdf = FPDF(format="A4")
        self.pdf.set_auto_page_break(False)
        self.pdf.set_title(f"{said_in(game.title, language)} – {self.header['id']}")
        self.pdf.set_creator("Table Referee")
        self._cut = False

    def t(self, message: str, **params: Any) -> str:
        """A text of the slip."""
        return TEXTS.text(f"slip.{message}", self.language, params)

    def turn(self, number: int) -> str:
        """A turn as this game calls it, on the slip as on the tablets."""
        if self.game.messages.find("turn.title", self.language) is None:
            return self.t("turn", n=number)
        return str(self.game.messages.text("turn.title", self.language, {"turn": number}))

    def made(self) -> FPDF:
        """Draw everything."""
        self.letters = Letters(self.pdf)
        self.pdf.add_page()
        self._band()
        self._players()
        y = self._facts()
        left = self._moments(y)
        self._rulings(self._dice(y, left) + 3)
        self._foot()
        for line, remark in enumerate(self.remarks()):
            self._text(LEFT, 290 + 3 * line, remark, 6.5, colour=FAINT, width=WIDTH)
        return self.pdf

    def remarks(self) -> list[str]:
        """What is not on the slip as it was written: characters without a letter, texts without room."""
        found = []
        if self.letters.lacking:
            codes = ", ".join(f"U+{ord(one):04X}" for one in sorted(self.letters.lacking))
            found.append(self.t("no_glyph", codes=codes))
        if self._cut:
            found.append(self.t("cut"))
        return found

    # -- helpers -----------------------------------------------------------------------------------------

    def _text(
        self, x: float, y: float, text: str, size: float = 9.5, *, bold: bool = False,
        colour: tuple[int, int, int] = INK, width: float = 0, align: str = "L",
    ) -> None:  # fmt: skip
        self.pdf.set_text_color(*colour)
        room = width or RIGHT - x
        text, size = self._fitted(self.letters.shown(text), room - 1, size, bold)
        self.pdf.set_xy(x, y)
        self.pdf.cell(room, size * 0.5, text, align=align, new_x=XPos.RIGHT, new_y=YPos.TOP)

    def _fitted(self, text: str, room: float, size: float, bold: bool) -> tuple[str, float]:
        """``text`` and the size in which it fits, smaller where it must be; where that is not enough,
        as much of its beginning as fits with an ellipsis, which the slip then says (:meth:`remarks`)."""
        for smaller in (size, size * 0.9, size * 0.8, size * SMALLEST):
            self.pdf.set_font("table", "B" if bold else "", smaller)
            if len(text) <= LONGEST_LINE and self.pdf.get_string_width(text) <= room:
                return text, smaller
        self._cut = True
        count = self._most(text, room - self.pdf.get_string_width("…"))
        return text[:count].rstrip() + "…", size * SMALLEST

    def _most(self, text: str, room: float) -> int:
        """How many characters of ``text`` fit, at least one: searched by halves, as more are wider."""
        lengths = range(1, min(len(text), LONGEST_LINE) + 1)
        widths = bisect_right(lengths, room, key=lambda count: self.pdf.get_string_width(text[:count]))
        return max(1, widths)

    def _lines(self, text: str, room: float, size: float, bold: bool = False) -> list[str]:
        """``text`` in lines that fit, broken at spaces, and inside a word that is longer than a line."""
        self.pdf.set_font("table", "B" if bold else "", size)
        lines: list[str] = []
        rest = self.letters.shown(text)
        while rest:
            count = self._most(rest, room)
            if count == len(rest):
                return [*lines, rest]
            space = rest.rfind(" ", 1, count + 1)
            count = space if space > 0 else count
            lines.append(rest[:count].rstrip())
            rest = rest[count:].lstrip()
        return lines

    def _heading(self, x: float, y: float, text: str, width: float) -> float:
        self._text(x, y, text.upper(), 8, bold=True, colour=FAINT, width=width)
        self.pdf.set_draw_color(*LINE)
        self.pdf.set_line_width(0.25)
        self.pdf.line(x + 1, y + 5.2, x + width, y + 5.2)
        return y + 7

    # -- parts -------------------------------------------------------------------------------------------

    def _band(self) -> None:
        self.pdf.set_fill_color(*BAND)
        self.pdf.rect(0, 0, 210, 30, style="F")
        self._text(
            LEFT, 8, said_in(self.game.title, self.language), 20, bold=True, colour=(255, 255, 255), width=130
        )
        sub = self.t("slip") + (f" · {self.header['table']}" if self.header["table"] else "")
        self._text(LEFT, 18.5, sub, 10.5, colour=(205, 216, 228), width=130)
        self._text(
            RIGHT - 60, 9, str(self.header["created"])[:10], 10.5, colour=(205, 216, 228), width=60, align="R"
        )
        self._text(RIGHT - 60, 18.5, self.header["id"], 8.5, colour=(205, 216, 228), width=60, align="R")

    def _players(self) -> None:
        gap = 6 if len(self.seats) == 2 else 3
        width = (WIDTH - gap * (len(self.seats) - 1)) / len(self.seats)
        for place, seat in enumerate(self.seats):
            x = LEFT + place * (width + gap)
            won = self.outcome is not None and seat in self.outcome.winners
            self.pdf.set_fill_color(*(PAPER if not won else (226, 236, 226)))
            self.pdf.set_draw_color(*(LINE if not won else (70, 130, 80)))
            self.pdf.set_line_width(0.3 if not won else 0.7)
            self.pdf.rect(x, 37, width, 25, style="DF", round_corners=True, corner_radius=2.5)
            self._text(x + 3, 39.5, self.names.name(seat, "seat"), 9, colour=FAINT, width=width - 6)
            player = self.header["players"].get(seat) or "–"
            self._player_name(x + 3, player, width - 6)
            notes = [self._stands(seat, won), self.t("confirmed") if seat in self.summary.confirmed else ""]
            colour = (50, 105, 60) if won else FAINT
            if len(self.seats) == 2:
                note = " · ".join(filter(None, notes))
                self._text(x + 3, 55, note, 9, bold=won, colour=colour, width=width - 6)
                continue
            for line, note in enumerate(filter(None, notes)):
                bold = won and line == 0
                self._text(x + 3, 52.5 + 4.2 * line, note, 7.5, bold=bold, colour=colour, width=width - 5)

    def _player_name(self, x: float, name: str, width: float) -> None:
        """In large letters; a long one smaller, in two or three lines: a name is there whole."""
        if len(self.seats) == 2 and len(self._lines(name, width - 1, 15, bold=True)) == 1:
            self._text(x, 45, name, 15, bold=True, width=width)
            return
        pitch, lines = 0.0, [name]
        for size, pitch, most in ((9.5, 4.2, 2), (7, 3, 3), (5.5, 2.6, 4)):  # noqa: B007
            lines = self._lines(name, width - 1, size, bold=True)
            if len(lines) <= most:
                break
        for line, part in enumerate(lines):
            self._text(x, 43.6 + pitch * line, part, size, bold=True, width=width)

    def _stands(self, seat: str, won: bool) -> str:
        """What ``seat`` came to: winner, resigned, or its place where there is a ranking."""
        if won:
            return self.t("winner")
        if seat in self.left:
            return self.t("resigned")
        ranking = self.outcome.ranking if self.outcome is not None else ()
        before = 1
        for place in ranking:
            if seat in place:
                return self.t("place", n=before)
            before += len(place)
        return ""

    def _facts(self) -> float:
        result = told_result(self.game, self.header, self.outcome, self.language)
        self._text(LEFT, 66, result, 12, bold=True)
        facts = [
            *([self.t("tournament")] if self.header["tournament"] else []),
            self.t("turns", n=self.summary.turns),
            self.t("answers", n=self.summary.answers),
            self.t("minutes", n=self.summary.minutes),
            self.t(
                "rolls", read=self.summary.read, corrected=self.summary.corrected, typed=self.summary.typed
            ),
        ]
        taken = self.summary.kinds["take_back"]
        if taken:
            facts.append(self.t("taken_back", n=taken))
        rules = ", ".join(self.header["house_rules"])
        lines = [facts, self._watched(), [self.t("house_rules", rules=rules)] if rules else []]
        y = 73.0
        for line in filter(None, lines):
            self._text(LEFT, y, "   ·   ".join(line), 9, colour=FAINT)
            y += 5
        return y + 4

    def _watched(self) -> list[str]:
        """What was written down of the clock, and of throws that were not taken."""
        clock, facts = self.summary.clock, []
        if clock.minutes:
            left = left_told(self.game, clock.left, self.language)
            facts.append(self.t("clock", minutes=clock.minutes, left=left))
        if clock.minutes and clock.flagged:
            names = ", ".join(self.names.name(seat, "seat") for seat in self.seats if seat in clock.flagged)
            facts.append(self.t("flagged", names=names))
        if self.summary.thrown_again:
            facts.append(self.t("thrown_again", n=self.summary.thrown_again))
        return facts

    def _player(self, seat: str) -> str:
        return player_of(self.game, self.header, seat, self.language)

    def _moments(self, y: float) -> float:
        y = self._heading(LEFT, y, self.t("moments"), 84)
        moments = self.summary.moments
        shown = _greatest(moments, MOMENTS)
        if not shown:
            self._text(LEFT, y, self.t("none"), 9, colour=FAINT, width=84)
            return y + 6
        for one in shown:
            self._text(LEFT, y, self.turn(one.turn), 9, colour=FAINT, width=20)
            self._text(LEFT + 20, y, one.name, 9.5, width=44)
            self._text(LEFT + 62, y, f"{one.before} → {one.after}", 9.5, bold=True, width=22, align="R")
            y += 6
        if len(moments) > MOMENTS:
            self._text(LEFT, y, self.t("smaller", n=len(moments) - MOMENTS), 8, colour=FAINT, width=84)
            y += 6
        return y

    def _dice(self, y: float, below: float) -> float:
        """The dice of ``y`` on at the right; what finds no room there goes to the left, from ``below`` on."""
        y = self._heading(LEFT + 94, y, self.t("dice"), 84)
        rows = self.summary.dice
        if not rows:
            self._text(LEFT + 94, y, self.t("none"), 9, colour=FAINT, width=84)
        right, left = y, below + 4
        if len(rows) > DICE_ROWS:  # of many seats together, die by die
            rows = together(rows)
        for place, count in enumerate(rows[:DICE_ROWS]):
            if place < DICE_ROWS_RIGHT:
                right = self._die_row(LEFT + 94, right, count)
            else:
                left = self._die_row(LEFT, left, count)
        return max(right, left)

    def _die_row(self, x: float, y: float, count: DiceCount) -> float:
        label = self.names.name(count.die, "die")
        if count.seat and sum(one.die == count.die for one in self.summary.dice) > 1:
            label = f"{self.names.name(count.seat, 'seat')}, {label}"
        value = self._die_total(count)
        self.pdf.set_font("table", "", 9)
        room = self.pdf.get_string_width(value) + 4
        self._text(x, y, label, 9, width=84 - room)
        self._text(x + 84 - room, y, value, 9, colour=FAINT, width=room, align="R")
        faces = self.game.dice[count.die].distinct_faces
        width = 84 / len(faces)
        most = max(count.faces.values())
        for place, face in enumerate(faces):
            share = count.faces[face] / most
            left = x + 1 + place * width
            self.pdf.set_fill_color(*BAR)
            self.pdf.rect(left, y + 13 - 7 * share, width - 1.6, max(7 * share, 0.2), style="F")
            self._face(left, y + 13.4, count, face, width)
        return y + 22

    def _die_total(self, count: DiceCount) -> str:
        value = self.t("dice_total", n=count.total)
        if self.game.dice[count.die].kind != "pip":
            return value
        mean = sum(int(face) * n for face, n in count.faces.items()) / count.total
        return self.t("mean", value=value, mean=mean)

    def _face(self, x: float, y: float, count: DiceCount, face: str, width: float) -> None:
        """Under its bar: how often, and the face's name, at a slash in two lines."""
        if self.game.dice[count.die].kind == "pip":
            self._text(x - 1, y, f"{face}: {count.faces[face]}", 6.8, colour=FAINT, width=width)
            return
        self._text(x - 1, y, f"{count.faces[face]} ×", 6.8, colour=FAINT, width=width)
        for line, part in enumerate(self.names.face(count.die, face).replace("/", "/\n").split("\n")):
            self._text(x - 1, y + 2.9 + 2.4 * line, part, 6, colour=FAINT, width=width + 3)

    def _rulings(self, y: float) -> None:
        y = self._heading(LEFT, y, self.t("rulings"), WIDTH)
        rulings = self.summary.rulings
        if not rulings:
            self._text(LEFT, y, self.t("none"), 9, colour=FAINT)
        left = min(RULINGS, max(1, int((self.foot - y) // 6) - 1))
        told = 0
        for event in rulings:
            reason = str(event.answer.get("text") or event.answer.get("reason") or "")
            if event.kind == "ended":
                reason = happened(self.game, event, self.language) or reason
            if by_whom(event):
                reason = f"{reason} ({by_whom(event)})"
            lines = self._lines(reason, WIDTH - 61, 9) or [""]
            if told and len(lines) > left:
                break
            self._text(LEFT, y, self.t("event", n=event.number), 9, colour=FAINT, width=26)
            self._text(LEFT + 26, y, self.t(f"kind_{event.kind}"), 9, bold=True, width=34)
            if len(lines) > left:  # one that fills all the room there is
                lines = [*lines[: left - 1], " ".join(lines[left - 1 :])]
            for line in lines:
                self._text(LEFT + 60, y, line, 9, width=WIDTH - 60)
                y += 6
            told += 1
            left -= len(lines)
            if left <= 0:
                break
        if len(rulings) > told:
            self._text(LEFT, y, self.t("more", n=len(rulings) - told), 8, colour=FAINT)

    @property
    def foot(self) -> float:
        """Where the foot begins: higher where more than two sign."""
        return 240 if len(self.seats) == 2 else 232

    def _foot(self) -> None:
        self.pdf.set_draw_color(*LINE)
        self.pdf.line(LEFT, self.foot, RIGHT, self.foot)
        picture = io.BytesIO()
        code = slip_code(self.loaded, self.outcome, self.key)
        segno.make(code, error="m").save(picture, kind="png", scale=6, border=2)
        picture.seek(0)
        self.pdf.image(picture, LEFT, self.foot + 4, 42, 42)
        head = self.loaded.events[-1].hash if self.loaded.events else digest_of(self.header)
        rows = [
            (self.t("digest"), " ".join(head[i : i + 8] for i in range(0, 32, 8))),
            ("", " ".join(head[i : i + 8] for i in range(32, 64, 8))),
            (self.t("key"), fingerprint(self.key.public)),
            (self.t("rules"), f"{self.game.title[self.language]} {self.header['rules_version']}"),
            (self.t("software"), self.header["software"]),
        ]
        for place, (label, value) in enumerate(rows):
            self._text(LEFT + 48, self.foot + 6 + place * 6, label, 8.5, colour=FAINT, width=34)
            self._text(LEFT + 82, self.foot + 6 + place * 6, str(value), 8.5, width=WIDTH - 82)
        self._signatures()

    def _signatures(self) -> None:
        """A line for each player beside the code: two in a row, of more seats three."""
        across = 2 if len(self.seats) == 2 else 3
        width = 132 / across
        for place, seat in enumerate(self.seats):
            row, column = divmod(place, across)
            x, y = LEFT + 48 + column * width, self.foot + 41 + row * 13
            self.pdf.line(x + 1, y, x + width - 8, y)
            self._text(x, y + 1, self._player(seat), 8, colour=FAINT, width=width - 6)
