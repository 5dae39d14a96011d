"""Figures of a collector in Prometheus' text format, for whatever reads that: Prometheus, Grafana Agent, Zabbix."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.league.database import LeagueError
from firmware_host.optional_packages import Option, install_command

NAME = "cribboard_league"
"""The first part of the name of each figure."""
COMMIT_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0)
"""Upper ends of the classes of times: most commits take some milliseconds, and the worst wait for a server."""


class Metrics:
    """Counts what one collector does. Several collectors have their own figures each; Prometheus adds them up.

    Raises LeagueError where the module is missing.
    """

    def __init__(self) -> None:
        try:
            from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
        except ImportError as fault:
            fix = f"run: {install_command(Option.LEAGUE)}"
            raise LeagueError("the module prometheus_client", "it is not installed", "metrics", fix) from fault
        self.registry = found = CollectorRegistry()
        self.stored = Counter(f"{NAME}_results_stored", "Results in the ledger, also repeated ones.", registry=found)
        self.refused = Counter(f"{NAME}_results_refused", "Refused messages, by reason.", ["reason"], registry=found)
        self.failures = Counter(f"{NAME}_database_failures", "Transactions that were repeated.", registry=found)
        self.commit_s = Histogram(
            f"{NAME}_commit_seconds", "From a batch of messages to its commit.", buckets=COMMIT_S, registry=found
        )
        self.held = Gauge(f"{NAME}_receipts_held", "Receipts that wait for a copy of the database.", registry=found)
        self.last_at = Gauge(f"{NAME}_last_result_timestamp_seconds", "When the last result came.", registry=found)

    def serve(self, address: str, port: int) -> Callable[[], None]:
        """Answer `GET /metrics` from now on, on a thread of its own, until the function that this returns is called.
        Raises LeagueError if the port is taken."""
        from prometheus_client import start_http_server

        try:
            server, _ = start_http_server(port, address, self.registry)
        except OSError as fault:
            got = fault.strerror or str(fault)
            raise LeagueError("a free port", got, f"{address}:{port}", "choose another") from fault

        def stop() -> None:
            server.shutdown()
            server.server_close()

        return stop
