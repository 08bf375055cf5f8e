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
    longest, middle = max(took), sorted(took)[len(took) // 2]
    print(
        f"stops {len(took)}, median end {middle:.2f} s, longest end {longest:.2f} s (at most {LONGEST_S:.0f})"
    )
    return 0 if longest <= LONGEST_S else 1


if __name__ == "__main__":
    sys.exit(main())
