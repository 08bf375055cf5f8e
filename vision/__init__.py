"""Vision: a frame goes in, a reading of the dice comes out; sources, tray, dice, faces, virtual trays.

It imports the kernel only and knows no game's rules: types of dice and how many to expect are given.
Calibration, config, serving, web and the commands may enter.
"""

import os
from pathlib import Path

from referee.kernel.messages import register

# small products of matrices are quicker on one thread, and the table's other work needs the rest
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

TEXTS = register("vision", Path(__file__).with_name("texts"))
