"""Drawing of the Pi's header from `hardware/pins.toml`: each pin with its use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from board_drivers.pins import HeaderPin, HeaderPins
from firmware_host.fabrication.shapes import Anchor, Drawing, Layer, Shape, Text, rectangle

_ROW_MM = 5.0
_PIN_MM = 4.0
_LETTER_MM = 3.0
_MIDDLE_MM = 90.0
_WIDE_MM = 180.0
_TOP_MM = 12.0
_FOOT_MM = 8.0
_KINDS: Mapping[str, tuple[Layer, str]] = {
    "5v": (Layer.MAGNET, "5 V"),
    "3v3": (Layer.METAL, "3.3 V"),
    "ground": (Layer.CHIP, "ground"),
    "spare": (Layer.SHEET, "free"),
    "hat": (Layer.PRINT, "do not use"),
    "": (Layer.STRIP, "used"),
}


def header_drawing(header: HeaderPins) -> Drawing:
    """The header as on the wiring page: odd pins on the left, even pins on the right, at the edge of the Pi."""
    rows = len(header.pins) // 2
    height_mm = _TOP_MM + rows * _ROW_MM + _FOOT_MM

    def level(physical: int) -> float:
        return height_mm - _TOP_MM - ((physical - 1) // 2 + 0.5) * _ROW_MM

    shapes = (
        *(shape for pin in header.pins for shape in _pin(pin, level(pin.physical))),
        *_legend(height_mm - 5.0),
    )
    return Drawing("the header of the Pi", _WIDE_MM, height_mm, shapes)


def _kind(pin: HeaderPin) -> tuple[Layer, str]:
    return _KINDS.get(pin.use) or _KINDS.get(pin.use.split("_")[0]) or _KINDS[""]


def _pin(pin: HeaderPin, y_mm: float) -> Iterator[Shape]:
    side = -1 if pin.physical % 2 else 1
    x_mm = _MIDDLE_MM + side * 3.0
    half = _PIN_MM / 2
    anchor = Anchor.RIGHT if side < 0 else Anchor.LEFT
    base = y_mm - _LETTER_MM * 0.36
    yield rectangle(_kind(pin)[0], x_mm - half, y_mm - half, x_mm + half, y_mm + half)
    yield Text(Layer.NOTES, (_MIDDLE_MM + side * 7.0, base), str(pin.physical), _LETTER_MM, anchor)
    text = pin.use.replace("_", " ") + (f" (GPIO{pin.bcm})" if pin.bcm is not None else "")
    yield Text(Layer.NOTES, (_MIDDLE_MM + side * 13.5, base), text, _LETTER_MM, anchor)


def _legend(y_mm: float) -> Iterator[Shape]:
    for column, (layer, label) in enumerate(_KINDS.values()):
        x_mm = 6.0 + 28.0 * column
        yield rectangle(layer, x_mm, y_mm - 1.5, x_mm + 3.0, y_mm + 1.5)
        yield Text(Layer.NOTES, (x_mm + 4.5, y_mm - 1.1), label, _LETTER_MM, Anchor.LEFT)
