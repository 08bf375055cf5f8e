"""Faces that a table was taught: examples per die type and face, kept in one small file per box.

A face is known by its examples.  A new face is compared with the examples' embeddings; the comparison that
counts is with the nearest few, so that one bad example does no harm.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from referee.kernel.files import write_whole
from vision.faces.colour import features
from vision.faces.describe import FACE_SHARE, SIZE, Description, describe
from vision.faces.glare import veiled
from vision.faces.templates import Bank, Likeness, blazing_outline, clear_outline, template

SCHEMA = 1


class Known(NamedTuple):
    """When a face is known: where its likeness, and its lead before any other face of its type, pass one of
    these pairs.  ``embedded`` is the weight of the embedding's similarity beside that to the template."""

    pairs: tuple[tuple[float, float], ...]
    embedded: float


# Faces left out of teaching reached at most 0.80 (99 of 100: 0.77), with leads of 0.15 only rarely.
KNOWN = Known(((0.70, 0.13), (0.80, 0.08)), 1.0)
# Of a veiled face where all faces of its type were taught: a mirrored lamp harms the template more
KNOWN_IN_GLARE = Known(((0.66, 0.10), (0.75, 0.05)), 2.0)
# Nor is a face known that is less like both its examples and its template; 3 of 1,000 right ones are
EXAMPLE_LIKE, TEMPLATE_LIKE = 0.84, 0.80
ALIKE = 0.06  # by how much the embedding may prefer another face than the one whose outline is clear
PLAIN_FACE = 0.05  # ink of a face with nothing on it (0.01 to 0.03; the faintest drawing seen had 0.08)
NEAREST = 3  # how many of a face's examples speak for it
LIT = 6  # examples of a face that are also kept as a mirrored lamp would show them
MAX_EXAMPLES = 60  # per face; the oldest corrections make way


@dataclass
class FaceExamples:
    """Examples of one face: crops (N x 48 x 48 x 3, BGR) and body reflectances (N x 3, BGR, linear)."""

    crops: list[np.ndarray] = field(default_factory=list)
    bodies: list[np.ndarray] = field(default_factory=list)
    vectors: list[np.ndarray] = field(default_factory=list)  # embeddings, several a crop


@dataclass(frozen=True)
class Compared:
    """A face beside the taught faces of one type: likeness to their templates and to their examples, what of
    both, and of its lead, makes it known, and how like its examples it must be at ``least`` unless it is very
    like its template."""

    near: Mapping[str, Likeness]
    similar: Mapping[str, float]
    known: Known = KNOWN
    least: float = EXAMPLE_LIKE

    @property
    def alike(self) -> dict[str, float]:
        """How alike it is to each taught face (-1 to 1): template and embedding, which err differently."""
        weight = self.known.embedded
        return {f: (v.both + weight * self.similar.get(f, 0.0)) / (1 + weight) for f, v in self.near.items()}


def is_known(face: str, compared: Compared) -> bool:
    """Whether a face is like its examples, and clearly more so than like any other face of its type."""
    near, similar = compared.near, compared.similar
    if similar[face] < compared.least and near[face].both < TEMPLATE_LIKE:
        return False
    alike = compared.alike
    lead = alike[face] - max((v for f, v in alike.items() if f != face), default=-1.0)
    if any(alike[face] > least and lead > ahead for least, ahead in compared.known.pairs):
        return True
    if blazing_outline(face, near):
        return True
    best = max(similar.values(), default=-1.0)
    return clear_outline(face, near) and similar.get(face, -1.0) > best - ALIKE


def variants(crop: np.ndarray) -> np.ndarray:
    """A crop in its four quarter turns, each once as it is and once a little off: 8 x 48 x 48 x 3."""
    out = []
    for quarter in range(4):
        for angle, scale, dx, dy in ((0.0, 1.0, 0.0, 0.0), (2.5, 0.98, 0.8, -0.6)):
            m = cv2.getRotationMatrix2D(((SIZE - 1) / 2, (SIZE - 1) / 2), 90.0 * quarter + angle, scale)
            m[:, 2] += np.array([dx, dy])
            out.append(
                cv2.warpAffine(crop, m, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            )
    return np.stack(out)


def _embedded(crops: Sequence[np.ndarray]) -> np.ndarray:
    """Embeddings of the variants of crops, one after the other."""
    return np.stack([d.embedding for d in describe(np.concatenate([variants(c) for c in crops]))])


class TaughtFaces:
    """Examples of the faces of one box's dice.  Not safe for several writers at once."""

    def __init__(self) -> None:
        self._faces: dict[str, dict[str, FaceExamples]] = {}
        self._matrices: dict[tuple[str, bool], tuple[list[str], np.ndarray, np.ndarray]] = {}
        self._banks: dict[tuple[str, bool], Bank] = {}
        self._bodies: dict[str, np.ndarray | None] = {}
        self._body_features: dict[str, np.ndarray | None] = {}
        self._plain: dict[str, bool] = {}

    def types(self) -> list[str]:
        """Die types with at least one example."""
        return sorted(self._faces)

    def faces(self, die_type: str) -> dict[str, int]:
        """How many examples each face of a type has."""
        return {face: len(e.crops) for face, e in self._faces.get(die_type, {}).items()}

    def add(self, die_type: str, face: str, crop: np.ndarray, body: np.ndarray) -> None:
        """Add one example: a crop as the reader cuts it (48 x 48 x 3, BGR) and its body's reflectance."""
        examples = self._faces.setdefault(die_type, {}).setdefault(face, FaceExamples())
        examples.crops.append(crop.astype(np.uint8))
        examples.bodies.append(np.asarray(body, np.float32))
        examples.vectors.append(np.stack([d.embedding for d in describe(variants(crop))]))
        if len(examples.crops) > MAX_EXAMPLES:
            for part in (examples.crops, examples.bodies, examples.vectors):
                del part[0]
        self._changed(die_type)

    def forget(self, die_type: str) -> None:
        """Drop all examples of a type (before teaching it anew)."""
        self._faces.pop(die_type, None)
        self._changed(die_type)

    def _changed(self, die_type: str) -> None:
        for glare in (False, True):
            self._matrices.pop((die_type, glare), None)
            self._banks.pop((die_type, glare), None)
        self._bodies.pop(die_type, None)
        self._body_features.pop(die_type, None)
        self._plain.pop(die_type, None)

    def correlation(self, die_type: str, crop: np.ndarray, glare: bool = False) -> dict[str, Likeness]:
        """Likeness of a crop to the template of each taught face of a type.

        In ``glare``, also to what the examples would be with a lamp mirrored in them: the better one counts.
        """
        plain = self._bank(die_type, False).correlate(crop)
        if not glare:
            return plain
        lit = self._bank(die_type, True).correlate(crop)
        return {face: max(v, lit[face], key=lambda one: one.both) for face, v in plain.items()}

    def _bank(self, die_type: str, glare: bool) -> Bank:
        if (die_type, glare) not in self._banks:
            crops = {face: self._crops(e, glare) for face, e in self._faces.get(die_type, {}).items()}
            self._banks[die_type, glare] = Bank({face: template(c) for face, c in crops.items()}, glare)
        return self._banks[die_type, glare]

    @staticmethod
    def _crops(examples: FaceExamples, glare: bool) -> list[np.ndarray]:
        """The examples as they are, or the newest of them as a lamp mirrored in them would show them."""
        return [veiled(crop) for crop in examples.crops[-LIT:]] if glare else examples.crops

    def body(self, die_type: str) -> np.ndarray | None:
        """Median body reflectance of a type (BGR, linear), None where it has no examples."""
        if die_type not in self._bodies:
            bodies = [b for e in self._faces.get(die_type, {}).values() for b in e.bodies]
            self._bodies[die_type] = np.median(np.stack(bodies), axis=0) if bodies else None
        return self._bodies[die_type]

    def body_features(self, die_type: str) -> np.ndarray | None:
        """Features of ``body``; None where it has no examples."""
        if die_type not in self._body_features:
            learned = self.body(die_type)
            self._body_features[die_type] = None if learned is None else features(learned)
        return self._body_features[die_type]

    def is_plain(self, die_type: str) -> bool:
        """Whether a type has one face only, with nothing on it: cubes that their colour tells apart."""
        faces = list(self._faces.get(die_type, {}).values())
        if die_type not in self._plain:
            plain = len(faces) == 1 and float(np.median([ink(c) for c in faces[0].crops])) < PLAIN_FACE
            self._plain[die_type] = plain
        return self._plain[die_type]

    def _matrix(self, die_type: str, glare: bool) -> tuple[list[str], np.ndarray, np.ndarray]:
        if (die_type, glare) not in self._matrices:
            faces = sorted(self._faces.get(die_type, {}))
            vectors = [np.concatenate(self._faces[die_type][f].vectors) for f in faces]
            if glare:
                vectors = [_embedded(self._crops(self._faces[die_type][f], True)) for f in faces]
            ends = np.cumsum([0, *(len(v) for v in vectors)])
            stacked = np.concatenate(vectors) if vectors else np.zeros((0, 64), np.float32)
            self._matrices[die_type, glare] = (faces, stacked, ends)
        return self._matrices[die_type, glare]

    def similarity(
        self,
        die_type: str,
        seen: Description,
        without: tuple[str, int] | None = None,
        glare: bool = False,
    ) -> dict[str, float]:
        """Likeness (-1 to 1) of a face to each taught face of a type: mean of the nearest few examples.

        ``without`` (face, number) leaves one example out, for the self-test.  In ``glare``, also to what the
        examples would be with a lamp mirrored in them: the better one counts.
        """
        if glare:
            plain, lit = (self._nearest(die_type, seen, None, which) for which in (False, True))
            return {face: max(v, lit[face]) for face, v in plain.items()}
        return self._nearest(die_type, seen, without, False)

    def _nearest(
        self, die_type: str, seen: Description, without: tuple[str, int] | None, glare: bool
    ) -> dict[str, float]:
        faces, vectors, ends = self._matrix(die_type, glare)
        if not faces:
            return {}
        near = vectors @ seen.embedding
        result = {}
        for k, face in enumerate(faces):
            mine = near[ends[k] : ends[k + 1]]
            if without is not None and without[0] == face:
                each = len(variants(np.zeros((SIZE, SIZE, 3), np.uint8)))
                mine = np.delete(mine, slice(without[1] * each, (without[1] + 1) * each))
            if len(mine):
                result[face] = float(np.sort(mine)[-NEAREST:].mean())
        return result

    def examples(self, die_type: str) -> Iterable[tuple[str, int, np.ndarray, np.ndarray]]:
        """Each example as (face, number, crop, body)."""
        for face, e in self._faces.get(die_type, {}).items():
            for k, (crop, body) in enumerate(zip(e.crops, e.bodies, strict=True)):
                yield face, k, crop, body

    def save(self, path: Path) -> None:
        """Write to ``path`` (npz) at once: either the old or the new file is there, whatever happens."""
        data: dict[str, np.ndarray] = {"schema": np.array(SCHEMA)}
        for die_type in self._faces:
            for face, e in self._faces[die_type].items():
                data[f"crops/{die_type}/{face}"] = np.stack(e.crops)
                data[f"bodies/{die_type}/{face}"] = np.stack(e.bodies)
        packed = io.BytesIO()
        np.savez_compressed(packed, **data)  # type: ignore[arg-type]
        write_whole(path, packed.getvalue())

    @classmethod
    def load(cls, path: Path) -> TaughtFaces:
        """Read a file that ``save`` wrote; embeddings are computed anew, so a new model needs no new
        teaching.

        Raises FileNotFoundError, or ValueError where the file is not one of ours.
        """
        taught = cls()
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
                if int(data["schema"]) != SCHEMA:
                    raise ValueError(
                        f"{path} was written by another version (schema {int(data['schema'])}); teach again"
                    )
                for key in data.files:
                    if key.startswith("crops/"):
                        _, die_type, face = key.split("/", 2)
                        taught._restore(die_type, face, data[key], data[f"bodies/{die_type}/{face}"])
        except (KeyError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            if isinstance(error, FileNotFoundError):
                raise
            raise ValueError(f"{path} is not a readable file of taught faces; teach again") from error
        return taught

    def _restore(self, die_type: str, face: str, crops: np.ndarray, bodies: np.ndarray) -> None:
        examples = self._faces.setdefault(die_type, {}).setdefault(face, FaceExamples())
        examples.crops = list(crops)
        examples.bodies = list(bodies)
        vectors = _embedded(list(crops))
        examples.vectors = list(vectors.reshape(len(crops), -1, vectors.shape[1]))


def crop_face(image: np.ndarray, corners_px: np.ndarray) -> np.ndarray:
    """Cut an upper face out of the picture: its corners (4 x 2 pixels) go to the middle ``FACE_SHARE`` of
    48 x 48."""
    low = (SIZE - 1) / 2 - SIZE * FACE_SHARE / 2
    high = (SIZE - 1) / 2 + SIZE * FACE_SHARE / 2
    target = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    m = cv2.getPerspectiveTransform(corners_px.astype(np.float32), target)
    return cv2.warpPerspective(
        image, m, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def ink(crop: np.ndarray) -> float:
    """How much of a face (48 x 48 x 3) stands out from a smooth light, beside its brightness."""
    middle = crop[8:-8, 8:-8].astype(np.float32)
    aside = cv2.GaussianBlur(middle, (0, 0), 1.0) - cv2.GaussianBlur(middle, (0, 0), 8.0)
    return float(np.abs(aside).max(axis=2).mean() / (middle.mean() + 4.0))
