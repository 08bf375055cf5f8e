"""The few kinds of request a flow can make, and how each checks an answer.

Answers are plain JSON values made of short readable ids, so that the record
can be read by a person:

=================  ==============================================================
``ChooseOne``      one of ``options`` (a string)
``Report``         the same, but reports what a physical draw or card showed
``ChooseSome``     ``{item: count}``, counts above 0
``RollDice``       ``{die type: [face, ...]}``, one face a die
``ChooseSecretly`` ``{seat: answer to that seat's own request}``
=================  ==============================================================

Refused candidates are computed only when somebody looks (``candidates``); a bot
that plays at random never pays for them.
"""

from referee.kernel.requests.choices import BoxQuestion, ChooseOne, ChooseSome, Report
from referee.kernel.requests.forced import Forced, unless_forced
from referee.kernel.requests.request import Counts, Notes, Refused, Request
from referee.kernel.requests.rolls import RollDice
from referee.kernel.requests.secret import ChooseSecretly, same_question

__all__ = [
    "BoxQuestion",
    "ChooseOne",
    "ChooseSecretly",
    "ChooseSome",
    "Counts",
    "Forced",
    "Notes",
    "Refused",
    "Report",
    "Request",
    "RollDice",
    "same_question",
    "unless_forced",
]
