"""Near, small and slanted dice: read, or asked about in words; never a pip for a die without a question."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.bench import Label, wrong_without_reason
from vision.bench_views import VIEWS
from vision.detect import DetectedCentre, _with_near
from vision.imagefile import read_image
from vision.messages import unsure
from vision.reader import DiceReader, square
from vision.reading import DiceReading, Die
from vision.second_look import HALF_TURN, QUARTER_TURNS, another_face, counterpart, look_turned
from vision.sides import is_side_of

NEAR = Path(__file__).resolve().parents[3] / "shared" / "cases" / "dice_near"
EVEN = np.full(6, 1 / 6, np.float32)


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


def _die(value: int, edge: int) -> np.ndarray:
    """A white die with black pips, each with a lamp in it, from above on green cloth."""
    side = int(2.2 * edge)
    image = np.full((side, side, 3), (70, 110, 60), np.uint8)
    image += np.random.default_rng(value).integers(0, 12, image.shape, dtype=np.uint8)
    middle, half = side / 2, edge / 2
    at = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "035268"}[value]
    corner, r = int(middle - half), max(2, edge // 9)
    cv2.rectangle(image, (corner + r, corner), (corner + edge - r, corner + edge), (225, 232, 235), -1)
    cv2.rectangle(image, (corner, corner + r), (corner + edge, corner + edge - r), (225, 232, 235), -1)
    for x, y in ((r, r), (edge - r, r), (r, edge - r), (edge - r, edge - r)):
        cv2.circle(image, (corner + x, corner + y), r, (225, 232, 235), -1, cv2.LINE_AA)
    for k in map(int, at):
        x, y = (int(middle + (c - 1) * 0.26 * edge) for c in (k % 3, k // 3))
        cv2.circle(image, (x, y), int(0.095 * edge), (25, 25, 28), -1, cv2.LINE_AA)
        cv2.circle(
            image, (x + edge // 60, y - edge // 60), max(1, edge // 45), (240, 240, 240), -1, cv2.LINE_AA
        )
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


@pytest.mark.parametrize(("edge", "value"), [(60, 5), (140, 2), (240, 5), (400, 2), (500, 5)])
def test_a_near_die_is_read_and_its_pips_are_no_dice(reader: DiceReader, edge: int, value: int) -> None:
    reading = reader.read(_die(value, edge))
    assert [d.face for d in reading.dice] == [str(value)], reading.reasons


@pytest.mark.photographs
@pytest.mark.parametrize("name", ["dice78_true2_260px", "dice78_true2_320px", "dice80_true4_320px"])
def test_near_dice_of_photographs_are_read(reader: DiceReader, name: str) -> None:
    path = NEAR / f"damiantab_{name}.png"
    if not path.is_file():
        pytest.skip("no near dice in ../shared/cases beside the checkout")
    reading = reader.read(read_image(path))
    assert [d.face for d in reading.dice] == [name.split("true")[1][0]]


def test_small_dice_of_a_large_picture_are_read(reader: DiceReader) -> None:
    die = cv2.resize(_die(5, 60), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)  # 30 pixels of 2,000
    picture = np.full((1500, 2000, 3), die[:4].reshape(-1, 3).mean(0).astype(np.uint8), np.uint8)
    picture += np.random.default_rng(1).integers(0, 12, picture.shape, dtype=np.uint8)
    h, w = die.shape[:2]
    picture[700 : 700 + h, 900 : 900 + w] = die
    assert [d.face for d in reader.read(picture).dice] == ["5"]


def test_dice_of_very_few_pixels_are_called_too_small(reader: DiceReader) -> None:
    picture = cv2.resize(_die(4, 60), None, fx=14 / 60, fy=14 / 60, interpolation=cv2.INTER_AREA)
    picture = cv2.copyMakeBorder(picture, 90, 90, 140, 140, cv2.BORDER_REFLECT_101)
    reading = reader.read(picture)
    assert reading.status != "ok" or reading.dice == ()


def _found(x: float, y: float, edge: float, heat: float, shown: float = 0.0) -> DetectedCentre:
    return DetectedCentre(x, y, edge, heat, True, EVEN, either=heat, shown=shown or edge)


def test_a_near_face_hides_its_pips_but_not_the_dice_of_a_group() -> None:
    pips = [_found(80, 80, 45, 0.4), _found(160, 160, 45, 0.45)]
    near = _found(120, 120, 200, 0.7, shown=50)
    kept = _with_near(pips, [near])
    assert kept == [near] and list(kept[0].parts) == pips
    group = [_found(80, 80, 45, 0.9), _found(160, 160, 45, 0.85)]
    assert _with_near(group, [_found(120, 120, 200, 0.5, shown=50)]) == group


def _two_faces(gap: int) -> np.ndarray:
    """An upper face and, below it, a darker one of the same body; ``gap`` rows of table between them."""
    image = np.full((200, 120, 3), (60, 90, 60), np.uint8)
    image[20:80, 30:90] = (40, 40, 200)
    image[80 + gap : 140 + gap, 30:90] = (30, 30, 150)
    return image


def test_faces_that_share_an_edge_are_of_one_die() -> None:
    upper, lower = _found(60, 50, 60, 0.6), _found(60, 108, 60, 0.5)
    assert is_side_of(_two_faces(0), lower, upper)
    assert not is_side_of(_two_faces(0), upper, lower)
    assert not is_side_of(_two_faces(6), _found(60, 114, 60, 0.5), upper)
    assert not is_side_of(_two_faces(0), _found(60, 130, 60, 0.5), upper)


def test_finds_of_two_looks_are_of_one_face_where_they_lie_together() -> None:
    first = _found(100, 100, 40, 0.5)
    near, far = _found(108, 95, 38, 0.3), _found(130, 100, 40, 0.9)
    assert counterpart(first, [far, near]) is near
    assert counterpart(first, [far]) is None


@pytest.mark.parametrize("turn", [HALF_TURN, *QUARTER_TURNS])
def test_what_a_turned_picture_shows_lies_where_it_lies_in_the_picture(turn: int) -> None:
    picture = np.zeros((90, 140, 3), np.uint8)
    picture[20, 105] = 255

    class Brightest:
        def find_at(self, image: np.ndarray, scale: float) -> list[DetectedCentre]:
            y, x = np.unravel_index(image[..., 0].argmax(), image.shape[:2])
            return [_found(float(x), float(y), 30, 0.8)]

    (found,) = look_turned(Brightest(), picture, [30.0], turn)  # type: ignore[arg-type]
    assert (found.x, found.y) == (105, 20)


def test_another_face_of_a_die_is_one_that_belongs_to_no_other() -> None:
    first, side, other = _found(100, 100, 40, 0.4), _found(100, 130, 40, 0.5), _found(142, 100, 40, 0.9)
    assert another_face(first, [side], [other])
    assert not another_face(first, [other], [other])
    assert not another_face(first, [_found(100, 130, 40, 0.2)], [other])
    assert not another_face(first, [side], [_found(102, 132, 40, 0.6)])


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_a_derived_view_keeps_the_picture_and_changes_it(name: str) -> None:
    picture = _die(3, 260)
    view = VIEWS[name](picture)
    assert view.dtype == np.uint8 and view.ndim == 3
    assert max(view.shape[:2]) == min(480, 572) if name == "shrunk" else view.shape == picture.shape
    assert view.shape != picture.shape or not np.array_equal(view, picture)


def _read(*dice: tuple[int, float, bool], status: str = "ask") -> DiceReading:
    """A reading of dice (face, x, asked about) along a line, 40 pixels large."""
    seen = tuple(Die("d6", str(f), "white", square((x, 50), 40, 0), 0.9) for f, x, _ in dice)
    why = tuple(unsure(d.quad, "5", "6") for d, (_, _, asked) in zip(seen, dice, strict=True) if asked)
    return DiceReading(status, seen, why)  # type: ignore[arg-type]


def _label(*dice: tuple[int, float], places: bool = True) -> Label:
    boxes = tuple((float(v), x - 20, 30.0, x + 20, 70.0) for v, x in dice) if places else ()
    return Label("x.jpg", "", tuple(sorted(v for v, _ in dice)), boxes, True)


@pytest.mark.parametrize("places", [True, False])
def test_wrong_dice_count_unless_a_reason_points_at_them(places: bool) -> None:
    label = _label((3, 50), (5, 150), places=places)
    assert wrong_without_reason(label, _read((3, 50, False), (5, 150, True))) == 0
    assert wrong_without_reason(label, _read((3, 50, True), (4, 150, False))) == 1
    assert wrong_without_reason(label, _read((3, 50, False), (4, 150, True))) == 0
    assert wrong_without_reason(label, _read((3, 50, False))) == 1  # missed
    assert wrong_without_reason(label, _read((3, 50, False), (5, 150, False), (1, 300, False))) == 1
    assert wrong_without_reason(label, _read((4, 50, False), (6, 150, False), status="refused")) == 0
