"""What is true of this table and this box: camera, tray, dice faces, LED map, box book."""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("calibration", Path(__file__).with_name("texts"))
