"""Calibration: what is true of this table and this box (camera, tray, dice faces, LED map, box book).

It imports vision, firmware bridge, journal and kernel; the demo does not need it.
Serving, web and the commands may enter.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("calibration", Path(__file__).with_name("texts"))
