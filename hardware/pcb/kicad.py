"""A board in KiCad 6: parts placed, pads read, tracks laid, copper poured, rules checked.

The only file, with `fabrication.py`, that needs KiCad; it comes with Debian's own Python (`apt-get install kicad`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hardware.pcb.circuit import Circuit, CircuitError
from hardware.pcb.layout import (
    CLEARANCE_MM,
    EDGE_MM,
    HOLE_TO_HOLE_MM,
    VIA_DRILL_MM,
    VIA_MM,
    Area,
    Copper,
    Label,
    Pad,
    Rect,
    Screw,
    Sheet,
    Side,
    Via,
)
from hardware.pcb.report import Verdict, read_report, vias_in

FOOTPRINTS = Path("/usr/share/kicad/footprints")
SYMBOLS = Path("/usr/share/kicad/symbols")
_SCREW_LIBRARY = "MountingHole"
_SCREW_FOOTPRINTS = {2.2: "MountingHole_2.2mm_M2", 3.2: "MountingHole_3.2mm_M3"}


class KicadBoard:
    """A board being made; saved as `file` (.kicad_pcb)."""

    def __init__(self, file: Path, circuit: Circuit, sheet: Sheet) -> None:
        import pcbnew

        self._pcbnew: Any = pcbnew
        self.file, self.circuit, self.sheet = file, circuit, sheet
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        self.board: Any = pcbnew.NewBoard(str(file))
        self.board.SetFileName(str(file))
        self._nets: dict[str, Any] = {}
        self._settings()
        self._outline()
        for screw in sheet.screws:
            self._screw(screw)
        for part in circuit.parts:
            self._place(part.ref, part.kind.footprint, part.value, part.nets, by_hand=part.kind.hand_fitted)

    def pads(self) -> list[Pad]:
        """Every pad as KiCad has it, where it lies on the board."""
        found = []
        for footprint in self.board.GetFootprints():
            for pad in footprint.Pads():
                if pad.GetNumber():
                    found.append(self._pad(footprint.GetReference(), pad))
        return sorted(found, key=lambda pad: (pad.part, pad.number, pad.rect.left, pad.rect.top))

    @property
    def vias(self) -> int:
        """How many there are on the board."""
        return sum(isinstance(item, self._pcbnew.PCB_VIA) for item in self.board.GetTracks())

    def bodies(self) -> Mapping[str, Rect]:
        """The outline of each part as the assembly drawing shows it."""
        fab = self._pcbnew.F_Fab
        found = {}
        for footprint in self.board.GetFootprints():
            shapes = [item for item in footprint.GraphicalItems() if not isinstance(item, self._pcbnew.FP_TEXT)]
            boxes = [item.GetBoundingBox() for item in shapes if item.GetLayer() == fab]
            if boxes:
                found[footprint.GetReference()] = Rect.around(self._rect(box) for box in boxes)
        return found

    def lay(self, copper: Copper) -> None:
        """Add tracks and vias, pour the areas, save."""
        pcbnew = self._pcbnew
        for track in copper.tracks:
            item = pcbnew.PCB_TRACK(self.board)
            item.SetStart(self._at(track.x1, track.y1))
            item.SetEnd(self._at(track.x2, track.y2))
            item.SetWidth(pcbnew.FromMM(track.width))
            item.SetLayer(self._copper(track.side))
            item.SetNet(self._net(track.net))
            self.board.Add(item)
        for via in copper.vias:
            self._bore(via)
        stitches = {(via.x, via.y): self._bore(via) for via in copper.stitches}
        for area in self.sheet.areas:
            self._pour(area)
        for label in self.sheet.labels:
            self._print(label)
        self._fill()
        while idle := [stitches.pop(place) for place in vias_in(self.check().unconnected) if place in stitches]:
            for item in idle:  # it ties two islands to each other and to nothing else; they go with it
                self.board.Remove(item)
            self._fill()
        self.board.Save(str(self.file))

    def _fill(self) -> None:
        self.board.BuildConnectivity()
        self._pcbnew.ZONE_FILLER(self.board).Fill(self.board.Zones())
        self.board.BuildConnectivity()

    def _bore(self, via: Via) -> Any:
        pcbnew, item = self._pcbnew, self._pcbnew.PCB_VIA(self.board)
        item.SetPosition(self._at(via.x, via.y))
        item.SetDrill(pcbnew.FromMM(VIA_DRILL_MM))
        item.SetWidth(pcbnew.FromMM(VIA_MM))
        item.SetNet(self._net(via.net))
        self.board.Add(item)
        return item

    def check(self) -> Verdict:
        """Run KiCad's design rule check; its report stays beside the board as `.drc`."""
        report = self.file.with_suffix(".drc")
        pcbnew = self._pcbnew
        pcbnew.WriteDRCReport(self.board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
        return read_report(report.read_text(encoding="utf-8"))

    def _settings(self) -> None:
        pcbnew, settings = self._pcbnew, self.board.GetDesignSettings()
        self.board.SetCopperLayerCount(2)
        settings.m_MinClearance = settings.m_HoleClearance = pcbnew.FromMM(CLEARANCE_MM)
        settings.m_TrackMinWidth = pcbnew.FromMM(min(self.sheet.track_mm, 0.2))
        settings.m_ViasMinSize = pcbnew.FromMM(VIA_MM)
        settings.m_MinThroughDrill = pcbnew.FromMM(VIA_DRILL_MM)
        settings.m_CopperEdgeClearance = pcbnew.FromMM(EDGE_MM - 0.01)
        settings.m_HoleToHoleMin = pcbnew.FromMM(HOLE_TO_HOLE_MM)
        settings.GetNetClasses().GetDefault().SetClearance(pcbnew.FromMM(CLEARANCE_MM))
        settings.GetNetClasses().GetDefault().SetTrackWidth(pcbnew.FromMM(self.sheet.track_mm))
        settings.SetAuxOrigin(self._at(0, self.sheet.height_mm))

    def _outline(self) -> None:
        pcbnew, width, height = self._pcbnew, self.sheet.width_mm, self.sheet.height_mm
        corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
            line = pcbnew.PCB_SHAPE(self.board)
            line.SetShape(pcbnew.SHAPE_T_SEGMENT)
            line.SetStart(self._at(*start))
            line.SetEnd(self._at(*end))
            line.SetLayer(pcbnew.Edge_Cuts)
            line.SetWidth(pcbnew.FromMM(0.1))
            self.board.Add(line)

    def _screw(self, screw: Screw) -> None:
        footprint = self._footprint(_SCREW_LIBRARY, _SCREW_FOOTPRINTS[screw.drill])
        footprint.SetPosition(self._at(screw.x, screw.y))
        footprint.SetAttributes(self._pcbnew.FP_EXCLUDE_FROM_POS_FILES | self._pcbnew.FP_EXCLUDE_FROM_BOM)
        footprint.Reference().SetVisible(False)
        self.board.Add(footprint)

    def _place(self, ref: str, name: str, value: str, nets: Mapping[str, str | None], *, by_hand: bool) -> None:
        place, pcbnew = self.sheet.places[ref], self._pcbnew
        footprint = self._footprint(*name.split(":"))
        footprint.SetReference(ref)
        footprint.SetValue(value)
        footprint.SetPosition(self._at(place.x, place.y))
        footprint.SetOrientationDegrees(place.turn)
        footprint.SetAttributes(pcbnew.FP_THROUGH_HOLE if by_hand else pcbnew.FP_SMD)
        footprint.Reference().SetVisible(False)
        footprint.Value().SetVisible(False)
        for pad in footprint.Pads():
            net = nets.get(pad.GetNumber())
            if net is not None:
                pad.SetNet(self._net(net))
        self._trim(footprint)
        self.board.Add(footprint)

    def _trim(self, footprint: Any) -> None:
        """Take away print that would run off the board, and words: those of the library lie on neighbours' pads."""
        pcbnew, inside = self._pcbnew, Rect(0.0, 0.0, self.sheet.width_mm, self.sheet.height_mm).grown(-0.1)
        for item in list(footprint.GraphicalItems()):
            box = self._rect(item.GetBoundingBox())
            is_inside = inside.left < box.left and inside.top < box.top
            is_inside = is_inside and box.right < inside.right and box.bottom < inside.bottom
            is_word = isinstance(item, pcbnew.FP_TEXT)
            if item.GetLayer() in (pcbnew.F_SilkS, pcbnew.B_SilkS) and (is_word or not is_inside):
                footprint.Remove(item)

    def _footprint(self, library: str, name: str) -> Any:
        footprint = self._pcbnew.FootprintLoad(str(FOOTPRINTS / f"{library}.pretty"), name)
        if footprint is None:
            mend = "install kicad-footprints, or name one that it has"
            raise CircuitError(self.circuit.name, f"the land pattern {library}:{name}", "none in KiCad's library", mend)
        return footprint

    def _pour(self, area: Area) -> None:
        pcbnew, zone = self._pcbnew, self._pcbnew.ZONE(self.board)
        zone.SetLayer(self._copper(area.side))
        zone.SetNet(self._net(area.net))
        zone.SetPriority(area.rank)
        zone.SetLocalClearance(pcbnew.FromMM(0.2))
        zone.SetMinThickness(pcbnew.FromMM(0.2))
        zone.SetThermalReliefGap(pcbnew.FromMM(0.2))
        zone.SetThermalReliefSpokeWidth(pcbnew.FromMM(0.8 if area.rank else self.sheet.width(area.net)))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        outline, rect = zone.Outline(), area.rect
        outline.NewOutline()
        for x, y in (
            (rect.left, rect.top),
            (rect.right, rect.top),
            (rect.right, rect.bottom),
            (rect.left, rect.bottom),
        ):
            outline.Append(pcbnew.FromMM(x), pcbnew.FromMM(y))
        self.board.Add(zone)

    def _print(self, label: Label) -> None:
        pcbnew, text = self._pcbnew, self._pcbnew.PCB_TEXT(self.board)
        text.SetText(label.text)
        text.SetPosition(self._at(label.x, label.y))
        text.SetLayer(pcbnew.F_SilkS if label.side is Side.TOP else pcbnew.B_SilkS)
        text.SetMirrored(label.side is Side.BOTTOM)
        size = pcbnew.FromMM(label.height)
        text.SetTextSize(pcbnew.wxSize(size, size))
        text.SetTextThickness(pcbnew.FromMM(0.15))
        self.board.Add(text)

    def _pad(self, ref: str, pad: Any) -> Pad:
        pcbnew = self._pcbnew
        sides = tuple(side for side in Side if pad.IsOnLayer(self._copper(side)))
        drill = pcbnew.ToMM(pad.GetDrillSize().x)
        return Pad(ref, pad.GetNumber(), pad.GetNetname() or None, self._rect(pad.GetBoundingBox()), sides, drill)

    def _rect(self, box: Any) -> Rect:
        mm = self._pcbnew.ToMM
        return Rect(*(round(mm(edge), 4) for edge in (box.GetLeft(), box.GetTop(), box.GetRight(), box.GetBottom())))

    def _net(self, name: str) -> Any:
        if name not in self._nets:
            self._nets[name] = self._pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(self._nets[name])
        return self._nets[name]

    def _copper(self, side: Side) -> Any:
        return self._pcbnew.F_Cu if side is Side.TOP else self._pcbnew.B_Cu

    def _at(self, x: float, y: float) -> Any:
        return self._pcbnew.wxPointMM(x, y)


def library_pads(footprints: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """The pad numbers of each land pattern in KiCad's library."""
    import pcbnew

    pads = {}
    for name in footprints:
        library, pattern = name.split(":")
        footprint = pcbnew.FootprintLoad(str(FOOTPRINTS / f"{library}.pretty"), pattern)
        pads[name] = frozenset(pad.GetNumber() for pad in footprint.Pads() if pad.GetNumber())
    return pads
