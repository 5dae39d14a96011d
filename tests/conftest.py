"""Settings for all tests: the Hypothesis profile, signal handlers, and result lines in pytest's summary."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer

from firmware_host.club_server import accounts
from tests.scheduling import LongFilesFirst

EXAMPLES = int(os.environ.get("EXAMPLES", "20"))
"""How many examples a property is tried with, unless its test says otherwise. `make test-slow` tries 400."""

# CI tries the same examples in every run; elsewhere each run tries new ones. There is no deadline, because the machine
# may be busy with other tests.
settings.register_profile(
    "cribboard",
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("cribboard")

# A background job of a shell ignores SIGINT, and every process that a test starts would inherit that.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

# Containers often set PYTHONDONTWRITEBYTECODE. Every process of the tests would then compile the whole program again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

MEMORY_FOLDER, MIN_FREE = "/dev/shm", 2 << 30
"""Where tests write their files, if it has this many bytes free: journals sync each turn, and a disk takes most of the
time for that."""
ON_DISK = ("bench", "kernel")
"""Marks of the tests that stay on the disk: they measure it, or a guest has its own folder in memory."""

SUMMARY_LINE = "summary_line"
"""The name for `record_property` of a line that pytest prints in its summary, however many cores run the tests."""


@pytest.fixture(autouse=True, scope="session")
def cheap_passwords() -> Iterator[None]:
    """Hashes the passwords of clubs at the least cost. The real one, which is meant to take long, is tested once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "MEMORY_KIB", 8)
        patch.setattr(accounts, "PASSES", 1)
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Choose the folder of temporary files, unless the caller did."""
    if config.option.markexpr in ON_DISK or not os.path.isdir(MEMORY_FOLDER):
        return
    if shutil.disk_usage(MEMORY_FOLDER).free >= MIN_FREE:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY_FOLDER)
        os.environ.setdefault("TMPDIR", MEMORY_FOLDER)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LongFilesFirst | None:
    """Let `--dist loadfile` begin with what takes long."""
    return LongFilesFirst(config, log) if config.option.dist == "loadfile" else None


def pytest_collection_finish() -> None:
    """Excludes the collected tests from garbage collection: they stay, and each full collection would visit them."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the summary lines of the tests that passed."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == SUMMARY_LINE:
                terminalreporter.write_line(f"{value}")
