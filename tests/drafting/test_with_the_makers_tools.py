"""The files opened by the programs that a maker opens them with: sizes, layers, closed solids."""

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
from firmware_host.drafting import solids
from firmware_host.drafting.pockets import pockets_of
from firmware_host.drafting.portfolio import of_all, of_board
from firmware_host.drafting.strips import SCREW_MM, screws_of
from firmware_host.drafting.template import template
from firmware_host.drafting.tiles import PAPERS_MM, best_cut
from firmware_host.drafting.truths import the_case
from firmware_host.plans import demo_plan, load_plan, plan_ids
from tests.drafting.solid import Solid
from tests.drafting.workbench import SolidFault, checked, raised, written

CASE = the_case()
BOARDS = pytest.mark.parametrize("board", plan_ids())
MM_A_POINT = 25.4 / 72
SLIP_MM = 0.01


def run(*command: str) -> str:
    assert shutil.which(command[0]), f"{command[0]} is missing: apt install openscad poppler-utils librsvg2-bin"
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that is drawn."""
    folder, plans = tmp_path_factory.mktemp("drawn"), [load_plan(board) for board in plan_ids()]
    for plan in plans:
        written(folder / plan.id, of_board(plan, CASE))
    return written(folder, of_all(plans, demo_plan(), CASE, header_pins()))


def sizes_mm(pdf: Path) -> list[tuple[float, float]]:
    told = re.findall(r"Page +\d* *size: +([\d.]+) x ([\d.]+) pts", run("pdfinfo", "-l", "99", str(pdf)))
    return [(float(wide) * MM_A_POINT, float(high) * MM_A_POINT) for wide, high in told]


@pytest.mark.hardware
@BOARDS
def test_the_template_has_its_true_size(drawn: Path, board: str) -> None:
    paper = template(load_plan(board), CASE)
    ((wide, high),) = sizes_mm(drawn / board / "drill.pdf")
    assert abs(wide - paper.width_mm) < SLIP_MM and abs(high - paper.height_mm) < SLIP_MM


@pytest.mark.hardware
@pytest.mark.parametrize("paper", PAPERS_MM)
@BOARDS
def test_tiles_are_the_sheets_they_should_be(drawn: Path, board: str, paper: str) -> None:
    pages = sizes_mm(drawn / board / f"drill-{paper}.pdf")
    cut = best_cut(template(load_plan(board), CASE), paper)
    assert len(pages) == cut.tiles
    for wide, high in pages:
        assert abs(wide - cut.paper_mm[0]) < SLIP_MM and abs(high - cut.paper_mm[1]) < SLIP_MM


@pytest.mark.hardware
@BOARDS
def test_svg_and_pdf_are_the_same_drawing(drawn: Path, tmp_path: Path, board: str) -> None:
    """One is rendered by librsvg, the other by poppler: the ink falls on the same places, and on no others."""
    dots, svg, pdf = "144", tmp_path / "svg.png", tmp_path / "pdf"
    run("rsvg-convert", "-d", dots, "-p", dots, "-o", str(svg), str(drawn / board / "drill.svg"))
    run("pdftoppm", "-r", dots, "-png", "-singlefile", str(drawn / board / "drill.pdf"), str(pdf))
    one, other = ink_of(svg), ink_of(pdf.with_suffix(".png"))
    assert one.size == other.size
    assert apart(one, other) < 1 / 3 < apart(one, ImageChops.offset(other, 3, 0))  # 3 dots are half a millimetre
    assert apart(one, ImageOps.flip(other)) > 1 / 3


def ink_of(picture: Path) -> Image.Image:
    """Ink is light on dark here, and a little blurred: the two programs smooth thin lines each in its own way."""
    return ImageOps.invert(Image.open(picture).convert("L")).filter(ImageFilter.GaussianBlur(1.5))


def apart(one: Image.Image, other: Image.Image) -> float:
    """How much ink is in one of them only, as a share of the ink of one."""
    lone, all_of_one = (ImageStat.Stat(ink).sum[0] for ink in (ImageChops.difference(one, other), one))
    return lone / all_of_one


@pytest.mark.hardware
@BOARDS
def test_the_dxf_passes_its_audit_and_measures_as_the_plate(drawn: Path, board: str) -> None:
    from ezdxf import bbox

    plan, (document, auditor) = load_plan(board), _audited(drawn / board / "plate.dxf")
    assert not auditor.errors and not auditor.fixes
    model = document.modelspace()
    layers = ("PEG", "LED", "SCREWS", "PILOT")
    circles = {layer: list(model.query(f'CIRCLE[layer=="{layer}"]')) for layer in layers}
    assert len(circles["PEG"]) == len(circles["LED"]) == len(plan.holes)
    for circle, hole in zip(circles["PEG"], plan.holes, strict=True):
        assert abs(circle.dxf.center.x - hole.x_mm) < SLIP_MM and abs(circle.dxf.center.y - hole.y_mm) < SLIP_MM
    for circle, (x, y) in zip(circles["PILOT"], screws_of(plan), strict=True):
        assert abs(circle.dxf.center.x - x) < SLIP_MM and abs(circle.dxf.center.y - y) < SLIP_MM
        assert abs(circle.dxf.radius * 2 - CASE.pilot.hole_mm) < SLIP_MM
    spacer, spacer_audit = _audited(drawn / board / "spacer.dxf")
    assert not spacer_audit.errors and len(spacer.modelspace().query('*[layer=="POCKET"]')) == len(
        pockets_of(plan, CASE)
    )
    posts = [c for c in spacer.modelspace().query('CIRCLE[layer=="SCREWS"]') if abs(c.dxf.radius * 2 - SCREW_MM) < 1e-6]
    for circle, (x, y) in zip(posts, screws_of(plan), strict=True):
        assert abs(circle.dxf.center.x - x) < SLIP_MM and abs(circle.dxf.center.y - y) < SLIP_MM
    box = bbox.extents(model.query('*[layer=="OUTLINE"]'))
    assert abs(box.size.x - plan.plate.width_mm) < SLIP_MM and abs(box.size.y - plan.plate.height_mm) < SLIP_MM


def _audited(file: Path) -> Any:
    from ezdxf import recover  # only `make hardware` installs it

    return recover.readfile(str(file))


@pytest.mark.hardware
@BOARDS
def test_plate_and_spacer_are_closed_and_pierced_as_the_plan_says(drawn: Path, board: str) -> None:
    plan = load_plan(board)
    screws, pilots, deep_mm = len(CASE.screws.places(plan.plate)), len(screws_of(plan)), CASE.pilot.deep_mm
    through = 2 * len(plan.holes) + screws
    wood = checked(raised(drawn / board / "plate.scad"), through)
    _measures(wood, plan, plan.plate.thickness_mm)
    _measures(checked(raised(drawn / board / "plate.scad", "lower"), through + pilots), plan, deep_mm)
    upper = checked(raised(drawn / board / "plate.scad", "upper"), through)
    _measures(upper, plan, plan.plate.thickness_mm - deep_mm)
    sheet = checked(raised(drawn / board / "spacer.scad"), len(pockets_of(plan, CASE)) + screws + pilots)
    _measures(sheet, plan, CASE.stack.spacer_mm)


@pytest.mark.hardware
def test_the_strips_screws_end_in_the_wood(drawn: Path) -> None:
    """In one solid they are dents: the plate has no more holes through it, but a floor at the end of each."""
    plan = demo_plan()
    program = drawn / "one-strip.scad"
    program.write_text(solids.plate(plan, CASE), encoding="utf-8")
    screws = len(CASE.screws.places(plan.plate))
    drilled = checked(raised(program, "drilled"), 2 * len(plan.holes) + screws)
    assert drilled.floors(CASE.pilot.deep_mm) == len(screws_of(plan)) == 2


def _measures(solid: Solid, plan: BoardPlan, thickness_mm: float) -> None:
    wanted = plan.plate.width_mm, plan.plate.height_mm, thickness_mm
    assert all(abs(got - size) < SLIP_MM for got, size in zip(solid.size_mm, wanted, strict=True))


@pytest.mark.hardware
def test_the_head_of_a_peg_is_closed_and_its_bore_ends_inside(drawn: Path) -> None:
    head = checked(raised(drawn / "peg-head.scad"), 0)
    assert abs(head.size_mm[2] - CASE.peg.head_height_mm) < SLIP_MM


@pytest.mark.hardware
def test_a_plate_with_a_hole_too_few_is_found_out(drawn: Path) -> None:
    program = drawn / "classic-61" / "blind.scad"
    text = (drawn / "classic-61" / "plate.scad").read_text()
    program.write_text(re.sub(r"holes = \[\[[\d., ]+\], ", "holes = [", text))
    with pytest.raises(SolidFault, match="expected a closed solid with 256 through holes, got 0 open edges and 255"):
        checked(raised(program), 256)


@pytest.mark.hardware
def test_every_picture_can_be_drawn(drawn: Path, tmp_path: Path) -> None:
    for picture in sorted(drawn.rglob("*.svg")):
        run("rsvg-convert", "-w", "200", "-o", str(tmp_path / "picture.png"), str(picture))
        assert (tmp_path / "picture.png").stat().st_size > 500, picture
