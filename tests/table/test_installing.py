"""The installer on a machine where it may and can work; certificates that somebody else put there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

import referee
from referee.cli import main
from referee.commands.install import command
from referee.commands.install.reachable import first_closed
from referee.config.settings import load
from referee.journal.errors import NotPossible
from referee.kernel.messages import Text
from referee.serving.certificate import certificate

PACKAGE = Path(referee.__file__)


def test_without_root_or_systemd_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "C")
    done: list[command.Step] = []
    monkeypatch.setattr(command, "run", lambda step, root: done.append(step))
    monkeypatch.setattr(command.os, "geteuid", lambda: 1000)
    refused = CliRunner().invoke(main, ["install"])
    assert refused.exit_code == 2 and "sudo referee install" in refused.output
    monkeypatch.setattr(command.os, "geteuid", lambda: 0)
    monkeypatch.setattr(command.Path, "is_dir", lambda path: False)
    refused = CliRunner().invoke(main, ["install"])
    assert refused.exit_code == 2 and "referee serve" in refused.output
    assert done == []


def test_every_step_is_done_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    done: list[command.Step] = []
    monkeypatch.setattr(command, "run", lambda step, root: done.append(step))
    monkeypatch.setattr(command, "_check_machine", lambda root: None)
    monkeypatch.setattr(command, "first_closed", lambda user, program, root: None)
    said = CliRunner().invoke(main, ["install", "--user", "nobody-yet"])
    assert said.exit_code == 0, said.output
    assert [step.what.in_words("de") for step in done] == [
        line.partition(". ")[2] for line in said.output.splitlines() if line[:1].isdigit() and ". " in line
    ][: len(done)]
    assert done[0].command[0] == "useradd" and done[-1].command[:2] == ("systemctl", "enable")


def test_a_command_that_fails_is_told_with_what_it_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise subprocess.CalledProcessError(1, ["udevadm"], stderr="no bus\n")

    monkeypatch.setattr(command.subprocess, "run", failing)
    step = command.Step(Text("commands.step_load_rules"), ("udevadm",))
    with pytest.raises(NotPossible) as caught:
        command.run(step)
    assert "(no bus)" in caught.value.sentence_en and "(no bus)" in caught.value.sentence_de


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "etc").write_text("in the way")
    with pytest.raises(NotPossible):
        command.run(command.Step(Text("commands.step_rules"), path=Path("/etc/x/y"), text="z"), tmp_path)


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """The root of a system that does not run, as an SD card has it."""
    root = tmp_path / "card"
    program = root / "opt/table/bin/referee"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (root / "etc").mkdir()
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
    (root / "etc/group").write_text("root:x:0:\ndialout:x:20:\nvideo:x:44:\n")
    (root / "etc/shadow").write_text("root:*:19000:0:99999:7:::\n")
    (root / "etc/gshadow").write_text("root:*::\n")
    return root


def needs(tool: str) -> str:
    found = shutil.which(tool)
    if found is None:
        pytest.skip(f"{tool} is not installed")
    return found


@pytest.mark.parametrize("closed", ["opt", "opt/table", "opt/table/bin/referee"])
def test_a_program_that_the_service_may_not_execute_is_refused_before_anything_is_written(
    card: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    monkeypatch.setenv("LANG", "C")
    (card / closed).chmod(0o700)
    before = sorted(card.rglob("*"))
    arguments = ["install", "--root", str(card), "--program", "/opt/table/bin/referee"]
    said = CliRunner().invoke(main, arguments)
    assert said.exit_code == 2 and closed in said.output and "/opt/table-referee" in said.output
    assert sorted(card.rglob("*")) == before and "table.toml" not in str(before)
    tried = CliRunner().invoke(main, [*arguments, "--dry-run"])
    assert tried.exit_code == 0 and "may not execute" in tried.output, "a dry run says it too"
    missing = CliRunner().invoke(main, [*arguments[:-1], "/opt/other/referee"])
    assert missing.exit_code == 2 and "/opt/other" in missing.output


def test_the_interpreter_and_the_package_must_be_reachable_too(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make files that another user may or may not read")
    home, opened = tmp_path / "home", tmp_path / "opt"
    for folder in (home, opened):
        folder.mkdir(mode=0o755)
    for above in (tmp_path, *tmp_path.parents):
        if above.name.startswith(("pytest-", "popen-", "test_")):
            above.chmod(0o755)
    python = home / "python"
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    program = opened / "referee"
    program.write_text(f"#!{python}\n")
    program.chmod(0o755)
    home.chmod(0o700)
    assert first_closed("nobody", program) == home
    home.chmod(0o755)
    found = first_closed("nobody", program)
    assert found is None or found in (PACKAGE, *PACKAGE.parents), "then only where this checkout lies"
    assert first_closed("root", program) is None


def test_a_card_is_set_up_without_its_system_running(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("systemctl"), needs("useradd")
    monkeypatch.setenv("LANG", "C")
    arguments = ["install", "--root", str(card), "--program", "/opt/table/bin/referee"]
    if os.geteuid() != 0:  # another user's files cannot be given away: the account is there already
        (card / "etc/passwd").open("a").write("referee:x:999:999::/:/usr/sbin/nologin\n")
    for _ in range(2):  # it may be done again without harm
        said = CliRunner().invoke(main, arguments)
        assert said.exit_code == 0, said.output
    assert "referee:x:" in (card / "etc/passwd").read_text()
    assert load(card / "etc/table-referee/table.toml").camera.source == "picamera2:"
    wanted = card / "etc/systemd/system/multi-user.target.wants/table-referee.service"
    assert wanted.is_symlink()
    assert (
        'ExecStart="/opt/table/bin/referee" serve'
        in (card / "etc/systemd/system/table-referee.service").read_text()
    )
    assert (card / "etc/udev/rules.d/60-table-referee.rules").exists()


def test_systemd_takes_the_service_on_the_card(card: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card has this machine's units; its own service must fit in among them, with the card's program."""
    analyze = needs("systemd-analyze")
    units = Path("/usr/lib/systemd/system")
    if not units.is_dir():
        pytest.skip("no units of systemd here")
    monkeypatch.setenv("LANG", "C")
    shutil.copytree(units, card / "usr/lib/systemd/system", symlinks=True)
    (card / "lib").symlink_to("usr/lib")
    with (card / "etc/passwd").open("a") as accounts:
        accounts.write("referee:x:999:999::/:/usr/sbin/nologin\n")
    arguments = ["install", "--root", str(card), "--program", "/opt/table/bin/referee"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    verify = [analyze, "verify", f"--root={card}", "table-referee.service"]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    wrong = [line for line in done.stderr.splitlines() if "table-referee" in line]
    assert (done.returncode, wrong) == (0, [])
    (card / "opt/table/bin/referee").unlink()
    done = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert done.returncode and "not executable" in done.stderr, "it looks at the card, not at this machine"


def test_what_is_no_system_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "C")
    said = CliRunner().invoke(main, ["install", "--root", str(tmp_path)])
    assert said.exit_code == 2 and "holds no system" in said.output
    assert list(tmp_path.iterdir()) == []


AWKWARD_FOLDERS = ("player one/table referee", "Zuhause/Müller & Söhne", "100 %h", "a$HOME")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize("folder", AWKWARD_FOLDERS)
def test_a_program_in_a_folder_with_spaces_was_not_found_by_the_service(folder: str, tmp_path: Path) -> None:
    program = tmp_path / folder / "referee"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    path = tmp_path / "table-referee.service"
    path.write_text(command.unit("root", program))
    done = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True)
    assert "is not executable" not in done.stderr and "table-referee.service:" not in done.stderr


@pytest.mark.parametrize("folder", ["it's", 'say "cheese"', "back\\slash", "two\nlines"])
def test_a_folder_that_systemd_takes_in_no_form_is_named_before_anything_is_done(folder: str) -> None:
    with pytest.raises(NotPossible, match="another folder"):
        command.unit("root", Path("/srv") / folder / "referee")


def test_the_service_names_its_program_as_systemd_reads_it() -> None:
    text = command.unit("root", Path("/srv/a b/100 %h $HOME/referee"))
    assert 'ExecStart="/srv/a b/100 %%h $HOME/referee" serve ' in text


def test_systemd_finds_nothing_wrong_with_the_service(tmp_path: Path) -> None:
    analyze = needs("systemd-analyze")
    path = tmp_path / "table-referee.service"
    path.write_text(command.unit("root", Path("/bin/true")))
    done = subprocess.run([analyze, "verify", str(path)], capture_output=True, text=True, check=False)
    wrong = [line for line in done.stderr.splitlines() if "table-referee" in line]
    # a machine without these groups' manual pages or targets complains about other units only
    assert wrong == [], done.stderr
    path.write_text(command.unit("root", Path("/bin/true")).replace("WatchdogSec=30", "WatchDogSecs=30"))
    done = subprocess.run([analyze, "verify", str(path)], capture_output=True, text=True, check=False)
    assert "WatchDogSecs" in done.stderr, "so that this test can fail"


MATCH = re.compile(r'(ACTION|SUBSYSTEM|ATTRS\{\w+\})(==|!=)"[^"]+"')
ASSIGN = re.compile(r'(MODE|GROUP|TAG|SYMLINK|LABEL|GOTO|ENV\{\w+\})(=|\+=)"[^"]+"')


def test_the_rules_for_the_light_controller_are_in_the_grammar_of_udev() -> None:
    """By udev(7): comma-separated pairs of key, operator and quoted value; each GOTO has its LABEL below."""
    lines = [line for line in command._rules().splitlines() if line and not line.startswith("#")]
    jumps: list[str] = []
    for line in lines:
        pairs = [pair.strip() for pair in line.split(", ")]
        assert all(MATCH.fullmatch(pair) or ASSIGN.fullmatch(pair) for pair in pairs), line
        assert any(ASSIGN.fullmatch(pair) for pair in pairs), f"does nothing: {line}"
        labels = re.findall(r'LABEL="(\w+)"', line)
        jumps = [jump for jump in jumps if jump not in labels]
        jumps += re.findall(r'GOTO="(\w+)"', line)
    assert jumps == []
    assert 'MODE="0660"' in command._rules() and "0666" not in command._rules()


def test_a_certificate_for_no_name_and_a_key_of_another_kind_are_replaced(tmp_path: Path) -> None:
    made = certificate(tmp_path, ["table.local"])
    key = serialization.load_pem_private_key(made.key_path.read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "nobody")])
    now = datetime.now(UTC)
    bare = (
        x509.CertificateBuilder().subject_name(who).issuer_name(who).public_key(key.public_key())
        .serial_number(1).not_valid_before(now).not_valid_after(now + timedelta(days=300))
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    made.path.write_bytes(bare.public_bytes(serialization.Encoding.PEM))
    again = certificate(tmp_path, ["table.local"])
    assert b"".join(again.path.read_bytes().split()) != b"".join(
        bare.public_bytes(serialization.Encoding.PEM).split()
    )
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = other.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    made.key_path.write_bytes(pem)
    renewed = serialization.load_pem_private_key(
        certificate(tmp_path, ["table.local"]).key_path.read_bytes(), None
    )
    assert isinstance(renewed, ec.EllipticCurvePrivateKey)
