"""A simulated sensing board: a `Cable` to a matrix of switches, lights, keys and a display that sends hole-scan/1."""

from __future__ import annotations

from collections.abc import Callable

from board_drivers.light_chain import DARK
from board_drivers.matrix_wiring import BYTES_PER_COLUMN, ROW_BITS
from board_drivers.oled import ADDRESSES
from board_drivers.picture_frames import HEAD_BYTES, LAST_OF_PICTURE
from board_drivers.ports import Colour
from board_drivers.scan_protocol import (
    MAX_DISPLAY_PAYLOAD,
    SUPPLY_STEP_MA,
    ErrorCode,
    Frame,
    Kind,
    LightReturn,
    Refusal,
    SensorLayout,
)
from board_drivers.simulated_firmware import SimulatedFirmware

MAX_LIGHTS = 490
COLUMN_MA = 40
COLOUR_BYTES = 3


class SimulatedSensingBoard(SimulatedFirmware):
    """A board with so many columns and lights, on a USB port that promises `supply_ma`. A place is (column, row).

    `display` gets the address and the bytes of each write to the display, and returns whether one acknowledges them.
    `dead_columns`, `shorted_rows`, `column_ma` and `is_light_chain_cut` are its faults; `lights` is what lights show.
    """

    def __init__(self, columns: int, lights: int, clock: Callable[[], float], supply_ma: int = 500) -> None:
        self._supply = supply_ma // SUPPLY_STEP_MA
        super().__init__(clock, self._scan_matrix, self._answer_command, self._introduction)
        self.display: Callable[[int, bytes], bool] = lambda _address, _block: False
        self.lights: list[Colour] = [DARK] * lights
        self.brightness = 0
        self.dead_columns: set[int] = set()
        self.column_ma = [COLUMN_MA] * columns
        self.shorted_rows: set[int] = set()
        self.is_light_chain_cut = False
        self._columns = columns
        self._pegs: set[tuple[int, int]] = set()
        self._tints: list[Colour] = []
        self._picture: list[Colour] = []

    def place_peg(self, place: tuple[int, int]) -> None:
        self._pegs.add(place)

    def lift_peg(self, place: tuple[int, int]) -> None:
        self._pegs.remove(place)

    def set_keys(self, mask: int) -> None:
        """Press exactly these keys: bit 4 x row + column."""
        self._send(Kind.KEYS, mask.to_bytes(2, "big"))

    def _introduction(self) -> bytes:
        address = next((address for address in ADDRESSES if self.display(address, b"")), 0)
        return bytes([SensorLayout.MATRIX, *MAX_LIGHTS.to_bytes(2, "big"), self._supply, address])

    def _scan_matrix(self) -> tuple[bytes, bytes]:
        if self.shorted_rows:
            return b"", bytes([ErrorCode.ROW_SHORTED, min(self.shorted_rows), 0])
        if self.dead_columns:
            return b"", bytes([ErrorCode.COLUMN_CURRENT, min(self.dead_columns), 0])
        state = bytearray(b"\xff" * BYTES_PER_COLUMN * self._columns)
        for column, row in self._pegs:
            state[BYTES_PER_COLUMN * column + row // ROW_BITS] &= ~(1 << row % ROW_BITS)
        return bytes(state), b""

    def _answer_command(self, frame: Frame) -> tuple[Kind, bytes] | None:
        match frame.kind:
            case Kind.LIGHTS:
                return self._light(frame)
            case Kind.DISPLAY if 0 < len(frame.payload) <= MAX_DISPLAY_PAYLOAD:
                is_written = self.display(frame.payload[0], frame.payload[1:])
                return Kind.DISPLAY_ANSWERED, bytes([frame.sequence, is_written])
            case Kind.DIAGNOSE:
                currents = bytes(ma * (column not in self.dead_columns) for column, ma in enumerate(self.column_ma))
                return Kind.DIAGNOSIS, bytes([self._supply, self._light_return]) + currents
        return None

    def _light(self, frame: Frame) -> tuple[Kind, bytes]:
        flags, tints = frame.payload[:2]
        first = int.from_bytes(frame.payload[2:HEAD_BYTES], "big")
        pairs = frame.payload[HEAD_BYTES + COLOUR_BYTES * tints :]
        refused = self._refusal(first, first + 2 * len(pairs))
        if refused:
            return Kind.ERROR, bytes([ErrorCode.LIGHTS_REFUSED, refused, frame.sequence])
        if tints:
            channels = frame.payload[HEAD_BYTES : HEAD_BYTES + COLOUR_BYTES * tints]
            self._tints = [(*channels[at : at + COLOUR_BYTES],) for at in range(0, len(channels), COLOUR_BYTES)]
        indexes = [index for pair in pairs for index in (pair >> 4, pair & 15)]
        self._picture = [*self._picture[:first], *(self._tints[index] for index in indexes)]
        if flags & LAST_OF_PICTURE:
            self._show(flags & ~LAST_OF_PICTURE)
        return Kind.LIGHTS_RECEIVED, bytes([frame.sequence, self._light_return])

    def _refusal(self, first: int, end: int) -> int:
        if end > MAX_LIGHTS:
            return Refusal.OUT_OF_RANGE
        return Refusal.OUT_OF_ORDER if first and first != len(self._picture) else 0

    def _show(self, brightness: int) -> None:
        if not self.is_light_chain_cut:
            self.brightness = brightness
            self.lights = (self._picture + self.lights[len(self._picture) :])[: len(self.lights)]
        self._picture = []

    @property
    def _light_return(self) -> LightReturn:
        return LightReturn.BROKEN if self.is_light_chain_cut else LightReturn.INTACT
