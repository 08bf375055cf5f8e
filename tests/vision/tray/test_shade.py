"""Hard shadows across faces, faint finds beside a told roll, halves of dice, and networks fed one by one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

import vision.trayreader as trayreader
from tests.vision.tray.dice import TYPES
from vision.faces.pose import ABOVE, planes
from vision.faces.shade import unshaded
from vision.faces.templates import correlate, template
from vision.network import load
from vision.trayreader import TrayReader
from vision.trayscan import TrayScan, _above_others
from vision.virtual.tray import VirtualTray


def face(shade: float, angle: float, offset: float) -> np.ndarray:
    """A light face with a dark drawing; what lies beyond a line is so much darker."""
    crop = np.full((48, 48, 3), (170, 205, 215), np.uint8)
    cv2.fillPoly(crop, [np.array([[14, 32], [33, 34], [26, 13]])], (40, 60, 160), cv2.LINE_AA)
    y, x = np.mgrid[:48, :48] - 23.5
    beyond = np.cos(angle) * x + np.sin(angle) * y > offset
    return np.where(beyond[..., None], crop * shade, crop).astype(np.uint8)


@pytest.mark.parametrize(("angle", "offset"), [(0.0, 3.0), (0.8, -6.0), (1.6, 0.0), (2.5, 8.0)])
def test_a_shadow_that_ends_on_a_face_is_taken_off(angle: float, offset: float) -> None:
    bare, shaded = face(1.0, angle, offset), face(0.45, angle, offset)
    lit = unshaded(shaded)
    assert lit is not None
    inner = (slice(6, -6), slice(6, -6))
    before, after = (np.abs(v[inner].astype(float) - bare[inner]).mean() for v in (shaded, lit))
    assert after < 0.25 * before
    like = correlate(lit, {"x": template([bare])})["x"].both
    assert like > 0.9 and like > correlate(shaded, {"x": template([bare])})["x"].both


def test_an_even_face_has_no_shadow() -> None:
    assert unshaded(face(1.0, 0.0, 0.0)) is None
    assert unshaded(face(0.9, 0.7, 2.0)) is None  # too faint to matter
    noise = np.random.default_rng(1).integers(60, 200, (48, 48, 3), np.uint8)
    assert unshaded(noise) is None


def test_networks_answer_one_by_one_as_all_at_once() -> None:
    rng = np.random.default_rng(4)
    crops = rng.integers(0, 255, (3, ABOVE.side, ABOVE.side, 3), np.uint8)
    inputs = planes(crops, rng.normal(0, 0.5, (3, 2)).astype(np.float32), ABOVE)
    net = load(ABOVE.weights)
    assert np.allclose(net.each(inputs), net.run(inputs), atol=1e-3)
    assert net.each(inputs[:0]).shape[0] == 0


def test_what_looks_faintly_like_a_die_is_no_matter_where_all_are_there(
    reader: TrayReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fifth find on the cloth, faint, or smeared; or one of the four."""
    image = VirtualTray(TYPES, 2).throw({"combat_white": 2, "action_a": 2}, 11, "wall")
    seen, told = trayreader.look(image), {"combat_white": 2, "action_a": 2}
    first = seen.dice[0]

    def with_one_more(**changes: float) -> TrayScan:
        return replace(seen, dice=(*seen.dice, replace(first, found=replace(first.found, **changes))))

    for changes in ({"score": 0.13}, {"die": 0.6}, {"blurred": 0.9}):
        monkeypatch.setattr(trayreader, "look", lambda *_, c=changes: with_one_more(**c))
        assert reader.read(image, told).status == "ok", changes
        assert reader.read(image).status != "ok", changes  # nobody said how many there are
    monkeypatch.setattr(trayreader, "look", lambda *_: with_one_more())
    assert {r.code for r in reader.read(image, told).reasons} == {"wrong_count"}
    smeared = replace(seen, dice=(replace(first, found=replace(first.found, blurred=0.9)), *seen.dice[1:]))
    monkeypatch.setattr(trayreader, "look", lambda *_: smeared)
    assert reader.read(image, told).status == "refused"


def test_a_single_pip_on_what_may_be_half_a_die_is_asked_about(
    reader: TrayReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = VirtualTray(TYPES, 4, "diffuse", "grey_felt").show("combat_black", "1", 5)
    seen = trayreader.look(image)
    (die,) = seen.dice
    assert reader.read(image).status == "ok"
    for changes in ({"die": 0.9}, {"covered": 0.4}, {"score": 0.4}):
        half = replace(seen, dice=(replace(die, found=replace(die.found, **changes)),))
        monkeypatch.setattr(trayreader, "look", lambda *_, h=half: h)
        assert reader.read(image).status == "ask", changes


def test_where_all_dice_look_raised_none_is(reader: TrayReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under some lamps every die looks as if it lay on another; a die that does alone is named."""
    image = VirtualTray(TYPES, 2).throw({"combat_white": 2, "action_a": 2}, 11, "wall")
    dice = trayreader.look(image).dice

    def raised(*chances: float) -> list[float]:
        them = [replace(s, found=replace(s.found, raised=c)) for s, c in zip(dice, chances, strict=True)]
        return [s.found.raised for s in _above_others(them)]

    assert max(raised(0.9, 0.9, 0.9, 0.9)) < 0.1
    alone = raised(0.95, 0.01, 0.02, 0.01)
    assert alone[0] > 0.94 and max(alone[1:]) < 0.03
    assert _above_others(()) == ()
