"""The kit: what every game does in the same way (state, story, cards by hand, action dice, forms).

It imports the kernel only, and knows no game.
Games may enter, and nobody else.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("kit", Path(__file__).with_name("texts"))
