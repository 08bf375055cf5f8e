"""A quarter of an hour of the evening in the suite; the whole of it is ``python tests/soak/evening.py``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HOURS = os.environ.get("REFEREE_SOAK_HOURS", "0.5")


@pytest.mark.timeout(7200)
def test_an_evening_with_faults_of_camera_wire_network_and_browsers_ends_in_the_right_position() -> None:
    script = Path(__file__).with_name("evening.py")
    command = [sys.executable, str(script), "--hours", HOURS, "--seed", "4", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    said = json.loads(done.stdout)
    assert said["problems"] == []
    assert done.returncode == 0
    assert said["taps"] > 20
    kinds = {fault.split()[0] for fault in said["faults"]}
    assert kinds == {"camera", "serial", "network", "browser", "power"}
