"""What a drawing is made of, whatever file it ends in: rings, strokes, frames and letters, each on a layer.

Rule: millimetres throughout, x to the right and y upward from the lower left corner, as on the plate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

Point = tuple[float, float]


class Layer(Enum):
    """What a mark is for; the value is the layer's name in a DXF file."""

    PEG = "PEG"
    LED = "LED"
    OUTLINE = "OUTLINE"
    SCREWS = "SCREWS"
    PILOT = "PILOT"
    POCKET = "POCKET"
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
    """Which point of a lettering lies at its place; the value is SVG's word for it."""

    LEFT = "start"
    MIDDLE = "middle"
    RIGHT = "end"


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle, such as a hole to drill."""

    layer: Layer
    centre: Point
    diameter_mm: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """Straight lines from place to place, and back to the first if closed."""

    layer: Layer
    places: tuple[Point, ...]
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle with its lower left corner at `corner`; its corners are rounded by `round_mm`."""

    layer: Layer
    corner: Point
    width_mm: float
    height_mm: float
    round_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Lettering:
    """A line of text; `height_mm` is the size of the font, and the place is on the baseline."""

    layer: Layer
    place: Point
    text: str
    height_mm: float
    anchor: Anchor = Anchor.MIDDLE


Mark = Ring | Stroke | Frame | Lettering


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet of this size, and what is on it, the hindmost first."""

    title: str
    width_mm: float
    height_mm: float
    marks: tuple[Mark, ...]


def cross(layer: Layer, centre: Point, arm_mm: float) -> Iterator[Stroke]:
    """An upright cross, to prick or to lay one sheet on another by."""
    x_mm, y_mm = centre
    yield Stroke(layer, ((x_mm - arm_mm, y_mm), (x_mm + arm_mm, y_mm)))
    yield Stroke(layer, ((x_mm, y_mm - arm_mm), (x_mm, y_mm + arm_mm)))


def box(layer: Layer, left_mm: float, bottom_mm: float, right_mm: float, top_mm: float) -> Frame:
    """A rectangle by its edges."""
    return Frame(layer, (left_mm, bottom_mm), right_mm - left_mm, top_mm - bottom_mm)


def number(value: float, decimals: int = 3) -> str:
    """A measure as a file has it: no more decimals than needed, never -0, never an exponent."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def moved(mark: Mark, right_mm: float, up_mm: float) -> Mark:
    """The same mark elsewhere."""

    def there(place: Point) -> Point:
        return place[0] + right_mm, place[1] + up_mm

    match mark:
        case Ring():
            return replace(mark, centre=there(mark.centre))
        case Stroke():
            return replace(mark, places=tuple(map(there, mark.places)))
        case Frame():
            return replace(mark, corner=there(mark.corner))
        case Lettering():
            return replace(mark, place=there(mark.place))
