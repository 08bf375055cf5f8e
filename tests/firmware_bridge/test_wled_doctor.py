"""What the doctor asks a WLED, and what it says of the answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from light_stand_ins import WledHttpServer, WledUsb

from firmware_bridge.checks import Check, CheckResult
from firmware_bridge.doctor import doctor_checks

PLACES = [f"r{n}" for n in range(89)]


@pytest.fixture
def server() -> Iterator[WledHttpServer]:
    it = WledHttpServer(89)
    yield it
    it.close()


def checks(driver: str, **section: Any) -> dict[str, Check]:
    found = doctor_checks({"driver": driver, "budget_ma": 2000} | section, PLACES)
    for check in found:
        assert check.sentence_de != check.sentence_en
        assert check.verdict is CheckResult.OK or (check.way_out and check.way_out.in_words("de"))
    return {check.name: check for check in found}


@pytest.mark.parametrize("driver", ["wled-ddp", "wled-http"])
def test_a_wled_that_fits(server: WledHttpServer, driver: str) -> None:
    found = checks(driver, address=server.address)
    assert {name: check.verdict for name, check in found.items()} == dict.fromkeys(
        ("wled", "leds", "power"), CheckResult.OK
    )
    assert "0.14.0" in found["wled"].sentence_en and "89" in found["leds"].sentence_en


def test_a_wled_over_a_cable_is_asked_too() -> None:
    device = WledUsb(89)
    found = checks("wled-serial", port=device.port)
    device.unplug()
    assert {check.verdict for check in found.values()} == {CheckResult.OK}


@pytest.mark.parametrize(
    ("change", "name", "verdict", "words"),
    [
        ({"pixels": [(0, 0, 0)] * 30}, "leds", CheckResult.FAIL, "30 LEDs, the board needs 89"),
        ({"limiter_ma": 0}, "power", CheckResult.WARN, "limiter is off"),
        ({"limiter_ma": 9000}, "power", CheckResult.WARN, "9000 mA"),
        ({"segments": 3}, "segments", CheckResult.WARN, "3 segments"),
    ],
)
def test_what_does_not_fit_is_named(
    server: WledHttpServer, change: dict[str, Any], name: str, verdict: CheckResult, words: str
) -> None:
    for key, value in change.items():
        setattr(server.wled, key, value)
    check = checks("wled-ddp", address=server.address)[name]
    assert check.verdict is verdict and words in check.sentence_en


def test_an_old_wled_and_something_else_are_told(server: WledHttpServer) -> None:
    info = server.wled.info
    server.wled.info = lambda: info() | {"ver": "0.10.2"}  # type: ignore[method-assign]
    assert checks("wled-ddp", address=server.address)["wled"].verdict is CheckResult.WARN
    server.wled.info = lambda: {"brand": "Toaster"}  # type: ignore[method-assign]
    assert checks("wled-ddp", address=server.address)["wled"].verdict is CheckResult.FAIL


def test_a_wled_that_is_not_there() -> None:
    (check,) = checks("wled-ddp", address="http://127.0.0.1:9").values()
    assert check.verdict is CheckResult.FAIL and "browser" in str(check.way_out)
