"""The shapes of a drawing, independent of the file format: circles, polylines, rectangles and texts, each on a layer.

All lengths are in millimetres, x to the right and y up from the lower left corner, as on the plate.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

Point = tuple[float, float]


CAP_HEIGHT = 0.72
"""Height of a capital letter or digit as a share of the font size, in the common fonts."""


class Layer(Enum):
    """The purpose of a shape; the value is the layer name in DXF files and the class name in SVG files."""

    PEG = "PEG"
    LED = "LED"
    OUTLINE = "OUTLINE"
    SCREWS = "SCREWS"
    PILOT = "PILOT"
    POCKET = "POCKET"
    RECESS = "RECESS"
    ENGRAVE = "ENGRAVE"
    NOTES = "NOTES"
    STRIP = "STRIP"
    WIRE = "WIRE"
    WOOD = "WOOD"
    SHEET = "SHEET"
    PRINT = "PRINT"
    METAL = "METAL"
    MAGNET = "MAGNET"
    CHIP = "CHIP"
    LIGHT = "LIGHT"
    TRACK = "TRACK"
    BORE = "BORE"
    CUT = "CUT"
    PART = "PART"
    LEG = "LEG"
    GLOW = "GLOW"


class Anchor(Enum):
    """Which point of a text lies at its place; the value is the SVG `text-anchor`."""

    LEFT = "start"
    MIDDLE = "middle"
    RIGHT = "end"


class Circle(Struct, frozen=True):
    """A circle, for example a hole to drill."""

    layer: Layer
    centre: Point
    diameter_mm: float


class Polyline(Struct, frozen=True):
    """Straight lines through `places`, and back to the first if `is_closed`."""

    layer: Layer
    places: tuple[Point, ...]
    is_closed: bool = False


class Rectangle(Struct, frozen=True):
    """A rectangle with its lower left corner at `corner` and corners rounded by `radius_mm`."""

    layer: Layer
    corner: Point
    width_mm: float
    height_mm: float
    radius_mm: float = 0.0


class Text(Struct, frozen=True):
    """One line of text. `height_mm` is the font size, `place` is on the baseline, `turn` is in degrees to the left."""

    layer: Layer
    place: Point
    text: str
    height_mm: float
    anchor: Anchor = Anchor.MIDDLE
    turn: float = 0.0


Shape = Circle | Polyline | Rectangle | Text


class Drawing(Struct, frozen=True):
    """A sheet of this size and its shapes, from back to front."""

    title: str
    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]


def cross_lines(layer: Layer, centre: Point, arm_mm: float) -> Iterator[Polyline]:
    """The two lines of an upright cross."""
    x_mm, y_mm = centre
    yield Polyline(layer, ((x_mm - arm_mm, y_mm), (x_mm + arm_mm, y_mm)))
    yield Polyline(layer, ((x_mm, y_mm - arm_mm), (x_mm, y_mm + arm_mm)))


def rectangle(layer: Layer, left_mm: float, bottom_mm: float, right_mm: float, top_mm: float) -> Rectangle:
    """A rectangle with sharp corners, given by its edges."""
    return Rectangle(layer, (left_mm, bottom_mm), right_mm - left_mm, top_mm - bottom_mm)


def format_number(value: float, decimals: int = 3) -> str:
    """A number as text: at most `decimals` decimals, no trailing zeros, no `-0`, no exponent."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def translated(shape: Shape, right_mm: float, up_mm: float) -> Shape:
    """A copy of the shape, moved."""

    def shifted(place: Point) -> Point:
        return place[0] + right_mm, place[1] + up_mm

    match shape:
        case Circle():
            return replace(shape, centre=shifted(shape.centre))
        case Polyline():
            return replace(shape, places=tuple(map(shifted, shape.places)))
        case Rectangle():
            return replace(shape, corner=shifted(shape.corner))
        case Text():
            return replace(shape, place=shifted(shape.place))
