"""Table that compares the boards: size, number of parts, and estimated cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.board.matrix import column_count
from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication.bill import BOARD_KITS, parts_list, total_cents
from firmware_host.fabrication.dimensions import Case, load_table
from firmware_host.fabrication.shapes import format_number


def overview_page(plans: Sequence[BoardPlan], case: Case) -> str:
    """The text of `hardware/generated/boards.md`."""
    return "\n".join(_lines(plans, case)) + "\n"


def _lines(plans: Sequence[BoardPlan], case: Case) -> Iterator[str]:
    yield "# The boards"
    yield ""
    priced_on = load_table("parts")["priced_on"]
    yield "Made by `cribboard draw` from the plans; change those. Prices are estimates in US dollars from memory, as of"
    yield f"{priced_on}: the sums of `parts-sensing.csv` (what is on the circuit board, Pi, supply, plate and pegs) and"
    yield "of `parts-lights.csv`. Circuit board and assembly are **not** included: [costs.md](costs.md) adds them."
    yield ""
    kits = " | ".join(f"USD, {kit}" for kit in BOARD_KITS)
    yield f"| board | tracks | holes and lights | columns | plate, mm | {kits} |"
    yield f"| :--- | ---: | ---: | ---: | :--- |{' ---: |' * len(BOARD_KITS)}"
    yield from (_line(plan, case) for plan in plans)


def _line(plan: BoardPlan, case: Case) -> str:
    plate = plan.plate
    size = " x ".join(format_number(side, 2) for side in (plate.width_mm, plate.height_mm, plate.thickness_mm))
    costs = " | ".join(f"{total_cents(parts_list(plan, case, kit)) / 100:.0f}" for kit in BOARD_KITS)
    return f"| {plan.id} | {plan.tracks} | {len(plan.holes)} | {column_count(plan)} | {size} | {costs} |"
