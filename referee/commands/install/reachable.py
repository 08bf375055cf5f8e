"""Whether the service's user can execute the program, before anything is written.

Home folders are closed to others (Debian 12: mode 0700), so a program in one starts for its owner only;
systemd would try it again every two seconds for ever, with "203/EXEC" in the journal.
"""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Iterator
from pathlib import Path

import referee

SYSTEM = Path("/")


def first_closed(user: str, program: Path, root: Path = SYSTEM) -> Path | None:
    """The first folder or file that keeps ``user`` from executing ``program``; None where nothing does.

    On the system that runs, the interpreter that its first line names and the package itself count too.
    """
    uid, groups = _ids(user, root)
    wanted = [root / program.relative_to("/") if root != SYSTEM else program]
    if root == SYSTEM:
        wanted += [*_interpreter(program), Path(referee.__file__)]
    for path in wanted:
        for place in _way(path, root):
            try:
                found = place.stat()
            except OSError:
                return place
            need = stat.S_IROTH if place == path and place.suffix == ".py" else stat.S_IXOTH
            if not _may(found, need, uid, groups):
                return place
    return None


def _way(path: Path, root: Path) -> Iterator[Path]:
    """Folders from the root to the path, then the path; of links also where they lead."""
    absolute = path.absolute()
    yield from (one for one in reversed(absolute.parents) if one.is_relative_to(root))
    yield absolute
    if root == SYSTEM and absolute.resolve() != absolute:
        yield from (*reversed(absolute.resolve().parents), absolute.resolve())


def _interpreter(program: Path) -> list[Path]:
    try:
        with program.open("rb") as file:
            first = file.readline(500)
    except OSError:
        return []
    name = first[2:].split()
    return [Path(os.fsdecode(name[0]))] if first.startswith(b"#!/") and name else []


def _may(found: os.stat_result, others: int, uid: int | None, groups: set[int]) -> bool:
    """Whether a permission, given as its bit for others, holds for this user."""
    if uid == 0:
        return bool(found.st_mode & (others | others << 3 | others << 6))
    if uid is not None and found.st_uid == uid:
        return bool(found.st_mode & others << 6)
    if found.st_gid in groups:
        return bool(found.st_mode & others << 3)
    return bool(found.st_mode & others)


def _ids(user: str, root: Path) -> tuple[int | None, set[int]]:
    """The user's id and groups; none where the account is yet to be made, or belongs to another system."""
    if root != SYSTEM:
        return None, set()
    try:
        known = pwd.getpwnam(user)
    except KeyError:
        return None, set()
    return known.pw_uid, {known.pw_gid, *(one.gr_gid for one in grp.getgrall() if user in one.gr_mem)}
