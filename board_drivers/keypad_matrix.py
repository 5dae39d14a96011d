"""The 4 x 4 keypad: rows driven, columns read. While nobody touches it nothing is scanned.

At rest all rows are low, so any key pulls its column low and wakes the scanning thread. It then drives one row at a
time, until all keys are up again. Three keys or more can press a fourth that nobody touched: such a scan is ignored.
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
"""A contact bounces for 5 ms at most; what three scans agree on has come to rest."""
MOST_KEYS = 2
SETTLE_S = 50e-6
"""50 kohm of pull-up and 300 pF of membrane and ribbon take 15 us to rise."""
LOOK_AGAIN_S = 1.0
"""How long an edge that the kernel lost may go unnoticed."""

Pressed = frozenset[str]


class RowLine(Protocol):
    """A row: on is low."""

    def on(self) -> None: ...
    def off(self) -> None: ...


class ColumnLine(Protocol):
    """A column, pulled up: active is low."""

    when_activated: Callable[[], None] | None

    @property
    def is_active(self) -> bool: ...


class KeyFilter:
    """Raw scans in, edges out: what enough scans in a row agree on."""

    def __init__(self) -> None:
        self.held: Pressed = frozenset()
        self._seen: Pressed = frozenset()
        self._agreed = 0

    @property
    def is_at_rest(self) -> bool:
        """No key is down, and none is about to be."""
        return not self.held and not self._seen and self._agreed >= EQUAL_SCANS

    def see(self, scan: Pressed, at_s: float) -> Iterator[KeyEdge]:
        if len(scan) > MOST_KEYS:
            return
        self._agreed = self._agreed + 1 if scan == self._seen else 1
        self._seen = scan
        if self._agreed == EQUAL_SCANS:
            yield from (KeyEdge(legend, False, at_s) for legend in sorted(self.held - scan))
            yield from (KeyEdge(legend, True, at_s) for legend in sorted(scan - self.held))
            self.held = scan


class KeypadMatrix:
    """`Keypad` on four rows and four columns, from the top left. `clock` tells the seconds of an edge."""

    def __init__(
        self, rows: Iterable[RowLine], columns: Iterable[ColumnLine], clock: Callable[[], float] = monotonic
    ) -> None:
        self._rows, self._columns, self._clock = tuple(rows), tuple(columns), clock
        self._filter = KeyFilter()
        self._unread: deque[KeyEdge] = deque()
        self._touched, self._closing = Event(), Event()
        self._rest()
        for column in self._columns:
            column.when_activated = self._touched.set
        self._thread = Thread(target=self._run, name="keypad", daemon=True)
        self._thread.start()

    def edges(self) -> Sequence[KeyEdge]:
        return [self._unread.popleft() for _ in range(len(self._unread))]

    def close(self) -> None:
        """May be called twice."""
        self._closing.set()
        self._touched.set()
        self._thread.join()

    # The scanning thread.

    def _run(self) -> None:
        while not self._closing.is_set():
            if self._is_touched():
                self._follow()
            else:
                self._touched.wait(LOOK_AGAIN_S)
            self._touched.clear()

    def _is_touched(self) -> bool:
        return any(column.is_active for column in self._columns)

    def _follow(self) -> None:
        """Scan until all keys are up."""
        is_over = False
        while not is_over:
            self._unread.extend(self._filter.see(self._scan(), self._clock()))
            is_over = self._filter.is_at_rest or self._closing.wait(SCAN_S)
        self._rest()

    def _scan(self) -> Pressed:
        for row in self._rows:
            row.off()
        return frozenset(
            legend for row, keys in zip(self._rows, KEY_ROWS, strict=True) for legend in self._in(row, keys)
        )

    def _in(self, row: RowLine, keys: Sequence[Key]) -> list[str]:
        row.on()
        sleep(SETTLE_S)
        down = [key.legend for column, key in zip(self._columns, keys, strict=True) if column.is_active]
        row.off()
        return down

    def _rest(self) -> None:
        for row in self._rows:
            row.on()
