"""Power budget of a board: current limit of its lights, and the USB source that they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from board_drivers.light_chain import COLOUR_MA, DEFAULT_BRIGHTNESS, FULL_BRIGHTNESS, IDLE_MA
from board_drivers.serial_lights import BOARD_MA, FUSE_MA
from firmware_host.board.plan import BoardPlan, PlanError
from firmware_host.fabrication.dimensions import load_table

_WHITE = 3
"""Number of colour channels that are on for white."""


class Power(Struct, frozen=True):
    """Power budget of one board.

    `dark_ma` is the idle current of all lights, `lights_ma` the limit that the program keeps, `white_ma` the current of
    all lights white at default brightness, which the limit prevents. `source_a` is the least current that the USB
    source must promise for `lights_ma`.
    """

    lights: int
    dark_ma: float
    lights_ma: float
    white_ma: float
    source_a: float


def power_of(plan: BoardPlan) -> Power:
    """The power budget from `hardware/power.toml`. Raises PlanError if no USB source there is large enough."""
    table = load_table("power")
    lights = plan.sensor_count
    dark_ma = lights * IDLE_MA
    lights_ma: float = table["lights_ma"].get(
        plan.id, min(dark_ma + table["default_above_dark_ma"], FUSE_MA - BOARD_MA)
    )
    wanted_a = (lights_ma + BOARD_MA) / 1000
    source_a = next((size for size in sorted(table["sources_a"]) if size >= wanted_a), None)
    if source_a is None:
        raise PlanError("power.toml, sources_a", f"{wanted_a:g} or more", f"{max(table['sources_a']):g}")
    white_ma = lights * (IDLE_MA + _WHITE * COLOUR_MA * DEFAULT_BRIGHTNESS / FULL_BRIGHTNESS)
    return Power(lights, dark_ma, lights_ma, white_ma, source_a)


def power_page(plans: Iterable[BoardPlan]) -> str:
    """The text of `hardware/generated/power.md`."""
    return "\n".join(_lines(plans)) + "\n"


def _lines(plans: Iterable[BoardPlan]) -> Iterator[str]:
    yield "# Power"
    yield ""
    yield "Made by `cribboard draw` from `power.toml` and the plans; change those. Calculated, not measured."
    yield ""
    yield "| board | lights | dark, mA | `lights_ma` | all white, mA | USB source, A | lights on 0.5 A, mA |"
    yield "| :--- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for plan in plans:
        power = power_of(plan)
        left_ma = int(1000 * min(load_table("power")["sources_a"])) - BOARD_MA
        poor = str(left_ma) if left_ma > power.dark_ma else "stay dark"
        yield (
            f"| {plan.id} | {power.lights} | {power.dark_ma:.0f} | {power.lights_ma:.0f} | {power.white_ma:.0f}"
            f" | {power.source_a:g} | {poor} |"
        )
    yield ""
    yield f"The board takes {BOARD_MA} mA beside its lights, at most: controller, switches and a display. Its fuse"
    yield f"holds {FUSE_MA / 1000:g} A. It reads on its USB socket what the source promises, 0.5, 1.5 or 3 A, and the"
    yield "program keeps the lights below that and below `lights_ma`, whichever is less. A USB-A port promises 0.5 A."
    yield "The Pi has its own supply. The voltage at the far light is in [the margins](../kicad/margins.md#supply)."
