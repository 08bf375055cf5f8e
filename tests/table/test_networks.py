"""Which addresses are told to tablets: hotspots, cables, several networks, none, and later ones."""

from __future__ import annotations

import io
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import ifaddr
import pytest

import referee.commands.serve as serving
import referee.serving.networks as networks
from referee.config.settings import ConfigError, WebSection, parse


def machine(monkeypatch: pytest.MonkeyPatch, leads_out: str, **interfaces: Sequence[str]) -> None:
    """A machine with these interfaces and their addresses, one of which leads out ("": none)."""
    adapters = [
        ifaddr.Adapter(
            name, name, [ifaddr.IP(("fe80::1", 0, 1) if ":" in one else one, 24, name) for one in ips]
        )
        for name, ips in interfaces.items()
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(networks, "_leads_out", lambda: leads_out)


def told(**web: object) -> list[str]:
    return networks.tablet_addresses(WebSection(**web), 8000)  # type: ignore[arg-type]


def test_a_hotspot_without_a_way_out_had_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, "", lo=["127.0.0.1"], wlan0=["10.42.0.1", "fe80::1"])
    assert told() == ["http://10.42.0.1:8000"]
    assert told(https=True) == ["https://10.42.0.1:8000"]


def test_cable_and_hotspot_together_are_both_told(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, "192.168.1.7", lo=["127.0.0.1"], eth0=["192.168.1.7"], wlan0=["10.42.0.1"])
    assert told() == ["http://192.168.1.7:8000", "http://10.42.0.1:8000"]
    machine(monkeypatch, "10.42.0.1", eth0=["192.168.1.7"], wlan0=["10.42.0.1"])
    assert told() == ["http://10.42.0.1:8000", "http://192.168.1.7:8000"]


def test_without_a_network_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, "", lo=["127.0.0.1"], docker0=["172.17.0.1"])
    assert told() == []


def test_a_cable_without_a_router_is_better_than_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, "", eth0=["169.254.7.7"])
    assert told() == ["http://169.254.7.7:8000"]
    machine(monkeypatch, "", eth0=["169.254.7.7"], wlan0=["10.42.0.1"])
    assert told() == ["http://10.42.0.1:8000"]


def test_what_is_configured_goes_before_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, "10.0.0.7", eth0=["10.0.0.7"])
    assert told(address="http://tisch.fritz.box:8613/") == ["http://tisch.fritz.box:8613"]
    assert told(host="192.168.7.7") == ["http://192.168.7.7:8000"]
    assert told(host="fd00::7") == ["http://[fd00::7]:8000"]
    for here in ("127.0.0.1", "localhost", "::1", "127.0.1.1"):
        assert told(host=here) == [], here


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_of_another_encoding_ended_the_table_at_its_qr_code(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    raw = io.BytesIO()
    terminal = io.TextIOWrapper(raw, encoding=encoding)
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("REFEREE_QR", "1")
    serving._print_qr("http://table:8000")
    terminal.flush()
    assert bool(raw.getvalue()) == (encoding == "utf-8")
    terminal.detach()


def test_letters_that_a_terminal_lacks_end_no_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from referee.cli import main; main()", "games", "--store", "Łukasz/ä.sqlite"],
        capture_output=True, cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "LANG": "de_DE", "LC_ALL": "de_DE"},
    )  # fmt: skip
    assert done.returncode == 2 and b"Traceback" not in done.stderr
    assert b"\\u0141ukasz" in done.stderr + done.stdout


def test_this_machines_real_networks_are_found() -> None:
    for network in networks.networks():
        assert socket.inet_aton(network.address) and not network.address.startswith("127.")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("address = 'tisch.fritz.box:8613'", "http://table.fritz.box:8000"),
        ("address = 'http://tisch:port'", "http://table.fritz.box:8000"),
        ("proxy = 'nginx'", "127.0.0.1"),
    ],
)
def test_an_address_that_nobody_could_type_is_told_with_its_line(line: str, said: str) -> None:
    with pytest.raises(ConfigError) as told:
        parse(f"[web]\n{line}\n", Path("table.toml"))
    assert "line 2" in told.value.sentence("en") and said in told.value.sentence("en")
    assert "Zeile 2" in told.value.sentence("de")


HOTSPOT = """
ip link set lo up
{table} &
table=$!
for _ in $(seq 300); do test -e {folder}/ready && break; sleep 0.1; done
ip link add wlan0 type veth peer name v1
ip addr add 10.42.0.1/24 dev wlan0
ip link set wlan0 up
ip link set v1 up
for _ in $(seq 300); do grep -q 10.42.0.1 {folder}/said && break; sleep 0.1; done
{python} -c "
import json, urllib.request
asked = urllib.request.urlopen('http://localhost:8612/api/address', timeout=20)
print(json.load(asked)['url'])" > {folder}/asked
kill $table
wait $table
"""


@pytest.mark.skipif(
    os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "ip"))), reason="needs a network of its own"
)
def test_a_hotspot_that_comes_up_later_is_told_when_it_is_there(tmp_path: Path) -> None:
    """A real table in a machine without any network, whose hotspot is switched on while it runs."""
    if subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode:
        pytest.skip("no network of one's own is allowed here")
    (tmp_path / "table.toml").write_text("[camera]\nsource = 'none'\n[lights]\ndriver = 'none'\n")
    (tmp_path / "run.py").write_text(
        "import os, pathlib, referee.commands.serve as serve\n"
        "ready = pathlib.Path(os.environ['READY'])\n"
        "serve.notify = lambda word: ready.touch() if word == 'READY=1' else None\n"
        "from referee.cli import main; main()\n"
    )
    words = f"serve --port 8612 --data {tmp_path}/data --config {tmp_path}/table.toml"
    table = f"{sys.executable} {tmp_path}/run.py {words} > {tmp_path}/said 2>&1"
    script = HOTSPOT.format(table=table, folder=tmp_path, python=sys.executable)
    began = time.monotonic()
    done = subprocess.run(
        ["unshare", "-n", "sh", "-c", script], capture_output=True, text=True, timeout=120,
        env={**os.environ, "READY": str(tmp_path / "ready"), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    said = (tmp_path / "said").read_text()
    assert done.returncode == 0, (done.stderr, said, time.monotonic() - began)
    assert re.search(
        r"(?m)^This machine is in no network yet|^Dieser Rechner ist noch in keinem Netz", said
    ), said
    assert "http://10.42.0.1:8612" in said
    assert (tmp_path / "asked").read_text() == "http://10.42.0.1:8612\n"
