"""Running a table on a Pi: doctor, installer, support bundle, logs, safe mode, backups, watchdog."""

from __future__ import annotations

import json
import logging
import shutil
import socket
import tarfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
import table_bot
import toy_game
from click.testing import CliRunner, Result

from referee.cli import main
from referee.commands.common import as_typed
from referee.commands.install import bundle, command
from referee.config.settings import CameraSection, Config, LogSection, RecordSection
from referee.hall.table import Table
from referee.journal.errors import NotPossible, StoreUnwritable
from referee.kernel.messages import Text
from referee.serving import health, holder
from referee.serving.holder import holder_of
from referee.serving.logs import hide_secrets, set_up_logs
from referee.serving.starts import Starts
from referee.serving.systemd import notify, watchdog_period
from referee.store.backups import Backups
from referee.store.copies import backup, prune
from referee.store.store import Store


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs ``referee ...`` with its data in a folder of this test."""
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "C")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.chdir(tmp_path)

    def invoked(*words: str) -> Result:
        return CliRunner().invoke(main, list(words))

    return invoked


@pytest.fixture
def game(tmp_path: Path) -> str:
    """A finished game in that folder; gives its id."""
    toy_game.register()
    players = {"white": "Änne Größe", "black": "José"}
    with (
        Store.open(tmp_path / "data" / "games.sqlite") as store,
        Table.create(
            store, toy_game.GAME, options={"turns": 9}, players=players, table_name="Tisch 3"
        ) as table,
    ):
        table_bot.play(table, Random(4), 6)
        table.take_back("black", revision=table.revision)
        if table.standing.asked is not None:
            table.consent("white", True, revision=table.revision)
        table.note("white", "Streng geheim, sagt Änne Größe")
        table_bot.play(table, Random(5))
        return table.id


def verdicts(found: object) -> dict[str, str]:
    return {one.id: one.verdict for one in found}  # type: ignore[attr-defined]


# -- doctor ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "verdict"),
    [("0", "ok"), ("50005", "fail"), ("1", "fail"), ("50000", "warn"), ("10000", "warn"), ("20002", "warn")],
)
def test_under_voltage_is_told(tmp_path: Path, flags: str, verdict: str) -> None:
    path = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    path.parent.mkdir(parents=True)
    path.write_text(flags + "\n")
    assert verdicts(health.power(tmp_path)) == {"power": verdict}


def test_under_voltage_by_the_hardware_monitor(tmp_path: Path) -> None:
    assert list(health.power(tmp_path)) == []
    alarm = tmp_path / "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
    alarm.parent.mkdir(parents=True)
    alarm.write_text("1\n")
    assert list(health.power(tmp_path)) == []  # another chip
    (alarm.parent / "name").write_text("rpi_volt\n")
    assert verdicts(health.power(tmp_path)) == {"power": "fail"}


@pytest.mark.parametrize(("milli", "verdict"), [(45_000, "ok"), (72_000, "warn"), (83_500, "fail")])
def test_heat_is_told(tmp_path: Path, milli: int, verdict: str) -> None:
    for zone, value in ((0, 30_000), (1, milli)):
        path = tmp_path / f"sys/class/thermal/thermal_zone{zone}/temp"
        path.parent.mkdir(parents=True)
        path.write_text(str(value))
    assert verdicts(health.heat(tmp_path)) == {"heat": verdict}


def test_a_failing_or_worn_card_is_told(tmp_path: Path) -> None:
    errors = tmp_path / "sys/fs/ext4/mmcblk0p2/errors_count"
    errors.parent.mkdir(parents=True)
    errors.write_text("0\n")
    assert verdicts(health.card(tmp_path)) == {"card": "ok"}
    worn = tmp_path / "sys/block/mmcblk0/device/life_time"
    worn.parent.mkdir(parents=True)
    worn.write_text("0x0a 0x02\n")
    assert [one.verdict for one in health.card(tmp_path)] == ["warn", "ok"]
    errors.write_text("3\n")
    assert [one.verdict for one in health.card(tmp_path)] == ["fail", "warn"]


@pytest.mark.parametrize(("free", "verdict"), [(5e9, "ok"), (5e8, "warn"), (1e8, "fail")])
def test_a_nearly_full_disk_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float, verdict: str
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(health.shutil, "disk_usage", lambda path: usage._replace(free=int(free)))
    assert verdicts(health.disk(tmp_path / "not" / "yet")) == {"disk": verdict}


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (found,) = health.writing(tmp_path / "file" / "below")
    assert found.verdict == "fail" and "chown" in found.do.in_words("en")
    assert verdicts(health.writing(tmp_path)) in ({"write": "ok"}, {"write": "warn"})


def test_a_clock_in_the_past_is_told() -> None:
    assert verdicts(health.clock(datetime(1970, 1, 2, tzinfo=UTC))) == {"clock": "warn"}
    assert verdicts(health.clock(datetime(2027, 1, 2, tzinfo=UTC))) == {"clock": "ok"}


def test_the_record_is_looked_at(tmp_path: Path, game: str) -> None:
    config = Config(record=RecordSection(folder=str(tmp_path / "data")))
    assert verdicts(health.record(config)) == {"record": "ok"}
    lines = tmp_path / "data/games.sqlite.mirror" / f"{game}.lines"
    lines.write_bytes(lines.read_bytes()[:-20])
    assert verdicts(health.record(config)) == {"record": "warn"}
    (tmp_path / "data/games.sqlite").write_bytes(b"rubbish" * 1000)
    assert verdicts(health.record(config)) == {"record": "fail"}
    assert verdicts(health.record(Config(record=RecordSection(folder=str(tmp_path / "new"))))) == {
        "record": "ok"
    }


def test_a_port_that_another_program_holds_is_told() -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        number = sock.getsockname()[1]
        assert holder_of(number).endswith(")")


LISTING = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"


@pytest.fixture
def proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A /proc in which process 40 (without files) and 41 (nginx, listening on port 8000) run."""
    root = tmp_path / "proc"
    (root / "net").mkdir(parents=True)
    (root / "net" / "tcp").write_text(
        LISTING
        + "   0: 0100007F:1F41 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 55 1\n"
        + "   1: 0100007F:1F40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 77 1\n"
        + "   2: 0100007F:1F42 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 78 1\n"
    )
    (root / "40").mkdir()
    (root / "self").mkdir()
    files = root / "41" / "fd"
    files.mkdir(parents=True)
    for number, leads_to in enumerate(("/dev/null", "socket:[77]", "socket:[78]")):
        (files / str(number)).symlink_to(leads_to)
    (root / "41" / "comm").write_text("nginx\n")
    monkeypatch.setattr(holder, "PROC", root)
    return root


def test_who_holds_a_port_is_found_among_the_processes(proc: Path) -> None:
    assert holder_of(0x1F40) == "nginx (process 41)"
    assert holder_of(0x1F41) == "", "its process is not to be seen"
    assert holder_of(0x1F42) == "", "a connection does not hold the port"
    assert holder_of(0x1F43) == ""
    config = replace(Config(), web=replace(Config().web, port=0x1F40))
    (found,) = health.port(config)
    assert found.verdict == "fail" and "nginx" in found.text.in_words("en")
    for own in ("referee", "python3"):  # what this test's own process is called depends on who runs it
        (proc / "41" / "comm").write_text(f"{own}\n")
        assert verdicts(health.port(config)) == {"port": "ok"}
    (proc / "41" / "comm").unlink()
    assert holder_of(0x1F40) == "? (process 41)"


def test_a_file_that_is_closed_meanwhile_does_not_hide_who_holds_a_port(proc: Path) -> None:
    gone = proc / "41" / "fd" / "0"
    gone.unlink()
    gone.write_text("cannot be read as a link, as a descriptor that was closed since")
    assert holder_of(0x1F40) == "nginx (process 41)"


def test_a_camera_that_is_not_there_is_told(tmp_path: Path) -> None:
    config = Config(camera=CameraSection(source=f"files:{tmp_path / 'none'}"))
    (found,) = health._guarded("camera", lambda: health.camera(config))
    assert found.verdict == "fail"
    assert verdicts(health.camera(Config(camera=CameraSection(source="none")))) == {"camera": "ok"}


def test_the_doctor_speaks_and_prints_json(run: Callable[..., Result], tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[camera]\nsource = 'none'\n[lights]\ndriver = 'none'\n[web]\nport = 8399\n")
    said = run("doctor", "--config", str(config), "--lang", "de")
    assert said.exit_code == 0 and "Port 8399 ist frei" in said.output
    found = json.loads(run("doctor", "--config", str(config), "--json").output)
    assert {one["id"] for one in found} >= {"disk", "write", "clock", "record", "port", "camera"}
    broken = run("doctor", "--config", str(tmp_path / "nothing.toml"))
    assert broken.exit_code == 2 and "cp " in broken.output


# -- installer, bundle -----------------------------------------------------------------------------------


def test_the_installer_shows_its_steps_without_doing_them(run: Callable[..., Result]) -> None:
    said = run("install", "--dry-run", "--user", "nobody-yet")
    assert said.exit_code == 0
    for word in (
        "useradd",
        "WatchdogSec=30",
        "Restart=always",
        "systemctl enable --now",
        "dialout",
        "hotspot",
    ):
        assert word in said.output, word
    assert "{" not in command.unit("referee", Path("/usr/bin/referee"))


def test_the_installer_writes_its_files_and_keeps_the_configuration(tmp_path: Path) -> None:
    for step in command.steps("root", Path("/usr/bin/referee")):
        if step.path is not None:
            command.run(step, tmp_path)
            command.run(step, tmp_path)
    config = tmp_path / "etc/table-referee/table.toml"
    from referee.config.settings import load

    assert load(config).camera.source == "picamera2:" and load(config).lights["driver"] == "own"
    config.write_text("[web]\nport = 9000\n")
    for step in command.steps("root", Path("/usr/bin/referee")):
        if step.path is not None:
            command.run(step, tmp_path)
    assert load(config).web.port == 9000


def test_a_step_that_fails_says_so() -> None:
    with pytest.raises(NotPossible, match="Load the rules: this failed"):
        command.run(command.Step(Text("commands.step_load_rules"), ("false",)))


def test_the_bundle_holds_what_helps_and_nothing_private(
    run: Callable[..., Result], tmp_path: Path, game: str
) -> None:
    logs = tmp_path / "data" / "logs"
    logs.mkdir()
    (logs / "referee.log").write_text(
        "GET /join?token=abcdefghijklmnop from 192.168.1.77 aa:bb:cc:dd:ee:ff José\n"
    )
    config = tmp_path / "table.toml"
    config.write_text(
        "[camera]\nsource = 'none'\n[lights]\ndriver = 'none'\n"
        "[record]\nfolder = 'data'\n[table]\nname = 'Tisch 3'\n"
    )
    said = run("bundle", "-o", "b.tar.gz", "--config", str(config))
    assert said.exit_code == 0, said.output
    with tarfile.open(tmp_path / "b.tar.gz") as archive:
        names = archive.getnames()
        text = "\n".join(archive.extractfile(one).read().decode() for one in names)  # type: ignore[union-attr]
    assert any(game in name for name in names)
    assert "prompt.roll" in text and "table-referee" in text
    for private in ("Änne", "José", "geheim", "abcdefghijklmnop", "192.168.1.77", "aa:bb:cc", "Tisch 3"):
        assert private not in text, private
    assert bundle.cleaned("") == ""


# -- logs, starts, watchdog, backups ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "GET /join?token=s3cr3t-s3cr3t-s3cr3t",
        "Authorization: s3cr3t-s3cr3t-s3cr3t",
        '{"key": "s3cr3t-s3cr3t-s3cr3t"}',
        "postgresql+psycopg://table:s3cr3t-s3cr3t-s3cr3t@hall/games",
        "http://10.42.0.1:8000/join/s3cr3t-s3cr3t-s3cr3t",
        "cookie=s3cr3t-s3cr3t-s3cr3t; path=/",
    ],
)
def test_no_secret_gets_into_a_log(line: str) -> None:
    assert "s3cr3t" not in hide_secrets(line)


def test_what_is_no_secret_stays_readable() -> None:
    line = "event 12 of toy-abcd1234: the key of the chain http://localhost:8000/"
    assert hide_secrets(line) == line


def test_logs_are_changed_at_a_certain_size(tmp_path: Path) -> None:
    path = set_up_logs(LogSection(megabytes=1, keep=2), tmp_path / "logs", terminal=False)
    try:
        for number in range(3000):
            logging.getLogger("test").info("%d %s token=abcdefgh12345678", number, "x" * 1000)
        files = sorted(one.name for one in path.parent.iterdir())
        assert files == ["referee.log", "referee.log.1", "referee.log.2"]
        assert all(one.stat().st_size < 1_100_000 for one in path.parent.iterdir())
        assert "abcdefgh12345678" not in path.read_text()
    finally:
        root = logging.getLogger()
        for handler in [one for one in root.handlers if getattr(one, "of_referee", False)]:
            root.removeHandler(handler)
            handler.close()


def test_names_that_are_no_utf_8_were_lost_from_log_and_bundle(
    tmp_path: Path, run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = set_up_logs(LogSection(), tmp_path / "logs", terminal=False)
    root = logging.getLogger()
    record = root.makeRecord("test", logging.WARNING, __file__, 1, "Tür T\udcff is full", (), None)
    for handler in [one for one in root.handlers if getattr(one, "of_referee", False)]:
        handler.handle(record)  # to the log alone: pytest's own workers can send no such name
        root.removeHandler(handler)
        handler.close()
    assert path.read_bytes().decode("utf-8").endswith("Tür T\\udcff is full\n")
    monkeypatch.setattr(bundle, "parts", lambda config: {"a.txt": "T\udcff"})
    assert run("bundle", "-o", "b.tar.gz").exit_code == 0
    assert as_typed("J\udcc3\udcbcrgen") == "Jürgen", "as a terminal of the C locale gives it"


def test_the_process_that_holds_a_port_may_be_called_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "7" / "fd").mkdir(parents=True)
    cells = "0: 0100007F:1F40 00000000:0000 0A 0:0 0:0 0 0 0 4711"
    (tmp_path / "net" / "tcp").write_text(f"head\n{cells}\n")
    (tmp_path / "7" / "fd" / "3").symlink_to("socket:[4711]")
    (tmp_path / "7" / "comm").write_bytes(b"T\xffr\n")
    monkeypatch.setattr(holder, "PROC", tmp_path)
    assert holder.holder_of(8000) == "T\ufffdr (process 7)"


def test_safe_mode_comes_after_three_failed_starts_and_goes_after_a_good_one(tmp_path: Path) -> None:
    starts = Starts(tmp_path)
    assert [starts.begin(100.0 + n) for n in range(4)] == [False, False, False, True]
    starts.good()
    assert starts.begin(105.0) is False
    assert starts.begin(5000.0) is False  # long ago does not count
    (tmp_path / "starts.json").write_text("rubbish")
    assert starts.begin(5001.0) is False


def test_signs_of_life_go_to_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    assert notify("READY=1") is False and watchdog_period() is None
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(path)
        monkeypatch.setenv("NOTIFY_SOCKET", path)
        monkeypatch.setenv("WATCHDOG_USEC", "30000000")
        assert notify("READY=1") is True and listener.recv(100) == b"READY=1"
    assert watchdog_period() == 15.0
    Path(path).unlink()
    assert notify("READY=1") is False


def test_backups_are_whole_and_old_ones_go(tmp_path: Path, game: str) -> None:
    source = tmp_path / "data" / "games.sqlite"
    made = [backup(source, tmp_path / "stick") for _ in range(4)]
    with Store.open(made[0], write=False) as store:
        assert store.game_ids() == [game]
    assert len(prune(tmp_path / "stick", "games", 2)) == 2
    assert len(list((tmp_path / "stick").glob("*.sqlite"))) == 2
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnwritable, match="No backup"):
        backup(source, tmp_path / "file" / "below")


def test_a_running_table_makes_backups_and_tells_when_it_cannot(tmp_path: Path, game: str) -> None:
    with Store.open(tmp_path / "data" / "games.sqlite") as store:
        config = Config(record=RecordSection(backup_folder=str(tmp_path / "stick"), backup_keep=3))
        backups = Backups(config, store)
        backups.last()
        assert not (tmp_path / "stick").exists()  # nothing changed
        backups.changed()
        backups.tick()
        assert not (tmp_path / "stick").exists()  # not due yet
        backups.last()
        assert len(list((tmp_path / "stick").glob("*.sqlite"))) == 1 and backups.trouble is None
        (tmp_path / "file").write_text("")
        lost = Config(record=RecordSection(backup_folder=str(tmp_path / "file" / "x")))
        backups = Backups(lost, store)
        backups.changed()
        backups.last()
        assert backups.trouble is not None and "Sicherung" in backups.trouble.in_words("de")


# -- the record on the command line ----------------------------------------------------------------------


def test_games_show_export_verify_slip_on_the_command_line(
    run: Callable[..., Result], tmp_path: Path, game: str
) -> None:
    assert game in run("games").output
    assert json.loads(run("games", "--json").output)[0]["players"]["white"] == "Änne Größe"
    told = run("show", game[:6])
    assert told.exit_code == 0 and "Where does the figure" in told.output and "~" in told.output
    moment = run("show", "last", "--at", "3", "--lang", "de")
    assert (
        moment.exit_code == 0 and "von Hand eingegeben" in moment.output and "One step" not in moment.output
    )
    data = json.loads(run("show", "last", "--at", "0", "--json").output)
    assert {one["refused"] for one in data["candidates"]} == {None, "step"}
    assert "S. 3" in run("show", "last", "--at", "0", "--lang", "de").output
    assert json.loads(run("show", game, "--json").output)["header"]["id"] == game
    exported = run("export", game, "-o", "game.jsonl")
    assert exported.exit_code == 0
    key = exported.output.split("(")[-1].strip(")\n")
    checked = run("verify", "game.jsonl", "--key", key)
    assert checked.exit_code == 0 and ": ok (" in checked.output
    text = (tmp_path / "game.jsonl").read_text()
    for number in range(5):
        (tmp_path / f"game{number}.jsonl").write_text(text.replace("Änne", "Anna") if number == 3 else text)
    many = run("verify", str(tmp_path), "--json", "--jobs", "2")
    assert many.exit_code == 1
    assert [one["ok"] for one in json.loads(many.output)] == [True, True, True, True, False, True]
    one = run("verify", "game3.jsonl")
    assert "game3.jsonl:2: chain: event 1 does not join" in one.output
    assert run("slip", game, "--lang", "de").exit_code == 0
    assert (tmp_path / f"{game}.pdf").read_bytes().startswith(b"%PDF")
    assert run("backup", "stick").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "chess-1"), "There is no game 'chess-1'"),
        (("show", "last", "--at", "9999"), "There is no event 9999"),
        (("export", "last", "-o", "/nowhere/x.jsonl"), "cannot be written"),
        (("verify", "nothing", "--key", "abc"), "no public key"),
        (("verify", "."), "There is no .jsonl file"),
        (("games", "--store", "nothing.sqlite"), "There is no record"),
        (("backup", "stick", "--store", "postgresql://x/y"), "cannot be used"),
        (("games", "--store", "mysql+nothing://u:s3cr3t@x/y"), "cannot be used"),
    ],
)
def test_a_wrong_command_gets_a_sentence(
    run: Callable[..., Result], game: str, words: tuple[str, ...], said: str
) -> None:
    result = run(*words)
    assert result.exit_code == 2 and said in result.output, result.output
    assert "Traceback" not in result.output and "s3cr3t" not in result.output


def test_an_ambiguous_name_lists_what_it_may_be(
    run: Callable[..., Result], tmp_path: Path, game: str
) -> None:
    with Store.open(tmp_path / "data" / "games.sqlite") as store:
        Table.create(store, toy_game.GAME, options={"turns": 3}).close()
    result = run("show", "toy-")
    assert result.exit_code == 2 and "ambiguous" in result.output and game in result.output
