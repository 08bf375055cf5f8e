"""Reading picture files: a sentence and a way out for everything that is not a whole picture."""

from __future__ import annotations

import hashlib
import io
import os
import re
import struct
from importlib.util import find_spec
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin, UnidentifiedImageError

from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.messages import Text
from referee.kernel.said import SaidError

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp")
HEIF_SUFFIXES = (".heic", ".heif", ".hif")
# pictures too, which not every installation decodes: tried, and named where that fails
OTHER_SUFFIXES = (*HEIF_SUFFIXES, ".avif", ".gif", ".jxl", ".jp2", ".dng", ".cr2", ".cr3", ".nef", ".arw")
HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")

# in JPEG's entropy-coded data 0xFF is followed by 0, a restart marker, or fill bytes; all else ends the scan
_SCAN_END = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_EOI, _SOS = 0xD9, 0xDA
MOST_SENT = 12_000_000  # pixels of a picture that a device sends
_LONE_MARKERS = (0x01, *range(0xD0, 0xD9))  # TEM, RSTn and SOI carry no length


class UnreadableImage(SaidError):
    """A file that is not a whole picture: a stable ``code``, and the text that says so."""

    def __init__(self, code: str, text: Text) -> None:
        super().__init__(text)
        self.code = code


def read_image(path: Path) -> NDArray[np.uint8]:
    """Decode a picture as BGR (h, w, 3), upright as its camera was held.  Raises ``UnreadableImage``.

    JPEG and PNG files that end early are refused: their lower part would be made up by the decoder.  What
    follows the end of a picture, as the film of a motion photograph does, is no part of it.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UnreadableImage(
            "missing",
            Text("vision.no_file", path=path),
        ) from None
    except OSError as error:
        raise UnreadableImage(
            "unreadable",
            Text("vision.file_not_opened", path=path, reason=error.strerror),
        ) from error
    if is_heif(data):
        return _read_heif(path, data)
    if not is_whole(data):
        raise UnreadableImage(
            "truncated",
            Text("vision.file_truncated", path=path),
        )
    image = _decoded(data)
    if image is None:
        raise _not_a_picture(path)
    return image


def decode_sent(
    data: bytes, formats: tuple[str, ...] = ("JPEG",), most: int = MOST_SENT
) -> NDArray[np.uint8]:
    """Decode a picture that a device sent, as BGR (h, w, 3), of at most ``most`` pixels.

    Its size is read before its pixels are: a few bytes may claim gigabytes.  ``formats`` are Pillow's names.
    Raises ``UnreadableImage``.
    """
    try:
        with Image.open(io.BytesIO(data), formats=formats) as header:
            pixels = header.width * header.height
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError):
        pixels = most + 1
    image = _decoded(data) if pixels <= most and is_whole(data) else None
    if image is None:
        raise UnreadableImage("not_a_picture", Text("vision.no_whole_jpeg"))
    return image


def _decoded(data: bytes) -> NDArray[np.uint8] | None:
    if not data:
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None  # OpenCV raises for sizes beyond its limit
    return None if image is None or image.size == 0 else np.asarray(image, np.uint8)


def _not_a_picture(path: Path) -> UnreadableImage:
    suffix = path.suffix.lower()
    if suffix in OTHER_SUFFIXES:
        kind = suffix.lstrip(".").upper()
        return UnreadableImage(
            "unsupported_format",
            Text("vision.format_unreadable", path=path, kind=kind),
        )
    return UnreadableImage(
        "not_a_picture",
        Text("vision.not_a_picture", path=path),
    )


def is_whole(data: bytes) -> bool:
    """Whether a JPEG or PNG file reaches the end of its picture; other formats are not looked into."""
    if data[:2] == b"\xff\xd8":
        return _jpeg_end(data) is not None
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return _has_png_end(data)
    return True


def _jpeg_end(data: bytes) -> int | None:
    """Offset after the end-of-image marker of the first picture (ITU T.81, B.1.1), None where it has none.

    Segments are stepped over by their length, so that a thumbnail's end is not taken for the picture's.
    """
    at = 2
    while at + 2 <= len(data):
        if data[at] != 0xFF:
            at = data.find(b"\xff", at)  # stray bytes between segments, which decoders pass over
            if at < 0:
                return None
            continue
        marker = data[at + 1]
        if marker == _EOI:
            return at + 2
        if marker == 0xFF:
            at += 1
        elif marker in _LONE_MARKERS or marker == 0:
            at += 2
        else:
            if at + 4 > len(data):
                return None
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
            if marker == _SOS:
                end = _SCAN_END.search(data, at)
                if end is None:
                    return None
                at = end.start()
    return None


def _has_png_end(data: bytes) -> bool:
    """Whether the chunks of a PNG file lead to its IEND."""
    at = 8
    while at + 12 <= len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        if name == b"IEND":
            return True
        at += 12 + length
    return False


def is_heif(data: bytes) -> bool:
    """Whether this is a HEIF file, as many telephones write them (ISO 14496-12: box ``ftyp``)."""
    return data[4:8] == b"ftyp" and data[8:12] in HEIF_BRANDS and b"avif" not in data[8:32]


def _read_heif(path: Path, data: bytes) -> NDArray[np.uint8]:
    """Decode a HEIF picture by ``pillow-heif``, where that is installed."""
    if find_spec("pillow_heif") is None:
        raise UnreadableImage(
            "unsupported_format",
            Text("vision.heic_needs_library", path=path),
        )
    import pillow_heif  # optional: see the extra "heic" in pyproject.toml

    pillow_heif.register_heif_opener()
    try:
        with Image.open(io.BytesIO(data)) as picture:
            rgb = np.asarray(picture.convert("RGB"), np.uint8)
    except (UnidentifiedImageError, OSError, ValueError, EOFError) as error:
        raise _not_a_picture(path) from error
    return np.ascontiguousarray(rgb[..., ::-1])


def expand(paths: list[Path]) -> list[Path]:
    """Folders become the pictures in them, those too of formats that may not be read here (they are named
    when they are read).  Raises ``UnreadableImage`` for a folder without pictures."""
    out: list[Path] = []
    for path in paths:
        if path.is_dir():
            suffixes = (*SUFFIXES, *OTHER_SUFFIXES)
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in suffixes and p.is_file())
            if not inside:
                raise UnreadableImage(
                    "empty_folder",
                    Text("vision.folder_without_pictures", path=path, suffixes=", ".join(SUFFIXES)),
                )
            out += inside
        else:
            out.append(path)
    return out


def write_drawing(folder: Path, path: Path, drawing: NDArray[np.uint8]) -> Path:
    """Write the annotated picture of ``path`` into a folder; returns where.

    A drawing says inside (PNG, "Source") of which picture it is, so that it replaces its own predecessor
    only: another picture of the same name gets a name with a digest of its path.  Raises
    :class:`FileUnwritable`.
    """
    source = str(path.resolve())
    plain = folder / f"{path.stem}.{path.suffix.lstrip('.').lower()}.png"
    target = plain
    if plain.exists() and _drawn_from(plain) != source:
        target = plain.with_suffix(f".{hashlib.sha256(source.encode()).hexdigest()[:8]}.png")
    about = PngImagePlugin.PngInfo()
    about.add_itxt("Source", source)
    packed = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(drawing[..., ::-1])).save(
        packed, "png", pnginfo=about, compress_level=1
    )
    write_whole(target, packed.getvalue(), new_folder=False)
    return target


def write_picture(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a picture (BGR) as PNG, or end the command with a sentence."""
    try:
        write_whole(path, cv2.imencode(".png", picture)[1].tobytes())
    except FileUnwritable as error:
        raise click.ClickException(error.sentence_en) from error


def _drawn_from(drawing: Path) -> str | None:
    try:
        with Image.open(drawing) as picture:
            source = picture.info.get("Source")
    except (OSError, UnidentifiedImageError, ValueError):
        return None
    return None if source is None else str(source)


def writable_folder(folder: Path | None, option: str) -> Path | None:
    """Make the folder that a command shall write pictures into, or end the command with a sentence."""
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        said = Text("vision.folder_unwritable", folder=folder, option=option)
        raise click.ClickException(f"{said.in_words('en')} / {said.in_words('de')}")
    return folder
