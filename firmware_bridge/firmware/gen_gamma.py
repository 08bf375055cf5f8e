"""Writes gamma_table.h: out = round(255 * (value / 255) ** 2.2), the display gamma of sRGB screens,

so that a colour looks on the strip as it looks on the tablet.
"""

from __future__ import annotations

import sys
from pathlib import Path


def gamma_table(exponent: float = 2.2) -> list[int]:
    """256 output levels for 256 input levels."""
    return [round(255 * (value / 255) ** exponent) for value in range(256)]


def header() -> str:
    """The text of gamma_table.h."""
    table = gamma_table()
    rows = [", ".join(f"{v:3d}" for v in table[i : i + 16]) for i in range(0, 256, 16)]
    body = ",\n    ".join(rows)
    return (
        "// Written by gen_gamma.py; do not edit.\n#pragma once\n"
        '#include <stdint.h>\n\n#include "board.h"\n\n'
        f"const uint8_t kGammaTable[256] BOARD_IN_FLASH = {{\n    {body}}};\n"
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(header(), encoding="ascii")
