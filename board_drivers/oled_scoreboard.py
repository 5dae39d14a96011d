"""Pages of text, and pictures, on an OLED: any display that luma can drive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from board_drivers.lettering import CELL_HEIGHT_PX, CELL_WIDTH_PX, SCALES, fitted, glyph
from board_drivers.ports import DriverFault

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

QUIET_MODULES = 1  # the rim a picture keeps at least; the glass around it is lit too, which does the rest for a scanner


class LumaDevice(Protocol):
    """What a display must offer for luma's canvas to draw on it: ssd1306, sh1106, dummy and their like."""

    mode: str
    size: tuple[int, int]

    def display(self, image: Image) -> None: ...


class OledScoreboard:
    """A `Scoreboard` on a luma device. A frame takes 25 ms on a 400 kHz I2C bus, so only a changed page is drawn."""

    def __init__(self, device: LumaDevice) -> None:
        self._device = device
        self._shown: object = None

    def show(self, page: Sequence[tuple[str, int]]) -> None:
        lines = tuple((text, scale) for text, scale in page)
        if lines == self._shown:
            return
        self._check_fit(lines)
        with self._fresh_glass() as draw:
            self._write(draw, lines)
        self._shown = lines

    def show_picture(self, rows: Sequence[Sequence[bool]]) -> None:
        modules = tuple(map(tuple, rows))
        if modules == self._shown:
            return
        stamp, corner = self._centred(modules)
        with self._fresh_glass() as draw:
            draw.rectangle((0, 0, *self._device.size), fill="white")
            draw.bitmap(corner, stamp, fill="black")
        self._shown = modules

    def _check_fit(self, lines: Sequence[tuple[str, int]]) -> None:
        if unknown := {scale for _, scale in lines} - set(SCALES):
            raise ValueError(f"expected lines of scale {SCALES}, got {unknown}")
        height_px, room_px = sum(CELL_HEIGHT_PX * scale for _, scale in lines), self._device.size[1]
        if height_px > room_px:
            raise ValueError(f"expected a page of at most {room_px} pixels, got {height_px}: {lines}")

    def _write(self, draw: ImageDraw, lines: Sequence[tuple[str, int]]) -> None:
        top = 0
        for text, scale in lines:
            pitch_px = CELL_WIDTH_PX * scale
            for column, character in enumerate(fitted(text, self._device.size[0] // pitch_px)):
                draw.bitmap((column * pitch_px, top), _stamp(character, scale), fill="white")
            top += CELL_HEIGHT_PX * scale

    def _centred(self, modules: Sequence[Sequence[bool]]) -> tuple[Image, tuple[int, int]]:
        """The picture as large as the glass allows, in whole pixels a module, and where its corner goes."""
        (width, height), (columns, rows) = self._device.size, (len(modules[0]), len(modules))
        zoom = min(width // (columns + 2 * QUIET_MODULES), height // (rows + 2 * QUIET_MODULES))
        if zoom < 1:
            raise ValueError(f"expected a picture for {width} x {height} pixels, got {columns} x {rows} modules")
        stamp = _bitmap(modules).resize((columns * zoom, rows * zoom))
        return stamp, ((width - stamp.width) // 2, (height - stamp.height) // 2)

    @contextmanager
    def _fresh_glass(self) -> Iterator[ImageDraw]:
        """A dark page to draw on, sent to the device in one go at the end."""
        from luma.core.error import Error
        from luma.core.render import canvas

        self._shown = None  # should the bus fail midway, nobody knows what the glass shows
        try:
            with canvas(self._device) as draw:
                yield draw
        except (OSError, Error) as error:
            raise DriverFault(
                device="OLED",
                expected="every byte of a page to be acknowledged",
                got=str(error),
                mend="Check its wires (3V3, GND, SDA, SCL); `i2cdetect -y 1` must show 3c or 3d.",
            ) from error


@lru_cache(maxsize=1024)
def _stamp(character: str, scale: int) -> Image:
    return _bitmap(glyph(character, scale))


def _bitmap(rows: Sequence[Sequence[bool]]) -> Image:
    from PIL import Image

    bitmap = Image.new("1", (len(rows[0]), len(rows)))
    bitmap.putdata([lit for row in rows for lit in row])
    return bitmap
