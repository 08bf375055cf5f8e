"""Stops of a real table by bursts of signals at random instants; the longest end is printed.

    python tests/soak/stopping.py [--bursts 200] [--seed 0]

Each burst is three to twelve stop signals within half a second, at a random instant of start or play.
Exit code 0 only where each table closed everything and none took longer than :data:`LONGEST_S`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stop_bursts import burst

LONGEST_S = 5.0
TOLD_EVERY = 20


def main() -> int:
    """Burst, count, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bursts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    took: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.bursts):
            took.append(burst(options.seed + number, Path(folder) / str(number)))
            if len(took) % TOLD_EVERY == 0:
                print(told(took), flush=True)
    print(told(took))
    return 0 if max(took) <= LONGEST_S else 1


def told(took: list[float]) -> str:
    """The ends so far, in a line."""
    middle = sorted(took)[len(took) // 2]
    return (
        f"stops {len(took)}, median end {middle:.2f} s, longest end {max(took):.2f} s"
        f" (at most {LONGEST_S:.0f})"
    )


if __name__ == "__main__":
    sys.exit(main())
