"""The configuration of the brokers: rights, certificates, and what stays when it is written again."""

from __future__ import annotations

import json
import re
import shutil
import ssl
import stat
import subprocess
from pathlib import Path

import bcrypt
import pytest

from firmware_host.https.certificate import handshake
from firmware_host.league.boards import COLLECTOR, Board, add_board, boards_of, expel_board
from firmware_host.league.database import Database, LeagueError
from firmware_host.league.nats_config import Node, read_access, write_configuration
from firmware_host.telemetry.local_broker import WRITTEN_BY_BOARDS

HOSTS = {"n1": "10.0.0.1", "n2": "broker.example.org", "n3": "fd00::3"}
NODES = [Node(name, host, shared_name="league.example.org") for name, host in HOSTS.items()]


def written(folder: Path, *boards: Board) -> str:
    write_configuration(folder, NODES, boards, None)
    return (folder / "n2" / "users.conf").read_text()


def user_of(users: str, name: str) -> str:
    (line,) = [line for line in users.splitlines() if f'user: "{name}"' in line]
    return line


def test_each_board_may_use_its_own_topics_only(tmp_path: Path, database: Database) -> None:
    password = add_board(database, "table-3", "Riverside")
    add_board(database, "table-4")
    users = written(tmp_path, *boards_of(database))
    written_on = [f"cribboard.1.from.table-3.{name}" for name in WRITTEN_BY_BOARDS]
    rights = f'publish: {json.dumps(written_on)}, subscribe: ["cribboard.1.to.table-3.>"]'
    assert rights in user_of(users, "table-3") and 'allowed_connection_types: ["MQTT"]' in user_of(users, "table-3")
    (hash,) = re.findall('password: "([^"]+)"', user_of(users, "table-3"))
    assert bcrypt.checkpw(password.encode(), hash.encode())
    assert users.count("user: ") == users.count("permissions: ") == 3
    assert password not in users


def test_an_expelled_board_is_no_user_and_comes_back_with_a_new_password(tmp_path: Path, database: Database) -> None:
    first = add_board(database, "table-3", "Riverside")
    expel_board(database, "table-3")
    assert "table-3" not in written(tmp_path, *boards_of(database))
    assert add_board(database, "table-3") != first
    assert "table-3" in written(tmp_path, *boards_of(database))


@pytest.mark.parametrize("name", ["", "a b", "a.b", "a/b", "a>", "*", "a+", "a#", 'a"', "ä", "x" * 41, COLLECTOR])
def test_a_name_that_could_reach_other_topics_is_refused(database: Database, name: str) -> None:
    with pytest.raises(LeagueError, match="letters, digits"):
        add_board(database, name)


def test_expelling_an_unknown_board_is_an_error(database: Database) -> None:
    with pytest.raises(LeagueError, match="board list"):
        expel_board(database, "table-3")


def test_keys_and_the_password_of_the_collector_stay_and_nobody_else_reads_them(tmp_path: Path) -> None:
    written(tmp_path)
    names = ["ca.key", "ca.crt", "n1/server.key", "n1/server.crt", "collector/access.toml"]
    before = [(tmp_path / name).read_bytes() for name in names]
    written(tmp_path, Board("table-3", "", "$2a$04$x"))
    assert [(tmp_path / name).read_bytes() for name in names] == before
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in names} == {0o600}
    access = read_access(tmp_path / "collector" / "access.toml")
    assert access.servers == ("tls://10.0.0.1:4222", "tls://broker.example.org:4222", "tls://[fd00::3]:4222")
    assert access.password not in (tmp_path / "n1" / "users.conf").read_text()
    assert not list(tmp_path.glob("n*/ca.key"))


@pytest.mark.parametrize("node", NODES, ids=lambda node: node.name)
def test_boards_can_verify_each_server(tmp_path: Path, node: Node) -> None:
    written(tmp_path)
    home = tmp_path / node.name
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(home / "server.crt", home / "server.key")
    board = ssl.create_default_context(cafile=str(tmp_path / "ca.crt"))
    board.check_hostname = False  # the name is compared here
    names = [str(name).lower() for _, name in handshake(server, board)["subjectAltName"]]
    assert names == [{"fd00::3": "fd00:0:0:0:0:0:0:3"}.get(node.host, node.host), "league.example.org"]


def test_a_configuration_needs_three_nodes(tmp_path: Path) -> None:
    for nodes in (NODES[:2], [NODES[0]] * 3, []):
        with pytest.raises(LeagueError, match="three nodes"):
            write_configuration(tmp_path / "new", nodes, (), None)
    assert not (tmp_path / "new").exists()


def test_paths_are_those_on_the_machine_of_the_node(tmp_path: Path) -> None:
    write_configuration(tmp_path, NODES, (), Path("/etc/league"))
    text = (tmp_path / "n1" / "nats.conf").read_text()
    assert str(tmp_path) not in text and 'cert_file: "/etc/league/server.crt"' in text


@pytest.mark.parametrize("content", [None, "", "servers = 3", "\x00"])
def test_an_access_file_that_cannot_be_read_says_how_to_make_it(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "access.toml"
    if content is not None:
        file.write_text(content)
    with pytest.raises(LeagueError, match="broker-config"):
        read_access(file)


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A folder with the units of a league, the targets that they name and the programs that they start."""
    written(tmp_path / "league")
    root = tmp_path / "root"
    folder = root / "etc/systemd/system"
    folder.mkdir(parents=True)
    for name in ("multi-user", "sysinit", "basic", "shutdown", "network", "network-online"):
        (folder / f"{name}.target").write_text("[Unit]\nDescription=A target\n")
    for program in ("usr/local/bin/cribboard", "usr/sbin/nats-server"):
        file = root / program
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
    shutil.copy(tmp_path / "league/n1/cribboard-nats.service", folder)
    shutil.copy(tmp_path / "league/collector/cribboard-league.service", folder)
    return root


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze") or pytest.skip("systemd-analyze not found: sudo apt install systemd")
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def test_a_reload_and_a_stop_name_the_process(units: Path) -> None:
    """Without the braces systemd replaces a variable only where it is a word of its own."""
    text = (units / "etc/systemd/system/cribboard-nats.service").read_text()
    assert re.findall("^Exec(?:Reload|Stop)=.*=(.*)$", text, re.MULTILINE) == ["${MAINPID}", "${MAINPID}"]


@pytest.mark.parametrize("unit", ["cribboard-nats.service", "cribboard-league.service"])
def test_systemd_verifies_the_units_and_finds_little_exposure(units: Path, unit: str) -> None:
    done = analyze("verify", "--man=no", f"--root={units}", unit)
    assert done.returncode == 0 and unit not in done.stderr, done.stderr
    done = analyze("security", "--offline=true", "--threshold=25", f"--root={units}", unit)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
