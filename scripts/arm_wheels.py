"""Unpacks the wheels of this project and of all that its tests need for 64-bit ARM into a folder.

Usage: ``python scripts/arm_wheels.py PYTHON_VERSION FOLDER``.  Fails where a dependency has no wheel there.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

LEFT_OUT = {"mypy", "ruff", "types-PyYAML", "selenium", "axe-core-python", "coverage", "import-linter"}
"""Tools that look at the source or drive a browser: they say the same on every machine."""
GLIBC = (17, 24, 26, 27, 28, 31, 34, 35, 36)


def main() -> None:
    """Fetch and unpack."""
    version, folder = sys.argv[1:3]
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    wanted = project["dependencies"] + [
        one
        for one in project["optional-dependencies"]["test"]
        if re.split(r"[\[>=<;]", one)[0].strip() not in LEFT_OUT
    ]
    abi = "cp" + version.replace(".", "")
    platforms = [f"manylinux_2_{minor}_aarch64" for minor in GLIBC] + ["manylinux2014_aarch64"]
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--quiet",
        "install",
        "--target",
        folder,
    ]
    for_arm = [word for name in platforms for word in ("--platform", name)]
    for_arm += ["--python-version", version, "--implementation", "cp", "--only-binary=:all:", "--no-compile"]
    for_arm += ["--abi", abi, "--abi", "abi3", "--abi", "none"]
    subprocess.run([*pip, *for_arm, *wanted], check=True)
    subprocess.run([*pip, "--no-deps", "--no-compile", "."], check=True)  # for its entry points


if __name__ == "__main__":
    main()
