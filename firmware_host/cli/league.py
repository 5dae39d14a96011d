"""`cribboard league`: the results of many boards, from a cluster of brokers into one database."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import to_builtins

from firmware_host.cli.board_files import write_files_for_board
from firmware_host.cli.command_group import CommandGroup
from firmware_host.cli.jsonl import counted, write_line, write_lines
from firmware_host.cli.text_table import text_table
from firmware_host.club_server.broker import settings_for_board
from firmware_host.config.languages import LANGUAGES, translator
from firmware_host.config.settings_sources import OF_LEAGUE
from firmware_host.errors import HostError
from firmware_host.league.boards import add_board, boards_of, expel_board
from firmware_host.league.database import Database, LeagueError, migrate
from firmware_host.league.nats_config import MQTT_PORT, Node, read_access, write_configuration
from firmware_host.league.standings import VARIANT, standings
from firmware_host.ui.texts.side_names import default_names

if TYPE_CHECKING:
    from firmware_host.league.status import LedgerStatus, StreamStatus

T = TypeVar("T")

FOLDER = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)

AUTHORITY_FILE = "league-ca.pem"


class _LeagueGroup(CommandGroup):
    """Prints an error on one line."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except HostError as fault:
            raise click.ClickException(str(fault)) from fault


@click.group("league", cls=_LeagueGroup)
@click.option(
    "--database",
    envvar=OF_LEAGUE,
    default="postgresql:///cribboard",
    show_default=True,
    metavar="ADDRESS",
    help="postgresql://USER@HOST/NAME or sqlite:///FILE; also in the variable CRIBBOARD_LEAGUE.",
)
@click.pass_context
def command(context: click.Context, database: str) -> None:
    """Collect the results of many boards from three NATS servers into PostgreSQL.

    \b
    cribboard league migrate
    cribboard league board add table-3 --club Riverside
    cribboard league broker-config FOLDER --node n1=HOST --node n2=HOST --node n3=HOST
    cribboard league collect FOLDER/collector/access.toml
    cribboard league standings

    Passwords of PostgreSQL belong into its own file, ~/.pgpass.
    """
    context.obj = database


@command.command("migrate", short_help="Make the tables, or bring them up to date.")
@click.pass_obj
def migrate_command(address: str) -> None:
    """Make the tables, or bring those of an earlier version up to date."""
    write_lines(migrate(address) or ["up to date"])


@command.command("collect", short_help="Write the results that come, until Ctrl-C.")
@click.argument("access", type=FILE)
@click.option("--metrics", default="", metavar="ADDRESS:PORT", help="Answer GET /metrics there, for Prometheus.")
@click.option(
    "--replica",
    envvar=f"{OF_LEAGUE}_REPLICA",
    default="",
    metavar="NAME",
    help="Receipts wait until the program of this application name has copied the result; also in the variable "
    f"{OF_LEAGUE}_REPLICA.",
)
@click.pass_obj
def collect(address: str, access: Path, metrics: str, replica: str) -> None:
    """Write the results that come, and answer with receipts, until Ctrl-C. ACCESS is access.toml from broker-config."""
    import asyncio
    import logging

    from firmware_host.league.collector import Collector
    from firmware_host.league.metrics import Metrics

    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    with Database(address) as database:  # a wrong address ends here, and is not tried again and again
        if replica and not database.is_postgresql:
            raise LeagueError("PostgreSQL", "SQLite", "--replica", "leave it out")
    figures = None
    if metrics:
        figures = Metrics()
        figures.serve(*_host_and_port(metrics))
    with suppress(KeyboardInterrupt):
        asyncio.run(Collector(read_access(access), address, figures, replica).run())


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise LeagueError("ADDRESS:PORT", repr(text), "--metrics", "name one, such as 127.0.0.1:9105")
    return host.strip("[]"), int(port)


@command.command("status", short_help="Show who sends, what waits and what was refused.")
@click.argument("access", type=FILE, required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def status_command(address: str, access: Path | None, as_json: bool) -> None:
    """Show who sends, what waits, what was refused and what is copied. ACCESS is access.toml from broker-config;
    without it the brokers are not asked. Ends with 1 if the database or the brokers do not answer."""
    from firmware_host.league.status import stream_status

    ledger, no_ledger = _answer(partial(_ledger_status, address))
    stream, no_brokers = _answer(partial(stream_status, read_access(access))) if access else (None, "")
    faults = [fault for fault in (no_ledger, no_brokers) if fault]
    if as_json:
        write_line(json.dumps(to_builtins({"ledger": ledger, "stream": stream, "faults": faults})))
    else:
        write_lines(_ledger_in_words(ledger) if ledger else [f"ledger: NO ANSWER: {no_ledger}"])
        if access:
            write_line(f"brokers: NO ANSWER: {no_brokers}" if no_brokers else _stream_in_words(stream))
    if faults:
        raise click.exceptions.Exit(1)


def _answer(ask: Callable[[], T]) -> tuple[T | None, str]:
    """What one part of the league answers, or why it does not: the other parts may still tell."""
    try:
        return ask(), ""
    except LeagueError as fault:
        return None, str(fault)


def _ledger_status(address: str) -> LedgerStatus:
    from firmware_host.league.status import ledger_status

    with Database(address) as database:
        return ledger_status(database)


def _ledger_in_words(found: LedgerStatus) -> Iterator[str]:
    yield f"boards: {found.boards} may connect, {found.boards_seen} sent a result"
    yield f"ledger: {counted(found.games, 'game')}, {counted(found.results, 'result')}"
    yield f"last result: {found.last_at} from {found.last_board}" if found.last_at else "last result: none yet"
    for each in found.refused:
        yield f"refused: {each.number} from {each.board}: {each.reason}, last {each.last_at}"
    if found.replicas is not None:
        copies = (f"{each.name} {each.state}, {each.behind_bytes} bytes behind" for each in found.replicas)
        yield f"copies: {'; '.join(copies) or 'nothing copies this database now'}"


def _stream_in_words(found: StreamStatus | None) -> str:
    if found is None:
        return "brokers: no board has connected yet"
    collecting = "a collector is connected" if found.has_collector else "NO COLLECTOR IS CONNECTED"
    return (
        f"brokers: {found.waiting} wait for a collector, {found.unacknowledged} are being written, "
        f"{found.delivered_again} were delivered again; {collecting}"
    )


@command.command("standings", short_help="Show the players in the order of the ACC.")
@click.option("--variant", default=VARIANT, show_default=True)
@click.option("--from", "first", default="", metavar="DATE", help="The first day (UTC), such as 2026-09-01.")
@click.option("--before", default="", metavar="DATE", help="The day after the last one.")
@click.option("--club", default="", help="Only games on the boards of this club.")
@click.pass_obj
def standings_command(address: str, variant: str, first: str, before: str, club: str) -> None:
    """Show the players in the order of the ACC: game points, games won, spread, plus points."""
    with Database(address) as database:
        found = standings(database, variant, first, before, club, unnamed_players())
    heading = ("", "Player", "Games", "Points", "Won", "Spread", "Plus")
    rows = [(str(place), name, *map(str, sums)) for place, name, *sums in found]
    write_lines(text_table([heading, *rows], 2))


def unnamed_players() -> frozenset[str]:
    """The names of players who typed none, in all languages of boards."""
    return frozenset(name for language in LANGUAGES for name in default_names(translator(language)))


@command.command("check", short_help="Compare the ledger with the journals of boards.")
@click.argument("journals", nargs=-1, type=FILE, required=True)
@click.option("--some", is_flag=True, help="The league has boards besides these.")
@click.pass_obj
def check(address: str, journals: tuple[Path, ...], some: bool) -> None:
    """Compare the ledger with the JOURNALS of boards (journal.sqlite3, or a copy). Ends with 1 if they differ."""
    from firmware_host.league.check import compare

    with Database(address) as database:
        found = compare(database, journals)
    lists = {"missing": found.missing, "different": found.different, "unknown": () if some else found.unknown}
    write_line(f"{counted(found.games, 'game')}: " + ", ".join(f"{len(keys)} {name}" for name, keys in lists.items()))
    for name, keys in lists.items():
        write_lines(f"{name}: {id} revision {revision}" for id, revision in keys)
    if any(lists.values()):
        raise click.exceptions.Exit(1)


@command.command("import", short_help="Take the results of the nights of a club.")
@click.argument("file", type=FILE)
@click.option("--club", required=True, help="Its name in the league.")
@click.pass_obj
def import_command(address: str, file: Path, club: str) -> None:
    """Take the results of the nights of a club from its FILE, club.sqlite3. Again after each night, or a correction."""
    from firmware_host.league.club_results import import_club

    with Database(address) as database:
        count = import_club(database, file, club)
    write_line(f"{counted(count, 'result')} of {club} {'counts' if count == 1 else 'count'}")


@command.group("board", short_help="Which boards may connect.")
def board() -> None:
    """Boards that may connect. The brokers learn of a change by `broker-config` and a reload."""


@board.command("add", short_help="Let a board connect: print its settings and its password.")
@click.argument("name")
@click.option("--club", default="", help="Where the board is.")
@click.option("--host", default="", help="A name of the three brokers, for the settings of the board.")
@click.option("--ca", type=FILE, help="ca.crt of broker-config, which the board trusts.")
@click.option("--into", type=FOLDER, help="A folder for the files, such as on a USB stick.")
@click.option("--renew", is_flag=True, help="Give a board that is there already another password.")
@click.pass_obj
def add(address: str, name: str, club: str, host: str, ca: Path | None, into: Path | None, renew: bool) -> None:
    """Let a board connect: print its settings, its password and the certificate that it has to trust, or write them
    into a folder."""
    if into and not (ca and host):
        raise click.UsageError("A stick needs a host that boards can reach and the certificate: name --host and --ca.")
    try:
        authority = ca.read_text(encoding="ascii") if ca else ""
    except (OSError, UnicodeDecodeError) as fault:
        raise click.ClickException(f"{ca} cannot be read: {fault}") from fault
    with Database(address) as database:
        password = add_board(database, name, club, renew=renew)
    settings = settings_for_board(name, host or "BROKER", MQTT_PORT, AUTHORITY_FILE)
    files = {"cribboard.toml": settings, "mqtt-password": f"{password}\n"}
    write_files_for_board(files | ({AUTHORITY_FILE: authority} if authority else {}), into)


@board.command("expel", short_help="Take the right to connect away from a board.")
@click.argument("name")
@click.pass_obj
def expel(address: str, name: str) -> None:
    """Take the right to connect away from a board, such as a stolen one. Its results stay."""
    with Database(address) as database:
        expel_board(database, name)


@board.command("list")
@click.pass_obj
def show_boards(address: str) -> None:
    """List the boards and their clubs."""
    with Database(address) as database:
        for name, club, password_hash in boards_of(database):
            write_line("  ".join(filter(None, (name, club, "" if password_hash else "(may not connect)"))))


@command.command("broker-config", short_help="Write the configuration of three NATS servers.")
@click.argument("folder", type=FOLDER)
@click.option("--node", "nodes", multiple=True, metavar="NAME=HOST", help="A server; three times.")
@click.option("--name", default="", metavar="HOST", help="A DNS name with the addresses of all three, for the boards.")
@click.option("--laptop", is_flag=True, help="Three servers on this computer instead, for tests.")
@click.option("--installed", type=FOLDER, help="Where the folder of a node lies on its machine.  [default: as written]")
@click.pass_obj
def broker_config(
    address: str, folder: Path, nodes: tuple[str, ...], name: str, laptop: bool, installed: Path | None
) -> None:
    """Write the configuration of three NATS servers, with the rights of each board, into FOLDER.

    Again after each change of a board; then copy users.conf of each node to its machine, and reload:
    nats-server --signal reload=PID
    """
    chosen = laptop_nodes() if laptop else [_node(text)._replace(shared_name=name) for text in nodes]
    with Database(address) as database:
        write_configuration(folder, chosen, boards_of(database), installed)
    for node in chosen:
        write_line(f"{node.name}: nats-server -c {installed or (folder / node.name).absolute()}/nats.conf")
    write_line(f"cribboard league collect {folder}/collector/access.toml")


def laptop_nodes() -> list[Node]:
    """Three servers on one computer."""
    ports = ((4221 + i, 6221 + i, MQTT_PORT - 1 + i, "127.0.0.1", 8221 + i) for i in (1, 2, 3))
    return [Node(f"n{i}", "127.0.0.1", *of_node) for i, of_node in enumerate(ports, 1)]


def _node(text: str) -> Node:
    name, _, host = text.partition("=")
    if not name or not host:
        raise LeagueError("NAME=HOST", repr(text), "--node", "name a server, such as n1=10.0.0.1")
    return Node(name, host)
