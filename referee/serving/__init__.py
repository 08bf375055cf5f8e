"""Serving: what a running table puts together (camera, lights, health, backups, certificates).

It imports every room below it, and is with the commands the only one that joins rooms by name.
Web and the commands may enter.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("serving", Path(__file__).with_name("texts"))
