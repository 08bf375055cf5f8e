"""The reader's reasons in words, English and German."""

from __future__ import annotations

from vision.reading import Quad, Reason


def blurred() -> Reason:
    """The picture is out of focus or shaken."""
    return Reason(
        "blurred",
        "The picture is blurred. Wait until nothing moves, and check the focus.",
        "Das Bild ist unscharf. Bitte warten, bis sich nichts mehr bewegt, und den Fokus prüfen.",
    )


def not_understood(quad: Quad) -> Reason:
    """Something like a die that is not a pip die."""
    return Reason(
        "not_understood",
        "This is not a die with pips; it was not read. Take it away, or say what it shows.",
        "Das ist kein Würfel mit Augen; er wurde nicht gelesen. Bitte wegnehmen oder eingeben, was er zeigt.",
        quad,
    )


def maybe_a_die(quad: Quad) -> Reason:
    """Too weak for a die, too strong to be passed over."""
    return Reason(
        "maybe_a_die",
        "There may be a die here that cannot be made out.",
        "Hier liegt vielleicht ein Würfel, der nicht zu erkennen ist.",
        quad,
    )


def unsure(quad: Quad, face: str, other: str) -> Reason:
    """The face is doubtful."""
    return Reason(
        "unsure",
        f"This die is hard to read: {face}, or {other}?",
        f"Dieser Würfel ist schwer zu lesen: {face} oder {other}?",
        quad,
    )


def leaning(quad: Quad) -> Reason:
    """Two faces of the die look up alike."""
    return Reason(
        "cocked",
        "This die leans; two of its faces could be the upper one.",
        "Dieser Würfel steht schief; zwei Seiten könnten oben sein.",
        quad,
    )


def side_face(quad: Quad) -> Reason:
    """A face that goes on from the upper face of a die without a gap."""
    return Reason(
        "side_face",
        "This looks like a side of the die above it; it was not counted. Is it a die of its own?",
        "Das sieht nach einer Seitenfläche des Würfels darüber aus und wurde nicht gezählt. Ist es ein "
        "eigener Würfel?",
        quad,
    )


def near_or_several(quad: Quad) -> Reason:
    """One near die, or several smaller ones that lie as its pips would."""
    return Reason(
        "near_or_several",
        "This may be one near die, or several smaller ones. Move the camera, or say what lies here.",
        "Das kann ein Würfel dicht vor der Kamera sein oder mehrere kleinere. Bitte die Kamera rücken oder "
        "eingeben, was hier liegt.",
        quad,
    )


def small(quad: Quad) -> Reason:
    """A die of so few pixels that others like it are missed."""
    return Reason(
        "too_small",
        "The dice are too small in this picture. Go nearer, or cut them out of it.",
        "Die Würfel sind auf diesem Bild zu klein. Bitte näher herangehen oder sie ausschneiden.",
        quad,
    )


def cut_off(quad: Quad) -> Reason:
    """A die that the edge of the picture cuts."""
    return Reason(
        "cut_off",
        "The edge of the picture cuts this die. Move it in, or move the camera.",
        "Dieser Würfel ragt aus dem Bild. Bitte hineinschieben oder die Kamera rücken.",
        quad,
    )


def odd_size(quad: Quad) -> Reason:
    """Far larger or smaller than the others."""
    return Reason(
        "odd_size",
        "This is far larger or smaller than the other dice. Is it a die?",
        "Das ist viel größer oder kleiner als die anderen Würfel. Ist es einer?",
        quad,
    )


def wrong_count(want: int, got: int) -> Reason:
    """Not as many dice as were asked for."""
    return Reason(
        "wrong_count",
        f"{want} dice were expected, {got} are seen.",
        f"Erwartet: {want} Würfel, gesehen: {got}.",
    )
