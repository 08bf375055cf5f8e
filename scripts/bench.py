"""Print every figure that the project claims, and write ``bench.json``.

Usage: ``python scripts/bench.py [--json] [--only PREFIX]``.  ``bench.json`` is
one flat object of name to number.  Each name is documented in the docstring of
the function that measures it.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from importlib import import_module
from pathlib import Path

# prefix of the names -> "module:function" that returns {name: number}
SOURCES = {
    "house": "house_lines:figures",
    "rules": "bench_five_armies:figures",
    "rules.wotr": "bench_war_of_the_ring:figures",
    "rules.explain": "bench_explain:figures",
    "rules.battlelore": "bench_battlelore:figures",
    "rules.mountain_king": "bench_mountain_king:figures",
    "rules.rare": "rare_states:figures",
    "rules.position": "bench_positions:figures",
    "odds": "odds_against_engine:figures",
    "web": "web.bench:figures",
    "web.draft5": "web.bench_draft:figures",
    "web.load": "web.bench_load:figures",
    "web.first_load": "web.first_load:figures",
    "web.paint": "bench_paint:figures",  # beside this file: it drives the browser of the browser tests
    "web.paint.large": "bench_paint:large_figures",
    "web.hexes": "bench_paint:hexes_figures",
    "calibration": "bench_capture:figures",
    "lights": "firmware_bridge.bench:figures",
    "dice": "vision.bench:figures",
    "dice.views": "vision.bench_views:figures",
    "dice.near": "vision.bench_near:figures",
    "dice.throws": "vision.throws_bench:figures",
    "dice.read13_instructions": "count_instructions:figures",  # beside this file: counts itself
    "tray": "vision.bench_tray:figures",
    "tray.screen": "web.bench_roll:figures",
}


def measure(only: str | None) -> tuple[dict[str, float], list[str]]:
    """All figures, and a sentence for each source that could not be measured here."""
    figures: dict[str, float] = {}
    missing: list[str] = []
    for prefix, target in SOURCES.items():
        if only and not prefix.startswith(only):
            continue
        module, function = target.split(":")
        start = time.perf_counter()
        try:
            found = getattr(import_module(module), function)()
        except FileNotFoundError as error:
            missing.append(f"{prefix}: not measured, {error}")
            continue
        figures.update(found)
        print(f"  measured {prefix} in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return figures, missing


def public_readers() -> list[str]:
    """Lines that set what public readers reach on such photographs beside our own."""
    from vision.bench import PUBLIC_READERS

    return [
        f"  public: {name:34} exact {exact:.3f}, recall {recall:.3f}, precision {precision:.3f}, {ms} ms"
        for name, exact, recall, precision, ms in PUBLIC_READERS
    ]


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--only", help="measure only the sources whose name starts so")
    parser.add_argument("--out", default="bench.json", help="where to write the figures")
    options = parser.parse_args()
    if options.only and not any(prefix.startswith(options.only) for prefix in SOURCES):
        parser.error(f"nothing is measured under {options.only!r}; there are: {', '.join(SOURCES)}")
    figures, missing = measure(options.only)
    Path(options.out).write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    if options.json:
        print(json.dumps(figures, sort_keys=True))
    else:
        print(f"{platform.machine()}, Python {platform.python_version()}")
        for name in sorted(figures):
            print(f"  {name:<44} {figures[name]:>14,.4g}")
        if "dice.read_ms" in figures:
            print("\n".join(public_readers()))
        for sentence in missing:
            print(f"  {sentence}")
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
