"""Finds holes that are about to fail.

A peg that stands still but is lost and found again and again has a weak magnet, sits too high, or stands over a cold
solder joint. Such a hole is reported while it still reads. A peg that is pressed home bounces; one that is jostled or
counted through goes and comes once: neither is weak.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

SEATED_S = 0.5
"""A peg that stood for this long is at rest; before that its contact may bounce."""
GAP_S = 0.15
"""The longest gap that counts. A hand that takes a peg out needs longer to put it back."""
WITHIN_S = 10.0
GAPS_TO_REPORT = 5
"""This many gaps within `WITHIN_S` cannot be a hand."""


class WeakHoles:
    """Counts short gaps in the readings of every sensor and reports each weak sensor once."""

    def __init__(self) -> None:
        self._frame: frozenset[int] = frozenset()
        self._since_s: dict[int, float] = {}
        self._lost: dict[int, tuple[float, float]] = {}  # when the peg was lost, and since when it had stood
        self._gaps_s: dict[int, deque[float]] = {}
        self._reported: set[int] = set()

    @property
    def gaps(self) -> Mapping[int, int]:
        """Sensor -> gaps counted, those of the last `WITHIN_S` before its latest gap."""
        return {sensor: len(gaps_s) for sensor, gaps_s in self._gaps_s.items()}

    def update(self, frame: frozenset[int], at_s: float) -> tuple[int, ...]:
        """Takes in the sensors that read at `at_s` (seconds) and returns those found weak now, lowest first."""
        for sensor in self._frame - frame:
            self._lost[sensor] = at_s, self._since_s.pop(sensor)
        weak = tuple(sensor for sensor in sorted(frame - self._frame) if self._is_weak(sensor, at_s))
        self._frame = frame
        self._reported.update(weak)
        return weak

    def _is_weak(self, sensor: int, at_s: float) -> bool:
        # A sensor that was never lost gets a gap that is too long to count.
        lost_s, since_s = self._lost.pop(sensor, (at_s - 2 * GAP_S, at_s))
        is_gap = at_s - lost_s <= GAP_S and lost_s - since_s >= SEATED_S
        self._since_s[sensor] = at_s
        if not is_gap:
            return False
        gaps_s = self._gaps_s.setdefault(sensor, deque())
        gaps_s.append(at_s)
        while gaps_s[0] < at_s - WITHIN_S:
            gaps_s.popleft()
        return len(gaps_s) >= GAPS_TO_REPORT and sensor not in self._reported
