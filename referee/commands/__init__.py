"""Every command of ``referee``, thin: options in, a call of another room, text out.

It may import every room; nobody imports it but ``referee.cli``.
Modules are loaded when their command is called.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("commands", Path(__file__).with_name("texts"))
