"""Tests of the evidence store: digests, bounded disk use, tampering."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from vision.evidence import EvidenceStore


def picture(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 255, (120, 160, 3), dtype=np.uint8)


def test_a_picture_is_found_under_the_digest_of_its_bytes(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "evidence")
    digest = store.keep(picture(1))
    raw = store.load(digest)
    assert raw is not None and hashlib.sha256(raw).hexdigest() == digest
    assert store.keep(picture(1)) == digest
    assert len(list((tmp_path / "evidence").iterdir())) == 1


def test_the_oldest_make_way_and_the_newest_stays(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path, limit_bytes=1)
    first = store.keep(picture(1))
    os.utime(store.path(first), ns=(1, 1))
    second = store.keep(picture(2))
    assert store.load(first) is None
    assert store.load(second) is not None


def test_disk_use_is_bounded(tmp_path: Path) -> None:
    size = len(EvidenceStore(tmp_path / "a").load(EvidenceStore(tmp_path / "a").keep(picture(0))) or b"")
    store = EvidenceStore(tmp_path / "b", limit_bytes=5 * size)
    for seed in range(12):
        os.utime(store.path(store.keep(picture(seed))), ns=(seed, seed))
    assert sum(p.stat().st_size for p in (tmp_path / "b").iterdir()) <= 5.2 * size


def test_an_altered_picture_is_noticed(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path)
    digest = store.keep(picture(3))
    store.path(digest).write_bytes(b"something else")
    with pytest.raises(ValueError, match="altered"):
        store.load(digest)
    with pytest.raises(ValueError, match="digest"):
        store.path("../../etc/passwd")
