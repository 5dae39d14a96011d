"""All files that `cribboard draw` writes: those of one board, and those that all boards share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from board_drivers.pins import HeaderPins
from firmware_host.board.drawing.drawing import draw
from firmware_host.board.drawing.theme import with_colour_fallbacks
from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication import bill, solids, tactile
from firmware_host.fabrication.bezel import bezel_drawing
from firmware_host.fabrication.chart import magnet_chart
from firmware_host.fabrication.costs import costs_page
from firmware_host.fabrication.desk_wiring import desk_wiring_drawing
from firmware_host.fabrication.dimensions import Case
from firmware_host.fabrication.dxf import as_dxf
from firmware_host.fabrication.enclosure_files import case_drawing, case_program
from firmware_host.fabrication.hole_map import hole_map
from firmware_host.fabrication.kit_pictures import kits_drawing
from firmware_host.fabrication.kits_page import kits_page
from firmware_host.fabrication.magnets import magnetics, magnets_page
from firmware_host.fabrication.overview import overview_page
from firmware_host.fabrication.pdf import as_pdf, full_page
from firmware_host.fabrication.pieces import piece_cut, pieces_drawing, spacer_pieces
from firmware_host.fabrication.power import power_page
from firmware_host.fabrication.programmer import programmer_drawing
from firmware_host.fabrication.section import peg_parts_drawing, section_drawing
from firmware_host.fabrication.shapes import Layer
from firmware_host.fabrication.svg import as_svg
from firmware_host.fabrication.template import bottom_template, drill_template, plate_cut, spacer_cut
from firmware_host.fabrication.tiles import PAPERS_MM, tile_pages
from firmware_host.fabrication.underside import underside_drawing
from firmware_host.fabrication.wiring import header_drawing

COMMITTED_SUFFIXES = (".svg", ".csv", ".md", ".scad")
"""Suffixes of the files that are committed; PDF and DXF files are only made on demand."""

FilesByName = Mapping[str, bytes]
"""Contents by file name, without a folder."""


def board_files(plan: BoardPlan, case: Case) -> FilesByName:
    """All files of one board. Raises PlanError if no supply is large enough or the plate is too thin for its screws."""
    drawings = {"drill": drill_template(plan, case), "below": bottom_template(plan, case)}
    pages = {f"{side}.pdf": as_pdf(drawing, [full_page(drawing)]) for side, drawing in drawings.items()}
    for side, drawing in drawings.items():
        pages |= {f"{side}-{paper}.pdf": as_pdf(drawing, tile_pages(drawing, paper)) for paper in PAPERS_MM}
    return board_text_files(plan, case) | pages


def board_text_files(plan: BoardPlan, case: Case) -> dict[str, bytes]:
    """All files of one board except the PDF pages. Raises PlanError as `board_files` does."""
    texts = {
        "board.svg": with_colour_fallbacks(draw(plan, engraved=True)),
        "drill.svg": as_svg(drill_template(plan, case)),
        "below.svg": as_svg(bottom_template(plan, case)),
        "plate.dxf": as_dxf(plate_cut(plan, case)),
        "spacer.dxf": as_dxf(spacer_cut(plan, case)),
        "spacer.svg": as_svg(spacer_cut(plan, case, Layer.PRINT, Layer.SHEET)),
        "plate.scad": solids.plate(plan, case),
        "spacer.scad": solids.spacer(plan, case),
        "spacer-pieces.scad": solids.spacer_in_pieces(plan, case),
        "spacer-pieces.svg": as_svg(pieces_drawing(plan, case)),
        **{f"spacer-{piece.number}.dxf": as_dxf(piece_cut(plan, piece)) for piece in spacer_pieces(plan, case)},
        "marks.scad": tactile.marks(plan, case),
        "holes.csv": hole_map(plan),
        "underside.svg": as_svg(underside_drawing(plan, case)),
        **{f"parts-{kit}.csv": bill.parts_csv(bill.parts_list(plan, case, kit)) for kit in bill.BOARD_KITS},
    }
    return _encoded(texts)


def shared_files(plans: Sequence[BoardPlan], case: Case, header: HeaderPins) -> FilesByName:
    """Files that do not depend on one board: pegs, clips, case, bezel, header, magnets, power and costs.

    Drawings that need a board use the first plan.
    """
    first = plans[0]
    design = magnetics(case)
    texts = {
        "boards.md": overview_page(plans, case),
        "bezel.scad": solids.bezel(case),
        "case.scad": case_program(case),
        "case.svg": as_svg(case_drawing(case)),
        "bezel.svg": as_svg(bezel_drawing(case)),
        "clip.scad": solids.clip(case),
        "peg-head.scad": solids.peg_head(case),
        "peg-heads.scad": tactile.peg_heads(case),
        "key-caps.scad": tactile.key_caps(case),
        "peg.svg": as_svg(peg_parts_drawing(first, case, design)),
        "section.svg": as_svg(section_drawing(first, case, design)),
        "wiring.svg": as_svg(header_drawing(header)),
        "kits.svg": as_svg(kits_drawing()),
        "programmer.svg": as_svg(programmer_drawing()),
        "desk-wiring.svg": as_svg(desk_wiring_drawing(header)),
        "magnets.svg": as_svg(magnet_chart(first, design)),
        "magnets.md": magnets_page(plans, case),
        "power.md": power_page(plans),
        "costs.md": costs_page(plans),
        "kits.md": kits_page(first),
        "parts-desk.csv": bill.parts_csv(bill.desk_list(first, case)),
    }
    return _encoded(texts)


def _encoded(texts: Mapping[str, str]) -> dict[str, bytes]:
    return {name: text.encode("utf-8") for name, text in texts.items()}
