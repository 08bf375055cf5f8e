"""The configuration of a table: one TOML file, every key with a default.

It imports the kernel, and late the two rooms whose sections it checks (lights, tray).
Store, serving and the commands may enter.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("config", Path(__file__).with_name("texts"))
