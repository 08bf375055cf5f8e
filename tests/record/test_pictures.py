"""Pictures of accepted rolls: digests, bounded disk use, tampering, a disk that is full."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import pytest

from referee.journal.errors import StoreUnwritable
from referee.store.backups import copy_pictures
from referee.store.pictures import ROOM, Pictures

SIZE = 1000


def picture(number: int) -> bytes:
    return b"\xff\xd8\xff" + number.to_bytes(4, "big") * ((SIZE - 3) // 4 + 1)


def keep(pictures: Pictures, number: int) -> str:
    """Keep a picture that is ``number`` seconds old in the eyes of the disk."""
    digest = pictures.keep(picture(number))
    path = pictures.find(digest)
    assert path is not None
    os.utime(path, (number, number))
    return digest


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*/*"))


def test_a_picture_is_found_under_the_digest_of_its_bytes(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "pictures")
    digest = keep(pictures, 1)
    assert digest == hashlib.sha256(picture(1)).hexdigest() and pictures.read(digest) == picture(1)
    assert pictures.keep(picture(1)) == digest and size(pictures.folder) == len(picture(1))
    assert pictures.read("ab" * 32) is None and pictures.find("") is None


def test_an_altered_picture_is_no_picture(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path)
    digest = keep(pictures, 1)
    path = pictures.find(digest)
    assert path is not None
    path.write_bytes(b"something else")
    assert pictures.read(digest) is None


def test_a_picture_spoiled_on_disk_was_told_as_kept(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path)
    digest = keep(pictures, 1)
    path = pictures.find(digest)
    assert path is not None
    path.write_bytes(picture(1)[:200])
    assert pictures.keep(picture(1)) == digest and pictures.read(digest) == picture(1)


def test_after_the_clock_went_back_the_newest_pictures_made_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Pictures(tmp_path / "pictures")
    old = [before.keep(picture(number)) for number in range(10)]
    for digest in old:
        path = before.find(digest)
        assert path is not None
        os.utime(path, (4e9, 4e9))  # the clock stood in 2096
    now = Pictures(tmp_path / "pictures")
    young = [now.keep(picture(number)) for number in range(10, 20)]
    copy_pictures(tmp_path / "pictures", tmp_path / "stick")
    for folder in (tmp_path, tmp_path / "stick"):
        left = Pictures(folder / "pictures", limit_bytes=10 * SIZE)
        left.make_room()
        assert all(left.read(digest) for digest in young[1:]) and not any(map(left.read, old))


def test_disk_use_is_bounded_and_the_oldest_make_way(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path, limit_bytes=20 * SIZE)
    digests = []
    for number in range(60):
        digests.append(keep(pictures, number))
        assert size(tmp_path) <= 20 * SIZE + 200, "never more than the limit"
    kept = [number for number, digest in enumerate(digests) if pictures.read(digest) is not None]
    assert kept == list(range(60 - len(kept), 60)) and len(kept) >= 20 * ROOM - 1


def test_what_another_run_left_counts_too(tmp_path: Path) -> None:
    before = Pictures(tmp_path)
    old = [keep(before, number) for number in range(10)]
    pictures = Pictures(tmp_path, limit_bytes=5 * SIZE)
    newest = keep(pictures, 11)
    assert pictures.read(newest) is not None and pictures.read(old[0]) is None
    assert size(tmp_path) <= 5 * SIZE


def test_the_newest_stays_even_where_it_alone_is_too_large(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path, limit_bytes=1)
    first, second = keep(pictures, 1), keep(pictures, 2)
    assert pictures.read(first) is None and pictures.read(second) == picture(2)


def test_a_full_disk_takes_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    pictures = Pictures(tmp_path)
    monkeypatch.setattr("referee.store.pictures.os.fsync", full)
    with pytest.raises(StoreUnwritable) as refused:
        pictures.keep(picture(1))
    assert "No space left" in refused.value.sentence("en") and "eintippen" in refused.value.sentence("de")
    monkeypatch.undo()
    digest = pictures.keep(picture(1))
    assert pictures.read(digest) == picture(1)
