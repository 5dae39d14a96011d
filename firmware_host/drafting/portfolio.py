"""All that `cribboard draw` makes, by file name: what belongs to one board, and what all boards share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from board_drivers.pins import HeaderPins
from firmware_host.board.drawing import draw
from firmware_host.board.dress import for_any_program
from firmware_host.board.plan import BoardPlan
from firmware_host.drafting import bill, solids
from firmware_host.drafting.chain import chain, strip
from firmware_host.drafting.chart import magnet_chart
from firmware_host.drafting.demo import demo_page
from firmware_host.drafting.dxf import as_dxf
from firmware_host.drafting.front import front_drawing
from firmware_host.drafting.hole_map import hole_map
from firmware_host.drafting.magnets import magnetics, magnets_page
from firmware_host.drafting.marks import Layer
from firmware_host.drafting.overview import overview_page
from firmware_host.drafting.pdf import as_pdf, whole
from firmware_host.drafting.power import power_page
from firmware_host.drafting.section import peg_apart, section
from firmware_host.drafting.stripboard import stripboard, stripboard_page
from firmware_host.drafting.svg import as_svg
from firmware_host.drafting.template import from_below, milling, spacer_cut, template
from firmware_host.drafting.tiles import PAPERS_MM, tiles
from firmware_host.drafting.truths import Case
from firmware_host.drafting.wiring import wiring

KEPT = (".svg", ".csv", ".md", ".scad")
"""Small texts are committed; the rest is made when it is wanted."""

Portfolio = Mapping[str, bytes]


def of_board(plan: BoardPlan, case: Case) -> Portfolio:
    """The folder of one board. Raises PlanError for one that no supply can feed, or too thin for its screws."""
    papers = {"drill": template(plan, case), "below": from_below(plan, case)}
    pages = {f"{side}.pdf": as_pdf(paper, [whole(paper)]) for side, paper in papers.items()}
    for side, paper in papers.items():
        pages |= {f"{side}-{name}.pdf": as_pdf(paper, tiles(paper, name)) for name in PAPERS_MM}
    return texts_of_board(plan, case) | pages


def texts_of_board(plan: BoardPlan, case: Case) -> dict[str, bytes]:
    """The same without the pages for a printer."""
    texts = {
        "board.svg": for_any_program(draw(plan)),
        "drill.svg": as_svg(template(plan, case)),
        "below.svg": as_svg(from_below(plan, case)),
        "plate.dxf": as_dxf(milling(plan, case)),
        "spacer.dxf": as_dxf(spacer_cut(plan, case)),
        "spacer.svg": as_svg(spacer_cut(plan, case, Layer.PRINT, Layer.SHEET)),
        "plate.scad": solids.plate(plan, case),
        "spacer.scad": solids.spacer(plan, case),
        "holes.csv": hole_map(plan),
        "chain.svg": as_svg(chain(plan, case)),
        **{f"parts-{way}.csv": bill.as_table(bill.bill(plan, case, way)) for way in bill.WAYS},
    }
    return _encoded(texts)


def of_all(plans: Sequence[BoardPlan], demo: BoardPlan, case: Case, header: HeaderPins) -> Portfolio:
    """What no board has for itself: pegs, front, wires, magnets, power, and the one strip to begin with."""
    first, design = plans[0], magnetics(case)
    few = bill.bill(demo, case, bill.DEMO)
    texts = {
        "boards.md": overview_page(plans, case),
        "bezel.scad": solids.bezel(case),
        "bezel.svg": as_svg(front_drawing(case)),
        "peg-head.scad": solids.peg_head(case),
        "peg.svg": as_svg(peg_apart(first, case, design)),
        "section.svg": as_svg(section(first, case, design)),
        "strip.svg": as_svg(strip(first)),
        "stripboard.svg": as_svg(stripboard()),
        "stripboard.md": stripboard_page(),
        "wiring.svg": as_svg(wiring(header)),
        "magnets.svg": as_svg(magnet_chart(first, design)),
        "magnets.md": magnets_page(first, case),
        "power.md": power_page((*plans, demo)),
        "demo.md": demo_page(header, few),
        "parts-demo.csv": bill.as_table(few),
    }
    return _encoded(texts)


def _encoded(texts: Mapping[str, str]) -> dict[str, bytes]:
    return {name: text.encode("utf-8") for name, text in texts.items()}
