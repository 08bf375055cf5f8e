"""Sheets of paper in true size: what the marker sheets and the LED plan have in common."""

from __future__ import annotations

from fpdf import FPDF

from referee.kernel.messages import Text

MARGIN_MM = 10.0
CHECK_MM = 100.0
BLACK, GREY, WHITE = 0, 150, 255


class Sheets(FPDF):
    """A PDF measured in millimetres, whose pages break only where they are told to."""

    def __init__(self, title: str, size: str | tuple[float, float] = "A4") -> None:
        super().__init__(unit="mm", format=size)
        self.set_auto_page_break(False)
        self.set_margin(0)
        self.set_title(title)
        self.set_creator("Table Referee")
        self.set_font("Helvetica", size=9)

    def words(self, x: float, y: float, text: str, size: float = 9) -> None:
        """One line of text, its baseline at y; what Latin-1 lacks becomes a question mark."""
        self.set_font_size(size)
        self.set_text_color(BLACK)
        self.text(x, y, text.encode("latin-1", "replace").decode("latin-1"))

    def check_line(self, x: float, y: float, language: str) -> None:
        """A line that must measure 100 mm, or the printer has changed the size."""
        self.set_draw_color(BLACK)
        self.set_line_width(0.3)
        self.line(x, y, x + CHECK_MM, y)
        for end in (x, x + CHECK_MM):
            self.line(end, y - 2, end, y + 2)
        self.words(
            x,
            y + 5,
            Text("calibration.check_line").in_words(language),
        )

    def cut_marks(self, x: float, y: float, w: float, h: float, length: float = 3.0) -> None:
        """Short lines outside of the corners of what is cut out."""
        self.set_draw_color(GREY)
        self.set_line_width(0.15)
        for cx, way_x in ((x, -1), (x + w, 1)):
            for cy, way_y in ((y, -1), (y + h, 1)):
                self.line(cx + way_x, cy, cx + way_x * length, cy)
                self.line(cx, cy + way_y, cx, cy + way_y * length)
