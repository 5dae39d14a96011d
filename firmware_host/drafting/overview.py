"""The boards side by side: what each takes, and about what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.board.audit import light_frame_bytes
from firmware_host.board.plan import BoardPlan
from firmware_host.drafting.bill import WAYS, bill, total_usd
from firmware_host.drafting.marks import number
from firmware_host.drafting.truths import Case, told


def overview_page(plans: Sequence[BoardPlan], case: Case) -> str:
    """The table of `hardware/generated/boards.md`."""
    return "\n".join(_lines(plans, case)) + "\n"


def _lines(plans: Sequence[BoardPlan], case: Case) -> Iterator[str]:
    yield "# The boards"
    yield ""
    yield "Made by `cribboard draw` from the plans; change those. Costs are estimates in US dollars of"
    yield f"{told('parts')['priced']}, from memory, for all parts of a single board: look them up before you order."
    yield ""
    ways = " | ".join(f"about, {way}" for way in WAYS)
    yield f"| board | tracks | holes | strips | sensor bits | lights | light frame | plate, mm | {ways} |"
    yield f"| :--- | ---: | ---: | ---: | ---: | ---: | ---: | :--- |{' ---: |' * len(WAYS)}"
    yield from (_line(plan, case) for plan in plans)


def _line(plan: BoardPlan, case: Case) -> str:
    plate = plan.plate
    size = " x ".join(number(side, 2) for side in (plate.width_mm, plate.height_mm, plate.thickness_mm))
    costs = " | ".join(f"{total_usd(bill(plan, case, way)):.0f}" for way in WAYS)
    counts = f"{plan.tracks} | {len(plan.holes)} | {plan.strip_count} | {plan.bit_count} | {plan.led_count}"
    return f"| {plan.id} | {counts} | {light_frame_bytes(plan.led_count)} B | {size} | {costs} |"
