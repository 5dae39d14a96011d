"""Order files for a board house: Gerbers, drill files, placements and bill of materials in one zip."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from firmware_host.circuits.circuit import Circuit, Part
from firmware_host.circuits.layout import BoardLayout
from hardware.pcb.houses import JLCPCB_TURNS
from hardware.pcb.kicad_cli import run_kicad

LAYERS = ("F.Cu", "B.Cu", "F.Mask", "B.Mask", "F.Paste", "F.SilkS", "B.SilkS", "Edge.Cuts")
DRILLS = ("PTH", "NPTH")
_DATED = re.compile(r"^(G04 Created by KiCad .*|(G04 #@! |%)TF\..*|; DRILL file .*|; #@! TF\..*|G04 PROJECT.*)\n", re.M)
_EPOCH = (1980, 1, 1, 0, 0, 0)


def plot_gerbers(settings: Path, board: Path, folder: Path) -> list[Path]:
    """Writes Gerbers and drill files into `folder`, which is emptied first; without dates, for reproducible builds."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    plain = ("--no-x2", "--no-netlist", "--disable-aperture-macros", "--no-protel-ext", "--subtract-soldermask")
    words = ("--use-drill-file-origin", "--exclude-value", *plain)
    run_kicad(settings, "pcb", "export", "gerbers", *words, "-l", ",".join(LAYERS), "-o", f"{folder}/", str(board))
    origin = ("--drill-origin", "plot", "--excellon-separate-th", "--excellon-units", "mm")
    run_kicad(settings, "pcb", "export", "drill", *origin, "-o", f"{folder}/", str(board))
    files = sorted(file for file in folder.iterdir() if file.suffix in (".gbr", ".drl"))
    for file in files:
        file.write_text(_DATED.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
    return files


class Bought(Protocol):
    """Where a part is from: maker, part number, the number at LCSC, what else fits, and a remark for the buyer."""

    @property
    def maker(self) -> str: ...
    @property
    def mpn(self) -> str: ...
    @property
    def lcsc(self) -> str: ...
    @property
    def alternative(self) -> str: ...
    @property
    def remark(self) -> str: ...


def bom_csv(circuit: Circuit, find_source: Callable[[Part], Bought]) -> str:
    """CSV with the headings that board houses read: one line per value and kind, designators separated by commas."""
    lines: dict[tuple[str, str], list[Part]] = {}
    for part in circuit.parts:
        if not part.kind.is_bare:
            lines.setdefault((part.value, part.kind.footprint), []).append(part)
    rows = []
    for (value, footprint), parts in lines.items():
        source = find_source(parts[0])
        designators = ",".join(part.ref for part in parts)
        package = footprint.split(":")[1]
        rows.append(
            (value, designators, package, source.lcsc, str(len(parts)), source.maker, source.mpn)
            + (source.alternative, _fitted(parts[0]), source.remark)
        )
    return _csv(BOM_HEAD, rows)


BOM_HEAD = (
    "Comment",
    "Designator",
    "Footprint",
    "LCSC Part #",
    "Quantity",
    "Manufacturer",
    "Manufacturer Part Number",
    "Alternative",
    "Fitted",
    "Remark",
)


def placements_csv(circuit: Circuit, layout: BoardLayout, turns: Mapping[str, int] | None = None) -> str:
    """CSV of the machine-placed parts: mm from the lower left corner, y up, degrees counterclockwise.

    `turns` are added to the rotations, by the begin of the footprint's name: how far a house's library turns a package.
    """
    rows = []
    for part in circuit.parts:
        if not part.kind.hand_fitted and not part.kind.is_bare:
            place = layout.places[part.ref]
            package = part.kind.footprint.split(":")[1]
            more = next((turn for start, turn in (turns or {}).items() if package.startswith(start)), 0)
            y = layout.height_mm - place.y
            turn = (place.turn + more) % 360
            rows.append((part.ref, f"{place.x:.3f}mm", f"{y:.3f}mm", "Top", str(turn)))
    return _csv(("Designator", "Mid X", "Mid Y", "Layer", "Rotation"), rows)


def order_lists(circuit: Circuit, layout: BoardLayout, find_source: Callable[[Part], Bought]) -> Mapping[str, str]:
    """The parts list and the placements of a board by file name; one file of placements has JLCPCB's rotations."""
    return {
        f"{circuit.name}-bom.csv": bom_csv(circuit, find_source),
        f"{circuit.name}-cpl.csv": placements_csv(circuit, layout),
        f"{circuit.name}-cpl-jlcpcb.csv": placements_csv(circuit, layout, JLCPCB_TURNS),
    }


def _fitted(part: Part) -> str:
    if part.kind.left_empty:
        return "left empty"
    return "by hand" if part.kind.hand_fitted else "by machine"


def _csv(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def write_zip(zip_file: Path, contents: Mapping[str, bytes]) -> None:
    """Writes a zip that depends only on `contents`: sorted names, fixed dates."""
    with ZipFile(zip_file, "w", ZIP_DEFLATED) as packed:
        for name in sorted(contents):
            entry = ZipInfo(name, _EPOCH)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, contents[name])
