"""What the tray reader says, German and English: each sentence names the trouble and a way out."""

from __future__ import annotations

from vision.reading import Quad, Reason

_SENTENCES: dict[str, tuple[str, str]] = {
    "unreadable_image": (
        "This is not a colour picture that can be read. Check the camera.",
        "Das ist kein lesbares Farbbild. Bitte die Kamera prüfen.",
    ),
    "dark": (
        "The picture is too dark to read. Switch on the tray's lamp, or let the camera expose longer.",
        "Das Bild ist zu dunkel. Bitte die Lampe der Würfelschale einschalten oder länger belichten.",
    ),
    "hand": (
        "A hand (or something else that is no die) is over the tray. Take it away, then the dice are read.",
        "Eine Hand (oder etwas anderes, das kein Würfel ist) ist über der Schale. Bitte wegnehmen, dann "
        "wird gelesen.",
    ),
    "blurred": (
        "The dice are blurred: they still move, or the camera is out of focus. Wait a moment or focus "
        "the camera.",
        "Die Würfel sind unscharf: Sie bewegen sich noch, oder die Kamera ist nicht scharf gestellt. "
        "Bitte kurz warten oder scharf stellen.",
    ),
    "glare": (
        "Light glares on this die. Turn the lamp or nudge the tray, or enter the face by hand.",
        "Auf diesem Würfel spiegelt das Licht. Bitte die Lampe drehen, die Schale etwas rücken oder das "
        "Ergebnis eintippen.",
    ),
    "cocked": (
        "This die is cocked. Roll it again, or enter what both players agree on.",
        "Dieser Würfel liegt schräg (auf Kippe). Bitte noch einmal werfen oder eintippen, worauf beide "
        "sich einigen.",
    ),
    "perhaps_cocked": (
        "This die may be cocked. Look whether it lies flat, and tap what it shows, or roll it again.",
        "Dieser Würfel liegt vielleicht schräg. Bitte nachsehen und antippen, was er zeigt, oder noch "
        "einmal werfen.",
    ),
    "stacked": (
        "This die lies on another one. Roll it again, and look whether a die is hidden beneath.",
        "Dieser Würfel liegt auf einem anderen. Bitte noch einmal werfen und nachsehen, ob darunter "
        "einer verborgen ist.",
    ),
    "covered": (
        "This die is partly covered. Move what covers it, or enter its face by hand.",
        "Dieser Würfel ist teilweise verdeckt. Bitte freilegen oder das Ergebnis eintippen.",
    ),
    "not_sure": (
        "The face of this die is not certain. Tap what it shows.",
        "Die Seite dieses Würfels ist nicht sicher erkannt. Bitte antippen, was er zeigt.",
    ),
    "perhaps_a_die": (
        "Something here may be a die. Tap it if it is one, or remove it.",
        "Hier liegt vielleicht ein Würfel. Bitte antippen, wenn es einer ist, sonst wegnehmen.",
    ),
    "outside": (
        "A die lies outside the tray floor, or on its rim. Roll it again.",
        "Ein Würfel liegt außerhalb der Schale oder auf ihrem Rand. Bitte noch einmal werfen.",
    ),
}


def reason(code: str, quad: Quad | None = None) -> Reason:
    """The reason with this code, marked at ``quad``."""
    english, german = _SENTENCES[code]
    return Reason(code, english, german, quad)


def one_die(seen: int) -> Reason:
    """A teaching picture that does not show exactly one die."""
    return Reason(
        "one_die",
        f"{seen} dice seen; put exactly one die into the tray.",
        f"{seen} Würfel gesehen; bitte genau einen Würfel in die Schale legen.",
    )


def lay_flat(quad: Quad) -> Reason:
    """A die in a teaching picture that lies cocked."""
    return Reason(
        "lay_flat",
        "The die is cocked; lay it flat.",
        "Der Würfel liegt schräg; bitte flach hinlegen.",
        quad,
    )


def not_taught(die_type: str, quad: Quad | None = None) -> Reason:
    """A die whose type has no taught faces."""
    return Reason(
        "not_taught",
        f"The faces of the die type {die_type} have not been taught to this table. Teach them "
        "(calibration, dice faces), "
        "or enter the roll by hand.",
        f"Die Seiten der Würfelart {die_type} wurden diesem Tisch noch nicht beigebracht. Bitte einlernen "
        "(Einrichten, Würfelseiten) oder den Wurf eintippen.",
        quad,
    )


# body colour -> English, German (before "dice", "Würfel")
_BODY_WORDS = {
    "white": ("white", "weiße"),
    "black": ("black", "schwarze"),
    "ivory": ("ivory", "elfenbeinfarbene"),
    "grey": ("grey", "graue"),
    "blue": ("blue", "blaue"),
    "red": ("red", "rote"),
    "green": ("green", "grüne"),
    "yellow": ("yellow", "gelbe"),
    "orange": ("orange", "orange"),
    "brown": ("brown", "braune"),
    "purple": ("purple", "violette"),
    "pink": ("pink", "rosa"),
}


def wrong_count(body: str, seen: int, expected: int) -> Reason:
    """Not as many dice of a type as the roll asks for; ``body`` is the type's body colour."""
    english, german = _BODY_WORDS.get(body, ("", ""))
    return Reason(
        "wrong_count",
        f"{seen} {english} dice seen, {expected} expected. Roll the right dice again, or correct the "
        "reading.",
        f"{seen} {german} Würfel gesehen, {expected} erwartet. Bitte die richtigen Würfel neu werfen oder "
        "die Ablesung berichtigen.",
    )
