"""A simulated board: the same ports, with pegs and keys moved by calls. It is a driver like any other, not a mock.

Any thread may move pegs and keys while the host scans: readers get whole immutable values, writers hold a lock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import chain
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from board_drivers.font import Pixels
from board_drivers.oled_scoreboard import OledScoreboard
from board_drivers.ports import BRIGHT, KEY_ROWS, Colour, KeyEdge, SensorFrame, Tune

if TYPE_CHECKING:
    from PIL.Image import Image

OLED_SIZE_PX = (128, 64)
DIMMED_GREY = 110
"""How bright a dimmed display looks on a page, of 255."""
DARK: Colour = (0, 0, 0)
TUNES_KEPT = 100
"""How many tunes a simulated sounder remembers."""


class SimulatedSensors:
    """`count` hall sensors over which pegs can be placed, one at most over each."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._frame: SensorFrame = frozenset()
        self._lock = Lock()

    def scan(self) -> SensorFrame:
        """The sensors that have a peg; the same object until a peg moves. Never raises."""
        return self._frame

    def place(self, sensor: int) -> None:
        """Put a peg over a sensor. Raises IndexError for an unknown sensor, KeyError if it has a peg already."""
        with self._lock:
            if not 0 <= sensor < self.count:
                raise IndexError(f"expected a sensor from 0 to {self.count - 1}, got {sensor}")
            if sensor in self._frame:
                raise KeyError(f"sensor {sensor} has a peg over it already")
            self._frame |= {sensor}

    def set(self, frame: SensorFrame) -> None:
        """Put pegs over exactly these sensors."""
        with self._lock:
            self._frame = frame

    def lift(self, sensor: int) -> None:
        """Take a peg away. Raises KeyError if the sensor has none."""
        with self._lock:
            if sensor not in self._frame:
                raise KeyError(f"no peg over sensor {sensor} to lift")
            self._frame -= {sensor}


class SimulatedLights:
    """A chain of LEDs that keeps the last `frame` written to it, and when: `written_at_s` of the board's clock."""

    def __init__(self, count: int, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.frame: tuple[Colour, ...] = (DARK,) * count
        self.written_at_s = clock()

    def show(self, frame: Sequence[Colour]) -> None:
        """Keep this frame. Raises ValueError: see `HoleLights`."""
        if len(frame) != len(self.frame):
            raise ValueError(f"expected {len(self.frame)} colours, one an LED, got {len(frame)}")
        bytes(chain.from_iterable(frame))  # raises ValueError for any number that is not a byte
        self.frame = tuple(frame)
        self.written_at_s = self._clock()

    def turn_off(self) -> None:
        """Make all LEDs dark."""
        self.show((DARK,) * len(self.frame))

    def close(self) -> None:
        """Make all LEDs dark. May be called twice."""
        self.turn_off()


class SimulatedKeypad:
    """Sixteen keys that are moved by calls."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._is_down = {key.legend: False for row in KEY_ROWS for key in row}
        self._unread: list[KeyEdge] = []
        self._lock = Lock()

    def edges(self) -> Sequence[KeyEdge]:
        """The key edges since the last call, oldest first."""
        with self._lock:
            edges = tuple(self._unread)
            self._unread = []
        return edges

    def move(self, legend: str, *, down: bool) -> None:
        """Press or release a key. Raises KeyError for an unknown key, or one that is already down (or up)."""
        with self._lock:
            if self._is_down[legend] is down:
                raise KeyError(f"key {legend} is {'down' if down else 'up'} already")
            self._is_down[legend] = down
            self._unread.append(KeyEdge(legend, down, self._clock()))


class MemoryDisplay:
    """A `LumaDevice` that keeps its picture. luma's own dummy device is never freed, because of its exit hook."""

    mode = "1"
    size = OLED_SIZE_PX

    def __init__(self) -> None:
        from PIL import Image

        self.image = Image.new(self.mode, self.size)

    def display(self, image: Image) -> None:
        self.image = image.copy()

    def contrast(self, level: int) -> None:
        """The picture stays the same."""

    def hide(self) -> None:
        """The picture stays."""

    def show(self) -> None:
        """The picture is there already."""


class SimulatedOled:
    """The real board's `OledScoreboard` on a display in memory. `version` grows with every new picture or contrast."""

    def __init__(self) -> None:
        self._display = MemoryDisplay()
        self._scoreboard = OledScoreboard(self._display)
        self.picture: Image = self._display.image  # never changed afterwards: each page is a new object
        self.contrast = BRIGHT
        self.version = 0

    def show(
        self, page: Sequence[tuple[str, int]], *, is_inverted: bool = False, shift_px: tuple[int, int] = (0, 0)
    ) -> None:
        """See `Scoreboard.show`."""
        self._scoreboard.show(page, is_inverted=is_inverted, shift_px=shift_px)
        self._update()

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        """See `Scoreboard.show_picture`."""
        self._scoreboard.show_picture(rows)
        self._update()

    def set_contrast(self, level: int) -> None:
        """See `Scoreboard.set_contrast`."""
        self._scoreboard.set_contrast(level)
        self.version += level != self.contrast
        self.contrast = level

    def png(self) -> bytes:
        """What people see, as a PNG: the picture, grey while it is dimmed, and black while the display sleeps."""
        picture = self.picture
        if self.contrast < BRIGHT:
            grey = DIMMED_GREY if self.contrast else 0
            picture = picture.convert("L").point(lambda lit: grey if lit else 0)
        png = BytesIO()
        picture.save(png, "PNG")
        return png.getvalue()

    def _update(self) -> None:
        if self.picture != self._display.image:
            self.picture = self._display.image
            self.version += 1


class SimulatedSounder:
    """Keeps the last `TUNES_KEPT` tunes in `played`, oldest first."""

    def __init__(self) -> None:
        self.played = deque[Tune](maxlen=TUNES_KEPT)

    def play(self, tune: Tune) -> None:
        """Keep this tune."""
        self.played.append(tune)


class SimulatedBoard:
    """A simulated `Board` with chains of `sensor_count` bits and `led_count` LEDs; `clock` gives seconds."""

    def __init__(self, sensor_count: int, led_count: int, clock: Callable[[], float] = monotonic) -> None:
        self.sensors = SimulatedSensors(sensor_count)
        self.lights = SimulatedLights(led_count, clock)
        self.keypad = SimulatedKeypad(clock)
        self.scoreboard = SimulatedOled()
        self.sounder = SimulatedSounder()

    def place_peg(self, sensor: int) -> None:
        """Put a peg over a sensor. Raises IndexError for an unknown sensor, KeyError if it has a peg already."""
        self.sensors.place(sensor)

    def lift_peg(self, sensor: int) -> None:
        """Take a peg away. Raises KeyError if the sensor has none."""
        self.sensors.lift(sensor)

    def set_pegs(self, frame: SensorFrame) -> None:
        """Put pegs over exactly these sensors, as at the start of a game."""
        self.sensors.set(frame)

    def press(self, legend: str) -> None:
        """Press a key. Raises KeyError for an unknown key, or one that is already down."""
        self.keypad.move(legend, down=True)

    def release(self, legend: str) -> None:
        """Release a key. Raises KeyError for an unknown key, or one that is already up."""
        self.keypad.move(legend, down=False)

    def tap(self, legend: str) -> None:
        """Press and release a key. Raises KeyError for an unknown key, or one that is down."""
        self.press(legend)
        self.release(legend)

    @property
    def oled_version(self) -> int:
        """A counter that grows when, and only when, the picture on the OLED or its contrast changes."""
        return self.scoreboard.version

    def oled_pixels(self) -> Pixels:
        """The picture on the OLED as 64 rows of 128 pixels; True is lit, whether or not the display sleeps."""
        width, height = OLED_SIZE_PX
        lit = tuple(map(bool, self.scoreboard.picture.convert("L").tobytes()))
        return tuple(lit[row * width : (row + 1) * width] for row in range(height))

    def oled_png(self) -> bytes:
        """What people see on the OLED, as a PNG."""
        return self.scoreboard.png()

    def faults(self) -> Sequence[str]:
        """Always empty."""
        return ()

    def close(self) -> None:
        """Turn off the lights and clear the display. May be called twice."""
        self.lights.turn_off()
        self.scoreboard.show([])
