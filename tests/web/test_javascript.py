"""The scripts of the screens are checked as the code behind them is: types, lint, form.

TypeScript reads them as they are (no build step); what the code does not say for itself stands in JSDoc.
Node.js is needed here only, never by ``make run`` and never at a table.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("package.json", "tsconfig.json", "eslint.config.js", ".prettierrc.json")
MUST = "REFEREE_REQUIRE_NODE" in os.environ


def _unless_needed(why: str) -> None:
    if MUST:
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scripts and the tools that check them, as ``package.json`` names them."""
    npm = shutil.which("npm")
    if npm is None:
        _unless_needed("npm is not installed: the scripts of the screens are not checked")
    folder = tmp_path_factory.mktemp("javascript")
    for name in NEEDED:
        shutil.copy(ROOT / name, folder / name)
    scripts = folder / "web" / "static" / "js"
    shutil.copytree(ROOT / "web" / "static" / "js", scripts)
    command = [str(npm), "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=280)
    if done.returncode:
        _unless_needed(f"npm could not install the tools: {done.stderr[-300:]}")
    return folder


YOUNGER = {
    "es-x/no-regexp-lookbehind-assertions": "export const a = (name) => name.split(/(?<=-)/);",
    "es-x/no-class-static-block": "export class B { static { B.x = 1; } }",
    "no-restricted-properties": "export const c = () => AbortSignal.timeout(8000);",
    "compat/compat": "export const d = () => [1].toSorted();",
}


def test_tablets_of_2022_did_not_start_for_a_lookbehind_and_a_timeout(project: Path) -> None:
    """What iPadOS 15 and Chrome 100 lack is found: these checks do look."""
    young = project / "web" / "static" / "js" / "young.js"
    young.write_text("\n".join(YOUNGER.values()) + "\n")
    try:
        done = subprocess.run(
            ["npx", "eslint", "-f", "json", str(young)],
            cwd=project,
            capture_output=True,
            text=True,
            timeout=280,
        )
    finally:
        young.unlink()
    assert {one["ruleId"] for one in json.loads(done.stdout)[0]["messages"]} == set(YOUNGER)


def test_no_rule_of_style_is_one_that_tablets_of_2022_drop() -> None:
    """Chrome knows :has() and container queries since 105, nested rules since 112; Safari 15.6 knows none of
    the last two.  A rule with a selector that is not known is dropped whole."""
    for path in (ROOT / "web" / "static" / "css").glob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        found = re.findall(r":has\(|@container|@scope|@starting-style|(?<![\w\"'])&", text)
        assert not found, f"{path.name}: {found}"


def test_every_length_of_the_visible_screen_has_one_for_older_browsers() -> None:
    """Chrome knows dvh since 108 and color-mix since 111: where they stand, an older value stands before."""
    for path in (ROOT / "web" / "static" / "css").glob("*.css"):
        for rule in re.findall(r"{([^{}]*)}", path.read_text(encoding="utf-8")):
            said = [one.partition(":") for one in rule.split(";")]
            for place, (name, _, value) in enumerate(said):
                if re.search(r"\d[dsl]vh|color-mix\(", value):
                    before = [older for known, _, older in said[:place] if known.strip() == name.strip()]
                    assert before, f"{path.name}: {name.strip()}:{value}"


@pytest.mark.parametrize("what", ["types", "lint", "format"])
def test_the_scripts_of_the_screens_are_in_order(project: Path, what: str) -> None:
    done = subprocess.run(
        ["npm", "run", "--silent", what], cwd=project, capture_output=True, text=True, timeout=280
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"[-6000:]
