"""The README and the pages of docs/: every link leads somewhere, every command that they name exists."""

from __future__ import annotations

import ast
import re
import shlex
import tomllib
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from referee.cli import main
from referee.kernel import capabilities

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "vision/**/*.md", "firmware_bridge/**/*.md", "web/**/*.md")
    for page in ROOT.glob(pattern)
)
MAKEFILES = (ROOT / "Makefile", ROOT / "firmware_bridge" / "firmware" / "Makefile")

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```[a-z]*\n(.*?)^```", re.M | re.S)
INDENTED = re.compile(r"(?:^|\n)\n((?:    .*\n)+)")
INLINE = re.compile(r"`([^`\n]+)`")
COMMAND = re.compile(r"(?:^|[\s/])referee (?=[a-z])")
PATH = re.compile(r"(?:referee|vision|firmware_bridge|web|calibration|tests|scripts|docs)/[\w./-]*\w/?")


def names(pages: list[Path]) -> list[str]:
    return [str(page.relative_to(ROOT)) for page in pages]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#+ +(.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def code_lines(page: Path) -> list[str]:
    """Everything that stands as code on a page, line by line."""
    text = page.read_text(encoding="utf-8")
    blocks = [*FENCE.findall(text), *INDENTED.findall(FENCE.sub("", text))]
    lines = [line for block in blocks for line in block.splitlines()]
    return [*lines, *INLINE.findall(FENCE.sub("", text))]


def referee_commands(page: Path) -> list[list[str]]:
    """The words after ``referee`` of each command on a page, without its remark."""
    found = []
    for line in code_lines(page):
        bare = line.strip().removeprefix("$ ")
        if (match := COMMAND.search(bare)) and match.start() <= len(".venv/bin"):
            words = shlex.split(
                re.split(r"\s#|[|]", bare[match.end() :])[0].replace("[", "").replace("]", "")
            )
            found.append(words)
    return found


def why_not_command(words: list[str]) -> str:
    """What is wrong with a command; "" where its names and options all exist."""
    command: click.Command = main
    rest = list(words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        sub = command.get_command(click.Context(command), rest[0])
        if sub is None:
            return f"there is no command {rest[0]!r}"
        command = sub
        rest.pop(0)
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "--version"}
    unknown = [word.split("=")[0] for word in rest if word.startswith("-") and len(word) > 1]
    return ", ".join(f"there is no option {word!r}" for word in unknown if word not in known)


@pytest.mark.parametrize("name", names(PAGES))
def test_every_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    broken = []
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = unquote(target).partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("name", names(PAGES))
def test_every_command_exists(name: str) -> None:
    commands = referee_commands(ROOT / name)
    faults = {" ".join(words): fault for words in commands if (fault := why_not_command(words))}
    assert faults == {}


@pytest.mark.parametrize("name", names(PAGES))
def test_every_module_and_make_target_exists(name: str) -> None:
    targets = {
        target for file in MAKEFILES for target in re.findall(r"^([\w-]+):", file.read_text("utf-8"), re.M)
    }
    missing = []
    for line in code_lines(ROOT / name):
        missing += [m for m in re.findall(r"python3? -m ([\w.]+)", line) if find_spec(m) is None]
        missing += [t for t in re.findall(r"^\s*make ([a-z][\w-]*)", line) if t not in targets]
    assert missing == []


@pytest.mark.parametrize("name", names(PAGES))
def test_every_path_named_as_code_exists(name: str) -> None:
    page = ROOT / name
    code = INLINE.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    missing = [path for path in code if PATH.fullmatch(path) and not (ROOT / path).exists()]
    assert missing == []


def test_the_pages_name_commands_at_all() -> None:
    """The checks above would hold of pages in which nothing is found."""
    found = {words[0] for page in PAGES for words in referee_commands(page)}
    assert {"serve", "read", "verify", "explain", "show", "doctor", "lights"} <= found
    assert why_not_command(["frobnicate"]) and why_not_command(["serve", "--prot", "8000"])
    assert why_not_command(["dice", "nothing"]) and not why_not_command(["dice", "bench", "x.csv", "--json"])


# -- the page for a new game: all that it names is there ---------------------------------------------------

GUIDE = ROOT / "docs" / "adding_a_game.md"
PAIR = re.compile(r"`([\w/]+\.py)`\s+`(\w+)`")
ROW = re.compile(r"^\| (.+?) \| (.+?) \|", re.M)
KIT = ROOT / "referee" / "games" / "kit"


def section(title: str) -> str:
    """What stands below a heading of the guide."""
    text = FENCE.sub("", GUIDE.read_text(encoding="utf-8"))
    return re.split(r"^## ", text.partition(f"{title}\n")[2], maxsplit=1, flags=re.M)[0]


def quoted(cell: str) -> set[str]:
    return set(INLINE.findall(cell))


def protocols() -> dict[str, set[str]]:
    """The protocols of what a game may be able to do, with the members of each."""
    found = {}
    for name, one in vars(capabilities).items():
        if isinstance(one, type) and one.__module__ == capabilities.__name__:
            found[name] = {member for member in vars(one) if not member.startswith("_")}
    return found


def words_of_the_code() -> set[str]:
    """Every name that kernel, kit and the toys define or give to something."""
    found: set[str] = set()
    files = [*(ROOT / "referee" / "kernel").rglob("*.py"), *KIT.glob("*.py")]
    for file in [*files, ROOT / "tests" / "five_game.py", ROOT / "tests" / "toy_game.py"]:
        found.add(file.stem)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.Dict):
                found |= {str(key.value) for key in node.keys if isinstance(key, ast.Constant)}
    return found


def test_each_pair_of_file_and_name_in_the_guide_is_there() -> None:
    pairs = PAIR.findall(GUIDE.read_text(encoding="utf-8"))
    assert len(pairs) >= 12
    missing = [
        (file, name)
        for file, name in pairs
        if not re.search(rf"^(?:class|def) {name}\b", (ROOT / file).read_text("utf-8"), re.M)
    ]
    assert missing == []


def test_the_guide_lists_every_protocol_with_its_hooks_and_no_other() -> None:
    listed = {
        name: quoted(hooks)
        for cell, hooks in ROW.findall(section("8. What a game may be able to do"))
        for name in quoted(cell)
    }
    assert listed == protocols()


def test_the_guide_lists_every_module_of_the_kit_and_no_other() -> None:
    listed = [name for cell, _ in ROW.findall(section("9. The kit")) for name in quoted(cell)]
    assert sorted(listed) == sorted(file.stem for file in KIT.glob("*.py") if file.stem != "__init__")


def test_the_rooms_of_the_guide_are_those_of_the_contracts() -> None:
    rooms = {
        name.removesuffix("/").removesuffix(".py")
        for cell, _ in ROW.findall(section("2. The rooms of a game"))
        for name in quoted(cell)
    }
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    contracts = {one["id"]: one for one in linter["contracts"]}
    layers = {room.strip() for layer in contracts["inside_a_game"]["layers"] for room in layer.split(":")}
    assert layers | {"texts"} == rooms
    named = re.findall(r"`(\w+)`(?= \(|\.\n|\n)", section("2. The rooms of a game"))
    assert {name for name in named if name.startswith(("games_", "kit_", "inside_"))} <= set(contracts)
    for game in ("five_armies", "war_of_the_ring", "mountain_king"):
        there = {path.stem for path in (ROOT / "referee" / "games" / game).iterdir()}
        assert rooms <= there, game


def test_what_the_guides_examples_call_is_there() -> None:
    code = "\n".join(FENCE.findall(GUIDE.read_text(encoding="utf-8")))
    called = set(re.findall(r"\b([A-Za-z]\w*)\(", code)) - {"dataclass"}
    assert {"declare", "Schema", "RollDice", "mask"} <= called
    assert called <= words_of_the_code()


def test_every_identifier_in_the_guide_is_a_word_of_the_code() -> None:
    known = words_of_the_code()
    contracts = re.findall(r'^id = "(\w+)"', (ROOT / "pyproject.toml").read_text("utf-8"), re.M)
    code = INLINE.findall(FENCE.sub("", GUIDE.read_text(encoding="utf-8")))
    names = [match[1] for one in code if (match := re.fullmatch(r"(\w+)(?:\([\w, ]*\))?", one))]
    assert len(names) > 80
    assert [name for name in names if name not in known and name not in contracts] == []
