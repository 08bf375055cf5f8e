"""Firmware bridge: lights go in, acknowledged LED frames come out; the controller's firmware and emulator.

It imports the kernel only; what is shown is decided elsewhere.  ``drivers.open_lights`` gives the sink that a
configuration asks for, ``bridge.LightsBridge`` is the one for the project's own controller.
Calibration, config, serving and the commands may enter.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("firmware_bridge", Path(__file__).with_name("texts"))
