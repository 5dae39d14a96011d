"""Table that compares the boards: size, number of parts, and estimated cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.board.audit import light_frame_bytes
from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication.bill import BUILD_METHODS, parts_list, total_cents
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
    yield f"{priced_on}: the sums of `parts-smt.csv` (what is on the circuit boards, Pi, supply, plate and pegs) and"
    yield "of `parts-lights.csv`. Circuit boards and assembly are **not** included: [costs.md](costs.md) adds them."
    yield ""
    methods = " | ".join(f"USD, {method}" for method in BUILD_METHODS)
    yield f"| board | tracks | holes | strips | sensor bits | lights | light frame | plate, mm | {methods} |"
    yield f"| :--- | ---: | ---: | ---: | ---: | ---: | ---: | :--- |{' ---: |' * len(BUILD_METHODS)}"
    yield from (_line(plan, case) for plan in plans)


def _line(plan: BoardPlan, case: Case) -> str:
    plate = plan.plate
    size = " x ".join(format_number(side, 2) for side in (plate.width_mm, plate.height_mm, plate.thickness_mm))
    costs = " | ".join(f"{total_cents(parts_list(plan, case, method)) / 100:.0f}" for method in BUILD_METHODS)
    counts = f"{plan.tracks} | {len(plan.holes)} | {plan.strip_count} | {plan.bit_count} | {plan.led_count}"
    return f"| {plan.id} | {counts} | {light_frame_bytes(plan.led_count)} B | {size} | {costs} |"
