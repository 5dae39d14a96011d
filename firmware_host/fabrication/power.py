"""Power budget of a board: current limit of the lights, and the supply, fuse and wire that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from board_drivers.light_chain import COLOUR_MA, DEFAULT_BRIGHTNESS, FULL_BRIGHTNESS, IDLE_MA
from firmware_host.board.plan import BoardPlan, PlanError
from firmware_host.circuits.hub_supply import CABLE_OHM, SUPPLY_V, outlet_v
from firmware_host.fabrication.dimensions import load_table

_WHITE = 3
"""Number of colour channels that are on for white."""


class Power(Struct, frozen=True):
    """Power budget of one board.

    `dark_ma` is the idle current of all lights, `lights_ma` the limit that the program keeps, `white_ma` the current of
    all lights white at default brightness, which the limit prevents. `fed_ends` is 1 or 2; `drop_v` is the voltage lost
    in bus wires and leads in the worst case, and `far_v` what the farthest light has then.
    """

    lights: int
    dark_ma: float
    lights_ma: float
    white_ma: float
    supply_a: float
    fuse_a: float
    fed_ends: int
    wire_awg: int
    drop_v: float
    far_v: float


def power_of(plan: BoardPlan) -> Power:
    """The power budget from `hardware/power.toml`. Raises PlanError if nothing there is large enough."""
    table = load_table("power")
    dark_ma = plan.led_count * IDLE_MA
    lights_ma: float = table["lights_ma"].get(plan.id, dark_ma + table["default_above_dark_ma"])
    fed_ends = 2 if plan.led_count >= table["feed_both_ends_from"] else 1
    total_a = (lights_ma + sum(table["other_loads_ma"].values())) / 1000
    wire = _wire(plan, lights_ma / 1000, fed_ends)
    drop_v = _drop_v(plan, lights_ma / 1000, fed_ends, wire["mohm_m"])
    return Power(
        lights=plan.led_count,
        dark_ma=dark_ma,
        lights_ma=lights_ma,
        white_ma=plan.led_count * (IDLE_MA + _WHITE * COLOUR_MA * DEFAULT_BRIGHTNESS / FULL_BRIGHTNESS),
        supply_a=_smallest_size(table["supplies_a"], total_a * table["supply_headroom"], "supplies_a"),
        fuse_a=_smallest_size([table["fuse_a"]], lights_ma / 1000 * table["fuse_headroom"], "fuse_a"),
        fed_ends=fed_ends,
        wire_awg=wire["awg"],
        drop_v=drop_v,
        far_v=outlet_v(lights_ma / 1000) - drop_v,
    )


def power_page(plans: Iterable[BoardPlan]) -> str:
    """The text of `hardware/generated/power.md`."""
    return "\n".join(_lines(plans)) + "\n"


def _lines(plans: Iterable[BoardPlan]) -> Iterator[str]:
    table = load_table("power")
    others = table["other_loads_ma"]
    yield "# Power"
    yield ""
    yield "Made by `cribboard draw` from `power.toml` and the plans; change those. Calculated, not measured."
    yield ""
    heads = "supply, A | fed at | AWG | drop, V | far end, V"
    yield f"| board | lights | dark, mA | `lights_ma` | all white, mA | {heads} |"
    yield "| :--- | ---: | ---: | ---: | ---: | ---: | :--- | ---: | ---: | ---: |"
    for plan in plans:
        power = power_of(plan)
        fed = "both ends" if power.fed_ends == 2 else "the hub's end"
        yield (
            f"| {plan.id} | {power.lights} | {power.dark_ma:.0f} | {power.lights_ma:.0f} | {power.white_ma:.0f}"
            f" | {power.supply_a:g} | {fed} | {power.wire_awg} | {power.drop_v:.2f} | {power.far_v:.2f} |"
        )
    yield ""
    yield f"The supply also feeds the Pi ({others['pi']} mA at full load, a Zero 2 W), display, keys and sensors"
    yield f"({others['display_keys_sensors']} mA) and the amplifier ({others['amplifier']} mA). AWG is the size of the"
    yield f"pair of bus wires along the chain; they carry the {table['fuse_a']:g} A that the fuse F3 of the hub holds."
    yield ""
    yield "Drop is the voltage lost in them and in the lead from the hub, with all of `lights_ma` drawn at the point"
    yield f"farthest from the supply. The far end has the {SUPPLY_V:g} V of the supply, less its cable of"
    yield f"{CABLE_OHM:g} ohm, less fuses and transistors of the hub, as [simulated](../hub/light-rail.md), less that"
    yield f"drop. A light needs {table['light_min_v']:g} V."


def _smallest_size(sizes: Sequence[float], wanted: float, key: str) -> float:
    for size in sorted(sizes):
        if size >= wanted:
            return size
    raise PlanError(f"power.toml, {key}", f"one of {wanted:.2f} A or more", max(sizes))


def _wire(plan: BoardPlan, lights_a: float, fed_ends: int) -> Mapping[str, Any]:
    """The thinnest wire that carries what its fuse holds, and leaves the farthest light enough."""
    table = load_table("power")
    for wire in sorted(table["wire"], key=lambda wire: -wire["awg"]):
        far_v = outlet_v(lights_a) - _drop_v(plan, lights_a, fed_ends, wire["mohm_m"])
        if wire["max_a"] >= max(lights_a, table["fuse_a"]) and far_v >= table["light_min_v"]:
            return cast(Mapping[str, Any], wire)
    raise PlanError("power.toml, wire", f"one that leaves {table['light_min_v']} V on {plan.id}", "none")


def _drop_v(plan: BoardPlan, lights_a: float, fed_ends: int, mohm_m: float) -> float:
    """With the whole current drawn at the far end; with both ends fed, at the middle, where each half carries half."""
    there_and_back_ohm = 2 * plan.strip_count * plan.pattern.reach_mm / 1000 * mohm_m / 1000
    lead_ohm = load_table("power")["hub_lead_mohm"] / 1000
    return float(lights_a * (there_and_back_ohm / fed_ends + lead_ohm) / fed_ends)
