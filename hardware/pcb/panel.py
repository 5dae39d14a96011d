"""Panels: equal boards side by side with rails, V-cuts, fiducials and tooling holes, as Gerber and drill files.

The files of one board are repeated statement by statement, so that a panel needs neither KiCad nor new nets:

    python -m hardware.pcb.panel hardware/row/row-6-order.zip

writes hardware/build/row-6-panel.zip.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from zipfile import ZipFile

from msgspec import Struct

from hardware.pcb.fabrication import write_zip
from hardware.pcb.houses import HOUSES

ROWS = 5
RAIL_MM = 5.0
FIDUCIAL_MM = 1.0
FIDUCIAL_MASK_MM = 2.0
TOOLING_MM = 2.0
LINE_MM = 0.1
V_CUTS = "V_Cuts"
"""The layer of the cuts; the outline of the panel is in the layer of the edges."""
_NEW_APERTURE = 900
_POINT = re.compile(r"X(-?\d+)Y(-?\d+)")
_DRILL_POINT = re.compile(r"X(-?[\d.]+)Y(-?[\d.]+)")


class Panel(Struct, frozen=True):
    """So many boards of this size in columns and rows, touching at V-cuts, with a rail below and one above.

    Positions are in mm from the lower left corner of the panel, y up.
    """

    width_mm: float
    height_mm: float
    columns: int
    rows: int

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the panel."""
        return round(self.columns * self.width_mm, 3), round(self.rows * self.height_mm + 2 * RAIL_MM, 3)

    def places(self) -> Iterator[tuple[float, float]]:
        """The lower left corner of each board."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield round(column * self.width_mm, 3), round(RAIL_MM + row * self.height_mm, 3)

    def cuts(self) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
        """The V-cuts, from edge to edge of the panel."""
        width, height = self.size
        for row in range(self.rows + 1):
            y = round(RAIL_MM + row * self.height_mm, 3)
            yield (0.0, y), (width, y)
        for column in range(1, self.columns):
            x = round(column * self.width_mm, 3)
            yield (x, 0.0), (x, height)

    def fiducials(self) -> Sequence[tuple[float, float]]:
        """Three on the rails: a panel that lies the wrong way round is seen."""
        width, height = self.size
        middle = RAIL_MM / 2
        return (10.0, middle), (width - 10.0, middle), (10.0, height - middle)

    def tooling(self) -> Sequence[tuple[float, float]]:
        """The holes for the pins of a machine, in the corners."""
        width, height = self.size
        middle = RAIL_MM / 2
        return (5.0, middle), (width - 5.0, middle), (5.0, height - middle), (width - 5.0, height - middle)


def panel_of(width_mm: float, height_mm: float) -> Panel:
    """The panel of a board of this size: five rows or more, and columns, until no side is too short for V-cuts."""
    least = max(house.least_panel for house in HOUSES)
    rows = max(ROWS, ceil((least - 2 * RAIL_MM) / height_mm))
    return Panel(width_mm, height_mm, ceil(least / width_mm), rows)


def board_size(edges: str) -> tuple[float, float]:
    """Width and height in mm of a board whose lower left corner is the origin, from the Gerber file of its edges."""
    points = [(int(x) / 1e6, int(y) / 1e6) for x, y in _POINT.findall(edges)]
    return max(x for x, _ in points), max(y for _, y in points)


def panel_files(name: str, files: Mapping[str, str], panel: Panel) -> Mapping[str, str]:
    """The files of a panel, from those of one board: `files` by name, `<name>-F_Cu.gbr` and so on."""
    made = {}
    for file, text in files.items():
        layer = file.removeprefix(f"{name}-").split(".")[0]
        extra = {
            "Edge_Cuts": _outline(panel),
            "F_Cu": _flashes(panel, FIDUCIAL_MM),
            "B_Cu": _flashes(panel, FIDUCIAL_MM),
            "F_Mask": _flashes(panel, FIDUCIAL_MASK_MM),
            "B_Mask": _flashes(panel, FIDUCIAL_MASK_MM),
        }.get(layer, [])
        if file.endswith(".drl"):
            made[file.replace(name, f"{name}-panel")] = repeated_drill(
                text, panel, panel.tooling() if layer == "NPTH" else ()
            )
        else:
            body = "" if layer == "Edge_Cuts" else text
            made[file.replace(name, f"{name}-panel")] = repeated_gerber(text, body, panel, extra)
    made[f"{name}-panel-{V_CUTS}.gbr"] = repeated_gerber(files[f"{name}-Edge_Cuts.gbr"], "", panel, _v_cuts(panel))
    return made


def repeated_gerber(text: str, body: str, panel: Panel, extra: Sequence[str]) -> str:
    """A Gerber layer: the head of `text`, the drawing statements of `body` at each place, and more statements."""
    head, _ = _split(text)
    drawing = _split(body)[1] if body else []
    return "\n".join([*head, *(_moved(line, x, y) for x, y in panel.places() for line in drawing), *extra, "M02*", ""])


def _split(text: str) -> tuple[list[str], list[str]]:
    """Head with format and apertures, and drawing statements, without the end of file."""
    lines = [line for line in text.splitlines() if line and not line.startswith("M02")]
    first = next(number for number, line in enumerate(lines) if re.fullmatch(r"(G54)?D\d\d+\*|G36\*|G01\*", line))
    apertures = [number for number, line in enumerate(lines) if line.startswith("%AD")]
    cut = max([first, *(number + 1 for number in apertures)])
    return lines[:cut], lines[cut:]


def _moved(line: str, right_mm: float, up_mm: float) -> str:
    def there(match: re.Match[str]) -> str:
        return f"X{int(match[1]) + round(right_mm * 1e6)}Y{int(match[2]) + round(up_mm * 1e6)}"

    return line if line.startswith(("%", "G04")) else _POINT.sub(there, line)


def _at(x: float, y: float) -> str:
    return f"X{round(x * 1e6)}Y{round(y * 1e6)}"


def _flashes(panel: Panel, size: float) -> list[str]:
    flashed = [f"{_at(x, y)}D03*" for x, y in panel.fiducials()]
    return [f"%ADD{_NEW_APERTURE}C,{size:.6f}*%", f"D{_NEW_APERTURE}*", *flashed]


def _drawn(lines: Iterator[tuple[tuple[float, float], tuple[float, float]]]) -> list[str]:
    drawn = [f"{_at(*place)}{code}*" for start, end in lines for place, code in ((start, "D02"), (end, "D01"))]
    return [f"%ADD{_NEW_APERTURE}C,{LINE_MM:.6f}*%", f"D{_NEW_APERTURE}*", *drawn]


def _outline(panel: Panel) -> list[str]:
    width, height = panel.size
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return _drawn(zip(corners, (*corners[1:], corners[0]), strict=True))


def _v_cuts(panel: Panel) -> list[str]:
    return _drawn(panel.cuts())


def repeated_drill(text: str, panel: Panel, holes: Sequence[tuple[float, float]]) -> str:
    """An Excellon file with the hits of each tool at every place, and round holes of `TOOLING_MM` on the rails."""
    head, _, body = text.partition("\n%\n")
    blocks: dict[str, list[str]] = {}
    tool = ""
    for line in body.splitlines():
        if re.fullmatch(r"T\d+", line):
            tool = line
            blocks[tool] = []
        elif line.startswith("X"):
            blocks[tool].append(line)
    lines = [
        line
        for name, hits in blocks.items()
        for line in (name, *(_moved_hit(hit, x, y) for x, y in panel.places() for hit in hits))
    ]
    if holes:
        head += f"\nT{_NEW_APERTURE}C{TOOLING_MM:.3f}"
        lines += [f"T{_NEW_APERTURE}", *(f"X{x:.3f}Y{y:.3f}" for x, y in holes)]
    return "\n".join([head, "%", "G90", "G05", *lines, "M30", ""])


def _moved_hit(hit: str, right_mm: float, up_mm: float) -> str:
    def there(match: re.Match[str]) -> str:
        return f"X{float(match[1]) + right_mm:.3f}Y{float(match[2]) + up_mm:.3f}"

    return _DRILL_POINT.sub(there, hit)


def write_panel(order: Path, folder: Path) -> tuple[Path, Panel]:
    """Writes the panel of the board whose order files are in the zip `order`; returns its zip."""
    name = order.stem.removesuffix("-order")
    with ZipFile(order) as packed:
        files = {file: packed.read(file).decode() for file in packed.namelist() if file.endswith((".gbr", ".drl"))}
    panel = panel_of(*board_size(files[f"{name}-Edge_Cuts.gbr"]))
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{name}-panel.zip"
    write_zip(made, {file: text.encode() for file, text in panel_files(name, files, panel).items()})
    return made, panel


def main(orders: Sequence[str]) -> None:
    """Writes the panels of these order zips into `hardware/build`."""
    for order in orders:
        made, panel = write_panel(Path(order), Path(__file__).parents[1] / "build")
        width, height = panel.size
        print(f"{made}: {panel.columns} x {panel.rows} boards, {width:g} x {height:g} mm")


if __name__ == "__main__":
    main(sys.argv[1:])
