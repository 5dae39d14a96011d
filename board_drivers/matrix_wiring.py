"""The sensing board as its driver needs it: which switch is at which hole, and the faults of its lines.

The scanner sends two bytes a column: rows 0 to 7 and 8 to 15, the lowest bit first, 0 where there is a magnet. Columns
and rows count from 0 on the wire and from 1 in messages to people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from board_drivers.ports import DriverError, SensorFrame
from board_drivers.scan_protocol import ErrorCode

BYTES_PER_COLUMN = 2
ROW_BITS = 8
MIN_COLUMN_MA = 15
"""Less than half of what the fifteen switches of a column draw at least. `hardware/firmware/matrix.h` has the same."""


class MatrixWiring(Struct, frozen=True):
    """A board with so many `columns`.

    `sensors`: (column, row) -> number of the sensor. `lights`: for each light, in the order of the chain, its number in
    a frame of `HoleLights`. `column_holes` and `row_holes`: the names of the holes on each line, for messages.
    """

    columns: int
    sensors: Mapping[tuple[int, int], int]
    lights: Sequence[int]
    column_holes: Sequence[str]
    row_holes: Sequence[str]

    @property
    def strips(self) -> int:
        """The number of bytes in a snapshot."""
        return self.columns * BYTES_PER_COLUMN

    def switches(self, column: int) -> int:
        """The number of switches that a column feeds."""
        return sum(place[0] == column for place in self.sensors)

    def magnets_in(self, state: bytes) -> SensorFrame:
        """The sensors that see a magnet, from the bytes of a snapshot. Switches without a hole are ignored."""
        places = (
            (strip // BYTES_PER_COLUMN, strip % BYTES_PER_COLUMN * ROW_BITS + bit)
            for strip, byte in enumerate(state)
            if byte != 0xFF
            for bit in range(ROW_BITS)
            if not byte >> bit & 1
        )
        return frozenset(self.sensors[place] for place in places if place in self.sensors)

    def line_fault(self, code: int, line: int, value: int) -> DriverError:
        """The fault that the scanner reports with this error code, line and value."""
        return self._row_shorted(line) if code == ErrorCode.ROW_SHORTED else self._column_current(line, value)

    def wrong_size(self, strips: int) -> DriverError:
        """The fault of a board with another number of columns."""
        return DriverError(
            device="Another board",
            expected=f"{self.columns} columns of sensors",
            got=f"{strips // BYTES_PER_COLUMN}",
            fix="Name the board that is there in the settings. If it is this one, its last columns have no power.",
        )

    def _row_shorted(self, row: int) -> DriverError:
        return DriverError(
            device=f"Sensor row {row + 1}",
            expected="no signal while no sensor has power",
            got="0 V",
            fix=f"Look for a solder bridge at the holes {_at(self.row_holes, row)}.",
        )

    def _column_current(self, column: int, current_ma: int) -> DriverError:
        is_low = current_ma < MIN_COLUMN_MA
        where = f"the sensors of the holes {_at(self.column_holes, column)}"
        look = "the solder joints of its transistor" if is_low else "a solder bridge, or a sensor the wrong way round"
        return DriverError(
            device=f"Sensor column {column + 1}",
            expected=f"30 to 60 mA into {where}",
            got=f"{current_ma} mA",
            fix=f"Check {look}.",
        )


def _at(names: Sequence[str], line: int) -> str:
    """The holes of a line; a scanner may name one that this board does not have."""
    return names[line] if line < len(names) else "of no line of this board"
