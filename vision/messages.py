"""The reader's reasons in words, English and German."""

from __future__ import annotations

from referee.kernel.messages import Text
from vision.reading import Quad, Reason


def blurred() -> Reason:
    """The picture is out of focus or shaken."""
    return Reason(
        "blurred",
        Text("vision.blurred"),
    )


def not_understood(quad: Quad) -> Reason:
    """Something like a die that is not a pip die."""
    return Reason(
        "not_understood",
        Text("vision.not_understood"),
        quad,
    )


def maybe_a_die(quad: Quad) -> Reason:
    """Too weak for a die, too strong to be passed over."""
    return Reason(
        "maybe_a_die",
        Text("vision.maybe_a_die"),
        quad,
    )


def unsure(quad: Quad, face: str, other: str) -> Reason:
    """The face is doubtful."""
    return Reason(
        "unsure",
        Text("vision.unsure", face=face, other=other),
        quad,
    )


def leaning(quad: Quad) -> Reason:
    """Two faces of the die look up alike."""
    return Reason(
        "cocked",
        Text("vision.leaning"),
        quad,
    )


def no_dice() -> Reason:
    """Nothing in the picture looks like a die."""
    return Reason(
        "no_dice",
        Text("vision.no_dice"),
    )


def side_face(quad: Quad) -> Reason:
    """A face that goes on from the upper face of a die without a gap."""
    return Reason(
        "side_face",
        Text("vision.side_face"),
        quad,
    )


def near_or_several(quad: Quad) -> Reason:
    """One near die, or several smaller ones that lie as its pips would."""
    return Reason(
        "near_or_several",
        Text("vision.near_or_several"),
        quad,
    )


def small(quad: Quad) -> Reason:
    """A die of so few pixels that others like it are missed."""
    return Reason(
        "too_small",
        Text("vision.dice_too_small"),
        quad,
    )


def cut_off(quad: Quad) -> Reason:
    """A die that the edge of the picture cuts."""
    return Reason(
        "cut_off",
        Text("vision.cut_off"),
        quad,
    )


def odd_size(quad: Quad) -> Reason:
    """Far larger or smaller than the others."""
    return Reason(
        "odd_size",
        Text("vision.odd_size"),
        quad,
    )


def wrong_count(want: int, got: int) -> Reason:
    """Not as many dice as were asked for."""
    return Reason(
        "wrong_count",
        Text("vision.wrong_count", want=want, got=got),
    )
