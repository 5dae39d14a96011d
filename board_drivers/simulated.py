"""A board of no wood: the same ports, moved by calls instead of hands. A driver like any other, not a mock.

Any thread may move pegs and keys while the host scans: what is read is swapped whole, what is written holds the lock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import chain
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from board_drivers.lettering import Pixels
from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.ports import KEY_ROWS, Colour, KeyEdge, SensorFrame, Tune

if TYPE_CHECKING:
    from PIL.Image import Image

OLED_SIZE_PX = (128, 64)
DARK: Colour = (0, 0, 0)
TUNES_KEPT = 100


class SimulatedSensors:
    """Hall sensors over which pegs can be placed. Misuse is a LookupError: a hole holds one peg or none."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._frame: SensorFrame = frozenset()
        self._lock = Lock()

    def scan(self) -> SensorFrame:
        return self._frame

    def place(self, sensor: int) -> None:
        with self._lock:
            if not 0 <= sensor < self.count:
                raise IndexError(f"expected a sensor from 0 to {self.count - 1}, got {sensor}")
            if sensor in self._frame:
                raise KeyError(f"sensor {sensor} has a peg over it already")
            self._frame |= {sensor}

    def set(self, frame: SensorFrame) -> None:
        with self._lock:
            self._frame = frame

    def lift(self, sensor: int) -> None:
        with self._lock:
            if sensor not in self._frame:
                raise KeyError(f"no peg over sensor {sensor} to lift")
            self._frame -= {sensor}


class SimulatedLights:
    """A chain of LEDs that remembers the last `frame` written to it, and `written_at_s`, on the board's clock."""

    def __init__(self, count: int, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.frame: tuple[Colour, ...] = (DARK,) * count
        self.written_at_s = clock()

    def show(self, frame: Sequence[Colour]) -> None:
        if len(frame) != len(self.frame):
            raise ValueError(f"expected {len(self.frame)} colours, one an LED, got {len(frame)}")
        bytes(chain.from_iterable(frame))  # the wire carries bytes: raises ValueError for any other number
        self.frame, self.written_at_s = tuple(frame), self._clock()

    def put_out(self) -> None:
        self.show((DARK,) * len(self.frame))


class SimulatedKeypad:
    """Sixteen keys and as many fingers. Misuse is a KeyError: only a key that is up goes down."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._is_down = {key.legend: False for row in KEY_ROWS for key in row}
        self._unread: list[KeyEdge] = []
        self._lock = Lock()

    def edges(self) -> Sequence[KeyEdge]:
        with self._lock:
            edges, self._unread = tuple(self._unread), []
        return edges

    def move(self, legend: str, *, down: bool) -> None:
        with self._lock:
            if self._is_down[legend] is down:
                raise KeyError(f"key {legend} is {'down' if down else 'up'} already")
            self._is_down[legend] = down
            self._unread.append(KeyEdge(legend, down, self._clock()))


class Glass:
    """A display that keeps what it is shown. luma has one too, but its exit hook would never let go of it."""

    mode = "1"
    size = OLED_SIZE_PX

    def __init__(self) -> None:
        from PIL import Image

        self.image = Image.new(self.mode, self.size)

    def display(self, image: Image) -> None:
        self.image = image.copy()


class SimulatedOled:
    """The very scoreboard of the real board, on glass that can be looked at: `version` grows with every new picture."""

    def __init__(self) -> None:
        self._glass = Glass()
        self._scoreboard = OledScoreboard(self._glass)
        self.picture: Image = self._glass.image  # never drawn on again: a new page is a new object
        self.version = 0

    def show(self, page: Sequence[tuple[str, int]]) -> None:
        self._scoreboard.show(page)
        self._look()

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        self._scoreboard.show_picture(rows)
        self._look()

    def png(self) -> bytes:
        """What is shown, one bit a pixel."""
        png = BytesIO()
        self.picture.save(png, "PNG")
        return png.getvalue()

    def _look(self) -> None:
        if self.picture != self._glass.image:
            self.picture = self._glass.image
            self.version += 1


class SimulatedSounder:
    """Remembers the latest tunes in `played`, oldest first; nobody hears them."""

    def __init__(self) -> None:
        self.played = deque[Tune](maxlen=TUNES_KEPT)

    def play(self, tune: Tune) -> None:
        self.played.append(tune)


class SimulatedBoard:
    """A whole simulated board, its chains `sensor_count` and `led_count` long; `clock` tells seconds."""

    def __init__(self, sensor_count: int, led_count: int, clock: Callable[[], float] = monotonic) -> None:
        self.sensors = SimulatedSensors(sensor_count)
        self.lights = SimulatedLights(led_count, clock)
        self.keypad = SimulatedKeypad(clock)
        self.scoreboard = SimulatedOled()
        self.sounder = SimulatedSounder()

    def place_peg(self, sensor: int) -> None:
        """IndexError: no such sensor. KeyError: a peg is there already."""
        self.sensors.place(sensor)

    def lift_peg(self, sensor: int) -> None:
        """KeyError: no peg there."""
        self.sensors.lift(sensor)

    def set_pegs(self, frame: SensorFrame) -> None:
        """All pegs at once, as they stand when nobody has moved them yet."""
        self.sensors.set(frame)

    def press(self, legend: str) -> None:
        """KeyError: no such key, or it is down already."""
        self.keypad.move(legend, down=True)

    def release(self, legend: str) -> None:
        """KeyError: no such key, or it is up already."""
        self.keypad.move(legend, down=False)

    def tap(self, legend: str) -> None:
        """Down and up again."""
        self.press(legend)
        self.release(legend)

    @property
    def oled_version(self) -> int:
        """Grows when, and only when, the picture on the OLED changes."""
        return self.scoreboard.version

    def oled_pixels(self) -> Pixels:
        """The OLED as 64 rows of 128 pixels; True is lit."""
        width, height = OLED_SIZE_PX
        lit = tuple(map(bool, self.scoreboard.picture.convert("L").tobytes()))
        return tuple(lit[row * width : (row + 1) * width] for row in range(height))

    def oled_png(self) -> bytes:
        """The OLED as a PNG of one bit a pixel."""
        return self.scoreboard.png()

    def ailments(self) -> Sequence[str]:
        return ()

    def close(self) -> None:
        self.lights.put_out()
        self.scoreboard.show([])
