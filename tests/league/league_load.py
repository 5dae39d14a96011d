"""Thousands of boards, three NATS servers, PostgreSQL and the collector, with load and faults on one computer.

python -m tests.league.league_load --boards 5000 --rate 200 --seconds 600 --faults
python -m tests.league.league_load --boards 5000 --rate 200 --seconds 30 --upgrades
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import click

from firmware_host.board.course import TrackPegs
from firmware_host.cribbage.rules import Side
from firmware_host.cribbage.variants import rules_for
from firmware_host.game import events as e
from firmware_host.league.boards import boards_of, password_hash
from firmware_host.league.database import Database, migrate
from firmware_host.storage.journal import Journal
from firmware_host.telemetry.local_broker import new_password
from tests.figures import write_json
from tests.league.light_boards import LightBoards
from tests.league.servers import PATIENCE_S, NatsCluster, Postgres, server_folder, usage_of

ROOT = Path(__file__).parents[2]
FIGURES = Path(__file__).with_name("figures")
FAULTS = (
    "n0 killed",
    "n1 killed",
    "n2 killed",
    "PostgreSQL restarted",
    "PostgreSQL killed",
    "collector killed",
    "copy killed",
)
UPGRADES = ("n0", "n1", "n2", "collector", "PostgreSQL")
"""Each is stopped as the README says, and started again."""
FAULT_S, DOWN_S = 30.0, 8.0
"""The time of load with each fault or upgrade, and how long what was killed is down, in seconds."""
IDLE_S = 30.0
"""How long the boards only stay connected, in seconds; as long as their keep-alive."""
SETTLE_S = 12.0
"""How long the receipts may take that are measured with a change."""
DRAIN_S = 180.0
"""How long the last receipts may take."""


def write_journal(path: Path, games: int) -> None:
    """A journal of finished games of random scores."""
    random_numbers, rules = random.Random(1), rules_for("six_card")
    with closing(Journal.in_memory()) as journal, closing(sqlite3.connect(path)) as file:
        for _ in range(games):
            names = (f"Player {random_numbers.randrange(10_000)} a", f"Player {random_numbers.randrange(10_000)} b")
            winner, score = Side(random_numbers.randrange(2)), random_numbers.randrange(50, 121)
            started = e.GameStarted(rules, names, "classic-61", 2, False, (0, 0), is_demo=False)
            scores = [121 if side == winner else score for side in range(2)]
            leaps = [e.PegLeapt(Side(side), TrackPegs(0, front), stands=True) for side, front in enumerate(scores)]
            journal.append([started, *leaps, e.GameWon(winner)])
        journal._database.backup(file)


class League:
    """The servers, the collector and the boards. `opened` ends them."""

    def __init__(self, folder: Path, boards: int, games: int, opened: ExitStack) -> None:
        self.folder, self.journal_file = folder, folder / "journal.sqlite3"
        write_journal(self.journal_file, games)
        self.postgres = Postgres(folder)
        opened.callback(self.postgres.stop)
        self.postgres.start()
        migrate(self.postgres.address)
        self.passwords = {f"board-{number:04}": new_password() for number in range(boards)}
        self.start_brokers(opened)
        journal = opened.enter_context(closing(Journal.open_readonly(self.journal_file)))
        self.boards = LightBoards(journal, self.passwords)
        self.start_collector()
        opened.callback(self.kill_collector)

    def start_brokers(self, opened: ExitStack) -> None:
        """Servers that know all boards."""
        with self.database() as database, database.transaction():
            for name, password in self.passwords.items():
                row = (name, f"Club {name[-2:]}", password_hash(password))
                database.execute("INSERT INTO board (name, club, password_hash) VALUES (%s, %s, %s)", row)
        with self.database() as database:
            self.nats = NatsCluster(self.folder / "nats", boards_of(database))
        opened.callback(self.nats.stop)
        self.nats.start()

    def database(self) -> Database:
        return Database(self.postgres.address)

    def start_collector(self) -> None:
        command = [sys.executable, "-m", "firmware_host", "league", "--database", self.postgres.address, "collect"]
        command += [str(self.nats.access), *(("--replica", "pg_receivewal") if self.postgres.receiver else ())]
        with (self.folder / "collector.log").open("ab") as log:
            self.collector = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)

    def kill_collector(self) -> None:
        self.collector.kill()
        self.collector.wait()

    def upgrade_collector(self) -> None:
        """As `cribboard league migrate` and `systemctl restart cribboard-league` do."""
        migrate(self.postgres.address)
        self.collector.terminate()
        self.collector.wait(PATIENCE_S)
        self.start_collector()

    def check(self) -> tuple[int, str]:
        """`cribboard league check` over the journal of all boards: its exit status and its first line."""
        command = [sys.executable, "-m", "firmware_host", "league", "--database", self.postgres.address, "check"]
        done = subprocess.run([*command, str(self.journal_file)], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.returncode, (done.stdout or done.stderr).split("\n", 1)[0]

    def pids(self) -> Mapping[str, Sequence[int]]:
        """Process ids by part."""
        postgres = self.postgres.process.pid
        children = Path(f"/proc/{postgres}/task/{postgres}/children").read_text().split()
        return {
            **{f"broker {name}": [process.pid] for name, process in self.nats.processes.items()},
            "postgresql": [postgres, *map(int, children)],
            "collector": [self.collector.pid],
            "boards": [os.getpid()],
        }

    def usage(self) -> Mapping[str, tuple[float, float]]:
        """Processor seconds and resident MiB by part."""
        used = {part: [usage_of(pid) for pid in pids] for part, pids in self.pids().items()}
        return {part: (sum(cpu for cpu, _ in each), sum(memory for _, memory in each)) for part, each in used.items()}

    def committed(self) -> Mapping[str, float]:
        """When each row was committed, as the database says; keys are those of the outbox."""
        with self.database() as database:
            rows = database.execute(
                "SELECT id || '.' || revision, extract(epoch FROM pg_xact_commit_timestamp(xmin)) FROM result"
            )
        return {str(key): float(at) for key, at in rows}


def quantiles(delays: Sequence[float]) -> Mapping[str, int]:
    """In milliseconds."""
    ordered = sorted(delays)

    def at(part: float) -> int:
        return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))])

    return {"p50_ms": at(0.5), "p99_ms": at(0.99), "p999_ms": at(0.999), "max_ms": at(1.0)}


class Run:
    """One run and its figures."""

    def __init__(self, league: League, rate: float, fault_s: float = FAULT_S) -> None:
        self.league, self.rate, self.fault_s, self.played = league, rate, fault_s, 0
        self.figures = dict[str, object]()

    async def everything(
        self, seconds: float, faults: Collection[str], idle_s: float = IDLE_S, upgrades: Collection[str] = ()
    ) -> None:
        """Connect, play for this long, then during these upgrades and with these faults; wait for all receipts and
        compare; after faults restore, and compare again."""
        boards = self.league.boards
        before, began_s = self.league.usage(), time.monotonic()
        ports = [node.mqtt_port for node in self.league.nats.nodes]
        running = asyncio.create_task(boards.run(ports, str(self.league.nats.folder / "ca.crt")))
        while boards.connected < len(boards.boards):
            await asyncio.sleep(0.1)
            if running.done():
                running.result()
        self.figures["boards"], self.figures["connect_s"] = len(boards.boards), round(time.monotonic() - began_s, 1)
        await asyncio.sleep(5)
        self._say_memory("idle", before)
        self.figures["percent_of_a_core_idle"] = await self._used(asyncio.sleep(idle_s))
        await self._steady(seconds)
        self._say_memory("loaded", before)
        if upgrades:
            await self._upgrades(upgrades)
        if faults:
            self.league.postgres.begin_backup()
            self.league.kill_collector()  # from now on receipts wait for the copy
            self.league.start_collector()
            await self._faults(faults)
        await self._drain()
        running.cancel()
        self._compare("check")
        if faults:
            began_s = time.monotonic()
            self.league.postgres.lose_and_restore()
            self.figures["restored_s"] = round(time.monotonic() - began_s, 1)
            self._compare("check_after_restore")

    async def _play(self, seconds: float) -> Sequence[str]:
        """The keys of the results that were published first in this time."""
        before, count = len(self.league.boards.log.published), round(self.rate * seconds)
        await self.league.boards.play(self.rate, self.played, count)
        self.played += count
        return list(self.league.boards.log.published)[before:]

    async def _used(self, work: Awaitable[object]) -> Mapping[str, float]:
        """The processor time of each part during some work, in percent of one core."""
        before, began_s = self.league.usage(), time.monotonic()
        await work
        lasted_s = time.monotonic() - began_s
        return {
            part: round(100 * (cpu - before[part][0]) / lasted_s, 2) for part, (cpu, _) in self.league.usage().items()
        }

    async def _steady(self, seconds: float) -> None:
        before, began_s = set(self.league.boards.log.published), time.monotonic()
        self.figures["percent_of_a_core"] = await self._used(self._play(seconds))
        keys = [key for key in self.league.boards.log.published if key not in before]
        self.figures["results"], self.figures["per_second"] = (
            len(keys),
            round(len(keys) / (time.monotonic() - began_s), 1),
        )
        self.figures["load_average"] = [round(load, 1) for load in os.getloadavg()]
        await asyncio.sleep(3)
        self.figures["steady"] = self._delays(keys)

    def _delays(self, keys: Sequence[str]) -> Mapping[str, object]:
        committed, log = self.league.committed(), self.league.boards.log
        known = [key for key in keys if key in committed]
        return {
            "to_committed_row": quantiles([committed[key] - log.published[key] for key in known]),
            "to_receipt": quantiles([log.receipts[key] - log.published[key] for key in keys if key in log.receipts]),
            "not_yet_committed": len(keys) - len(known),
        }

    def _say_memory(self, name: str, before: Mapping[str, tuple[float, float]]) -> None:
        used = self.league.usage()
        self.figures[f"memory_{name}_mib"] = {part: round(memory) for part, (_, memory) in used.items()}
        brokers = sum(used[part][1] - before[part][1] for part in used if part.startswith("broker"))
        self.figures[f"memory_{name}_per_board_kib"] = round(brokers * 1024 / len(self.league.boards.boards), 1)

    async def _faults(self, names: Collection[str]) -> None:
        """Each of these with its own time of load, so that it can be seen what it costs."""
        league, costs = self.league, dict[str, object]()
        ways: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            f"{node.name} killed": (partial(league.nats.kill, node), partial(league.nats.start_node, node))
            for node in league.nats.nodes
        }
        ways["PostgreSQL restarted"] = (league.postgres.restart, lambda: None)
        ways["PostgreSQL killed"] = (league.postgres.kill, league.postgres.start)
        ways["collector killed"] = (league.kill_collector, league.start_collector)
        ways["copy killed"] = (league.postgres.kill_receiver, league.postgres.start_receiver)
        for name in names:
            costs[name] = await self._cost(partial(_break_for_a_time, *ways[name]))
        self.figures["faults"] = costs

    async def _upgrades(self, names: Collection[str]) -> None:
        """Each part once, with its own time of load."""
        league = self.league
        ways: dict[str, Callable[[], object]] = {
            **{node.name: partial(league.nats.upgrade, node) for node in league.nats.nodes},
            "collector": league.upgrade_collector,
            "PostgreSQL": league.postgres.restart,
        }
        self.figures["upgrades"] = {name: await self._cost(ways[name]) for name in names}

    async def _cost(self, change: Callable[[], object]) -> Mapping[str, object]:
        """What a change costs that happens under load."""
        lost = self.league.boards.log.lost_connections
        playing = asyncio.create_task(self._play(self.fault_s))
        await asyncio.sleep(2)
        began_s = time.monotonic()
        await asyncio.to_thread(change)
        lasted_s = time.monotonic() - began_s
        keys = await playing
        await self._until_settled(keys)
        delays = await asyncio.to_thread(self._delays, keys)
        lost_connections = self.league.boards.log.lost_connections - lost
        return {"connections_lost": lost_connections, "lasted_s": round(lasted_s, 1), **delays}

    async def _until_settled(self, keys: Sequence[str]) -> None:
        """Until all of these have receipts; SETTLE_S at most."""
        began_s = time.monotonic()
        while {*keys} - self.league.boards.log.receipts.keys() and time.monotonic() - began_s < SETTLE_S:
            await asyncio.sleep(0.2)

    async def _drain(self) -> None:
        began_s = time.monotonic()
        while self.league.boards.waiting and time.monotonic() - began_s < DRAIN_S:
            await asyncio.sleep(0.2)
        log = self.league.boards.log
        self.figures |= {
            "drained_s": round(time.monotonic() - began_s, 1),
            "without_receipt": self.league.boards.waiting,
            "messages_sent": log.messages,
            "results_in_all": len(log.published),
            "refused": log.refusals,
        }

    def _compare(self, name: str) -> None:
        status, line = self.league.check()
        self.figures[name] = line
        rows = self.league.committed()
        sent = self.league.boards.log.published
        self.figures[f"{name}_lost"] = len(sent.keys() - rows.keys())
        self.figures[f"{name}_rows"] = len(rows)


def _break_for_a_time(break_it: Callable[[], object], repair: Callable[[], object]) -> None:
    break_it()
    time.sleep(DOWN_S)
    repair()


def raise_file_limit() -> None:
    """Each board has a socket here, and one at a server."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@click.command()
@click.option("--boards", default=50, show_default=True)
@click.option("--rate", default=10.0, show_default=True, help="Results a second.")
@click.option("--seconds", default=20.0, show_default=True)
@click.option("--faults", is_flag=True)
@click.option("--upgrades", is_flag=True, help="Upgrade each part once.")
@click.option("--keep", metavar="NAME", help="Store the figures in tests/league/figures.")
def main(boards: int, rate: float, seconds: float, faults: bool, upgrades: bool, keep: str | None) -> None:
    """Run a league, and print its figures."""
    raise_file_limit()
    changes = len(FAULTS) * faults + len(UPGRADES) * upgrades
    games = round(rate * seconds) + round(changes * rate * FAULT_S)
    with server_folder() as folder, ExitStack() as opened:
        run = Run(League(folder, boards, games, opened), rate)
        asyncio.run(run.everything(seconds, FAULTS if faults else (), upgrades=UPGRADES if upgrades else ()))
    print(json.dumps(run.figures, indent=2))
    if keep:
        write_json(FIGURES, keep, run.figures)


if __name__ == "__main__":
    main()
