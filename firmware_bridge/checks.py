"""One line of the doctor: what was looked at, how it is, and the way out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One check with its sentence and, where something is wrong, a way out."""

    name: str
    verdict: Verdict
    sentence_en: str
    sentence_de: str
    way_out_en: str = ""
    way_out_de: str = ""
