"""Draws pages of text, and pictures, on any display that luma can drive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from board_drivers.font import SCALES, cell_px, fitted, glyph
from board_drivers.ports import TALL, DriverError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

QUIET_ZONE_MODULES = 1  # at least; the rest of the display is lit too, which widens the quiet zone for a QR scanner


class LumaDevice(Protocol):
    """What is used of luma's displays, such as ssd1306, sh1106 and dummy. `hide` turns the panel off and keeps the
    picture; `show` turns it on."""

    mode: str
    size: tuple[int, int]

    def display(self, image: Image) -> None: ...
    def contrast(self, level: int) -> None: ...
    def hide(self) -> None: ...
    def show(self) -> None: ...


class OledScoreboard:
    """A `Scoreboard` on a luma device. A page takes 25 ms on a 400 kHz I2C bus, so only a changed page is sent."""

    def __init__(self, device: LumaDevice) -> None:
        self._device = device
        self._shown: object = None
        self._contrast: int | None = None

    def show(
        self, page: Sequence[tuple[str, int]], *, is_inverted: bool = False, shift_px: tuple[int, int] = (0, 0)
    ) -> None:
        """See `Scoreboard.show`."""
        lines = tuple((text, scale) for text, scale in page)
        if (lines, is_inverted, shift_px) == self._shown:
            return
        free_px = self._free_below(lines)
        ground, ink = ("white", "black") if is_inverted else ("black", "white")
        with self._blank_page() as draw:
            draw.rectangle((0, 0, *self._device.size), fill=ground)
            self._write(draw, lines, ink, (shift_px[0], min(shift_px[1], free_px)))
        self._shown = lines, is_inverted, shift_px

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        """See `Scoreboard.show_picture`."""
        modules = tuple(map(tuple, rows))
        if modules == self._shown:
            return
        bitmap, corner = self._centred(modules)
        with self._blank_page() as draw:
            draw.rectangle((0, 0, *self._device.size), fill="white")
            draw.bitmap(corner, bitmap, fill="black")
        self._shown = modules

    def set_contrast(self, level: int) -> None:
        """See `Scoreboard.set_contrast`."""
        if not 0 <= level <= 255:
            raise ValueError(f"expected a contrast from 0 to 255, got {level}")
        if level == self._contrast:
            return
        self._contrast = None  # as for `_shown`
        with _bus_errors():
            if level:
                self._device.contrast(level)
                self._device.show()
            else:
                self._device.hide()
        self._contrast = level

    def _free_below(self, lines: Sequence[tuple[str, int]]) -> int:
        """How many rows of pixels the page leaves free. Raises ValueError if it does not fit."""
        if unknown := {scale for _, scale in lines} - {*SCALES, TALL}:
            raise ValueError(f"expected lines of scale {SCALES} or {TALL}, got {unknown}")
        height_px = sum(cell_px(scale)[1] for _, scale in lines)
        limit_px = self._device.size[1]
        if height_px > limit_px:
            raise ValueError(f"expected a page of at most {limit_px} pixels, got {height_px}: {lines}")
        return limit_px - height_px

    def _write(self, draw: ImageDraw, lines: Sequence[tuple[str, int]], ink: str, shift_px: tuple[int, int]) -> None:
        """To the right, each line is shifted by what its columns leave free: two pixels at least."""
        width = self._device.size[0]
        top = shift_px[1]
        for text, scale in lines:
            pitch_px, height_px = cell_px(scale)
            left = min(shift_px[0], width % pitch_px)
            for column, character in enumerate(fitted(text, width // pitch_px)):
                draw.bitmap((left + column * pitch_px, top), _glyph_bitmap(character, scale), fill=ink)
            top += height_px

    def _centred(self, modules: Sequence[Sequence[bool]]) -> tuple[Image, tuple[int, int]]:
        """The picture as large as it fits, in whole pixels a module, and the position of its upper left corner."""
        (width, height) = self._device.size
        (columns, rows) = (len(modules[0]), len(modules))
        zoom = min(width // (columns + 2 * QUIET_ZONE_MODULES), height // (rows + 2 * QUIET_ZONE_MODULES))
        if zoom < 1:
            raise ValueError(f"expected a picture for {width} x {height} pixels, got {columns} x {rows} modules")
        bitmap = _bitmap(modules).resize((columns * zoom, rows * zoom))
        return bitmap, ((width - bitmap.width) // 2, (height - bitmap.height) // 2)

    @contextmanager
    def _blank_page(self) -> Iterator[ImageDraw]:
        """A dark page to draw on, which is sent to the device at the end of the block."""
        from luma.core.render import canvas

        self._shown = None  # if the bus fails midway, the content of the display is unknown
        with _bus_errors(), canvas(self._device) as draw:
            yield draw


@contextmanager
def _bus_errors() -> Iterator[None]:
    """Raises luma's errors, and those of the bus, as DriverError."""
    from luma.core.error import Error

    try:
        yield
    except (OSError, Error) as error:
        raise DriverError(
            device="OLED",
            expected="every byte to be acknowledged",
            got=str(error),
            fix="Check its wires (3V3, GND, SDA, SCL); `i2cdetect -y 1` must show 3c or 3d.",
        ) from error


@lru_cache(maxsize=1024)
def _glyph_bitmap(character: str, scale: int) -> Image:
    return _bitmap(glyph(character, scale))


def _bitmap(rows: Sequence[Sequence[bool]]) -> Image:
    from PIL import Image

    bitmap = Image.new("1", (len(rows[0]), len(rows)))
    bitmap.putdata([lit for row in rows for lit in row])
    return bitmap
