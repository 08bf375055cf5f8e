"""What ``referee serve`` puts together: the house of one table with its devices.

This is the composition root, the one part of ``referee/`` that knows the other rooms by name.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("serving", Path(__file__).with_name("texts"))
