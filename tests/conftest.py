"""For all tests: what a loaded machine may take its time for is no fault of the program."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# CI tries the same examples every time; at home each run tries others.
settings.register_profile(
    "house", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")
