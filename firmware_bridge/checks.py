"""One line of the doctor: what was looked at, how it is, and the way out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.kernel.messages import Text
from referee.kernel.said import Said


class CheckResult(Enum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check(Said):
    """One check with its sentence and, where something is wrong, a way out."""

    name: str
    verdict: CheckResult
    text: Text
    way_out: Text | None = None
