"""A power cut is normal use: nothing that was acknowledged is missing afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

KILLS = int(os.environ.get("REFEREE_KILLS", "60"))


def test_nothing_acknowledged_is_missing_after_kill_9_at_random_instants(tmp_path: Path) -> None:
    script = Path(__file__).with_name("kill_loop.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path), str(KILLS), "7"],
        capture_output=True,
        text=True,
        timeout=280 + KILLS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["problems"] == []
    assert said["rounds"] == KILLS
    # so that the test cannot pass on a child that never played
    assert said["acknowledged"] > KILLS
    assert said["events"] >= said["acknowledged"]
