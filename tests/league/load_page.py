"""Writes LOAD.md: the figures of the last load run of a league.

python -m tests.league.load_page > firmware_host/league/LOAD.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any

from tests.figures import read_json
from tests.league.league_load import DOWN_S, FAULT_S, FIGURES
from tests.league.servers import LAME_DUCK_S

WIDTH = 120
SIZES = (10, 100, 1000, 5000)

HEADING = """\
# A league under load

Generated from the last run of `make league-load`; do not edit it here. Three NATS servers with TLS between all parts,
PostgreSQL, the collector and all boards ran on one computer, over its loopback interface. The boards are one program
with the outbox of the product and a connection for each board: TLS, MQTT 3.1.1, a persistent session, a last will,
retained state, receipts with QoS 0. When a row was committed is what the database says
(`track_commit_timestamp`); when a result was published is what the board says. Both have the same clock.
"""


def page() -> str:
    """The text of LOAD.md."""
    runs = {size: read_json(FIGURES, f"boards_{size}") for size in SIZES}
    upgrades = _upgrades(read_json(FIGURES, f"upgrades_{SIZES[-1]}"))
    return "\n".join((HEADING, *_steady(runs), *_faults(runs[SIZES[-1]]), *upgrades, *_growth(runs), *_on_paper(runs)))


def _table(heading: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(heading)} |"
    yield f"| {' | '.join('---' for _ in heading)} |"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"
    yield ""


def _steady(runs: Mapping[int, Any]) -> Iterator[str]:
    run = runs[SIZES[-1]]
    committed, receipt = run["steady"]["to_committed_row"], run["steady"]["to_receipt"]
    yield f"## {run['boards']:,} boards, {run['per_second']:.0f} results a second, {run['results']:,} results"
    yield ""
    heading = ("milliseconds", "half", "99 %", "99.9 %", "longest")
    keys = ("p50_ms", "p99_ms", "p999_ms", "max_ms")
    rows = [(name, *(f"{figures[key]:,}" for key in keys)) for name, figures in _delays(committed, receipt)]
    yield from _table(heading, rows)
    loads = ", ".join(map(str, run["load_average"]))
    yield from _paragraph(
        f"All boards were connected after {run['connect_s']} s. The load averages of 1, 5 and 15 minutes were {loads} "
        "at the end, on two cores that also ran the boards."
    )


def _paragraph(text: str) -> Iterator[str]:
    yield fill(text, WIDTH)
    yield ""


def _delays(committed: Any, receipt: Any) -> Sequence[tuple[str, Any]]:
    return (("from publishing to the committed row", committed), ("to the receipt on the board", receipt))


def _faults(run: Any) -> Iterator[str]:
    yield "## Faults"
    yield ""
    yield from _paragraph(
        f"Under the same load, {FAULT_S:.0f} s for each; what is killed (kill -9) is down for {DOWN_S:.0f} s. "
        "Milliseconds from publishing to the committed row, of what was committed 12 s after the end of that time; how "
        "many were not is in the last column, and the check at the end finds them."
    )
    yield from _costs("fault", run["faults"])
    yield from _paragraph(
        f"Then the data of PostgreSQL was deleted, and restored from a base backup and the received log. {_sums(run)}"
    )


def _costs(what: str, costs: Mapping[str, Any]) -> Iterator[str]:
    rows = [
        (
            name,
            f"{cost['connections_lost']:,}",
            *(f"{cost['to_committed_row'][key]:,}" for key in ("p50_ms", "p99_ms", "max_ms")),
            cost["not_yet_committed"],
        )
        for name, cost in costs.items()
    ]
    yield from _table((what, "connections lost", "half", "99 %", "longest", "not yet"), rows)


def _upgrades(run: Any) -> Iterator[str]:
    yield "## Upgrades"
    yield ""
    loads = ", ".join(map(str, run["load_average"]))
    yield from _paragraph(
        f"A run of its own: {run['boards']:,} boards, {run['per_second']:.0f} results a second, and each part stopped "
        "and started once as the README says, while they play. A broker hands its boards to the others within "
        f"{LAME_DUCK_S} s here (120 s as installed), and the next one waits until it is well. The load averages before "
        f"the upgrades were {loads}, on two cores that also ran the boards."
    )
    yield from _costs("part", run["upgrades"])
    yield from _paragraph(
        f"{run['results_in_all']:,} results were sent, {run['check_rows']:,} rows committed, {run['check_lost']} lost, "
        f"{run['refused']} refused, {run['without_receipt']} without a receipt. `cribboard league check`: "
        f"{run['check']}."
    )


def _sums(run: Any) -> str:
    repeated = run["messages_sent"] - run["results_in_all"]
    return (
        f"{run['results_in_all']:,} results were sent, and {repeated:,} messages besides that were sent again. "
        f"`cribboard league check` before: {run['check']}; after: {run['check_after_restore']}. "
        f"Rows: {run['check_rows']:,} and {run['check_after_restore_rows']:,}. "
        f"Without a receipt: {run['without_receipt']}."
    )


def _growth(runs: Mapping[int, Any]) -> Iterator[str]:
    yield "## Cost per board"
    yield ""
    yield from _paragraph("Each board ends a game every 25 s. Percent are of one core, memory is in MiB.")
    rows = [
        (
            f"{size:,}",
            f"{run['per_second']:.1f}",
            *(f"{figure:,.1f}" for figure in _cpu(run)),
            f"{_brokers(run['memory_idle_mib']):,.0f}",
            f"{_brokers(run['memory_loaded_mib']):,.0f}",
            f"{run['steady']['to_committed_row']['p99_ms']:,}",
        )
        for size, run in runs.items()
    ]
    heading = ("boards", "results a second", "three brokers %", "collector %", "PostgreSQL %", "brokers idle MiB")
    yield from _table((*heading, "brokers loaded MiB", "99 % ms"), rows)


def _cpu(run: Any, when: str = "percent_of_a_core") -> tuple[float, float, float]:
    used = run[when]
    return _brokers(used), used["collector"], used["postgresql"]


def _brokers(figures: Mapping[str, float]) -> float:
    return sum(value for part, value in figures.items() if part.startswith("broker"))


GAME_S, BOARDS = 900, 500_000
"""On paper: how long a game takes, and how many boards there are."""


def _on_paper(runs: Mapping[int, Any]) -> Iterator[str]:
    small, large = runs[SIZES[-2]], runs[SIZES[-1]]
    results, boards = BOARDS / GAME_S, large["boards"] - small["boards"]
    kib = 1024 * (_brokers(large["memory_loaded_mib"]) - _brokers(small["memory_loaded_mib"])) / boards
    rows = list[tuple[object, ...]]()
    for place, part in enumerate(("three brokers", "collector", "PostgreSQL")):
        idle = [10_000 * _cpu(run, "percent_of_a_core_idle")[place] for run in (small, large)]
        busy = [10_000 * _cpu(run)[place] for run in (small, large)]
        a_board = max(0.0, (idle[1] - idle[0]) / boards)
        a_result = (busy[1] - busy[0] - boards * a_board) / (large["per_second"] - small["per_second"])
        cores = (BOARDS * a_board + results * a_result) / 1e6
        rows.append((part, f"{a_board:,.1f}", f"{a_result:,.0f}", f"{cores:,.2f}"))
    yield f"## {BOARDS:,} boards, on paper"
    yield ""
    yield from _paragraph(
        f"From the slopes between {small['boards']:,} and {large['boards']:,} boards, with a game in {GAME_S // 60} "
        f"minutes: {results:,.0f} results a second. Nothing beyond {large['boards']:,} boards was measured."
    )
    heading = (
        "part",
        "µs each second for a connected board",
        "µs for a result",
        f"cores for {BOARDS:,} boards",
    )
    yield from _table(heading, rows)
    gib, carried = kib * BOARDS / 2**20, 2 * 8 * 2**20 / kib
    yield from _paragraph(
        f"A board takes {kib:.0f} KiB of memory in the three brokers together: {gib:.0f} GiB for {BOARDS:,}. "
        "The collector and PostgreSQL need less for a result the more of them wait, because they are one transaction."
    )
    yield from _paragraph(
        "So the brokers are full first. `max_connections` in the configuration, 65,000 a server, ends at 130,000 "
        f"boards when one of three servers is down; then it is memory: two servers of 8 GiB carry {carried:,.0f} "
        f"boards. Not measured: how long NATS reads `users.conf` with {BOARDS:,} lines, and how long so many boards "
        "take to connect again."
    )


if __name__ == "__main__":
    print(page(), end="")
