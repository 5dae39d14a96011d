"""Table of the kits that one buys, as a ladder: what each costs in all, with tools, and how many hours it takes."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from firmware_host.board.plan import BoardPlan
from firmware_host.fabrication.bill import BOARD_KITS, DESK, cents, other_parts, total_cents
from firmware_host.fabrication.costs import second_board_usd, set_usd
from firmware_host.fabrication.dimensions import load_case, load_table

KITS = (DESK, *reversed(BOARD_KITS))
"""From the cheapest; kits `page` and `wood` need nothing that one buys for them."""
MANY = 5
"""Sets that are ordered together in the last column of prices."""


class KitCost(Struct, frozen=True):
    """US dollars for one set of a kit without tools, for each of MANY sets, and for the tools; hours of work.

    `second_usd` is one circuit board more in the same order, for a house that assembles two at least.
    """

    board_usd: float
    others_usd: float
    second_usd: float
    many_usd: float
    tools_usd: float
    hours: float

    @property
    def usd(self) -> float:
        """The circuit board, made and assembled, and all other parts."""
        return self.board_usd + self.others_usd

    @property
    def with_second_usd(self) -> float:
        """The whole kit, with the second circuit board too."""
        return self.usd + self.second_usd


def kit_cost(plan: BoardPlan, kit: str) -> KitCost:
    """What a kit (one of KITS) costs. Nothing of kit `desk` depends on the plan."""
    table = load_table("parts")
    others = total_cents(list(other_parts(plan, load_case(), kit))) / 100
    one, many = (others, others) if kit == DESK else (set_usd(plan, sets, kit) for sets in (1, MANY))
    tools = sum(cents(tool["usd"]) for tool in table["tool"] if kit in tool["kits"]) / 100
    second = 0.0 if kit == DESK else second_board_usd(plan, kit)
    return KitCost(one - others, others, second, many, tools, table["hours"][kit])


def kits_page(plan: BoardPlan) -> str:
    """The text of `hardware/generated/kits.md`."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: BoardPlan) -> Iterator[str]:
    yield "# What each kit costs"
    yield ""
    yield "Made by `cribboard draw` from the netlists, `kicad/sources.toml` and `parts.toml`; change those. US dollars"
    yield f"for one set for `{plan.id}`, without tax and postage, mostly estimates; [other boards](costs.md). Circuit"
    yield "board: five bare boards, of which one is assembled, its parts with spares, set-up and fees. **The house"
    yield "whose fees these are assembles two at least:** there one set costs what the column `with two` says. Other"
    yield "parts: the Pi, its card and supply, keypad, display, plate, pegs and case, as far as the kit has them. The"
    yield "parts lists name the parts of both columns; their sums are without making and assembly. Hours are the times"
    yield "in [ASSEMBLY.md](../ASSEMBLY.md), without printing, waiting and glue that dries; nobody has measured them."
    yield ""
    yield f"| kit | circuit board | other parts | in all | with two | each of {MANY} | tools | hours |"
    yield "| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    yield "| page, wood | 0 | 0 | 0 | 0 | 0 | 0 | 0 |"
    yield from (_row(kit, kit_cost(plan, kit)) for kit in KITS)
    yield ""
    yield "Tools, for who has none; their prices are estimates from memory, as those of most other parts:"
    yield ""
    yield "| tool | USD | kits |"
    yield "| :--- | ---: | :--- |"
    for tool in load_table("parts")["tool"]:
        yield f"| {tool['name']} | {tool['usd']:.0f} | {', '.join(tool['kits'])} |"


def _row(kit: str, cost: KitCost) -> str:
    numbers = (cost.board_usd, cost.others_usd, cost.usd, cost.with_second_usd, cost.many_usd, cost.tools_usd)
    return f"| {kit} | {' | '.join(f'{usd:.0f}' for usd in numbers)} | {cost.hours:g} |"
