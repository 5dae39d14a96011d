"""Generates `hardware/hub/light-rail.md` and its figure from ngspice: python -m tests.pcb.light_rail_page"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from firmware_host.board.plan import BoardPlan
from firmware_host.config.board_plans import load_plan, plan_ids
from firmware_host.fabrication.power import power_of
from hardware.hub.light_rail import (
    FAST,
    SLOW,
    TYPICAL,
    Corner,
    curves,
    full_load,
    plugged_in,
    reversed_supply,
    rise,
    rise_model,
    row_farad,
    steady,
    wrong_supply,
)

HUB = Path(__file__).parents[2] / "hardware" / "hub"
PAGE, FIGURE = HUB / "light-rail.md", HUB / "light-rail.svg"
WIDE, HIGH, LEFT, TOP, FOOT = 600.0, 150.0, 46.0, 18.0, 34.0
CURVES = ((FAST, "#b5121b", "fastest"), (TYPICAL, "#26262b", "typical"), (SLOW, "#0a58a8", "slowest"))

INTRODUCTION = """# Supply and light rail of the hub

Made by `python -m tests.pcb.light_rail_page` with ngspice from the parts of the netlists; a test compares it with new
runs. The models of transistors, diodes and fuses are written after data sheets ([`spice.py`](spice.py)), some values
from memory. Nothing here was measured.

![Voltage and current of the light rail after it is turned on](light-rail.svg)

## Turning the rail on

C6 lets the rail rise at a steady rate, so that the inrush depends little on the transistor Q1. The largest inrush is
with 5.25 V, small capacitors at the gate, a reservoir 20 % large, and the lowest threshold; the longest rise with 4.85
V through 0.15 ohm, large capacitors, and a high threshold. All rows are taken to be at the outlets, without the wires
that would damp the inrush, and dark. In brackets: our own integration of the circuit
([`light_rail.py`](light_rail.py)).
"""


def page() -> str:
    """The text of the page."""
    return "\n".join((INTRODUCTION, *_rises(), "", *_cases(), ""))


def _rises() -> Iterator[str]:
    yield (
        "| board | rows, uF | inrush, A | largest inrush, A | of the supply with a Pi, A | up after, ms | longest, ms "
        "| Q1 at most, W | mJ |"
    )
    yield "| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for plan in plans():
        typical, fast, slow = (rise(plan, corner) for corner in (TYPICAL, FAST, SLOW))
        cells = (
            f"{row_farad(plan) * 1e6:.0f}",
            _both(typical, plan, TYPICAL, "inrush_a", 1.0, 2),
            _both(fast, plan, FAST, "inrush_a", 1.0, 2),
            f"{fast['supply_a']:.1f}",
            _both(typical, plan, TYPICAL, "up_s", 1000.0, 0),
            _both(slow, plan, SLOW, "up_s", 1000.0, 0),
            f"{fast['watt']:.1f}",
            f"{fast['joule'] * 1000:.0f}",
        )
        yield f"| {plan.id} | {' | '.join(cells)} |"


def _both(found: Mapping[str, float], plan: BoardPlan, corner: Corner, name: str, unit: float, digits: int) -> str:
    model = rise_model(plan, corner)
    return f"{found[name] * unit:.{digits}f} ({model[name] * unit:.{digits}f})"


def _cases() -> Iterator[str]:
    plan = plans()[-1]
    yield "With all of `lights_ma` and a supply of 5.1 V behind 0.1 ohm the outlets have"
    loads = [(each.id, full_load(each, TYPICAL, power_of(each).lights_ma / 1000)["rail_v"]) for each in plans()]
    yield f"{', '.join(f'{volts:.2f} V ({name})' for name, volts in loads)}."
    yield ""
    live = plugged_in(plan, FAST)
    yield f"A live supply that is plugged in lifts the rail, which is off, by {live['rail_v'] * 1000:.0f} mV. The"
    yield f"inductance of its cable makes {live['inside_v']:.1f} V for a moment, where D1 limits it."
    yield ""
    yield "## Reversed supply"
    yield ""
    yield "| Pi on USB | J3 | current at the jack | D1 | F2 | Q3, drain to source | gate to source | the Pi gets |"
    yield "| :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for usb, jumper in ((False, True), (True, False), (True, True)):
        found = reversed_supply(plan, usb=usb, jumper=jumper)
        amps = [_amps(found[name]) for name in ("jack_a", "clamp_a", "fuse_a")]
        volts = [f"{found[name]:.1f} V" for name in ("drain_v", "gate_v", "pi_v")]
        cells = ("yes" if usb else "no", "closed" if jumper else "open", *amps, *volts)
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield "Q3 blocks; it survives 20 V and 8 V at its gate. The last line is against the rule for J3: the supply of"
    yield "the Pi keeps Q3 conducting and works against the reversed one, until the weaker supply limits, or F2 opens."
    yield ""
    yield "## Who feeds whom"
    yield ""
    yield "| jack | Pi on USB | J3 | rail on | Pi | lights | at the jack |"
    yield "| :--- | :--- | :--- | :--- | ---: | ---: | ---: |"
    for jack, usb, jumper, enabled in _STATES:
        found = steady(plan, jack=jack, usb=usb, jumper=jumper, enabled=enabled)
        words = [*("yes" if is_on else "no" for is_on in (jack, usb)), "closed" if jumper else "open"]
        volts = [f"{max(0.0, found[name]):.1f} V" for name in ("pi_v", "rail_v", "jack_v")]
        yield f"| {' | '.join((*words, 'yes' if enabled else 'no', *volts))} |"
    yield ""
    yield "A Pi without power cannot turn the rail on, and gets nothing from it. With J3 closed and nothing at the jack"
    yield "the supply of the Pi feeds the lights, which is enough for the demo board, and the jack has 5 V."
    yield ""
    found = wrong_supply(plan, 12.0, 2.0)
    yield "## The wrong supply"
    yield ""
    yield f"A supply of 12 V that limits at 2 A puts {found['pi_v']:.1f} V on the Pi, which may destroy it, and"
    yield f"{found['watt']:.0f} W into D1, whose limit is some 5 W. No part of the hub prevents this."


_STATES = (
    (True, False, True, True),
    (True, False, True, False),
    (True, False, False, False),
    (True, True, False, True),
    (False, True, True, True),
    (False, True, False, True),
)
"""Supply at the jack, Pi on USB, J3 closed, rail on."""


def _amps(amps: float) -> str:
    """In A, or a power of ten of uA that it is below: leakage currents are not known any better."""
    if amps >= 1:
        return f"{amps:.0f} A"
    return f"under {next(limit for limit in (10, 100, 1000, 10**6) if amps * 1e6 < limit)} uA"


def plans() -> Sequence[BoardPlan]:
    """The plans of all boards."""
    return [load_plan(board) for board in plan_ids()]


def figure() -> str:
    """The curves of the smallest and the largest board as SVG."""
    shown = (plans()[0], plans()[-1])
    total = 2 * (HIGH + TOP) + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE + LEFT + 20:g} {total:g}" font-family="sans-serif"'
        ' font-size="11">',
        "<style>text{fill:#26262b}.grid{stroke:#ccc}.curve{fill:none;stroke-width:1.5}</style>",
        f'<rect width="{WIDE + LEFT + 20:g}" height="{total:g}" fill="#fff"/>',
    ]
    for row, (highest, unit, title) in enumerate(((6.0, "V", "light rail"), (1.5, "A", "current through F3"))):
        parts += _axes(row, highest, unit, title)
        for plan, dashes in zip(shown, ("4 3", ""), strict=True):
            for corner, colour, _ in CURVES:
                found = curves(plan, corner)
                points = " ".join(_point(row, at_ms, pair[row], highest) for at_ms, pair in found.items())
                dash = f' stroke-dasharray="{dashes}"' if dashes else ""
                parts.append(f'<polyline class="curve" stroke="{colour}"{dash} points="{points}"/>')
    parts += _legend(shown)
    return "\n".join((*parts, "</svg>", ""))


def _point(row: int, at_ms: float, number: float, highest: float) -> str:
    return f"{LEFT + WIDE * at_ms / 100:.0f},{TOP + row * (HIGH + TOP) + HIGH * (1 - number / highest):.0f}"


def _axes(row: int, highest: float, unit: str, title: str) -> Iterator[str]:
    top = TOP + row * (HIGH + TOP)
    for step in range(4):
        y, number = top + HIGH * step / 3, highest * (1 - step / 3)
        yield f'<path class="grid" d="M{LEFT:g} {y:g}h{WIDE:g}"/>'
        yield f'<text x="{LEFT - 6:g}" y="{y + 4:g}" text-anchor="end">{number:g} {unit}</text>'
    yield f'<text x="{LEFT + 6:g}" y="{top - 5:g}">{title}</text>'
    if row:
        for at_ms in range(0, 101, 20):
            x = LEFT + WIDE * at_ms / 100
            yield f'<text x="{x:g}" y="{top + HIGH + 14:g}" text-anchor="middle">{at_ms} ms</text>'


def _legend(shown: Sequence[BoardPlan]) -> Iterator[str]:
    y = 2 * (HIGH + TOP) + FOOT - 6
    texts = [(name, colour) for _, colour, name in CURVES]
    texts += [(f"dashed: {shown[0].id}", "#26262b"), (f"solid: {shown[-1].id}", "#26262b")]
    for number, (text, colour) in enumerate(texts):
        yield f'<text x="{LEFT + 120 * number:g}" y="{y:g}" style="fill:{colour}">{text}</text>'


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    FIGURE.write_text(figure(), encoding="utf-8")
