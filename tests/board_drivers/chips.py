"""Models of the parts of a board, from their datasheets, as levels and edges on wires.

Every level of test uses these models, so they all agree on what a chip does.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Sequence
from threading import Condition, RLock

from msgspec import Struct, field

from board_drivers.font import Pixels
from board_drivers.ports import KEY_ROWS, Colour

BYTE_OFFSETS = (0, 8, 16, 24)
NO_MAGNET = 0b1011_1111
"""The inputs of an empty strip, first bit first: signature 1 0, spare input, five holes, all pulled up."""


class Wire:
    """One wire: at the level that it is driven to, else at that of its pull. Listeners are called at each edge."""

    def __init__(self, *, pull: bool = False) -> None:
        self._pull = self.is_high = pull
        self._driven: bool | None = None
        self._is_grounded = False
        self._listeners: list[Callable[[bool], None]] = []

    def listen(self, listener: Callable[[bool], None]) -> None:
        self._listeners.append(listener)

    def drive(self, is_high: bool | None) -> None:
        """Drive the wire to a level; None releases it."""
        self._driven = is_high
        self._settle()

    def pull(self, is_high: bool) -> None:
        self._pull = is_high
        self._settle()

    def ground(self) -> None:
        """Short the wire to ground for good."""
        self._is_grounded = True
        self._settle()

    def _settle(self) -> None:
        is_high = not self._is_grounded and (self._pull if self._driven is None else self._driven)
        if is_high != self.is_high:
            self.is_high = is_high
            for listener in self._listeners:
                listener(is_high)


class Hc165(Struct):
    """The eight parallel inputs of a 74HC165; the highest bit is shifted out first."""

    inputs: int = NO_MAGNET


class SensorStrips:
    """A chain of strips, counted from 0 at the Pi: all share the clock and /PL; data goes from each to the one before.

    A register follows its inputs while /PL is low, else it shifts at each rising edge of CP (Nexperia 74HC165, table
    3). The bits of all registers shift together, so they are kept as one number; its highest bit is the one at the Pi.

    A cut ribbon leaves the data input before it floating; a lost clock or /PL leaves the strips behind it unchanged.
    """

    def __init__(self, count: int, clock: Wire, latch: Wire, data: Wire) -> None:
        self.registers = [Hc165() for _ in range(count)]
        self._latch, self._data = latch, data
        self.floats: dict[int, int] = {}
        """Strip -> the level that is read in place of its data, because the ribbon before it is cut."""
        self.unclocked = self.unlatched = count
        """The first strip that the clock, or /PL, does not reach."""
        self.stuck: bool | None = None
        """The level to which the data line at the Pi is shorted."""
        self.missed_clocks: dict[int, int] = {}
        """Strip -> how many clocks of each scan it and all strips behind it miss."""
        self._missed = dict(self.missed_clocks)
        self._bits = 0
        clock.listen(self._on_clock)
        latch.listen(self._on_latch)

    def place_peg(self, sensor: int) -> None:
        self._set(sensor, 0)

    def lift_peg(self, sensor: int) -> None:
        self._set(sensor, 1)

    def _set(self, sensor: int, level: int) -> None:
        strip, bit = divmod(sensor, 8)
        register, mask = self.registers[strip], 0x80 >> bit
        register.inputs = register.inputs & ~mask | mask * level
        if not self._latch.is_high:
            self._on_latch(False)

    def _on_latch(self, is_high: bool) -> None:
        if not is_high:
            self._missed = dict(self.missed_clocks)
            loaded = bytes(register.inputs for register in self.registers)
            self._set_bits(int.from_bytes(loaded, "big"), self.unlatched)

    def _on_clock(self, is_high: bool) -> None:
        if is_high and self._latch.is_high:
            bits, size = self._bits << 1, 8 * len(self.registers)
            for strip, level in self.floats.items():
                into = 1 << size - 8 * strip
                bits = bits & ~into | into * level
            self._set_bits(bits & (1 << size) - 1, self._clocked())

    def _set_bits(self, bits: int, strips: int) -> None:
        """The first `strips` strips take these bits; the others keep theirs."""
        kept = (1 << 8 * (len(self.registers) - strips)) - 1
        self._bits = bits & ~kept | self._bits & kept
        self._drive_data()

    def _clocked(self) -> int:
        """How many strips see this clock edge; if one misses it, all behind it miss it too."""
        for strip in self._missed:
            if self._missed[strip]:
                self._missed[strip] -= 1
                return min(strip, self.unclocked)
        return self.unclocked

    def _drive_data(self) -> None:
        level = bool(self.floats[0] if 0 in self.floats else self._bits >> 8 * len(self.registers) - 1)
        self._data.drive(level if self.stuck is None else self.stuck)


class Ahct125:
    """Half a 74AHCT125: `outs` follow `ins` while `gate` (/OE) is low, and are pulled down while it is high."""

    def __init__(self, gate: Wire, ins: Sequence[Wire], outs: Sequence[Wire]) -> None:
        self._gate, self._pairs = gate, tuple(zip(ins, outs, strict=True))
        for wire in (*ins, gate):
            wire.listen(self._follow)

    def _follow(self, _: bool) -> None:
        for each_in, each_out in self._pairs:
            each_out.drive(each_in.is_high and not self._gate.is_high)


class LightStrips:
    """A chain of APA102 LEDs, or of SK9822, which show a word only after the next 32 zeros.

    Each LED keeps the first word after the start frame and passes on the rest, half a clock later than it came.
    """

    def __init__(self, count: int, clock: Wire, data: Wire, power: Wire, *, is_sk9822: bool = False) -> None:
        self._data, self._power, self._is_sk9822, self._is_cut = data, power, is_sk9822, False
        self._dark = [(0, (0, 0, 0))] * count
        self.words: list[tuple[int, Colour]] = []
        """(global brightness, colour) that each LED shows now."""
        power.listen(self._on_power)
        clock.listen(self._on_clock)
        self._on_power(False)

    @property
    def colours(self) -> list[Colour]:
        return [colour for _, colour in self.words]

    def draw_ma(self, colour_ma: float) -> float:
        """The current of the chain: 1 mA an LED, and `colour_ma` for each colour that is fully on."""
        colours_on = sum(sum(colour) / 255 * brightness / 31 for brightness, colour in self.words)
        return len(self.words) * 1.0 + colours_on * colour_ma

    def power(self, is_on: bool) -> None:
        """Cut the 5 V of the LEDs behind their switch, as a fuse or a loose lead does, or restore them."""
        self._is_cut = not is_on
        self._on_power(is_on)

    def _on_power(self, _: bool) -> None:
        self.words = list(self._dark)
        self._await_frame()

    def _await_frame(self) -> None:
        self._zeros = 0
        self._bits: list[bool] = []
        self._next = 0

    def _on_clock(self, is_high: bool) -> None:
        if not is_high or not self._power.is_high or self._is_cut:
            return
        bit = self._data.is_high
        if self._bits or (bit and self._zeros >= 32):
            self._bits.append(bit)
            self._show()
        else:
            self._zeros = 0 if bit else self._zeros + 1

    def _show(self) -> None:
        """Each LED delays the clock by half a period."""
        light = self._next
        if len(self._bits) == 32 * (light + 1 + self._is_sk9822) + (light + 1) // 2:
            self.words[light] = _word(self._bits[32 * light : 32 * light + 32])
            self._next += 1
            if self._next == len(self.words):
                self._await_frame()


def _word(bits: Sequence[bool]) -> tuple[int, Colour]:
    brightness, blue, green, red = (
        sum(bit << 7 - place for place, bit in enumerate(bits[at : at + 8])) for at in BYTE_OFFSETS
    )
    assert brightness >> 5 == 0b111, f"expected an LED's word to begin with 111, got {brightness:08b}"
    return brightness & 31, (red, green, blue)


class KeyMatrix:
    """Sixteen contacts between four rows and four columns; a diode in each row lets current flow to the Pi only.

    Keys connect rows and columns behind the diodes, so three corners of a rectangle make the fourth appear pressed.
    """

    def __init__(self, rows: Sequence[Wire], columns: Sequence[Wire]) -> None:
        self._rows, self.columns = rows, columns
        self._down: set[tuple[int, int]] = set()
        self._lock = RLock()
        self.driven = Condition(self._lock)
        """Notified at each change of a row."""
        self.scans = 0
        for row in rows:
            row.listen(self._on_row)

    def press(self, legend: str) -> None:
        with self._lock:
            self._down.add(_contact(legend))
            self._drive_columns()

    def release(self, legend: str) -> None:
        with self._lock:
            self._down.remove(_contact(legend))
            self._drive_columns()

    @property
    def is_idle(self) -> bool:
        """Whether all rows are low: there is no scan going on, and any key will cause an edge."""
        return not any(row.is_high for row in self._rows)

    def _on_row(self, is_high: bool) -> None:
        with self._lock:
            self.scans += not is_high and all(row.is_high for row in self._rows[1:])
            self._drive_columns()
            self.driven.notify_all()

    def _drive_columns(self) -> None:
        for column, wire in enumerate(self.columns):
            is_low = any(not self._rows[row].is_high for row in self._connected_rows(column))
            wire.drive(False if is_low else None)

    def _connected_rows(self, column: int) -> set[int]:
        """The rows that pressed keys connect to a column, directly or through other rows and columns."""
        rows, columns = set[int](), {column}
        while grown := {(row, col) for row, col in self._down if (row in rows) != (col in columns)}:
            rows |= {row for row, _ in grown}
            columns |= {col for _, col in grown}
        return rows


def _contact(legend: str) -> tuple[int, int]:
    return next((y, x) for y, row in enumerate(KEY_ROWS) for x, key in enumerate(row) if key.legend == legend)


RAM_COLUMNS = 132
COLUMN_WINDOW, PAGE_WINDOW = 0x21, 0x22
DISPLAY_OFF, DISPLAY_ON, CONTRAST = 0xAE, 0xAF, 0x81
PARAMETERS = {
    0x20: 1,
    COLUMN_WINDOW: 2,
    PAGE_WINDOW: 2,
    CONTRAST: 1,
    0x8D: 1,
    0xA8: 1,
    0xD3: 1,
    0xD5: 1,
    0xD9: 1,
    0xDA: 1,
}
PARAMETERS |= {0xDB: 1}


class OledChip(Struct):
    """An SSD1306, SSD1309 or SH1106: decodes what arrives over I2C into its display memory.

    `first_column`: the memory column of the leftmost pixel; 2 on an SH1106 module.
    """

    first_column: int = 0
    address: int = 0x3C
    ram: list[bytearray] = field(default_factory=lambda: [bytearray(RAM_COLUMNS) for _ in range(8)])
    window: tuple[int, int] = (0, RAM_COLUMNS - 1)
    column: int = 0
    page: int = 0
    attempts: int = 0
    """How many writes there were, acknowledged or not."""
    writes: int = 0
    is_on: bool = False
    contrast: int = 0x7F
    is_unplugged: bool = False
    written: Condition = field(default_factory=Condition)
    """Notified at each write, acknowledged or not."""

    def unplug(self) -> None:
        """Cut the display's power: it loses its memory and its settings."""
        with self.written:
            self.is_unplugged, self.is_on, self.contrast = True, False, 0x7F
            self.ram = [bytearray(RAM_COLUMNS) for _ in range(8)]

    def plug_in(self) -> None:
        with self.written:
            self.is_unplugged = False

    def write(self, address: int, control: int, block: Sequence[int]) -> None:
        """One I2C write: control byte 0x00 for commands, 0x40 for pixels. Raises OSError if it is not acknowledged."""
        with self.written:
            self.attempts += 1
            self.written.notify_all()
            if self.is_unplugged or address != self.address:
                raise OSError(errno.EREMOTEIO, "Remote I/O error")
            self.writes += 1
            if control == 0x40:
                self._store(block)
            else:
                self._execute(list(block))

    def write_i2c_block_data(self, address: int, control: int, block: Sequence[int]) -> None:
        """The same write, as a block on an SMBus."""
        assert len(block) <= 32, "SMBus carries blocks of 32 bytes at most"
        self.write(address, control, block)

    def _store(self, block: Sequence[int]) -> None:
        for byte in block:
            self.ram[self.page % 8][self.column] = byte
            self.column += 1
            if self.column > self.window[1]:
                self.column, self.page = self.window[0], self.page + 1

    def _execute(self, commands: list[int]) -> None:
        while commands:
            command, *commands = commands
            values, commands = commands[: PARAMETERS.get(command, 0)], commands[PARAMETERS.get(command, 0) :]
            if command in (DISPLAY_OFF, DISPLAY_ON):
                self.is_on = command == DISPLAY_ON
            elif command == CONTRAST:
                self.contrast = values[0]
            elif command == COLUMN_WINDOW:
                self.window, self.column = (values[0], values[1]), values[0]
            elif command == PAGE_WINDOW:
                self.page = values[0]
            elif command < 0x10:
                self.column = self.column & 0xF0 | command
            elif command < 0x20:
                self.column = self.column & 0x0F | (command & 0x0F) << 4
            elif command & 0xF8 == 0xB0:
                self.page = command & 0x07

    def pixels(self) -> Pixels:
        """The visible part of the memory, 64 rows of 128 pixels, whether or not the display is on."""
        columns = range(self.first_column, self.first_column + 128)
        return tuple(tuple(bool(self.ram[y // 8][x] >> y % 8 & 1) for x in columns) for y in range(64))


def bits_of(byte: int) -> Iterator[bool]:
    """The bits of a byte, highest first, as SPI sends them."""
    return (bool(byte >> place & 1) for place in range(7, -1, -1))
