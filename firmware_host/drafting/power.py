"""Power: what the lights of a board may draw, and the supply, fuse and wire that follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from board_drivers.light_chain import COLOUR_MA, FULL_BRIGHTNESS, IDLE_MA, USUAL_BRIGHTNESS
from firmware_host.board.plan import BoardPlan, PlanError
from firmware_host.drafting.truths import told

_WHITE = 3
"""White is three colours at once."""


@dataclass(frozen=True, slots=True)
class Power:
    """One board's. `white_ma` is all lights white at the usual brightness: what the limit is there to prevent."""

    lights: int
    dark_ma: float
    lights_ma: float
    white_ma: float
    supply_a: float
    fuse_a: float
    ends: int
    wire_awg: int
    drop_v: float


def power_of(plan: BoardPlan) -> Power:
    """Raises PlanError for a board that nothing in `hardware/power.toml` can feed."""
    facts = told("power")
    dark_ma = plan.led_count * IDLE_MA
    lights_ma: float = facts["lights_ma"].get(plan.id, dark_ma + facts["beyond_dark_ma"])
    ends = 2 if plan.led_count >= facts["both_ends_from"] else 1
    total_a = (lights_ma + sum(facts["rest_ma"].values())) / 1000
    wire = _wire(plan, lights_ma / 1000, ends)
    return Power(
        lights=plan.led_count,
        dark_ma=dark_ma,
        lights_ma=lights_ma,
        white_ma=plan.led_count * (IDLE_MA + _WHITE * COLOUR_MA * USUAL_BRIGHTNESS / FULL_BRIGHTNESS),
        supply_a=_next(facts["supplies_a"], total_a * facts["supply_headroom"], "supplies_a"),
        fuse_a=_next(facts["fuses_a"], lights_ma / 1000 * facts["fuse_headroom"], "fuses_a"),
        ends=ends,
        wire_awg=wire["awg"],
        drop_v=_drop_v(plan, lights_ma / 1000, ends, wire["mohm_m"]),
    )


def power_page(plans: Iterable[BoardPlan]) -> str:
    """The table of `hardware/generated/power.md`."""
    return "\n".join(_lines(plans)) + "\n"


def _lines(plans: Iterable[BoardPlan]) -> Iterator[str]:
    rest = told("power")["rest_ma"]
    yield "# Power"
    yield ""
    yield "Made by `cribboard draw` from `power.toml` and the plans; change those. Calculated, not measured."
    yield ""
    yield "| board | lights | dark, mA | `lights_ma` | all white, mA | supply, A | fuse, A | fed at | AWG | lost, V |"
    yield "| :--- | ---: | ---: | ---: | ---: | ---: | ---: | :--- | ---: | ---: |"
    for plan in plans:
        it = power_of(plan)
        fed = "both ends" if it.ends == 2 else "the hub's end"
        yield (
            f"| {plan.id} | {it.lights} | {it.dark_ma:.0f} | {it.lights_ma:.0f} | {it.white_ma:.0f} | {it.supply_a:g}"
            f" | {it.fuse_a:g} | {fed} | {it.wire_awg} | {it.drop_v:.2f} |"
        )
    yield ""
    yield f"Beside the lights the supply feeds the Pi ({rest['pi']} mA at its busiest, a Zero 2 W) and"
    yield f"{rest['display_keys_sensors']} mA for display, keys and sensors. The wire is one pair of bus wires along"
    yield "the whole chain; what is lost is reckoned as if all that is allowed were drawn at the worst place."


def _next(sizes: Sequence[float], wanted: float, where: str) -> float:
    for size in sorted(sizes):
        if size >= wanted:
            return size
    raise PlanError(f"power.toml, {where}", f"one of {wanted:.2f} A or more", max(sizes))


def _wire(plan: BoardPlan, lights_a: float, ends: int) -> Mapping[str, Any]:
    """The thinnest that will do."""
    facts = told("power")
    for wire in sorted(facts["wire"], key=lambda wire: -wire["awg"]):
        drop_v = _drop_v(plan, lights_a, ends, wire["mohm_m"])
        if wire["most_a"] >= lights_a and drop_v <= facts["drop_v"]:
            return cast(Mapping[str, Any], wire)
    raise PlanError("power.toml, wire", f"one that loses {facts['drop_v']} V or less on {plan.id}", "none")


def _drop_v(plan: BoardPlan, lights_a: float, ends: int, mohm_m: float) -> float:
    """All of it drawn at the far end; fed from both, at the middle, where each half carries half."""
    there_and_back_ohm = 2 * plan.strip_count * plan.pattern.reach_mm / 1000 * mohm_m / 1000
    return lights_a * there_and_back_ohm / (4 if ends == 2 else 1)
