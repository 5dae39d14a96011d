"""The tests in `inside` are collected in a guest only."""

from __future__ import annotations

import os

collect_ignore = [] if "IN_A_GUEST" in os.environ else ["inside"]
