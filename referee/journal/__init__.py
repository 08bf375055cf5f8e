"""The journal: events, the line of play, standing matters, undo, signing.

A pure fold of events: no disk, no prints, no devices.  It imports the kernel only.
Whoever reads or writes a record (store, hall, archive) may enter.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("journal", Path(__file__).with_name("texts"))
