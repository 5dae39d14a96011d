"""For all tests: a loaded machine may take its time, and what was counted is told in every run."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# CI tries the same examples every time; at home each run tries others.
settings.register_profile(
    "house", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

COUNTED = "counted"
"""The property under which a test tells what it counted."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was counted is told in every run, on however many cores."""
    for report in terminalreporter.getreports("passed"):
        for name, told in report.user_properties:
            if name == COUNTED:
                terminalreporter.write_line(f"{told}")
