"""What a board house asks for: Gerbers, drill files, placements and bill of materials, packed in one zip."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hardware.pcb.circuit import Circuit, Part
from hardware.pcb.kicad import KicadBoard
from hardware.pcb.layout import Sheet

GERBERS = {
    "F_Cu": "top copper",
    "B_Cu": "bottom copper",
    "F_Mask": "top solder mask",
    "B_Mask": "bottom solder mask",
    "F_Paste": "top paste",
    "F_SilkS": "top print",
    "B_SilkS": "bottom print",
    "Edge_Cuts": "outline",
}
DRILLS = ("PTH", "NPTH")
_DATED = re.compile(
    r"^(G04 Created by KiCad .*|(G04 #@! |%)TF\.CreationDate.*|; DRILL file .*|; #@! TF\.CreationDate.*)\n", re.M
)
_EPOCH = (1980, 1, 1, 0, 0, 0)


def plot(made: KicadBoard, folder: Path) -> list[Path]:
    """Gerbers and drill files, without the dates that would make each build differ."""
    import pcbnew

    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    plotter = pcbnew.PLOT_CONTROLLER(made.board)
    options = plotter.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetUseAuxOrigin(True)
    options.SetUseGerberX2format(False)
    options.SetIncludeGerberNetlistInfo(False)
    options.SetPlotReference(False)
    options.SetPlotValue(False)
    options.SetSubtractMaskFromSilk(True)
    for layer, comment in GERBERS.items():
        plotter.SetLayer(getattr(pcbnew, layer))
        plotter.OpenPlotfile(layer, pcbnew.PLOT_FORMAT_GERBER, comment)
        plotter.PlotLayer()
    plotter.ClosePlot()
    drills = pcbnew.EXCELLON_WRITER(made.board)
    drills.SetFormat(True)
    drills.SetOptions(False, False, made.board.GetDesignSettings().GetAuxOrigin(), False)
    drills.CreateDrillandMapFilesSet(str(folder), True, False)
    files = sorted(folder.iterdir())
    for file in files:
        file.write_text(_DATED.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
    return files


def bill(circuit: Circuit) -> str:
    """CSV: one line a kind and value, with how many and where."""
    lines: dict[tuple[str, str, str], list[Part]] = {}
    for part in circuit.parts:
        lines.setdefault((part.value, part.kind.name, part.kind.footprint), []).append(part)
    rows = [
        (value, name, footprint, str(len(parts)), " ".join(part.ref for part in parts), _fitted(parts[0]))
        for (value, name, footprint), parts in lines.items()
    ]
    return _csv(("value", "part", "land pattern", "quantity", "designators", "fitted"), rows)


def placements(circuit: Circuit, sheet: Sheet) -> str:
    """CSV of what a machine places: mm from the lower left corner, y upward, degrees to the left."""
    rows = []
    for part in circuit.parts:
        if not part.kind.hand_fitted:
            place = sheet.places[part.ref]
            y = sheet.height_mm - place.y
            rows.append((part.ref, f"{place.x:.3f}mm", f"{y:.3f}mm", "Top", str(place.turn)))
    return _csv(("Designator", "Mid X", "Mid Y", "Layer", "Rotation"), rows)


def _fitted(part: Part) -> str:
    return "by hand" if part.kind.hand_fitted else "by machine"


def _csv(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def pack(zip_file: Path, contents: Mapping[str, bytes]) -> None:
    """A zip that is the same, byte for byte, whenever its contents are."""
    with ZipFile(zip_file, "w", ZIP_DEFLATED) as packed:
        for name in sorted(contents):
            entry = ZipInfo(name, _EPOCH)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, contents[name])


def drill_hits(text: str) -> Iterator[tuple[float, int]]:
    """From an Excellon file: each tool's diameter in mm and how many holes it drills."""
    sizes = {tool: float(size) for tool, size in re.findall(r"^(T\d+)C([\d.]+)$", text, re.M)}
    tool, hits = "", dict.fromkeys(sizes, 0)
    for line in text.splitlines():
        if line in hits:
            tool = line
        elif line.startswith("X"):
            hits[tool] += 1
    yield from ((sizes[tool], count) for tool, count in hits.items())
