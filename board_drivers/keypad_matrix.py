"""Driver of the 4 x 4 keypad matrix: rows are driven, columns are read. It does not scan while no key is down.

When idle, all rows are low, so any key pulls its column low and wakes the scanning thread, which then drives one row at
a time until all keys are up again. Three or more keys can make a fourth one appear pressed (ghosting), so scans with
more than two keys are ignored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Event, Thread
from time import monotonic, sleep
from typing import Protocol

from board_drivers.ports import KEY_ROWS, Key, KeyEdge

SCAN_S = 0.01
EQUAL_SCANS = 3
"""A contact bounces for 5 ms at most; a state that three scans in a row agree on is settled."""
MAX_KEYS = 2
"""With more keys down than this, ghosts are possible."""
SETTLE_S = 50e-6
"""50 kohm of pull-up and 300 pF of membrane and ribbon take 15 us to rise."""
RECHECK_S = 1.0
"""Interval at which the columns are read although no edge came, in case the kernel lost one."""

PressedKeys = frozenset[str]


class RowLine(Protocol):
    """A row line; `on` drives it low."""

    def on(self) -> None: ...
    def off(self) -> None: ...


class ColumnLine(Protocol):
    """A column line with pull-up; active is low."""

    when_activated: Callable[[], None] | None

    @property
    def is_active(self) -> bool: ...


class KeyFilter:
    """Debounces raw scans into key edges: a state counts once `EQUAL_SCANS` scans in a row agree on it."""

    def __init__(self) -> None:
        self.held: PressedKeys = frozenset()
        self._last_scan: PressedKeys = frozenset()
        self._equal_scans = 0

    @property
    def is_idle(self) -> bool:
        """Whether no key is down and none is bouncing."""
        return not self.held and not self._last_scan and self._equal_scans >= EQUAL_SCANS

    def update(self, scan: PressedKeys, at_s: float) -> Iterator[KeyEdge]:
        """The edges that this scan, taken at `at_s` seconds, confirms; releases come first."""
        if len(scan) > MAX_KEYS:
            return
        self._equal_scans = self._equal_scans + 1 if scan == self._last_scan else 1
        self._last_scan = scan
        if self._equal_scans == EQUAL_SCANS:
            yield from (KeyEdge(legend, False, at_s) for legend in sorted(self.held - scan))
            yield from (KeyEdge(legend, True, at_s) for legend in sorted(scan - self.held))
            self.held = scan


class KeypadMatrix:
    """`Keypad` on four row lines and four column lines, in order from the top left. `clock` gives the time of edges."""

    def __init__(
        self, rows: Iterable[RowLine], columns: Iterable[ColumnLine], clock: Callable[[], float] = monotonic
    ) -> None:
        self._rows = tuple(rows)
        self._columns = tuple(columns)
        self._clock = clock
        self._filter = KeyFilter()
        self._unread: deque[KeyEdge] = deque()
        self._wake = Event()
        self._closing = Event()
        self._drive_all_rows()
        for column in self._columns:
            column.when_activated = self._wake.set
        self._thread = Thread(target=self._run, name="keypad", daemon=True)
        self._thread.start()

    def edges(self) -> Sequence[KeyEdge]:
        """The key edges since the last call, oldest first. Never blocks."""
        return [self._unread.popleft() for _ in range(len(self._unread))]

    def close(self) -> None:
        """Stop the scanning thread. May be called twice."""
        self._closing.set()
        self._wake.set()
        self._thread.join()

    # In the scanning thread

    def _run(self) -> None:
        while not self._closing.is_set():
            if self._is_any_key_down():
                self._scan_until_idle()
            else:
                self._wake.wait(RECHECK_S)
            self._wake.clear()

    def _is_any_key_down(self) -> bool:
        return any(column.is_active for column in self._columns)

    def _scan_until_idle(self) -> None:
        is_over = False
        while not is_over:
            self._unread.extend(self._filter.update(self._scan(), self._clock()))
            is_over = self._filter.is_idle or self._closing.wait(SCAN_S)
        self._drive_all_rows()

    def _scan(self) -> PressedKeys:
        for row in self._rows:
            row.off()
        return frozenset(
            legend for row, keys in zip(self._rows, KEY_ROWS, strict=True) for legend in self._pressed_in(row, keys)
        )

    def _pressed_in(self, row: RowLine, keys: Sequence[Key]) -> list[str]:
        row.on()
        sleep(SETTLE_S)
        down = [key.legend for column, key in zip(self._columns, keys, strict=True) if column.is_active]
        row.off()
        return down

    def _drive_all_rows(self) -> None:
        """The idle state: any key wakes the thread."""
        for row in self._rows:
            row.on()
