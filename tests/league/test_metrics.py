"""Figures of a collector, as a monitoring program reads them over HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from firmware_host.league.collector import Collector
from firmware_host.league.database import LeagueError, migrate
from firmware_host.league.metrics import Metrics
from firmware_host.league.nats_config import Access
from tests.free_port import free_port
from tests.league.messages import message


def test_a_batch_is_counted_as_prometheus_reads_it(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/league.sqlite3"
    migrate(address)
    port = free_port()
    metrics = Metrics()
    stop = metrics.serve("127.0.0.1", port)
    collector = Collector(Access((), "", "", ""), address, metrics)
    sent = [message(1), message(2), message(2, board="table-2", revision=2)]
    asyncio.run(collector._commit([(each.board, each.payload) for each in sent]))
    collector._close_database()
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        found = {
            (sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples
        }
    assert found["cribboard_league_results_stored_total",] == 2
    assert found["cribboard_league_results_refused_total", "another board has sent a result of this game before"] == 1
    assert found["cribboard_league_commit_seconds_count",] == 1
    assert found["cribboard_league_last_result_timestamp_seconds",] > 1_700_000_000
    with pytest.raises(LeagueError, match="a free port"):
        Metrics().serve("127.0.0.1", port)
    stop()
