"""The configuration of three NATS servers for a league, in one folder.

| file | content |
|---|---|
| `NODE/nats.conf`, `NODE/users.conf` | of one server: listeners, cluster, JetStream; the users and what each may do |
| `NODE/server.crt`, `NODE/server.key`, `NODE/ca.crt` | its certificate, also for the other servers |
| `collector/access.toml`, `collector/ca.crt` | how `cribboard league collect` connects |
| `ca.crt` | for the boards: `mqtt_ca` |
| `ca.key` | signs the certificates of the servers; it stays on the computer that made it |

A board may publish and read its own topics only. Every user has a block `permissions`: NATS 2.9 crashes at a reload
when a user without one has published a retained message.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from firmware_host.league.boards import COLLECTOR, Board, password_hash
from firmware_host.league.database import LeagueError
from firmware_host.mqtt_messages.topics import RECEIPT, RESULT, Topics
from firmware_host.storage.atomic_file import replace_file
from firmware_host.telemetry.local_broker import LARGEST_MESSAGE as LARGEST_OF_BOARD
from firmware_host.telemetry.local_broker import WRITTEN_BY_BOARDS, new_password

STREAM = "$MQTT_msgs"
"""Where NATS keeps MQTT messages of QoS 1. It sends PUBACK when this stream has a message, so no other stream will do:
copies in a stream of our own were lost where its leader failed."""
DURABLE = "league"
DELIVERY = "cribboard.league.results"
"""The consumer of the league, and the subject on which its messages come."""


MQTT_PORT = 8883


def subject(topic: str) -> str:
    """The NATS subject of an MQTT topic."""
    return topic.replace("/", ".").replace("+", "*")


RESULTS = f"$MQTT.msgs.{subject(Topics('+').of(RESULT))}"

_SERVER = """\
server_name: {name}
listen: "{listen}:{client_port}"
http: "127.0.0.1:{monitor_port}"
tls {{ {tls}, timeout: 10 }}
jetstream {{ store_dir: "{folder}/jetstream", max_memory_store: 64MB, max_file_store: 8GB }}
cluster {{
  name: cribboard-league
  listen: "{listen}:{cluster_port}"
  tls {{ {tls}, ca_file: "{folder}/ca.crt", verify: true, timeout: 10 }}
  routes: [ {routes} ]
}}
mqtt {{
  listen: "{listen}:{mqtt_port}"
  tls {{ {tls}, timeout: 30 }}
  authorization {{ timeout: 30 }}
  ack_wait: "10s"
  max_ack_pending: 200
  stream_replicas: 3
  consumer_replicas: 3
}}
max_connections: 65000
max_payload: {largest}
include "users.conf"
"""
LARGEST_MESSAGE = LARGEST_OF_BOARD + 4096
"""In bytes. NATS adds a header to what a board sends."""
_TLS = 'cert_file: "{folder}/server.crt", key_file: "{folder}/server.key"'


_HARDENING = """\
Restart=always
RestartSec=5
UMask=0077
CapabilityBoundingSet=
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
"""
"""Neither program makes another system call: both were traced with boards, at their start and at their end."""
BROKER_UNIT = f"""\
# One of the three brokers of a league. A reload reads users.conf, and disconnects only boards that were expelled.
[Unit]
Description=NATS server of a cribboard league
After=network-online.target
Wants=network-online.target

[Service]
User=nats
Group=nats
ExecStart=/usr/sbin/nats-server -c {{folder}}/nats.conf
ExecReload=/usr/sbin/nats-server --signal reload=${{{{MAINPID}}}}
# Lame duck mode: the other servers take its boards over one by one.
ExecStop=/usr/sbin/nats-server --signal ldm=${{{{MAINPID}}}}
TimeoutStopSec=180
LimitNOFILE=131072
ReadWritePaths={{folder}}
{_HARDENING}
[Install]
WantedBy=multi-user.target
"""
COLLECTOR_UNIT = f"""\
# The collector of a league. Several may run, on one machine or more. The file environment names the database and has
# its password; root alone reads it.
[Unit]
Description=Collector of a cribboard league
After=network-online.target
Wants=network-online.target

[Service]
User=cribboard
Group=cribboard
EnvironmentFile=/etc/cribboard-league/environment
ExecStart=/usr/local/bin/cribboard league collect /etc/cribboard-league/access.toml --metrics 127.0.0.1:9105
{_HARDENING}
[Install]
WantedBy=multi-user.target
"""


class Node(NamedTuple):
    """A server: its name, the host name or address by which boards and the other servers reach it, its ports, the
    address on which it listens, its port for monitoring on the loopback interface, and another name for boards, that of
    all servers together."""

    name: str
    host: str
    client_port: int = 4222
    cluster_port: int = 6222
    mqtt_port: int = MQTT_PORT
    listen: str = "0.0.0.0"
    monitor_port: int = 8222
    shared_name: str = ""


class Access(NamedTuple):
    """How the program of the league connects to the brokers. `ca` is a path."""

    servers: tuple[str, ...]
    user: str
    password: str
    ca: str


def write_configuration(folder: Path, nodes: Sequence[Node], boards: Sequence[Board], installed: Path | None) -> None:
    """Write everything anew but the certificates and the collector's password, which stay as they are.

    `installed`: where the folder of a node will lie on its machine; None: where it is written. Raises LeagueError.
    """
    if len({node.name for node in nodes}) != 3 or len(nodes) != 3:
        got = ", ".join(node.name for node in nodes) or "none"
        raise LeagueError("three nodes with three names", got, "nodes", "take three machines: one of them may fail")
    try:
        _write_certificates(folder, nodes)
        users = users_of(boards, password_hash(_collector_password(folder, nodes)))
        for node in nodes:
            home = installed or (folder / node.name).absolute()
            _write(folder / node.name / "nats.conf", server_configuration(node, nodes, home))
            _write(folder / node.name / "users.conf", users)
            _write(folder / node.name / "cribboard-nats.service", BROKER_UNIT.format(folder=home))
        _write(folder / "collector" / "cribboard-league.service", COLLECTOR_UNIT)
    except (OSError, ValueError) as fault:
        raise LeagueError("a folder for configurations", str(fault), str(folder), "correct its rights") from fault


def server_configuration(node: Node, nodes: Sequence[Node], folder: Path) -> str:
    """The file `nats.conf` of a node whose other files are in `folder`."""
    routes = ", ".join(f'"nats-route://{_in_url(each.host)}:{each.cluster_port}"' for each in nodes)
    tls = _TLS.format(folder=folder)
    return _SERVER.format(**node._asdict(), folder=folder, routes=routes, tls=tls, largest=LARGEST_MESSAGE)


def users_of(boards: Sequence[Board], collector_hash: str) -> str:
    """The file `users.conf`: boards that were expelled are not in it."""
    collector = _user(
        COLLECTOR,
        collector_hash,
        publish=[
            *(f"$JS.API.{name}.{STREAM}.{DURABLE}" for name in ("CONSUMER.DURABLE.CREATE", "CONSUMER.INFO")),
            f"$JS.ACK.{STREAM}.{DURABLE}.>",
            subject(Topics("+").to(RECEIPT)),
        ],
        subscribe=["_INBOX.>", DELIVERY],
        connection="STANDARD",
    )
    lines = [collector, *(_board_user(board) for board in boards if board.password_hash)]
    return "accounts { LEAGUE { jetstream: enabled, users: [\n" + "".join(lines) + "] } }\n"


def _board_user(board: Board) -> str:
    topics = Topics(board.name)
    publish = [subject(topics.of(name)) for name in WRITTEN_BY_BOARDS]
    subscribe = [subject(topics.to(">"))]
    return _user(board.name, board.password_hash, publish, subscribe, "MQTT")


def _user(name: str, hash: str, publish: Sequence[str], subscribe: Sequence[str], connection: str) -> str:
    rights = f"publish: {json.dumps(publish)}, subscribe: {json.dumps(subscribe)}"
    user = f'user: "{name}", password: "{hash}", allowed_connection_types: ["{connection}"]'
    return f"{{ {user}, permissions: {{ {rights} }} }}\n"


def read_access(file: Path) -> Access:
    """The file `access.toml`. Raises LeagueError."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        return Access(
            tuple(map(str, content["servers"])), content["user"], content["password"], str(file.parent / "ca.crt")
        )
    except (OSError, ValueError, LookupError, TypeError) as fault:
        got = str(fault) or type(fault).__name__
        fix = "make it with: cribboard league broker-config"
        raise LeagueError("an access file of the league", got, str(file), fix) from fault


def _collector_password(folder: Path, nodes: Sequence[Node]) -> str:
    file = folder / "collector" / "access.toml"
    password = read_access(file).password if file.exists() else new_password()
    servers = ", ".join(f'"tls://{_in_url(node.host)}:{node.client_port}"' for node in nodes)
    _write(file, f'servers = [{servers}]\nuser = "{COLLECTOR}"\npassword = "{password}"\n')
    return password


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _write(file: Path, content: str | bytes) -> None:
    replace_file(file.resolve(), content.encode() if isinstance(content, str) else content)


def _write_certificates(folder: Path, nodes: Sequence[Node]) -> None:
    """Make the authority and the certificates of the servers that are missing."""
    homes = [folder / node.name for node in nodes]
    if all((home / "server.crt").exists() for home in homes):
        return
    from firmware_host.league.authority import certify_server, open_authority  # slow to import

    authority = open_authority(folder / "ca.key", folder / "ca.crt")
    for home, node in zip(homes, nodes, strict=True):
        if not (home / "server.crt").exists():
            server = certify_server(authority, *filter(None, (node.host, node.shared_name)))
            _write(home / "server.key", server.key_pem)
            _write(home / "server.crt", server.certificate_pem)
    for home in (*homes, folder / "collector"):
        _write(home / "ca.crt", authority.certificate_pem)
