"""RabbitMQ with three nodes in the place of NATS, to compare both: the same boards, the same ledger, a quorum queue.

pip install aio-pika; python -m tests.league.rabbitmq --boards 5000 --rate 200 --seconds 30
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import ssl
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import click

from firmware_host.league.boards import COLLECTOR
from firmware_host.league.collector import MOST_AT_ONCE, take
from firmware_host.league.database import Database
from firmware_host.league.nats_config import Node, subject, write_configuration
from firmware_host.mqtt_messages.topics import RECEIPT, RESULT, Topics
from firmware_host.telemetry.local_broker import new_password
from tests.free_port import free_port
from tests.league.league_load import IDLE_S, ROOT, League, Run, raise_file_limit
from tests.league.servers import (
    give_to_servers,
    is_listening,
    local_nodes,
    server_folder,
    start,
    wait_until,
)

PROGRAM = "/usr/lib/rabbitmq/lib/rabbitmq_server-3.10.8/sbin/rabbitmq-server"
EXCHANGE, QUEUE = "amq.topic", "league"

CONFIGURATION = """\
listeners.tcp = none
listeners.ssl.1 = 127.0.0.1:{client_port}
mqtt.listeners.tcp = none
mqtt.listeners.ssl.1 = 127.0.0.1:{mqtt_port}
mqtt.allow_anonymous = false
mqtt.durable_queue_type = quorum
ssl_options.cacertfile = {home}/ca.crt
ssl_options.certfile = {home}/server.crt
ssl_options.keyfile = {home}/server.key
cluster_formation.peer_discovery_backend = classic_config
cluster_formation.classic_config.nodes.1 = n0@localhost
cluster_formation.classic_config.nodes.2 = n1@localhost
cluster_formation.classic_config.nodes.3 = n2@localhost
cluster_partition_handling = pause_minority
"""


class RabbitCluster:
    """Three nodes, with a user for each board."""

    def __init__(self, folder: Path, passwords: dict[str, str], opened: ExitStack) -> None:
        self.folder, self.nodes = folder, local_nodes()
        self.epmd = free_port()
        self.password = new_password()
        write_configuration(folder, self.nodes, (), None)  # for its certificates
        (folder / "definitions.json").write_text(json.dumps(definitions(passwords, self.password)))
        (folder / ".erlang.cookie").write_text("league")
        (folder / ".erlang.cookie").chmod(0o400)
        (folder / "plugins").write_text("[rabbitmq_mqtt].")
        for node in self.nodes:
            text = CONFIGURATION.format(**node._asdict(), home=folder / node.name, folder=folder)
            if node is self.nodes[0]:  # the others get the users from it
                text += f"load_definitions = {folder}/definitions.json\n"
            (folder / node.name / "rabbitmq.conf").write_text(text)
        for path in (folder, *folder.rglob("*")):
            give_to_servers(path)
        epmd = start(["epmd", "-address", "127.0.0.1", "-port", str(self.epmd)], folder / "epmd.log")
        opened.callback(epmd.kill)
        self.processes = dict[str, subprocess.Popen[bytes]]()

    def start(self) -> None:
        """One after another: three at once never elect the leader of the client ids."""
        for node in self.nodes:
            self.start_node(node)
            for port in (node.mqtt_port, node.client_port):
                wait_until(lambda port=port: is_listening(port), f"{node.name} listens")  # type: ignore[misc]

    def start_node(self, node: Node) -> None:
        home = self.folder / node.name
        environment = {
            "RABBITMQ_NODENAME": f"{node.name}@localhost",
            "RABBITMQ_DIST_PORT": str(node.cluster_port),
            "RABBITMQ_MNESIA_BASE": str(home / "mnesia"),
            "RABBITMQ_LOG_BASE": str(home),
            "RABBITMQ_CONFIG_FILE": str(home / "rabbitmq"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "plugins"),
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "ERL_EPMD_PORT": str(self.epmd),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "HOME": str(self.folder),
        }
        settings = [f"{name}={value}" for name, value in environment.items()]
        self.processes[node.name] = start(["env", *settings, PROGRAM], home / "log")

    def beam(self, node: str) -> int:
        """The process id of its Erlang system."""
        pid = self.processes[node].pid
        while children := Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            if Path(f"/proc/{pid}/comm").read_text().strip() == "beam.smp":
                break
            pid = int(children[0])
        return pid

    def kill(self, node: Node) -> None:
        subprocess.run(["kill", "-9", str(self.beam(node.name))], check=True)
        self.processes[node.name].wait()

    def stop(self) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                pid = process.pid
                subprocess.run(["kill", "-9", str(pid), str(self.beam_or(pid))], check=False)

    def beam_or(self, pid: int) -> int:
        names = {process.pid: name for name, process in self.processes.items()}
        return self.beam(names[pid])


def definitions(passwords: dict[str, str], collector: str) -> dict[str, object]:
    """Users, and what each may do."""
    users, permissions, topics = [], [], []
    for name, password in {COLLECTOR: collector, **passwords}.items():
        salt = secrets.token_bytes(4)
        hash = b64encode(salt + sha256(salt + password.encode()).digest()).decode()
        algorithm = "rabbit_password_hashing_sha256"
        users.append({"name": name, "password_hash": hash, "hashing_algorithm": algorithm, "tags": []})
        own = f"mqtt-subscription-{name}qos[01]"
        rights = (".*", ".*", ".*") if name == COLLECTOR else (f"^{own}$", *[f"^(amq\\.topic|{own})$"] * 2)
        permissions.append(
            {"user": name, "vhost": "/", **dict(zip(("configure", "write", "read"), rights, strict=True))}
        )
        if name != COLLECTOR:
            write, read = f"^cribboard\\.1\\.from\\.{name}\\..*", f"^cribboard\\.1\\.to\\.{name}\\..*"
            topics.append({"user": name, "vhost": "/", "exchange": EXCHANGE, "write": write, "read": read})
    vhosts = [{"name": "/"}]
    return {"vhosts": vhosts, "users": users, "permissions": permissions, "topic_permissions": topics}


async def collect(server: str, ca: str, address: str) -> None:
    """As the collector does with NATS: one transaction, then the receipts, then the acknowledgements."""
    import aio_pika

    context = ssl.create_default_context(cafile=ca)
    connection = await aio_pika.connect_robust(server, ssl_context=context)
    channel = await connection.channel(publisher_confirms=False)
    await channel.set_qos(prefetch_count=5_000)
    exchange = await channel.get_exchange(EXCHANGE)
    queue = await channel.declare_queue(QUEUE, durable=True, arguments={"x-queue-type": "quorum"})
    await queue.bind(exchange, subject(Topics("+").of(RESULT)))
    waiting = asyncio.Queue[aio_pika.abc.AbstractIncomingMessage]()
    await queue.consume(waiting.put)
    database = Database(address)
    print("collecting", flush=True)
    while True:
        batch = [await waiting.get()]
        while not waiting.empty() and len(batch) < MOST_AT_ONCE:
            batch.append(waiting.get_nowait())
        messages = [(str(message.routing_key).split(".")[3], message.body) for message in batch]
        taken = await asyncio.to_thread(take, database, messages)
        for board, receipt in taken.receipts:
            await exchange.publish(aio_pika.Message(receipt.encode()), subject(Topics(board).to(RECEIPT)))
        for message in batch:
            await message.ack()


class RabbitLeague(League):
    """The league of the NATS runs, with other brokers and a collector for them."""

    def start_brokers(self, opened: ExitStack) -> None:
        self.rabbit = RabbitCluster(self.folder / "rabbit", self.passwords, opened)
        opened.callback(self.rabbit.stop)
        self.rabbit.start()
        self.nats = self.rabbit  # type: ignore[assignment]  # what a run uses of it is the same

    def start_collector(self) -> None:
        port = self.rabbit.nodes[0].client_port
        server = f"amqps://{COLLECTOR}:{self.rabbit.password}@127.0.0.1:{port}/"
        arguments = ["--collect", server, str(self.rabbit.folder / "ca.crt"), self.postgres.address]
        log = self.folder / "collector.log"
        with log.open("ab") as output:
            command = [sys.executable, "-m", "tests.league.rabbitmq", *arguments]
            self.collector = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)
        wait_until(lambda: "collecting" in log.read_text(), "the collector is ready")

    def pids(self) -> dict[str, Sequence[int]]:
        others = {part: pids for part, pids in super().pids().items() if not part.startswith("broker")}
        brokers = {f"broker {name}": [self.rabbit.beam(name)] for name in self.rabbit.processes}
        return {**brokers, **others}


@click.command()
@click.option("--boards", default=50, show_default=True)
@click.option("--rate", default=10.0, show_default=True, help="Results a second.")
@click.option("--seconds", default=20.0, show_default=True)
@click.option("--idle", default=IDLE_S, show_default=True, help="Seconds without results before.")
@click.option("--collect", "access", nargs=3, hidden=True)
def main(boards: int, rate: float, seconds: float, idle: float, access: tuple[str, str, str] | None) -> None:
    """Run a league with RabbitMQ, and print its figures."""
    if access:
        asyncio.run(collect(*access))
    raise_file_limit()
    began_s = time.monotonic()
    with server_folder() as folder, ExitStack() as opened:
        run = Run(RabbitLeague(folder, boards, round(rate * seconds), opened), rate)
        run.figures["start_s"] = round(time.monotonic() - began_s, 1)
        asyncio.run(run.everything(seconds, faults=(), idle_s=idle))
    print(json.dumps(run.figures, indent=2), os.getloadavg())


if __name__ == "__main__":
    main()
