"""Opens the files with the programs that makers use: OpenSCAD, poppler, librsvg, ezdxf."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageOps, ImageStat

from board_drivers.pins import header_pins
from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.board_space import clips
from firmware_host.fabrication.dimensions import load_case
from firmware_host.fabrication.engraving import engraving
from firmware_host.fabrication.outputs import board_files, shared_files
from firmware_host.fabrication.pieces import spacer_pieces
from firmware_host.fabrication.pockets import pockets_of
from firmware_host.fabrication.shapes import Polyline, Text
from firmware_host.fabrication.template import drill_template
from firmware_host.fabrication.tiles import PAPERS_MM, best_tiling
from tests.fabrication.solid import Solid
from tests.fabrication.workbench import (
    SolidError,
    check_case,
    check_pieces,
    check_solid,
    is_empty,
    render_scad,
    write_files,
)

CASE = load_case()
BOARDS = pytest.mark.parametrize("board", plan_ids())
MM_PER_POINT = 25.4 / 72
METRIC, MILLIMETRES = 1, 4
"""Values of $MEASUREMENT and $INSUNITS."""
TOLERANCE_MM = 0.01


def run(*command: str) -> str:
    assert shutil.which(command[0]), f"{command[0]} is missing: apt install openscad poppler-utils librsvg2-bin"
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files that `cribboard draw` makes."""
    folder, plans = tmp_path_factory.mktemp("drawn"), [load_plan(board) for board in plan_ids()]
    for plan in plans:
        write_files(folder / plan.id, board_files(plan, CASE))
    return write_files(folder, shared_files(plans, CASE, header_pins()))


def sizes_mm(pdf: Path) -> list[tuple[float, float]]:
    sizes = re.findall(r"Page +\d* *size: +([\d.]+) x ([\d.]+) pts", run("pdfinfo", "-l", "99", str(pdf)))
    return [(float(wide) * MM_PER_POINT, float(high) * MM_PER_POINT) for wide, high in sizes]


@pytest.mark.hardware
@BOARDS
def test_the_drill_template_pdf_has_true_size(drawn: Path, board: str) -> None:
    paper = drill_template(load_plan(board), CASE)
    ((wide, high),) = sizes_mm(drawn / board / "drill.pdf")
    assert abs(wide - paper.width_mm) < TOLERANCE_MM and abs(high - paper.height_mm) < TOLERANCE_MM


@pytest.mark.hardware
@pytest.mark.parametrize("paper", PAPERS_MM)
@BOARDS
def test_tiled_pdfs_have_the_right_paper_size_and_page_count(drawn: Path, board: str, paper: str) -> None:
    pages = sizes_mm(drawn / board / f"drill-{paper}.pdf")
    cut = best_tiling(drill_template(load_plan(board), CASE), paper)
    assert len(pages) == cut.tiles
    for wide, high in pages:
        assert abs(wide - cut.paper_mm[0]) < TOLERANCE_MM and abs(high - cut.paper_mm[1]) < TOLERANCE_MM


@pytest.mark.hardware
@BOARDS
def test_svg_and_pdf_are_the_same_drawing(drawn: Path, tmp_path: Path, board: str) -> None:
    """Renders the SVG with librsvg and the PDF with poppler and compares the images."""
    dots, svg, pdf = "144", tmp_path / "svg.png", tmp_path / "pdf"
    run("rsvg-convert", "-d", dots, "-p", dots, "-o", str(svg), str(drawn / board / "drill.svg"))
    run("pdftoppm", "-r", dots, "-png", "-singlefile", str(drawn / board / "drill.pdf"), str(pdf))
    one, other = ink_in(svg), ink_in(pdf.with_suffix(".png"))
    assert one.size == other.size
    assert (
        relative_difference(one, other) < 1 / 3 < relative_difference(one, ImageChops.offset(other, 3, 0))
    )  # 3 dots are half a millimetre
    assert relative_difference(one, ImageOps.flip(other)) > 1 / 3


def ink_in(picture: Path) -> Image.Image:
    """The inverted and slightly blurred image, because both programs antialias thin lines differently."""
    return ImageOps.invert(Image.open(picture).convert("L")).filter(ImageFilter.GaussianBlur(1.5))


def relative_difference(one: Image.Image, other: Image.Image) -> float:
    """The difference of two images as a share of the ink in the first."""
    difference, ink_sum = (ImageStat.Stat(ink).sum[0] for ink in (ImageChops.difference(one, other), one))
    return difference / ink_sum


@pytest.mark.hardware
@BOARDS
def test_the_dxf_passes_the_ezdxf_audit_and_has_the_size_of_the_plate(drawn: Path, board: str) -> None:
    from ezdxf import bbox

    plan, (document, auditor) = load_plan(board), _audited(drawn / board / "plate.dxf")
    assert not auditor.errors and not auditor.fixes
    model = document.modelspace()
    layers = ("PEG", "LED", "SCREWS", "PILOT")
    circles = {layer: list(model.query(f'CIRCLE[layer=="{layer}"]')) for layer in layers}
    assert len(circles["PEG"]) == len(circles["LED"]) == len(plan.holes)
    for circle, hole in zip(circles["PEG"], plan.holes, strict=True):
        assert (
            abs(circle.dxf.center.x - hole.x_mm) < TOLERANCE_MM and abs(circle.dxf.center.y - hole.y_mm) < TOLERANCE_MM
        )
    for circle, (x, y) in zip(circles["PILOT"], clips(plan, CASE), strict=True):
        assert abs(circle.dxf.center.x - x) < TOLERANCE_MM and abs(circle.dxf.center.y - y) < TOLERANCE_MM
        assert abs(circle.dxf.radius * 2 - CASE.pilot.hole_mm) < TOLERANCE_MM
    spacer, spacer_audit = _audited(drawn / board / "spacer.dxf")
    assert not spacer_audit.errors and len(spacer.modelspace().query('*[layer=="POCKET"]')) == len(
        pockets_of(plan, CASE)
    )
    screws = spacer.modelspace().query('CIRCLE[layer=="SCREWS"]')
    own = [circle for circle in screws if abs(circle.dxf.radius * 2 - CASE.clip.hole_mm) < 1e-6]
    for circle, (x, y) in zip(own, clips(plan, CASE), strict=True):
        assert abs(circle.dxf.center.x - x) < TOLERANCE_MM and abs(circle.dxf.center.y - y) < TOLERANCE_MM
    assert document.units == spacer.units == MILLIMETRES and document.header["$MEASUREMENT"] == METRIC
    marks = list(engraving(plan))
    for kind, shape in (("POLYLINE", Polyline), ("TEXT", Text)):
        assert len(model.query(f'{kind}[layer=="ENGRAVE"]')) == sum(isinstance(mark, shape) for mark in marks)
    used = {"PEG", "LED", "SCREWS", "PILOT", "RECESS", "ENGRAVE", "OUTLINE"}
    assert {entity.dxf.layer for entity in model} == used <= {layer.dxf.name for layer in document.layers}
    box = bbox.extents(model.query('*[layer=="OUTLINE"]'))
    assert (
        abs(box.size.x - plan.plate.width_mm) < TOLERANCE_MM and abs(box.size.y - plan.plate.height_mm) < TOLERANCE_MM
    )


def _audited(file: Path) -> Any:
    from ezdxf import recover  # only `make hardware` installs it

    return recover.readfile(str(file))


@pytest.mark.hardware
@BOARDS
def test_plate_and_spacer_are_watertight_and_have_the_planned_holes(drawn: Path, board: str) -> None:
    plan = load_plan(board)
    screws, pilots = len(CASE.screws.places(plan.plate)), len(clips(plan, CASE))
    through = 2 * len(plan.holes) + screws
    low, middle, high = CASE.recess.depth_mm, CASE.pilot.depth_mm, plan.plate.thickness_mm
    layers = (("", high, 0), ("bottom", low, pilots), ("lower", middle - low, pilots), ("upper", high - middle, 0))
    for part, thickness, blind in layers:
        assert_size(check_solid(render_scad(drawn / board / "plate.scad", part), through + blind), plan, thickness)
    sheet = check_solid(render_scad(drawn / board / "spacer.scad"), len(pockets_of(plan, CASE)) + screws + pilots)
    assert_size(sheet, plan, CASE.stack.spacer_mm)


@pytest.mark.hardware
@BOARDS
def test_the_pieces_of_the_spacer_have_its_volume_but_for_the_gaps(drawn: Path, board: str) -> None:
    plan, joint = load_plan(board), CASE.joint
    whole = render_scad(drawn / board / "spacer.scad").volume_mm3
    solids = check_pieces(plan, drawn / board)
    gaps = sum(piece.volume_mm3 for piece in solids) / whole
    assert 0.998 < gaps < 1, "sockets are wider than dovetails, and nothing else is lost"
    for solid, piece in zip(solids, spacer_pieces(plan, CASE), strict=True):
        assert all(abs(got - size) < TOLERANCE_MM for got, size in zip(solid.size_mm, piece.size_mm, strict=False))
        assert max(solid.size_mm) <= joint.bed_mm - 2 * joint.bed_margin_mm
        document, audit = _audited(drawn / board / f"spacer-{piece.number}.dxf")
        assert not audit.errors and len(document.modelspace().query('*[layer=="POCKET"]')) == len(piece.openings)


@pytest.mark.hardware
def test_the_clip_is_watertight_and_has_one_hole(drawn: Path) -> None:
    clip, sizes = check_solid(render_scad(drawn / "clip.scad"), 1), CASE.clip
    high = CASE.stack.board_mm - sizes.grip_mm + sizes.over_mm
    wanted = (sizes.foot_mm + sizes.tongue_mm, high, sizes.length_mm)
    assert all(abs(got - size) < TOLERANCE_MM for got, size in zip(clip.size_mm, wanted, strict=True))


def assert_size(solid: Solid, plan: BoardPlan, thickness_mm: float) -> None:
    wanted = plan.plate.width_mm, plan.plate.height_mm, thickness_mm
    assert all(abs(got - size) < TOLERANCE_MM for got, size in zip(solid.size_mm, wanted, strict=True))


@pytest.mark.hardware
def test_the_peg_head_is_watertight_and_its_bore_is_blind(drawn: Path) -> None:
    head = check_solid(render_scad(drawn / "peg-head.scad"), 0)
    assert abs(head.size_mm[2] - CASE.peg.head_height_mm) < TOLERANCE_MM


@pytest.mark.hardware
def test_the_case_is_watertight_and_meets_no_part(drawn: Path) -> None:
    for base in check_case(drawn):
        assert base.size_mm == (CASE.bezel.width_mm, CASE.bezel.height_mm, CASE.box.inside_mm)


@pytest.mark.hardware
def test_a_part_that_meets_the_case_is_found(drawn: Path) -> None:
    program = drawn / "tight.scad"
    program.write_text((drawn / "case.scad").read_text().replace("wall = 2.4;", "wall = 4;"))
    assert not is_empty(program, "collisions", pi="full")


@pytest.mark.hardware
def test_marks_to_feel_are_watertight(drawn: Path) -> None:
    assert (
        abs(check_solid(render_scad(drawn / "peg-heads.scad"), -3).size_mm[2] - CASE.peg.head_height_mm) < TOLERANCE_MM
    )
    caps = check_solid(render_scad(drawn / "key-caps.scad"), -15)
    assert caps.size_mm[0] < CASE.keypad.width_mm and caps.size_mm[1] < CASE.keypad.height_mm


@pytest.mark.hardware
def test_a_plate_with_a_missing_hole_is_detected(drawn: Path) -> None:
    program = drawn / "classic-61" / "blind.scad"
    text = (drawn / "classic-61" / "plate.scad").read_text()
    program.write_text(re.sub(r"holes = \[\[[\d., ]+\], ", "holes = [", text))
    with pytest.raises(SolidError, match="expected a closed solid with 256 through holes, got 0 open edges and 255"):
        check_solid(render_scad(program), 256)


@pytest.mark.hardware
def test_every_svg_can_be_rendered(drawn: Path, tmp_path: Path) -> None:
    for picture in sorted(drawn.rglob("*.svg")):
        run("rsvg-convert", "-w", "200", "-o", str(tmp_path / "picture.png"), str(picture))
        assert (tmp_path / "picture.png").stat().st_size > 500, picture
