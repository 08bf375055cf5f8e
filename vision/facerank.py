"""Which face of which type a die shows: pips, likeness to taught faces and body colour as log-weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from referee.kernel.dice import DieType
from vision.faces import colour as body
from vision.faces.glare import is_veiled
from vision.faces.taught import EXAMPLE_LIKE, KNOWN, KNOWN_IN_GLARE, Compared, TaughtFaces, is_known
from vision.faces.templates import clear_outline
from vision.trayscan import DetectedDie

Ranked = list[tuple[str, str | None, float]]  # (type, face, log-score or probability)

# Which face: log-weights of a type's faces
STEEPNESS = 40.0  # log-weight of a likeness (-1..1) to a taught face
NO_TAUGHT_FACE = 0.62  # likeness at which "none of the taught faces" stands
ALL_TAUGHT_BONUS = 3.0  # log-weight that "none of them" loses where all faces of the type are taught
PIP_LIKENESS = 0.80  # likeness at which a pip face stands if its spots were counted
PIP_LIKENESS_UNCOUNTED = 0.70  # likeness at which a pip face stands if they could not be
CLEAR_OUTLINE = 0.72  # least likeness of a face whose outline is clear though its colours are blown out
WRONG_INK = 8.0  # log-weight lost by pips darker than a dark body, or lighter than a light one
DARK_BODY, LIGHT_BODY = 0.05, 0.5  # mean reflectance below and above which a body is dark, light
PIPLESS = 4.0  # log-weight lost by pip faces where spots cannot be counted and the network sees no pips
COUNTED_SPOTS = 2.5  # log-weight that the counted spots add to their number

# Which type: log-weights of the body's colour
COLOUR_SPREAD = 0.08  # standard deviation of body colour features under usual lamps
BRIGHT_FACE = 0.35  # a face of higher reflectance ...
VEILED_FACE = 2.2  # ... that is so many times as bright as the rounded edge mirrors a lamp
BLAZING_FACE = 6.0  # a face so many times as bright as the edge mirrors a lamp however bright it is
EDGE_PENALTY = 2.0  # log-weight by which the colour of the edge stands behind that of the face elsewhere
TOO_STRANGE = 16.0  # the faces of a type whose colour stands behind the best by more are not compared
NEGLIGIBLE = 12.0  # nor are those of a type whose most alike face would stand behind the best by more
UNEXPECTED = 0.02  # prior of a type that this roll does not ask for


def _shares(scores: Ranked) -> Ranked:
    """Log-scores to probabilities, likeliest first."""
    if not scores:
        return []
    values = np.array([v for _, _, v in scores])
    shares = np.exp(values - values.max())
    shares /= shares.sum()
    return [(scores[k][0], scores[k][1], float(shares[k])) for k in np.argsort(-shares)]


def _told(compared: Compared) -> bool:
    """Whether the likeliest of some faces is known."""
    alike = compared.alike
    return bool(alike) and is_known(max(alike, key=lambda face: alike[face]), compared)


class FaceRanking:
    """Ranks the faces of all ``types`` by what was seen of one die."""

    def __init__(self, types: Sequence[DieType], taught: TaughtFaces) -> None:
        self._types = tuple(types)
        self._taught = taught

    def rank(self, s: DetectedDie, expected: Mapping[str, int] | None) -> tuple[Ranked, dict[str, Compared]]:
        """(type, face, probability) likeliest first, and how the face compares with each symbol type's.

        Face None stands for "none of the taught faces of this type".
        """
        scores: Ranked = []
        compared: dict[str, Compared] = {}
        pips = np.log(np.maximum(s.description.pips, 1e-6))
        base = STEEPNESS * (PIP_LIKENESS if s.counted is not None else PIP_LIKENESS_UNCOUNTED)
        if s.counted is not None:
            pips[s.counted] += COUNTED_SPOTS
        elif s.description.pips[0] > 0.5:
            base -= PIPLESS
        weights = {kind.id: self._type_weight(kind, s) for kind in self._types}
        least = max(weights.values(), default=0.0) - TOO_STRANGE
        for kind in sorted(self._types, key=lambda t: t.kind):
            weight = weights[kind.id]
            close = weight > least
            if expected is not None and expected.get(kind.id, 0) == 0:
                weight += float(np.log(UNEXPECTED))
            if kind.kind == "pip":
                weight -= WRONG_INK if s.counted is not None and self._wrong_ink(kind, s.lighter) else 0.0
                scores += [(kind.id, f, weight + base + float(pips[int(f)])) for f in kind.distinct_faces]
                continue
            weight += float(pips[0])
            close = (
                close and weight + STEEPNESS > max((v for _, _, v in scores), default=-np.inf) - NEGLIGIBLE
            )
            compared[kind.id], symbols = self._symbols(kind, s, weight, close)
            scores += symbols
        return _shares(scores), compared

    def _symbols(self, kind: DieType, s: DetectedDie, weight: float, close: bool) -> tuple[Compared, Ranked]:
        """Likeness to each taught face of a symbol type, and their log-scores beside that of none of them.

        Faces are compared only where the body's colour comes ``close``.
        """
        have = self._taught.faces(kind.id)
        complete = all(f in have for f in kind.faces)
        stranger = STEEPNESS * NO_TAUGHT_FACE - (ALL_TAUGHT_BONUS if complete else 0.0)
        none: tuple[str, str | None, float] = (kind.id, None, weight + stranger)
        if not close:
            return Compared({}, {}), [none]
        compared = self._compared(kind, s, glare=False)
        if is_veiled(s.body, s.rim) and not _told(compared):
            compared = self._compared(kind, s, glare=True)
        faces: Ranked = [
            (
                kind.id,
                f,
                weight + STEEPNESS * max(v, CLEAR_OUTLINE if clear_outline(f, compared.near) else -1.0),
            )
            for f, v in compared.alike.items()
        ]
        return compared, [none, *faces]

    def _compared(self, kind: DieType, s: DetectedDie, glare: bool) -> Compared:
        """A face beside those taught, perhaps as a mirrored lamp would show them."""
        near = {f: v for f, v in self._taught.correlation(kind.id, s.crop, glare).items() if f in kind.faces}
        similar = self._taught.similarity(kind.id, s.description, glare=glare)
        complete = set(kind.faces) <= set(self._taught.faces(kind.id))
        # a face with nothing on it has nothing that could be like its examples
        least = -1.0 if self._taught.is_plain(kind.id) else EXAMPLE_LIKE
        return Compared(near, similar, KNOWN_IN_GLARE if glare and complete else KNOWN, least)

    def _type_weight(self, kind: DieType, s: DetectedDie) -> float:
        """Log-weight of a type by the body's colour.

        A lamp that blinds the face leaves the rounded edge as it is: then that shows the body's colour.
        """
        rim = self._colour_weight(kind, s.edge_colour) - EDGE_PENALTY
        lit, edge = s.light
        if lit > max(BRIGHT_FACE, VEILED_FACE * edge) or lit > max(DARK_BODY, BLAZING_FACE * edge):
            return rim
        face = self._colour_weight(kind, s.face_colour)
        return max(face, rim) if kind.kind == "symbol" else face

    @staticmethod
    def _wrong_ink(kind: DieType, lighter: bool | None) -> bool:
        """Whether pips cannot be so beside the body: nothing is darker than black, or lighter than white."""
        if lighter is None:
            return False
        light = 0.0 if kind.body == "any" else float(np.mean(body.PALETTE.get(kind.body, (0.2,))))
        return (0.0 < light < DARK_BODY and not lighter) or (light > LIGHT_BODY and lighter)

    def _colour_weight(self, kind: DieType, here: np.ndarray) -> float:
        if kind.body == "any":
            return -1.0  # as if one standard deviation and a half away, so that a body that fits wins
        learned = self._taught.body_features(kind.id)
        there = body.named(kind.body) if learned is None else learned
        spread = COLOUR_SPREAD * (1.0 if learned is not None else 1.3)
        return -0.5 * float(((here - there) ** 2).sum()) / spread**2
