"""The installer on a machine where it may and can work; certificates that somebody else put there."""

from __future__ import annotations

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

from referee.cli import main
from referee.hall.errors import NotPossible
from referee.install import command
from referee.serving.certificate import certificate


def test_without_root_or_systemd_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "C")
    done: list[command.Step] = []
    monkeypatch.setattr(command, "run", done.append)
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
    monkeypatch.setattr(command, "run", done.append)
    monkeypatch.setattr(command, "_check_machine", lambda: None)
    said = CliRunner().invoke(main, ["install", "--user", "nobody-yet"])
    assert said.exit_code == 0, said.output
    assert [step.german for step in done] == [
        line.partition(". ")[2] for line in said.output.splitlines() if line[:1].isdigit() and ". " in line
    ][: len(done)]
    assert done[0].command[0] == "useradd" and done[-1].command[:2] == ("systemctl", "enable")


def test_a_command_that_fails_is_told_with_what_it_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise subprocess.CalledProcessError(1, ["udevadm"], stderr="no bus\n")

    monkeypatch.setattr(command.subprocess, "run", failing)
    step = command.Step("Load the rules", "Die Regeln laden", ("udevadm",))
    with pytest.raises(NotPossible) as caught:
        command.run(step)
    assert "(no bus)" in caught.value.sentence_en and "(no bus)" in caught.value.sentence_de


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "etc").write_text("in the way")
    with pytest.raises(NotPossible):
        command.run(command.Step("Write", "Schreiben", path=Path("/etc/x/y"), text="z"), tmp_path)


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
